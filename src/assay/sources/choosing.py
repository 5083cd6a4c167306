"""Which engine takes the rows of an input, and which one did."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.options import near
from assay.showing import quoted
from assay.sources.content import held_limit
from assay.sources.engine import engine_is_here

__all__ = [
    "ENGINES",
    "asked_engine",
    "asked_exact",
    "asked_master",
    "chosen_engine",
    "chosen_exact",
    "chosen_master",
    "reduces",
    "used",
    "used_engine",
]

ENGINES = ("auto", "memory", "duckdb", "spark")
MEMORY = ("memory", np.__version__)
LARGE = 10**9
"""bytes of files from which on they are reduced outside of memory, or the memory limit if less"""

_asked: ContextVar[str] = ContextVar("engine", default="auto")
_master: ContextVar[str | None] = ContextVar("master", default=None)
_exact: ContextVar[bool] = ContextVar("exact", default=False)
_used: ContextVar[tuple[str, str]] = ContextVar("used_engine", default=MEMORY)


@contextmanager
def chosen_engine(name: Any) -> Iterator[None]:
    """Let an engine take the rows of tables, and note anew which one did."""
    chosen = "auto" if name is None else name
    if not isinstance(chosen, str) or chosen not in ENGINES:
        msg = f"there is no engine {quoted(chosen)}"
        hint = near(chosen, ENGINES) or f"the engines are {', '.join(ENGINES)}"
        raise UsageError(msg, hint=hint)
    before, noted = _asked.set(chosen), _used.set(MEMORY)
    try:
        yield
    finally:
        _asked.reset(before)
        _used.reset(noted)


@contextmanager
def chosen_master(name: Any) -> Iterator[None]:
    """Name the master of the Spark session that is started where there is none."""
    if name is not None and not isinstance(name, str):
        hint = "as in local[2], or the address of a cluster"
        raise UsageError(f"`master` must be a text, found {quoted(name)}", hint=hint)
    before = _master.set(name)
    try:
        yield
    finally:
        _master.reset(before)


@contextmanager
def chosen_exact(*, exact: Any) -> Iterator[None]:
    """Let engines keep every number apart, however many there are."""
    if not isinstance(exact, bool | np.bool_):
        raise UsageError(f"`exact` must be true or false, found {quoted(exact)}")
    before = _exact.set(bool(exact))
    try:
        yield
    finally:
        _exact.reset(before)


def asked_master() -> str | None:
    """Return the master that was named."""
    return _master.get()


def asked_exact() -> bool:
    """Say whether no numbers may be merged."""
    return _exact.get()


def asked_engine() -> str:
    """Return the engine that was asked for."""
    return _asked.get()


def reduces(files: Sequence[str]) -> bool:
    """Say whether files are counted in the engine, so that only counts come into memory."""
    asked = asked_engine()
    if asked != "auto":
        return asked != "memory"
    # A Path fails on names that are too long.
    held = [each for each in files if os.path.isfile(each)]  # noqa: PTH113
    size = sum(os.path.getsize(each) for each in held)  # noqa: PTH202
    return size > min(LARGE, held_limit()) and engine_is_here()


def used(name: str, version: str) -> None:
    """Note which engine took the rows."""
    _used.set((name, version))


def used_engine() -> tuple[str, str]:
    """Return which engine took the rows, and its version."""
    return _used.get()
