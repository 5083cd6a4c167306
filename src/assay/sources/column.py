"""Columns without a Python object per cell: numbers as arrays, everything else as codes.

Cells are what a file, a frame or a list holds; a column answers the questions that a table asks
of its cells, each distinct one looked at once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.derive.signals import Signal, State, signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Indices

    Mask: TypeAlias = NDArray[np.bool_]
    Convert: TypeAlias = Callable[[Any], Any]

EMPTY_WORDS = frozenset({"", "null", "na", "n/a", "nan", "none"})
"""What stands for an empty cell of a CSV file, in any case, wherever a number is read."""
FLAGS = {"true": True, "false": False}
EXACT = 2**53
"""whole numbers below are exact as doubles"""
NUMBERS = frozenset({int, float})
NONE = np.empty(0, np.int64)
ARROW_KINDS = {"double": "f8", "float": "f4", "halffloat": "f2"}
"""numbers that Arrow calls by other names than NumPy"""


Cells: TypeAlias = "Sequence[object] | NDArray[Any]"


class Column(Sequence[Any]):
    """Cells that are known by their kind, not one by one."""

    def as_numbers(self) -> Column:
        """Return the column in the form that numbers are read from."""
        return self

    def as_names(self) -> Column:
        """Return the column in the form that names and labels are read from."""
        return self

    def converted(self, convert: Convert) -> Column:
        """Return the column with texts read in another way; numbers stay what they are."""
        raise NotImplementedError

    @abstractmethod
    def signal(self) -> Signal:
        """Return the numbers, and what stands where there is none."""

    @abstractmethod
    def encoded(self) -> tuple[list[Any], Indices]:
        """Return the distinct cells, and of every row which of them it holds."""

    @abstractmethod
    def empty(self, words: frozenset[str]) -> Mask:
        """Return which rows hold nothing: null, NaN, or one of these words."""

    @abstractmethod
    def take(self, rows: Indices) -> Column:
        """Return some rows, in the order given."""

    def __iter__(self) -> Iterator[Any]:
        distinct, code = self.encoded()
        return iter([distinct[each] for each in code.tolist()])


@dataclass(frozen=True, slots=True, eq=False)
class Coded(Column):
    """Cells of few kinds, or texts."""

    code: NDArray[np.integer[Any]]
    distinct: list[Any]

    def converted(self, convert: Convert) -> Coded:
        """Return the column with its texts read in another way."""
        return replace(self, distinct=list(map(convert, self.distinct)))

    def signal(self) -> Signal:
        """Return the numbers, and what stands where there is none."""
        return signal(self.distinct).take(self.code.astype(np.int64, copy=False))

    def encoded(self) -> tuple[list[Any], Indices]:
        """Return the distinct cells, and of every row which of them it holds."""
        return self.distinct, self.code.astype(np.int64, copy=False)

    def empty(self, words: frozenset[str]) -> Mask:
        """Return which rows hold nothing."""
        nothing = np.array([is_empty(cell, words) for cell in self.distinct], np.bool_)
        return nothing[self.code] if self.distinct else np.zeros(0, np.bool_)

    def take(self, rows: Indices) -> Coded:
        """Return some rows, in the order given."""
        return replace(self, code=self.code[rows])

    def __len__(self) -> int:
        return self.code.size

    def __getitem__(self, row: Any) -> Any:
        return self.distinct[self.code[row]]


@dataclass(frozen=True, slots=True, eq=False)
class Measured(Column):
    """Numbers, and a few rows that hold something else."""

    values: NDArray[np.float64]
    """NaN in the odd rows"""
    odd: Indices
    """the rows that hold no number, rising"""
    others: Coded
    """what stands in them"""
    spelled: Callable[[int], Any] | None = None
    """a number as the file writes it, by its row; None: the number itself"""
    whole: Mask | None = None
    """which numbers are whole by their type, as 2 is and 2.0 is not; None: none of them"""

    def converted(self, convert: Convert) -> Measured:
        """Return the column with its texts read in another way."""
        return replace(self, others=self.others.converted(convert), spelled=None)

    def signal(self) -> Signal:
        """Return the numbers, and what stands where there is none."""
        state = np.zeros(self.values.size, np.int8)
        if not self.odd.size:
            return Signal(self.values, state)
        others, values = self.others.signal(), self.values.copy()
        values[self.odd], state[self.odd] = others.value, others.state
        return Signal(values, state)

    def encoded(self) -> tuple[list[Any], Indices]:
        """Return the distinct cells, and of every row which of them it holds."""
        held = np.delete(np.arange(self.values.size), self.odd)
        whole = np.zeros(held.size, np.bool_) if self.whole is None else self.whole[held]
        numbers, code = np.empty(0), np.empty(self.values.size, np.int64)
        found: list[Any] = []
        for kind, rows in ((float, held[~whole]), (int, held[whole])):
            numbers, inverse = np.unique(self.values[rows], return_inverse=True)
            code[rows] = inverse + len(found)
            found += map(kind, numbers.tolist())
        others, theirs = self.others.encoded()
        code[self.odd] = theirs + len(found)
        return [*found, *others], code

    def empty(self, words: frozenset[str]) -> Mask:
        """Return which rows hold nothing."""
        nothing = np.zeros(self.values.size, np.bool_)
        nothing[self.odd] = self.others.empty(words)
        return nothing

    def take(self, rows: Indices) -> Measured:
        """Return some rows, in the order given."""
        place = np.full(self.values.size, -1, np.int64)
        place[self.odd] = np.arange(self.odd.size)
        odd = np.flatnonzero(place[rows] >= 0)
        spelled = self.spelled
        return Measured(
            self.values[rows],
            odd,
            self.others.take(place[rows][odd]),
            None if spelled is None else lambda row: spelled(int(rows[row])),
            None if self.whole is None else self.whole[rows],
        )

    def __len__(self) -> int:
        return self.values.size

    def __getitem__(self, row: Any) -> Any:
        place = int(np.searchsorted(self.odd, row))
        if place < self.odd.size and self.odd[place] == row:
            return self.others[place]
        if self.spelled is not None:
            return self.spelled(int(row))
        is_whole = self.whole is not None and self.whole[row]
        return int(self.values[row]) if is_whole else self.values[row].item()


@dataclass(frozen=True, slots=True, eq=False)
class Nullable(Column):
    """Numbers or flags of a frame, some of them null."""

    values: NDArray[Any]
    """of any kind of number; where a row is null, whatever stands there"""
    null: Mask

    def converted(self, convert: Convert) -> Nullable:
        """Return the column itself: it holds no text."""
        del convert
        return self

    def signal(self) -> Signal:
        """Return the numbers, and which rows are null."""
        with np.errstate(over="ignore"):  # a number that is too long is infinite, and said to be so
            values = np.where(self.null, np.nan, self.values.astype(np.float64))
        state = State.BOOLEAN if self.values.dtype.kind == "b" else State.NUMBER
        return Signal(values, np.where(self.null, np.int8(State.NULL), np.int8(state)))

    def encoded(self) -> tuple[list[Any], Indices]:
        """Return the distinct cells, and of every row which of them it holds."""
        distinct, inverse = np.unique(self.values, return_inverse=True)
        if not self.null.any():
            return distinct.tolist(), inverse.reshape(-1)
        return [*distinct.tolist(), None], np.where(self.null, distinct.size, inverse.reshape(-1))

    def empty(self, words: frozenset[str]) -> Mask:
        """Return which rows are null or NaN."""
        del words
        return self.null | (np.isnan(self.values) if self.values.dtype.kind == "f" else False)

    def take(self, rows: Indices) -> Nullable:
        """Return some rows, in the order given."""
        return Nullable(self.values[rows], self.null[rows])

    def __len__(self) -> int:
        return self.values.size

    def __getitem__(self, row: Any) -> Any:
        return None if self.null[row] else self.values[row].item()


def arrow_values(array: Any) -> NDArray[Any]:
    """Return the numbers or flags of an Arrow array, whatever stands where a row is null.

    Arrow's own way to NumPy imports pandas, which takes longer than a million rows.
    """
    first, last = array.offset, array.offset + len(array)
    stored = array.buffers()[1]
    if str(array.type) == "bool":
        return _bits(stored, first, last)
    kind = np.dtype(ARROW_KINDS.get(str(array.type), str(array.type)))
    return np.frombuffer(stored, kind)[first:last] if stored else np.zeros(len(array), kind)


def arrow_present(array: Any) -> Mask:
    """Return which rows of an Arrow array are not null."""
    stored = array.buffers()[0]
    if stored is None or not array.null_count:
        return np.full(len(array), str(array.type) != "null")
    return _bits(stored, array.offset, array.offset + len(array))


def arrow_numbers(array: Any) -> NDArray[np.float64]:
    """Return an Arrow array of doubles, NaN where a row is null."""
    values = arrow_values(array)
    return np.where(arrow_present(array), values, np.nan) if array.null_count else values


def _bits(stored: Any, first: int, last: int) -> Mask:
    every = np.frombuffer(stored, np.uint8) if stored else np.zeros((last + 7) // 8, np.uint8)
    return np.unpackbits(every, count=last, bitorder="little")[first:].astype(np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class LazyColumn(Sequence[Any]):
    """A column that is read when it is needed, as whatever its cells are."""

    origin: Any
    """reads columns with `fetch`, and has those that were read in `held`"""
    name: str
    rows: Indices | None = None
    """some of the rows; None: all"""

    def cells(self) -> Cells:
        """Return what the column holds."""
        self.origin.fetch([self.name], [])
        held: Cells = self.origin.held[self.name]
        return held if self.rows is None else taken(held, self.rows)

    def take(self, rows: Indices) -> LazyColumn:
        """Return some rows, in the order given."""
        return replace(self, rows=rows if self.rows is None else self.rows[rows])

    def __getitem__(self, row: Any) -> Any:
        return self.cells()[row]

    def __len__(self) -> int:
        return int(self.origin.n_rows if self.rows is None else self.rows.size)


def taken(cells: Cells, rows: Indices) -> Cells:
    """Return some rows of cells, in the order given."""
    if isinstance(cells, Column | LazyColumn):
        return cells.take(rows)
    return cells[rows] if isinstance(cells, np.ndarray) else [cells[row] for row in rows]


def typed(cells: Sequence[Any]) -> Cells:
    """Put the cells of a JSON file into arrays: numbers, lists of as many numbers, or texts.

    Examples
    --------
    >>> typed([[0.5, 0.5], [0, 1]]), typed([0.5, 1, None])[1]
    (array([[0.5, 0.5],
           [0. , 1. ]]), 1)
    """
    kinds = set(map(type, cells))
    if kinds & {list, dict}:
        inner = {type(each) for cell in cells for each in cell} if kinds == {list} else {list}
        if inner and inner <= {int, float} and len({*map(len, cells)}) == 1:
            with np.errstate(over="ignore"):
                return np.array([signal(cell).value for cell in cells])
        return list(cells)
    if kinds == {float}:
        return Measured(np.array(cells), NONE, _coded([]), whole=np.zeros(len(cells), np.bool_))
    values, whole, odd = signal(cells).value, np.full(len(cells), kinds == {int}), NONE
    if kinds != {int}:
        every = [*map(type, cells)]
        whole = np.fromiter((kind is int for kind in every), np.bool_, len(every))
        odd = np.flatnonzero([kind not in NUMBERS for kind in every])
    beyond = np.flatnonzero(whole & (np.abs(values) >= EXACT))
    odd = np.union1d(odd, beyond) if beyond.size else odd
    values[odd] = np.nan
    return Measured(values, odd, _coded([cells[row] for row in odd.tolist()]), whole=whole)


def _coded(cells: Sequence[Any]) -> Coded:
    place: dict[Any, int] = {}
    # By kind as well: true is 1 to Python.
    code = [place.setdefault((type(cell), cell), len(place)) for cell in cells]
    return Coded(np.array(code, np.int32), [cell for _, cell in place])


def joined(parts: Sequence[Cells]) -> Cells:
    """Put the parts of a column below each other, as plainly as its cells allow."""
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if len(arrays) == len(parts) and len({part.shape[1:] for part in arrays}) == 1:
        return np.concatenate(arrays)
    if not all(isinstance(part, Measured) for part in parts):
        return [cell for part in parts for cell in map(plain, part)]
    measured = [part for part in parts if isinstance(part, Measured)]
    starts = np.cumsum([0, *(len(part) for part in measured)])
    values = np.concatenate([part.values for part in measured] or [np.empty(0)])
    odd = np.concatenate([p.odd + n for p, n in zip(measured, starts, strict=False)] or [NONE])
    whole = np.concatenate([part.whole for part in measured] or [np.empty(0, np.bool_)])
    if not odd.size and whole.all():
        return values.astype(np.int64)
    if not odd.size and not whole.any():
        return values
    others = _rejoined([part.others for part in measured])
    return others if odd.size == values.size else Measured(values, odd, others, whole=whole)


def _rejoined(parts: Sequence[Coded]) -> Coded:
    """Put texts under codes of their own together."""
    place: dict[Any, int] = {}
    codes = []
    for part in parts:
        own = [place.setdefault((type(cell), cell), len(place)) for cell in part.distinct]
        codes.append(np.array(own, np.int32)[part.code] if own else part.code)
    return Coded(np.concatenate(codes), [cell for _, cell in place])


def plain(cell: Any) -> Any:
    """Return a cell without NumPy's wrapping."""
    kind = type(cell)
    return cell.tolist() if issubclass(kind, (np.generic, np.ndarray)) else cell


def is_empty(cell: Any, blank: frozenset[str]) -> bool:
    """Say whether a cell holds nothing: null, NaN, no key, or a text that is one of these."""
    kind = type(cell)
    if kind is str:
        return cell.strip().lower() in blank
    not_a_number = issubclass(kind, (float, np.floating)) and np.isnan(cell)
    return bool(cell is None or kind is State or not_a_number)


def number_or_text(text: str) -> float | str | None:
    """Give a text the type it would have in JSON: nothing, a number or a text."""
    if text.strip().lower() in EMPTY_WORDS:
        return None
    try:
        value = float(text)
    except ValueError:
        return text
    # Python reads 1_000 as a number, and a table does not mean one.
    return text if "_" in text else value


def number_or_flag(text: Any) -> Any:
    """Read a text of a file: nothing, a number, true or false, or the text itself."""
    value = number_or_text(text)
    return FLAGS.get(value.strip().lower(), value) if type(value) is str else value
