"""What a selective evaluation has computed, before it is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.artifacts import Group
    from assay.evaluate.options import SelectiveOptions
    from assay.evaluate.scoring import Scored, Side
    from assay.inference import Plan
    from assay.table import Table

__all__ = ["Result", "System"]


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One input, derived: its items under every confidence variant, and its participants."""

    table: Table
    items: Side
    people: Side


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """All that an artifact is made of."""

    tables: Sequence[Table]
    systems: Sequence[System]
    options: SelectiveOptions
    plan: Plan
    items: Scored
    people: Scored
    groups: list[Group]
