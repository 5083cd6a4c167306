"""The two sides of a pair: the same items, with the same truths and counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from assay.errors import ColumnError
from assay.showing import counted
from assay.sources.participants import aligned, everyone, named_input

if TYPE_CHECKING:
    from assay.sources.items import ItemTable, Participant

__all__ = ["LOST", "lost_items", "matched"]

Item: TypeAlias = tuple["Participant", str]
Asked: TypeAlias = Mapping[float | str, float]
"""truth -> how many items of that truth a participant was asked"""
LOST = ("items_left_only", "items_right_only", "items_differing")
"""what the counts of a pair are called"""


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
