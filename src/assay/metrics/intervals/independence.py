"""A test of whether width and coverage are independent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Resamples
from assay.metrics.intervals.dependence import ROWS_AT_ONCE, in_order, positive
from assay.metrics.intervals.gauss import features_of
from assay.metrics.intervals.near import near_of, slices
from assay.metrics.intervals.spans import Crossed, Spans, totals
from assay.metrics.intervals.totals import written_out
from assay.registry import metric
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight
    from assay.metrics.intervals.gauss import Features
    from assay.registry import Signed

__all__ = ["hsic_p_value"]

FEWEST = 4
"""The variance over all permutations takes four rows."""
NOTHING_TO_PERMUTE = (
    "fewer than four rows, all rows covered or none, or widths of which every permutation gives"
    " the same HSIC, as equal ones do"
)


def flipped(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight,
    kernel_width: float = 1.0,
    crossed: Crossed = "refuse",
) -> Signed:
    """Return HSIC before scaling where the coverage of clusters turns round its mean."""
    spans = totals(truth, low, up, weight=weight, crossed=crossed).spans
    resamples = Resamples.of(weight, n_rows=spans.truth.size)
    share = float((resamples.size * spans.covered).sum() / resamples.size.sum())
    deviation = spans.covered - share
    near = near_of(spans.width, kernel_width)

    def statistic(signs: Array) -> Array:
        turned = signs[:, resamples.cluster] * deviation
        middle = (turned * resamples.size).sum(-1, keepdims=True) / resamples.size.sum()
        turned = (turned - middle) * resamples.size
        return near.quadratic(lambda rows: turned[:, rows], signs.shape[0])

    return statistic


@metric(
    better=None,
    bounds=(0.0, 1.0),
    undefined=NOTHING_TO_PERMUTE,
    copies=True,
    extensive=True,
    interval=False,
    flipped=flipped,
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
    the kernel size of the widths. Rows must be independent: where they come in clusters, commands
    and `assay.estimate` turn the coverage of whole clusters round its mean at random instead. The
    order of the rows does not change a digit. Undefined for fewer than four rows, where all rows
    are covered or none is, and where V is 0 up to rounding: all widths are equal, or all but one
    with half of the rows covered.

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
    weights = sums.resamples.rows().reshape(shape)
    found = [_p_value(spans.of(written_out(copies)), kernel_width) for copies in weights]
    return sums.shaped(np.array(found))


@dataclass(frozen=True, slots=True)
class Moments:
    """The centred kernel, as permutations of its rows see it."""

    trace: float
    squares: float
    """sum of all squared entries"""
    diagonal: float
    """sum of the squared entries of the diagonal"""
    entry: float
    """the size of the entries that were added up, where it is more than that of the centred ones"""


def _p_value(spans: Spans, kernel_width: float) -> float:
    from scipy.special import gammaincc  # noqa: PLC0415 - heavy to import

    n, n_covered = spans.truth.size, int(np.count_nonzero(spans.covered))
    if n < FEWEST or n_covered in {0, n} or spans.one_width:
        return float("nan")
    width, covered = in_order(spans)
    deviation = covered - n_covered / n
    features = features_of(width, kernel_width)
    if features is None:
        statistic, kernel = _far(width, deviation, kernel_width)
    else:
        statistic, kernel = _close(features, width, deviation)
    mean, variance = _permuted(kernel, n_covered, n)
    if mean <= 0.0 or variance <= 0.0:
        return float("nan")
    return float(gammaincc(mean**2 / variance, statistic * mean / variance))


def _permuted(kernel: Moments, n_covered: int, n: int) -> tuple[float, float]:
    """Return mean and variance of T when the coverage is permuted against the widths.

    A symmetric matrix whose rows sum to 0 is a sum of three that no permutation mixes: a multiple
    of the centring matrix, one that its diagonal decides, and the rest, whose diagonal is 0. Each
    part of the kernel meets only the same part of the coverage, so the variance is a sum of two
    products of squares, and those of the coverage are known in closed form.
    """
    missed = n - n_covered
    energy = n_covered * missed / n
    uneven = _beyond(kernel.diagonal, kernel.trace**2 / n, n * kernel.entry**2) * n / (n - 2)
    rest = _beyond(kernel.squares, kernel.trace**2 / (n - 1) + uneven, (n * kernel.entry) ** 2)
    uneven_coverage = energy * ((missed - n_covered) / n) ** 2 * n / (n - 2)
    rest_coverage = n * energy * (n_covered - 1) * (missed - 1) / ((n - 1) * (n - 2))
    mean = kernel.trace * energy / (n - 1)
    variance = uneven * uneven_coverage / (n - 1) + 2 * rest * rest_coverage / (n * (n - 3))
    return mean, variance


def _beyond(total: float, part: float, scale: float) -> float:
    """Return what is left of a total; what rounding alone can leave is nothing."""
    left = total - part
    return left if left > ROUNDING * max(total, scale) else 0.0


def _close(features: Features, width: Array, deviation: Array) -> tuple[float, Moments]:
    """Return T and the moments of the centred kernel from the functions that make it up.

    One pass adds up all products of the functions, of the kernel of a row with itself, and of 1.
    """
    n_functions, n = features.coefficient.size, width.size
    projected, products = np.zeros(n_functions), np.zeros((n_functions + 2, n_functions + 2))
    for part in slices(n, ROWS_AT_ONCE):
        values = features.of(width[part])
        own = features.coefficient @ values**2
        every = np.vstack([values, own, np.ones(own.size)])
        projected += values @ deviation[part]
        products += every @ every.T
    middle = products[:n_functions, -1] / n
    gram = products[:n_functions, :n_functions] - n * np.outer(middle, middle)
    squares = float(features.coefficient @ gram**2 @ features.coefficient)
    # The kernel of a row with itself, centred, as a combination of what was added up.
    shift = features.coefficient * middle
    own = np.concatenate([-2 * shift, [1.0, shift @ middle]])
    trace, diagonal = float(own @ products[:, -1]), float(own @ products @ own)
    return float(features.coefficient @ projected**2), Moments(trace, squares, diagonal, 0.0)


def _far(width: Array, deviation: Array, kernel_width: float) -> tuple[float, Moments]:
    """Return T and the moments of the centred kernel from near cells."""
    n = width.size
    near = near_of(width, kernel_width)
    [statistic] = near.quadratic(lambda rows: deviation[rows][None], 1)
    # The square of a kernel is the kernel of half its size, which must not be 0.
    half = near_of(width, max(kernel_width / 2, math.ulp(0.0)))
    [squared] = half.quadratic(lambda rows: np.ones((1, rows.size)), 1)
    felt = near.potential()
    total = float(felt.sum())
    own = 1 - 2 * felt / n + total / n**2
    squares = float(squared) - 2 * float((felt**2).sum()) / n + (total / n) ** 2
    return float(statistic), Moments(n - total / n, squares, float((own**2).sum()), 1.0)
