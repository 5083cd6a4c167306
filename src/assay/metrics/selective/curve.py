r"""Rows in the order in which a falling threshold accepts them, and what it accepts by then.

The order never changes under resampling, so it is made once per table: rows become cells (one
per point and cluster), and a block of resamples only adds up cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, columns, length, whole
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from assay.columns import Array, Indices, Weight

SWEPT_FROM = 1024
"""points from which a curve is not written out"""
SMOOTHED = 50
"""parts of a curve over which its slope is taken"""
SWEPT = ("accepted", "lost")
"""in the order of the kernel"""
Area = Literal["trapezoid", "step"]
Scored = tuple["Array", "Array", "Array"]
"""by row: what it is ranked by, its loss, and whether it was answered"""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Answered rows from the surest down, cut into working points."""

    threshold: Array
    """(points,), the score a row must have to be accepted"""
    start: Indices
    """(points + 1,), cells start[m] to start[m + 1] belong to point m"""
    cluster: Indices
    size: Array
    loss: Array


@dataclass(frozen=True)
class RiskCoverageCurve:
    """What is accepted and lost at each working point as the threshold falls.

    `accepted` and `lost` are (resamples, points) and count rows, so that ties and thresholds are
    exact; `total` counts all rows, the abstentions among them.
    """

    threshold: Array
    accepted: Array
    lost: Array
    total: Array
    shape: tuple[int, ...]
    """the leading axes of the weight"""

    @property
    def coverage(self) -> Array:
        """Return the share of all rows accepted, (..., points)."""
        return self._points(share(self.accepted, self.total[:, None]))

    @property
    def selective_risk(self) -> Array:
        """Return the mean loss of the accepted rows, NaN before the first, (..., points)."""
        return self._points(ratio(self.lost, self.accepted))

    @property
    def generalized_risk(self) -> Array:
        """Return the accepted loss spread over all rows, (..., points)."""
        return self._points(share(self.lost, self.total[:, None]))

    def _points(self, values: Array) -> Array:
        return values.reshape(*self.shape, self.threshold.size)

    @cached_property
    def answered(self) -> Array:
        """Return the weight of all answered rows."""
        return self._last("accepted")

    @cached_property
    def loss(self) -> Array:
        """Return the loss of all answered rows."""
        return self._last("lost")

    def _last(self, values: str) -> Array:
        points: Array = getattr(self, values)
        return points[:, -1] if self.threshold.size else np.zeros(self.total.shape)

    @cached_property
    def hull(self) -> Array:
        """Return the area under the lower convex hull of the points, in rows."""
        area: Array = kernels.hull_area(self.accepted, self.lost, self.total)
        return area

    @cached_property
    def _read(self) -> dict[object, tuple[Array, Array]]:
        """Keep what several metrics read."""
        return {}

    def area(self, reading: Area, coverage: float | Array = 1.0) -> tuple[Array, Array]:
        """Return the areas (selective, generalized) up to a coverage, in rows."""
        key = (reading, np.asarray(coverage).tobytes())
        if key not in self._read:
            upto = np.minimum(coverage * self.total, self.answered)
            self._read[key] = self._area(reading, upto)
        return self._read[key]

    def _area(self, reading: Area, upto: Array) -> tuple[Array, Array]:
        kernel = kernels.trapezoid_areas if reading == "trapezoid" else kernels.step_areas
        areas: tuple[Array, Array] = kernel(self.accepted, self.lost, upto)
        return areas

    def area_by_item(self, reading: Area) -> tuple[Array, Array]:
        """Return the areas (selective, generalized) with the copies of a row one by one, in rows.

        The straight lines between single items differ from the steps only by half of the first
        risk and half of the last.
        """
        selective, generalized = self.area("step")
        if reading == "step":
            return selective, generalized
        if "lines" not in self._read:
            first = kernels.first_reaching(self.accepted, np.ones(self.total.size))
            least = ratio(self.at(self.lost, first), self.at(self.accepted, first))
            ends = np.nan_to_num(least) - share(self.loss, self.answered)
            self._read["lines"] = selective + ends / 2, generalized - self.loss / 2
        return self._read["lines"]

    def matched(self, coverage: float, reading: Area) -> tuple[Array, Array]:
        """Return what is accepted and lost where a coverage is first reached.

        That is a working point, or for ``step`` the smallest number of items that reaches it.
        """
        key = ("matched", coverage, reading)
        if key not in self._read:
            # In binary 0.55 * 100 is above 55: what exceeds a whole number by rounding is meant
            # to be that number.
            self._read[key] = self._reached(coverage * self.total * (1 - ROUNDING), reading)
        return self._read[key]

    def _reached(self, needed: Array, reading: Area) -> tuple[Array, Array]:
        point = kernels.first_reaching(self.accepted, needed)
        accepted, lost = self.at(self.accepted, point), self.at(self.lost, point)
        if reading == "step":
            spared = np.maximum(accepted - np.ceil(needed), 0.0)
            lost = lost - spared * self.loss_each(point)
            accepted = accepted - spared
        return accepted, lost

    def loss_each(self, point: Indices) -> Array:
        """Return the loss of one item that a point accepts."""
        copies, lost = self._step(self.accepted, point), self._step(self.lost, point)
        return ratio(lost, copies)

    def _step(self, values: Array, point: Indices) -> Array:
        return self.at(values, point) - np.where(point > 0, self.at(values, point - 1), 0.0)

    def at(self, values: Array, point: Indices) -> Array:
        """Read one value per resample; NaN where there is no such point."""
        n_points = self.threshold.size
        if not n_points:
            return np.full(self.total.shape, np.nan)
        first = np.arange(0, values.size, n_points)
        read = values.ravel().take(first + np.clip(point, 0, n_points - 1))
        read[(point < 0) | (point >= n_points)] = np.nan
        return read

    def shaped(self, values: Array) -> float | Array:
        """Give one value per resample the shape of the weight: a number for a single weight."""
        return values.reshape(self.shape) if self.shape else float(values[0])


