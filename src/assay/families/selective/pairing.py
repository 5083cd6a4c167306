"""Which differences of systems may be called better or worse, pair by pair and of many.

Whoever abstains more has a shorter curve, and nearly everything that is read off the whole of it
falls with its length. So words are about coverages that both sides reach, and never in favour of
the side that failed more often. Many systems are put in order up to the coverage that all reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.families.family import FEWEST_RANKED, Pairing, Ranked, Subject
from assay.families.selective.parts import PEOPLE
from assay.inference.rules import FEWEST_CLUSTERS
from assay.metrics.selective import (
    augrc_at_coverage,
    coverage_at_threshold,
    mean_risk_at_coverage,
    risk_coverage_curve,
)
from assay.metrics.selective.points import NOTHING_ANSWERED
from assay.registry import METRICS
from assay.sources.matching import everyone, lost_items, matched, overlap

if TYPE_CHECKING:
    from assay.families.selective.options import SelectiveOptions
    from assay.score import Rows
    from assay.sources.items import ItemTable
    from assay.sources.names import Participant

RANKED_BY = "augrc_at_coverage@common"
COVERAGE = "the two answer different shares of the items: compare at a coverage both reach"
DIFFERING = "items with another truth or count were left out"
LACKING = "the side it favours lacks people or items that the other has"
FAILED = "the side it favours failed more often"
GAIN = "a confidence that tells nothing has nothing to gain"
THRESHOLD = "at this threshold the two accept different shares of the items"
TRADED = "coverage at a threshold can be had at any risk"
UNCONFIRMED = "the generalized risk, which ties and other errors do not bend, does not confirm it"
CROSSING = "the curves cross: their mean height up to the same coverage does not confirm it"
RISKIER = "up to the coverage that both reach it errs more"
FEW = f"fewer than {FEWEST_CLUSTERS} participants have an answer on the side it favours"
NEVER = {"aurc_achievable_gain_pct": GAIN, "coverage_at_threshold": TRADED}
AT_ANY_COVERAGE = frozenset({"cmax", "risk_at_coverage", "achieved_coverage", "coverage_at_risk"})
"""numbers that are read at one coverage, or are one"""
CUT_AREAS = frozenset({"aurc_at_coverage", "augrc_at_coverage", "mean_risk_at_coverage"})
AT_THRESHOLD = frozenset({"risk_at_threshold", "generalized_risk_at_threshold"})
RELATIVE = frozenset({"eaurc", "eaugrc", "aurc_gap_pct", "augrc_gap_pct", "error_auroc"})
"""numbers that take a side's own errors as given, so that more errors may lower them"""
ORDERED = CUT_AREAS | {
    *("aurc", "augrc", "augrc_normalized", "naurc", "naugrc", "aurc_achievable"),
    "risk_at_coverage",
}
"""numbers that depend on how equal confidences are joined or put in order"""
JOINED = frozenset({"aurc", "naurc", "aurc_at_coverage", "mean_risk_at_coverage", "eaurc"}) | {
    *("aurc_gap_pct", "aurc_achievable")
}
"""areas under the risk, which a line between two working points bends"""


