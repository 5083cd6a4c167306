"""What a view shows of a summary, for tests to look at."""

from __future__ import annotations

import io

from rich.console import Console

from assay.display.blocks import Block, Detail, Facts, Grid, Line, Section, Summary
from assay.report.console import render
from assay.report.layout import blocks, shown


def blocks_of(summary: Summary, detail: Detail = "short") -> list[Block]:
    """Return the blocks of a view, with its notes."""
    return blocks(shown(summary, detail))[0]


def grids(summary: Summary, detail: Detail = "short") -> dict[str, Grid]:
    """Return the tables of a view by title."""
    found = [each for each in blocks_of(summary, detail) if isinstance(each, Grid)]
    return {each.title: each for each in found}


def facts(summary: Summary, detail: Detail = "short") -> list[Line]:
    """Return all statements of a view."""
    found = [each for each in blocks_of(summary, detail) if isinstance(each, Facts)]
    return [line for each in found for line in each.lines]


def printed(summary: Summary, width: int = 100, detail: Detail = "short") -> str:
    """Print a summary."""
    stream = io.StringIO()
    render(summary, Console(file=stream, width=width, highlight=False), detail)
    return stream.getvalue()


def of(*found: Block, title: str = "") -> Summary:
    """Make a summary of some blocks."""
    return Summary(title, sections=tuple(Section("numbers", each) for each in found))
