"""Prediction sets row by row: whether they hold the true class, and how many classes they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.columns import Resamples, columns, length, whole
from assay.errors import ColumnError
from assay.metrics.intervals.coverage import NO_ROWS, Alternative, binomial_p_value
from assay.metrics.intervals.totals import by_cluster, drawn, ratio, shaped, within
from assay.registry import metric
from assay.showing import counted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight
    from assay.metrics.intervals.totals import ClusterSums

Quantity = Literal["covered", "size", "empty", "single", "single_covered"]


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """Checked sets: the true class of every row, what its set holds, and of how many classes."""

    label: Indices
    covered: Array
    """1 where the set holds the true class"""
    size: Array
    """how many classes the set holds"""
    n_classes: int

    @property
    def empty(self) -> Array:
        """Say which sets hold no class."""
        return np.equal(self.size, 0.0) * 1.0

    @property
    def single(self) -> Array:
        """Say which sets hold one class."""
        return np.equal(self.size, 1.0) * 1.0

    @property
    def single_covered(self) -> Array:
        """Say which sets hold one class, the true one."""
        return self.single * self.covered


def members_of(
    label: ArrayLike,
    included: ArrayLike,
    resamples: Resamples | None = None,  # noqa: ARG001 - plans are made of columns and resamples
) -> Members:
    """Check columns; a label must be one of the classes."""
    label, included = columns(label=label, included=included)
    n_classes = included.shape[1]
    outside = label >= n_classes
    if outside.any():
        row = int(outside.argmax())
        msg = (
            f"`label` must be below {n_classes}, the number of classes of `included`,"
            f" found {label[row]:g} at row {row}"
            f" ({outside.sum()} of {counted(label.size, 'value')})"
        )
        raise ColumnError(msg, hint="classes are counted from 0 in the order of the columns")
    codes = label.astype(np.int64)
    covered = included[np.arange(codes.size), codes]
    return Members(codes, covered, included.sum(-1), n_classes)


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Sums over all rows, on every resample."""

    members: Members
    resamples: Resamples

    @property
    def n(self) -> Array:
        """Return the weight of all rows."""
        return self.resamples.total()

    def of(self, quantity: Quantity) -> Array:
        """Return the sum of one quantity, (resamples,)."""
        sums = self.resamples.plan(_by_cluster, self.members, quantity)
        total: Array = self.resamples.curve(drawn, sums)
        return total

    def whole(self, reading: str) -> None:
        """Refuse weights that are not copies."""
        whole(self.resamples, reading)

    def shaped(self, values: Array) -> float | Array:
        """Give one value per resample the shape of the weight: a number for a single weight."""
        return shaped(values, self.resamples.shape)


def totals(label: ArrayLike, included: ArrayLike, *, weight: Weight) -> Totals:
    """Check the columns once per table and prepare their sums."""
    resamples = Resamples.of(weight, n_rows=length(label=label))
    return Totals(resamples.plan(members_of, label, included), resamples)


def _by_cluster(members: Members, quantity: Quantity, resamples: Resamples) -> ClusterSums:
    return by_cluster(getattr(members, quantity), resamples)


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


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    counterparts=("empty_set_rate",),
    kind="share",
)
def set_size(label: ArrayLike, included: ArrayLike, *, weight: Weight = None) -> float | Array:
    r"""Mean number of classes in a prediction set.

    .. math:: \frac1n \sum_i |\hat C_i|

    Undefined without rows.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> set_size(label=[0, 1, 2, 1], included=[[1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1]])
    1.25
    """
    sums = totals(label, included, weight=weight)
    return sums.shaped(ratio(sums.of("size"), sums.n))


@metric(
    better="lower",
    bounds=(0.0, 1.0),
    undefined=NO_ROWS,
    counterparts=("set_size",),
    kind="share",
)
def empty_set_rate(
    label: ArrayLike, included: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the prediction sets that hold no class at all.

    .. math:: \frac1n \sum_i \mathbf{1}(|\hat C_i| = 0)

    An empty set never covers. Undefined without rows.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> empty_set_rate(label=[0, 1, 2, 1], included=[[1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1]])
    0.25
    """
    sums = totals(label, included, weight=weight)
    return sums.shaped(ratio(sums.of("empty"), sums.n))


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined=NO_ROWS,
    counterparts=("singleton_accuracy",),
    kind="share",
)
def singleton_rate(
    label: ArrayLike, included: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the prediction sets that name one class and no other.

    .. math:: \frac1n \sum_i \mathbf{1}(|\hat C_i| = 1)

    Undefined without rows.

    References
    ----------
    Vovk, Gammerman and Shafer (2005), Algorithmic Learning in a Random World, Springer.

    Examples
    --------
    >>> singleton_rate(label=[0, 1, 2, 1], included=[[1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1]])
    0.25
    """
    sums = totals(label, included, weight=weight)
    return sums.shaped(ratio(sums.of("single"), sums.n))


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="no prediction set holds exactly one class",
    counterparts=("singleton_rate",),
    kind="share",
)
def singleton_accuracy(
    label: ArrayLike, included: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Share of the sets of one class whose class is the true one.

    .. math:: \frac{\sum_i \mathbf{1}(\hat C_i = \{y_i\})}{\sum_i \mathbf{1}(|\hat C_i| = 1)}

    Undefined where no set holds exactly one class.

    References
    ----------
    Vovk, Gammerman and Shafer (2005), Algorithmic Learning in a Random World, Springer.

    Examples
    --------
    >>> singleton_accuracy(label=[0, 1, 1], included=[[1, 0], [1, 1], [1, 0]])
    0.5
    """
    sums = totals(label, included, weight=weight)
    return sums.shaped(ratio(sums.of("single_covered"), sums.of("single")))
