"""What is odd about forecasts, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from assay.families.calibration.parts import only
from assay.metrics.calibration.multiclass import multiclass_nll, stated_for_class
from assay.metrics.calibration.scores import SKLEARN_CLIP, nll, stated_for_outcome
from assay.rows import chosen
from assay.showing import counted

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.calibration.forecasts import Forecast
    from assay.families.calibration.inputs import Read
    from assay.families.calibration.parts import CalibrationArtifact, Forecaster
    from assay.families.family import Evaluated

__all__ = ["warnings"]

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
