"""Which row of one table is which row of another: by item, or by place within its cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ColumnError
from assay.families.calibration.forecasts import together
from assay.rows import places
from assay.showing import counted, inert

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Indices
    from assay.families.calibration.options import CalibrationColumns
    from assay.sources.names import Participant
    from assay.sources.table import Table

__all__ = ["row_keys"]

NAME_ITEM = "`item` names the column that says which rows are the same"


def row_keys(tables: Sequence[Table], columns: CalibrationColumns) -> list[NDArray[Any]]:
    """Say of every row that was read which one it is."""
    sizes = [table.rows(columns.y_true) for table in tables]
    if columns.item is None and (columns.cluster is None or len(tables) == 1):
        return [places(n_rows) for n_rows in sizes]
    clusters = [
        (np.zeros(n_rows, np.int64), ("",))
        if columns.cluster is None
        else table.clusters(columns.cluster)
        for table, n_rows in zip(tables, sizes, strict=True)
    ]
    if columns.item is None:
        _check_sizes(tables, clusters)
        return [
            together([names[each] for each in code], _numbered(code).tolist())
            for code, names in clusters
        ]
    return [
        _named(table, columns, cluster, columns.item)
        for table, cluster in zip(tables, clusters, strict=True)
    ]


def _numbered(code: Indices) -> Indices:
    """Return the place of every row among those of its cluster."""
    order = np.argsort(code, kind="stable")
    ordered = code[order]
    place = np.empty_like(code)
    place[order] = np.arange(code.size) - np.searchsorted(ordered, ordered)
    return place


def _check_sizes(
    tables: Sequence[Table], clusters: Sequence[tuple[Indices, Sequence[Participant]]]
) -> None:
    """Refuse clusters of another size: where a row is left out, places tell nothing."""
    sizes = [dict(zip(names, np.bincount(code).tolist(), strict=True)) for code, names in clusters]
    for table, own in zip(tables[1:], sizes[1:], strict=True):
        for name, size in own.items():
            first = sizes[0].get(name, size)
            if size != first:
                msg = (
                    f"{table.source.path}: cluster {inert(str(name))} has {counted(size, 'row')}"
                    f" where {tables[0].source.path} has {first}"
                )
                raise ColumnError(msg, hint=NAME_ITEM)


def _named(
    table: Table,
    columns: CalibrationColumns,
    cluster: tuple[Indices, Sequence[Participant]],
    item: str,
) -> NDArray[Any]:
    code, names = table.clusters(item)
    own, of = cluster
    number = own * len(names) + code
    _, first, which = np.unique(number, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which] != np.arange(number.size))
    if again.size:
        row = int(again[0])
        within = "" if columns.cluster is None else f" of cluster {inert(str(of[own[row]]))}"
        msg = (
            f"{table.where(row)}: `{item}`{within} is {inert(str(names[code[row]]))}, as in"
            f" {table.place(int(first[which[row]]))} ({counted(again.size, 'such row')})"
        )
        raise ColumnError(msg, hint="one row per item: a row that stands twice counts twice")
    return together([of[each] for each in own], [str(names[each]) for each in code])
