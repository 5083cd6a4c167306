"""Calibration errors over bins, the signed gaps that they are norms of, and the table of all bins.

Bins of gaps stay where the rows as they are put them, also those of equal mass: a resample then
only moves the gap of a bin, up or down alike, which it does not do to their norm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.columns import Resamples, Scratch, columns, length
from assay.metrics.calibration.bins import (
    FIXED,
    Bins,
    Closed,
    Reliability,
    Strategy,
    bin_edges,
    by_bin,
    over_bins,
    ranked_bins,
    reliability,
)
from assay.metrics.calibration.cells import Cells, added, by_score, merged, ratio
from assay.registry import Gaps
from assay.shares import clopper_pearson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight


def _of_bins(gaps: Callable[[Reliability], Gaps]) -> Callable[..., Gaps]:
    """Make a function of the columns and options of metrics of one of the bins that these give."""

    def of_columns(
        correct: ArrayLike,
        probability: ArrayLike,
        *,
        weight: Weight = None,
        n_bins: int = 10,
        strategy: Strategy = "uniform",
        closed: Closed = "left",
    ) -> Gaps:
        return gaps(settled_bins(correct, probability, weight, Bins(n_bins, strategy, closed)))

    return of_columns


@_of_bins
def ece_gaps(table: Reliability) -> Gaps:
    """Return the gaps of bins as shares of all rows, whose absolute values are added up."""
    return Gaps(table.gap, np.broadcast_to(table.total[:, None], table.gap.shape), _added)


@_of_bins
def rms_gaps(table: Reliability) -> Gaps:
    """Return accuracy minus mean probability of bins, whose mean square is rooted."""
    square = _mean_square(table)
    return Gaps(table.gap, table.weight, lambda gap: np.sqrt(square(gap)))


@_of_bins
def reliability_gaps(table: Reliability) -> Gaps:
    """Return accuracy minus mean probability of bins, whose mean square is taken."""
    return Gaps(table.gap, table.weight, _mean_square(table))


@_of_bins
def resolution_gaps(table: Reliability) -> Gaps:
    """Return accuracy of bins minus that of all rows, whose mean square is taken."""
    mean = table.correct.sum(-1, keepdims=True) / table.total[:, None]
    return Gaps(table.correct - mean * table.weight, table.weight, _mean_square(table))


@_of_bins
def max_gaps(table: Reliability) -> Gaps:
    """Return accuracy minus mean probability of bins, whose largest distance from 0 is taken."""
    return Gaps(table.gap, table.weight, _largest)


def _added(gap: Array) -> Array:
    total: Array = np.abs(gap).sum(-1)
    return total


def _largest(gap: Array) -> Array:
    largest: Array = np.abs(gap).max(-1)
    return largest


def _mean_square(table: Reliability) -> Callable[[Array], Array]:
    share = table.weight[0] / table.total[0]
    return lambda gap: np.asarray((share * gap**2).sum(-1))


def settled_bins(
    correct: ArrayLike, probability: ArrayLike, weight: Weight, bins: Bins
) -> Reliability:
    """Add up what falls into the bins that the rows have without any resampling."""
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    if bins.strategy in FIXED or bins.strategy == "scores":
        many = resamples.block(resamples.counts, resamples.scratch)
        return reliability(correct, probability, weight=many, bins=bins)
    how = str(bins.n_bins), bins.strategy, bins.closed
    cells = resamples.plan(_settled, correct, probability, *how)
    return by_bin(cells, resamples)


def _settled(
    correct: ArrayLike,
    probability: ArrayLike,
    n_bins: str,
    strategy: Strategy,
    closed: Closed,
    resamples: Resamples,
) -> Cells:
    """Merge rows of one cluster and one bin, as bins are where every row counts once."""
    as_it_is = resamples.block(np.ones((1, resamples.counts.shape[1])), Scratch())
    right, stated = columns(correct=correct, probability=probability)
    scores = by_score(right, stated, as_it_is)
    table = reliability(right, stated, weight=as_it_is, bins=Bins(int(n_bins), strategy, closed))
    place = np.searchsorted(scores.key, stated)
    count = added(place, resamples.size, scores.key.size)
    number = ranked_bins(count, table.weight[0])[place].astype(np.float64)
    return merged(number, right, stated, resamples)


@over_bins(
    better="lower",
    bounds=(0.0, 1.0),
    reference=0.0,
    kind="norm",
    gaps=ece_gaps,
    counterparts=("brier", "nll"),
)
def ece(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Expected calibration error.

    .. math:: \sum_{m=1}^{M} \frac{|B_m|}{n} \left|\mathrm{acc}(B_m) - \mathrm{conf}(B_m)\right|

    acc is the share of right rows of a bin, conf the mean of their probabilities, M is `n_bins`.
    Empty bins count nothing. Undefined without rows. Noise alone makes it positive: read it beside
    the debiased value.

    ``uniform`` cuts [0, 1] into M bins of equal width with the edges of `numpy.linspace`, and
    ``uniform-exact`` with the doubles nearest to j/M (the two differ in the last bit: 0.3 lies
    just below the fourth edge of the first). ``quantile`` makes bins of equal mass; tied scores
    stay together, in the bin of the first of them. ``scores`` makes every distinct score a bin.
    ``closed`` says which edge belongs to a bin, the outer bins having both; under ``quantile``
    ``right`` puts tied scores into the bin of the last of them.

    Notes
    -----
    ``mapie-uniform`` has M - 1 bins of equal width, right-closed, and one for 0 alone;
    ``mapie-quantile`` the percentiles as edges and a bin for the minimum; ``mapie-array-split``
    cuts the rows in the order given and takes the maxima of the parts as edges. A weight is then
    read as copies. These three are right-closed whatever ``closed`` says.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), AAAI-29:2901-2907.

    Examples
    --------
    >>> ece(correct=[0, 1, 1, 1], probability=[0.25, 0.25, 0.75, 1.0], n_bins=2)
    0.1875
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    return table.mean(np.abs(table.gap))


@over_bins(
    better="lower", bounds=(0.0, 1.0), kind="norm", gaps=max_gaps, counterparts=("brier", "nll")
)
def max_calibration_error(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Maximum calibration error: the largest gap of a bin, however few rows it holds.

    .. math:: \max_{m:\, |B_m| > 0} \left|\mathrm{acc}(B_m) - \mathrm{conf}(B_m)\right|

    Bins as for the expected calibration error; `n_bins` is their number. Undefined without rows.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), AAAI-29:2901-2907.

    Examples
    --------
    >>> max_calibration_error(correct=[0, 1, 1, 1], probability=[0.25, 0.25, 0.75, 1.0], n_bins=2)
    0.25
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    largest = np.abs(table.error).max(-1, initial=0.0)
    return table.shaped(np.where(table.total > 0, largest, np.nan))


@over_bins(
    better="lower", bounds=(0.0, 1.0), kind="norm", gaps=rms_gaps, counterparts=("brier", "nll")
)
def rms_calibration_error(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Root mean square calibration error.

    .. math:: \sqrt{\sum_{m} \frac{|B_m|}{n}
              \left(\mathrm{acc}(B_m) - \mathrm{conf}(B_m)\right)^2}

    Bins as for the expected calibration error; `n_bins` is their number. Undefined without rows.

    References
    ----------
    Hendrycks, Mazeika and Dietterich (2019), arXiv:1812.04606.

    Examples
    --------
    >>> rms_calibration_error(correct=[0, 1, 1, 1], probability=[0.5, 0.5, 0.5, 1.0], n_bins=1)
    0.125
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    return table.shaped(np.sqrt(ratio((table.weight * table.error**2).sum(-1), table.total)))


@over_bins(
    better="lower",
    bounds=(0.0, 1.0),
    turned=True,
    extensive=True,
    kind="norm",
    gaps=ece_gaps,
    counterparts=("brier", "nll"),
)
def debiased_ece(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Expected calibration error without most of the part that noise adds.

    .. math:: \max\Bigl(0, \sum_m \frac{|B_m|}{n} \bigl(2|d_m| - \mathrm{E}|d_m + s_m Z|\bigr)
              \Bigr), \qquad s_m^2 = \frac{a_m (1 - a_m)}{|B_m| - 1}

    :math:`d_m` is accuracy :math:`a_m` minus mean probability of a bin, Z a standard normal
    variable: the plug-in value less the bias that it would have if it were the truth. The mean of
    :math:`|d + sZ|` has a closed form. A bin of one row says nothing of its noise and is not
    corrected. Where all bins are calibrated about two fifths of the bias go; where gaps exceed the
    noise, nearly all. Bins as for the expected calibration error; `n_bins` is their number.
    Undefined without rows.

    Notes
    -----
    The published program draws the normal noise; this is its limit for many draws, with the
    unbiased variance. A resample adds noise of its own, so that percentile intervals lie around
    the plug-in value; basic intervals do not.

    References
    ----------
    Kumar, Liang and Ma (2019), arXiv:1909.10155.

    Examples
    --------
    >>> round(debiased_ece(correct=[0, 1, 1, 1], probability=[0.1, 0.3, 0.2, 0.4], n_bins=1), 4)
    0.4958
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    plug_in = np.abs(table.error)
    corrected = table.weight * (2 * plug_in - _folded_mean(plug_in, np.sqrt(_noise(table))))
    return table.shaped(np.maximum(ratio(corrected.sum(-1), table.total), 0.0))


@over_bins(
    better="lower",
    bounds=(0.0, 1.0),
    turned=True,
    extensive=True,
    kind="norm",
    gaps=rms_gaps,
    counterparts=("brier", "nll"),
)
def debiased_rms_calibration_error(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Root mean square calibration error whose square is unbiased.

    .. math:: \sqrt{\max\Bigl(0, \sum_m \frac{|B_m|}{n}
              \Bigl(d_m^2 - \frac{a_m (1 - a_m)}{|B_m| - 1}\Bigr)\Bigr)}

    :math:`d_m` is accuracy :math:`a_m` minus mean probability of a bin. A bin of one row is not
    corrected. Bins as for the expected calibration error; `n_bins` is their number. Undefined
    without rows.

    References
    ----------
    Kumar, Liang and Ma (2019), arXiv:1909.10155.

    Examples
    --------
    >>> debiased_rms_calibration_error([0, 1, 1, 1], [0.125, 0.375, 0.25, 0.25], n_bins=1)
    0.4330127018922193
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    square = (table.weight * (table.error**2 - _noise(table))).sum(-1)
    return table.shaped(np.sqrt(np.maximum(ratio(square, table.total), 0.0)))


def _noise(table: Reliability) -> Array:
    """Return the variance of the accuracy of every bin, 0 where a single row leaves it open."""
    accuracy = np.nan_to_num(ratio(table.correct, table.weight))
    spread = np.clip(accuracy * (1 - accuracy), 0.0, None)
    more = table.weight > 1
    return np.where(more, np.nan_to_num(ratio(spread, np.where(more, table.weight - 1, 1))), 0.0)


def _folded_mean(centre: Array, deviation: Array) -> Array:
    """Return the mean of the absolute value of a normal variable."""
    from scipy.special import ndtr  # noqa: PLC0415 - 0.2 s that only this metric needs

    score = np.where(deviation > 0, ratio(centre, deviation), np.inf)
    spread = deviation * np.sqrt(2 / np.pi) * np.exp(-np.square(np.minimum(score, 40.0)) / 2)
    folded: Array = spread + centre * (1 - 2 * ndtr(-score))
    return folded


BinInterval = Literal["wilson", "clopper-pearson"]


@dataclass(frozen=True, slots=True, eq=False)
class ReliabilityTable:
    """One entry per bin; NaN where a bin is empty."""

    low: Array
    """where the bin begins: its edge, or its smallest score where bins have no fixed places"""
    high: Array
    count: Array
    mean_probability: Array
    accuracy: Array
    interval_low: Array
    interval_high: Array
    level: float
    interval: BinInterval


def reliability_table(  # noqa: PLR0913 - the options of bins and of intervals
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
    interval: BinInterval = "wilson",
    level: float = 0.95,
) -> ReliabilityTable:
    """Cut scores into bins; say of each how often what it states comes true, with an interval.

    Bins as for the expected calibration error. Intervals of the accuracy take rows as independent
    and a weight as copies: Wilson's score interval, or the exact one of Clopper and Pearson.

    Examples
    --------
    >>> table = reliability_table([0, 1, 1, 1], [0.25, 0.25, 0.75, 1.0], n_bins=2)
    >>> print(table.count, table.mean_probability, table.accuracy)
    [2. 2.] [0.25  0.875] [0.5 1. ]
    """
    bins = Bins(n_bins, strategy, closed)
    binned = reliability(correct, probability, weight=weight, bins=bins)
    n_places = binned.number.size if strategy == "scores" else n_bins
    places = np.zeros((3, n_places))
    places[:, binned.number] = binned.weight[0], binned.correct[0], binned.probability[0]
    count, right, stated = places
    low, high = _ends(correct, probability, weight, bins, count)
    around = _wilson if interval == "wilson" else _clopper_pearson
    return ReliabilityTable(
        low=low,
        high=high,
        count=count,
        mean_probability=ratio(stated, count),
        accuracy=ratio(right, count),
        interval_low=around(right, count, (1 - level) / 2),
        interval_high=around(right, count, (1 + level) / 2),
        level=level,
        interval=interval,
    )


def _ends(
    correct: ArrayLike,
    probability: ArrayLike,
    weight: ArrayLike | None,
    bins: Bins,
    count: Array,
) -> tuple[Array, Array]:
    if bins.strategy in FIXED:
        edges = bin_edges(bins)
        low = edges[:-1] if edges.size > count.size else np.append(0.0, edges[:-1])
        return low, edges[-count.size :]
    _, score, size = columns(correct=correct, probability=probability, weight=weight)
    order = np.argsort(score)
    order = order[size[order] > 0]
    number = ranked_bins(size[order], count)
    low, high = np.full((2, count.size + 1), np.nan)
    np.fmin.at(low, number, score[order])
    np.fmax.at(high, number, score[order])
    return low[:-1], high[:-1]


def _wilson(right: Array, count: Array, share: float) -> Array:
    """Return one end of Wilson's interval; NaN for an empty bin."""
    from scipy.special import ndtri  # noqa: PLC0415 - heavy to import

    z = ndtri(share)
    accuracy = ratio(right, count)
    spread = z * np.sqrt(np.clip(accuracy * (1 - accuracy), 0, None) * count + z**2 / 4)
    end: Array = np.clip((right + z**2 / 2 + spread) / (count + z**2), 0.0, 1.0)
    return end


def _clopper_pearson(right: Array, count: Array, share: float) -> Array:
    """Return one end of the exact interval; NaN for an empty bin."""
    return np.where(count > 0, clopper_pearson(right, count, share), np.nan)
