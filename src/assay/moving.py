"""Artifacts of families that are in the one pipeline already, and of those that are not yet."""

from __future__ import annotations

from typing import Any

import msgspec

from assay import artifacts, families, stored
from assay.sources.content import load

__all__ = ["MOVED", "decode", "encode", "read_artifact", "schema"]

MOVED = frozenset({"calibration", "intervals", "selective", "sets"})
"""families whose command, words and artifacts are those of version 2"""


class _Kind(msgspec.Struct):
    kind: Any = None


def _moved(data: bytes) -> bool:
    try:
        kind = msgspec.json.decode(data, type=_Kind).kind
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return isinstance(kind, str) and families.kinds().get(kind) in MOVED


def read_artifact(path: str) -> Any:
    """Read an artifact of any kind."""
    return (stored if _moved(load(path).data) else artifacts).read_artifact(path)


def decode(data: bytes) -> Any:
    """Take an artifact back."""
    return (stored if _moved(data) else artifacts).decode(data)


def encode(artifact: Any) -> bytes:
    """Write an artifact."""
    kind = getattr(artifact, "kind", None)
    return stored.encode(artifact) if kind in MOVED else artifacts.encode(artifact)


def schema() -> bytes:
    """Return the JSON Schema of every artifact: those of version 2, then those of version 1."""
    place = b'"#/$defs/'
    later = msgspec.json.decode(stored.schema())
    first = msgspec.json.decode(artifacts.schema().replace(place, place + b"version1."))
    later["anyOf"] += first["anyOf"]
    later["$defs"] |= {f"version1.{name}": each for name, each in first["$defs"].items()}
    return msgspec.json.format(msgspec.json.encode(later), indent=1) + b"\n"
