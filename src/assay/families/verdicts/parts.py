"""What verdicts have beside their numbers: thresholds, classes, fields, cases, and their counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assay.artifact import Artifact, Interval, NoParts, Number, Points, Record, System
from assay.families.verdicts.cases import CaseRow, SnippetRow, case_rows, snippet_rows
from assay.families.verdicts.counts import (
    MetricCounts,
    Snippets,
    metric_counts,
    snippets,
    truth_faults,
)
from assay.families.verdicts.inputs import BREAKDOWN, Judgements
from assay.metrics.verdicts import confusion_table, precision_recall_curve
from assay.numbers import scalar
from assay.shares import exact_interval
from assay.showing import counted

if TYPE_CHECKING:
    from assay.artifact import Scalar, Variant
    from assay.families.family import Evaluated, Subject
    from assay.families.verdicts.judged import Frame, Judged

SEVEN = (
    *("ordinal_auprc", "macro_f1", "evidence_precision", "evidence_recall", "snippet_validity"),
    *("judgement_accuracy", "verdict_consistency"),
)
"""what every evaluation of verdicts has"""
SHOWN = (*SEVEN, "evidence_consistency")
"""what is shown first; the last where a policy has rules"""


class PrecisionRecall(Points, frozen=True, kw_only=True):
    """A precision-recall curve, one point per distinct rank score, from the highest down."""

    score: list[float]
    """a case is called positive from this score on"""
    recall: list[float]
    precision: list[float]


class Threshold(Record, frozen=True, kw_only=True):
    """One step of the scale; its area is the number `threshold_auprc` at this step."""

    threshold: int
    """position of the lowest verdict on the positive side, counted from the negative end"""
    name: str
    n_positive: int
    n_negative: int
    curve: PrecisionRecall | None
    """null where all cases are on one side"""


class JudgedField(Record, frozen=True, kw_only=True):
    """Judgements of one evidence field."""

    field: str
    kind: Literal["finding", "modifier"]
    n_judged: int
    n_right: int
    accuracy: Number
    interval: Interval
    """over resamples of cases"""
    interval_reason: str | None


class Advice(Record, frozen=True, kw_only=True):
    """What a pattern of numbers suggests."""

    symptom: str
    cause: str
    next_step: str
    metrics: list[str]


class VerdictParts(Record, frozen=True, kw_only=True):
    """What one system has beside its numbers."""

    counted: dict[str, MetricCounts]
    """by number"""
    thresholds: list[Threshold]
    confusion: list[list[int]]
    """of scored cases; rows are true verdicts, columns given ones, both from the lowest

    The numbers of each verdict are `class_precision`, `class_recall` and `class_f1` at its place.
    """
    unanswered: list[int]
    """cases that were asked and not answered, by their true verdict, from the lowest"""
    fields: list[JudgedField]
    snippets: Snippets | None
    """null without sources"""
    malformed: dict[str, int]
    """parts of answers that are not what they should be, by kind; none of them is a match"""
    diagnosis: list[Advice]
    cases: list[CaseRow]
    audit: list[SnippetRow]


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
    """how many sources a case has, where thresholds of the policy depend on it"""
    rules: list[str]
    """the rules as the policy spells them; empty where it has none"""


class GoldRecord(Record, frozen=True, kw_only=True):
    """The ground truth."""

    n_cases: int
    n_evidence: int
    """pairs of case and source that hold a finding"""
    n_findings: int
    support: dict[str, int]
    """cases by true verdict, every verdict of the scale"""


class TruthParts(Record, frozen=True, kw_only=True):
    """What all systems are held against."""

    policy: PolicyRecord
    gold: GoldRecord


VerdictsArtifact = Artifact[NoParts, VerdictParts, TruthParts]
VerdictSystem = System[NoParts, VerdictParts]


def system_parts(
    evaluated: Evaluated, number: int, variants: Mapping[str, Variant[Any]]
) -> VerdictParts:
    """Write down what belongs to one system."""
    context: Judgements = evaluated.prepared.context
    system, frame = context.systems[number], context.frame
    of_numbers = metric_counts(system, frame)
    modes, fields = _broken_down(evaluated, number)
    quoted = None
    if frame.reviews is not None:
        quoted = snippets(system.cases, frame.options.snippets, modes)
    chosen = {name: system.columns[name] for name in ("verdict_true", "verdict_given", "scored")}
    table = confusion_table(**chosen, n_verdicts=len(frame.policy.verdicts))
    malformed = sum((each.malformed for each in system.cases), Counter())
    return VerdictParts(
        counted=of_numbers,
        thresholds=_thresholds(system, frame),
        confusion=[[int(n) for n in row] for row in table.counts],
        unanswered=[
            sum(each.outcome == "failed" and each.true == at for each in system.cases)
            for at in range(len(frame.policy.verdicts))
        ],
        fields=fields,
        snippets=quoted,
        malformed=dict(sorted(malformed.items())),
        diagnosis=_advice(variants[""], of_numbers, quoted, truth_is_read=not truth_faults(frame)),
        cases=case_rows(system, frame),
        audit=snippet_rows(system, frame),
    )


def _broken_down(evaluated: Evaluated, number: int) -> tuple[dict[str, Scalar], list[JudgedField]]:
    """Return the validity of quotations by mode, and the accuracy of judgements by field."""
    modes: dict[str, Scalar] = {}
    fields: list[JudgedField] = []
    for place, subject in enumerate(evaluated.subjects):
        if (subject.system, subject.table) == (number, BREAKDOWN):
            (label,) = evaluated.asked[place]
            share = scalar(evaluated, (place, label))
            if "mode" in subject.about:
                modes[subject.about["mode"]] = share
            else:
                fields.append(_field(subject, share))
    return modes, fields


def _field(subject: Subject, share: Scalar) -> JudgedField:
    columns = subject.rows.columns
    return JudgedField(
        field=subject.about["field"],
        kind=subject.about["kind"],
        n_judged=int(columns["n_judged"].sum()),
        n_right=int(columns["n_judged_right"].sum()),
        accuracy=share.value,
        interval=share.interval,
        interval_reason=share.interval_reason,
    )


def _thresholds(system: Judged, frame: Frame) -> list[Threshold]:
    end, found = frame.positive, []
    names = ("verdict_true", "rank_score", "scored", "ranked", "asked")
    chosen = {name: system.columns[name] for name in names if name in system.columns}
    for step in frame.policy.ordinals:
        drawn = precision_recall_curve(**chosen, positive=end, threshold=step)
        n_positive, n_negative = int(drawn.n_positive[0]), int(drawn.n_negative[0])
        # The last point is without a score where cases are not ranked.
        n = int(np.isfinite(drawn.score).sum())
        curve = PrecisionRecall(
            score=drawn.score[:n].tolist(),
            recall=drawn.recall[:n].tolist(),
            precision=drawn.precision[:n].tolist(),
        )
        found.append(
            Threshold(
                threshold=step,
                name=frame.policy.step_name(step, end),
                n_positive=n_positive,
                n_negative=n_negative,
                curve=curve if n_positive and n_negative else None,
            )
        )
    return found


def whole_parts(evaluated: Evaluated) -> TruthParts:
    """Write down the policy and the ground truth."""
    context: Judgements = evaluated.prepared.context
    frame, policy, end = context.frame, context.frame.policy, context.frame.positive
    truths = [frame.normalised(row["verdict"]) for row in frame.truth.cases.values()]
    return TruthParts(
        policy=PolicyRecord(
            id=policy.id,
            source=context.files.policy.path.encode(errors="backslashreplace").decode(),
            title=policy.title,
            verdicts=list(policy.verdicts),
            low_end=policy.low_end,
            high_end=policy.high_end,
            positive=end,
            adverse=policy.adverse,
            thresholds=[policy.step_name(step, end) for step in policy.ordinals],
            k=frame.k,
            rules=[rule.text for rule in policy.rules],
        ),
        gold=GoldRecord(
            n_cases=len(truths),
            n_evidence=sum(len(each.reviews) for each in frame.incidents.values()),
            n_findings=sum(len(each.items) for each in frame.incidents.values()),
            support={verdict: truths.count(verdict) for verdict in policy.verdicts},
        ),
    )


# Advice: a number is low where its whole interval lies below the healthy range, and high where the
# whole interval lies within it. A share of 0 or 1 has no interval over resamples, since all of them
# agree; there the exact interval of so many cases decides.
HEALTHY = {
    "ordinal_auprc": 0.85,
    "macro_f1": 0.6,
    "evidence_precision": 0.8,
    "evidence_recall": 0.6,
    "snippet_validity": 0.95,
    "judgement_accuracy": 0.7,
    "verdict_consistency": 0.9,
    "evidence_consistency": 0.9,
}
"""from where on a number is as it should be"""
FROM_INCIDENTS = frozenset({"evidence_precision", "evidence_recall", "judgement_accuracy"})
LEVEL = 0.95
MOSTLY = 0.5
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


def _advice(
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
