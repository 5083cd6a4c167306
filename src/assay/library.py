"""What Python users call: evaluate a family from arrays, frames or files, and load artifacts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from assay import families, pipeline
from assay.errors import UsageError
from assay.families.arranging import (
    Systems,
    arranged,
    check_names,
    named_columns,
    named_systems,
    of_files,
)
from assay.families.choices import Keeping, planned
from assay.families.family import Given
from assay.families.reducing import described, reduced_frame, units_of
from assay.files import named_path
from assay.inference import Plan
from assay.options import given_twice, keyword_names, near, unknown_option
from assay.result import Result
from assay.showing import quoted
from assay.sources.content import memory_limit
from assay.sources.engine import asked_engine, chosen_engine, chosen_exact, chosen_master
from assay.sources.reduced import is_lazy, lazy_of, rows_of_frame, table_of_units
from assay.sources.table import IN_MEMORY, from_frame
from assay.sources.tabular import Table
from assay.sources.unit_files import as_arrow, merged, of_arrow, read_units
from assay.sources.unit_table import check_parts
from assay.stored import read_artifact
from assay.surroundings import available_cores, now, stamp

if TYPE_CHECKING:
    from assay.families.family import Family
    from assay.sources.unit_table import UnitTable

Progress = Callable[[int, int], None]
BESIDE = ("data", "systems", "progress", "engine", "memory_limit", "exact", "master")
"""keywords that are no options"""


def evaluate(
    family: str | None = None,
    source: Any = None,
    *,
    data: Any = None,
    systems: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    **chosen: Any,
) -> Result:
    """Evaluate one system or several, with error bars, and compare all with the first.

    Parameters
    ----------
    family
        What to evaluate: selective, calibration, intervals, sets, verdicts or reasoning.
    source
        A file, or several files to compare: a list, or a mapping from name to file. A frame is
        taken as `data`. Without one, columns are arrays, or names of columns of `data`.
    data
        A pandas, polars or pyarrow frame, a dictionary of arrays or a `Table`; or a frame that has
        not been collected (a polars LazyFrame, a DuckDB relation, a frame of Spark, Ibis or Dask),
        whose engine reduces its rows to what numbers need of them. A path is taken as `source`.
    systems
        Several systems: a mapping from name to a mapping from role to column. Any role may also
        be a mapping from name to column itself, as in ``y_prob={"old": p, "new": q}``.
    progress
        Hears how many resamples were done just now, and how many there will be.
    chosen
        Columns by role, other files by role, options of the family under the names of their
        flags, and how to resample: `n_resamples`, `seed`, `ci_level`, `ci_method`, `stream`,
        `threads`. `cases` says what is kept of single cases: texts, ids or none. `engine` is
        memory, duckdb, spark or auto, `memory_limit` a size such as "500MB"; with `exact` engines
        merge no numbers.

    Examples
    --------
    >>> found = evaluate("intervals", y=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.8)
    >>> found["interval_coverage"].value
    0.75
    """
    known, heard = _family(family), _heard(progress)
    source, data = _sorted(source, data)
    with _chosen_engine(chosen):
        asked = _Asked.of(known, chosen)
        given = _given(known, asked, source, data, systems)
        artifact = pipeline.evaluate(known, given, created_at=stamp(now()), progress=heard)
    return Result(artifact)


def _sorted(source: Any, data: Any) -> tuple[Any, Any]:
    """Tell files from frames, whichever place they were given in."""
    if data is None and _is_frame(source):
        return None, source
    if source is None and isinstance(data, str | os.PathLike):
        return data, None
    return source, data


def _heard(progress: Any) -> Progress:
    """Return who hears of progress; without one, nobody does."""
    if progress is not None and not callable(progress):
        hint = "it is called with the resamples done just now, and with all there will be"
        raise UsageError(f"`progress` must be a function, found {quoted(progress)}", hint=hint)
    return (lambda *_: None) if progress is None else cast("Progress", progress)


@contextmanager
def _chosen_engine(chosen: dict[str, Any]) -> Iterator[None]:
    """Take what is about engines out of the keywords, and let it hold."""
    engine, limit = chosen.pop("engine", None), chosen.pop("memory_limit", None)
    exact, master = chosen.pop("exact", False), chosen.pop("master", None)
    with ExitStack() as stack:
        stack.enter_context(chosen_engine(engine))
        stack.enter_context(chosen_exact(exact=exact))
        stack.enter_context(chosen_master(master))
        if limit is not None:
            stack.enter_context(memory_limit(limit))
        yield


def unit_table(
    source: Any = None, *, data: Any = None, family: str | None = None, **chosen: Any
) -> Any:
    """Reduce rows to what numbers need of them: rows and sums by resampling unit and point.

    Parameters
    ----------
    source
        A table in a file, a folder or a pattern, or a frame that has not been collected.
    data
        The same as a frame given as `source`.
    family
        selective, calibration, intervals or sets; without one, that whose columns are named.
    chosen
        As for `evaluate`; all of it is kept in the table, and `finish` holds to it.

    Returns
    -------
    pyarrow.Table
        It may be saved as Parquet, and tables of parts of the rows may be finished together.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.LazyFrame({"y": [1, 0, 1, 1], "p": [0.9, 0.2, 0.9, 0.4], "who": [1, 1, 2, 2]})
    >>> made = unit_table(rows, y_true="y", y_prob="p", cluster="who", n_bins=2)
    >>> made.num_rows, finish(made)["brier"].value
    (4, 0.105)
    """
    name = _meant(chosen) if family is None else family
    known, kept = _family(name), _kept(chosen)
    if known.reduction is None:
        msg = f"{known.name} needs all rows, so that there is no unit table of it"
        raise UsageError(msg, hint="it is evaluated in memory")
    source, data = _sorted(source, data)
    if isinstance(source, str | os.PathLike):
        chosen.setdefault("engine", "duckdb")
    elif source is not None:
        source, data = None, source
    elif data is None:
        raise UsageError("there is nothing to count", hint="name a file, or give a frame")
    with _chosen_engine(chosen):
        asked = _Asked.of(known, chosen)
        if data is not None:
            units = _frame_units(known, asked, named_systems(asked.columns, None), data)
        else:
            given = _given(known, asked, source, None, None)
            units = _file_units(known, given)
    return as_arrow(described(units, known.name, kept))


def _meant(chosen: Mapping[str, Any]) -> str:
    """Return the family that has most of the columns that are named."""

    def known(name: str) -> int:
        family = families.named(name)
        columns = family.columns if family.reduction else None
        return len({*chosen} & {*keyword_names(columns)}) if columns else 0

    return max(families.NAMES, key=known)


def _kept(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `finish` is to hold to; where rows were read is none of it."""
    apart = {"engine", "memory_limit", "master", "threads"}
    kept = {name: value for name, value in chosen.items() if name not in apart}
    try:
        return cast("dict[str, Any]", msgspec.json.decode(msgspec.json.encode(kept)))
    except (TypeError, msgspec.EncodeError):
        msg = "a unit table is made of columns that are named"
        raise UsageError(msg, hint="arrays are evaluated in memory") from None


