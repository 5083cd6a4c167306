"""What is counted of a system, and what may be said of it: caveats, and words that none earns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from assay.artifact import Content, Record, Scalar
from assay.derive.snippets import MODES, STATUSES
from assay.families.verdicts.judged import OFF_SCALE, is_long, lost_cases, share_judged_right
from assay.showing import counted, quoted
from assay.sources.answers import BESIDE as EVIDENCE_BESIDE
from assay.sources.answers import RANK_SCORE
from assay.sources.policy import SHOWN, examples

if TYPE_CHECKING:
    from assay.derive.policies import Policy
    from assay.families.verdicts.inputs import Files
    from assay.families.verdicts.judged import Case, Frame, Judged
    from assay.sources.policy import PolicySource

CITED = {"truth": "structured results with ground truth", "all": "structured results"}
RECALLED = {
    "all": "all cases with ground truth",
    "results": "cases with ground truth and a result",
    "structured": CITED["truth"],
}
JUDGED = {
    "matched": "findings whose source is cited",
    "all": "all findings of structured results",
}
DERIVED_AGREE = "derived verdict agrees", "derived verdicts agree"
SHARES = {
    "evidence_precision": ("n_matched", "n_claimed", "claim in the truth", "claims in the truth"),
    "evidence_recall": ("n_matched", "n_gold", "true source claimed", "true sources claimed"),
    "snippet_validity": ("n_valid", "n_snippets", "quote in its source", "quotes in their source"),
    "judgement_accuracy": ("n_judged_right", "n_judged", "judgement right", "judgements right"),
    "verdict_consistency": ("n_consistent", "n_ruled", "rule agrees", "rules agree"),
    "evidence_consistency": ("n_agreeing", "n_derived", *DERIVED_AGREE),
}
"""number: numerator, denominator, what is counted, of one and of several"""
COUNTERPARTS = {
    "structured_share": "Answers with evidence",
    "quoted_share": "Claims quoted per case",
    "judgements_made": "Judgements per finding",
    "ruled_share": "Cases with a rule",
    "derived_share": "Cases with a derived verdict",
}
"""what falls where a share is raised by saying less, in words"""
BESIDE = {
    "snippet_validity": "quoted_share",
    "verdict_consistency": "ruled_share",
    "evidence_consistency": "derived_share",
}
"""the counterpart that is told with the counts of a share"""
BY = {
    "rank_score": "rank score",
    "mixed": "rank score or verdict",
    "verdict": "verdict",
    "nothing": "nothing",
}
COUNTS = (
    *("n_asked", "n_answered", "n_failed", "n_unscored"),
    *("n_samples", "n_structured", "n_unstructured", "n_error", "n_with_gt", "n_without_gt"),
    *("n_missing", "n_scored", "n_ranked", "n_without_verdict", "n_outside_scale"),
    *("n_without_rank_score", "n_ruled", "n_consistent", "n_without_rule"),
)
"""what is counted of every system; the page about verdicts says of whom"""
DERIVED = (
    *("n_derived", "n_agreeing", "n_score_stated", "n_score_agreeing", "n_rule_stated"),
    *("n_rule_agreeing", "n_derived_true", "n_not_derived"),
)
"""what is counted beside where a policy has rules"""
MOST_REASONS = 3
COUNTED = {
    "wrong": "each a miss of its true verdict and of the lowest rank",
    "leave-out": "left out of macro F1 and AUPRC",
}
RANKED = {"wrong": "ranked last", "leave-out": "left out of AUPRC", "refuse": "ranked last"}
UNTOLD = {
    "truth": "in no number that needs it",
    "all": "whose claims count against evidence precision",
}
"""where results without ground truth are counted"""
BUNDLED = "bundled: "
EXPECTED = "a finding has source_id, field and value"
ANSWER = 'expected: {"parsed": {"evidence": [...]}}'
UNREADABLE = f"{RANK_SCORE} is not a number"
LETTERS = 10
"""a quotation of fewer letters and digits may stand in any text"""
SHORT = (
    "it is not better on the sources that both quote, without quotations of fewer than"
    f" {LETTERS} letters, which many texts hold"
)
HEDGED = "it is not better by whole words, where a judgement that names several is none"
UNLIKE = "one side is ranked by scores and the other by its verdicts"
LEFT_OUT = "cases that were not answered are left out, so failing may pay"


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


class Snippets(Record, frozen=True, kw_only=True):
    """Quotations against their sources."""

    mode: str
    """the one that the metric snippet_validity uses"""
    n_snippets: int
    modes: dict[str, Scalar]
    """the validity under every mode"""
    n_valid: dict[str, int]
    statuses: dict[str, int]
    n_without_source: int
    """quotations of cases that have no sources: not counted"""
    n_unknown_source: int
    """quotations from a source that does not exist: counted as absent"""
    n_empty: int
    """evidences without a quotation"""


def metric_counts(system: Judged, frame: Frame) -> dict[str, MetricCounts]:
    """Say of every number what it counts, of whom, in words."""
    columns, found = system.columns, _verdict_counts(system)
    options = frame.options
    populations = {
        "evidence_precision": CITED[options.precision_over],
        "evidence_recall": RECALLED[options.recall_over],
        "snippet_validity": f"quotations of cases with sources, {options.snippets} mode",
        "judgement_accuracy": JUDGED[options.judged_over],
        "verdict_consistency": "results with a verdict and a rule that names one",
        "evidence_consistency": "structured results whose evidence leads to a verdict",
    }
    for name, (part, whole, of_one, of_several) in SHARES.items():
        if whole in columns:
            n = int(columns[whole].sum())
            found[name] = MetricCounts(
                numerator=int(columns[part].sum()),
                denominator=n,
                what=of_one if n == 1 else of_several,
                population=populations[name],
                n_cases=int(np.count_nonzero(columns[whole])),
            )
    return found


def _verdict_counts(system: Judged) -> dict[str, MetricCounts]:
    """Say it of the numbers about verdicts."""
    columns = system.columns
    scored = columns["scored"] > 0
    ranked = scored * columns["ranked"]
    # Left out where nothing is said about what was asked.
    n_scored, n_ranked = (int(columns.get("asked", each).sum()) for each in (scored, ranked))
    lost = n_ranked > int(ranked.sum())
    others = "; others are wrong" if lost else ""
    right = scored & (columns["verdict_true"] == columns["verdict_given"])
    return {
        "ordinal_auprc": MetricCounts(
            numerator=None,
            denominator=n_ranked,
            what=f"{'case' if n_ranked == 1 else 'cases'}, by {BY[system.ranked_by]}",
            population=f"results with both verdicts on the scale and something to rank by{others}",
            n_cases=n_ranked,
        ),
        "macro_f1": MetricCounts(
            numerator=int(right.sum()),
            denominator=n_scored,
            what="verdict right" if n_scored == 1 else "verdicts right",
            population=f"results with both verdicts on the scale{others}",
            n_cases=n_scored,
        ),
    }


def snippets(cases: Sequence[Case], mode: str, modes: dict[str, Scalar]) -> Snippets:
    """Count the quotations by what became of them."""
    quoted = [each for case in cases for each in case.quotations]
    checked = [each.checked for each in quoted if each.checked is not None]
    statuses = Counter(each.checked.status if each.checked else "unchecked" for each in quoted)
    return Snippets(
        mode=mode,
        n_snippets=len(checked),
        modes=modes,
        n_valid={name: sum(name in each.valid for each in checked) for name in MODES},
        statuses={status: statuses[status] for status in (*STATUSES, "unchecked")},
        n_without_source=statuses["unchecked"],
        n_unknown_source=sum(not each.known for each in checked),
        n_empty=sum(
            not (claim.snippet or "").strip() for case in cases for claim in case.claims.items
        ),
    )


def counts(system: Judged, policy: Policy) -> dict[str, int]:
    """Count the results by what became of them, and where rules and evidence agree."""
    there = [each for each in system.cases if each.answer.state != "missing"]
    heard = [each for each in there if each.answer.state != "failed"]
    judging = [each for each in heard if each.verdict is not None]
    states = Counter(each.answer.state for each in there)
    n_scored = int(system.columns["scored"].sum())
    n_ranked = int((system.columns["scored"] * system.columns["ranked"]).sum())
    known = [e for e in system.cases if e.has_truth or e.answer.state != "missing"]
    outcomes = Counter(each.outcome for each in known)
    return {
        "n_asked": outcomes["answered"] + outcomes["failed"],
        **{f"n_{each}": outcomes[each] for each in ("answered", "failed", "unscored")},
        "n_samples": len(there),
        "n_structured": sum(each.answer.structured for each in there),
        "n_unstructured": states["unstructured"],
        "n_error": states["failed"],
        "n_with_gt": sum(each.has_truth for each in there),
        "n_without_gt": sum(not each.has_truth for each in there),
        "n_missing": sum(each.missed for each in system.cases),
        "n_scored": n_scored,
        "n_ranked": n_ranked,
        "n_without_verdict": len(heard) - len(judging),
        "n_outside_scale": sum(each.given is None for each in judging),
        "n_without_rank_score": n_scored - n_ranked,
        "n_ruled": sum(each.consistent is not None for each in judging),
        "n_consistent": sum(each.consistent is True for each in judging),
        "n_without_rule": sum(each.consistent is None for each in judging),
        **(_derived_counts(system.cases) if policy.rules else {}),
    }


def _derived_counts(cases: Sequence[Case]) -> dict[str, int]:
    """Count what agrees with the verdict that the policy's rules derive from the cited evidence."""
    found = [(each, each.agreement) for each in cases if each.agreement is not None]
    agreed = [of_case for _, of_case in found]
    return {
        "n_derived": sum(each.verdict is not None for each in agreed),
        "n_agreeing": sum(each.verdict is True for each in agreed),
        "n_score_stated": sum(each.score is not None for each in agreed),
        "n_score_agreeing": sum(each.score is True for each in agreed),
        "n_rule_stated": sum(each.rule is not None for each in agreed),
        "n_rule_agreeing": sum(each.rule is True for each in agreed),
        "n_derived_true": sum(
            each.verdict is not None and each.derived.verdict == case.true_verdict
            for case, each in found
        ),
        "n_not_derived": sum(each.verdict is None for each in agreed),
    }


