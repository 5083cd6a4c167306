"""How one output is read, under every reading that needs nothing but its text.

No gold label comes near: the same text has the same answer, whatever would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from assay.derive.answers import (
    Answer,
    Mentions,
    Outcome,
    ReadingRules,
    RefusalOrder,
    Several,
    announced_answer,
    in_other_order,
    line_in,
    read_answer,
    spoken,
    still_meant,
)
from assay.derive.bias import BiasText
from assay.derive.labels import LabelSet
from assay.derive.mentions import Boundaries
from assay.derive.naming import State
from assay.derive.refusals import RefusalRules
from assay.derive.steps import Assignment, StepBlock

VARIANTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "first": ("several", "first"),
        "last": ("several", "last"),
        "longest": ("several", "longest"),
        "asserted": ("mentions", "asserted"),
        "any mention": ("mentions", "all"),
        "substring": ("boundaries", "substring"),
        "words": ("boundaries", "words"),
    }
)
"""the closed set with one choice made otherwise, which can turn a gap around"""

LONGEST = 1000
"""characters of an answer; a line of a few very long words is cut"""


@dataclass(frozen=True, slots=True)
class TextRules:
    """How texts are read; options of the same names choose it."""

    reading: str
    boundaries: Boundaries
    mentions: Mentions
    several: Several
    refusals: str
    refusal_order: RefusalOrder
    denominator: str
    bias_text: BiasText
    step_block: StepBlock
    matching: Assignment
    threshold: float
    min_tokens: int
    min_characters: int

    @property
    def compared(self) -> Boundaries:
        """How a name stands in what is compared with it; the reference folds texts for labels only.

        So it takes a hyphen for a space where it looks for a label, and nowhere else.
        """
        printed = self.refusal_order == "reference" and self.boundaries == "substring"
        return "verbatim" if printed else self.boundaries

    @property
    def variants(self) -> dict[str, tuple[str, str]]:
        """The other choices about the closed set that were not made anyway."""
        found = VARIANTS.items()
        return {name: (key, to) for name, (key, to) in found if getattr(self, key) != to}

    def extraction(self) -> dict[str, Any]:
        """Return the options that extraction depends on."""
        names = ("boundaries", "mentions", "several", "refusal_order")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Read:
    """What was read from one text."""

    outcome: Outcome
    method: str
    shown: str
    """the answer, or the word that stands for none in files"""
    rule: str | None
    """by which it refuses"""
    answers: Mapping[str, str | None]
    """by reading, as if nothing were a refusal"""
    outcomes: Mapping[str, Outcome]
    mentioned: tuple[str, ...]
    """labels that are named outside think blocks, also those that are denied"""
    state: State | Literal["limited"] | None = None
    """what the text does, where it was read for what it announces"""
    span: tuple[int, int] | None = None


@lru_cache(maxsize=4)  # the questions of one evaluation share them
def _without(rules: RefusalRules) -> RefusalRules:
    return replace(rules, rules=(), more=())


class Judge:
    """Reads texts by the conventions of one evaluation."""

    def __init__(
        self,
        labels: LabelSet,
        rules: RefusalRules,
        how: TextRules,
        choices: Mapping[str, LabelSet] | None = None,
    ) -> None:
        """Prepare the readings, also those in which nothing is a refusal.

        `choices` are the options of cases that have their own.
        """
        self._choices, self._made = choices or {}, {labels: self}
        self._with = (rules, how)
        closed = ReadingRules(rules, labels, "closed-set", **how.extraction())
        self._readings = {"closed-set": closed, "heuristic": replace(closed, reading="heuristic")}
        # Names are words there and refusals come first, whatever is chosen for the others.
        self._readings["announced"] = replace(closed, reading="announced")
        changes: dict[str, dict[str, Any]] = {
            name: {key: to} for name, (key, to) in how.variants.items()
        }
        self._variants = {name: replace(closed, **each) for name, each in changes.items()}
        without = _without(rules)
        self._unrefused = {
            name: replace(each, rules=without)
            for name, each in (*self._readings.items(), *self._variants.items())
        }
        self.in_order = how.refusal_order == "reference"
        """whether texts are read as the reference reads them: as they were printed"""
        letters = any(len(name) == 1 for each in labels.labels for name in each.names)
        self._lettered = letters and how.several == "longest" and not self.in_order
        self._first = how.reading if how.reading in self._readings else "closed-set"

    def of_case(self, case: str, own: Mapping[str, str] | None = None) -> Judge:
        """Return what reads the texts of a case: by its own options, else by the labels of all."""
        labels = LabelSet.of_options(own) if own else self._choices.get(case)
        if labels is None:
            return self
        made = self._made.get(labels)
        if made is None:
            made = self._made[labels] = Judge(labels, *self._with)
        return made

    def read(self, text: str, *, limited: bool = False) -> Read:
        """Read one text under every reading; `limited` says that a limit of length ended it."""
        closed = read_answer(text, self._readings["closed-set"])
        announced = announced_answer(text, self._readings["announced"], limited=limited)
        found = {"announced": announced, "closed-set": closed}
        found["heuristic"] = self._heuristic(text, closed)
        for name in self._variants:
            found[name] = self._variant(text, name, closed)
        chosen = found["announced" if self._first == "announced" else "closed-set"]
        return Read(
            outcome=chosen.outcome,
            method=chosen.method,
            shown=chosen.shown[:LONGEST],
            rule=chosen.rule,
            answers={name: self._answer(text, name, each) for name, each in found.items()},
            outcomes={name: each.outcome for name, each in found.items()},
            mentioned=tuple(dict.fromkeys(each.label for each in closed.mentions)),
            state=chosen.state or ("limited" if limited else None),
            span=chosen.span,
        )

    def _heuristic(self, text: str, chosen: Answer) -> Answer:
        """Read a text by the heuristic, looking for labels and refusals no second time.

        Without a label in the text the closed set has fallen back on the heuristic already; with
        one, a phrase of refusal is a hedge and changes nothing.
        """
        if self.in_order:
            return read_answer(text, self._readings["heuristic"])
        if chosen.method.startswith("closed_set_match"):
            return line_in(spoken(text))
        return chosen

    def _variant(self, text: str, name: str, closed: Answer) -> Answer:
        """Read a text by the closed set with one choice made otherwise, where that can matter."""
        how, usual = self._variants[name], self._readings["closed-set"]
        if how.boundaries != usual.boundaries:
            if self._names_the_same(text, closed, how):
                return closed
            # Letters are in every word: where no longer name counts, they are read as words.
            lettered = self._lettered and how.boundaries != "words"
            if not lettered:
                return read_answer(text, how)
            by_name = read_answer(text, how, least=2)
            return by_name if by_name.method.startswith("closed_set_match") else closed
        if how.mentions == "asserted" and usual.mentions != "asserted":
            # The reference knows no words that take a label back.
            asked = closed.mentions and not self.in_order
            same = not asked or still_meant(spoken(text), closed, how)
            return closed if same else read_answer(text, how)
        if how.mentions != usual.mentions:
            return read_answer(text, how)
        several = closed.method.startswith("closed_set_match_")
        return in_other_order(spoken(text), closed, how) if several else closed

    def _names_the_same(self, text: str, closed: Answer, how: ReadingRules) -> bool:
        """Say whether a label counts, and what is named is so with the boundaries of `how`."""
        if self.in_order or not closed.method.startswith("closed_set_match"):
            return False
        cues = how.rules.cues if how.mentions == "asserted" else None
        least = 1 + (self._lettered and how.boundaries != "words")
        given, labels = spoken(text), how.labels
        plain = "verbatim" not in {how.boundaries, self._readings["closed-set"].boundaries}
        if plain and labels.stands_anywhere_alike(given):
            return True
        found = labels.mentions_in(given, boundaries=how.boundaries, cues=cues, least=least)
        return found == closed.mentions

    def _answer(self, text: str, name: str, found: Answer) -> str | None:
        if found.outcome == "refused":
            found = read_answer(text, self._unrefused[name])
        return None if found.answer is None else found.answer[:LONGEST]
