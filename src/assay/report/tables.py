"""A summary as tables to paste: Markdown, LaTeX with booktabs, or one long CSV.

They show the cells of the console, so that a number reads the same everywhere.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Literal

from assay.display.blocks import Cell, Detail, Facts, Grid, Row, Section, Sketch, Summary
from assay.display.numbers import DASH
from assay.report.layout import Marks, blocks, shown
from assay.showing import NUMBER, in_spreadsheet, inert

TableFormat = Literal["md", "tex", "csv"]
INTERVAL = re.compile(r"\[([^,\]]+), ([^,\]]+)\]")
SPACE = re.compile(r"\s+")
FIELDS = ("table", "row", "better", "column", "value", "low", "high", "note")
BETTER = {"↓": "lower", "↑": "higher"}
LONGEST_NAME = 60
_View = tuple[str, Sequence[Section]]
"""a title and what is shown under it"""
TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "±": r"$\pm$",
    "…": r"\dots{}",
    DASH: "--",
}


def tables(summary: Summary, form: TableFormat, detail: Detail = "short") -> str:
    """Write the tables of a summary in a format."""
    return all_tables([summary], form, detail)


def all_tables(summaries: Sequence[Summary], form: TableFormat, detail: Detail = "short") -> str:
    """Write the tables of several summaries in a format, one after the other."""
    views = [(each.title, shown(each, detail)) for each in summaries]
    write: dict[TableFormat, Callable[[Sequence[_View]], Iterable[str]]] = {
        "md": lambda every: chain.from_iterable(_markdown(*each) for each in every),
        "tex": _latex,
        "csv": _csv,
    }
    return "\n".join(write[form](views)) + "\n"


def table_names(summary: Summary) -> dict[str, Section]:
    """Name every table of a summary in a word, each of them once."""
    names: dict[str, Section] = {}
    for section in shown(summary):
        if type(section.block) is Grid:
            names[_distinct(_slug(section.block.title), names)] = section
    return names


def one_table(summary: Summary, name: str) -> Summary | None:
    """Keep one table; None where there is no such table."""
    named = table_names(summary)
    titled = {each.block.title: each for each in reversed(named.values())}
    section = named.get(name) or titled.get(name)
    return None if section is None else replace(summary, sections=(section,))


def _slug(title: str) -> str:
    """Write a title as a word for a label or an option."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST_NAME].strip("-") or "table"


def _distinct(name: str, taken: Container[str]) -> str:
    tries = chain([name], (f"{name}-{again}" for again in count(2)))
    return next(each for each in tries if each not in taken)


@dataclass(frozen=True, slots=True)
class _Line:
    """A row with its whole label: an indented one begins with the row that heads it."""

    label: str
    arrow: str
    cells: tuple[Cell, ...]

    @property
    def pointed(self) -> str:
        return f"{self.label} {self.arrow}".strip()


def _lines(grid: Grid) -> Iterator[_Line]:
    head = Row("")
    for row in grid.rows:
        if not row.cells:
            head = row
        elif row.indented and head.label:
            yield _Line(f"{head.label}: {row.label}", row.arrow or head.arrow, row.cells)
        else:
            yield _Line(row.label.strip(), row.arrow, row.cells)


def _markdown(title: str, sections: Sequence[Section]) -> Iterator[str]:
    yield f"## {_md(title)}"
    found, marks = blocks(sections)
    for block in found:
        match block:
            case Facts():
                yield ""
                yield from (f"- {_md(word)}: {_md(text)}" for word, text in block.lines)
            case Grid():
                yield from _markdown_table(block, marks)
            case Sketch():
                continue


def _markdown_table(grid: Grid, marks: Marks) -> Iterator[str]:
    if grid.title:
        yield f"\n### {_md(grid.caption)}"
    yield ""
    yield f"| {' | '.join(_md(each) for each in (grid.corner, *grid.heads))} |"
    yield f"|:--|{'--:|' * len(grid.headings)}"
    for line in _lines(grid):
        cells = (f"{_md_cell(each)}{marks.of(each)}" for each in line.cells)
        yield f"| {' | '.join((_md(line.pointed), *cells))} |"


def _md(text: str) -> str:
    """Write text so that Markdown shows it as it is."""
    flat = inert(SPACE.sub(" ", text))
    return re.sub(r"([\\`*_{}\[\]<>#|~$!&]|(?<=:)/)", r"\\\1", flat)


