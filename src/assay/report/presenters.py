"""Who tells of an artifact: the words and the figures of its kind, imported when they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from assay.display.blocks import Summary
from assay.display.figures.figure import Figure
from assay.display.words import Words

__all__ = ["drawing_of", "summary", "words_of"]

FAMILIES = "assay.report.families"
# A command shows one family: the others are not worth the time that importing them takes.
MODULES: dict[str, tuple[str, str | None]] = {
    "selective": ("assay.families.selective.words", "assay.families.selective.figures"),
    "calibration": ("assay.families.calibration.words", "assay.families.calibration.figures"),
    "calibrator": (f"{FAMILIES}.calibrator", None),
    "intervals": ("assay.families.intervals.words", "assay.families.intervals.figures"),
    "sets": ("assay.families.sets.words", "assay.families.sets.figures"),
    "verdicts": ("assay.families.verdicts.words", "assay.families.verdicts.figures"),
    "reasoning": ("assay.families.reasoning.words", "assay.families.reasoning.figures"),
}
"""by kind: where WORDS stands, and where figures are drawn"""


def words_of(artifact: Any) -> Words:
    """Return what tells of an artifact."""
    words: Words = import_module(MODULES[_kind(artifact)][0]).WORDS
    return words


def drawing_of(artifact: Any) -> Callable[[Any], Iterable[Figure]] | None:
    """Return what draws an artifact, if anything does."""
    place = MODULES[_kind(artifact)][1]
    return None if place is None else import_module(place).figures


def _kind(artifact: Any) -> str:
    # Version 1 tells its kind by its class, version 2 in a field.
    return str(getattr(artifact, "kind", artifact.__struct_config__.tag))


def summary(artifact: Any) -> Summary:
    """Say what an artifact holds, in all detail."""
    words = words_of(artifact)
    names, sections = words.names(artifact), words.sections(artifact)
    return Summary(words.title, tuple(names), tuple(sections))
