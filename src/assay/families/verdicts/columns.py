"""The cases of a system as columns, one row per case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assay.columns import Array, Indices, Resamples
from assay.errors import ColumnError
from assay.showing import quoted

if TYPE_CHECKING:
    from assay.families.verdicts.cases import Case, Frame
    from assay.metrics.verdicts.ranking import Positive
    from assay.sources.verdicts import Results

__all__ = [
    "Judged",
    "RankedBy",
    "columns_by_field",
    "judged",
    "labels_of",
    "n_valid",
    "positive_end",
]

RankedBy = Literal["rank_score", "verdict", "mixed", "nothing"]
MOST_FIELDS = 100
"""how many fields are broken down, those with the most judgements first"""
ORDINAL_POINTS = 5
"""what a step of the scale is worth where scores and verdicts rank together, as in the reference"""


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


def positive_end(frame: Frame) -> Positive:
    """Return the end of the scale that thresholds look for."""
    return frame.options.positive or frame.policy.positive


def judged(cases: Sequence[Case], frame: Frame, clusters: Sequence[str] | None = None) -> Judged:
    """Turn cases into columns; without clusters every case is drawn by itself."""
    scores, ranked_by = _ranking(cases, mix=frame.options.rank_scores == "mixed")
    whole: dict[str, list[Any]] = {
        "n_cases": [each.has_truth or each.answer.state != "missing" for each in cases],
        "n_structured": [each.answer.structured for each in cases],
        "quoted": [_quoted(each) for each in cases],
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


def _quoted(case: Case) -> float:
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
