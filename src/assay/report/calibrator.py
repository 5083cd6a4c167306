"""A calibrator file as words and a table: what was fitted, how good it is before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.artifact import Number
from assay.display.blocks import Cell, Grid, Line, Row, Section, facts
from assay.display.numbers import DASH, arrow
from assay.display.wording import decimals, fixed, percent
from assay.display.words import Source, Statement, Strip, Words, source, strip, tool_and_warnings
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.calibrators.files import CalibratorArtifact, CalibratorTraining, Quality

QUALITIES = (
    ("the negative log-likelihood", "nll"),
    ("the expected calibration error", "ece"),
    ("the mean absolute error", "mae"),
)
"""what a sentence tells of"""
NUMBERS = (
    ("negative log-likelihood", "nll", "lower"),
    ("Brier score", "brier", "lower"),
    ("ECE, 10 bins", "ece", "lower"),
    ("AUROC of errors", "auroc", "higher"),
    ("mean absolute error", "mae", "lower"),
    ("mean squared error", "mse", "lower"),
)
"""row, key, better"""


def sections(artifact: CalibratorArtifact) -> Iterator[Section]:
    """Say what a calibrator file holds."""
    seen = artifact.training_metadata
    tool, warnings = tool_and_warnings(artifact)
    yield facts("inputs", [("fitted on", source(seen))])
    yield facts("population", _rows(seen))
    yield facts("conventions", _fitted(artifact))
    yield warnings
    yield Section("main", _quality(artifact))
    yield facts("key", _key(artifact))
    yield tool


def _rows(seen: CalibratorTraining) -> Iterator[Line]:
    rate = "" if seen.positive_rate is None else f", {percent(seen.positive_rate)} of them right"
    people = seen.participants
    whose = "" if people is None else f" of {counted(len(people), 'participant')}"
    yield "rows", f"{counted(seen.n_samples, 'answer')}{whose}{rate}"
    if seen.n_left_out:
        yield "left out", f"{counted(seen.n_left_out, 'answer')} without a stated confidence"


def _fitted(artifact: CalibratorArtifact) -> Iterator[Line]:
    yield "target", artifact.target
    yield "missing", artifact.training_metadata.missing
    yield from (("model", text) for text in _model(artifact))


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
    return Cell(DASH if value is None else _at(value))


def _key(artifact: CalibratorArtifact) -> Iterator[Line]:
    metrics, seen = artifact.metrics, artifact.training_metadata
    for word, side in (("before", metrics.before), ("out of fold", metrics.out_of_fold)):
        if side.reason:
            yield word, f"undefined: {inert(side.reason)}"
    yield "training rows", "the calibrator has seen them, so they flatter it"
    yield (
        "out of fold",
        f"participants left out in turn, {counted(seen.n_folds, 'fold')}, seed {seen.seed}",
    )


def headline(artifact: CalibratorArtifact) -> Iterator[Statement]:
    """Say what fitting changed on participants it has not seen."""
    before, after = artifact.metrics.before, artifact.metrics.out_of_fold
    told = [
        (what, getattr(before, key), getattr(after, key))
        for what, key in QUALITIES
        if getattr(after, key) is not None
    ]
    if not told:
        yield Statement("There is no quality out of fold, so cannot tell whether it helps.", "open")
        return
    yield from (Statement(_changed(*each)) for each in told)
    yield Statement(
        "A calibrator file has no intervals: cannot tell from it whether this is chance."
        " Evaluate another run with it to see.",
        "open",
    )


def _changed(what: str, old: Number, new: float) -> str:
    where = f"On participants it has not seen, {what}"
    if old is None:
        return f"{where} is {_at(new)}; before there is none to compare with."
    verb = "falls" if new < old else "rises" if new > old else "stays"
    return f"{where} {verb} from {_at(old)} to {_at(new)}."


def _at(value: float) -> str:
    return fixed(value, decimals(value, None))


def _strips(artifact: CalibratorArtifact) -> Iterator[Strip]:
    seen = artifact.training_metadata
    yield strip(
        "answers it was fitted on",
        ("used", seen.n_samples, "main"),
        ("without a stated confidence", seen.n_left_out, "open"),
    )


WORDS = Words(
    title="Calibrator",
    names=lambda artifact: [f"{artifact.calibrator} of {', '.join(map(inert, artifact.features))}"],
    sections=sections,
    headline=headline,
    strips=_strips,
    sources=lambda artifact: [Source.of("training", artifact.training_metadata)],
    resampling=lambda artifact: [("seed", str(artifact.training_metadata.seed))],
    conventions=lambda _: {},
)