@dataclass(frozen=True, slots=True, eq=False)
class _Judging:
    """Two systems on the same items."""

    sides: Sequence[Mapping[str, Rows]]
    """left and right, by confidence"""
    counts: Mapping[str, int]
    """whom both have and whom one failed on; people and items that were left out: of one side, or
    with another truth or count"""
    area_coverage: float
    reached: float | None = None
    """the coverage that all systems reach, where more than these two are cut at it"""

    def silent(self, variant: str, label: str) -> str | None:
        """Say why a number gets no word, whatever it is."""
        name, _, at = label.partition("@")
        if variant == PEOPLE:
            return None
        if self.counts.get("items_differing"):
            return DIFFERING
        if name in NEVER:
            return NEVER[name]
        if name in AT_THRESHOLD:
            shares = [_accepted(rows, float(at)) for rows in self._rows(variant)]
            return None if shares[0] == shares[1] else THRESHOLD
        reached = [_answered_share(rows) for rows in self._rows(variant)]
        within = name in CUT_AREAS and (at == "common" or min(reached) >= self.area_coverage)
        if reached[0] == reached[1] or name in AT_ANY_COVERAGE or within:
            return None
        return COVERAGE

    def barred(self, variant: str, label: str, side: int) -> str | None:
        """Say why no word about a number may favour a side, where that is so."""
        if variant == PEOPLE:
            return None
        if (self.counts["failed_right"] - self.counts["failed_left"]) * side > 0:
            return FAILED
        other = "left" if side > 0 else "right"
        if any(self.counts.get(f"{what}_{other}_only") for what in ("items", "participants")):
            return LACKING
        name, _, at = label.partition("@")
        rows = self._rows(variant)
        answering = [_answering(each) for each in rows[::-side]]
        if answering[0] < min(FEWEST_CLUSTERS, answering[1]):
            return FEW
        return self._unconfirmed(name, at, rows, side)

    def confirmed(self, variant: str, label: str) -> tuple[str, str] | None:
        """Name the generalized area that must be as clear where ties are joined by a line.

        The line from a few sure answers to all the others bends an area by half of it.
        """
        name, at, cut = label.partition("@")
        if variant == PEOPLE or name not in JOINED or not any(map(_tied, self._rows(variant))):
            return None
        whole = "augrc_at_coverage" if name in CUT_AREAS else "augrc"
        return f"{whole}{at}{cut}", UNCONFIRMED

    def _unconfirmed(self, name: str, at: str, rows: tuple[Rows, Rows], side: int) -> str | None:
        """Say which other number speaks against a side, where one does."""
        if name == "cmax" or name in RELATIVE or (name in ORDERED and any(map(_tied, rows))):
            left, right = (self._generalized(name, at, each, rows) for each in rows)
            if name == "cmax":
                return RISKIER if (right - left) * side > 0 else None
            if not (right - left) * side < 0:
                return UNCONFIRMED
        if name == "augrc_at_coverage":
            left, right = (self._height(at, each, rows) for each in rows)
            return None if (right - left) * side < 0 else CROSSING
        return None

    def _rows(self, variant: str) -> tuple[Rows, Rows]:
        left, right = (each[variant] for each in self.sides)
        return left, right

    def _generalized(self, name: str, at: str, own: Rows, both: tuple[Rows, Rows]) -> float:
        """Return the generalized risk over the coverages that a number is about, ties undecided.

        It only grows by abstaining on right answers, and by wrong answers in place of right ones.
        """
        columns: Mapping[str, Any] = own.columns
        if name == "risk_at_coverage":
            curve = risk_coverage_curve(**columns, weight=own.weight.size)
            coverage, risk = curve.coverage, curve.generalized_risk
            return float(np.interp(float(at), [0.0, *coverage], [0.0, *risk]))
        cut = min(map(_answered_share, both))
        if name in CUT_AREAS:
            cut = self._cut(at, both)
        if not cut:  # one side answers nothing
            return 0.0
        return float(augrc_at_coverage(**columns, weight=own.weight.size, area_coverage=cut))

    def _height(self, at: str, own: Rows, both: tuple[Rows, Rows]) -> float:
        """Return the mean of what a figure of the curve shows, over the same coverages."""
        columns: Mapping[str, Any] = own.columns
        cut = self._cut(at, both)
        return float(mean_risk_at_coverage(**columns, weight=own.weight.size, area_coverage=cut))

    def _cut(self, at: str, both: tuple[Rows, Rows]) -> float:
        cut = min(map(_answered_share, both)) if self.reached is None else self.reached
        return cut if at == "common" else min(cut, self.area_coverage)


def _answered_share(rows: Rows) -> float:
    """Return the share of the items that is answered."""
    size = rows.weight.size
    return float(size[rows.columns["answered"] == 1].sum() / size.sum())


def _answering(rows: Rows) -> int:
    """Return how many participants have an answer."""
    return np.unique(rows.weight.cluster[rows.columns["answered"] == 1]).size


def _accepted(rows: Rows, threshold: float) -> float:
    return float(
        coverage_at_threshold(**rows.columns, weight=rows.weight.size, threshold=threshold)
    )


def _tied(rows: Rows) -> bool:
    """Say whether several answers share a confidence."""
    answered = rows.columns["answered"] == 1
    confidence, size = rows.columns["confidence"][answered], rows.weight.size[answered]
    return np.unique(confidence).size < confidence.size or bool((size > 1).any())


def shared(tables: Sequence[ItemTable]) -> list[Participant]:
    """Return who is in all tables."""
    return sorted(set.intersection(*map(everyone, tables)))


