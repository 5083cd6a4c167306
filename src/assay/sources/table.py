"""Files, data frames and arrays become a `Table`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ArtifactError, ColumnError, UsageError
from assay.floats import present, unmasked
from assay.showing import inert, named, quoted, shortened
from assay.sources.column import Cells, LazyColumn, Nullable, arrow_values
from assay.sources.content import Content, check_memory, fault, load, suffix_of
from assay.sources.engine import (
    connected,
    engine_faults,
    engine_is_here,
    in_query,
    partitioned,
)
from assay.sources.names import LARGEST_ID
from assay.sources.table_files import (
    CsvFiles,
    FileColumn,
    digest_of,
    folders_of,
    found_files,
    in_engine,
)
from assay.sources.tabular import Source, Table

if TYPE_CHECKING:
    import narwhals as nw
    from numpy.typing import ArrayLike, NDArray

IN_MEMORY = "data"
"""what frames and arrays, which have no path, are called in messages"""

DOUBLE = np.dtype(np.float64).itemsize
TEXTS = (".csv", ".tsv")
LINES = (".jsonl", ".ndjson")
DIGITS = 18
"""of decimals that are whole numbers of 64 bits"""
SEVERAL = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
"""formats of which several files may be one table"""
PLAINLY = (date, Decimal, Enum)
BY_TEXT = {"Interval", "Period", "Timedelta", "UUID", "time", "timedelta"}
"""types of cells, of pandas too, that are known by what they look like"""
CELL_BYTES = 8
NUMBER = "NUMBER"
NUMERIC = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL|NUMBER)\b")
COUNTED = "SELECT file_name, num_rows FROM parquet_file_metadata(?)"
UNREADABLE = (TypeError, ValueError, ArithmeticError, LookupError, NotImplementedError)
"""what the libraries raise over a cell or a name that they cannot hand out"""
LONGEST_REASON = 200
FRAMES = "give a pandas, polars or pyarrow frame, a dictionary of arrays, or a DuckDB relation"


def read_table(path: str, *, numbers: Sequence[str] = (), names: Sequence[str] = ()) -> Table:
    """Read CSV, JSON lines, Parquet, .npz or .npy, each also with .gz or .zst.

    A path may also be a pattern or a folder: files of one kind that are one table. "-" is standard
    input. Of large files only the columns are read that are asked for; those that are known to be
    are best named here, by what they will be read as.
    """
    found = columnar(path, numbers=numbers, names=names)
    return table_of(load(path)) if found is None else found


def columnar(path: str, *, numbers: Sequence[str] = (), names: Sequence[str] = ()) -> Table | None:
    """Open files that the engine reads, with some columns; None: a file for the plain reader."""
    several = found_files(path, SEVERAL)
    if several is None and path != "-" and suffix_of(path) in LINES:
        return _lines(path, (*numbers, *names))
    if several is None and not in_engine(path):
        return None
    files = several or (path,)
    before = stamps(files, path)
    with ThreadPoolExecutor(1) as pool:
        digest = pool.submit(digest_of, files)
        table = _opened(path, files)
        if table is not None:
            table.fetch(numbers=numbers, names=names)
            table = replace(table, source=replace(table.source, sha256=digest.result()))
    if stamps(files, path) != before:
        raise ArtifactError(f"{path} changed while it was read", hint="read a copy of it")
    return table


def _lines(path: str, names: Sequence[str]) -> Table | None:
    """Read the keys of JSON lines that are asked for; None: the file holds something else."""
    from assay.sources.formats import format_of  # noqa: PLC0415 - formats are made of tables

    content = load(path)
    form = format_of(content, "items")
    return form.read(content, names) if form.name == "jsonl" else None


def stamps(files: Sequence[str], path: str) -> list[tuple[int, int]]:
    """Return what changes when a file is written."""
    try:
        found = [Path(each).stat() for each in files]
    except (OSError, ValueError) as error:
        msg = f"{path!r} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise ArtifactError(msg, hint="check the spelling; - is standard input") from None
    return [(status.st_size, status.st_mtime_ns) for status in found]


def _opened(path: str, files: Sequence[str]) -> Table | None:
    kind = suffix_of(files[0])
    if kind == ".parquet" and engine_is_here():
        parquet = ParquetFiles.of(path, files)
        if parquet is None:
            return None
        columns = {name: LazyColumn(parquet, name) for name in parquet.header}
        return Table(columns, parquet.place, Source(path, None, "parquet"))
    texts = CsvFiles.of(path, files) if kind in TEXTS and engine_is_here() else None
    if texts is not None:
        own = {name: FileColumn(texts, name) for name in texts.header}
        return Table(own, texts.place, Source(path, None, "csv"))
    return None if len(files) == 1 else _together(path, files)


def cells_of(frame: Any) -> dict[str, Cells]:
    """Take a frame apart into cells by name."""
    return frame_columns(frame, path=IN_MEMORY)


def _together(path: str, files: Sequence[str]) -> Table:
    """Put tables of several files below each other; they must have the same columns."""
    tables = [table_of(load(file)) for file in files]
    names = dict.fromkeys(name for table in tables for name in table.columns)
    for table in () if suffix_of(files[0]) in LINES else tables:
        if {*table.columns} != {*tables[0].columns}:
            msg = f"{table.source.path} does not have the columns of {tables[0].source.path}"
            raise ArtifactError(msg, hint="files that are one table have the same columns")
    ends = np.cumsum([table.n_rows for table in tables])

    def place(row: int) -> str:
        which = int(np.searchsorted(ends, row, side="right"))
        inside = row - int(ends[which]) + tables[which].n_rows
        return f"{Path(files[which]).name}, {tables[which].place(inside)}"

    # A key that a line does not have is missing there, in whichever file.
    columns: dict[str, Cells] = {
        name: [cell for table in tables for cell in table.columns.get(name, [None] * table.n_rows)]
        for name in names
    }
    for name, values in folders_of(path, files).items():
        if name not in columns:
            both = zip(tables, values, strict=True)
            columns[name] = [value for table, value in both for _ in range(table.n_rows)]
    return Table(columns, place, Source(path, None, tables[0].source.format))


def table_of(content: Content) -> Table:
    """Take a loaded file apart into columns."""
    from assay.sources.formats import format_of  # noqa: PLC0415 - formats are made of tables

    form = format_of(content)
    if form.gives != "table":
        msg = f"{content.path} is a {form.name} file, not a table of columns"
        raise UsageError(msg, hint="a table has one row per line, in CSV or JSON lines")
    table: Table = form.read(content)
    return table


def row_place(row: int) -> str:
    """Name a row where there are no lines."""
    return f"row {row}"


def from_frame(frame: Any) -> Table:
    """Take a pandas, polars or pyarrow frame, or a dictionary of arrays, apart into columns.

    Examples
    --------
    >>> import pandas as pd
    >>> table = from_frame(pd.DataFrame({"y": ["a", "b"], "p": [0.2, 0.9]}))
    >>> table.labels("y"), table.numbers("p").tolist()
    (['a', 'b'], [0.2, 0.9])
    """
    if isinstance(frame, dict):
        return from_columns(**{str(name): values for name, values in frame.items()})
    return frame_table(frame, Source(IN_MEMORY, None, "frame"))


def frame_table(frame: Any, source: Source) -> Table:
    """Take a frame from anywhere apart into columns."""
    return Table(frame_columns(frame, path=source.path), row_place, source)


def _series(series: nw.Series[Any]) -> Cells:
    import narwhals as nw  # noqa: PLC0415 - slow to import, and text files need none of it

    if series.dtype.is_numeric():
        if series.dtype == nw.Decimal and _is_whole(series.to_native()):
            series = series.cast(nw.Int64)
        series = series if series.dtype.is_integer() else series.cast(nw.Float64)
        if series.null_count() == 0:
            return _array(series)
        return Nullable(_array(series.fill_null(0)), _array(series.is_null()).astype(np.bool_))
    empty = series.is_null().to_list()  # null is not NaN, and only lists hold both
    cells = _plain_cells(series.to_list())
    return [None if null else cell for cell, null in zip(cells, empty, strict=True)]


def _plain_cells(cells: list[Any]) -> list[Any]:
    """Spell dates, decimals and the like as files do: by the day where it begins, as a number."""
    kinds = {*map(type, cells)}
    if not any(issubclass(each, PLAINLY) or each.__name__ in BY_TEXT for each in kinds):
        return cells
    return [*map(_plain_cell, cells)]


def _plain_cell(cell: Any) -> Any:
    if isinstance(cell, Decimal) and not cell.is_snan():
        number = float(cell)
        return int(cell) if number.is_integer() and abs(number) < LARGEST_ID else number
    if isinstance(cell, Enum):
        return cell.value if isinstance(cell, str | int) else str(cell)
    spelled = isinstance(cell, date) or type(cell).__name__ in BY_TEXT
    return str(cell).removesuffix(" 00:00:00") if spelled else cell


def _is_whole(native: Any) -> bool:
    """Say whether decimals have no places behind the point, and fit into 64 bits."""
    kind = native.dtype if hasattr(native, "dtype") else native.type
    return getattr(kind, "scale", 1) == 0 and kind.precision <= DIGITS


def _array(series: nw.Series[Any]) -> NDArray[Any]:
    if not series.implementation.is_pyarrow():
        return series.to_numpy()
    chunks = [arrow_values(each) for each in series.to_native().chunks]
    return np.concatenate(chunks) if chunks else np.empty(0)


def from_columns(**arrays: ArrayLike | None) -> Table:
    """Take arrays, series or lists under names; those that are None are left out.

    Examples
    --------
    >>> table = from_columns(y=[1, 0], p=[[0.1, 0.9], [0.8, 0.2]])
    >>> table.wide(["p"]).shape, table.rows("y", "p")
    ((2, 2), 2)
    """
    columns = {name: _column(name, each) for name, each in arrays.items() if each is not None}
    return Table(columns, row_place, Source(IN_MEMORY, None, "arrays"))


def _column(name: str, values: Any) -> Cells:
    import narwhals as nw  # noqa: PLC0415 - as above

    series = nw.from_native(values, series_only=True, pass_through=True)
    if type(series) is nw.Series:
        return _series(series)
    cells = np.asarray(unmasked(values)) if hasattr(values, "__array__") else values
    if isinstance(cells, np.ndarray):
        cells = plain_array(cells)
    is_lazy = hasattr(type(cells), "columns")  # a frame that holds its values is an array by now
    if is_lazy or not np.iterable(cells) or isinstance(cells, str | bytes | Mapping):
        found = f"a value of the type {type(values).__name__}" if is_lazy else quoted(values)
        msg = f"{named(name)} must hold one value per row, found {found}"
        hint = "give an array, a series or a list"
        raise ColumnError(msg, hint="a frame is `data`, and names its columns" if is_lazy else hint)
    if isinstance(cells, np.ndarray) and not (cells.dtype.hasobject and cells.ndim == 1):
        return cells
    listed = list(cells)
    plain = _plain_cells(present(listed) or listed)
    return cells if plain is listed and isinstance(cells, np.ndarray) else plain


def plain_array(cells: NDArray[Any]) -> NDArray[Any] | list[Any]:
    """Return numbers that are longer than doubles as these, and times as texts."""
    if cells.dtype.kind != "M" or cells.ndim > 1:
        with np.errstate(over="ignore"):  # what is too long is infinite, and said to be so
            longer = cells.dtype.kind == "f" and cells.itemsize > DOUBLE
            return cells.astype(np.float64) if longer else cells
    spelled = np.datetime_as_string(cells, unit="auto").tolist()
    minutes = len("2026-01-31T23:59")
    full = (f"{each}:00" if len(each) == minutes else each for each in spelled)
    return [None if each == "NaT" else each.replace("T", " ") for each in full]


@dataclass(slots=True, eq=False)
class ParquetFiles:
    """Files that are one table, and the columns of them that were read."""

    path: str
    """as it was given"""
    files: list[str]
    header: tuple[str, ...]
    counts: list[int]
    """rows by file"""
    folders: tuple[str, ...] = ()
    """columns that folders like year=2026 stand for"""
    held: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, files: Sequence[str]) -> ParquetFiles | None:
        """Look at the columns of files; None where they are for the plain reader."""
        whole = [str(Path(each).absolute()) for each in files]
        folders = tuple(folders_of(path, files))
        listed = f"SELECT * FROM {_source(folders)} LIMIT 0"  # noqa: S608 - ours
        try:
            with connected(path) as connection:
                headers = [connection.execute(listed, [[each]]).description for each in whole]
                counts = [count for _, count in connection.execute(COUNTED, [whole]).fetchall()]
        except engine_faults() as error:
            if len(files) == 1:
                return None
            msg = f"{path} cannot be read as one table: {fault(str(error).partition(chr(10))[0])}"
            raise ArtifactError(
                msg, hint="files that are one table have the same columns"
            ) from None
        first = _kinds(headers[0])
        for file, header in zip(files, headers, strict=True):
            if _kinds(header) != first:
                raise _unlike(file, _kinds(header), files[0], first)
        return cls(path, whole, tuple(first), counts, folders)

    @property
    def n_rows(self) -> int:
        """The number of rows of all files."""
        return sum(self.counts)

    def fetch(self, numbers: Sequence[str], names: Sequence[str]) -> None:
        """Read columns in one scan, as far as they are not there."""
        every = dict.fromkeys((*numbers, *names))
        wanted = [name for name in every if name in self.header and name not in self.held]
        if not wanted:
            return
        check_memory(self.path, self.n_rows * len(wanted) * CELL_BYTES, " once decompressed")
        arrow = importlib.import_module("pyarrow")
        asked = ", ".join(map(in_query, wanted))
        try:
            with connected(self.path) as connection:
                relation = self.relation(connection, asked)
                frame = arrow.RecordBatchReader.from_stream(relation).read_all()
        except engine_faults() as error:
            reason = fault(str(error).strip().partition("\n")[0])
            msg = f"{self.path} is not a readable Parquet file: {reason}"
            raise ArtifactError(msg, hint="the file may be cut short; copy it again") from None
        self.held |= cells_of(frame)

    def relation(self, connection: Any, asked: str = "*") -> Any:
        """Return columns of all files as the engine reads them."""
        query = f"SELECT {asked} FROM {_source(self.folders)}"  # noqa: S608 - names are quoted
        return connection.sql(query, params=[self.files])

    def place(self, row: int) -> str:
        """Name a row in a message; of several files also by its file."""
        if len(self.files) == 1:
            return f"row {row}"
        ends = np.cumsum(self.counts)
        file = int(np.searchsorted(ends, row, side="right"))
        inside = row - int(ends[file]) + self.counts[file]
        return f"{Path(self.files[file]).name}, row {inside}"


def _source(folders: Sequence[str]) -> str:
    return f"read_parquet(?, {partitioned(folders)})"


def _kinds(header: Any) -> dict[str, str]:
    """Return the kind of every column; all numbers are of one kind."""
    return {name: NUMBER if NUMERIC.match(str(kind)) else str(kind) for name, kind, *_ in header}


def _unlike(file: str, own: dict[str, str], other: str, theirs: dict[str, str]) -> ArtifactError:
    """Say in what a file differs from the first: the engine would fill in or convert."""
    msg = f"{file} does not have the columns of {other}"
    if own.keys() == theirs.keys():
        name = next(name for name in own if own[name] != theirs[name])
        found, needs = own[name].lower(), theirs[name].lower()
        msg = f"{file}: {named(name)} holds values of the type {found} where {other} has {needs}"
    return ArtifactError(msg, hint="files that are one table have the same columns")


def frame_columns(frame: Any, *, path: str) -> dict[str, Cells]:
    """Take a pandas, polars or pyarrow frame apart into columns by name."""
    import narwhals as nw  # noqa: PLC0415 - slow to import, and text files need none of it

    faults = (*UNREADABLE, nw.exceptions.NarwhalsError)
    try:
        given = nw.from_native(frame)
        # What is lazy, such as a DuckDB relation, is computed here.
        native = given.collect() if isinstance(given, nw.LazyFrame) else given
        names = list(native.columns)
    except faults as error:
        is_other = isinstance(error, TypeError)
        why = f"it is of the type {type(frame).__name__}" if is_other else _reason(error)
        msg = f"{path} is not a data frame that can be read: {why}"
        raise UsageError(msg, hint=FRAMES) from None
    columns: dict[str, Cells] = {}
    for number, name in enumerate(names):
        if str(name) in columns:
            msg = f"{path} has the column {quoted(name)} twice"
            raise ColumnError(msg, hint="column names must differ")
        try:
            columns[str(name)] = _series(native[:, number])
        except faults as error:
            msg = f"{path}: the column {quoted(name)} cannot be read: {_reason(error)}"
            raise ColumnError(msg, hint="save it as numbers or as texts, or leave it out") from None
    return columns


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it holds text that is not UTF-8"
    first = " ".join(str(error).strip().splitlines()[:2])
    return shortened(inert(first), LONGEST_REASON)
