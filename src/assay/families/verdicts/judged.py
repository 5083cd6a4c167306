"""Every case of a system held against what is true of it: a record per case, then as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assay.columns import Array, Indices, Resamples
from assay.derive.conclusions import Derived, conclude, scores_agree, years_of
from assay.derive.evidence import (
    Claim,
    Claims,
    Comparison,
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
from assay.errors import ColumnError
from assay.showing import quoted
from assay.sources.answers import Answer, answer_of, missing
from assay.sources.verdicts import GroundTruth, Results, Reviews

if TYPE_CHECKING:
    from assay.families.verdicts.options import VerdictOptions
    from assay.metrics.verdicts.ranking import Positive

Outcome = Literal["answered", "failed", "unscored"]
RankedBy = Literal["rank_score", "verdict", "mixed", "nothing"]
OFF_SCALE = "off the scale"
"""why a case is not answered whose verdict is none of the policy's"""
NOWHERE = ""
"""stands for the review of a quotation that names none"""
MOST_FIELDS = 100
"""how many fields are broken down, those with the most judgements first"""
ORDINAL_POINTS = 5
"""what a step of the scale is worth where scores and verdicts rank together, as in the reference"""


@dataclass(frozen=True, slots=True)
class Quoted:
    """One quotation and what became of it."""

    claim: Claim
    snippet: str
    checked: Checked | None
    """None where the case has no sources"""


@dataclass(frozen=True, eq=False)
class Frame:
    """What all systems are compared with; the ground truth is read once."""

    policy: Policy
    truth: GroundTruth
    reviews: Reviews | None
    options: VerdictOptions
    k: int | None

    @cached_property
    def incidents(self) -> Mapping[str, Incidents]:
        """What the truth finds, by case."""
        cases = self.truth.cases.items()
        return {case: incidents_of(row["incidents"], self.policy) for case, row in cases}

    @cached_property
    def values(self) -> Mapping[str, tuple[Value, ...]]:
        """The values of each field, by which judgements are read."""
        return known_values(self.incidents.values(), self.policy)

    @cached_property
    def years(self) -> Mapping[str, Mapping[str, float]]:
        """By case and review: when it was written."""
        dates = self.reviews.dates if self.reviews else {}
        return {case: years_of(of_case) for case, of_case in dates.items()}

    @property
    def positive(self) -> Positive:
        """The end of the scale that thresholds look for."""
        return self.options.positive or self.policy.positive

    def normalised(self, verdict: object) -> str | None:
        """Return a verdict in the spelling of the scale, where it is on it."""
        return normalised_verdict(verdict, self.policy, spelling=self.options.spelling)


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
    found = _quotations(claims, frame.reviews, frame.options)
    return [_case(answers[case], claims[case], found.get(case, ()), frame) for case in ids]


def is_long(snippet: str, shortest: int) -> bool:
    """Count letters and digits, all of them only where the first characters are not enough."""
    if len(snippet) >= shortest and snippet[:shortest].isalnum():
        return True
    return sum(map(str.isalnum, snippet)) >= shortest


def _answer(case: str, results: Results, frame: Frame) -> Answer:
    row = results.cases.get(case)
    if row is None:
        return missing(case)
    method = frame.options.method or results.text("method") or str(row.get("method"))
    return answer_of(case, row, method=method, failures=frame.options.failures)


def _case(answer: Answer, claims: Claims, quotations: tuple[Quoted, ...], frame: Frame) -> Case:
    policy = frame.policy
    truth = frame.truth.cases.get(answer.case)
    incidents = frame.incidents.get(answer.case, Incidents((), {}))
    compared = answer.structured and truth is not None
    cites = compared or (answer.structured and frame.options.precision_over == "all")
    verdict = frame.normalised(answer.verdict)
    true = None if truth is None else frame.normalised(truth["verdict"])
    named = rule_verdict(answer.rule, policy, spelling=frame.options.spelling)
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
        fields=_judged(claims, incidents, frame, frame.options.matching) if compared else (),
        rule_verdict=named,
        consistent=named == verdict if judges and named is not None else None,
        agreement=_agreement(claims, answer, (verdict, named), frame),
        quotations=quotations,
        malformed=Counter(claims.malformed) + Counter(answer.malformed),
    )


def _position(verdict: str | None, policy: Policy) -> int | None:
    return policy.verdicts.index(verdict) if verdict in policy.verdicts else None


def _judged(
    claims: Claims, incidents: Incidents, frame: Frame, matching: Comparison
) -> tuple[FieldCounts, ...]:
    return judgement_counts(
        claims,
        incidents,
        frame.policy,
        values=frame.values,
        denominator=frame.options.judged_over,
        comparison=matching,
    )


