"""What a family says about its cases: what became of each on every side, and how it looks.

A side is a system, or a system in one of its modes. States, losses and confidences are columns, so
that which cases matter is found without looking at each; only those that are kept are written down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from assay.artifact import STATES, Answer, Case, Number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array

    States: TypeAlias = NDArray[np.int8]

RIGHT, WRONG, ABSTAINED, FAILED = range(len(STATES))
UNSCORED, ABSENT = -1, -2
"""a case without a truth, and one that the side was not asked"""
LONGEST = 300
"""characters of a text that are kept"""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What one side made of every case."""

    name: str
    system: int
    state: States
    write: Callable[[int], Answer]
    """of a case by its place; its state and whether texts are kept are seen to elsewhere"""
    sure: Array | None = None
    """errors are shown the surest first, where this is known"""
    loss: Array | None = None
    free: Callable[[int], bool] = lambda _: False
    """whether the answer to a case is a text of its own, not a number or one of a few labels"""


@dataclass(frozen=True, slots=True, eq=False)
class CaseSheet:
    """All cases of an evaluation, in their order."""

    unit: str
    sides: Sequence[Answers]
    identify: Callable[[int], Case]
    """a case by its place, without answers"""
    size: Array | None = None
    """how many each stands for; None: one"""
    dependent: str | None = None
    """why a test that takes cases as independent has no value, where that is so"""
    within: Sequence[tuple[int, int]] = ()
    """sides of one system that are compared"""
    compared: Mapping[int, int] = field(default_factory=dict)
    """the side of each system that pairs are about, where it is not its only one"""
    free: Callable[[int], bool] = lambda _: False
    """whether the truth of a case is a text of its own"""

    @property
    def n(self) -> int:
        """How many rows there are."""
        return int(self.sides[0].state.size)

    def side_of(self, system: int) -> int:
        """Return the side that stands for a system."""
        own = [place for place, each in enumerate(self.sides) if each.system == system]
        return self.compared.get(system, own[0])


def right_or_wrong(right: NDArray[np.bool_]) -> States:
    """Return the states of cases that were all answered."""
    return np.where(right, RIGHT, WRONG).astype(np.int8)


def finite(value: float | None) -> Number:
    """Return a number that can be written down, or None."""
    return float(value) if value is not None and isfinite(value) else None


def cut(text: str, most: int = LONGEST) -> str:
    """Return the start of a text, told apart from a whole one."""
    return text if len(text) <= most else f"{text[:most]}..."
