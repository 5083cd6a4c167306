"""How files reach the disk: whole or not at all, and nothing of a process that was killed stays.

What is written waits under a hidden name and is then renamed. It is locked for as long as whoever
writes it lives, so that whoever writes into the same folder later can tell what was left behind.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from assay.errors import OutputError, UsageError
from assay.showing import quoted

if sys.platform != "win32":
    import fcntl

WAITING = re.compile(r"\.assay-[0-9a-f]{8}\.part")
LOCKS = sys.platform != "win32"
"""a file may be locked, and renamed while it is open"""
ANEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)

written: list[Path] = []
"""what this process wrote so far, for whoever is asked what there is"""


def named_path(given: object) -> Path:
    """Return the path that names a file, or say that what was given is none."""
    if not isinstance(given, str | os.PathLike):
        msg = f"a file must be named by its path, found a value of the type {type(given).__name__}"
        raise UsageError(msg, hint="as in 'results.json'")
    path = Path(given)
    try:
        usable = str(given) != "" and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # letters that no name of a file can have
        usable = False
    if not usable:
        msg = f"a file must be named by its path, found {quoted(str(given))}"
        raise UsageError(msg, hint="as in 'results.json'")
    return path


def write(data: bytes, path: Path) -> None:
    """Write a file, replacing what is there (behind a link, what it points to).

    A device or a pipe is written into: in its place there would be a file for everybody else.
    """
    if _is_stream(path):
        with _refused_in_words(path):
            path.write_bytes(data)
    else:
        _put(data, Path(os.path.realpath(path)), os.replace)
    written.append(path)


def write_new(data: bytes, path: Path) -> bool:
    """Write a file unless there is one; say whether it was written."""
    if os.path.lexists(path):
        return False
    try:
        _put(data, path, _link)
    except _TakenError:
        return False
    written.append(path)
    return True


class _TakenError(Exception):
    """Something has the name already."""


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextmanager
def _refused_in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        msg = f"cannot write {path}: {reason}"
        raise OutputError(msg, hint="choose another place") from None


def _put(data: bytes, path: Path, put: Callable[[Path, Path], None]) -> None:
    with _refused_in_words(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with waiting_file(path.parent) as (file, place):
            file.write(data)
            file.flush()
            if not LOCKS:
                file.close()
            put(place, path)


def _link(place: Path, path: Path) -> None:
    """Give a file its name if nothing has it."""
    try:
        os.link(place, path)
    except FileExistsError:
        raise _TakenError from None
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise _TakenError from None
        place.replace(path)


@contextmanager
def waiting_file(folder: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """Open a file under a hidden name in a folder; what is not renamed by the end is gone."""
    sweep(folder)
    handle, place = _made(folder, lambda place: os.open(place, ANEW, 0o666))
    try:
        with os.fdopen(handle, "wb") as file:
            yield file, place
    finally:
        place.unlink(missing_ok=True)


@contextmanager
def waiting_folder(folder: Path) -> Iterator[Path]:
    """Make a folder under a hidden name in another; what is not renamed by the end is gone."""
    sweep(folder)
    handle, place = _made(folder, _opened_folder)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        if handle is not None:
            os.close(handle)


def _opened_folder(place: Path) -> int | None:
    place.mkdir()
    return os.open(place, LOOK) if LOCKS else None


def _made(folder: Path, make: Callable[[Path], int | None]) -> tuple[int, Path]:
    """Make something under a name that is free, and lock it."""
    while True:
        place = folder / f".assay-{token_hex(4)}.part"
        try:
            handle = make(place)
        except FileExistsError:
            continue
        if _locked(handle) and place.exists():
            return handle, place  # type: ignore[return-value]  # None where nothing is locked
        if handle is not None:  # somebody took it for left behind before it was locked
            os.close(handle)


def _locked(handle: int | None) -> bool:
    """Lock what is open, where that can be done; say whether somebody else has locked it."""
    if not LOCKS or handle is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def sweep(folder: Path) -> None:
    """Remove what processes left behind that were killed while they wrote into a folder."""
    found: list[Path] = []
    with suppress(OSError), os.scandir(folder) as entries:
        found = [Path(each.path) for each in entries if WAITING.fullmatch(each.name)]
    for place in found if LOCKS else ():
        with suppress(OSError):  # somebody is still writing it, or it is another user's
            _remove(place)


def _remove(place: Path) -> None:
    handle = os.open(place, LOOK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)
    finally:
        os.close(handle)
