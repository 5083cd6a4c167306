"""What forecasts have beside their numbers: reliability, classes, redrawn p-values, warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from assay.artifact import (
    Artifact,
    Described,
    Interval,
    NoParts,
    Number,
    Numbers,
    Points,
    Record,
    System,
    Thinning,
    Variant,
    kept_points,
    thinning,
)
from assay.calibrators.files import AppliedCalibration
from assay.families.calibration.inputs import Read, forecast_at
from assay.inference import Draw, bands
from assay.metrics.calibration.binned import ReliabilityTable, reliability_table
from assay.metrics.calibration.bins import FIXED, Bins, bin_of
from assay.metrics.calibration.cells import merged_by_number, ratio, running, steps
from assay.metrics.calibration.cumulative import cumulative_differences
from assay.metrics.calibration.montecarlo import RedrawnStatistic, monte_carlo_p_value
from assay.metrics.calibration.multiclass import multiclass_nll, stated_for_class
from assay.metrics.calibration.scores import SKLEARN_CLIP, nll, stated_for_outcome
from assay.showing import counted
from assay.sources.row_tables import chosen

if TYPE_CHECKING:
    from assay.artifact import Scalar
    from assay.columns import Array, Indices
    from assay.families.calibration.options import CalibrationOptions
    from assay.families.family import Evaluated
    from assay.inference import Plan
    from assay.metrics.calibration.bins import Ties
    from assay.score import Rows
    from assay.sources.forecasts import Forecast, Forecasts

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


P_VALUES_OF_CLUSTERS = (
    "p-values of calibration take rows as independent: where those of a cluster are alike, they"
    " are too small, while the intervals hold"
)
ONE_CLUSTER = "there is one cluster, so resampling clusters shows no uncertainty"
FEW_ROWS = 20
"""A bin with fewer rows says little: its accuracy is good to about a tenth at best."""


def warnings(evaluated: Evaluated, artifact: CalibrationArtifact) -> Iterator[str]:
    """Say what is odd about the rows, each system, and what is paired."""
    read: Read = evaluated.prepared.context
    if read.inputs[0].clustered and not evaluated.options.fitting:
        yield P_VALUES_OF_CLUSTERS
    if len(read.inputs[0].clusters) == 1:
        yield ONE_CLUSTER
    for system in artifact.systems:
        yield from _thin_bins(system)
    for system, (_, given, forecast) in zip(artifact.systems, read.systems(), strict=True):
        size = chosen(given.size, forecast.rows)
        yield from _clipped(system.name, forecast, size, evaluated.options.clip)
    for system in artifact.systems:
        yield from _thin_groups(system)
        yield from _beside(system)
    if read.calibration is not None:
        yield from read.calibration.warnings


def _thin_bins(system: Forecaster) -> Iterator[str]:
    counts = [each.count for each in only(system).parts.reliability if each.count]
    thin = [count for count in counts if count < FEW_ROWS]
    if thin:
        bins = counted(len(counts), "occupied bin holds", "occupied bins hold")
        yield (
            f"{system.name}: {len(thin)} of {bins} fewer than {FEW_ROWS} rows (the thinnest"
            f" {min(thin):g}), so their accuracies are vague and the plug-in ECE is inflated"
        )


def _clipped(name: str, forecast: Forecast, size: Array, clip: float) -> Iterator[str]:
    """Say where the clip of a likelihood makes a wrong certainty cheaper than it is."""
    correct, probability = forecast.columns["correct"], forecast.columns["probability"]
    weight = None if (size == 1).all() else size
    elsewhere = float(nll(correct, probability, weight=weight, clip=SKLEARN_CLIP))
    stated = stated_for_outcome(correct, probability)
    yield from _capped(f"{name}: nll", stated, size, (clip, elsewhere))
    if "probabilities" in forecast.columns:
        label, probabilities = forecast.columns["label"], forecast.columns["probabilities"]
        stated = stated_for_class(label.astype(np.int64), probabilities)
        elsewhere = float(multiclass_nll(label, probabilities, weight=weight, clip=SKLEARN_CLIP))
        yield from _capped(f"{name}: multiclass_nll", stated, size, (clip, elsewhere))


def _capped(name: str, stated: Array, size: Array, clipped: tuple[float, float]) -> Iterator[str]:
    clip, elsewhere = clipped
    n_capped = int(size[stated < clip].sum())
    if n_capped:
        other = f"; at the clip of scikit-learn, `clip` {SKLEARN_CLIP!r}, it is {elsewhere:.3f}"
        yield (
            f"{name} counts {n_capped} of {counted(int(size.sum()), 'row')} as if {clip:g} had been"
            f" stated for what came true, where it was less{other * (clip != SKLEARN_CLIP)}"
        )


def _thin_groups(system: Forecaster) -> Iterator[str]:
    slices = only(system).slices
    thin = [each.n_rows for each in slices if each.n_rows < FEW_ROWS]
    if thin:
        groups = counted(len(slices), "group holds", "groups hold")
        yield (
            f"{system.name}: {len(thin)} of {groups} fewer than {FEW_ROWS} rows (the smallest"
            f" {min(thin)}), so their numbers are vague"
        )


def _beside(system: Forecaster) -> Iterator[str]:
    """Name the numbers that their own resamples disagree with."""
    outside = [
        label
        for label, number in only(system).numbers.items()
        if number.value is not None and number.interval is not None
        if not number.interval[0] <= number.value <= number.interval[1]
    ]
    if outside:
        yield (
            f"{system.name}: the interval of {', '.join(outside)} does not hold the number itself,"
            " because resampling adds noise to an error that noise can only raise"
        )
