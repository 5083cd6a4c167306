"""Whether the width of an interval says anything about its coverage, and a test of that."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Resamples
from assay.errors import UsageError
from assay.metrics.intervals.gauss import features_of, near_of, slices
from assay.metrics.intervals.spans import Crossed, Formula, Spans, totals
from assay.metrics.intervals.totals import ratio, written_out
from assay.registry import metric
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight
    from assay.metrics.intervals.gauss import Features, Near
    from assay.metrics.intervals.spans import Totals
    from assay.registry import Signed

MOST_KEPT = 1 << 23
"""How many values of functions are kept for the next block of resamples."""
ROWS_AT_ONCE = 1 << 11
FEWEST = 4
"""The variance over all permutations takes four rows."""
NOTHING_TO_PERMUTE = (
    "fewer than four rows, all rows covered or none, or widths of which every permutation gives"
    " the same HSIC, as equal ones do"
)


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined="fewer than two rows",
    copies=True,
    kind="none",
    no_interval="a norm that noise raises where widths say nothing: read its p-value",
    counterparts=("winkler",),
)
def hsic(  # noqa: PLR0913 - three columns, a weight, and four conventions
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    *,
    weight: Weight = None,
    kernel_width: float = 1.0,
    kernel_coverage: float = 1.0,
    formula: Formula = "code",
    crossed: Crossed = "refuse",
) -> float | Array:
    r"""Hilbert-Schmidt independence criterion between width and coverage.

    .. math:: \sqrt{\frac{\operatorname{trace}(HKHL)}{(n - 1)^2}}, \qquad
              K_{ij} = e^{-(w_i - w_j)^2 / s_w}, \quad L_{ij} = e^{-(c_i - c_j)^2 / s_c}

    :math:`w_i` is the width, :math:`c_i` is 1 where the row is covered, H centres; `kernel_width`
    is :math:`s_w` in squared units of the widths and `kernel_coverage` :math:`s_c`. 0 where width
    and coverage have nothing to do with each other, or where all rows are covered or none is.
    Widths that differ by no more than the rounding of their bounds are equal. Infinite widths, and
    those beyond the range of a double, count as equal to each other and unlike all others.
    Undefined for one row.

    Computed in time proportional to n. Coverage is 0 or 1, so the centred L has rank one and the
    trace is :math:`2 (1 - e^{-1/s_c}) \sum_{ij} v_i v_j K_{ij}` with :math:`v = Hc`; the sum is
    that of a short series. Its error is at most :math:`10^{-15} (\sum_i |v_i|)^2`, and for widths
    that reach beyond 12 :math:`\sqrt{s_w}` at most :math:`10^{-14} \sum_{ij} |v_i v_j| K_{ij}`,
    which is what the definition itself loses to rounding. The order of the rows does not change
    a digit.

    Notes
    -----
    ``printed`` is the trace itself, neither scaled nor rooted; it grows with the table.

    References
    ----------
    Feldman, Bates and Romano (2021), NeurIPS 34:2060-2071; Gretton et al. (2005), Algorithmic
    Learning Theory, LNCS 3734:63-77.

    Examples
    --------
    >>> hsic(truth=[1, 2, 3, 4], low=[0, 2, 4, 3], up=[1, 3, 5, 6])
    0.1313
    """
    sums = totals(truth, low, up, weight=weight, crossed=crossed)
    sums.whole("HSIC")
    trace = _trace(sums, positive("kernel_width", kernel_width), kernel_coverage)
    trace = np.where(sums.n > 1, trace, np.nan)
    return sums.shaped(np.sqrt(ratio(trace, (sums.n - 1) ** 2)) if formula == "code" else trace)


def positive(name: str, value: float) -> float:
    """Check that an option is a positive number and return it."""
    if not 0.0 < value < np.inf:
        msg = f"`{name}` must be a positive number, found {value:g}"
        raise UsageError(msg)
    return value


def coverage_factor(kernel_coverage: float) -> float:
    """Return what the centred kernel of a 0/1 column is of the product of its deviations."""
    return -2 * math.expm1(-1 / positive("kernel_coverage", kernel_coverage))


def in_order(spans: Spans) -> tuple[Array, Array]:
    """Return widths and coverage in an order that does not depend on that of the rows."""
    width, covered = spans.width, spans.covered
    sides = [np.sort(width[~covered]), np.sort(width[covered])]
    return np.concatenate(sides), np.repeat([0.0, 1.0], [side.size for side in sides])


def _trace(sums: Totals, kernel_width: float, kernel_coverage: float) -> Array:
    """Return the trace on every resample, 0 without rows."""
    spans, resamples = sums.spans, sums.resamples
    share = np.nan_to_num(ratio(sums.of("covered"), sums.n))
    factor = coverage_factor(kernel_coverage)
    if resamples is None:
        return factor * _plain(spans, share, kernel_width)
    if resamples.plan(_one_width, spans):
        return np.zeros(share.shape)
    features = resamples.plan(_features, spans, kernel_width)
    if features is None:
        quadratic = _far(sums, resamples, share, kernel_width)
    else:
        quadratic = features.quadratic(_projected(features, sums, resamples, share))
    return factor * quadratic


def _plain(spans: Spans, share: Array, kernel_width: float) -> Array:
    """Return Q without a weight."""
    if spans.one_width:
        return np.zeros(1)
    width, covered = in_order(spans)
    features = features_of(width, kernel_width)
    if features is None:
        near = near_of(width, kernel_width)
        return near.quadratic(lambda rows: (covered[rows] - share)[None], 1)
    summed = np.zeros(features.coefficient.size)
    for part in slices(width.size, ROWS_AT_ONCE):
        summed += features.of(width[part]) @ (covered[part] - share)
    return features.quadratic(summed[None])


def _one_width(spans: Spans, resamples: Resamples) -> bool:  # noqa: ARG001 - as below
    return spans.one_width


def _features(
    spans: Spans,
    kernel_width: float,
    resamples: Resamples,  # noqa: ARG001 - plans are made of columns and resamples
) -> Features | None:
    return features_of(spans.width, kernel_width)


def _far(sums: Totals, resamples: Resamples, share: Array, kernel_width: float) -> Array:
    """Sum the kernel over near cells, where widths reach far."""
    covered = sums.spans.covered

    def deviations(rows: Indices) -> Array:
        weight = resamples.counts[:, resamples.cluster[rows]] * resamples.size[rows]
        values: Array = weight * (covered[rows] - share[:, None])
        return values

    kept: Near = resamples.plan(_near, sums.spans, kernel_width)
    return kept.quadratic(deviations, share.size)


def _near(spans: Spans, kernel_width: float, resamples: Resamples) -> Near:
    width = spans.width
    order = np.lexsort((resamples.cluster, spans.covered, width))
    return near_of(width, kernel_width, order)


def _projected(features: Features, sums: Totals, resamples: Resamples, share: Array) -> Array:
    """Sum every function over the deviations of the rows, (resamples, functions)."""
    covered, every = np.zeros((2, share.size, features.coefficient.size))
    for part in _parts(features, sums.spans, resamples):
        # Resample by resample, so that the digits do not depend on how many there are.
        counts = resamples.counts[:, None, part.clusters]
        covered += np.matmul(counts, part.covered)[:, 0]
        every += np.matmul(counts, part.every)[:, 0]
    projected: Array = covered - share[:, None] * every
    return projected


@dataclass(frozen=True, slots=True, eq=False)
class ClusterFeatures:
    """Every function summed over the rows of each cluster, (clusters, functions)."""

    clusters: Indices
    covered: Array
    every: Array


def _parts(features: Features, spans: Spans, resamples: Resamples) -> Iterable[ClusterFeatures]:
    """Return the sums of all clusters: kept for the next block unless they are too many."""
    if features.coefficient.size * resamples.counts.shape[1] > MOST_KEPT:
        return _cluster_parts(features, spans, resamples)
    kept: list[ClusterFeatures] = resamples.plan(_kept, features, spans)
    return kept


def _kept(features: Features, spans: Spans, resamples: Resamples) -> list[ClusterFeatures]:
    n_clusters = resamples.counts.shape[1]
    covered, every = np.zeros((2, n_clusters, features.coefficient.size))
    for part in _cluster_parts(features, spans, resamples):
        covered[part.clusters] += part.covered
        every[part.clusters] += part.every
    rows = _by_cluster(spans, resamples)
    clusters = resamples.cluster[rows] if rows.size == n_clusters else np.arange(n_clusters)
    return [ClusterFeatures(clusters, covered[clusters], every[clusters])]


def _by_cluster(spans: Spans, resamples: Resamples) -> Indices:
    """Sort rows by cluster, or where each is its own by what it is, so that none has a number."""
    cluster, n_clusters = resamples.cluster, resamples.counts.shape[1]
    alone = cluster.size == n_clusters and np.bincount(cluster).max(initial=1) == 1
    return np.lexsort((spans.covered, spans.width, np.zeros(cluster.size) if alone else cluster))


def _cluster_parts(
    features: Features, spans: Spans, resamples: Resamples
) -> Iterator[ClusterFeatures]:
    """Yield the sums of rows sorted by cluster, part by part; a cluster may be in two of them."""
    order = _by_cluster(spans, resamples)
    width, covered = spans.width, spans.covered
    for part in slices(order.size, ROWS_AT_ONCE):
        rows = order[part]
        cluster = resamples.cluster[rows]
        start = np.flatnonzero(np.append(True, cluster[1:] != cluster[:-1]))
        values = features.of(width[rows]) * resamples.size[rows]
        sums = (
            np.add.reduceat(each, start, axis=-1).T for each in (values * covered[rows], values)
        )
        yield ClusterFeatures(cluster[start], *sums)


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
        statistic, kernel = _far_moments(width, deviation, kernel_width)
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


def _far_moments(width: Array, deviation: Array, kernel_width: float) -> tuple[float, Moments]:
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
