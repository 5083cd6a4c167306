"""One number, or one paired difference, as a record: value, interval, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifacts import Delta, Scalar
from assay.inference import BEYOND, NO_WIDTH, Estimate, estimate, holm, p_value
from assay.shares import exact_interval

if TYPE_CHECKING:
    from assay.evaluate.scoring import Key, Scored
    from assay.inference import Plan, Replicate
    from assay.registry import Metric
    from assay.score import Request

__all__ = ["NOT_RESAMPLED", "deltas", "exact_interval", "is_95", "pairwise_deltas", "scalar"]


NOT_RESAMPLED = "a p-value is computed once, not resampled"


def is_95(plan: Plan) -> bool:
    """Say whether intervals may go under the name ci95."""
    return plan.level == 0.95  # noqa: PLR2004 - the name says it


def scalar(scored: Scored, key: Key, plan: Plan) -> Scalar:
    """Write down one number."""
    request = scored.asked[key]
    found = _estimated(request.metric, scored.replicates[key], plan)
    return Scalar(
        metric=request.metric.name,
        title=request.metric.title,
        better=request.metric.better,
        options=_recorded(request),
        value=_number(found.value),
        reason=_no_value(found.value, scored.reason(key)),
        interval=_interval(found),
        interval_reason=found.reason if request.metric.interval else NOT_RESAMPLED,
        standard_error=_number(found.standard_error),
        n_undefined=found.n_undefined,
    )


def _estimated(metric: Metric, replicate: Replicate, plan: Plan) -> Estimate:
    """Read the interval as the metric needs it, within its bounds where it was turned around."""
    if not metric.turned or plan.method != "percentile":
        return estimate(replicate, plan)
    found = estimate(replicate, replace(plan, method="basic"))
    low, high = max(found.low, metric.bounds[0]), min(found.high, metric.bounds[1])
    if found.reason is None and low >= high:
        return replace(found, low=np.nan, high=np.nan, reason=NO_WIDTH)
    return replace(found, low=low, high=high)


def _recorded(request: Request) -> dict[str, str | float | None]:
    options: dict[str, Any] = dict(request.options)
    if request.common:
        options |= {name: f"common {metric}" for name, metric in request.metric.common.items()}
    return {
        name: _number(value) if isinstance(value, float) else value
        for name, value in options.items()
    }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _no_value(value: float, undefined: str) -> str | None:
    """Say why there is no number, if there is none."""
    if np.isinf(value):
        return BEYOND
    return undefined if np.isnan(value) else None


def _interval(found: Estimate) -> tuple[float, float] | None:
    return None if found.reason is not None else (found.low, found.high)


def deltas(scored: Scored, name: str, right: int, plan: Plan) -> dict[str, Delta]:
    """Write down every number of one variant against the first system, Holm over the systems."""
    others = [n for n in scored.systems() if n and scored.labels(n, name)]
    found = {}
    for label in scored.labels(0, name):
        left = (0, name, label)
        p_values = [p_value(scored.difference(left, other)) for other in others]
        corrected = dict(zip(others, holm(p_values), strict=True))
        found[label] = _delta(scored, left, right, plan, corrected[right])
    return found


def pairwise_deltas(scored: Scored, keys: Sequence[tuple[Key, Key]], plan: Plan) -> list[Delta]:
    """Write down one number for each of several pairs, left and right, Holm over all the pairs."""
    differences = [scored.replicates[right] - scored.replicates[left] for left, right in keys]
    corrected = holm([p_value(each) for each in differences])
    return [
        _delta(scored, left, right[0], plan, p_holm)
        for (left, right), p_holm in zip(keys, corrected, strict=True)
    ]


def _delta(scored: Scored, left: Key, right: int, plan: Plan, p_holm: float) -> Delta:
    metric = scored.asked[left].metric
    difference = scored.difference(left, right)
    found = estimate(difference, plan)
    interval = _interval(found)
    sides = (left, (right, left[1], left[2]))
    points = [scored.replicates[key].point for key in sides]
    undefined = next((key for key in sides if np.isnan(scored.replicates[key].point)), left)
    return Delta(
        metric=metric.name,
        title=metric.title,
        better=metric.better,
        left=_number(points[0]),
        right=_number(points[1]),
        delta=_number(found.value),
        reason=_no_difference(found.value, points, scored.reason(undefined)),
        interval=interval,
        interval_reason=found.reason,
        ci95=interval if is_95(plan) else None,
        standard_error=_number(found.standard_error),
        p_value=_number(p_value(difference)),
        p_holm=_number(p_holm),
        n_undefined=found.n_undefined,
    )


def _no_difference(value: float, sides: Sequence[float], undefined: str) -> str | None:
    if np.isfinite(value):
        return None
    if np.isfinite(sides).all():
        return BEYOND
    return f"undefined on one side: {BEYOND if np.isinf(sides).any() else undefined}"
