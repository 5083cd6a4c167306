"""Artifacts and tables on standard output."""

from __future__ import annotations

import os
import sys

import click
from rich.console import Console

from assay.showing import inert

__all__ = ["print_bytes", "stdout_console", "talk"]

PLAIN_WIDTH = 100
"""columns where there is no terminal"""


def stdout_console() -> Console:
    """Return standard output, as wide as its terminal."""
    wide = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(file=sys.stdout, width=None if wide else PLAIN_WIDTH, highlight=False)


def print_bytes(data: bytes) -> None:
    """Print bytes as they are."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def talk(*lines: str, quiet: bool) -> None:
    """Say something that is not a result, in lines that hold nothing a terminal acts on."""
    if not quiet:
        click.echo("\n".join(map(inert, lines)), err=True)
