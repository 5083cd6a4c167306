"""What a page shows, as finished strings: the template lays it out and adds nothing."""

from __future__ import annotations

from dataclasses import dataclass

from assay.display.blocks import Facts, Grid
from assay.display.cases import CaseTable
from assay.display.explorer import Explorer
from assay.display.figures.figure import Figure
from assay.display.first import First
from assay.display.statement import Statement
from assay.display.words import Operating, Source, Strip

__all__ = ["Chapter", "Opening", "Page", "Picture", "Reproduce"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure, drawn twice: for a wide screen and for a narrow one."""

    id: str
    figure: Figure
    wide: str
    narrow: str
    series: tuple[tuple[int, str], ...]
    """what can be faded: the number of a colour, and its name"""
    fault: str
    """why there is no drawing; empty where there is one"""
    tall: bool = False
    """it does not fit on half a sheet of paper"""


@dataclass(frozen=True, slots=True)
class Reproduce:
    """What it takes to get the same numbers."""

    command: str
    """empty where a program asked, or where it is not a plain call of this program"""
    facts: Facts
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """The first screen of an artifact."""

    family: str
    title: str
    first: First | None
    statements: tuple[Statement, ...]
    """in place of the first screen, where there is none"""
    warnings: tuple[str, ...]
    near: tuple[str, ...]
    """warnings that touch what the first screen shows; the others stand with the method"""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One artifact."""

    id: str
    """what the names of its parts begin with; empty where it is the only one"""
    opening: Opening
    strips: tuple[Strip, ...]
    about: Facts
    """who and what the numbers are about, in words"""
    population: tuple[Grid, ...]
    figures: tuple[Picture, ...]
    left_out: tuple[int, int]
    """figures and tables that there is no room for"""
    operating: Operating | None
    tables: tuple[Grid, ...]
    """the first to read"""
    findings: tuple[Facts, ...]
    """statements under a title"""
    more: tuple[Grid, ...]
    key: Facts
    """how to read the tables"""
    explorer: Explorer | None
    cases: tuple[CaseTable, ...]
    """further lists of cases"""
    conventions: Facts
    every_convention: Facts
    reproduce: Reproduce
    artifact: str
    """the file itself, compressed, as text; empty where it is too large"""
    file_name: str


@dataclass(frozen=True, slots=True)
class Page:
    """All artifacts of a page."""

    title: str
    chapters: tuple[Chapter, ...]