def _md_cell(cell: Cell) -> str:
    """Leave the brackets of an interval alone: there is nothing that they could link to."""
    return f"{_md_part(cell.text)} {_md_part(cell.beside)}".strip()


def _md_part(text: str) -> str:
    found = INTERVAL.match(text)
    return f"{found[0]}{_md(text[found.end() :])}" if found else _md(text)


def _latex(views: Iterable[_View]) -> Iterator[str]:
    yield "% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}"
    labels: list[str] = []
    for title, sections in views:
        yield f"% {_comment(title)}"
        found, _ = blocks(sections, "({})".format)
        marks = Marks(found, "$^{{{}}}$".format)
        for block in found:
            match block:
                case Facts():
                    yield from (f"% {_comment(f'{word}: {text}')}" for word, text in block.lines)
                case Grid():
                    labels.append(_distinct(_slug(block.title), labels))
                    yield from _latex_table(block, labels[-1], marks)
                case Sketch():
                    continue


def _latex_table(grid: Grid, label: str, marks: Marks) -> Iterator[str]:
    yield "\n\\begin{table}\n\\centering"
    if grid.title:
        yield f"\\caption{{{_tex(grid.caption)}}}"
    yield f"\\label{{tab:{label}}}"
    yield f"\\begin{{tabular}}{{l{'r' * len(grid.headings)}}}\n\\toprule"
    yield f"{' & '.join(_tex(each) for each in (grid.corner, *grid.heads))} \\\\\n\\midrule"
    for line in _lines(grid):
        cells = (f"{_tex_cell(each)}{marks.of(each)}" for each in line.cells)
        yield f"{' & '.join((_tex(line.pointed), *cells))} \\\\"
    yield "\\bottomrule\n\\end{tabular}\n\\end{table}"


def _comment(text: str) -> str:
    """Keep text on the one line of its comment, and to characters that any engine skips."""
    return (
        inert(" ".join(text.split()))
        .replace("↓", "v")
        .replace("↑", "^")
        .encode("ascii", "replace")
        .decode()
    )


def _tex_cell(cell: Cell) -> str:
    text = f"${cell.text}$" if _signed(cell.text) else _tex(cell.text)
    found = INTERVAL.match(cell.beside)
    if not found:
        return f"{text} {_tex(cell.beside)}".strip()
    ends = ", ".join(f"${end}$" if _signed(end) else _tex(end) for end in found.groups())
    return f"{text} {{[}}{ends}{{]}}{_tex(cell.beside[found.end() :])}"


def _signed(text: str) -> bool:
    return text.startswith(("-", "+")) and bool(NUMBER.fullmatch(text))


def _tex(text: str) -> str:
    """Write text so that LaTeX prints it as it is."""
    flat = inert(SPACE.sub(" ", text))
    escaped = "".join(TEX.get(each, each) for each in flat)
    return re.sub(r"(?<=-)(?=-)", "{}", escaped) if "--" in flat else escaped


def _csv(views: Sequence[_View]) -> Iterator[str]:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(FIELDS)
    for title, sections in views:
        of = f"{title}: " if len(views) > 1 else ""
        for block in (each.block for each in sections if type(each.block) is Grid):
            for table, *found in _csv_rows(block):
                writer.writerow([in_spreadsheet(each) for each in (f"{of}{table}", *found)])
    yield lines.getvalue().removesuffix("\n")


def _csv_rows(grid: Grid) -> Iterator[tuple[str, ...]]:
    for line in _lines(grid):
        arrows = grid.arrows or [""] * len(grid.headings)
        for heading, arrow, cell in zip(grid.headings, arrows, line.cells, strict=True):
            found = INTERVAL.search(cell.text) or INTERVAL.search(cell.beside)
            low, high = found.groups() if found else ("", "")
            said = INTERVAL.sub("", cell.beside).strip()
            yield (
                grid.title,
                line.label,
                BETTER.get(line.arrow or arrow or grid.arrow, ""),
                heading,
                "" if cell.text == DASH or INTERVAL.fullmatch(cell.text) else _plain(cell.text),
                _plain(low),
                _plain(high),
                "; ".join(filter(None, [said, *cell.notes])),
            )


def _plain(text: str) -> str:
    """Write a number without the commas between its thousands."""
    return text.replace(",", "") if NUMBER.fullmatch(text) else text
