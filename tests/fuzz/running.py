"""One command in this process, in a folder of its own: what it printed, wrote and raised."""

from __future__ import annotations

import io
import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import FrameType

import numpy as np

from assay.cli import main

PATIENCE = 60
"""seconds after which a command counts as hanging; no case takes a hundredth of it"""
MOST_MEMORY = 6 << 30
"""bytes that a command may hold, so that a case asks too much of itself and not of the machine"""
MEMORY = Path("/dev/shm")  # noqa: S108 - folders of one case, gone at its end
ROOM = MEMORY if os.access(MEMORY, os.W_OK) else None
"""where cases have their folders: files in memory are made and removed more quickly"""
ENVIRONMENT = {"SOURCE_DATE_EPOCH": "1767225600", "ASSAY_API_KEY": "k"}
UNSET = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PYTHONWARNINGS")


class Hanging(BaseException):
    """A command did not come to an end."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command line and the files it may read."""

    arguments: tuple[str, ...]
    files: Mapping[str, bytes]
    """by their place in the folder"""
    stdin: bytes = b""
    links: Mapping[str, str] = field(default_factory=dict)
    """symbolic links, and where they point to"""


@dataclass(frozen=True, slots=True)
class Done:
    """How it ended."""

    code: object
    out: bytes
    err: bytes
    written: Mapping[str, bytes]
    """files that are new or changed"""
    lost: tuple[str, ...]
    """files that are gone"""
    raised: str | None
    """a traceback"""
    warned: tuple[str, ...]
    """warnings that a user would see"""


def done(asked: Asked) -> Done:
    """Run a command in a fresh folder."""
    root = Path(mkdtemp(prefix="assay-fuzz-", dir=ROOM))
    folder = root / "here"
    folder.mkdir()
    try:
        lay_out(asked, folder)
        with _inside(folder), _captured(asked.stdin) as (out, err), _watched() as shown:
            code, raised = _ended(asked.arguments)
        after = contents(root)
    finally:
        rmtree(root, ignore_errors=True)
    before = {f"here/{name}": data for name, data in asked.files.items()}
    return Done(
        code=code,
        out=out.getvalue(),
        err=err.getvalue(),
        written={
            name.removeprefix("here/"): data
            for name, data in after.items()
            if before.get(name) != data
        },
        lost=tuple(sorted(before.keys() - after.keys())),
        raised=raised,
        warned=tuple(map(_warning, shown)),
    )


def _warning(shown: warnings.WarningMessage) -> str:
    place = f"{Path(shown.filename).name}:{shown.lineno}"
    return f"{shown.category.__name__}: {shown.message} ({place})"


def lay_out(asked: Asked, folder: Path) -> None:
    """Write the files of a case."""
    for name, data in asked.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name, target in asked.links.items():
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)


def contents(root: Path) -> dict[str, bytes]:
    """Return every file below a folder; a folder that is empty counts as a file without bytes."""
    found = {}
    for parent, folders, names in os.walk(root):
        place = Path(parent)
        for name in names:
            path = place / name
            if not path.is_symlink():
                found[path.relative_to(root).as_posix()] = path.read_bytes()
        if not names and not folders and place != root / "here":
            found[f"{place.relative_to(root).as_posix()}/"] = b""
    return found


def _ended(arguments: tuple[str, ...]) -> tuple[object, str | None]:
    try:
        main(arguments)
    except SystemExit as end:
        return (0 if end.code is None else end.code), None
    except (Exception, Hanging):  # noqa: BLE001 - whatever it is, it is what is looked for
        return None, traceback.format_exc()


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Stand in a folder, with nothing in the environment that changes what is printed."""
    here, old = Path.cwd(), dict(os.environ)
    os.environ.update(ENVIRONMENT, HOME=str(folder))
    for name in UNSET:
        os.environ.pop(name, None)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(old)


@contextmanager
def _captured(stdin: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Catch both outputs as bytes; like a real one, standard output takes no lone surrogate."""
    kept = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    sys.stdout = io.TextIOWrapper(out, "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True)
    made = sys.stdout, sys.stderr
    try:
        yield out, err
    finally:
        for each in made:
            with suppress(ValueError):
                each.detach()
        sys.stdin, sys.stdout, sys.stderr = kept


@contextmanager
def _watched() -> Iterator[list[warnings.WarningMessage]]:
    """Collect the warnings a user would see, and end what hangs."""

    def stop(_: int, frame: FrameType | None) -> None:
        raise Hanging

    earlier = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    free = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, free[1]))
    try:
        with warnings.catch_warnings(record=True) as shown, np.errstate(all="warn", under="ignore"):
            warnings.simplefilter("always", Warning)
            for hidden in (DeprecationWarning, PendingDeprecationWarning, ResourceWarning):
                warnings.simplefilter("ignore", hidden)
            yield shown
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_DATA, free)
        signal.signal(signal.SIGALRM, earlier)
