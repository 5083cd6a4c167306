"""Coverage among some of the rows: by group, by class, by size, each with n and an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.artifacts.intervals import Stratum
from assay.evaluate.scalars import exact_interval
from assay.inference import Draw, Estimate, Plan, Statistic, bootstrap, estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices, Resamples
    from assay.evaluate.groups import Partition
    from assay.metrics.intervals.totals import Groups

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = [
    "Strata",
    "filled",
    "least_covered",
    "size_ends",
    "strata_of",
    "strata_of_groups",
    "stratum_records",
]

NO_ROWS = "no row belongs to it"


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Rows and covered rows of every stratum, and its coverage as a function of the draws."""

    names: tuple[str, ...]
    n: Array
    covered: Array
    coverage: Sequence[Statistic]
    ends: Sequence[tuple[float, float]] = ()
    """the smallest and the largest size of each, where sizes define them"""


def strata_of(partition: Partition, covered: Mask, cluster: Indices) -> Strata:
    """Count the rows of every stratum."""
    n_strata = len(partition.names)
    return Strata(
        partition.names,
        np.bincount(partition.code, minlength=n_strata).astype(np.float64),
        np.bincount(partition.code[covered], minlength=n_strata).astype(np.float64),
        [
            _share(covered, np.flatnonzero(partition.code == each), cluster)
            for each in range(n_strata)
        ],
    )


def strata_of_groups(
    cut: Callable[..., Groups], weight: Resamples, names: Callable[[Groups], tuple[str, ...]]
) -> Strata:
    """Take strata that a metric defines, which cuts them anew on every resample."""
    table = cut()

    def drawn(resamples: Resamples) -> Groups:
        return cut(weight=resamples)

    def coverage(draw: Draw, stratum: int) -> Array:
        groups: Groups = draw.of(weight).curve(drawn)
        return groups.coverage[..., stratum]

    return Strata(
        names(table),
        table.n,
        table.covered,
        [partial(coverage, stratum=number) for number in range(table.n.size)],
        size_ends(table),
    )


def filled(strata: Strata) -> Strata:
    """Leave out strata without rows, and number the others."""
    kept = [int(each) for each in np.flatnonzero(strata.n)]
    return Strata(
        tuple(str(number + 1) for number in range(len(kept))),
        strata.n[kept],
        strata.covered[kept],
        [strata.coverage[each] for each in kept],
        [strata.ends[each] for each in kept],
    )


def size_ends(table: Groups) -> list[tuple[float, float]]:
    """Return the smallest and the largest size of every stratum, none where sizes play no part."""
    if table.narrowest is None or table.widest is None:
        return []
    return list(zip(table.narrowest.tolist(), table.widest.tolist(), strict=True))


def _share(covered: Mask, rows: Indices, cluster: Indices) -> Statistic:
    """Return the share of covered rows as a function of the draws, cluster sums made once."""
    own, at = np.unique(cluster[rows], return_inverse=True)
    n = np.bincount(at, minlength=own.size).astype(np.float64)
    hits = np.bincount(at, weights=covered[rows].astype(np.float64), minlength=own.size)

    def share(draw: Draw) -> Array:
        counts = draw.counts[:, own]
        total = counts @ n
        undefined: Array = np.full(total.shape, np.nan)
        return np.divide(counts @ hits, total, out=undefined, where=total > 0)

    return share


def stratum_records(
    strata: Strata, plan: Plan, *, n_clusters: int, independent: bool
) -> list[Stratum]:
    """Write down every stratum: exact intervals for independent rows, else over clusters."""
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
    return [_ends(estimate(drawn.of(each), plan)) for each in range(len(strata.names))]


def _ends(found: Estimate) -> dict[str, Any]:
    if found.reason is None:
        return {"interval": (found.low, found.high), "interval_reason": None}
    return {
        "interval": None,
        "interval_reason": NO_ROWS if np.isnan(found.value) else found.reason,
    }


def _finite(size: float) -> float | None:
    return float(size) if np.isfinite(size) else None
