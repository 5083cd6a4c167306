"""Who tells of an artifact: the words and the figures of its kind, imported when they are asked.

Pages and figures need further packages, and say which of them are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from assay.artifact import Artifact
from assay.display.blocks import Summary
from assay.display.figures.figure import Figure
from assay.display.words import Words
from assay.errors import UsageError

NEEDED = ("jinja2", "vl_convert")


def words_of(artifact: Any) -> Words:
    """Return what tells of an artifact: its family, or of a calibrator the report itself."""
    evaluated = isinstance(artifact, Artifact)
    home = f"assay.families.{artifact.kind}.words" if evaluated else "assay.report.calibrator"
    words: Words = import_module(home).WORDS
    return words


def drawing_of(artifact: Any) -> Callable[[Any], Iterable[Figure]] | None:
    """Return what draws an artifact, if anything does."""
    if not isinstance(artifact, Artifact):
        return None
    draw: Callable[[Any], Iterable[Figure]]
    draw = import_module(f"assay.families.{artifact.kind}.figures").figures
    return draw


def summary(artifact: Any) -> Summary:
    """Say what an artifact holds, in all detail."""
    words = words_of(artifact)
    names, sections = words.names(artifact), words.sections(artifact)
    return Summary(words.title, tuple(names), tuple(sections))


def require_packages() -> None:
    """Say in one sentence which packages are missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        msg = f"pages and figures need packages that are not installed: {', '.join(missing)}"
        raise UsageError(msg, hint="pip install 'assay[report]'")
