"""How many classes prediction sets hold, and what the sets of none and of one are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.totals import ratio
from assay.metrics.sets.coverage import totals
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight


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
