"""The table of cases, the worst of them ranked first, and the audit of quotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.artifacts.verdicts import CaseRow, SnippetRow
from assay.derive.snippets import MODES
from assay.evaluate.verdicts.numbers import positive_end, ranking

if TYPE_CHECKING:
    from assay.evaluate.verdicts.cases import Case, Frame
    from assay.evaluate.verdicts.numbers import System
    from assay.evaluate.verdicts.quotations import Quoted

__all__ = ["SNIPPET_LENGTH", "audit_rows", "badness", "case_rows"]

SNIPPET_LENGTH = 300
"""characters of a quotation that the audit keeps"""


def case_rows(system: System, frame: Frame) -> list[CaseRow]:
    """Write down every case, in the order of their ids."""
    faults = [badness(each, frame) for each in system.cases]
    order = sorted(range(len(faults)), key=lambda row: (-faults[row], row))
    places = {row: place for place, row in enumerate(order, start=1)}
    scores, _ = ranking(system.cases, frame.options.rank_scores)
    ranks = _ranks(scores, falling=positive_end(frame.policy, frame.options) == "high")
    return [
        _case_row(each, frame, scores[row], ranks[row], faults[row], places[row])
        for row, each in enumerate(system.cases)
    ]


def _ranks(scores: Sequence[float | None], *, falling: bool) -> list[int | None]:
    """Return 1 for the most positive score; equal scores share the smaller rank."""
    sign = -1 if falling else 1
    ordered = sorted(sign * score for score in scores if score is not None)
    first: dict[float, int] = {}
    for place, score in enumerate(ordered, start=1):
        first.setdefault(score, place)
    return [None if score is None else first[sign * score] for score in scores]


def badness(case: Case, frame: Frame) -> float:
    """Count the faults of a case: each of them once, a verdict by the steps that it is off.

    Where there is a truth and no verdict on the scale, it is off by the whole scale.
    """
    off = 0
    if case.true is not None:
        worst = len(frame.policy.verdicts) - 1
        off = abs(case.given - case.true) if case.given is not None and case.scored else worst
    agrees = case.agreement.verdict if case.agreement else None
    return float(
        off
        + (case.evidence.n_claimed - case.evidence.n_matched)
        + (case.n_gold - case.evidence.n_matched)
        + _n_invalid(case, frame)
        + sum(each.n_judged - each.n_right for each in case.fields)
        + (case.consistent is False)
        + (agrees is False)
        + sum(case.malformed.values())
    )


def _n_invalid(case: Case, frame: Frame) -> int:
    mode = frame.options.snippets
    return sum(
        each.checked is not None and mode not in each.checked.valid for each in case.quotations
    )


def _case_row(
    case: Case,
    frame: Frame,
    score: float | None,
    rank: int | None,
    faults: float,
    place: int,
) -> CaseRow:
    agreement, checked = case.agreement, [each.checked for each in case.quotations if each.checked]
    truth = frame.truth.cases.get(case.answer.case, {})
    name = truth.get("name")
    steps = case.given - case.true if case.given is not None and case.true is not None else None
    return CaseRow(
        case=case.answer.case,
        name=case.answer.name or (name if isinstance(name, str) else None),
        state=case.answer.state,
        verdict=case.verdict,
        truth=case.true_verdict,
        steps=steps,
        rank_score=score,
        rank=rank,
        n_claimed=len(case.claims.reviews),
        n_matched=case.evidence.n_matched,
        n_gold=case.n_gold,
        n_missed=case.n_gold - case.evidence.n_matched,
        n_snippets=len(checked),
        n_invalid=_n_invalid(case, frame),
        n_misattributed=sum(each.status == "misattributed" for each in checked),
        n_judged=sum(each.n_judged for each in case.fields),
        n_judged_right=sum(each.n_right for each in case.fields),
        rule_verdict=case.rule_verdict,
        rule_consistent=case.consistent,
        derived_verdict=agreement.derived.verdict if agreement else None,
        derived_score=agreement.derived.score if agreement else None,
        stated_score=case.answer.stated_score,
        evidence_agrees=agreement.verdict if agreement else None,
        n_malformed=sum(case.malformed.values()),
        badness=faults,
        badness_rank=place,
    )


def audit_rows(system: System, frame: Frame) -> list[SnippetRow]:
    """Write down every quotation, in the order of cases and evidences."""
    return [
        _audit_row(case.answer.case, each, frame.options.snippets)
        for case in system.cases
        for each in case.quotations
    ]


def _audit_row(case: str, quoted: Quoted, mode: str) -> SnippetRow:
    checked, claim = quoted.checked, quoted.claim
    elsewhere = checked is not None and checked.found_case not in {None, case}
    return SnippetRow(
        case=case,
        evidence=claim.number,
        review_id=claim.review_id,
        field=claim.field,
        snippet=_cut(quoted.snippet),
        status=checked.status if checked else "unchecked",
        valid=mode in checked.valid if checked else None,
        strictest=next((m for m in MODES if checked and m in checked.valid), None),
        found_in=checked.found_in if checked else None,
        found_in_case=checked.found_case if checked and elsewhere else None,
        note=_note(quoted),
    )


def _cut(snippet: str) -> str:
    return snippet if len(snippet) <= SNIPPET_LENGTH else f"{snippet[:SNIPPET_LENGTH]}..."


def _note(quoted: Quoted) -> str | None:
    checked = quoted.checked
    if checked is None:
        return "the case has no reviews"
    if quoted.claim.review_id is None:
        return "no review is named"
    if not checked.known:
        return "the case has no such review"
    if checked.status == "absent" and "words" in checked.valid:
        return "most of its words are in the review"
    if checked.cut_short:
        return "not all reviews of other cases were searched"
    return None
