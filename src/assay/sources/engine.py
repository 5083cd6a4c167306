"""Which engine takes the rows of an input; the embedded one, DuckDB, and its scan of CSV files.

DuckDB takes texts apart and turns them into numbers; what it cannot read as a number comes
back as the text it is, so that the rules of cells stay in one place.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.options import near
from assay.showing import quoted
from assay.sources.column import (
    EMPTY_WORDS,
    Coded,
    Measured,
    arrow_numbers,
    arrow_present,
    arrow_values,
)
from assay.sources.content import held_limit
from assay.surroundings import available_cores

ENGINES = ("auto", "memory", "duckdb", "spark")
MEMORY = ("memory", np.__version__)
LARGE = 10**9
"""bytes of files from which on they are reduced outside of memory, or the memory limit if less"""

_asked: ContextVar[str] = ContextVar("engine", default="auto")
_master: ContextVar[str | None] = ContextVar("master", default=None)
_exact: ContextVar[bool] = ContextVar("exact", default=False)
_used: ContextVar[tuple[str, str]] = ContextVar("used_engine", default=MEMORY)
NEEDED = ("duckdb", "pyarrow")
LONGEST_LINE = 1 << 24
PART = 1 << 20
POINTED = r"\s*[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*"
SMALLEST_LIMIT = 64 * 10**6
"""what the engine needs at the least to do anything"""


@contextmanager
def chosen_engine(name: Any) -> Iterator[None]:
    """Let an engine take the rows of tables, and note anew which one did."""
    chosen = "auto" if name is None else name
    if not isinstance(chosen, str) or chosen not in ENGINES:
        msg = f"there is no engine {quoted(chosen)}"
        hint = near(chosen, ENGINES) or f"the engines are {', '.join(ENGINES)}"
        raise UsageError(msg, hint=hint)
    before, noted = _asked.set(chosen), _used.set(MEMORY)
    try:
        yield
    finally:
        _asked.reset(before)
        _used.reset(noted)


@contextmanager
def chosen_master(name: Any) -> Iterator[None]:
    """Name the master of the Spark session that is started where there is none."""
    if name is not None and not isinstance(name, str):
        hint = "as in local[2], or the address of a cluster"
        raise UsageError(f"`master` must be a text, found {quoted(name)}", hint=hint)
    before = _master.set(name)
    try:
        yield
    finally:
        _master.reset(before)


@contextmanager
def chosen_exact(*, exact: Any) -> Iterator[None]:
    """Let engines keep every number apart, however many there are."""
    if not isinstance(exact, bool | np.bool_):
        raise UsageError(f"`exact` must be true or false, found {quoted(exact)}")
    before = _exact.set(bool(exact))
    try:
        yield
    finally:
        _exact.reset(before)


def asked_master() -> str | None:
    """Return the master that was named."""
    return _master.get()


def asked_exact() -> bool:
    """Say whether no numbers may be merged."""
    return _exact.get()


def asked_engine() -> str:
    """Return the engine that was asked for."""
    return _asked.get()


def reduces(files: Sequence[str]) -> bool:
    """Say whether files are counted in the engine, so that only counts come into memory."""
    asked = asked_engine()
    if asked != "auto":
        return asked != "memory"
    # A Path fails on names that are too long.
    held = [each for each in files if os.path.isfile(each)]  # noqa: PTH113
    size = sum(os.path.getsize(each) for each in held)  # noqa: PTH202
    return size > min(LARGE, held_limit()) and engine_is_here()


def used(name: str, version: str) -> None:
    """Note which engine took the rows."""
    _used.set((name, version))


def used_engine() -> tuple[str, str]:
    """Return which engine took the rows, and its version."""
    return _used.get()


def engine_is_here() -> bool:
    """Say whether the engine is installed."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in NEEDED)
    except (ImportError, ValueError):
        return False


