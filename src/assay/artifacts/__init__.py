"""Every JSON file Assay writes: the only place that knows key names.

One module per family, records that families share, and one JSON Schema of all artifacts.
"""

from __future__ import annotations

import msgspec

from assay.artifact import encode
from assay.artifacts.intervals import IntervalsArtifact, SetsArtifact
from assay.artifacts.reading import Artifact, decode, read_artifact
from assay.artifacts.records import (
    Delta,
    Interval,
    Number,
    Record,
    Resampling,
    Scalar,
    Tool,
)
from assay.calibrators.files import CalibratorArtifact
from assay.files import write

__all__ = [
    "Artifact",
    "CalibratorArtifact",
    "Delta",
    "Interval",
    "IntervalsArtifact",
    "Number",
    "Record",
    "Resampling",
    "Scalar",
    "SetsArtifact",
    "Tool",
    "decode",
    "encode",
    "read_artifact",
    "schema",
    "write",
]


def schema() -> bytes:
    """Return the JSON Schema of every artifact."""
    artifact = msgspec.json.schema(Artifact)
    described = {"$schema": "https://json-schema.org/draft/2020-12/schema", **artifact}
    return msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n"
