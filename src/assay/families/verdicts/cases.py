"""Cases and quotations of verdicts one by one: as records, side by side, and in lists.

The worst cases are ranked first, and every quotation is audited.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from msgspec.structs import replace

from assay.artifact import Answer, Case, Content, Number, Passage, Record, System
from assay.derive.nearest import Passages
from assay.derive.snippets import MODES, Status
from assay.display.cases import CaseCell, CaseTable, Column, column, listed, number, said, text
from assay.families.case_sheet import FAILED, RIGHT, UNSCORED, WRONG, Answers, CaseSheet, cut
from assay.families.verdicts.judged import OFF_SCALE, Outcome, is_long, n_valid

if TYPE_CHECKING:
    from assay.families.family import Evaluated
    from assay.families.verdicts.inputs import Judgements
    from assay.families.verdicts.judged import Case as Held
    from assay.families.verdicts.judged import Frame, Judged, Quoted
    from assay.families.verdicts.options import VerdictOptions
    from assay.families.verdicts.parts import VerdictParts, VerdictsArtifact

MOST_COMPARED = 1_000
"""sources in which passages are looked for: nobody reads more"""
MOST_QUOTED = MOST_SOURCES = 12
"""quotations of a case that are kept"""
LONGEST_JUDGEMENT = 80
HOLDS = {
    "exact": "in the source",
    "normalized": "in the source, but for quotes and case",
    "stitched": "in the source, in several places",
    "misattributed": "in another source",
    "absent": "not in the source",
    "unchecked": "not checked",
}
DERIVED = "its evidence gives"


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
    ranks = _ranks(system.scores, falling=frame.positive == "high")
    return [
        _case_row(case, frame, (system.scores[row], ranks[row]), (faults[row], places[row]))
        for row, case in enumerate(system.cases)
    ]


def _ranks(scores: Sequence[float | None], *, falling: bool) -> list[int | None]:
    """Return 1 for the most positive score; equal scores share the smaller rank."""
    sign = -1 if falling else 1
    ordered = sorted(sign * score for score in scores if score is not None)
    return [None if each is None else 1 + bisect_left(ordered, sign * each) for each in scores]


def _badness(case: Held, frame: Frame) -> float:
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


def _n_invalid(case: Held, frame: Frame) -> int:
    n_checked = sum(each.checked is not None for each in case.quotations)
    return n_checked - n_valid(case, frame.options.snippets)


def _case_row(
    case: Held, frame: Frame, ranked: tuple[float | None, int | None], bad: tuple[float, int]
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
    return SnippetRow(
        case=case,
        evidence=claim.number,
        source_id=claim.review_id,
        field=claim.field or None,
        snippet=cut(snippet),
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


def case_sheet(evaluated: Evaluated, systems: Sequence[System[Any, VerdictParts]]) -> CaseSheet:
    """Lay the cases of all systems side by side: verdict, rule, evidence, quotations."""
    context: Judgements = evaluated.prepared.context
    rows = [system.parts.cases for system in systems]
    first = rows[0]

    def identify(row: int) -> Case:
        name = next((own[row].name for own in rows if own[row].name), None)
        case = first[row].case
        sources = [*_sources(case, context.frame)]
        return Case(id=case, name=name, truth=first[row].truth, sources=sources, answers=[])

    scale = frozenset(context.frame.policy.verdicts)
    sides = [
        _side(number, system, own, scale)
        for number, (system, own) in enumerate(zip(systems, context.systems, strict=True))
    ]
    return CaseSheet("case", sides, identify)


def _sources(case: str, frame: Frame) -> Iterator[Passage]:
    """Yield the texts of a case by name, those first in which the truth finds something."""
    texts = frame.reviews.texts.get(case, {}) if frame.reviews else {}
    named = frame.incidents[case].reviews if case in frame.incidents else {}
    for source in sorted(texts, key=lambda each: (each not in named, each))[:MOST_SOURCES]:
        note = "the truth names it" if source in named else None
        yield Passage(text=cut(texts[source]), source=source, note=note)


def _side(
    number: int, system: System[Any, VerdictParts], own: Judged, scale: frozenset[str]
) -> Answers:
    # What each evidence was judged to be, by case and number.
    judged = {
        (case.answer.case, claim.number): claim.judgement
        for case in own.cases
        for claim in case.claims.items
        if claim.judgement
    }
    # The position of a verdict ranks where there is no score, and is none.
    scored = own.ranked_by != "verdict"
    rows = system.parts.cases
    quoted: dict[str, list[SnippetRow]] = defaultdict(list)
    for each in system.parts.audit:
        quoted[each.case].append(each)
    codes = {"failed": FAILED, "unscored": UNSCORED}
    states = [codes.get(each.outcome, RIGHT if each.steps == 0 else WRONG) for each in rows]
    loss = [None if each.steps is None else abs(each.steps) for each in rows]
    scores = [each.rank_score if scored else None for each in rows]
    return Answers(
        system.name,
        number,
        np.array(states, np.int8),
        lambda row: _answer(rows[row], scores[row], quoted[rows[row].case], judged, scale),
        sure=np.array(scores, np.float64),
        loss=np.array(loss, np.float64),
        free=lambda row: rows[row].lost_by == OFF_SCALE,
    )


def _answer(
    row: CaseRow,
    score: float | None,
    quoted: Sequence[SnippetRow],
    judged: Mapping[tuple[str, int], str],
    scale: frozenset[str],
) -> Answer:
    off = row.rule_verdict is not None and row.rule_verdict not in scale
    told: dict[str, str | float | None] = {
        # Facts are kept where texts are not.
        "its own rule gives": "nothing on the scale" if off else row.rule_verdict,
        DERIVED: row.derived_verdict,
        "points stated": row.stated_score,
        "points of its evidence": row.derived_score,
        "sources found": f"{row.n_matched} of {row.n_gold}" if row.n_gold else None,
        "quotations not valid": f"{row.n_invalid} of {row.n_snippets}" if row.n_invalid else None,
        "not answered": row.lost_by,
    }
    against = ["its own rule gives"] * (row.rule_consistent is False)
    against += [DERIVED] * (row.evidence_agrees is False)
    return Answer(
        state=None,
        answer=row.verdict,
        confidence=score,
        loss=None if row.steps is None else float(abs(row.steps)),
        facts={name: value for name, value in told.items() if value is not None},
        against=against,
        texts=[
            _passage(each, judged.get((each.case, each.evidence))) for each in quoted[:MOST_QUOTED]
        ],
    )


def _passage(row: SnippetRow, judgement: str | None) -> Passage:
    found = f"stands in {row.found_in}" if row.found_in else None
    how = HOLDS[row.status]
    judged = f"judged {cut(judgement, LONGEST_JUDGEMENT)}" if judgement else None
    said = [how, row.field, judged, found or row.note]
    return Passage(
        text=row.snippet,
        source=row.source_id,
        holds=row.valid,
        note="; ".join(each for each in said if each),
    )


def without_texts(parts: VerdictParts, content: Content) -> VerdictParts:
    """Leave quotations, names and verdicts of one's own out, or all cases."""
    if content == "none":
        return replace(parts, cases=[], audit=[])
    audit = [replace(each, snippet="", nearest=None) for each in parts.audit]
    labels = {each.truth for each in parts.cases}
    labels |= {each.verdict for each in parts.cases if each.lost_by != OFF_SCALE}
    cases = [
        replace(
            each,
            name=None,
            verdict=None if each.lost_by == OFF_SCALE else each.verdict,
            rule_verdict=each.rule_verdict if each.rule_verdict in labels else None,
        )
        for each in parts.cases
    ]
    return replace(parts, cases=cases, audit=audit)


