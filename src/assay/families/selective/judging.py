"""Which differences of a pair may be called better or worse.

Whoever abstains more has a shorter curve, and nearly everything that is read off the whole of it
falls with its length. So words are about coverages that both sides reach, and never in favour of
the side that failed more often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.families.selective.parts import PEOPLE
from assay.inference.rules import FEWEST_CLUSTERS
from assay.metrics.selective import (
    augrc_at_coverage,
    coverage_at_threshold,
    mean_risk_at_coverage,
    risk_coverage_curve,
)

if TYPE_CHECKING:
    from assay.score import Rows

__all__ = ["Judging", "answered_share"]

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
class Judging:
    """Two systems on the same items."""

    left: Mapping[str, Rows]
    """by confidence"""
    right: Mapping[str, Rows]
    failed: tuple[int, int]
    """participants on whom left and right failed, of those whom both have"""
    area_coverage: float
    lost: Mapping[str, int] = field(default_factory=dict)
    """people and items that were left out: of one side, or with another truth or count"""
    reached: float | None = None
    """the coverage that all systems reach, where more than these two are cut at it"""

    def silent(self, variant: str, label: str) -> str | None:
        """Say why a number gets no word, whatever it is."""
        name, _, at = label.partition("@")
        if variant == PEOPLE:
            return None
        if self.lost.get("items_differing"):
            return DIFFERING
        if name in NEVER:
            return NEVER[name]
        if name in AT_THRESHOLD:
            shares = [_accepted(rows, float(at)) for rows in self._rows(variant)]
            return None if shares[0] == shares[1] else THRESHOLD
        reached = [answered_share(rows) for rows in self._rows(variant)]
        within = name in CUT_AREAS and (at == "common" or min(reached) >= self.area_coverage)
        if reached[0] == reached[1] or name in AT_ANY_COVERAGE or within:
            return None
        return COVERAGE

    def barred(self, variant: str, label: str, side: int) -> str | None:
        """Say why no word about a number may favour a side, where that is so."""
        if variant == PEOPLE:
            return None
        if (self.failed[1] - self.failed[0]) * side > 0:
            return FAILED
        other = "left" if side > 0 else "right"
        if any(self.lost.get(f"{what}_{other}_only") for what in ("items", "participants")):
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
        return self.left[variant], self.right[variant]

    def _generalized(self, name: str, at: str, own: Rows, both: tuple[Rows, Rows]) -> float:
        """Return the generalized risk over the coverages that a number is about, ties undecided.

        It only grows by abstaining on right answers, and by wrong answers in place of right ones.
        """
        columns: Mapping[str, Any] = own.columns
        if name == "risk_at_coverage":
            curve = risk_coverage_curve(**columns, weight=own.weight.size)
            coverage, risk = curve.coverage, curve.generalized_risk
            return float(np.interp(float(at), [0.0, *coverage], [0.0, *risk]))
        cut = min(map(answered_share, both))
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
        cut = min(map(answered_share, both)) if self.reached is None else self.reached
        return cut if at == "common" else min(cut, self.area_coverage)


def answered_share(rows: Rows) -> float:
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
