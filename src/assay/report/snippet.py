"""An artifact as a piece of a notebook: the tables that are read first and the main figure.

No script, no style sheet, nothing from elsewhere; every text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from assay.display.blocks import Facts, Grid
from assay.errors import UsageError
from assay.report.figures import figures
from assay.report.layout import blocks, shown
from assay.report.page.bounds import bounded
from assay.report.page.pictures import picture
from assay.report.presenters import summary
from assay.showing import inert, shortened

__all__ = ["snippet"]

ROLES = {"warnings", "main"}
MOST_ROWS = 30
LONGEST = 200
TABLE = 'style="border-collapse:collapse;margin:0.5em 0"'
CELL = 'style="text-align:left;padding:2px 12px 2px 0"'


def snippet(artifact: Any) -> str:
    """Show an artifact as HTML."""
    cut = bounded(artifact)
    told = summary(cut)
    sections = [each for each in shown(told, "short") if each.role in ROLES]
    found, marks = blocks(sections)
    parts = [f"<p><strong>{_text(told.title)}</strong></p>"]
    for block in found:
        match block:
            case Grid():
                parts += _table(block, marks)
            case Facts():
                parts += [f"<p>{_text(word)} {_text(text)}</p>" for word, text in block.lines]
    return f"<div>{''.join([*parts, *_figure(cut)])}</div>"


def _table(grid: Grid, marks: Any) -> Iterator[str]:
    yield f"<table {TABLE}><caption {CELL}>{_text(grid.caption)}</caption><tr>"
    yield from (f"<th {CELL}>{_text(each)}</th>" for each in (grid.corner, *grid.heads))
    yield "</tr>"
    for row in grid.rows[:MOST_ROWS]:
        yield f"<tr><th {CELL}>{_text(f'{row.label} {row.arrow}'.strip())}</th>"
        for cell in row.cells:
            yield f"<td {CELL}>{_text(f'{cell.text} {cell.beside}{marks.of(cell)}'.strip())}</td>"
        yield "</tr>"
    yield "</table>"
    if len(grid.rows) > MOST_ROWS:
        yield f"<p>{len(grid.rows) - MOST_ROWS} more rows</p>"


def _figure(artifact: Any) -> Iterator[str]:
    """Yield the main figure as an image, where the packages that draw are installed."""
    try:
        first = next(iter(figures(artifact)), None)
    except UsageError:
        return
    drawn = None if first is None else picture(first, "figure")
    if first is not None and drawn is not None and drawn.still:
        yield f'<img src="{drawn.still}" alt="{_text(first.alt)}"/><p>{_text(first.caption)}</p>'


def _text(text: str) -> str:
    """Write text so that a page shows it as it is."""
    return escape(shortened(inert(" ".join(text.split())), LONGEST), quote=True)
