"""An artifact with texts of bounded length: a page must open, whatever a file holds."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from assay.artifact import Artifact
from assay.families import named
from assay.showing import counted

__all__ = ["bounded"]

LONGEST = 4_000
"""characters of a text that are kept"""
Shape = TypeVar("Shape")


def bounded(artifact: Shape) -> Shape:
    """Cut every text that is longer than anyone reads, and say how long it was."""
    shape = named(artifact.kind).artifact if isinstance(artifact, Artifact) else type(artifact)
    bounded: Shape = msgspec.convert(_cut(msgspec.to_builtins(artifact)), shape)
    return bounded


def _cut(value: Any) -> Any:
    match value:
        case str():
            return _text(value)
        case dict():
            return {_key(key, place): _cut(each) for place, (key, each) in enumerate(value.items())}
        case list() | tuple():
            return [_cut(each) for each in value]
        case _:
            return value


def _text(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({counted(len(text), 'character')})"


def _key(key: str, place: int) -> str:
    """Cut a name, and keep it apart from others that begin alike."""
    return key if len(key) <= LONGEST else f"{_text(key)} {place}"
