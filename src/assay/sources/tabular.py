"""The table of any columns, asked for numbers, class labels, clusters or several numbers per row.

A `Table` knows no roles: whoever evaluates it says what a column should hold, and a cell that is
none of that is refused with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import msgspec
import numpy as np

from assay.derive.signals import Signal, State, found, signal
from assay.errors import ColumnError
from assay.showing import counted, listed, named, quoted, writable
from assay.sources.column import (
    EMPTY_WORDS,
    FLAGS,
    Cells,
    Column,
    LazyColumn,
    is_empty,
    number_or_flag,
    plain,
    taken,
)
from assay.sources.names import ID_NEEDS, Participant, ranked_ids, usable_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices
    from assay.sources.content import Content
    from assay.sources.unit_table import About

    Mask: TypeAlias = NDArray[np.bool_]

Label = int | str

DECIMAL_COMMA = re.compile(r"\s*[+-]?([0-9]+,[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?\s*", re.ASCII)
WHOLE = re.compile(r"(0|-?[1-9][0-9]{0,17})(?:\.0*)?")
"""A whole number as a file may spell it: 3, or 3.0 where a column once held an empty cell."""
ROWS_AT_ONCE = 1 << 15
NUMERIC_KINDS = "fiub"
READ_KINDS = NUMERIC_KINDS + "UTO"
"""kinds of arrays that can be read: numbers, flags, texts and Python objects"""
FLAG_HINT = "true is not 1 here; write the number that was measured"
COMMA_HINT = "decimal commas are read in a column without points, where no comma separates cells"
IN_SET_HINT = "a flag says whether the class is in the set"
NUMBER_HINT = "fill the cell in, or leave the row out"
LIST_SHAPE = "the cell is a list of numbers, as in [0.1, 0.9]"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a table came from; never used in a formula."""

    path: str
    """as it was given; "-" is standard input, "data" a frame or arrays"""
    sha256: str | None
    """of the bytes on disk, compressed as they are; None in memory"""
    format: str
    """run, csv, jsonl, parquet, frame or arrays"""
    mode: str | None = None
    run_id: str | None = None
    git_commit: str | None = None
    modes: tuple[str, ...] = ()
    """all modes a run file holds"""


