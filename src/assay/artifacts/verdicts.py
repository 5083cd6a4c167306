"""The artifact of grounded verdicts: systems that judge cases, cite evidence and quote from it."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from assay.artifacts.records import (
    SCHEMA_VERSION,
    Delta,
    Number,
    Record,
    Resampling,
    Scalar,
    Tool,
)

__all__ = [
    "Advice",
    "AgreementRecord",
    "CaseRow",
    "ConsistencyRecord",
    "FieldRecord",
    "GoldRecord",
    "MetricCounts",
    "PolicyRecord",
    "PrecisionRecall",
    "SnippetRow",
    "SnippetSummary",
    "ThresholdRecord",
    "VerdictClass",
    "VerdictInput",
    "VerdictPair",
    "VerdictPopulation",
    "VerdictSystem",
    "VerdictsArtifact",
]

Role = Literal["results", "ground_truth", "reviews", "policy"]
SnippetStatus = Literal["exact", "normalized", "stitched", "misattributed", "absent", "unchecked"]


class VerdictInput(Record, frozen=True, kw_only=True):
    """One file that was read."""

    role: Role
    path: str
    sha256: str | None
    format: str
    n_cases: int
    """results, cases with ground truth or cases with reviews; verdicts of a policy"""


class PolicyRecord(Record, frozen=True, kw_only=True):
    """The scale of verdicts and what is known about how one follows from evidence."""

    id: str
    source: str
    """the file that it was read from, `bundled`, or what it was taken from"""
    title: str
    verdicts: list[str]
    """from the lowest to the highest"""
    low_end: str
    """what the lowest verdict means, in a word or two"""
    high_end: str
    positive: Literal["high", "low"]
    """the end that a threshold counts as positive; rank scores rise with the scale"""
    adverse: str | None
    """the verdict that is the bad outcome, if the policy says so"""
    thresholds: list[str]
    """the steps of the scale in words, as in `>= High Risk`, from the first"""
    k: int | None
    """how many reviews a case has, where thresholds of the policy depend on it"""
    rules: list[str]
    """the rules as the policy spells them; empty where it has none"""


class GoldRecord(Record, frozen=True, kw_only=True):
    """The ground truth."""

    n_cases: int
    n_evidence: int
    """pairs of case and review that hold an incident"""
    n_incidents: int
    support: dict[str, int]
    """cases by true verdict, every verdict of the scale"""


class VerdictPopulation(Record, frozen=True, kw_only=True):
    """Which results went where."""

    n_samples: int
    """all results"""
    n_structured: int
    """results with a parsed answer that holds evidences"""
    n_unstructured: int
    """answered, and nothing structured could be read"""
    n_failed: int
    """results that are an error"""
    n_with_gt: int
    """results of cases with ground truth"""
    n_without_gt: int
    n_missing: int
    """cases with ground truth and no result"""
    n_scored: int
    """results in macro F1: verdicts of both sides on the scale"""
    n_ranked: int
    """results in AUPRC: as above, with something to rank by"""
    n_without_verdict: int
    n_outside_scale: int
    """results whose verdict is not on the scale"""
    n_without_rank_score: int
    """results with a verdict and no score, where others have one"""
    ranked_by: Literal["risk_score", "verdict", "mixed", "nothing"]
    """`verdict`: no result has a score, so the place on the scale ranks"""


class MetricCounts(Record, frozen=True, kw_only=True):
    """What a number counts: so many of so many, and among whom."""

    numerator: int | None
    """null where the number is not a share"""
    denominator: int
    what: str
    """as in `claims in the truth`"""
    population: str
    n_cases: int
    """cases that the number is about"""


class ThresholdRecord(Record, frozen=True, kw_only=True):
    """Average precision at one step of the scale."""

    threshold: int
    """position of the lowest verdict on the positive side, counted from the negative end"""
    name: str
    n_positive: int
    n_negative: int
    auprc: Scalar


class VerdictClass(Record, frozen=True, kw_only=True):
    """One verdict of the scale as a class."""

    verdict: str
    support: int
    """scored cases whose truth it is"""
    n_given: int
    """scored cases to which it was given"""
    n_right: int
    precision: Scalar
    recall: Scalar
    f1: Scalar


class PrecisionRecall(Record, frozen=True, kw_only=True):
    """A precision-recall curve, one point per distinct rank score, from the highest down."""

    threshold: int
    name: str
    score: list[float]
    """a case is called positive from this score on"""
    recall: list[float]
    precision: list[float]
    n_positive: int
    n_negative: int


class FieldRecord(Record, frozen=True, kw_only=True):
    """Judgements of one evidence field."""

    field: str
    kind: Literal["severity", "modifier"]
    n_judged: int
    n_right: int
    accuracy: Number
    interval: tuple[float, float] | None
    """over resamples of cases"""
    interval_reason: str | None


class SnippetSummary(Record, frozen=True, kw_only=True):
    """Quotations against their sources."""

    mode: str
    """the one that the metric snippet_validity uses"""
    n_snippets: int
    modes: dict[str, Scalar]
    """the validity under every mode"""
    n_valid: dict[str, int]
    statuses: dict[str, int]
    n_without_source: int
    """quotations of cases that have no reviews: not counted"""
    n_unknown_review: int
    """quotations from a review that does not exist: counted as absent"""
    n_empty: int
    """evidences without a quotation"""


class ConsistencyRecord(Record, frozen=True, kw_only=True):
    """Whether the rule that a result names leads to its verdict."""

    n_ruled: int
    n_consistent: int
    n_skipped_no_rule: int
    """no rule, a rule without an arrow, or nothing after the arrow"""
    n_skipped_no_verdict: int
    n_skipped_failed: int


class AgreementRecord(Record, frozen=True, kw_only=True):
    """Whether evidence, stated score, stated rule and verdict agree under the policy's rules."""

    available: bool
    reason: str | None
    """why nothing could be derived"""
    n_derived: int
    n_agreeing: int
    """the verdict derived from the cited evidence is the verdict given"""
    n_score_stated: int
    n_score_agreeing: int
    """the stated score is the one that the cited evidence has"""
    n_rule_stated: int
    n_rule_agreeing: int
    """the stated rule leads to the derived verdict"""
    n_derived_true: int
    """the derived verdict is the true one"""
    n_skipped: int
    """results from whose evidence no verdict follows"""


