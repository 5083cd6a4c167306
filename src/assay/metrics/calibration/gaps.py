"""The signed gaps of bins that binned errors are norms of.

Bins stay where the rows as they are put them, also those of equal mass: a resample then only moves
the gap of a bin, up or down alike, which it does not do to their norm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Resamples, Scratch, columns, length
from assay.metrics.calibration.bins import (
    FIXED,
    Bins,
    Reliability,
    by_bin,
    ranked_bins,
    reliability,
)
from assay.metrics.calibration.cells import Cells, added, by_score, merged
from assay.metrics.calibration.conventions import Closed, Strategy
from assay.registry import Gaps

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

__all__ = [
    "ece_gaps",
    "max_gaps",
    "reliability_gaps",
    "resolution_gaps",
    "rms_gaps",
    "settled_bins",
]


def ece_gaps(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> Gaps:
    """Return the gaps of bins as shares of all rows, whose absolute values are added up."""
    table = settled_bins(correct, probability, weight, Bins(n_bins, strategy, closed))
    return Gaps(table.gap, np.broadcast_to(table.total[:, None], table.gap.shape), _added)


def rms_gaps(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> Gaps:
    """Return accuracy minus mean probability of bins, whose mean square is rooted."""
    table = settled_bins(correct, probability, weight, Bins(n_bins, strategy, closed))
    square = _mean_square(table)
    return Gaps(table.gap, table.weight, lambda gap: np.sqrt(square(gap)))


def reliability_gaps(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> Gaps:
    """Return accuracy minus mean probability of bins, whose mean square is taken."""
    table = settled_bins(correct, probability, weight, Bins(n_bins, strategy, closed))
    return Gaps(table.gap, table.weight, _mean_square(table))


def resolution_gaps(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> Gaps:
    """Return accuracy of bins minus that of all rows, whose mean square is taken."""
    table = settled_bins(correct, probability, weight, Bins(n_bins, strategy, closed))
    mean = table.correct.sum(-1, keepdims=True) / table.total[:, None]
    return Gaps(table.correct - mean * table.weight, table.weight, _mean_square(table))


def max_gaps(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> Gaps:
    """Return accuracy minus mean probability of bins, whose largest distance from 0 is taken."""
    table = settled_bins(correct, probability, weight, Bins(n_bins, strategy, closed))
    return Gaps(table.gap, table.weight, _largest)


def _added(gap: Array) -> Array:
    total: Array = np.abs(gap).sum(-1)
    return total


def _largest(gap: Array) -> Array:
    largest: Array = np.abs(gap).max(-1)
    return largest


def _mean_square(table: Reliability) -> Callable[[Array], Array]:
    share = table.weight[0] / table.total[0]
    return lambda gap: np.asarray((share * gap**2).sum(-1))


def settled_bins(
    correct: ArrayLike, probability: ArrayLike, weight: Weight, bins: Bins
) -> Reliability:
    """Add up what falls into the bins that the rows have without any resampling."""
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    if bins.strategy in FIXED or bins.strategy == "scores":
        many = resamples.block(resamples.counts, resamples.scratch)
        return reliability(correct, probability, weight=many, bins=bins)
    how = str(bins.n_bins), bins.strategy, bins.closed
    cells = resamples.plan(_settled, correct, probability, *how)
    return by_bin(cells, resamples)


def _settled(
    correct: ArrayLike,
    probability: ArrayLike,
    n_bins: str,
    strategy: Strategy,
    closed: Closed,
    resamples: Resamples,
) -> Cells:
    """Merge rows of one cluster and one bin, as bins are where every row counts once."""
    as_it_is = resamples.block(np.ones((1, resamples.counts.shape[1])), Scratch())
    right, stated = columns(correct=correct, probability=probability)
    scores = by_score(right, stated, as_it_is)
    table = reliability(right, stated, weight=as_it_is, bins=Bins(int(n_bins), strategy, closed))
    place = np.searchsorted(scores.key, stated)
    count = added(place, resamples.size, scores.key.size)
    number = ranked_bins(count, table.weight[0])[place].astype(np.float64)
    return merged(number, right, stated, resamples)
