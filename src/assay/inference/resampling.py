"""Cluster bootstrap: how far a number would move had other participants been asked.

A resample draws clusters with replacement, which gives every row a count; a statistic is any
function of such counts. All statistics of all samples see the same draws, so a difference of two
of them is a paired difference. Nothing here knows a metric or a file.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import Array, Resamples, Scratch
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.inference.planning import Plan
    from assay.registry import Gaps, Ranks

ROWS_PER_VALUE = 8
"""How many weights of rows there may be for each value that a statistic holds."""
ABREAST = 8
"""How many resamples a kernel takes side by side."""
MOST_JACKKNIFE_CLUSTERS = 5_000
JACKKNIFE_GROUPS = 1_000
"""Above that many clusters they are left out in so many groups."""
MOST_THREADS = 256
STUDENTIZED = 1_000
"""resamples that have a standard error of their own"""
UNTHREADED = 200_000
"""products of a matrix that take less time than waking another thread"""
SWAPS = 999
"""swaps of two systems behind a p-value"""
MOST_KEPT = 1 << 21
"""swaps times clusters that are remembered for the next pair: 32 MB a side"""
HALF = 0.5
FEWEST_IN_GAP = 6
"""clusters, of equal weight, behind a gap that tells its noise"""
INVERTED, INVERTED_DENSE = 1_000, 300
"""resamples of the gaps behind a norm, and where these are many"""
WITHIN = frozenset({"bootstrap-t", "bootstrap-t or bca-t"})
"""methods that need a standard error within resamples"""
LEAVING_OUT = WITHIN | {
    *("bca", "bca-t", "expanded or bca-t", "hall-t"),
    *("jackknife-t", "jackknife-t or basic"),
}
"""methods that need the number without each cluster"""


class Draw:
    """A block of draws: how often each cluster was drawn, and what was made of it so far."""

    def __init__(
        self,
        counts: Array,
        scratch: Scratch | None = None,
        shape: tuple[int, ...] | None = None,
    ) -> None:
        """Keep the counts, (resamples, clusters); what is made of them may live in the scratch.

        Numbers have the `shape` of their weight: one per resample, or () for a single weight.
        """
        self.counts = counts
        self._scratch = scratch or Scratch()
        self._shape = shape
        self._blocks: dict[int, Resamples] = {}

    def of(self, rows: Resamples) -> Resamples:
        """Return the weight these draws give to rows; all statistics of the rows share it."""
        if id(rows) not in self._blocks:
            block = rows.block(self.counts, self._scratch)
            self._blocks[id(rows)] = (
                block if self._shape is None else replace(block, shape=self._shape)
            )
        return self._blocks[id(rows)]


Statistic = Callable[[Draw], "Array | float"]
"""One value per resample."""


@dataclass(frozen=True, slots=True, eq=False)
class Deviations:
    """The gaps that a norm is taken of, and how far resamples move them."""

    gap: Array
    """(gaps,)"""
    moved: Array
    """(resamples, gaps)"""
    norm: Callable[[Array], Array]
    """of gaps along the last axis"""
    dense: bool = False
    """there are many, which make sense only together"""


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Statistics of the clusters as they are, of their resamples, and without each of them."""

    point: Array
    """(statistics,)"""
    distribution: Array
    """(statistics, resamples)"""
    jackknife: Array | None = None
    """(statistics, clusters), only where an interval needs it"""
    errors: Array | None = None
    """(statistics, first resamples), the standard error within each, NaN where none is needed"""
    n_clusters: int = 0
    n_concerned: Mapping[int, int] = field(default_factory=dict)
    """of statistics that no resample changes: how many clusters have a value of their own"""

    def of(self, row: int) -> Replicate:
        """Return one statistic."""
        without = None if self.jackknife is None else self.jackknife[row]
        errors = None if self.errors is None else self.errors[row]
        point, concerned = float(self.point[row]), self.n_concerned.get(row)
        drawn = self.distribution[row]
        return Replicate(point, drawn, without, errors, self.n_clusters, n_concerned=concerned)


