"""Where results go and when they were made."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile

from assay import artifacts
from assay.errors import OutputError, UsageError

__all__ = ["FOLDER", "check_place", "now", "stamp", "write", "write_stamped"]

FOLDER = Path("assay-out")
HINT = "choose another place with --output"


def now() -> datetime:
    """Return the time to put on record, `SOURCE_DATE_EPOCH` where it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError):
        msg = f"SOURCE_DATE_EPOCH must be seconds since 1970, found {epoch!r}"
        raise UsageError(msg, hint="unset it, or give a whole number") from None


def stamp(moment: datetime) -> str:
    """Write a moment as artifacts do."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def check_place(path: Path, inputs: Iterable[str] = ()) -> None:
    """Refuse, before anything is computed, a place that cannot be written to."""
    reason = _obstacle(path, inputs)
    if reason is not None:
        msg = f"cannot write {path}: {reason}"
        raise OutputError(msg, hint=HINT)


def _obstacle(path: Path, inputs: Iterable[str]) -> str | None:
    try:
        if path.is_dir():
            return "it is a folder"
        if path.exists() and not path.is_file():
            return "it is not a regular file"
        if path.exists() and any(_same(path, each) for each in inputs):
            return "it is one of the inputs"
        folder = next(each for each in path.absolute().parents if each.exists())
        TemporaryFile(dir=folder).close()
    except (OSError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error).lower()
    return None


def _same(path: Path, given: str) -> bool:
    return Path(given).exists() and path.samefile(given)


def write(data: bytes, path: Path) -> Path:
    """Write a named file, replacing what is there (behind a link, what it points to)."""
    artifacts.write(data, path.resolve() if path.is_symlink() else path)
    return path


def write_stamped(data: bytes, moment: datetime, *, family: str = "selective") -> Path:
    """Write a new file under the time it was made; an existing file is left alone."""
    stem = f"{family}_{moment.strftime('%Y%m%dT%H%M%SZ')}"
    try:
        FOLDER.mkdir(exist_ok=True)
        path = next(path for path in _free(stem) if _reserved(path))
    except OSError as error:
        msg = f"cannot write into {FOLDER}: {(error.strerror or str(error)).lower()}"
        raise OutputError(msg, hint=HINT) from None
    try:
        artifacts.write(data, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _free(stem: str) -> Iterator[Path]:
    yield FOLDER / f"{stem}.json"
    for number in count(2):
        yield FOLDER / f"{stem}-{number}.json"


def _reserved(path: Path) -> bool:
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
