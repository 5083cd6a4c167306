"""Bytes from a file or from standard input, decompressed, and their faults in plain words.

No more is held in memory of one file than `memory_limit` allows.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import io
import json
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from assay._kernels import distinct_keys
from assay.errors import ArtifactError, UsageError
from assay.showing import inert, quoted, shortened

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
COMPRESSED = {GZIP_MAGIC: "gzip", ZSTD_MAGIC: "zstd"}
COMPRESSED_NAMES = (".gz", ".zst")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARK = b"\xff\xfe"
NO_TEXTS = {
    b"PK\x03\x04": "it starts like a spreadsheet or a ZIP archive; save the sheet as CSV",
    b"PAR1": "it starts like a Parquet file; give it the name .parquet",
}
LATIN1_LETTERS = range(0xA0, 0x100)
NOT_A_NUMBER = re.compile(rb"-?(?:NaN|Infinity)\b")
NAMED = re.compile(r"([`'])(.*?)\1", re.DOTALL)
RUN_KEY = re.compile(rb'"experiments"\s*:')
LONGEST_FAULT = 300
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([KMGT]i?|)B?", re.IGNORECASE)
LARGEST_DEFAULT = 2 * 10**9
LIMIT_WORDS = "2GB, or half of the machine's memory if that is less"
CHUNK = 1 << 24
LONGEST_LINE = 1 << 26
"""bytes; a longer line is broken"""
TWICE = "generations are read twice"
INTO_A_FILE = "write them into a file first"
BLANKS = re.compile(rb"\s*")


class _Object(list[tuple[str, Any]]):
    """The keys and values of an object, in their order."""


def repeated_key(data: bytes) -> tuple[str, str] | None:
    """Return the first repeated key of valid JSON, and the way to its object.

    Examples
    --------
    >>> repeated_key(b'{"a": [{"b": 1, "c": 2}, {"b": 1, "b": 2}]}')
    ('b', 'a[1]')
    >>> repeated_key(b'{"a": {"b": 1}, "b": 1}') is None
    True
    """
    if distinct_keys(data):
        return None
    return _found(json.loads(data, object_pairs_hook=_Object, parse_int=len, parse_float=len), "")


def _found(value: Any, way: str) -> tuple[str, str] | None:
    if type(value) is not _Object:
        inner = enumerate(value) if type(value) is list else ()
        ways = ((each, f"{way}[{number}]") for number, each in inner)
    else:
        seen: set[str] = set()
        for key, _ in value:
            if key in seen:
                return key, way
            seen.add(key)
        ways = ((each, f"{way}.{key}".removeprefix(".")) for key, each in value)
    return next(filter(None, (_found(each, inner) for each, inner in ways)), None)


UNITS = {"": 1} | {k: 1000**n for n, k in enumerate("KMGT", 1)}
UNITS |= {f"{k}I": 1024**n for n, k in enumerate("KMGT", 1)}
Shape = TypeVar("Shape")


def _default_limit() -> int:
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return LARGEST_DEFAULT
    return min(LARGEST_DEFAULT, memory // 2) if memory > 0 else LARGEST_DEFAULT


DEFAULT_LIMIT = _default_limit()
_limit: ContextVar[int] = ContextVar("memory_limit", default=DEFAULT_LIMIT)


@contextmanager
def memory_limit(size: int | str) -> Iterator[None]:
    """Read files of up to this size into memory; without it up to 2 GB or half of the memory.

    A size is a number of bytes or a text such as "8GB" (10^9 bytes each). It holds for every file
    by itself, as it is once decompressed.

    Examples
    --------
    >>> with memory_limit("8GB"):
    ...     pass  # assay.read_table("large.csv"), assay.evaluate("verdicts", ...)
    """
    before = _limit.set(_bytes(size))
    try:
        yield
    finally:
        _limit.reset(before)


def held_limit() -> int:
    """Return how many bytes of one table may be held in memory."""
    return _limit.get()


def _bytes(size: int | str) -> int:
    match = SIZE.fullmatch(str(size).strip())
    n_bytes = float(match[1]) * UNITS[match[2].upper()] if match else 0.0
    if not 1 <= n_bytes < 2**63:
        msg = f"{quoted(size)} is not a size, as in 500MB or 8GB"
        raise UsageError(msg, hint="the units are KB, MB, GB and TB")
    return int(n_bytes)


def check_memory(path: str, n_bytes: int, how: str = "") -> None:
    """Refuse what would take more memory than may be used."""
    limit = _limit.get()
    if n_bytes > limit:
        unit = next(unit for unit in "TGMK" if limit >= UNITS[unit]) if limit >= UNITS["K"] else ""
        msg = f"{path} holds more than {limit / UNITS[unit]:.3g} {unit}B{how}, the limit of what is"
        hint = "raise the limit with `memory_limit`, as in 8GB"
        raise ArtifactError(f"{msg} read into memory", hint=hint)


@dataclass(frozen=True, slots=True)
class Content:
    """What a path holds, decompressed and without a byte order mark."""

    path: str
    data: bytes
    sha256: str
    """of the bytes as stored"""
    suffix: str
    """of the name without .gz or .zst, in lower case; empty for standard input"""


def load(path: str) -> Content:
    """Read a path or, for "-", standard input; compression is recognized by the first bytes."""
    stored = _stored_bytes(path)
    how = compression(stored)
    data = _decompressed(path, stored, how) if how else stored
    return Content(
        path=path,
        data=data.removeprefix(BYTE_ORDER_MARK),
        sha256=hashlib.sha256(stored).hexdigest(),
        suffix="" if path == "-" else suffix_of(path),
    )


def suffix_of(path: str) -> str:
    """Return how a name ends, in lower case, apart from what it says about compression."""
    name = path.lower()
    for ending in COMPRESSED_NAMES:
        name = name.removesuffix(ending)
    return Path(name).suffix


def compression(start: bytes) -> str | None:
    """Return how bytes are compressed that start so."""
    return next((how for magic, how in COMPRESSED.items() if start.startswith(magic)), None)


def decompressing(file: IO[bytes], how: str | None, path: str) -> Any:
    """Return a file that is read without its compression."""
    if how is None:
        return file
    if how == "gzip":
        return gzip.GzipFile(fileobj=file)
    try:
        arrow = importlib.import_module("pyarrow")
    except ImportError:
        msg = f"{path} is compressed with zstd, and reading it needs pyarrow"
        raise UsageError(msg, hint="pip install 'assay[tables]'") from None
    return arrow.CompressedInputStream(file, "zstd")


@contextmanager
def uncompressed(path: str) -> Iterator[Any]:
    """Open a file of any size and read it without its compression."""
    with open(path, "rb") as stored:  # noqa: PTH123 - a path is as the user gave it
        how = compression(stored.read(4))
        stored.seek(0)
        yield decompressing(stored, how, path)


@contextmanager
def text_stream(path: str, shown: str, newline: str) -> Iterator[io.TextIOWrapper]:
    """Open a text file of any size, and say what is wrong with it where it cannot be read."""
    with uncompressed(path) as stream:
        try:
            yield io.TextIOWrapper(stream, "utf-8-sig", newline=newline)
        except UnicodeDecodeError:
            check_stream(path)
            raise
        except (EOFError, zlib.error, OSError) as error:
            raise ArtifactError(f"{shown} cannot be read: {fault(error)}") from None


def _stored_bytes(path: str) -> bytes:
    try:
        if path == "-":
            return _bounded(_standard_input(), path)
        with open(path, "rb") as file:  # noqa: PTH123 - a path is as the user gave it
            status = os.fstat(file.fileno())
            size = status.st_size if stat.S_ISREG(status.st_mode) else 0
            check_memory(path, size)
            return _bounded(file, path, first=size + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        msg = f"{path!r} cannot be read: {reason}"
        raise ArtifactError(msg, hint="check the spelling; - is standard input") from None


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        msg = "it is closed"
        raise ValueError(msg)
    return sys.stdin.buffer


def _bounded(file: Any, path: str, how: str = "", *, first: int = CHUNK) -> bytes:
    """Read to the end, or until there is more than may be held."""
    parts, size, chunk, limit = [], 0, first, _limit.get()
    while part := file.read(min(chunk, limit + 1 - size)):
        parts.append(part)
        size += len(part)
        check_memory(path, size, how)
        chunk = CHUNK
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _decompressed(path: str, stored: bytes, how: str) -> bytes:
    file = decompressing(io.BytesIO(stored), how, path)
    try:
        return _bounded(file, path, " once decompressed")
    except (OSError, EOFError, zlib.error) as error:
        msg = f"{path} starts like a {how} file and cannot be decompressed: {error}"
        raise ArtifactError(msg, hint="the file may be cut short; copy it again") from None


def check_text(content: Content) -> None:
    """Refuse what is not UTF-8, at its offset in the file."""
    if not content.data.isascii():
        decoded_text(content)


def decoded_text(content: Content) -> str:
    """Return the content as text."""
    try:
        return content.data.decode()
    except UnicodeDecodeError as error:
        raise not_text(content.path, error) from None


def check_stream(path: str) -> None:
    """Refuse a file of any size that is not UTF-8, at its offset once decompressed."""
    before, rest = 0, b""
    with uncompressed(path) as stream:
        while part := stream.read(CHUNK):
            rest += part if before or rest else part.removeprefix(BYTE_ORDER_MARK)
            lines = rest[: rest.rfind(b"\n") + 1]
            _check_part(path, lines, before)
            before, rest = before + len(lines), rest[len(lines) :]
    _check_part(path, rest, before)


def _check_part(path: str, data: bytes, before: int) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        refused = not_text(path, error)
        byte, offset = data[error.start], before + error.start
        msg = f"{path} is not UTF-8 text: byte 0x{byte:02x} at offset {offset}"
        raise ArtifactError(msg, hint=refused.hint) from None


def not_text(place: str, error: UnicodeDecodeError) -> ArtifactError:
    """Return what is wrong with text that is not UTF-8, and what it seems to be."""
    found, hint = error.object[error.start], "save it as UTF-8"
    known = next((what for start, what in NO_TEXTS.items() if error.object.startswith(start)), None)
    if known is not None:
        hint = known
    elif error.start == 0 and found in UTF16_MARK:
        hint = "it seems to be UTF-16; save it as UTF-8"
    elif found in LATIN1_LETTERS:
        hint = "it seems to be Latin-1; save it as UTF-8, as with iconv -f latin1 -t utf-8"
    return ArtifactError(f"{place} is {fault(error)}", hint=hint)


def holds_run(data: bytes) -> bool:
    """Say whether JSON text is a run, one object with `experiments`, and not JSON lines."""
    first, more = first_line(data)
    return RUN_KEY.search(first if more and is_object(first) else data) is not None


def first_line(data: bytes) -> tuple[bytes, bool]:
    """Return the first line that holds something, and whether something follows it."""
    start = _behind_blanks(data, 0)
    end = data.find(b"\n", start)
    if end < 0:
        return (data[start:] if start else data), False
    return data[start:end], _behind_blanks(data, end) < len(data)


def _behind_blanks(data: bytes, start: int) -> int:
    found = BLANKS.match(data, start)
    return found.end() if found else start


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
    """Decode strict JSON into the decoder's shape, or say what is wrong at a place.

    No key may stand twice in an object. A part of what was decoded before, a `Raw`, is not looked
    through again.
    """
    try:
        if type(data) is bytes and not data.isascii():
            data.decode()
        decoded = decoder.decode(data)
        repeated = repeated_key(data) if type(data) is bytes else None
    except UnicodeDecodeError as error:
        raise not_text(place, error) from None
    except msgspec.ValidationError as error:
        msg = f"{place} does not have the shape it needs: {fault(error)}"
        raise ArtifactError(msg, hint=hint) from None
    except RecursionError:
        msg = f"{place} is nested too deeply to be read"
        raise ArtifactError(msg, hint=hint) from None
    except msgspec.DecodeError as error:
        raise _not_json(place, bytes(data), error, hint) from None
    if repeated is not None:
        key, way = repeated
        inside = f" in `{shortened(inert(way), LONGEST_FAULT)}`" if way else ""
        msg = f"{place} has the key {quoted(key)} twice{inside}"
        raise ArtifactError(msg, hint="only one of the two can be meant; remove the other")
    return decoded


def json_lines(
    content: Content, decoder: msgspec.json.Decoder[Shape], *, hint: str
) -> Iterator[Shape]:
    """Decode the lines that hold something one by one, or say what is wrong with which."""
    for number, line in enumerate(content.data.split(b"\n"), start=1):
        if line.strip():
            place = f"{content.path}, line {number}"
            yield decoded_json(decoder, line, place=place, hint=hint)


def fault(error: object) -> str:
    """Say in a message what a decoder has found, with names and values cut short."""
    if isinstance(error, UnicodeDecodeError):
        found = error.object[error.start]
        return f"not UTF-8 text: byte 0x{found:02x} at offset {error.start}"
    text = str(error).removeprefix("JSON is malformed: ")
    text = NAMED.sub(lambda match: f"'{shortened(match[2])}'", text).replace("`", "'")
    return shortened(inert(text[:1].lower() + text[1:]), LONGEST_FAULT)


def _not_json(place: str, data: bytes, error: Exception, hint: str) -> ArtifactError:
    if not data.strip():
        return ArtifactError(f"{place} is empty", hint=hint)
    if token := _number_token(data, str(error)):
        msg = f"{place} holds the token {token}, which is not JSON"
        return ArtifactError(msg, hint="write null where there is no number")
    msg = f"{place} is not valid JSON: {fault(error)}"
    return ArtifactError(msg, hint="the file may be cut short, or not be JSON at all")


def _number_token(data: bytes, said: str) -> str | None:
    """Return a word for a number that JSON does not have, if that is the fault."""
    position = re.search(r"byte (\d+)", said)
    if position is None:
        return None
    # The fault is reported at the word; a minus sign stands before it.
    start = int(position[1])
    match = NOT_A_NUMBER.search(data, max(start - 1, 0), start + len("Infinity"))
    return f"{match[0].decode()} at byte {match.start()}" if match else None


class Hashed(io.RawIOBase):
    """A file whose bytes are hashed as they pass."""

    def __init__(self, file: IO[bytes]) -> None:
        """Pass on what a file holds."""
        self._file, self.digest = file, hashlib.sha256()

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any buffer
        """Read as much as there is room for."""
        part = self._file.read(len(buffer))
        self.digest.update(part)
        buffer[: len(part)] = part
        return len(part)


Lines = Iterator[tuple[int, bytes | None]]


@contextmanager
def opened_lines(path: str) -> Iterator[tuple[Lines, Hashed]]:
    """Open a file, possibly compressed, as numbered lines and the digest of what was read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a path is as the user gave it
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ArtifactError(f"{path} is not a regular file; {TWICE}", hint=INTO_A_FILE)
            compressed = file.read(2) == GZIP_MAGIC
            file.seek(0)
            raw = Hashed(file)
            buffered: IO[bytes] = io.BufferedReader(raw, 1 << 20)
            stream = gzip.GzipFile(fileobj=buffered) if compressed else buffered
            yield _numbered(stream), raw
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        msg = f"{path!r} cannot be read: {reason}"
        raise ArtifactError(msg, hint="check the spelling, and that the file is whole") from None


def _numbered(stream: IO[bytes] | gzip.GzipFile) -> Lines:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        whole = line.endswith(b"\n") or len(line) < LONGEST_LINE
        text = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        yield number, text if whole else None
        while not whole and (line := stream.readline(LONGEST_LINE)):
            whole = line.endswith(b"\n")
