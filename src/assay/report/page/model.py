"""What a page shows, as finished strings: the template lays it out and adds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.report.headlines import Statement
from assay.report.view import Facts, Grid

__all__ = [
    "CaseCell",
    "CaseTable",
    "Choice",
    "Operating",
    "Page",
    "Part",
    "Picture",
    "Point",
    "Reproduce",
    "Section",
    "Source",
    "Strip",
]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure: a specification to draw from, and a still that shows where nothing draws."""

    id: str
    title: str
    caption: str
    alt: str
    spec: dict[str, Any]
    still: str
    """the address of an image, its data in it"""
    fault: str
    """why there is no image; empty where there is one"""
    main: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a strip."""

    label: str
    count: str
    start: int
    length: int
    """in counts, from the left end of the strip"""
    tone: str


@dataclass(frozen=True, slots=True)
class Strip:
    """Counts that add up to a whole, side by side."""

    label: str
    whole: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One threshold and what it leads to."""

    threshold: str
    command: str
    """what reports this operating point"""
    coverage: str
    risk: str
    generalized: str
    accepted: str
    handed: str
    """how many items a person decides"""
    at: dict[str, Any]
    """coverage and risk as numbers, for the figure"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A curve to choose an operating point on."""

    label: str
    points: tuple[Point, ...]
    first: int
    """the point to begin with"""


@dataclass(frozen=True, slots=True)
class Operating:
    """The operating points of a section."""

    id: str
    choices: tuple[Choice, ...]
    level: str
    unit: str
    note: str


@dataclass(frozen=True, slots=True)
class CaseCell:
    """A cell and what it is sorted by: a number, or its text where that is None."""

    text: str
    order: float | None = None
    tone: str = ""


@dataclass(frozen=True, slots=True)
class CaseTable:
    """Cases in rows, with their text."""

    id: str
    title: str
    note: str
    """how many there are and how many are left out"""
    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[CaseCell, ...], ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read."""

    label: str
    path: str
    details: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Reproduce:
    """What it takes to get the same numbers."""

    command: str
    """empty where a program asked, or where it is not a plain call of this program"""
    facts: Facts
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One artifact."""

    id: str
    family: str
    title: str
    statements: tuple[Statement, ...]
    warnings: tuple[str, ...]
    strips: tuple[Strip, ...]
    population: Grid | None
    figures: tuple[Picture, ...]
    operating: Operating | None
    tables: tuple[Grid, ...]
    """the first to read"""
    findings: tuple[Facts, ...]
    """statements under a title"""
    more: tuple[Grid, ...]
    key: Facts
    """how to read the tables"""
    cases: tuple[CaseTable, ...]
    conventions: Facts
    every_convention: Facts
    reproduce: Reproduce


@dataclass(frozen=True, slots=True)
class Page:
    """All artifacts of a page."""

    title: str
    sections: tuple[Section, ...]