class SweptCurve(RiskCoverageCurve):
    """The curve of a long ranking, swept over once for every resample and never written out.

    Whoever reads it point by point makes it be written out after all.
    """

    def __init__(self, ranking: Ranking, resamples: Resamples, tiles: Array) -> None:
        """Keep what is needed to sweep over it again."""
        cells = ranking.start, ranking.cluster, ranking.size, ranking.loss
        object.__setattr__(self, "threshold", ranking.threshold)
        object.__setattr__(self, "total", resamples.total())
        object.__setattr__(self, "shape", resamples.shape)
        object.__setattr__(self, "_swept", (resamples.counts, cells, tiles))
        object.__setattr__(self, "_made_of", (ranking, resamples))

    @cached_property
    def _written_out(self) -> tuple[Array, Array]:
        return _summed(*self.__dict__["_made_of"])

    @property
    def accepted(self) -> Array:
        """Return the weight accepted at each point, (resamples, points)."""
        return self._written_out[0]

    @property
    def lost(self) -> Array:
        """Return the loss accepted at each point, (resamples, points)."""
        return self._written_out[1]

    def _last(self, values: str) -> Array:
        tiles: Array = self.__dict__["_swept"][2]
        return tiles[SWEPT.index(values), :, -1].copy()

    @cached_property
    def hull(self) -> Array:
        """Return the area under the lower convex hull of the points, in rows."""
        ranking, resamples = self.__dict__["_made_of"]
        slope, take = resamples.plan(_slopes, ranking), resamples.scratch.take
        area: Array = kernels.swept_hull(*self.__dict__["_swept"], slope, self.total, take)
        return area

    def _area(self, reading: Area, upto: Array) -> tuple[Array, Array]:
        if reading == "step":
            return super()._area(reading, upto)
        _, _, selective, generalized = self._to(upto)
        return selective, generalized

    def _reached(self, needed: Array, reading: Area) -> tuple[Array, Array]:
        if reading == "step":
            return super()._reached(needed, reading)
        accepted, lost, _, _ = self._to(needed)
        return accepted, lost

    def _to(self, upto: Array) -> tuple[Array, ...]:
        return tuple(kernels.swept_to(*self.__dict__["_swept"], upto))


