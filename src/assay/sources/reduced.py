"""Tables that an engine has counted: every combination of cells once, and how often it occurs.

The engine does the GROUP BY and nothing else. What comes back is a table with counts, from which
the same numbers are computed as from all rows: sums of whole counts, so that neither partitions nor
the order of rows change a digit.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ArtifactError, UsageError
from assay.showing import quoted
from assay.sources.choosing import asked_engine, reduces, used
from assay.sources.column import Coded
from assay.sources.content import check_memory, fault, suffix_of
from assay.sources.engine import coded, connected, engine_faults, engine_version, from_csv
from assay.sources.formats.comma_separated import with_points
from assay.sources.parquet_files import ParquetFiles
from assay.sources.table import IN_MEMORY, SEVERAL, cells_of, stamps
from assay.sources.table_files import CsvFiles, digest_of, found_files
from assay.sources.tabular import Source, Table

if TYPE_CHECKING:
    from assay.sources.tabular import Cells

__all__ = ["counted_frame", "counted_table", "is_lazy"]

Wanted = Callable[[Sequence[str]], Sequence[str]]
"""picks the columns that are needed, of those that there are"""
COUNT = "assay_count"
CELL_BYTES = 8
READ = (".csv", ".tsv", ".parquet")


def counted_table(path: str, wanted: Wanted) -> Table | None:
    """Count the rows of files in the engine; None: they are for memory."""
    several = found_files(path, SEVERAL)
    files = several or (path,)
    if path == "-" or not reduces(files):
        return None
    kind = suffix_of(files[0])
    if kind not in READ:
        if asked_engine() != "duckdb":
            return None
        msg = f"{path} cannot be counted outside of memory"
        raise UsageError(msg, hint=f"DuckDB does so with {', '.join(READ)}; engine memory reads it")
    before = stamps(files, path)
    columns, counts = (_parquet if kind == ".parquet" else _csv)(path, files, wanted)
    digest = digest_of(files)
    if stamps(files, path) != before:
        raise ArtifactError(f"{path} changed while it was read", hint="read a copy of it")
    used("duckdb", engine_version())
    form = "parquet" if kind == ".parquet" else "csv"
    return _table(columns, counts, Source(path, digest, form))


def _table(columns: dict[str, Cells], counts: Any, source: Source) -> Table:
    def place(row: int) -> str:
        held = ", ".join(f"{name} {quoted(cells[row])}" for name, cells in columns.items())
        return f"a row of {held}"

    return Table(columns, place, source, counts=counts)


def _csv(path: str, files: Sequence[str], wanted: Wanted) -> tuple[dict[str, Cells], Any]:
    origin = CsvFiles.of(path, files)
    if origin is None:
        msg = f"{path} cannot be counted outside of memory"
        raise UsageError(msg, hint="its files need one dialect, several columns and UTF-8 names")
    names = list(wanted(origin.header))
    query = f"SELECT {from_csv(origin.spelled, names)}"
    batches = _counted(path, query, list(origin.spelled.files), len(names))
    commas = origin.spelled.separator == ","
    columns: dict[str, Cells] = {}
    for place, name in enumerate(names):
        own = coded([batch.column(place) for batch in batches])
        columns[name] = own if commas else Coded(own.code, list(with_points(own.distinct)))
    return columns, _sizes(batches)


def _parquet(path: str, files: Sequence[str], wanted: Wanted) -> tuple[dict[str, Cells], Any]:
    origin = ParquetFiles.of(path, files, cells_of)
    if origin is None:
        raise ArtifactError(f"{path} is not a readable Parquet file", hint="copy it again")
    names = list(wanted(origin.header))
    asked = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    query = f"SELECT {asked} FROM read_parquet(?)"  # noqa: S608 - names are quoted
    batches = _counted(path, query, origin.files, len(names))
    frame = importlib.import_module("pyarrow").Table.from_batches(batches) if batches else None
    if frame is None:
        return {name: [] for name in names}, np.zeros(0)
    return cells_of(frame.select(list(range(len(names)))).rename_columns(names)), _sizes(batches)


def _counted(path: str, query: str, files: list[str], n_columns: int) -> list[Any]:
    """Count in the engine; the order of what comes back does not depend on how it was done."""
    arrow = importlib.import_module("pyarrow")
    whole = f"SELECT *, count(*) AS {COUNT} FROM ({query}) GROUP BY ALL ORDER BY ALL"  # noqa: S608 - as made above
    batches, n_rows = [], 0
    try:
        with connected(path) as connection:
            relation = connection.sql(whole, params=[files])
            for batch in arrow.RecordBatchReader.from_stream(relation):
                batches.append(batch)
                n_rows += batch.num_rows
                check_memory(path, n_rows * (n_columns + 1) * CELL_BYTES, " once counted")
    except engine_faults() as error:
        reason = fault(str(error).strip().partition("\n")[0])
        msg = f"{path} cannot be read: {reason}"
        raise ArtifactError(msg, hint="read without an engine it may say more") from None
    return batches


def _sizes(batches: Sequence[Any]) -> Any:
    counts = [batch.column(batch.num_columns - 1).to_numpy() for batch in batches]
    return np.concatenate(counts).astype(np.float64) if counts else np.zeros(0)


def is_lazy(frame: Any) -> bool:
    """Say whether data are a frame whose engine has not collected it."""
    import narwhals as nw  # noqa: PLC0415 - slow to import, and text files need none of it

    return isinstance(nw.from_native(frame, pass_through=True), nw.LazyFrame)


def counted_frame(frame: Any, wanted: Wanted, *, by_row: bool) -> Table:
    """Let the engine of a lazy frame count its rows, or hand out the needed columns row by row."""
    import narwhals as nw  # noqa: PLC0415 - as above

    lazy = nw.from_native(frame).lazy()
    names = list(wanted(lazy.collect_schema().names()))
    chosen = lazy.select(names)
    if not by_row:
        chosen = chosen.group_by(names).agg(nw.len().alias(COUNT)).sort(names)
    whole = chosen.collect("pyarrow").to_native()
    backend = str(lazy.implementation.name).lower()
    version = ".".join(map(str, lazy.implementation._backend_version()))  # noqa: SLF001 - the only way
    used(backend, version)
    sizes = None if by_row else whole.column(COUNT).to_numpy().astype(np.float64)
    columns = cells_of(whole.select(names))
    return _table(columns, sizes, Source(IN_MEMORY, None, "frame"))
