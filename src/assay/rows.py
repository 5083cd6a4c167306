"""The rows of a large table by number, without an array for each who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    Indices: TypeAlias = NDArray[np.int64]

_PLACES: WeakValueDictionary[int, Indices] = WeakValueDictionary()


def places(n: int) -> Indices:
    """Return 0 to n - 1: one array for all who ask, as long as one of them holds it."""
    found = _PLACES.get(n)
    if found is None:
        found = _PLACES[n] = np.arange(n)
        found.flags.writeable = False
    return found


def ones(n: int) -> Array:
    """Return n ones that take no memory, and cannot be written."""
    return np.broadcast_to(np.float64(1.0), n)


def chosen(values: NDArray[Any], rows: Indices) -> NDArray[Any]:
    """Return the values of rows that are in order; of all rows, the values themselves."""
    return values if rows.size == values.shape[0] else values[rows]
