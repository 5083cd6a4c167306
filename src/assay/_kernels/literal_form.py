"""Where literals stand in a text, in Python: what the compiled module has to reproduce."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Indices

__all__ = [
    "Literals",
    "Place",
    "distinct_words",
    "holds_literal",
    "initials",
    "literal_places",
    "lone_letters",
    "single_spaced",
]

Place = tuple[int, int, int, int]
"""where a literal begins and ends, which it is, and how it stands: 1 where a letter or digit goes
on with it on a side that is one, 0 where none does, -1 where that is a question beyond ASCII"""
_ASCII, _HALF = 128, 64
_LONE = re.compile(r"(?<![0-9A-Za-z])[A-Za-z](?![0-9A-Za-z])")
_SPACES_IN_A_ROW = re.compile("  +")
_LINKS, _SHORT_WORD = frozenset({"of", "and", "the"}), 3
_LETTERS_ONLY = bytes(each if chr(each).isalnum() else ord(" ") for each in range(_ASCII)).ljust(
    256
)


@dataclass(slots=True, eq=False)
class Literals:
    """Texts to be looked for together, no two of them the same and none of them empty."""

    texts: Sequence[str]
    edges: Sequence[tuple[bool, bool]]
    """whether a letter or digit beside its beginning and its end goes on with it"""
    _tree: tuple[Indices, Indices, bytes] | None = field(init=False, default=None, repr=False)

    @property
    def tree(self) -> tuple[Indices, Indices, bytes]:
        """Sign by sign, what the compiled form walks along; where it begins, with which pairs."""
        if self._tree is None:
            self._tree = self._grown()
        return self._tree

    def _grown(self) -> tuple[Indices, Indices, bytes]:
        rows: list[list[int]] = []
        first, known = [-1] * (_ASCII + 1), dict[tuple[int, int], int]()
        pairs = bytearray(_ASCII * _HALF)
        for text in self.texts:
            begin = ord(text[0]) % _ASCII * _HALF
            for then in [ord(text[1]) % _HALF] if len(text) > 1 else range(_HALF):
                pairs[begin + then] = 1
        for number, (text, edges) in enumerate(zip(self.texts, self.edges, strict=True)):
            above = -1
            for sign in map(ord, text):
                below = known.get((above, sign))
                if below is None:
                    below = known[above, sign] = len(rows)
                    holder, at = (first, min(sign, _ASCII)) if above < 0 else (rows[above], 1)
                    rows.append([sign, -1, holder[at], -1, 0])
                    holder[at] = below
                above = below
            rows[above][3:] = number, edges[0] + 2 * edges[1]
        return np.array(rows, np.int64).reshape(-1, 5), np.array(first, np.int64), bytes(pairs)


def literal_places(text: str, literals: Literals) -> list[Place]:
    """List where literals stand in a text, in order; one may lie within another."""
    found = []
    for number, (literal, edges) in enumerate(zip(literals.texts, literals.edges, strict=True)):
        at = text.find(literal)
        while at >= 0:
            end = at + len(literal)
            beside = (
                text[at - 1 : at] if edges[0] else "",
                text[end : end + 1] if edges[1] else "",
            )
            found.append((at, end, number, _stands(*beside)))
            at = text.find(literal, at + 1)
    return sorted(found)


def holds_literal(text: str, literals: Literals) -> bool:
    """Say whether any literal stands in a text."""
    return any(each in text for each in literals.texts)


def lone_letters(text: str) -> list[int]:
    """List where letters of ASCII stand in a text that touch no other, and no digit.

    Examples
    --------
    >>> lone_letters("(a) or B, not A1")
    [1, 7]
    """
    return [each.start() for each in _LONE.finditer(text)]


def _stands(before: str, after: str) -> int:
    if any(each.isascii() and each.isalnum() for each in (before, after)):
        return 1
    return 0 if (before + after).isascii() else -1


def initials(text: str) -> str:
    """Return the first letters of words of four signs and more, a dot for others but for links.

    The text is ASCII in small letters.
    """
    words = text.encode().translate(_LETTERS_ONLY).decode().split()
    short = ("" if word in _LINKS else "." for word in words)
    return "".join(
        word[0] if len(word) > _SHORT_WORD else other
        for word, other in zip(words, short, strict=True)
    )


def distinct_words(text: str) -> frozenset[str]:
    """Return the words of a text, which are letters and digits; it is ASCII in small letters.

    Examples
    --------
    >>> sorted(distinct_words("low mood, low energy"))
    ['energy', 'low', 'mood']
    """
    return frozenset(text.encode().translate(_LETTERS_ONLY).decode().split())


def single_spaced(text: str) -> tuple[str, list[int], list[int]]:
    """Return a text with single spaces, where it leaves some out, and how many up to there.

    Examples
    --------
    >>> single_spaced("low   mood")
    ('low mood', [3], [0, 2])
    """
    gaps = [each.span() for each in _SPACES_IN_A_ROW.finditer(text)]
    if not gaps:
        return text, [], [0]
    # Of every gap the first space stays.
    starts = [0, *(end for _, end in gaps)]
    ends = [*(start + 1 for start, _ in gaps), len(text)]
    places, skipped = [], [0]
    for start, end in gaps:
        places.append(start - skipped[-1])
        skipped.append(skipped[-1] + end - start - 1)
    return "".join(map(text.__getitem__, map(slice, starts, ends))), places, skipped
