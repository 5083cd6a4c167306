"""What was not answered: how it counts at worst, and which words it takes away.

A refusal that leaves a pair, an output that is missing where only those in order count: both take
vignettes out of a number, and whoever loses the hard ones looks better. At worst all that was asked
counts, and what was not answered is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.families.reasoning.sheets import (
    MODES,
    Common,
    Flags,
    Pairs,
    pairs_under,
    vignette_rows,
)
from assay.score import Rows, requests

if TYPE_CHECKING:
    from assay.families.reasoning.options import ReasoningOptions
    from assay.families.reasoning.sheets import Convention, Mask, Mode, Sample

__all__ = ["HEDGED", "LEFT_OUT", "Asked", "Bars", "all_counted", "changed_labels"]

LEFT_OUT = "what was not answered is left out under these options, so failing could pay"
REFUSED_MORE = "the side it favours refused more often"
HEDGED = (
    "the side it favours names several answers or one that it does not give, or breaks off, more"
    " often; this reading takes one"
)
TAKES_ONE = ("closed-set", "literal", "heuristic")
"""readings that find a label wherever it stands in a text"""
FAILURES = {"failure_rate_cot": "cot", "failure_rate_early": "early"}
ACCURACIES = {"accuracy_cot": "cot", "accuracy_early": "early"}


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One model with all that was asked of it, whatever the options leave out."""

    flags: Flags
    first: Flags
    """without the outputs that took the place of another answer"""
    pairs: Pairs
    """refusals wrong where they would be left out"""
    convention: Convention

    @classmethod
    def of(cls, flags: Flags, sample: Sample, chosen: Convention) -> Asked:
        """Count everything, by flags in which all that was asked counts."""
        wrong = replace(chosen, refusals="wrong") if chosen.refusals == "exclude" else chosen
        first = flags.without_reasked(sample.ids)
        return cls(flags, first, pairs_under(first, sample.ids, wrong), chosen)

    def rows(self, sample: Sample, beside: Common | None = None) -> Rows:
        """Return the model at worst, or only on what another one has.

        A pair that a refusal takes away is lost in both modes.
        """
        reading, found = self.convention.reading, self.pairs
        if self.convention.refusals == "exclude":
            cot, early = (self.first.refused(mode, reading) for mode in MODES)
            kept = ~(cot | early)
            found = Pairs(found.paired, found.correct_cot & kept, found.correct_early & kept)
        return vignette_rows(self.first, sample, found, reading, beside=beside)

    def _states(self, flags: Flags, mode: Mode) -> tuple[Mask, Mask]:
        """Say where a mode failed, and where it refused, if that is told."""
        refused = flags.refused(mode, self.convention.reading)
        refused = refused & (self.convention.refusals != "ignore")
        return flags.failed(mode, self.convention.reading), refused

    def hedged(self, mode: Mode) -> int:
        """Count texts of which the reading takes a label that need not be what they conclude."""
        takes_one = self.convention.reading in TAKES_ONE
        return int(self.flags.hedged(mode).sum()) if takes_one else 0

    def states(self) -> dict[str, int]:
        """Count by mode what was asked, and what became of it."""
        found: dict[str, int] = {}
        for mode, name in zip(MODES, ("cot", "early"), strict=True):
            asked = int(self.flags.present[mode].sum())
            n_failed, n_refused = (int(each.sum()) for each in self._states(self.flags, mode))
            found |= {
                f"asked_{name}": asked,
                f"answered_{name}": asked - n_failed - n_refused,
                f"abstained_{name}": n_refused,
                f"failed_{name}": n_failed,
            }
        return found

    def gaps(self, sample: Sample) -> tuple[Rows, Rows] | None:
        """Return who is right if what was not answered spoke against and for the chain.

        None where everything was answered.
        """
        states = [self._states(self.first, mode) for mode in MODES]
        cot, early = ((failed | refused) & self.pairs.paired for failed, refused in states)
        if not (cot | early).any():
            return None
        found = self.pairs
        against = Pairs(found.paired, found.correct_cot & ~cot, found.correct_early | early)
        speaks_for = Pairs(found.paired, found.correct_cot | cot, found.correct_early & ~early)
        lowest, highest = (Rows(each.columns(), sample.weight) for each in (against, speaks_for))
        return lowest, highest


def changed_labels(
    printed: tuple[Rows, Mapping[str, Any]], worst: tuple[Rows, Mapping[str, Any]]
) -> set[str]:
    """Return the numbers with a better side that other rows or other settings may change."""
    (rows, settings), (others, other_settings) = printed, worst
    changed = {
        name
        for name, column in rows.columns.items()
        if not np.array_equal(column, others.columns[name])
    }
    changed |= {name for name in settings if settings[name] != other_settings[name]}
    asked = requests(tuple(rows.columns), settings, family="reasoning")
    return {
        each.label
        for each in asked
        if each.metric.better is not None
        and changed & {*each.metric.columns, *each.metric.optional, *each.metric.options}
    }


def all_counted(options: ReasoningOptions) -> dict[str, Any]:
    """Return the options of metrics under which chains without steps count."""
    return {**options.settings(), "stepless": "zero"}


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """Which words a pair of models may not have."""

    left_out: frozenset[str]
    """numbers that leave something out by a rule that is to be kept"""
    refused: Mapping[str, tuple[int, int]]
    """by mode: how often the left and the right side refuse"""
    hedged: Mapping[str, tuple[int, int]]
    """by mode: how often they name several answers or break off, where the reading takes one"""

    def silent(self, label: str) -> str | None:
        """Say why a number gets no word, whatever it is."""
        return LEFT_OUT if label in self.left_out else None

    def barred(self, label: str, side: int) -> str | None:
        """Say why no word about a number may favour a side."""
        for modes, counts, why in (
            (FAILURES, self.refused, REFUSED_MORE),
            (ACCURACIES, self.hedged, HEDGED),
        ):
            left, right = counts.get(modes.get(label, ""), (0, 0))
            if (right - left) * side > 0:
                return why
        return None
