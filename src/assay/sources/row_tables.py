"""Tables that are about the same rows: those that all systems speak of, their groups and places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

import numpy as np

from assay.derive.sets import class_order, label_text
from assay.errors import ColumnError
from assay.showing import counted, inert, storable
from assay.sources.names import Participant
from assay.sources.table import read_table
from assay.sources.tabular import NUMBER_HINT, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices

    Mask: TypeAlias = NDArray[np.bool_]

_PLACES: WeakValueDictionary[int, Indices] = WeakValueDictionary()


def places(n: int) -> Indices:
    """Return 0 to n - 1: one array for all who ask, as long as one of them holds it."""
    found = _PLACES.get(n)
    if found is None:
        found = _PLACES[n] = np.arange(n)
        found.flags.writeable = False
    return found


def ones(n: int) -> Array:
    """Return n ones that take no memory, and cannot be written."""
    return np.broadcast_to(np.float64(1.0), n)


def chosen(values: NDArray[Any], rows: Indices) -> NDArray[Any]:
    """Return the values of rows that are in order; of all rows, the values themselves."""
    return values if rows.size == values.shape[0] else values[rows]


NO_GROUP = "(none)"
NOTHING = frozenset({""})
"""what stands for no group, also in files of texts"""
ARRAY_FILES = (".npy", ".npy.gz")
PAIRED = "tables are compared row by row: same rows, same order, same truth"
NAME_ITEM = "`item` names the column that says which rows are the same"
DROP = f"{NUMBER_HINT}; `missing` drop leaves out and counts rows without a truth or a claim"


@dataclass(frozen=True, slots=True, eq=False)
class Unscored:
    """Rows that were dropped, of all systems alike, since one of them lacks something there."""

    rows: Mask
    size: NDArray[np.float64]
    """how many rows each one stands for"""
    held: Sequence[Mapping[str, Mask]]
    """of every table: which rows have a truth and something in this column"""

    @property
    def n_rows(self) -> int:
        """The number of rows that were dropped."""
        return int(self.size[self.rows].sum())

    def only(self, own: tuple[int, Sequence[str]], other: tuple[int, Sequence[str]]) -> int:
        """Count rows that one system says something of and another does not.

        A system is the number of its table, and its columns.
        """
        return int(self.size[self._of(*own) & ~self._of(*other)].sum())

    def _of(self, table: int, names: Sequence[str]) -> Mask:
        every: Mask = np.logical_and.reduce([self.held[table][name] for name in names])
        return every

    def places(self) -> list[str]:
        """Name the rows that are left by their place among all of them, from 1."""
        return [str(row + 1) for row in np.flatnonzero(~self.rows)]


def check_same(tables: Sequence[Table], name: str, columns: Sequence[NDArray[Any]]) -> None:
    """Refuse tables that differ in a column which is about the rows."""
    check_lengths(tables, [column.size for column in columns])
    first, reference = tables[0], columns[0]
    for table, other in zip(tables[1:], columns[1:], strict=True):
        differing = np.flatnonzero(reference != other)
        if differing.size:
            row = int(differing[0])
            msg = (
                f"{table.source.path}, {table.place(row)}: `{name}` is {other[row]} where"
                f" {first.source.path} has {reference[row]} ({counted(differing.size, 'such row')})"
            )
            raise ColumnError(msg, hint=PAIRED)


def check_lengths(tables: Sequence[Table], sizes: Sequence[int], hint: str = PAIRED) -> None:
    """Refuse tables that have more rows than the first, or fewer."""
    for table, size in zip(tables[1:], sizes[1:], strict=True):
        if size != sizes[0]:
            msg = (
                f"{table.source.path} has {counted(size, 'row')} where"
                f" {tables[0].source.path} has {sizes[0]}"
            )
            raise ColumnError(msg, hint=hint)


@contextmanager
def drop_suggested() -> Iterator[None]:
    """Where a cell is refused, say that rows with empty ones can be dropped."""
    try:
        yield
    except ColumnError as error:
        if error.hint != NUMBER_HINT:
            raise
        raise ColumnError(str(error), hint=DROP) from None


def unscored_rows(
    tables: Sequence[Table], y: str, stated: Sequence[str], words: frozenset[str]
) -> Unscored:
    """Find the rows that lack a truth, or what one of the systems states of it."""
    n_rows = [table.rows(y, *stated) for table in tables]
    check_lengths(tables, n_rows)
    truths = [~table.empty(y, words=words) for table in tables]
    held = [
        {name: truth & ~table.empty(name) for name in stated}
        for table, truth in zip(tables, truths, strict=True)
    ]
    every = [rows for of_table in held for rows in of_table.values()]
    counts = tables[0].counts
    size = ones(n_rows[0]) if counts is None else counts
    return Unscored(~np.logical_and.reduce(every), size, held)


def read_spelled(path: str, *, numbers: Sequence[str] = (), names: Sequence[str] = ()) -> Table:
    """Read a table; a file name that is not UTF-8 is spelled so that it can be written down."""
    table = read_table(path, numbers=numbers, names=names)
    return replace(table, source=replace(table.source, path=storable(table.source.path)))


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The part of every row, and the names of all parts, of those without rows too."""

    code: Indices
    names: tuple[str, ...]


