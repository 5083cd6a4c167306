"""Patterns that are compiled when they are first used: of the hundreds there are a run needs few.

What reads texts says `from assay.derive import patterns as re` and goes on as with `re` itself.
"""

from __future__ import annotations

import re
from re import (
    ASCII,
    DOTALL,
    IGNORECASE,
    Match,
    Pattern,
    escape,
    findall,
    finditer,
    search,
    split,
    sub,
)
from typing import TYPE_CHECKING, cast

from assay import _kernels as kernels
from assay._kernels.literal_form import Literals

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "ASCII",
    "DOTALL",
    "IGNORECASE",
    "Match",
    "OneOf",
    "Pattern",
    "compile",
    "escape",
    "findall",
    "finditer",
    "search",
    "split",
    "sub",
]

_METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub")


class _Late:
    """Stands for a pattern, and has its methods as its own from the first use of one."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._how = flags

    def __reduce__(self) -> tuple[type[_Late], tuple[str, int]]:
        return _Late, (self.pattern, self._how)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copies or shows an object asks for much
            raise AttributeError(name)
        made = re.compile(self.pattern, self._how)
        self.__dict__.update((each, getattr(made, each)) for each in _METHODS)
        return getattr(made, name)


def compile(source: str, flags: int = 0) -> Pattern[str]:  # noqa: A001 - read as `re.compile`
    """Return what is used as a compiled pattern, and compiled when that is done.

    Examples
    --------
    >>> compile("low|poor").search("a low mood").group()
    'low'
    """
    return cast("Pattern[str]", _Late(source, flags))


class OneOf:
    """Literals between bars: a quick look for one of them, where a pattern of them is slow.

    Examples
    --------
    >>> OneOf("low|poor").within("a poor mood"), OneOf("low|poor").within("low mood", 4)
    (True, False)
    """

    def __init__(self, literals: str) -> None:
        """Sort them by how they begin."""
        texts = literals.split("|")
        self._literals = Literals(texts, [(False, False)] * len(texts))

    def within(self, text: str, start: int = 0) -> bool:
        """Say whether a text holds one of them, from a place on."""
        return bool(kernels.holds_literal(text[start:], self._literals))
