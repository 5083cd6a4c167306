"""Comma-separated tables with a header line, also with other separators and decimal commas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from assay.errors import ArtifactError
from assay.showing import counted, quoted
from assay.sources.content import Content, decoded_text, fault
from assay.sources.formats import Format
from assay.sources.tabular import DECIMAL_COMMA, Table, source_of

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
POINT_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", re.ASCII)
COMMENT = "#"
QUOTES = "check the quotes on this line"
_AT_THE_END = "unexpected end of data"
"""what the reader says of a quote that is not closed"""


def _holds(_: Content) -> bool:
    """Say no: any text may be one, and none surely is."""
    return False


def csv_texts(content: Content) -> Table:
    """Take a table of texts with a header line apart; every cell is a text.

    What separates cells is read from the header. Where it is no comma, decimals may follow one.
    """
    text = decoded_text(content)
    separator = separator_of(text)
    lines, header, rows = _csv_rows(content.path, text, separator)
    texts = dict(zip(header, zip(*rows, strict=True), strict=True)) if rows else {}
    spelled = tuple if separator == "," else with_points
    return Table(
        {name: spelled(texts.get(name, ())) for name in header if name},
        place=lambda row: f"line {lines[row]}",
        source=source_of(content, "csv"),
    )


def _csv_rows(path: str, text: str, separator: str) -> tuple[list[int], list[str], list[list[str]]]:
    reader = csv_reader(io.StringIO(text, newline=""), separator)
    lines, rows = [], []
    found = csv_numbered(path, reader, separator)
    _, header = next(found)
    for line, row in found:
        lines.append(line)
        rows.append(row)
    return lines, header, rows


def csv_numbered(path: str, reader: Any, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the header and the rows, each with the line on which it ends, or say what is wrong."""
    line = 0
    try:
        header = csv_header(next(reader, []), path)
        line = reader.line_num
        yield line, header
        for row in csv_cells(reader, len(header)):
            if len(row) != len(header):
                raise _ragged(f"{path}, line {reader.line_num}", row, header, separator)
            line = reader.line_num
            yield line, row
    except csv.Error as error:
        # A quote that is never closed swallows the rest of the file.
        swallowed = _AT_THE_END in str(error)
        place = f"{path}, line {line + 1 if swallowed else reader.line_num}"
        msg = f"{place}: not valid CSV: {fault(error)}"
        hint = "a quote that is opened there is never closed" if swallowed else QUOTES
        raise ArtifactError(msg, hint=hint) from None


def csv_reader(lines: Iterable[str], separator: str) -> Any:
    """Return a reader of rows; blanks before a cell, which may be quoted, are not part of it."""
    return csv.reader(lines, strict=True, delimiter=separator, skipinitialspace=True)


def csv_cells(rows: Iterable[list[str]], n_columns: int) -> Iterator[list[str]]:
    """Yield the rows that hold something, without empty cells beyond the header's last."""
    for row in rows:
        cells = row if len(row) <= n_columns or any(row[n_columns:]) else row[:n_columns]
        if len(cells) > 1 or any(map(str.strip, cells)) or (cells and n_columns == 1):
            yield cells


def _ragged(place: str, row: list[str], header: list[str], separator: str) -> ArtifactError:
    msg = f"{place}: found {counted(len(row), 'cell')} where the header has {len(header)}"
    hint = f"a text with a {SEPARATORS[separator].removesuffix('s')} needs double quotes"
    if any(cells[0].startswith(COMMENT) for cells in (header, row)):
        hint = "lines of comments are not read; the first line names the columns"
    return ArtifactError(msg, hint=hint)


def csv_header(cells: Sequence[str], path: str) -> list[str]:
    """Return the names of the columns, which must differ; a column without one is left out."""
    header = [name.strip() for name in cells]
    if not any(header):
        msg = f"{path} is empty or has no header line"
        raise ArtifactError(msg, hint="the first line names the columns")
    if any("\0" in name for name in header):
        msg = f"{path} is not UTF-8 text: its header holds bytes of 0"
        raise ArtifactError(msg, hint="it seems to be UTF-16; save it as UTF-8")
    for name in filter(None, header):
        if header.count(name) > 1:
            msg = f"{path}: the header names the column {quoted(name)} twice"
            raise ArtifactError(msg, hint="column names must differ")
    return header


def separator_of(text: str) -> str:
    """Return what separates the names of the header: the most frequent mark outside of quotes.

    Examples
    --------
    >>> separator_of("y;p;who"), separator_of('y,"a;b;c",p'), separator_of("y")
    (';', ',', ',')
    """
    counts = dict.fromkeys(SEPARATORS, 0)
    quoted = False
    for mark in text:
        if mark == '"':
            quoted = not quoted
        elif not quoted and mark in "\r\n":
            break
        elif not quoted and mark in counts:
            counts[mark] += 1
    return max(counts, key=counts.__getitem__)  # the first of equals, which is the comma


def with_points(texts: Sequence[str]) -> Sequence[str]:
    """Write decimal commas as points, in a column in which no number has a point.

    Examples
    --------
    >>> with_points(["0,5", "1", "NA"]), with_points(["0,5", "0.5"])
    (['0.5', '1', 'NA'], ['0,5', '0.5'])
    """
    if not any("," in text for text in texts) or any(map(POINT_NUMBER.fullmatch, texts)):
        return texts
    return [text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text for text in texts]


FORMAT = Format("csv", (".csv", ".tsv"), _holds, csv_texts)
