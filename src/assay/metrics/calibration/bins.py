"""Scores cut into bins, what falls into each of them, and the conventions of calibration by name.

Bins at fixed places are found by multiplication and corrected at their edges. Bins of equal mass
depend on the weights, so that every resample has its own. MAPIE's rules are reproduced copy by
copy, as MAPIE would see the resampled rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, columns, length, whole
from assay.errors import UsageError
from assay.metrics.calibration.cells import (
    ROWS_AT_ONCE,
    Cells,
    added,
    by_score,
    merged_by_number,
    ratio,
    running,
    shaped,
    steps,
)
from assay.registry import metric
from assay.rounding import ROUNDING
from assay.showing import quoted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight

Strategy = Literal[
    "uniform",
    "uniform-exact",
    "quantile",
    "scores",
    "mapie-uniform",
    "mapie-quantile",
    "mapie-array-split",
]
"""where bins end"""
Closed = Literal["left", "right"]
"""the end of a bin that belongs to it"""
Ties = Literal["group", "stable", "mapie"]
"""equal scores as one step, row by row in their order, or in the order of MAPIE's jitter"""
Start = Literal["zero", "mapie", "printed"]
"""the range of the cumulative differences with their start at 0, without it, or of their size"""
Law = Literal["checked", "limit"]
"""the limit law only where its size holds, corrected if need be, or as it is"""
Tail = Literal["upper", "lower", "two-sided"]
TopLabels = Literal["predicted", "all"]
"""what top-label errors are averaged over: the labels that are predicted, or all classes"""
TwoClasses = Literal["positive", "top-label"]
"""what probabilities of two classes are read as: that of one of them, or the larger of the two"""
Smoothing = Literal["exact", "relplot"]
PValue = Literal["auto", "asymptotic", "monte-carlo"]
NO_ROW = "there is no row"


class AnyOf(str):
    """A condition that several values of an option meet, for `copies` and `ordered`."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Say whether a value is one of those listed."""
        return other in self.split("|")

    __hash__ = str.__hash__


COPIES = {"strategy": AnyOf("mapie-quantile|mapie-array-split")}
ORDERED = {"strategy": "mapie-array-split"}
BY_ROW = {"ties": AnyOf("stable|mapie")}
over_bins = partial(metric, undefined=NO_ROW, copies=COPIES, ordered=ORDERED)
"""registers a number that is read off bins"""

ABOVE = 1 + 2.0**-40
"""Multiplying by a little more never lands below the right bin."""
MOST_BINS = 1_000_000


def checked_count(name: str, value: int, most: int) -> int:
    """Check a number that says how much work there is, and return it."""
    if not 1 <= value <= most:
        bound = "at least 1" if value < 1 else f"at most {most:,}"
        raise UsageError(f"`{name}` must be {bound}, found {quoted(value)}")
    return value


@dataclass(frozen=True, slots=True)
class Bins:
    """How scores are cut."""

    n_bins: int = 10
    strategy: Strategy = "uniform"
    closed: Closed = "left"

    def __post_init__(self) -> None:
        """Refuse what is no number of bins."""
        checked_count("n_bins", self.n_bins, MOST_BINS)


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """What falls into each bin that holds a row, (resamples, bins)."""

    number: Indices
    """(bins,), which bin it is"""
    weight: Array
    correct: Array
    probability: Array
    shape: tuple[int, ...]
    """the leading axes of the weight"""

    @property
    def total(self) -> Array:
        """Return the weight of all binned rows, (resamples,)."""
        total: Array = self.weight.sum(-1)
        return total

    @property
    def gap(self) -> Array:
        """Return how much is right beyond what was stated, (resamples, bins)."""
        return self.correct - self.probability

    @property
    def error(self) -> Array:
        """Return accuracy minus mean probability, 0 where a bin is empty, (resamples, bins)."""
        return np.nan_to_num(ratio(self.gap, self.weight))

    def mean(self, values: Array) -> float | Array:
        """Add up values of the bins and divide by the weight of all rows."""
        return self.shaped(ratio(values.sum(-1), self.total))

    def shaped(self, values: Array) -> float | Array:
        """Give one value per resample the shape of the weight."""
        return shaped(values, self.shape)


