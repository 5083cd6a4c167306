"""Where results go."""

from __future__ import annotations

import os
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
    files.write(data, Path(os.path.realpath(path)))
    return path


def write_stamped(
    data: bytes, moment: datetime, *, family: str = "selective", apart: Path | None = None
) -> Path:
    """Write a new file under the time it was made; existing files and one place are left alone."""
    stem = f"{family}_{moment.strftime('%Y%m%dT%H%M%SZ')}"
    try:
        FOLDER.mkdir(exist_ok=True)
        path = next(
            path
            for path in _free(stem)
            if not (apart and same_place(path, apart)) and _reserved(path)
        )
    except OSError as error:
        msg = f"cannot write into {FOLDER}: {(error.strerror or str(error)).lower()}"
        raise OutputError(msg, hint=HINT) from None
    try:
        files.write(data, path)
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
