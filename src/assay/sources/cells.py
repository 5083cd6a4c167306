"""Raw cells of CSV, JSON lines and Parquet files, before anybody asks what a column means."""

from __future__ import annotations

import csv
import importlib
import io
from typing import TYPE_CHECKING, Any

from assay.errors import ArtifactError, UsageError
from assay.showing import counted, quoted
from assay.sources.content import Content, check_memory, decoded_text, fault
from assay.sources.dialects import SEPARATORS, separator_of, with_points
from assay.sources.raw_cells import RawCells, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "EMPTY_WORDS",
    "FLAGS",
    "csv_cells",
    "csv_header",
    "csv_reader",
    "csv_texts",
    "number_or_text",
    "parquet_frame",
    "source_of",
]

EMPTY_WORDS = frozenset({"", "null", "na", "n/a", "nan", "none"})
"""What stands for an empty cell of a CSV file, in any case, wherever a number is read."""
CELL_BYTES = 8
COMMENT = "#"
FLAGS = {"true": True, "false": False}


def source_of(content: Content, name: str) -> Source:
    """Return where a table of a format came from."""
    return Source(content.path, content.sha256, name)


def csv_texts(content: Content) -> RawCells:
    """Take a table of texts with a header line apart; every cell is a text.

    What separates cells is read from the header. Where it is no comma, decimals may follow one.
    """
    text = decoded_text(content)
    separator = separator_of(text)
    lines, header, rows = _csv_rows(content.path, text, separator)
    texts = dict(zip(header, zip(*rows, strict=True), strict=True)) if rows else {}
    spelled = tuple if separator == "," else with_points
    return RawCells(
        {name: spelled(texts.get(name, ())) for name in header if name},
        place=lambda row: f"line {lines[row]}",
        source=source_of(content, "csv"),
    )


def _csv_rows(path: str, text: str, separator: str) -> tuple[list[int], list[str], list[list[str]]]:
    reader = csv_reader(io.StringIO(text, newline=""), separator)
    lines, rows = [], []
    try:
        header = csv_header(next(reader, []), path)
        for row in csv_cells(reader, len(header)):
            if len(row) != len(header):
                raise _ragged(f"{path}, line {reader.line_num}", row, header, separator)
            lines.append(reader.line_num)
            rows.append(row)
    except csv.Error as error:
        msg = f"{path}, line {reader.line_num}: not valid CSV: {fault(error)}"
        raise ArtifactError(msg, hint="check the quotes on this line") from None
    return lines, header, rows


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


def number_or_text(text: str) -> float | str | None:
    """Give a text the type it would have in JSON: nothing, a number or a text."""
    if text.strip().lower() in EMPTY_WORDS:
        return None
    try:
        value = float(text)
    except ValueError:
        return text
    # Python reads 1_000 as a number, and a table does not mean one.
    return text if "_" in text else value


def parquet_frame(content: Content) -> Any:
    """Read a Parquet file into a frame, which needs pyarrow."""
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        msg = f"{content.path} is a Parquet file, and reading it needs pyarrow"
        raise UsageError(msg, hint="pip install 'assay[tables]'") from None
    try:
        file = parquet.ParquetFile(io.BytesIO(content.data))
        _check_size(file.metadata, content.path)
        return file.read()
    except (arrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = fault(str(error).strip().partition("\n")[0])
        msg = f"{content.path} is not a readable Parquet file: {reason}"
        raise ArtifactError(msg, hint="the file may be cut short; copy it again") from None


def _check_size(metadata: Any, path: str) -> None:
    """Refuse a table that is larger than the file lets suppose: repeated values are stored once."""
    groups = range(metadata.num_row_groups)
    stored = sum(metadata.row_group(each).total_byte_size for each in groups)
    cells = metadata.num_rows * metadata.num_columns * CELL_BYTES
    check_memory(path, max(stored, cells), " once decompressed")
