"""Tables side by side: which participants every number is computed on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.errors import ColumnError, UsageError

if TYPE_CHECKING:
    from assay.sources.items import ItemTable, Participant

__all__ = ["OVERLAP", "aligned", "everyone", "named_input", "overlap"]

OVERLAP = (
    *("participants_left_only", "participants_right_only", "overlap_total", "overlap_included"),
    *("failed_left", "failed_right"),
)
"""what the counts of a pair are called"""


def everyone(table: ItemTable) -> set[Participant]:
    """Return all participants of a table, whatever became of them."""
    return {*table.participants, *table.failed, *table.unscored}


def overlap(left: ItemTable, right: ItemTable) -> dict[str, int]:
    """Count the participants of two tables; those who failed are counted among the shared."""
    ids_left, ids_right = everyone(left), everyone(right)
    shared = ids_left & ids_right
    counts = (
        len(ids_left - ids_right),
        len(ids_right - ids_left),
        len(shared),
        len(set(left.participants) & set(right.participants)),
        len(shared.intersection(left.failed)),
        len(shared.intersection(right.failed)),
    )
    return dict(zip(OVERLAP, counts, strict=True))


def aligned(tables: Sequence[ItemTable], *, intersection_only: bool) -> list[ItemTable]:
    """Restrict tables to the participants that succeeded in all of them.

    The tables must be about the same participants, failed ones included, unless the intersection
    is asked for.
    """
    if not tables:
        msg = "there is no table to evaluate"
        raise UsageError(msg)
    first = tables[0]
    for other in tables[1:]:
        _check_units(first, other)
        if not intersection_only:
            _check_same(first, other)
    shared = set(first.participants).intersection(*(table.participants for table in tables))
    if len(tables) > 1 and not shared:
        raise _nobody(tables)
    return [table.select(shared) if len(tables) > 1 else table for table in tables]


def _nobody(tables: Sequence[ItemTable]) -> ColumnError:
    """Say that nobody is left to compare on, and by which input."""
    for table in tables:
        if not table.participants:
            failed, all_of = len(table.failed), len(everyone(table))
            msg = (
                f"no participant of {named_input(table)} is included: of {all_of} it failed on"
                f" {failed}"
            )
            hint = "evaluate it alone, and compare the other inputs with each other"
            return ColumnError(msg, hint=hint)
    msg = f"no participant is included in all of {_paths(tables)}"
    return ColumnError(msg, hint="paired numbers need participants that all inputs succeeded on")


def _paths(tables: Sequence[ItemTable]) -> str:
    return ", ".join(named_input(table) for table in tables)


def named_input(table: ItemTable) -> str:
    """Name a table in a message: its path, and which experiment of the file it is."""
    mode = table.source.mode
    return table.source.path if mode is None else f"{table.source.path} ({mode})"


def _check_units(left: ItemTable, right: ItemTable) -> None:
    if left.unit != right.unit:
        without, other = (left, right) if left.unit == "row" else (right, left)
        msg = f"{named_input(without)} has no participants, and {named_input(other)} has"
        hint = "rows are compared with rows, participants with participants: name `participant`"
        raise ColumnError(msg, hint=hint)


def _check_same(left: ItemTable, right: ItemTable) -> None:
    ids_left, ids_right = everyone(left), everyone(right)
    if ids_left == ids_right:
        return
    parts = [
        f"{len(extra)} only in {named_input(table)} (such as {min(map(str, extra))})"
        for table, extra in ((left, ids_left - ids_right), (right, ids_right - ids_left))
        if extra
    ]
    msg = f"the inputs are about different participants: {', '.join(parts)}"
    raise ColumnError(msg, hint="`intersection_only` compares the participants they share")
