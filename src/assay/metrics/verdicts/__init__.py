r"""Grounded verdicts: the order of cases, their verdicts, evidence, quotations, judgements, logic.

A row is a case. Its verdicts are positions on an ordered scale, counted from 0; what was cited,
quoted and judged in it comes as counts. No number mixes two of these.
"""

from __future__ import annotations

from assay.metrics.verdicts.classes import (
    Confusion,
    class_f1,
    class_precision,
    class_recall,
    confusion_table,
    macro_f1,
)
from assay.metrics.verdicts.counts import (
    derived_share,
    evidence_consistency,
    evidence_precision,
    evidence_recall,
    judgement_accuracy,
    judgements_made,
    quoted_share,
    ruled_share,
    snippet_validity,
    structured_share,
    verdict_consistency,
)
from assay.metrics.verdicts.ranking import (
    PrecisionRecallCurve,
    ordinal_auprc,
    precision_recall_curve,
    threshold_auprc,
)

__all__ = [
    "Confusion",
    "PrecisionRecallCurve",
    "class_f1",
    "class_precision",
    "class_recall",
    "confusion_table",
    "derived_share",
    "evidence_consistency",
    "evidence_precision",
    "evidence_recall",
    "judgement_accuracy",
    "judgements_made",
    "macro_f1",
    "ordinal_auprc",
    "precision_recall_curve",
    "quoted_share",
    "ruled_share",
    "snippet_validity",
    "structured_share",
    "threshold_auprc",
    "verdict_consistency",
]
