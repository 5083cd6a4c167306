"""Coverage among some of the rows: by group, by class, by size, each with n and an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.artifact import Interval, Number, Record
from assay.inference import Draw, Estimate, Plan, Statistic, bootstrap, interval_of
from assay.shares import exact_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices, Resamples
    from assay.metrics.intervals.totals import Groups

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = [
    "Partition",
    "Strata",
    "Stratum",
    "least_covered",
    "size_ends",
    "strata_by_part",
    "strata_by_size",
    "stratum_records",
]

NO_ROWS = "no row belongs to it"


class Stratum(Record, frozen=True, kw_only=True):
    """The coverage among some of the rows; a stratum without rows is listed with n = 0."""

    name: str
    n: int
    n_covered: int
    coverage: Number
    reason: str | None
    """why the coverage is null"""
    interval: Interval
    interval_reason: str | None
    """why the interval is null"""
    size_low: Number = None
    size_high: Number = None
    """the smallest and the largest size in the stratum, where sizes define it"""


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The part of every row, and the names of all parts, of those without rows too."""

    code: Indices
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Rows and covered rows of every stratum, and its coverage as a function of the draws."""

    names: tuple[str, ...]
    n: Array
    covered: Array
    coverage: Sequence[Statistic]
    ends: Sequence[tuple[float, float]] = ()
    """the smallest and the largest size of each, where sizes define them"""


def strata_by_size(
    cut: Callable[..., Groups], weight: Resamples, names: Callable[[Groups], tuple[str, ...]]
) -> Strata:
    """Take strata that a metric defines, which cuts them anew on every resample."""
    table = cut() if (weight.size == 1).all() else cut(weight=weight)

    def drawn(resamples: Resamples) -> Groups:
        return cut(weight=resamples)

    def coverage(draw: Draw, stratum: int) -> Array:
        groups: Groups = draw.of(weight).curve(drawn)
        return groups.coverage[..., stratum]

    statistics = [partial(coverage, stratum=number) for number in range(table.n.size)]
    return Strata(names(table), table.n, table.covered, statistics, size_ends(table))


def size_ends(table: Groups) -> list[tuple[float, float]]:
    """Return the smallest and the largest size of every stratum, none where sizes play no part."""
    if table.narrowest is None or table.widest is None:
        return []
    return list(zip(table.narrowest.tolist(), table.widest.tolist(), strict=True))


def strata_by_part(partition: Partition, covered: Mask, weight: Resamples) -> Strata:
    """Count the rows of every part, and how many of them are covered."""
    n_strata, code = len(partition.names), partition.code
    return Strata(
        partition.names,
        _added(code, weight.size, n_strata),
        _added(code[covered], weight.size[covered], n_strata),
        [_share(covered, np.flatnonzero(code == part), weight) for part in range(n_strata)],
    )


def _added(code: Indices, size: Array, n_strata: int) -> Array:
    return np.bincount(code, weights=size, minlength=n_strata).astype(np.float64)


def _share(covered: Mask, rows: Indices, weight: Resamples) -> Statistic:
    """Return the share of covered rows as a function of the draws, cluster sums made once."""
    own, at = np.unique(weight.cluster[rows], return_inverse=True)
    size = weight.size[rows]
    n = np.bincount(at, weights=size, minlength=own.size)
    hits = np.bincount(at, weights=covered[rows] * size, minlength=own.size)

    def share(draw: Draw) -> Array:
        counts = draw.counts[:, own]
        total = counts @ n
        undefined: Array = np.full(total.shape, np.nan)
        return np.divide(counts @ hits, total, out=undefined, where=total > 0)

    return share


def stratum_records(
    strata: Strata, weight: Resamples, plan: Plan, *, independent: bool
) -> list[Stratum]:
    """Write down every stratum: exact intervals for independent rows, else over clusters."""
    n_clusters = int(weight.counts.shape[1])
    if independent:
        intervals = [_exact(k, n, plan) for k, n in zip(strata.covered, strata.n, strict=True)]
    else:
        intervals = _resampled(strata, plan, n_clusters)
    ends: list[dict[str, Any]] = [
        {"size_low": _finite(low), "size_high": _finite(high)} for low, high in strata.ends
    ] or [{}] * len(strata.names)
    return [
        Stratum(
            name=name,
            n=int(n),
            n_covered=int(k),
            coverage=float(k / n) if n else None,
            reason=None if n else NO_ROWS,
            **interval,
            **size,
        )
        for name, n, k, interval, size in zip(
            strata.names, strata.n, strata.covered, intervals, ends, strict=True
        )
    ]


def least_covered(strata: Sequence[Stratum]) -> Stratum | None:
    """Return the stratum with the smallest coverage, the first of several; None without rows."""
    filled = [each for each in strata if each.n]
    return min(filled, key=lambda each: each.n_covered / each.n, default=None)


def _exact(k: float, n: float, plan: Plan) -> dict[str, Any]:
    if not n:
        return {"interval": None, "interval_reason": NO_ROWS}
    return {"interval": exact_interval(int(k), int(n), plan.level), "interval_reason": None}


def _resampled(strata: Strata, plan: Plan, n_clusters: int) -> list[dict[str, Any]]:
    drawn = bootstrap(strata.coverage, plan, n_clusters=n_clusters, n_rows=int(strata.n.sum()))
    found = (drawn.of(number) for number in range(len(strata.names)))
    return [_ends(interval_of(each, plan, bounds=(0.0, 1.0))) for each in found]


def _ends(found: Estimate) -> dict[str, Any]:
    if found.reason is None:
        return {"interval": (found.low, found.high), "interval_reason": None}
    return {
        "interval": None,
        "interval_reason": NO_ROWS if np.isnan(found.value) else found.reason,
    }


def _finite(size: float) -> float | None:
    return float(size) if np.isfinite(size) else None
