"""What is written down row by row while texts are read: outputs, steps, extracted answers.

Texts in an artifact are cut, and lists of rows and cases are capped; the counts beside them say
how many there were.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from assay.artifact import Number, Record

__all__ = ["ExtractedRow", "OutputRow", "StepCase", "StepMatch"]

Mode = Literal["cot", "direct"]
Outcome = Literal["answered", "refused", "failed"]


class StepMatch(Record, frozen=True, kw_only=True):
    """A step of the model beside the gold step it met, counted from 0."""

    step: int
    gold_step: int
    overlap: float
    kept: bool
    """false where an earlier step had taken the gold step already"""


class StepCase(Record, frozen=True, kw_only=True):
    """The reasoning of one vignette, step by step."""

    id: str
    n_steps: int
    n_gold_steps: int
    n_matched: int
    precision: Number
    recall: Number
    f1: Number
    steps: list[str]
    gold_steps: list[str]
    matches: list[StepMatch]


class OutputRow(Record, frozen=True, kw_only=True):
    """One output and how it was read."""

    id: str
    mode: Mode
    outcome: Outcome | None
    """null where the status is not ok"""
    method: str
    """how the answer was found, or why not"""
    answer: str | None
    gold: str | None
    correct: bool | None
    """null where there is no gold or the mode is not in order"""
    readings: dict[str, str | None]
    """the answer under every reading, as if nothing were a refusal"""
    n_words: int
    text: str
    """the start of the output"""


class ExtractedRow(Struct, frozen=True, kw_only=True):
    """A line of study_a_extracted.jsonl: the fields of the earlier program, and what we add."""

    id: str
    mode: str
    model_name: str
    status: str
    is_refusal: bool
    extracted_diagnosis: str
    extraction_method: str
    response_verbosity: float
    format_noise_score: float
    word_count: int
    outcome: Outcome | None = None
    """null where the status is not ok"""
    refusal_rule: str | None = None
    answers: dict[str, str | None] = field(default_factory=dict)
    """by reading, as if nothing were a refusal"""
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    mentioned: list[str] = field(default_factory=list)
    """labels that are named outside think blocks, also those that are denied"""
    verbosity: float = 0.0
    """not rounded, as the two below"""
    format_noise: float = 0.0
    complexity: float = 0.0
    state: str | None = None
    """answered, none, outside, undecided, refused or failed, where read for what is announced; by
    other readings `limited` where a limit of length ended the text"""
    span: tuple[int, int] | None = None
    """the characters that gave the answer, there"""
