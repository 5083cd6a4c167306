"""Stages: what a stage is made of, and whether it has to be done again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from assay import _kernels as kernels
from assay.artifacts.folders import Stages
from assay.errors import OutputError

__all__ = ["check_foreign", "check_inputs", "code_version", "key_of"]

SOURCES = (".py", ".c", ".yaml", ".json")


@cache
def code_version() -> str:
    """Return a hash of the package: its version, engine, source and shipped rules."""
    root = Path(__file__).parents[2]
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
            raise OutputError(msg, hint="choose another folder with --output")


def check_foreign(root: Path, known: Stages, paths: list[str]) -> None:
    """Refuse to replace files that no stage has written."""
    for path in paths:
        if (root / path).exists() and not known.wrote(path):
            msg = f"{root / path} exists and was not written by this program"
            hint = "choose another folder with --output, or replace it with --force"
            raise OutputError(msg, hint=hint)
