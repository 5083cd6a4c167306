"""A summary on a terminal: aligned, as wide as the terminal, plain where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from assay.display.blocks import Block, Cell, Detail, Facts, Grid, Row, Sketch, Summary, Tone
from assay.display.numbers import DASH
from assay.display.wording import BARS, superscript
from assay.report.layout import Marks, blocks, shown
from assay.showing import inert

GAP = 2
LEAST_LABEL = 16
STYLES: dict[Tone, str] = {"good": "bold green", "bad": "bold red", "plain": "bold"}
NUMBER = re.compile(r"[-+<]?[\d,]+(\.\d+)?(e[-+]\d+)?%?")
BESIDE = re.compile(r"[\[(].*$")
LONG_HEADING = 12
ASCII = str.maketrans(f"↓↑{DASH}─⁰¹²³⁴⁵⁶⁷⁸⁹{BARS}·…", "v^--0123456789_.-~=+*# .")


def render(summary: Summary, console: Console, detail: Detail = "short") -> None:
    """Print a summary."""
    plain = not console.encoding.startswith("utf")
    found, marks = blocks(shown(summary, detail), "({})".format if plain else superscript)
    with console.capture() as capture:
        console.print(_text(summary.title, style="bold"))
        for block in found:
            for part in _renderables(block, marks, console.width):
                console.print()
                console.print(part)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    text = "\n".join([*lines, ""])
    console.file.write(_ascii(text, console) if plain else text)


def _text(text: str, style: str = "") -> Text:
    """Take text line by line, without what a terminal would act on."""
    return Text("\n".join(map(inert, text.split("\n"))), style=style)


def _ascii(text: str, console: Console) -> str:
    """Write with the signs that a terminal has; what it lacks is spelled out."""
    return (
        text.translate(ASCII).encode(console.encoding, "backslashreplace").decode(console.encoding)
    )


def _renderables(block: Block, marks: Marks, width: int) -> Iterator[RenderableType]:
    first, *others = _tables(block, marks, width)
    named = block.caption if isinstance(block, Grid) else block.title
    title = [_text(named, style="bold cyan")] if named else []
    yield Group(*title, first)
    yield from others


def _tables(block: Block, marks: Marks, width: int) -> list[Table]:
    match block:
        case Facts():
            return [_facts(block)]
        case Sketch():
            return [_sketch(block, width)]
        case Grid():
            return _grid(block, marks, width)


def _facts(facts: Facts) -> Table:
    table = Table.grid(padding=(0, GAP, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    previous = ""
    for word, statement in facts.lines:
        table.add_row(_text("" if word == previous else word), _text(statement))
        previous = word
    return table


def _sketch(sketch: Sketch, width: int) -> Table:
    """Lay bars out beside their names; what they mean in numbers only where there is room."""
    widths = [max(map(cell_len, column)) for column in zip(*sketch.lines, strict=True)]
    told = sum(widths) + 2 * GAP <= width
    table = Table.grid(padding=(0, GAP, 0, 0))
    table.add_column(width=min(widths[0], max(LEAST_LABEL, width - widths[1] - GAP)))
    table.add_column(style="cyan", no_wrap=True)
    for name, bars, words in sketch.lines:
        table.add_row(_text(name), Text(bars), *([_text(words, style="dim")] if told else []))
    return table


@dataclass(frozen=True, slots=True)
class _Column:
    heading: str
    cells: Sequence[str]
    tones: Sequence[Tone | None]

    @property
    def width(self) -> int:
        return max(cell_len(each) for each in (*self.heading.split("\n"), *self.cells))


def _grid(grid: Grid, marks: Marks, width: int) -> list[Table]:
    """Lay a grid out, in several tables one below the other where it is too wide."""
    labels = _labels(grid.rows)
    columns = [_column(grid, number, marks) for number in range(len(grid.headings))]
    widest = max(column.width for column in columns)
    left = max(map(cell_len, [grid.corner, *labels]), default=0)
    left = min(left, max(LEAST_LABEL, width - widest - GAP))
    parts = _parts(columns, width - left)
    return [_table(part, labels, corner=grid.corner, left=left) for part in parts]


def _table(part: Sequence[_Column], labels: Sequence[str], *, corner: str, left: int) -> Table:
    table = Table(
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, GAP - 1, 0, 0),
    )
    table.add_column(_text(corner), width=left, overflow="fold", vertical="bottom")
    for column in part:
        table.add_column(_text(column.heading), no_wrap=True)
    for number, label in enumerate(labels):
        table.add_row(_text(label), *(_styled(column, number) for column in part))
    return table


def _labels(rows: Sequence[Row]) -> list[str]:
    """Write labels with the arrows one below the other."""
    labels = [f"  {row.label}" if row.indented else row.label for row in rows]
    pointed = [label for label, row in zip(labels, rows, strict=True) if row.arrow]
    longest = max(map(cell_len, pointed), default=0)
    return [
        f"{label}{' ' * (longest - cell_len(label))} {row.arrow}".rstrip()
        for label, row in zip(labels, rows, strict=True)
    ]


def _parts(columns: Sequence[_Column], width: int) -> Iterator[list[_Column]]:
    part: list[_Column] = []
    for column in columns:
        if part and sum(each.width + GAP for each in (*part, column)) > width:
            yield part
            part = []
        part.append(column)
    yield part


def _column(grid: Grid, number: int, marks: Marks) -> _Column:
    """Align numbers at the decimal point, and what stands beside them at its start."""
    cells = [_marked(row.cells[number], marks) if row.cells else Cell("") for row in grid.rows]
    halves = [_halves(cell.text) for cell in cells]
    before, after = (max(map(len, side)) for side in zip(*halves, strict=True))
    texts = [
        f"{whole:>{before}}{rest:<{after}} {cell.beside}".rstrip()
        for (whole, rest), cell in zip(halves, cells, strict=True)
    ]
    heading = _broken(grid.heads[number], max(map(len, texts)))
    return _Column(heading, texts, [cell.tone for cell in cells])


def _marked(cell: Cell, marks: Marks) -> Cell:
    """Put a mark behind a dash, and where intervals stand behind a number."""
    mark = marks.of(cell)
    if cell.text == DASH:
        return Cell(f"{cell.text}{mark}", cell.beside)
    return replace(cell, beside=f"{cell.beside}{mark}")


def _broken(heading: str, width: int) -> str:
    """Break the last line of a heading where it is much wider than the column."""
    *above, last = heading.split("\n")
    long = len(last) > max(width, LONG_HEADING)
    return "\n".join([*above, last.replace("_", "_\n") if long else last])


def _halves(text: str) -> tuple[str, str]:
    """Cut a number before its decimal point; other text stands to the right of that cut."""
    if NUMBER.fullmatch(text):
        whole, point, rest = text.partition(".")
        return whole, point + rest
    return (text[:1], text[1:]) if text.startswith(DASH) else ("", text)


def _styled(column: _Column, number: int) -> Text:
    tone = column.tones[number]
    cell = _text(column.cells[number], style=STYLES.get(tone, "") if tone else "")
    cell.highlight_regex(BESIDE, "dim")
    return cell
