"""What a figure will draw: the curve with pointwise intervals, the oracle's and the hull's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifacts import Curve, Limits, Thinning
from assay.inference import Draw, Plan, bands
from assay.metrics.selective import RiskCoverageCurve, hull_points, risk_coverage_curve
from assay.score import Rows

if TYPE_CHECKING:
    from assay.columns import Array, Indices, Weight
    from assay.evaluate.options import SelectiveOptions
    from assay.evaluate.results import System
    from assay.metrics.selective.curve import Area

__all__ = ["curve_record", "kept_points", "thinning"]

MOST_POINTS = 2_000
THINNED = "points at evenly spaced positions, the first and the last among them"


def curve_record(system: System, name: str, options: SelectiveOptions, plan: Plan) -> Curve:
    """Read the curve of one variant at no more than 2,000 of its working points."""
    rows = system.items.variants[name]
    curve = _curve(rows, rows.weight.size, options.area)
    kept = kept_points(curve.threshold.size)
    quantities = _quantities(curve)

    def points(draw: Draw) -> list[Array]:
        drawn = _curve(rows, draw.of(rows.weight), options.area)
        return [each[:, kept] for each in _quantities(drawn).values()]

    n_resamples, intervals = bands(
        points,
        plan,
        n_clusters=rows.weight.counts.shape[1],
        n_rows=rows.weight.cluster.size,
        n_points=kept.size,
    )
    ends: dict[str, Any] = {
        f"{quantity}_{end}": _nullable(values)
        for quantity, interval in zip(quantities, intervals, strict=True)
        for end, values in zip(("low", "high"), interval, strict=True)
    }
    return Curve(
        **_listed(quantities, kept),
        **ends,
        threshold=curve.threshold[kept].tolist(),
        n_accepted=curve.accepted[0, kept].tolist(),
        n_handed_over=(curve.total[0] - curve.accepted[0, kept]).tolist(),
        n_resamples=n_resamples,
        thinning=thinning(curve.threshold.size, kept),
        oracle=_oracle(rows),
        hull=_hull(rows),
    )


def _curve(rows: Rows, weight: Weight, area: Area) -> RiskCoverageCurve:
    loss, confidence = rows.columns["loss"], rows.columns["confidence"]
    answered = rows.columns["answered"]
    return risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)


def _oracle(rows: Rows) -> Limits:
    """Rank by the loss itself, row by row."""
    ranked = Rows({**rows.columns, "confidence": -rows.columns["loss"]}, rows.weight)
    curve = _curve(ranked, rows.weight.size, "step")
    return _limits(curve, np.arange(curve.threshold.size))


def _hull(rows: Rows) -> Limits:
    curve = _curve(rows, rows.weight.size, "trapezoid")
    return _limits(curve, np.array(hull_points(curve), dtype=np.int64))


def _limits(curve: RiskCoverageCurve, points: Indices) -> Limits:
    kept = points[kept_points(points.size)]
    return Limits(**_listed(_quantities(curve), kept), thinning=thinning(points.size, kept))


def _quantities(curve: RiskCoverageCurve) -> dict[str, Array]:
    return {
        "coverage": curve.coverage,
        "selective_risk": curve.selective_risk,
        "generalized_risk": curve.generalized_risk,
    }


def _listed(quantities: dict[str, Array], kept: Indices) -> dict[str, Any]:
    return {quantity: values[kept].tolist() for quantity, values in quantities.items()}


def kept_points(n_points: int) -> Indices:
    """Return which points of a curve to keep: all, or 2,000 at evenly spaced positions."""
    even = np.linspace(0, max(0, n_points - 1), min(n_points, MOST_POINTS))
    return np.unique(np.rint(even).astype(np.int64))


def thinning(n_points: int, kept: Indices) -> Thinning:
    """Say how many points of a curve are kept, and which."""
    rule = "all points" if kept.size == n_points else THINNED
    return Thinning(n_points=n_points, n_kept=kept.size, rule=rule)


def _nullable(values: Array) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]
