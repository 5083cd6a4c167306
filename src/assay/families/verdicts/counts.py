"""What is counted of a system: who is in which number, quotations, rules, derived verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from assay.artifact import Record, Scalar
from assay.derive.snippets import MODES, STATUSES
from assay.families.verdicts.columns import RankedBy

if TYPE_CHECKING:
    from assay.derive.policies import Policy
    from assay.families.verdicts.cases import Case, Frame
    from assay.families.verdicts.columns import Judged

__all__ = [
    "BESIDE",
    "COUNTERPARTS",
    "COUNTS",
    "DERIVED",
    "SHARES",
    "MetricCounts",
    "Snippets",
    "counts",
    "metric_counts",
    "snippets",
    "why_not_derived",
]

CITED: Mapping[str, str] = MappingProxyType(
    {"truth": "structured results with ground truth", "all": "structured results"}
)
RECALLED: Mapping[str, str] = MappingProxyType(
    {
        "all": "all cases with ground truth",
        "results": "cases with ground truth and a result",
        "structured": CITED["truth"],
    }
)
JUDGED: Mapping[str, str] = MappingProxyType(
    {
        "matched": "findings whose source is cited",
        "all": "all findings of structured results",
    }
)
SHARES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "evidence_precision": ("n_matched", "n_claimed", "claims in the truth"),
        "evidence_recall": ("n_matched", "n_gold", "true sources claimed"),
        "snippet_validity": ("n_valid", "n_snippets", "quotes in their source"),
        "judgement_accuracy": ("n_judged_right", "n_judged", "judgements right"),
        "verdict_consistency": ("n_consistent", "n_ruled", "rules agree"),
        "evidence_consistency": ("n_agreeing", "n_derived", "derived verdicts agree"),
    }
)
"""number: numerator, denominator, what"""
OF_ONE: Mapping[str, str] = MappingProxyType(
    {
        "claims in the truth": "claim in the truth",
        "true sources claimed": "true source claimed",
        "quotes in their source": "quote in its source",
        "judgements right": "judgement right",
        "rules agree": "rule agrees",
        "derived verdicts agree": "derived verdict agrees",
    }
)
"""the same of one"""
COUNTERPARTS: Mapping[str, str] = MappingProxyType(
    {
        "structured_share": "Answers with evidence",
        "quoted_share": "Claims quoted per case",
        "judgements_made": "Judgements per finding",
        "ruled_share": "Cases with a rule",
        "derived_share": "Cases with a derived verdict",
    }
)
"""what falls where a share is raised by saying less, in words"""
BESIDE: Mapping[str, str] = MappingProxyType(
    {
        "snippet_validity": "quoted_share",
        "verdict_consistency": "ruled_share",
        "evidence_consistency": "derived_share",
    }
)
"""the counterpart that is told with the counts of a share"""
BY: Mapping[RankedBy, str] = MappingProxyType(
    {
        "rank_score": "rank score",
        "mixed": "rank score or verdict",
        "verdict": "verdict",
        "nothing": "nothing",
    }
)
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
    for name, (part, whole, what) in SHARES.items():
        if whole in columns:
            n = int(columns[whole].sum())
            found[name] = MetricCounts(
                numerator=int(columns[part].sum()),
                denominator=n,
                what=OF_ONE[what] if n == 1 else what,
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
            what="verdicts right" if n_scored != 1 else "verdict right",
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
