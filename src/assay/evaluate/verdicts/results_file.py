"""The numbers of a system under the keys of a results file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from assay.artifacts.records import Number
from assay.artifacts.verdict_results import (
    CompositeScores,
    ConsistencyDetails,
    ConsistencySample,
    Details,
    EvaluationMetrics,
    EvidenceDetails,
    FieldCounts,
    FullMetrics,
    JudgementDetails,
)
from assay.artifacts.verdicts import FieldRecord, VerdictSystem
from assay.sources.verdicts import Results

__all__ = [
    "composite_scores",
    "evaluation_metrics",
    "full_metrics",
    "plain",
    "results_file",
    "step_key",
]

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "auprc": "ordinal_auprc",
        "macro_f1": "macro_f1",
        "evidence_precision": "evidence_precision",
        "evidence_recall": "evidence_recall",
        "snippet_validity": "snippet_validity",
        "judgement_accuracy": "judgement_accuracy",
        "verdict_consistency": "verdict_consistency",
    }
)
"""key of the file: metric"""
PROCESS_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "incident_precision": 0.35,
        "severity_accuracy": 0.30,
        "modifier_accuracy": 0.15,
        "verdict_support_rate": 0.15,
        "snippet_validity": 0.05,
    }
)
"""of the deprecated composite; what is undefined is left out and the rest scaled up"""


def results_file(system: VerdictSystem, results: Results, *, composite: bool) -> dict[str, Any]:
    """Return a results file with its evaluation; what else it held stays as it was."""
    numbers: dict[str, Any] = {
        "evaluation_metrics": evaluation_metrics(system),
        "evaluation_metrics_full": full_metrics(system),
    }
    if composite:
        numbers["unified_scores"] = composite_scores(system)
    kept = {key: value for key, value in results.about.items() if key != "unified_scores"}
    return {**kept, **numbers, "results": list(results.cases.values())}


def _seven(system: VerdictSystem) -> dict[str, Number]:
    return {key: system.metrics[name].value for key, name in KEYS.items()}


def evaluation_metrics(system: VerdictSystem) -> EvaluationMetrics:
    """Return the seven numbers and their populations."""
    found = system.population
    return EvaluationMetrics(
        **_seven(system),
        n_samples=found.n_samples,
        n_structured=found.n_structured,
        n_with_gt=found.n_with_gt,
        n_scored=found.n_scored,
    )


def full_metrics(system: VerdictSystem) -> FullMetrics:
    """Return the seven numbers with the counts behind them."""
    counts, logic = system.counts, system.consistency
    evidence = EvidenceDetails(
        total_claimed=counts["evidence_precision"].denominator,
        total_matched=counts["evidence_precision"].numerator or 0,
        total_gt_evidence=counts["evidence_recall"].denominator,
        total_snippets=counts["snippet_validity"].denominator,
        valid_snippets=counts["snippet_validity"].numerator or 0,
    )
    steps = {step_key(each.name): each.auprc.value for each in system.thresholds}
    judged = counts["judgement_accuracy"]
    details = Details(
        auprc_metrics={**steps, "ordinal_auprc": system.metrics["ordinal_auprc"].value},
        evidence_details=evidence,
        incident_details=evidence,
        judgement_details=JudgementDetails(
            correct=judged.numerator or 0,
            total=judged.denominator,
            per_field=_per_field(system.fields),
        ),
        consistency_details=ConsistencyDetails(
            consistent=logic.n_consistent,
            total=logic.n_ruled,
            skipped_no_rule=logic.n_skipped_no_rule,
            per_sample=[
                ConsistencySample(
                    business_id=each.case,
                    method_verdict=each.verdict,
                    rule_verdict=each.rule_verdict,
                    is_consistent=each.rule_consistent,
                )
                for each in system.cases
                if each.rule_consistent is not None
            ],
        ),
    )
    return FullMetrics(**_seven(system), details=details)


def _per_field(fields: list[FieldRecord]) -> dict[str, FieldCounts]:
    """Count by field, whether it is judged as a severity, a modifier, or both."""
    right: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for each in fields:
        right[each.field] += each.n_right
        judged[each.field] += each.n_judged
    return {
        name: FieldCounts(correct=right[name], total=n, accuracy=right[name] / n if n else None)
        for name, n in judged.items()
    }


def step_key(name: str) -> str:
    """Return the key of a step of the scale.

    Examples
    --------
    >>> step_key(">= High Risk"), step_key("<= Poor Value")
    ('auprc_ge_high', 'auprc_le_poor_value')
    """
    side, _, verdict = name.partition(" ")
    words = verdict.lower().removesuffix(" risk").split()
    return "_".join(["auprc", "ge" if side == ">=" else "le", *words])


def composite_scores(system: VerdictSystem) -> CompositeScores:
    """Return the three scores of an earlier program; a composite, and deprecated."""
    metrics = system.metrics
    support = metrics.get("evidence_consistency")
    parts = {
        "incident_precision": metrics["evidence_precision"].value,
        "severity_accuracy": _accuracy(system.fields, "severity"),
        "modifier_accuracy": _accuracy(system.fields, "modifier"),
        "verdict_support_rate": None if support is None else support.value,
        "snippet_validity": metrics["snippet_validity"].value,
    }
    defined = {name: value for name, value in parts.items() if value is not None}
    weight = sum(PROCESS_WEIGHTS[name] for name in defined)
    total = sum(PROCESS_WEIGHTS[name] * value for name, value in defined.items())
    logic = metrics["verdict_consistency"].value
    return CompositeScores(
        auprc=metrics["ordinal_auprc"].value,
        process_score=100 * total / weight if defined else None,
        consistency_score=None if logic is None else 100 * logic,
        components=parts,
    )


def _accuracy(fields: list[FieldRecord], kind: str) -> Number:
    chosen = [each for each in fields if each.kind == kind]
    n = sum(each.n_judged for each in chosen)
    return sum(each.n_right for each in chosen) / n if n else None


def plain(record: msgspec.Struct) -> dict[str, Any]:
    """Return a record as dictionaries, for programs that index it."""
    found: dict[str, Any] = msgspec.to_builtins(record)
    return found
