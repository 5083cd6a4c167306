"""Values from outside as floats, or in words why they are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, ValuesView
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.errors import ColumnError
from assay.showing import counted, inert, named, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

SUM_TOLERANCE = 1e-6
"""How far the probabilities of a row may be from 1: what 32-bit numbers and printing leave."""

NO_NUMBERS = "cmMV"
"""kinds of arrays that NumPy would cast in silence: complex numbers, times and bare bytes"""
LONGEST_REASON = 200
NULLS = frozenset({"NAType", "NaTType"})
BEYOND = "a number that no double holds (beyond 1.8e308)"


def floats(name: str, values: Any, *, flags: bool = True) -> Floats:
    """Return values of any shape as floats; where no `flags` are meant, true is not 1.

    Examples
    --------
    >>> floats("loss", [1, 2.5]).tolist()
    [1.0, 2.5]
    """
    found: Any = [*values] if isinstance(values, Iterator | ValuesView) else values
    found = np.asarray(unmasked(found)) if hasattr(found, "__array__") else found
    if hasattr(type(found), "columns"):  # a frame whose rows nobody has collected
        msg = f"{named(name)} must hold numbers, found a value of the type {type(found).__name__}"
        raise ColumnError(msg, hint="collect it, and give one of its columns")
    kind = _kind(found)
    if isinstance(found, np.ndarray) and found.dtype.hasobject:
        found = found.tolist()  # a column of lists has a second axis
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
        held = present(found) if isinstance(found, list | tuple) else None
        if held is not None:
            return floats(name, held, flags=flags)
        msg = f"{named(name)} must hold numbers, found {_found(str(error))}"
    raise ColumnError(msg)


def _found(error: str) -> str:
    """Say what NumPy could not read as numbers."""
    if "setting an array element" in error:
        return "lists, or lists of several lengths"
    kind = re.search(r"real number, not '([^']+)'", error)
    text = f"a value of the type {kind[1]}" if kind else error.rpartition("to float: ")[2]
    return shortened(inert(text), LONGEST_REASON)


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


def is_null(cell: Any) -> bool:
    """Say whether a cell is what pandas has for nothing, which NumPy cannot read as NaN."""
    return type(cell).__name__ in NULLS


def present(cells: Sequence[Any]) -> list[Any] | None:
    """Return cells with None where pandas has nothing; None where it has something everywhere."""
    nulls = {kind for kind in {*map(type, cells)} if kind.__name__ in NULLS}
    return [None if type(each) in nulls else each for each in cells] if nulls else None


def _kind(values: Any) -> str:
    """Return the kind of an array; of objects, whether there are flags among them."""
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        return str(values.dtype.kind)
    each = values.ravel() if isinstance(values, np.ndarray) else values
    listed = isinstance(each, list | tuple | np.ndarray)
    return "b" if listed and {bool, np.bool_} & set(map(type, each)) else "O"


def refuse(name: str, array: Floats, column: Any) -> None:
    """Say which value is not as its column needs it."""
    rules = (
        (~np.isfinite(array), "finite") if column.finite else (np.isnan(array), "a number"),
        (array < column.low, f"at least {column.low:g}"),
        (array > column.high, f"at most {column.high:g}"),
        (array != np.floor(array) if column.whole else None, "a whole number"),
    )
    for broken, rule in rules:
        if broken is not None and broken.any():
            first = np.argwhere(broken)[0]
            row = first[0] if column.wide else first[-1]
            msg = (
                f"`{name}` must be {rule}, found {array[tuple(first)]:g} at row {row}"
                f" ({broken.sum()} of {counted(array.size, 'value')})"
            )
            raise ColumnError(msg)


def check_sums(name: str, array: Floats) -> None:
    """Refuse rows that do not sum to 1."""
    sums = array.sum(-1)
    off = np.flatnonzero(np.abs(sums - 1) > SUM_TOLERANCE)
    if off.size:
        msg = (
            f"`{name}` must sum to 1 in every row, found {sums[off[0]]:g} at row {off[0]}"
            f" ({off.size} of {counted(sums.size, 'row')}, off by more than {SUM_TOLERANCE:g})"
        )
        raise ColumnError(msg)


def check_part(name: str, part: Floats, of: str, total: Floats) -> None:
    """Refuse rows of which a part is more than the whole."""
    more = np.flatnonzero(part > total)
    if more.size:
        row = more[0]
        msg = (
            f"`{name}` must be at most `{of}`, of which it is a part, found {part[row]:g}"
            f" of {total[row]:g} at row {row}"
            f" ({more.size} of {counted(part.size, 'value')})"
        )
        raise ColumnError(msg)
