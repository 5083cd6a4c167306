"""Intervals read off the resamples of a statistic or a curve, or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Array, Scratch
from assay.inference.resampling import WITHIN, Draw, Replicate, block_size, draws
from assay.rounding import ROUNDING, difference

if TYPE_CHECKING:
    from assay.inference.planning import Plan

FAR_EXPONENT = 500
"""Numbers beyond 2 to this power, or below its inverse, are read in units of their own size."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and what the resamples say about it; NaN where there is nothing to say."""

    value: float
    low: float
    high: float
    standard_error: float
    n_undefined: int
    """resamples on which the statistic is undefined or infinite; they are in no interval"""
    reason: str | None
    """why there is no interval, if there is none"""
    method: str | None = None
    """how the interval was read, if there is one"""
    middle: float = np.nan
    """of a norm: the truth at which the number is as often too high as too low"""


LEAST_DEFINED = 2
"""resamples that a spread takes"""
LEAST_STUDENTIZED = 0.9
"""the share of resamples that need an error bar of their own"""
LEAST_ERROR = 0.3
"""of the error bar of the sample, in a resample: one that lacks who decides says nothing of it"""
BEYOND = "it is infinite or beyond the range of a double"
NO_WIDTH = "nearly all resamples give the same number, so their interval has no width"
ALL_SAME = "all resamples give the same number, so resampling cannot show its uncertainty"
UNDEFINED_WITHOUT = "needs the number without each participant, and one of them is undefined"
Ends = tuple[float, float]