def _file_units(family: Family, given: Given) -> UnitTable:
    paths = given.sources[family.roles[0].name]
    if len({*paths}) != 1:
        raise UsageError(f"found {len(paths)} tables", hint="make a unit table of each of them")
    units = units_of(family, given, str(paths[0]))
    if units is None:
        msg = f"{paths[0]} is not reduced by the engine memory"
        raise UsageError(msg, hint="leave `engine` out, or choose duckdb or spark")
    return units


def finish(*tables: Any, progress: Progress | None = None) -> Result:
    """Evaluate unit tables: one, or those of several parts of the same rows.

    Parameters
    ----------
    tables
        Arrow tables that `unit_table` made, or paths of Parquet files that hold them.
    progress
        Hears how many resamples were done just now, and how many there will be.
    """
    heard = _heard(progress)
    if not tables:
        raise UsageError("no unit table was given", hint="`assay.unit_table` makes one")
    units, paths = [], []
    for number, each in enumerate(tables, 1):
        is_path = isinstance(each, str | os.PathLike)
        paths.append(os.fspath(each) if is_path else f"table {number} of {len(tables)}")
        units.append(read_units(paths[-1]) if is_path else of_arrow(each, paths[-1]))
    check_parts(units, paths)
    about = units[0].about
    known, chosen = _family(about.family), dict(about.chosen)
    with _chosen_engine(chosen):
        plan = planned(
            known.options(**_Asked.of(known, chosen).options), _Asked.of(known, chosen).plan
        )
        whole = units[0] if len(units) == 1 else merged(units, plan.n_resamples)
        table = table_of_units(whole)
        asked = _Asked.of(known, chosen)
        file, frame = (table, None) if about.from_file else (None, table)
        given = _given(known, asked, file, frame, None)
        artifact = pipeline.evaluate(known, given, created_at=stamp(now()), progress=heard)
    return Result(artifact)


