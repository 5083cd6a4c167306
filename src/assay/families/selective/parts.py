"""What a selective evaluation has beside its numbers: curves, populations, the loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from assay.artifact import (
    Artifact,
    Number,
    Numbers,
    Points,
    Record,
    Thinning,
    kept_points,
    thinning,
)
from assay.calibrators.files import AppliedCalibration
from assay.derive.losses import loss_named, loss_range, raw_multiplier
from assay.inference import Draw, bands
from assay.metrics.selective import RiskCoverageCurve, hull_points, risk_coverage_curve
from assay.score import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.columns import Array, Indices, Weight
    from assay.families.family import Evaluated
    from assay.families.selective.cases import Measured
    from assay.metrics.selective.curve import Area
    from assay.sources.items import ItemTable

PEOPLE = ""
"""the variant that no confidence changes: participants, failed ones included"""
STATED = "as the column states it"


class Population(Record, frozen=True, kw_only=True):
    """Who and what the numbers are about; the four states are never mixed."""

    participants_total: int
    participants_included: int
    participants_failed: int
    participants_unscored: int
    participants_without_prediction: int
    items_total: int
    """answered and abstained items of included participants: the denominator of every coverage"""
    items_predicted: int
    items_abstained: int
    items_unscored: int
    cmax: Number


class LossRecord(Record, frozen=True, kw_only=True):
    """What an answer costs, and in which unit."""

    name: str
    definition: str
    raw_multiplier: float
    range: Number
    """the largest possible loss; null when the scale is not known"""
    scale: tuple[float, float] | None


class Limits(Points, frozen=True, kw_only=True):
    """Another curve over the same answers, as points."""

    coverage: list[float]
    selective_risk: list[float]
    generalized_risk: list[float]
    thinning: Thinning


class Curve(Points, frozen=True, kw_only=True):
    """The working points, each with its pointwise intervals at its threshold."""

    coverage: list[float]
    selective_risk: list[float]
    generalized_risk: list[float]
    threshold: list[float]
    n_accepted: list[float]
    n_handed_over: list[float]
    """the other items: below the threshold, or abstained"""
    coverage_low: Numbers
    coverage_high: Numbers
    selective_risk_low: Numbers
    selective_risk_high: Numbers
    generalized_risk_low: Numbers
    generalized_risk_high: Numbers
    n_resamples: int
    """the resamples behind the pointwise intervals: the first of the stream"""
    thinning: Thinning
    oracle: Limits
    hull: Limits


class SelectiveParts(Record, frozen=True, kw_only=True):
    """What a system has under one confidence."""

    curve: Curve | None
    """null where the numbers are of participants, not of items"""


class SelectiveSystem(Record, frozen=True, kw_only=True):
    """What a system has under every confidence."""

    population: Population
    """of the participants that its numbers are computed on; its input counts the whole file"""
    n_all_abstained: int
    """resamples in which nothing is answered: their areas are 0 by convention"""


class SelectiveWhole(Record, frozen=True, kw_only=True):
    """What all systems have in common."""

    loss: LossRecord
    calibration: AppliedCalibration | None
    """the calibrator behind the calibrated confidences, where one was given"""
    common_coverage: Number = None
    """the share of the items that all systems answer at least, but for those of three or more that
    answer nothing; null for one system"""


SelectiveArtifact = Artifact[SelectiveParts, SelectiveSystem, SelectiveWhole]


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """What is known of the inputs before anything is computed."""

    populations: Sequence[Population]
    """by system"""
    whole: SelectiveWhole
    measured: Callable[[], Sequence[Measured]]
    """every table as it was read, with losses and confidences"""


def parts(evaluated: Evaluated, place: int) -> SelectiveParts:
    """Read the curve of one confidence at no more than 2,000 of its working points."""
    subject = evaluated.subjects[place]
    return SelectiveParts(curve=None if subject.variant == PEOPLE else _curve(evaluated, place))


def system_parts(evaluated: Evaluated, number: int, _: Mapping[str, Any]) -> SelectiveSystem:
    """Say whom the numbers of a system are about."""
    context: Compared = evaluated.prepared.context
    own = next(place for place, each in enumerate(evaluated.subjects) if each.is_of(number))
    answered = evaluated.replicates[own, "cmax"].distribution
    return SelectiveSystem(
        population=context.populations[number], n_all_abstained=int((answered == 0).sum())
    )


def whole_parts(evaluated: Evaluated) -> SelectiveWhole:
    """Say what an answer costs, and which calibrator was applied."""
    context: Compared = evaluated.prepared.context
    reached = [each.cmax for each in context.populations if each.cmax is not None]
    answering = [each for each in reached if each > 0]
    # As areas are cut: a system that answers nothing counts only beside a single other one.
    reached = answering if len(answering) > 1 else reached
    common = min(reached) if reached and len(context.populations) > 1 else None
    return msgspec.structs.replace(context.whole, common_coverage=common)


def population(artifact: Artifact[Any, SelectiveSystem, Any]) -> Population:
    """Return what every system reaches: the population of the one that answers least."""
    every = [system.parts.population for system in artifact.systems]
    return min(every, key=lambda each: each.cmax or 0.0)


def _curve(evaluated: Evaluated, place: int) -> Curve:
    rows, area = evaluated.subjects[place].rows, evaluated.options.area
    curve = _of_rows(rows, rows.weight.size, area)
    kept = kept_points(curve.threshold.size)
    quantities = _quantities(curve)

    def points(draw: Draw) -> list[Array]:
        drawn = _of_rows(rows, draw.of(rows.weight), area)
        return [np.atleast_2d(each)[:, kept] for each in _quantities(drawn).values()]

    n_resamples, intervals = bands(
        points,
        evaluated.plan,
        n_clusters=rows.weight.counts.shape[1],
        n_rows=rows.weight.cluster.size,
        n_points=kept.size,
    )
    ends: dict[str, Any] = {
        f"{quantity}_{end}": [None if np.isnan(value) else value for value in values.tolist()]
        for quantity, interval in zip(quantities, intervals, strict=True)
        for end, values in zip(("low", "high"), interval, strict=True)
    }
    return Curve(
        **_listed(quantities, kept),
        **ends,
        threshold=curve.threshold[kept].tolist(),
        n_accepted=curve.accepted[0, kept].tolist(),
        n_handed_over=(curve.total[0] - curve.accepted[0, kept]).tolist(),
        n_resamples=n_resamples,
        thinning=thinning(curve.threshold.size, kept),
        oracle=_oracle(rows),
        hull=_hull(rows),
    )


def _of_rows(rows: Rows, weight: Weight, area: Area) -> RiskCoverageCurve:
    loss, confidence = rows.columns["loss"], rows.columns["confidence"]
    answered = rows.columns["answered"]
    return risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)


def _oracle(rows: Rows) -> Limits:
    """Rank by the loss itself, row by row."""
    ranked = Rows({**rows.columns, "confidence": -rows.columns["loss"]}, rows.weight)
    curve = _of_rows(ranked, rows.weight.size, "step")
    return _limits(curve, np.arange(curve.threshold.size))


def _hull(rows: Rows) -> Limits:
    curve = _of_rows(rows, rows.weight.size, "trapezoid")
    return _limits(curve, np.array(hull_points(curve), dtype=np.int64))


def _limits(curve: RiskCoverageCurve, points: Indices) -> Limits:
    kept = points[kept_points(points.size)]
    return Limits(**_listed(_quantities(curve), kept), thinning=thinning(points.size, kept))


def _quantities(curve: RiskCoverageCurve) -> dict[str, Array]:
    names = ("coverage", "selective_risk", "generalized_risk")
    return {name: getattr(curve, name) for name in names}


def _listed(quantities: dict[str, Array], kept: Indices) -> dict[str, Any]:
    return {quantity: values[kept].tolist() for quantity, values in quantities.items()}


def loss_record(table: ItemTable, name: str) -> LossRecord:
    """Say what a loss means on the scale of a table."""
    if table.stated_loss is not None:
        return LossRecord(name=name, definition=STATED, raw_multiplier=1.0, range=None, scale=None)
    scale = table.scale
    return LossRecord(
        name=name,
        definition=loss_named(name).definition,
        raw_multiplier=float(raw_multiplier(name, scale)),
        range=loss_range(name, scale),
        scale=None if scale is None else (float(scale[0]), float(scale[1])),
    )
