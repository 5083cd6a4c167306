"""Differences between outcome and probability, added up from the smallest score on.

A calibrated score makes them a walk around 0 whose steps have known variances, so that their
largest distance from 0 and their range have known laws. Equal scores are one step unless ties are
to be broken row by row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, length, whole
from assay.metrics.calibration.bins import BY_ROW, NO_ROW, Start, Ties
from assay.metrics.calibration.cells import (
    Cells,
    added,
    by_score,
    checked,
    ratio,
    row_sums,
    running,
    shaped,
)
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from assay.columns import Array, Indices, Weight

JITTER = 1e-8
"""MAPIE's relative noise, and the seed it always starts from"""
JITTER_SEED = 1
ROWS_PER_BUCKET = 256
MOST_BUCKETS = 1 << 15
BUCKETED_AT_ONCE = 1 << 18
CERTAIN = "all scores are 0 or 1, which leaves nothing to chance"


@dataclass(frozen=True, slots=True, eq=False)
class Extent:
    """How far the walk goes, in rows, (resamples,); its start at 0 counts if it is to."""

    highest: Array
    lowest: Array
    nearest: Array
    """its smallest distance from 0"""
    shape: tuple[int, ...]

    @property
    def farthest(self) -> Array:
        """Return the largest distance from 0."""
        return np.maximum(np.abs(self.highest), np.abs(self.lowest))

    def range(self, start: Start) -> Array:
        """Return the range, or what is printed for it."""
        if start == "printed":
            return self.farthest - self.nearest
        return self.highest - self.lowest


def extent(
    correct: ArrayLike, probability: ArrayLike, weight: Weight, ties: Ties, start: Start = "zero"
) -> Extent:
    """Walk from the smallest score to the largest."""
    if weight is None and ties == "group":
        return _unweighted(*checked(correct, probability), start)
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    walked: Extent
    if ties != "group":
        walked = resamples.curve(_copy_by_copy, correct, probability, ties, start)
    elif resamples.every_row_once:
        walked = resamples.curve(_single, correct, probability, start)
    else:
        cells = resamples.plan(by_score, correct, probability)
        walked = resamples.curve(_grouped, cells, start)
    return walked


def _single(correct: ArrayLike, probability: ArrayLike, start: Start, _: Resamples) -> Extent:
    return _unweighted(*checked(correct, probability), start)


# Rows of weight 1: a part of the walk is sorted only where it may hold an extreme


