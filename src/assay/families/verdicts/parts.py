"""What verdicts have beside their numbers: thresholds, classes, fields, cases, and their counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assay.artifact import Artifact, Interval, NoParts, Number, Points, Record, System
from assay.derive.policies import normalised_verdict
from assay.families.verdicts.advice import Advice, advice
from assay.families.verdicts.columns import positive_end
from assay.families.verdicts.counts import (
    COUNTS,
    DERIVED,
    MetricCounts,
    Snippets,
    metric_counts,
    snippets,
)
from assay.families.verdicts.inputs import BREAKDOWN, Judgements, truth_faults
from assay.families.verdicts.rows import CaseRow, SnippetRow, case_rows, snippet_rows
from assay.metrics.verdicts import confusion_table, precision_recall_curve
from assay.numbers import scalar
from assay.score import spelled
from assay.showing import named

if TYPE_CHECKING:
    from assay.artifact import Scalar, Variant
    from assay.families.family import Evaluated, Subject
    from assay.families.verdicts.cases import Case, Frame
    from assay.families.verdicts.columns import Judged

__all__ = [
    "SEVEN",
    "SHOWN",
    "VerdictParts",
    "VerdictSystem",
    "VerdictsArtifact",
    "fault",
    "system_parts",
    "whole_parts",
]

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
    counted = metric_counts(system, frame)
    modes, fields = _broken_down(evaluated, number)
    quoted = None
    if frame.reviews is not None:
        quoted = snippets(system.cases, frame.options.snippets, modes)
    return VerdictParts(
        counted=counted,
        thresholds=_thresholds(system, frame),
        confusion=_confusion(system, frame),
        unanswered=[
            sum(each.outcome == "failed" and each.true == at for each in system.cases)
            for at in range(len(frame.policy.verdicts))
        ],
        fields=fields,
        snippets=quoted,
        malformed=_malformed(system.cases),
        diagnosis=advice(variants[""], counted, quoted, truth_is_read=not truth_faults(frame)),
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


def _confusion(system: Judged, frame: Frame) -> list[list[int]]:
    chosen = {name: system.columns[name] for name in ("verdict_true", "verdict_given", "scored")}
    table = confusion_table(**chosen, n_verdicts=len(frame.policy.verdicts))
    return [[int(n) for n in row] for row in table.counts]


def _thresholds(system: Judged, frame: Frame) -> list[Threshold]:
    end, found = positive_end(frame), []
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


def _malformed(cases: Sequence[Case]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for case in cases:
        total += case.malformed
    return dict(sorted(total.items()))


def whole_parts(evaluated: Evaluated) -> TruthParts:
    """Write down the policy and the ground truth."""
    context: Judgements = evaluated.prepared.context
    frame, policy, end = context.frame, context.policy.policy, positive_end(context.frame)
    truths = [
        normalised_verdict(row["verdict"], policy, spelling=frame.options.spelling)
        for row in frame.truth.cases.values()
    ]
    return TruthParts(
        policy=PolicyRecord(
            id=policy.id,
            source=context.policy.path.encode(errors="backslashreplace").decode(),
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


def fault(artifact: VerdictsArtifact) -> str | None:
    """Return the first thing in the parts that does not fit the policy and the numbers."""
    return next(_faults(artifact), None)


def _faults(artifact: VerdictsArtifact) -> Iterator[str]:
    policy = artifact.parts.policy
    n = len(policy.verdicts)
    for number, system in enumerate(artifact.systems):
        path, parts = f"systems.{number}", system.parts
        if [*system.variants] != [""]:
            yield f"`{path}.variants` holds other names than the empty one"
        if [len(row) for row in parts.confusion] != [n] * n:
            yield f"`{path}.parts.confusion` is not a table of {n} by {n} verdicts"
        if len(parts.unanswered) != n:
            yield f"`{path}.parts.unanswered` does not hold {n} verdicts"
        variant = system.variants[""]
        needed: list[tuple[str, Container[str], Iterable[str]]] = [
            ("variants..numbers", variant.numbers, _labels(parts, n)),
            ("variants..counts", variant.counts, (*COUNTS, *(DERIVED if policy.rules else ()))),
            ("variants..about", variant.about, ("ranked_by", "not_derived")),
            ("parts.counted", parts.counted, SEVEN),
        ]
        if parts.snippets is not None:
            chosen = [parts.snippets.mode]
            needed.append(("parts.snippets.n_valid", parts.snippets.n_valid, chosen))
            needed.append(("parts.snippets.modes", parts.snippets.modes, chosen))
        for place, known, names in needed:
            yield from (
                f"`{path}.{place}` lacks {named(name)}" for name in names if name not in known
            )


def _labels(parts: VerdictParts, n_verdicts: int) -> Iterator[str]:
    """Yield the numbers that parts speak of."""
    yield from dict.fromkeys((*SEVEN, *parts.counted))
    yield from (f"threshold_auprc@{spelled(each.threshold)}" for each in parts.thresholds)
    for name in ("class_precision", "class_recall", "class_f1"):
        yield from (f"{name}@{spelled(at)}" for at in range(n_verdicts))