def why_not_derived(cases: Sequence[Case], policy: Policy) -> str | None:
    """Say why no verdict follows from the cited evidence, where that is so."""
    if not policy.rules:
        return f"the policy {policy.id} has no rules"
    derived = [each.agreement.derived for each in cases if each.agreement is not None]
    reasons = Counter(each.reason for each in derived if each.reason)
    return "; ".join(f"{n}: {why}" for why, n in reasons.most_common(MOST_REASONS)) or None


def caveats(
    frame: Frame, files: Files, systems: Sequence[Judged], n_lost: int, content: Content
) -> Iterator[str]:
    """Say what a reader of the numbers must know and could overlook."""
    yield from _not_understood(frame, systems, files.policy)
    claims = (case.claims.items for system in systems for case in system.cases)
    if frame.reviews is None and any(claims):
        yield "no sources were given, so no quotation is checked"
    if n_lost:
        truth = "of the ground truth"
        found = counted(n_lost, f"finding {truth} is", f"findings {truth} are")
        yield f"{found} in sources that do not exist"
    if len({each.ranked_by for each in systems}) > 1:
        told = [f"{n} by {BY[s.ranked_by]}" for n, s in zip(files.names, systems, strict=True)]
        yield f"systems are ranked by different means, so AUPRC says little: {', '.join(told)}"
    if len(systems[0].cases) == 1:
        yield "there is one case, so resampling shows no uncertainty"
    for name, system in zip(files.names, systems, strict=True):
        for said in chain(_system_caveats(system, frame), _off_scale(system.cases, content)):
            yield f"{name}: {said}"


