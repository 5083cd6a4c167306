"""Every case of a system against what is true of it: one record per case, nothing summed up yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from assay.derive.conclusions import Derived, conclude, scores_agree, years_of
from assay.derive.evidence import (
    Claim,
    Claims,
    EvidenceCounts,
    FieldCounts,
    Incidents,
    claims_of,
    evidence_counts,
    incidents_of,
    judgement_counts,
    known_values,
)
from assay.derive.policies import Policy, Value, normalised_verdict, rule_verdict
from assay.derive.snippets import Checked, Quotation, check_quotations
from assay.families.verdicts.options import VerdictOptions
from assay.sources.answers import Answer, answer_of, missing
from assay.sources.verdicts import GroundTruth, Results, Reviews

__all__ = [
    "OFF_SCALE",
    "Agreement",
    "Case",
    "Frame",
    "Outcome",
    "Quoted",
    "cases_of",
    "is_long",
    "lost_cases",
    "share_judged_right",
]

Outcome = Literal["answered", "failed", "unscored"]
OFF_SCALE = "off the scale"
"""why a case is not answered whose verdict is none of the policy's"""

NOWHERE = ""
"""stands for the review of a quotation that names none"""


@dataclass(frozen=True, slots=True)
class Quoted:
    """One quotation and what became of it."""

    claim: Claim
    snippet: str
    checked: Checked | None
    """None where the case has no sources"""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What all systems are compared with."""

    policy: Policy
    truth: GroundTruth
    incidents: Mapping[str, Incidents]
    values: Mapping[str, tuple[Value, ...]]
    """the values of each field, by which judgements are read"""
    years: Mapping[str, Mapping[str, float]]
    """case, review: when it was written"""
    reviews: Reviews | None
    options: VerdictOptions
    k: int | None

    @classmethod
    def of(
        cls,
        policy: Policy,
        truth: GroundTruth,
        reviews: Reviews | None,
        options: VerdictOptions,
        *,
        k: int | None,
    ) -> Frame:
        """Read the ground truth once."""
        incidents = {
            case: incidents_of(row["incidents"], policy) for case, row in truth.cases.items()
        }
        return cls(
            policy=policy,
            truth=truth,
            incidents=incidents,
            values=known_values(incidents.values(), policy),
            years={
                case: years_of(dates) for case, dates in (reviews.dates if reviews else {}).items()
            },
            reviews=reviews,
            options=options,
            k=k,
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether evidence, stated score, stated rule and verdict agree; None where one is missing."""

    derived: Derived
    verdict: bool | None
    score: bool | None
    rule: bool | None


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One case as a system answered it, compared with what is true of it."""

    answer: Answer
    has_truth: bool
    verdict: str | None
    """in the spelling of the scale, or as it was found"""
    given: int | None
    """the position of the verdict, None where it is not on the scale"""
    true_verdict: str | None
    true: int | None
    claims: Claims
    evidence: EvidenceCounts
    """of structured results with ground truth, or of all of them; all else cites nothing"""
    n_gold: int
    """sources that the truth names"""
    n_findings: int
    fields: tuple[FieldCounts, ...]
    rule_verdict: str | None
    consistent: bool | None
    """None where no rule names a verdict, or there is no verdict"""
    agreement: Agreement | None
    quotations: tuple[Quoted, ...]
    malformed: Counter[str]

    @property
    def missed(self) -> bool:
        """Whether there is a truth and no result; another system may have answered without one."""
        return self.has_truth and self.answer.state == "missing"

    @property
    def scored(self) -> bool:
        """Whether both verdicts are on the scale."""
        return self.given is not None and self.true is not None and self.answer.state != "failed"

    @property
    def outcome(self) -> Outcome:
        """What became of it: every case whose truth is on the scale is asked."""
        if self.true is None:
            return "unscored"
        return "answered" if self.scored else "failed"

    @property
    def lost_by(self) -> str | None:
        """Why it has no verdict to score, where that is so."""
        if self.answer.state in {"missing", "failed"}:
            return {"missing": "missing", "failed": "error"}[self.answer.state]
        if self.given is None:
            return "no verdict" if self.verdict is None else OFF_SCALE
        return None if self.true is not None else "no truth"


def cases_of(results: Results, frame: Frame, ids: Sequence[str]) -> list[Case]:
    """Compare every case, answered or not, in the order of their ids."""
    answers = {case: _answer(case, results, frame) for case in ids}
    claims = {
        case: claims_of(answer.evidences) if answer.structured else Claims((), {})
        for case, answer in answers.items()
    }
    quoted = _quoted(claims, frame.reviews, frame.options)
    return [_case(answers[case], claims[case], quoted.get(case, ()), frame) for case in ids]


def is_long(snippet: str, shortest: int) -> bool:
    """Count letters and digits, all of them only where the first characters are not enough."""
    if len(snippet) >= shortest and snippet[:shortest].isalnum():
        return True
    return sum(map(str.isalnum, snippet)) >= shortest


def _nowhere(checked: Checked) -> Checked:
    return replace(checked, status="absent", valid=frozenset())


def _answer(case: str, results: Results, frame: Frame) -> Answer:
    row = results.cases.get(case)
    if row is None:
        return missing(case)
    method = frame.options.method or results.text("method") or str(row.get("method"))
    return answer_of(case, row, method=method, failures=frame.options.failures)


def _case(answer: Answer, claims: Claims, quoted: tuple[Quoted, ...], frame: Frame) -> Case:
    policy, spelling = frame.policy, frame.options.spelling
    truth = frame.truth.cases.get(answer.case)
    incidents = frame.incidents.get(answer.case, Incidents((), {}))
    compared = answer.structured and truth is not None
    cites = compared or (answer.structured and frame.options.precision_over == "all")
    verdict = normalised_verdict(answer.verdict, policy, spelling=spelling)
    true = _truth(truth, frame)
    named = rule_verdict(answer.rule, policy, spelling=spelling)
    judges = answer.state != "failed" and verdict is not None
    return Case(
        answer=answer,
        has_truth=truth is not None,
        verdict=verdict,
        given=_position(verdict, policy),
        true_verdict=true,
        true=_position(true, policy),
        claims=claims,
        evidence=evidence_counts(claims, incidents) if cites else EvidenceCounts(0, 0, 0),
        n_gold=len(incidents.reviews),
        n_findings=len(incidents.items),
        fields=_judged(claims, incidents, frame) if compared else (),
        rule_verdict=named,
        consistent=named == verdict if judges and named is not None else None,
        agreement=_agreement(claims, answer, verdict, frame),
        quotations=quoted,
        malformed=Counter(claims.malformed) + Counter(answer.malformed),
    )


def _truth(truth: Mapping[str, Any] | None, frame: Frame) -> str | None:
    if truth is None:
        return None
    return normalised_verdict(truth["verdict"], frame.policy, spelling=frame.options.spelling)


def _position(verdict: str | None, policy: Policy) -> int | None:
    return policy.verdicts.index(verdict) if verdict in policy.verdicts else None


def _judged(claims: Claims, incidents: Incidents, frame: Frame) -> tuple[FieldCounts, ...]:
    return judgement_counts(
        claims,
        incidents,
        frame.policy,
        values=frame.values,
        denominator=frame.options.judged_over,
        comparison=frame.options.matching,
    )


def share_judged_right(cases: Sequence[Case], frame: Frame) -> float:
    """Return how often judgements are right as whole words, however they are matched."""
    by_words = replace(frame, options=replace(frame.options, matching="words"))
    known = [(case, frame.incidents[case.answer.case]) for case in cases if case.fields]
    fields = [each for case, of in known for each in _judged(case.claims, of, by_words)]
    return sum(each.n_right for each in fields) / max(1, sum(each.n_judged for each in fields))


def _agreement(
    claims: Claims, answer: Answer, verdict: str | None, frame: Frame
) -> Agreement | None:
    """Derive the verdict from the cited evidence, and compare what the system states with it."""
    readable = answer.structured and answer.state != "failed"
    if not frame.policy.rules or not readable or not isinstance(answer.evidences, list):
        return None
    derived = conclude(
        claims,
        frame.policy,
        k=frame.k,
        attributes=frame.truth.cases.get(answer.case, {}),
        years=frame.years.get(answer.case, {}),
    )
    stated, score = answer.stated_score, derived.score
    named = rule_verdict(answer.rule, frame.policy, spelling=frame.options.spelling)
    known = derived.verdict is not None
    return Agreement(
        derived=derived,
        verdict=derived.verdict == verdict if known and verdict is not None else None,
        score=scores_agree(stated, score) if stated is not None and score is not None else None,
        rule=derived.verdict == named if known and named is not None else None,
    )


def _quoted(
    claims: Mapping[str, Claims], reviews: Reviews | None, options: VerdictOptions
) -> dict[str, tuple[Quoted, ...]]:
    """Check the quotations of all cases at once; one that is too short is nowhere.

    One that names no review can be in none, and is counted so; the reference does not count it,
    and counts one of white space only.
    """
    if reviews is None:
        return {}
    by_reference = options.snippets == "reference"
    quoted = [
        (case, claim, claim.snippet)
        for case, of_case in claims.items()
        for claim in of_case.items
        if claim.snippet is not None
        and (claim.review_id is not None if by_reference else claim.snippet.strip())
    ]
    known = [each for each in quoted if reviews.texts.get(each[0])]
    checked = check_quotations(
        [
            Quotation(case, NOWHERE if claim.review_id is None else claim.review_id, snippet)
            for case, claim, snippet in known
        ],
        reviews.texts,
    )
    found = {
        (case, claim.number): each if is_long(snippet, options.shortest) else _nowhere(each)
        for (case, claim, snippet), each in zip(known, checked, strict=True)
    }
    rows: dict[str, list[Quoted]] = {}
    for case, claim, snippet in quoted:
        rows.setdefault(case, []).append(Quoted(claim, snippet, found.get((case, claim.number))))
    return {case: tuple(of_case) for case, of_case in rows.items()}


def lost_cases(cases: Sequence[Case]) -> list[tuple[str, str]]:
    """Return why cases that were asked are not answered, and which."""
    return [
        (f"{each.lost_by}: {each.verdict}" if each.verdict else str(each.lost_by), each.answer.case)
        for each in cases
        if each.outcome == "failed"
    ]
