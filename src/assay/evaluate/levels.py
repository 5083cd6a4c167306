"""Systems that claim a coverage, level by level: what intervals and sets have in common.

A system holds an interval or a set per row and level. All systems of an evaluation are about the
same rows, so that their differences are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec
import numpy as np

from assay import _kernels as kernels
from assay.artifacts import Delta, Interval, Resampling, Scalar, Tool
from assay.artifacts.intervals import CoverageTest, LevelCurve, LevelPair, Stratum, TableInput
from assay.columns import Resamples
from assay.errors import ColumnError, UsageError
from assay.evaluate.groups import Partition, partition
from assay.evaluate.scalars import deltas, exact_interval, scalar
from assay.evaluate.scoring import Key, Scored, Side, scored
from assay.evaluate.strata import Strata, strata_of, stratum_records
from assay.inference import BEYOND, Plan, Replicate, estimate, p_value
from assay.score import Request, Rows, requests, spelled
from assay.showing import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.sources.table import Table

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = [
    "Claims",
    "Evaluated",
    "Level",
    "Sample",
    "arranged",
    "by_level",
    "coverage_test",
    "curve",
    "level_scalars",
    "level_strata",
    "pairs",
    "partitioned",
    "provenance",
    "sample_warnings",
    "shared_sample",
    "system_names",
]

Item = TypeVar("Item")
INDEPENDENT_ROWS = "it assumes independent rows, and rows of one cluster are not"


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """What a system claims at one level: its columns ready to be scored."""

    level: float
    columns: tuple[str, ...]
    """their names in the file"""
    rows: Rows
    covered: Mask
    counts: Mapping[str, int] = field(default_factory=dict)
    """rows that something is to be said about"""
    infinite: str | None = None
    """why sizes are infinite, if some are"""

    @property
    def key(self) -> str:
        """The level as artifacts spell it."""
        return spelled(self.level)


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """One system: an interval or a set per row, at every level."""

    name: str
    input: int
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The rows that all systems are about: their clusters and their groups."""

    weight: Resamples
    unit: str
    groups: Partition | None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.weight.cluster.size)

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.weight.counts.shape[1])

    @property
    def independent(self) -> bool:
        """Whether every row is a cluster of its own."""
        return self.n_clusters == self.n_rows


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """All that an artifact is made of."""

    sample: Sample
    systems: Sequence[Claims]
    plan: Plan
    scored: Scored
    infinite: frozenset[Key]
    """numbers that are infinite"""
    covers: str
    """the name of the metric that says how often the truth is covered"""


def arranged(given: Sequence[Item], n_levels: int, *, what: tuple[str, str]) -> list[list[Item]]:
    """Give each system its levels: all of the first system, then all of the second, and so on."""
    if not given or len(given) % n_levels:
        msg = f"found {counted(len(given), *what)} and {counted(n_levels, 'level')}"
        hint = "give one per level, or with one level several to compare with the first"
        raise UsageError(msg, hint=hint)
    return [list(given[first : first + n_levels]) for first in range(0, len(given), n_levels)]


PAIRED = "tables are compared row by row: same rows, same order, same truth"


def shared_sample(
    tables: Sequence[Table],
    truths: Sequence[NDArray[Any]],
    *,
    y: str,
    cluster: str | None,
    group: str | None,
) -> Sample:
    """Return the rows that all tables are about, which must be the same in all of them."""
    _check_same(tables, y, truths)
    n_rows = len(truths[0])
    code, n_clusters = np.arange(n_rows), n_rows
    if cluster is not None:
        ranked = [table.clusters(cluster) for table in tables]
        _check_same(tables, cluster, [np.array(names)[code] for code, names in ranked])
        code, n_clusters = ranked[0][0], len(ranked[0][1])
    weight = Resamples(np.ones((1, n_clusters)), code, np.ones(n_rows), ())
    return Sample(weight, cluster or "row", None if group is None else partition(tables[0], group))


