"""What Python users call: evaluate a family from arrays, frames or files, and load artifacts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay import families, pipeline
from assay.errors import UsageError
from assay.families.arranging import arranged, named_systems, of_files
from assay.families.choices import Keeping, planned
from assay.families.family import Given
from assay.inference import Plan
from assay.moments import now, stamp
from assay.options import keyword_names, near, unknown_option
from assay.result import Result
from assay.showing import quoted
from assay.sources.choosing import chosen_engine
from assay.sources.content import memory_limit
from assay.sources.reduced import counted_frame, is_lazy
from assay.sources.table import Table, from_frame
from assay.stored import read_artifact
from assay.threads import available_cores

if TYPE_CHECKING:
    from assay.families.family import Family

__all__ = ["evaluate", "load"]

Progress = Callable[[int, int], None]


def evaluate(
    family: str,
    source: Any = None,
    *,
    data: Any = None,
    systems: Mapping[str, Any] | None = None,
    progress: Progress = lambda *_: None,
    **chosen: Any,
) -> Result:
    """Evaluate one system or several, with error bars, and compare all with the first.

    Parameters
    ----------
    family
        What to evaluate: selective, calibration, intervals, sets, verdicts or reasoning.
    source
        A file, or several files to compare: a list, or a mapping from name to file. Without one,
        columns are arrays, or names of columns of `data`.
    data
        A pandas, polars or pyarrow frame or a `Table`; or a frame that has not been collected (a
        polars LazyFrame, a DuckDB relation, a frame of Spark, Ibis or Dask), whose engine hands
        out the columns that are named, or counts their rows where a `cluster` is named.
    systems
        Several systems: a mapping from name to a mapping from role to column. Any role may also
        be a mapping from name to column itself, as in ``y_prob={"old": p, "new": q}``.
    progress
        Hears how many resamples were done just now, and how many there will be.
    chosen
        Columns by role, other files by role, options of the family under the names of their
        flags, and how to resample: `n_resamples`, `seed`, `ci_level`, `ci_method`, `stream`,
        `threads`. `cases` says what is kept of single cases: texts, ids or none. `engine` is
        memory, duckdb or auto, `memory_limit` a size such as "500MB".

    Examples
    --------
    >>> found = evaluate("intervals", y=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.8)
    >>> found["interval_coverage"].value
    0.75
    """
    known = _family(family)
    engine, limit = chosen.pop("engine", None), chosen.pop("memory_limit", None)
    with ExitStack() as stack:
        stack.enter_context(chosen_engine(engine))
        if limit is not None:
            stack.enter_context(memory_limit(limit))
        asked = _Asked.of(known, chosen)
        given = _given(known, asked, source, data, systems)
        artifact = pipeline.evaluate(known, given, created_at=stamp(now()), progress=progress)
    return Result(artifact)


def load(path: str | os.PathLike[str]) -> Result:
    """Take back what `Result.save` or a command wrote, of any family and version."""
    return Result(read_artifact(os.fspath(path)))


def _family(name: object) -> Family:
    if name not in families.NAMES:
        msg = f"there is no family {quoted(name)}"
        hint = near(name, families.NAMES) or f"the families are {', '.join(families.NAMES)}"
        raise UsageError(msg, hint=hint)
    return families.named(str(name))


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """Keywords, sorted by what they are about."""

    files: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    plan: dict[str, Any] = field(default_factory=dict)
    keeping: dict[str, Any] = field(default_factory=dict)

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
                raise _unknown(word, [name for _, of in homes for name in of])
            if value is not None:
                # A plan reads all spellings, and names the one that was used where it refuses.
                home[word if home is found.plan else names[word]] = value
        return found


# What other packages call options and columns, and what they may be here.
ELSEWHERE = {
    **dict.fromkeys(("y_true", "target", "labels"), ("y_true", "truth", "y")),
    **dict.fromkeys(("y_pred", "preds"), ("prediction", "verdict", "answer_cot", "y_prob")),
    **dict.fromkeys(("y_prob", "y_proba", "y_score"), ("y_prob", "score", "confidence")),
    **dict.fromkeys(("y_pis", "y_interval"), ("interval",)),
    **dict.fromkeys(("y_pred_set", "y_set"), ("set",)),
    **dict.fromkeys(("sample_weight", "weight", "weights"), ("count",)),
    **dict.fromkeys(("n_boot", "n_bootstrap", "n_bootstraps"), ("n_resamples",)),
    **dict.fromkeys(("confidence_level", "ci"), ("ci_level",)),
    "random_state": ("seed",),
    "n_jobs": ("threads",),
}
WEIGHED = "rows have no weights here; `assay.estimate` and the metrics themselves take `weight`"


def _unknown(word: str, known: Sequence[str]) -> UsageError:
    """Say that there is no such keyword, and what it is called here."""
    refused = unknown_option(word, [*known, "data", "systems"])
    meant = [each for each in ELSEWHERE.get(word, ()) if each in known]
    if meant:
        return UsageError(refused.message, hint=f"it is called `{meant[0]}` here")
    is_weight = "count" in ELSEWHERE.get(word, ())
    return UsageError(refused.message, hint=WEIGHED) if is_weight else refused


def _given(
    family: Family, asked: _Asked, source: Any, data: Any, systems: Mapping[str, Any] | None
) -> Given:
    options = family.options(**asked.options)
    plan = planned(options, {"threads": available_cores(), **asked.plan})
    cases = Keeping(**asked.keeping).cases
    files = {role: _paths(each) for role, each in asked.files.items()}
    first = family.roles[0].name
    every: dict[str, Sequence[Any]] = {role.name: files.get(role.name, []) for role in family.roles}
    named = named_systems(asked.columns, _by_field(family, systems))
    names = [name for name in named if name]
    if source is not None and data is not None:
        raise UsageError("both a file and `data` were given", hint="give one of them")
    if source is None and not every[first]:
        made = arranged(family, named, None if data is None else _table(data, family, named, plan))
        every |= {first: made.tables, **made.others}
        return Given(every, options, plan, made.columns, names, cases=cases)
    held = asked.files.get(first) if source is None else source
    names = [str(name) for name in held] if isinstance(held, Mapping) else names
    every[first], columns = of_files(family, _paths(held), named)
    return Given(every, options, plan, columns, names, cases=cases)


def _by_field(family: Family, systems: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Spell the roles of systems as the record of columns does."""
    if systems is None or family.columns is None:
        return systems
    names = keyword_names(family.columns)

    def spelled(own: Any) -> Any:
        if not isinstance(own, Mapping):
            return own
        for role in own:
            if role not in names:
                raise unknown_option(role, names)
        return {names[role]: column for role, column in own.items()}

    return {name: spelled(own) for name, own in systems.items()}


def _paths(source: Any) -> list[Any]:
    """Return files in their order, from one, several, or several by name."""
    every = source.values() if isinstance(source, Mapping) else source
    if isinstance(source, str | os.PathLike | Table):
        every = [source]
    if not isinstance(every, Iterable):
        raise UsageError(f"a file must be named by its path, found {quoted(source)}")
    return [each if isinstance(each, Table) else os.fspath(each) for each in every]


def _table(data: Any, family: Family, systems: Mapping[str, Any], plan: Plan) -> Table:
    if isinstance(data, Table) or not is_lazy(data):
        return data if isinstance(data, Table) else from_frame(data)
    every = [dict(own) for own in systems.values()]
    named = {*_texts(every)}
    cluster = any(own.get("cluster") or own.get("participant") for own in every)
    counted = family.counted and (cluster or not plan.n_resamples)

    def wanted(header: Sequence[str]) -> list[str]:
        usual = {"participant", "prediction", "truth", "count", "group", "success", "confidence"}
        known = named | (usual if family.name == "selective" else set())
        return [name for name in header if name in known]

    return counted_frame(data, wanted, by_row=not counted)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text inside, any of which may name a column."""
    if isinstance(value, str):
        yield from (value, *value.split(","))
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
