"""Who and what the numbers are about, as strips of counts: the states are never mixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.artifacts import (
    Artifact,
    CalibrationArtifact,
    CalibratorArtifact,
    ComparisonArtifact,
    IntervalsArtifact,
    ReasoningArtifact,
    SelectiveArtifact,
    SetsArtifact,
    VerdictsArtifact,
)
from assay.artifacts.calibration import CalibrationInput
from assay.artifacts.reasoning import ReasoningModel
from assay.artifacts.selective import Population
from assay.artifacts.verdicts import VerdictSystem
from assay.calibrators.files import CalibratorTraining
from assay.report.page.model import Part, Strip
from assay.report.systems import systems
from assay.report.wording import count

__all__ = ["strips"]

Counts = Iterable[tuple[str, int, str]]
"""label, count, tone"""


def strips(artifact: Artifact) -> tuple[Strip, ...]:
    """Show how many were answered, abstained, failed and left unscored."""
    match artifact:
        case SelectiveArtifact() | ComparisonArtifact():
            names = systems(artifact).names
            both = zip(names, artifact.inputs, strict=True)
            return tuple(s for name, each in both for s in _selective(name, each.population))
        case CalibrationArtifact():
            return tuple(map(_calibration, artifact.inputs))
        case IntervalsArtifact() | SetsArtifact():
            return (_strip("rows", [("scored", artifact.n_rows, "main")]),)
        case CalibratorArtifact():
            return (_calibrator(artifact.training_metadata),)
        case VerdictsArtifact():
            return tuple(_verdicts(each) for each in artifact.systems)
        case ReasoningArtifact():
            return tuple(strip for each in artifact.models for strip in _reasoning(each))


def _selective(name: str, seen: Population) -> Iterator[Strip]:
    yield _strip(
        f"{name}: items",
        [
            ("answered", seen.items_predicted, "main"),
            ("abstained", seen.items_abstained, "soft"),
            ("unscored", seen.items_unscored, "open"),
        ],
    )
    yield _strip(
        f"{name}: participants",
        [
            ("included", seen.participants_included, "main"),
            ("failed", seen.participants_failed, "bad"),
            ("unscored", seen.participants_unscored, "open"),
        ],
    )


def _calibration(given: CalibrationInput) -> Strip:
    return _strip(
        f"{given.mode or given.path}: rows",
        [
            ("scored", given.n_rows - given.n_unscored - given.n_abstained, "main"),
            ("abstained", given.n_abstained, "soft"),
            ("unscored", given.n_unscored, "open"),
        ],
    )


def _calibrator(seen: CalibratorTraining) -> Strip:
    return _strip(
        "answers it was fitted on",
        [
            ("used", seen.n_samples, "main"),
            ("without a stated confidence", seen.n_left_out, "open"),
        ],
    )


def _verdicts(system: VerdictSystem) -> Strip:
    seen = system.population
    return _strip(
        f"{system.name}: results",
        [
            ("structured", seen.n_structured, "main"),
            ("unstructured", seen.n_unstructured, "soft"),
            ("failed", seen.n_failed, "bad"),
            ("cases without a result", seen.n_missing, "open"),
        ],
    )


def _reasoning(model: ReasoningModel) -> Iterator[Strip]:
    sides = (("with reasoning", model.population.cot), ("without", model.population.direct))
    for what, seen in sides:
        yield _strip(
            f"{model.name}, {what}: vignettes",
            [
                ("answered", seen.answered, "main"),
                ("refused", seen.refused, "soft"),
                ("failed", seen.failed, "bad"),
                ("not in order", seen.not_ok, "open"),
                ("missing", seen.missing, "open"),
            ],
        )


def _strip(label: str, counts: Counts) -> Strip:
    parts: list[Part] = []
    start = 0
    for name, number, tone in counts:
        parts.append(Part(name, count(number), start, number, tone))
        start += number
    return Strip(label, start, tuple(parts))
