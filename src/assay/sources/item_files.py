"""Plain item tables: CSV, JSON lines and Parquet become a `ItemTable`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.sources.cells import (
    csv_texts,
    json_line_cells,
    number_or_text,
    parquet_frame,
    source_of,
)
from assay.sources.items import ItemTable, TableColumns, cells_from_frame, items_from_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.sources.content import Content

__all__ = ["read_csv", "read_json_lines", "read_parquet", "typed"]

FLAGS = {"true": True, "1": True, "false": False, "0": False}


def read_csv(content: Content, *, columns: TableColumns) -> ItemTable:
    """Read a comma-separated table with a header line."""
    raw = csv_texts(content)
    cells = {name: typed(name, texts, columns) for name, texts in raw.cells.items()}
    return items_from_cells(replace(raw, cells=cells), columns=columns)


def typed(name: str, texts: Sequence[Any], columns: TableColumns) -> list[Any]:
    """Give the texts of a column the types they would have in JSON."""
    kinds: dict[str, Callable[[str], Any]] = {
        columns.participant: str.strip,
        columns.item: str.strip,
        columns.group: str.strip,
        columns.success: lambda text: FLAGS.get(text.strip().lower(), text),
    }
    return list(map(kinds.get(name, number_or_text), texts))


def read_json_lines(content: Content, *, columns: TableColumns) -> ItemTable:
    """Read one JSON object per line; a key that is absent from a line is missing there."""
    return items_from_cells(json_line_cells(content), columns=columns)


def read_parquet(content: Content, *, columns: TableColumns) -> ItemTable:
    """Read a Parquet table, which needs pyarrow."""
    raw = cells_from_frame(parquet_frame(content), source=source_of(content, "parquet"))
    return items_from_cells(raw, columns=columns)
