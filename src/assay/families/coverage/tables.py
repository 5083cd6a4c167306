"""The tables that systems are read from, and the rows of which all of them say something."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np

from assay.artifact import Input
from assay.errors import ColumnError
from assay.rows import ones
from assay.showing import counted, told_apart
from assay.sources.column import EMPTY_WORDS
from assay.sources.table import Table, read_table
from assay.sources.tabular import NUMBER_HINT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.families.family import Given

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = [
    "Unscored",
    "check_same",
    "drop_suggested",
    "named_columns",
    "read_tables",
    "system_names",
]

TABLE = "table"
ARRAY_FILES = (".npy", ".npy.gz")
PAIRED = "tables are compared row by row: same rows, same order, same truth"
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


def named_columns(given: Given, tables: Sequence[Table]) -> Sequence[str]:
    """Return the systems that the columns of each table were named as; files have names too."""
    of_files = len(tables) > 1 and len(given.names) == len(tables)
    return () if of_files else given.names


def check_same(tables: Sequence[Table], name: str, columns: Sequence[NDArray[Any]]) -> None:
    """Refuse tables that differ in a column which is about the rows."""
    _check_lengths(tables, [column.size for column in columns])
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


def _check_lengths(tables: Sequence[Table], sizes: Sequence[int]) -> None:
    for table, size in zip(tables[1:], sizes[1:], strict=True):
        if size != sizes[0]:
            msg = (
                f"{table.source.path} has {counted(size, 'row')} where"
                f" {tables[0].source.path} has {sizes[0]}"
            )
            raise ColumnError(msg, hint=PAIRED)


@contextmanager
def drop_suggested() -> Iterator[None]:
    """Where a cell is refused, say that rows with empty ones can be dropped."""
    try:
        yield
    except ColumnError as error:
        if error.hint != NUMBER_HINT:
            raise
        raise ColumnError(str(error), hint=DROP) from None


def read_tables(
    given: Given,
    *,
    numbers: Sequence[str],
    names: Sequence[str],
    stated: Sequence[str],
    words: frozenset[str] = EMPTY_WORDS,
) -> tuple[list[Table], list[Input], Unscored | None]:
    """Read all tables without the rows to drop: those that lack a truth or what is stated of it.

    `words` are those that stand for no truth in a text file.
    """
    tables, inputs = _all_tables(given, numbers=numbers, names=names)
    if given.columns.missing == "error":
        return tables, inputs, None
    unscored = _unscored(tables, given.columns.y, stated, words)
    if not unscored.rows.any():
        return tables, [_counted(each, 0) for each in inputs], None
    if unscored.rows.all():
        msg = f"{tables[0].source.path} has no row with a truth and something stated by all systems"
        raise ColumnError(msg, hint="fill the columns in, or name others")
    kept = [table.keep(~unscored.rows) for table in tables]
    return kept, [_counted(each, unscored.n_rows) for each in inputs], unscored


def _counted(given: Input, n_unscored: int) -> Input:
    return msgspec.structs.replace(given, counts={"n_unscored": n_unscored})


def _unscored(
    tables: Sequence[Table], y: str, stated: Sequence[str], words: frozenset[str]
) -> Unscored:
    """Find the rows that lack a truth, or what one of the systems states of it."""
    n_rows = [table.rows(y, *stated) for table in tables]
    _check_lengths(tables, n_rows)
    truths = [~table.empty(y, words=words) for table in tables]
    held = [
        {name: truth & ~table.empty(name) for name in stated}
        for table, truth in zip(tables, truths, strict=True)
    ]
    every = [rows for of_table in held for rows in of_table.values()]
    counts = tables[0].counts
    size = ones(n_rows[0]) if counts is None else counts
    return Unscored(~np.logical_and.reduce(every), size, held)


def _all_tables(
    given: Given, *, numbers: Sequence[str], names: Sequence[str]
) -> tuple[list[Table], list[Input]]:
    """Read all tables, and the truth where it stands in a file of its own."""
    tables = [
        each if isinstance(each, Table) else _read(each, numbers=numbers, names=names)
        for each in given.sources[TABLE]
    ]
    y = given.columns.y
    inputs = [_input(TABLE, table) for table in tables]
    if not y.lower().endswith(ARRAY_FILES) or any(y in table.columns for table in tables):
        return tables, inputs
    truth = _read(y)
    values = truth.cells("array")
    whole = [
        replace(table, columns=ChainMap({y: values}, table.columns))  # type: ignore[arg-type]  # nothing is written
        for table in tables
    ]
    return whole, [*inputs, _input("truth", truth)]


def _read(path: str, *, numbers: Sequence[str] = (), names: Sequence[str] = ()) -> Table:
    """Read a table; a file name that is not UTF-8 is spelled so that it can be written down."""
    table = read_table(path, numbers=numbers, names=names)
    spelled = table.source.path.encode(errors="backslashreplace").decode()
    return replace(table, source=replace(table.source, path=spelled))


def _input(role: str, table: Table) -> Input:
    path, sha256, kind = table.source.path, table.source.sha256, table.source.format
    return Input(role=role, path=path, sha256=sha256, format=kind, n_rows=table.n_rows)


def system_names(
    tables: Sequence[Table], columns: Sequence[str], given: Sequence[str]
) -> list[list[str]]:
    """Name systems as they are called, else by file, by columns, by both, or by number."""
    n = len(columns)
    if len(given) == n * len(tables):
        return [list(given[first : first + n]) for first in range(0, len(given), n)]
    by_file = told_apart([table.source.path for table in tables])
    if len(tables) == 1 and (n > 1 or tables[0].source.sha256 is None):
        return [list(columns)]
    if n == 1:
        return [[name] for name in by_file]
    return [[f"{file} {column}" for column in columns] for file in by_file]
