"""Calibration error without bins: gaps smoothed over neighbouring scores.

The kernel is a Gaussian mirrored at 0 and 1, which is a product in the cosine transform. Gaps are
first put on a fine grid, a score between two of its points shared by both.

relplot 1.0.3 is reproduced with its approximations: every bandwidth has a grid of its own, on which
a Gaussian cut off at a distance of one half is mirrored at 0 and 1. The two ends of the grid are
mirrored onto themselves and count once, so that what lies near them counts half.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import Array, Resamples, length, whole
from assay.metrics.calibration.bins import NO_ROW, Smoothing
from assay.metrics.calibration.cells import (
    ROWS_AT_ONCE,
    Cells,
    added,
    checked,
    merged_by_number,
    ratio,
    running,
    shaped,
    steps,
)
from assay.registry import Gaps, metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Indices, Weight

GRID = 2_000
"""intervals of the grid; scores of up to three decimals lie on it"""
NARROWEST = 1e-3
"""below this bandwidth the grid no longer resolves the kernel"""
WIDE, WIDE_POINTS, N_WIDE = 0.02, 1_001, 256
"""from this bandwidth on, so many points and cosines do"""
TOLERANCE = 1e-13
RESAMPLES_AT_ONCE = 64
STEPS = 1_024
"""bandwidths are multiples of 1/1024, and the narrowest is two of them"""
LEAST_GRID, PER_BANDWIDTH = 2_000, 20
"""half as many grid intervals, and as many per bandwidth where that is more"""
LEAST_MESH, MESH = 200, 10
"""points at which the smoothed grid is read, and as many per bandwidth where that is more"""
FLOOR = 1e-4
"""added to the density at every point"""


def smooth_gaps(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    smoothing: Smoothing = "exact",  # noqa: ARG001 - the mesh of another program changes little
) -> Gaps:
    """Return the gaps on a grid of scores, as shares of all rows, which are smoothed."""
    resamples = Resamples.of(weight, n_rows=length(correct=correct))
    sums = _on_grid(resamples.plan(_gaps, correct, probability, str(GRID)), resamples)
    total = np.broadcast_to(resamples.total()[:, None], sums.shape)
    return Gaps(sums, total, _smooth_norm, dense=True)


def _smooth_norm(gaps: Array) -> Array:
    rows = np.atleast_2d(gaps)
    parts = range(0, rows.shape[0], RESAMPLES_AT_ONCE)
    errors = [_fixed_point(_cosines(rows[n : n + RESAMPLES_AT_ONCE])) for n in parts]
    return np.concatenate(errors).reshape(gaps.shape[:-1])


@metric(
    better="lower",
    bounds=(0.0, 1.0),
    undefined=NO_ROW,
    copies={"smoothing": "relplot"},
    kind="norm",
    gaps=smooth_gaps,
    counterparts=("brier", "nll"),
)
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
    ``smoothing="relplot"`` is what the authors' program computes, relplot 1.0.3: the next multiple
    of 1/1024 as bandwidth, a kernel cut off at a distance of one half, a mesh whose ends weigh in
    full, and rows within a thousandth of 0 or 1 that count up to half less. A weight is then read
    as copies.

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
    if smoothing == "relplot":
        whole(resamples, "the mesh of relplot")
    errors = np.full(resamples.counts.shape[0], np.nan)
    block_errors = _exact if smoothing == "exact" else _as_relplot
    for first in range(0, errors.size, RESAMPLES_AT_ONCE):
        block = slice(first, first + RESAMPLES_AT_ONCE)
        drawn = resamples.block(resamples.counts[block], resamples.scratch)
        errors[block] = np.where(
            drawn.total() > 0, block_errors(correct, probability, resamples, drawn), np.nan
        )
    return shaped(errors, resamples.shape)


def _exact(
    correct: ArrayLike, probability: ArrayLike, resamples: Resamples, drawn: Resamples
) -> Array:
    gaps = _on_grid(resamples.plan(_gaps, correct, probability, str(GRID)), drawn)
    errors, total = np.zeros(gaps.shape[0]), drawn.total()
    found = np.flatnonzero(total > 0)
    errors[found] = _fixed_point(_cosines(gaps[found] / total[found, None]))
    return errors


def _as_relplot(
    correct: ArrayLike, probability: ArrayLike, resamples: Resamples, drawn: Resamples
) -> Array:
    @cache
    def grids(n_intervals: int) -> Array:
        cells = [
            resamples.plan(each, correct, probability, str(n_intervals))
            for each in (_gaps, _masses)
        ]
        return np.stack([_on_grid(each, drawn) for each in cells])

    return relplot_errors(grids, drawn.counts.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """What rows put on the points of a grid."""

    n_intervals: int
    cells: Cells


def _gaps(
    correct: ArrayLike, probability: ArrayLike, n_intervals: str, resamples: Resamples
) -> _Shares:
    correct, probability = checked(correct, probability)
    return _shared(correct - probability, probability, int(n_intervals), resamples)


def _masses(
    correct: ArrayLike, probability: ArrayLike, n_intervals: str, resamples: Resamples
) -> _Shares:
    correct, probability = checked(correct, probability)
    return _shared(np.ones_like(probability), probability, int(n_intervals), resamples)


def _shared(values: Array, probability: Array, n_intervals: int, resamples: Resamples) -> _Shares:
    """Share the value of every row between the grid points beside its score."""
    if resamples.counts.shape[1] == 1:
        return _shared_by_one(values, probability, n_intervals, resamples.size)
    place = np.minimum(np.floor(probability * n_intervals), n_intervals - 1).astype(np.int64)
    above = probability * n_intervals - place
    # The two columns of a cell serve as what goes below and what goes above.
    cells = merged_by_number(place, values * (1 - above), values * above, resamples)
    return _Shares(n_intervals, cells)


def _shared_by_one(values: Array, probability: Array, n_intervals: int, size: Array) -> _Shares:
    """Do the same where all rows are of one cluster, a cache's worth at a time."""
    sums = np.zeros((2, n_intervals))
    for start in range(0, values.size, ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        above = probability[part] * n_intervals
        place = np.minimum(above.astype(np.int64), n_intervals - 1)
        above -= place
        value = values[part] * size[part]
        sums += [added(place, value * each, n_intervals) for each in (1 - above, above)]
    every = np.arange(n_intervals + 1)
    none = np.zeros(n_intervals)
    key, cluster = every[:-1].astype(np.float64), none.astype(np.int64)
    cells = Cells(key, every, cluster, none, sums[0], sums[1], none)
    return _Shares(n_intervals, cells)


def _on_grid(shares: _Shares, drawn: Resamples) -> Array:
    cells = shares.cells
    grid = np.zeros((drawn.counts.shape[0], shares.n_intervals + 1))
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


def _fixed_point(cosines: Array) -> Array:
    """Find the bandwidth that equals its error; a coarser grid does for wide ones."""
    at = np.full(cosines.shape[0], WIDE)
    error: Array = kernels.smoothed_areas(cosines[:, :N_WIDE], at, WIDE_POINTS)
    wide = error > WIDE
    error[wide] = _solved(cosines[wide, :N_WIDE], WIDE, error[wide], WIDE_POINTS)
    narrow = kernels.smoothed_areas(cosines[~wide], np.full((~wide).sum(), NARROWEST), GRID + 1)
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
        value = kernels.smoothed_areas(cosines[open_], at, n_points) - at
        low[open_] = np.where(value > 0, at, low[open_])
        high[open_] = np.where(value > 0, high[open_], at)
        error[open_] = at + value
        step = at - ratio(value * (at - before[open_]), value - excess[open_])
        inside = (step >= low[open_]) & (step <= high[open_])
        before[open_], excess[open_] = at, value
        now[open_] = np.where(inside, step, (low[open_] + high[open_]) / 2)
        open_ = open_[(np.abs(value) > TOLERANCE) & (np.abs(now[open_] - at) > TOLERANCE)]
    return error


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
        n_intervals = max(LEAST_GRID, round(PER_BANDWIDTH / bandwidth)) // 2
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
