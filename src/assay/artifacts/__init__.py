"""Every JSON file Assay writes: the only place that knows key names.

One module per family, records that families share, and one JSON Schema of all artifacts.
"""

from __future__ import annotations

import msgspec

from assay.artifacts.files import encode, write
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
from assay.artifacts.selective import (
    AppliedCalibration,
    Comparison,
    ComparisonArtifact,
    Curve,
    Group,
    Input,
    Interpretation,
    Limits,
    LossRecord,
    Matched,
    Pair,
    Population,
    SelectiveArtifact,
    Thinning,
    Truncated,
    Variant,
)
from assay.artifacts.verdicts import VerdictsArtifact
from assay.calibrators.files import CalibratorArtifact

__all__ = [
    "AppliedCalibration",
    "Artifact",
    "CalibratorArtifact",
    "Comparison",
    "ComparisonArtifact",
    "Curve",
    "Delta",
    "Group",
    "Input",
    "Interpretation",
    "Interval",
    "IntervalsArtifact",
    "Limits",
    "LossRecord",
    "Matched",
    "Number",
    "Pair",
    "Population",
    "Record",
    "Resampling",
    "Scalar",
    "SelectiveArtifact",
    "SetsArtifact",
    "Thinning",
    "Tool",
    "Truncated",
    "Variant",
    "VerdictsArtifact",
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
