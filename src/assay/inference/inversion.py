"""Intervals of numbers that noise can only raise: the truths that noise would raise that far.

Such a number is a norm of signed gaps (those of bins), which resampling moves without bias. From
the gaps as they are a path leads to no gaps at all, the small ones going first (all in proportion
where they are many), and outwards in proportion. The ends of the interval are the norms on the
path at which the number that was found would be as far out as the level says, the middle where it
is as often too high as too low.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.inference.estimates import t_tails
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.inference.planning import Plan
    from assay.inference.resampling import Deviations

STEPS = 11
"""halvings of a part of the path: ends are exact to a two-thousandth of it"""
KNOWN = np.linspace(0.0, 2.0, 9)
FARTHEST = 64.0
"""times the gaps as they are; no path leads further out"""


@dataclass(frozen=True, slots=True)
class Inverted:
    """Both ends and the middle."""

    low: float
    high: float
    middle: float


def inverted(found: Deviations, plan: Plan, n_clusters: int) -> Inverted | None:
    """Invert the test of a norm; None where all gaps are 0 up to rounding."""
    from scipy.special import ndtri  # noqa: PLC0415 - 0.2 s that only this needs

    if not np.abs(found.gap).max(initial=0.0) > ROUNDING * np.abs(found.moved).max(initial=0.0):
        return None
    tail = (1 - plan.level) / 2
    stretch = t_tails(plan, n_clusters)[1] / -ndtri(tail)
    path = _Path(found, found.moved * stretch)
    places = [path.where(share) for share in (1 - tail, tail, 0.5)]
    return Inverted(*(float(found.norm(path.gaps(place))) for place in places))


class _Path:
    """Gaps from none (0) to those that were found (1) and beyond."""

    def __init__(self, found: Deviations, noise: Array) -> None:
        self.found = found
        self.noise = noise
        self.largest = float(np.abs(found.gap).max())
        self.observed = float(found.norm(found.gap))
        # A slow norm is computed at a few places of the straight path; it is smooth in between.
        self.known = (
            np.array([found.norm(found.gap * place + noise) for place in KNOWN])
            if found.dense
            else None
        )

    def gaps(self, place: float) -> Array:
        """Return the gaps at a place: the small ones go first, all grow in proportion."""
        if place >= 1 or self.found.dense:
            return self.found.gap * place
        kept = np.maximum(np.abs(self.found.gap) - (1 - place) * self.largest, 0.0)
        return np.sign(self.found.gap) * kept

    def below(self, place: float) -> float:
        """Return how often the number would be at most what was found, if this were the truth."""
        return float((self._norms(place) <= self.observed).mean())

    def _norms(self, place: float) -> Array:
        if self.known is None or place >= KNOWN[-1]:
            return self.found.norm(self.gaps(place) + self.noise)
        after = int(np.searchsorted(KNOWN, place, side="right"))
        part = (place - KNOWN[after - 1]) / (KNOWN[after] - KNOWN[after - 1])
        between: Array = (1 - part) * self.known[after - 1] + part * self.known[after]
        return between

    def where(self, share: float) -> float:
        """Return the place at which the number is so often below what was found, 0 if nowhere."""
        if self.below(0.0) <= share:
            return 0.0
        low, high = 0.0, 1.0
        while self.below(high) > share and high < FARTHEST:
            low, high = high, 2 * high
        for _ in range(STEPS):
            half = (low + high) / 2
            if self.below(half) > share:
                low = half
            else:
                high = half
        return (low + high) / 2