class CaseRow(Record, frozen=True, kw_only=True):
    """One case as a system answered it; the worst ten come first in order of `badness_rank`."""

    case: str
    name: str | None
    state: Literal["structured", "unstructured", "failed", "missing"]
    verdict: str | None
    """as normalised; the text that was found where it is not on the scale"""
    truth: str | None
    steps: int | None
    """given minus true position: above 0 the verdict is too high"""
    rank_score: Number
    rank: int | None
    """1 is the most positive of the ranked cases; ties share the smaller rank"""
    n_claimed: int
    n_matched: int
    n_gold: int
    n_missed: int
    n_snippets: int
    n_invalid: int
    """quotations that are not valid in the chosen mode"""
    n_misattributed: int
    n_judged: int
    n_judged_right: int
    rule_verdict: str | None
    """what the stated rule leads to"""
    rule_consistent: bool | None
    derived_verdict: str | None
    derived_score: Number
    stated_score: Number
    evidence_agrees: bool | None
    n_malformed: int
    badness: float
    """faults found, see the page about verdicts"""
    badness_rank: int


class SnippetRow(Record, frozen=True, kw_only=True):
    """One quotation and what became of it."""

    case: str
    evidence: int
    """number of the evidence in its result, from 0"""
    review_id: str | None
    field: str | None
    snippet: str
    """cut after 300 characters"""
    status: SnippetStatus
    """`unchecked` where the case has no reviews"""
    valid: bool | None
    """in the chosen mode"""
    strictest: str | None
    """the strictest mode that accepts it; null where none does"""
    found_in: str | None
    """the review that holds a misattributed quotation"""
    found_in_case: str | None
    note: str | None
    """as in `no such review`"""


class Advice(Record, frozen=True, kw_only=True):
    """What a pattern of numbers suggests."""

    symptom: str
    cause: str
    next_step: str
    metrics: list[str]


class VerdictSystem(Record, frozen=True, kw_only=True):
    """One file of results."""

    name: str
    input: int
    run_id: str | None
    method: str | None
    model: str | None
    population: VerdictPopulation
    metrics: dict[str, Scalar]
    """the seven, and evidence_consistency where a policy has rules"""
    counts: dict[str, MetricCounts]
    thresholds: list[ThresholdRecord]
    classes: list[VerdictClass]
    confusion: list[list[int]]
    """rows are true verdicts, columns given ones, both from the lowest"""
    curves: list[PrecisionRecall]
    fields: list[FieldRecord]
    snippets: SnippetSummary | None
    """null without reviews"""
    consistency: ConsistencyRecord
    agreement: AgreementRecord
    malformed: dict[str, int]
    """parts of answers that are not what they should be, by kind; none of them is a match"""
    diagnosis: list[Advice]
    cases: list[CaseRow]
    audit: list[SnippetRow]


class VerdictPair(Record, frozen=True, kw_only=True):
    """One system against the first on the cases that both answered."""

    left: int
    right: int
    n_common: int
    deltas: dict[str, Delta]


class VerdictsArtifact(Record, frozen=True, kw_only=True, tag_field="kind", tag="verdicts"):
    """Grounded verdicts."""

    schema_version: str = SCHEMA_VERSION
    tool: Tool
    created_at: str
    command: str | None = None
    """what makes it again; null where a program asked, not a command"""
    inputs: list[VerdictInput]
    conventions: dict[str, str | bool | int | float | list[str] | None]
    policy: PolicyRecord
    gold: GoldRecord
    resampling: Resampling
    warnings: list[str]
    systems: list[VerdictSystem]
    pairs: list[VerdictPair] = field(default_factory=list)
