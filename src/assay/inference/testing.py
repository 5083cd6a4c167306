"""p-values of paired differences, their correction for several, and tests that know clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from assay.rounding import difference

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.inference.resampling import Replicate
    from assay.registry import Signed

LEAST_CLUSTERS = 2
POWER = 0.8
"""how often a difference of the size that is called detectable would have shown"""
MOST_FLIPS, FEWEST_FLIPS = 1_999, 199
FLIPPED_VALUES = 10**8
"""rows times flips, above which there are fewer"""
VALUES_AT_ONCE = 1 << 20
FLIPPED = "sign flips of clusters"


@dataclass(frozen=True, slots=True)
class Flips:
    """A p-value from signs of clusters that turned, and from how many of them."""

    p_value: float
    n_flips: int
    seed: int | None
    """None: all signs there are"""


@dataclass(frozen=True, slots=True)
class Test:
    """A p-value, and what it is of; NaN where there is none."""

    p_value: float
    name: str | None


def p_value(delta: Replicate) -> float:
    """Return the two-sided p-value of no difference, by inverting the percentile interval.

    Twice the smaller share of resamples on either side of 0, ties with 0 on both sides, and the
    sample itself as one more resample: identical systems have p = 1, and p is never 0. Undefined
    (NaN) where the difference is, or without resamples; infinite differences are undefined ones.

    Examples
    --------
    >>> from assay.inference.resampling import Replicate
    >>> p_value(Replicate(0.0, np.zeros(99)))
    1.0
    >>> p_value(Replicate(1.0, np.ones(99)))
    0.02
    """
    defined = delta.distribution[np.isfinite(delta.distribution)]
    if not defined.size or not np.isfinite(delta.point):
        return float("nan")
    tail = min((defined <= 0).sum(), (defined >= 0).sum())
    return float(min(1.0, 2 * (tail + 1) / (defined.size + 1)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values of several comparisons so that all hold together (Holm, step down).

    Undefined p-values stay undefined and are not counted as comparisons.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = [i for i in np.argsort(p_values) if not np.isnan(p_values[i])]
    adjusted = [float("nan")] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def expanded_p_value(delta: Replicate) -> float:
    """Return the same p-value with the tails of Student's t: that of the expanded interval.

    Examples
    --------
    >>> from assay.inference.resampling import Replicate
    >>> expanded_p_value(Replicate(0.0, np.zeros(99), n_clusters=20))
    1.0
    >>> round(expanded_p_value(Replicate(1.0, np.ones(99), n_clusters=20)), 4)
    0.0353
    """
    from scipy.special import ndtri, stdtr  # noqa: PLC0415 - 0.2 s that percentiles do not need

    plain, n = p_value(delta), delta.n_clusters
    if n < LEAST_CLUSTERS or not plain < 1:
        return plain
    return float(2 * stdtr(n - 1, ndtri(plain / 2) * np.sqrt((n - 1) / n)))


def swap_p_value(observed: float, swapped: Array) -> float:
    """Return the two-sided p-value of no difference, by differences of swapped systems.

    Where two systems are alike, a cluster may as well have been answered by the other one. The
    share of swaps with a larger difference, half of those with an equal one, the sample itself
    among them (mid-p). No difference at all has p = 1. Undefined swaps are left out; undefined
    (NaN) where the difference is, or without swaps.

    Examples
    --------
    >>> swap_p_value(0.0, np.zeros(9)), swap_p_value(2.0, np.array([1.0, -2.0, 3.0, 0.0, -1.0]))
    (1.0, 0.3333333333333333)
    """
    defined = np.abs(swapped[np.isfinite(swapped)])
    if not defined.size or not np.isfinite(observed):
        return float("nan")
    if observed == 0:
        return 1.0
    beside = difference(defined, abs(observed))
    larger, equal = int((beside > 0).sum()), int((beside == 0).sum())
    return (larger + (equal + 1) / 2) / (defined.size + 1)


def flip_p_value(statistic: Signed, n_clusters: int, n_rows: int, seed: int) -> Flips:
    """Return how often a statistic is so large where the signs of whole clusters turn at random.

    Where it is nothing but chance on which side of what is expected a cluster lies, each may as
    well lie on the other. Few clusters turn in all ways there are, many at random, with the sample
    itself among the draws; what differs by rounding alone is equally large.

    Examples
    --------
    >>> found = flip_p_value(lambda signs: signs @ np.array([1.0, 2.0, 4.0]), 3, 3, seed=1)
    >>> found.p_value, found.n_flips
    (0.125, 8)
    """
    n = max(FEWEST_FLIPS, min(MOST_FLIPS, FLIPPED_VALUES // max(1, n_rows)))
    whole = n_clusters < n.bit_length() + 1 and 2**n_clusters <= n + 1
    n = 2**n_clusters if whole else n
    observed = float(statistic(np.ones((1, n_clusters)))[0])
    generator, reached = np.random.default_rng([seed, n_clusters]), 0
    at_once = max(1, VALUES_AT_ONCE // max(1, n_rows, n_clusters))
    for first in range(0, n, at_once):
        draws = np.arange(first, min(first + at_once, n))
        bits = (
            draws[:, None] >> np.arange(n_clusters) & 1
            if whole
            else generator.integers(0, 2, (draws.size, n_clusters))
        )
        beside = difference(statistic(1.0 - 2.0 * bits), observed)
        reached += int((beside >= 0).sum())
    share = reached / n if whole else (1 + reached) / (1 + n)
    return Flips(share, n, None if whole else seed)


def detectable(standard_error: float, level: float) -> float:
    """Return the difference whose interval would have left 0 out 8 times in 10.

    Of a normal estimate that is so many standard errors as the ends of the interval lie off and
    another 0.84: 2.80 at 95%.
    """
    normal = NormalDist()
    off = normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(POWER)
    return off * standard_error if standard_error > 0 else np.nan