def _check_same(tables: Sequence[Table], name: str, columns: Sequence[NDArray[Any]]) -> None:
    first, reference = tables[0], columns[0]
    for table, other in zip(tables[1:], columns[1:], strict=True):
        if other.size != reference.size:
            msg = (
                f"{table.source.path} has {counted(other.size, 'row')} where"
                f" {first.source.path} has {reference.size}"
            )
            raise ColumnError(msg, hint=PAIRED)
        differing = np.flatnonzero(reference != other)
        if differing.size:
            row = int(differing[0])
            msg = (
                f"{table.source.path}, {table.place(row)}: `{name}` is {other[row]} where"
                f" {first.source.path} has {reference[row]} ({counted(differing.size, 'such row')})"
            )
            raise ColumnError(msg, hint=PAIRED)


def by_level(
    systems: Sequence[Claims],
    settings: Callable[[float], Mapping[str, Any]],
    plan: Plan,
    *,
    progress: Callable[[int], None],
) -> tuple[Scored, frozenset[Key]]:
    """Compute every number of every system, level by level, and say which are infinite.

    All levels see the same resamples.
    """
    asked: dict[Key, Request] = {}
    replicates: dict[Key, Replicate] = {}
    for number in range(len(systems[0].levels)):
        level = systems[0].levels[number].level
        sides = [
            Side({each.levels[number].key: each.levels[number].rows}, settings(level))
            for each in systems
        ]
        found = scored(sides, plan, progress=progress) if plan.n_resamples else _points(sides)
        asked |= found.asked
        replicates |= found.replicates
    infinite = frozenset(key for key, each in replicates.items() if np.isinf(each.point))
    finite = {key: _finite(each) for key, each in replicates.items()}
    return Scored(asked, finite), infinite


def _points(sides: Sequence[Side]) -> Scored:
    """Compute every number once: without resamples no weight is needed, and metrics are faster."""
    asked = {
        (number, name, request.label): request
        for number, side in enumerate(sides)
        for name, rows in side.variants.items()
        for request in requests(tuple(rows.columns), side.settings)
    }
    replicates = {}
    for key, request in asked.items():
        columns = sides[key[0]].variants[key[1]].columns
        value = request.metric.function(**columns, **request.options)
        replicates[key] = Replicate(float(value), np.empty(0))
    return Scored(asked, replicates)


def _finite(replicate: Replicate) -> Replicate:
    """See infinite numbers as undefined: a file has no place for them, and they have no spread."""
    without = replicate.jackknife
    return Replicate(
        replicate.point if np.isfinite(replicate.point) else np.nan,
        _defined(replicate.distribution),
        None if without is None else _defined(without),
    )


