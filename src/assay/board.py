"""Many systems in the order of one number, and which of them cannot be told apart.

Every system may be the reference: the others are compared with it, and their p-values are corrected
for as many comparisons. The first group is the best system with all that cannot be told from it;
the next leader is the best of the rest. Words come from `pairs`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from msgspec import UNSET, UnsetType

from assay.artifact import Against, Artifact, Board, Delta, Group, Reference, System
from assay.families.family import FEWEST_RANKED, Evaluated, Key, Pairing, Ranked
from assay.inference import holm
from assay.pairs import (
    Compared,
    Judged,
    Tests,
    compared_sides,
    delta,
    judged,
    keys,
    tests,
    unearned,
)

MOST_REFERENCES = 24
"""of more systems than these, only the leaders and the first one are references"""
Two = tuple[int, int]


def board(evaluated: Evaluated, systems: Sequence[System[Any, Any]]) -> Board | UnsetType:
    """Put systems in order and compare all of them, from four on."""
    ranked = evaluated.prepared.ranked
    if ranked is None or len(systems) < FEWEST_RANKED or not _known(ranked, systems):
        return UNSET
    unranked = _unranked(ranked, systems)
    better = evaluated.asked[_own(evaluated, ranked, 0)[0]][ranked.label].metric.better or "lower"
    held = _Duels(evaluated, ranked, unranked)
    order, behind = _order(held, better)
    groups = [*_groups(held, order, unranked)] if evaluated.plan.n_resamples else []
    wanted = {0, *(group.leader for group in groups)}
    if len(systems) <= MOST_REFERENCES:
        wanted = {*range(len(systems))}
    references = [
        Reference(
            system=one,
            others=[Against(system=n, delta=held.against(one)[n]) for n in order if n != one],
        )
        for one in order
        if one in wanted
    ]
    return Board(
        variant=ranked.variant,
        label=ranked.label,
        better=better,
        order=order,
        unranked={str(number): why for number, why in unranked.items()},
        behind={str(number): why for number, why in behind.items()},
        groups=groups,
        references=references,
        detectable=_detectable(held, groups),
    )


def standing_behind(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    """Say of systems on the board that they stand behind one whose number is worse, and why."""
    found = artifact.board
    if found is UNSET:
        return
    for number, why in found.behind.items():
        name = artifact.systems[int(number)].name
        yield f"{name} stands behind a system whose {found.label} is worse: {why}"


def _known(ranked: Ranked, systems: Sequence[System[Any, Any]]) -> bool:
    """Say whether all systems have the number."""
    found = [system.variants.get(ranked.variant) for system in systems]
    return all(each is not None and ranked.label in each.numbers for each in found)


def _unranked(ranked: Ranked, systems: Sequence[System[Any, Any]]) -> dict[int, str]:
    """Say which systems have no place: they lack the number, or it says nothing for them."""
    found = {}
    for number, system in enumerate(systems):
        variant = system.variants[ranked.variant]
        scalar = variant.numbers[ranked.label]
        why = ranked.unranked(number, variant) or _silenced(ranked, number, len(systems))
        if why is None and scalar.value is None:
            why = scalar.reason
        if why is not None:
            found[number] = why
    return found


def _silenced(ranked: Ranked, system: int, n_systems: int) -> str | None:
    """Say why no comparison with a system has a word, where that is so: its place would be one."""
    pairings = (ranked.pairing(*_ordered((system, n))) for n in range(n_systems) if n != system)
    reasons = [each.silent(ranked.variant, ranked.label) for each in pairings]
    return reasons[0] if all(reasons) else None


def _own(evaluated: Evaluated, ranked: Ranked, system: int) -> Key:
    """Return where the number of a system is."""
    places = evaluated.found(system, ranked.variant)
    return next((n, ranked.label) for n in places if ranked.label in evaluated.asked[n])


def _order(held: _Duels, better: str) -> tuple[list[int], dict[int, str]]:
    """Return systems by their numbers, and why some stand behind one whose number is worse.

    Nobody stands before a system that it is ahead of only by having answered less.
    """
    evaluated, unranked = held.evaluated, held.unranked
    sign = -1.0 if better == "higher" else 1.0
    every = range(len(evaluated.prepared.systems))
    points = [evaluated.replicates[_own(evaluated, held.ranked, n)].point for n in every]
    # Twelve digits: the order of rows moves the last ones.
    value = [float(f"{sign * p:.12g}") if np.isfinite(p) else np.inf for p in points]
    rest = sorted(every, key=lambda n: (n in unranked, value[n], n))
    waits = _waiting([n for n in rest if n not in unranked], value, held)
    order: list[int] = []
    while rest:
        free = (n for n in rest if not waits.get(n, {}).keys() & set(rest))
        chosen = next(free, rest[0])
        order.append(chosen)
        rest.remove(chosen)
    place = {n: at for at, n in enumerate(order)}
    behind = {n: why for n, of in waits.items() for one, why in of.items() if place[one] < place[n]}
    return order, behind


def _waiting(
    ranked: Sequence[int], value: Sequence[float], held: _Duels
) -> dict[int, dict[int, str]]:
    """Return for systems the ones that they may not stand before, each with the reason."""
    waits: dict[int, dict[int, str]] = {}
    for ahead, other in combinations(ranked, 2):
        why = held.unearned(ahead, other) if value[ahead] < value[other] else None
        if why is not None:
            waits.setdefault(ahead, {})[other] = why
    return waits


def _groups(held: _Duels, order: Sequence[int], unranked: Mapping[int, str]) -> Iterator[Group]:
    """Yield groups: the best of the rest, and those of the rest that are not worse."""
    rest = [each for each in order if each not in unranked]
    while rest:
        leader = rest[0]
        against = held.against(leader)
        members = [n for n in rest if n == leader or against[n].word != "worse"]
        yield Group(leader=leader, members=members)
        rest = [n for n in rest if n not in members]


def _detectable(held: _Duels, groups: Sequence[Group]) -> float | None:
    if not groups:
        return None
    first = groups[0]
    found = [held.against(first.leader)[n].detectable for n in first.members if n != first.leader]
    known = [each for each in found if each is not None]
    return max(known, default=None)


@dataclass(frozen=True, slots=True, eq=False)
class _Duels:
    """Any two systems in the number of the board; every pair is tested once."""

    evaluated: Evaluated
    ranked: Ranked
    unranked: Mapping[int, str]
    """their differences have no word"""
    _tested: dict[Two, tuple[Compared, Tests]] = field(default_factory=dict)
    _told: dict[int, dict[int, Delta]] = field(default_factory=dict)

    def against(self, reference: int) -> dict[int, Delta]:
        """Return every other system minus the reference; words hold for all of them together."""
        if reference not in self._told:
            every = range(len(self.evaluated.prepared.systems))
            self._told[reference] = self._compared(reference, [n for n in every if n != reference])
        return self._told[reference]

    def _compared(self, reference: int, others: Sequence[int]) -> dict[int, Delta]:
        p = [self._p_values((reference, other)) for other in others]
        corrected = [holm(column) for column in zip(*p, strict=True)]
        return {
            other: self._delta((reference, other), [float(column[n]) for column in corrected])
            for n, other in enumerate(others)
        }

    def _pair(self, two: Two) -> tuple[Compared, Tests]:
        """Test two systems, the one with the lower number on the left."""
        if two not in self._tested:
            found = compared_sides(self.evaluated, *self._sides(self.ranked.pairing(*two)))
            every = (found.printed, found.right_at_worst, found.left_at_worst)
            self._tested[two] = found, tests(self.evaluated, every)
        return self._tested[two]

    def unearned(self, ahead: int, other: int) -> str | None:
        """Say why one system has a better number than another without being better."""
        two = _ordered((ahead, other))
        pairing = self.ranked.pairing(*two)
        name = self.ranked.variant, self.ranked.label
        found = compared_sides(self.evaluated, *self._sides(pairing))
        wins = 1 if two[1] == ahead else -1
        return unearned(self.evaluated, found, wins, lambda side: pairing.barred(*name, side))

    def _sides(self, pairing: Pairing) -> tuple[Key, Key]:
        return next(
            (left, right)
            for left, right in keys(self.evaluated, pairing)
            if left[1] == self.ranked.label
            and self.evaluated.subjects[left[0]].variant == self.ranked.variant
        )

    def _p_values(self, two: Two) -> tuple[float, float, float]:
        """Return the tests of a difference: as printed, the right at worst, the left at worst."""
        found, tested = self._pair(_ordered(two))
        worst = [found.right_at_worst, found.left_at_worst]
        if two[0] > two[1]:
            worst.reverse()
        return (
            tested.of(found.printed).p_value,
            tested.of(worst[0]).p_value,
            tested.of(worst[1]).p_value,
        )

    def _delta(self, two: Two, p: Sequence[float]) -> Delta:
        evaluated, turned = self.evaluated, two[0] > two[1]
        known, tested = self._pair(_ordered(two))
        left, right = known.sides[::-1] if turned else known.sides
        found = compared_sides(evaluated, left, right)
        pairing = self.ranked.pairing(*_ordered(two))
        name = self.ranked.variant, self.ranked.label

        def barred(side: int) -> str | None:
            return pairing.barred(*name, -side if turned else side)

        lacking = (self.unranked[system] for system in two if system in self.unranked)
        silent = next(lacking, None) or pairing.silent(*name)
        told = Judged(None, silent) if silent else judged(evaluated, found, (*p,), barred)
        test = tested.of(known.printed)
        return delta(evaluated, found.printed, (test, p[0]), told)


def _ordered(two: Two) -> Two:
    return (two[0], two[1]) if two[0] < two[1] else (two[1], two[0])
