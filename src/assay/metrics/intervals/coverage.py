"""Whether intervals cover what they claim: overall, against a level, and group by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.columns import Resamples, columns, length
from assay.metrics.intervals.spans import Crossed, spans_of, totals
from assay.metrics.intervals.totals import Groups, grouped, ratio, user_cells, within
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight
    from assay.metrics.intervals.spans import Spans
    from assay.metrics.intervals.totals import Cells

__all__ = [
    "Alternative",
    "binomial_p_value",
    "coverage_p_value",
    "group_coverage",
    "interval_coverage",
    "interval_coverage_gap",
]

Alternative = Literal["two-sided", "less", "greater"]
NO_ROWS = "there is no row"


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
