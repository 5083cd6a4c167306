"""p-values of calibration from outcomes that are redrawn from the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from assay.artifact import Described
from assay.metrics.calibration.montecarlo import RedrawnStatistic, monte_carlo_p_value

if TYPE_CHECKING:
    from assay.artifact import Scalar
    from assay.families.calibration.options import CalibrationOptions
    from assay.families.family import Evaluated

__all__ = ["amend", "described"]

STATISTICS: dict[str, RedrawnStatistic] = {
    "ks_p_value": "ks_calibration",
    "kuiper_p_value": "kuiper_calibration",
    "spiegelhalter_p_value": "spiegelhalter_z",
    "spiegelhalter_two_sided_p_value": "spiegelhalter_two_sided",
    "ece_p_value": "ece",
}
FEW_SCORES = 50
"""below that many distinct ones the limit laws of walks reject too rarely"""
FIRST_ROWS = 10_000
OF_WALKS = ("ks_p_value", "kuiper_p_value")
REDRAWN = "outcomes redrawn from the scores"
NOTHING_TO_REDRAW = "all scores are 0 or 1, which leaves nothing to redraw"


def described(options: CalibrationOptions) -> dict[str, Described]:
    """Say what p-values are where outcomes are redrawn."""
    title = "Share of redrawn outcomes with so large a value of"
    return {
        label: Described(title=f"{title} {statistic}", better=None)
        for label, statistic in STATISTICS.items()
        if options.p_value == "monte-carlo"
    }


def amend(evaluated: Evaluated, place: int, found: dict[str, Scalar]) -> dict[str, Scalar]:
    """Put Monte Carlo p-values in the place of the asymptotic ones, and that of the ECE beside."""
    redrawn = described(evaluated.options) or _of_few_scores(evaluated, place, found)
    # That of the ECE has no asymptotic one to replace; all have no interval for the same reason.
    other = found["ks_p_value"]
    return found | {
        label: _redrawn(evaluated, place, statistic, other)
        for label, statistic in STATISTICS.items()
        if label in redrawn
    }


def _of_few_scores(evaluated: Evaluated, place: int, found: dict[str, Scalar]) -> tuple[str, ...]:
    """Name the tests of walks where rows are independent and take few steps."""
    options: CalibrationOptions = evaluated.options
    subject = evaluated.subjects[place]
    usual = options.fitting and (options.ties, options.start) == ("group", "zero")
    if not usual or subject.flips or found["ks_p_value"].value is None:
        return ()
    scores = subject.rows.columns["probability"]
    # The first rows tell, but for scores that are few, or come in an order.
    few = all(np.unique(each).size < FEW_SCORES for each in (scores[:FIRST_ROWS], scores))
    return OF_WALKS if few else ()


def _redrawn(
    evaluated: Evaluated, place: int, statistic: RedrawnStatistic, asymptotic: Scalar
) -> Scalar:
    options: CalibrationOptions = evaluated.options
    rows = evaluated.subjects[place].rows
    columns = rows.columns
    found = monte_carlo_p_value(
        columns["correct"],
        columns["probability"],
        statistic=statistic,
        weight=rows.weight.size,  # a row of a table that an engine reduced stands for several
        n_draws=options.n_draws,
        seed=evaluated.plan.seed,
        n_bins=options.n_bins,
        strategy=options.strategy,
        closed=options.closed,
    )
    undefined = bool(np.isnan(found.p_value))
    return msgspec.structs.replace(
        asymptotic,
        value=None if undefined else found.p_value,
        reason=NOTHING_TO_REDRAW if undefined else None,
        standard_error=None if undefined else found.standard_error,
        options={
            "method": REDRAWN,
            "statistic": statistic,
            "n_draws": found.n_draws,
            "seed": found.seed,
        },
    )
