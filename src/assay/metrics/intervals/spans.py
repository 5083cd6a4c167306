"""Intervals row by row: what they cover, how wide they are, by how much they miss.

Bounds may be infinite: such an interval covers what lies inside, and its width is infinite.
Bounds may be crossed (low above up), which `crossed` decides, once for all metrics:

==========  ==================  =================  =================================
`crossed`   covers              width              misses
==========  ==================  =================  =================================
``refuse``  an error that names the rows
``swap``    as if exchanged     as if exchanged    as if exchanged
``empty``   nothing             0                  both bounds, where they are missed
``mapie``   nothing             as if exchanged    as if exchanged
==========  ==================  =================  =================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, aligned, columns, length, whole
from assay.errors import ColumnError
from assay.metrics.intervals.totals import by_cluster, drawn, ratio, shaped
from assay.rounding import BOUND_ROUNDING, alike
from assay.showing import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from assay.columns import Array, Indices, Weight
    from assay.metrics.intervals.totals import ClusterSums

Crossed = Literal["refuse", "swap", "empty", "mapie"]
Formula = Literal["code", "printed"]
Quantity = Literal["covered", "width", "under", "over"]

SUMMED: tuple[Quantity, ...] = ("covered", "width", "under", "over")
"""in the order of the kernel"""
UNIT = 2.0**64
"""A length in which the largest double is small."""
CHUNK = 1 << 15
"""Rows looked at together, so that what is made of them stays near the processor."""


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Checked intervals and the values they are to cover."""

    truth: Array
    low: Array
    up: Array
    crossed: Crossed

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Say which rows lie within their bounds, both inclusive."""
        low, up = self._exchanged() if self.crossed == "swap" else (self.low, self.up)
        return (low <= self.truth) & (self.truth <= up)

    @property
    def width(self) -> Array:
        """Return the width of every row."""
        with np.errstate(invalid="ignore", over="ignore"):
            width = self.up - self.low
            bounded = np.isfinite(width.sum())
        if not bounded:
            width[self.up == self.low] = 0.0
        if self.crossed == "empty":
            return np.maximum(width, 0.0, out=width)
        return np.abs(width, out=width)

    @property
    def under(self) -> Array:
        """Return how far below its lower bound every row lies."""
        low = self.low if self.crossed in {"refuse", "empty"} else self._exchanged()[0]
        with np.errstate(over="ignore"):
            return np.maximum(low - self.truth, 0.0)

    @property
    def over(self) -> Array:
        """Return how far above its upper bound every row lies."""
        up = self.up if self.crossed in {"refuse", "empty"} else self._exchanged()[1]
        with np.errstate(over="ignore"):
            return np.maximum(self.truth - up, 0.0)

    @property
    def noise(self) -> Array:
        """Return by how much rounding alone may make two widths differ, 0 for infinite ones."""
        size = np.maximum(np.abs(self.low), np.abs(self.up))
        return np.where(np.isfinite(size), BOUND_ROUNDING * size, 0.0)

    @property
    def one_width(self) -> bool:
        """Say whether all widths are equal, up to the rounding of the bounds."""
        return alike((part.width, part.noise) for part in self.chunks())

    def _exchanged(self) -> tuple[Array, Array]:
        return np.minimum(self.low, self.up), np.maximum(self.low, self.up)

    def rows(self, quantity: Quantity) -> Array:
        """Return one quantity of every row."""
        values: Array = getattr(self, quantity).astype(np.float64, copy=False)
        return values

    def of(self, rows: Indices | slice) -> Spans:
        """Return some rows."""
        return Spans(self.truth[rows], self.low[rows], self.up[rows], self.crossed)

    def chunks(self, n: int = CHUNK) -> Iterator[Spans]:
        """Yield the rows part by part."""
        for first in range(0, self.truth.size, n):
            yield self.of(slice(first, first + n))

    def total(self, quantity: Quantity) -> float:
        """Add one quantity up over all rows; infinite beyond the range of a double."""
        with np.errstate(over="ignore"):
            sums = [float(getattr(part, quantity).sum()) for part in self.chunks()]
        try:
            return math.fsum(sums)
        except OverflowError:
            return math.inf

    def in_units(self) -> Spans:
        """Return the same intervals in units so large that no sum is beyond a double."""
        return Spans(self.truth / UNIT, self.low / UNIT, self.up / UNIT, self.crossed)


def spans_of(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    crossed: Crossed,
    resamples: Resamples | None = None,  # noqa: ARG001 - plans are made of columns and resamples
) -> Spans:
    """Check columns and refuse crossed bounds unless a rule for them is given."""
    truth, low, up = columns(truth=truth, low=low, up=up)
    if crossed == "refuse":
        _refuse_crossed(low, up)
    return Spans(truth, low, up, crossed)


def _refuse_crossed(low: Array, up: Array) -> None:
    wrong = low > up
    if wrong.any():
        row, n = int(wrong.argmax()), int(wrong.sum())
        msg = (
            f"`low` must not be above `up`, found {low[row]:g} and {up[row]:g} at row {row}"
            f" ({n} of {counted(low.size, 'row')})"
        )
        raise ColumnError(msg, hint='crossed="swap" exchanges such bounds, "empty" covers nothing')


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Sums over all rows, on every resample."""

    spans: Spans
    resamples: Resamples | None
    """None without a weight, where rows are added up as they are"""
    sums: Array | None = None
    """what one pass over all rows found, for a single weight and rows without a fault"""

    @property
    def n(self) -> Array:
        """Return the weight of all rows."""
        if self.sums is not None:
            return self.sums[4:5]
        if self.resamples is None:
            return np.array([float(self.spans.truth.size)])
        return self.resamples.total()

    def of(self, quantity: Quantity) -> Array:
        """Return the sum of one quantity, (resamples,)."""
        if self.sums is not None:
            place = SUMMED.index(quantity)
            return self.sums[place : place + 1]
        if self.resamples is None:
            return np.array([self.spans.total(quantity)])
        sums = self.resamples.plan(_by_cluster, self.spans, quantity)
        total: Array = self.resamples.curve(drawn, sums)
        return total

    def mean(self, quantity: Quantity) -> Array:
        """Return the mean of a length, (resamples,), also where its sum is beyond a double."""
        found = ratio(self.of(quantity), self.n)
        beyond = np.isinf(found)
        if not beyond.any():
            return found
        with np.errstate(over="ignore"):
            return np.where(beyond, UNIT * ratio(self.in_units().of(quantity), self.n), found)

    def relative_width(self) -> Array:
        """Return the mean width over the range of the true values, (resamples,)."""
        width, extent = ratio(self.of("width"), self.n), self.range()
        beyond = np.isinf(width) | np.isinf(extent)
        if not beyond.any():
            return ratio(width, extent)
        large = self.in_units()
        return np.where(
            beyond,
            ratio(ratio(large.of("width"), self.n), large.range()),
            ratio(np.where(beyond, np.nan, width), extent),
        )

    def in_units(self) -> Totals:
        """Return the same sums in large units."""
        if self.resamples is None:
            return Totals(self.spans.in_units(), None)
        return Totals(self.resamples.plan(_in_units, self.spans), self.resamples)

    def range(self) -> Array:
        """Return the largest true value minus the smallest, (resamples,); NaN without rows."""
        if not self.spans.truth.size:
            return np.full(self.n.shape, np.nan)
        if self.sums is not None:
            least, most = self.sums[5:7]
            with np.errstate(over="ignore"):
                return np.array([most - least if least <= most else np.nan])
        if self.resamples is None:
            with np.errstate(over="ignore"):
                return np.array([np.ptp(self.spans.truth)])
        ends = self.resamples.plan(_ends, self.spans)
        extent: Array = self.resamples.curve(_extent, ends)
        return extent

    def whole(self, reading: str) -> None:
        """Refuse weights that are not copies."""
        if self.resamples is not None:
            whole(self.resamples, reading)

    def shaped(self, values: Array) -> float | Array:
        """Give one value per resample the shape of the weight: a number for a single weight."""
        return shaped(values, () if self.resamples is None else self.resamples.shape)