def _not_understood(frame: Frame, systems: Sequence[Judged], source: PolicySource) -> Iterator[str]:
    """Say what policy and ground truth leave open, which is no fault of a system."""
    policy, scale = frame.policy.id, source.path.removeprefix(BUNDLED)
    if source.path.startswith(BUNDLED) and scale != policy:
        yield f"the rules of {policy} are not known here: it is judged by the scale of {scale}"
    if faults := truth_faults(frame):
        shown = ", ".join(f"{what} ({n})" for what, n in faults.items())
        yield f"not all of the ground truth is understood: {shown}; {EXPECTED}"
    named = any(each.reviews for each in frame.incidents.values())
    cited = any(case.claims.reviews for system in systems for case in system.cases)
    if cited and not named:
        yield f"the ground truth names no evidence, so no claim can be right; {EXPECTED}"


def truth_faults(frame: Frame) -> Counter[str]:
    """Count by its kind what is not as it should be in the ground truth."""
    total: Counter[str] = Counter()
    for each in frame.incidents.values():
        total.update(each.malformed)
    return total


def _system_caveats(system: Judged, frame: Frame) -> Iterator[str]:
    yield from _unanswered(system, frame)
    if n := sum(each.missed for each in system.cases):
        word = "counts as missed" if frame.options.recall_over == "all" else "is not counted"
        yield f"ground truth without a result: {counted(n, 'case')}, whose evidence {word}"
    answered = [each for each in system.cases if each.answer.state != "missing"]
    if n := sum(not each.has_truth for each in answered):
        where = UNTOLD[frame.options.precision_over]
        yield f"{counted(n, 'result')} without ground truth, {where}"
    if system.ranked_by == "mixed":
        yield "rank scores and verdicts are ranked together, on different scales"
    if n := sum(each.malformed[UNREADABLE] for each in system.cases):
        scores = counted(n, "rank score is", "rank scores are")
        yield f"{scores} not a number and {'ranks' if n == 1 else 'rank'} nothing"
    if n := sum(each.malformed[EVIDENCE_BESIDE] for each in system.cases):
        where = "have their evidence beside `parsed`, where it is not read"
        results = counted(n, "result")
        yield f"{results} {where if n > 1 else where.replace('have their', 'has its')}; {ANSWER}"
    inner = [(frame.normalised(each.answer.inner_verdict), each.verdict) for each in system.cases]
    if n := sum(own is not None and own != outer for own, outer in inner):
        yield f"{counted(n, 'result')} with two different verdicts; the outer one counts"


