"""The command on record in an artifact, which may come from anywhere."""

from __future__ import annotations

import shlex

__all__ = ["runnable"]

PROGRAM = "assay"


def runnable(command: str | None) -> str:
    """Return a recorded command if a shell would run this program and nothing else, else nothing.

    Readers copy it into a terminal, so that one with anything but plain words is not offered.

    Examples
    --------
    >>> runnable("assay selective --input 'my run.json'")
    "assay selective --input 'my run.json'"
    >>> runnable("assay selective; rm -r x"), runnable("rm -r x"), runnable(None)
    ('', '', '')
    """
    try:
        words = shlex.split(command or "")
    except ValueError:
        return ""
    plain = words[:1] == [PROGRAM] and shlex.join(words) == command and command.isprintable()
    return command if plain and command else ""
