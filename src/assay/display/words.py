"""What a family says about its artifacts: the one thing that views ask of it.

Among it are strips of counts, whose states are never mixed, and operating points of curves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from assay.display.blocks import Line, Section
from assay.display.cases import CaseTable
from assay.display.changes import PLAIN, Look
from assay.display.facts import said
from assay.display.first import First
from assay.display.statement import Statement
from assay.display.wording import count, level
from assay.showing import counted, inert

State = Literal["main", "soft", "bad", "open"]
"""of what is counted: it is evaluated, kept back, failed, or nothing can be said of it"""
SHOWN = ("role", "format", "mode", "run_id", "git_commit", "model", "n_rows", "n_cases")
"""what inputs of any family may say of themselves"""
NAMES = {"run_id": "run", "git_commit": "commit", "n_rows": "rows", "n_cases": "cases"}


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


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read."""

    label: str
    path: str
    details: str
    sha256: str

    @classmethod
    def of(cls, label: str, given: Any) -> Source:
        """Take what an input says of itself."""
        known = [(name, said(given, name)) for name in SHOWN]
        details = [f"{NAMES.get(name, name)} {value}" for name, value in known if value is not None]
        return cls(label, given.path, ", ".join(details), given.sha256 or "not a file")


def sources_of(artifact: Any) -> Iterator[Source]:
    """List the inputs of an artifact."""
    for number, given in enumerate(artifact.inputs):
        yield Source.of(f"input {number}", given)


def system_names(artifact: Any) -> list[str]:
    """Name the systems of an artifact."""
    return [inert(system.name) for system in artifact.systems]


def resampling_lines(artifact: Any) -> Iterator[Line]:
    """Say what resampling depends on."""
    plan = artifact.resampling
    yield "seed", f"{plan.seed}, {plan.stream} stream"
    read = "intervals by kind of number (auto)"
    resampled = (
        f"{count(plan.n_resamples)} of {counted(plan.n_units, 'unit')} ({plan.unit}),"
        f" {level(plan.level)} {read if plan.method == 'auto' else f'{plan.method} intervals'}"
    )
    yield "resamples", resampled if plan.n_resamples else "none"


@dataclass(frozen=True, slots=True)
class Words:
    """How a family tells of an artifact; every function takes the artifact."""

    title: str
    """of the family"""
    sections: Callable[[Any], Iterable[Section]]
    """words and tables by role; everything that the longest view shows"""
    headline: Callable[[Any], Iterable[Statement]]
    """what the numbers mean, in sentences"""
    strips: Callable[[Any], Iterable[Strip]]
    """who and what they are about"""
    first: Callable[[Any], First] | None = None
    """the first screen"""
    names: Callable[[Any], Iterable[str]] = system_names
    """of the systems"""
    look: Look = PLAIN
    """how it speaks of its cases"""
    cases: Callable[[Any], Iterable[CaseTable]] = lambda _: ()
    """further lists of them"""
    operating: Callable[[Any], Operating | None] = lambda _: None
    sources: Callable[[Any], Iterable[Source]] = sources_of
    """files that were read"""
    resampling: Callable[[Any], Iterable[Line]] = resampling_lines
    conventions: Callable[[Any], Mapping[str, object]] = lambda artifact: artifact.conventions
    """every choice on record"""
