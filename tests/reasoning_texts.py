"""The labelled texts, the shipped rules and label sets, and how well each reading does on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.derive.answers import ReadingRules, is_correct, read_answer
from assay.derive.labels import LabelSet
from assay.derive.refusals import RefusalRules
from assay.sources.labels import read_labels, reference_rules, shipped_rules

TEXTS = Path(__file__).parent / "data" / "reasoning_texts.jsonl"


@dataclass(frozen=True)
class LabelledText:
    id: str
    part: str
    """`rules`: the rules were written with it in view; `fresh`: written when they were fixed"""
    language: str
    kind: str
    outcome: str
    answer: str | None
    text: str


@cache
def labelled_texts() -> tuple[LabelledText, ...]:
    lines = TEXTS.read_text(encoding="utf-8").splitlines()
    return tuple(LabelledText(**json.loads(line)) for line in lines)


@cache
def rules() -> RefusalRules:
    return shipped_rules()


@cache
def psychiatry() -> LabelSet:
    return read_labels("psychiatry")[0]


def readings() -> dict[str, ReadingRules]:
    """The readings that are measured, by the words under which the docs list them."""
    given = rules(), psychiatry()
    followed = reference_rules(), psychiatry()
    return {
        "announced": ReadingRules(*given, reading="announced"),
        "closed set": ReadingRules(*given),
        "closed set, asserted mentions": ReadingRules(*given, mentions="asserted"),
        "closed set, reference order": ReadingRules(
            *followed, boundaries="substring", refusal_order="reference"
        ),
        "heuristic": ReadingRules(*given, reading="heuristic"),
        "heuristic, reference order": ReadingRules(
            *followed, reading="heuristic", boundaries="substring", refusal_order="reference"
        ),
        "literal text": ReadingRules(*given, reading="literal"),
    }


@dataclass(frozen=True)
class Quality:
    n_refused: int
    n_called_refused: int
    n_rightly_called_refused: int
    n_answered: int
    n_read: int
    n_rightly_read: int

    def row(self, name: str) -> str:
        """One line of the table in the docs."""
        parts = (
            (self.n_rightly_called_refused, self.n_called_refused),
            (self.n_rightly_called_refused, self.n_refused),
            (self.n_rightly_read, self.n_read),
            (self.n_rightly_read, self.n_answered),
        )
        cells = [f"{part / whole:.3f} ({part}/{whole})" if whole else "-" for part, whole in parts]
        return f"| {name} | {' | '.join(cells)} |"


def quality(how: ReadingRules, part: str) -> Quality:
    """Count what a reading gets right on one part of the labelled texts."""
    chosen = [each for each in labelled_texts() if each.part == part]
    read = [(each, read_answer(each.text, how)) for each in chosen]
    right = [
        each.answer is not None
        and found.answer is not None
        and is_correct(found.answer, each.answer, psychiatry())
        for each, found in read
    ]
    refused = [(each.outcome == "refused", found.outcome == "refused") for each, found in read]
    return Quality(
        n_refused=sum(wanted for wanted, _ in refused),
        n_called_refused=sum(called for _, called in refused),
        n_rightly_called_refused=sum(wanted and called for wanted, called in refused),
        n_answered=sum(each.answer is not None for each, _ in read),
        n_read=sum(found.answer is not None for _, found in read),
        n_rightly_read=sum(right),
    )


def quality_table(part: str) -> str:
    """One of the two tables in the docs."""
    head = "| reading | refusals: precision | recall | answers: precision | recall |\n"
    rule = "|---|---|---|---|---|\n"
    rows = (quality(how, part).row(name) for name, how in readings().items())
    return head + rule + "\n".join(rows)
