"""Values from outside as floats, or in words why they are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.errors import ColumnError
from assay.showing import inert, named, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["floats", "unmasked"]

NO_NUMBERS = "cmMV"
"""kinds of arrays that NumPy would cast in silence: complex numbers, times and bare bytes"""
LONGEST_REASON = 200
BEYOND = "a number that no double holds (beyond 1.8e308)"


def floats(name: str, values: Any, *, flags: bool = True) -> Floats:
    """Return values of any shape as floats; where no `flags` are meant, true is not 1.

    Examples
    --------
    >>> floats("loss", [1, 2.5]).tolist()
    [1.0, 2.5]
    """
    found = np.asarray(unmasked(values)) if hasattr(values, "__array__") else values
    kind = _kind(found)
    if kind in NO_NUMBERS or (kind == "b" and not flags):
        said = "true or false" if kind == "b" else f"values of the type {found.dtype}"
        hint = "give the numbers that were measured; true is not 1" if kind == "b" else None
        raise ColumnError(f"{named(name)} must hold numbers, found {said}", hint=hint)
    try:
        with np.errstate(over="ignore"):  # a longer float becomes infinite, and is refused as such
            return np.asarray(found, dtype=np.float64)
    except OverflowError:
        msg = f"{named(name)} must hold numbers, found {BEYOND}"
    except (TypeError, ValueError) as error:
        msg = f"{named(name)} must hold numbers: {shortened(inert(str(error)), LONGEST_REASON)}"
    raise ColumnError(msg)


def unmasked(values: Any) -> Any:
    """Return an array whose masked values are missing, where it has some: they are no numbers.

    Examples
    --------
    >>> unmasked(np.ma.array([1, 2], mask=[False, True])).tolist()
    [1, None]
    """
    if not isinstance(values, np.ma.MaskedArray) or not np.ma.is_masked(values):
        return values
    filled = values.data.astype(object)
    filled[np.ma.getmaskarray(values)] = None
    return filled


def _kind(values: Any) -> str:
    """Return the kind of an array; of objects, whether there are flags among them."""
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        return str(values.dtype.kind)
    each = values.ravel() if isinstance(values, np.ndarray) else values
    listed = isinstance(each, list | tuple | np.ndarray)
    return "b" if listed and {bool, np.bool_} & set(map(type, each)) else "O"
