"""Whether prediction sets hold the true class as often as they claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.metrics.intervals.coverage import NO_ROWS, Alternative, binomial_p_value
from assay.metrics.intervals.totals import ratio, within
from assay.metrics.sets.members import totals
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight


@metric(better=None, bounds=(0.0, 1.0), undefined=NO_ROWS, kind="share")
def set_coverage(label: ArrayLike, included: ArrayLike, *, weight: Weight = None) -> float | Array:
    r"""Share of the rows whose true class is in its prediction set.

    .. math:: \frac1n \sum_i \mathbf{1}(y_i \in \hat C_i)

    Neither more nor less is better: it should be near the level that the sets claim. Undefined
    without rows.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> set_coverage(label=[0, 1, 2, 1], included=[[1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1]])
    0.5
    """
    sums = totals(label, included, weight=weight)
    return sums.shaped(ratio(sums.of("covered"), sums.n))


@metric(better=None, bounds=(-1.0, 1.0), undefined=NO_ROWS, kind="share")
def set_coverage_gap(
    label: ArrayLike, included: ArrayLike, *, weight: Weight = None, level: float = 0.9
) -> float | Array:
    r"""Empirical coverage minus the level that the sets claim.

    .. math:: \frac1n \sum_i \mathbf{1}(y_i \in \hat C_i) - (1 - \alpha)

    `level` is :math:`1 - \alpha`. Negative where the sets promise too much. Undefined without
    rows.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> set_coverage_gap(label=[0, 1], included=[[1, 0], [1, 0]], level=0.9)
    -0.4
    """
    sums = totals(label, included, weight=weight)
    return sums.shaped(ratio(sums.of("covered"), sums.n) - within("level", level))


@metric(
    better=None,
    bounds=(0.0, 1.0),
    undefined=NO_ROWS,
    copies=True,
    extensive=True,
    interval=False,
)
def set_coverage_p_value(
    label: ArrayLike,
    included: ArrayLike,
    *,
    weight: Weight = None,
    level: float = 0.9,
    alternative: Alternative = "two-sided",
) -> float | Array:
    r"""Probability of a set coverage this far from the level, if the level were true.

    .. math:: \min\{1,\; 2 P(K \le k),\; 2 P(K \ge k)\}, \qquad
              K \sim \mathrm{Binomial}(n, 1 - \alpha)

    The exact binomial test, as for intervals: k of n sets hold the true class, `level` is
    :math:`1 - \alpha`; ``less`` and ``greater`` take one tail. Rows must be independent.
    Undefined without rows.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26:404-413.

    Examples
    --------
    >>> set_coverage_p_value(label=[0, 1], included=[[1, 0], [1, 0]], level=0.9)
    0.38
    """
    sums = totals(label, included, weight=weight)
    sums.whole("the binomial test")
    return sums.shaped(binomial_p_value(sums.of("covered"), sums.n, level, alternative))
