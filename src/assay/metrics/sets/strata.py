"""Coverage of prediction sets by size, by class and by group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import columns
from assay.errors import UsageError
from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.spans import Formula
from assay.metrics.intervals.totals import Groups, grouped, shaped, sorted_cells, user_cells
from assay.metrics.sets.members import totals
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Resamples, Weight
    from assay.metrics.intervals.totals import Cells
    from assay.metrics.sets.members import Members


@metric(
    better="higher",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    kind="minimum",
    counterparts=("set_size",),
)
def set_size_stratified_coverage(
    label: ArrayLike,
    included: ArrayLike,
    *,
    weight: Weight = None,
    n_groups: int | None = None,
    formula: Formula = "code",
) -> float | Array:
    r"""Smallest coverage among prediction sets of one size.

    .. math:: \min_k \frac{1}{|S_k|} \sum_{i \in S_k} \mathbf{1}(y_i \in \hat C_i)

    :math:`S_k` are the rows whose set has the k-th size. There is one group per size, from 0 to
    the number of classes; `n_groups` asks for fewer, ranges of sizes of nearly equal length (the
    first ranges are the longer ones). Groups without rows have no coverage and are left out;
    `set_size_strata` lists all of them, with counts. Empty sets are a group whose coverage is 0.
    Undefined without rows.

    Notes
    -----
    ``printed`` is the *sum* over the groups that are not empty.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> set_size_stratified_coverage(label=[0, 1, 1, 1], included=[[1, 0], [1, 1], [0, 1], [1, 0]])
    0.6667
    """
    groups = set_size_strata(label, included, weight=weight, n_groups=n_groups)
    values = groups.minimum if formula == "code" else groups.total
    return shaped(values, values.shape)


def set_size_strata(
    label: ArrayLike, included: ArrayLike, *, weight: Weight = None, n_groups: int | None = None
) -> Groups:
    """Count rows and covered rows by the size of the prediction set.

    `narrowest` and `widest` are the sizes that a group stands for, whether they occur or not.

    Examples
    --------
    >>> table = set_size_strata([0, 1, 1, 1], [[1, 0], [1, 1], [0, 1], [1, 0]])
    >>> print(table.widest, table.n, table.coverage, table.least)
    [0. 1. 2.] [0. 3. 1.] [       nan 0.66666667 1.        ] 1
    """
    sums = totals(label, included, weight=weight)
    first = _first_sizes(sums.members.n_classes, n_groups)
    cells = sums.resamples.plan(_by_size, sums.members, n_groups)
    groups: Groups = sums.resamples.curve(grouped, cells)
    narrowest = np.broadcast_to(first[:-1] * 1.0, groups.n.shape)
    widest = np.broadcast_to(first[1:] - 1.0, groups.n.shape)
    return replace(groups, narrowest=narrowest, widest=widest)


def _first_sizes(n_classes: int, n_groups: int | None) -> Indices:
    """Return the first size of each group, and the size after the last."""
    n_sizes = n_classes + 1
    if n_groups is None:
        return np.arange(n_sizes + 1)
    if not 1 <= n_groups <= n_sizes or n_groups != int(n_groups):
        msg = f"`n_groups` must be a whole number from 1 to {n_sizes}, the sizes a set can have"
        raise UsageError(f"{msg}, found {n_groups}")
    each, larger = divmod(n_sizes, n_groups)
    group = np.arange(n_groups + 1)
    return group * each + np.minimum(group, larger)


def _by_size(members: Members, n_groups: int | None, resamples: Resamples) -> Cells:
    first = _first_sizes(members.n_classes, n_groups)
    group = np.searchsorted(first, members.size, side="right") - 1
    return sorted_cells(group, members.covered, first.size - 1, resamples)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined=NO_ROWS,
    kind="minimum",
    counterparts=("set_size",),
)
def worst_class_coverage(
    label: ArrayLike, included: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Smallest coverage among the rows of one true class.

    .. math:: \min_c \frac{1}{n_c} \sum_{i:\, y_i = c} \mathbf{1}(c \in \hat C_i)

    Classes that are no row's true class have no coverage and are left out; `class_coverage` lists
    all classes, with counts. Undefined without rows.

    References
    ----------
    Vovk (2012), Asian Conference on Machine Learning, PMLR 25:475-490.

    Examples
    --------
    >>> worst_class_coverage(label=[0, 1, 1, 1], included=[[1, 0], [1, 1], [0, 1], [1, 0]])
    0.6667
    """
    values = class_coverage(label, included, weight=weight).minimum
    return shaped(values, values.shape)


def class_coverage(label: ArrayLike, included: ArrayLike, *, weight: Weight = None) -> Groups:
    """Count rows and covered rows of each true class; absent classes have n = 0.

    Examples
    --------
    >>> table = class_coverage([0, 2, 2], [[1, 0, 0], [1, 0, 1], [0, 1, 0]])
    >>> print(table.n, table.coverage, table.least)
    [1. 0. 2.] [1.  nan 0.5] 2
    """
    sums = totals(label, included, weight=weight)
    cells = sums.resamples.plan(_by_class, sums.members)
    groups: Groups = sums.resamples.curve(grouped, cells)
    return groups


def _by_class(members: Members, resamples: Resamples) -> Cells:
    return sorted_cells(members.label, members.covered, members.n_classes, resamples)


def set_group_coverage(
    label: ArrayLike,
    included: ArrayLike,
    group: ArrayLike,
    *,
    weight: Weight = None,
    n_groups: int | None = None,
) -> Groups:
    """Count rows and covered rows of each group of the user; `n_groups` lists empty ones too.

    Examples
    --------
    >>> table = set_group_coverage([0, 1, 1], [[1, 0], [1, 1], [1, 0]], group=[0, 1, 1])
    >>> print(table.n, table.coverage)
    [1. 2.] [1.  0.5]
    """
    sums = totals(label, included, weight=weight)
    cells = sums.resamples.plan(_by_user_group, sums.members, group, n_groups)
    groups: Groups = sums.resamples.curve(grouped, cells)
    return groups


def _by_user_group(
    members: Members, group: ArrayLike, n_groups: int | None, resamples: Resamples
) -> Cells:
    _, codes = columns(label=members.label, group=group)
    return user_cells(codes, members.covered, n_groups, resamples)
