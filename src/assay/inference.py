"""Cluster bootstrap: how far a number would move had other participants been asked.

A resample draws clusters with replacement, which gives every row a count; a statistic is any
function of such counts. All statistics of all samples see the same draws, so a difference of two
of them is a paired difference. Nothing here knows a metric or a file.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Array, Resamples, Scratch
from assay.errors import UsageError
from assay.options import Option, at_least, between, option_record
from assay.rounding import ROUNDING, difference

__all__ = [
    "BEYOND",
    "Draw",
    "Estimate",
    "IntervalMethod",
    "Plan",
    "Replicate",
    "Replicates",
    "Statistic",
    "Stream",
    "WithoutWidth",
    "bands",
    "bootstrap",
    "estimate",
    "holm",
    "p_value",
    "quantiles",
]

Stream = Literal["legacy", "counter"]
IntervalMethod = Literal["percentile", "basic", "bca"]
WithoutWidth = Literal["null", "keep"]

BLOCK_VALUES = 1 << 20
"""How many values a statistic holds at once: enough to forget the cost of a call, 8 MB."""
ROWS_PER_VALUE = 8
"""How many weights of rows there may be for each of them."""
MOST_JACKKNIFE_CLUSTERS = 5_000
MOST_RESAMPLES = 1_000_000
"""Ends of intervals then move by less than a hundredth of the standard error; memory is finite."""
MOST_THREADS = 256
FAR_EXPONENT = 500
"""Numbers beyond 2 to this power, or below its inverse, are read in units of their own size."""


@option_record()
class Plan:
    """How to resample and what to make of it; all of it goes on record."""

    n_resamples: Annotated[
        int,
        Option(
            "Resamples of what is drawn: participants, clusters, cases or rows; 0 gives no"
            " intervals.",
            ("--bootstrap-resamples",),
            check=at_least(0, MOST_RESAMPLES),
            hint="10,000 are customary; 0 means no intervals",
        ),
    ] = 10_000
    seed: Annotated[int, Option("Seed of the resamples.", check=at_least(0, 2**32 - 1))] = 42
    level: Annotated[
        float,
        Option(
            "Level of the error bars.",
            ("--ci-level", "--level", "--error-bar-level"),
            check=between(0, 1),
            hint="0.95 gives 95 percent intervals",
        ),
    ] = 0.95
    method: Annotated[
        IntervalMethod,
        Option("Kind of the error bars.", ("--ci-method", "--interval", "--error-bar")),
    ] = "percentile"
    stream: Annotated[Stream, Option("Where resamples come from.")] = "legacy"
    threads: Annotated[
        int,
        Option("How many at once; changes no number.", check=at_least(1), shown="all cores"),
    ] = 1
    block_values: int = BLOCK_VALUES
    without_width: WithoutWidth = "null"
    """an interval whose ends are equal shows no uncertainty: it is left out with a reason, or kept
    where another program is followed"""


class Draw:
    """A block of draws: how often each cluster was drawn, and what was made of it so far."""

    def __init__(self, counts: Array, scratch: Scratch | None = None) -> None:
        """Keep the counts, (resamples, clusters); what is made of them may live in the scratch."""
        self.counts = counts
        self._scratch = scratch or Scratch()
        self._blocks: dict[int, Resamples] = {}

    def of(self, rows: Resamples) -> Resamples:
        """Return the weight these draws give to rows; all statistics of the rows share it."""
        if id(rows) not in self._blocks:
            self._blocks[id(rows)] = rows.block(self.counts, self._scratch)
        return self._blocks[id(rows)]


Statistic = Callable[[Draw], "Array | float"]
"""One value per resample."""


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Statistics of the clusters as they are, of their resamples, and without each of them."""

    point: Array
    """(statistics,)"""
    distribution: Array
    """(statistics, resamples)"""
    jackknife: Array | None = None
    """(statistics, clusters), only where an interval needs it"""

    def of(self, row: int) -> Replicate:
        """Return one statistic."""
        without = None if self.jackknife is None else self.jackknife[row]
        return Replicate(float(self.point[row]), self.distribution[row], without)


