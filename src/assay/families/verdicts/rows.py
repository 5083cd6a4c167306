"""The table of cases, the worst of them ranked first, and the audit of quotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from assay.artifact import Number, Record
from assay.derive.nearest import Passages
from assay.derive.snippets import MODES, Status
from assay.families.verdicts.cases import Outcome, is_long
from assay.families.verdicts.columns import n_valid, positive_end

if TYPE_CHECKING:
    from assay.families.verdicts.cases import Case, Frame, Quoted
    from assay.families.verdicts.columns import Judged
    from assay.families.verdicts.options import VerdictOptions

__all__ = ["CaseRow", "SnippetRow", "case_rows", "snippet_rows"]

MOST_COMPARED = 1_000
"""sources in which passages are looked for: nobody reads more"""
SNIPPET_LENGTH = 300
"""characters of a quotation that the audit keeps"""


class CaseRow(Record, frozen=True, kw_only=True):
    """One case as a system answered it; the worst ten come first in order of `badness_rank`."""

    case: str
    name: str | None
    state: Literal["structured", "unstructured", "failed", "missing"]
    outcome: Outcome
    """`failed` is asked and not answered, `unscored` has no truth on the scale"""
    lost_by: str | None
    """why it is not answered: missing, error, no verdict, off the scale; or no truth"""
    verdict: str | None
    """as normalised; the text that was found where it is not on the scale"""
    truth: str | None
    steps: int | None
    """given minus true position: above 0 the verdict is too high"""
    rank_score: Number
    """what it is ranked by; the position of its verdict where no case has a score"""
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
    source_id: str | None
    field: str | None
    snippet: str
    """cut after 300 characters"""
    status: Status | Literal["unchecked"]
    """`unchecked` where the case has no sources"""
    valid: bool | None
    """in the chosen mode"""
    strictest: str | None
    """the strictest mode that accepts it; null where none does"""
    found_in: str | None
    """the source that holds a misattributed quotation"""
    found_in_case: str | None
    nearest: str | None
    """the passage of the named source that shares the most with an absent quotation; of the first
    1,000 sources with such a one"""
    note: str | None
    """as in `no such source`"""


def case_rows(system: Judged, frame: Frame) -> list[CaseRow]:
    """Write down every case, in the order of their ids."""
    faults = [_badness(each, frame) for each in system.cases]
    order = sorted(range(len(faults)), key=lambda row: (-faults[row], row))
    places = {row: place for place, row in enumerate(order, start=1)}
    ranks = _ranks(system.scores, falling=positive_end(frame) == "high")
    return [
        _case_row(case, frame, (system.scores[row], ranks[row]), (faults[row], places[row]))
        for row, case in enumerate(system.cases)
    ]


def _ranks(scores: Sequence[float | None], *, falling: bool) -> list[int | None]:
    """Return 1 for the most positive score; equal scores share the smaller rank."""
    sign = -1 if falling else 1
    first: dict[float, int] = {}
    ordered = sorted(sign * score for score in scores if score is not None)
    for place, score in enumerate(ordered, start=1):
        first.setdefault(score, place)
    return [None if score is None else first[sign * score] for score in scores]


def _badness(case: Case, frame: Frame) -> float:
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
    n_checked = sum(each.checked is not None for each in case.quotations)
    return n_checked - n_valid(case, frame.options.snippets)


def _case_row(
    case: Case, frame: Frame, ranked: tuple[float | None, int | None], bad: tuple[float, int]
) -> CaseRow:
    agreement, checked = case.agreement, [each.checked for each in case.quotations if each.checked]
    name = frame.truth.cases.get(case.answer.case, {}).get("name")
    steps = case.given - case.true if case.given is not None and case.true is not None else None
    return CaseRow(
        case=case.answer.case,
        name=case.answer.name or (name if isinstance(name, str) else None),
        state=case.answer.state,
        outcome=case.outcome,
        lost_by=case.lost_by,
        verdict=case.verdict,
        truth=case.true_verdict,
        steps=steps,
        rank_score=ranked[0],
        rank=ranked[1],
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
        badness=bad[0],
        badness_rank=bad[1],
    )


def snippet_rows(system: Judged, frame: Frame) -> list[SnippetRow]:
    """Write down every quotation, in the order of cases and evidences."""
    documents: dict[tuple[str, str], Passages] = {}
    return [
        _snippet_row(
            case.answer.case,
            each,
            frame.options,
            _nearest(case.answer.case, each, frame, documents),
        )
        for case in system.cases
        for each in case.quotations
    ]


def _nearest(
    case: str, quoted: Quoted, frame: Frame, documents: dict[tuple[str, str], Passages]
) -> str | None:
    """Return what the source says that is nearest to a quotation which is nowhere."""
    source, checked = quoted.claim.review_id, quoted.checked
    if frame.reviews is None or checked is None or checked.status != "absent" or source is None:
        return None
    text = frame.reviews.texts.get(case, {}).get(source)
    if (case, source) not in documents and text is not None and len(documents) < MOST_COMPARED:
        documents[case, source] = Passages(text)
    known = documents.get((case, source))
    return None if known is None else known.nearest(quoted.snippet)


def _snippet_row(
    case: str, quoted: Quoted, options: VerdictOptions, nearest: str | None
) -> SnippetRow:
    checked, claim, snippet = quoted.checked, quoted.claim, quoted.snippet
    elsewhere = checked is not None and checked.found_case not in {None, case}
    cut = snippet if len(snippet) <= SNIPPET_LENGTH else f"{snippet[:SNIPPET_LENGTH]}..."
    return SnippetRow(
        case=case,
        evidence=claim.number,
        source_id=claim.review_id,
        field=claim.field or None,
        snippet=cut,
        status=checked.status if checked else "unchecked",
        valid=options.snippets in checked.valid if checked else None,
        strictest=next((m for m in MODES if checked and m in checked.valid), None),
        found_in=checked.found_in if checked else None,
        found_in_case=checked.found_case if checked and elsewhere else None,
        nearest=nearest,
        note=_note(quoted, options.shortest),
    )


def _note(quoted: Quoted, shortest: int) -> str | None:
    checked = quoted.checked
    if checked is None:
        return "the case has no sources"
    if quoted.claim.review_id is None:
        return "no source is named"
    if not checked.known:
        return "the case has no such source"
    if not is_long(quoted.snippet, shortest):
        return "too short to be evidence"
    if checked.status == "absent" and "words" in checked.valid:
        return "most of its words are in the source"
    return "not all sources of other cases were searched" if checked.cut_short else None
