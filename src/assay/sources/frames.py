"""Columns of data frames, of whichever library, and why one cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import ColumnError, UsageError
from assay.showing import inert, quoted, shortened

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["frame_columns"]

Cells = TypeVar("Cells")
UNREADABLE = (TypeError, ValueError, ArithmeticError, LookupError, NotImplementedError)
"""what the libraries raise over a cell or a name that they cannot hand out"""
LONGEST_REASON = 200
FRAMES = "give a pandas, polars or pyarrow frame, a dictionary of arrays, or a DuckDB relation"


def frame_columns(
    frame: Any, convert: Callable[[nw.Series[Any]], Cells], *, path: str
) -> dict[str, Cells]:
    """Take a pandas, polars or pyarrow frame apart into columns by name."""
    import narwhals as nw  # noqa: PLC0415 - slow to import, and text files need none of it

    faults = (*UNREADABLE, nw.exceptions.NarwhalsError)
    try:
        given = nw.from_native(frame)
        # What is lazy, such as a DuckDB relation, is computed here.
        native = given.collect() if isinstance(given, nw.LazyFrame) else given
        names = list(native.columns)
    except faults as error:
        is_other = isinstance(error, TypeError)
        why = f"it is of the type {type(frame).__name__}" if is_other else _reason(error)
        msg = f"{path} is not a data frame that can be read: {why}"
        raise UsageError(msg, hint=FRAMES) from None
    columns: dict[str, Cells] = {}
    for number, name in enumerate(names):
        if str(name) in columns:
            msg = f"{path} has the column {quoted(name)} twice"
            raise ColumnError(msg, hint="column names must differ")
        try:
            columns[str(name)] = convert(native[:, number])
        except faults as error:
            msg = f"{path}: the column {quoted(name)} cannot be read: {_reason(error)}"
            raise ColumnError(msg, hint="save it as numbers or as texts, or leave it out") from None
    return columns


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it holds text that is not UTF-8"
    first = " ".join(str(error).strip().splitlines()[:2])
    return shortened(inert(first), LONGEST_REASON)
