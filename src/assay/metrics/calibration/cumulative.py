"""Differences between outcome and probability, added up from the smallest score on.

A calibrated score makes them a walk around 0 whose steps have known variances, so that their
largest distance from 0 and their range have known laws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, length, whole
from assay.metrics.calibration.cells import (
    by_score,
    checked,
    ratio,
    row_sums,
    running,
    shaped,
)
from assay.metrics.calibration.conventions import BY_ROW, NO_ROW, Start, Ties
from assay.metrics.calibration.walks import extent, row_by_row
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

__all__ = [
    "CumulativeDifferences",
    "cumulative_difference",
    "cumulative_differences",
    "ks_calibration",
    "kuiper_calibration",
    "length_scale",
    "variance",
]

CERTAIN = "all scores are 0 or 1, which leaves nothing to chance"


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


@metric(
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


@metric(
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
