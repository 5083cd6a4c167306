"""How wide intervals are, and what they cover where they are narrow and where they are wide.

The order of widths never changes under resampling, so it is made once per table; a block of
resamples only adds up how many copies of each row come before. Without a weight nothing is sorted:
the few ranks that are asked for are selected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, Scratch, length, proportion
from assay.errors import UsageError
from assay.metrics.intervals.coverage import NO_ROWS
from assay.metrics.intervals.spans import Crossed, Formula, Spans, Totals, totals
from assay.metrics.intervals.totals import Groups, written_out
from assay.registry import Ranks, metric
from assay.rounding import ROUNDING, apart

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight

MOST_SELECTED = 8
"""Up to so many cuts are selected; for more of them rows are sorted."""
USUAL_GROUPS = 3
"""How many groups there are unless another number is asked for, few rows or many."""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Rows by rising width, equal widths by the rounding of their bounds, then in row order."""

    width: Array
    first: Indices
    """(rows,), the place of the first row of the same width, up to rounding"""
    last: Indices
    """(rows,), the place of the last"""
    start: Indices
    cluster: Indices
    n: Array
    covered: Array


@dataclass(frozen=True, slots=True, eq=False)
class Running:
    """How many rows, and how many covered ones, there are up to each row, (resamples, rows)."""

    n: Array
    covered: Array


def width_at(sums: Totals, rank: Array) -> Array:
    """Return the widths at ranks, (resamples, ranks), counted from 1; NaN without rows.

    Beyond the last row it is the width of that.
    """
    if sums.resamples is None:
        return _selected(sums.spans.width, rank)
    order: Order = sums.resamples.plan(_ordered, sums.spans)
    if not order.width.size:
        return np.full(rank.shape, np.nan)
    ranks: Running = sums.resamples.curve(_ranked, order)
    points = np.stack([kernels.first_reaching(ranks.n, each) for each in rank.T], axis=-1)
    width = order.width[np.minimum(points, order.width.size - 1)]
    return np.where(sums.n[:, None] > 0, width, np.nan)


def _selected(width: Array, rank: Array) -> Array:
    if not width.size:
        return np.full(rank.shape, np.nan)
    place = np.minimum(np.ceil(rank).astype(np.int64), width.size) - 1
    selected: Array = np.partition(width, np.unique(place))[place]
    return selected


def cuts_between(sums: Totals, cuts: Array) -> tuple[Array, Array]:
    """Move cuts to where widths change, and count the covered rows before them.

    Both are (resamples, cuts), the ends included. A cut through rows of one width goes to the
    nearer end of these, of two equally near ones to the later.
    """
    if sums.resamples is None:
        found = _between_unequal(sums.spans, cuts[0])
        if found is not None:
            return cuts, found[None]
        every = Resamples.of(None, n_rows=sums.spans.truth.size)
        return cuts_between(Totals(sums.spans, every), cuts)
    order: Order = sums.resamples.plan(_ordered, sums.spans)
    if not order.width.size:
        return cuts, np.zeros(cuts.shape)
    ranks: Running = sums.resamples.curve(_ranked, order)
    moved = [_nearest(order, ranks, cut) for cut in cuts.T]
    before, covered = np.stack(moved, axis=-1)
    return before, covered


def _nearest(order: Order, ranks: Running, cut: Array) -> tuple[Array, Array]:
    """Return how many rows, and covered ones, come before the end nearest to a cut."""
    point = np.minimum(kernels.first_reaching(ranks.n, cut), order.width.size - 1)
    resample, first, last = np.arange(cut.size), order.first[point], order.last[point]

    def upto(sums: Array, place: Indices) -> Array:
        return np.where(place < 0, 0.0, sums[resample, np.maximum(place, 0)])

    earlier = cut - upto(ranks.n, first - 1) < upto(ranks.n, last) - cut
    place = np.where(earlier, first - 1, last)
    return upto(ranks.n, place), upto(ranks.covered, place)


def _between_unequal(spans: Spans, cuts: Array) -> Array | None:
    """Count the covered rows before each cut, if none goes through rows of one width."""
    width, covered, n = spans.width, spans.covered, spans.truth.size
    inner = [int(cut) for cut in cuts if 0 < cut < n]
    if not n or len(set(inner)) > MOST_SELECTED:
        return None if n else np.zeros(cuts.size)
    places = np.unique([place for cut in inner for place in (cut - 1, cut)]).astype(np.int64)
    selected = np.partition(width, places) if places.size else width
    noise = spans.noise
    for cut in inner:
        ends = selected[cut - 1 : cut + 1]
        between = [noise[width == end] for end in np.unique(ends)]
        if len(between) == 1 or not apart(ends, np.array([between[0].max(), between[1].min()]))[1]:
            return None
    upto = {cut: np.count_nonzero(covered & (width <= selected[cut - 1])) for cut in inner}
    every = {0: 0, n: int(np.count_nonzero(covered)), **upto}
    return np.array([every[int(cut)] for cut in cuts], dtype=np.float64)


