"""Calibration error without bins: gaps smoothed over neighbouring scores.

The kernel is a Gaussian mirrored at 0 and 1, which is a product in the cosine transform. Gaps are
first put on a fine grid, a score between two of its points shared by both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Resamples, length
from assay.metrics.calibration.cells import (
    Cells,
    added,
    checked,
    merged,
    ratio,
    running,
    shaped,
    steps,
)
from assay.metrics.calibration.conventions import Smoothing
from assay.metrics.calibration.declared import NO_ROW
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

__all__ = ["smooth_ece"]

GRID = 2_000
"""intervals of the grid; scores of up to three decimals lie on it"""
NARROWEST = 1e-3
"""below this bandwidth the grid no longer resolves the kernel"""
WIDE, WIDE_POINTS, N_WIDE = 0.02, 1_001, 256
"""from this bandwidth on, so many points and cosines do"""
TOLERANCE = 1e-13
RESAMPLES_AT_ONCE = 64
RELPLOT_STEPS = 1_024
RELPLOT_LEAST_MESH, RELPLOT_MESH = 200, 10


@metric(better="lower", bounds=(0.0, 1.0), undefined=NO_ROW)
def smooth_ece(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    smoothing: Smoothing = "exact",
) -> float | Array:
    r"""Smooth calibration error: gaps smoothed by a kernel as wide as the error itself.

    .. math:: \sigma^* = \int_0^1 |\hat r_{\sigma^*}(t)|\,dt, \qquad
              \hat r_\sigma(t) = \frac{1}{n} \sum_{i=1}^{n} (y_i - p_i) K_\sigma(t, p_i)

    K is a Gaussian mirrored at 0 and 1. The integral falls with the bandwidth, so there is exactly
    one that equals its own error; it is found to about five decimals. Undefined without rows.

    Notes
    -----
    ``smoothing="relplot"`` follows the authors' program, which counts rows at exactly 0 or 1 half,
    takes the next multiple of 1/1024 as bandwidth, and averages over a mesh whose ends weigh in
    full.

    References
    ----------
    Blasiok and Nakkiran (2023), arXiv:2309.12236.

    Examples
    --------
    >>> round(smooth_ece(correct=[0, 1, 0, 1], probability=[0.4, 0.4, 0.6, 0.6]), 4)
    0.0793
    >>> smooth_ece(correct=[0, 1], probability=[0.0, 1.0])
    0.0
    """
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    errors = np.full(resamples.counts.shape[0], np.nan)
    for first in range(0, errors.size, RESAMPLES_AT_ONCE):
        block = slice(first, first + RESAMPLES_AT_ONCE)
        drawn = resamples.block(resamples.counts[block], resamples.scratch)
        if smoothing == "exact":
            cells = resamples.plan(_gaps, correct, probability, "whole")
            found = np.flatnonzero(drawn.total() > 0)
            gaps = _on_grid(cells, drawn)[found] / drawn.total()[found, None]
            errors[block][found] = _fixed_point(_cosines(gaps))
        else:
            gaps, masses = (
                _on_grid(resamples.plan(each, correct, probability, "half"), drawn)
                for each in (_gaps, _masses)
            )
            found = np.flatnonzero(masses.any(-1))
            errors[block][found] = _relplot(_cosines(gaps[found]), _cosines(masses[found]))
    return shaped(errors, resamples.shape)


def _gaps(correct: ArrayLike, probability: ArrayLike, ends: str, resamples: Resamples) -> Cells:
    correct, probability = checked(correct, probability)
    return _shared(correct - probability, probability, ends, resamples)


def _masses(correct: ArrayLike, probability: ArrayLike, ends: str, resamples: Resamples) -> Cells:
    correct, probability = checked(correct, probability)
    return _shared(np.ones_like(probability), probability, ends, resamples)


def _shared(values: Array, probability: Array, ends: str, resamples: Resamples) -> Cells:
    """Share the value of every row between the grid points beside its score."""
    place = np.minimum(np.floor(probability * GRID), GRID - 1)
    above = probability * GRID - place
    if ends == "half":
        values = np.where((probability == 0) | (probability == 1), values / 2, values)
    # The two columns of a cell serve as what goes below and what goes above.
    return merged(place, values * (1 - above), values * above, resamples)


def _on_grid(cells: Cells, drawn: Resamples) -> Array:
    grid = np.zeros((drawn.counts.shape[0], GRID + 1))
    below, above = running(cells, cells.correct, cells.probability, drawn)
    place = cells.key.astype(np.int64)
    grid[:, place] = steps(below)
    grid[:, place + 1] += steps(above)
    return grid


def _cosines(grid: Array) -> Array:
    """Return the sums of the grid times cos(pi k t), for k from 0 on."""
    from scipy.fft import dct  # noqa: PLC0415 - heavy, and only this metric needs it

    ends = grid.copy()
    ends[:, [0, -1]] *= 2
    sums: Array = dct(ends, type=1, axis=-1) / 2
    return sums


def _smoothed(cosines: Array, bandwidth: Array, n_points: int) -> Array:
    """Return the smoothed grid at equally spaced points from 0 to 1."""
    from scipy.fft import dct  # noqa: PLC0415 - as above

    k = np.arange(min(n_points, cosines.shape[1]))
    damped = cosines[:, : k.size] * np.exp(-((np.pi * bandwidth[:, None] * k) ** 2) / 2)
    padded = np.zeros((cosines.shape[0], n_points))
    padded[:, : k.size] = damped
    values: Array = dct(padded, type=1, axis=-1)
    return values


def _error(cosines: Array, bandwidth: Array, n_points: int) -> Array:
    """Integrate the absolute value of the smoothed gaps, taken as straight between points."""
    smoothed = _smoothed(cosines, bandwidth, n_points)
    size = np.abs(smoothed)
    area = size.sum(-1) - (size[:, 0] + size[:, -1]) / 2
    row, crossing = np.nonzero(smoothed[:, 1:] * smoothed[:, :-1] < 0)
    one, other = size[row, crossing], size[row, crossing + 1]
    lost = added(row, one * other / (one + other), area.size)
    error: Array = (area - lost) / (n_points - 1)
    return error


def _fixed_point(cosines: Array) -> Array:
    """Find the bandwidth that equals its error; a coarser grid does for wide ones."""
    at = np.full(cosines.shape[0], WIDE)
    error = _error(cosines[:, :N_WIDE], at, WIDE_POINTS)
    wide = error > WIDE
    error[wide] = _solved(cosines[wide, :N_WIDE], WIDE, error[wide], WIDE_POINTS)
    narrow = _error(cosines[~wide], np.full((~wide).sum(), NARROWEST), GRID + 1)
    # Where even the narrowest kernel leaves less than its width, that is the error.
    open_ = narrow > NARROWEST
    narrow[open_] = _solved(cosines[~wide][open_], NARROWEST, narrow[open_], GRID + 1)
    error[~wide] = narrow
    return error


def _solved(cosines: Array, least: float, error: Array, n_points: int) -> Array:
    """Follow secants inside a bracket, whose low end has an error above its bandwidth."""
    low, high = np.full(error.size, least), error.copy()
    before, excess = low.copy(), error - low
    now = np.sqrt(low * high)
    open_ = np.arange(error.size)
    while open_.size:
        at = now[open_]
        value = _error(cosines[open_], at, n_points) - at
        low[open_] = np.where(value > 0, at, low[open_])
        high[open_] = np.where(value > 0, high[open_], at)
        error[open_] = at + value
        step = at - ratio(value * (at - before[open_]), value - excess[open_])
        inside = (step >= low[open_]) & (step <= high[open_])
        before[open_], excess[open_] = at, value
        now[open_] = np.where(inside, step, (low[open_] + high[open_]) / 2)
        open_ = open_[(np.abs(value) > TOLERANCE) & (np.abs(now[open_] - at) > TOLERANCE)]
    return error


def _relplot(gaps: Array, masses: Array) -> Array:
    """Solve row by row, because every bandwidth has a mesh of its own."""
    errors = np.zeros(gaps.shape[0])
    for row in range(errors.size):
        gap, mass = gaps[[row]], masses[[row]]
        errors[row] = _relplot_error(gap, mass, _relplot_width(gap, mass))
    return errors


def _relplot_width(gap: Array, mass: Array) -> int:
    """Halve the multiples of 1/1024 down to the first that is not below its error."""
    low, high = 0, RELPLOT_STEPS
    while high - low > 1:
        middle = (low + high) // 2
        wide = middle > 1 and _relplot_error(gap, mass, middle) <= middle / RELPLOT_STEPS
        low, high = (low, middle) if wide else (middle, high)
    return high


def _relplot_error(gap: Array, mass: Array, width: int) -> float:
    bandwidth = np.array([width / RELPLOT_STEPS])
    n_points = max(RELPLOT_LEAST_MESH, int(np.rint(RELPLOT_MESH / bandwidth[0])))
    smoothed, density = (_smoothed(each, bandwidth, n_points) for each in (gap, mass))
    return float(np.abs(smoothed).sum() / density.sum())
