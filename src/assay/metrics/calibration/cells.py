"""Rows added up once per table, so that a block of resamples only adds up cells.

A cell holds the rows of one point (a bin, or one distinct score) and one cluster. Sums of a
resample are taken in an order that depends on the cells alone: how many resamples are computed
at a time changes no digit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay import _kernels as kernels
from assay.columns import Array, Resamples, columns, length

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from assay.columns import Indices, Weight

ROWS_AT_ONCE = 1 << 15
"""How many rows are handled at once, so that they stay near the processor."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Rows merged by point and cluster, points in rising order."""

    key: Array
    """(points,), what the rows of a point have in common: a score, or the number of a bin"""
    start: Indices
    """(points + 1,), cells start[m] to start[m + 1] belong to point m"""
    cluster: Indices
    weight: Array
    correct: Array
    probability: Array
    gap: Array
    """correct minus probability"""


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Two sums over the rows of every resample, and the weight they are taken over."""

    first: Array
    second: Array
    total: Array
    shape: tuple[int, ...]


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide; NaN where the denominator is 0."""
    undefined: Array = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator != 0)


def shaped(values: Array, shape: tuple[int, ...]) -> float | Array:
    """Give one value per resample the shape of the weight: a number for a single weight."""
    return values.reshape(shape) if shape else float(values[0])


def by_score(correct: ArrayLike, probability: ArrayLike, resamples: Resamples) -> Cells:
    """Merge rows of one score and one cluster; every distinct score is a point."""
    correct, probability = columns(correct=correct, probability=probability)
    return merged(probability, correct, probability, resamples)


def merged(key: Array, correct: Array, probability: Array, resamples: Resamples) -> Cells:
    """Merge rows of one key and one cluster."""
    n_clusters = resamples.counts.shape[1]
    if n_clusters in {1, key.size}:  # there is one cluster, or every row is its own
        order = kernels.rising_order(key)
    else:
        order = by_key_and_cluster(key, resamples.cluster)
    ordered, cluster, size = key[order], resamples.cluster[order], resamples.size[order]
    correct, probability = correct[order], probability[order]
    point = _changes(ordered)
    first = np.flatnonzero(point | _changes(cluster))
    return Cells(
        key=ordered[point],
        start=np.append(np.searchsorted(first, np.flatnonzero(point)), first.size),
        cluster=cluster[first],
        weight=_merged(size, first),
        correct=_merged(size * correct, first),
        probability=_merged(size * probability, first),
        gap=_merged(size * (correct - probability), first),
    )


def by_key_and_cluster(key: Array, cluster: Indices) -> Indices:
    """Return the rows by rising key, those of one key by cluster."""
    if (cluster[1:] >= cluster[:-1]).all():  # they come by cluster: a stable sort leaves them so
        return np.asarray(kernels.rising_order(key))
    return np.lexsort((cluster, key))


def merged_by_number(
    number: Indices, correct: Array, probability: Array, resamples: Resamples
) -> Cells:
    """Merge rows of one number, which is small, and one cluster; one cluster takes no sort."""
    if resamples.counts.shape[1] > 1 or not number.size:
        return merged(number.astype(np.float64), correct, probability, resamples)
    size, n_numbers = resamples.size, int(number.max()) + 1
    held = np.flatnonzero(np.bincount(number, minlength=n_numbers))
    columns = size, size * correct, size * probability, size * (correct - probability)
    sums = [added(number, each, n_numbers)[held] for each in columns]
    every = np.arange(held.size + 1)
    return Cells(held.astype(np.float64), every, np.zeros(held.size, np.int64), *sums)


def _changes(values: Array | Indices) -> NDArray[np.bool_]:
    """Say where a value differs from the one before."""
    return np.append(True, values[1:] != values[:-1])[: values.size]


def _merged(values: Array, first: Indices) -> Array:
    return np.add.reduceat(values, first) if first.size else np.zeros(0)


def added(place: Indices, values: Array, n_places: int) -> Array:
    """Add up the values that share a place."""
    sums: Array = np.bincount(place, weights=values, minlength=n_places).astype(
        np.float64, copy=False
    )
    return sums


def running(cells: Cells, one: Array, other: Array, resamples: Resamples) -> tuple[Array, Array]:
    """Add up two values of the cells from point to point, each (resamples, points)."""
    shape = (resamples.counts.shape[0], cells.key.size)
    sums = resamples.scratch.take(shape), resamples.scratch.take(shape)
    kernels.accumulate(resamples.counts, cells.start, cells.cluster, one, other, *sums)
    return sums


def steps(sums: Array) -> Array:
    """Undo a running sum."""
    return np.diff(sums, axis=-1, prepend=0.0)


Checked = tuple[Array, Array]
Rows = Callable[..., Checked]
"""what it makes of two columns (and options): two values per row"""


def row_sums(
    rows: Rows,
    *arguments: ArrayLike | str,
    weight: Weight,
    check: Callable[..., tuple[Any, Array]] | None = None,
) -> Sums:
    """Sum what `rows` makes of two columns, two values per row, over every resample.

    Columns are checked by `check`, or as outcomes and probabilities.
    """
    first, second, *options = arguments
    given = (check or checked, first, second)
    if weight is None:
        return row_by_row(rows, given[0](first, second), None, options)
    n_rows = length(**{"correct" if check is None else "label": first})
    resamples = Resamples.of(weight, n_rows=n_rows)
    columns_of = resamples.plan(_once_checked, *given)
    summed: Sums
    if resamples.shape:
        sums = resamples.plan(_by_cluster, rows, columns_of, *options)
        summed = resamples.curve(_drawn, sums)
    else:
        summed = resamples.curve(_single, rows, columns_of, *options)
    return summed


def checked(correct: ArrayLike, probability: ArrayLike) -> Checked:
    """Check outcomes and probabilities."""
    correct, probability = columns(correct=correct, probability=probability)
    return correct, probability


def _once_checked(
    check: Callable[..., tuple[Any, Array]], first: ArrayLike, second: ArrayLike, _: Resamples
) -> Checked:
    return check(first, second)


def row_by_row(rows: Rows, given: Checked, weight: Array | None, options: list[Any]) -> Sums:
    """Add up rows without sorting them, a cache's worth at a time."""
    n_rows = given[0].shape[0]
    sums = np.zeros(3)
    for start in range(0, n_rows, ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        one, other = rows(given[0][part], given[1][part], *options)
        if weight is None:
            sums += one.sum(), other.sum(), one.size
        else:
            drawn = weight[part]
            sums += (drawn * one).sum(), (drawn * other).sum(), drawn.sum()
    return Sums(sums[:1], sums[1:2], sums[2:], ())


def _single(*arguments: Any) -> Sums:
    rows, given, *options, resamples = arguments
    return row_by_row(rows, given, resamples.rows(), options)


def _by_cluster(*arguments: Any) -> Checked:
    rows, given, *options, resamples = arguments
    one, other = (
        added(resamples.cluster, resamples.size * each, resamples.counts.shape[1])
        for each in rows(*given, *options)
    )
    return one, other


def _drawn(sums: Checked, resamples: Resamples) -> Sums:
    n_resamples, n_clusters = resamples.counts.shape
    drawn = np.zeros((2, n_resamples, 1))
    if n_clusters:
        every = np.array([0, n_clusters]), np.arange(n_clusters)
        kernels.accumulate(resamples.counts, *every, *sums, *drawn)
    return Sums(drawn[0, :, 0], drawn[1, :, 0], resamples.total(), resamples.shape)
