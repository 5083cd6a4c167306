"""A results file with its evaluation written into it, under the keys that programs around it know.

These are `evaluation_metrics`, the same numbers with the counts behind them under
`evaluation_metrics_full`, and on request the composite `unified_scores`, which is deprecated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.families.verdicts.parts import SEVEN
from assay.score import spelled

if TYPE_CHECKING:
    from assay.artifact import Number
    from assay.families.verdicts.parts import JudgedField, VerdictSystem
    from assay.sources.verdicts import Results

__all__ = ["composite_scores", "evaluation_metrics", "full_metrics", "results_file", "step_key"]

Json = dict[str, Any]
DEPRECATED = "deprecated: a composite of unlike numbers; use evaluation_metrics"
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


def results_file(system: VerdictSystem, results: Results, *, preset: str, composite: bool) -> Json:
    """Return a results file with its evaluation; what else it held stays as it was."""
    found = {
        "evaluation_metrics": evaluation_metrics(system, preset),
        "evaluation_metrics_full": full_metrics(system),
    }
    if composite:
        found["unified_scores"] = composite_scores(system)
    kept = {key: value for key, value in results.about.items() if key != "unified_scores"}
    return {**kept, **found, "results": [*results.written]}


def _value(system: VerdictSystem, label: str) -> Number:
    number = system.variants[""].numbers.get(label)
    return None if number is None else number.value


def _seven(system: VerdictSystem) -> Json:
    """Return the seven numbers; the areas over all steps go by a short name."""
    return {
        "auprc" if label == "ordinal_auprc" else label: _value(system, label) for label in SEVEN
    }


def evaluation_metrics(system: VerdictSystem, preset: str) -> Json:
    """Return the seven numbers and their populations, the reference's under its preset."""
    found = system.variants[""].counts
    names = ("n_samples", "n_structured", "n_with_gt", "n_scored")
    scored = {"n_with_gt": found["n_scored"]} if preset == "reference" else {}
    return {**_seven(system), **{name: found[name] for name in names}, **scored}


def full_metrics(system: VerdictSystem) -> Json:
    """Return the seven numbers with the counts behind them."""
    counts = system.parts.counted
    precision, recall = counts["evidence_precision"], counts["evidence_recall"]
    snippets, judged = counts["snippet_validity"], counts["judgement_accuracy"]
    evidence = {
        "total_claimed": precision.denominator,
        "total_matched": precision.numerator or 0,
        "total_gt_evidence": recall.denominator,
        "total_snippets": snippets.denominator,
        "valid_snippets": snippets.numerator or 0,
    }
    steps = {
        step_key(each.name): _value(system, f"threshold_auprc@{spelled(each.threshold)}")
        for each in system.parts.thresholds
    }
    details: Json = {
        "auprc_metrics": {**steps, "ordinal_auprc": _value(system, "ordinal_auprc")},
        "evidence_details": evidence,
        # The same once more, as later programs call it.
        "incident_details": evidence,
        "judgement_details": {
            "correct": judged.numerator or 0,
            "total": judged.denominator,
            "per_field": _per_field(system.parts.fields),
        },
        "consistency_details": _consistency(system),
    }
    return {**_seven(system), "details": details}


def _consistency(system: VerdictSystem) -> Json:
    counts = system.variants[""].counts
    return {
        "consistent": counts["n_consistent"],
        "total": counts["n_ruled"],
        "skipped_no_rule": counts["n_without_rule"],
        "per_sample": [
            {
                "business_id": each.case,
                "method_verdict": each.verdict,
                "rule_verdict": each.rule_verdict,
                "is_consistent": each.rule_consistent,
            }
            for each in system.parts.cases
            if each.rule_consistent is not None
        ],
    }


def _per_field(fields: list[JudgedField]) -> Json:
    """Count by field, whether it is judged as a finding, a modifier, or both."""
    right: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for each in fields:
        right[each.field] += each.n_right
        judged[each.field] += each.n_judged
    return {
        name: {"correct": right[name], "total": n, "accuracy": right[name] / n if n else None}
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


def composite_scores(system: VerdictSystem) -> Json:
    """Return the three scores of an earlier program; a composite, and deprecated."""
    components = {
        "incident_precision": _value(system, "evidence_precision"),
        "severity_accuracy": _accuracy(system.parts.fields, "finding"),
        "modifier_accuracy": _accuracy(system.parts.fields, "modifier"),
        "verdict_support_rate": _value(system, "evidence_consistency"),
        "snippet_validity": _value(system, "snippet_validity"),
    }
    defined = {name: value for name, value in components.items() if value is not None}
    weight = sum(PROCESS_WEIGHTS[name] for name in defined)
    total = sum(PROCESS_WEIGHTS[name] * value for name, value in defined.items())
    logic = _value(system, "verdict_consistency")
    return {
        "note": DEPRECATED,
        "auprc": _value(system, "ordinal_auprc"),
        "process_score": 100 * total / weight if defined else None,
        "consistency_score": None if logic is None else 100 * logic,
        "components": components,
    }


def _accuracy(fields: list[JudgedField], kind: str) -> Number:
    chosen = [each for each in fields if each.kind == kind]
    n = sum(each.n_judged for each in chosen)
    return sum(each.n_right for each in chosen) / n if n else None
