"""Prediction intervals row by row: bounds per level, missing, crossed and infinite ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.errors import ColumnError, UsageError
from assay.showing import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array

    Mask: TypeAlias = NDArray[np.bool_]

Place = Callable[[int], str]
"""Names a row in a message."""
SHAPES = "(rows, 2) or (rows, 2, levels)"
CROSSED_HINT = (
    "`crossed` swap exchanges such bounds, `crossed` empty lets these intervals cover nothing"
)


def bounds_by_level(intervals: NDArray[Any], *, name: str) -> list[tuple[Array, Array]]:
    """Take an array of intervals apart: one pair of bounds per level.

    Examples
    --------
    >>> [(low, up)] = bounds_by_level(np.array([[0, 1], [2, 5]]), name="interval")
    >>> low.tolist(), up.tolist()
    ([0.0, 2.0], [1.0, 5.0])
    """
    shape = intervals.shape
    if len(shape) not in {2, 3} or shape[1] != 2 or not intervals.size:  # noqa: PLR2004 - SHAPES
        msg = f"{name} must have the shape {SHAPES}, found {shape}"
        raise UsageError(msg, hint="lower bounds first, upper bounds second")
    levels = intervals.astype(np.float64).reshape(shape[0], 2, -1)
    return [
        (np.ascontiguousarray(low), np.ascontiguousarray(up))
        for low, up in zip(levels[:, 0].T, levels[:, 1].T, strict=True)
    ]


def crossed_rows(low: Array, up: Array) -> Mask:
    """Say which lower bounds lie above their upper bounds."""
    return low > up


def unbounded_rows(low: Array, up: Array) -> Mask:
    """Say which intervals have an infinite bound."""
    return np.isinf(low) | np.isinf(up)


def refuse_missing(bound: Array, *, name: str, place: Place) -> None:
    """Refuse bounds that are not numbers."""
    missing = np.flatnonzero(np.isnan(bound))
    if missing.size:
        msg = (
            f"{place(int(missing[0]))}: `{name}` must be a number, found NaN"
            f" ({missing.size} of {counted(bound.size, 'row')})"
        )
        raise ColumnError(msg, hint="an interval that is open on one side has an infinite bound")


def refuse_crossed(low: Array, up: Array, *, names: tuple[str, ...], place: Place) -> None:
    """Refuse crossed bounds; how many there are is said."""
    wrong = np.flatnonzero(crossed_rows(low, up))
    if wrong.size:
        row, rows = int(wrong[0]), counted(low.size, "row")
        msg = (
            f"{place(row)}: the bounds in `{'` and `'.join(names)}` are crossed,"
            f" {low[row]:g} is above {up[row]:g} ({wrong.size} of {rows})"
        )
        raise ColumnError(msg, hint=CROSSED_HINT)