def share_judged_right(cases: Sequence[Case], frame: Frame) -> float:
    """Return how often judgements are right as whole words, however they are matched."""
    known = [(case, frame.incidents[case.answer.case]) for case in cases if case.fields]
    fields = [each for case, of in known for each in _judged(case.claims, of, frame, "words")]
    return sum(each.n_right for each in fields) / max(1, sum(each.n_judged for each in fields))


def _agreement(
    claims: Claims, answer: Answer, stated: tuple[str | None, str | None], frame: Frame
) -> Agreement | None:
    """Derive the verdict from the cited evidence, and compare what the system states with it.

    It states a verdict, and one by its rule.
    """
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
    known, score = derived.verdict, answer.stated_score
    verdict, rule = (None if None in {known, each} else known == each for each in stated)
    alike = None
    if score is not None and derived.score is not None:
        alike = scores_agree(score, derived.score)
    return Agreement(derived=derived, verdict=verdict, score=alike, rule=rule)


def _quotations(
    claims: Mapping[str, Claims], reviews: Reviews | None, options: VerdictOptions
) -> dict[str, tuple[Quoted, ...]]:
    """Check the quotations of all cases at once; one that is too short is nowhere.

    One that names no review can be in none, and is counted so; the reference does not count it,
    and counts one of white space only.
    """
    if reviews is None:
        return {}
    by_reference = options.snippets == "reference"
    every = [
        (case, claim, claim.snippet)
        for case, of_case in claims.items()
        for claim in of_case.items
        if claim.snippet is not None
        and (claim.review_id is not None if by_reference else claim.snippet.strip())
    ]
    known = [each for each in every if reviews.texts.get(each[0])]
    checked = check_quotations(
        [
            Quotation(case, NOWHERE if claim.review_id is None else claim.review_id, snippet)
            for case, claim, snippet in known
        ],
        reviews.texts,
    )
    found = {
        (case, claim.number): each
        if is_long(snippet, options.shortest)
        else replace(each, status="absent", valid=frozenset())
        for (case, claim, snippet), each in zip(known, checked, strict=True)
    }
    rows: dict[str, list[Quoted]] = {}
    for case, claim, snippet in every:
        rows.setdefault(case, []).append(Quoted(claim, snippet, found.get((case, claim.number))))
    return {case: tuple(of_case) for case, of_case in rows.items()}