def source_of(content: Content, name: str) -> Source:
    """Return where a table of a format came from."""
    return Source(content.path, content.sha256, name)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Named columns of any meaning, and where they came from."""

    columns: Mapping[str, Cells]
    """raw cells, or an array with the rows first"""
    place: Callable[[int], str]
    """names a row in a message"""
    source: Source
    hint: str | None = None
    """what is likely wrong when a column is not there"""
    counts: Array | None = None
    """how many rows each one stands for, where an engine has counted them; None: one each"""
    about: About | None = None
    """of the unit table that it is, where it is one"""

    @property
    def n_rows(self) -> int:
        """The number of rows; where columns differ, `rows` says so."""
        return max(map(len, self.columns.values()), default=0)

    def rows(self, *names: str) -> int:
        """Return the number of rows of some columns, which must exist and be equally long."""
        lengths = {name: len(self.cells(name)) for name in names}
        first = next(iter(lengths))
        for name, length in lengths.items():
            if length != lengths[first]:
                msg = (
                    f"{self.source.path}: `{name}` has {counted(length, 'row')} where"
                    f" `{first}` has {lengths[first]}"
                )
                raise ColumnError(msg, hint="the columns describe the same rows, in one order")
        if not lengths[first]:
            msg = f"{self.source.path} has no rows"
            texts = "the first line is the header, the rows follow it"
            raise ColumnError(
                msg, hint=texts if self._is_text() else "it needs a row for each case"
            )
        return lengths[first]

    def fetch(self, *, numbers: Sequence[str] = (), names: Sequence[str] = ()) -> None:
        """Read columns of a large file at once; others are read when they are asked for."""
        for name in (*numbers, *names):
            column = self.columns.get(name)
            origin = getattr(column, "origin", None)  # of a column that is read when it is needed
            if origin is not None:
                origin.fetch(numbers, names)
                return

    def keep(self, rows: Mask) -> Table:
        """Return some rows of all columns that have these rows; messages keep their places."""
        kept = np.flatnonzero(rows)
        columns = {
            name: taken(cells, kept) if len(cells) == rows.size else cells
            for name, cells in self.columns.items()
        }
        place = self.place
        counts = None if self.counts is None else self.counts[kept]
        return replace(
            self, columns=columns, place=lambda row: place(int(kept[row])), counts=counts
        )

    def known(self, name: str) -> Array:
        """Return a column of numbers, NaN where there is none."""
        return self._signal(name).value

    def where(self, row: int) -> str:
        """Name a row of this table in a message."""
        return f"{self.source.path}, {self.place(row)}"

    def refuse(self, row: int, name: str, needs: str, *, hint: str) -> NoReturn:
        """Raise the sentence for one bad cell."""
        where = f"{self.source.path}, {self.place(row)}"
        shown = found(plain(self.cells(name)[row]))
        msg = f"{where}: {named(name)} must be {needs}, found {shown}"
        raise ColumnError(msg, hint=hint)

    def empty(self, name: str, *, words: frozenset[str] = EMPTY_WORDS) -> Mask:
        """Return which rows hold nothing: null, NaN, no key, a blank text, a word in a CSV file."""
        cells = self.cells(name)
        if _is_array(cells) and np.asarray(cells).dtype.kind in NUMERIC_KINDS:
            nothing = np.isnan(_floats(np.asarray(cells)))
            return np.asarray(nothing.reshape(len(cells), -1).any(axis=1))
        blank = words if self._is_text() else frozenset({""})
        if isinstance(cells, Column):
            return cells.empty(blank)
        return np.fromiter((is_empty(cell, blank) for cell in cells), np.bool_, len(cells))

    def numbers(self, name: str, *, infinite: bool = False) -> Array:
        """Return a column of numbers; anything else is refused, true and false as well."""
        values = self._signal(name)
        held = (values.state == State.NUMBER) & ~np.isnan(values.value)
        usable = held & (infinite | ~np.isinf(values.value))
        if not usable.all():
            row = int(np.argmin(usable))
            needs = "a number" if infinite else "a finite number"
            self.refuse(row, name, needs, hint=number_hint(plain(self.cells(name)[row])))
        return values.value

    def flags(self, names: Sequence[str]) -> Array:
        """Return (rows, k) numbers from k columns, in which true is 1 and false 0."""
        self.rows(*names)
        columns = [self._signal(name).value for name in names]
        for name, values in zip(names, columns, strict=True):
            if np.isnan(values).any():
                row = int(np.argmax(np.isnan(values)))
                self.refuse(row, name, "true or false", hint=IN_SET_HINT)
        return np.column_stack(columns)

    def labels(self, name: str) -> Sequence[Label]:
        """Return class labels: whole numbers or texts, however the file spells them."""
        codes, distinct = self.codes(name)
        return [distinct[code] for code in codes.tolist()]

    def codes(self, name: str) -> tuple[Indices, tuple[Label, ...]]:
        """Return each row's label as an index into the distinct labels, and these."""
        cells = self.cells(name)
        if _is_array(cells) and np.asarray(cells).dtype.kind in NUMERIC_KINDS:
            labels = self._one_per_row(name, np.asarray(cells))
            values, inverse = np.unique(labels, return_inverse=True)
            found, inverse = values.tolist(), inverse.reshape(-1)
        else:
            found, inverse = self._encoded(name)
        spelled = [class_label(cell) for cell in found]
        if None in spelled:
            row = int(np.argmax(np.isin(inverse, [n for n, e in enumerate(spelled) if e is None])))
            self.refuse(row, name, "a class: a whole number or a text", hint=NUMBER_HINT)
        distinct = tuple(dict.fromkeys(each for each in spelled if each is not None))
        number: dict[Any, int] = {label: place for place, label in enumerate(distinct)}
        place = np.array([number.get(each, -1) for each in spelled], np.int64)
        return _renumbered(inverse, place), distinct

    def wide(self, names: Sequence[str], *, infinite: bool = False) -> Array:
        """Return (rows, k) numbers: from k columns, or from one column of lists or of 2-D."""
        if len(names) > 1:
            self.rows(*names)
            return np.column_stack([self.numbers(name, infinite=infinite) for name in names])
        (name,) = names
        values = self._lists(name)
        usable = ~np.isnan(values) & (infinite | ~np.isinf(values))
        if not usable.all():
            row, column = map(int, np.argwhere(~usable)[0])
            where = f"{self.source.path}, {self.place(row)}"
            shown = found(float(values[row, column]))
            msg = f"{where}: `{name}` holds {shown} in position {column}, which is not a number"
            raise ColumnError(msg, hint=NUMBER_HINT)
        return values

    def array(self, name: str) -> Array:
        """Return a column of numbers as an array of the shape it has."""
        cells = self.cells(name)
        if _is_array(cells) and np.asarray(cells).dtype.kind in NUMERIC_KINDS:
            return self._measured(name, np.asarray(cells))
        return self._lists(name) if self.is_wide(name) else self.numbers(name, infinite=True)

    def is_wide(self, name: str) -> bool:
        """Say whether a column holds several values per row: lists, or an array of more axes."""
        cells = self.cells(name)
        if _is_array(cells) and np.asarray(cells).dtype != np.object_:
            return np.asarray(cells).ndim > 1
        return len(cells) > 0 and _list_of(cells[0]) is not None

    def clusters(self, name: str | None) -> tuple[Indices, Sequence[Participant]]:
        """Return each row's cluster and the clusters in their order; None makes rows clusters."""
        if name is None:
            return np.arange(self.n_rows), range(self.n_rows)
        distinct, code = self._encoded(name)
        spelled = [cluster_id(cell) for cell in distinct]
        if None in spelled:
            row = int(np.argmax(np.isin(code, [n for n, e in enumerate(spelled) if e is None])))
            self.refuse(row, name, ID_NEEDS, hint=f"no row may lack its `{name}`")
        rank, ids = ranked_ids(spelled)  # type: ignore[arg-type]  # all are usable
        return rank[code], ids

    def cells(self, name: str) -> Cells:
        """Return the raw cells of a column, which must exist and hold numbers, texts or lists."""
        if not self.columns:
            msg = f"{self.source.path} has no rows"
            raise ColumnError(msg, hint=f"each row needs a `{name}`")
        if name not in self.columns:
            msg = f"{self.source.path} has no column {named(name)}"
            raise ColumnError(msg, hint=self.hint or f"its columns are {listed(self.columns)}")
        cells = self.columns[name]
        if isinstance(cells, LazyColumn):
            cells = cells.cells()
        if _is_array(cells) and np.asarray(cells).dtype.kind not in READ_KINDS:
            kind = np.asarray(cells).dtype
            msg = f"{self.source.path}: {named(name)} holds values of the type {quoted(str(kind))}"
            raise ColumnError(msg, hint="numbers, texts, or true and false are read from arrays")
        return cells

    def single(self, name: str) -> Cells:
        """Return the raw cells of a column of one value per row, also from an array (rows, 1)."""
        cells = self.cells(name)
        return self._one_per_row(name, np.asarray(cells)) if _is_array(cells) else cells

    def _is_text(self) -> bool:
        return self.source.format == "csv"

    def _hashable(self, name: str, cells: Cells) -> Sequence[Any]:
        listed = _listed(cells)
        for row, cell in enumerate(listed):
            if type(cell) in (list, dict, tuple):
                self.refuse(row, name, "a number or a text", hint="one value per row")
        return listed

    def _encoded(self, name: str) -> tuple[list[Any], Indices]:
        """Return the distinct cells that occur, and of every row which of them it holds."""
        cells = self.single(name)
        if isinstance(cells, Column):
            distinct, code = cells.encoded()
            first = np.full(len(distinct), code.size)
            for start in range(0, code.size, ROWS_AT_ONCE)[::-1]:
                part = code[start : start + ROWS_AT_ONCE][::-1]
                first[part] = np.arange(start + part.size - 1, start - 1, -1)
            order = np.argsort(first, kind="stable")[: np.count_nonzero(first < code.size)]
            rank = np.zeros(len(distinct), np.int64)
            rank[order] = np.arange(order.size)
            return [distinct[number] for number in order], _renumbered(code, rank)
        every = self._hashable(name, cells)
        place = {cell: number for number, cell in enumerate(dict.fromkeys(every))}
        return list(place), np.fromiter(map(place.__getitem__, every), np.int64, len(every))

    def _signal(self, name: str) -> Signal:
        cells = self.cells(name)
        if _is_array(cells):
            values = self._one_per_row(name, np.asarray(cells))
            if values.dtype.kind in NUMERIC_KINDS:
                floats = _floats(values)
                state = State.BOOLEAN if values.dtype.kind == "b" else State.NUMBER
                return Signal(floats, np.full(floats.size, state, np.int8))
        if isinstance(cells, Column):
            return (cells.converted(number_or_flag) if self._is_text() else cells).signal()
        return signal(list(map(number_or_flag, cells)) if self._is_text() else _listed(cells))

    def _one_per_row(self, name: str, values: NDArray[Any]) -> NDArray[Any]:
        if values.size != len(values):
            if self.source.sha256 is not None:
                self.refuse(0, name, "a number or a text", hint="one value per row is needed here")
            msg = f"{self.source.path}: {named(name)} has the shape {values.shape}"
            raise ColumnError(msg, hint="one value per row is needed here")
        return values.reshape(-1)

    def _lists(self, name: str) -> Array:
        cells = self.cells(name)
        if _is_array(cells) and np.asarray(cells).dtype.kind in NUMERIC_KINDS:
            values = self._measured(name, np.asarray(cells))
            return values.reshape(-1, 1) if values.ndim == 1 else self._flat(name, values)
        rows = [_list_of(cell) for cell in cells]
        for row, numbers in enumerate(rows):
            if numbers is None or len(numbers) == 0:
                self.refuse(row, name, "a list of numbers", hint=LIST_SHAPE)
            if len(numbers) != len(rows[0] or ()):
                where = f"{self.source.path}, {self.place(row)}"
                wanted, some = len(rows[0] or ()), counted(len(numbers), "number")
                msg = f"{where}: `{name}` has {some} where others have {wanted}"
                raise ColumnError(msg, hint="every row has one number per class")
        return self._numeric(name, rows)

    def _measured(self, name: str, values: NDArray[Any]) -> Array:
        if values.dtype.kind == "b":
            msg = f"{self.source.path}: {named(name)} must be numbers, found true and false"
            raise ColumnError(msg, hint=FLAG_HINT)
        return _floats(values)

    def _flat(self, name: str, values: Array) -> Array:
        if values.ndim != 2 or not values.shape[1]:  # noqa: PLR2004 - rows and classes
            msg = f"{self.source.path}: `{name}` has the shape {values.shape}"
            raise ColumnError(msg, hint="an array of two axes is needed here, rows first")
        return values

    def _numeric(self, name: str, rows: Sequence[Any]) -> Array:
        flat = signal([cell for row in rows for cell in row])
        odd = np.flatnonzero(np.isin(flat.state, (State.OTHER, State.MISSING, State.BOOLEAN)))
        width = len(rows[0]) if rows else 1
        if odd.size:
            row = int(odd[0]) // width
            where = f"{self.source.path}, {self.place(row)}"
            shown = found(rows[row][int(odd[0]) % width])
            msg = f"{where}: `{name}` holds {shown} in position {odd[0] % width}, not a number"
            raise ColumnError(msg, hint=LIST_SHAPE)
        return flat.value.reshape(len(rows), width)


