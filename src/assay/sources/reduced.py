"""Tables that an engine has reduced: files in DuckDB or Spark, and frames that are not collected.

The engine does the GROUP BY and nothing else. What comes back is a table with counts, from which
the same numbers are computed as from all rows.
"""

from __future__ import annotations

import csv
import importlib
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import ArtifactError, AssayError, ColumnError, UsageError
from assay.showing import listed
from assay.sources.column import EMPTY_WORDS
from assay.sources.content import check_memory, fault, load, suffix_of
from assay.sources.engine import (
    POINTED,
    MixedDecimalsError,
    Spelled,
    asked_engine,
    asked_master,
    connected,
    csv_query,
    engine_faults,
    is_of_cells,
    mixed_query,
    reduces,
    used,
)
from assay.sources.formats.comma_separated import csv_texts
from assay.sources.formats.json_lines import cell_text, number_text, streamed_rows
from assay.sources.table import IN_MEMORY, SEVERAL, ParquetFiles, stamps
from assay.sources.table_files import CsvFiles, digest_of, found_files, numbered_rows
from assay.sources.tabular import Table
from assay.sources.unit_files import as_table
from assay.sources.unit_table import Reduction, UnitTable, Wanted, reduced

Reducing = Callable[[Sequence[str]], Reduction]
"""says what is needed, of the columns that there are"""
Joining = Callable[[Sequence[Any]], Any]
"""makes one frame of several"""
FORMS = {".csv": "csv", ".tsv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
CELL_BYTES = 8
WHOLE = r"[+-]?[0-9]+([eE][+-]?[0-9]+)?|[+-]?inf(inity)?"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The files of one table, what is needed of them, and how DuckDB gets it."""

    path: str
    files: Sequence[str]
    form: str
    how: Reduction
    read: Callable[[Any], Any] | None
    """None: not as they are"""
    copied: Callable[[str], Callable[[Any], Any]] | None = None
    """reads them as small files, into a folder"""


def path_units(path: str, reducing: Reducing, wanted: Wanted) -> UnitTable | None:
    """Reduce files in an engine; None: they are for memory."""
    several = found_files(path, SEVERAL)
    files = several or (path,)
    if path == "-" or not reduces(files):
        return None
    form = _form(path, files)
    if form is None:
        return None
    before = stamps(files, path)
    if asked_engine() == "spark":
        units = _spark(files, reducing, wanted)
    else:
        units = in_duckdb([rows_of(path, files, form, reducing)], path, wanted)
    digest = digest_of(files)
    if stamps(files, path) != before:
        raise ArtifactError(f"{path} changed while it was read", hint="read a copy of it")
    about = msgspec.structs.replace(
        units.about, path=path, sha256=digest, source=form, from_file=True
    )
    return UnitTable(units.table, about)


def _form(path: str, files: Sequence[str]) -> str | None:
    """Return what files are; None: nobody asked for an engine, and they are none that it reads."""
    form = FORMS.get(suffix_of(files[0]), "")
    read = ("csv", "parquet") if asked_engine() == "spark" else ("csv", "jsonl", "parquet")
    if form in read:
        return form
    if asked_engine() == "auto":
        return None
    msg = f"{path} cannot be reduced outside of memory"
    known = ", ".join(suffix for suffix, each in FORMS.items() if each in read)
    raise UsageError(msg, hint=f"engines read {known}; engine memory reads it")


def rows_of(path: str, files: Sequence[str], form: str, reducing: Reducing) -> Rows:
    """Look at the columns of files."""
    by_form = {"csv": _csv, "jsonl": _json_lines, "parquet": _parquet}
    return by_form[form](path, files, reducing)


def in_duckdb(
    tables: Sequence[Rows],
    path: str,
    wanted: Wanted,
    joined: Joining = lambda frames: frames[0],
    how: Reduction | None = None,
) -> UnitTable:
    """Reduce files in DuckDB; where it cannot read them as they are, by the rules of small files.

    These are blank lines, empty cells beyond the last, and numbers that are none.
    """
    whole = tables[0].how if how is None else how
    readers = [each.read for each in tables]
    with suppress(MixedDecimalsError, UnreadableError):
        if None not in readers:
            return _counted(path, [r for r in readers if r], joined, whole, wanted)
    if not any(each.copied for each in tables):
        return _counted(path, [r for r in readers if r], joined, whole, wanted)
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        read: list[Callable[[Any], Any] | None] = []
        for number, each in enumerate(tables):
            own = Path(folder) / str(number)
            own.mkdir()
            read += [each.read] if each.copied is None else [each.copied(str(own))]
        return _counted(path, [r for r in read if r], joined, whole, wanted)


def _origin(files: Sequence[str], path: str) -> CsvFiles:
    """Look at the headers of CSV files, or say what is wrong with them."""
    origin = CsvFiles.of(path, files)
    if origin is None:
        for file in files:
            deque(numbered_rows(file, file), maxlen=0)
        msg = f"{path} cannot be reduced outside of memory"
        raise UsageError(
            msg, hint="its files need one dialect, line feeds, several columns and UTF-8 names"
        )
    return origin


def _csv(path: str, files: Sequence[str], reducing: Reducing) -> Rows:
    origin = CsvFiles.of(path, files)
    parts = [origin] if origin else _parts(path, files)
    how = _known(reducing(parts[0].header), parts[0].header, path)
    names = [name for name in (how.cluster, *how.keys, *how.joined) if name is not None]
    asked = list(dict.fromkeys(names)), list(dict.fromkeys(numbers_of(how)))

    def copied(folder: str) -> Callable[[Any], Any]:
        copies = [part.copied(f"{folder}/{n}.csv", *asked) for n, part in enumerate(parts)]
        whole = replace(copies[0], files=tuple(each.files[0] for each in copies))
        return lambda engine: _csv_frame(engine, whole, asked)

    read = None if origin is None else lambda engine: _csv_frame(engine, origin.spelled, asked)
    return Rows(path, files, "csv", how, read, copied)


def _parts(path: str, files: Sequence[str]) -> list[CsvFiles]:
    """Look at every file by itself: columns in another order, other dialects, no rows."""
    if len(files) == 1:
        return [_origin(files, path)]
    found = [CsvFiles.of(path, files, number) for number in range(len(files))]
    read = [each for each in found if each is not None]
    if not read:
        return [_origin(files, path)]
    for file, own in zip(files, found, strict=True):
        texts = csv_texts(load(file)) if own is None else None
        if texts is not None and texts.n_rows:
            return [_origin(files, path)]
        header = own.spelled.header if own else texts.columns if texts else ()
        if {*header} != {*read[0].spelled.header}:
            msg = f"{file} does not have the columns of {files[found.index(read[0])]}"
            raise ArtifactError(msg, hint="files that are one table have the same columns")
    return read


def _json_lines(path: str, files: Sequence[str], reducing: Reducing) -> Rows:
    """Copy the columns that are needed, line by line, into a file that the engine reads.

    Engines take other texts for JSON, and the first of two keys: the rules of small files hold.
    """
    header = list(dict.fromkeys(key for _, row in streamed_rows(files, path) for key in row))
    how = _known(reducing(header), header, path)
    named = (how.cluster, *how.keys, *how.joined)
    names = list(dict.fromkeys(n for n in named if n is not None))
    numbers = list(dict.fromkeys(numbers_of(how)))

    def copied(folder: str) -> Callable[[Any], Any]:
        whole = str((Path(folder) / "copy.csv").absolute())
        ids = {how.cluster, *how.joined}
        with open(whole, "w", encoding="utf-8", newline="") as stored:  # noqa: PTH123 - as above
            written = csv.writer(stored, quoting=csv.QUOTE_ALL)
            written.writerow([*names, *numbers, ""])
            for where, row in streamed_rows(files, path):
                texts = [cell_text(row.get(n), where, n, is_id=n in ids) for n in names]
                written.writerow(
                    [*texts, *(number_text(row.get(n), where, n) for n in numbers), ""]
                )
        copy = Spelled((whole,), (*names, *numbers, ""), ",", "none")
        return lambda engine: _csv_frame(engine, copy, (names, numbers))

    return Rows(path, files, "jsonl", how, None, copied)


class UnreadableError(ArtifactError):
    """The engine cannot take a file apart, or does not find numbers in it."""


def _csv_frame(
    connection: Any, spelled: Spelled, asked: tuple[Sequence[str], Sequence[str]]
) -> Any:
    """Return columns of texts and of numbers; not where a comma may be a decimal mark or none."""
    files = [list(spelled.files)]
    if spelled.separator != "," and asked[1]:
        query = mixed_query(spelled, asked[1])
        if connection.sql(query, params=files).fetchall()[0][0]:
            raise MixedDecimalsError
    return connection.sql(csv_query(spelled, *asked), params=files)


def _parquet(path: str, files: Sequence[str], reducing: Reducing) -> Rows:
    origin = ParquetFiles.of(path, files)
    if origin is None:
        raise ArtifactError(f"{path} is not a readable Parquet file", hint="copy it again")
    how = _known(reducing(origin.header), origin.header, path)
    return Rows(path, files, "parquet", how, origin.relation)


def _counted(
    path: str,
    readers: Sequence[Callable[[Any], Any]],
    joined: Joining,
    how: Reduction,
    wanted: Wanted,
) -> UnitTable:
    try:
        with connected(path) as connection:
            frame = joined([read(connection) for read in readers])
            return reduced(frame, _numeric(frame, how, path), wanted)
    except engine_faults() as error:
        reason = fault(str(error).strip().partition("\n")[0])
        msg = f"{path} cannot be read: {reason}"
        kind = UnreadableError if is_of_cells(error) else ArtifactError
        raise kind(msg, hint="read without an engine it may say more") from None


def _spark(files: Sequence[str], reducing: Reducing, wanted: Wanted) -> UnitTable:
    """Let a Spark session read files: the one that is there, or one of the master that is named."""
    try:
        sql = importlib.import_module("pyspark.sql")
    except ImportError:
        msg = "the engine spark needs PySpark and Java"
        raise UsageError(msg, hint="pip install pyspark, or choose engine duckdb") from None
    master, builder = asked_master(), sql.SparkSession.builder
    session = sql.SparkSession.getActiveSession()
    if session is None and master is None:
        msg = "there is no Spark session, and no master was named"
        raise UsageError(msg, hint="name one in `master`, as in local[2], or start a session")
    session = session or builder.master(master).getOrCreate()
    if suffix_of(files[0]) == ".parquet":
        return frame_units(session.read.parquet(*files), reducing, wanted)
    origin = _origin(files, wanted.path)
    header = [*filter(None, origin.spelled.header)]
    how = _known(reducing(header), header, wanted.path)
    return frame_units(_spark_csv(session, origin, numbers_of(how)), reducing, wanted, texts=True)


def _spark_csv(session: Any, origin: CsvFiles, numbers: Sequence[str]) -> Any:
    """Return CSV files as Spark reads them, with numbers spelled as we take them for numbers."""
    of = importlib.import_module("pyspark.sql.functions")
    spelled = origin.spelled
    dialect = {
        "sep": spelled.separator,
        "quote": '"',
        "escape": '"',
        "ignoreLeadingWhiteSpace": True,
    }
    read = session.read.csv(
        list(spelled.files), header=True, multiLine=True, mode="FAILFAST", **dialect
    )
    places = [f"c{place}" for place in range(len(spelled.header))]
    read, columns = read.toDF(*places), []
    for place, name in zip(places, spelled.header, strict=True):
        text = of.coalesce(of.col(place), of.lit(""))
        if name in numbers:
            comma = spelled.separator != "," and not read.filter(text.rlike(f"^{POINTED}$")).take(1)
            pointed = of.trim(of.regexp_replace(text, ",", ".") if comma else text)
            odd = of.concat(of.lit("not a number: "), text)
            value = of.when(pointed.rlike(f"(?i)^({POINTED}|{WHOLE})$"), pointed.cast("double"))
            empty = of.lower(of.trim(text)).isin(*sorted(EMPTY_WORDS | {""}))
            text = of.when(~empty, value.otherwise(of.raise_error(odd).cast("double")))
        if name:
            columns.append(text.alias(name))
    return read.select(*columns)


def _known(how: Reduction, header: Sequence[str], path: str) -> Reduction:
    """Refuse columns that are not there, or leave them out where they need not be."""

    def there(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name in names if name in header))

    asked = (how.cluster, *how.keys, *numbers_of(how))
    missing = [name for name in asked if name is not None and name not in header]
    if missing and not how.optional:
        msg = f"{path} has no column `{missing[0]}`"
        raise ColumnError(msg, hint=f"its columns are {listed(header)}")
    return replace(
        how,
        keys=there(how.keys),
        ranked=there(how.ranked),
        summed=there(how.summed),
        cluster=how.cluster if how.cluster in header else None,
        joined=there(how.joined),
    )


def numbers_of(how: Reduction) -> list[str]:
    """Return the columns of numbers."""
    spans = how.spans
    bounds = [] if spans is None else [spans.truth, *(b for pair in spans.pairs for b in pair)]
    return [*how.ranked, *how.summed, *bounds]


def _numeric(frame: Any, how: Reduction, path: str) -> Reduction:
    """Keep columns that hold no numbers as they are, so that they are refused as in memory."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - slow to import, and text files need none of it

    kinds = nw.from_native(frame).lazy().collect_schema()
    odd = [name for name in numbers_of(how) if not kinds[name].is_numeric()]
    if odd and how.spans is not None:
        msg = f"{path}: `{odd[0]}` must hold finite numbers, found {kinds[odd[0]]}"
        raise ColumnError(msg, hint="cast the column to numbers")
    return replace(
        how,
        keys=(*how.keys, *odd),
        ranked=tuple(name for name in how.ranked if name not in odd),
        summed=tuple(name for name in how.summed if name not in odd),
    )


def is_lazy(frame: Any) -> bool:
    """Say whether data are a frame whose engine has not collected it."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

    with suppress(nw.exceptions.NarwhalsError):  # said in words by whoever reads it
        return isinstance(nw.from_native(frame, pass_through=True), nw.LazyFrame)
    return False


def frame_units(
    frame: Any, reducing: Reducing, wanted: Wanted, *, texts: bool = False
) -> UnitTable:
    """Let the engine of a lazy frame reduce its rows."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

    try:
        header = nw.from_native(frame).lazy().collect_schema().names()
        how = _known(reducing(header), header, wanted.path)
        units = reduced(frame, how if texts else _numeric(frame, how, wanted.path), wanted)
    except AssayError:
        raise
    except Exception as error:
        # Engines have no class of errors in common, and some of theirs carry a whole stack.
        reason = fault(str(error).strip().partition("\n")[0])
        msg = f"{wanted.path} cannot be reduced by its engine: {reason}"
        raise ArtifactError(msg, hint="the engine's own error is the cause of this one") from error
    return UnitTable(units.table, msgspec.structs.replace(units.about, path=wanted.path))


def table_of_units(units: UnitTable) -> Table:
    """Return the table that families score, and note which engine made it."""
    used(*units.about.engine)
    return as_table(units)


def lazy_of(frame: Any) -> Any:
    """Return a frame that is in memory as a lazy one."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

    try:
        return nw.from_native(frame).lazy("duckdb").to_native()
    except TypeError:
        msg = f"a unit table is made of a frame or a file, found {type(frame).__name__}"
        raise UsageError(
            msg, hint="name a file, or give a frame of polars, DuckDB, Spark..."
        ) from None


def rows_of_frame(frame: Any, names: Sequence[str]) -> Table:
    """Take columns of a lazy frame into memory, row by row: those of some names, if any."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

    from assay.sources.table import from_frame  # noqa: PLC0415 - as above

    lazy = nw.from_native(frame).lazy()
    header = lazy.collect_schema().names()
    usual = {"participant", "prediction", "truth", "count", "group", "success", "confidence"}
    names = [name for name in header if name in {*names, *usual}] or header
    version = ".".join(map(str, lazy.implementation._backend_version()))  # noqa: SLF001 - the only way
    used(str(lazy.implementation.name).lower(), version)
    n_rows = lazy.select(nw.len().alias("n")).collect("pyarrow").to_native().to_pylist()[0]["n"]
    check_memory(IN_MEMORY, n_rows * len(names) * CELL_BYTES, " as rows")
    table = from_frame(lazy.select(names).collect("pyarrow").to_native())
    return replace(table, source=replace(table.source, path=IN_MEMORY))
