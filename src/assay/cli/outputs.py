"""Where results go."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

from assay import files
from assay.cli.places import same_place
from assay.errors import OutputError

__all__ = ["FOLDER", "write", "write_stamped"]

FOLDER = Path("assay-out")
HINT = "choose another place with --output"


def write(data: bytes, path: Path) -> Path:
    """Write a named file, replacing what is there (behind a link, what it points to)."""
    files.write(data, path)
    return path


def write_stamped(data: bytes, moment: datetime, *, family: str, apart: Path | None = None) -> Path:
    """Write a new file under the time it was made; existing files and one place are left alone."""
    stem = f"{family}_{moment.strftime('%Y%m%dT%H%M%SZ')}"
    free = (path for path in _names(stem) if not (apart and same_place(path, apart)))
    try:
        return next(path for path in free if files.write_new(data, path))
    except OutputError as error:
        raise OutputError(error.message, hint=HINT) from None


def _names(stem: str) -> Iterator[Path]:
    yield FOLDER / f"{stem}.json"
    for number in count(2):
        yield FOLDER / f"{stem}-{number}.json"