def totals(
    truth: ArrayLike, low: ArrayLike, up: ArrayLike, *, weight: Weight, crossed: Crossed
) -> Totals:
    """Check the columns once per table and prepare their sums."""
    if weight is None:
        spans, sums = _one_pass(truth, low, up, crossed, None)
        return Totals(spans, None, sums)
    resamples = Resamples.of(weight, n_rows=length(truth=truth))
    if not resamples.shape:
        spans, sums = resamples.curve(_one_pass, truth, low, up, crossed)
        return Totals(spans, resamples, sums)
    return Totals(resamples.plan(spans_of, truth, low, up, crossed), resamples)


def _one_pass(
    truth: ArrayLike,
    low: ArrayLike,
    up: ArrayLike,
    crossed: Crossed,
    resamples: Resamples | None,
) -> tuple[Spans, Array | None]:
    """Add everything up at once; rows that have a fault, and infinite ones, take the long way."""
    given = aligned(truth=truth, low=low, up=up)
    weight = None
    if resamples is not None:
        weight = resamples.counts[0] if resamples.by_row else resamples.rows()
    sums: Array = kernels.span_sums(*given, weight)
    if sums[7] == 0 and np.isfinite(sums[:5]).all():
        return Spans(given[0], given[1], given[2], crossed), sums
    if resamples is None:
        return spans_of(truth, low, up, crossed), None
    return resamples.plan(spans_of, truth, low, up, crossed), None


def _in_units(
    spans: Spans,
    resamples: Resamples,  # noqa: ARG001 - plans are made of columns and resamples
) -> Spans:
    return spans.in_units()


def _by_cluster(spans: Spans, quantity: Quantity, resamples: Resamples) -> ClusterSums:
    return by_cluster(spans.rows(quantity), resamples)


def _ends(spans: Spans, resamples: Resamples) -> tuple[Array, Array]:
    """Return the smallest and the largest true value of each cluster."""
    if resamples.by_row:
        return spans.truth, spans.truth
    n_clusters, counted = resamples.counts.shape[1], resamples.size > 0
    cluster, truth = resamples.cluster[counted], spans.truth[counted]
    least, most = np.full(n_clusters, np.inf), np.full(n_clusters, -np.inf)
    np.minimum.at(least, cluster, truth)
    np.maximum.at(most, cluster, truth)
    return least, most


def _extent(ends: tuple[Array, Array], resamples: Resamples) -> Array:
    least, most = ends
    absent = resamples.counts == 0
    high = np.where(absent, -np.inf, most).max(-1)
    low = np.where(absent, np.inf, least).min(-1)
    extent: Array = np.full(high.shape, np.nan)
    with np.errstate(over="ignore"):
        np.subtract(high, low, out=extent, where=high >= low)
    return extent