def _unweighted(correct: Array, probability: Array, start: Start) -> Extent:
    if not correct.size:
        return _nowhere(1, ())
    n_buckets = int(np.clip(correct.size // ROWS_PER_BUCKET, 1, MOST_BUCKETS))
    rise, net = _moves(correct, probability, n_buckets)
    after = net.cumsum()
    before = after - net
    left = _started(after[_bucket(probability.min(), n_buckets) :], start)
    ends = _ends(left)
    top, bottom = before + rise, before + (net - rise)
    open_ = (top > ends[0]) | (bottom < ends[1])
    if start == "printed":
        open_ |= (top > -ends[2]) & (bottom < ends[2])
    inside = _inside(correct, probability, before, _mixed(probability, open_))
    highest, lowest, nearest = np.array(_ends(np.append(left, inside)))[:, None]
    return Extent(highest, lowest, nearest, ())


def _bucket(probability: Array, n_buckets: int) -> Indices:
    return np.minimum(probability * n_buckets, n_buckets - 1).astype(np.int64)


def _moves(correct: Array, probability: Array, n_buckets: int) -> tuple[Array, Array]:
    """Return how far the walk rises inside each bucket at most, and how far it gets."""
    moves = np.zeros((2, n_buckets))
    for first in range(0, correct.size, BUCKETED_AT_ONCE):
        rows = slice(first, first + BUCKETED_AT_ONCE)
        outcome, score = correct[rows], probability[rows]
        place = _bucket(score, n_buckets)
        moves[0] += added(place, outcome * (1 - score), n_buckets)
        moves[1] += added(place, outcome - score, n_buckets)
    return moves[0], moves[1]


def _mixed(probability: Array, open_: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the open buckets that hold more than one score."""
    seen = np.full(open_.size, np.nan)
    mixed = np.zeros_like(open_)
    for first in range(0, probability.size, BUCKETED_AT_ONCE):
        score = probability[first : first + BUCKETED_AT_ONCE]
        place = _bucket(score, open_.size)
        fresh = np.isnan(seen[place])
        seen[place[fresh]] = score[fresh]
        mixed[place[score != seen[place]]] = True
        if mixed[open_].all():
            break
    return open_ & mixed


def _inside(correct: Array, probability: Array, before: Array, open_: NDArray[np.bool_]) -> Array:
    """Return the walk at every distinct score of the open buckets."""
    found = [np.zeros(0, dtype=np.int64)]
    for first in range(0, correct.size, BUCKETED_AT_ONCE):
        place = _bucket(probability[first : first + BUCKETED_AT_ONCE], before.size)
        found.append(first + np.flatnonzero(open_[place]))
    rows = np.concatenate(found)
    # Sorted with the outcome as the last bit: a score from 0 to 1 leaves one bit to spare.
    packed = probability[rows].view(np.uint64) << np.uint64(1) | correct[rows].astype(np.uint64)
    packed.sort()
    score = (packed >> np.uint64(1)).view(np.float64)
    walk = np.cumsum((packed & np.uint64(1)).astype(np.float64) - score)
    place = _bucket(score, before.size)
    opening = np.flatnonzero(np.diff(place, prepend=-1))
    n_rows = np.diff(opening, append=place.size)
    walked = np.append(0.0, walk)[opening]
    walk += np.repeat(before[place[opening]] - walked, n_rows)
    last: Array = walk[np.append(score[1:] != score[:-1], True)[: walk.size]]
    return last


def _started(walk: Array, start: Start) -> Array:
    return np.append(0.0, walk) if start == "zero" else walk


def _ends(walk: Array) -> tuple[float, float, float]:
    return float(walk.max()), float(walk.min()), float(np.abs(walk).min())


# Weighted rows


def _grouped(cells: Cells, start: Start, resamples: Resamples) -> Extent:
    """Walk over distinct scores."""
    reached, gap = running(cells, cells.weight, cells.gap, resamples)
    if not cells.key.size:
        return _nowhere(gap.shape[0], resamples.shape)
    if start == "zero":
        highest, lowest = gap.max(-1, initial=0.0), gap.min(-1, initial=0.0)
        return Extent(highest, lowest, np.zeros_like(highest), resamples.shape)
    # Before its first row, a resample has not left the start.
    left = reached > 0
    highest = np.where(left, gap, -np.inf).max(-1)
    lowest = np.where(left, gap, np.inf).min(-1)
    nearest = np.where(left, np.abs(gap), np.inf).min(-1)
    highest, lowest, nearest = np.where(left[:, -1], (highest, lowest, nearest), 0.0)
    return Extent(highest, lowest, nearest, resamples.shape)


def _nowhere(n_resamples: int, shape: tuple[int, ...]) -> Extent:
    return Extent(np.zeros(n_resamples), np.zeros(n_resamples), np.zeros(n_resamples), shape)


def _copy_by_copy(
    correct: ArrayLike, probability: ArrayLike, ties: Ties, start: Start, resamples: Resamples
) -> Extent:
    """Walk over every copy of every row, in the order of the rows where scores are equal."""
    correct, probability = checked(correct, probability)
    whole(resamples, "ties that are broken row by row")
    drawn = resamples.rows().reshape(resamples.counts.shape[0], correct.size).astype(np.int64)
    ends = np.zeros((3, drawn.shape[0]))
    for number, copies in enumerate(drawn):
        walk, _ = row_by_row(np.repeat(correct, copies), np.repeat(probability, copies), ties)
        if walk.size:
            ends[:, number] = _ends(_started(walk, start))
    highest, lowest, nearest = ends
    return Extent(highest, lowest, nearest, resamples.shape)


def row_by_row(correct: Array, probability: Array, ties: Ties) -> tuple[Array, Indices]:
    """Return the walk over every row, in rows, and the order in which it takes them."""
    if ties == "mapie":
        noise = np.random.RandomState(JITTER_SEED).normal(size=correct.size)
        probability = probability * (1 + JITTER * noise)
    order = kernels.rising_order(probability)
    ranked = probability[order]
    if ties == "mapie" and (ranked[1:] == ranked[:-1]).any():
        # MAPIE sorts without a promise for what stays equal, so the same call is made here.
        order = np.argsort(probability)
        ranked = probability[order]
    return np.cumsum(correct[order] - ranked), order


@dataclass(frozen=True, slots=True, eq=False)
class CumulativeDifferences:
    """The walk, from its start at 0."""

    share: Array
    """(points + 1,), the share of the rows added so far"""
    score: Array
    """(points + 1,), the score up to which rows are added; NaN at the start"""
    difference: Array
    """(points + 1,), outcome minus probability, added up and divided by all rows"""


def cumulative_differences(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    ties: Ties = "group",
) -> CumulativeDifferences:
    """Add up outcome minus probability from the smallest score on; equal scores are one step.

    ``stable`` and ``mapie`` break ties as for the Kolmogorov-Smirnov statistic: every row is a
    step, and under ``mapie`` the differences after the start are MAPIE's vector. A weight is then
    read as copies.

    Examples
    --------
    >>> walk = cumulative_differences(correct=[1, 0, 0, 1], probability=[0.75, 0.25, 0.5, 0.25])
    >>> print(walk.share, walk.score, walk.difference)
    [0.   0.5  0.75 1.  ] [ nan 0.25 0.5  0.75] [0.     0.125  0.     0.0625]
    """
    if weight is None:
        return _every_row_once(*checked(correct, probability), ties)
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    if ties == "group":
        cells = by_score(correct, probability, resamples)
        reached, walk = (each[0] for each in running(cells, cells.weight, cells.gap, resamples))
        score = cells.key
    else:
        whole(resamples, "ties that are broken row by row")
        copies = resamples.rows().reshape(-1).astype(np.int64)
        outcome, stated = (np.repeat(each, copies) for each in checked(correct, probability))
        walk, order = row_by_row(outcome, stated, ties)
        reached, score = np.arange(1.0, walk.size + 1), stated[order]
    return _from_start(reached, score, walk, float(resamples.total()[0]))


def _every_row_once(correct: Array, probability: Array, ties: Ties) -> CumulativeDifferences:
    """Walk over rows of weight 1, which one sort brings together with their differences."""
    if ties == "group":
        falling, reached, walk = kernels.plateaus(0.0 - probability, correct - probability)
        score = np.subtract(0.0, falling, out=falling)
    else:
        walk, order = row_by_row(correct, probability, ties)
        reached, score = np.arange(1.0, walk.size + 1), probability[order]
    return _from_start(reached, score, walk, float(correct.size))


def _from_start(reached: Array, score: Array, walk: Array, total: float) -> CumulativeDifferences:
    """Put the start before the walk, and divide by all rows."""
    share, scores, difference = (np.empty(walk.size + 1) for _ in range(3))
    share[0], scores[0], difference[0] = 0.0, np.nan, 0.0
    scores[1:] = score
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing of nothing has no share
        np.divide(reached, total, out=share[1:])
        np.divide(walk, total, out=difference[1:])
    if not total:
        share[1:], difference[1:] = np.nan, np.nan
    return CumulativeDifferences(share=share, score=scores, difference=difference)


@metric(better=None, bounds=(-1.0, 1.0), undefined=NO_ROW, kind="share")
def cumulative_difference(
    correct: ArrayLike, probability: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Where the cumulative differences end: the share of right rows minus the mean probability.

    .. math:: C_N = \frac{1}{N} \sum_{i=1}^{N} (y_i - p_i)

    Above 0 the probabilities are too low on the whole, below 0 too high. Undefined without rows.

    Notes
    -----
    Sorting outcomes and probabilities, together or apart, does not change the end of their sum.

    References
    ----------
    Arrieta-Ibarra et al. (2022), JMLR 23(351):1-54.

    Examples
    --------
    >>> cumulative_difference(correct=[1, 0, 0, 1], probability=[0.75, 0.25, 0.5, 0.25])
    0.0625
    """
    sums = row_sums(_gaps, correct, probability, weight=weight)
    return shaped(ratio(sums.first, sums.total), sums.shape)


def _gaps(correct: Array, probability: Array) -> tuple[Array, Array]:
    return correct - probability, probability * (1 - probability)


@metric(
    better=None,
    bounds=(0.0, 0.5),
    undefined=NO_ROW,
    extensive=True,
    kind="none",
    no_interval="the unit of the test statistics, which shrinks with the rows",
)
def length_scale(
    correct: ArrayLike, probability: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Standard deviation of the end of the cumulative differences of calibrated scores.

    .. math:: \sigma = \frac{1}{N} \sqrt{\sum_{i=1}^{N} p_i (1 - p_i)}

    The outcomes play no part in it. Undefined without rows.

    References
    ----------
    Arrieta-Ibarra et al. (2022), JMLR 23(351):1-54.

    Examples
    --------
    >>> length_scale(correct=[1, 0, 0, 1], probability=[0.5, 0.5, 0.5, 0.5])
    0.25
    """
    sums = row_sums(_gaps, correct, probability, weight=weight)
    return shaped(ratio(np.sqrt(sums.second), sums.total), sums.shape)


_statistic = metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined=CERTAIN,
    extensive=True,
    copies=BY_ROW,
    ordered=BY_ROW,
    kind="none",
    no_interval="a test statistic grows with the rows: read its p-value",
    counterparts=("brier", "nll"),
)


@_statistic
def ks_calibration(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    ties: Ties = "group",
) -> float | Array:
    r"""Kolmogorov-Smirnov statistic of calibration.

    .. math:: \max_k |C_k| / \sigma, \qquad
              C_k = \frac{1}{N} \sum_{i=1}^{k} (y_{(i)} - p_{(i)})

    Rows are added by rising probability, equal ones as one step; :math:`\sigma` is the length
    scale. It grows with the square root of the rows unless the scores are calibrated. Undefined
    when all scores are 0 or 1.

    Notes
    -----
    ``stable`` adds equal scores row by row in the order given. ``mapie`` breaks ties as MAPIE
    does: scores are multiplied by 1 + 1e-8 times normal noise from `RandomState(1)` before they
    are sorted and added. A weight is then read as copies.

    References
    ----------
    Arrieta-Ibarra et al. (2022), JMLR 23(351):1-54.

    Examples
    --------
    >>> ks_calibration(correct=[1, 1, 0, 0], probability=[0.5, 0.5, 0.5, 0.5])
    0.0
    >>> ks_calibration(correct=[1, 1, 0, 0], probability=[0.5, 0.5, 0.5, 0.5], ties="stable")
    1.0
    """
    walked = extent(correct, probability, weight, ties)
    scale = np.sqrt(variance(correct, probability, weight))
    return shaped(ratio(walked.farthest, scale), walked.shape)


@_statistic
def kuiper_calibration(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    ties: Ties = "group",
    start: Start = "zero",
) -> float | Array:
    r"""Kuiper statistic of calibration: the range of the cumulative differences.

    .. math:: (\max_{k \ge 0} C_k - \min_{k \ge 0} C_k) / \sigma, \qquad C_0 = 0

    Rows are added as for the Kolmogorov-Smirnov statistic, which it is never below. Undefined when
    all scores are 0 or 1.

    Notes
    -----
    ``start="mapie"`` leaves :math:`C_0` out, which can make the statistic smaller than the
    Kolmogorov-Smirnov one; ``printed`` is :math:`\max_{k \ge 1} |C_k| - \min_{k \ge 1} |C_k|`, as
    MAPIE's documentation has it. Neither has the law of the range.

    References
    ----------
    Arrieta-Ibarra et al. (2022), JMLR 23(351):1-54.

    Examples
    --------
    >>> kuiper_calibration(correct=[1, 1, 1, 1], probability=[0.5, 0.5, 0.5, 0.5])
    2.0
    >>> kuiper_calibration([1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5], start="mapie")
    0.0
    """
    walked = extent(correct, probability, weight, ties, start)
    scale = np.sqrt(variance(correct, probability, weight))
    return shaped(ratio(walked.range(start), scale), walked.shape)


def variance(correct: ArrayLike, probability: ArrayLike, weight: Weight) -> Array:
    """Return the variance that calibration gives the end of the walk, in rows, (resamples,)."""
    return row_sums(_gaps, correct, probability, weight=weight).second
