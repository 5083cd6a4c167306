"""How often calibrated scores would look as bad: p-values from the limit laws.

They hold for independent rows; where clusters are named, commands and `assay.estimate` turn the
signs of whole clusters instead (`montecarlo`). Tied scores and few rows make the walk of the
cumulative differences coarser than the Brownian motion it tends to, so that its tests reject too
rarely; only next to no chance at all makes them reject too often, and there they are undefined. The
sum of
Spiegelhalter is skewed and jumps, for which its p-values are corrected.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Resamples, columns
from assay.metrics.calibration.bins import BY_ROW, Law, Start, Tail, Ties
from assay.metrics.calibration.cells import ratio, row_sums, shaped
from assay.metrics.calibration.cumulative import (
    ks_calibration,
    kuiper_calibration,
    variance,
)
from assay.metrics.calibration.montecarlo import (
    flipped_kuiper,
    flipped_spiegelhalter,
    flipped_walk,
)
from assay.registry import metric
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

LEAST_VARIANCE = 2.0
"""Below this sum of variances a single surprise can decide a test."""
LEAST_SHAPE = 8.0
"""The shape of a gamma variable whose skewness is the square root of one half."""
TOO_CERTAIN = "the scores leave too little to chance for a limit law: redraw the outcomes instead"
NO_VARIANCE = "all scores are 0, 0.5 or 1, for which the test has no variance"
N_TERMS = 12
"""enough for full precision on either side of the point where the series change"""
KS_CHANGE, KUIPER_CHANGE = 1.0, 1.75
NOTHING_BELOW = 0.05
"""where both laws are smaller than any double"""
_p_value = partial(
    metric,
    better=None,
    bounds=(0.0, 1.0),
    undefined=TOO_CERTAIN,
    extensive=True,
    interval=False,
)


@_p_value(flipped=flipped_walk, copies=BY_ROW, ordered=BY_ROW)
def ks_p_value(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    ties: Ties = "group",
    law: Law = "checked",
) -> float | Array:
    r"""Probability that calibrated scores have so large a Kolmogorov-Smirnov statistic.

    .. math:: P\Bigl(\max_{0 \le t \le 1} |W_t| > \max_k |C_k| / \sigma\Bigr)

    W is a Brownian motion, the limit of the cumulative differences for many independent rows.
    Conventions as for the statistic. Undefined when :math:`\sum_i p_i (1 - p_i) < 2`, where the
    test would reject calibrated scores too often; ``law="limit"`` does not look.

    References
    ----------
    Tygert (2022), arXiv:2202.00100. Darling and Siegert (1953), Ann. Math. Statist. 24:624-639.

    Examples
    --------
    >>> round(ks_p_value(correct=[1] * 6 + [0] * 2, probability=[0.5] * 8), 4)
    0.3146
    """
    statistic = ks_calibration(correct, probability, weight=weight, ties=ties)
    return _checked(_ks_tail, statistic, variance(correct, probability, weight), law)


@_p_value(flipped=flipped_kuiper, copies=BY_ROW, ordered=BY_ROW)
def kuiper_p_value(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    ties: Ties = "group",
    start: Start = "zero",
    law: Law = "checked",
) -> float | Array:
    r"""Probability that calibrated scores have so large a Kuiper statistic.

    .. math:: P\Bigl(\max_{0 \le t \le 1} W_t - \min_{0 \le t \le 1} W_t
              > (\max_k C_k - \min_k C_k) / \sigma\Bigr)

    W is a Brownian motion, the limit of the cumulative differences for many independent rows.
    Conventions as for the statistic. Undefined when :math:`\sum_i p_i (1 - p_i) < 2`, where the
    test would reject calibrated scores too often; ``law="limit"`` does not look.

    References
    ----------
    Tygert (2022), arXiv:2202.00100. Feller (1951), Ann. Math. Statist. 22:427-432.

    Examples
    --------
    >>> round(kuiper_p_value(correct=[1] * 6 + [0] * 2, probability=[0.5] * 8), 4)
    0.592
    """
    statistic = kuiper_calibration(correct, probability, weight=weight, ties=ties, start=start)
    return _checked(_kuiper_tail, statistic, variance(correct, probability, weight), law)


def _checked(
    tail: Callable[[Array], Array], statistic: float | Array, chance: Array, law: Law
) -> float | Array:
    shape = np.shape(statistic)
    value = tail(np.atleast_1d(statistic).ravel())
    undefined = (law == "checked") & (chance < LEAST_VARIANCE * (1 - ROUNDING))
    return shaped(np.where(undefined, np.nan, value), shape)


def ks_cdf(x: ArrayLike) -> Array:
    """Return the probability that a Brownian motion stays within x of 0 for a unit of time.

    Examples
    --------
    >>> round(float(ks_cdf(1.0)), 5)
    0.37078
    """
    return 1 - _ks_tail(np.asarray(x, dtype=np.float64))


def kuiper_cdf(x: ArrayLike) -> Array:
    """Return the probability that the range of a Brownian motion stays within x.

    Examples
    --------
    >>> round(float(kuiper_cdf(1.0)), 5)
    0.06336
    """
    return 1 - _kuiper_tail(np.asarray(x, dtype=np.float64))


def _ks_tail(x: Array) -> Array:
    """Sum 1 minus the theta series for small x, and its reflection for large ones."""
    from scipy.special import ndtr  # noqa: PLC0415 - 0.2 s that only p-values need

    k = np.arange(N_TERMS)
    odd, sign = k + 0.5, (-1.0) ** k
    low = np.clip(x, NOTHING_BELOW, KS_CHANGE)[..., None]
    near = 1 - 2 / np.pi * (sign / odd * np.exp(-((odd * np.pi / low) ** 2) / 2)).sum(-1)
    far = 4 * (sign * ndtr(-(2 * k + 1) * np.maximum(x, KS_CHANGE)[..., None])).sum(-1)
    return np.where(np.isnan(x), np.nan, np.where(x < KS_CHANGE, near, far))


def _kuiper_tail(x: Array) -> Array:
    """Sum 1 minus the theta series for small x, and its reflection for large ones."""
    from scipy.special import ndtr  # noqa: PLC0415 - 0.2 s that only p-values need

    k = np.arange(N_TERMS)
    odd, number, sign = k + 0.5, k + 1.0, (-1.0) ** k
    low = np.clip(x, NOTHING_BELOW, KUIPER_CHANGE)[..., None]
    terms = (8 / low**2 + 2 / (odd * np.pi) ** 2) * np.exp(-2 * (odd * np.pi / low) ** 2)
    near = 1 - terms.sum(-1)
    high = np.maximum(x, KUIPER_CHANGE)[..., None]
    far = 8 * (sign * number * ndtr(-number * high)).sum(-1)
    return np.where(np.isnan(x), np.nan, np.where(x < KUIPER_CHANGE, near, far))


@metric(
    better=None,
    bounds=(-np.inf, np.inf),
    undefined=NO_VARIANCE,
    extensive=True,
    kind="none",
    no_interval="a test statistic grows with the rows: read its p-value",
)
def spiegelhalter_z(
    correct: ArrayLike, probability: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Spiegelhalter's z: the Brier score beyond what calibrated scores expect.

    .. math:: \frac{\sum_i (y_i - p_i)(1 - 2 p_i)}
              {\sqrt{\sum_i (1 - 2 p_i)^2 p_i (1 - p_i)}}

    Above 0 the scores are too extreme, below 0 too timid. Undefined when all of them are 0, 0.5
    or 1.

    References
    ----------
    Spiegelhalter (1986), Statistics in Medicine 5:421-433.

    Examples
    --------
    >>> round(spiegelhalter_z(correct=[0, 1, 0, 1], probability=[0.25, 0.75, 0.75, 0.25]), 4)
    1.1547
    """
    sums = row_sums(_excess, correct, probability, weight=weight)
    return shaped(ratio(sums.first, np.sqrt(sums.second)), sums.shape)