def _renumbered(code: Indices, place: Indices) -> Indices:
    """Return other numbers in the place of codes, without a copy where they are the same."""
    same = np.array_equal(place, np.arange(place.size))
    return code if same else place[code]


def number_hint(cell: Any) -> str:
    """Say how to write what seems to be meant."""
    if type(cell) is bool or str(cell).strip().lower() in FLAGS:
        return FLAG_HINT
    if type(cell) is str and DECIMAL_COMMA.fullmatch(cell):
        return COMMA_HINT
    return NUMBER_HINT


def _floats(values: NDArray[Any]) -> Array:
    with np.errstate(over="ignore"):  # a number that is too long is infinite, and said to be so
        floats: Array = values.astype(np.float64)
    return floats


def _is_array(cells: Cells) -> bool:
    return type(cells) is np.ndarray


def _listed(cells: Any) -> list[Any]:
    return cells.tolist() if _is_array(cells) else list(map(plain, cells))


def _list_of(cell: Any) -> Sequence[object] | None:
    cell = plain(cell)
    if type(cell) is str:
        try:
            cell = msgspec.json.decode(cell)
        except (msgspec.DecodeError, UnicodeEncodeError):  # the latter: half a character
            return None
    return cell if type(cell) in (list, tuple) else None


def class_label(cell: object) -> Label | None:
    """Return a cell as a class label, or None when it cannot be one.

    A whole number is the same class however it is spelled, and a boolean is a text.

    Examples
    --------
    >>> class_label("3"), class_label(3.0), class_label(" cat "), class_label(True)
    (3, 3, 'cat', 'true')
    >>> class_label(2.5) is None, class_label("") is None
    (True, True)
    """
    bare = plain(cell)
    if type(bare) is bool:
        return str(bare).lower()
    if type(bare) is float:
        return int(bare) if bare.is_integer() else None
    if type(bare) is str:
        whole = WHOLE.fullmatch(bare.strip())
        text = bare.strip() if writable(bare) else None
        return int(whole[1]) if whole else text or None
    return bare if type(bare) is int else None


def cluster_id(cell: object) -> Participant | None:
    """Return a cell as the id of a cluster, or None when it cannot be one."""
    bare = cell.strip() if type(cell) is str else cell
    if type(bare) is float and bare.is_integer():
        bare = int(bare)
    return bare if usable_id(bare) else None  # type: ignore[return-value]  # it is an id
