"""Items of runs and tables one by one: what every system answered, at what cost, how sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Answer, Case
from assay.families.case_sheet import (
    ABSENT,
    ABSTAINED,
    FAILED,
    Answers,
    CaseSheet,
    finite,
    right_or_wrong,
)
from assay.sources.engine import used_engine
from assay.sources.matching import everyone

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.families.case_sheet import States
    from assay.families.family import Evaluated
    from assay.families.selective.parts import Compared
    from assay.sources.items import ItemTable

COUNTED = "rows were counted, so that none is known by itself"
SEVERAL = "rows stand for several items, which cannot be told apart between systems"
DEPENDENT = "items of one participant are alike"
ALL = "all items"
MOST_CONFIDENCES = 8
MANY_LABELS = 50
"""more are taken for texts of their own"""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One table as it was read: what every row costs, and how sure it is by every confidence."""

    table: ItemTable
    loss: Array
    confidences: Mapping[str, Array]
    """the chosen one first"""


def cases(evaluated: Evaluated, _: Any) -> CaseSheet | str:
    """Lay the items of all systems side by side."""
    context: Compared = evaluated.prepared.context
    found = context.measured()
    counts = [each.table.count for each in found]
    if any(count is not None for count in counts):
        if used_engine()[0] != "memory":
            return COUNTED
        if len(found) > 1:
            return SEVERAL
    names = [named.name for named in evaluated.prepared.systems]
    return _Items(found).sheet(names)


@dataclass(frozen=True, eq=False)
class _Items:
    """The items that one table or more holds, each known by participant and item."""

    found: Sequence[Measured]

    @property
    def tables(self) -> list[ItemTable]:
        """The tables."""
        return [each.table for each in self.found]

    @cached_property
    def participants(self) -> Sequence[Any]:
        """Everyone who was asked, in order."""
        first = self.tables[0]
        alone = all(each.participants == first.participants for each in self.tables)
        if alone and not any(each.failed for each in self.tables):
            return first.participants
        return sorted(set().union(*map(everyone, self.tables)))

    @cached_property
    def items(self) -> list[str]:
        """All items, in the order of the first table, and what stands for all of them."""
        return [*dict.fromkeys(item for table in self.tables for item in table.items), ALL]

    def keys(self, table: ItemTable) -> Indices:
        """Return which item every row of a table is."""
        who, item = table.cluster, table.item
        if table.participants is not self.participants:
            number = {each: place for place, each in enumerate(self.participants)}
            who = np.array([number[each] for each in table.participants], np.int64)[who]
        own = np.array([self.items.index(each) for each in table.items], np.int64)
        return who.astype(np.int64) * len(self.items) + own[item]

    def failed(self) -> dict[int, list[Indices]]:
        """Return, by table, the items of whom it failed on.

        Where every participant was asked the same, so was one whom all tables failed on; else such
        a one is a case as a whole.
        """
        number = {each: place for place, each in enumerate(self.participants)}
        n, known = len(self.items), np.concatenate([self.keys(each) for each in self.tables])
        whole = all((np.bincount(each.cluster, minlength=1) == n - 1).all() for each in self.tables)
        found: dict[int, list[Indices]] = {}
        for place, table in enumerate(self.tables):
            for each in table.failed:
                first = number[each] * n
                asked = known[(known >= first) & (known < first + n)]
                every = np.arange(n - 1) if whole and n > 1 else np.array([n - 1])
                own = np.unique(asked) if asked.size else first + every
                found.setdefault(place, []).append(own)
        return found

    def sheet(self, names: Sequence[str]) -> CaseSheet:
        """Lay out every item once."""
        if len(self.tables) == 1 and not self.tables[0].failed:
            places: list[Indices] = [np.arange(self.tables[0].n_rows)]
            failed, keys = {}, None
        else:
            lost = self.failed()
            own = [self.keys(each) for each in self.tables]
            keys = np.unique(np.concatenate([*own, *(k for each in lost.values() for k in each)]))
            places = [np.searchsorted(keys, each) for each in own]
            failed = {
                place: np.searchsorted(keys, np.concatenate(each)) for place, each in lost.items()
            }
        n = self.tables[0].n_rows if keys is None else keys.size
        laid = [
            _Laid(each, places[number], failed.get(number), n)
            for number, each in enumerate(self.found)
        ]
        count = self.tables[0].count
        # Items on which it failed have no row: each is one.
        size = None if count is None else np.nan_to_num(laid[0].spread(count), nan=1.0)
        independent = self.tables[0].unit == "row"
        return CaseSheet(
            "row" if independent else "item",
            [each.answers(names[number], number) for number, each in enumerate(laid)],
            lambda row: self._case(laid, row, None if keys is None else int(keys[row])),
            size=size,
            dependent=None if independent else DEPENDENT,
        )

    def _case(self, laid: Sequence[_Laid], row: int, key: int | None) -> Case:
        """Name an item by the first table that has it, or by its key where all failed."""
        for each in laid:
            at = each.row_of(row)
            if at is not None:
                return each.case(at)
        who, item = divmod(key or 0, len(self.items))
        named = str(self.participants[who])
        if self.tables[0].unit == "row":
            return Case(id=named, answers=[])
        several = len(self.items) > 2  # noqa: PLR2004 - an item, and what stands for all
        return Case(
            id=f"{named} {self.items[item]}",
            cluster=named,
            item=self.items[item] if several else None,
            answers=[],
        )