@dataclass(frozen=True, slots=True, eq=False)
class Replicate:
    """One statistic: its value, on the resamples, and without each cluster."""

    point: float
    distribution: Array
    jackknife: Array | None = None
    errors: Array | None = None
    """standard errors within the first resamples"""
    n_clusters: int = 0
    """0: unknown"""
    deviations: Deviations | None = None
    """of a norm: the gaps behind it"""
    ranks: Ranks | None = None
    """of a quantile: where it stands"""
    n_concerned: int | None = None
    """where no resample changes it: clusters that have a value of their own; None: unknown"""

    def __sub__(self, other: Replicate) -> Replicate:
        """Return the paired difference of two statistics on the same resamples."""
        without = None
        if self.jackknife is not None and other.jackknife is not None:
            without = kernels.differences(self.jackknife, other.jackknife)
        point = kernels.differences(np.array([self.point]), np.array([other.point]))
        drawn = kernels.differences(self.distribution, other.distribution)
        return Replicate(float(point[0]), drawn, without, n_clusters=self.n_clusters)


def bootstrap(  # noqa: PLR0913 - what is drawn, how, and who hears of it
    statistics: Sequence[Statistic],
    plan: Plan,
    *,
    n_clusters: int,
    n_rows: int,
    n_points: int | None = None,
    methods: Sequence[str] | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Replicates:
    """Compute all statistics on the same resamples of the clusters.

    A statistic that holds only `n_points` values per resample, not one per row, may see larger
    blocks. `methods` are those of the intervals, by statistic, where the plan leaves them open.
    `progress` hears how many resamples are done. The result depends on neither the number of
    threads nor the size of a block.
    """
    if plan.method in {"bca", "bca-t"} and n_clusters > MOST_JACKKNIFE_CLUSTERS:
        msg = (
            f"BCa intervals leave out every participant once, which is refused above"
            f" {MOST_JACKKNIFE_CLUSTERS:,} participants (found {n_clusters:,})"
        )
        raise UsageError(msg, hint="at this size percentile intervals hardly differ; use those")
    block = block_size(plan, n_rows, n_points)
    # The first pass also makes what all blocks share, before several threads would want it.
    point = _replicated(statistics, iter([np.ones((1, n_clusters))]), n=1, threads=1)[:, 0]
    drawn, n = draws(n_clusters, plan, block), plan.n_resamples
    threads = min(plan.threads, -(-n // block))
    distribution = _replicated(statistics, drawn, n=n, threads=threads, progress=progress)
    found = Replicates(point, distribution, n_clusters=n_clusters)
    wanted = methods or [plan.method] * len(statistics)
    if not n or not n_clusters or not _left_out(plan, wanted, n_clusters):
        return found
    without, n_groups = _leave_some_out(n_clusters, block)
    jackknife = _replicated(statistics, without, n=n_groups, threads=plan.threads)
    errors = _studentized(statistics, wanted, plan, n_clusters, block)
    concerned = _concerned(statistics, found, block) if plan.method == "auto" else {}
    return replace(found, jackknife=jackknife, errors=errors, n_concerned=concerned)


def _concerned(statistics: Sequence[Statistic], found: Replicates, block: int) -> dict[int, int]:
    """Count the clusters that alone have a number, of those that no resample changes."""
    drawn, n_clusters = found.distribution, found.n_clusters
    finite = np.isfinite(drawn)
    least = drawn.min(axis=1, initial=np.inf, where=finite)
    same = least == drawn.max(axis=1, initial=-np.inf, where=finite)
    rows: list[int] = np.flatnonzero(same).tolist()
    if not rows or n_clusters > MOST_JACKKNIFE_CLUSTERS:
        return {}

    def alone() -> Iterator[Array]:
        for first in range(0, n_clusters, block):
            yield np.eye(min(block, n_clusters - first), n_clusters, first)

    of_each = _replicated([statistics[row] for row in rows], alone(), n=n_clusters, threads=1)
    return dict(zip(rows, np.isfinite(of_each).sum(1).tolist(), strict=True))


def _left_out(plan: Plan, wanted: Sequence[str], n_clusters: int) -> bool:
    """Say whether clusters are left out; also to see who decides, where that is cheap."""
    seen = plan.method == "auto" and n_clusters <= MOST_JACKKNIFE_CLUSTERS
    return seen or not LEAVING_OUT.isdisjoint(wanted)


def block_size(plan: Plan, n_rows: int, n_points: int | None) -> int:
    """Return how many resamples are computed at once."""
    values = max(1, n_rows if n_points is None else n_points)
    by_rows = ROWS_PER_VALUE * plan.block_values // max(1, n_rows)
    # Kernels take several resamples side by side, which is worth more memory.
    fitting = plan.block_values // values
    return max(1, min(max(fitting, ABREAST) if fitting else 1, by_rows))


def _replicated(
    statistics: Sequence[Statistic],
    draws: Iterator[Array],
    *,
    n: int,
    threads: int,
    progress: Callable[[int], None] = lambda _: None,
) -> Array:
    """Compute the statistics on n draws, a bounded number of blocks at a time."""
    replicated = np.empty((len(statistics), n))
    worker = threading.local()

    def start() -> None:
        worker.scratch = Scratch()

    def fill(first: int, counts: Array) -> int:
        worker.scratch.empty()
        # All rows once: a single weight takes neither a sort nor cells.
        whole = counts.shape == (1, 1) and counts[0, 0] == 1
        draw = Draw(counts, worker.scratch, () if whole else None)
        for row, statistic in zip(replicated, statistics, strict=True):
            row[first : first + counts.shape[0]] = statistic(draw)
        return int(counts.shape[0])

    first = 0
    if threads <= 1:
        # Starting a thread and hearing of it takes longer than most blocks.
        start()
        for counts in draws:
            progress(fill(first, counts))
            first += counts.shape[0]
        return replicated
    n_workers = min(threads, MOST_THREADS)
    with ThreadPoolExecutor(n_workers, initializer=start) as pool:
        waiting: deque[Future[int]] = deque()
        for counts in draws:
            waiting.append(pool.submit(fill, first, counts))
            first += counts.shape[0]
            if len(waiting) > n_workers:
                progress(waiting.popleft().result())
        for each in waiting:
            progress(each.result())
    return replicated


def draws(n_clusters: int, plan: Plan, block: int) -> Iterator[Array]:
    """Yield how often each cluster is drawn, block by block, in replicate order."""
    legacy = kernels.LegacyState(plan.seed)
    for first in range(0, plan.n_resamples, block):
        n = min(block, plan.n_resamples - first)
        if plan.stream == "counter":
            yield kernels.counter_counts(plan.seed, first, n, n_clusters)
        else:
            yield kernels.legacy_counts(legacy, n, n_clusters)


def _leave_some_out(n_clusters: int, block: int) -> tuple[Iterator[Array], int]:
    """Leave out every cluster once, or one of many groups of clusters after the other."""
    groups = np.arange(n_clusters)
    if n_clusters > MOST_JACKKNIFE_CLUSTERS:
        groups %= JACKKNIFE_GROUPS
    n_groups = int(groups.max()) + 1

    def without() -> Iterator[Array]:
        for first in range(0, n_groups, block):
            left_out = np.arange(first, min(first + block, n_groups))
            yield (groups != left_out[:, None]).astype(np.float64)

    return without(), n_groups


def _studentized(
    statistics: Sequence[Statistic],
    wanted: Sequence[str],
    plan: Plan,
    n_clusters: int,
    block: int,
) -> Array | None:
    """Return the jackknife standard error within the first resamples, where one is needed."""
    rows = [row for row, method in enumerate(wanted) if method in WITHIN]
    if not rows:
        return None
    few = replace(plan, n_resamples=min(plan.n_resamples, STUDENTIZED))
    counts = np.concatenate([*draws(n_clusters, few, few.n_resamples)])
    errors = np.full((len(statistics), counts.shape[0]), np.nan)
    chosen = [statistics[row] for row in rows]
    errors[rows] = _second_order(chosen, counts, plan.threads, block)
    return errors


def _second_order(
    statistics: Sequence[Statistic], counts: Array, threads: int, block: int
) -> Array:
    """Return standard errors within resamples from what two clusters move together.

    What leaving a cluster out of a resample changes is what leaving it out of the sample does, and
    how much that changes with the count of each other cluster: leaving out all pairs tells.
    """
    n_clusters = counts.shape[1]
    one, other = np.triu_indices(n_clusters, 1)
    n_pairs, n = one.size, one.size + 2 * n_clusters + 1

    def moved() -> Iterator[Array]:
        """Leave out all pairs, leave out each, double each, and take all as they are."""
        first = np.concatenate([one, np.arange(n_clusters), np.arange(n_clusters), [0]])
        second = np.concatenate([other, np.full(2 * n_clusters + 1, n_clusters)])
        by = np.repeat([-1.0, -1.0, 1.0, 0.0], [n_pairs, n_clusters, n_clusters, 1])
        for start in range(0, n, block):
            part = np.arange(start, min(start + block, n))
            weights = np.ones((part.size, n_clusters + 1))
            weights[np.arange(part.size), first[part]] += by[part]
            weights[np.arange(part.size), second[part]] -= 1.0
            yield weights[:, :n_clusters]

    values, unit = _in_units(_replicated(statistics, moved(), n=n, threads=threads))
    errors = np.empty((len(statistics), counts.shape[0]))
    for row, found in zip(errors, values, strict=True):
        without, more = found[n_pairs:-1].reshape(2, n_clusters)
        slope = np.zeros((n_clusters, n_clusters))
        slope[one, other] = found[:n_pairs] + found[-1] - without[one] - without[other]
        slope += slope.T
        np.fill_diagonal(slope, more + without - 2 * found[-1])
        moves = _product(counts - 1.0, slope)
        moves += found[-1] - without
        moves -= ((counts * moves).sum(-1) / n_clusters)[:, None]
        row[:] = (counts * np.square(moves)).sum(-1)
    return np.asarray(np.sqrt(errors * (n_clusters - 1) / n_clusters) * unit)


def _product(left: Array, right: Array) -> Array:
    """Multiply matrices, so few rows at a time that no threads are started for it."""
    rows = max(1, UNTHREADED // right.size)
    parts = [left[first : first + rows] @ right for first in range(0, left.shape[0], rows)]
    return np.concatenate(parts)


def _in_units(values: Array) -> tuple[Array, Array]:
    """Return values in units of the largest of their row, so that no square leaves the range."""
    finite = np.isfinite(values)
    largest = np.abs(values).max(axis=1, keepdims=True, initial=0.0, where=finite)
    unit = np.where(largest > 0, largest, 1.0)
    return np.where(finite, values, np.nan) / unit, unit


def swapped(
    statistics: Sequence[Statistic],
    plan: Plan,
    *,
    n_clusters: int,
    n_rows: int,
    n_points: int | None = None,
) -> Array:
    """Return differences of two systems whose answers are swapped, cluster by cluster, at random.

    Statistics are of a table that holds the clusters of one system and then those of the other: a
    draw takes each cluster from one of them, and the other system has the rest. (statistics, swaps)
    """
    n = min(plan.n_resamples, SWAPS)
    block = block_size(plan, n_rows, n_points)
    few = n * n_clusters <= MOST_KEPT
    sides = _kept_sides if few else _sides
    one, two = (
        _replicated(
            statistics,
            iter(sides(plan.seed, n_clusters, n, block, other)),
            n=n,
            threads=plan.threads if n > block else 1,
        )
        for other in (False, True)
    )
    found: Array = kernels.differences(one, two)
    return found


def _sides(seed: int, n_clusters: int, n: int, block: int, other: bool) -> Iterator[Array]:  # noqa: FBT001 - by place, to be remembered
    """Yield which clusters are taken from the left and the right, or the rest of both."""
    generator = np.random.default_rng([seed, n_clusters])
    for first in range(0, n, block):
        taken = generator.random((min(block, n - first), n_clusters)) < HALF
        yield np.hstack([taken ^ other, ~taken ^ other]).astype(np.float64)


@lru_cache(maxsize=2)  # every pair of an evaluation sees the same swaps, from both sides
def _kept_sides(
    seed: int,
    n_clusters: int,
    n: int,
    block: int,
    other: bool,  # noqa: FBT001 - as above
) -> tuple[Array, ...]:
    return tuple(_sides(seed, n_clusters, n, block, other))


def deviations(
    gaps: Callable[[Draw], Gaps], plan: Plan, *, n_clusters: int, n_rows: int
) -> Deviations:
    """Return how far the first resamples move the gaps behind a norm.

    A gap is a ratio of two sums over rows; its deviation is that of the ratio to the first order,
    which is defined also where a resample leaves a bin empty. A gap of few clusters, all right or
    all wrong perhaps, does not tell its noise: its deviation is that of the sum alone.
    """
    as_it_is = gaps(Draw(np.ones((1, n_clusters))))
    weight = as_it_is.weights[0]
    gap = as_it_is.sums[0] / weight
    most = INVERTED_DENSE if as_it_is.dense else INVERTED
    first = replace(plan, n_resamples=min(plan.n_resamples, most))
    moved, drawn_again, scratch = [], [], Scratch()
    for counts in draws(n_clusters, first, block_size(plan, n_rows, gap.size)):
        scratch.empty()
        drawn = gaps(Draw(counts, scratch))
        moved.append((drawn.sums - gap * drawn.weights) / weight)
        drawn_again.append(drawn.weights / weight - 1)
    found, share = np.concatenate(moved), np.concatenate(drawn_again)
    few = np.square(share).mean(axis=0) * FEWEST_IN_GAP > 1
    found[:, few] += gap[few] * share[:, few]
    return Deviations(gap, found, as_it_is.norm, as_it_is.dense)
