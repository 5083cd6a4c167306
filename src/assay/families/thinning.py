"""Long curves are kept at 2,000 of their points, and say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.artifact import Record

if TYPE_CHECKING:
    from assay.columns import Indices

MOST_POINTS = 2_000
THINNED = "points at evenly spaced positions, the first and the last among them"


class Thinning(Record, frozen=True, kw_only=True):
    """How many points of a curve are kept."""

    n_points: int
    n_kept: int
    rule: str


def kept_points(n_points: int) -> Indices:
    """Return which points of a curve to keep: all, or 2,000 at evenly spaced positions."""
    even = np.linspace(0, max(0, n_points - 1), min(n_points, MOST_POINTS))
    return np.unique(np.rint(even).astype(np.int64))


def thinning(n_points: int, kept: Indices) -> Thinning:
    """Say how many points of a curve are kept, and which."""
    rule = "all points" if kept.size == n_points else THINNED
    return Thinning(n_points=n_points, n_kept=kept.size, rule=rule)
