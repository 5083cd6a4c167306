r"""Selective prediction: what a system risks on the rows it chooses to answer.

Rows are accepted from the surest down. At working point j, :math:`k_j` of all N rows are accepted
(abstentions are never accepted and always counted), and their losses sum to :math:`s_j`; coverage
is :math:`k_j/N`, selective risk :math:`s_j/k_j`, generalized risk :math:`s_j/N`.

Two readings of every area, chosen by `area`: ``trapezoid`` accepts equal confidences together and
joins working points by straight lines; ``step`` accepts rows one by one, equal confidences in row
order, and sums over rows.
"""

from __future__ import annotations

from assay.metrics.selective.areas import (
    augrc,
    augrc_at_coverage,
    augrc_normalized,
    aurc,
    aurc_at_coverage,
    mean_risk_at_coverage,
    naugrc,
    naurc,
)
from assay.metrics.selective.curve import RiskCoverageCurve, risk_coverage_curve
from assay.metrics.selective.limits import (
    augrc_gap_pct,
    augrc_optimal,
    aurc_achievable,
    aurc_achievable_gain_pct,
    aurc_gap_pct,
    aurc_optimal,
    eaugrc,
    eaurc,
    hull_points,
)
from assay.metrics.selective.points import (
    achieved_coverage,
    cmax,
    coverage_at_risk,
    coverage_at_threshold,
    error_auroc,
    failure_rate,
    generalized_risk_at_threshold,
    risk,
    risk_at_coverage,
    risk_at_threshold,
)

__all__ = [
    "RiskCoverageCurve",
    "achieved_coverage",
    "augrc",
    "augrc_at_coverage",
    "augrc_gap_pct",
    "augrc_normalized",
    "augrc_optimal",
    "aurc",
    "aurc_achievable",
    "aurc_achievable_gain_pct",
    "aurc_at_coverage",
    "aurc_gap_pct",
    "aurc_optimal",
    "cmax",
    "coverage_at_risk",
    "coverage_at_threshold",
    "eaugrc",
    "eaurc",
    "error_auroc",
    "failure_rate",
    "generalized_risk_at_threshold",
    "hull_points",
    "mean_risk_at_coverage",
    "naugrc",
    "naurc",
    "risk",
    "risk_at_coverage",
    "risk_at_threshold",
    "risk_coverage_curve",
]
