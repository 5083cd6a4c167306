"""How to get the same numbers: command, seed, files by their hashes, versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.artifacts import Artifact, CalibratorArtifact, ComparisonArtifact, SelectiveArtifact
from assay.artifacts.commands import runnable
from assay.artifacts.selective import AppliedCalibration
from assay.report.page.model import Reproduce, Source
from assay.report.view import Facts
from assay.report.wording import count, level
from assay.showing import counted

__all__ = ["every_convention", "reproduce"]

SHOWN = ("role", "format", "mode", "run_id", "git_commit", "model", "n_rows", "n_cases")
"""what inputs of any family may say of themselves"""
NAMES = {"run_id": "run", "git_commit": "commit", "n_rows": "rows", "n_cases": "cases"}


def reproduce(artifact: Artifact) -> Reproduce:
    """Say how to get the same numbers."""
    return Reproduce(
        command=runnable(artifact.command),
        facts=Facts(tuple(_facts(artifact))),
        sources=tuple(_sources(artifact)),
    )


def _facts(artifact: Artifact) -> Iterator[tuple[str, str]]:
    yield "made", artifact.created_at
    yield "by", f"{artifact.tool.name} {artifact.tool.version}, {artifact.tool.engine} engine"
    yield "schema", f"version {artifact.schema_version}"
    if isinstance(artifact, CalibratorArtifact):
        yield "seed", str(artifact.training_metadata.seed)
        return
    plan = artifact.resampling
    yield "seed", f"{plan.seed}, {plan.stream} stream"
    resampled = (
        f"{count(plan.n_resamples)} of {counted(plan.n_units, 'unit')} ({plan.unit}),"
        f" {level(plan.level)} {plan.method} intervals"
    )
    yield "resamples", resampled if plan.n_resamples else "none"


def _sources(artifact: Artifact) -> Iterator[Source]:
    if isinstance(artifact, CalibratorArtifact):
        yield _source("training", artifact.training_metadata)
        return
    for number, given in enumerate(artifact.inputs):
        yield _source(f"input {number}", given)
    if isinstance(artifact, SelectiveArtifact | ComparisonArtifact):
        applied = artifact.calibration
        if isinstance(applied, AppliedCalibration):
            yield Source("calibrator", applied.path, applied.calibrator, applied.sha256)


def _source(label: str, given: Any) -> Source:
    said = [(name, getattr(given, name, None)) for name in SHOWN]
    details = [f"{NAMES.get(name, name)} {value}" for name, value in said if value is not None]
    return Source(label, given.path, ", ".join(details), given.sha256 or "not a file")


def every_convention(artifact: Artifact) -> Facts:
    """List every choice that went on record."""
    if isinstance(artifact, CalibratorArtifact):
        return Facts(())
    return Facts(tuple((name, _plain(each)) for name, each in artifact.conventions.items()))


def _plain(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case list():
            return ", ".join(map(_plain, value)) or "none"
        case _:
            return str(value)