@dataclass(frozen=True, slots=True, eq=False)
class Against:
    """Every input against the first, on what the two share: a third one changes nothing."""

    tables: Sequence[ItemTable]
    analysed: Sequence[ItemTable]
    """what all of them share"""
    options: SelectiveOptions
    made: Callable[[int, ItemTable, Sequence[Participant]], Iterable[Subject]]
    """subjects of an input: its number, its rows, and who is in all that are compared"""
    subjects: list[Subject]
    """those of a pair are added where they are not those of all"""

    def pairing(self, right: int) -> Pairing:
        """Compare an input with the first, and say what of it may be judged in words."""
        tables, options = (self.tables[0], self.tables[right]), self.options
        counts = _counts(*tables, options)
        sides = self._sides(right)
        rows = [{self.subjects[n].variant: self.subjects[n].rows for n in of} for of in sides]
        judging = _Judging(rows, counts, options.area_coverage)
        said = (judging.silent, judging.barred, judging.confirmed)
        return Pairing(0, right, counts, [*zip(*sides, strict=True)], *said)

    def _sides(self, right: int) -> list[list[int]]:
        """Return the places of the subjects of both sides.

        Where the two share more than all inputs do, numbers are computed once more on that. What is
        cut at a coverage that all reach is always cut once more, at the one that these two reach.
        """
        listed = self._matching(right, lambda each, system: each.is_of(system))
        if len(self.tables) == len(listed):
            return listed
        sides, first = [self.tables[0], self.tables[right]], len(self.subjects)
        both = matched(sides, intersection_only=self.options.intersection_only)
        people = shared(sides)
        same = people == shared(self.tables) and all(
            (table.n_rows, table.participants) == (of_all.n_rows, of_all.participants)
            for table, of_all in zip(both, (self.analysed[0], self.analysed[right]), strict=True)
        )
        for number, table in zip((0, right), both, strict=True):
            for each in self.made(number, replace(table, group=None), people):
                only = {f"{name}@common" for name, metric in METRICS.items() if metric.common}
                own = replace(each, table=f"against {right}", listed=False)
                own = replace(own, only=only) if same else own
                self.subjects.append(own)
        added = {id(each) for each in self.subjects[first:]}
        own_pairs = self._matching(right, lambda each, n: id(each) in added and each.system == n)
        return [[*a, *b] for a, b in zip(listed, own_pairs, strict=True)] if same else own_pairs

    def _matching(self, right: int, wanted: Callable[[Subject, int], bool]) -> list[list[int]]:
        """Return the places of wanted subjects of both sides, by the variants that both have."""
        left, other = (
            {s.variant: n for n, s in enumerate(self.subjects) if wanted(s, system)}
            for system in (0, right)
        )
        both = [variant for variant in left if variant in other]
        return [[left[variant] for variant in both], [other[variant] for variant in both]]


def ranking(
    tables: Sequence[ItemTable],
    subjects: Sequence[Subject],
    confidences: Sequence[str],
    options: SelectiveOptions,
) -> Ranked | None:
    """Take the first confidence that all have, on the items that all share."""
    listed = [
        {each.variant: n for n, each in enumerate(subjects) if each.is_of(system)}
        for system in range(len(tables))
    ]
    shared = [name for name in confidences if all(name in own for own in listed)]
    if not shared or len(tables) < FEWEST_RANKED:
        return None
    places = [own[shared[0]] for own in listed]
    rows = [subjects[place].rows for place in places]
    shares = [_answered_share(each) if each.weight.size.size else 0.0 for each in rows]
    reached = min([each for each in shares if each] or [0.0])

    @cache
    def pairing(left: int, right: int) -> Pairing:
        counts = _counts(tables[left], tables[right], options)
        own = [{shared[0]: rows[each]} for each in (left, right)]
        judging = _Judging(own, counts, options.area_coverage, reached)
        mute = NOTHING_ANSWERED if not all((shares[left], shares[right])) else None

        def silent(variant: str, label: str) -> str | None:
            return mute or judging.silent(variant, label)

        sides = [(places[left], places[right])]
        return Pairing(left, right, counts, sides, silent, judging.barred)

    return Ranked(RANKED_BY, shared[0], pairing, lambda _, variant: variant.numbers["risk"].reason)


def _counts(left: ItemTable, right: ItemTable, options: SelectiveOptions) -> dict[str, int]:
    """Count whom two tables share, and what of them was left out."""
    lost = lost_items(left, right) if options.intersection_only else {}
    return {**overlap(left, right), **lost}
