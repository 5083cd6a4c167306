"""The journal of a run: every reply on a line of its own, on the disk before it counts.

The first line says which run this is. Then comes a line for each start and for each reply. A line
that was cut short by a crash is dropped when the journal is opened again, and one that is damaged
is passed over: what it held is asked again. A call counts as made only if it was asked in the very
same words, so that a run which asks about more asks only what is new.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import time
from typing import Any, BinaryIO, Self

import msgspec

from assay.errors import ArtifactError, OutputError, UsageError
from assay.produce.calls import PROBE, Call, Reply
from assay.produce.journal_lines import (
    SCANNED,
    STARTS,
    Entry,
    Header,
    ReplyLine,
    Start,
    encoded,
    entries,
    is_cut_header,
    read,
)

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

VERSIONS = (1, 2)
"""that are read; the last is written"""
NAME = "assay run"
BRIEF = 60
OTHER_RUN = "write to another place; --reuse takes over the answers that both runs ask for"
REUSE = "--reuse takes the journal of another run"
AGAIN = "free space, then repeat the command: it goes on from there"


class Journal:
    """An open journal, which no other run may open meanwhile."""

    def __init__(
        self,
        path: Path,
        identity: Mapping[str, Any],
        servers: Mapping[str, str] | None = None,
        *,
        growing: Collection[str] = (),
        reuse: Sequence[Path] = (),
    ) -> None:
        """Open a journal of this identity, or start one; note the addresses that are asked now.

        `growing` names what of the identity may be another than before; what other journals hold
        is taken over from `reuse`.
        """
        self.path = path
        self.attempts = 0
        """of all calls so far, over all starts"""
        self.seconds = 0.0
        """from each start before this one to its last reply"""
        self.earlier_servers: Mapping[str, str] = {}
        """those of the start before"""
        self.damaged = 0
        """lines that cannot be read"""
        self.spent: dict[str | None, tuple[int, int]] = {}
        """tokens in and out by model, over all starts"""
        self._places: dict[bytes, int] = {}
        """by request and key"""
        self._current: dict[str, int] = {}
        """by key: where the reply is that counts"""
        self._failed: set[int] = set()
        self._unsaved = False
        self._end = 0
        self._made_folders = [each for each in path.parents if not each.exists()]
        with ExitStack() as stack:
            self._others = [_Other(each, stack) for each in reuse if not _is_one(each, path)]
            self._descriptor = _opened(path)
            stack.callback(os.close, self._descriptor)
            self._reader = stack.enter_context(path.open("rb"))
            self.started = self._resume(identity, growing)
            self._write(encoded(Start(time(), dict(servers or {}))))
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with self._open:
            self.sync()

    def __len__(self) -> int:
        return len(self._current)

    def __contains__(self, key: object) -> bool:
        return key in self._current

    def has_failed(self, key: str) -> bool:
        """Say whether a call has failed for good; a probe has not, whatever the reply."""
        return self._current.get(key) in self._failed

    @property
    def holds_only_probes(self) -> bool:
        """Say whether nothing but what a server can do has been asked, by any run."""
        return all(key[32:].startswith(PROBE.encode()) for key in self._places)

    def has(self, call: Call) -> bool:
        """Say whether a call has its reply, here or in a journal that is reused."""
        known = _id(call.request_hash, call.key)
        place = self._places.get(known)
        if place is not None:
            self._current[call.key] = place
            return True
        # Asked otherwise before: that reply is none to this call.
        self._current.pop(call.key, None)
        found = (each.get(known) for each in self._others)
        reply = next((each for each in found if each is not None), None)
        if reply is not None:
            self.append(reply, reused=True)
        return reply is not None

    def get(self, key: str) -> Reply | None:
        """Return the reply to a call, or None when there is none yet."""
        place = self._current.get(key)
        return None if place is None else _at(self._reader, place, self.path)

    def append(self, reply: Reply, *, reused: bool = False) -> None:
        """Write a reply down; it counts from here on."""
        line = ReplyLine(
            key=reply.key,
            request=reply.request_hash,
            status=reply.status,
            error=reply.error,
            attempts=reply.attempts,
            latency=reply.latency,
            seed=reply.seed,
            usage=None if reply.usage is None else dict(reply.usage),
            at=time(),
            model=reply.model,
            reused=reused,
        )
        place = self._end
        self._write(encoded(line, reply.body or b"null"))
        self._note(line, place)

    def forget_failed(self) -> None:
        """Let calls that failed be made again, but no probe: what was asked depends on it."""
        self._places = {call: at for call, at in self._places.items() if at not in self._failed}
        self._current = {key: at for key, at in self._current.items() if at not in self._failed}
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
        data = memoryview(line)
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            os.ftruncate(self._descriptor, self._end)
            msg = f"cannot write {self.path}: {(error.strerror or str(error)).lower()}"
            raise OutputError(msg, hint=AGAIN) from None
        self._end += len(line)
        self._unsaved = True

    def _note(self, line: ReplyLine, place: int) -> None:
        self._places[_id(line.request, line.key)] = self._current[line.key] = place
        self.attempts += line.attempts
        if not line.reused:
            usage = line.usage or {}
            n_in, n_out = self.spent.get(line.model, (0, 0))
            n_in += usage.get("prompt_tokens", 0)
            self.spent[line.model] = (n_in, n_out + usage.get("completion_tokens", 0))
        if line.error is not None and not line.key.startswith(PROBE):
            self._failed.add(place)

    def _resume(self, identity: Mapping[str, Any], growing: Collection[str]) -> float:
        """Index what the file holds, refuse the journal of another run; return its first start."""
        # Compared as it will be read back: a tuple is a list by then.
        own = msgspec.json.decode(msgspec.json.encode(dict(identity)))
        if is_cut_header(self.path):
            os.ftruncate(self._descriptor, 0)
            header = Header(NAME, VERSIONS[-1], time(), own)
        else:
            found, started = self._load()
            header = Header(NAME, VERSIONS[-1], started, own)
            if found is not None:
                _check(found, own, growing, self.path)
                header.started = found.started
            os.ftruncate(self._descriptor, self._end)
            if found is not None and found.identity == own:
                return header.started
        self._write(encoded(header))
        return header.started

    def _load(self) -> tuple[Header | None, float]:
        """Index all lines; return the last header, which may be damaged, and the first start."""
        header: Header | None = None
        first = started = last = 0.0
        for place, entry in _scanned(self.path):
            if type(entry) is ReplyLine:
                self._note(entry, place)
                last = entry.at
            elif type(entry) is Start:
                self.seconds += max(last - started, 0.0)
                started = last = entry.start
                first = first or started
                self.earlier_servers = entry.servers
            elif type(entry) is Header:
                header = entry
            self.damaged += entry is None
        self.seconds += max(last - started, 0.0)
        self._end = _end_of_lines(self.path)
        return header, first or time()


class _Other:
    """The answers of another journal, which is only read, also while its run goes on."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._path = path
        try:
            self._reader = stack.enter_context(path.open("rb"))
        except OSError as error:
            msg = f"cannot read {path}: {(error.strerror or str(error)).lower()}"
            raise UsageError(msg, hint=REUSE) from None
        self._places: dict[bytes, int] = {}
        for place, entry in _scanned(path, REUSE):
            # A failure is no answer, except to the question what a server can do.
            if type(entry) is ReplyLine and (entry.error is None or entry.key.startswith(PROBE)):
                self._places[_id(entry.request, entry.key)] = place

    def get(self, known: bytes) -> Reply | None:
        place = self._places.get(known)
        return None if place is None else _at(self._reader, place, self._path)


