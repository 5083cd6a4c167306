"""p-values of calibration from outcomes that are redrawn from the scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from assay.artifacts import Scalar
from assay.evaluate.scalars import NOT_RESAMPLED
from assay.metrics.calibration.montecarlo import RedrawnStatistic, monte_carlo_p_value

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.evaluate.calibration_options import CalibrationOptions
    from assay.inference import Plan

__all__ = ["redrawn_p_values"]

STATISTICS: Mapping[str, RedrawnStatistic] = {
    "ks_p_value": "ks_calibration",
    "kuiper_p_value": "kuiper_calibration",
    "spiegelhalter_p_value": "spiegelhalter_z",
    "spiegelhalter_two_sided_p_value": "spiegelhalter_two_sided",
    "ece_p_value": "ece",
}
NOTHING_TO_REDRAW = "all scores are 0 or 1, which leaves nothing to redraw"


def redrawn_p_values(
    columns: Mapping[str, Array], options: CalibrationOptions, plan: Plan
) -> dict[str, Scalar]:
    """Put Monte Carlo p-values in the place of the asymptotic ones, and that of the ECE beside."""
    if options.p_value == "asymptotic":
        return {}
    return {
        label: _redrawn(label, statistic, columns, options, plan)
        for label, statistic in STATISTICS.items()
    }


def _redrawn(
    label: str,
    statistic: RedrawnStatistic,
    columns: Mapping[str, Array],
    options: CalibrationOptions,
    plan: Plan,
) -> Scalar:
    found = monte_carlo_p_value(
        columns["correct"],
        columns["probability"],
        statistic=statistic,
        n_draws=options.n_draws,
        seed=plan.seed,
        n_bins=options.n_bins,
        strategy=options.strategy,
        closed=options.closed,
    )
    undefined = bool(np.isnan(found.p_value))
    return Scalar(
        metric=label,
        title=f"Share of redrawn outcomes with so large a value of {statistic}",
        better=None,
        options={"statistic": statistic, "n_draws": found.n_draws, "seed": found.seed},
        value=None if undefined else found.p_value,
        reason=NOTHING_TO_REDRAW if undefined else None,
        interval=None,
        interval_reason=NOT_RESAMPLED,
        standard_error=None if undefined else found.standard_error,
        n_undefined=0,
    )
