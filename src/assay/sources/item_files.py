"""Plain item tables: the columns of a table become an `ItemTable`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.columns import Array
from assay.derive.signals import State, signal
from assay.errors import ColumnError
from assay.showing import counted, named
from assay.sources.column import Column, LazyColumn, Nullable, number_or_text
from assay.sources.items import ItemTable, TableColumns, items_from_cells
from assay.sources.run import PHQ8_ITEMS
from assay.sources.table import Table

__all__ = ["item_table"]

FLAGS = {"true": True, "1": True, "false": False, "0": False}


def item_table(table: Table, columns: TableColumns) -> ItemTable:
    """Read a table as one row per participant and item."""
    if table.counts is not None:  # rows that an engine counted have no names any more
        columns = replace(columns, item=TableColumns().item)
    roles = {name: role for role, name in columns.roles().items()}
    cells: dict[str, Sequence[Any]] = {}
    names = [columns.participant, columns.item, columns.group, columns.success]
    numbers = [name for name in table.columns if name not in names]
    table.fetch(numbers=numbers, names=names)
    for name in table.columns:
        own = _listed(table.columns[name])
        if table.source.sha256 is None and (read := PLAIN.get(roles.get(name, ""))):
            own = [*map(read, own)]
        cells[name] = _typed(name, own, columns) if table.source.format == "csv" else own
    if table.counts is not None:
        cells[columns.count] = _multiplied(cells.get(columns.count), table.counts)
    n_rows = len(cells.get(columns.answer, ()))
    for name, own in cells.items():
        if columns.answer in cells and len(own) != n_rows:
            answer = f"{named(columns.answer)} has {n_rows}"
            msg = (
                f"{table.source.path}: {named(name)} has {counted(len(own), 'row')} where {answer}"
            )
            raise ColumnError(msg, hint="the columns describe the same rows, in one order")
    raw = Table(cells, table.place, table.source, table.hint)
    # The order of the run files, so that a run exported as a table gives the same rows.
    found = items_from_cells(raw, columns=columns, order=PHQ8_ITEMS, stands_for=table.counts)
    return replace(found, about=table.about)


def _multiplied(stated: Sequence[Any] | None, counts: Array) -> Sequence[Any]:
    """Return how many items rows stand for that an engine has counted."""
    if stated is None:
        return Nullable(counts, np.zeros(counts.size, np.bool_))
    number = signal(stated)
    held = number.state == State.NUMBER
    both = zip(stated, held.tolist(), (number.value * counts).tolist(), strict=True)
    return [product if is_number else cell for cell, is_number, product in both]


def _listed(values: Any) -> Sequence[Any]:
    """Return cells as Python has them, also of an array with one column."""
    values = values.cells() if isinstance(values, LazyColumn) else values
    if isinstance(values, Column):
        return values
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "fiu":
        return Nullable(values, np.zeros(values.size, np.bool_))
    if not isinstance(values, np.ndarray):
        return [each.item() if isinstance(each, np.generic) else each for each in values]
    cells: list[Any] = (values.reshape(-1) if values.size == len(values) else values).tolist()
    return cells


def _whole(cell: Any) -> Any:
    """Return an id that an array made a float as the whole number it is."""
    return int(cell) if type(cell) is float and cell.is_integer() else cell


def _label(cell: Any) -> Any:
    return None if type(cell) is float and np.isnan(cell) else _whole(cell)


PLAIN: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("participant", "item"), _whole),
    "group": _label,
}
"""how arrays and frames hold what a file would spell otherwise, by role"""


def _typed(name: str, texts: Sequence[Any], columns: TableColumns) -> Sequence[Any]:
    """Give the texts of a column the types they would have in JSON."""
    kinds: dict[str, Callable[[str], Any]] = {
        columns.participant: str.strip,
        columns.item: str.strip,
        columns.group: str.strip,
        columns.success: lambda text: FLAGS.get(text.strip().lower(), text),
    }
    convert = kinds.get(name)
    if isinstance(texts, Column):
        return (texts if convert is None else texts.as_names()).converted(convert or number_or_text)
    return list(map(convert or number_or_text, texts))
