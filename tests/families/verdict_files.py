"""Small results, ground truth and reviews, made in the tests that use them."""

from __future__ import annotations

from functools import cache
from typing import Any

from assay.families.family import Given
from assay.families.verdicts import FAMILY
from assay.families.verdicts.options import VerdictOptions
from assay.inference import Plan
from assay.pipeline import evaluate
from assay.score import spelled
from assay.sources.policy import read_policy
from assay.sources.verdicts import ground_truth_of, results_of, reviews_of

NO_PLAN = Plan(n_resamples=0)
known_policy = cache(read_policy)


def evidence(
    review: object, judgement: object = "mild", snippet: object = None, **other: Any
) -> dict:
    row = {"review_id": review, "field": "INCIDENT_SEVERITY", "judgement": judgement, **other}
    return row if snippet is None else {**row, "snippet": snippet}


def result(
    case: str,
    verdict: object = "Low Risk",
    *evidences: object,
    rule: object = None,
    score: object = None,
    risk: object = None,
) -> dict[str, Any]:
    justification = {"triggered_rule": rule, "scoring_trace": {"total_score": score}}
    parsed = {"evidences": list(evidences), "justification": justification}
    return {"business_id": case, "verdict": verdict, "risk_score": risk, "parsed": parsed}


def incident(review: str, value: str = "mild", **other: Any) -> dict[str, Any]:
    return {
        "review_id": review,
        "severity_field": "incident_severity",
        "severity_value": value,
        **other,
    }


def truth(verdict: str = "Low Risk", *incidents: dict, **other: Any) -> dict[str, Any]:
    return {"verdict": verdict, "incidents": list(incidents), **other}


def sources(results, cases, texts=None, *, policy="G1_allergy_V2"):
    """Return what is read of one list of results, or of several in a tuple, by role."""
    lists = results if isinstance(results, tuple) else (results,)
    return {
        "results": [
            results_of(
                each if isinstance(each, dict) else {"results": each}, path=f"r{number}.json"
            )
            for number, each in enumerate(lists)
        ],
        "ground_truth": [ground_truth_of({"restaurants": cases}, path="truth.json")],
        "sources": [] if texts is None else [reviews_of(texts, path="reviews.json")],
        "policy": [known_policy(policy) if isinstance(policy, str) else policy] if policy else [],
    }


def evaluated(results, cases, texts=None, *, policy="G1_allergy_V2", plan=NO_PLAN, **options):
    """Evaluate one list of results, or several in a tuple."""
    read = sources(results, cases, texts, policy=policy)
    return evaluate(FAMILY, Given(read, VerdictOptions(**options), plan), created_at="")


def system(*arguments, **options):
    """Evaluate one list of results and return its record."""
    return evaluated(*arguments, **options).systems[0]


def numbers(found) -> dict[str, Any]:
    """Return the numbers of a system by label."""
    return found.variants[""].numbers


def counts(found) -> dict[str, int]:
    """Return who was counted where."""
    return found.variants[""].counts


def values(found) -> dict[str, float | None]:
    return {label: number.value for label, number in numbers(found).items()}


def areas(found) -> list[Any]:
    """Return the average precision of every step."""
    steps = (spelled(each.threshold) for each in found.parts.thresholds)
    return [numbers(found)[f"threshold_auprc@{step}"] for step in steps]
