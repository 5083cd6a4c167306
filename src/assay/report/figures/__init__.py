"""The figures of an artifact, as Vega-Lite specifications: every value in them is the artifact's.

`figures` draws them without colours, `theme.styled` gives them a look, `files.rendered` makes
pictures of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assay.artifacts import (
    Artifact,
    CalibrationArtifact,
    CalibratorArtifact,
    ComparisonArtifact,
    IntervalsArtifact,
    SelectiveArtifact,
    SetsArtifact,
)
from assay.artifacts.reasoning import ReasoningArtifact
from assay.artifacts.verdicts import VerdictsArtifact
from assay.report.figures.figure import Figure
from assay.report.packages import require_packages

__all__ = ["Figure", "figures"]


def figures(artifact: Artifact) -> list[Figure]:
    """Draw everything an artifact has a figure for."""
    require_packages()
    from altair.utils.schemapi import debug_mode  # noqa: PLC0415 - optional

    # Altair compares every part with its schema, which takes most of the time: the tests do that.
    with debug_mode(arg=False):
        parts = [*_drawn(artifact)]
    found: list[Figure] = []
    for each in parts:
        taken = {figure.name for figure in found}
        tries = (each.name, *(f"{each.name}-{again}" for again in range(2, len(found) + 3)))
        found.append(replace(each, name=next(name for name in tries if name not in taken)))
    return found


def _drawn(artifact: Artifact) -> Iterator[Figure]:
    # Altair is slow to import, and optional.
    match artifact:
        case SelectiveArtifact() | ComparisonArtifact():
            from assay.report.figures.selective import selective_figures  # noqa: PLC0415

            yield from selective_figures(artifact)
        case CalibrationArtifact():
            from assay.report.figures.calibration import calibration_figures  # noqa: PLC0415

            yield from calibration_figures(artifact)
        case IntervalsArtifact() | SetsArtifact():
            from assay.report.figures.levels import level_figures  # noqa: PLC0415

            yield from level_figures(artifact)
        case VerdictsArtifact():
            from assay.report.figures.verdicts import verdict_figures  # noqa: PLC0415

            yield from verdict_figures(artifact)
        case ReasoningArtifact():
            from assay.report.figures.reasoning import reasoning_figures  # noqa: PLC0415

            yield from reasoning_figures(artifact)
        case CalibratorArtifact():
            return
