"""The same numbers group by group, where a table says which group a row belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assay.artifacts import Group
from assay.evaluate.scalars import scalar
from assay.evaluate.scoring import Side, scored

if TYPE_CHECKING:
    from assay.inference import Plan
    from assay.table import Table

__all__ = ["group_records", "of_group"]


def of_group(table: Table, label: str) -> Table:
    """Keep the rows of one group, and the participants who have such rows."""
    rows = np.flatnonzero(np.array(table.group) == label)
    included, cluster = np.unique(table.cluster[rows], return_inverse=True)
    participants = tuple(table.participants[each] for each in included)
    return replace(table.take(rows), participants=participants, cluster=cluster)


def group_records(
    tables: Sequence[Table], derived: Callable[[Table], Side], plan: Plan
) -> list[Group]:
    """Score every group of every table that has groups, on resamples of its own participants."""
    return [
        _record(number, label, of_group(table, label), derived, plan)
        for number, table in enumerate(tables)
        for label in sorted(set(table.group or ()))
    ]


def _record(
    number: int, label: str, table: Table, derived: Callable[[Table], Side], plan: Plan
) -> Group:
    side = derived(table)
    numbers = scored([side], plan)
    size = np.ones(table.n_rows) if table.count is None else table.count
    return Group(
        input=number,
        label=label,
        participants=len(table.participants),
        items_total=int(size.sum()),
        items_predicted=int(size[table.answered].sum()),
        confidence_variants={
            name: {each: scalar(numbers, (0, name, each), plan) for each in numbers.labels(0, name)}
            for name in side.variants
        },
    )