def covered_upto(sums: Totals, rank: Array) -> Array:
    """Return how many of the `rank` narrowest rows are covered."""
    if sums.resamples is None:
        return np.array([_covered_among(sums.spans, int(rank[0]))])
    order: Order = sums.resamples.plan(_ordered, sums.spans)
    if not order.width.size:
        return np.zeros(rank.shape)
    ranks: Running = sums.resamples.curve(_ranked, order)
    point = np.minimum(kernels.first_reaching(ranks.n, rank), order.width.size - 1)
    # Of the copies of the row at the rank, those beyond it count to the next group.
    resample = np.arange(rank.size)
    beyond = ranks.n[resample, point] - rank
    covered: Array = ranks.covered[resample, point] - beyond * (order.covered / order.n)[point]
    return covered


def _covered_among(spans: Spans, n: int) -> float:
    """Count the covered rows among the n narrowest, equal widths in row order."""
    width, covered = spans.width, spans.covered
    if not 0 < n < width.size:
        return float(np.count_nonzero(covered) if n else 0)
    pivot = np.partition(width, n)[n]
    below = width < pivot
    level = np.flatnonzero(width == pivot)[: n - np.count_nonzero(below)]
    return float(np.count_nonzero(covered & below) + np.count_nonzero(covered[level]))


def _ordered(spans: Spans, resamples: Resamples) -> Order:
    width = spans.width
    order = np.lexsort((spans.noise, width))
    order = order[resamples.size[order] > 0]
    size = resamples.size[order]
    starts = np.flatnonzero(apart(width[order], spans.noise[order]))
    of_width = np.diff(np.append(starts, order.size))
    return Order(
        width=width[order],
        first=np.repeat(starts, of_width),
        last=np.repeat(starts + of_width - 1, of_width),
        start=np.arange(order.size + 1),
        cluster=resamples.cluster[order],
        n=size,
        covered=size * spans.covered[order],
    )


def _ranked(order: Order, resamples: Resamples) -> Running:
    shape = (resamples.counts.shape[0], order.width.size)
    n, covered = resamples.scratch.take(shape), resamples.scratch.take(shape)
    columns = order.start, order.cluster, order.n, order.covered
    kernels.accumulate(resamples.counts, *columns, n, covered)
    return Running(n, covered)


Ties = Literal["together", "mapie"]


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


def width_ranks(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    share: float = 0.5,
    crossed: Crossed = "refuse",
) -> Ranks:
    """Return the share of intervals up to the width that a share does not exceed, and its noise."""
    resamples = Resamples.of(weight, n_rows=length(truth=truth))
    every = resamples.block(np.ones((1, resamples.counts.shape[1])), Scratch())
    sums = totals(truth, low, up, weight=every, crossed=crossed)
    n = float(sums.n[0])

    def at(of: float) -> float:
        return float(_quantile(sums, of)[0])

    up_to = _up_to(sums.spans, at(share), share, every)
    sizes = np.bincount(every.cluster, every.size, up_to.size)
    moved = up_to - up_to.sum() / n * sizes
    error = np.sqrt(np.square(moved).sum()) / n
    return Ranks(share, float(up_to.sum() / n), float(error), n, at)


def _up_to(spans: Spans, width: float, share: float, every: Resamples) -> Array:
    """Count the rows of every cluster up to a width, or below it where that is nearer the share.

    Rows of one width may be many: a share of all rows has no noise that could be seen.
    """
    slack, n_clusters = ROUNDING * abs(width), every.counts.shape[1]
    counts: list[Array] = [
        np.asarray(np.bincount(every.cluster, np.where(rows, every.size, 0.0), n_clusters))
        for rows in (spans.width <= width + slack, spans.width < width - slack)
    ]
    n = every.size.sum()
    telling = [each for each in counts if 0 < each.sum() < n]
    return min(telling or counts, key=lambda each: abs(each.sum() / n - share))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=NO_ROWS,
    kind="quantile",
    gaps=width_ranks,
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
    return sums.shaped(_quantile(sums, proportion("share", share)))


def _quantile(sums: Totals, share: float) -> Array:
    needed = share * sums.n * (1 - ROUNDING)
    return width_at(sums, needed[:, None])[:, 0]
