"""What each number counts, of whom, in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from assay.artifacts.verdicts import MetricCounts

if TYPE_CHECKING:
    from assay.evaluate.verdicts.cases import Frame
    from assay.evaluate.verdicts.numbers import System

__all__ = ["metric_counts"]

OVER: Mapping[str, str] = MappingProxyType(
    {
        "all": "all cases with ground truth",
        "results": "cases with ground truth and a result",
        "structured": "structured results with ground truth",
    }
)
CITED: Mapping[str, str] = MappingProxyType(
    {"truth": "structured results with ground truth", "all": "structured results"}
)
JUDGED: Mapping[str, str] = MappingProxyType(
    {
        "matched": "incidents whose review is cited",
        "all": "all incidents of structured results",
    }
)
SHARES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "evidence_precision": ("n_matched", "n_claimed", "claims in the truth"),
        "evidence_recall": ("n_matched", "n_gold", "true reviews claimed"),
        "snippet_validity": ("n_valid", "n_snippets", "quotes in their review"),
        "judgement_accuracy": ("n_judged_right", "n_judged", "judgements right"),
        "verdict_consistency": ("n_consistent", "n_ruled", "rules agree"),
        "evidence_consistency": ("n_agreeing", "n_derived", "derived verdicts agree"),
    }
)
"""number: numerator, denominator, what"""


def metric_counts(system: System, frame: Frame) -> dict[str, MetricCounts]:
    """Write down the counts of every number."""
    columns = system.columns
    scored = columns["scored"] > 0
    ranked = scored & (columns["ranked"] > 0)
    right = scored & (columns["verdict_true"] == columns["verdict_given"])
    n_scored, n_ranked = int(scored.sum()), int(ranked.sum())
    found = {
        "ordinal_auprc": MetricCounts(
            numerator=None,
            denominator=n_ranked,
            what=f"cases, by {_by(system.ranked_by)}",
            population="results with both verdicts on the scale and something to rank by",
            n_cases=n_ranked,
        ),
        "macro_f1": MetricCounts(
            numerator=int(right.sum()),
            denominator=n_scored,
            what="verdicts right",
            population="results with both verdicts on the scale",
            n_cases=n_scored,
        ),
    }
    for name, (part, whole, what) in SHARES.items():
        if whole in columns:
            found[name] = MetricCounts(
                numerator=int(columns[part].sum()),
                denominator=int(columns[whole].sum()),
                what=what,
                population=_population(name, frame),
                n_cases=int(np.count_nonzero(columns[whole])),
            )
    return found


def _by(ranked_by: str) -> str:
    words = {"risk_score": "risk score", "mixed": "risk score or verdict"}
    return words.get(ranked_by, ranked_by)


def _population(name: str, frame: Frame) -> str:
    options = frame.options
    populations = {
        "evidence_precision": CITED[options.precision_over],
        "evidence_recall": OVER[options.recall_over],
        "snippet_validity": f"quotations of cases with reviews, {options.snippets} mode",
        "judgement_accuracy": JUDGED[options.judged_over],
        "verdict_consistency": "results with a verdict and a rule that names one",
        "evidence_consistency": "structured results whose evidence leads to a verdict",
    }
    return populations[name]
