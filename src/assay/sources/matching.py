"""Tables side by side: the same participants, the same items with the same truths and counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from assay.errors import ColumnError, UsageError
from assay.showing import counted

if TYPE_CHECKING:
    from assay.sources.items import ItemTable
    from assay.sources.names import Participant

OVERLAP = (
    *("participants_left_only", "participants_right_only", "overlap_total", "overlap_included"),
    *("failed_left", "failed_right"),
)
"""what the counts of the participants of a pair are called"""
LOST = ("items_left_only", "items_right_only", "items_differing")
"""what those of its items are called"""


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


Item: TypeAlias = tuple["Participant", str]
Asked: TypeAlias = Mapping[float | str, float]
"""truth -> how many items of that truth a participant was asked"""


def matched(tables: Sequence[ItemTable], *, intersection_only: bool) -> list[ItemTable]:
    """Restrict tables to the participants that succeeded in all of them, on the same items.

    What one table asked and another did not, or with another truth or count, is refused; where the
    intersection is asked for, it leaves all of them.
    """
    found = aligned(tables, intersection_only=intersection_only)
    for other in tables[1:]:
        _check_places(tables[0], other)
    asked = _without_failures(tables)
    first, *others = asked
    if all(_same(first, other) for other in others):
        return found
    for other in others:
        if not intersection_only or first.by_place or other.by_place:
            _check_items(first, other)
    return _cut(asked)


def lost_items(left: ItemTable, right: ItemTable) -> dict[str, int]:
    """Count the items of participants whom both succeeded on that are not the same in both."""
    one, other = (_keyed(each) for each in _without_failures([left, right]))
    differing = sum(one[key] != other[key] for key in one.keys() & other.keys())
    counts = len(one.keys() - other.keys()), len(other.keys() - one.keys()), differing
    return dict(zip(LOST, counts, strict=True))


def _without_failures(tables: Sequence[ItemTable]) -> list[ItemTable]:
    """Keep whom all tables have and none failed on, also where one of them has no truth."""
    wanted = set.intersection(*map(everyone, tables))
    wanted.difference_update(chain(*(table.failed for table in tables)))
    return [table.select(wanted.intersection(table.participants)) for table in tables]


def _same(left: ItemTable, right: ItemTable) -> bool:
    plain = left.labels is None and right.labels is None
    if plain and (left.participants, left.items) == (right.participants, right.items):
        columns = ("cluster", "item", "truth", "count")
        both = [(getattr(left, each), getattr(right, each)) for each in columns]
        if all(np.array_equal(*each) for each in both if each[0] is not each[1]):
            return True
    return _keyed(left) == _keyed(right)


def _keyed(table: ItemTable) -> dict[Item, Asked]:
    """Return what every participant was asked, item by item."""
    truths: list[float | str] = table.truth.tolist()
    if table.labels is not None:
        truths = [table.labels.names[int(code)] for code in table.truth]
    counts = [1.0] * table.n_rows if table.count is None else table.count.tolist()
    found: dict[Item, dict[float | str, float]] = defaultdict(lambda: defaultdict(float))
    for key, truth, count in zip(_keys(table), truths, counts, strict=True):
        found[key][truth] += count
    return {**found}


def _keys(table: ItemTable) -> list[Item]:
    who = [table.participants[each] for each in table.cluster]
    return [*zip(who, (table.items[each] for each in table.item), strict=True)]


def _check_places(left: ItemTable, right: ItemTable) -> None:
    """Refuse rows that are known by their place where one table has more of them."""
    sizes = [len(everyone(table)) for table in (left, right)]
    unnamed = left.unit == "row" and (left.by_place or right.by_place)
    if unnamed and sizes[0] != sizes[1]:
        msg = (
            f"{named_input(left)} has {counted(sizes[0], 'row')} and {named_input(right)} has"
            f" {sizes[1]}, and rows without names are compared by their place"
        )
        raise ColumnError(msg, hint="name the column that tells rows apart as `item`")


def _check_items(left: ItemTable, right: ItemTable) -> None:
    one, other = _keyed(left), _keyed(right)
    for key in dict.fromkeys([*one, *other]):
        if one.get(key) != other.get(key):
            who, item = key
            msg = (
                f"{named_input(right)}: {right.unit} {who}, item {item} has"
                f" {_told(right, other.get(key))}, and {named_input(left)} has"
                f" {_told(left, one.get(key))}"
            )
            raise ColumnError(msg, hint=_hint(left, right))


def _hint(left: ItemTable, right: ItemTable) -> str:
    if left.by_place or right.by_place:
        return "items without names are compared by their place: name the column `item`"
    return "both sides need the same items, truths and counts; `intersection_only` compares those"


def _told(table: ItemTable, asked: Asked | None) -> str:
    if asked is None:
        return "no row with a truth" if table.stated_loss is None else "no row"
    return " and ".join(_truth(table, *each) for each in sorted(asked.items(), key=str))


def _truth(table: ItemTable, truth: float | str, count: float) -> str:
    spelled = f"{truth:g}" if isinstance(truth, float) else repr(truth)
    what = f"the truth {spelled}" if table.stated_loss is None else "a loss"
    return what if count == 1 else f"{what} {count:g} times"


def _cut(tables: Sequence[ItemTable]) -> list[ItemTable]:
    first, *others = map(_keyed, tables)
    kept = {key for key, own in first.items() if all(each.get(key) == own for each in others)}
    if not kept:
        named = ", ".join(map(named_input, tables))
        msg = f"no item has the same truth and count in all of {named}"
        raise ColumnError(msg, hint="a pair needs items that both sides were asked")
    return [table.only(np.flatnonzero([key in kept for key in _keys(table)])) for table in tables]
