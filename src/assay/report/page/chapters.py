"""An artifact as a chapter of the page: everything that there is to show, laid out by role.

All of it is finished strings: the template lays them out and adds nothing.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.artifact import runnable
from assay.display.blocks import Cell, Facts, Grid, Line, Role, Section, Summary
from assay.display.cases import CaseTable, within
from assay.display.explorer import Explorer, explorer
from assay.display.figures.figure import Figure
from assay.display.first import First
from assay.display.words import Operating, Source, Statement, Strip, Words, plain
from assay.registry import METRICS
from assay.report.figures.plotting import plotted, series
from assay.report.layout import Marks, shown
from assay.report.presenters import summary, words_of

LARGE = 100_000
"""characters; a drawing that takes more is in the page once"""
SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
TALL = 2.0
"""times its width: a figure in half the width of a sheet is then longer than two thirds of it"""
OPEN = 3
"""so many tables are open from the start"""
NAME = re.compile(r"\w+")
LONG = 24
"""rows; a longer table is closed from the start"""
LARGEST = 800_000
"""bytes of a compressed artifact that a page takes along"""
MOST_DRAWN, MOST_CELLS = 700_000, 5_000
"""characters of all drawings, and cells of tables below the first: a page of many stays small"""


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


def picture(figure: Figure, prefix: str) -> Picture:
    """Prepare a figure for the page; in the place of one that cannot be drawn a note says so."""
    wide = narrow = fault = ""
    try:
        wide, narrow = (plotted(figure, wide=size) for size in (True, False))
        if len(wide) > LARGE:
            # Many systems: one drawing serves all screens, so that a page stays small.
            wide, narrow = "", narrow.replace('class="fig narrow"', 'class="fig"', 1)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        fault = f"This figure could not be drawn ({type(error).__name__}): its table is below."
    shown = () if fault else tuple(series(figure))
    size = SIZE.search(wide or narrow)
    tall = size is not None and float(size[2]) > TALL * float(size[1])
    return Picture(f"{prefix}fig-{figure.name}", figure, wide, narrow, shown, fault, tall)


def chapter(artifact: Any, figures: Sequence[Figure], prefix: str, data: bytes) -> Chapter:
    """Lay an artifact out; the data is the file that a reader may take away."""
    words, told = words_of(artifact), summary(artifact)
    sections = shown(told)
    counts = [each.block for each in sections if each.role == "population"]
    others = [each for each in sections if each.role != "population"]
    # Tables of the console come before those that only the longest view has.
    tables = [*_grids(others, "short"), *_grids(others, "full")]
    population = [block for block in counts if isinstance(block, Grid)]
    marks = Marks([*population, *tables])
    first = [each for each in tables[:OPEN] if len(each.rows) <= LONG]
    pictures = tuple(_pictures(figures, prefix))
    more = [*_within([each for each in tables if each not in first])]
    return Chapter(
        id=prefix,
        opening=_opening(words, artifact, told, sections),
        strips=tuple(words.strips(artifact)),
        about=Facts(_lines(sections, "population")),
        population=tuple(_marked(each, marks) for each in population),
        figures=pictures,
        left_out=(len(figures) - len(pictures), len(tables) - len(first) - len(more)),
        operating=words.operating(artifact),
        tables=tuple(_marked(each, marks) for each in first),
        findings=tuple(_findings(sections)),
        more=tuple(_marked(each, marks) for each in more),
        key=Facts((*_lines(sections, "key"), *marks.lines)),
        explorer=explorer(artifact, words.look, prefix),
        cases=tuple(within([*words.cases(artifact)])),
        conventions=Facts(_lines(sections, "conventions")),
        every_convention=Facts(tuple(_conventions(words, artifact))),
        reproduce=_reproduce(words, artifact),
        artifact=_packed(data),
        file_name=f"{getattr(artifact, 'kind', 'calibrator')}.json",
    )


def _pictures(figures: Sequence[Figure], prefix: str) -> Iterator[Picture]:
    """Draw figures while there is room for them, the main ones first, in their order."""
    room, drawn = MOST_DRAWN, {}
    for place, each in sorted(enumerate(figures), key=lambda one: not one[1].main):
        if room > 0:
            drawn[place] = picture(each, prefix)
            room -= len(drawn[place].wide) + len(drawn[place].narrow)
    yield from (drawn[place] for place in sorted(drawn))


def _within(tables: Sequence[Grid]) -> Iterator[Grid]:
    """Yield tables while there is room for them."""
    room = MOST_CELLS
    for each in tables:
        if room > 0:
            yield each
        room -= sum(len(row.cells) for row in each.rows)


def _packed(data: bytes) -> str:
    """Compress a file so that it fits into a page, the same bytes each time."""
    packed = gzip.compress(data, compresslevel=6, mtime=0)
    return "" if len(packed) > LARGEST else base64.b64encode(packed).decode()


def opening(artifact: Any) -> Opening:
    """Lay out what stands on the first screen."""
    told = summary(artifact)
    return _opening(words_of(artifact), artifact, told, shown(told))


def _opening(words: Words, artifact: Any, told: Summary, sections: Sequence[Section]) -> Opening:
    first = words.first(artifact) if words.first else None
    warnings = tuple(text for _, text in _lines(sections, "warnings"))
    return Opening(
        family=told.family,
        title=", ".join(told.names),
        first=first,
        statements=tuple(words.headline(artifact)),
        warnings=warnings,
        near=warnings if first is None else tuple(_near(first, warnings)),
    )


def _near(first: First, warnings: Sequence[str]) -> Iterator[str]:
    """Yield warnings that touch numbers of the first screen and that it does not say itself."""
    board, table = first.board, first.table
    measures = [each.measure for each in table.columns] if table else []
    if board is not None:
        measures = [board.measure, *board.more]
    shown_here = {each.label.partition("@")[0] for each in measures}
    for text in warnings:
        if any(words in text for words in first.told):
            continue
        named = {each for each in NAME.findall(text) if each in METRICS}
        if not named or named & shown_here:
            yield text


def _grids(sections: Sequence[Section], detail: str) -> list[Grid]:
    blocks = [each.block for each in sections if each.detail == detail]
    return [block for block in blocks if isinstance(block, Grid)]


def _findings(sections: Sequence[Section]) -> Iterator[Facts]:
    for each in sections:
        if each.role == "findings" and isinstance(each.block, Facts):
            yield each.block


def _lines(sections: Sequence[Section], role: Role) -> tuple[Line, ...]:
    """Return the statements of a role."""
    own = [each.block for each in sections if each.role == role]
    return tuple(line for block in own if isinstance(block, Facts) for line in block.lines)


def _marked(grid: Grid, marks: Marks) -> Grid:
    rows = (
        replace(row, cells=tuple(_cell(each, marks) for each in row.cells)) for row in grid.rows
    )
    return replace(grid, rows=tuple(rows))


def _cell(cell: Cell, marks: Marks) -> Cell:
    """Put a mark where a view without columns has it: right behind what it is about."""
    mark = marks.of(cell)
    if cell.beside:
        return replace(cell, beside=f"{cell.beside}{mark}", notes=())
    return replace(cell, text=f"{cell.text}{mark}", notes=())


def _conventions(words: Words, artifact: Any) -> Iterator[Line]:
    for name, value in words.conventions(artifact).items():
        yield name, plain(value)


def _reproduce(words: Words, artifact: Any) -> Reproduce:
    """Say how to get the same numbers: command, seed, files by their hashes, versions."""
    tool = artifact.tool
    made = [
        ("made", artifact.created_at),
        ("by", f"{tool.name} {tool.version}, {tool.kernels} kernels"),
        ("schema", f"version {artifact.schema_version}"),
    ]
    return Reproduce(
        command=runnable(artifact.command),
        facts=Facts((*made, *words.resampling(artifact))),
        sources=tuple(words.sources(artifact)),
    )
