"""Several confidences at a glance: what they share once, and a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.artifacts import Delta, Pair, Scalar
from assay.report.details import difference_cells, difference_headings, heading, numbers, unswept
from assay.report.numbers import Notes, arrow
from assay.report.systems import Sweep, Systems, sweeps
from assay.report.view import Block, Cell, Facts, Grid, Row
from assay.showing import counted

__all__ = ["overview"]

FIRST = ("aurc", "augrc", "eaurc", "error_auroc")
"""Numbers to show before the others, which follow in the order of the artifact."""
MOST = 4

Own = Mapping[str, Mapping[str, Scalar]]
"""confidence -> label -> number, of one system"""


def overview(seen: Systems, notes: Notes) -> list[Block]:
    """Show every confidence in one row, per system and per pair."""
    labels = _common_labels(seen)
    shared = [label for label in labels if _alike(seen, label)]
    own = sorted((label for label in labels if label not in shared), key=_place)
    sides = next(iter(seen.confidences.values()))
    sample = next(iter(sides.values()))
    # An operating point that was asked for is shown, whatever else there is room for.
    first = [*own[:MOST], *(each for each in own[MOST:] if "threshold" in sample[each].options)]
    blocks: list[Block] = []
    if shared:
        blocks.append(numbers(seen, sides, shared, notes, "Under every confidence"))
    for side, name in enumerate(seen.names):
        system = {each: sides[side] for each, sides in seen.confidences.items() if side in sides}
        blocks += _system(name, system, first, notes)
    blocks += [_differences(seen, pair, [*shared, *first], notes) for pair in seen.pairs]
    rest = counted(len(own) - len(first), "more number")
    more = f"--full shows {rest} per confidence, and all intervals"
    return [*blocks, Facts((("more", more),))]


def _common_labels(seen: Systems) -> list[str]:
    """Return the labels that every system has under every confidence."""
    every = [numbers for sides in seen.confidences.values() for numbers in sides.values()]
    return [label for label in unswept(every[0]) if all(label in each for each in every)]


def _place(label: str) -> int:
    return FIRST.index(label) if label in FIRST else len(FIRST)


def _alike(seen: Systems, label: str) -> bool:
    """Say whether a number reads the same under every confidence."""
    scratch = Notes(resampled=True)
    shown = {
        tuple((side, scratch.scalars([numbers[label]])) for side, numbers in sides.items())
        for sides in seen.confidences.values()
    }
    return len(shown) == 1


def _system(name: str, own: Own, labels: Sequence[str], notes: Notes) -> Iterator[Grid]:
    sample = next(iter(own.values()))
    columns = [notes.scalars([numbers[label] for numbers in own.values()]) for label in labels]
    headings = tuple(heading(sample[label]) for label in labels)
    if labels:
        yield Grid(name, "confidence", headings, _rows(own, zip(*columns, strict=True)))
    for sweep in sweeps(sample):
        for metric in sweep.metrics:
            if sample[f"{metric}@{sweep.points[0]}"].better:
                yield _swept(name, own, sweep, metric, notes)


def _rows(own: Own, cells: Iterator[tuple[Cell, ...]]) -> tuple[Row, ...]:
    return tuple(Row(name, each) for name, each in zip(own, cells, strict=True))


def _swept(name: str, own: Own, sweep: Sweep, metric: str, notes: Notes) -> Grid:
    labels = [f"{metric}@{point}" for point in sweep.points]
    shown = notes.values([numbers[label] for numbers in own.values() for label in labels])
    head = heading(next(iter(own.values()))[labels[0]])
    cells = (shown[first : first + len(labels)] for first in range(0, len(shown), len(labels)))
    return Grid(f"{name}: {head} by {sweep.option}", "confidence", sweep.points, _rows(own, cells))


def _differences(seen: Systems, pair: Pair, labels: Sequence[str], notes: Notes) -> Grid:
    by_name = {name: seen.deltas(pair, name) for name in seen.confidences}
    rows: list[Row] = []
    both = {name: deltas for name, deltas in by_name.items() if deltas}
    fair = [label for label in next(iter(both.values()), {}) if label.endswith("@common")]
    for label in [*labels, *fair] if both else ():
        own = {name: deltas[label] for name, deltas in both.items()}
        rows += _compared(seen, label, own, notes)
    rows += _compared(seen, pair.failure_rate.metric, {"": pair.failure_rate}, notes)
    return Grid(seen.title(pair), "", difference_headings(seen), tuple(rows))


def _compared(seen: Systems, label: str, own: Mapping[str, Delta], notes: Notes) -> Iterator[Row]:
    """Show the difference of a number once if it is the same everywhere, else per confidence."""
    cells = {name: difference_cells(seen, delta, notes) for name, delta in own.items()}
    points = [arrow(delta.better) for delta in own.values()]
    if len(set(cells.values())) == 1:
        yield Row(label, next(iter(cells.values())), arrow=points[0])
        return
    yield Row(label, arrow=points[0])
    for name, each in cells.items():
        yield Row(name, each, indented=True)