def partition(table: Table, column: str) -> Partition:
    """Read the group of every row; those without one are a group of their own."""
    blank = table.empty(column, words=NOTHING)
    held = table.keep(~blank) if blank.any() else table
    labels = np.full(blank.size, NO_GROUP, object)
    labels[~blank] = [label_text(label) for label in held.labels(column)]
    is_none = labels == NO_GROUP
    names = (NO_GROUP,) * int(is_none.any()) + class_order(labels[~is_none])
    rank = {name: number for number, name in enumerate(names)}
    return Partition(np.array([rank[label] for label in labels], dtype=np.int64), names)


def together(clusters: Sequence[object], rows: Sequence[object]) -> NDArray[Any]:
    """Say of every row which one it is within its cluster."""
    keys = np.empty(len(clusters), object)
    keys[:] = [*zip(map(str, clusters), rows, strict=True)]
    return keys


def row_keys(
    tables: Sequence[Table], y: str, cluster: str | None, item: str | None
) -> list[NDArray[Any]]:
    """Say of every row that was read which one it is."""
    sizes = [table.rows(y) for table in tables]
    alone = cluster is None or len(tables) == 1
    # Rows that an engine counted are the same in all tables, in one order.
    if tables[0].counts is not None or (item is None and alone):
        return [places(n_rows) for n_rows in sizes]
    clusters = [
        (np.zeros(n_rows, np.int64), ("",)) if cluster is None else table.clusters(cluster)
        for table, n_rows in zip(tables, sizes, strict=True)
    ]
    if item is None:
        _check_sizes(tables, clusters)
        return [
            together([names[each] for each in code], _numbered(code).tolist())
            for code, names in clusters
        ]
    return [
        _named(table, item, *own, clustered=cluster is not None)
        for table, own in zip(tables, clusters, strict=True)
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
    table: Table, item: str, own: Indices, of: Sequence[Participant], *, clustered: bool
) -> NDArray[Any]:
    """Say of every row which one it is by its item, which is refused where it stands twice."""
    code, names = table.clusters(item)
    number = own * len(names) + code
    _, first, which = np.unique(number, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which] != np.arange(number.size))
    if again.size:
        row = int(again[0])
        within = "" if not clustered else f" of cluster {inert(str(of[own[row]]))}"
        msg = (
            f"{table.where(row)}: `{item}`{within} is {inert(str(names[code[row]]))}, as in"
            f" {table.place(int(first[which[row]]))} ({counted(again.size, 'such row')})"
        )
        raise ColumnError(msg, hint="one row per item: a row that stands twice counts twice")
    return together([of[each] for each in own], [str(names[each]) for each in code])