@dataclass(frozen=True, slots=True, eq=False)
class Replicate:
    """One statistic: its value, on the resamples, and without each cluster."""

    point: float
    distribution: Array
    jackknife: Array | None = None

    def __sub__(self, other: Replicate) -> Replicate:
        """Return the paired difference of two statistics on the same resamples."""
        without = None
        if self.jackknife is not None and other.jackknife is not None:
            without = _apart(self.jackknife, other.jackknife)
        point = float(_apart(np.array(self.point), np.array(other.point)))
        return Replicate(point, _apart(self.distribution, other.distribution), without)


def _apart(left: Array, right: Array) -> Array:
    """Subtract; what is infinite has no difference, not even from itself."""
    finite = np.isfinite(left) & np.isfinite(right)
    found: Array = difference(left, right)
    return found if finite.all() else np.where(finite, found, np.nan)


def bootstrap(
    statistics: Sequence[Statistic],
    plan: Plan,
    *,
    n_clusters: int,
    n_rows: int,
    n_points: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Replicates:
    """Compute all statistics on the same resamples of the clusters.

    A statistic that holds only `n_points` values per resample, not one per row, may see larger
    blocks. `progress` hears how many resamples are done. The result depends on neither the number
    of threads nor the size of a block.
    """
    if plan.method == "bca" and n_clusters > MOST_JACKKNIFE_CLUSTERS:
        msg = (
            f"BCa intervals leave out every participant once, which is refused above"
            f" {MOST_JACKKNIFE_CLUSTERS:,} participants (found {n_clusters:,})"
        )
        raise UsageError(msg, hint="at this size percentile intervals hardly differ; use those")
    block = _block_size(plan, n_rows, n_points)
    # The first pass also makes what all blocks share, before several threads would want it.
    point = _replicated(statistics, iter([np.ones((1, n_clusters))]), n=1, threads=1)[:, 0]
    draws, n = _draws(n_clusters, plan, block), plan.n_resamples
    threads = min(plan.threads, -(-n // block))
    distribution = _replicated(statistics, draws, n=n, threads=threads, progress=progress)
    if plan.method != "bca" or not plan.n_resamples:
        return Replicates(point, distribution)
    left_out = _leave_one_out(n_clusters, block)
    without = _replicated(statistics, left_out, n=n_clusters, threads=plan.threads)
    return Replicates(point, distribution, without)


def _block_size(plan: Plan, n_rows: int, n_points: int | None) -> int:
    values = max(1, n_rows if n_points is None else n_points)
    by_rows = ROWS_PER_VALUE * plan.block_values // max(1, n_rows)
    return max(1, min(plan.block_values // values, by_rows))


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
        draw = Draw(counts, worker.scratch)
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


def _draws(n_clusters: int, plan: Plan, block: int) -> Iterator[Array]:
    """Yield how often each cluster is drawn, block by block, in replicate order."""
    legacy = kernels.LegacyState(plan.seed)
    for first in range(0, plan.n_resamples, block):
        n = min(block, plan.n_resamples - first)
        if plan.stream == "counter":
            yield kernels.counter_counts(plan.seed, first, n, n_clusters)
        else:
            yield kernels.legacy_counts(legacy, n, n_clusters)


def _leave_one_out(n_clusters: int, block: int) -> Iterator[Array]:
    for first in range(0, n_clusters, block):
        n = min(block, n_clusters - first)
        counts = np.ones((n, n_clusters))
        counts[np.arange(n), first + np.arange(n)] = 0.0
        yield counts


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and what the resamples say about it; NaN where there is nothing to say."""

    value: float
    low: float
    high: float
    standard_error: float
    n_undefined: int
    """resamples on which the statistic is undefined or infinite; they are in no interval"""
    reason: str | None
    """why there is no interval, if there is none"""


LEAST_DEFINED = 2
"""resamples that a spread takes"""
BEYOND = "it is infinite or beyond the range of a double"
NO_WIDTH = "nearly all resamples give the same number, so their interval has no width"


def estimate(replicate: Replicate, plan: Plan) -> Estimate:
    """Read an interval off the resamples of one statistic, or say why there is none."""
    drawn = replicate.distribution
    undefined = ~np.isfinite(drawn)
    defined = drawn[~undefined] if undefined.any() else drawn
    unit = _unit(replicate.point, defined)
    without = None if replicate.jackknife is None else replicate.jackknife / unit
    scaled = Replicate(replicate.point / unit, defined / unit, without)
    low, high, spread, reason = _read(scaled, plan)
    found = low * unit, high * unit, spread * unit
    if reason is None and not all(map(math.isfinite, found)):
        found, reason = (np.nan,) * 3, BEYOND
    return Estimate(replicate.point, *found, drawn.size - defined.size, reason)


def _unit(point: float, defined: Array) -> float:
    """Return a power of two in which no square of these numbers leaves the range of a double."""
    largest = np.abs(defined).max(initial=abs(point) if np.isfinite(point) else 0.0)
    exponent = math.frexp(largest)[1]
    return 1.0 if abs(exponent) < FAR_EXPONENT else 2.0 ** min(max(exponent, -1022), 1023)


def _read(replicate: Replicate, plan: Plan) -> tuple[float, float, float, str | None]:
    """Return both ends, the standard error, and why there are none."""
    point, defined = replicate.point, replicate.distribution
    reason = _no_interval(point, defined, plan)
    if reason is None and plan.method == "bca":
        reason = _no_bca(point, defined, replicate.jackknife)
    if reason is not None:
        return np.nan, np.nan, np.nan, reason
    if defined.size < LEAST_DEFINED:
        return point, point, 0.0, None
    low, high = quantiles(defined, _tails(point, defined, plan, replicate.jackknife))
    if difference(high, low) == 0 and plan.without_width == "null":
        return np.nan, np.nan, np.nan, NO_WIDTH
    if plan.method == "basic":
        low, high = 2 * point - high, 2 * point - low
    return float(low), float(high), float(defined.std(ddof=1)), None


def _no_interval(point: float, defined: Array, plan: Plan) -> str | None:
    if not plan.n_resamples:
        return "no resamples were asked for"
    if not np.isfinite(point):
        return "the number itself is undefined"
    if plan.without_width == "keep":
        return None
    if defined.size < LEAST_DEFINED:
        return "fewer than two resamples are defined"
    if defined.max() - defined.min() <= ROUNDING * np.abs(defined).max():
        return "all resamples give the same number, so resampling cannot show its uncertainty"
    return None


def _no_bca(point: float, defined: Array, jackknife: Array | None) -> str | None:
    if jackknife is None or not np.isfinite(jackknife).all():
        return "BCa needs the number without each participant, and one of them is undefined"
    if not jackknife.size or difference(jackknife.max(), jackknife.min()) == 0:
        return "BCa is undefined: no single participant changes the number"
    if not 0 < (defined < point).mean() + (defined == point).mean() / 2 < 1:
        return "BCa is undefined: all resamples lie on one side of the number"
    return None


def _tails(point: float, defined: Array, plan: Plan, jackknife: Array | None) -> Array:
    """Return the two quantiles to read; BCa moves them for bias and skewness."""
    tails = np.array([(1 - plan.level) / 2, (1 + plan.level) / 2])
    if plan.method != "bca" or jackknife is None:
        return tails
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - 0.2 s that only BCa needs

    below = (defined < point).mean() + (defined == point).mean() / 2
    bias = ndtri(below)
    spread = jackknife.mean() - jackknife
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)
    moved = bias + ndtri(tails)
    adjusted: Array = ndtr(bias + moved / (1 - acceleration * moved))
    return adjusted


def p_value(delta: Replicate) -> float:
    """Return the two-sided p-value of no difference, by inverting the percentile interval.

    Twice the smaller share of resamples on either side of 0, ties with 0 on both sides, and the
    sample itself as one more resample: identical systems have p = 1, and p is never 0. Undefined
    (NaN) where the difference is, or without resamples; infinite differences are undefined ones.

    Examples
    --------
    >>> p_value(Replicate(0.0, np.zeros(99)))
    1.0
    >>> p_value(Replicate(1.0, np.ones(99)))
    0.02
    """
    defined = delta.distribution[np.isfinite(delta.distribution)]
    if not defined.size or not np.isfinite(delta.point):
        return float("nan")
    tail = min((defined <= 0).sum(), (defined >= 0).sum())
    return float(min(1.0, 2 * (tail + 1) / (defined.size + 1)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values of several comparisons so that all hold together (Holm, step down).

    Undefined p-values stay undefined and are not counted as comparisons.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = [i for i in np.argsort(p_values) if not np.isnan(p_values[i])]
    adjusted = [float("nan")] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


BAND_VALUES = 1 << 17
LEAST_BAND_RESAMPLES = 1_000


def bands(
    points: Callable[[Draw], Sequence[Array]],
    plan: Plan,
    *,
    n_clusters: int,
    n_rows: int,
    n_points: int,
) -> tuple[int, list[tuple[Array, Array]]]:
    """Return pointwise percentile intervals of curves read at fixed points, and their resamples.

    `points` gives one array (resamples, points) per quantity. So that the resamples of a long
    curve fit into memory, only the first resamples of the stream are used, at least 1,000 of them.
    Where they all agree there is no interval (NaN).
    """
    fitting = max(LEAST_BAND_RESAMPLES, BAND_VALUES // max(1, n_points))
    n = min(plan.n_resamples, fitting)
    fewer = replace(plan, n_resamples=n)
    block = _block_size(plan, n_rows, n_points)
    scratch = Scratch()
    drawn = [points(Draw(np.empty((0, n_clusters))))]
    for counts in _draws(n_clusters, fewer, block):
        scratch.empty()
        drawn.append(points(Draw(counts, scratch)))
    tails = np.array([(1 - plan.level) / 2, (1 + plan.level) / 2])
    return n, [_band(np.concatenate(quantity), tails) for quantity in zip(*drawn, strict=True)]


def _band(values: Array, tails: Array) -> tuple[Array, Array]:
    points = np.ascontiguousarray(values.T)
    ends = np.full((points.shape[0], 2), np.nan)
    whole = ~np.isnan(points).any(-1)
    if points.shape[1]:
        ends[whole] = quantiles(points[whole], tails)
    for point in np.flatnonzero(~whole):
        defined = points[point, ~np.isnan(points[point])]
        if defined.size:
            ends[point] = quantiles(defined, tails)
    low, high = ends.T
    ends[high - low <= ROUNDING * np.maximum(np.abs(low), np.abs(high))] = np.nan
    return low, high


def quantiles(values: Array, shares: Array) -> Array:
    """Return quantiles along the last axis: the digits of `numpy.quantile`, three times as fast.

    Examples
    --------
    >>> quantiles(np.array([4.0, 1.0, 3.0, 2.0]), np.array([0.25, 0.5])).tolist()
    [1.75, 2.5]
    """
    position = shares * (values.shape[-1] - 1)
    below = np.floor(position).astype(np.int64)
    above = np.minimum(below + 1, values.shape[-1] - 1)
    ordered = np.partition(values, np.unique((below, above)), axis=-1)
    low, high, part = ordered[..., below], ordered[..., above], position - below
    # From the nearer end, as NumPy interpolates.
    near_high = part >= 0.5  # noqa: PLR2004
    read: Array = np.where(near_high, high - (high - low) * (1 - part), low + (high - low) * part)
    return read
