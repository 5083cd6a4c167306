"""Sums over the rows of a table, and over every resample of its clusters.

A sum over a resample is a sum over clusters of count times the cluster's own sum, so rows are
added up once per table. The order of additions depends on the clusters alone, never on how many
resamples are computed at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.errors import ColumnError, UsageError

if TYPE_CHECKING:
    from assay.columns import Array, Indices, Resamples

MOST_GROUPS = 10_000_000
MOST_COPIES = 1 << 27


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSums:
    """What the rows of each cluster sum to."""

    finite: Array
    """(clusters,), without the rows that are infinite, and 0 where they are beyond a double"""
    infinite: Array | None
    """(clusters,), above 0 where something is infinite or beyond a double; None without any"""


def by_cluster(values: Array, resamples: Resamples) -> ClusterSums:
    """Add up the rows of each cluster."""
    unbounded = np.isinf(values)
    finite = _summed(np.where(unbounded, 0.0, values) if unbounded.any() else values, resamples)
    beyond = np.isinf(finite)
    if not unbounded.any() and not beyond.any():
        return ClusterSums(finite, None)
    infinite = np.where(beyond, 1.0, _summed(unbounded * 1.0, resamples))
    return ClusterSums(np.where(beyond, 0.0, finite), infinite)


def _summed(values: Array, resamples: Resamples) -> Array:
    if resamples.by_row:
        return values
    n_clusters = resamples.counts.shape[1]
    with np.errstate(over="ignore"):
        weights = resamples.size * values
    sums = np.bincount(resamples.cluster, weights=weights, minlength=n_clusters)
    return sums.astype(np.float64, copy=False)


def drawn(sums: ClusterSums, resamples: Resamples) -> Array:
    """Return the sum over each resample, (resamples,)."""
    total = _counted(sums.finite, resamples)
    if sums.infinite is None:
        return total
    return np.where(_counted(sums.infinite, resamples) > 0, np.inf, total)


def _counted(sums: Array, resamples: Resamples) -> Array:
    """Add up clusters as often as they are drawn."""
    total, spare = np.zeros((2, resamples.counts.shape[0], 1))
    whole_row = np.array([0, sums.size])
    clusters = resamples.cluster if resamples.by_row else np.arange(sums.size)
    if sums.size:
        with np.errstate(over="ignore"):
            kernels.accumulate(resamples.counts, whole_row, clusters, sums, sums, total, spare)
    return total[:, 0]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Rows and covered rows of each group; an empty group has n = 0 and no coverage."""

    n: Array
    """(..., groups), the weight of the rows"""
    covered: Array
    """(..., groups), the weight of the covered rows"""
    narrowest: Array | None = None
    """(..., groups), the smallest size in the group, where groups are made by size"""
    widest: Array | None = None
    """(..., groups), the largest"""

    @property
    def coverage(self) -> Array:
        """Return the share that is covered, NaN for an empty group, (..., groups)."""
        return ratio(self.covered, self.n)

    @property
    def least(self) -> Indices:
        """Return the group with the smallest coverage, the first of several; -1 without rows."""
        filled = self.n > 0
        smallest = np.where(filled, self.coverage, np.inf).argmin(-1)
        return np.where(filled.any(-1), smallest, -1)

    @property
    def minimum(self) -> Array:
        """Return the smallest coverage of a group that is not empty, (...)."""
        filled = self.n > 0
        smallest = np.where(filled, self.coverage, np.inf).min(-1)
        return np.where(filled.any(-1), smallest, np.nan)

    @property
    def total(self) -> Array:
        """Return the sum of the coverages of the groups that are not empty, (...)."""
        filled = self.n > 0
        summed = np.where(filled, self.coverage, 0.0).sum(-1)
        return np.where(filled.any(-1), summed, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The rows of one group and cluster as one, sorted by group."""

    start: Indices
    """(groups + 1,), cells start[g] to start[g + 1] belong to group g"""
    cluster: Indices
    n: Array
    covered: Array


def sorted_cells(group: Indices, covered: Array, n_groups: int, resamples: Resamples) -> Cells:
    """Merge the rows of one group and cluster."""
    n_clusters = max(1, resamples.counts.shape[1])
    merged, cell = np.unique(group * n_clusters + resamples.cluster, return_inverse=True)
    weights = (resamples.size, resamples.size * covered)
    sums = [
        np.bincount(cell, weights=each, minlength=merged.size).astype(np.float64, copy=False)
        for each in weights
    ]
    return Cells(
        start=np.searchsorted(merged // n_clusters, np.arange(n_groups + 1)),
        cluster=merged % n_clusters,
        n=sums[0],
        covered=sums[1],
    )


def user_cells(group: Array, covered: Array, n_groups: int | None, resamples: Resamples) -> Cells:
    """Merge the rows of one group of the user, given by its number, and cluster."""
    largest = int(group.max(initial=-1))
    if n_groups is not None and largest >= n_groups:
        msg = f"`group` must be below {n_groups}, the number of groups, found {largest}"
        raise ColumnError(msg)
    n = largest + 1 if n_groups is None else n_groups
    if n > MOST_GROUPS:
        msg = f"there must be at most {MOST_GROUPS:,} groups, found {n}"
        raise ColumnError(msg, hint="groups are counted from 0, those without rows too")
    return sorted_cells(group.astype(np.int64), covered, n, resamples)


def grouped(cells: Cells, resamples: Resamples) -> Groups:
    """Count rows and covered rows of each group on each resample."""
    filled = np.flatnonzero(np.diff(cells.start))
    n_resamples, n_groups = resamples.counts.shape[0], cells.start.size - 1
    n, covered = np.zeros((2, n_resamples, n_groups))
    if filled.size:
        so_far = np.empty((2, n_resamples, filled.size))
        start = np.append(cells.start[filled], cells.start[-1])
        columns = start, cells.cluster, cells.n, cells.covered
        kernels.accumulate(resamples.counts, *columns, *so_far)
        # The kernel adds up group after group; a group is what it adds.
        n[:, filled], covered[:, filled] = np.diff(so_far, axis=-1, prepend=0.0)
    shape = (*resamples.shape, n_groups)
    return Groups(n.reshape(shape), covered.reshape(shape))


def written_out(copies: Array) -> Indices:
    """Return every row as often as it counts."""
    total = float(copies.sum())
    if total > MOST_COPIES:
        msg = f"`weight` must sum to at most {MOST_COPIES:,} where copies are written out"
        raise ColumnError(f"{msg}, found {total:g}", hint="use smaller weights")
    return np.repeat(np.arange(copies.size), copies.astype(np.int64))


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide; NaN where the denominator is 0."""
    undefined: Array = np.full(np.shape(numerator), np.nan)
    with np.errstate(over="ignore"):
        return np.divide(numerator, denominator, out=undefined, where=denominator != 0)


def shaped(values: Array, shape: tuple[int, ...]) -> float | Array:
    """Give one value per resample the shape of the weight: a number for a single weight."""
    return values.reshape(shape) if shape else float(values.reshape(-1)[0])


def within(name: str, value: float) -> float:
    """Check that an option lies strictly between 0 and 1 and return it."""
    if not 0.0 < value < 1.0:
        msg = f"`{name}` must lie between 0 and 1, found {value:g}"
        raise UsageError(msg, hint="a level of 0.9 asks that nine of ten rows are covered")
    return value
