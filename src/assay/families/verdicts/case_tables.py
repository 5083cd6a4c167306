"""Cases and quotations of verdicts one by one: as the artifact keeps and the page lists them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from assay.artifact import Answer, Case, Passage
from assay.display.cases import CaseCell, CaseTable, Column, column, listed, number, said, text
from assay.families.case_sheet import FAILED, RIGHT, UNSCORED, WRONG, Answers, CaseSheet, cut
from assay.families.verdicts.cases import OFF_SCALE

if TYPE_CHECKING:
    from assay.artifact import Content, System
    from assay.families.family import Evaluated
    from assay.families.verdicts.cases import Case as Judged
    from assay.families.verdicts.cases import Frame
    from assay.families.verdicts.columns import Judged as Ranked
    from assay.families.verdicts.inputs import Judgements
    from assay.families.verdicts.parts import VerdictParts, VerdictsArtifact
    from assay.families.verdicts.rows import CaseRow, SnippetRow

__all__ = ["case_sheet", "case_tables", "state", "without_texts"]

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
    """Yield the texts of a case, those first in which the truth finds something."""
    texts = frame.reviews.texts.get(case, {}) if frame.reviews else {}
    named = frame.incidents[case].reviews if case in frame.incidents else {}
    for source in sorted(texts, key=lambda each: (each not in named, each))[:MOST_SOURCES]:
        note = "the truth names it" if source in named else None
        yield Passage(text=cut(texts[source]), source=source, note=note)


def _judgements(cases: Iterable[Judged]) -> dict[tuple[str, int], str]:
    """Return what each evidence was judged to be, by case and number."""
    return {
        (case.answer.case, claim.number): claim.judgement
        for case in cases
        for claim in case.claims.items
        if claim.judgement
    }


def _side(
    number: int,
    system: System[Any, VerdictParts],
    own: Ranked,
    scale: frozenset[str],
) -> Answers:
    judged = _judgements(own.cases)
    # The position of a verdict ranks where there is no score, and is none.
    scored = own.ranked_by != "verdict"
    rows = system.parts.cases
    quoted: dict[str, list[SnippetRow]] = defaultdict(list)
    for each in system.parts.audit:
        quoted[each.case].append(each)
    codes = {"failed": FAILED, "unscored": UNSCORED}
    states = [codes.get(each.outcome, RIGHT if each.steps == 0 else WRONG) for each in rows]
    loss = [np.nan if each.steps is None else abs(each.steps) for each in rows]
    scores = [each.rank_score if scored else None for each in rows]
    sure = [np.nan if each is None else each for each in scores]
    return Answers(
        system.name,
        number,
        np.array(states, np.int8),
        lambda row: _answer(rows[row], scores[row], quoted[rows[row].case], judged, scale),
        sure=np.array(sure, np.float64),
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
