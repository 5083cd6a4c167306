"""Whether intervals cover what they claim: overall, against a level, and group by group.

The coverage-width criterion discounts narrow intervals where they miss their level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.columns import Resamples, columns, length
from assay.errors import UsageError
from assay.metrics.intervals.spans import Crossed, Formula, spans_of, totals
from assay.metrics.intervals.totals import Groups, grouped, ratio, user_cells, within
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight
    from assay.metrics.intervals.spans import Spans, Totals
    from assay.metrics.intervals.totals import Cells

Alternative = Literal["two-sided", "less", "greater"]
NO_ROWS = "there is no row"
LEAST_EXPONENT = -700.0
NO_SCALE = "there is no row, or all true values are equal and give the width no scale"


@metric(better=None, bounds=(0.0, 1.0), undefined=NO_ROWS, kind="share")
def interval_coverage(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Share of the rows whose true value lies in its interval.

    .. math:: \frac1n \sum_i \mathbf{1}(l_i \le y_i \le u_i)

    Both bounds are inclusive. Neither more nor less is better: it should be near the level that
    the intervals claim. Undefined without rows.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> interval_coverage(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6])
    0.75
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(ratio(sums.of("covered"), sums.n))


@metric(better=None, bounds=(-1.0, 1.0), undefined=NO_ROWS, kind="share")
def interval_coverage_gap(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    level: float = 0.9,
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Empirical coverage minus the level that the intervals claim.

    .. math:: \frac1n \sum_i \mathbf{1}(l_i \le y_i \le u_i) - (1 - \alpha)

    `level` is :math:`1 - \alpha`. Negative where the intervals promise too much, positive where
    they are wider than they need be. Undefined without rows.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> interval_coverage_gap(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.9)
    -0.15
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    return sums.shaped(ratio(sums.of("covered"), sums.n) - within("level", level))


@metric(
    better=None,
    bounds=(0.0, 1.0),
    undefined=NO_ROWS,
    copies=True,
    extensive=True,
    interval=False,
)
def coverage_p_value(  # noqa: PLR0913 - three columns, a weight, and what is tested
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    level: float = 0.9,
    alternative: Alternative = "two-sided",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Probability of a coverage this far from the level, if the level were true.

    .. math:: \min\{1,\; 2 P(K \le k),\; 2 P(K \ge k)\}, \qquad
              K \sim \mathrm{Binomial}(n, 1 - \alpha)

    The exact binomial test: k of n rows are covered, `level` is :math:`1 - \alpha`. Twice the
    smaller tail, so that p is below 0.05 exactly when the 95 percent Clopper-Pearson interval
    leaves the level out; ``less`` and ``greater`` take one tail. Rows must be independent: where
    they come in clusters, read the cluster interval of the gap instead. Undefined without rows.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26:404-413.

    Examples
    --------
    >>> coverage_p_value(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6], level=0.9)
    0.6878
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    sums.whole("the binomial test")
    return sums.shaped(binomial_p_value(sums.of("covered"), sums.n, level, alternative))


def binomial_p_value(covered: Array, n: Array, level: float, alternative: Alternative) -> Array:
    """Test counts against a share; NaN where n is 0.

    Examples
    --------
    >>> binomial_p_value(np.array([9.0]), np.array([10.0]), 0.5, "greater").tolist()
    [0.0107421875]
    """
    from scipy.special import bdtr, bdtrc  # noqa: PLC0415 - heavy to import

    share, whole_n = within("level", level), n.astype(np.int64)
    below = bdtr(covered, whole_n, share)
    more = bdtrc(np.maximum(covered - 1, 0.0), whole_n, share)
    above = np.where(covered > 0, more, 1.0)
    tails = {"less": below, "greater": above}
    p = tails.get(alternative, np.minimum(1.0, 2 * np.minimum(below, above)))
    return np.where(n > 0, p, np.nan)


def group_coverage(  # noqa: PLR0913 - four columns, a weight, and two conventions
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    group: ArrayLike,
    *,
    weight: Weight = None,
    n_groups: int | None = None,
    crossed: Crossed = "refuse",
) -> Groups:
    """Count rows and covered rows of each group of the user.

    `n_groups` lists groups that no row belongs to, with n = 0; without it the largest number
    that occurs is the last group.

    Examples
    --------
    >>> table = group_coverage([1, 2, 3], [0, 2, 4], [1, 3, 5], group=[0, 2, 2])
    >>> print(table.n, table.coverage, table.least)
    [1. 0. 2.] [1.  nan 0.5] 2
    """
    resamples = Resamples.of(weight, n_rows=length(truth=truth))
    spans = resamples.plan(spans_of, truth, low, up, crossed)
    cells = resamples.plan(_user_groups, spans, group, n_groups)
    counted: Groups = resamples.curve(grouped, cells)
    return counted


def _user_groups(
    spans: Spans, group: ArrayLike, n_groups: int | None, resamples: Resamples
) -> Cells:
    _, codes = columns(truth=spans.truth, group=group)
    return user_cells(codes, spans.rows("covered"), n_groups, resamples)


_scaled = metric(
    better="higher",
    bounds=(-np.inf, 1.0),
    undefined=NO_SCALE,
    kind="none",
    no_interval="divided by the range of the true values, which grows with the rows",
    counterparts=("winkler",),
)


@_scaled
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


@_scaled
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
