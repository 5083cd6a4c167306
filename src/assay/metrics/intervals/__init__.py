r"""Prediction intervals: whether they cover what they claim, how wide they are, where they fail.

Row i has the true value :math:`y_i` and the interval from :math:`l_i` to :math:`u_i`, both bounds
inclusive, possibly infinite. The intervals claim to cover a share of the rows, their level
:math:`1 - \alpha`.

Where a formula in circulation differs from the program that it describes, `formula` chooses:
``code`` (default) is what the program does, ``printed`` what the page says.
"""

from __future__ import annotations

from assay.metrics.intervals.coverage import (
    coverage_p_value,
    cwc,
    cwc_coverage_term,
    cwc_width_term,
    group_coverage,
    interval_coverage,
    interval_coverage_gap,
)
from assay.metrics.intervals.dependence import hsic, hsic_p_value
from assay.metrics.intervals.interval_score import (
    winkler,
    winkler_over,
    winkler_under,
    winkler_width,
)
from assay.metrics.intervals.totals import Groups
from assay.metrics.intervals.width import (
    interval_width,
    size_strata,
    size_stratified_coverage,
    width_quantile,
)

__all__ = [
    "Groups",
    "coverage_p_value",
    "cwc",
    "cwc_coverage_term",
    "cwc_width_term",
    "group_coverage",
    "hsic",
    "hsic_p_value",
    "interval_coverage",
    "interval_coverage_gap",
    "interval_width",
    "size_strata",
    "size_stratified_coverage",
    "width_quantile",
    "winkler",
    "winkler_over",
    "winkler_under",
    "winkler_width",
]
