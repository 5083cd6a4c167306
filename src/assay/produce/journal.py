"""The journal of a run: every reply on a line of its own, on the disk before it counts.

The first line says which run this is. Then comes a line for each start and for each reply, with
the body of the reply last, so that the index is built without taking bodies apart. A line that
was cut short by a crash is dropped when the journal is opened again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Annotated, Any, Self, cast

import msgspec

from assay.errors import ArtifactError, OutputError, UsageError
from assay.produce.calls import PROBE, Call, Reply
from assay.showing import quoted
from assay.sources.repeated_keys import repeated_key

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["Journal"]

VERSION = 1
NAME = "assay run"
FIRST = b'{"journal":"assay run","version":'
START = b'{"start":'
BODY = b',"body":'
SCANNED = 2**20
"""bytes read at a time"""
BRIEF = 60
OTHER_RUN = "write to another place, or remove the journal to start anew"


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    journal: str
    version: int
    started: float
    identity: dict[str, Any]


class _Start(msgspec.Struct, forbid_unknown_fields=True):
    start: float
    servers: dict[str, str]


class _Line(msgspec.Struct, forbid_unknown_fields=True):
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


class _Whole(_Line):
    body: msgspec.Raw


_HEADER = msgspec.json.Decoder(_Header)
_START = msgspec.json.Decoder(_Start)
_LINE = msgspec.json.Decoder(_Line)
_WHOLE = msgspec.json.Decoder(_Whole)


class Journal:
    """An open journal, which no other run may open meanwhile."""

    def __init__(
        self, path: Path, identity: Mapping[str, Any], servers: Mapping[str, str] | None = None
    ) -> None:
        """Open a journal of this identity, or start one; note the addresses that are asked now."""
        self.path = path
        self.attempts = 0
        """of all calls so far, over all starts"""
        self.seconds = 0.0
        """from each start before this one to its last reply"""
        self.earlier_servers: Mapping[str, str] = {}
        """those of the start before"""
        self._places: dict[str, tuple[int, bytes]] = {}
        self._failed: set[str] = set()
        self._unsaved = False
        self._made_folders = [each for each in path.parents if not each.exists()]
        self._descriptor = _opened(path)
        self._reader = path.open("rb")
        try:
            self._end = 0
            self.started = self._check(identity)
            self._load()
            self._write(msgspec.json.encode(_Start(time(), dict(servers or {}))))
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.sync()
        finally:
            self._close()

    def __len__(self) -> int:
        return len(self._places)

    @property
    def n_failed(self) -> int:
        """How many calls have failed for good, apart from probes."""
        return len(self._failed)

    def __iter__(self) -> Iterator[str]:
        # the keys of all calls that have their reply
        return iter(self._places)

    def has(self, call: Call) -> bool:
        """Say whether a call has its reply; the same key with another request is refused."""
        place = self._places.get(call.key)
        if place is None:
            return False
        if place[1] != bytes.fromhex(call.request_hash):
            msg = f"{self.path}: the call {quoted(call.key)} was made before with another request"
            raise UsageError(msg, hint=OTHER_RUN)
        return True

    def get(self, key: str) -> Reply | None:
        """Return the reply to a call, or None when there is none yet."""
        place = self._places.get(key)
        if place is None:
            return None
        line = self._decoded(_WHOLE, self._line(place[0]), place[0])
        body = bytes(line.body)
        return Reply(
            key=line.key,
            request_hash=line.request,
            status=line.status,
            body=None if body == b"null" else body,
            error=line.error,
            attempts=line.attempts,
            latency=line.latency,
            seed=line.seed,
            usage=line.usage,
        )

    def append(self, reply: Reply) -> None:
        """Write a reply down; it counts from here on."""
        line = _Line(
            key=reply.key,
            request=reply.request_hash,
            status=reply.status,
            error=reply.error,
            attempts=reply.attempts,
            latency=reply.latency,
            seed=reply.seed,
            usage=None if reply.usage is None else dict(reply.usage),
            at=time(),
        )
        place = self._end
        self._write(msgspec.json.encode(line)[:-1] + BODY + (reply.body or b"null") + b"}")
        self._note(line, place)

    def forget_failed(self) -> None:
        """Let calls that failed be made again, but no probe: what was asked depends on it."""
        for key in self._failed:
            del self._places[key]
        self._failed.clear()

    def sync(self) -> None:
        """Have what was written survive a loss of power."""
        if not self._unsaved:
            return
        self._unsaved = False
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            msg = f"cannot write {self.path}: {(error.strerror or str(error)).lower()}"
            raise OutputError(msg, hint="see to the disk; the same command goes on") from None

    def remove(self) -> None:
        """Delete the file; what was asked so far is not worth keeping."""
        self._unsaved = False
        self.path.unlink(missing_ok=True)
        with suppress(OSError):  # somebody else may have put something there
            for folder in self._made_folders:
                folder.rmdir()

    def _write(self, line: bytes) -> None:
        data = memoryview(line + b"\n")
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            os.ftruncate(self._descriptor, self._end)
            msg = f"cannot write {self.path}: {(error.strerror or str(error)).lower()}"
            raise OutputError(msg, hint="what it holds is safe; the same command goes on") from None
        self._end += len(line) + 1
        self._unsaved = True

    def _note(self, line: _Line, place: int) -> None:
        self._places[line.key] = (place, bytes.fromhex(line.request))
        self.attempts += line.attempts
        if line.error is None or line.key.startswith(PROBE):
            self._failed.discard(line.key)
        else:
            self._failed.add(line.key)

    def _check(self, identity: Mapping[str, Any]) -> float:
        """Return when this run first started; refuse the journal of another run."""
        # Compared as it will be read back: a tuple is a list by then.
        own = msgspec.json.decode(msgspec.json.encode(dict(identity)))
        line = self._line(0)
        if not line.endswith(b"\n") and (line.startswith(FIRST) or FIRST.startswith(line)):
            os.ftruncate(self._descriptor, 0)
            started = time()
            self._write(msgspec.json.encode(_Header(NAME, VERSION, started, own)))
            return started
        header = cast("_Header", self._decoded(_HEADER, line, 0))
        if header.journal != NAME or header.version != VERSION:
            msg = f"{self.path} is a journal of version {header.version}, and {VERSION} is read"
            raise ArtifactError(msg, hint=OTHER_RUN)
        if change := _change(header.identity, own):
            msg = f"{self.path} belongs to another run: {change}"
            raise UsageError(msg, hint=OTHER_RUN)
        return header.started

    def _load(self) -> None:
        """Index what follows the header, and cut off a line without end."""
        started = last = 0.0
        with self.path.open("rb", buffering=SCANNED) as file:
            self._end = len(file.readline())
            for line in file:
                if not line.endswith(b"\n"):
                    os.ftruncate(self._descriptor, self._end)
                    break
                if line.startswith(START):
                    self.seconds += last - started
                    start = self._decoded(_START, line, self._end)
                    started = last = start.start
                    self.earlier_servers = start.servers
                else:
                    head = line[: max(line.find(BODY), 0)]
                    reply = self._decoded(_LINE, head + b"}", self._end)
                    self._note(reply, self._end)
                    last = reply.at
                self._end += len(line)
        self.seconds += last - started

    def _line(self, place: int) -> bytes:
        self._reader.seek(place)
        return self._reader.readline()

    def _close(self) -> None:
        self._reader.close()
        os.close(self._descriptor)

    def _decoded(self, decoder: msgspec.json.Decoder[Any], line: bytes, place: int) -> Any:
        try:
            decoded = decoder.decode(line)
            # A reply is the server's own, and was looked at when it came.
            if decoder is _WHOLE or repeated_key(line) is None:
                return decoded
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
        msg = f"{self.path} is not a journal of a run, or is damaged at byte {place}"
        raise ArtifactError(msg, hint=OTHER_RUN)


def _opened(path: Path) -> int:
    """Open a file to append to, for this run alone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        msg = f"cannot write {path}: {(error.strerror or str(error)).lower()}"
        raise OutputError(msg, hint="choose another place with --output") from None
    if not path.is_file():
        os.close(descriptor)
        msg = f"cannot write {path}: it is not a regular file"
        raise OutputError(msg, hint="choose another place with --journal")
    try:
        _lock(descriptor)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        msg = f"{path} is in use by another run"
        raise UsageError(msg, hint="wait for it, or write to another place") from None
    except OSError as error:
        os.close(descriptor)
        msg = f"cannot lock {path}: {(error.strerror or str(error)).lower()}"
        raise OutputError(msg, hint="keep the journal on another disk with --journal") from None
    return descriptor


def _lock(descriptor: int) -> None:
    """Lock a file for as long as this process lives."""
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _change(before: Any, now: Any, name: str = "") -> str | None:
    """Say what the first difference between two values is.

    Examples
    --------
    >>> _change({"model": "m", "sha256": {"data": "1"}}, {"model": "m", "sha256": {"data": "2"}})
    '`sha256.data` was "1" and is "2"'
    """
    if before == now:
        return None
    if type(before) is not dict or type(now) is not dict:
        return f"`{name}` was {_brief(before)} and is {_brief(now)}"
    names = dict.fromkeys([*now, *before])
    changes = (_change(before.get(each), now.get(each), f"{name}.{each}") for each in names)
    found = next(change for change in changes if change)
    return found.replace("`.", "`", 1)


def _brief(value: Any) -> str:
    text = "absent" if value is None else msgspec.json.encode(value).decode()
    return text if len(text) <= BRIEF else f"{text[:BRIEF]}..."
