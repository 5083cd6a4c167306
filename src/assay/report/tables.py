"""A summary as tables to paste: Markdown, LaTeX with booktabs, or one long CSV.

They show the cells of the console, so that a number reads the same everywhere.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Literal

from assay.report.numbers import DASH
from assay.report.view import Cell, Facts, Grid, Row, Sketch, Summary
from assay.showing import inert

__all__ = ["TableFormat", "all_tables", "in_spreadsheet", "one_table", "table_names", "tables"]

TableFormat = Literal["md", "tex", "csv"]
NUMBER = re.compile(r"[-+]?[\d,]+(\.\d+)?(e[-+]?\d+)?")
INTERVAL = re.compile(r"\[([^,\]]+), ([^,\]]+)\]")
SPACE = re.compile(r"\s+")
MARKS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
FIELDS = ("table", "row", "better", "column", "value", "low", "high", "note")
ARROWS = re.compile("[↓↑]")
BETTER = {"↓": "lower", "↑": "higher"}
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""what a spreadsheet would take for the start of a formula, in wide forms too"""
LONGEST_NAME = 60
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


def tables(summary: Summary, form: TableFormat) -> str:
    """Write the tables of a summary in a format."""
    return all_tables([summary], form)


def all_tables(summaries: Sequence[Summary], form: TableFormat) -> str:
    """Write the tables of several summaries in a format, one after the other."""
    write: dict[TableFormat, Callable[[Sequence[Summary]], Iterable[str]]] = {
        "md": lambda all_of_them: chain.from_iterable(map(_markdown, all_of_them)),
        "tex": _latex,
        "csv": _csv,
    }
    return "\n".join(write[form](summaries)) + "\n"


def table_names(summary: Summary) -> dict[str, Grid]:
    """Name every table of a summary in a word, each of them once."""
    names: dict[str, Grid] = {}
    for grid in (block for block in summary.blocks if type(block) is Grid):
        names[_distinct(_slug(grid.title), names)] = grid
    return names


def one_table(summary: Summary, name: str) -> Summary | None:
    """Keep one table and the notes that it refers to; None where there is no such table."""
    found = {**{grid.title: grid for grid in table_names(summary).values()}, **table_names(summary)}
    if name not in found:
        return None
    grid = found[name]
    marks = {mark for row in grid.rows for each in row.cells for mark in _marks(each)}
    lines = [line for each in summary.blocks if type(each) is Facts for line in each.lines]
    notes = Facts(tuple(line for line in lines if line[0] in marks))
    return Summary(summary.title, (grid, notes) if notes.lines else (grid,))


def _marks(cell: Cell) -> list[str]:
    return MARKS.findall(cell.text + cell.beside)


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


def _markdown(summary: Summary) -> Iterator[str]:
    yield f"## {_md(summary.title)}"
    for block in summary.blocks:
        match block:
            case Facts():
                yield ""
                yield from (f"- {_md(word)}: {_md(text)}" for word, text in block.lines)
            case Grid():
                yield from _markdown_table(block)
            case Sketch():
                continue


def _markdown_table(grid: Grid) -> Iterator[str]:
    if grid.title:
        yield f"\n### {_md(grid.title)}"
    yield ""
    yield f"| {' | '.join(_md(each) for each in (grid.corner, *grid.headings))} |"
    yield f"|:--|{'--:|' * len(grid.headings)}"
    for line in _lines(grid):
        yield f"| {' | '.join((_md(line.pointed), *map(_md_cell, line.cells)))} |"


def _md(text: str) -> str:
    """Write text so that Markdown shows it as it is."""
    flat = inert(SPACE.sub(" ", text))
    return re.sub(r"([\\`*_{}\[\]<>#|~$!&]|(?<=:)/)", r"\\\1", flat)


def _md_cell(cell: Cell) -> str:
    """Leave the brackets of an interval alone: there is nothing that they could link to."""
    return _beside(_md_part(cell.text), _md_part(cell.beside))


def _md_part(text: str) -> str:
    found = INTERVAL.match(text)
    return f"{found[0]}{_md(text[found.end() :])}" if found else _md(text)


def _beside(text: str, beside: str) -> str:
    """Put a mark right behind a number, anything else after a space."""
    marked = beside[:1].translate(DIGITS) != beside[:1] or beside.startswith("$^")
    return f"{text}{beside}" if marked else f"{text} {beside}".strip()


