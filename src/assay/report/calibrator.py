"""A calibrator file as words and a table: what was fitted, how good it is before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.report.numbers import DASH, arrow
from assay.report.view import Cell, Facts, Grid, Row, Summary
from assay.report.wording import decimals, fixed, percent
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.calibrators.files import CalibratorArtifact, Quality

__all__ = ["summarize_calibrator"]

NUMBERS = (
    ("negative log-likelihood", "nll", "lower"),
    ("Brier score", "brier", "lower"),
    ("ECE, 10 bins", "ece", "lower"),
    ("AUROC of errors", "auroc", "higher"),
    ("mean absolute error", "mae", "lower"),
    ("mean squared error", "mse", "lower"),
)
"""row, key, better"""


def summarize_calibrator(artifact: CalibratorArtifact) -> Summary:
    """Say what a calibrator file holds."""
    title = f"Calibrator: {artifact.calibrator} of {', '.join(map(inert, artifact.features))}"
    blocks = (Facts(tuple(_training(artifact))), _quality(artifact), Facts(tuple(_rest(artifact))))
    return Summary(title, blocks)


def _training(artifact: CalibratorArtifact) -> Iterator[tuple[str, str]]:
    seen = artifact.training_metadata
    parts = [inert(seen.path)]
    parts += [f"mode {inert(seen.mode)}"] if seen.mode else []
    parts += [f"run {inert(seen.run_id)}"] if seen.run_id else []
    yield "fitted on", ", ".join(parts)
    rate = "" if seen.positive_rate is None else f", {percent(seen.positive_rate)} of them right"
    people = seen.participants
    whose = "" if people is None else f" of {counted(len(people), 'participant')}"
    yield "rows", f"{counted(seen.n_samples, 'answer')}{whose}{rate}"
    if seen.n_left_out:
        yield "left out", f"{counted(seen.n_left_out, 'answer')} without a stated confidence"
    yield "target", artifact.target
    yield "missing", seen.missing
    yield from (("model", text) for text in _model(artifact))
    yield from (("warning", inert(warning)) for warning in artifact.warnings)


def _model(artifact: CalibratorArtifact) -> Iterator[str]:
    model = artifact.model
    if "temperature" in model:
        yield f"temperature {model['temperature']:.4f}"
    elif "coefficients" in model:
        yield f"intercept {model['intercept']:.4f}, link {model.get('link', 'sigmoid')}"
        for name, coefficient in zip(artifact.features, model["coefficients"], strict=True):
            yield f"{inert(name)}: {coefficient:.4f} per standard deviation"
    else:
        yield counted(len(model["x_thresholds"]), "threshold")


def _quality(artifact: CalibratorArtifact) -> Grid:
    metrics = artifact.metrics
    sides = (metrics.before, metrics.training, metrics.out_of_fold)
    rows = tuple(
        Row(label, tuple(_cell(side, key) for side in sides), arrow(better))
        for label, key, better in NUMBERS
        if any(getattr(side, key) is not None for side in sides)
    )
    return Grid("Quality", "", ("before", "training rows", "out of fold"), rows)


def _cell(side: Quality, key: str) -> Cell:
    value = getattr(side, key)
    return Cell(DASH if value is None else fixed(value, decimals(value, None)))


def _rest(artifact: CalibratorArtifact) -> Iterator[tuple[str, str]]:
    metrics, seen = artifact.metrics, artifact.training_metadata
    for word, side in (("before", metrics.before), ("out of fold", metrics.out_of_fold)):
        if side.reason:
            yield word, f"undefined: {inert(side.reason)}"
    yield "training rows", "the calibrator has seen them, so they flatter it"
    yield (
        "out of fold",
        f"participants left out in turn, {counted(seen.n_folds, 'fold')}, seed {seen.seed}",
    )
    yield "computed by", f"assay {artifact.tool.version}, {artifact.tool.engine} engine"
