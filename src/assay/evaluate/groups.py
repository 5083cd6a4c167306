"""The same numbers group by group, where a table says which group a row belongs to.

Every group is scored on resamples of its own clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assay.artifacts import Group, Scalar
from assay.evaluate.scalars import scalar
from assay.evaluate.scoring import Side, scored

if TYPE_CHECKING:
    from assay.inference import Plan
    from assay.sources.items import ItemTable

__all__ = ["group_records", "of_group"]


def side_scalars(side: Side, plan: Plan) -> dict[str, dict[str, Scalar]]:
    """Write down all numbers of one system on its own, by variant."""
    numbers = scored([side], plan)
    return {
        name: {each: scalar(numbers, (0, name, each), plan) for each in numbers.labels(0, name)}
        for name in side.variants
    }


def of_group(table: ItemTable, label: str) -> ItemTable:
    """Keep the rows of one group, and the participants who have such rows."""
    rows = np.flatnonzero(np.array(table.group) == label)
    included, cluster = np.unique(table.cluster[rows], return_inverse=True)
    participants = tuple(table.participants[each] for each in included)
    return replace(table.take(rows), participants=participants, cluster=cluster)


def group_records(
    tables: Sequence[ItemTable], derived: Callable[[ItemTable, ItemTable], Side], plan: Plan
) -> list[Group]:
    """Score every group of every table that has groups, on resamples of its own participants.

    `derived` takes a group and the whole table: groups have the confidences of the whole.
    """
    return [
        _record(number, label, table, derived, plan)
        for number, table in enumerate(tables)
        for label in sorted(set(table.group or ()))
    ]


def _record(
    number: int,
    label: str,
    whole: ItemTable,
    derived: Callable[[ItemTable, ItemTable], Side],
    plan: Plan,
) -> Group:
    part = of_group(whole, label)
    size = np.ones(part.n_rows) if part.count is None else part.count
    return Group(
        input=number,
        label=label,
        participants=len(part.participants),
        items_total=int(size.sum()),
        items_predicted=int(size[part.answered].sum()),
        confidence_variants=side_scalars(derived(part, whole), plan),
    )
