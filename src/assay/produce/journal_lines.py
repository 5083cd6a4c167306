"""The lines of a journal: what they hold, their checksums, and what is left of damaged ones.

A line is a JSON object whose first member is the checksum of all that follows it, with the body of
a reply last, so that an index is built without taking bodies apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeAlias
from zlib import crc32

import msgspec

from assay.produce.calls import Reply
from assay.sources.content import repeated_key

MARK = b'{"crc":"'
FIRST = (b'{"crc":"00000000","journal":"assay run",', b'{"journal":"assay run",')
"""how the first line starts, whatever its checksum; the second is that of version 1"""
STARTS = (MARK, b'{"journal":')
"""how a journal starts, of any version"""
HEAD = len(b'{"crc":"00000000",')
ENTRY = re.compile(rb'\{"crc":"[0-9a-f]{8}",')
BODY = b',"body":'
SCANNED = 2**20
"""bytes read at a time"""


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """Which run this is; the last of a journal counts."""

    journal: str
    version: int
    started: float
    identity: dict[str, Any]


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """A start of the run, and whom it asks."""

    start: float
    servers: dict[str, str]


class ReplyLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A reply without its body; nothing before the body may hold an object with that key."""

    key: str
    request: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    status: int | None
    error: str | None
    attempts: int
    latency: float
    seed: int | None
    usage: dict[str, int] | None
    at: float
    model: str | None = None
    reused: bool = False
    """it was taken over from another journal: nothing was paid for it here"""


class _Whole(ReplyLine):
    body: msgspec.Raw = msgspec.Raw(b"null")


Entry: TypeAlias = Header | Start | ReplyLine
_HEADER = msgspec.json.Decoder(Header)
_START = msgspec.json.Decoder(Start)
_REPLY = msgspec.json.Decoder(ReplyLine)
_WHOLE = msgspec.json.Decoder(_Whole)
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def encoded(entry: Entry, body: bytes | None = None) -> bytes:
    """Return an entry as a line with its checksum."""
    data = msgspec.json.encode(entry)[1:]
    if body is not None:
        data = data[:-1] + BODY + body + b"}"
    return b'%b%08x",%b\n' % (MARK, crc32(data), data)


def entries(file: BinaryIO) -> Iterator[tuple[int, Entry | None]]:
    """Yield where each entry stands and what it is, without bodies; None for a damaged line.

    A last line without its end is not yielded: it was cut short.
    """
    place = 0
    for line in file:
        if not line.endswith(b"\n"):
            return
        if (entry := _checked(line)) is not None or (entry := _unmarked(line)) is not None:
            yield place, entry
        else:
            yield from _salvaged(line, place)
        place += len(line)


def read(line: bytes) -> Reply | None:
    """Return the reply that a line starts with, whole; None where it is damaged."""
    if not _is_sound(line):
        # The end of a line may be damaged, so that the next one seems to belong to it.
        parts = list(ENTRY.finditer(line))
        line = line[: parts[1].start()] if len(parts) > 1 else line
        if line.startswith(MARK) and not _is_sound(line):
            return None
    try:
        whole = _WHOLE.decode(b"{" + line[HEAD:-1] if line.startswith(MARK) else line)
    except _UNREADABLE:
        return None
    body = bytes(whole.body)
    return Reply(
        key=whole.key,
        request_hash=whole.request,
        status=whole.status,
        body=None if body == b"null" else body,
        error=whole.error,
        attempts=whole.attempts,
        latency=whole.latency,
        seed=whole.seed,
        usage=whole.usage,
        model=whole.model,
    )


def is_cut_header(path: Path) -> bool:
    """Say whether a file is empty, or nothing but the start of a first line."""
    with path.open("rb") as file:
        line = file.readline(SCANNED)
        if line.endswith(b"\n") or file.read(1):
            return False
    known = line.startswith(MARK) and len(line) > len(MARK)
    line = MARK + b"0" * len(line[len(MARK) : HEAD - 2]) + line[HEAD - 2 :] if known else line
    return any(line.startswith(each) or each.startswith(line) for each in FIRST)


def _is_sound(line: bytes) -> bool:
    """Say whether a line has its checksum; the last byte is its end, or what became of it."""
    return line[:HEAD] == b'%b%08x",' % (MARK, crc32(memoryview(line)[HEAD:-1]))


def _checked(line: bytes) -> Entry | None:
    if not _is_sound(line):
        return None
    end = line.find(BODY)
    head = b"{" + line[HEAD:-1] if end < 0 else b"{" + line[HEAD:end] + b"}"
    return _decoded(head)


def _decoded(head: bytes) -> Entry | None:
    decoder: msgspec.json.Decoder[Any] = _REPLY
    if head.startswith(b'{"start":'):
        decoder = _START
    elif head.startswith(b'{"journal":'):
        decoder = _HEADER
    try:
        entry: Entry = decoder.decode(head)
    except _UNREADABLE:
        return None
    return entry


def _unmarked(line: bytes) -> Entry | None:
    """Read a line of version 1, which has no checksum: it must be flawless JSON."""
    end = line.find(BODY)
    head = line if end < 0 else line[:end] + b"}"
    entry = None if line.startswith(MARK) else _decoded(head)
    try:
        flawed = entry is None or repeated_key(head) is not None
        return None if flawed or (end >= 0 and _WHOLE.decode(line) is None) else entry
    except _UNREADABLE:
        return None


def _salvaged(line: bytes, place: int) -> Iterator[tuple[int, Entry | None]]:
    """Yield what is whole in a damaged line: its end may be what was damaged."""
    starts = [match.start() for match in ENTRY.finditer(line)]
    if not starts or starts[0] > 0:
        yield place, None
    for start, end in pairwise([*starts, len(line)]):
        yield place + start, _checked(line[start:end])
