"""Stages: several files at once, all of them in place or none, and what has to be done again.

Files are written into a hidden folder. An output folder that is new is that folder, renamed. Else
the hidden folder, once all of its files are whole, gets the name by which whoever opens the output
folder next knows that they are to be moved, should the moving be cut short. A record beside them
says what each stage was made of, so that a stage whose inputs, options and code are the same can be
left as it is.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from assay import _kernels as kernels
from assay.artifact import encode
from assay.errors import OutputError
from assay.files import sweep, waiting_folder, written

STAGES = "stages.json"
READY = ".assay-ready"
"""the folder of files that are whole and have yet to be moved"""
EARLIER = "earlier"
"""the stage of files that nothing writes any more"""
HINT = "choose another folder with `output`"
SOURCES = (".py", ".c", ".yaml", ".json")


class Stage(Struct, frozen=True):
    """What a stage was made of, and what it wrote."""

    key: str
    """a hash of the inputs, the options and the code"""
    files: dict[str, str]
    """paths within the folder, and the hashes of what was written"""


class Stages(Struct, frozen=True):
    """All stages whose files are in a folder."""

    stages: dict[str, Stage] = field(default_factory=dict)

    def holds(self, name: str, key: str, root: Path) -> bool:
        """Say whether a stage is up to date: made of the same, and its files untouched."""
        stage = self.stages.get(name)
        if stage is None or stage.key != key:
            return False
        return all(sha256_of(root / path) == digest for path, digest in stage.files.items())

    def wrote(self, path: str) -> bool:
        """Say whether a stage wrote this file."""
        return bool(self.digests(path))

    def digests(self, path: str) -> set[str]:
        """Return the hashes with which stages wrote this file."""
        return {each.files[path] for each in self.stages.values() if path in each.files}


def read_stages(root: Path) -> Stages:
    """Return the stages of a folder; a record that cannot be read counts as none."""
    try:
        return msgspec.json.decode((root / STAGES).read_bytes(), type=Stages)
    except (OSError, msgspec.DecodeError, ValueError, RecursionError):
        return Stages()


def sha256_of(path: Path) -> str | None:
    """Return the hash of a file, None where there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


class Staged:
    """Files that wait for their place."""

    def __init__(self, root: Path, waiting: Path) -> None:
        """Keep the folder they are meant for and the one they wait in."""
        self._root, self._waiting = root, waiting
        self._made: dict[str, dict[str, str]] = {}

    @contextmanager
    def opened(self, stage: str, path: str) -> Iterator[Callable[[bytes], None]]:
        """Open a file of a stage, and give what writes the next part of it."""
        target = self._waiting / path
        if not target.resolve().is_relative_to(self._waiting.resolve()):
            msg = f"{path} would lead out of the output folder"
            raise OutputError(msg, hint="rename the model")
        digest = hashlib.sha256()
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:

            def write(part: bytes) -> None:
                digest.update(part)
                file.write(part)

            yield write
        self._made.setdefault(stage, {})[path] = digest.hexdigest()

    def write(self, stage: str, path: str, data: bytes) -> None:
        """Write a file of a stage at once."""
        with self.opened(stage, path) as write:
            write(data)

    def finish(self, known: Stages, keys: Mapping[str, str]) -> list[str]:
        """Move all files into place, with a record of the stages; return their paths."""
        made = {name: Stage(keys[name], files) for name, files in self._made.items()}
        stages = Stages({**known.stages, **made, **_left_over(known, made)})
        paths = [path for files in self._made.values() for path in files]
        self.write("", STAGES, encode(stages))
        if self._waiting.parent == self._root:
            _move(self._root)
            self._waiting.rename(self._root / READY)
            _move(self._root)
        else:
            self._waiting.rename(self._root)
        written.append(self._root)
        return paths


def _move(root: Path) -> None:
    """Move files that are whole to where they belong, the record of stages last."""
    ready = root / READY
    paths = [each for each in sorted(ready.rglob("*")) if not each.is_dir()]
    for path in sorted(paths, key=lambda each: each.name == STAGES):
        target = root / path.relative_to(ready)
        target.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # somebody else moves them as well
            path.replace(target)
    shutil.rmtree(ready, ignore_errors=True)


def complete(root: Path) -> None:
    """Finish what a command that was killed had begun to move, and remove what it left."""
    sweep(root)
    try:
        _move(root)
    except OSError as error:
        raise _refused(root, error) from None


def _left_over(known: Stages, made: Mapping[str, Stage]) -> dict[str, Stage]:
    """Remember the files of stages that were replaced, as far as they were not."""
    old = known.stages.get(EARLIER, Stage("", {})).files
    for name in made.keys() & known.stages.keys():
        old = {**old, **known.stages[name].files}
    new = {path for stage in made.values() for path in stage.files}
    files = {path: digest for path, digest in old.items() if path not in new}
    return {EARLIER: Stage("", files)} if files else {}


@contextmanager
def staged(root: Path) -> Iterator[Staged]:
    """Open a folder for files that come together; what is not finished leaves no trace."""
    place = Path(os.path.realpath(root))
    home = place if place.exists() else place.parent
    made = [each for each in (home, *home.parents) if not each.exists()]
    try:
        home.mkdir(parents=True, exist_ok=True)
        with waiting_folder(home) as waiting:
            yield Staged(place, waiting)
    except (OSError, ValueError) as error:
        raise _refused(root, error) from None
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()  # only while it is empty


def _refused(root: Path, error: Exception) -> OutputError:
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return OutputError(f"cannot write into {root}: {reason}", hint=HINT)


@cache
def code_version() -> str:
    """Return a hash of the package: its version, engine, source and shipped rules."""
    root = Path(__file__).parent
    digest = hashlib.sha256(f"{version('assay')} {kernels.ENGINE}".encode())
    for path in sorted(each for each in root.rglob("*") if each.suffix in SOURCES):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key_of(*parts: Any) -> str:
    """Return a hash of what a stage is made of, the code among it."""
    data = msgspec.json.encode([code_version(), *parts], order="deterministic")
    return hashlib.sha256(data).hexdigest()


def check_inputs(root: Path, paths: Iterable[str], read: Iterable[str]) -> None:
    """Refuse to replace what is read, whatever else may be replaced."""
    given = [each for each in map(Path, read) if each.exists()]
    for path in (root / each for each in paths):
        if path.exists() and any(path.samefile(each) for each in given):
            msg = f"cannot write {path}: it is one of the inputs"
            raise OutputError(msg, hint=HINT)


def check_foreign(root: Path, known: Stages, paths: list[str]) -> None:
    """Refuse to replace files that no stage has written, or that were changed since then."""
    for path in paths:
        digest = sha256_of(root / path)
        if not (root / path).exists() or digest in known.digests(path):
            continue
        changed = known.wrote(path)
        if changed and not (root / path).stat().st_size:
            continue  # nobody's work is lost with an empty file
        what = "was changed after it was written" if changed else "was not written by this program"
        msg = f"{root / path} exists and {what}"
        raise OutputError(msg, hint=f"{HINT}, or replace it with `force`")