def _latex(summaries: Iterable[Summary]) -> Iterator[str]:
    yield "% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}"
    labels: list[str] = []
    for summary in summaries:
        yield f"% {_comment(summary.title)}"
        for block in summary.blocks:
            match block:
                case Facts():
                    yield from (f"% {_comment(f'{word}: {text}')}" for word, text in block.lines)
                case Grid():
                    labels.append(_distinct(_slug(block.title), labels))
                    yield from _latex_table(block, labels[-1])
                case Sketch():
                    continue


def _latex_table(grid: Grid, label: str) -> Iterator[str]:
    yield "\n\\begin{table}\n\\centering"
    if grid.title:
        yield f"\\caption{{{_tex(grid.title)}}}"
    yield f"\\label{{tab:{label}}}"
    yield f"\\begin{{tabular}}{{l{'r' * len(grid.headings)}}}\n\\toprule"
    yield f"{' & '.join(_tex(each) for each in (grid.corner, *grid.headings))} \\\\\n\\midrule"
    for line in _lines(grid):
        yield f"{' & '.join((_tex(line.pointed), *map(_tex_cell, line.cells)))} \\\\"
    yield "\\bottomrule\n\\end{tabular}\n\\end{table}"


def _comment(text: str) -> str:
    """Keep text on the one line of its comment, and to characters that any engine skips."""
    noted = MARKS.sub(lambda mark: f"({mark[0].translate(DIGITS)})", inert(" ".join(text.split())))
    return noted.replace("↓", "v").replace("↑", "^").encode("ascii", "replace").decode()


def _tex_cell(cell: Cell) -> str:
    text = f"${cell.text}$" if _signed(cell.text) else _tex(cell.text)
    found = INTERVAL.match(cell.beside)
    if not found:
        return _beside(text, _tex(cell.beside))
    ends = ", ".join(f"${end}$" if _signed(end) else _tex(end) for end in found.groups())
    return f"{text} {{[}}{ends}{{]}}{_tex(cell.beside[found.end() :])}"


def _signed(text: str) -> bool:
    return text.startswith(("-", "+")) and bool(NUMBER.fullmatch(text))


def _tex(text: str) -> str:
    """Write text so that LaTeX prints it as it is."""
    flat = inert(SPACE.sub(" ", text))
    escaped = "".join(TEX.get(each, each) for each in flat)
    apart = re.sub(r"(?<=-)(?=-)", "{}", escaped) if "--" in flat else escaped
    return MARKS.sub(lambda mark: f"$^{{{mark[0].translate(DIGITS)}}}$", apart)


def _csv(summaries: Sequence[Summary]) -> Iterator[str]:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(FIELDS)
    for summary in summaries:
        facts = [block for block in summary.blocks if type(block) is Facts]
        reasons = dict(line for block in facts for line in block.lines)
        of = f"{summary.title}: " if len(summaries) > 1 else ""
        for block in (each for each in summary.blocks if type(each) is Grid):
            for table, *found in _csv_rows(block, reasons):
                writer.writerow([in_spreadsheet(each) for each in (f"{of}{table}", *found)])
    yield lines.getvalue().removesuffix("\n")


def _csv_rows(grid: Grid, reasons: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    for line in _lines(grid):
        for heading, cell in zip(grid.headings, line.cells, strict=True):
            arrows = ARROWS.findall(f"{line.arrow}{heading}{grid.title}")
            value = MARKS.sub("", cell.text)
            found = INTERVAL.search(value) or INTERVAL.search(cell.beside)
            low, high = found.groups() if found else ("", "")
            marks = _marks(cell)
            said = MARKS.sub("", INTERVAL.sub("", cell.beside)).strip()
            yield (
                _unpointed(grid.title),
                line.label,
                BETTER[arrows[0]] if arrows else "",
                _unpointed(heading),
                "" if value == DASH or INTERVAL.fullmatch(value) else _plain(value),
                _plain(low),
                _plain(high),
                "; ".join(filter(None, [said, *(reasons.get(mark, "") for mark in marks)])),
            )


def _unpointed(text: str) -> str:
    return " ".join(ARROWS.sub("", text).split())


def _plain(text: str) -> str:
    """Write a number without the commas between its thousands."""
    return text.replace(",", "") if NUMBER.fullmatch(text) else text


def in_spreadsheet(text: str) -> str:
    """Keep text on its line, and from being taken for a formula; numbers may have a sign.

    Examples
    --------
    >>> in_spreadsheet("=1+1"), in_spreadsheet("\uff1d1"), in_spreadsheet("-0.5")
    ("'=1+1", "'\uff1d1", '-0.5')
    """
    flat = inert(SPACE.sub(" ", text))
    return f"'{flat}" if FORMULA.match(flat) and not NUMBER.fullmatch(flat) else flat