def _excess(correct: Array, probability: Array) -> tuple[Array, Array]:
    """Return by what a row moves the sum, and the variance of that."""
    lean = 1 - 2 * probability
    return (correct - probability) * lean, lean**2 * probability * (1 - probability)


def _asymmetry(correct: Array, probability: Array) -> tuple[Array, Array]:
    """Return the third cumulant of what a row moves the sum by."""
    lean = (1 - 2 * probability) ** 2
    third = lean * lean * probability * (1 - probability)
    return third, correct


@_p_value(flipped=flipped_spiegelhalter)
def spiegelhalter_p_value(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    tail: Tail = "upper",
    law: Law = "limit",
) -> float | Array:
    r"""Probability that calibrated scores have so large a Spiegelhalter z.

    .. math:: P(Z \ge z)

    ``upper`` sees scores that are too extreme, ``lower`` those that are too timid; ``two-sided``
    is twice the smaller of the two. Z is normal, as in the seed and in MAPIE. Undefined where all
    scores are 0, 0.5 or 1.

    Notes
    -----
    The sum behind z is skewed to the right and moves in jumps: at 50 rows the normal law rejects
    calibrated scores in 6 to 7 percent of cases at the 5 percent level. ``law="checked"`` takes a
    shifted gamma variable of the exact variance and skewness, or a normal one where that gives
    more, and moves z back by half of the smallest jump; it is undefined when the skewness exceeds
    0.71, as it does where few rows decide.

    References
    ----------
    Spiegelhalter (1986), Statistics in Medicine 5:421-433.

    Examples
    --------
    >>> round(spiegelhalter_p_value([1] * 16 + [0] * 4, [0.9] * 20), 4)
    0.0680
    >>> round(spiegelhalter_p_value([1] * 16 + [0] * 4, [0.9] * 20, law="checked"), 4)
    0.1334
    """
    return _spiegelhalter(correct, probability, weight, tail, law)


