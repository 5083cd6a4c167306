"""What stood in a file for one signal of one row: a number, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.showing import inert, quoted, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array

    States: TypeAlias = NDArray[np.int8]

LARGEST_SHOWN = 2**64


class State(IntEnum):
    """What kind of thing stood in a cell."""

    NUMBER = 0
    NULL = 1
    MISSING = 2
    """The key itself is absent; `State.MISSING` also stands for itself in a list of cells."""
    BOOLEAN = 3
    OTHER = 4


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """One stored signal, one entry per row."""

    value: Array
    """NaN unless the state is NUMBER or BOOLEAN (true is 1)"""
    state: States
    """a `State` for every row"""

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Signal:
        """Return the signal of some rows, in the order given."""
        return Signal(self.value[rows], self.state[rows])


STATES: dict[type, State] = {
    int: State.NUMBER,
    float: State.NUMBER,
    bool: State.BOOLEAN,
    np.bool_: State.BOOLEAN,
    type(None): State.NULL,
    State: State.MISSING,
}


NUMBERS_AND_NULLS = {int, float, type(None)}
"""what an array of numbers is made of directly, NaN for null"""


def signal(cells: Sequence[object] | NDArray[Any]) -> Signal:
    """Turn raw cells into numbers and states.

    Examples
    --------
    >>> signal([1, 0.5, None, True, "high", State.MISSING]).state.tolist()
    [0, 0, 1, 3, 4, 2]
    """
    # A column of a large file knows its own numbers.
    own: Callable[[], Signal] | None = getattr(cells, "signal", None)
    if own is not None:
        return own()
    # Exact types: a bool is an int to Python, and a million calls of isinstance are slow.
    codes = {kind: _state(kind) for kind in set(map(type, cells))}
    if len(set(codes.values())) == 1:
        (kind,) = set(codes.values())
        held = kind in (State.NUMBER, State.BOOLEAN)
        value = _floats(cells) if held else np.full(len(cells), np.nan)
        return Signal(value, np.full(len(cells), kind, np.int8))
    if codes.keys() <= NUMBERS_AND_NULLS:
        value = _floats(cells)
        state = np.zeros(len(cells), np.int8)
        empty = np.flatnonzero(np.isnan(value))
        state[empty] = [codes[type(cells[row])] for row in empty.tolist()]
        return Signal(value, state)
    state = np.fromiter(map(codes.__getitem__, map(type, cells)), np.int8, len(cells))
    held = np.isin(state, (State.NUMBER, State.BOOLEAN)).tolist()
    cells = [cell if number else np.nan for cell, number in zip(cells, held, strict=True)]
    return Signal(_floats(cells), state)


def _state(kind: type) -> State:
    number = issubclass(kind, (np.integer, np.floating, Decimal, Fraction))
    return STATES.get(kind, State.NUMBER if number else State.OTHER)


def _floats(cells: Sequence[object] | NDArray[Any]) -> Array:
    try:
        with np.errstate(over="ignore"):  # what is too large for 64 bits is infinite
            return np.array(cells, dtype=np.float64)
    except (OverflowError, ValueError):
        return np.array([_float(cell) for cell in cells])


def _float(cell: Any) -> float:
    try:
        return np.nan if cell is None else float(cell)
    except ValueError:  # a Decimal that signals that it is no number
        return np.nan
    except OverflowError:
        return np.inf if cell > 0 else -np.inf


SHOWN: dict[type, Callable[[object], str]] = {
    type(None): lambda _: "null",
    bool: lambda cell: str(cell).lower(),
    State: lambda _: "nothing",
    str: lambda cell: f"the text {quoted(cell)}",
    dict: lambda _: "an object",
    list: lambda _: "an array",
}


def found(cell: object) -> str:
    """Say what stood in a cell, in few and printable words.

    Examples
    --------
    >>> found(None), found(2.5), found("high"), found(True), found([1, 2])
    ('null', '2.5', "the text 'high'", 'true', 'an array')
    """
    shown = SHOWN.get(type(cell), _shown_number)
    return shown(cell)


def _shown_number(cell: object) -> str:
    if type(cell) is int and abs(cell) >= LARGEST_SHOWN:
        return "a number beyond 64 bits"
    return shortened(inert(str(cell).replace("nan", "NaN")))