def share(part: Array, total: Array) -> Array:
    """Divide by a total; nothing of nothing is 0."""
    return np.divide(part, total, out=np.zeros(np.shape(part)), where=total > 0)


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide; NaN where the denominator is 0."""
    undefined: Array = np.full(np.shape(numerator), np.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator != 0)


def risk_coverage_curve(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> RiskCoverageCurve:
    """Accept rows from the surest down; equal confidences together, or row by row for ``step``.

    Examples
    --------
    >>> curve = risk_coverage_curve([0, 1, 0, 1], [0.9, 0.8, 0.8, 0.6], answered=[1, 1, 1, 0])
    >>> print(curve.threshold, curve.coverage, curve.generalized_risk)
    [0.9 0.8] [0.25 0.75] [0.   0.25]
    """
    if area == "step":
        return _ranked(_rows, loss, confidence, answered, weight=weight)
    return _curve(_by_confidence, _plateaus, loss, confidence, answered, weight=weight)


def error_curve(
    loss: ArrayLike, confidence: ArrayLike, *, answered: ArrayLike | None, weight: Weight
) -> RiskCoverageCurve:
    """Accept rows from the surest down, every wrong answer costing 1."""
    return _curve(_by_error, _errors, loss, confidence, answered, weight=weight)


def oracle_curve(
    loss: ArrayLike, *, answered: ArrayLike | None, weight: Weight
) -> RiskCoverageCurve:
    """Accept rows by rising loss, equal losses as one point of several copies."""
    return _curve(_by_loss, _oracle, loss, answered, weight=weight)


def _curve(
    scored: Callable[..., Scored],
    ranking: Callable[..., Ranking],
    *arguments: ArrayLike | None,
    weight: Weight,
) -> RiskCoverageCurve:
    """Accept equal scores together; rows that all count once need neither clusters nor cells."""
    if weight is None:
        return _every_row_once(scored, *arguments, None)
    resamples = Resamples.of(weight, n_rows=length(loss=arguments[0]))
    if resamples.every_row_once:
        made: RiskCoverageCurve = resamples.curve(_every_row_once, scored, *arguments)
        return made
    return _drawn(ranking, *arguments, resamples=resamples)


def _every_row_once(scored: Callable[..., Scored], *arguments: Any) -> RiskCoverageCurve:
    *given, _ = arguments  # curves are made of columns and resamples
    score, loss, answered = scored(*given)
    threshold, accepted, lost = kernels.plateaus(*_answered(score, loss, answered))
    total = np.array([float(score.size)])
    return RiskCoverageCurve(threshold, accepted[None], lost[None], total, ())


def _answered(score: Array, loss: Array, answered: Array) -> tuple[Array, Array]:
    if answered.all():
        return score, loss
    rows = np.flatnonzero(answered)
    return score[rows], loss[rows]


def _ranked(
    ranking: Callable[..., Ranking], *arguments: ArrayLike | None, weight: Weight
) -> RiskCoverageCurve:
    """Rank once per table, add up once per block of resamples."""
    resamples = Resamples.of(weight, n_rows=length(loss=arguments[0]))
    return _drawn(ranking, *arguments, resamples=resamples)


def _drawn(
    ranking: Callable[..., Ranking], *arguments: ArrayLike | None, resamples: Resamples
) -> RiskCoverageCurve:
    made: RiskCoverageCurve = resamples.curve(_accumulated, resamples.plan(ranking, *arguments))
    return made


def _accumulated(ranking: Ranking, resamples: Resamples) -> RiskCoverageCurve:
    if ranking.threshold.size >= SWEPT_FROM and kernels.ENGINE == "compiled":
        cells = ranking.start, ranking.cluster, ranking.size, ranking.loss
        slope = resamples.plan(_slopes, ranking)
        tiles = kernels.sweep(resamples.counts, cells, slope, resamples.scratch.take)
        if tiles is not None:
            return SweptCurve(ranking, resamples, tiles)
    sums = _summed(ranking, resamples)
    return RiskCoverageCurve(ranking.threshold, *sums, resamples.total(), resamples.shape)


def _slopes(ranking: Ranking, resamples: Resamples) -> Array:
    """Return by how much the selective risk rises with each row, tile by tile, with its noise out.

    A resample rises alike, so that a line of this slope under a tile lies close to it.
    """
    del resamples  # plans are made of columns and resamples
    ends = ranking.start[np.append(np.arange(0, ranking.threshold.size, kernels.TILE), -1)]
    accepted, lost = (
        np.append(0.0, np.cumsum(each))[ends] for each in (ranking.size, ranking.loss)
    )
    risk = share(lost, accepted)
    tiles = np.arange(ends.size - 1)
    near = max(1, tiles.size // SMOOTHED)
    left, right = np.maximum(tiles - near, 1), np.minimum(tiles + 1 + near, tiles.size)
    return share(risk[right] - risk[left], accepted[right] - accepted[left])


def _summed(ranking: Ranking, resamples: Resamples) -> tuple[Array, Array]:
    """Write out what every point accepts and loses."""
    shape = (resamples.counts.shape[0], ranking.threshold.size)
    accepted, lost = resamples.scratch.take(shape), resamples.scratch.take(shape)
    cells = ranking.start, ranking.cluster, ranking.size, ranking.loss
    kernels.accumulate(resamples.counts, *cells, accepted, lost)
    return accepted, lost


def _by_confidence(loss: ArrayLike, confidence: ArrayLike, answered: ArrayLike | None) -> Scored:
    """Rank by falling confidence."""
    loss, confidence, answered = columns(loss=loss, confidence=confidence, answered=answered)
    return confidence, loss, answered


def _by_error(loss: ArrayLike, confidence: ArrayLike, answered: ArrayLike | None) -> Scored:
    """Rank by falling confidence, every wrong answer costing 1."""
    loss, confidence, answered = columns(loss=loss, confidence=confidence, answered=answered)
    return confidence, (loss > 0).astype(np.float64), answered


def _by_loss(loss: ArrayLike, answered: ArrayLike | None) -> Scored:
    """Rank as an oracle would: by rising loss."""
    loss, answered = columns(loss=loss, answered=answered)
    return -loss, loss, answered


def _rows(
    loss: ArrayLike, confidence: ArrayLike, answered: ArrayLike | None, resamples: Resamples
) -> Ranking:
    """Rank by falling confidence, equal ones in row order, each row a point of its own."""
    loss, confidence, answered = columns(loss=loss, confidence=confidence, answered=answered)
    whole(resamples, "the step reading")
    found = np.flatnonzero(answered)
    order = found[kernels.rising_order(-confidence[found])]
    size = resamples.size[order]
    return Ranking(
        threshold=confidence[order],
        start=np.arange(order.size + 1),
        cluster=resamples.cluster[order],
        size=size,
        loss=size * loss[order],
    )


def _plateaus(
    loss: ArrayLike, confidence: ArrayLike, answered: ArrayLike | None, resamples: Resamples
) -> Ranking:
    return _merged(*_by_confidence(loss, confidence, answered), resamples)


def _errors(
    loss: ArrayLike, confidence: ArrayLike, answered: ArrayLike | None, resamples: Resamples
) -> Ranking:
    return _merged(*_by_error(loss, confidence, answered), resamples)


def _oracle(loss: ArrayLike, answered: ArrayLike | None, resamples: Resamples) -> Ranking:
    whole(resamples, "the optimal area")
    return _merged(*_by_loss(loss, answered), resamples)


def _merged(score: Array, loss: Array, answered: Array, resamples: Resamples) -> Ranking:
    """Merge rows of one score and cluster into cells, and the cells of one score into points."""
    found = np.flatnonzero(answered)
    if resamples.counts.shape[1] == score.size:  # every row is its own cluster: nothing to merge
        order = found[kernels.rising_order(-score[found])]
        cells = np.arange(order.size)
    else:
        order = found[np.lexsort((resamples.cluster[found], -score[found]))]
        cells = np.flatnonzero(_changes(score[order]) | _changes(resamples.cluster[order]))
    size = resamples.size[order]
    point = np.flatnonzero(_changes(score[order[cells]]))
    return Ranking(
        threshold=score[order[cells[point]]],
        start=np.append(point, cells.size),
        cluster=resamples.cluster[order[cells]],
        size=_cells(size, cells),
        loss=_cells(size * loss[order], cells),
    )


def _changes(values: Array | Indices) -> NDArray[np.bool_]:
    """Say where a value differs from the one before."""
    return np.append(True, values[1:] != values[:-1])[: values.size]


def _cells(values: Array, first: Indices) -> Array:
    return values if first.size == values.size else np.add.reduceat(values, first)
