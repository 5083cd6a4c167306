"""Intervals from the narrowest up: the width at a rank, and what is covered up to it.

The order never changes under resampling, so it is made once per table; a block of resamples only
adds up how many copies of each row come before. Without a weight nothing is sorted: the few ranks
that are asked for are selected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples
from assay.metrics.intervals.spans import Totals
from assay.rounding import apart

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.metrics.intervals.spans import Spans

__all__ = ["covered_upto", "cuts_between", "width_at"]

MOST_SELECTED = 8
"""Up to so many cuts are selected; for more of them rows are sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Rows by rising width, equal widths by the rounding of their bounds, then in row order."""

    width: Array
    first: Indices
    """(rows,), the place of the first row of the same width, up to rounding"""
    last: Indices
    """(rows,), the place of the last"""
    start: Indices
    cluster: Indices
    n: Array
    covered: Array


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """How many rows, and how many covered ones, there are up to each row, (resamples, rows)."""

    n: Array
    covered: Array


def width_at(sums: Totals, rank: Array) -> Array:
    """Return the widths at ranks, (resamples, ranks), counted from 1; NaN without rows.

    Beyond the last row it is the width of that.
    """
    if sums.resamples is None:
        return _selected(sums.spans.width, rank)
    order: Order = sums.resamples.plan(_ordered, sums.spans)
    if not order.width.size:
        return np.full(rank.shape, np.nan)
    ranks: Ranks = sums.resamples.curve(_ranked, order)
    points = np.stack([kernels.first_reaching(ranks.n, each) for each in rank.T], axis=-1)
    width = order.width[np.minimum(points, order.width.size - 1)]
    return np.where(sums.n[:, None] > 0, width, np.nan)


def _selected(width: Array, rank: Array) -> Array:
    if not width.size:
        return np.full(rank.shape, np.nan)
    place = np.minimum(np.ceil(rank).astype(np.int64), width.size) - 1
    selected: Array = np.partition(width, np.unique(place))[place]
    return selected


def cuts_between(sums: Totals, cuts: Array) -> tuple[Array, Array]:
    """Move cuts to where widths change, and count the covered rows before them.

    Both are (resamples, cuts), the ends included. A cut through rows of one width goes to the
    nearer end of these, of two equally near ones to the later.
    """
    if sums.resamples is None:
        found = _between_unequal(sums.spans, cuts[0])
        if found is not None:
            return cuts, found[None]
        every = Resamples.of(None, n_rows=sums.spans.truth.size)
        return cuts_between(Totals(sums.spans, every), cuts)
    order: Order = sums.resamples.plan(_ordered, sums.spans)
    if not order.width.size:
        return cuts, np.zeros(cuts.shape)
    ranks: Ranks = sums.resamples.curve(_ranked, order)
    moved = [_nearest(order, ranks, cut) for cut in cuts.T]
    before, covered = np.stack(moved, axis=-1)
    return before, covered


def _nearest(order: Order, ranks: Ranks, cut: Array) -> tuple[Array, Array]:
    """Return how many rows, and covered ones, come before the end nearest to a cut."""
    point = np.minimum(kernels.first_reaching(ranks.n, cut), order.width.size - 1)
    resample, first, last = np.arange(cut.size), order.first[point], order.last[point]

    def upto(sums: Array, place: Indices) -> Array:
        return np.where(place < 0, 0.0, sums[resample, np.maximum(place, 0)])

    earlier = cut - upto(ranks.n, first - 1) < upto(ranks.n, last) - cut
    place = np.where(earlier, first - 1, last)
    return upto(ranks.n, place), upto(ranks.covered, place)


def _between_unequal(spans: Spans, cuts: Array) -> Array | None:
    """Count the covered rows before each cut, if none goes through rows of one width."""
    width, covered, n = spans.width, spans.covered, spans.truth.size
    inner = [int(cut) for cut in cuts if 0 < cut < n]
    if not n or len(set(inner)) > MOST_SELECTED:
        return None if n else np.zeros(cuts.size)
    places = np.unique([place for cut in inner for place in (cut - 1, cut)]).astype(np.int64)
    selected = np.partition(width, places) if places.size else width
    noise = spans.noise
    for cut in inner:
        ends = selected[cut - 1 : cut + 1]
        between = [noise[width == end] for end in np.unique(ends)]
        if len(between) == 1 or not apart(ends, np.array([between[0].max(), between[1].min()]))[1]:
            return None
    upto = {cut: np.count_nonzero(covered & (width <= selected[cut - 1])) for cut in inner}
    every = {0: 0, n: int(np.count_nonzero(covered)), **upto}
    return np.array([every[int(cut)] for cut in cuts], dtype=np.float64)


def covered_upto(sums: Totals, rank: Array) -> Array:
    """Return how many of the `rank` narrowest rows are covered."""
    if sums.resamples is None:
        return np.array([_covered_among(sums.spans, int(rank[0]))])
    order: Order = sums.resamples.plan(_ordered, sums.spans)
    if not order.width.size:
        return np.zeros(rank.shape)
    ranks: Ranks = sums.resamples.curve(_ranked, order)
    point = np.minimum(kernels.first_reaching(ranks.n, rank), order.width.size - 1)
    # Of the copies of the row at the rank, those beyond it count to the next group.
    resample = np.arange(rank.size)
    beyond = ranks.n[resample, point] - rank
    covered: Array = ranks.covered[resample, point] - beyond * (order.covered / order.n)[point]
    return covered


def _covered_among(spans: Spans, n: int) -> float:
    """Count the covered rows among the n narrowest, equal widths in row order."""
    width, covered = spans.width, spans.covered
    if not 0 < n < width.size:
        return float(np.count_nonzero(covered) if n else 0)
    pivot = np.partition(width, n)[n]
    below = width < pivot
    level = np.flatnonzero(width == pivot)[: n - np.count_nonzero(below)]
    return float(np.count_nonzero(covered & below) + np.count_nonzero(covered[level]))


def _ordered(spans: Spans, resamples: Resamples) -> Order:
    width = spans.width
    order = np.lexsort((spans.noise, width))
    order = order[resamples.size[order] > 0]
    size = resamples.size[order]
    starts = np.flatnonzero(apart(width[order], spans.noise[order]))
    of_width = np.diff(np.append(starts, order.size))
    return Order(
        width=width[order],
        first=np.repeat(starts, of_width),
        last=np.repeat(starts + of_width - 1, of_width),
        start=np.arange(order.size + 1),
        cluster=resamples.cluster[order],
        n=size,
        covered=size * spans.covered[order],
    )


def _ranked(order: Order, resamples: Resamples) -> Ranks:
    shape = (resamples.counts.shape[0], order.width.size)
    n, covered = resamples.scratch.take(shape), resamples.scratch.take(shape)
    columns = order.start, order.cluster, order.n, order.covered
    kernels.accumulate(resamples.counts, *columns, n, covered)
    return Ranks(n, covered)
