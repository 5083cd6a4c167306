"""One paired difference as a record: value, interval, test, the word for it, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import UNSET

from assay.artifact import Delta
from assay.inference import BEYOND, PLAIN, Estimate, detectable, of_difference
from assay.numbers import INFINITE, interval, no_value, number, percentiles

if TYPE_CHECKING:
    from assay.families.family import Evaluated, Key
    from assay.inference import Plan, Replicate, Test

__all__ = ["Difference", "Judged", "delta"]


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
    plan = evaluated.plan_of(sides[0])
    found = difference.interval(plan, evaluated.prepared.unit)
    points = [evaluated.replicates[key].point for key in sides]
    return Delta(
        left=number(points[0]),
        right=number(points[1]),
        delta=number(found.value),
        reason=_no_difference(evaluated, sides, found.value, points),
        interval=interval(found),
        interval_reason=found.reason,
        standard_error=number(found.standard_error),
        p_value=number(test.p_value),
        p_holm=number(p_holm),
        n_undefined=found.n_undefined,
        word=judged.word,
        word_reason=judged.reason,
        detectable=number(detectable(found.standard_error, evaluated.plan.level)),
        interval_method=UNSET if plan.method in PLAIN else found.method,
        test=UNSET if plan.method in PLAIN else test.name,
        percentile_interval=percentiles(evaluated, difference.drawn, plan),
    )


def _no_difference(
    evaluated: Evaluated, sides: tuple[Key, Key], value: float, points: Sequence[float]
) -> str | None:
    if np.isfinite(value):
        return None
    if np.isfinite(points).all():
        return BEYOND
    reasons = [no_value(point, evaluated, key) for point, key in zip(points, sides, strict=True)]
    infinite = [why for why in reasons if why in INFINITE.values()]
    if len(infinite) == len(points):
        return "infinite on both sides"
    if infinite and np.isfinite(points).any():
        return INFINITE[1 if points[1] > points[0] else -1]
    return f"undefined on one side: {next(filter(None, infinite + reasons))}"
