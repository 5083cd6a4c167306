"""Paired differences: each as a record with interval, test and word, and the tests themselves.

Where two systems are alike, a cluster may as well have been answered by the other one: the test
swaps the two at random. Where that cannot be asked (the systems have other columns or options), the
percentiles of the difference are inverted with the tails of Student's t; under methods of earlier
programs as those programs do it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import UNSET

from assay.artifact import Delta
from assay.inference import (
    BEYOND,
    PLAIN,
    Estimate,
    Test,
    detectable,
    expanded_p_value,
    holm,
    of_difference,
    p_value,
    swap_p_value,
    swapped,
)
from assay.numbers import INFINITE, interval, no_value, number, percentiles
from assay.score import both_systems, exchanged

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.family import Evaluated, Key
    from assay.inference import Plan, Replicate

__all__ = ["Difference", "Judged", "Tests", "delta", "tested_by", "tests"]


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


SWAP, EXPANDED, PERCENTILE = "swap", "expanded percentile", "percentile"


@dataclass(frozen=True, slots=True, eq=False)
class Tests:
    """The p-values of all differences."""

    found: Mapping[tuple[Key, Key], Test]

    def of(self, difference: Difference) -> Test:
        """Return that of one."""
        return self.found[difference.left, difference.right]

    def corrected(self, differences: Sequence[Difference]) -> list[float]:
        """Return p-values that hold together."""
        return list(holm([self.of(each).p_value for each in differences]))


def tests(evaluated: Evaluated, differences: Iterable[Difference]) -> Tests:
    """Test all differences; the numbers of two subjects see the same swaps.

    What was tested before is not tested again.
    """
    plain, found = evaluated.plan.method in PLAIN, evaluated.tested
    together: dict[tuple[int, int], dict[str, Difference]] = defaultdict(dict)
    for each in differences:
        sides = each.left, each.right
        if sides in found or each.left[1] in together.get((each.left[0], each.right[0]), ()):
            continue
        if plain or np.isnan(p_value(each.drawn)) or not _exchangeable(evaluated, each):
            found[sides] = tested_by(each.drawn, evaluated.plan, None)
        else:
            together[each.left[0], each.right[0]][each.left[1]] = each
    for (left, right), of_labels in together.items():
        found |= _swapped(evaluated, left, right, of_labels)
    return Tests(found)


def tested_by(delta: Replicate, plan: Plan, swaps: Callable[[], Array] | None) -> Test:
    """Test one difference: by swaps where there are any, else by its percentiles."""
    if plan.method in PLAIN:
        return Test(p_value(delta), PERCENTILE)
    if np.isnan(p_value(delta)):
        return Test(np.nan, None)
    if swaps is None:
        return Test(expanded_p_value(delta), EXPANDED)
    return Test(swap_p_value(delta.point, swaps()), SWAP)


def _exchangeable(evaluated: Evaluated, difference: Difference) -> bool:
    """Say whether a number is computed of both sides in the same way."""
    places = difference.left[0], difference.right[0]
    left, right = (evaluated.subjects[place] for place in places)
    one, other = (evaluated.asked[place][difference.left[1]] for place in places)
    taken = {*one.metric.columns, *one.metric.optional}
    return (
        repr(one.options) == repr(other.options)
        and left.undefined == right.undefined == "null"
        and left.rows.weight.counts.shape == right.rows.weight.counts.shape
        and taken & {*left.rows.columns} == taken & {*right.rows.columns}
        and all(
            left.rows.columns[name].shape[1:] == right.rows.columns[name].shape[1:]
            for name in taken & {*left.rows.columns}
        )
    )


def _swapped(
    evaluated: Evaluated, left: int, right: int, differences: Mapping[str, Difference]
) -> dict[tuple[Key, Key], Test]:
    one, other = (evaluated.subjects[place] for place in (left, right))
    both = both_systems(one.rows, other.rows)
    beside = [
        subject.rows
        for place, subject in enumerate(evaluated.subjects)
        if place not in {left, right} and subject.drawn_with == one.drawn_with
    ]
    drawn = swapped(
        [exchanged(evaluated.asked[left][label], both, beside) for label in differences],
        evaluated.plan,
        n_clusters=one.rows.weight.counts.shape[1],
        n_rows=both.weight.cluster.size,
        n_points=both.n_points,
    )
    return {
        (each.left, each.right): Test(swap_p_value(each.drawn.point, row), SWAP)
        for each, row in zip(differences.values(), drawn, strict=True)
    }
