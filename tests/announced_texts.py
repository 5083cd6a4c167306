"""The labelled texts in the manner of real models, and how well the announced reading does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assay.derive.answers import Answer, ReadingRules, announced_answer
from assay.derive.labels import LabelSet
from assay.derive.text import whole_output
from assay.sources.labels import read_labels, shipped_rules

FOLDER = Path(__file__).parent / "reasoning_texts"
STATES = ("answered", "none", "outside", "undecided", "refused", "failed")
KINDS = ("direct", "cot")


@dataclass(frozen=True)
class Labelled:
    id: str
    kind: str
    language: str
    labels: list[str] | dict[str, str] | str
    """a list, options by letter, or the name of a set that is shipped"""
    text: str
    expected_state: str
    expected_answer: str | None
    prompt_tail: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    note: str = ""

    @property
    def label_set(self) -> LabelSet:
        if isinstance(self.labels, str):
            return read_labels(self.labels)[0]
        options = isinstance(self.labels, dict)
        return LabelSet.of_options(self.labels) if options else LabelSet.of(self.labels)

    def read(self) -> Answer:
        """Read the text as the pipeline does."""
        text = whole_output(self.text, reasoning=self.reasoning, prompt=self.prompt_tail)
        how = ReadingRules(shipped_rules(), self.label_set, "announced")
        return announced_answer(text, how, limited=self.finish_reason == "length")

    def is_right(self, found: Answer) -> bool:
        """Say whether state and answer are as labelled."""
        named = self.expected_state in {"answered", "outside"}
        same = (found.answer or "").lower() == (self.expected_answer or "").lower()
        return found.state == self.expected_state and (same or not named)


def parts() -> list[str]:
    """The files there are, by name."""
    return sorted(each.stem for each in FOLDER.glob("*.jsonl"))


@cache
def labelled(part: str) -> tuple[Labelled, ...]:
    lines = (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(Labelled(**_known(json.loads(line))) for line in lines if line.strip())


def _known(row: dict[str, Any]) -> dict[str, Any]:
    return {"expected_answer": None, **row}


@cache
def verdicts(part: str) -> tuple[tuple[Labelled, bool], ...]:
    return tuple((each, each.is_right(each.read())) for each in labelled(part))


def share(part: str, kind: str) -> float:
    """The share of the texts of a kind that are read right, state and answer."""
    right = [ok for each, ok in verdicts(part) if each.kind == kind]
    return sum(right) / len(right)


def quality_table(part: str) -> str:
    """How many texts of each state and kind are read right, as the docs show it."""
    head = f"| {part} | {' | '.join(KINDS)} |\n|---|{'---|' * len(KINDS)}\n"
    return head + "\n".join(_rows(part))


def _rows(part: str) -> Iterator[str]:
    for state in (*STATES, "all"):
        cells = []
        for kind in KINDS:
            right = [
                ok
                for each, ok in verdicts(part)
                if each.kind == kind and state in {each.expected_state, "all"}
            ]
            cells.append(f"{sum(right)} of {len(right)}" if right else "-")
        yield f"| {state} | {' | '.join(cells)} |"
