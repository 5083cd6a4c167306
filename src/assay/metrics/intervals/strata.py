"""Coverage where intervals are narrow, and where they are wide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.errors import UsageError
from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.order import covered_upto, cuts_between, width_at
from assay.metrics.intervals.spans import Crossed, Formula, totals
from assay.metrics.intervals.totals import Groups, written_out
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight
    from assay.metrics.intervals.spans import Totals

__all__ = ["USUAL_GROUPS", "Ties", "size_strata", "size_stratified_coverage"]

Ties = Literal["together", "mapie"]
USUAL_GROUPS = 3
"""How many groups there are unless another number is asked for, few rows or many."""


@metric(
    better="higher",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    copies=True,
    ordered={"ties": "mapie"},
    kind="minimum",
    counterparts=("winkler",),
)
def size_stratified_coverage(  # noqa: PLR0913 - three columns, a weight, and four conventions
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    n_groups: int = USUAL_GROUPS,
    formula: Formula = "code",
    ties: Ties = "together",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Smallest coverage among groups of equally wide intervals.

    .. math:: \min_k \frac{1}{|I_k|} \sum_{i \in I_k} \mathbf{1}(l_i \le y_i \le u_i)

    :math:`I_1` to :math:`I_K` are the rows by rising width, cut into `n_groups` parts that differ
    by at most one row (the first parts are the larger ones). Equal widths stay together, and so do
    widths that differ by no more than the rounding of their bounds: a cut among them goes to the
    nearer end of them (of two equally near ones to the later), so that the order of the rows does
    not matter. Groups that this leaves empty have no coverage and are left out; `size_strata`
    lists all groups, with counts. More groups than rows are refused. Undefined without rows.

    Under resampling the drawn rows are sorted and cut anew. So the number is the same function of
    a resample as of the table, and its interval covers the movement of the cuts.

    Notes
    -----
    ``printed`` is the *sum* over the groups that are not empty. With ``mapie`` a cut may go through
    `ties`, which are in the order that NumPy's default sort leaves them in, and so depends on the
    order of the rows; without equal widths it is the same.

    References
    ----------
    Angelopoulos and Bates (2021), arXiv:2107.07511.

    Examples
    --------
    >>> size_stratified_coverage(truth=[1, 2, 3], low=[0, 0, 4], up=[1, 3, 5], n_groups=2)
    0.5
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    cuts, covered = _cut(sums, n_groups, ties)
    groups = Groups(np.diff(cuts), np.diff(covered))
    return sums.shaped(groups.minimum if formula == "code" else groups.total)


def size_strata(  # noqa: PLR0913 - as for the metric
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    n_groups: int = USUAL_GROUPS,
    ties: Ties = "together",
    crossed: Crossed = "refuse",
) -> Groups:
    """Cut rows by rising width into groups of nearly equal size and count what they cover.

    Equal widths stay in one group. `narrowest` and `widest` are the widths at the ends of each.

    Examples
    --------
    >>> table = size_strata([1, 2, 3, 4], [0, 2, 4, 3], [1, 3, 6, 6], n_groups=2)
    >>> print(table.n, table.coverage, table.widest, table.least)
    [2. 2.] [1.  0.5] [1. 3.] 1
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    cuts, covered = _cut(sums, n_groups, ties)
    n = np.diff(cuts)
    ranks = np.concatenate([cuts[:, :-1] + 1, np.maximum(cuts[:, 1:], 1.0)], axis=-1)
    widths = np.split(width_at(sums, ranks), 2, axis=-1)
    narrowest, widest = (np.where(n > 0, each, np.nan) for each in widths)
    shape = () if sums.resamples is None else sums.resamples.shape
    table = (n, np.diff(covered), narrowest, widest)
    return Groups(*(each.reshape(*shape, n_groups) for each in table))


def _even_cuts(sums: Totals, n_groups: int) -> Array:
    """Return how many rows come before each cut, the ends included, (resamples, groups + 1)."""
    n_rows = max(sums.spans.truth.size, int(sums.n.max(initial=0.0)))
    if n_groups < 1 or n_groups != int(n_groups):
        msg = f"`n_groups` must be a whole number of at least 1, found {n_groups}"
        raise UsageError(msg)
    if n_groups > max(n_rows, USUAL_GROUPS):
        msg = f"`n_groups` must be at most the number of rows, {n_rows}, found {n_groups}"
        raise UsageError(msg, hint="it says into how many groups the rows are cut by their width")
    cut = np.arange(n_groups + 1.0)
    each, larger = np.divmod(sums.n[:, None], n_groups)
    before: Array = cut * each + np.minimum(cut, larger)
    return before


def _cut(sums: Totals, n_groups: int, ties: Ties) -> tuple[Array, Array]:
    """Return how many rows, and covered ones, come before each cut, (resamples, groups + 1)."""
    sums.whole("groups of equal size")
    cuts = _even_cuts(sums, n_groups)
    if ties == "together":
        return cuts_between(sums, cuts)
    return cuts, (_upto_unstable if _tied(sums.spans.width) else _upto)(sums, cuts)


def _upto(sums: Totals, cuts: Array) -> Array:
    inner = [covered_upto(sums, cut) for cut in cuts[:, 1:-1].T]
    return np.stack([np.zeros(cuts.shape[0]), *inner, sums.of("covered")], axis=-1)


def _tied(width: Array) -> bool:
    return bool(np.unique(width).size < width.size)


def _upto_unstable(sums: Totals, cuts: Array) -> Array:
    """Write the copies out and sort them as NumPy does by default, resample by resample."""
    width, covered = sums.spans.width, sums.spans.covered
    rows = np.ones(width.size) if sums.resamples is None else sums.resamples.rows()
    upto = np.zeros(cuts.shape)
    for each, copies, cut in zip(upto, rows.reshape(len(cuts), width.size), cuts, strict=True):
        drawn = written_out(copies)
        order = drawn[np.argsort(width[drawn])]
        each[:] = np.append(0.0, np.cumsum(covered[order]))[cut.astype(np.int64)]
    return upto