def lost_cases(cases: Sequence[Case]) -> list[tuple[str, str]]:
    """Return why cases that were asked are not answered, and which."""
    return [
        (f"{each.lost_by}: {each.verdict}" if each.verdict else str(each.lost_by), each.answer.case)
        for each in cases
        if each.outcome == "failed"
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One system: its cases, the same as columns, and what each case is ranked by."""

    cases: Sequence[Case]
    columns: Mapping[str, Array]
    scores: Sequence[float | None]
    ranked_by: RankedBy
    cluster: Indices
    """of every case, counted from 0"""

    def among(self, rows: Sequence[int]) -> Judged:
        """Return the same of some of the cases."""
        return Judged(
            [self.cases[row] for row in rows],
            {name: values[rows] for name, values in self.columns.items()},
            [self.scores[row] for row in rows],
            self.ranked_by,
            np.unique(self.cluster[rows], return_inverse=True)[1],
        )

    @property
    def weight(self) -> Resamples:
        """Whole clusters are drawn; each table has its own weight, which keeps what it is for."""
        n_clusters = int(self.cluster.max(initial=-1)) + 1
        return Resamples(np.ones((1, n_clusters)), self.cluster, np.ones(len(self.cases)), ())

    @property
    def independent(self) -> bool:
        """Whether every case is a cluster of its own."""
        return len({*self.cluster.tolist()}) == len(self.cases)


def labels_of(results: Sequence[Results], role: str, cases: Sequence[str]) -> list[str] | None:
    """Return the cluster or the group of every case, where the tables of systems name it."""
    found: dict[str, str] = {}
    for case, label in chain.from_iterable(each.labels.get(role, {}).items() for each in results):
        if found.setdefault(case, label) != label:
            msg = f"the case {quoted(case)} is in two of `{role}`: {found[case]} and {label}"
            raise ColumnError(msg, hint="a case is in one of them, whichever system answers")
    return [found[case] for case in cases] if found else None


def judged(cases: Sequence[Case], frame: Frame, clusters: Sequence[str] | None = None) -> Judged:
    """Turn cases into columns; without clusters every case is drawn by itself."""
    scores, ranked_by = _ranking(cases, mix=frame.options.rank_scores == "mixed")
    whole: dict[str, list[Any]] = {
        "n_cases": [each.has_truth or each.answer.state != "missing" for each in cases],
        "n_structured": [each.answer.structured for each in cases],
        "quoted": [_quoted_share(each) for each in cases],
        "n_findings": [each.n_findings for each in cases],
        "scored": [each.scored for each in cases],
        "verdict_true": [each.true or 0 for each in cases],
        "verdict_given": [each.given or 0 for each in cases],
        "ranked": [score is not None for score in scores],
        "rank_score": [score or 0.0 for score in scores],
        "n_claimed": [each.evidence.n_claimed for each in cases],
        "n_matched": [each.evidence.n_matched for each in cases],
        "n_gold": [_n_gold(each, frame.options.recall_over) for each in cases],
        "n_snippets": [sum(q.checked is not None for q in each.quotations) for each in cases],
        "n_valid": [n_valid(each, frame.options.snippets) for each in cases],
        "n_judged": [sum(field.n_judged for field in each.fields) for each in cases],
        "n_judged_right": [sum(field.n_right for field in each.fields) for each in cases],
        "n_ruled": [each.consistent is not None for each in cases],
        "n_consistent": [each.consistent is True for each in cases],
    }
    if frame.options.not_answered != "leave-out":
        whole["asked"] = [each.true is not None for each in cases]
    if frame.policy.rules:
        agreed = [each.agreement.verdict if each.agreement else None for each in cases]
        whole["n_derived"] = [verdict is not None for verdict in agreed]
        whole["n_agreeing"] = [verdict is True for verdict in agreed]
    columns = {name: np.array(values, dtype=np.float64) for name, values in whole.items()}
    code = np.arange(len(cases))
    if clusters is not None:
        code = np.unique(np.array(clusters, dtype=object), return_inverse=True)[1]
    return Judged(cases, columns, scores, ranked_by, code)


def _ranking(cases: Sequence[Case], *, mix: bool) -> tuple[list[float | None], RankedBy]:
    """Return what each case is ranked by, and in a word what that is.

    Where some scored cases state a score and others none, the others are not ranked, or with `mix`
    ranked among them by their place on the scale.
    """
    stated = [each.answer.risk_score is not None for each in cases if each.scored]
    if not stated:
        return [None] * len(cases), "nothing"
    by_verdict = not any(stated)
    mixed = mix and not by_verdict and not all(stated)
    worth = 1 if by_verdict else ORDINAL_POINTS

    def score(case: Case) -> float | None:
        stated = None if by_verdict else case.answer.risk_score
        if stated is None and (by_verdict or mixed):
            return float(worth * (case.given or 0))
        return stated

    scores = [score(each) if each.scored else None for each in cases]
    return scores, "verdict" if by_verdict else "mixed" if mixed else "rank_score"


def _quoted_share(case: Case) -> float:
    """Return the share of the claims that come with a quotation."""
    claims = case.claims.items
    n_quoted = sum(bool((claim.snippet or "").strip()) for claim in claims)
    return n_quoted / len(claims) if claims else 0.0


def _n_gold(case: Case, over: str) -> int:
    """Count the sources that should have been cited; `over` says in which cases they should."""
    counted = {
        "all": True,
        "results": case.answer.state != "missing",
        "structured": case.answer.structured,
    }
    return case.n_gold if counted[over] else 0


def n_valid(case: Case, mode: str) -> int:
    """Count the quotations of a case that are valid in a mode."""
    return sum(each.checked is not None and mode in each.checked.valid for each in case.quotations)


def columns_by_field(cases: Sequence[Case]) -> dict[tuple[str, str], dict[str, Array]]:
    """Return kind and name of the fields that are judged most, severities first, as columns."""
    total: Counter[tuple[str, str]] = Counter()
    for case in cases:
        for field in case.fields:
            total[field.kind, field.field] += field.n_judged
    most = sorted(total, key=lambda name: (-total[name], name))[:MOST_FIELDS]
    found = {
        name: {"n_judged": np.zeros(len(cases)), "n_judged_right": np.zeros(len(cases))}
        for name in sorted(most, key=lambda name: name[0] != "finding")
    }
    for row, case in enumerate(cases):
        for field in case.fields:
            if columns := found.get((field.kind, field.field)):
                columns["n_judged"][row] += field.n_judged
                columns["n_judged_right"][row] += field.n_right
    return found
