"""Winkler's interval score: one number for width and misses, and the parts it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.spans import Crossed, Formula, totals
from assay.metrics.intervals.totals import within
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight
    from assay.metrics.intervals.spans import Quantity, Totals

PRINTED = {"formula": "printed"}


@metric(better="lower", bounds=(0.0, np.inf), undefined=NO_ROWS, copies=PRINTED, kind="heavy mean")
def winkler(  # noqa: PLR0913 - three columns, a weight, and three conventions
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    level: float = 0.9,
    formula: Formula = "code",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Mean Winkler interval score: width plus a penalty for what lies outside.

    .. math:: \frac1n \sum_i \Bigl[(u_i - l_i)
              + \tfrac{2}{\alpha} (l_i - y_i)_+ + \tfrac{2}{\alpha} (y_i - u_i)_+\Bigr]

    `level` is :math:`1 - \alpha`. At least the mean width, and equal to it when every row is
    covered; the sum of `winkler_width`, `winkler_under` and `winkler_over`. Infinite with an
    infinite width. Undefined without rows.

    Notes
    -----
    ``printed`` leaves the penalties undivided, as a formula in circulation prints them: mean
    width plus :math:`2/\alpha` times the *sum* of all misses. It grows with the table.

    References
    ----------
    Winkler (1972), JASA 67:187-191; Gneiting and Raftery (2007), JASA 102:359-378, section 6.2.

    Examples
    --------
    >>> winkler(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.9)
    6.5
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    under, over = (_penalty(sums, side, level, formula) for side in ("under", "over"))
    with np.errstate(over="ignore"):
        return sums.shaped(sums.mean("width") + under + over)


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    kind="heavy mean",
    counterparts=("winkler",),
)
def winkler_width(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Part of the Winkler score that comes from the widths.

    .. math:: \frac1n \sum_i (u_i - l_i)

    The mean width. Undefined without rows.

    References
    ----------
    Winkler (1972), JASA 67:187-191.

    Examples
    --------
    >>> winkler_width(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6])
    1.5
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(sums.mean("width"))


_misses = metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    copies=PRINTED,
    kind="area",
    counterparts=("winkler",),
)


@_misses
def winkler_under(  # noqa: PLR0913 - as for winkler
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    level: float = 0.9,
    formula: Formula = "code",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Part of the Winkler score that comes from values below their interval.

    .. math:: \frac1n \sum_i \tfrac{2}{\alpha} (l_i - y_i)_+

    `level` is :math:`1 - \alpha`; ``printed`` does not divide by n. Undefined without rows.

    References
    ----------
    Winkler (1972), JASA 67:187-191.

    Examples
    --------
    >>> winkler_under(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.9)
    5.0
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(_penalty(sums, "under", level, formula))


@_misses
def winkler_over(  # noqa: PLR0913 - as for winkler
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    level: float = 0.9,
    formula: Formula = "code",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Part of the Winkler score that comes from values above their interval.

    .. math:: \frac1n \sum_i \tfrac{2}{\alpha} (y_i - u_i)_+

    `level` is :math:`1 - \alpha`; ``printed`` does not divide by n. Undefined without rows.

    References
    ----------
    Winkler (1972), JASA 67:187-191.

    Examples
    --------
    >>> winkler_over(truth=[1, 2, 3, 9], low=[0, 2, 3, 3], up=[1, 3, 5, 6], level=0.9)
    15.0
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(_penalty(sums, "over", level, formula))


def _penalty(sums: Totals, side: Quantity, level: float, formula: Formula) -> Array:
    """Return the mean penalty of one side, or as printed its sum."""
    price = 2 / (1 - within("level", level))
    with np.errstate(over="ignore"):
        if formula == "code":
            return price * sums.mean(side)
        sums.whole("the printed formula")
        return np.where(sums.n > 0, price * sums.of(side), np.nan)
