"""Artifacts from files and bytes: any family, both versions, nothing unknown in them."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, cast

import msgspec
from msgspec import UNSET

from assay import families
from assay.artifact import SCHEMA_VERSION, Artifact
from assay.artifact import encode as encode_record
from assay.calibrators.files import CalibratorArtifact, model_fault
from assay.commands import runnable
from assay.errors import ArtifactError
from assay.families.version1 import kernels_named
from assay.faults import fault, shape_fault
from assay.showing import quoted
from assay.sources.content import decoded_json, holds_run, load

__all__ = ["decode", "encode", "read_artifact", "schema"]

AnyArtifact = Artifact[Any, Any, Any]
CALIBRATOR = "calibrator"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
BESIDE = {"description": "as an earlier program spells what this file holds; never read back"}
SHAPE = "an artifact is what `assay selective`, `assay calibration` and the like write"


class _Header(msgspec.Struct):
    """What tells whether the rest can be read; everything else is ignored."""

    kind: str | None = None
    schema_version: str | None = None
    command: str | None = None


def read_artifact(path: str) -> Any:
    """Read an artifact of any kind, or say why it is none and how to make one."""
    data = load(path).data
    header = decoded_json(msgspec.json.Decoder(_Header), data, place=path, hint=SHAPE)
    _check_kind(path, header, data)
    _check_version(path, header)
    hint = f"it may have been edited; make it again{_by(header)}"
    reader = cast("msgspec.json.Decoder[AnyArtifact]", _Reader(header))
    artifact = decoded_json(reader, data, place=path, hint=hint)
    wrong = _fault(artifact)
    if wrong is not None:
        raise ArtifactError(f"{path} does not fit together: {wrong}", hint=hint)
    return artifact


def _fault(artifact: AnyArtifact | CalibratorArtifact) -> str | None:
    """Return what does not fit together, in words, or None."""
    if isinstance(artifact, CalibratorArtifact):
        return shape_fault(artifact) or model_fault(artifact)
    return fault(artifact) or families.named(artifact.kind).fault(artifact)


def encode(artifact: AnyArtifact | CalibratorArtifact) -> bytes:
    """Write an artifact, and beside it what an earlier program of its family wrote."""
    if isinstance(artifact, CalibratorArtifact):
        return encode_record(artifact)
    every = ((name, getattr(artifact, name)) for name in artifact.__struct_fields__)
    own = {name: value for name, value in every if value is not UNSET}
    beside = families.named(artifact.kind).seed_keys
    return encode_record(own | {key: written(artifact) for key, written in beside.items()})


def decode(data: bytes) -> Any:
    """Take an artifact back from what `encode` wrote, or an earlier version of it."""
    return _Reader(msgspec.json.decode(data, type=_Header)).decode(data)


class _Reader:
    """A decoder of one kind and version."""

    def __init__(self, header: _Header) -> None:
        self._header = header

    def decode(self, data: bytes) -> Any:
        data = _kernels_named(data)
        if self._header.kind == CALIBRATOR:
            return msgspec.json.decode(data, type=CalibratorArtifact)
        family = families.of_kind(self._header.kind or "")
        if self._header.schema_version == SCHEMA_VERSION:
            return _decoder(family.name).decode(_without(family.seed_keys, data))
        try:
            upgraded = family.upgrade(msgspec.json.decode(data))
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            # An upgrade takes what it knows to be there; a file that was edited may lack it.
            missing = f"lacks {error}" if isinstance(error, KeyError) else "has another shape"
            raise msgspec.ValidationError(f"Version 1 of this kind {missing}") from None
        found: AnyArtifact = msgspec.convert(upgraded, family.artifact)
        return found


def _kernels_named(data: bytes) -> bytes:
    """Name the kernels of a file of this version, or of a calibrator, as files do now."""
    held = msgspec.json.decode(data)
    tool = held.get("tool")
    renamed = kernels_named(tool)
    return data if renamed is tool else msgspec.json.encode({**held, "tool": renamed})


def _without(keys: Collection[str], data: bytes) -> bytes:
    """Leave out what is written for readers of an earlier program."""
    if not keys:
        return data
    held = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({key: each for key, each in held.items() if key not in keys})


@cache
def _decoder(family: str) -> msgspec.json.Decoder[AnyArtifact]:
    return msgspec.json.Decoder(families.named(family).artifact)


def kinds() -> dict[str, str]:
    """Return every kind of artifact, and the command that writes it."""
    return {**families.kinds(), CALIBRATOR: "calibrate"}


def _check_kind(path: str, header: _Header, data: bytes) -> None:
    known = kinds()
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
    version = header.schema_version
    if version in {"1", SCHEMA_VERSION} and (version == "1" or header.kind != CALIBRATOR):
        return
    said = "no schema version" if version is None else f"the schema version {quoted(version)}"
    msg = f"{path} has {said}, and only '1' and {SCHEMA_VERSION!r} can be read"
    if version is not None and version.isdecimal() and int(version) > int(SCHEMA_VERSION):
        hint = "a newer assay wrote it: update with pip install --upgrade assay"
        raise ArtifactError(msg, hint=hint)
    command = runnable(header.command) or f"assay {kinds()[header.kind or '']} ..."
    raise ArtifactError(msg, hint=f"make it again from its inputs: {command}")


def _by(header: _Header) -> str:
    command = runnable(header.command)
    return f": {command}" if command else ""


def schema() -> bytes:
    """Return the JSON Schema of every artifact."""
    types = {name: families.named(name).artifact for name in families.NAMES}
    types[CALIBRATOR] = CalibratorArtifact
    references, records = msgspec.json.schema_components(
        types.values(), ref_template="#/$defs/{name}"
    )
    for name, reference in zip(families.NAMES, references, strict=False):
        own = records[reference["$ref"].rpartition("/")[2]]
        own["properties"] |= dict.fromkeys(families.named(name).seed_keys, BESIDE)
    kinds = [
        {"allOf": [reference, {"properties": {"kind": {"const": name}}}]}
        for name, reference in zip(types, references, strict=True)
    ]
    described = {"$schema": DIALECT, "anyOf": kinds, "$defs": records}
    return msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n"