def _id(request: str, key: str) -> bytes:
    return bytes.fromhex(request) + key.encode()


def _at(reader: BinaryIO, place: int, path: Path) -> Reply:
    reader.seek(place)
    reply = read(reader.readline())
    if reply is None:
        msg = f"{path} is damaged at byte {place}, which was whole when the run started"
        raise ArtifactError(msg, hint="see to the disk; the same command asks again what it held")
    return reply


def _scanned(path: Path, hint: str = OTHER_RUN) -> Iterator[tuple[int, Entry | None]]:
    """Yield all entries of a file, which must be a journal."""
    found = False
    with path.open("rb", buffering=SCANNED) as file:
        for place, entry in entries(file):
            found = found or entry is not None
            yield place, entry
    if not found:
        raise ArtifactError(f"{path} is not a journal of a run", hint=hint)


def _end_of_lines(path: Path) -> int:
    """Return where the last whole line ends."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - SCANNED)
            file.seek(start)
            cut = file.read(end - start).rfind(b"\n")
            if cut >= 0:
                return start + cut + 1
            end = start
    return 0


def _check(header: Header, own: dict[str, Any], growing: Collection[str], path: Path) -> None:
    """Refuse the journal of a run that asks otherwise."""
    if header.journal != NAME:
        raise ArtifactError(f"{path} is not a journal of a run", hint=OTHER_RUN)
    if header.version not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        msg = f"{path} is a journal of version {header.version}, and {known} are read"
        raise ArtifactError(msg, hint=OTHER_RUN)
    if change := _change(_fixed(header.identity, growing), _fixed(own, growing)):
        msg = f"{path} belongs to another run: {change}"
        raise UsageError(msg, hint=OTHER_RUN)


def _fixed(identity: Any, growing: Collection[str], name: str = "") -> Any:
    """Leave out what may change, and what is absent."""
    if type(identity) is not dict:
        return identity
    return {
        key: _fixed(value, growing, f"{name}{key}.")
        for key, value in identity.items()
        if f"{name}{key}" not in growing and value is not None
    }


def _opened(path: Path) -> int:
    """Open a file to append to, for this run alone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with suppress(OSError):  # it is somebody else's, or the disk knows no owners
            Path(path).chmod(0o600)
    except OSError as error:
        msg = f"cannot write {path}: {(error.strerror or str(error)).lower()}"
        hint = elsewhere(path, "choose another place with --output")
        raise OutputError(msg, hint=hint) from None
    if not path.is_file():
        os.close(descriptor)
        msg = f"cannot write {path}: it is not a regular file"
        raise OutputError(msg, hint="choose another place with --journal")
    try:
        _lock(descriptor)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        msg = f"{path} is in use by another run"
        raise UsageError(msg, hint=elsewhere(path, "wait for it")) from None
    except OSError as error:
        os.close(descriptor)
        msg = f"cannot lock {path}: {(error.strerror or str(error)).lower()}"
        hint = elsewhere(path, "keep the journal on another disk with --journal")
        raise OutputError(msg, hint=hint) from None
    return descriptor


def elsewhere(path: Path, usual: str) -> str:
    """Say what to do where a run cannot be written; its answers need not be paid for again."""
    try:
        with path.open("rb") as file:
            held = file.readline(SCANNED).startswith(STARTS)
    except OSError:
        held = False
    return f"{usual}; --reuse {path} takes over its answers elsewhere" if held else usual


def _is_one(path: Path, other: Path) -> bool:
    return path == other or (path.exists() and other.exists() and path.samefile(other))


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
