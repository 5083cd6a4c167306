"""Cases in rows with their text, capped: how many are left out is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.display.blocks import Tone
from assay.display.numbers import DASH
from assay.display.wording import count, fixed
from assay.showing import counted

MOST_ROWS = 200
LEAST_ROWS, MOST_IN_ALL = 20, 1_200
"""rows of one of many tables, and of all of them together"""
LONGEST = 400
"""characters of a cell"""


@dataclass(frozen=True, slots=True)
class CaseCell:
    """A cell and what it is sorted by: a number, or its text where that is None."""

    text: str
    order: float | None = None
    tone: Tone | None = None


@dataclass(frozen=True, slots=True)
class CaseTable:
    """Cases in rows, with their text."""

    title: str
    total: int
    """how many rows there are, with those that are left out"""
    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[CaseCell, ...], ...]

    @property
    def note(self) -> str:
        """How many rows there are and how many are left out."""
        every, left_out = counted(self.total, "row"), self.total - len(self.rows)
        if left_out <= 0:
            return every
        return f"{count(len(self.rows))} of {every}, {count(left_out)} left out"


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and how a row fills it."""

    heading: str
    cell: Callable[[Any], CaseCell]
    numeric: bool = False


def column(heading: str, name: str, *, tone: Tone | None = None) -> Column:
    """Show a field of a row as text."""
    return Column(heading, lambda row: text(getattr(row, name), tone))


def number(heading: str, name: str, places: int = 0) -> Column:
    """Show a field of a row as a number that can be sorted by."""

    def cell(row: Any) -> CaseCell:
        value = getattr(row, name)
        if value is None:
            return CaseCell(DASH)
        return CaseCell(fixed(value, places) if places else count(value), order=value)

    return Column(heading, cell, numeric=True)


def said(heading: str, name: str) -> Column:
    """Show a flag of a row as yes or no."""

    def cell(row: Any) -> CaseCell:
        value = getattr(row, name)
        if value is None:
            return CaseCell(DASH)
        return CaseCell("yes", 1, "good") if value else CaseCell("no", 0, "bad")

    return Column(heading, cell)


def text(value: object, tone: Tone | None = None) -> CaseCell:
    """Show a text on one line, not too long."""
    if value is None:
        return CaseCell(DASH)
    # A text may be a megabyte: white space is looked at in its first part only.
    line = " ".join(str(value)[: 4 * LONGEST].split())
    cut = len(line) > LONGEST or len(str(value)) > 4 * LONGEST
    return CaseCell(f"{line[: LONGEST - 1]}…" if cut else line, tone=tone)


def listed(title: str, rows: Sequence[Any], total: int, columns: Sequence[Column]) -> CaseTable:
    """List the first of some cases."""
    return CaseTable(
        title=title,
        total=max(total, len(rows)),
        headings=tuple(each.heading for each in columns),
        numeric=tuple(each.numeric for each in columns),
        rows=tuple(tuple(each.cell(row) for each in columns) for row in rows[:MOST_ROWS]),
    )


def within(tables: Sequence[CaseTable]) -> Iterator[CaseTable]:
    """Cut the tables of many systems to what a page has room for, all to the same length."""
    most = max(LEAST_ROWS, MOST_IN_ALL // max(1, len(tables)))
    yield from (replace(each, rows=each.rows[:most]) for each in tables)
