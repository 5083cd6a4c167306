"""What an artifact says, in plain sentences: with intervals, and "cannot tell" where it is so."""

from __future__ import annotations

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
from assay.report.headlines.calibration import calibration_headline, calibrator_headline
from assay.report.headlines.levels import levels_headline
from assay.report.headlines.reasoning import reasoning_headline
from assay.report.headlines.selective import selective_headline
from assay.report.headlines.statement import Statement, Tone
from assay.report.headlines.verdicts import verdicts_headline

__all__ = ["Statement", "Tone", "headline"]


def headline(artifact: Artifact) -> tuple[Statement, ...]:
    """Say what an artifact means."""
    match artifact:
        case SelectiveArtifact() | ComparisonArtifact():
            return tuple(selective_headline(artifact))
        case CalibrationArtifact():
            return tuple(calibration_headline(artifact))
        case CalibratorArtifact():
            return tuple(calibrator_headline(artifact))
        case IntervalsArtifact() | SetsArtifact():
            return tuple(levels_headline(artifact))
        case VerdictsArtifact():
            return tuple(verdicts_headline(artifact))
        case ReasoningArtifact():
            return tuple(reasoning_headline(artifact))
