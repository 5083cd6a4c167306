"""Item tables from arrays and frames, as the library makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.families.selective.inputs import arrange
from assay.families.selective.options import RunColumns
from assay.sources.items import ItemTable
from assay.sources.table import from_columns, from_frame


def items_from_arrays(*, signals: Mapping[str, Any] | None = None, **roles: Any) -> ItemTable:
    """Return the table of one system: columns by role, and signals beside them."""
    data = from_columns(**signals) if signals else None
    given = {role: column for role, column in roles.items() if column is not None}
    return _only(arrange(RunColumns, {"": given}, data, {}).tables)


def items_from_frame(frame: Any, **roles: Any) -> ItemTable:
    """Return the table of one system from a frame, whose columns go by the names of roles."""
    return _only(arrange(RunColumns, {"": roles}, from_frame(frame), {}).tables)


def _only(tables: tuple[ItemTable, ...]) -> ItemTable:
    (table,) = tables
    return table