def case_tables(artifact: VerdictsArtifact) -> Iterator[CaseTable]:
    """List the cases of every system, and its quotations that are not valid."""
    for system in artifact.systems:
        of = f", {system.name}" if len(artifact.systems) > 1 else ""
        worst = sorted(system.parts.cases, key=lambda each: each.badness_rank)
        if worst:
            yield listed(f"Cases, the worst first{of}", worst, len(worst), CASES)
        invalid = [each for each in system.parts.audit if not each.valid]
        if invalid:
            title = f"Quotations that are not valid{of}"
            yield listed(title, invalid, len(invalid), SNIPPETS)


def state(case: CaseRow) -> str:
    """Say what became of a case, and why, where it is not all as it should be."""
    if case.lost_by is not None:
        return f"{case.outcome}: {case.lost_by}"
    return "" if case.state == "structured" else case.state


def _verdict(row: CaseRow) -> CaseCell:
    right = row.verdict is not None and row.verdict == row.truth
    return text(row.verdict, "good" if right else "bad")


CASES = (
    column("case", "case"),
    column("name", "name"),
    Column("state", lambda row: text(state(row) or row.state)),
    Column("verdict", _verdict),
    column("truth", "truth"),
    number("steps off", "steps"),
    number("rank", "rank"),
    number("claimed", "n_claimed"),
    number("matched", "n_matched"),
    number("missed", "n_missed"),
    number("invalid quotes", "n_invalid"),
    said("rule fits", "rule_consistent"),
    said("evidence fits", "evidence_agrees"),
)
SNIPPETS = (
    column("case", "case"),
    column("source", "source_id"),
    column("status", "status", tone="bad"),
    column("quotation", "snippet"),
    column("nearest passage", "nearest"),
    column("field", "field"),
    Column("note", lambda row: text(row.note or (row.found_in and f"stands in {row.found_in}"))),
)
