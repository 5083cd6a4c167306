"""The artifact of reasoning, several models at once, and the files of an earlier program beside it.

A model has two outputs per vignette: with a chain of thought (`cot`) and without (`direct`; the
numbers of that mode are called early). Texts in an artifact are cut, and lists of rows and cases
are capped; the counts beside them say how many there were.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from assay.artifacts.records import (
    SCHEMA_VERSION,
    Delta,
    Interval,
    Number,
    Record,
    Resampling,
    Scalar,
    Tool,
)

__all__ = [
    "BiasCase",
    "BiasFeature",
    "BiasRecord",
    "ExtractedRow",
    "ModePopulation",
    "OutputRow",
    "Place",
    "Ranking",
    "ReadingGap",
    "ReasoningArtifact",
    "ReasoningInput",
    "ReasoningModel",
    "ReasoningPair",
    "ReasoningPopulation",
    "SeedBias",
    "SeedMetrics",
    "Sensitivity",
    "StepCase",
    "StepHistogram",
    "StepMatch",
]

Mode = Literal["cot", "direct"]
Outcome = Literal["answered", "refused", "failed"]
Role = Literal[
    "generations",
    "extracted",
    "vignettes",
    "gold labels",
    "labels",
    "refusal rules",
    "bias generations",
    "bias cases",
]


class ReasoningInput(Record, frozen=True, kw_only=True):
    """One file that was read."""

    role: Role
    path: str
    sha256: str
    model: str | None = None
    n_rows: int


class ModePopulation(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What there is of one mode, vignette by vignette: missing + not_ok + empty + judged."""

    missing: int
    not_ok: int
    """a status other than ok"""
    empty: int
    """ok, without any text: the model failed to answer, counted in `failed` too"""
    answered: int
    refused: int
    failed: int
    """no answer was found in the text, or there was no text"""
    none: int = 0
    """of those answered: no label applies, where read for what is announced"""
    outside: int = 0
    """of those answered: with something that is no label"""
    undecided: int = 0
    """of those failed: several labels and none preferred"""
    missing_ids: list[str]
    """the first of them"""


class ReasoningPopulation(Record, frozen=True, kw_only=True):
    """What was read of one model, and what its numbers are computed on."""

    vignettes: int
    lines: int
    blank_lines: int
    broken_lines: int
    first_broken: list[int]
    """line numbers, counted from 1, of the first of them"""
    duplicates: int
    """rows replaced by a later one of the same vignette and mode"""
    unknown_ids: int
    """rows whose vignette is not in the file of vignettes"""
    unknown_modes: int
    cot: ModePopulation
    direct: ModePopulation
    pairs: int
    """vignettes with both modes in order and a gold answer"""
    pairs_refused: int
    """pairs in which a mode is refused"""
    pairs_used: int
    """pairs that accuracies and the gap are computed on"""
    stepped: int
    """chains of thought with gold steps to compare with"""


class ReadingGap(Record, frozen=True, kw_only=True):
    """Accuracies and their gap under one reading of the text."""

    name: str
    reading: str
    gold: str
    refusals: str
    chosen: bool
    """whether the numbers of the model are of this reading"""
    pairs: int
    correct_cot: int
    correct_early: int
    accuracy_cot: Number
    accuracy_early: Number
    gap: Scalar


class Sensitivity(Record, frozen=True, kw_only=True):
    """How much the gap depends on how texts are read."""

    readings: list[ReadingGap]
    lowest: Number
    highest: Number
    sign_depends: bool
    """one reading has a gap above 0 and another one below"""


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


class StepHistogram(Record, frozen=True, kw_only=True):
    """How many vignettes have a Step-F1 in each bin, left-closed, the last one closed."""

    edges: list[float]
    counts: list[int]


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


class BiasFeature(Record, frozen=True, kw_only=True):
    """Silent bias among the cases of one feature."""

    feature: str
    n: int
    n_biased: int
    n_silent: int
    silent_bias_rate: Number
    reason: str | None
    interval: Interval
    """Clopper-Pearson"""


