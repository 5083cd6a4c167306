"""What a selective evaluation has computed, before it is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.artifacts import Group
    from assay.evaluate.options import SelectiveOptions
    from assay.evaluate.scoring import Scored, Side
    from assay.inference import Plan
    from assay.sources.items import ItemTable

__all__ = ["Result", "System", "plan_of_items"]


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One input, derived: its items under every confidence variant, and its participants."""

    table: ItemTable
    items: Side
    people: Side


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """All that an artifact is made of."""

    tables: Sequence[ItemTable]
    systems: Sequence[System]
    options: SelectiveOptions
    plan: Plan
    items: Scored
    people: Scored
    groups: list[Group]

    @property
    def item_plan(self) -> Plan:
        """How intervals of items are read: an earlier program keeps those without width."""
        return plan_of_items(self.plan, self.options)


def plan_of_items(plan: Plan, options: SelectiveOptions) -> Plan:
    """Read intervals of items as the options say."""
    return replace(plan, without_width="keep" if options.undefined == "reference" else "null")
