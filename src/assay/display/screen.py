"""What first screens are put together from in every family: words, the table, the pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.artifact import Delta, Scalar
from assay.display.blocks import Cell, Grid, Row
from assay.display.first import (
    Drawing,
    Form,
    Measure,
    Phrase,
    Table,
    against_first,
    difference_entry,
    difference_row,
    levelled,
    span,
    table,
    written,
)
from assay.display.svg.rows import Lane
from assay.showing import counted, inert

SEVERAL = 3
"""systems: two have a row of their own for it, more a leaderboard"""
SPACE = "\N{NO-BREAK SPACE}"
"""before the unit, which the column says"""
PERCENT = f"{SPACE}%"
Unlike = Callable[[Mapping[str, Delta]], Mapping[str, str]]
Entered = tuple[str, tuple[tuple[Phrase, ...], ...], Sequence[Scalar]]
"""a system of the table: name, counts, numbers"""


def units_of(artifact: Any) -> str:
    """Say how many units are resampled."""
    return counted(artifact.resampling.n_units, inert(artifact.resampling.unit))


def intervals_on(artifact: Any, otherwise: str = "no intervals: no resamples") -> str:
    """Say what intervals are, or why there are none."""
    plan = artifact.resampling
    told = f"{levelled(plan.level)} intervals, {inert(plan.unit)}s resampled"
    return told if plan.n_resamples else otherwise


def would_show(units: str, difference: str) -> str:
    """Say which difference could have been seen."""
    return f" With {units}, a difference of {difference} would have shown 8 times in 10."


def all_against_first(
    artifact: Any, names: Sequence[str], variant: str, label: str, form: Form
) -> list[Phrase]:
    """Say which of several systems are better or worse than the first in a number."""
    deltas = [pair.deltas.get(variant, {}).get(label) for pair in artifact.pairs]
    ordered = [names[0], *(names[pair.right] for pair in artifact.pairs)]
    return against_first(ordered, deltas, form)


def systems_table(
    artifact: Any,
    measures: Sequence[Measure],
    systems: Sequence[Entered],
    pair: tuple[Mapping[str, Delta], str] | None = None,
    variant: str = "",
    unlike: Unlike = lambda _: {},
) -> Table:
    """Put systems in rows; of a pair its differences, and what they are over, in one more.

    What is not compared, for one side is unlike the other, stands in `unlike` with the reason.
    """
    difference = None
    if pair is not None:
        deltas, note = pair
        names = (systems[0][0], systems[1][0])
        own = [deltas.get(each.label) for each in measures]
        difference = difference_row(names, note, own, measures, unlike(deltas))
    of = table("system", measures, systems, difference)
    return _minus_first(of, measures, artifact, variant, unlike)


def _minus_first(
    of: Table, measures: Sequence[Measure], artifact: Any, variant: str, unlike: Unlike
) -> Table:
    """Write below numbers what they are more than those of the first."""
    if len(of.rows) != SEVERAL or not artifact.pairs:
        return of
    rows = [*of.rows]
    for pair in (each for each in artifact.pairs if each.left == 0):
        deltas = pair.deltas.get(variant, {})
        why, row = unlike(deltas), rows[pair.right]
        entries = [*row.entries]
        for at, measure in enumerate(measures):
            delta = deltas.get(measure.label)
            # Where the sign is the message, the word beside it is that of the number itself.
            known = delta is not None and delta.delta is not None
            if not known or measure.signed or entries[at].word or entries[at].note:
                continue
            sides = (rows[0].name, row.name)
            told = difference_entry(delta, measure, unlike=why.get(measure.label, ""), sides=sides)
            apart = told.mark == "apart"
            word = told.word if apart else f"{told.word}, {told.text.partition(SPACE)[0]}"
            note = told.note if apart else told.interval or told.note
            entries[at] = replace(entries[at], mark=told.mark, word=word, note=note)
        rows[pair.right] = replace(row, entries=tuple(entries))
    return replace(of, rows=tuple(rows), corner=f"{of.corner}; words: against {rows[0].name}")


def pictured(draw: Callable[..., str], heading: str, note: str, grid: Grid) -> Drawing:
    """Draw a figure wide and narrow."""
    wide, narrow = (draw(wide=size) for size in (True, False))
    return Drawing(heading, note, wide, narrow, grid)


def lanes_grid(
    title: str, heads: tuple[str, str], drawn: Sequence[Lane], form: Form, *, signed: bool = False
) -> Grid:
    """Write down what stands in the lanes of a figure, each number with its interval."""
    unit = PERCENT if form == "percent" else ""
    rows = []
    for lane in drawn:
        cells = tuple(
            Cell(
                f"{written(each.value, form, 1, signed=signed)}{unit}",
                span(each.ends, form, 1, signed=signed),
            )
            for each in lane.held
        )
        rows.append(Row(lane.label, cells, indented=bool(cells)))
    return Grid(title, heads[0], (heads[1],), tuple(rows))
