"""A test of whether width and coverage are independent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.metrics.intervals.dependence import ROWS_AT_ONCE, positive
from assay.metrics.intervals.gauss import features_of
from assay.metrics.intervals.near import near_of
from assay.metrics.intervals.spans import Crossed, Spans, totals
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight
    from assay.metrics.intervals.gauss import Features

__all__ = ["hsic_p_value"]

FEWEST = 4
"""The variance over all permutations takes four rows."""


@metric(
    better=None,
    bounds=(0.0, 1.0),
    undefined="fewer than four rows, all rows covered or none, or all widths equal",
    copies=True,
    extensive=True,
    interval=False,
)
def hsic_p_value(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    kernel_width: float = 1.0,
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Probability of an HSIC this large, if width and coverage were independent.

    .. math:: P(G \ge T), \quad T = \sum_{ij} v_i v_j K_{ij}, \quad
              G \sim \mathrm{Gamma}\Bigl(\frac{E^2}{V}, \frac{V}{E}\Bigr)

    T is HSIC before scaling (the kernel of the coverage only scales it), E and V are its exact
    mean and variance over all permutations of the coverage against the widths; `kernel_width` is
    the kernel size of the widths. Rows must be independent: where they come in clusters, the test
    rejects too often. Undefined for fewer than four rows, where all rows are covered or none is,
    and where all widths are equal.

    References
    ----------
    Gretton et al. (2008), NeurIPS 20:585-592; Kazi-Aoual et al. (1995), Computational Statistics
    and Data Analysis 20:643-656, for the two moments.

    Examples
    --------
    >>> hsic_p_value(truth=[2, 2, 2, 2, 2, 2], low=[0] * 6, up=[1, 1.1, 1.2, 4, 4.1, 4.2])
    0.0212
    """
    positive("kernel_width", kernel_width)
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    sums.whole("the test of independence")
    spans = sums.spans
    if sums.resamples is None:
        return _p_value(spans, kernel_width)
    shape = (sums.n.size, spans.truth.size)
    weights = sums.resamples.rows().reshape(shape).astype(np.int64)
    found = [_p_value(_written_out(spans, copies), kernel_width) for copies in weights]
    return sums.shaped(np.array(found))


def _written_out(spans: Spans, copies: Indices) -> Spans:
    rows = np.repeat(np.arange(copies.size), copies)
    return Spans(spans.truth[rows], spans.low[rows], spans.up[rows], spans.crossed)


@dataclass(frozen=True, slots=True)
class Moments:
    """A symmetric matrix with rows that sum to 0, as its permutations see it."""

    trace: float
    squares: float
    """sum of all squared entries"""
    diagonal: float
    """sum of the squared entries of the diagonal"""


def _p_value(spans: Spans, kernel_width: float) -> float:
    from scipy.special import gammaincc  # noqa: PLC0415 - heavy to import

    n, covered = spans.truth.size, spans.covered
    deviation = covered - covered.mean() if n else np.zeros(0)
    if n < FEWEST or not deviation.any():
        return float("nan")
    features = features_of(spans.width, kernel_width)
    if features is None:
        statistic, kernel = _far(spans.width, deviation, kernel_width)
    else:
        statistic, kernel = _close(features, spans, deviation)
    energy = float((deviation**2).sum())
    coverage = Moments(energy, energy**2, float((deviation**4).sum()))
    mean, variance = _permuted(kernel, coverage, n)
    if mean <= 0.0 or variance <= 0.0:
        return float("nan")
    return float(gammaincc(mean**2 / variance, statistic * mean / variance))


def _permuted(a: Moments, b: Moments, n: int) -> tuple[float, float]:
    """Return mean and variance of the sum of a_ij b_ij when one is permuted against the other."""
    mean = a.trace * b.trace / (n - 1)
    spread = [(n - 1) * each.squares - each.trace**2 for each in (a, b)]
    uneven = [
        n * (n + 1) * each.diagonal - (n - 1) * (each.trace**2 + 2 * each.squares)
        for each in (a, b)
    ]
    variance = 2 * spread[0] * spread[1] / ((n - 1) ** 2 * (n + 1) * (n - 2))
    variance += uneven[0] * uneven[1] / ((n + 1) * n * (n - 1) * (n - 2) * (n - 3))
    return mean, variance


def _close(features: Features, spans: Spans, deviation: Array) -> tuple[float, Moments]:
    """Return T and the moments of the centred kernel from the functions that make it up.

    One pass adds up all products of the functions, of the kernel of a row with itself, and of 1.
    """
    n_functions, n = features.coefficient.size, deviation.size
    projected, products = np.zeros(n_functions), np.zeros((n_functions + 2, n_functions + 2))
    first = 0
    for part in spans.chunks(ROWS_AT_ONCE):
        values = features.of(part.width)
        own = features.coefficient @ values**2
        every = np.vstack([values, own, np.ones(own.size)])
        projected += values @ deviation[first : first + own.size]
        products += every @ every.T
        first += own.size
    middle = products[:n_functions, -1] / n
    gram = products[:n_functions, :n_functions] - n * np.outer(middle, middle)
    squares = float(features.coefficient @ gram**2 @ features.coefficient)
    # The kernel of a row with itself, centred, as a combination of what was added up.
    shift = features.coefficient * middle
    own = np.concatenate([-2 * shift, [1.0, shift @ middle]])
    kernel = Moments(float(own @ products[:, -1]), squares, float(own @ products @ own))
    return float(features.coefficient @ projected**2), kernel


def _far(width: Array, deviation: Array, kernel_width: float) -> tuple[float, Moments]:
    """Return T and the moments of the centred kernel from near cells."""
    n = width.size
    near = near_of(width, kernel_width)
    [statistic] = near.quadratic(lambda rows: deviation[rows][None], 1)
    # The square of a kernel is the kernel of half its size.
    [squared] = near_of(width, kernel_width / 2).quadratic(lambda rows: np.ones((1, rows.size)), 1)
    felt = near.potential()
    total = float(felt.sum())
    own = 1 - 2 * felt / n + total / n**2
    squares = float(squared) - 2 * float((felt**2).sum()) / n + (total / n) ** 2
    return float(statistic), Moments(n - total / n, squares, float((own**2).sum()))