@_p_value(flipped=flipped_spiegelhalter)
def spiegelhalter_two_sided_p_value(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    law: Law = "checked",
) -> float | Array:
    r"""Probability that calibrated scores have a Spiegelhalter z so far from 0.

    .. math:: 2 \min\bigl(P(Z \ge z), P(Z \le z)\bigr)

    Sees scores that are too timid as well as those that are too extreme. Z as for the one-sided
    value.

    References
    ----------
    Spiegelhalter (1986), Statistics in Medicine 5:421-433.

    Examples
    --------
    >>> round(spiegelhalter_two_sided_p_value([1, 0] * 20, [0.9, 0.1] * 20, law="limit"), 4)
    0.0350
    """
    return _spiegelhalter(correct, probability, weight, "two-sided", law)


def _spiegelhalter(
    correct: ArrayLike, probability: ArrayLike, weight: Weight, tail: Tail, law: Law
) -> float | Array:
    sums = row_sums(_excess, correct, probability, weight=weight)
    z = ratio(sums.first, np.sqrt(sums.second))
    above, below = _normal_tails(z)
    if law == "checked":
        third = row_sums(_asymmetry, correct, probability, weight=weight).first
        jump = _smallest_jump(correct, probability, weight)
        above, below = _checked_tails(z, sums.second, third, jump)
    both = np.minimum(2 * np.minimum(above, below), 1.0)
    return shaped({"upper": above, "lower": below, "two-sided": both}[tail], sums.shape)


def _normal_tails(z: Array) -> tuple[Array, Array]:
    from scipy.special import ndtr  # noqa: PLC0415 - 0.2 s that only p-values need

    return ndtr(-z), ndtr(z)


def _checked_tails(z: Array, second: Array, third: Array, jump: Array) -> tuple[Array, Array]:
    """Return the larger of the normal tails and those of a gamma variable of the same skewness."""
    from scipy.special import gammainc, gammaincc  # noqa: PLC0415 - as above

    half = np.nan_to_num(ratio(jump, 2 * np.sqrt(second)))
    # The skewness is g = k3 / k2**1.5, and a gamma variable of shape 4 / g**2 has it.
    shape = np.where(third > 0, ratio(4 * second**3, third**2), 1.0)
    high, low = (np.maximum(shape + each * np.sqrt(shape), 0.0) for each in (z - half, z + half))
    above = np.maximum(gammaincc(shape, high), _normal_tails(z - half)[0])
    below = np.maximum(gammainc(shape, low), _normal_tails(z + half)[1])
    few = shape < LEAST_SHAPE * (1 - ROUNDING)
    return np.where(few, np.nan, above), np.where(few, np.nan, below)


def _smallest_jump(correct: ArrayLike, probability: ArrayLike, weight: Weight) -> Array:
    """Return the smallest jump of the sum over the rows that are drawn, 0 if none moves it."""
    _, probability = columns(correct=correct, probability=probability)
    jump = np.where((probability > 0) & (probability < 1), np.abs(1 - 2 * probability), 0.0)
    rows = np.ones((1, jump.size)) if weight is None else _rows(weight, jump.size)
    least = np.where((rows > 0) & (jump > 0), jump, np.inf).min(-1, initial=np.inf)
    return np.where(np.isinf(least), 0.0, least)


def _rows(weight: Weight, n_rows: int) -> Array:
    resamples = Resamples.of(weight, n_rows=n_rows)
    return resamples.rows().reshape(resamples.counts.shape[0], n_rows)
