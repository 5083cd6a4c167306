"""What commands say: results on standard output, words and a progress bar on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic
from typing import Protocol, TextIO

import click
from rich.console import Console

from assay.showing import inert

__all__ = ["Hearing", "print_bytes", "progress_bar", "stderr_console", "stdout_console", "talk"]

PLAIN_WIDTH = 100
"""columns where there is no terminal"""
NARROWEST, WIDEST = 20, 10_000
"""columns that COLUMNS may ask for"""
PATIENCE = 1.0
"""seconds before the bar appears"""


def stdout_console() -> Console:
    """Return standard output, as wide as its terminal."""
    return Console(file=sys.stdout, width=_width(sys.stdout), highlight=False)


def stderr_console() -> Console:
    """Return standard error, as wide as its terminal."""
    return Console(file=sys.stderr, width=_width(sys.stderr))


def _width(stream: TextIO) -> int:
    """Return the width that is asked for, if anything can be read in it, or that of a terminal."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and NARROWEST <= int(asked) <= WIDEST:
        return int(asked)
    if stream.isatty():
        with suppress(OSError, ValueError):
            return os.get_terminal_size(stream.fileno()).columns or PLAIN_WIDTH
    return PLAIN_WIDTH


def print_bytes(data: bytes) -> None:
    """Print bytes as they are."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def talk(*lines: str, quiet: bool) -> None:
    """Say something that is not a result, in lines that hold nothing a terminal acts on."""
    if not quiet:
        with suppress(OSError):  # nobody listens any more, which is no reason to stop
            click.echo("\n".join(map(inert, lines)), err=True)


class Hearing(Protocol):
    """Hears how many resamples are done, and how many there will be where that is known now."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """Hear of resamples that were done just now."""


@contextmanager
def progress_bar(total: int | None = None, *, shown: bool) -> Iterator[Hearing]:
    """Yield what hears of finished resamples; the bar goes to stderr if that is a terminal.

    Without a total the bar only shows that something happens.
    """
    if not shown or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import Progress  # noqa: PLC0415 - only a terminal needs them

    with ExitStack() as stack:
        bar = Progress(console=stderr_console(), transient=True)
        task = bar.add_task("resampling", total=total)
        started, visible = monotonic(), False

        def hear(done: int, total: int | None = None) -> None:
            nonlocal visible
            if total is not None:
                bar.update(task, total=total)
            bar.advance(task, done)
            if not visible and monotonic() - started > PATIENCE:
                visible = True
                stack.enter_context(bar)

        yield hear
