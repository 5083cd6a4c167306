"""How far the cumulative differences go, for every resample.

Equal scores are one step unless ties are to be broken row by row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, length, whole
from assay.metrics.calibration.cells import Cells, added, by_score, checked, running
from assay.metrics.calibration.conventions import Start, Ties

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from assay.columns import Array, Indices, Weight

__all__ = ["Extent", "extent", "row_by_row"]

JITTER = 1e-8
"""MAPIE's relative noise, and the seed it always starts from"""
JITTER_SEED = 1
ROWS_PER_BUCKET = 256
MOST_BUCKETS = 1 << 15
BUCKETED_AT_ONCE = 1 << 18


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
