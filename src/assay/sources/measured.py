"""Ids, predictions and truths out of raw cells: what a table cannot be without."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.columns import COLUMNS
from assay.derive.signals import State, found, signal
from assay.sources.names import ID_NEEDS, Labels, Participant, label_codes, usable_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array
    from assay.derive.losses import Scale
    from assay.sources.raw_cells import RawCells, TableColumns

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ["answers", "ids", "known_cells"]

NEEDS = "a finite number or empty"
WITHOUT_SCALE = "texts are labels, which have no scale: leave `scale` out, or correct the value"
HINT = "an empty prediction is an abstention, an empty truth leaves the row unscored"


def known_cells(cells: Sequence[Any]) -> Collection[Any]:
    """Return the distinct cells of a column, or all of them where they cannot be told apart."""
    encoded = getattr(cells, "encoded", None)
    if encoded is not None:
        return encoded()[0]  # type: ignore[no-any-return]  # a list of cells
    return set(cells) if set(map(type, cells)) <= {int, str} else cells


def ids(raw: RawCells, column: str) -> Sequence[Participant]:
    """Return a column of ids, all numbers or all texts."""
    cells: Sequence[Any] = raw.cells[column]
    distinct = known_cells(cells)
    kinds = set(map(type, distinct))
    if not kinds <= {int, str} or not all(map(usable_id, distinct)):
        row = next(row for row, cell in enumerate(cells) if not usable_id(cell))
        raw.refuse(row, column, ID_NEEDS, hint=f"every row needs a `{column}`")
    if len(kinds) > 1:
        row = next(row for row, cell in enumerate(cells) if type(cell) is not type(cells[0]))
        needs = "a text" if type(cells[0]) is str else "a whole number"
        hint = "make all ids numbers or all of them texts"
        raw.refuse(row, column, f"{needs} as in the rows above", hint=hint)
    return cells


def answers(
    raw: RawCells, columns: TableColumns, success: Mask
) -> tuple[Array, Array, Labels | None]:
    """Return predictions and truths, NaN where empty: numbers, or codes where some are texts.

    Rows that are not used may hold anything: a prediction where the system failed or there is no
    truth, a truth where the system failed.
    """
    if columns.stated_loss is not None:
        return _stated_losses(raw, columns.stated_loss, success), np.zeros(success.size), None
    truth, named = _measured(raw, columns.truth, success, columns.scale)
    scored = success & (named | ~np.isnan(truth))
    prediction, said = _measured(raw, columns.prediction, scored, columns.scale)
    if not (named.any() or said.any()):
        return prediction, truth, None
    answered = scored & ~said & ~np.isnan(prediction)
    sides = {columns.prediction: (said, answered), columns.truth: (named, scored & ~named)}
    _check_kinds(raw, sides)
    codes, names = label_codes(*(_labels(raw.cells[name], *kinds) for name, kinds in sides.items()))
    return codes[0], codes[1], Labels(names, _first(raw, sides))


def _stated_losses(raw: RawCells, column: str, success: Mask) -> Array:
    """Return what answers cost, NaN where there is none; true is 1, as an error is."""
    given, most = signal(raw.cells[column]), COLUMNS["loss"].high
    empty = np.isnan(given.value) & np.isin(given.state, (State.NUMBER, State.NULL))
    cost = np.isin(given.state, (State.NUMBER, State.BOOLEAN)) & (given.value >= 0)
    broken = np.flatnonzero(success & ~empty & ~(cost & (given.value <= most)))
    if broken.size:
        needs = f"a loss from 0 to {most:g}, or empty"
        raw.refuse(int(broken[0]), column, needs, hint="an empty loss is an abstention")
    return given.value


Sides: TypeAlias = "dict[str, tuple[Mask, Mask]]"
"""by column, which rows hold a text and which a number"""


def _measured(raw: RawCells, column: str, used: Mask, scale: Scale | None) -> tuple[Array, Mask]:
    """Return the numbers of a column, NaN where there is none, and which rows hold a text."""
    cells = raw.cells[column]
    given = signal(cells)
    usable = np.isin(given.state, (State.NUMBER, State.NULL)) & ~np.isinf(given.value)
    texts = np.zeros(used.size, dtype=np.bool_)
    if scale is None and not usable.all():
        texts = used & [type(cell) is str and cell.strip() != "" for cell in cells]
    broken = np.flatnonzero(used & ~usable & ~texts)
    if broken.size:
        row = int(broken[0])
        labelled = scale is not None and type(cells[row]) is str
        raw.refuse(row, column, NEEDS, hint=WITHOUT_SCALE if labelled else HINT)
    if scale is not None:
        outside = np.flatnonzero(used & ((given.value < scale[0]) | (given.value > scale[1])))
        if outside.size:
            needs = f"from {scale[0]:g} to {scale[1]:g}"
            raw.refuse(int(outside[0]), column, needs, hint="correct the value or the scale")
    return given.value, texts


def _check_kinds(raw: RawCells, sides: Sides) -> None:
    """Refuse texts on one side and numbers on the other: no answer could be right."""
    kinds = {name: [each.any() for each in both] for name, both in sides.items()}
    (one, own), (other, theirs) = kinds.items()
    if not any(own) or any(a and b for a, b in zip(own, theirs, strict=True)):
        return
    text, number = (one, other) if own[0] else (other, one)
    row = int(np.argmax(sides[text][0]))
    hint = "labels are texts in both columns, or numbers in both"
    raw.refuse(row, text, f"{NEEDS}, as in `{number}`", hint=hint)


def _labels(cells: Sequence[Any], texts: Mask, numbers: Mask) -> list[float | str | None]:
    both = zip(cells, texts.tolist(), numbers.tolist(), strict=True)
    return [cell if text else float(cell) if number else None for cell, text, number in both]


def _first(raw: RawCells, sides: Sides) -> str:
    """Say where the first text stands."""
    rows = [(int(np.argmax(texts)), name) for name, (texts, _) in sides.items() if texts.any()]
    row, name = min(rows, key=lambda each: each[0])
    where = f"{raw.source.path}, {raw.place(row)}"
    return f"{where}: `{name}` is {found(raw.cells[name][row])}"
