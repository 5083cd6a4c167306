"""Advice: what a pattern of numbers suggests, where their intervals leave no doubt about it.

A number is low where its whole interval lies below the healthy range, and high where the whole
interval lies within it. A share of 0 or 1 has no interval over resamples, since all of them agree;
there the exact interval of so many cases decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.artifact import Record
from assay.shares import exact_interval
from assay.showing import counted

if TYPE_CHECKING:
    from assay.artifact import Scalar, Variant
    from assay.families.verdicts.counts import MetricCounts, Snippets

__all__ = ["HEALTHY", "Advice", "advice"]

HEALTHY: Mapping[str, float] = MappingProxyType(
    {
        "ordinal_auprc": 0.85,
        "macro_f1": 0.6,
        "evidence_precision": 0.8,
        "evidence_recall": 0.6,
        "snippet_validity": 0.95,
        "judgement_accuracy": 0.7,
        "verdict_consistency": 0.9,
        "evidence_consistency": 0.9,
    }
)
"""from where on a number is as it should be"""
FROM_INCIDENTS = frozenset({"evidence_precision", "evidence_recall", "judgement_accuracy"})
LEVEL = 0.95
MOSTLY = 0.5


class Advice(Record, frozen=True, kw_only=True):
    """What a pattern of numbers suggests."""

    symptom: str
    cause: str
    next_step: str
    metrics: list[str]


PATTERNS: tuple[tuple[dict[str, str], str, str, str], ...] = (
    (
        {"ordinal_auprc": "high", "macro_f1": "low"},
        "high AUPRC, low macro F1",
        "cases are in the right order and get the wrong labels",
        "check where the verdict thresholds lie, and the confusion table for a shift to one side",
    ),
    (
        {"ordinal_auprc": "low", "macro_f1": "high"},
        "low AUPRC, high macro F1",
        "labels are right and the scores behind the ranking are not",
        "check how the rank score is computed",
    ),
    (
        {"ordinal_auprc": "low", "macro_f1": "low"},
        "low AUPRC, low macro F1",
        "neither order nor labels can be relied on",
        "look at evidence and judgements first: verdicts follow from them",
    ),
    (
        {"ordinal_auprc": "", "macro_f1": "low"},
        "low macro F1",
        "verdicts get the wrong labels",
        "look in the confusion table for the verdicts that are taken for others",
    ),
    (
        {"evidence_precision": "low"},
        "low evidence precision",
        "evidence is cited that the ground truth does not have",
        "tighten what counts as evidence; open the cases with the most unmatched claims",
    ),
    (
        {"evidence_recall": "low"},
        "low evidence recall",
        "evidence is missed",
        "let the system read more: raise the retrieval coverage or the number of sources",
    ),
    (
        {"judgement_accuracy": "low"},
        "low judgement accuracy",
        "evidence is found and judged wrongly",
        "check the classification prompts, the weakest field first",
    ),
    (
        {"verdict_consistency": "low"},
        "low verdict consistency",
        "the verdict is not the one that the stated rule leads to",
        "audit how the verdict is derived from the rule",
    ),
    (
        {"evidence_consistency": "low"},
        "low evidence-to-verdict consistency",
        "the cited evidence does not lead to the verdict under the policy's rules",
        "let a program derive the verdict from the evidence, or audit the arithmetic",
    ),
)


def advice(
    variant: Variant[Any],
    counts: Mapping[str, MetricCounts],
    snippets: Snippets | None,
    *,
    truth_is_read: bool,
) -> list[Advice]:
    """List what the numbers of one system suggest; a truth that is not read is not its fault."""
    found = {
        name: _state(variant.numbers[name], healthy, counts[name].n_cases)
        for name, healthy in HEALTHY.items()
        if name in variant.numbers
    }
    if not truth_is_read or not counts["evidence_recall"].denominator:
        found = {name: state for name, state in found.items() if name not in FROM_INCIDENTS}
    given = [
        Advice(symptom=symptom, cause=cause, next_step=step, metrics=list(pattern))
        for pattern, symptom, cause, step in PATTERNS
        if all(found.get(name, "") == state for name, state in pattern.items())
    ]
    if found.get("snippet_validity") == "low" and snippets is not None:
        given.append(_quotations(snippets))
    return [*_unreadable(variant), *given, *_unranked(variant)]


def _state(number: Scalar, healthy: float, n_cases: int) -> str:
    """Say whether a number is low, high, or not known well enough."""
    interval = number.interval
    if interval is None and number.value in {0.0, 1.0} and n_cases:
        interval = exact_interval(int(number.value * n_cases), n_cases, LEVEL)
    if interval is None:
        return ""
    if interval[1] < healthy:
        return "low"
    return "high" if interval[0] >= healthy else ""


def _quotations(snippets: Snippets) -> Advice:
    """Tell quotations from elsewhere, and loosely copied ones, from those that are invented."""
    n_invalid = snippets.n_snippets - snippets.n_valid[snippets.mode]
    elsewhere = snippets.statuses.get("misattributed", 0)
    loose = max(snippets.n_valid.values()) - snippets.n_valid[snippets.mode]
    if elsewhere > MOSTLY * n_invalid:
        cause = "quotations are real and from another source than the one named"
        step = "check how source ids are copied; the audit names the source that holds each"
    elif loose > MOSTLY * n_invalid:
        cause = "quotations are copied loosely rather than invented"
        step = "ask for verbatim quotations; the audit shows which laxer mode accepts each"
    else:
        cause = "quotations are invented"
        step = "check each quotation against its source before the answer is accepted"
    return Advice(
        symptom="low snippet validity", cause=cause, next_step=step, metrics=["snippet_validity"]
    )


def _unreadable(variant: Variant[Any]) -> Iterator[Advice]:
    """Say that answers are not there, on which all else depends."""
    n = variant.counts["n_samples"]
    n_lost = variant.counts["n_unstructured"] + variant.counts["n_error"]
    if exact_interval(n_lost, n, LEVEL)[0] > 1 - HEALTHY["snippet_validity"]:
        results = counted(n, "result failed or is", "results failed or are")
        yield Advice(
            symptom=f"{n_lost} of {results} unstructured",
            cause="answers cannot be read, so their evidence counts as missed",
            next_step="fix the output format first: every other number rests on the rest",
            metrics=["evidence_recall"],
        )


def _unranked(variant: Variant[Any]) -> Iterator[Advice]:
    if variant.about["ranked_by"] == "verdict":
        yield Advice(
            symptom="no result has a rank score",
            cause="cases are ranked by their verdict alone, with many ties",
            next_step="let the system state a score to make AUPRC say more than macro F1",
            metrics=["ordinal_auprc"],
        )
