r"""Prediction sets: whether they hold the true class, how many classes they hold, where they fail.

Row i has the true class :math:`y_i`, counted from 0, and a set :math:`\hat C_i` of classes, given
as one flag per class. The sets claim to hold the true class of a share of the rows, their level
:math:`1 - \alpha`.
"""

from __future__ import annotations

from assay.metrics.intervals.totals import Groups
from assay.metrics.sets.members import (
    empty_set_rate,
    set_coverage,
    set_coverage_gap,
    set_coverage_p_value,
    set_size,
    singleton_accuracy,
    singleton_rate,
)
from assay.metrics.sets.strata import (
    class_coverage,
    set_group_coverage,
    set_size_strata,
    set_size_stratified_coverage,
    worst_class_coverage,
)

__all__ = [
    "Groups",
    "class_coverage",
    "empty_set_rate",
    "set_coverage",
    "set_coverage_gap",
    "set_coverage_p_value",
    "set_group_coverage",
    "set_size",
    "set_size_strata",
    "set_size_stratified_coverage",
    "singleton_accuracy",
    "singleton_rate",
    "worst_class_coverage",
]
