"""Artifacts of families that are in the one pipeline already, and of those that are not yet."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from assay import artifacts, families, stored
from assay.sources.content import load

__all__ = ["MOVED", "decode", "encode", "read_artifact", "schema"]

MOVED = frozenset({"calibration", "intervals", "reasoning", "selective", "sets", "verdicts"})
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
    """Return the JSON Schema of what commands write: each family in its own version."""
    moved = {name: families.named(name).artifact for name in sorted(MOVED)}
    earlier = {
        str(each.__struct_config__.tag): each
        for each in get_args(artifacts.Artifact)
        if each.__struct_config__.tag not in MOVED
    }
    types = {**moved, **earlier}
    references, records = msgspec.json.schema_components(
        types.values(), ref_template="#/$defs/{name}"
    )
    for kind, reference in zip(moved, references, strict=False):
        own = records[reference["$ref"].rpartition("/")[2]]
        own["properties"] |= dict.fromkeys(families.named(kind).seed_keys, stored.BESIDE)
    kinds = [
        {"allOf": [reference, {"properties": {"kind": {"const": kind}}}]}
        for kind, reference in zip(types, references, strict=True)
    ]
    described = {"$schema": stored.DIALECT, "anyOf": kinds, "$defs": records}
    return msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n"
