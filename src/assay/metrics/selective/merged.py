"""Where numbers of a risk-coverage curve lie if an engine merged confidences that are near.

Within merged rows the order is not known, and neither are ties. If n of them lose s in all, each at
most L, then after i of them the loss is between max(0, i - (n - s/L)) L and min(i, s/L) L: what is
computed from that holds whatever the order was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.registry import METRICS, all_but
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from assay.columns import Array, Resamples
    from assay.registry import Metric

    Columns = Mapping[str, Array]
    Exactly = Callable[..., float]

EXACT = frozenset(
    {
        *("cmax", "risk", "aurc_optimal", "augrc_optimal", "coverage_at_threshold"),
        *("risk_at_threshold", "generalized_risk_at_threshold", "failure_rate"),
    }
)
"""numbers that no order changes, and those at thresholds, across which nothing is merged"""
LOST = dict.fromkeys(
    (
        *("aurc_optimal", "augrc_optimal", "eaurc", "eaugrc", "aurc_gap_pct", "augrc_gap_pct"),
        *("error_auroc",),
    ),
    "it needs every loss, and an engine added them up",
)
AREAS = frozenset(
    {
        *("aurc", "augrc", "augrc_normalized", "naurc", "naugrc", "aurc_at_coverage"),
        *("augrc_at_coverage", "mean_risk_at_coverage", "eaurc", "eaugrc", "aurc_gap_pct"),
        *("augrc_gap_pct", "aurc_achievable", "aurc_achievable_gain_pct"),
    }
)
"""numbers that follow from an area, whose ends are known"""
UNKNOWN = "an engine merged what is nearly the same, and it is not known where it lies then"
Ends = tuple[float, float]


def withheld(ends: Columns) -> dict[str, str]:
    """Return the numbers that merged rows do not tell, and why; a number not known here is one."""
    if "lowest" not in ends:
        return {}
    unknown = all_but({*EXACT, *AREAS, *POINTWISE}, "selective", UNKNOWN)
    return {**unknown, **LOST} if "loss_highest" in ends else unknown


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """Merged rows from the surest down: how many, what they lose, what they lose at most."""

    n: Array
    lost: Array
    most: Array
    """rows that would lose as much if each lost the most"""
    largest: Array
    single: Array
    """1 where all confidences are the same, so that rows are accepted together"""
    wrong: Array
    total: float

    @property
    def before(self) -> tuple[Array, Array]:
        """Return what was accepted and lost before each point."""
        return self.n.cumsum() - self.n, self.lost.cumsum() - self.lost

    def risks(self) -> tuple[Array, Array]:
        """Return the least and the largest risk that the curve may have within each point."""
        k, s = self.before
        end = _over(s + self.lost, k + self.n)
        start = np.where(k > 0, _over(s, k), end)
        least = np.minimum(_over(s, k + self.n - self.most), end)
        low = np.where(self.single > 0, np.minimum(start, end), least)
        full = np.where(self.most > 0, _over(s + self.lost, k + self.most), start)
        high = np.where(self.single > 0, np.maximum(start, end), np.maximum(full, start))
        # Where nothing came before, the first rows are all that is known of the start.
        first = (k == 0) & (self.single == 0)
        return np.where(first, 0.0, low), np.where(first, self.largest, high)

    def selective(self, upto: float) -> Ends:
        """Bound the area under the selective risk up to so many rows."""
        k, s = self.before
        inside = np.clip(upto - k, 0.0, self.n)
        low, high = self.risks()
        end = _over(s + self.lost, k + self.n)
        start = np.where(k > 0, _over(s, k), end)
        line = inside * (start + (start + (end - start) * _over(inside, self.n))) / 2
        ends = [np.where(self.single > 0, line, inside * each) for each in (low, high)]
        return float(ends[0].sum()), float(ends[1].sum())

    def generalized(self, upto: float) -> Ends:
        """Bound the area under the loss that was accepted up to so many rows."""
        k, s = self.before
        i = np.clip(upto - k, 0.0, self.n)
        late = np.maximum(i - (self.n - self.most), 0.0) ** 2 / 2 * self.largest
        early = np.minimum(i, self.most) ** 2 / 2 + np.maximum(i - self.most, 0.0) * self.most
        line = self.lost * _over(i * i, self.n) / 2
        ends = [np.where(self.single > 0, line, each) for each in (late, early * self.largest)]
        return float((s * i + ends[0]).sum()), float((s * i + ends[1]).sum())

    def hull(self) -> float:
        """Bound the area under the lower hull from below: no point is below its least risk."""
        low, _ = self.risks()
        k, _ = self.before
        x = np.concatenate([k, k + self.n])
        y = np.concatenate([low, low])
        order = np.lexsort([y, x])
        kept: list[tuple[float, float]] = []
        for point in zip(x[order].tolist(), y[order].tolist(), strict=True):
            if kept and kept[-1][0] == point[0]:
                continue
            while len(kept) > 1 and _turns(kept[-2], kept[-1], point):
                kept.pop()
            kept.append(point)
        return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(kept))


def _turns(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])


def _over(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def _points(of: Columns, size: Array) -> _Points:
    kept = np.flatnonzero((of["answered"] > 0) & (size > 0))
    order = kept[np.argsort(-of["confidence"][kept], kind="stable")]
    confidence, loss, n = of["confidence"][order], of["loss"][order], size[order]
    first = np.flatnonzero(np.append(True, confidence[1:] != confidence[:-1]))
    first = first[: order.size]
    if not order.size:
        nothing = np.zeros(0)
        one = (nothing, nothing, nothing)
        return _Points(*one, *one, total=float(size.sum()))
    top = of.get("loss_highest", of["loss"])[order]
    largest = np.maximum.reduceat(top, first)
    lost = np.add.reduceat(loss * n, first)
    count = np.add.reduceat(n, first)
    single = (of["lowest"] == of["highest"])[order][first].astype(np.float64)
    wrong = np.add.reduceat((loss > 0) * n, first)
    most = np.minimum(_over(lost, largest), count)
    return _Points(count, lost, most, largest, single, wrong, float(size.sum()))


def bracket(
    metric: Metric, read: Mapping[str, Any], of: Columns, weight: Resamples, *, common: bool = False
) -> Ends | None:
    """Return where a number lies for certain; None where it is exact."""
    if "lowest" not in of or metric.name in EXACT:
        return None
    points = _points(of, weight.size)
    if not points.n.size or (points.single > 0).all():
        return None

    def exactly(name: str, columns: tuple[str, ...], **options: Any) -> float:
        own = {each: of[each] for each in columns}
        return float(METRICS[name].function(**own, weight=weight, **options))

    if common:  # up to which coverage depends on the other side
        low, high = 0.0, _bounds(metric.name, points, {**read, "area_coverage": 1.0}, exactly)[1]
    else:
        low, high = _bounds(metric.name, points, read, exactly)
    if low == high:
        return None
    slack = 1e-12 * max(abs(low), abs(high) if np.isfinite(high) else 0.0, 1e-3)
    return float(low - slack), float(high + slack)


def _bounds(name: str, points: _Points, read: Mapping[str, Any], exactly: Exactly) -> Ends:  # noqa: PLR0911 - one for each kind of area
    if name in POINTWISE:
        return POINTWISE[name](points, read)
    if name in {"aurc_achievable", "aurc_achievable_gain_pct"}:
        hull = exactly("aurc_achievable", ("loss", "confidence", "answered"))
        return _achievable(name, points, hull)
    upto = read.get("area_coverage", 1.0) * points.total
    upto = min(upto, float(points.n.sum()))
    generalized = "augrc" in name
    kind = points.generalized(upto) if generalized else points.selective(upto)
    unit = points.total**2 if generalized else points.total
    ends = kind[0] / unit, kind[1] / unit
    answered = float(points.n.sum()) / points.total
    if name == "mean_risk_at_coverage":
        return kind[0] / upto, kind[1] / upto
    if name in {"naurc", "naugrc"}:
        return ends[0] / answered, ends[1] / answered
    if name == "augrc_normalized":
        return ends[0] / read["loss_range"], ends[1] / read["loss_range"]
    if name in {"eaurc", "eaugrc", "aurc_gap_pct", "augrc_gap_pct"}:
        optimum = "augrc_optimal" if generalized else "aurc_optimal"
        best = exactly(optimum, ("loss", "answered"), area=read["area"])
        unit = best / 100 if name.endswith("pct") else 1.0
        if not unit:
            return 0.0, 0.0  # there is no such number beside nothing
        return (ends[0] - best) / unit, (ends[1] - best) / unit
    return ends


def _achievable(name: str, points: _Points, hull: float) -> Ends:
    """More points lower the hull from the end of the first one on; before, a risk may be larger."""
    start = points.n[0] * (points.risks()[1][0] - points.lost[0] / points.n[0])
    most = hull + (0.0 if points.single[0] else start / points.total)
    least = min(points.hull() / points.total, most)
    if name == "aurc_achievable":
        return least, most
    low, high = (each / points.total for each in points.selective(float(points.n.sum())))
    gain = [
        max(0.0, 100 * (1 - hull / area)) if area > 0 else 0.0
        for hull, area in ((most, low), (least, high))
    ]
    return gain[0], gain[1]


def _risk_at(points: _Points, read: Mapping[str, Any]) -> Ends:
    """Bound the risk where a coverage is first reached: it is that of one point, or its end."""
    needed = read["coverage"] * points.total * (1 - ROUNDING)
    at = min(int(np.searchsorted(points.n.cumsum(), needed)), points.n.size - 1)
    low, high = points.risks()
    k, s = points.before
    end = _over(s + points.lost, k + points.n)[at]
    return (end, end) if points.single[at] else (float(low[at]), float(high[at]))


def _achieved(points: _Points, read: Mapping[str, Any]) -> Ends:
    needed = read["coverage"] * points.total * (1 - ROUNDING)
    reached = points.n.cumsum()
    at = min(int(np.searchsorted(reached, needed)), points.n.size - 1)
    end = float(reached[at]) / points.total
    return (end, end) if points.single[at] else (min(needed / points.total, end), end)


def _coverage_at_risk(points: _Points, read: Mapping[str, Any]) -> Ends:
    """Ends of points are points of every finer curve; within them the risk may be smaller."""
    target = read["risk_target"]
    k, s = points.before
    end = _over(s + points.lost, k + points.n)
    low, _ = points.risks()
    least = np.where(points.single > 0, end, low)
    within = [np.flatnonzero(each <= target * (1 + ROUNDING)) for each in (end, least)]
    reached = (k + points.n) / points.total
    found = [float(reached[each].max(initial=0.0)) for each in within]
    return found[0], found[1]


def _error_auroc(points: _Points, read: Mapping[str, Any]) -> Ends:
    """Within merged rows every pair of a wrong and a right answer may be in either order."""
    del read
    wrong, right = points.wrong, points.n - points.wrong
    pairs = float(wrong.sum() * right.sum())
    if not pairs:
        return 0.0, 1.0
    before = right.cumsum() - right
    tied = float((wrong * right)[points.single > 0].sum()) / 2
    ordered = float((wrong * before).sum()) + tied
    unknown = float((wrong * right)[points.single == 0].sum())
    return ordered / pairs, (ordered + unknown) / pairs


POINTWISE: dict[str, Callable[[_Points, Mapping[str, Any]], Ends]] = {
    "risk_at_coverage": _risk_at,
    "achieved_coverage": _achieved,
    "coverage_at_risk": _coverage_at_risk,
    "error_auroc": _error_auroc,
}
