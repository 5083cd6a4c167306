"""How a file reaches the disk: whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from assay.errors import OutputError

__all__ = ["write"]


def write(data: bytes, path: Path) -> None:
    """Write a file whole or not at all."""
    try:
        _write(data, path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        msg = f"cannot write {path}: {reason}"
        raise OutputError(msg, hint="choose another place") from None


def _write(data: bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=".assay-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(partial).chmod(0o666 & ~_umask())
        Path(partial).replace(path)
    finally:
        Path(partial).unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
