"""Operating points: thresholds of curves to choose from, and what each leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Choice", "Operating", "Point"]


@dataclass(frozen=True, slots=True)
class Point:
    """One threshold and what it leads to."""

    threshold: str
    command: str
    """how the command that reports this operating point ends"""
    coverage: str
    risk: str
    generalized: str
    accepted: str
    handed: str
    """how many items a person decides"""
    at: dict[str, Any]
    """coverage and risk as numbers, for the figure"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A curve to choose an operating point on."""

    label: str
    points: tuple[Point, ...]
    first: int
    """the point to begin with"""
    command: str = ""
    """what all commands of its points begin with"""


@dataclass(frozen=True, slots=True)
class Operating:
    """All curves of an artifact."""

    choices: tuple[Choice, ...]
    level: str
    unit: str
    note: str
