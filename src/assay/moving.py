"""Artifacts of families that are in the one pipeline already, and of those that are not yet."""

from __future__ import annotations

from typing import Any

import msgspec

from assay import artifacts, stored
from assay.sources.content import load

__all__ = ["MOVED", "decode", "encode", "read_artifact"]

MOVED = frozenset({"calibration", "intervals", "reasoning", "sets"})
"""families whose command, words and artifacts are those of version 2"""


class _Kind(msgspec.Struct):
    kind: Any = None


def _moved(data: bytes) -> bool:
    try:
        return msgspec.json.decode(data, type=_Kind).kind in MOVED
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


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
