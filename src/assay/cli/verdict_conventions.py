"""The conventions of `assay verdicts` as options, under the names of the fields they fill."""

from __future__ import annotations

import click

from assay.cli.options import WHOLE, Decorator, choice, option
from assay.derive.evidence import Comparison, Denominator
from assay.derive.policies import Spelling
from assay.derive.snippets import Mode
from assay.evaluate.scoring import Undefined
from assay.evaluate.verdicts.options import (
    VERDICT_PRESETS,
    OutsideScale,
    PrecisionOver,
    RankScores,
    RecallOver,
    UnknownReviews,
    VerdictOptions,
)
from assay.metrics.verdicts.classes import Classes
from assay.metrics.verdicts.ranking import Positive, Steps
from assay.sources.answers import Failures

__all__ = ["CONVENTIONS"]

_USUAL = VerdictOptions()

CONVENTIONS: tuple[Decorator, ...] = (
    option(
        "--snippets",
        "snippets",
        "When a quotation is valid; the artifact has all modes.",
        _USUAL.snippets,
        type=choice(Mode),
    ),
    option(
        "--positive",
        "positive",
        "The end of the scale that thresholds look for.",
        "what the policy says",
        type=choice(Positive),
    ),
    option(
        "--precision-over",
        "precision_over",
        "Whose claims evidence precision counts: those of cases with ground truth, or all.",
        _USUAL.precision_over,
        type=choice(PrecisionOver),
    ),
    option(
        "--recall-over",
        "recall_over",
        "Whose ground truth evidence recall counts: all cases, those with a result, or structured"
        " results.",
        _USUAL.recall_over,
        type=choice(RecallOver),
    ),
    option(
        "--judged-over",
        "judged_over",
        "Which incidents judgement accuracy counts: those whose review is cited, or all.",
        _USUAL.judged_over,
        type=choice(Denominator),
    ),
    option(
        "--matching",
        "matching",
        "Read fields and values by whole words and synonyms, or as the reference does.",
        _USUAL.matching,
        type=choice(Comparison),
    ),
    option(
        "--spelling",
        "spelling",
        "How far a verdict may be from its spelling on the scale.",
        _USUAL.spelling,
        type=choice(Spelling),
    ),
    option(
        "--rank-scores",
        "rank_scores",
        "Leave out cases without a risk score where others have one, or rank them by verdict.",
        _USUAL.rank_scores,
        type=choice(RankScores),
    ),
    option(
        "--classes",
        "classes",
        "Average F1 over verdicts that occur, or over the whole scale.",
        _USUAL.classes,
        type=choice(Classes),
    ),
    option(
        "--steps", "steps", "Which thresholds AUPRC averages.", _USUAL.steps, type=choice(Steps)
    ),
    option(
        "--failures",
        "failures",
        "A result failed where error is not null, or where the key is there.",
        _USUAL.failures,
        type=choice(Failures),
    ),
    option(
        "--outside-scale",
        "outside_scale",
        "Refuse verdicts that are not on the scale, or leave them out of AUPRC and F1 and count"
        " them.",
        _USUAL.outside_scale,
        type=choice(OutsideScale),
    ),
    option(
        "--unknown-reviews",
        "unknown_reviews",
        "Refuse ground truth in reviews that do not exist, or count it.",
        _USUAL.unknown_reviews,
        type=choice(UnknownReviews),
    ),
    option(
        "--undefined",
        "undefined",
        "Write undefined numbers as null, or as the reference does.",
        _USUAL.undefined,
        type=choice(Undefined),
    ),
    option("--k", "k", "Reviews per case, for thresholds by K.", "what the files say", type=WHOLE),
    option(
        "--preset",
        "preset",
        "A named bundle of the options above; those given win.",
        _USUAL.preset,
        type=click.Choice([*VERDICT_PRESETS]),
    ),
)
