"""The coverage-width criterion: narrow intervals, discounted where they miss their level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.errors import UsageError
from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.spans import Crossed, Formula, totals
from assay.metrics.intervals.totals import ratio, within
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight
    from assay.metrics.intervals.spans import Totals

__all__ = ["cwc", "cwc_coverage_term", "cwc_width_term"]

LEAST_EXPONENT = -700.0
NO_SCALE = "there is no row, or all true values are equal and give the width no scale"


@metric(
    better="higher",
    bounds=(-np.inf, 1.0),
    undefined=NO_SCALE,
    kind="none",
    no_interval="divided by the range of the true values, which grows with the rows",
    counterparts=("winkler",),
)
def cwc(  # noqa: PLR0913 - three columns, a weight, and four conventions
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    eta: float = 30.0,
    level: float = 0.9,
    formula: Formula = "code",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Coverage width-based criterion: narrowness, discounted for coverage off the level.

    .. math:: \Bigl(1 - \frac{\bar w}{\max y - \min y}\Bigr)
              \exp\bigl(-\eta\,(C - (1 - \alpha))^2\bigr)

    :math:`\bar w` is the mean width, C the coverage, `level` :math:`1 - \alpha` and `eta` how
    hard a coverage off the level is punished, too much of it like too little. 1 for intervals of
    width 0 that cover exactly the level; negative for intervals wider than the range of the true
    values; minus infinity with an infinite width. The product of `cwc_width_term` and
    `cwc_coverage_term`. Undefined without rows, and where all true values are equal.

    Notes
    -----
    ``printed`` takes the width as it is, in the unit of y, so that it depends on that unit. A
    negative first factor moves towards 0, hence up, as coverage gets worse: compare such values
    by their parts.

    References
    ----------
    Khosravi, Nahavandi and Creighton (2010), IEEE Transactions on Power Systems 25:1496-1503.

    Examples
    --------
    >>> cwc(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.75)
    0.5
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(_width_term(sums, formula) * _coverage_term(sums, eta, level))


@metric(
    better="higher",
    bounds=(-np.inf, 1.0),
    undefined=NO_SCALE,
    kind="none",
    no_interval="divided by the range of the true values, which grows with the rows",
    counterparts=("winkler",),
)
def cwc_width_term(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    formula: Formula = "code",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Narrowness: the factor of the coverage-width criterion that comes from the widths.

    .. math:: 1 - \frac{\bar w}{\max y - \min y}

    ``printed`` does not divide by the range of the true values. Undefined without rows, and where
    all true values are equal.

    References
    ----------
    Khosravi, Nahavandi and Creighton (2010), IEEE Transactions on Power Systems 25:1496-1503.

    Examples
    --------
    >>> cwc_width_term(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6])
    0.5
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(_width_term(sums, formula))


@metric(
    better="higher", bounds=(0.0, 1.0), undefined=NO_ROWS, kind="jump", counterparts=("winkler",)
)
def cwc_coverage_term(  # noqa: PLR0913 - as for cwc
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    eta: float = 30.0,
    level: float = 0.9,
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Discount: the factor of the coverage-width criterion that comes from the coverage.

    .. math:: \exp\bigl(-\eta\,(C - (1 - \alpha))^2\bigr)

    `level` is :math:`1 - \alpha`, `eta` how hard a coverage off the level is punished. Undefined
    without rows.

    References
    ----------
    Khosravi, Nahavandi and Creighton (2010), IEEE Transactions on Power Systems 25:1496-1503.

    Examples
    --------
    >>> cwc_coverage_term(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.75)
    1.0
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(_coverage_term(sums, eta, level))


def _width_term(sums: Totals, formula: Formula) -> Array:
    return 1 - (sums.relative_width() if formula == "code" else sums.mean("width"))


def _coverage_term(sums: Totals, eta: float, level: float) -> Array:
    if not 0.0 <= eta < np.inf:
        msg = f"`eta` must be finite and at least 0, found {eta:g}"
        raise UsageError(msg, hint="30 is customary; 0 leaves coverage out of the criterion")
    gap = ratio(sums.of("covered"), sums.n) - within("level", level)
    # Never quite 0, so that an infinite width times the discount stays defined.
    discount: Array = np.exp(np.maximum(-eta * gap**2, LEAST_EXPONENT))
    return discount
