"""Prediction sets row by row: labels, lists of labels and flags become one column per class."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.derive.signals import found
from assay.errors import ColumnError, UsageError
from assay.showing import counted, listed, named, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array

Place = Callable[[int], str]
"""Names a row in a message."""
LIST_HINT = 'a set is a list of labels, in a text file a JSON list such as ["A", "B"] or []'
MOST_SHOWN = 8
LABELS = frozenset({str, int, float, bool})


def label_text(label: object) -> str:
    """Spell a label so that 1, 1.0 and "1" are the same class.

    Examples
    --------
    >>> label_text(1.0), label_text("1"), label_text("b"), label_text(0.5)
    ('1', '1', 'b', '0.5')
    """
    if type(label) is float and label.is_integer():
        return str(int(label))
    return str(label).lower() if type(label) is bool else str(label).strip()


def class_order(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct labels in order: as numbers where all are whole numbers, else as text.

    Examples
    --------
    >>> class_order(["10", "9", "10"]), class_order(["b", "10", "a"])
    (('9', '10'), ('10', 'a', 'b'))
    """
    distinct = set(labels)
    numbers = all(label.removeprefix("-").isdecimal() for label in distinct)
    return tuple(sorted(distinct, key=int) if numbers else sorted(distinct))


def label_codes(
    labels: Sequence[object], classes: Sequence[str], *, name: str, place: Place
) -> Array:
    """Return the class of every row, counted from 0."""
    code = {each: number for number, each in enumerate(classes)}
    codes = [code.get(label_text(label), -1) for label in labels]
    if -1 in codes:
        row = codes.index(-1)
        raise _outside(labels[row], classes, name=name, where=place(row), n=codes.count(-1))
    return np.array(codes, dtype=np.float64)


def _outside(
    label: object, classes: Sequence[str], *, name: str, where: str, n: int | None = None
) -> ColumnError:
    shown = listed(classes, MOST_SHOWN)
    such = "" if n is None else f" ({counted(n, 'such row')})"
    held = quoted(label_text(label))
    msg = f"{where}: {named(name)} holds {held}, which is not one of the classes{such}"
    return ColumnError(msg, hint=f"the classes are {shown}; `classes` names them in their order")


def listed_labels(cells: Sequence[object], *, name: str, place: Place) -> list[list[object]]:
    """Read sets as lists of labels: lists, or texts that hold a JSON list."""
    return [_listed(cell, name=name, where=place, row=row) for row, cell in enumerate(cells)]


def _listed(cell: Any, *, name: str, where: Place, row: int) -> list[object]:
    parsed = cell
    if type(cell) is str:
        try:
            parsed = json.loads(cell)
        except (ValueError, RecursionError):
            parsed = None
    labels = parsed.tolist() if type(parsed) is np.ndarray else parsed
    if type(labels) in {set, frozenset}:
        labels = sorted(labels, key=str)  # the order of a set differs from run to run
    if type(labels) in {list, tuple} and LABELS.issuperset(map(type, labels)):
        return list(labels)
    msg = f"{where(row)}: {named(name)} must be a list of labels, found {found(cell)}"
    raise ColumnError(msg, hint=LIST_HINT)


def included_classes(
    sets: Sequence[Sequence[object]], classes: Sequence[str], *, name: str, place: Place
) -> Array:
    """Return flags (rows, classes) from lists of labels."""
    code = {each: number for number, each in enumerate(classes)}
    included = np.zeros((len(sets), len(classes)))
    for row, labels in enumerate(sets):
        for label in labels:
            number = code.get(label_text(label))
            if number is None:
                raise _outside(label, classes, name=name, where=place(row))
            included[row, number] = 1.0
    return included


def included_flags(flags: NDArray[Any], *, name: str, place: Place) -> list[Array]:
    """Take an array of flags (rows, classes) or (rows, classes, levels) apart, level by level."""
    if flags.ndim not in {2, 3} or not flags.size:
        msg = f"{name} must have the shape (rows, classes) or (rows, classes, levels)"
        raise UsageError(f"{msg}, found {flags.shape}", hint="one flag per class")
    numbers = flags.astype(np.float64)
    broken = np.argwhere((numbers != 0) & (numbers != 1))
    if broken.size:
        first = tuple(broken[0])
        msg = f"{place(int(first[0]))}: `{name}` must be true or false, found {numbers[first]:g}"
        raise ColumnError(msg, hint="a flag says whether the class is in the set")
    levels = numbers if numbers.ndim == 3 else numbers[..., None]  # noqa: PLR2004 - classes, levels
    return [np.ascontiguousarray(each) for each in np.moveaxis(levels, -1, 0)]
