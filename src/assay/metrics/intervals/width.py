"""How wide intervals are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.columns import proportion
from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.order import width_at
from assay.metrics.intervals.spans import Crossed, totals
from assay.registry import metric
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


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    kind="jump",
    covers="85 to 92 % up to 41 participants for the share 0.95",
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
    needed = proportion("share", share) * sums.n * (1 - ROUNDING)
    return sums.shaped(width_at(sums, needed[:, None])[:, 0])