def load(path: str | os.PathLike[str]) -> Result:
    """Take back what `Result.save` or a command wrote, of any family and version."""
    return Result(read_artifact(os.fspath(named_path(path))))


def _family(name: object) -> Family:
    every = f"the families are {', '.join(families.NAMES)}"
    if name is None:
        raise UsageError("`family` says what to evaluate, and is not given", hint=every)
    if not isinstance(name, str) or name not in families.NAMES:
        msg = f"there is no family {quoted(name)}"
        raise UsageError(msg, hint=near(name, families.NAMES) or every)
    return families.named(name)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """Keywords, sorted by what they are about."""

    files: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    plan: dict[str, Any] = field(default_factory=dict)
    keeping: dict[str, Any] = field(default_factory=dict)
    spelled: dict[str, str] = field(default_factory=dict)
    """how each of them was written"""

    @classmethod
    def of(cls, family: Family, chosen: Mapping[str, Any]) -> _Asked:
        """Sort keywords; where two parts have the same name, that of the family is meant."""
        found = cls()
        roles = {word: role.name for role in family.roles for word in (role.name, *role.aliases)}
        homes = [
            (found.files, roles),
            (found.columns, keyword_names(family.columns) if family.columns else {}),
            (found.options, keyword_names(family.options)),
            (found.plan, keyword_names(Plan)),
            (found.keeping, keyword_names(Keeping)),
        ]
        for word, value in chosen.items():
            home, names = next((each for each in homes if word in each[1]), (None, {}))
            if home is None:
                raise unknown_option(word, [name for _, of in homes for name in of], BESIDE)
            name = word if home is found.plan else names[word]
            if value is not None:
                if name in home:
                    raise given_twice(found.spelled[name], word)
                # A plan reads all spellings, and names the one that was used where it refuses.
                home[name], found.spelled[name] = value, word
        return found


def _given(
    family: Family, asked: _Asked, source: Any, data: Any, systems: Mapping[str, Any] | None
) -> Given:
    options = family.options(**asked.options)
    plan = planned(options, {"threads": available_cores(), **asked.plan})
    cases = Keeping(**asked.keeping).cases
    files = {role: _paths(each) for role, each in asked.files.items()}
    first = family.roles[0].name
    every: dict[str, Sequence[Any]] = {role.name: files.get(role.name, []) for role in family.roles}
    columns = _as_spelled(asked.columns, data)
    named = named_systems(columns, _as_spelled(_by_field(family, systems), data))
    names = [name for name in named if name]
    if source is not None and data is not None:
        raise UsageError("both a file and `data` were given", hint="give one of them")
    if source is None and not every[first]:
        table = None if data is None else _table(data, family, asked, named)
        made = arranged(family, named, table, asked.spelled)
        every |= {first: made.tables, **made.others}
        return Given(every, options, plan, made.columns, names, cases=cases)
    held = asked.files.get(first) if source is None else source
    if isinstance(held, Mapping):
        check_names(held)
        names = [str(name) for name in held]
    every[first], columns = of_files(family, _paths(held), named)
    return Given(every, options, plan, columns, names, cases=cases)


