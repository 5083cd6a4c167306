"""The families of evaluations, each a package that declares itself as a `Family`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.families.family import Family

__all__ = ["NAMES", "SUMMARIES", "kinds", "named", "of_kind"]

# A new family is its package and one more line here. Packages are imported when they are asked
# for, so that a command waits for its own family only.
SUMMARIES = {
    "selective": "Risk-coverage numbers of runs, with intervals and comparisons.",
    "calibration": "Whether probabilities mean what they say, with intervals and tests.",
    "intervals": "Whether prediction intervals cover what they claim, and how wide they are.",
    "sets": "Whether prediction sets cover what they claim, and how large they are.",
    "verdicts": "What goes wrong where a system judges cases, cites evidence and quotes it.",
    "reasoning": "Whether chains of thought are what answers rest on: gap, steps, silent bias.",
}
"""in one line each, for the list of commands"""
NAMES = SUMMARIES.keys()
EARLIER = {"selective-comparison": "selective"}
"""kinds of artifacts that version 1 had beside, and their families"""


def named(name: str) -> Family:
    """Return what a family declares."""
    family: Family = import_module(f"assay.families.{name}").FAMILY
    return family


def kinds() -> dict[str, str]:
    """Return every kind of artifact, of earlier versions too, and the family it is of."""
    return {**{name: name for name in NAMES}, **EARLIER}


def of_kind(kind: str) -> Family:
    """Return the family that an artifact is of."""
    return named(kinds()[kind])
