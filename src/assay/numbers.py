"""One number, or one paired difference, as a record: value, interval, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from msgspec import UNSET, UnsetType

from assay.artifact import Delta, Scalar
from assay.inference import (
    BEYOND,
    INVERSION,
    PLAIN,
    Estimate,
    estimate,
    flip_p_value,
    of_difference,
)
from assay.inference.metrics import estimated
from assay.score import flipped
from assay.shares import exact_interval

if TYPE_CHECKING:
    from assay.families.family import Evaluated, Key, Subject
    from assay.inference import Flips, Plan, Replicate, Test
    from assay.score import Request

__all__ = [
    "FLIPPED",
    "INFINITE",
    "NOT_RESAMPLED",
    "Difference",
    "Judged",
    "delta",
    "detectable",
    "flips",
    "scalar",
]

INFINITE = {1: "infinite", -1: "minus infinite"}
"""reasons of numbers and differences that are infinite, by their sign"""
POWER = 0.8
"""how often a difference of the size that is called detectable would have shown"""
MERGED = "an engine merged what it would be read from"
FLIPPED = "sign flips of clusters"
NOT_RESAMPLED = "a p-value is computed once, not resampled"


def scalar(evaluated: Evaluated, key: Key) -> Scalar:
    """Write down one number."""
    subject, request = evaluated.subjects[key[0]], evaluated.asked[key[0]][key[1]]
    # What an engine has reduced has no value here that turned signs could be compared with.
    lost = request.metric.name in subject.withheld
    point = evaluated.replicates[key].point
    turned = None if lost else flips(request, subject, point, evaluated.plan.seed)
    withheld = None if request.metric.interval or turned or lost else subject.dependent
    plan, unit = _plan(evaluated, key), evaluated.prepared.unit
    replicate = evaluated.replicates[key]
    found = estimated(request.metric, replicate, plan, unit)
    share = subject.exact.get(key[1])
    worst = evaluated.at_worst(key)
    at_worst = None if worst is None else estimated(request.metric, worst, plan, unit)
    bracket = None if np.isnan(found.value) else subject.bracket(request, subject.rows)
    return Scalar(
        value=None if withheld else _number(turned.p_value if turned else found.value),
        reason=withheld or _no_value(found.value, evaluated, key),
        interval=_interval(found),
        interval_reason=found.reason if request.metric.interval else NOT_RESAMPLED,
        standard_error=_number(found.standard_error),
        n_undefined=found.n_undefined,
        exact_interval=None if share is None else exact_interval(*share, evaluated.plan.level),
        at_worst=None if at_worst is None else _number(at_worst.value),
        at_worst_interval=None if at_worst is None else _interval(at_worst),
        interval_method=found.method if plan.method == "auto" else UNSET,
        middle=_number(found.middle) if found.method == INVERSION else UNSET,
        percentile_interval=_percentiles(evaluated, replicate, plan),
        options=_recorded(request) | (_flipped(turned, found.value) if turned else {}),
        exact=bracket is None,
        bracket=bracket,
    )


def flips(request: Request, subject: Subject, by_law: float, seed: int) -> Flips | None:
    """Turn the signs of whole clusters where these are named and a test is one of signs."""
    rows = subject.rows
    statistic = flipped(request, rows) if subject.flips and not isnan(by_law) else None
    if statistic is None:
        return None
    return flip_p_value(statistic, rows.weight.counts.shape[1], rows.weight.cluster.size, seed)


def _flipped(found: Flips, by_law: float) -> dict[str, str | float | None]:
    drawn = "all" if found.seed is None else found.seed
    return {"method": FLIPPED, "n_flips": found.n_flips, "seed": drawn, "by_law": by_law}


def _percentiles(
    evaluated: Evaluated, replicate: Replicate, plan: Plan
) -> tuple[float, float] | UnsetType | None:
    """Return what an earlier program writes, where there is one and ours is another."""
    if plan.method == "percentile" or not evaluated.prepared.percentiles:
        return UNSET
    return _interval(estimate(replicate, plan, method="percentile"))


def _plan(evaluated: Evaluated, key: Key) -> Plan:
    """Return how intervals of a subject are read."""
    keep = evaluated.subjects[key[0]].keep_width
    return replace(evaluated.plan, without_width="keep") if keep else evaluated.plan


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


def _interval(found: Estimate) -> tuple[float, float] | None:
    return None if found.reason is not None else (found.low, found.high)


def _no_value(value: float, evaluated: Evaluated, key: Key) -> str | None:
    """Say why there is no number, if there is none."""
    if np.isfinite(value):
        return None
    subject, request = evaluated.subjects[key[0]], evaluated.asked[key[0]][key[1]]
    if request.metric.name in subject.withheld:
        return subject.withheld[request.metric.name]
    if np.isinf(value):
        return INFINITE[1 if value > 0 else -1] if subject.infinite else BEYOND
    if subject.bracket(request, subject.rows) is not None:
        return MERGED
    unknown = any(isinstance(v, float) and isnan(v) for v in request.options.values())
    return request.metric.undefined if unknown else subject.nothing or request.metric.undefined


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """One number, right minus left."""

    left: Key
    right: Key
    drawn: Replicate
    read: dict[Plan, Estimate] = field(default_factory=dict)
    """its intervals, each read once"""

    def interval(self, plan: Plan, unit: str) -> Estimate:
        """Return the interval of the difference, or why there is none."""
        if plan not in self.read:
            self.read[plan] = of_difference(self.drawn, plan, unit)
        return self.read[plan]

    @classmethod
    def of(cls, evaluated: Evaluated, left: Key, right: Key) -> Difference:
        """Subtract two numbers."""
        return cls(left, right, evaluated.replicates[right] - evaluated.replicates[left])


@dataclass(frozen=True, slots=True)
class Judged:
    """What a difference means in a word, or why it has none."""

    word: Literal["better", "worse", "differs"] | None
    reason: str | None


def delta(
    evaluated: Evaluated, difference: Difference, tested: tuple[Test, float], judged: Judged
) -> Delta:
    """Write down one paired difference."""
    sides, (test, p_holm) = (difference.left, difference.right), tested
    plan = _plan(evaluated, sides[0])
    found = difference.interval(plan, evaluated.prepared.unit)
    points = [evaluated.replicates[key].point for key in sides]
    return Delta(
        left=_number(points[0]),
        right=_number(points[1]),
        delta=_number(found.value),
        reason=_no_difference(evaluated, sides, found.value, points),
        interval=_interval(found),
        interval_reason=found.reason,
        standard_error=_number(found.standard_error),
        p_value=_number(test.p_value),
        p_holm=_number(p_holm),
        n_undefined=found.n_undefined,
        word=judged.word,
        word_reason=judged.reason,
        detectable=_number(detectable(found.standard_error, evaluated.plan.level)),
        interval_method=UNSET if plan.method in PLAIN else found.method,
        test=UNSET if plan.method in PLAIN else test.name,
        percentile_interval=_percentiles(evaluated, difference.drawn, plan),
    )


def detectable(standard_error: float, level: float) -> float:
    """Return the difference whose interval would have left 0 out 8 times in 10.

    Of a normal estimate that is so many standard errors as the ends of the interval lie off and
    another 0.84: 2.80 at 95%.
    """
    normal = NormalDist()
    off = normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(POWER)
    return off * standard_error if standard_error > 0 else np.nan


def _no_difference(
    evaluated: Evaluated, sides: tuple[Key, Key], value: float, points: Sequence[float]
) -> str | None:
    if np.isfinite(value):
        return None
    if np.isfinite(points).all():
        return BEYOND
    reasons = [_no_value(point, evaluated, key) for point, key in zip(points, sides, strict=True)]
    infinite = [why for why in reasons if why in INFINITE.values()]
    if len(infinite) == len(points):
        return "infinite on both sides"
    if infinite and np.isfinite(points).any():
        return INFINITE[1 if points[1] > points[0] else -1]
    return f"undefined on one side: {next(filter(None, infinite + reasons))}"
