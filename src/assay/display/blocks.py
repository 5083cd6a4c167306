"""Blocks that say what they are: words and tables with a role, laid out by whoever shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Literal, Self

NAME = re.compile(r"[a-z]\w*")
Detail = Literal["short", "full"]
"""`short` is always shown, `full` only where everything is"""
Tone = Literal["good", "bad", "open", "plain"]
"""what the evidence says: for, against, cannot tell, or a fact without a side"""
Role = Literal[
    "inputs",  # files that were read
    "population",  # who and what the numbers are about
    "conventions",  # how texts, ties and intervals were taken
    "tool",  # what computed the numbers
    "warnings",
    "curve",  # a curve or a diagram in numbers
    "main",  # the numbers that are read first
    "numbers",  # all numbers
    "tests",  # p-values that are numbers themselves
    "sensitivity",  # the same number under other conventions
    "strata",  # parts that the family itself tells apart: sizes, classes, fields
    "groups",  # parts that the user tells apart
    "ranking",
    "differences",  # paired, right minus left
    "findings",  # what to look into
    "cases",
    "key",  # how to read the tables
    "more",  # what else can be asked for on a terminal
]
"""what a section is: views lay sections out by it"""
Line = tuple[str, str]
"""a word and a statement"""


class Naming(str):
    """A statement about numbers, of which a view names those that it shows."""

    __slots__ = ("names", "said")

    said: str
    names: tuple[str, ...]

    def __new__(cls, said: str, names: Iterable[str]) -> Self:
        """Name all numbers."""
        every = tuple(names)
        made = super().__new__(cls, f"{said}: {', '.join(every)}" if every else said)
        made.said, made.names = said, every
        return made

    def among(self, text: str) -> Naming:
        """Name only numbers whose names stand in a text."""
        words = frozenset(NAME.findall(text))
        return Naming(self.said, [name for name in self.names if name in words])


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, what stands beside it, and what has to be said about it."""

    text: str
    beside: str = ""
    """the interval of a number, the share of a count"""
    notes: tuple[str, ...] = ()
    """reasons: why there is no value or no interval; a view puts marks in their place"""
    tone: Tone | None = None
    """of a word that says what a number means"""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled line of a grid; one without cells heads the indented lines after it."""

    label: str
    cells: tuple[Cell, ...] = ()
    arrow: str = ""
    """in which direction the numbers improve"""
    indented: bool = False
    detail: Detail = "short"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with labelled rows; a heading may have several lines."""

    title: str
    corner: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    arrow: str = ""
    """in which direction all of its numbers improve"""
    arrows: tuple[str, ...] = ()
    """the same by column"""

    @property
    def caption(self) -> str:
        """Return the title with the direction."""
        return f"{self.title} {self.arrow}".strip()

    @property
    def heads(self) -> tuple[str, ...]:
        """Return the headings with their directions."""
        pairs = zip_longest(self.headings, self.arrows, fillvalue="")
        return tuple(f"{heading} {arrow}".strip() for heading, arrow in pairs)


@dataclass(frozen=True, slots=True)
class Facts:
    """Short statements, each beside a word."""

    lines: tuple[Line, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Curves as one line of small bars each, where there is no room for a figure."""

    title: str
    lines: tuple[tuple[str, str, str], ...]
    """name, bars, and what they mean in numbers"""


Block = Facts | Grid | Sketch


@dataclass(frozen=True, slots=True)
class Section:
    """A block, what it is, and what it is about."""

    role: Role
    block: Block
    system: str = ""
    variant: str = ""
    pair: tuple[str, str] | None = None
    """left and right"""
    detail: Detail = "short"


@dataclass(frozen=True, slots=True)
class Summary:
    """What there is to show of one artifact, in order."""

    family: str
    names: tuple[str, ...] = ()
    """of the systems"""
    sections: tuple[Section, ...] = field(default=())

    @property
    def title(self) -> str:
        """Return the first line."""
        return f"{self.family}: {', '.join(self.names)}" if self.names else self.family


def facts(role: Role, lines: Iterable[Line], title: str = "", system: str = "") -> Section:
    """Put statements in a section."""
    return Section(role, Facts(tuple(lines), title), system=system)
