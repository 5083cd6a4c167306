"""One system as records: its numbers with their counts, its tables, its cases and quotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from assay.artifacts import Scalar
from assay.artifacts.verdicts import (
    AgreementRecord,
    ConsistencyRecord,
    FieldRecord,
    MetricCounts,
    PrecisionRecall,
    SnippetSummary,
    ThresholdRecord,
    VerdictClass,
    VerdictPopulation,
    VerdictSystem,
)
from assay.derive.snippets import MODES
from assay.evaluate.scalars import exact_interval, scalar
from assay.evaluate.verdicts.case_records import audit_rows, case_rows
from assay.evaluate.verdicts.counted import metric_counts
from assay.evaluate.verdicts.diagnosis import advice
from assay.evaluate.verdicts.numbers import (
    VARIANT,
    System,
    field_columns,
    field_key,
    mode_key,
    positive_end,
)
from assay.evaluate.verdicts.provenance import truth_faults
from assay.metrics.verdicts import confusion_table, precision_recall_curve
from assay.score import spelled

if TYPE_CHECKING:
    from assay.derive.policies import Policy
    from assay.evaluate.scoring import Scored
    from assay.evaluate.verdicts.cases import Case, Frame
    from assay.inference import Plan
    from assay.sources.verdicts import Results

__all__ = ["Evaluated", "system_record"]

ONCE_PER_CASE = ("verdict_consistency", "evidence_consistency")
"""shares that count each case once at most"""
STATES = ("exact", "normalized", "stitched", "misattributed", "absent", "unchecked")


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """All that the record of a system is made of."""

    frame: Frame
    results: Sequence[Results]
    names: Sequence[str]
    systems: Sequence[System]
    scored: Scored
    plan: Plan


def system_record(result: Evaluated, number: int) -> VerdictSystem:
    """Write down one system."""
    system, frame, about = result.systems[number], result.frame, result.results[number]
    counts = metric_counts(system, frame)
    metrics = {
        label: _exact(scalar(result.scored, (number, VARIANT, label), result.plan), counts, result)
        for label in counts
    }
    population = _population(system)
    snippets = _snippets(result, number) if frame.reviews is not None else None
    return VerdictSystem(
        name=result.names[number],
        input=number,
        run_id=about.text("run_id"),
        method=about.text("method"),
        model=about.text("model"),
        population=population,
        metrics=metrics,
        counts=counts,
        thresholds=_thresholds(result, number),
        classes=_classes(result, number),
        confusion=_confusion(system, frame.policy),
        curves=_curves(system, frame),
        fields=_fields(result, number),
        snippets=snippets,
        consistency=_consistency(system.cases),
        agreement=_agreement(system.cases, frame.policy),
        malformed=_malformed(system.cases),
        diagnosis=advice(
            metrics, counts, population, snippets, truth_is_read=not truth_faults(frame)
        ),
        cases=case_rows(system, frame),
        audit=audit_rows(system, frame),
    )


def _exact(number: Scalar, counts: Mapping[str, MetricCounts], result: Evaluated) -> Scalar:
    """Add the exact interval where a number is a share of cases, which are independent."""
    counted = counts[number.metric]
    if number.metric not in ONCE_PER_CASE or not counted.denominator:
        return number
    k, n = counted.numerator or 0, counted.denominator
    exact = exact_interval(k, n, result.plan.level)
    return msgspec.structs.replace(number, exact_interval=exact)


def _population(system: System) -> VerdictPopulation:
    cases = system.cases
    there = [each for each in cases if each.answer.state != "missing"]
    states = Counter(each.answer.state for each in there)
    heard = [each for each in there if each.answer.state != "failed"]
    n_ranked = int((system.columns["scored"] * system.columns["ranked"]).sum())
    n_scored = int(system.columns["scored"].sum())
    return VerdictPopulation(
        n_samples=len(there),
        n_structured=sum(each.answer.structured for each in there),
        n_unstructured=states["unstructured"],
        n_failed=states["failed"],
        n_with_gt=sum(each.has_truth for each in there),
        n_without_gt=sum(not each.has_truth for each in there),
        n_missing=sum(each.missed for each in cases),
        n_scored=n_scored,
        n_ranked=n_ranked,
        n_without_verdict=sum(each.verdict is None for each in heard),
        n_outside_scale=sum(each.verdict is not None and each.given is None for each in heard),
        n_without_rank_score=n_scored - n_ranked,
        ranked_by=system.ranked_by,
    )


def _number(result: Evaluated, number: int, metric: str, at: int) -> Scalar:
    return scalar(result.scored, (number, VARIANT, f"{metric}@{spelled(at)}"), result.plan)


def _thresholds(result: Evaluated, number: int) -> list[ThresholdRecord]:
    system, policy = result.systems[number], result.frame.policy
    kept = (system.columns["scored"] * system.columns["ranked"]) > 0
    true = system.columns["verdict_true"][kept]
    end = positive_end(policy, result.frame.options)
    found = []
    for step in policy.ordinals:
        n_above = int((true >= step).sum())
        n_positive = n_above if end == "high" else true.size - n_above
        found.append(
            ThresholdRecord(
                threshold=step,
                name=policy.step_name(step, end),
                n_positive=n_positive,
                n_negative=int(true.size) - n_positive,
                auprc=_number(result, number, "threshold_auprc", step),
            )
        )
    return found


def _classes(result: Evaluated, number: int) -> list[VerdictClass]:
    confusion = np.array(_confusion(result.systems[number], result.frame.policy))
    return [
        VerdictClass(
            verdict=verdict,
            support=int(confusion[at].sum()),
            n_given=int(confusion[:, at].sum()),
            n_right=int(confusion[at, at]),
            precision=_number(result, number, "class_precision", at),
            recall=_number(result, number, "class_recall", at),
            f1=_number(result, number, "class_f1", at),
        )
        for at, verdict in enumerate(result.frame.policy.verdicts)
    ]


def _confusion(system: System, policy: Policy) -> list[list[int]]:
    chosen = {name: system.columns[name] for name in ("verdict_true", "verdict_given", "scored")}
    table = confusion_table(**chosen, n_verdicts=len(policy.verdicts))
    return [[int(n) for n in row] for row in table.counts]


RANKED = ("verdict_true", "rank_score", "scored", "ranked")


def _curves(system: System, frame: Frame) -> list[PrecisionRecall]:
    end: Any = positive_end(frame.policy, frame.options)
    chosen = {name: system.columns[name] for name in RANKED}
    found = []
    for step in frame.policy.ordinals:
        curve = precision_recall_curve(**chosen, positive=end, threshold=step)
        n_positive, n_negative = int(curve.n_positive[0]), int(curve.n_negative[0])
        if n_positive and n_negative:
            found.append(
                PrecisionRecall(
                    threshold=step,
                    name=frame.policy.step_name(step, end),
                    score=curve.score.tolist(),
                    recall=curve.recall.tolist(),
                    precision=curve.precision.tolist(),
                    n_positive=n_positive,
                    n_negative=n_negative,
                )
            )
    return found


def _fields(result: Evaluated, number: int) -> list[FieldRecord]:
    found = []
    for (kind, field), (judged, right) in field_columns(result.systems[number]).items():
        share = scalar(result.scored, field_key(number, kind, field), result.plan)
        found.append(
            FieldRecord(
                field=field,
                kind="severity" if kind == "severity" else "modifier",
                n_judged=int(judged.sum()),
                n_right=int(right.sum()),
                accuracy=share.value,
                interval=share.interval,
                interval_reason=share.interval_reason,
            )
        )
    return found


def _snippets(result: Evaluated, number: int) -> SnippetSummary:
    quoted = [each for case in result.systems[number].cases for each in case.quotations]
    checked = [each.checked for each in quoted if each.checked is not None]
    statuses = Counter(each.checked.status if each.checked else "unchecked" for each in quoted)
    claims = [claim for case in result.systems[number].cases for claim in case.claims.items]
    return SnippetSummary(
        mode=result.frame.options.snippets,
        n_snippets=len(checked),
        modes={m: scalar(result.scored, mode_key(number, m), result.plan) for m in MODES},
        n_valid={mode: sum(mode in each.valid for each in checked) for mode in MODES},
        statuses={status: statuses[status] for status in STATES},
        n_without_source=statuses["unchecked"],
        n_unknown_review=sum(not each.known for each in checked),
        n_empty=sum(not (claim.snippet or "").strip() for claim in claims),
    )


def _consistency(cases: Sequence[Case]) -> ConsistencyRecord:
    there = [each for each in cases if each.answer.state != "missing"]
    heard = [each for each in there if each.answer.state != "failed"]
    judging = [each for each in heard if each.verdict is not None]
    return ConsistencyRecord(
        n_ruled=sum(each.consistent is not None for each in judging),
        n_consistent=sum(each.consistent is True for each in judging),
        n_skipped_no_rule=sum(each.consistent is None for each in judging),
        n_skipped_no_verdict=len(heard) - len(judging),
        n_skipped_failed=len(there) - len(heard),
    )


def _agreement(cases: Sequence[Case], policy: Policy) -> AgreementRecord:
    found = [(each, each.agreement) for each in cases if each.agreement is not None]
    agreed = [agreement for _, agreement in found]
    reasons = Counter(each.derived.reason for each in agreed if each.derived.reason)
    reason = None
    if not policy.rules:
        reason = f"the policy {policy.id} has no rules"
    elif reasons:
        reason = "; ".join(f"{n}: {why}" for why, n in reasons.most_common(3))
    return AgreementRecord(
        available=bool(policy.rules),
        reason=reason,
        n_derived=sum(each.verdict is not None for each in agreed),
        n_agreeing=sum(each.verdict is True for each in agreed),
        n_score_stated=sum(each.score is not None for each in agreed),
        n_score_agreeing=sum(each.score is True for each in agreed),
        n_rule_stated=sum(each.rule is not None for each in agreed),
        n_rule_agreeing=sum(each.rule is True for each in agreed),
        n_derived_true=sum(
            each.verdict is not None and each.derived.verdict == case.true_verdict
            for case, each in found
        ),
        n_skipped=sum(each.verdict is None for each in agreed),
    )


def _malformed(cases: Sequence[Case]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in cases:
        total += each.malformed
    return dict(sorted(total.items()))
