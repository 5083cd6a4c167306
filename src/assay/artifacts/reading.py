"""Artifacts from files: any kind, this schema version, nothing unknown in them."""

from __future__ import annotations

from functools import cache

import msgspec

from assay.artifacts.commands import runnable
from assay.artifacts.intervals import IntervalsArtifact, SetsArtifact
from assay.artifacts.records import SCHEMA_VERSION
from assay.artifacts.wholeness import fault
from assay.calibrators.files import CalibratorArtifact
from assay.errors import ArtifactError
from assay.showing import quoted
from assay.sources.content import decoded_json, holds_run, load

__all__ = ["Artifact", "decode", "read_artifact"]

# A new kind of artifact is one more line here: the schema and the report read it from this.
Artifact = CalibratorArtifact | IntervalsArtifact | SetsArtifact
COMMANDS = {"calibrator": "assay calibrate"}
"""which command writes a kind, where it is not named like it"""
KINDS = (
    *("selective", "selective-comparison", "calibration", "calibrator", "intervals", "sets"),
    *("verdicts", "reasoning"),
)
"""all there are; most are read as version 2 and elsewhere"""
SHAPE = "an artifact is what `assay selective`, `assay calibration` and the like write"


class _Header(msgspec.Struct):
    """What tells whether the rest can be read; everything else is ignored."""

    kind: str | None = None
    schema_version: str | None = None
    command: str | None = None


def read_artifact(path: str) -> Artifact:
    """Read an artifact of any kind, or say why it is none and how to make one."""
    content = load(path)
    header = decoded_json(msgspec.json.Decoder(_Header), content.data, place=path, hint=SHAPE)
    _check_kind(path, header, content.data)
    _check_version(path, header)
    hint = f"it may have been edited; make it again{_by(header)}"
    artifact = decoded_json(_decoder(), content.data, place=path, hint=hint)
    found = fault(artifact)
    if found is not None:
        raise ArtifactError(f"{path} does not fit together: {found}", hint=hint)
    return artifact


def decode(data: bytes) -> Artifact:
    """Take an artifact back from what `encode` wrote."""
    return _decoder().decode(data)


@cache
def _decoder() -> msgspec.json.Decoder[Artifact]:
    return msgspec.json.Decoder(Artifact)


def _kinds() -> dict[str, str]:
    """Return each kind of artifact, and the command that writes it."""
    return {kind: COMMANDS.get(kind, f"assay {kind}") for kind in KINDS}


def _check_kind(path: str, header: _Header, data: bytes) -> None:
    known = _kinds()
    if header.kind in known:
        return
    if header.kind is None and holds_run(data):
        hint = f"evaluate it first: assay selective --input {path} --mode MODE"
        raise ArtifactError(f"{path} is a run, not an artifact", hint=hint)
    if header.kind is None:
        raise ArtifactError(f"{path} has no `kind`, so it is not an artifact", hint=SHAPE)
    msg = f"{path} is of the kind {quoted(header.kind)}"
    raise ArtifactError(msg, hint=f"the kinds are {', '.join(known)}")


def _check_version(path: str, header: _Header) -> None:
    found = header.schema_version
    if found == SCHEMA_VERSION:
        return
    said = "no schema version" if found is None else f"the schema version {quoted(found)}"
    msg = f"{path} has {said}, and only {SCHEMA_VERSION!r} can be read"
    if found is not None and _is_newer(found):
        hint = "a newer assay wrote it: update with pip install --upgrade assay"
        raise ArtifactError(msg, hint=hint)
    command = runnable(header.command) or f"{_kinds()[header.kind or '']} ..."
    raise ArtifactError(msg, hint=f"make it again from its inputs: {command}")


def _is_newer(found: str) -> bool:
    return found.isdecimal() and int(found) > int(SCHEMA_VERSION)


def _by(header: _Header) -> str:
    command = runnable(header.command)
    return f": {command}" if command else ""
