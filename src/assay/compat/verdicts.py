"""Grounded verdicts under the names of an earlier program: results in, plain dictionaries out.

The numbers are those of `assay verdicts`. `preset` chooses the conventions: "default", or
"reference" for those of that program. An undefined number is None. Without a policy the scale is
the three risk words, as it was there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay import pipeline
from assay.derive.policies import Policy, normalised_verdict, risk_scale, rule_verdict
from assay.families.family import Given
from assay.families.verdicts import FAMILY
from assay.families.verdicts.judged import Case, Frame, cases_of
from assay.families.verdicts.options import VerdictOptions
from assay.families.verdicts.seed_files import composite_scores, evaluation_metrics, full_metrics
from assay.inference import Plan
from assay.metrics.verdicts import ordinal_auprc, threshold_auprc
from assay.sources.answers import extracted
from assay.sources.policy import PolicySource, read_policy
from assay.sources.verdicts import GroundTruth, ground_truth_of, results_of, reviews_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.families.verdicts.parts import VerdictSystem

__all__ = [
    "compute_evaluation_metrics",
    "compute_evidence_validity",
    "compute_judgement_accuracy",
    "compute_ordinal_auprc",
    "compute_unified_metrics",
    "compute_verdict_consistency_enhanced",
    "extract_verdict_from_rule",
    "normalize_amos_output",
    "normalize_verdict",
]

Row = Mapping[str, Any]
Truth = Mapping[str, Mapping[str, Any]]
Texts = Mapping[str, Mapping[str, str]]
STEPS = {1: "auprc_ge_high", 2: "auprc_ge_critical"}


def compute_evaluation_metrics(
    results: Sequence[Row],
    gt_data: Truth,
    gt_verdicts: Mapping[str, str] | None = None,
    method: str = "direct",
    reviews_data: Texts | None = None,
    policy_id: str | None = None,
    *,
    preset: str = "default",
) -> dict[str, Any]:
    """Return the seven numbers, their populations, and the counts behind them as `details`.

    Examples
    --------
    >>> found = compute_evaluation_metrics(
    ...     results=[
    ...         {
    ...             "business_id": "a",
    ...             "verdict": "High Risk",
    ...             "parsed": {"evidences": [{"review_id": "r1"}, {"review_id": "r2"}]},
    ...         }
    ...     ],
    ...     gt_data={"a": {"verdict": "High Risk", "incidents": [{"review_id": "r1"}]}},
    ...     gt_verdicts={"a": "High Risk"},
    ... )
    >>> found["evidence_precision"], found["evidence_recall"], found["auprc"]
    (0.5, 1.0, None)
    """
    system = _system(results, gt_data, gt_verdicts, method, reviews_data, policy_id, preset=preset)
    details = full_metrics(system)["details"]
    if system.parts.malformed:
        # Where something could not be read, which the earlier programs do not say.
        details["malformed"] = system.parts.malformed
    return {**evaluation_metrics(system, preset), "details": details}


def compute_unified_metrics(
    results: Sequence[Row],
    gt_data: Truth,
    gt_verdicts: Mapping[str, str] | None = None,
    method: str = "direct",
    reviews_data: Texts | None = None,
    policy_id: str | None = None,
    *,
    preset: str = "default",
) -> dict[str, Any]:
    """Return the three scores of an even earlier program; a composite, and deprecated."""
    system = _system(results, gt_data, gt_verdicts, method, reviews_data, policy_id, preset=preset)
    return composite_scores(system)


def _system(
    results: Sequence[Row],
    gt_data: Truth,
    gt_verdicts: Mapping[str, str] | None = None,
    method: str = "direct",
    reviews_data: Texts | None = None,
    policy_id: str | None = None,
    *,
    preset: str,
) -> VerdictSystem:
    truth = {case: dict(row) for case, row in gt_data.items()}
    for case, verdict in (gt_verdicts or {}).items():
        truth[case] = {"incidents": [], **truth.get(case, {}), "verdict": verdict}
    rows = {"method": method, "results": [dict(row) for row in results]}
    read: dict[str, list[Any]] = {
        "results": [results_of(rows, path="results")],
        "ground_truth": [ground_truth_of(truth, path="gt_data")],
        "sources": [reviews_of(_texts(reviews_data), path="reviews_data")]
        if reviews_data is not None
        else [],
        "policy": [_policy(policy_id)],
    }
    given = Given(read, _options(preset, policy_id), Plan(n_resamples=0))
    system: VerdictSystem = pipeline.evaluate(FAMILY, given, created_at="").systems[0]
    return system


def _texts(reviews: Texts) -> dict[str, Any]:
    return {"reviews_data": {case: dict(texts) for case, texts in reviews.items()}}


def _policy(policy_id: str | None) -> PolicySource:
    if policy_id is None:
        return PolicySource(risk_scale(), "the three risk words", "")
    return read_policy(policy_id)


def _options(preset: str, policy_id: str | None) -> VerdictOptions:
    """Take a preset; without a policy the reference repairs no spelling."""
    if preset == "reference" and policy_id is None:
        return VerdictOptions(preset=preset, spelling="as-written")
    return VerdictOptions(preset=preset)


def compute_ordinal_auprc(
    y_true_ordinal: ArrayLike, y_scores: ArrayLike
) -> dict[str, float | int | None]:
    """Return average precision at every step of the scale, and the mean of those defined.

    Examples
    --------
    >>> compute_ordinal_auprc([0, 0, 1, 1], [1, 2, 3, 4])
    {'auprc_ge_high': 1.0, 'ordinal_auprc': 1.0, 'n_samples': 4}
    """
    true = np.asarray(y_true_ordinal)
    found: dict[str, float | int | None] = {}
    for step in range(1, int(true.max(initial=0)) + 1):
        area = float(threshold_auprc(true, y_scores, threshold=step))
        if not np.isnan(area):
            found[STEPS.get(step, f"auprc_ge_{step}")] = area
    mean = float(ordinal_auprc(true, y_scores))
    found["ordinal_auprc"] = None if np.isnan(mean) else mean
    return {**found, "n_samples": int(true.size)}


def compute_evidence_validity(
    results: Sequence[Row],
    gt_data: Truth,
    reviews_data: Texts | None = None,
    *,
    preset: str = "default",
) -> dict[str, Any]:
    """Return evidence precision, evidence recall and snippet validity with their counts.

    Examples
    --------
    >>> row = {"business_id": "a", "parsed": {"evidences": [{"review_id": "r", "snippet": "Soup"}]}}
    >>> truth = {"a": {"verdict": "Low Risk", "incidents": []}}
    >>> found = compute_evidence_validity([row], truth, {"a": {"r": "The soup."}})
    >>> found["snippet_validity"], found["evidence_precision"], found["evidence_recall"]
    (1.0, 0.0, None)
    """
    system = _system(results, gt_data, reviews_data=reviews_data, preset=preset)
    counts = full_metrics(system)["details"]["evidence_details"]
    names = ("evidence_precision", "evidence_recall", "snippet_validity")
    structured = [each for each in system.parts.cases if each.state == "structured"]
    return {
        **{name: _value(system, name) for name in names},
        **counts,
        "samples_with_no_claims": sum(not each.n_claimed for each in structured),
        "per_sample": [
            {
                "business_id": each.case,
                "claimed": each.n_claimed,
                "matched": each.n_matched,
                "gt_evidence": each.n_gold,
                "snippets": each.n_snippets,
                "valid_snippets": each.n_snippets - each.n_invalid,
            }
            for each in structured
        ],
    }


def compute_judgement_accuracy(
    results: Sequence[Row], gt_data: Truth, *, preset: str = "default"
) -> tuple[float | None, dict[str, Any]]:
    """Return how often judgements are right, and the counts, by field too."""
    system = _system(results, gt_data, preset=preset)
    details = full_metrics(system)["details"]["judgement_details"]
    return _value(system, "judgement_accuracy"), details


def _value(system: VerdictSystem, label: str) -> float | None:
    return system.variants[""].numbers[label].value


def compute_verdict_consistency_enhanced(
    results: Sequence[Row], policy_id: str | None = None, *, preset: str = "default"
) -> tuple[float | None, dict[str, Any]]:
    """Return how often the verdict is the one of its rule, and which are; no truth is needed.

    Examples
    --------
    >>> row = {"business_id": "a", "verdict": "Critical Risk"}
    >>> row["parsed"] = {"justification": {"triggered_rule": "SCORE >= 5 -> Critical Risk"}}
    >>> compute_verdict_consistency_enhanced([row])[0]
    1.0
    """
    cases = _cases(results, _policy(policy_id).policy, _options(preset, policy_id))
    judging = [each for each in cases if each.verdict is not None and each.answer.state != "failed"]
    ruled = [each for each in judging if each.consistent is not None]
    n_consistent = sum(each.consistent is True for each in ruled)
    details = {
        "consistent": n_consistent,
        "total": len(ruled),
        "skipped_no_rule": len(judging) - len(ruled),
        "per_sample": [
            {
                "business_id": each.answer.case,
                "method_verdict": each.verdict,
                "rule_verdict": each.rule_verdict,
                "is_consistent": each.consistent,
            }
            for each in ruled
        ],
    }
    return n_consistent / len(ruled) if ruled else None, details


def _cases(results: Sequence[Row], policy: Policy, options: VerdictOptions) -> list[Case]:
    read = results_of([dict(row) for row in results], path="results")
    frame = Frame(policy, GroundTruth("none", None, {}), None, options, None)
    return cases_of(read, frame, list(read.cases))


def normalize_verdict(verdict: object, policy_id: str | None = None) -> str | None:
    """Return a verdict in the spelling of the policy's scale, or without quotation marks.

    Examples
    --------
    >>> normalize_verdict("'low_risk'", "G1_allergy_V2"), normalize_verdict(" `x` ")
    ('Low Risk', 'x')
    """
    policy = None if policy_id is None else read_policy(policy_id).policy
    return normalised_verdict(verdict, policy, spelling="reference")


def extract_verdict_from_rule(triggered_rule: object) -> str | None:
    """Return what stands behind the last arrow of a rule, if it has one.

    Examples
    --------
    >>> extract_verdict_from_rule("else → Low Risk"), extract_verdict_from_rule("CRITICAL")
    ('Low Risk', None)
    """
    return rule_verdict(triggered_rule, None, spelling="reference")


def normalize_amos_output(result: Row) -> dict[str, Any]:
    """Return a result with `parsed` read from its extractions, where it has some."""
    return {**result, "parsed": extracted(result)}