def _by_field(family: Family, systems: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Spell the roles of systems as the record of columns does."""
    if not isinstance(systems, Mapping) or family.columns is None:
        return systems
    names = keyword_names(family.columns)

    def spelled(own: Any) -> Any:
        if not isinstance(own, Mapping):
            return own
        found: dict[str, str] = {}
        for role in own:
            if role not in names:
                raise unknown_option(role, names)
            if names[role] in found:
                raise given_twice(found[names[role]], role)
            found[names[role]] = role
        return {name: own[role] for name, role in found.items()}

    return {name: spelled(own) for name, own in systems.items()}


def _as_spelled(given: Any, data: Any) -> Any:
    """Spell labels of columns as tables do: in pandas they may be numbers, or several texts."""
    is_pandas = type(data).__module__.partition(".")[0] == "pandas"
    held = data.columns if is_pandas and _is_frame(data) else data if isinstance(data, dict) else ()
    labels = {each for each in held if not isinstance(each, str)}

    def is_label(value: Any) -> bool:
        # As a label of its own, pandas gives a number as NumPy has it.
        may_be = type(value) in {int, tuple} or isinstance(value, np.integer)
        try:
            return may_be and value in labels
        except TypeError:  # a tuple of lists: values, and no label
            return False

    def spelled(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: spelled(each) for name, each in value.items()}
        return str(value) if is_label(value) else value

    return spelled(given) if labels and given is not None else given


def _is_frame(source: Any) -> bool:
    """Say whether something has columns, as frames of every package do; lazy ones would count."""
    return hasattr(type(source), "columns") and not isinstance(source, Table)


def _paths(source: Any) -> list[Any]:
    """Return files in their order, from one, several, or several by name."""
    every = source.values() if isinstance(source, Mapping) else source
    # What cannot be a file is refused below, beside what is none in a list of files.
    is_one = isinstance(every, str | bytes | os.PathLike) or getattr(every, "ndim", None) == 0
    is_one = is_one or _is_frame(every) or hasattr(every, "read")
    files: list[Any] = [*every] if isinstance(every, Iterable) and not is_one else [every]
    for each in files:
        if not isinstance(each, str | os.PathLike | Table):
            kind = type(each).__name__
            msg = f"a file must be named by its path, found a value of the type {kind}"
            hint = "write it to a JSON file first, or give columns"
            if _is_frame(each):
                hint = "one frame goes into `data`, with the columns of every system in it"
            raise UsageError(msg, hint=hint)
    if not files:
        raise UsageError("found no file in what was given", hint="name one, or several")
    return [each if isinstance(each, Table) else os.fspath(each) for each in files]


def _table(data: Any, family: Family, asked: _Asked, named: Systems) -> Table:
    if isinstance(data, Table) or not is_lazy(data):
        return data if isinstance(data, Table) else from_frame(data)
    if family.reduction is None or asked_engine() == "memory":
        return rows_of_frame(data, [*_texts([*named.values()])])
    try:
        return table_of_units(_frame_units(family, asked, named, data))
    except UsageError:
        if asked_engine() != "auto":
            raise
        return rows_of_frame(data, [*_texts([*named.values()])])


def _frame_units(family: Family, asked: _Asked, named: Systems, data: Any) -> UnitTable:
    """Let the engine of a frame reduce it, as columns of all systems are named."""
    if not is_lazy(data):
        data = lazy_of(data)
    options = family.options(**asked.options)
    plan = planned(options, asked.plan)
    record = family.columns
    assert record is not None  # noqa: S101 - families with a reduction have columns
    columns = (
        [record(**own) for own in named.values()]
        if family.table_per_system
        else named_columns(record, named)
    )
    sources = {role: _paths(each) for role, each in asked.files.items()}
    given = Given({family.roles[0].name: [], **sources}, options, plan, columns)
    return reduced_frame(family, given, data, IN_MEMORY)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text inside, any of which may name a column."""
    if isinstance(value, str):
        yield from (value, *value.split(","))
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
