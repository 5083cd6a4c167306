"""Pairs of systems: every difference on shared resamples, and whether it has a word.

"better" and "worse" come from here and from nowhere else. A word needs the same population on both
sides, a direction that the metric declares, an interval with width that excludes 0, and the test
that is corrected for all pairs. Where something was not answered, the side that would win must win
with its number at worst; where saying less raises a number, what says how much was said must not be
lower on that side. What is infinite because rows are is worse than anything finite.

Where two systems are alike, a cluster may as well have been answered by the other one: the test
swaps the two at random. Where that cannot be asked (the systems have other columns or options), the
percentiles of the difference are inverted with the tails of Student's t; under methods of earlier
programs as those programs do it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from assay.artifact import Delta, Pair
from assay.families.family import Evaluated, Key, Pairing
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
from assay.registry import METRICS
from assay.score import both_systems, exchanged

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.inference import Plan, Replicate

SIGNS = {"lower": -1, "higher": 1}
NO_RESAMPLES = "no resamples were asked for"
HOLDS_ZERO = "the interval of the difference holds 0"
CORRECTED = "the test, corrected for all pairs, does not exclude 0"
LESS_SAID = "{} is {} on the side that would be better"
NOT_SHARED = "it is not better on what both sides answered"
AT_WORST = "what was not answered could turn it round"
SWAP, EXPANDED, PERCENTILE = "swap", "expanded percentile", "percentile"


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
    both, asked = both_systems(one.rows, other.rows), evaluated.asked[left]
    together = one.drawn_with if any(asked[label].common for label in differences) else None
    beside = [
        subject.rows
        for place, subject in enumerate(evaluated.subjects if together else ())
        if place not in {left, right} and subject.drawn_with == together
    ]
    drawn = swapped(
        [exchanged(asked[label], both, beside) for label in differences],
        evaluated.plan,
        n_clusters=one.rows.weight.counts.shape[1],
        n_rows=both.weight.cluster.size,
        n_points=both.n_points,
    )
    return {
        (each.left, each.right): Test(swap_p_value(each.drawn.point, row), SWAP)
        for each, row in zip(differences.values(), drawn, strict=True)
    }


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """One number of a pair, right minus left, as printed and with each side at its worst."""

    sides: tuple[Key, Key]
    printed: Difference
    right_at_worst: Difference
    left_at_worst: Difference


def pairs(evaluated: Evaluated) -> list[Pair]:
    """Write down every pair; Holm is over the pairs that share variant and label."""
    pairings = evaluated.prepared.pairings
    if pairings is None:
        pairings = [Pairing(0, right) for right in range(1, len(evaluated.prepared.systems))]
    found: dict[tuple[str, str], dict[int, Compared]] = defaultdict(dict)
    for place, pairing in enumerate(pairings):
        for left, right in keys(evaluated, pairing):
            variant = evaluated.subjects[left[0]].variant
            found[variant, left[1]][place] = compared_sides(evaluated, left, right)
    tested = tests(evaluated, [each for of in found.values() for each in _differences(of.values())])
    deltas: list[dict[str, dict[str, Delta]]] = [{} for _ in pairings]
    for (variant, label), of_pairs in found.items():
        every = [*of_pairs.values()]
        printed = tested.corrected([each.printed for each in every])
        worst = (
            tested.corrected([each.right_at_worst for each in every]),
            tested.corrected([each.left_at_worst for each in every]),
        )
        for (place, compared), p, *claims in zip(of_pairs.items(), printed, *worst, strict=True):
            silent = pairings[place].silent(variant, label)
            barred = partial(pairings[place].barred, variant, label)
            told = (
                Judged(None, silent)
                if silent
                else judged(evaluated, compared, (p, *claims), barred)
            )
            test = tested.of(compared.printed)
            record = delta(evaluated, compared.printed, (test, p), told)
            deltas[place].setdefault(variant, {})[label] = record
    return [
        Pair(
            left=each.left,
            right=each.right,
            counts=dict(each.counts),
            deltas={
                variant: _confirmed(partial(each.confirmed, variant), own, evaluated.plan)
                for variant, own in of.items()
            },
        )
        for each, of in zip(pairings, deltas, strict=True)
    ]


def _confirmed(
    by: Callable[[str], tuple[str, str] | None], deltas: dict[str, Delta], plan: Plan
) -> dict[str, Delta]:
    """Take words back that another number must confirm and does not."""
    found = dict(deltas)
    for label, each in deltas.items():
        if each.word is None or (known := by(label)) is None or known[0] not in deltas:
            continue
        other, why = deltas[known[0]], known[1]
        sides = [_sign(delta, plan) for delta in (each, other)]
        if sides[0] != sides[1]:
            found[label] = replace(each, word=None, word_reason=why)
    return found


def _sign(delta: Delta, plan: Plan) -> int:
    """Return the side of 0 on which interval and corrected test say that a difference lies."""
    if delta.interval is None or delta.p_holm is None or not delta.p_holm <= 1 - plan.level:
        return 0
    return int(delta.interval[0] > 0) - int(delta.interval[1] < 0)


def _differences(compared: Iterable[Compared]) -> Iterator[Difference]:
    for each in compared:
        yield from (each.printed, each.right_at_worst, each.left_at_worst)


def keys(evaluated: Evaluated, pairing: Pairing) -> Iterator[tuple[Key, Key]]:
    """Yield the numbers of a pair that have a difference; two p-values have none."""
    for left, right in pairing.subjects or _matched(evaluated, pairing):
        for label, request in evaluated.asked[left].items():
            if request.metric.interval and label in evaluated.asked[right]:
                yield (left, label), (right, label)


def _matched(evaluated: Evaluated, pairing: Pairing) -> Iterator[tuple[int, int]]:
    listed = [
        {(s.variant, s.table): n for n, s in enumerate(evaluated.subjects) if s.is_of(system)}
        for system in (pairing.left, pairing.right)
    ]
    for key, left in listed[0].items():
        if key in listed[1]:
            yield left, listed[1][key]


def compared_sides(evaluated: Evaluated, left: Key, right: Key) -> Compared:
    """Subtract one number of two systems, as printed and with each side at its worst."""
    printed = Difference.of(evaluated, left, right)
    worst_left, worst_right = (evaluated.worst_key(key) for key in (left, right))
    beside_left, beside_right = evaluated.beside(right, left), evaluated.beside(left, right)

    def claimed(*sides: Key) -> Difference:
        return printed if _same(evaluated, printed, sides) else Difference.of(evaluated, *sides)

    return Compared(
        (left, right),
        printed,
        printed if worst_right is None else claimed(beside_left, worst_right),
        printed if worst_left is None else claimed(worst_left, beside_right),
    )


def _same(evaluated: Evaluated, printed: Difference, sides: Sequence[Key]) -> bool:
    """Say whether a number at worst is the printed one: all was answered.

    What reads the same columns was computed once. A cut at a common value depends on others too.
    """
    place, label = printed.left
    before = [evaluated.replicates[key] for key in (printed.left, printed.right)]
    alike = all(
        evaluated.replicates[key] is known for key, known in zip(sides, before, strict=True)
    )
    return alike and not evaluated.asked[place][label].common


def judged(
    evaluated: Evaluated,
    compared: Compared,
    p: tuple[float, ...],
    barred: Callable[[int], str | None],
) -> Judged:
    """Say in a word what a difference means, or why it has none."""
    plan, (left, label) = evaluated.plan, compared.sides[0]
    better = evaluated.asked[left][label].metric.better
    if not plan.n_resamples:
        return Judged(None, NO_RESAMPLES)
    finite = _finite_side(evaluated, compared.sides)
    if better is not None and finite is not None:
        return Judged("better" if finite else "worse", None)
    unit = evaluated.prepared.unit
    side, why = _side(compared.printed, p[0], plan, unit)
    if not side:
        return Judged(None, why)
    if better is None:
        return Judged("differs", None)
    wins = side == SIGNS[better]
    claimed, p_worst = (compared.right_at_worst, p[1]) if wins else (compared.left_at_worst, p[2])
    against = barred(1 if wins else -1) or _worse_counterpart(evaluated, compared, side)
    if against is None and _side(claimed, p_worst, plan, unit)[0] != side:
        against = AT_WORST
    return Judged(None if against else "better" if wins else "worse", against)


def unearned(
    evaluated: Evaluated, compared: Compared, wins: int, barred: Callable[[int], str | None]
) -> str | None:
    """Say why the left (-1) or right (1) side has the better number without being better."""
    left, label = compared.sides[0]
    side = wins * SIGNS[evaluated.asked[left][label].metric.better or "higher"]
    claimed = compared.right_at_worst if wins > 0 else compared.left_at_worst
    why = barred(wins)
    if why is not None and why != barred(-wins):
        return why
    if found := _worse_counterpart(evaluated, compared, side):
        return found
    if compared.printed.drawn.point * side <= 0:
        return NOT_SHARED
    return AT_WORST if claimed.drawn.point * side <= 0 else None


def _finite_side(evaluated: Evaluated, sides: tuple[Key, Key]) -> int | None:
    """Return which of two sides is finite where the other has rows that make it infinite."""
    points = [evaluated.replicates[key].point for key in sides]
    for finite, (place, _) in zip((1, 0), sides, strict=True):
        endless = np.isinf(points[1 - finite]) and evaluated.subjects[place].infinite
        if endless and np.isfinite(points[finite]):
            return finite
    return None


def _worse_counterpart(evaluated: Evaluated, compared: Compared, side: int) -> str | None:
    """Name a counterpart that is worse on the side that would be better, if there is one."""
    (left, label), (right, _) = compared.sides
    metric = evaluated.asked[left][label].metric
    wins = SIGNS[metric.better or "higher"] == side
    winner, loser = (right, left) if wins else (left, right)
    for name in metric.counterparts:
        found = [evaluated.replicates.get((place, name)) for place in (winner, loser)]
        points = [np.nan if each is None else each.point for each in found]
        sign = SIGNS[METRICS[name].better or "higher"]
        if (points[0] - points[1]) * sign < 0:
            said = _within_a_sentence(METRICS[name].title.partition(":")[0])
            return LESS_SAID.format(said, "lower" if sign > 0 else "higher")
    return None


def _within_a_sentence(title: str) -> str:
    """Begin a title in lower case, but for names such as Brier: titles have them inside as well."""
    first = title.partition(" ")[0]
    is_name = any(f" {first} " in f"{each.title} " for each in METRICS.values())
    return title if is_name else title[:1].lower() + title[1:]


def _side(difference: Difference, p: float, plan: Plan, unit: str) -> tuple[int, str | None]:
    """Return on which side of 0 a difference lies, 0 where that cannot be told, and why."""
    found = difference.interval(plan, unit)
    if found.reason is not None:
        return 0, found.reason
    if found.low <= 0 <= found.high:
        return 0, HOLDS_ZERO
    if not p <= 1 - plan.level:
        return 0, CORRECTED
    return (1 if found.low > 0 else -1), None
