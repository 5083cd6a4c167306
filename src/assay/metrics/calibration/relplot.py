"""The smooth calibration error as relplot 1.0.3 computes it, its approximations included.

Every bandwidth has a grid of its own, on which a Gaussian cut off at a distance of one half is
mirrored at 0 and 1. The two ends of the grid are mirrored onto themselves and count once, so that
what lies near them counts half.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Array

if TYPE_CHECKING:
    from assay.columns import Indices

__all__ = ["relplot_errors"]

STEPS = 1_024
"""bandwidths are multiples of 1/1024, and the narrowest is two of them"""
LEAST_GRID, GRID = 2_000, 20
"""half as many grid intervals, and as many per bandwidth where that is more"""
LEAST_MESH, MESH = 200, 10
"""points at which the smoothed grid is read, and as many per bandwidth where that is more"""
FLOOR = 1e-4
"""added to the density at every point"""

Grids = Callable[[int], Array]
"""from the number of grid intervals to the gaps and the masses, (2, resamples, points)"""


def relplot_errors(grids: Grids, n_resamples: int) -> Array:
    """Return the error of every resample at the first bandwidth that is not below its error."""
    low = np.ones(n_resamples, dtype=np.int64)
    high = np.full(n_resamples, STEPS)
    while (high - low > 1).any():
        open_ = np.flatnonzero(high - low > 1)
        middle = (low[open_] + high[open_]) // 2
        wide = _errors(grids, open_, middle) <= middle / STEPS
        high[open_[wide]], low[open_[~wide]] = middle[wide], middle[~wide]
    return _errors(grids, np.arange(n_resamples), high)


def _errors(grids: Grids, rows: Indices, width: Indices) -> Array:
    errors = np.zeros(rows.size)
    for each in np.unique(width):
        same = width == each
        bandwidth = each / STEPS
        n_intervals = max(LEAST_GRID, round(GRID / bandwidth)) // 2
        smoothed = _smoothed(grids(n_intervals)[:, rows[same]], bandwidth)
        gap, mass = _read(smoothed, max(LEAST_MESH, round(MESH / bandwidth)))
        errors[same] = np.abs(gap).sum(-1) / (mass + FLOOR).sum(-1)
    return errors


def _smoothed(grid: Array, bandwidth: float) -> Array:
    from scipy.fft import irfft, rfft  # noqa: PLC0415 - heavy, and only this metric needs it

    n_points = grid.shape[-1]
    distance = np.linspace(0, 1, n_points) - 0.5
    kernel = np.exp(-((distance / bandwidth) ** 2) / 2) / (np.sqrt(2 * np.pi) * bandwidth)
    # An even number of points has no middle: the kernel is then half an interval off.
    around = np.roll(np.append(kernel, np.zeros(n_points - 2)), -(n_points // 2))
    mirrored = np.concatenate([grid, grid[..., -2:0:-1]], axis=-1)
    values: Array = irfft(rfft(mirrored) * rfft(around), n=mirrored.shape[-1])
    return values[..., :n_points]


def _read(grid: Array, n_points: int) -> Array:
    """Read a grid at equally spaced points, straight between its own."""
    n_intervals = grid.shape[-1] - 1
    place = np.linspace(0, 1, n_points) * n_intervals
    below = np.minimum(place.astype(np.int64), n_intervals - 1)
    above = place - below
    # `take` keeps the order in memory, on which the last digit of a sum depends.
    left, right = grid.take(below, axis=-1), grid.take(below + 1, axis=-1)
    values: Array = left * (1 - above) + right * above
    return values
