"""The hot loops in NumPy: what the compiled module has to reproduce.

Everywhere `accepted` and `lost` are (resamples, points): the weight and the loss accepted so far,
as the threshold falls from point to point. Areas are in units of rows, so that dividing by the
number of rows is left to the metric.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from assay._kernels.cosine_form import smoothed_areas
from assay._kernels.literal_form import (
    distinct_words,
    holds_literal,
    initials,
    literal_places,
    lone_letters,
    single_spaced,
)
from assay._kernels.numpy_draws import LegacyState, counter_counts, legacy_counts
from assay._kernels.word_form import lacking_words, nearest_steps, step_overlaps
from assay.rounding import ROUNDING, difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.columns import Array, Indices

__all__ = [
    "LegacyState",
    "accumulate",
    "binned_sums",
    "counter_counts",
    "differences",
    "distinct_keys",
    "distinct_words",
    "first_reaching",
    "harmonic_between",
    "holds_literal",
    "hull_area",
    "initials",
    "json_cells",
    "lacking_words",
    "last_within",
    "legacy_counts",
    "literal_places",
    "lone_letters",
    "nearest_steps",
    "plateaus",
    "rising_order",
    "single_spaced",
    "smoothed_areas",
    "span_sums",
    "step_areas",
    "step_overlaps",
    "step_precisions",
    "sweep",
    "swept_hull",
    "swept_to",
    "top_label_sums",
    "trapezoid_areas",
    "verdict_pairs",
]

_TABULATED = 32
_HARMONIC = np.cumsum([0.0, *(1.0 / np.arange(1, _TABULATED + 1))])
_CELLS_AT_ONCE = 1 << 20
_BINNED_AT_ONCE = 1 << 15


def accumulate(  # noqa: PLR0913, PLR0917 - a ranking, and where to put its sums
    counts: Array,
    start: Indices,
    cluster: Indices,
    size: Array,
    loss: Array,
    accepted: Array,
    lost: Array,
) -> None:
    """Add up what each point accepts, into `accepted` and `lost`.

    Cells `start[m]:start[m + 1]` belong to point m.
    """
    step = max(1, _CELLS_AT_ONCE // max(1, cluster.size))
    for first in range(0, counts.shape[0] if cluster.size else 0, step):
        drawn = counts[first : first + step, cluster]
        for cell, total in ((size, accepted), (loss, lost)):
            points = np.add.reduceat(drawn * cell, start[:-1], axis=-1)
            np.cumsum(points, axis=-1, out=total[first : first + step])


def differences(left: Array, right: Array) -> Array:
    """Subtract; what rounding alone can make is no difference, what is infinite has none."""
    finite = np.isfinite(left) & np.isfinite(right)
    found: Array = difference(left, right)
    return found if finite.all() else np.where(finite, found, np.nan)


def plateaus(score: Array, loss: Array) -> tuple[Array, Array, Array]:
    """Accept rows of equal weight from the highest score down, equal scores together.

    Returns the score of each point, how many rows it accepts and what is lost on them so far.
    """
    order = np.argsort(-score, kind="stable")
    ranked = score[order]
    first = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1])[: ranked.size])
    points = np.add.reduceat(loss[order], first) if first.size else np.zeros(0)
    accepted = np.append(first[1:], ranked.size)[: first.size].astype(np.float64)
    return ranked[first], accepted, np.cumsum(points)


Cells = tuple["Indices", "Indices", "Array", "Array"]
"""start, cluster, size and loss, as `accumulate` takes them"""
Take = Callable[[tuple[int, ...]], "Array"]
"""gives an array of a shape that nobody has written to"""
TILE = 64
"""points that a sweep takes together"""
_MOST_COPIES = 255


def sweep(
    counts: Array,
    cells: Cells,
    slope: Array,
    take: Take = np.empty,  # noqa: ARG001 - the compiled form uses memory again
) -> Array | None:
    """Sweep over the points of every resample and keep what there is at the end of every tile.

    Returns (5, resamples, tiles + 1): what is accepted and lost, twice the areas of the selective
    and the generalized risk by straight lines, and where the highest line of the tile's slope
    starts that no selective risk inside is below. None where counts are not whole numbers of 8
    bits.
    """
    if not ((counts >= 0) & (counts <= _MOST_COPIES) & (counts == np.floor(counts))).all():
        return None
    accepted, lost = _written_out(counts, cells)
    n_points = accepted.shape[1]
    before, lost_before, risk = _shifted(accepted), _shifted(lost), _ratio(lost, accepted)
    risk_before = np.where(before > 0, _shifted(risk), risk)
    areas = [
        np.cumsum((accepted - before) * each, axis=-1)
        for each in (risk_before + risk, lost_before + lost)
    ]
    first = np.arange(0, n_points, TILE)
    ends = np.append(first[1:], n_points)[: first.size] - 1
    tiles = np.zeros((5, counts.shape[0], ends.size + 1))
    for tile, each in zip(tiles, (accepted, lost, *areas), strict=False):
        tile[:, 1:] = each[:, ends]
    if ends.size:
        rise = np.repeat(slope, TILE)[:n_points] * accepted
        seen = np.where(accepted > 0, risk - rise, np.inf)
        tiles[4, :, 1:] = np.minimum.reduceat(seen, first, axis=-1)
    return tiles


def swept_to(
    counts: Array,
    cells: Cells,
    tiles: Array,  # noqa: ARG001 - the compiled form starts from there
    upto: Array,
) -> Array:
    """Return what the first point that accepts so much accepts and loses, and both areas up to it.

    (4, resamples); NaN instead of the first two where no point does. Areas are by straight lines.
    """
    accepted, lost = _written_out(counts, cells)
    point = first_reaching(accepted, upto)
    there = point < accepted.shape[1]
    found = np.full((4, counts.shape[0]), np.nan)
    found[0, there] = accepted[there, point[there]]
    found[1, there] = lost[there, point[there]]
    found[2:] = trapezoid_areas(accepted, lost, upto)
    return found


def swept_hull(
    counts: Array,
    cells: Cells,
    tiles: Array,  # noqa: ARG001 - the compiled form starts from there
    slope: Array,  # noqa: ARG001 - so it does
    total: Array,
    take: Take = np.empty,  # noqa: ARG001 - the compiled form uses memory again
) -> Array:
    """Integrate the lower convex hull of the (coverage, selective risk) points, in rows."""
    accepted, lost = _written_out(counts, cells)
    return hull_area(accepted, lost, total)


def _written_out(counts: Array, cells: Cells) -> Array:
    sums = np.empty((2, counts.shape[0], cells[0].size - 1))
    accumulate(counts, *cells, *sums)
    return sums


def rising_order(score: Array) -> Indices:
    """Return the rows from the lowest score up, equal scores as they come, NaN last."""
    return np.argsort(score, kind="stable")


def step_precisions(
    score: Array, verdict: Array, n_steps: int, weight: Array | None = None
) -> tuple[Array, Array]:
    """Call rows positive from the highest score down, at each step of a scale of verdicts.

    Returns by step, from 0 on, how many rows have a verdict at or above it, and the sum of the
    precisions at which they are called; step 0, which all reach, is left at 0.
    """
    order = np.argsort(-score, kind="stable")
    ranked = score[order]
    last = np.append(ranked[1:] != ranked[:-1], True)[: ranked.size]
    drawn = np.ones(score.size) if weight is None else weight[order]
    called = np.cumsum(drawn)[last]
    found, area = np.zeros((2, n_steps + 1))
    for step in range(1, n_steps + 1):
        positive = np.cumsum(drawn * (verdict[order] >= step))[last]
        found[step] = positive[-1] if positive.size else 0.0
        area[step] = (np.diff(positive, prepend=0.0) * _ratio(positive, called)).sum()
    return found, area


def verdict_pairs(
    true: Array, given: Array, most: int, weight: Array | None = None
) -> Array | None:
    """Count the pairs of two verdicts, true by given, up to the highest; None if they are none.

    Verdicts are whole numbers from 0 on, below `most`.
    """
    both = np.stack([true, given])
    if not ((both >= 0) & (both < most) & (both == np.floor(both))).all():
        return None
    n = int(both.max(initial=-1)) + 1
    pair = (both[0] * n + both[1]).astype(np.int64)
    return np.bincount(pair, weight, minlength=n * n).reshape(n, n).astype(np.float64)


def span_sums(truth: Array, low: Array, up: Array, weight: Array | None) -> Array:
    """Add up what intervals cover, their widths and by how much they miss below and above.

    Returns these four, the weight of all rows, the smallest and the largest truth that has a
    weight, and how many rows are crossed or not finite: the sums of such rows mean nothing.
    """
    parts = [np.array([0.0, 0.0, 0.0, 0.0, 0.0, np.inf, -np.inf, 0.0])]
    for first in range(0, truth.size, _BINNED_AT_ONCE):
        rows = slice(first, first + _BINNED_AT_ONCE)
        given = truth[rows], low[rows], up[rows]
        parts.append(_spans(*given, None if weight is None else weight[rows]))
    table = np.stack(parts, axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        sums: Array = table.sum(-1)
    sums[5], sums[6] = table[5].min(), table[6].max()
    return sums


def _spans(y: Array, low: Array, up: Array, weight: Array | None) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        width, under, over = up - low, np.maximum(low - y, 0.0), np.maximum(y - up, 0.0)
        covered = (under + over <= 0) * 1.0
        unsound = ~((width >= 0) & (width < np.inf) & np.isfinite(y))
        drawn = np.ones(y.size) if weight is None else weight
        sums = [(drawn * each).sum() for each in (covered, width, under, over)]
        seen = y[drawn > 0]
        ends = seen.min(initial=np.inf), seen.max(initial=-np.inf)
    return np.array([*sums, drawn.sum(), *ends, unsound.sum()])


def top_label_sums(
    label: Array,
    probabilities: Array,
    edges: Array,
    weight: Array | None = None,
    *,
    closed: bool,
    tolerance: float,
) -> Array | None:
    """Add up rows, right ones and the largest probability by its class and bin, (K, bins, 3).

    Bins are those of `binned_sums`; of equal probabilities the first is the largest. None where a
    probability is not from 0 to 1, a row is off a sum of 1 by more than `tolerance`, or a label
    is no class.
    """
    n_rows, n_classes = probabilities.shape
    n_bins = edges.size - 1
    with np.errstate(invalid="ignore"):
        apart = np.abs(probabilities.sum(-1) - 1)
    sound = (probabilities >= 0).all() and (probabilities <= 1).all() and (apart <= tolerance).all()
    if not sound or not np.isin(label, np.arange(n_classes)).all():
        return None
    top = probabilities.argmax(-1)
    largest = probabilities[np.arange(n_rows), top]
    cell = top * n_bins + np.searchsorted(edges[1:-1], largest, "left" if closed else "right")
    drawn = np.ones(n_rows) if weight is None else weight
    sums = [
        np.bincount(cell, drawn * each, minlength=n_classes * n_bins)
        for each in (1.0, label == top, largest)
    ]
    table: Array = np.stack(sums, axis=-1).reshape(n_classes, n_bins, 3).astype(np.float64)
    return table


def trapezoid_areas(accepted: Array, lost: Array, upto: Array) -> tuple[Array, Array]:
    """Integrate selective and generalized risk by straight lines, until `upto` rows are accepted.

    The generalized curve starts at the origin, the selective one level with its first point.
    """
    before, lost_before = _shifted(accepted), _shifted(lost)
    risk = _ratio(lost, accepted)
    risk_before = np.where(before > 0, _shifted(risk), risk)
    width = np.clip(np.minimum(accepted, upto[:, None]) - before, 0.0, None)
    part = _ratio(width, accepted - before)
    selective = width * (risk_before + part * (risk - risk_before) / 2)
    generalized = width * (lost_before + part * (lost - lost_before) / 2)
    return selective.sum(-1), generalized.sum(-1)


def step_areas(accepted: Array, lost: Array, upto: Array) -> tuple[Array, Array]:
    """Sum both risks item by item, until `upto` items are accepted, the last one in part.

    A point that accepts w copies of a loss l after k items is w steps; the sum of their
    selective risks has a closed form in harmonic numbers.
    """
    before, lost_before = _shifted(accepted), _shifted(lost)
    loss = _ratio(lost - lost_before, accepted - before)
    taken = np.clip(np.minimum(accepted, upto[:, None]) - before, 0.0, None)
    n = np.floor(taken)
    part = taken - n
    last = lost_before + loss * (n + 1)
    rest = lost_before - loss * before
    selective = loss * n + rest * harmonic_between(before, before + n)
    selective += part * _ratio(last, before + n + 1)
    generalized = lost_before * n + loss * n * (n + 1) / 2 + part * last
    return selective.sum(-1), generalized.sum(-1)


def harmonic_between(low: Array, high: Array) -> Array:
    """Sum 1/j over the whole numbers low < j <= high, without cancellation."""
    table_low, table_high = np.minimum(low, _TABULATED), np.minimum(high, _TABULATED)
    head: Array = _HARMONIC[table_high.astype(np.int64)] - _HARMONIC[table_low.astype(np.int64)]
    a, b = np.maximum(low, _TABULATED), np.maximum(high, _TABULATED)
    tail: Array = np.log1p((b - a) / a) + (a - b) / (2 * a * b) + _stirling(b) - _stirling(a)
    return head + tail


def _stirling(x: Array) -> Array:
    square = np.reciprocal(x * x)
    rest: Array = -square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    return rest


def hull_area(accepted: Array, lost: Array, total: Array) -> Array:
    """Integrate the lower convex hull of the (coverage, selective risk) points, in rows."""
    # Whether a collinear point stays cannot change the area, so no tolerance is needed.
    n_resamples, n_points = accepted.shape
    x, y = np.zeros((n_resamples, n_points + 1)), np.zeros((n_resamples, n_points + 1))
    depth = np.zeros(n_resamples, dtype=np.int64)
    before = _shifted(accepted)
    scale = np.where(total > 0, total, 1.0)
    for point in range(n_points):
        fresh = np.flatnonzero(accepted[:, point] > before[:, point])
        x_new = accepted[fresh, point] / scale[fresh]
        y_new = lost[fresh, point] / accepted[fresh, point]
        _unwind(x, y, depth, fresh, x_new, y_new)
        x[fresh, depth[fresh]] = x_new
        y[fresh, depth[fresh]] = y_new
        depth[fresh] += 1
    inside = np.arange(n_points + 1) < depth[:, None]
    x_before = np.where(inside, _shifted(x), 0.0)
    y_before = np.where(x_before > 0, _shifted(y), y)
    pieces = np.where(inside, (x - x_before) * (y + y_before) / 2, 0.0)
    area: Array = pieces.sum(-1) * scale
    return area


def _unwind(x: Array, y: Array, depth: Indices, rows: Indices, x_new: Array, y_new: Array) -> None:
    """Drop the points that a new one puts on or above the hull."""
    open_ = np.flatnonzero(depth[rows] > 1)
    while open_.size:
        r = rows[open_]
        top = depth[r] - 1
        x0, y0 = x[r, top - 1], y[r, top - 1]
        cross = (x[r, top] - x0) * (y_new[open_] - y0) - (y[r, top] - y0) * (x_new[open_] - x0)
        open_ = open_[cross <= 0]
        depth[rows[open_]] -= 1
        open_ = open_[depth[rows[open_]] > 1]


def first_reaching(accepted: Array, needed: Array) -> Indices:
    """Find the first point that accepts at least `needed`; the number of points if none does."""
    point: Indices = (accepted < needed[:, None]).sum(-1)
    return point


def last_within(accepted: Array, lost: Array, target: float) -> Indices:
    """Find the last point whose selective risk is at most `target`; -1 if none is."""
    # A risk that equals the target up to rounding counts as within it.
    within = (accepted > 0) & (lost <= target * accepted * (1 + ROUNDING))
    last = accepted.shape[1] - 1 - within[:, ::-1].argmax(-1) if accepted.shape[1] else -1
    return np.where(within.any(-1), last, -1)


def binned_sums(outcome: Array, score: Array, edges: Array, *, closed: bool) -> Array:
    """Add up what falls into each bin: rows, outcomes and scores, (3, bins).

    Scores lie between 0 and 1 and edges are equally spaced up to rounding, the first minus and
    the last plus infinity. Bins contain their left edge, or with `closed` their right one.
    """
    n_bins = edges.size - 1
    sums = np.zeros((3, n_bins))
    # Multiplying by a little more never lands below the right bin.
    scale = n_bins * (1 + 2.0**-40)
    for first in range(0, score.size, _BINNED_AT_ONCE):
        rows = slice(first, first + _BINNED_AT_ONCE)
        given, right = score[rows], outcome[rows].astype(np.int64)
        place = (given * scale).astype(np.int64)
        low = edges.take(place)
        place -= given <= low if closed else given < low
        pairs = np.bincount(2 * place + right, minlength=2 * n_bins).reshape(n_bins, 2)
        stated = np.bincount(place, weights=given, minlength=n_bins)
        sums += pairs.sum(-1), pairs[:, 1], stated
    return sums


def _shifted(values: Array) -> Array:
    shifted = np.zeros_like(values)
    shifted[:, 1:] = values[:, :-1]
    return shifted


def _ratio(numerator: Array, denominator: Array) -> Array:
    return np.divide(
        numerator, denominator, out=np.zeros(np.shape(numerator)), where=denominator > 0
    )


class _RepeatedError(Exception):
    """Some object has a key twice."""


def _check_keys(pairs: Sequence[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise _RepeatedError


def distinct_keys(text: bytes) -> bool:
    """Say whether no object of a valid JSON text has a key twice."""
    try:
        # Numbers are not looked at: one with thousands of digits would be refused.
        json.loads(text, object_pairs_hook=_check_keys, parse_int=len, parse_float=len)
    except _RepeatedError:
        return False
    return True


def json_cells(*_: object) -> None:
    """Tell nothing: only the compiled module reads cells on its way, others take text apart."""
