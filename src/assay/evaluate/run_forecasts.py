"""A run seen as forecasts: a confidence in [0, 1] is the probability of being right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.derive.confidence import Missing, confidence_column, known_names
from assay.derive.losses import losses
from assay.errors import AssayError, ColumnError, UsageError
from assay.evaluate.forecasts import Forecast, Forecasts

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.derive.variants import Calibration
    from assay.sources.items import ItemTable

__all__ = ["run_forecasts"]


@dataclass(frozen=True, slots=True)
class _How:
    missing: Missing
    calibration: Calibration | None


def run_forecasts(
    table: ItemTable,
    confidences: Sequence[str],
    *,
    missing: Missing = "error",
    calibration: Calibration | None = None,
) -> Forecasts:
    """Take every confidence of the answered items as the probability that the answer is right."""
    rows = np.flatnonzero(table.answered)
    how = _How(missing, calibration)
    if not rows.size:
        msg = f"{table.source.path} has no answered items, so there is nothing to calibrate"
        raise ColumnError(msg, hint="abstentions state no probability")
    if not confidences:
        msg = f"{table.source.path} is a run, and no confidence was chosen"
        raise UsageError(msg, hint=_choice(table, how))
    wrong = losses("zero_one", table.prediction, table.truth, scale=table.scale)
    correct = (wrong[rows] == 0).astype(np.float64)
    if np.unique(correct).size == 1:
        word = "right" if correct[0] else "wrong"
        msg = f"{table.source.path}: every answer is {word} ({rows.size:,})"
        raise ColumnError(msg, hint="calibration is about outcomes that differ: both must occur")
    systems = tuple(
        Forecast(name, (name,), {"correct": correct, "probability": _stated(table, name, how)})
        for name in confidences
    )
    return Forecasts(
        source=table.source,
        systems=systems,
        cluster=table.cluster[rows],
        clusters=table.participants,
        unit="participant",
        outcome="the answer is right (error 0), on answered items",
        n_read=table.n_rows + table.n_unscored,
        n_unscored=table.n_unscored,
        n_abstained=table.n_rows - rows.size,
    )


def _stated(table: ItemTable, name: str, how: _How) -> Array:
    values = _confidence(table, name, how)[table.answered]
    outside = (values < 0) | (values > 1)
    if outside.any():
        msg = (
            f"{table.source.path}: the confidence {name} is no probability: it is"
            f" {values[outside][0]:g} on an answered item ({int(outside.sum())} of {values.size}"
            " are outside [0, 1])"
        )
        raise ColumnError(msg, hint=_choice(table, how))
    return values


def _confidence(table: ItemTable, name: str, how: _How) -> Array:
    return confidence_column(
        name,
        table.signals,
        table.answered,
        missing=how.missing,
        calibration=how.calibration,
        where=table.place,
        source=table.source.path,
    )


def _choice(table: ItemTable, how: _How) -> str:
    usable = ", ".join(_usable(table, how)) or "none"
    return f"in [0, 1] on every answered item of this input: {usable}"


def _usable(table: ItemTable, how: _How) -> Iterator[str]:
    for name in known_names():
        try:
            values = _confidence(table, name, how)[table.answered]
        except AssayError:
            continue
        if ((values >= 0) & (values <= 1)).all():
            yield name