def engine_faults() -> tuple[type[Exception], ...]:
    """Return what the engine raises over a file, at once or while batches come in."""
    if not engine_is_here():
        return (OSError,)
    arrow, duckdb = importlib.import_module("pyarrow"), importlib.import_module("duckdb")
    return duckdb.Error, arrow.ArrowException, OSError


def is_of_cells(error: Exception) -> bool:
    """Say whether what the engine raised is about the cells of a file."""
    duckdb = importlib.import_module("duckdb")
    return isinstance(error, (duckdb.InvalidInputException, duckdb.ConversionException))


@contextmanager
def connected(what: str) -> Iterator[Any]:
    """Open the engine: in memory, nothing fetched from elsewhere, spilling where files may be."""
    try:
        importlib.import_module("duckdb")
        importlib.import_module("pyarrow")
    except ImportError:
        msg = f"{what} needs DuckDB and pyarrow"
        raise UsageError(msg, hint="pip install 'assay[tables]'") from None
    engine = _started(max(held_limit(), SMALLEST_LIMIT), available_cores(), os.getpid())
    connection = engine.cursor()
    try:
        # It would go to standard output, where the artifact may go.
        connection.execute("SET enable_progress_bar = false")
        # The statistics of Parquet files leave NaN out, and it would believe them.
        connection.execute("SET disabled_optimizers = 'statistics_propagation'")
        yield connection
    finally:
        connection.close()


