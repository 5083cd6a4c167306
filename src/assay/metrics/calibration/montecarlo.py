"""p-values without a limit law: outcomes redrawn from the scores, or clusters that turn round.

Redrawn outcomes are independent. Where rows of a cluster are alike, calibrated scores may as well
have erred to the other side there, so the differences of whole clusters turn their sign.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.columns import Resamples, length, whole
from assay.metrics.calibration.bins import (
    Bins,
    Closed,
    Law,
    Start,
    Strategy,
    Tail,
    Ties,
    checked_count,
    ranked_bins,
    reliability,
)
from assay.metrics.calibration.cells import added, by_score
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight
    from assay.registry import Signed

RedrawnStatistic = Literal[
    "ks_calibration",
    "kuiper_calibration",
    "spiegelhalter_z",
    "spiegelhalter_two_sided",
    "ece",
]
VALUES_AT_ONCE = 1 << 20
MOST_DRAWS = 10_000_000


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """A p-value, and all that is needed to draw it again."""

    statistic: RedrawnStatistic
    p_value: float
    """NaN where the scores leave nothing to chance"""
    standard_error: float
    """what the number of draws leaves open"""
    n_draws: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Distinct scores: how many rows have each, how many of them are right, and its bin."""

    score: Array
    count: Array
    right: Array
    number: Indices
    n_bins: int

    def ks(self, gap: Array) -> Array:
        """Return the largest distance of the cumulative differences from 0, in rows."""
        farthest: Array = np.abs(gap.cumsum(-1)).max(-1)
        return farthest

    def kuiper(self, gap: Array) -> Array:
        """Return the range of the cumulative differences with their start, in rows."""
        walk = gap.cumsum(-1)
        walked: Array = np.maximum(walk.max(-1), 0.0) - np.minimum(walk.min(-1), 0.0)
        return walked

    def spiegelhalter(self, gap: Array) -> Array:
        """Return the sum behind Spiegelhalter's z."""
        total: Array = (gap * (1 - 2 * self.score)).sum(-1)
        return total

    def two_sided(self, gap: Array) -> Array:
        """Return its distance from 0."""
        return np.abs(self.spiegelhalter(gap))

    def ece(self, gap: Array) -> Array:
        """Return the absolute gaps of the bins, in rows."""
        n = self.n_bins + 1
        place = (self.number + n * np.arange(gap.shape[0])[:, None]).ravel()
        bins = added(place, gap.ravel(), n * gap.shape[0])
        total: Array = np.abs(bins.reshape(-1, n)[:, :-1]).sum(-1)
        return total


_READ: dict[str, Callable[[Steps, Array], Array]] = {
    "ks_calibration": Steps.ks,
    "kuiper_calibration": Steps.kuiper,
    "spiegelhalter_z": Steps.spiegelhalter,
    "spiegelhalter_two_sided": Steps.two_sided,
    "ece": Steps.ece,
}


