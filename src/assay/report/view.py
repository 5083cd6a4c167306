"""The view model: what a page or a console shows, as finished strings."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Block", "Cell", "Facts", "Grid", "Row", "Summary"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A text and what stands beside it: the interval of a number, the mark of a note."""

    text: str
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled line of a grid; one without cells heads the indented lines after it."""

    label: str
    cells: tuple[Cell, ...] = ()
    arrow: str = ""
    """in which direction the numbers improve"""
    indented: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with labelled rows; a heading may have several lines."""

    title: str
    corner: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Short statements, each beside a word."""

    lines: tuple[tuple[str, str], ...]
    title: str = ""


Block = Facts | Grid


@dataclass(frozen=True, slots=True)
class Summary:
    """What to show, in order."""

    title: str
    blocks: tuple[Block, ...]