def _unanswered(system: Judged, frame: Frame) -> Iterator[str]:
    """Say how many cases are not answered or not ranked, and what that counts."""
    lost = lost_cases(system.cases)
    n_asked = sum(each.true is not None for each in system.cases)
    if lost:
        reasons = Counter(each.lost_by for each in system.cases if each.outcome == "failed")
        told = ", ".join(
            counted(n, "error") if why == "error" else f"{n} {why}" for why, n in reasons.items()
        )
        what = COUNTED[frame.options.not_answered]
        yield f"{len(lost)} of {counted(n_asked, 'case')} not answered ({told}), {what}"
    if n := sum(c.scored and s is None for c, s in zip(system.cases, system.scores, strict=True)):
        where = RANKED[frame.options.not_answered]
        yield f"{counted(n, 'case')} without a rank score where others have one, {where}"


def _off_scale(cases: Sequence[Case], content: Content) -> Iterator[str]:
    """Show verdicts that are not on the scale, or whose they are where texts are not kept."""
    off = [
        (str(each.verdict), each.answer.case)
        for each in cases
        if each.outcome == "failed" and each.lost_by == OFF_SCALE
    ]
    if off and content == "texts":
        yield f"verdicts that are not on the scale: {examples(off)}"
    elif off and content == "ids":
        ids = ", ".join(quoted(case) for _, case in off[:SHOWN])
        yield f"verdicts that are not on the scale are those of {ids}"


def silence(left: Judged, right: Judged, frame: Frame) -> Callable[[str, str], str | None]:
    """Say which numbers failing may raise under the options, and which are not alike."""
    asked = [each for side in (left, right) for each in side.cases if each.true is not None]
    ranked = [s for side in (left, right) for s in side.scores if s is not None]
    left_out = frame.options.not_answered == "leave-out" and len(ranked) < len(asked)
    unread = frame.options.recall_over != "all" and any(not c.answer.structured for c in asked)

    unlike = len({left.ranked_by, right.ranked_by} - {"nothing"}) > 1

    def silent(_: str, label: str) -> str | None:
        if left_out:
            return LEFT_OUT
        if unlike and label.startswith(("ordinal_auprc", "threshold_auprc")):
            return UNLIKE
        return LEFT_OUT if unread and label == "evidence_recall" else None

    return silent


def bars(left: Judged, right: Judged, frame: Frame) -> Callable[[str, str, int], str | None]:
    """Say which word a side does not earn: of other quotations, or of hedged judgements."""
    known = {"snippet_validity": SHORT}
    if frame.options.matching != "words":
        known["judgement_accuracy"] = HEDGED

    @cache
    def lead(label: str) -> float:
        if label == "snippet_validity":
            return _leading_quotations(left.cases, right.cases, frame)
        return share_judged_right(right.cases, frame) - share_judged_right(left.cases, frame)

    def barred(_: str, label: str, side: int) -> str | None:
        return known[label] if label in known and lead(label) * side <= 0 else None

    return barred


def _leading_quotations(left: Sequence[Case], right: Sequence[Case], frame: Frame) -> float:
    """Return how much more of what the right side quotes is valid, source by source.

    On sources that both quote, if there are some: neither to quote what is easy more often nor to
    quote less is a gain.
    """
    sides = [_telling(cases, frame) for cases in (left, right)]
    shared = sides[0].keys() & sides[1].keys()
    shares = [[side[key] for key in shared or side] for side in sides]
    return fmean(shares[1] or [0.0]) - fmean(shares[0] or [0.0])


def _telling(cases: Sequence[Case], frame: Frame) -> dict[tuple[str, object], float]:
    """Return by source the share of its quotations that are valid, and say whence they are."""
    found: dict[tuple[str, object], list[bool]] = defaultdict(list)
    for case in cases:
        for each in case.quotations:
            if each.checked:
                valid = frame.options.snippets in each.checked.valid
                told = valid and is_long(each.snippet, LETTERS)
                found[case.answer.case, each.claim.review_id].append(told)
    return {key: fmean(of) for key, of in found.items()}
