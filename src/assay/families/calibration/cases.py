"""Rows of forecasts one by one: what was stated, what came true, how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Answer, Case
from assay.families.case_sheet import ABSENT, RIGHT, WRONG, Answers, CaseSheet, finite
from assay.sources.row_tables import chosen, places

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.families.calibration.inputs import Read
    from assay.families.family import Evaluated
    from assay.sources.forecasts import Forecast, Forecasts

HALF = 0.5
DEPENDENT = "rows of one cluster are alike"


def cases(evaluated: Evaluated, _: Any) -> CaseSheet:
    """Lay the rows of all inputs side by side, as they are paired."""
    read: Read = evaluated.prepared.context
    inputs = read.asked
    keys = _every(inputs)
    rows = [_rows(given, keys) for given in inputs]
    names = [named.name for named in evaluated.prepared.systems]
    systems = [(place, own) for place, given in enumerate(inputs) for own in given.systems]

    def identify(case: int) -> Case:
        place = next(place for place, own in enumerate(rows) if own[case] >= 0)
        given, row = inputs[place], int(rows[place][case])
        named, cluster = given.identify(row)
        groups = given.groups
        return Case(
            id=named,
            cluster=cluster,
            group=None if groups is None else groups.names[groups.code[row]],
            truth=_truth(given, row),
            answers=[],
        )

    sides = [
        _side((number, names[number]), inputs[place], own, keys)
        for number, (place, own) in enumerate(systems)
    ]
    dependent = DEPENDENT if inputs[0].clustered else None
    unit = "item" if inputs[0].outcome.of_answers else "row"
    return CaseSheet(unit, sides, identify, dependent=dependent)


def _every(inputs: Sequence[Forecasts]) -> Indices:
    """Return the rows of all inputs in their order, without a sort where they are one input's."""
    first: Indices = inputs[0].key
    alike = all(np.array_equal(given.key, first) for given in inputs[1:])
    if alike and (first[1:] > first[:-1]).all():
        return first
    return np.unique(np.concatenate([given.key for given in inputs]))


def _rows(given: Forecasts, keys: Indices) -> Indices:
    """Return the row of every case, -1 where an input has none."""
    rows = np.full(keys.size, -1, np.int64)
    rows[_at(given.key, keys)] = places(given.key.size)
    return rows


def _at(key: Indices, keys: Indices) -> Indices:
    """Return which case each row is."""
    return places(key.size) if np.array_equal(key, keys) else np.searchsorted(keys, key)


def _truth(given: Forecasts, row: int) -> str | float | None:
    classes, truth = given.outcome.classes, given.truth[row]
    if classes:
        return str(classes[int(truth)])
    return truth if isinstance(truth, str) else finite(float(truth))


def _side(named: tuple[int, str], given: Forecasts, own: Forecast, keys: Indices) -> Answers:
    stated, true = own.columns["probability"], own.columns["correct"]
    at, n = _at(chosen(given.key, own.rows), keys), keys.size
    state, rows = np.full(n, ABSENT, np.int8), np.full(n, -1, np.int64)
    state[at] = np.where(_right(given, own), RIGHT, WRONG)
    rows[at] = places(at.size)
    sure = stated if _names_answer(given) else np.abs(stated - HALF)
    return Answers(
        named[1],
        named[0],
        state,
        lambda case: _answer(given, own, int(rows[case])),
        sure=_spread(sure, at, n),
        loss=_spread((stated - true) ** 2, at, n),
    )


def _names_answer(given: Forecasts) -> bool:
    """Say whether a probability is about the answer, not about an outcome."""
    return bool(given.outcome.classes) or given.outcome.of_answers


def _right(given: Forecasts, own: Forecast) -> Any:
    """Return which answers are right; a probability is on the side that it finds more likely."""
    true = own.columns["correct"] == 1
    if _names_answer(given):
        return true
    stated = own.columns["probability"]
    return np.where(true, stated > HALF, stated < HALF)


def _answer(given: Forecasts, own: Forecast, row: int) -> Answer:
    stated, true = (float(own.columns[name][row]) for name in ("probability", "correct"))
    answer: str | float | None = None if given.outcome.of_answers else stated
    if given.outcome.classes:
        answer = str(given.outcome.classes[int(own.columns["probabilities"][row].argmax())])
    return Answer(
        state=None, answer=answer, confidence=finite(stated), loss=finite((stated - true) ** 2)
    )


def _spread(values: Array, places: Indices, n: int) -> Array:
    found = np.full(n, np.nan)
    found[places] = values
    return found
