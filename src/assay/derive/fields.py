"""A member of the set as the value of a field: of JSON, of a dict as Python writes it, of lines.

Of several fields that hold members, the ones that are called an answer, a decision and the like
count. What is cut off after such a value is answered all the same.
"""

# ruff: noqa: E501 - one pattern per line

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from assay.derive.choices import written
from assay.derive.naming import Announcement, Passage

__all__ = ["field_of_lines", "field_of_record"]

_OPENS = re.compile(r"[{\[]\s*(?:[{\[]\s*)?[\"']|```\w*\s*[{\[]")
# A value that is quoted is taken as a whole, so that nothing inside it is taken for a field.
_FIELD = re.compile(
    r"[\"']([\w .-]{1,60})[\"']\s{0,9}:\s{0,40}(?:\"((?:[^\"\\]|\\.){0,4000})\"|'((?:[^'\\]|\\.){0,4000})'(?=\s*[,}\]])"
    r"|([-+.\w]{1,40})(?=\s*[,}\]\n]))"
)
_LINE = re.compile(r"[ \t*_-]*([^\W\d_][\w .-]{0,40})[*_]*:[ \t*_\"']+([^\n]*?)[\s*_\"',]*")
_DECIDES = re.compile(
    r"decision|deci[sd]|answer|label|verdict|choice|chosen|predict|stance|class|categor|conclu|final|diagnos|judg|vote|select|option|letter|sentiment"
    r"|entscheid|antwort|stimme|urteil|diagnose|respuesta|réponse|reponse|resposta|risposta|voto|réponse|veredict|elecci|escolha|scelta|decis|décision|ответ|答案"
)
_BESIDE = re.compile(
    r"confid|certain|probab|likelihood|percent|weight|tokens|konfidenz|sicherheit|gewicht|confian|certeza|poids"
    r"|(?:^|[_ ])(?:id|idx|index|number|count|step|n|no|nr|options?_?\d*|choices)$"
)
"""what is said of an answer, and how things are counted"""
_LED = re.compile(r"[(\[]?([A-Z])[)\].:]{1,2}\s*\S")
_MARKS = " \t\n`*_\"',;{}[]"
_MOST_AFTER, _LEAST_LINES, _BARE = 160, 2, 4
_PLAIN = frozenset({"true", "false", "null", "none"})


class _Field(NamedTuple):
    """A field that holds a member, and how much it weighs: the least counts."""

    rank: int
    start: int
    end: int
    label: str


def field_of_record(passage: Passage) -> Announcement | None:
    """Return the member that a record holds as the value of a field; several are undecided.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> said = '{"first_guess": "flu", "decision": "cold", "certainty": 0.4}'
    >>> field_of_record(Passage(fold(said), choices)).answer
    'cold'
    """
    text = passage.text
    opened = _OPENS.search(text) if "{" in text else None
    end = max(text.rfind("}"), text.rfind("]")) + 1
    if opened is None or (end > opened.start() and len(text[end:].strip(_MARKS)) > _MOST_AFTER):
        return None
    return _counted([*_fields(passage, opened.start())])


def field_of_lines(passage: Passage) -> Announcement | None:
    """Return the one member that is the value of a line, in a text that is lines with values."""
    text = passage.text
    lines = [each for each in text.splitlines(keepends=True) if each.strip(_MARKS)]
    read = [_LINE.fullmatch(each.rstrip("\n")) for each in lines]
    if len(lines) < _LEAST_LINES or not all(read):
        return None
    found, at = [], 0
    for line, each in zip(lines, read, strict=True):
        at = text.index(line, at)
        label = _member(passage, each[2]) if each and each[2] else None
        if each and label and not _BESIDE.search(each[1].lower()):
            found.append(_Field(0, at + each.start(2), at + each.end(2), label))
        at += len(line)
    return _counted(found) if len({each.label for each in found}) == 1 else None


def _fields(passage: Passage, start: int) -> Iterator[_Field]:
    """Yield the fields that hold a member, by what they are called and how they are written."""
    for each in _FIELD.finditer(passage.text, start):
        key, group = each[1].lower(), each.lastindex or 1
        label = _member(passage, each[group])
        bare = group == _BARE and each[group].lower() in _PLAIN
        if label is None or len(key) == 1 or _BESIDE.search(key):
            continue
        decides = _DECIDES.search(key) is not None
        yield _Field(0 if decides else 2 if bare else 1, *each.span(group), label)


def _counted(found: list[_Field]) -> Announcement | None:
    if not found:
        return None
    least = min(each.rank for each in found)
    best = [each for each in found if each.rank == least]
    last = best[-1]
    if len({each.label for each in best}) > 1:
        return Announcement(last.start, last.end, "undecided", None, "field")
    return Announcement(last.start, last.end, "answered", last.label, "field")


def _member(passage: Passage, value: str) -> str | None:
    """Return the member that a value is, by its letter, its text or both."""
    choices, value = passage.choices, value.strip(" *_")
    if not value:
        return None
    led = _LED.match(value)
    label = choices.letters.get(value) or choices.particles.get(value.lower())
    label = label or choices.values.get(written(value))
    return label or (choices.letters.get(led[1]) if led else None)
