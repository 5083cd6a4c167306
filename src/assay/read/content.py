"""Bytes from a file or from standard input, decompressed, and their faults in plain words."""

from __future__ import annotations

import gzip
import hashlib
import re
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from assay.errors import ArtifactError

__all__ = ["Content", "decoded_json", "decoded_text", "holds_run", "is_object", "load"]

GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
NOT_A_NUMBER = re.compile(rb"-?(?:NaN|Infinity)\b")
Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True)
class Content:
    """What a path holds, decompressed and without a byte order mark."""

    path: str
    data: bytes
    sha256: str
    """of the bytes as stored"""
    suffix: str
    """of the name without .gz, in lower case; empty for standard input"""


def load(path: str) -> Content:
    """Read a path or, for "-", standard input; gzip is recognized by its first bytes."""
    stored = _stored_bytes(path)
    data = _decompressed(path, stored) if stored.startswith(GZIP_MAGIC) else stored
    name = path.lower().removesuffix(".gz")
    return Content(
        path=path,
        data=data.removeprefix(BYTE_ORDER_MARK),
        sha256=hashlib.sha256(stored).hexdigest(),
        suffix="" if path == "-" else Path(name).suffix,
    )


def _stored_bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        msg = f"{path!r} cannot be read: {reason}"
        raise ArtifactError(msg, hint="check the spelling; - is standard input") from None


def _decompressed(path: str, stored: bytes) -> bytes:
    try:
        return gzip.decompress(stored)
    except (OSError, EOFError, zlib.error) as error:
        msg = f"{path} starts like a gzip file and cannot be decompressed: {error}"
        raise ArtifactError(msg, hint="the file may be cut short; copy it again") from None


def decoded_text(content: Content) -> str:
    """Return the content as text."""
    try:
        return content.data.decode()
    except UnicodeDecodeError as error:
        found = error.object[error.start]
        msg = f"{content.path} is not UTF-8 text: byte 0x{found:02x} at offset {error.start}"
        raise ArtifactError(msg, hint="save it as UTF-8") from None


def holds_run(data: bytes) -> bool:
    """Say whether JSON text is a run, one object with `experiments`, and not JSON lines."""
    first, _, rest = data.strip().partition(b"\n")
    return b'"experiments"' in (first if rest and is_object(first) else data)


def is_object(line: bytes) -> bool:
    """Say whether a line is one whole JSON object."""
    try:
        msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return True


def decoded_json(
    decoder: msgspec.json.Decoder[Shape],
    data: bytes | msgspec.Raw,
    *,
    place: str,
    hint: str,
) -> Shape:
    """Decode strict JSON into the decoder's shape, or say what is wrong at a place."""
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        msg = f"{place} does not have the shape it needs: {_sentence(error)}"
        raise ArtifactError(msg, hint=hint) from None
    except RecursionError:
        msg = f"{place} is nested too deeply to be read"
        raise ArtifactError(msg, hint=hint) from None
    except msgspec.DecodeError as error:
        raise _not_json(place, bytes(data), error, hint) from None


def _sentence(error: Exception) -> str:
    text = str(error).removeprefix("JSON is malformed: ").replace("`", "'")
    return text[:1].lower() + text[1:]


def _not_json(place: str, data: bytes, error: Exception, hint: str) -> ArtifactError:
    if not data.strip():
        return ArtifactError(f"{place} is empty", hint=hint)
    if token := _number_token(data, str(error)):
        msg = f"{place} holds the token {token}, which is not JSON"
        return ArtifactError(msg, hint="write null where there is no number")
    msg = f"{place} is not valid JSON: {_sentence(error)}"
    return ArtifactError(msg, hint="the file may be cut short, or not be JSON at all")


def _number_token(data: bytes, fault: str) -> str | None:
    """Return a word for a number that JSON does not have, if that is the fault."""
    position = re.search(r"byte (\d+)", fault)
    if position is None:
        return None
    # The fault is reported at the word; a minus sign stands before it.
    start = int(position[1])
    match = NOT_A_NUMBER.search(data, max(start - 1, 0), start + len("Infinity"))
    return f"{match[0].decode()} at byte {match.start()}" if match else None