def _defined(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values if np.isfinite(values).all() else np.where(np.isfinite(values), values, np.nan)


def level_scalars(result: Evaluated, number: int, level: Level) -> dict[str, Scalar]:
    """Write down all numbers of one system at one level."""
    found = {}
    for label in result.scored.labels(number, level.key):
        key = (number, level.key, label)
        record = scalar(result.scored, key, result.plan)
        resampled = result.scored.asked[key].metric.interval
        if not resampled and not result.sample.independent:
            record = msgspec.structs.replace(record, value=None, reason=INDEPENDENT_ROWS)
        elif key in result.infinite:
            record = msgspec.structs.replace(record, reason=level.infinite or BEYOND)
        found[label] = record
    if result.sample.independent:
        share = found[result.covers]
        exact = exact_interval(int(level.covered.sum()), level.covered.size, result.plan.level)
        found[result.covers] = msgspec.structs.replace(share, exact_interval=exact)
    return found


def coverage_test(result: Evaluated, number: int, level: Level, tested: str) -> CoverageTest:
    """Set the coverage against the level: exactly for independent rows, else over clusters."""
    k, n, nominal = int(level.covered.sum()), level.covered.size, level.level
    exact = result.sample.independent
    coverage = result.scored.replicates[number, level.key, result.covers]
    found = estimate(coverage, result.plan)
    interval: Interval = None if found.reason is not None else (found.low, found.high)
    p = p_value(Replicate(k / n - nominal, coverage.distribution - nominal))
    if exact:
        interval = exact_interval(k, n, result.plan.level)
        p = result.scored.replicates[number, level.key, tested].point
    return CoverageTest(
        nominal=nominal,
        n=n,
        n_covered=k,
        coverage=k / n,
        gap=k / n - nominal,
        interval=interval,
        gap_interval=None if interval is None else (interval[0] - nominal, interval[1] - nominal),
        method="clopper-pearson" if exact else "cluster bootstrap",
        interval_reason=None if exact else found.reason,
        p_value=None if np.isnan(p) else p,
        test="exact binomial" if exact else "cluster bootstrap",
    )


def partitioned(result: Evaluated, level: Level, partition: Partition | None) -> list[Stratum]:
    """Write down the coverage of every part of the rows, if there are parts."""
    if partition is None:
        return []
    cluster = result.sample.weight.cluster
    return level_strata(result, strata_of(partition, level.covered, cluster))


def level_strata(result: Evaluated, strata: Strata) -> list[Stratum]:
    """Write down the coverage of every stratum."""
    sample = result.sample
    return stratum_records(
        strata, result.plan, n_clusters=sample.n_clusters, independent=sample.independent
    )


def sample_warnings(sample: Sample) -> list[str]:
    """Say where resampling cannot help."""
    if sample.n_rows == 1:
        return ["there is one row, so resampling shows no uncertainty"]
    if sample.n_clusters == 1:
        return ["there is one cluster, so resampling clusters shows no uncertainty"]
    return []


def curve(tests: Sequence[CoverageTest]) -> LevelCurve:
    """Draw empirical against nominal coverage."""
    rising = sorted(tests, key=lambda each: each.nominal)
    return LevelCurve(
        nominal=[each.nominal for each in rising],
        empirical=[each.coverage for each in rising],
        empirical_low=[each.interval[0] if each.interval else None for each in rising],
        empirical_high=[each.interval[1] if each.interval else None for each in rising],
    )


def pairs(result: Evaluated) -> list[LevelPair]:
    """Write down every system against the first; p-values have no differences."""
    asked = {key: each for key, each in result.scored.asked.items() if each.metric.interval}
    compared = Scored(asked, result.scored.replicates)
    return [
        LevelPair(
            left=0,
            right=right,
            deltas={
                level.key: {
                    label: _explained(result, number, right, label, delta)
                    for label, delta in deltas(compared, level.key, right, result.plan).items()
                }
                for number, level in enumerate(result.systems[0].levels)
            },
        )
        for right in range(1, len(result.systems))
    ]


def _explained(result: Evaluated, number: int, right: int, label: str, delta: Delta) -> Delta:
    """Say so where a difference is undefined because one side is infinite."""
    for side in (0, right):
        level = result.systems[side].levels[number]
        if (side, level.key, label) in result.infinite:
            reason = f"undefined on one side: {level.infinite or BEYOND}"
            return msgspec.structs.replace(delta, reason=reason)
    return delta


def provenance(
    tables: Sequence[Table], sample: Sample, plan: Plan, *, created_at: str
) -> dict[str, Any]:
    """Return the fields that say what was computed on what."""
    return {
        "tool": Tool(name="assay", version=version("assay"), engine=kernels.ENGINE),
        "created_at": created_at,
        "inputs": [
            TableInput(
                path=each.source.path,
                sha256=each.source.sha256,
                format=each.source.format,
                n_rows=sample.n_rows,
            )
            for each in tables
        ],
        "n_rows": sample.n_rows,
        "resampling": Resampling(
            unit=sample.unit,
            n_units=sample.n_clusters,
            n_resamples=plan.n_resamples,
            seed=plan.seed,
            stream=plan.stream,
            level=plan.level,
            method=plan.method,
        ),
    }


def system_names(tables: Sequence[Table], columns: Sequence[str]) -> list[list[str]]:
    """Name systems by file, else by columns, else by both, else by number; file by file."""
    files = [PurePath(table.source.path).name for table in tables]
    numbered = [f"input {number}" for number in range(len(tables))]
    by_file = files if len(set(files)) == len(files) else numbered
    if len(columns) == 1:
        return [[name] for name in by_file]
    if len(tables) == 1:
        return [list(columns)]
    return [[f"{file} {column}" for column in columns] for file in by_file]
