"""Who and what the numbers are about, as strips of counts: the states are never mixed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.display.wording import count

__all__ = ["Part", "Strip", "strip"]

State = Literal["main", "soft", "bad", "open"]
"""of what is counted: it is evaluated, kept back, failed, or nothing can be said of it"""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a strip."""

    label: str
    count: str
    start: int
    length: int
    """in counts, from the left end of the strip"""
    tone: State


@dataclass(frozen=True, slots=True)
class Strip:
    """Counts that add up to a whole, side by side."""

    label: str
    whole: int
    parts: tuple[Part, ...]


def strip(label: str, *counts: tuple[str, int, State]) -> Strip:
    """Put counts side by side."""
    parts: list[Part] = []
    start = 0
    for name, number, state in counts:
        parts.append(Part(name, count(number), start, number, state))
        start += number
    return Strip(label, start, tuple(parts))