def estimate(
    replicate: Replicate,
    plan: Plan,
    *,
    method: str | None = None,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Estimate:
    """Read an interval off the resamples of one statistic, or say why there is none.

    The method is that of the plan unless another is given. Where it is left open and nothing is
    known of the number, its percentiles are expanded. Intervals around a number (Student's t) end
    where the number does, at its `bounds`.
    """
    method = method or plan.method
    method = "expanded" if method == "auto" else method
    drawn = replicate.distribution
    finite = np.isfinite(drawn)
    defined = drawn if finite.all() else drawn[finite]
    unit = _unit(replicate.point, defined)
    scaled = _scaled(replace(replicate, distribution=defined), unit)
    low, high, spread, reason = _read(scaled, drawn / unit, plan, method)
    found = low * unit, high * unit, spread * unit
    if reason is None and not all(map(math.isfinite, found)):
        found, reason = (np.nan,) * 3, BEYOND
    if reason is None and method in AROUND:
        found = max(found[0], bounds[0]), min(found[1], bounds[1]), found[2]
    n_undefined = drawn.size - defined.size
    return Estimate(replicate.point, *found, n_undefined, reason, None if reason else method)


def _unit(point: float, defined: Array) -> float:
    """Return a power of two in which no square of these numbers leaves the range of a double."""
    largest = np.abs(defined).max(initial=abs(point) if np.isfinite(point) else 0.0)
    exponent = math.frexp(largest)[1]
    return 1.0 if abs(exponent) < FAR_EXPONENT else 2.0 ** min(max(exponent, -1022), 1023)


def _scaled(replicate: Replicate, unit: float) -> Replicate:
    if unit == 1:
        return replicate
    without, errors = (
        None if each is None else each / unit for each in (replicate.jackknife, replicate.errors)
    )
    return replace(
        replicate,
        point=replicate.point / unit,
        distribution=replicate.distribution / unit,
        jackknife=without,
        errors=errors,
    )


def _read(
    replicate: Replicate, drawn: Array, plan: Plan, method: str
) -> tuple[float, float, float, str | None]:
    """Return both ends, the standard error, and why there are none."""
    point, defined = replicate.point, replicate.distribution
    reason = _no_interval(point, defined, plan)
    if reason is not None:
        return np.nan, np.nan, np.nan, reason
    if defined.size < LEAST_DEFINED:
        return point, point, 0.0, None
    if method in WITHIN:
        # Errors belong to the first resamples, of which some may be undefined.
        replicate = replace(replicate, distribution=drawn)
    ends = METHODS[method](replicate, plan)
    if isinstance(ends, str):
        return np.nan, np.nan, np.nan, ends
    if difference(ends[1], ends[0]) == 0 and plan.without_width == "null":
        return np.nan, np.nan, np.nan, NO_WIDTH
    return float(ends[0]), float(ends[1]), float(defined.std(ddof=1)), None


def _no_interval(point: float, defined: Array, plan: Plan) -> str | None:
    if not plan.n_resamples:
        return "no resamples were asked for"
    if not np.isfinite(point):
        return "the number itself is undefined"
    if plan.without_width == "keep":
        return None
    if defined.size < LEAST_DEFINED:
        return "fewer than two resamples are defined"
    if defined.max() - defined.min() <= ROUNDING * np.abs(defined).max():
        return ALL_SAME
    return None


# Percentiles and how they are moved


def _tails(plan: Plan) -> Array:
    return np.array([(1 - plan.level) / 2, (1 + plan.level) / 2])


def _percentile(replicate: Replicate, plan: Plan) -> Ends:
    low, high = quantiles(replicate.distribution, _tails(plan))
    return low, high


def _basic(replicate: Replicate, plan: Plan) -> Ends:
    low, high = _percentile(replicate, plan)
    return 2 * replicate.point - high, 2 * replicate.point - low


def _expanded(replicate: Replicate, plan: Plan) -> Ends:
    """Read percentiles further out, as Student's t does (Hesterberg 2015)."""
    from scipy.special import ndtr  # noqa: PLC0415 - 0.2 s that percentiles do not need

    low, high = quantiles(replicate.distribution, ndtr(t_tails(plan, replicate.n_clusters)))
    return low, high


def t_tails(plan: Plan, n_clusters: int) -> Array:
    """Return the normal tails as Student's t has them, stretched for the small sample.

    Examples
    --------
    >>> from assay.inference.planning import Plan
    >>> t_tails(Plan(level=0.95), 41).round(3).tolist()
    [-2.046, 2.046]
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - as above

    if n_clusters < LEAST_DEFINED:
        return np.asarray(ndtri(_tails(plan)))
    stretch = math.sqrt(n_clusters / (n_clusters - 1))
    return np.asarray(stretch * stdtrit(n_clusters - 1, _tails(plan)))


def _bca(replicate: Replicate, plan: Plan) -> Ends | str:
    from scipy.special import ndtri  # noqa: PLC0415 - as above

    return _moved(replicate, ndtri(_tails(plan)))


def _bca_t(replicate: Replicate, plan: Plan) -> Ends | str:
    return _moved(replicate, t_tails(plan, replicate.n_clusters))


def _moved(replicate: Replicate, tails: Array) -> Ends | str:
    """Move percentiles for bias and skewness."""
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - as above

    jackknife = replicate.jackknife
    if jackknife is None or not np.isfinite(jackknife).all():
        return f"BCa {UNDEFINED_WITHOUT}"
    if not jackknife.size or difference(jackknife.max(), jackknife.min()) == 0:
        return "BCa is undefined: no single participant changes the number"
    # What equals the number up to rounding is tied with it, whichever engine computed it.
    beside = difference(replicate.distribution, replicate.point)
    below = (beside < 0).mean() + (beside == 0).mean() / 2
    if not 0 < below < 1:
        return "BCa is undefined: all resamples lie on one side of the number"
    bias = ndtri(below)
    spread = jackknife.mean() - jackknife
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)
    moved = bias + tails
    low, high = quantiles(replicate.distribution, ndtr(bias + moved / (1 - acceleration * moved)))
    return low, high


# Student's t around the number


def _jackknife_t(replicate: Replicate, plan: Plan) -> Ends | str:
    return _around(replicate, plan, lambda t, _: t)


def _jackknife_or_basic(replicate: Replicate, plan: Plan) -> Ends | str:
    """Reach as far as the mirrored percentiles where these lie further out than Student's t.

    The least of several that are alike lies too low, and its resamples lower still, by less: they
    start from values that are no longer alike. So they are moved once more by the bias they show.
    What noise raises lies too high in the same way, by less.
    """
    around = _jackknife_t(replicate, plan)
    if isinstance(around, str):
        return around
    low, high = _expanded(replicate, plan)
    bias = float(replicate.distribution.mean()) - replicate.point
    twice = 2 * replicate.point
    raised = twice - low - bias if bias < 0 else -np.inf
    return min(around[0], twice - high), max(around[1], raised)


def _hall_t(replicate: Replicate, plan: Plan) -> Ends | str:
    """Correct Student's t for skewness, by the cubic transformation of Hall (1992)."""

    def transformed(t: Array, spread: Array) -> Array:
        root = math.sqrt(spread.size)
        skewness = (spread**3).mean() / (spread**2).mean() ** 1.5
        if abs(skewness) < ROUNDING:
            return t
        inner = 1 + skewness / root * (t - skewness / (6 * root))
        return np.asarray(3 * root / skewness * (np.cbrt(inner) - 1))

    return _around(replicate, plan, transformed)


def _around(
    replicate: Replicate, plan: Plan, transformed: Callable[[Array, Array], Array]
) -> Ends | str:
    from scipy.special import stdtrit  # noqa: PLC0415 - as above

    error, spread = _jackknife_error(replicate)
    if isinstance(error, str):
        return error
    t = transformed(stdtrit(spread.size - 1, _tails(plan)), spread)
    return replicate.point - t[1] * error, replicate.point - t[0] * error


def _jackknife_error(replicate: Replicate) -> tuple[float | str, Array]:
    """Return the standard error of the jackknife and what each cluster moves, or why not."""
    without = replicate.jackknife
    if without is None or without.size < LEAST_DEFINED or not np.isfinite(without).all():
        return f"the jackknife {UNDEFINED_WITHOUT}", np.zeros(0)
    spread = difference(without.mean(), without)
    square = float((spread**2).sum()) * (spread.size - 1) / spread.size
    if not square:
        return "the jackknife is undefined: no single participant changes the number", spread
    return math.sqrt(square), spread


def _bootstrap_t(replicate: Replicate, plan: Plan) -> Ends | str:
    """Read the tails of t off the resamples, each with an error bar of its own."""
    error, _ = _jackknife_error(replicate)
    if isinstance(error, str):
        return error
    if replicate.errors is None:
        return "bootstrap-t needs an error bar within each resample, and there is none"
    apart = difference(replicate.distribution[: replicate.errors.size], replicate.point)
    usable = np.isfinite(apart) & np.isfinite(replicate.errors)
    if usable.sum() < max(LEAST_DEFINED, LEAST_STUDENTIZED * apart.size):
        return "bootstrap-t is undefined: too many resamples have no error bar of their own"
    errors = np.maximum(replicate.errors[usable], LEAST_ERROR * error)
    low, high = quantiles(apart[usable] / errors, _tails(plan))
    return replicate.point - high * error, replicate.point - low * error


def _bootstrap_or_bca(replicate: Replicate, plan: Plan) -> Ends | str:
    """Reach as far as BCa where that lies further out: few clusters tell little of the tails."""
    defined = replicate.distribution[np.isfinite(replicate.distribution)]
    return _reaching(_bootstrap_t(replicate, plan), replace(replicate, distribution=defined), plan)


def _expanded_or_bca(replicate: Replicate, plan: Plan) -> Ends | str:
    return _reaching(_expanded(replicate, plan), replicate, plan)


def _expanded_or_basic(replicate: Replicate, plan: Plan) -> Ends:
    """Reach as far up as the lower end is down: what is at its most, resamples only lower."""
    low, high = _expanded(replicate, plan)
    return low, max(high, 2 * replicate.point - low)


def _reaching(ends: Ends | str, replicate: Replicate, plan: Plan) -> Ends | str:
    """Reach as far as BCa with the tails of Student's t, where that is defined."""
    moved = _bca_t(replicate, plan)
    if isinstance(ends, str) or isinstance(moved, str):
        return ends
    return min(ends[0], moved[0]), max(ends[1], moved[1])


METHODS: dict[str, Callable[[Replicate, Plan], Ends | str]] = {
    "percentile": _percentile,
    "basic": _basic,
    "bca": _bca,
    "expanded": _expanded,
    "bca-t": _bca_t,
    "bootstrap-t": _bootstrap_t,
    "bootstrap-t or bca-t": _bootstrap_or_bca,
    "expanded or bca-t": _expanded_or_bca,
    "expanded or basic": _expanded_or_basic,
    "hall-t": _hall_t,
    "jackknife-t": _jackknife_t,
    "jackknife-t or basic": _jackknife_or_basic,
}
AROUND = WITHIN | {
    *("basic", "expanded or basic", "hall-t"),
    *("jackknife-t", "jackknife-t or basic"),
}
"""methods whose ends may lie beyond what the number can be"""

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
