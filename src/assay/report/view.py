"""The view model: what a page or a console shows, as finished strings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Block", "Cell", "Detail", "Facts", "Grid", "Row", "Sketch", "Summary"]

Detail = Literal["short", "full"]
"""how much of an artifact a summary tells"""


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


@dataclass(frozen=True, slots=True)
class Sketch:
    """Curves as one line of small bars each, where there is no room for a figure."""

    title: str
    lines: tuple[tuple[str, str, str], ...]
    """name, bars, and what they mean in numbers"""


Block = Facts | Grid | Sketch


@dataclass(frozen=True, slots=True)
class Summary:
    """What to show, in order."""

    title: str
    blocks: tuple[Block, ...]