class BiasCase(Record, frozen=True, kw_only=True):
    """One case that is biased."""

    id: str
    feature: str
    label: str
    silent: bool
    text: str


class BiasRecord(Record, frozen=True, kw_only=True):
    """Biased answers, and how many of them do not mention what biased them."""

    reading: Literal["whole", "split"]
    cases: int
    rows: int
    """cases with an output in order"""
    missing: int
    not_ok: int
    unsplit: int
    """outputs in which nothing separates answer and reasoning: not in the split reading"""
    duplicates: int
    blank_lines: int
    broken_lines: int
    unknown_ids: int
    n_biased: int
    n_silent: int
    metrics: dict[str, Scalar]
    readings: dict[str, dict[str, Scalar]]
    """the same numbers under every reading"""
    features: list[BiasFeature]
    biased: list[BiasCase]
    """the first of them"""


class ReasoningModel(Record, frozen=True, kw_only=True):
    """All numbers of one model."""

    name: str
    population: ReasoningPopulation
    metrics: dict[str, Scalar]
    correct_cot: int
    correct_early: int
    only_cot: int
    """pairs right with the chain of thought alone"""
    only_early: int
    """pairs right without it alone"""
    sensitivity: Sensitivity
    step_f1: StepHistogram
    n_cases: int
    cases: list[StepCase]
    """the first of them"""
    n_outputs: int
    outputs: list[OutputRow]
    """the first of them: those that readings disagree about, refusals and failures before others"""
    bias: BiasRecord | None
    """null without outputs for cases of bias"""


class Place(Record, frozen=True, kw_only=True):
    """A model in a ranking."""

    model: int
    rank: int
    """from 1; equal numbers share the smaller rank"""
    value: Number
    interval: Interval
    rank_interval: tuple[int, int] | None
    """where the rank lies on the resamples"""


class Ranking(Record, frozen=True, kw_only=True):
    """Models by one number, the best first; the largest first where neither is better."""

    metric: str
    title: str
    better: Literal["lower", "higher"] | None
    places: list[Place]


class ReasoningPair(Record, frozen=True, kw_only=True):
    """Two models, right minus left, on the vignettes they have in common."""

    left: int
    right: int
    n_common: int
    """pairs of modes that both models have"""
    n_common_stepped: int
    deltas: dict[str, Delta]
    """Holm corrects for all pairs of models"""


class ReasoningArtifact(Record, frozen=True, kw_only=True, tag_field="kind", tag="reasoning"):
    """Chains of thought of one or more models over the same vignettes."""

    schema_version: str = SCHEMA_VERSION
    tool: Tool
    created_at: str
    command: str | None = None
    inputs: list[ReasoningInput]
    conventions: dict[str, str | bool | int | float | list[str] | None]
    resampling: Resampling
    warnings: list[str]
    labels: list[str]
    """the closed set"""
    n_vignettes: int
    models: list[ReasoningModel]
    rankings: list[Ranking]
    pairs: list[ReasoningPair]


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
    """answered, none, outside, undecided, refused or failed, where read for what is announced"""
    span: tuple[int, int] | None = None
    """the characters that gave the answer, there"""


class SeedMetrics(Struct, frozen=True, kw_only=True):
    """{model}_metrics.json: the keys of the earlier program, then the same with intervals."""

    faithfulness_gap: Number
    acc_cot: Number
    acc_early: Number
    step_f1: Number
    n_samples: int
    n_step_f1_samples: int
    correct_cot: int
    correct_early: int
    refusal_rate_cot: Number
    refusal_rate_early: Number
    silent_bias_rate: Number
    n_biased: int | None
    n_silent: int | None
    n_bias_samples: int | None
    intervals: dict[str, Interval]
    p_value_mcnemar: Number
    sensitivity: dict[str, Number]
    conventions: dict[str, str | bool | int | float | list[str] | None]


class SeedBias(Struct, frozen=True, kw_only=True):
    """One model of study_a_bias_metrics.json."""

    silent_bias_rate: Number
    n_biased: int
    n_silent: int
    n_samples: int
    interval: Interval
    by_feature: dict[str, BiasFeature]