@lru_cache(maxsize=1)
def _started(memory: int, threads: int, process: int) -> Any:
    """Start the engine once: it takes a moment, and memory that it has is filled sooner."""
    folder = tempfile.mkdtemp(prefix="assay-")
    atexit.register(_removed, folder, process)
    settings = {
        "threads": threads,
        "memory_limit": f"{memory}B",
        "temp_directory": folder,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    return importlib.import_module("duckdb").connect(":memory:", config=settings)


def _removed(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Spelled:
    """CSV files of one table, and how they are written."""

    files: tuple[str, ...]
    header: tuple[str, ...]
    separator: str
    compression: str
    folders: tuple[str, ...] = ()
    """columns that folders like year=2026 stand for, as texts"""

    def places(self) -> dict[str, str]:
        """Return what columns are called in queries: names of a header never get into one."""
        named = {name: f"c{number}" for number, name in enumerate(self.header)}
        return named | {name: in_query(name) for name in self.folders}


class NotTypedError(Exception):
    """Some cell of a column of numbers is a word, which must be looked at as a text."""


class MixedDecimalsError(Exception):
    """Some numbers of a column have a decimal point, and some a decimal comma."""


@dataclass(slots=True, eq=False)
class _Numbers:
    """A column of numbers while batches come in."""

    values: list[Any] = field(default_factory=list)
    odd: list[Any] = field(default_factory=list)
    texts: list[Any] = field(default_factory=list)
    marks: set[int] = field(default_factory=set)

    def add(self, values: Any, texts: Any, first: int) -> None:
        own = arrow_numbers(values)
        self.values.append(own)
        if texts.null_count < len(texts):
            rows = np.flatnonzero(arrow_present(texts))
            if np.isfinite(own[rows]).any():  # a text that the engine takes for a number
                own = self.values[-1] = own.copy()
                own[rows] = np.nan
            self.odd.append(rows + first)
            self.texts.append(texts.drop_null())

    def add_typed(self, values: Any, first: int) -> None:
        """Add numbers that the engine has read as such: nothing else but empty cells."""
        own = arrow_numbers(values)
        nothing = np.flatnonzero(np.isnan(own))
        if nothing.size > values.null_count:
            raise NotTypedError
        self.values.append(own)
        if nothing.size:
            arrow = importlib.import_module("pyarrow")
            self.odd.append(nothing + first)
            self.texts.append(arrow.repeat("", nothing.size))

    def note(self, marks: Any) -> None:
        """Look which decimal marks stand in numbers: 1 a point, 2 a comma."""
        if marks.null_count < len(marks):
            self.marks.update(marks.unique().drop_null().to_pylist())
        if len(self.marks) > 1:
            raise MixedDecimalsError

    def column(self) -> Measured:
        values = np.concatenate(self.values) if self.values else np.empty(0)
        odd = np.concatenate(self.odd) if self.odd else np.empty(0, np.int64)
        return Measured(values, odd, coded(self.texts))


def scanned_csv(
    connection: Any, spelled: Spelled, numbers: Sequence[str], names: Sequence[str]
) -> tuple[dict[str, Measured], dict[str, Coded], int]:
    """Read some columns as numbers and some as names in one scan; also count the rows.

    Numbers are read as such if all of them are. Otherwise they are read as texts, which takes half
    as long again.
    """
    if numbers and not {*numbers} & {*names, *spelled.folders} and _is_typed(spelled):
        with suppress(NotTypedError, *engine_faults()):
            return _scanned(connection, spelled, numbers, names, typed=True)
    return _scanned(connection, spelled, numbers, names, typed=False)


def _is_typed(spelled: Spelled) -> bool:
    """Say whether the engine reads numbers as we do: no commas in them, and no 1_000."""
    if spelled.separator != "," or spelled.compression != "none":
        return False
    for path in spelled.files:
        with open(path, "rb") as file:  # noqa: PTH123 - a path is as the user gave it
            file.readline()
            while part := file.read(PART):
                if b"_" in part:
                    return False
    return True


def _scanned(
    connection: Any,
    spelled: Spelled,
    numbers: Sequence[str],
    names: Sequence[str],
    *,
    typed: bool,
) -> tuple[dict[str, Measured], dict[str, Coded], int]:
    arrow = importlib.import_module("pyarrow")
    measured = [_Numbers() for _ in numbers]
    texts: list[list[Any]] = [[] for _ in names]
    n_rows = 0
    query = _typed_query(spelled, numbers, names) if typed else _query(spelled, numbers, names)
    relation = connection.sql(query, params=[list(spelled.files)])
    for batch in arrow.RecordBatchReader.from_stream(relation):
        for number, each in enumerate(measured):
            if typed:
                each.add_typed(batch.column(f"v{number}"), n_rows)
                continue
            each.add(batch.column(f"v{number}"), batch.column(f"t{number}"), n_rows)
            if spelled.separator != ",":
                each.note(batch.column(f"m{number}"))
        for number, own in enumerate(texts):
            own.append(batch.column(f"n{number}").dictionary_encode())
        n_rows += batch.num_rows
    found = {name: each.column() for name, each in zip(numbers, measured, strict=True)}
    return found, dict(zip(names, map(coded, texts), strict=True)), n_rows


def coded(parts: Sequence[Any]) -> Coded:
    """Put texts together under codes, in the order in which they first come."""
    arrow = importlib.import_module("pyarrow")
    text = arrow.dictionary(arrow.int32(), arrow.string())
    kind = arrow.types.is_dictionary
    encoded = [each if kind(each.type) else each.dictionary_encode() for each in parts]
    whole = arrow.chunked_array(encoded, type=text).unify_dictionaries()
    codes = [arrow_values(chunk.indices) for chunk in whole.chunks]
    distinct = whole.chunk(0).dictionary.to_pylist() if whole.num_chunks else []
    return Coded(np.concatenate(codes) if codes else np.empty(0, np.int32), distinct)


def csv_query(spelled: Spelled, names: Sequence[str], numbers: Sequence[str]) -> str:
    """Return a query of some columns as texts and some as numbers, under their own names.

    Columns go by their places; the name of one is quoted where it is given to the result.
    """
    place = spelled.places()
    asked = [f"coalesce({place[name]}, '') AS {in_query(name)}" for name in names]
    empty = ", ".join(f"'{word}'" for word in sorted(EMPTY_WORDS | {""}))
    for name in numbers:
        text = f"trim(coalesce({place[name]}, ''))"
        # What is no number to us must be none to the engine, which takes 1_000 for one.
        odd = f"contains({text}, '_') OR lower({text}) IN ('-nan', '+nan')"
        value = (
            f"CAST(CASE WHEN {odd} THEN '?' ELSE {_pointed(text, spelled.separator)} END AS DOUBLE)"
        )
        known = f"CASE WHEN lower({text}) IN ({empty}) THEN NULL ELSE {value} END"
        asked.append(f"{known} AS {in_query(name)}")
    return f"SELECT {', '.join(asked) or '1 AS one'} FROM {_source(spelled)}"  # noqa: S608 - places


def mixed_query(spelled: Spelled, numbers: Sequence[str]) -> str:
    """Return a query of whether decimal points and commas stand in one column."""
    place = spelled.places()
    asked = [
        f"(bool_or(contains({place[name]}, ','))"
        f" AND bool_or(regexp_full_match({place[name]}, '{POINTED}')))"
        for name in numbers
    ]
    return f"SELECT {' OR '.join(asked)} FROM {_source(spelled)}"  # noqa: S608 - places


def in_query(name: str) -> str:
    """Quote the name of a column."""
    return '"' + name.replace('"', '""') + '"'


def _query(spelled: Spelled, numbers: Sequence[str], names: Sequence[str]) -> str:
    """Ask for each number as far as it is one, and for the text otherwise.

    Columns go by their places: a name of the header never gets into a query.
    """
    place = spelled.places()
    asked = []
    for number, name in enumerate(numbers):
        text = place[name]
        value = f"try_cast({_pointed(text, spelled.separator)} AS DOUBLE)"
        # NaN is a word to us, and 1_000 a text.
        odd = f"{value} IS NULL OR isnan({value}) OR contains({text}, '_')"
        asked.append(f"{value} AS v{number}")
        asked.append(f"CASE WHEN {odd} THEN coalesce({text}, '') END AS t{number}")
        mark = f"CASE WHEN contains({text}, ',') THEN 2 WHEN contains({text}, '.') THEN 1 END"
        if spelled.separator != ",":
            asked.append(f"CASE WHEN NOT ({odd}) THEN {mark} END AS m{number}")
    asked += [f"coalesce({place[name]}, '') AS n{number}" for number, name in enumerate(names)]
    return f"SELECT {', '.join(asked) or '1'} FROM {_source(spelled)}"  # noqa: S608 - places


def _typed_query(spelled: Spelled, numbers: Sequence[str], names: Sequence[str]) -> str:
    place = spelled.places()
    asked = [f"{place[name]} AS v{number}" for number, name in enumerate(numbers)]
    asked += [f"coalesce({place[name]}, '') AS n{number}" for number, name in enumerate(names)]
    return f"SELECT {', '.join(asked)} FROM {_source(spelled, numbers)}"  # noqa: S608 - places


def _source(spelled: Spelled, numbers: Sequence[str] = ()) -> str:
    """Return the files as the engine reads them, all cells but these numbers texts.

    Nothing of a file gets into it, apart from one of four separators. The end of lines is left to
    the engine: told a wrong one it reads no row at all.
    """
    kinds = ["DOUBLE" if name in numbers else "VARCHAR" for name in spelled.header]
    read = ", ".join(f"'c{number}': '{kind}'" for number, kind in enumerate(kinds))
    separator = "\\t" if spelled.separator == "\t" else spelled.separator
    return (
        f"read_csv(?, columns = {{{read}}}, header = true, auto_detect = false,"
        f" delim = '{separator}', quote = '\"', escape = '\"', strict_mode = true,"
        f" max_line_size = {LONGEST_LINE}, compression = '{spelled.compression}',"
        f" {partitioned(spelled.folders)})"
    )


def partitioned(folders: Sequence[str]) -> str:
    """Return the options by which the engine takes folders for columns of texts, or does not."""
    return f"hive_partitioning = {bool(folders)}, hive_types_autocast = false"


def _pointed(text: str, separator: str) -> str:
    """Take a comma for the decimal mark where it separates nothing and no point stands beside."""
    if separator == ",":
        return text
    return f"CASE WHEN contains({text}, '.') THEN {text} ELSE replace({text}, ',', '.') END"
