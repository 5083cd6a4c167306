"""Pointwise intervals of curves, and quantiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Array, Scratch
from assay.inference.resampling import Draw, block_size, draws
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from assay.inference.planning import Plan

BAND_VALUES = 1 << 17
LEAST_BAND_RESAMPLES = 1_000


def bands(
    points: Callable[[Draw], Sequence[Array]],
    plan: Plan,
    *,
    n_clusters: int,
    n_rows: int,
    n_points: int,
) -> tuple[int, list[tuple[Array, Array]]]:
    """Return pointwise percentile intervals of curves read at fixed points, and their resamples.

    `points` gives one array (resamples, points) per quantity. So that the resamples of a long
    curve fit into memory, only the first resamples of the stream are used, at least 1,000 of them.
    Where they all agree there is no interval (NaN).
    """
    fitting = max(LEAST_BAND_RESAMPLES, BAND_VALUES // max(1, n_points))
    n = min(plan.n_resamples, fitting)
    fewer = replace(plan, n_resamples=n)
    block = block_size(plan, n_rows, n_points)
    scratch = Scratch()
    drawn = [points(Draw(np.empty((0, n_clusters))))]
    for counts in draws(n_clusters, fewer, block):
        scratch.empty()
        drawn.append(points(Draw(counts, scratch)))
    tails = np.array([(1 - plan.level) / 2, (1 + plan.level) / 2])
    return n, [_band(np.concatenate(quantity), tails) for quantity in zip(*drawn, strict=True)]


def _band(values: Array, tails: Array) -> tuple[Array, Array]:
    points = np.ascontiguousarray(values.T)
    ends = np.full((points.shape[0], 2), np.nan)
    whole = ~np.isnan(points).any(-1)
    if points.shape[1]:
        ends[whole] = quantiles(points[whole], tails)
    for point in np.flatnonzero(~whole):
        defined = points[point, ~np.isnan(points[point])]
        if defined.size:
            ends[point] = quantiles(defined, tails)
    low, high = ends.T
    ends[high - low <= ROUNDING * np.maximum(np.abs(low), np.abs(high))] = np.nan
    return low, high


def quantiles(values: Array, shares: Array) -> Array:
    """Return quantiles along the last axis: the digits of `numpy.quantile`, three times as fast.

    Examples
    --------
    >>> quantiles(np.array([4.0, 1.0, 3.0, 2.0]), np.array([0.25, 0.5])).tolist()
    [1.75, 2.5]
    """
    position = shares * (values.shape[-1] - 1)
    below = np.floor(position).astype(np.int64)
    above = np.minimum(below + 1, values.shape[-1] - 1)
    ordered = np.partition(values, np.unique((below, above)), axis=-1)
    low, high, part = ordered[..., below], ordered[..., above], position - below
    # From the nearer end, as NumPy interpolates.
    near_high = part >= 0.5  # noqa: PLR2004
    read: Array = np.where(near_high, high - (high - low) * (1 - part), low + (high - low) * part)
    return read
