"""What forecasts have beside their numbers: reliability, cumulative differences, classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.artifact import (
    Artifact,
    Interval,
    NoParts,
    Number,
    Numbers,
    Points,
    Record,
    System,
    Variant,
)
from assay.calibrators.applied import AppliedCalibration
from assay.families.calibration.inputs import Read, forecast_at
from assay.families.thinning import Thinning, kept_points, thinning
from assay.inference import Draw, bands
from assay.metrics.calibration.bins import FIXED, Bins, bin_of
from assay.metrics.calibration.cells import merged_by_number, ratio, running, steps
from assay.metrics.calibration.cumulative import cumulative_differences
from assay.metrics.calibration.tables import ReliabilityTable, reliability_table

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.families.calibration.forecasts import Forecast, Forecasts
    from assay.families.family import Evaluated
    from assay.inference import Plan
    from assay.metrics.calibration.conventions import Ties
    from assay.score import Rows

__all__ = [
    "CalibrationArtifact",
    "CalibrationParts",
    "CumulativeDifferences",
    "Forecaster",
    "ReliabilityBin",
    "only",
    "parts",
    "whole_parts",
]

NO_ROWS = "no row is in the bin"
NO_SPREAD = "all resamples give the same accuracy, or there are none"


class ClassCount(Record, frozen=True, kw_only=True):
    """How often a class is true and how often it is predicted."""

    label: str
    n_true: int
    n_predicted: int


class ReliabilityBin(Record, frozen=True, kw_only=True):
    """One bin of the reliability table; an empty bin has a count of 0 and no means."""

    low: Number
    high: Number
    """the edges; where bins have no fixed places, their smallest and largest score"""
    count: float
    mean_confidence: Number
    accuracy: Number
    interval: Interval
    """of the accuracy"""
    interval_reason: str | None


class CumulativeDifferences(Points, frozen=True, kw_only=True):
    """Outcome minus probability, added up from the smallest probability, over the rows."""

    share: list[float]
    """of the rows that are added up so far"""
    score: Numbers
    """up to which rows are added; null at the start"""
    difference: list[float]
    band: list[float]
    """half the width of the pointwise band in which calibrated probabilities stay"""
    level: float
    """of the band"""
    thinning: Thinning


class CalibrationParts(Record, frozen=True, kw_only=True):
    """What one set of probabilities has beside its numbers."""

    over_classes: list[str]
    """numbers about the probabilities of all classes; the others are about the top label"""
    reliability: list[ReliabilityBin]
    reliability_interval: Literal["clopper-pearson", "cluster bootstrap"]
    cumulative: CumulativeDifferences
    classes: list[ClassCount]


class CalibratorParts(Record, frozen=True, kw_only=True):
    """What all systems share."""

    calibration: AppliedCalibration | None = None
    """the calibrator behind the calibrated confidences of runs"""


CalibrationArtifact = Artifact[CalibrationParts, NoParts, CalibratorParts]
Forecaster = System[CalibrationParts, NoParts]


def only(system: Forecaster) -> Variant[CalibrationParts]:
    """Return what a system has: calibration knows no variants."""
    return system.variants[""]


def parts(evaluated: Evaluated, place: int) -> CalibrationParts:
    """Write down what belongs to one system."""
    given, forecast = forecast_at(evaluated, place)
    rows, plan = evaluated.subjects[place].rows, evaluated.plan
    asked = evaluated.asked[place].items()
    bins = evaluated.options.bins()
    return CalibrationParts(
        over_classes=[label for label, of in asked if "probabilities" in of.metric.columns],
        reliability=_reliability(rows, bins, plan, clustered=given.clustered),
        reliability_interval="cluster bootstrap" if given.clustered else "clopper-pearson",
        cumulative=_cumulative(rows, evaluated.options.ties, plan),
        classes=[*_classes(given, forecast)],
    )


def whole_parts(evaluated: Evaluated) -> CalibratorParts:
    """Name the calibrator."""
    read: Read = evaluated.prepared.context
    return CalibratorParts(calibration=read.calibration)


def _classes(given: Forecasts, forecast: Forecast) -> Iterator[ClassCount]:
    names = given.outcome.classes
    if names:
        label, size = forecast.columns["label"].astype(np.int64), given.size[forecast.rows]
        top = forecast.columns["probabilities"].argmax(axis=1)
        true, predicted = (np.bincount(each, size, len(names)) for each in (label, top))
        for name, n_true, n_predicted in zip(names, true, predicted, strict=True):
            yield ClassCount(label=str(name), n_true=int(n_true), n_predicted=int(n_predicted))


def _reliability(rows: Rows, bins: Bins, plan: Plan, *, clustered: bool) -> list[ReliabilityBin]:
    """Say of every bin how often what it states comes true.

    Independent rows have an exact interval. Clusters are resampled with the bins held in place.
    """
    table = reliability_table(
        rows.columns["correct"],
        rows.columns["probability"],
        weight=_size(rows),
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


def _size(rows: Rows) -> Array | None:
    """Return how many rows each one stands for, None where all are single."""
    return None if (rows.weight.size == 1).all() else rows.weight.size


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _reason(count: float, low: float) -> str | None:
    if not np.isnan(low):
        return None
    return NO_SPREAD if count else NO_ROWS


def _bin_of(rows: Rows, bins: Bins, table: ReliabilityTable) -> Indices:
    """Return the bin of every row, as the sample has them."""
    probability = rows.columns["probability"]
    if bins.strategy in FIXED:
        return bin_of(probability, bins)
    # Every other rule keeps rising scores in rising bins.
    held = np.flatnonzero(table.count)
    return held[np.searchsorted(table.high[held], probability)]


def _resampled(rows: Rows, number: Indices, n_bins: int, plan: Plan) -> tuple[Array, Array]:
    """Return the ends of the interval of every bin's accuracy, over resampled clusters."""
    correct, probability = rows.columns["correct"], rows.columns["probability"]
    cells = merged_by_number(number, correct, probability, rows.weight)

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


def _cumulative(rows: Rows, ties: Ties, plan: Plan) -> CumulativeDifferences:
    """Read the walk of the cumulative differences at no more than 2,000 of its points.

    The band is pointwise, from the variance that calibrated scores imply for independent rows.
    """
    from scipy.special import ndtri  # noqa: PLC0415 - heavy to import

    correct, probability = rows.columns["correct"], rows.columns["probability"]
    walk = cumulative_differences(correct, probability, weight=_size(rows), ties=ties)
    n_rows, score = rows.weight.size.sum(), walk.score[1:]
    added = np.diff(np.rint(walk.share * n_rows))
    added *= score * (1 - score)
    kept = kept_points(walk.share.size)
    variance = np.append(0.0, np.cumsum(added, out=added))[kept]
    half = float(ndtri((1 + plan.level) / 2)) * np.sqrt(variance) / n_rows
    return CumulativeDifferences(
        share=walk.share[kept].tolist(),
        score=[None, *walk.score[kept][1:].tolist()],
        difference=walk.difference[kept].tolist(),
        band=half.tolist(),
        level=plan.level,
        thinning=thinning(walk.share.size, kept),
    )
