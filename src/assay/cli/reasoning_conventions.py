"""The conventions of `assay reasoning`, `assay extract` and `assay bias`."""

from __future__ import annotations

import click

from assay.cli.options import WHOLE, Decorator, choice, option
from assay.derive.answers import Mentions, RefusalOrder, Several
from assay.derive.bias import BiasText
from assay.derive.mentions import Boundaries
from assay.derive.steps import Assignment, StepBlock
from assay.evaluate.reasoning.options import REASONING_PRESETS, Reading, ReasoningOptions
from assay.evaluate.reasoning.sheets import Denominator, Refusals
from assay.metrics.reasoning.steps import Stepless

__all__ = ["BIAS_TEXT", "COUNTING", "EXTRACTION", "PRESET", "STEPS"]

_USUAL = ReasoningOptions()

EXTRACTION: tuple[Decorator, ...] = (
    option(
        "--boundaries",
        "boundaries",
        "Names of labels count as words of their own, or anywhere.",
        _USUAL.boundaries,
        type=choice(Boundaries),
    ),
    option(
        "--mentions",
        "mentions",
        "Whether labels that a text denies or only weighs can be its answer.",
        _USUAL.mentions,
        type=choice(Mentions),
    ),
    option(
        "--several",
        "several",
        "Which label counts where a text names several.",
        _USUAL.several,
        type=choice(Several),
    ),
    option(
        "--refusal-order",
        "refusal_order",
        "Look for refusals first, or as the reference does only where nothing was extracted.",
        _USUAL.refusal_order,
        type=choice(RefusalOrder),
    ),
)
COUNTING: tuple[Decorator, ...] = (
    option("--reading", "reading", "How answers are read.", _USUAL.reading, type=choice(Reading)),
    option(
        "--refusals",
        "refusals",
        "Leave a pair with a refusal out, count refusals wrong, or do not look for them.",
        _USUAL.refusals,
        type=choice(Refusals),
    ),
    option(
        "--denominator",
        "denominator",
        "Vignettes with both outputs, or all of them, missing ones being wrong.",
        _USUAL.denominator,
        type=choice(Denominator),
    ),
)
STEPS: tuple[Decorator, ...] = (
    option(
        "--step-block",
        "step_block",
        "Where the reasoning stands in a text.",
        _USUAL.step_block,
        type=choice(StepBlock),
    ),
    option(
        "--threshold", "threshold", "Overlap at which steps meet.", _USUAL.threshold, type=float
    ),
    option(
        "--min-tokens", "min_tokens", "Fewer words are no reasoning.", _USUAL.min_tokens, type=WHOLE
    ),
    option(
        "--min-characters",
        "min_characters",
        "A step is longer than this.",
        _USUAL.min_characters,
        type=WHOLE,
    ),
    option(
        "--matching",
        "matching",
        "Who gets a gold step that several steps meet.",
        _USUAL.matching,
        type=choice(Assignment),
    ),
    option(
        "--stepless",
        "stepless",
        "What a chain of thought without steps counts.",
        _USUAL.stepless,
        type=choice(Stepless),
    ),
)
BIAS_TEXT = option(
    "--bias-text",
    "bias_text",
    "Look for label and feature in the whole text, or in the answer and in the reasoning.",
    _USUAL.bias_text,
    type=choice(BiasText),
)
PRESET = option(
    "--preset",
    "preset",
    "A named bundle of the options above; those given win.",
    _USUAL.preset,
    type=click.Choice([*REASONING_PRESETS]),
)
