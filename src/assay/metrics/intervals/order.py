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

if TYPE_CHECKING:
    from assay.columns import Array, Indices, Resamples
    from assay.metrics.intervals.spans import Spans, Totals

__all__ = ["covered_upto", "width_at"]


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Rows by rising width, equal widths in row order."""

    width: Array
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
    order = np.argsort(width, kind="stable")
    order = order[resamples.size[order] > 0]
    size = resamples.size[order]
    return Order(
        width=width[order],
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
