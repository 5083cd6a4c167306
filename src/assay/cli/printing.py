"""Artifacts and tables on standard output."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

import click
from rich.console import Console

from assay.showing import inert

__all__ = ["print_bytes", "stderr_console", "stdout_console", "talk"]

PLAIN_WIDTH = 100
"""columns where there is no terminal"""
NARROWEST, WIDEST = 20, 10_000
"""columns that COLUMNS may ask for"""


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
