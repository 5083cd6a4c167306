"""What a figure will draw: the reliability table, and the cumulative differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.artifacts.calibration import CumulativeDifferences, ReliabilityBin
from assay.evaluate.curves import kept_points, thinning
from assay.inference import Draw, bands
from assay.metrics.calibration.bins import FIXED, Bins, bin_of
from assay.metrics.calibration.cells import merged, ratio, running, steps
from assay.metrics.calibration.cumulative import cumulative_differences
from assay.metrics.calibration.tables import ReliabilityTable, reliability_table

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.inference import Plan
    from assay.metrics.calibration.conventions import Ties
    from assay.score import Rows

__all__ = ["cumulative_record", "reliability_record"]

NO_ROWS = "no row is in the bin"
NO_SPREAD = "all resamples give the same accuracy, or there are none"


def reliability_record(
    rows: Rows, bins: Bins, plan: Plan, *, clustered: bool
) -> list[ReliabilityBin]:
    """Say of every bin how often what it states comes true.

    Independent rows have an exact interval. Clusters are resampled with the bins held in place.
    """
    table = reliability_table(
        rows.columns["correct"],
        rows.columns["probability"],
        n_bins=bins.n_bins,
        strategy=bins.strategy,
        closed=bins.closed,
        interval="clopper-pearson",
        level=plan.level,
    )
    low, high = table.interval_low, table.interval_high
    if clustered:
        low, high = _resampled(rows, _bin_of(rows, bins, table), table.count.size, plan)
    return [
        ReliabilityBin(
            low=_number(table.low[each]),
            high=_number(table.high[each]),
            count=float(table.count[each]),
            mean_confidence=_number(table.mean_probability[each]),
            accuracy=_number(table.accuracy[each]),
            interval=None if np.isnan(low[each]) else (float(low[each]), float(high[each])),
            interval_reason=_reason(table.count[each], low[each]),
        )
        for each in range(table.count.size)
    ]


def _bin_of(rows: Rows, bins: Bins, table: ReliabilityTable) -> Indices:
    """Return the bin of every row, as the sample has them."""
    probability = rows.columns["probability"]
    if bins.strategy in FIXED:
        return bin_of(probability, bins)
    # Every other rule keeps rising scores in rising bins.
    held = np.flatnonzero(table.count)
    return held[np.searchsorted(table.high[held], probability)]


def _resampled(rows: Rows, number: Indices, n_bins: int, plan: Plan) -> tuple[Array, Array]:
    correct, probability = rows.columns["correct"], rows.columns["probability"]
    cells = merged(number.astype(np.float64), correct, probability, rows.weight)

    def accuracies(draw: Draw) -> list[Array]:
        weight, right = running(cells, cells.weight, cells.correct, draw.of(rows.weight))
        return [ratio(steps(right), steps(weight))]

    _, (found,) = bands(
        accuracies,
        plan,
        n_clusters=rows.weight.counts.shape[1],
        n_rows=number.size,
        n_points=cells.key.size,
    )
    low, high = np.full((2, n_bins), np.nan)
    held = cells.key.astype(np.int64)
    low[held], high[held] = found
    return low, high


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _reason(count: float, low: float) -> str | None:
    if not np.isnan(low):
        return None
    return NO_SPREAD if count else NO_ROWS


def cumulative_record(rows: Rows, ties: Ties, plan: Plan) -> CumulativeDifferences:
    """Read the walk of the cumulative differences at no more than 2,000 of its points.

    The band is pointwise, from the variance that calibrated scores imply for independent rows.
    """
    from scipy.special import ndtri  # noqa: PLC0415 - heavy to import

    correct, probability = rows.columns["correct"], rows.columns["probability"]
    walk = cumulative_differences(correct, probability, ties=ties)
    ordered = np.sort(probability)
    reached = np.rint(walk.share * correct.size).astype(np.int64)
    variance = np.append(0.0, (ordered * (1 - ordered)).cumsum())[reached]
    half = float(ndtri((1 + plan.level) / 2)) * np.sqrt(variance) / correct.size
    kept = kept_points(walk.share.size)
    return CumulativeDifferences(
        share=walk.share[kept].tolist(),
        score=[None, *walk.score[kept][1:].tolist()],
        difference=walk.difference[kept].tolist(),
        band=half[kept].tolist(),
        level=plan.level,
        thinning=thinning(walk.share.size, kept),
    )
