"""What a row says beside its text: what was thought, the prompt, why it ended, and whose it is.

Rows with the id and mode of others may be of other models or modes. Where nothing tells two of them
apart, one was asked again, and the last one counts.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from assay.errors import ArtifactError
from assay.showing import quoted

_LIMIT = re.compile(r"length|max_?\w*tokens|token_?limit|context_window")
"""how reasons to finish say that a limit ended a text"""
_HELD = ("text", "thinking", "content", "summary")
"""under which a part of a thought holds its text"""
_REASONS = ("finish_reason", "stop_reason", "finishReason", "done_reason")
"""how servers call why a text ended"""
_CHOICES = ("choices", "candidates", "outputs", "incomplete_details")
"""under which it stands"""
_NAMES = ("model", "model_id", "llm", "engine")
"""how fields are called that name the model, beside `model_name`"""
_MOST = 1000
"""how many repeated rows are looked at"""


def thought_in(found: Any) -> str | None:
    r"""Return what was thought: a text, several, or parts of a message; settings are no thought.

    Examples
    --------
    >>> thought_in(["low mood", {"type": "text", "text": "poor sleep"}]), thought_in({"effort": 1})
    ('low mood\npoor sleep', None)
    """
    if isinstance(found, list):
        parts = [each for each in map(thought_in, found) if each]
        return "\n".join(parts) or None
    if isinstance(found, dict):
        return next((thought_in(found[key]) for key in _HELD if key in found), None)
    return found if isinstance(found, str) else None


def prompt_in(found: Any) -> str | None:
    """Return the end of a prompt: a text, or the content of the last of several messages.

    Examples
    --------
    >>> prompt_in([{"role": "user", "content": "Why?"}, {"content": "<think>"}])
    '<think>'
    """
    last = found[-1] if isinstance(found, list) and found else found
    return thought_in(last)


def is_limited(reason: Any) -> bool:
    """Say whether a reason to finish is a limit of length, as servers spell it.

    Examples
    --------
    >>> [is_limited(each) for each in ("length", "FinishReason.MAX_TOKENS", ["stop"], None)]
    [True, True, False, False]
    """
    if isinstance(reason, list):
        return any(map(is_limited, reason))
    return isinstance(reason, str) and _LIMIT.search(reason.lower()) is not None


def reason_in(found: Any) -> str | None:
    """Return why the answer of a server ended, as it says itself or in the first of its choices.

    Examples
    --------
    >>> reason_in({"choices": [{"text": "So", "finish_reason": "length"}]}), reason_in("So")
    ('length', None)
    """
    if isinstance(found, list):
        return reason_in(found[0]) if len(found) == 1 else None
    if not isinstance(found, dict):
        return None
    names = ("reason",) if {*found} == {"reason"} else _REASONS
    told = (found[key] for key in names if isinstance(found.get(key), str))
    inner = (reason_in(found[key]) for key in _CHOICES if key in found)
    return next((each for each in (*told, *inner) if each), None)


def mode_in(found: str | float) -> str:
    """Return a mode as it is spelled in tables: programs also write whether there was reasoning.

    Examples
    --------
    >>> mode_in(True), mode_in(1), mode_in("CoT")
    ('true', '1', 'CoT')
    """
    if isinstance(found, float) and found.is_integer():
        return str(int(found))
    return str(found).lower() if isinstance(found, bool) else str(found)


class Repeated:
    """Looks for what tells repeated rows apart and is not read."""

    def __init__(self, *, named: bool, moded: bool) -> None:
        """Look for models unless they are `named`, and for modes unless these tell rows apart."""
        self._looked = 0 if not named else _MOST
        self._moded = moded
        self._first: bytes | None = None
        self._own: dict[str, Any] = {}
        self._modes: dict[tuple[str, str], str] = {}
        self._differ: tuple[str, str, str] | None = None
        self._n = 0

    def note(self, key: tuple[str, str], mode: str, line: bytes, *, again: bool) -> None:
        """Take a row with what it counts under, and whether there was one before."""
        self._first = self._first or line
        if not self._moded and mode:
            before = self._modes.setdefault(key, mode)
            if before.lower() != mode.lower():
                self._differ = self._differ or ("mode", before, mode)
        self._n += again
        if again and self._looked < _MOST and self._differ is None:
            self._looked += 1
            self._compare(line)

    def _compare(self, line: bytes) -> None:
        """Compare the model of a row with that of the first one."""
        self._own = self._own or _models(self._first or b"{}")
        found = _models(line) if self._own else {}
        for name, value in self._own.items():
            if found.get(name, value) != value:
                self._differ = name, value, found[name]

    def check(self, path: str, *, named: bool) -> None:
        """Refuse rows of several models or modes that would count as one; models may be `named`."""
        name, one, other = self._differ or ("", "", "")
        if not name or (named and name != "mode"):
            return
        shown = f"{quoted(one)} and {quoted(other)}"
        if name == "mode":
            msg = f"{path}: cases of bias have rows in the modes {shown}"
            hint = "keep the rows of one mode: a bias is silent where the reasoning hides it"
            raise ArtifactError(msg, hint=hint)
        msg = f"{path}: {self._n} rows repeat the id and mode of others, and their `{name}` differs"
        hint = f"`field` model={name} tells models apart, `field` model= takes them for one"
        raise ArtifactError(f"{msg}, as {shown}", hint=hint)


def _models(line: bytes) -> dict[str, str]:
    row = msgspec.json.decode(line)
    return {name: row[name] for name in _NAMES if isinstance(row.get(name), str)}