def monte_carlo_p_value(  # noqa: PLR0913 - all that is on record, and the options of bins
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    statistic: RedrawnStatistic = "ks_calibration",
    weight: ArrayLike | None = None,
    n_draws: int = 9_999,
    seed: int = 42,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> MonteCarlo:
    """Say how often outcomes redrawn from the scores have so large a statistic.

    Scores and bins stay; every row is right with the probability it states, independently. The
    p-value is (1 + draws that reach the statistic) / (1 + draws), so that it never rejects
    calibrated scores too often. `seed` starts NumPy's default generator. A weight is read as
    copies. Scores that are all 0 or 1 leave nothing to redraw: NaN.

    Examples
    --------
    >>> found = monte_carlo_p_value([1] * 9 + [0], [0.5] * 10, n_draws=999, seed=1)
    >>> abs(found.p_value - 22 / 1024) < 4 * found.standard_error
    True
    """
    checked_count("n_draws", n_draws, MOST_DRAWS)
    steps = _steps(correct, probability, weight, Bins(n_bins, strategy, closed))
    read = _READ[statistic]
    expected = steps.count * steps.score
    if not (expected * (1 - steps.score)).any():
        return MonteCarlo(statistic, np.nan, np.nan, n_draws, seed)
    least = read(steps, (steps.right - expected)[None])[0]
    # Sums in another order differ in their last digits, and equal values must count as reached.
    least -= ROUNDING * max(1.0, abs(least))
    generator = np.random.default_rng(seed)
    at_once = max(1, VALUES_AT_ONCE // steps.score.size)
    reached = 0
    for first in range(0, n_draws, at_once):
        shape = (min(at_once, n_draws - first), steps.score.size)
        drawn = generator.binomial(steps.count.astype(np.int64), steps.score, size=shape)
        reached += int((read(steps, drawn - expected) >= least).sum())
    share = (1 + reached) / (1 + n_draws)
    error = float(np.sqrt(share * (1 - share) / n_draws))
    return MonteCarlo(statistic, share, error, n_draws, seed)


def _steps(
    correct: ArrayLike, probability: ArrayLike, weight: ArrayLike | None, bins: Bins
) -> Steps:
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    whole(resamples, "redrawn outcomes")
    cells = by_score(correct, probability, resamples)
    drawn = resamples.counts[0, cells.cluster]
    point = np.repeat(np.arange(cells.key.size), np.diff(cells.start))
    count, right = (
        added(point, drawn * each, cells.key.size) for each in (cells.weight, cells.correct)
    )
    kept = count > 0
    table = reliability(correct, probability, weight=weight, bins=bins)
    binned = np.zeros(bins.n_bins if bins.strategy != "scores" else cells.key.size)
    binned[table.number] = table.weight[0]
    number = ranked_bins(count[kept], binned)
    return Steps(cells.key[kept], count[kept], right[kept], number, binned.size)


def flipped_walk(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight,
    ties: Ties = "group",
    law: Law = "checked",  # noqa: ARG001 - needs none
) -> Signed | None:
    """Return how far the walk gets from 0 by the signs of clusters, for steps of equal scores."""
    return _flipped(Steps.ks, correct, probability, weight) if ties == "group" else None


def flipped_kuiper(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight,
    ties: Ties = "group",
    start: Start = "zero",
    law: Law = "checked",  # noqa: ARG001 - needs none
) -> Signed | None:
    """Return the range of the walk by the signs of clusters, for steps of equal scores."""
    usual = (ties, start) == ("group", "zero")
    return _flipped(Steps.kuiper, correct, probability, weight) if usual else None


def flipped_spiegelhalter(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight,
    tail: Tail = "two-sided",
    law: Law = "limit",  # noqa: ARG001 - needs none
) -> Signed | None:
    """Return the sum behind Spiegelhalter's z, studentized, by the signs of clusters.

    What clusters add to it is skewed, and turned signs are not. So the sample itself, where no
    sign turns, is corrected for its skewness (the cubic transformation of Hall, 1992).
    """
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    cells = by_score(correct, probability, resamples)
    lean = np.repeat(1 - 2 * cells.key, np.diff(cells.start))
    moved = added(cells.cluster, lean * cells.gap, resamples.counts.shape[1])

    def statistic(signs: Array) -> Array:
        found = np.where((signs > 0).all(-1), _straight(moved), _studentized(signs @ moved, moved))
        return np.abs(found) if tail == "two-sided" else -found if tail == "lower" else found

    return statistic


def _studentized(total: Array, moved: Array) -> Array:
    """Divide sums by their standard error over clusters; those that all agree have hardly any."""
    square = float(np.square(moved).sum())
    rest = np.maximum(square - np.square(total) / moved.size, ROUNDING * square)
    within: Array = np.sqrt(rest * moved.size / max(1, moved.size - 1))
    return np.divide(total, within, out=np.zeros_like(total), where=within > 0)


def _straight(moved: Array) -> Array:
    """Return the studentized sum of the sample itself, corrected for skewness."""
    t = _studentized(np.array([moved.sum()]), moved)
    spread = moved - moved.mean()
    square = float(np.square(spread).mean())
    lean = float((spread**3).mean()) / square**1.5 / np.sqrt(moved.size) if square else 0.0
    return np.asarray(t + lean * t**2 / 3 + lean**2 * t**3 / 27 + lean / 6)


def _flipped(
    read: Callable[[Steps, Array], Array],
    correct: ArrayLike,
    probability: ArrayLike,
    weight: Weight,
) -> Signed:
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    cells = by_score(correct, probability, resamples)
    steps = Steps(cells.key, cells.weight, cells.correct, cells.cluster, 0)

    def statistic(signs: Array) -> Array:
        turned = signs[:, cells.cluster] * cells.gap
        return read(steps, np.add.reduceat(turned, cells.start[:-1], axis=-1))

    return statistic
