"""How wide intervals are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Resamples, Scratch, length, proportion
from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.spans import Crossed, Spans, Totals, totals
from assay.metrics.intervals.strata import width_at
from assay.registry import Ranks, metric
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

__all__ = ["interval_width", "width_quantile"]


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    kind="heavy mean",
    counterparts=("winkler",),
)
def interval_width(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Mean width of the intervals.

    .. math:: \frac1n \sum_i (u_i - l_i)

    Infinite as soon as one interval is. Undefined without rows.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> interval_width(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6])
    1.5
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(sums.mean("width"))


def width_ranks(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    share: float = 0.5,
    crossed: Crossed = "refuse",
) -> Ranks:
    """Return the share of intervals up to the width that a share does not exceed, and its noise."""
    resamples = Resamples.of(weight, n_rows=length(truth=truth))
    every = resamples.block(np.ones((1, resamples.counts.shape[1])), Scratch())
    sums = totals(truth, low, up, weight=every, crossed=crossed)
    n = float(sums.n[0])

    def at(of: float) -> float:
        return float(_quantile(sums, of)[0])

    up_to = _up_to(sums.spans, at(share), share, every)
    sizes = np.bincount(every.cluster, every.size, up_to.size)
    moved = up_to - up_to.sum() / n * sizes
    error = np.sqrt(np.square(moved).sum()) / n
    return Ranks(share, float(up_to.sum() / n), float(error), n, at)


def _up_to(spans: Spans, width: float, share: float, every: Resamples) -> Array:
    """Count the rows of every cluster up to a width, or below it where that is nearer the share.

    Rows of one width may be many: a share of all rows has no noise that could be seen.
    """
    slack, n_clusters = ROUNDING * abs(width), every.counts.shape[1]
    counts: list[Array] = [
        np.asarray(np.bincount(every.cluster, np.where(rows, every.size, 0.0), n_clusters))
        for rows in (spans.width <= width + slack, spans.width < width - slack)
    ]
    n = every.size.sum()
    telling = [each for each in counts if 0 < each.sum() < n]
    return min(telling or counts, key=lambda each: abs(each.sum() / n - share))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    kind="quantile",
    gaps=width_ranks,
    counterparts=("winkler",),
)
def width_quantile(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    share: float = 0.5,
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Width that a share of the intervals does not exceed.

    .. math:: \min \{w : \#\{i : u_i - l_i \le w\} \ge q n\}

    `share` is q: 0.5 is the (lower) median, 1 the largest width. Always a width that occurs.
    Infinite where the intervals of that rank are. Undefined without rows.

    References
    ----------
    Hyndman and Fan (1996), The American Statistician 50:361-365, definition 1.

    Examples
    --------
    >>> width_quantile(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], share=0.9)
    3.0
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(_quantile(sums, proportion("share", share)))


def _quantile(sums: Totals, share: float) -> Array:
    needed = share * sums.n * (1 - ROUNDING)
    return width_at(sums, needed[:, None])[:, 0]
