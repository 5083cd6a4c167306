"""An artifact with texts of bounded length: a page must open, whatever a file holds."""

from __future__ import annotations

import hashlib
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
            return {_key(key): _cut(each) for key, each in value.items()}
        case list() | tuple():
            return [_cut(each) for each in value]
        case _:
            return value


def _text(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({counted(len(text), 'character')})"


def _key(key: str) -> str:
    """Cut a name, apart from others that begin alike, and everywhere in the same way."""
    stem, at, option = key.partition("@")
    if len(stem) <= LONGEST:
        return key if len(key) <= 2 * LONGEST else f"{key[: 2 * LONGEST]}…"
    digest = hashlib.sha256(stem.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{_text(stem)} {digest}{at}{option}"