def reliability(
    correct: ArrayLike, probability: ArrayLike, *, weight: Weight, bins: Bins
) -> Reliability:
    """Cut scores into bins and add up what falls into each."""
    how = str(bins.n_bins), bins.strategy, bins.closed
    if bins.strategy in FIXED and weight is None:
        # One pass over the rows, without a weight for each of them.
        right, stated = columns(correct=correct, probability=probability)
        return _one_pass(right, stated, None, bins)
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    summed: Reliability
    if bins.strategy in FIXED and not resamples.shape:
        summed = resamples.curve(_single, correct, probability, *how)
    elif bins.strategy in FIXED:
        summed = resamples.curve(by_bin, resamples.plan(_cells, correct, probability, *how))
    elif bins.strategy in COPIED:
        checked = resamples.plan(_checked, correct, probability)
        summed = resamples.curve(_copied, checked, *how)
    else:
        summed = resamples.curve(_by_rank, resamples.plan(by_score, correct, probability), *how)
    return summed


# Bins at fixed places


def bin_edges(bins: Bins) -> Array:
    """Return the edges of bins at fixed places, from 0 to 1."""
    if bins.strategy == "uniform-exact":
        return np.arange(bins.n_bins + 1) / bins.n_bins
    return np.linspace(0.0, 1.0, bins.n_bins + (bins.strategy == "uniform"))


def bin_of(probability: Array, bins: Bins) -> Indices:
    """Return the bin of every score, for bins at fixed places.

    Examples
    --------
    >>> bin_of(np.array([0.0, 0.25, 0.5, 1.0]), Bins(2)).tolist()
    [0, 0, 1, 1]
    >>> bin_of(np.array([0.0, 0.25, 0.5, 1.0]), Bins(2, closed="right")).tolist()
    [0, 0, 0, 1]
    >>> bin_of(np.array([0.0, 0.25, 0.5, 1.0]), Bins(3, "mapie-uniform")).tolist()
    [0, 1, 1, 2]
    """
    edges = bin_edges(bins)
    reached = (probability * ((edges.size - 1) * ABOVE)).astype(np.int64)
    if bins.strategy == "mapie-uniform":
        return reached + (probability > edges[reached])
    edges[0], edges[-1] = -np.inf, np.inf
    low = edges.take(reached)
    return reached - (probability < low if bins.closed == "left" else probability <= low)


