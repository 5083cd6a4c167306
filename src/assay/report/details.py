"""All numbers under one confidence: values, sweeps, differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.artifacts import Delta, Pair, Scalar
from assay.report.numbers import Notes, arrow
from assay.report.systems import Sides, Sweep, Systems, sweeps
from assay.report.view import Cell, Grid, Row

__all__ = ["difference_cells", "difference_headings", "everything", "heading", "numbers", "unswept"]


def everything(seen: Systems, confidence: str, notes: Notes) -> list[Grid]:
    """Show all that is known under one confidence."""
    sides = seen.confidences[confidence]
    sample = next(iter(sides.values()))
    return [
        numbers(seen, sides, unswept(sample), notes, _about("Confidence", confidence)),
        *(_sweep(seen, sides, each, notes) for each in sweeps(sample)),
        *(_differences(seen, pair, confidence, notes) for pair in seen.pairs),
    ]


def _about(word: str, name: str) -> str:
    """Say which confidence, without saying its name twice."""
    return word if name == word.lower() else f"{word} {name}"


def unswept(numbers: Mapping[str, Scalar]) -> list[str]:
    """Return the labels of numbers that belong to no sweep."""
    swept = {metric for sweep in sweeps(numbers) for metric in sweep.metrics}
    return [label for label, number in numbers.items() if number.metric not in swept]


def numbers(seen: Systems, sides: Sides, labels: Iterable[str], notes: Notes, title: str) -> Grid:
    """Show numbers as rows, systems as columns."""
    sample = next(iter(sides.values()))
    rows = [
        Row(
            label,
            notes.scalars([side[label] for side in sides.values()]),
            arrow=arrow(sample[label].better),
        )
        for label in labels
    ]
    return Grid(title, "", tuple(seen.names[side] for side in sides), tuple(rows))


def heading(number: Scalar) -> str:
    """Head a column of numbers."""
    return f"{number.metric} {arrow(number.better)}".strip()


def _sweep(seen: Systems, sides: Sides, sweep: Sweep, notes: Notes) -> Grid:
    """Show the values of an option as rows; a number that has no better side has no interval."""
    first = next(iter(sides.values()))
    sample = {metric: first[f"{metric}@{sweep.points[0]}"] for metric in sweep.metrics}
    metrics = sorted(sweep.metrics, key=lambda metric: sample[metric].better is not None)
    several = len(seen.names) > 1
    headings, columns = [], []
    for side, numbers in sides.items():
        for metric in metrics:
            column = [numbers[f"{metric}@{point}"] for point in sweep.points]
            show = notes.values if sample[metric].better is None else notes.scalars
            columns.append(show(column))
            head = heading(sample[metric])
            headings.append(f"{seen.names[side]}\n{head}" if several else head)
    rows = [
        Row(at, cells) for at, cells in zip(sweep.points, zip(*columns, strict=True), strict=True)
    ]
    return Grid(sample[metrics[-1]].title, sweep.option, tuple(headings), tuple(rows))


def _differences(seen: Systems, pair: Pair, confidence: str, notes: Notes) -> Grid:
    deltas = {**seen.deltas(pair, confidence), pair.failure_rate.metric: pair.failure_rate}
    rows = [
        Row(label, difference_cells(seen, delta, notes), arrow=arrow(delta.better))
        for label, delta in deltas.items()
        if delta.better or label == delta.metric
    ]
    title = f"{seen.title(pair)}, {_about('confidence', confidence)}"
    return Grid(title, "", difference_headings(seen), tuple(rows))


def difference_headings(seen: Systems) -> tuple[str, ...]:
    """Head the cells of a difference."""
    return ("difference", "p", *(["p (Holm)"] * (len(seen.pairs) > 1)), "")


def difference_cells(seen: Systems, delta: Delta, notes: Notes) -> tuple[Cell, ...]:
    """Show a difference, its p-values, and what it means."""
    corrected = [notes.p_value(delta.p_holm)] * (len(seen.pairs) > 1)
    return notes.delta(delta), notes.p_value(delta.p_value), *corrected, notes.reading(delta)
