"""The hot loops in C: the definitions of `numpy_form`, over the same arrays.

The C side trusts its caller with shapes; each function here allocates what C writes into.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from assay._kernels import _compiled, numpy_form

if TYPE_CHECKING:
    from assay._kernels.literal_form import Literals, Place
    from assay.columns import Array, Indices

__all__ = [
    "accumulate",
    "binned_sums",
    "counter_counts",
    "differences",
    "distinct_keys",
    "distinct_words",
    "first_reaching",
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


SLOTS = 4096
"""of which a quarter may be taken before scores are sorted"""
MOST_COSINES = 256
"""up to here adding them up one by one is quicker than a transform"""
FADED = 2.85
"""cosines from this many bandwidths on are below the last digit, as in C"""


def _floats(values: Any) -> Array:
    return np.ascontiguousarray(values, dtype=np.float64)


def _positions(values: Any) -> Indices:
    return np.ascontiguousarray(values, dtype=np.int64)


def accumulate(  # noqa: PLR0913, PLR0917 - a ranking, and where to put its sums
    counts: Array,
    start: Indices,
    cluster: Indices,
    size: Array,
    loss: Array,
    accepted: Array,
    lost: Array,
) -> None:
    """Add up what each point accepts, into `accepted` and `lost`."""
    _compiled.accumulate(
        _floats(counts),
        _positions(start),
        _positions(cluster),
        _floats(size),
        _floats(loss),
        accepted,
        lost,
    )


def differences(left: Array, right: Array) -> Array:
    """Subtract; what rounding alone can make is no difference, what is infinite has none."""
    if left.shape != right.shape:  # the loop looks at no length
        raise ValueError(f"values of shape {left.shape} and {right.shape}")
    found = np.empty(left.shape)
    _compiled.differences(_floats(left), _floats(right), found)
    return found


if not hasattr(_compiled, "differences"):  # built before there was this loop
    from assay._kernels.numpy_form import differences


def plateaus(score: Array, loss: Array) -> tuple[Array, Array, Array]:
    """Accept rows of equal weight from the highest score down; few scores need no sort."""
    score, loss = _floats(score), _floats(loss)
    few = np.zeros((3, SLOTS))
    if _compiled.few_scores(score, loss, few) >= 0:
        n, threshold, lost = few[:, few[0] > 0]
        order = np.argsort(-threshold)
        return threshold[order], np.cumsum(n[order]), np.cumsum(lost[order])
    room = np.empty((4, score.size))
    n_points = _compiled.plateaus(score, loss, room)
    lost, _, threshold, accepted = room[:, :n_points]
    return threshold, accepted, lost


def sweep(
    counts: Array, cells: numpy_form.Cells, slope: Array, take: numpy_form.Take = np.empty
) -> Array | None:
    """Sweep over the points of every resample and keep what there is at the end of every tile."""
    tiles = take((5, counts.shape[0], slope.size + 1))
    room = take((counts.shape[1],))
    return tiles if _compiled.sweep(*_ranked(counts, cells), _floats(slope), room, tiles) else None


def swept_to(counts: Array, cells: numpy_form.Cells, tiles: Array, upto: Array) -> Array:
    """Return what the first point that accepts so much accepts and loses, and both areas."""
    found = np.empty((4, counts.shape[0]))
    _compiled.swept_to(*_ranked(counts, cells), _floats(tiles), _floats(upto), found)
    return found


def swept_hull(
    counts: Array,
    cells: numpy_form.Cells,
    tiles: Array,
    slope: Array,
    total: Array,
    take: numpy_form.Take = np.empty,
) -> Array:
    """Integrate the lower convex hull of the (coverage, selective risk) points, in rows."""
    area = np.array(total, dtype=np.float64)
    room = take((4, cells[0].size + tiles.shape[2] + 1))
    swept = _floats(tiles), _floats(slope)
    _compiled.swept_hull(*_ranked(counts, cells), *swept, area, room)
    return area


def _ranked(counts: Array, cells: numpy_form.Cells) -> tuple[Array, Indices, Indices, Array, Array]:
    start, cluster, size, loss = cells
    return _floats(counts), _positions(start), _positions(cluster), _floats(size), _floats(loss)


def rising_order(score: Array) -> Indices:
    """Return the rows from the lowest score up, equal scores as they come, NaN last."""
    order = np.empty(score.size, dtype=np.int64)
    _compiled.rising_order(_floats(score), np.empty((4, score.size)), order)
    return order


def step_precisions(
    score: Array, verdict: Array, n_steps: int, weight: Array | None = None
) -> tuple[Array, Array]:
    """Call rows positive from the highest score down, at each step of a scale of verdicts."""
    by_step = np.empty((2, n_steps + 1))
    room = np.empty((4, score.size))
    _compiled.step_precisions(_floats(score), _floats(verdict), _drawn(weight), room, by_step)
    return by_step[0], by_step[1]


def _drawn(weight: Array | None) -> Array:
    """Return what C takes as the weight of every row; nothing where each counts once."""
    return np.empty(0) if weight is None else _floats(weight)


def verdict_pairs(
    true: Array, given: Array, most: int, weight: Array | None = None
) -> Array | None:
    """Count the pairs of two verdicts, true by given, up to the highest; None if they are none."""
    counts = np.empty((2 * most, most))
    highest = _compiled.verdict_pairs(_floats(true), _floats(given), _drawn(weight), counts)
    if highest < 0 and true.size:
        return None
    return counts[: highest + 1, : highest + 1]


def smoothed_areas(cosines: Array, bandwidth: Array, n_points: int) -> Array:
    """Integrate the absolute value of smoothed gaps; many cosines are left to a transform."""
    needed = min(cosines.shape[1], n_points - 1, int(FADED / bandwidth.min(initial=1.0)) + 1)
    if needed > MOST_COSINES or n_points % 2 == 0:
        return numpy_form.smoothed_areas(cosines, bandwidth, n_points)
    table = _cosine_table(n_points)
    room, areas = np.empty((2, table.shape[1])), np.empty(bandwidth.size)
    columns = _floats(cosines[:, :needed]), _floats(bandwidth)
    _compiled.smoothed_areas(*columns, table, room, areas)
    return areas


@cache
def _cosine_table(n_points: int) -> Array:
    """Return cos(pi k t) by k, at the points of the lower half of the grid."""
    turns = np.outer(np.arange(MOST_COSINES), np.arange(n_points // 2 + 1)) % (2 * (n_points - 1))
    return np.cos(np.pi * turns / (n_points - 1))


def span_sums(truth: Array, low: Array, up: Array, weight: Array | None) -> Array:
    """Add up what intervals cover, their widths and by how much they miss, in one pass."""
    sums = np.empty(8)
    _compiled.span_sums(_floats(truth), _floats(low), _floats(up), _drawn(weight), sums)
    return sums


def top_label_sums(
    label: Array,
    probabilities: Array,
    edges: Array,
    weight: Array | None = None,
    *,
    closed: bool,
    tolerance: float,
) -> Array | None:
    """Add up rows, right ones and the largest probability by its class and bin, in one pass."""
    sums, room = np.empty((2, probabilities.shape[1], edges.size - 1, 3))
    columns = _floats(label), _floats(probabilities), _floats(edges), _drawn(weight)
    return sums if _compiled.top_label_sums(closed, tolerance, *columns, room, sums) else None


def trapezoid_areas(accepted: Array, lost: Array, upto: Array) -> tuple[Array, Array]:
    """Integrate selective and generalized risk by straight lines."""
    return _areas(_compiled.trapezoid_areas, accepted, lost, upto)


def step_areas(accepted: Array, lost: Array, upto: Array) -> tuple[Array, Array]:
    """Sum both risks item by item."""
    return _areas(_compiled.step_areas, accepted, lost, upto)


def _areas(kernel: Any, accepted: Array, lost: Array, upto: Array) -> tuple[Array, Array]:
    selective, generalized = np.empty(accepted.shape[0]), np.empty(accepted.shape[0])
    kernel(_floats(accepted), _floats(lost), _floats(upto), selective, generalized)
    return selective, generalized


def hull_area(accepted: Array, lost: Array, total: Array) -> Array:
    """Integrate the lower convex hull of the (coverage, selective risk) points, in rows."""
    room = np.empty((2, accepted.shape[1] + 1))
    area = np.empty(accepted.shape[0])
    _compiled.hull_area(_floats(accepted), _floats(lost), _floats(total), room[0], room[1], area)
    return area


def first_reaching(accepted: Array, needed: Array) -> Indices:
    """Find the first point that accepts at least `needed`."""
    point = np.empty(accepted.shape[0], dtype=np.int64)
    _compiled.first_reaching(_floats(accepted), _floats(needed), point)
    return point


def last_within(accepted: Array, lost: Array, target: float) -> Indices:
    """Find the last point whose selective risk is at most `target`."""
    point = np.empty(accepted.shape[0], dtype=np.int64)
    _compiled.last_within(float(target), _floats(accepted), _floats(lost), point)
    return point


def binned_sums(outcome: Array, score: Array, edges: Array, *, closed: bool) -> Array:
    """Add up what falls into each bin: rows, outcomes and scores."""
    n_bins = edges.size - 1
    sums, room = np.empty((3, n_bins)), np.empty((4, n_bins, 3))
    _compiled.binned_sums(closed, _floats(outcome), _floats(score), _floats(edges), room, sums)
    return sums


def counter_counts(seed: int, first: int, n_resamples: int, n_clusters: int) -> Array:
    """Draw clusters with replacement; each draw depends on (seed, replicate, draw) alone."""
    counts = np.empty((n_resamples, n_clusters))
    _compiled.counter_counts(seed % 2**64, first, counts)
    return counts


def legacy_counts(state: LegacyState, n_resamples: int, n_clusters: int) -> Array:
    """Draw clusters with replacement from NumPy's legacy stream, going on where it stood."""
    counts, room = np.empty((n_resamples, n_clusters)), np.empty(n_clusters // 4 + 1)
    _compiled.legacy_counts(state.words, room, counts)
    return counts


class LegacyState:
    """Where the legacy stream stands: the words of the Mersenne twister and its position."""

    def __init__(self, seed: int) -> None:
        """Seed it as `numpy.random.RandomState(seed)` does."""
        _, words, position, *_ = np.random.RandomState(seed).get_state(legacy=True)
        self.words = np.zeros(313, dtype=np.int64)
        self.words.view(np.uint32)[:625] = (*words, position)


def lacking_words(text: bytes, read_as: bytes, start: Indices, n_quoted: Indices) -> Indices:
    """Count the distinct words of every quotation, and those that its document lacks."""
    counts = np.empty((int(n_quoted.sum()), 2), dtype=np.int64)
    first = np.cumsum(n_quoted + 1) - n_quoted - 1
    n_bytes = np.asarray(start)[first + n_quoted] - np.asarray(start)[first]
    # A word takes a byte and, but for the last of a quotation, another one to end it.
    most = int(np.max(n_bytes + n_quoted, initial=0)) // 2 + 1
    room = np.zeros((1 << (2 * most).bit_length(), 6), dtype=np.int64)
    _compiled.lacking_words(text, read_as, _positions(start), _positions(n_quoted), room, counts)
    return counts


def step_overlaps(text: bytes, start: Indices, cases: Indices) -> Array:
    """Return the Dice coefficient of every step with every gold step, case by case."""
    n_texts = cases.sum(-1)
    ends = np.append(0, np.cumsum(n_texts))
    # A word takes a byte and, but for the last of a text, another one to end it.
    most = int(np.max(np.diff(start[ends]) + n_texts, initial=0)) // 2 + 1
    words = np.zeros((1 << (2 * most).bit_length(), 6), dtype=np.int64)
    nodes = np.empty((most, 2), dtype=np.int64)
    gold = np.empty((int(cases[:, 1].max(initial=0)), 2), dtype=np.int64)
    overlaps = np.empty(int(cases.prod(-1).sum()))
    _compiled.step_overlaps(
        text, _positions(start), _positions(cases), words, nodes, gold, overlaps
    )
    return overlaps


def nearest_steps(overlaps: Array, cases: Indices, threshold: float) -> tuple[Indices, Indices]:
    """Find the nearest gold step of every step, and whether it is the first to claim it."""
    nearest, kept = np.empty((2, int(cases[:, 0].sum())), dtype=np.int64)
    taken = np.zeros(int(cases[:, 1].max(initial=0)), dtype=np.int64)
    _compiled.nearest_steps(
        float(threshold), _floats(overlaps), _positions(cases), taken, nearest, kept
    )
    return nearest, kept


if not hasattr(_compiled, "lacking_words"):  # built before there was this loop
    from assay._kernels.word_form import lacking_words


def _signs(text: str) -> tuple[bytes, bool]:
    """Return a text as bytes, and whether that are four for every sign."""
    wide = not text.isascii()
    return (text.encode(_WIDE, "surrogatepass") if wide else text.encode()), wide


def literal_places(text: str, literals: Literals) -> list[Place]:
    """List where literals stand in a text, in order; one may lie within another."""
    signs, wide = _signs(text)
    return _compiled.literal_places(signs, wide, *literals.tree)


def holds_literal(text: str, literals: Literals) -> bool:
    """Say whether any literal stands in a text."""
    signs, wide = _signs(text)
    return _compiled.holds_literal(signs, wide, *literals.tree)


def lone_letters(text: str) -> list[int]:
    """List where letters of ASCII stand in a text that touch no other, and no digit."""
    return _compiled.lone_letters(*_signs(text))


_WIDE = f"utf-32-{'le' if sys.byteorder == 'little' else 'be'}"


def initials(text: str) -> str:
    """Return the first letters of words of four signs and more, a dot for others but for links."""
    return _compiled.initials(text.encode())


def distinct_words(text: str) -> frozenset[str]:
    """Return the words of a text, which are letters and digits; it is ASCII in small letters."""
    return _compiled.distinct_words(text.encode())


if not hasattr(_compiled, "lone_letters"):  # as above
    from assay._kernels.literal_form import distinct_words, holds_literal, lone_letters


def single_spaced(text: str) -> tuple[str, list[int], list[int]]:
    """Return a text with single spaces, where it leaves some out, and how many up to there."""
    if text.isascii():
        return _compiled.single_spaced(text.encode())
    return numpy_form.single_spaced(text)


if not hasattr(_compiled, "single_spaced"):  # as above
    from assay._kernels.literal_form import initials, literal_places, single_spaced


# A module that was built before these existed tells nothing by them.
_scan = getattr(_compiled, "distinct_keys", lambda _: False)
_cells = getattr(_compiled, "json_cells", numpy_form.json_cells)


def distinct_keys(text: bytes) -> bool:
    """Say whether no object of a valid JSON text has a key twice.

    The scan answers nearly always; it cannot where a key is spelled with an escape.
    """
    return _scan(text) or numpy_form.distinct_keys(text)


def json_cells(
    text: bytes, way: Sequence[str | None], paths: Sequence[Sequence[str]]
) -> tuple[Array, Any, list[tuple[int, int, int, int]]] | None:
    """Return cells of the objects in arrays of a JSON text, or None where it takes a closer look.

    `way` leads to the arrays (None: through each element of another), `paths` from one of their
    elements to its columns. Values and states are (rows, columns): a `State`, or 5 for a number
    without a fraction, 6 for an object (its value is how many keys it has). What is OTHER has the
    value of its place in the text. Each array is known by where it starts and ends and by its rows.

    The text is then valid JSON, if it is UTF-8, and no object of it has a key twice.
    """
    names, places = _places(way, paths)
    found = _cells(text, names, places, len(paths))
    if found is None:
        return None
    value, state = np.frombuffer(found[0]), np.frombuffer(found[1], np.int8)
    return value.reshape(-1, len(paths)), state.reshape(-1, len(paths)), found[2]


OPEN, ARRAY, ROWS = range(3)


def _places(way: Sequence[str | None], paths: Sequence[Sequence[str]]) -> tuple[bytes, Indices]:
    """Return the keys that are looked for, and by place: key, children, column and kind."""
    tree: dict[Any, Any] = {}
    whole = {(*way, None, *path): column for column, path in enumerate(paths)}
    for path in whole:
        inner = tree
        for key in path:
            inner = inner.setdefault(key, {})
    places, names = [], b""
    waiting: list[tuple[tuple[Any, ...], dict[Any, Any]]] = [((), tree)]
    for path, inner in waiting:  # which grows: children stand side by side
        name = (path[-1] or "").encode() if path else b""
        kind = OPEN if None not in inner else ROWS if path == tuple(way) else ARRAY
        column = whole.get(path, -1)
        places.append((len(names), len(name), len(waiting), len(inner), column, kind))
        names += name
        waiting += [((*path, each), below) for each, below in inner.items()]
    return names, np.array(places, np.int64)
