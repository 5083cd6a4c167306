"""Three systems in a table: what each has more than the first, below its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.artifact import Delta
from assay.display.first import Measure, Table, difference_entry

__all__ = ["minus_first"]

SEVERAL = 3
"""systems: two have a row of their own for it, more a leaderboard"""
SPACE = "\N{NO-BREAK SPACE}"
"""before the unit, which the column says"""
Unlike = Callable[[Mapping[str, Delta]], Mapping[str, str]]


def minus_first(
    of: Table,
    measures: Sequence[Measure],
    artifact: Any,
    variant: str,
    unlike: Unlike = lambda _: {},
) -> Table:
    """Write below numbers what they are more than those of the first; `unlike` as in a row."""
    if len(of.rows) != SEVERAL or not artifact.pairs:
        return of
    rows = [*of.rows]
    for pair in (each for each in artifact.pairs if each.left == 0):
        deltas = pair.deltas.get(variant, {})
        why, row = unlike(deltas), rows[pair.right]
        entries = [*row.entries]
        for at, measure in enumerate(measures):
            delta = deltas.get(measure.label)
            if delta is None or delta.delta is None or entries[at].word or entries[at].note:
                continue
            sides = (rows[0].name, row.name)
            told = difference_entry(delta, measure, unlike=why.get(measure.label, ""), sides=sides)
            apart = told.mark == "apart"
            word = told.word if apart else f"{told.word}, {told.text.partition(SPACE)[0]}"
            note = told.note if apart else told.interval or told.note
            entries[at] = replace(entries[at], mark=told.mark, word=word, note=note)
        rows[pair.right] = replace(row, entries=tuple(entries))
    return replace(of, rows=tuple(rows), corner=f"{of.corner}; words: against {rows[0].name}")
