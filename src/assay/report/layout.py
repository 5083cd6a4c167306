"""What a view shows of a summary: which sections, in which order, with which notes.

Notes are numbered here, over what is shown and nothing else, so that every mark has its note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from assay.display.blocks import (
    Block,
    Cell,
    Detail,
    Facts,
    Grid,
    Line,
    Naming,
    Section,
    Summary,
)
from assay.display.wording import superscript


class Marks:
    """Reasons by number, each told once, in the order in which the grids of a view have them."""

    def __init__(self, blocks: Iterable[Block], write: Callable[[int], str] = superscript) -> None:
        grids = [block for block in blocks if isinstance(block, Grid)]
        cells = [cell for grid in grids for row in grid.rows for cell in row.cells]
        reasons = dict.fromkeys(reason for cell in cells for reason in cell.notes)
        self._marks = {reason: write(number) for number, reason in enumerate(reasons, start=1)}

    def of(self, cell: Cell) -> str:
        """Return the mark of a cell, or nothing."""
        return ",".join(self._marks[reason] for reason in cell.notes)

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return every mark with its reason."""
        return tuple((mark, reason) for reason, mark in self._marks.items())


def shown(summary: Summary, detail: Detail = "full") -> list[Section]:
    """Return the sections that a view shows, without empty ones."""
    sections = [_rows(each, detail) for each in summary.sections if _wanted(each, detail)]
    filled = [each for each in sections if _filled(each.block)]
    return [_naming(each, filled) for each in filled] if detail == "short" else filled


def _naming(section: Section, beside: Sequence[Section]) -> Section:
    """Name in statements about numbers only those that are shown."""
    block = section.block
    if not isinstance(block, Facts) or not any(isinstance(said, Naming) for _, said in block.lines):
        return section
    grids = [each.block for each in beside if isinstance(each.block, Grid)]
    text = " ".join(
        word
        for grid in grids
        for word in (grid.title, grid.corner, *grid.headings, *(row.label for row in grid.rows))
    )
    lines = [
        (word, said.among(text) if isinstance(said, Naming) else said) for word, said in block.lines
    ]
    if any(said.names for _, said in lines if isinstance(said, Naming)):
        # What is said of numbers of which none is shown is left out.
        lines = [line for line in lines if not isinstance(line[1], Naming) or line[1].names]
    return replace(section, block=replace(block, lines=tuple(lines)))


def _wanted(section: Section, detail: Detail) -> bool:
    return section.role != "more" if detail == "full" else section.detail == "short"


def _rows(section: Section, detail: Detail) -> Section:
    match section.block:
        case Grid(rows=rows) as grid if detail == "short":
            kept = tuple(row for row in rows if row.detail == "short")
            return replace(section, block=replace(grid, rows=kept))
        case _:
            return section


def _filled(block: Block) -> bool:
    return bool(block.rows if isinstance(block, Grid) else block.lines)


def blocks(
    sections: Sequence[Section], write: Callable[[int], str] = superscript
) -> tuple[list[Block], Marks]:
    """Return blocks in order, facts that follow one another as one list.

    Notes come after everything else but what can be asked for.
    """
    marks = Marks((each.block for each in sections), write)
    notes = Section("key", Facts(marks.lines))
    every = [*(each for each in sections if each.role != "more"), *[notes] * bool(marks.lines)]
    every += [each for each in sections if each.role == "more"]
    found: list[Block] = []
    for plain, own in groupby((each.block for each in every), _untitled):
        parts = [*own]
        joined = [line for each in parts if isinstance(each, Facts) for line in each.lines]
        found += [Facts(tuple(joined))] if plain else parts
    return found, marks


def _untitled(block: Block) -> bool:
    return isinstance(block, Facts) and not block.title
