"""Sums of damped cosines on a grid from 0 to 1, and the area below their absolute value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Array

__all__ = ["smoothed_areas"]


def smoothed_areas(cosines: Array, bandwidth: Array, n_points: int) -> Array:
    """Integrate the absolute value of smoothed gaps, taken as straight between points."""
    smoothed = _smoothed(cosines, bandwidth, n_points)
    size = np.abs(smoothed)
    area = size.sum(-1) - (size[:, 0] + size[:, -1]) / 2
    row, crossing = np.nonzero(smoothed[:, 1:] * smoothed[:, :-1] < 0)
    one, other = size[row, crossing], size[row, crossing + 1]
    lost = np.bincount(row, one * other / (one + other), area.size)
    areas: Array = (area - lost) / (n_points - 1)
    return areas


def _smoothed(cosines: Array, bandwidth: Array, n_points: int) -> Array:
    """Return the smoothed grid at equally spaced points from 0 to 1."""
    from scipy.fft import dct  # noqa: PLC0415 - heavy, and only this kernel needs it

    k = np.arange(min(n_points, cosines.shape[1]))
    damped = cosines[:, : k.size] * np.exp(-((np.pi * bandwidth[:, None] * k) ** 2) / 2)
    padded = np.zeros((cosines.shape[0], n_points))
    padded[:, : k.size] = damped
    values: Array = dct(padded, type=1, axis=-1)
    return values
