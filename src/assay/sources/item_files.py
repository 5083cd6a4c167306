"""Plain item tables: CSV, JSON lines and Parquet become a `ItemTable`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.sources.cells import (
    csv_texts,
    json_line_cells,
    number_or_text,
    parquet_frame,
    source_of,
)
from assay.sources.column import Column, Nullable
from assay.sources.items import ItemTable, TableColumns, cells_from_frame, items_from_cells
from assay.sources.raw_cells import RawCells

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.sources.content import Content
    from assay.sources.table import Table

__all__ = ["items_of_table", "read_csv", "read_json_lines", "read_parquet", "typed"]

FLAGS = {"true": True, "1": True, "false": False, "0": False}


def read_csv(content: Content, *, columns: TableColumns) -> ItemTable:
    """Read a comma-separated table with a header line."""
    raw = csv_texts(content)
    cells = {name: typed(name, texts, columns) for name, texts in raw.cells.items()}
    return items_from_cells(replace(raw, cells=cells), columns=columns)


def typed(name: str, texts: Sequence[Any], columns: TableColumns) -> Sequence[Any]:
    """Give the texts of a column the types they would have in JSON."""
    kinds: dict[str, Callable[[str], Any]] = {
        columns.participant: str.strip,
        columns.item: str.strip,
        columns.group: str.strip,
        columns.success: lambda text: FLAGS.get(text.strip().lower(), text),
    }
    convert = kinds.get(name)
    if isinstance(texts, Column):
        return (
            texts.converted(number_or_text)
            if convert is None
            else texts.as_names().converted(convert)
        )
    return list(map(convert or number_or_text, texts))


def items_of_table(table: Table, *, columns: TableColumns) -> ItemTable:
    """Take a table that is read by column for a table of items."""
    roles = columns.names()
    named = {columns.participant, columns.item, columns.group, columns.success}
    numbers = [name for name in table.columns if name not in named]
    table.fetch(numbers=numbers, names=[name for name in roles if name in named])
    text = table.source.format == "csv"
    cells: dict[str, Any] = {name: table.cells(name) for name in table.columns}
    held = {name: typed(name, own, columns) if text else _held(own) for name, own in cells.items()}
    return items_from_cells(RawCells(held, table.place, table.source, table.hint), columns=columns)


def _held(cells: Any) -> Sequence[Any]:
    """Give an array the form of a column."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "fiub":
        return Nullable(cells, np.zeros(cells.size, np.bool_))
    return cells.tolist() if isinstance(cells, np.ndarray) else cells  # type: ignore[no-any-return]  # a list of cells


def read_json_lines(content: Content, *, columns: TableColumns) -> ItemTable:
    """Read one JSON object per line; a key that is absent from a line is missing there."""
    return items_from_cells(json_line_cells(content), columns=columns)


def read_parquet(content: Content, *, columns: TableColumns) -> ItemTable:
    """Read a Parquet table, which needs pyarrow."""
    raw = cells_from_frame(parquet_frame(content), source=source_of(content, "parquet"))
    return items_from_cells(raw, columns=columns)
