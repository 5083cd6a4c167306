"""The results file of systems that judge cases, with its evaluation written into it.

The keys are those that programs around such files know: `evaluation_metrics`, the same numbers
with their details under `evaluation_metrics_full`, and on request the composite `unified_scores`,
which is deprecated.
"""

from __future__ import annotations

from typing import Any

from msgspec import field

from assay.artifacts.records import Number, Record

__all__ = [
    "CompositeScores",
    "ConsistencyDetails",
    "ConsistencySample",
    "Details",
    "EvaluationMetrics",
    "EvidenceDetails",
    "FieldCounts",
    "FullMetrics",
    "JudgementDetails",
]

DEPRECATED = "deprecated: a composite of unlike numbers; use evaluation_metrics"


class EvaluationMetrics(Record, frozen=True, kw_only=True):
    """The seven numbers and their populations."""

    auprc: Number
    macro_f1: Number
    evidence_precision: Number
    evidence_recall: Number
    snippet_validity: Number
    judgement_accuracy: Number
    verdict_consistency: Number
    n_samples: int
    """all results"""
    n_structured: int
    n_with_gt: int
    """results of cases with ground truth"""
    n_scored: int
    """results in AUPRC and macro F1"""


class EvidenceDetails(Record, frozen=True, kw_only=True):
    """What evidence precision, evidence recall and snippet validity count."""

    total_claimed: int
    total_matched: int
    total_gt_evidence: int
    total_snippets: int
    valid_snippets: int


class FieldCounts(Record, frozen=True, kw_only=True):
    """Judgements of one field."""

    correct: int
    total: int
    accuracy: Number


class JudgementDetails(Record, frozen=True, kw_only=True):
    """What judgement accuracy counts."""

    correct: int
    total: int
    per_field: dict[str, FieldCounts]


class ConsistencySample(Record, frozen=True, kw_only=True):
    """One verdict and that of its rule."""

    business_id: str
    method_verdict: str | None
    rule_verdict: str | None
    is_consistent: bool


class ConsistencyDetails(Record, frozen=True, kw_only=True):
    """What verdict consistency counts."""

    consistent: int
    total: int
    skipped_no_rule: int
    per_sample: list[ConsistencySample]


class Details(Record, frozen=True, kw_only=True):
    """The counts behind the numbers."""

    auprc_metrics: dict[str, Number]
    evidence_details: EvidenceDetails
    incident_details: EvidenceDetails
    """the same once more, as later programs call it"""
    judgement_details: JudgementDetails
    consistency_details: ConsistencyDetails


class FullMetrics(Record, frozen=True, kw_only=True):
    """The seven numbers with their details."""

    auprc: Number
    macro_f1: Number
    evidence_precision: Number
    evidence_recall: Number
    snippet_validity: Number
    judgement_accuracy: Number
    verdict_consistency: Number
    details: Details


class CompositeScores(Record, frozen=True, kw_only=True):
    """The three scores of an earlier program."""

    note: str = DEPRECATED
    auprc: Number
    process_score: Number
    consistency_score: Number
    components: dict[str, Any] = field(default_factory=dict)
