"""The words and tables of any artifact."""

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
from assay.report.view import Detail, Summary

__all__ = ["summary"]


def summary(artifact: Artifact, *, detail: Detail = "short") -> Summary:
    """Say what an artifact holds."""
    # A command shows one family: the others are not worth the time that importing them takes.
    match artifact:
        case SelectiveArtifact() | ComparisonArtifact():
            from assay.report.summary import summarize  # noqa: PLC0415

            return summarize(artifact, detail=detail)
        case CalibrationArtifact():
            from assay.report.calibration import summarize_calibration  # noqa: PLC0415

            return summarize_calibration(artifact, detail=detail)
        case CalibratorArtifact():
            from assay.report.calibrator import summarize_calibrator  # noqa: PLC0415

            return summarize_calibrator(artifact)
        case IntervalsArtifact() | SetsArtifact():
            from assay.report.levels import summarize_levels  # noqa: PLC0415

            return summarize_levels(artifact)
        case VerdictsArtifact():
            from assay.report.verdicts import summarize_verdicts  # noqa: PLC0415

            return summarize_verdicts(artifact)
        case ReasoningArtifact():
            from assay.report.reasoning import summarize_reasoning  # noqa: PLC0415

            return summarize_reasoning(artifact)