def _one_pass(correct: Array, probability: Array, weight: Array | None, bins: Bins) -> Reliability:
    if weight is None and bins.strategy != "mapie-uniform":
        edges = bin_edges(bins)
        edges[0], edges[-1] = -np.inf, np.inf
        closed = bins.closed == "right"
        return _held(kernels.binned_sums(correct, probability, edges, closed=closed), bins)
    sums = np.zeros((3, bins.n_bins + 1))
    for first in range(0, correct.size, ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        drawn = None if weight is None else weight[rows]
        sums += _sums(correct[rows], probability[rows], drawn, bins)
    return _held(sums, bins)


def _held(sums: Array, bins: Bins) -> Reliability:
    """Keep the bins that hold a row; what falls out of MAPIE's only bin lies beyond the last."""
    kept = np.flatnonzero(sums[0, : bins.n_bins])
    weights, right, stated = sums[:, None, kept]
    return Reliability(kept, weights, right, stated, shape=())


def _sums(correct: Array, probability: Array, weight: Array | None, bins: Bins) -> Array:
    """Return weight, correct and probability of each bin."""
    number, n = bin_of(probability, bins), bins.n_bins + 1
    if weight is None:
        pair = np.bincount(2 * number + correct.astype(np.int64), minlength=2 * n).reshape(n, 2)
        stated = np.bincount(number, weights=probability, minlength=n)
        return np.stack([pair.sum(-1), pair[:, 1], stated])
    return np.stack(
        [
            np.bincount(number, weights=weight * each, minlength=n)
            for each in (np.ones_like(weight), correct, probability)
        ]
    )


def _single(
    correct: ArrayLike,
    probability: ArrayLike,
    n_bins: str,
    strategy: Strategy,
    closed: Closed,
    resamples: Resamples,
) -> Reliability:
    """Add up rows without sorting them, for a single weight."""
    right, stated = columns(correct=correct, probability=probability)
    return _one_pass(right, stated, resamples.rows(), Bins(int(n_bins), strategy, closed))


def _cells(
    correct: ArrayLike,
    probability: ArrayLike,
    n_bins: str,
    strategy: Strategy,
    closed: Closed,
    resamples: Resamples,
) -> Cells:
    """Merge rows of one bin and one cluster."""
    correct, probability = columns(correct=correct, probability=probability)
    number = bin_of(probability, Bins(int(n_bins), strategy, closed))
    binned = number < int(n_bins)
    fewer = Resamples(
        resamples.counts, resamples.cluster[binned], resamples.size[binned], resamples.shape
    )
    return merged_by_number(number[binned], correct[binned], probability[binned], fewer)


def by_bin(cells: Cells, resamples: Resamples) -> Reliability:
    """Add up cells whose points are bins."""
    weight, correct = running(cells, cells.weight, cells.correct, resamples)
    probability, _ = running(cells, cells.probability, cells.gap, resamples)
    return Reliability(
        cells.key.astype(np.int64),
        steps(weight),
        steps(correct),
        steps(probability),
        resamples.shape,
    )


# Bins that depend on the weights


def _by_rank(
    cells: Cells, n_bins: str, strategy: Strategy, closed: Closed, resamples: Resamples
) -> Reliability:
    """Put every distinct score into the bin that its rank decides; tied rows stay together."""
    ranked = by_bin(cells, resamples)
    if strategy == "scores":
        return Reliability(
            np.arange(cells.key.size),
            ranked.weight,
            ranked.correct,
            ranked.probability,
            resamples.shape,
        )
    n, n_resamples = int(n_bins), ranked.weight.shape[0]
    number = _equal_mass(ranked.weight, n, closed) + n * np.arange(n_resamples)[:, None]
    weight, correct, probability = (
        added(number.ravel(), each.ravel(), n * n_resamples).reshape(-1, n)
        for each in (ranked.weight, ranked.correct, ranked.probability)
    )
    return Reliability(np.arange(n), weight, correct, probability, resamples.shape)


def _equal_mass(weight: Array, n_bins: int, closed: Closed) -> Indices:
    """Return the bin in which the first row of a score lies by its rank, or the last one."""
    after = weight.cumsum(-1)
    total = after[:, -1:]
    # What misses a whole number by rounding is meant to be that number.
    if closed == "left":
        share = np.nan_to_num(ratio(after - weight, total))
        number = np.floor(n_bins * share * (1 + ROUNDING))
    else:
        share = np.nan_to_num(ratio(after, total))
        number = np.ceil(n_bins * share * (1 - ROUNDING)) - 1
    return np.clip(number, 0, n_bins - 1).astype(np.int64)


def ranked_bins(weight: Array, binned: Array) -> Indices:
    """Return the bin of rising scores, given their weights and those of the bins.

    All rules put rising scores into rising bins; what falls out of all bins lies above them.

    Examples
    --------
    >>> ranked_bins(np.array([1.0, 2.0, 1.0]), np.array([3.0, 0.0, 1.0])).tolist()
    [0, 0, 2]
    """
    return np.searchsorted(binned.cumsum(), weight.cumsum() - weight / 2)


# MAPIE's bins, copy by copy


def _checked(
    correct: ArrayLike, probability: ArrayLike, _resamples: Resamples
) -> tuple[Array, ...]:
    return columns(correct=correct, probability=probability)


def _copied(
    checked: tuple[Array, Array],
    n_bins: str,
    strategy: Strategy,
    _closed: Closed,
    resamples: Resamples,
) -> Reliability:
    whole(resamples, "MAPIE's bins")
    correct, probability = checked
    drawn = resamples.rows().reshape(resamples.counts.shape[0], probability.size)
    n = int(n_bins)
    sums = np.zeros((3, drawn.shape[0], n + 1))
    for number, copies in enumerate(drawn):
        given = np.repeat(probability, copies.astype(np.int64))
        if given.size:
            place = np.searchsorted(COPIED[strategy](given, n), probability, side="left")
            drawn_values = copies, copies * correct, copies * probability
            sums[:, number] = [added(place, each, n + 1) for each in drawn_values]
    weight, right, stated = sums[:, :, :n]
    return Reliability(np.arange(n), weight, right, stated, resamples.shape)


def _percentiles(given: Array, n_bins: int) -> Array:
    edges: Array = np.percentile(given, np.linspace(0, 1, n_bins) * 100)
    return edges


def _chunk_maxima(given: Array, n_bins: int) -> Array:
    """Cut rows in the order given; parts that stay empty have no maximum and make no edge."""
    parts = np.array_split(given, n_bins)[:-1]
    return np.sort([*(part.max() for part in parts if part.size), np.inf])


FIXED = frozenset({"uniform", "uniform-exact", "mapie-uniform"})
COPIED: dict[str, Callable[[Array, int], Array]] = {
    "mapie-quantile": _percentiles,
    "mapie-array-split": _chunk_maxima,
}
