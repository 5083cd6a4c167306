"""One number as a record: value, interval, reasons."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import UNSET, UnsetType

from assay.artifact import Scalar
from assay.inference import BEYOND, FLIPPED, INVERSION, Estimate, detectable, estimate
from assay.inference.rules import estimated
from assay.registry import NO_NUMBER
from assay.score import erring, turned_signs, within
from assay.shares import exact_interval

if TYPE_CHECKING:
    from assay.families.family import Evaluated, Key
    from assay.inference import Flips, Plan, Replicate
    from assay.score import Request

INFINITE = {1: "infinite", -1: "minus infinite"}
"""reasons of numbers and differences that are infinite, by their sign"""
MERGED = "an engine merged what it would be read from"
NOT_RESAMPLED = "a p-value is computed once, not resampled"


def scalar(evaluated: Evaluated, key: Key) -> Scalar:
    """Write down one number."""
    subject, request = evaluated.subjects[key[0]], evaluated.asked[key[0]][key[1]]
    # What an engine has reduced has no value here that turned signs could be compared with.
    lost = request.metric.name in subject.withheld
    replicate = evaluated.replicates[key]
    signed = subject.flips and not lost and not isnan(replicate.point)
    turned = turned_signs(request, subject.rows, evaluated.plan.seed) if signed else None
    withheld = None if request.metric.interval or turned or lost else subject.dependent
    plan, unit = evaluated.plan_of(key), evaluated.prepared.unit
    metric = within(request.metric, subject.rows.columns.get("loss"), subject.rows.weight)
    n_wrong = erring(metric, subject.rows.columns, subject.rows.weight)
    found = estimated(metric, replicate, plan, unit, n_wrong)
    share = subject.exact.get(key[1])
    worst = evaluated.at_worst(key)
    at_worst = None if worst is None else estimated(metric, worst, plan, unit)
    bracket = None if np.isnan(found.value) else subject.certain(request)
    return Scalar(
        value=None if withheld else number(turned.p_value if turned else found.value),
        reason=withheld or no_value(found.value, evaluated, key),
        interval=interval(found),
        interval_reason=found.reason if request.metric.interval else NOT_RESAMPLED,
        standard_error=number(found.standard_error),
        n_undefined=found.n_undefined,
        exact_interval=None if share is None else exact_interval(*share, evaluated.plan.level),
        at_worst=None if at_worst is None else number(at_worst.value),
        at_worst_interval=None if at_worst is None else interval(at_worst),
        interval_method=found.method if plan.method == "auto" else UNSET,
        middle=number(found.middle) if found.method == INVERSION else UNSET,
        percentile_interval=percentiles(evaluated, replicate, plan),
        detectable=(
            number(detectable(found.standard_error, plan.level)) if request.metric.paired else UNSET
        ),
        options=_recorded(request) | (_flipped(turned, found.value) if turned else {}),
        exact=bracket is None,
        bracket=bracket,
    )


def _flipped(found: Flips, by_law: float) -> dict[str, str | float | None]:
    drawn = "all" if found.seed is None else found.seed
    return {"method": FLIPPED, "n_flips": found.n_flips, "seed": drawn, "by_law": by_law}


def percentiles(
    evaluated: Evaluated, replicate: Replicate, plan: Plan
) -> tuple[float, float] | UnsetType | None:
    """Return what an earlier program writes, where there is one and ours is another."""
    if plan.method == "percentile" or not evaluated.prepared.percentiles:
        return UNSET
    return interval(estimate(replicate, plan, method="percentile"))


def _recorded(request: Request) -> dict[str, str | float | None]:
    options: dict[str, Any] = dict(request.options)
    if request.common:
        options |= {name: f"common {metric}" for name, metric in request.metric.common.items()}
    return {
        name: number(value) if isinstance(value, float) else value
        for name, value in options.items()
    }


def number(value: float) -> float | None:
    """Return a number as a record holds it: what is not finite has none."""
    return float(value) if np.isfinite(value) else None


def interval(found: Estimate) -> tuple[float, float] | None:
    """Return both ends, where there are any."""
    return None if found.reason is not None else (found.low, found.high)


def no_value(value: float, evaluated: Evaluated, key: Key) -> str | None:
    """Say why there is no number, if there is none."""
    if np.isfinite(value):
        return None
    subject, request = evaluated.subjects[key[0]], evaluated.asked[key[0]][key[1]]
    if request.metric.name in subject.withheld:
        return subject.withheld[request.metric.name]
    if np.isinf(value):
        return INFINITE[1 if value > 0 else -1] if subject.infinite else BEYOND
    if subject.certain(request) is not None:
        return MERGED
    unknown = any(isinstance(v, float) and isnan(v) for v in request.options.values())
    why = request.metric.undefined or NO_NUMBER
    return why if unknown else subject.nothing or why