@dataclass(frozen=True, eq=False)
class _Laid:
    """One table among the items of all."""

    measured: Measured
    places: Indices
    """of its rows"""
    failed: Indices | None
    n: int

    @cached_property
    def rows(self) -> Indices:
        """The row of every item, -1 where there is none."""
        rows = np.full(self.n, -1, np.int64)
        rows[self.places] = np.arange(self.places.size)
        return rows

    def row_of(self, item: int) -> int | None:
        """Return the row of an item, if there is one."""
        return None if self.rows[item] < 0 else int(self.rows[item])

    def spread(self, column: Array) -> Array:
        """Put a column of the table in the order of the items."""
        found = np.full(self.n, np.nan)
        found[self.places] = column
        return found

    def states(self) -> States:
        """Say what became of every item."""
        table = self.measured.table
        states = np.full(self.n, ABSENT, np.int8)
        own = right_or_wrong(self.measured.loss == 0)
        states[self.places] = np.where(table.answered, own, ABSTAINED)
        if self.failed is not None:
            states[self.failed] = FAILED
        return states

    def answers(self, name: str, number: int) -> Answers:
        """Return what the system made of every item."""
        table = self.measured.table
        confidences = {n: self.spread(of) for n, of in self.measured.confidences.items()}
        free = table.labels is not None and len(table.labels.names) > MANY_LABELS
        sure = next(iter(confidences.values()), None)
        loss = self.spread(np.where(table.answered, self.measured.loss, np.nan))

        def write(item: int) -> Answer:
            row = self.row_of(item)
            if row is None:
                return Answer(state=None)
            others = [*confidences.items()][1:]
            answered = bool(table.answered[row])
            return Answer(
                state=None,
                answer=self.value(table.prediction[row]) if answered else None,
                confidence=None if sure is None else finite(sure[item]),
                loss=finite(loss[item]),
                facts={n: finite(of[item]) for n, of in others if not np.isnan(of[item])},
            )

        return Answers(name, number, self.states(), write, sure, loss, lambda _: free)

    def value(self, code: float) -> str | float | None:
        """Return a prediction or a truth as it was given."""
        table = self.measured.table
        if table.stated_loss is not None:
            return None
        return finite(code) if table.labels is None else table.labels.names[int(code)]

    def case(self, row: int) -> Case:
        """Name a row."""
        table = self.measured.table
        who, item = str(table.participants[table.cluster[row]]), table.items[table.item[row]]
        independent = table.unit == "row"
        return Case(
            id=who if independent else f"{who} {item}",
            cluster=None if independent else who,
            item=item if len(table.items) > 1 else None,
            group=None if table.group is None else table.group[row],
            truth=self.value(table.truth[row]),
            answers=[],
        )
