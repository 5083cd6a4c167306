"""The options of `assay calibration` that say what is computed, named as the fields they fill."""

from __future__ import annotations

import click

from assay.cli.options import WHOLE, Decorator, choice, option
from assay.evaluate.calibration_options import CALIBRATION_PRESETS, CalibrationOptions
from assay.metrics.calibration.conventions import (
    Closed,
    Law,
    PValue,
    Smoothing,
    Start,
    Strategy,
    Ties,
    TopLabels,
    TwoClasses,
)

__all__ = ["CONVENTIONS"]

_USUAL = CalibrationOptions()

CONVENTIONS: tuple[Decorator, ...] = (
    option("--bins", "n_bins", "How many bins.", _USUAL.n_bins, type=WHOLE),
    option("--strategy", "strategy", "Where bins end.", _USUAL.strategy, type=choice(Strategy)),
    option(
        "--closed",
        "closed",
        "The end of a bin that belongs to it; the outermost ends always do.",
        _USUAL.closed,
        type=choice(Closed),
    ),
    option("--ties", "ties", "How equal scores are added up.", _USUAL.ties, type=choice(Ties)),
    option(
        "--start",
        "start",
        "Whether the range of cumulative differences begins at 0.",
        _USUAL.start,
        type=choice(Start),
    ),
    option(
        "--top-labels",
        "labels",
        "Which labels the top-label error is averaged over.",
        _USUAL.labels,
        type=choice(TopLabels),
    ),
    option(
        "--two-classes",
        "two_classes",
        "Probabilities of two classes: that of the second (or of --positive), or the larger one.",
        _USUAL.two_classes,
        type=choice(TwoClasses),
    ),
    option(
        "--clip",
        "clip",
        "How near to 0 and 1 a probability may come in nll (scikit-learn: 2.220446049250313e-16).",
        f"{_USUAL.clip:g}",
        type=float,
    ),
    option(
        "--smoothing",
        "smoothing",
        "How the smooth error is computed.",
        _USUAL.smoothing,
        type=choice(Smoothing),
    ),
    option(
        "--law",
        "law",
        "Whether p-values leave out cases that their limit law does not fit.",
        _USUAL.law,
        type=choice(Law),
    ),
    option(
        "--p-value",
        "p_value",
        "From the limit law, or from outcomes redrawn from the scores.",
        _USUAL.p_value,
        type=choice(PValue),
    ),
    option("--draws", "n_draws", "Draws behind a Monte Carlo p-value.", _USUAL.n_draws, type=WHOLE),
    option(
        "--preset",
        "preset",
        "A named bundle of the options above; those given win.",
        _USUAL.preset,
        type=click.Choice([*CALIBRATION_PRESETS]),
    ),
)
