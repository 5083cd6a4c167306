"""Tables in files that the engine reads: large ones, and several that are one table.

Only the columns that are asked for are read. Where the engine finds a fault the plain reader says
which, in the words that small files get.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import unquote

import numpy as np

from assay.derive.signals import found
from assay.errors import ArtifactError, ColumnError
from assay.showing import quoted
from assay.sources.column import Coded, Column, Measured, number_or_text
from assay.sources.content import (
    CHUNK,
    check_memory,
    compression,
    decompressing,
    fault,
    held_limit,
    load,
    suffix_of,
    text_stream,
    uncompressed,
)
from assay.sources.engine import (
    MixedDecimalsError,
    Spelled,
    connected,
    engine_faults,
    engine_is_here,
    scanned_csv,
)
from assay.sources.formats.comma_separated import (
    POINT_NUMBER,
    csv_cells,
    csv_header,
    csv_numbered,
    csv_reader,
    csv_texts,
    separator_of,
    with_points,
)
from assay.sources.tabular import DECIMAL_COMMA, number_hint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Indices
    from assay.derive.signals import Signal

    Mask: TypeAlias = NDArray[np.bool_]

LARGE = 4 * 10**6
"""bytes from which on a single file goes to the engine, which takes a moment to start"""
SUFFIXES = (".csv", ".tsv", ".parquet")
PATTERN = re.compile(r"[*?\[\]{}]")
PEEK = 1 << 20
CELL_BYTES = 8
LINE = re.compile(r"Line: (\d+)")


def found_files(path: str, suffixes: Sequence[str]) -> tuple[str, ...] | None:
    """Return the files of a folder or a pattern in their order; None where a path is one file."""
    is_folder = os.path.isdir(path)  # noqa: PTH112 - a Path takes "" for here, and fails if long
    if path == "-" or not (is_folder or _is_pattern(path)):
        return None
    every = _within(Path(path)) if is_folder else glob(path, recursive=True)  # noqa: PTH207 - also of absolute paths
    files = tuple(sorted(str(each) for each in every if Path(each).is_file()))
    kinds = {suffix_of(each) for each in files}
    if len(kinds) == 1 and kinds <= {*suffixes}:
        return files
    what = f"files of the kinds {', '.join(sorted(kinds))}" if len(kinds) > 1 else "no table"
    said = f"{quoted(path)} {'holds' if is_folder else 'stands for'} {what}"
    raise ArtifactError(said, hint=f"a table is made of files of one kind: {', '.join(suffixes)}")


def _within(folder: Path) -> Iterator[Path]:
    """Yield what a folder and its partitions (like year=2026) hold, without hidden names."""
    for each in folder.iterdir():
        if each.name[0] not in "._":
            yield from _within(each) if "=" in each.name and each.is_dir() else (each,)


def folders_of(path: str, files: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns that folders like year=2026 stand for, by file: those that all are in.

    Only of a path that is a folder or a pattern: one file is what is in it.
    """
    if path in files:
        return {}
    found = [dict(_named(part) for part in Path(each).parts[:-1] if "=" in part) for each in files]
    return {
        name: [each[name] for each in found]
        for name in found[0]
        if name and all(name in each for each in found)
    }


def _named(folder: str) -> tuple[str, str]:
    name, _, value = folder.partition("=")
    return name, unquote(value)


def _is_pattern(path: str) -> bool:
    return PATTERN.search(path) is not None and not Path(path).exists()


def in_engine(path: str) -> bool:
    """Say whether one file is for the engine: a large table that it can be told the name of."""
    if path == "-" or suffix_of(path) not in SUFFIXES or not speakable(path):
        return False
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size >= LARGE and engine_is_here()


def speakable(path: str) -> bool:
    """Say whether the engine takes a name as it is: it sees patterns in some, and needs UTF-8."""
    whole = str(Path(path).absolute())
    spelled = whole.encode(errors="replace").decode()
    return whole == spelled and PATTERN.search(whole) is None


def digest_of(files: Sequence[str]) -> str:
    """Return the SHA-256 of a file as it is stored; of several, that of their digests and names."""
    with ThreadPoolExecutor(1) as pool:
        digests = list(pool.map(_digest, files))
    if len(files) == 1:
        return digests[0]
    names = [Path(each).name.encode(errors="surrogateescape") for each in files]
    listed = b"".join(b"%s  %s\n" % (d.encode(), n) for d, n in zip(digests, names, strict=True))
    return hashlib.sha256(listed).hexdigest()


def _digest(path: str) -> str:
    found = hashlib.sha256()
    with open(path, "rb") as file:  # noqa: PTH123 - a path is as the user gave it
        while part := file.read(CHUNK):
            found.update(part)
    return found.hexdigest()


@dataclass(slots=True, eq=False)
class CsvFiles:
    """Texts in files; columns are read when they are asked for, several at once where possible."""

    path: str
    """as it was given"""
    spelled: Spelled
    folders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """what the folders of each file stand for"""
    several: bool = False
    """whether the table has more files than one, perhaps others than these"""
    n_rows: int = -1
    """-1: not read yet"""
    numbers: dict[str, Column] = field(default_factory=dict)
    names: dict[str, Column] = field(default_factory=dict)
    located: dict[int, tuple[str, int, list[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, files: Sequence[str], only: int | None = None) -> CsvFiles | None:
        """Look at the headers of files, or of one; None where they are for the plain reader."""
        chosen = files if only is None else files[only : only + 1]
        found = [_header(each) for each in chosen]
        if any(each is None for each in found):
            return None
        first, *others = (each for each in found if each is not None)
        for file, other in zip(chosen[1:], others, strict=True):
            if {*other[0]} != {*first[0]}:
                msg = f"{file} does not have the columns of {files[0]}"
                raise ArtifactError(msg, hint="files that are one table have the same columns")
            if other != first:
                return None
        named = {n: v for n, v in folders_of(path, files).items() if n not in first[0]}
        if only is not None:
            named = {name: values[only : only + 1] for name, values in named.items()}
        whole = tuple(str(Path(each).absolute()) for each in chosen)
        return cls(path, Spelled(whole, *first, tuple(named)), named, len(files) > 1)

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return (*filter(None, self.spelled.header), *self.folders)

    def fetch(self, numbers: Sequence[str], names: Sequence[str]) -> None:
        """Read columns in one scan, as far as they are not there."""
        measured = [name for name in numbers if name in self.header and name not in self.numbers]
        coded = [name for name in names if name in self.header and name not in self.names]
        if self.n_rows >= 0 and not measured and not coded:
            return
        if self.n_rows > 0:
            check_memory(self.path, self.n_rows * (len(measured) + len(coded)) * CELL_BYTES)
        try:
            with connected(self.path) as connection:
                self._keep(*scanned_csv(connection, self.spelled, measured, coded))
        except MixedDecimalsError:
            self._read_plainly(numbers, names)
        except engine_faults() as error:
            self._check_readable(error)
            self._read_plainly(numbers, names)

    def _keep(self, numbers: dict[str, Measured], names: dict[str, Coded], n_rows: int) -> None:
        self.n_rows = n_rows
        for name, own in numbers.items():
            self.numbers[name] = replace(own, spelled=partial(self._cell, name))
        for name, coded in names.items():
            pointed = self.spelled.separator != ","
            texts = list(with_points(coded.distinct)) if pointed else coded.distinct
            self.names[name] = Coded(coded.code, texts)

    def _check_readable(self, error: Exception) -> None:
        """Refuse in the engine's words what is too large for the plain reader."""
        sizes = [Path(each).stat().st_size for each in self.spelled.files]
        if sum(sizes) <= held_limit():
            return
        line = LINE.search(str(error))
        where = f"{self.path}, line {line[1]}" if line and len(sizes) == 1 else self.path
        said = fault(str(error).strip().partition("\n")[0])
        raise ArtifactError(f"{where}: not valid CSV: {said}", hint="check the cells of this line")

    def _read_plainly(self, numbers: Sequence[str], names: Sequence[str]) -> None:
        """Read all files cell by cell, which also says what is wrong with them."""
        read = [csv_texts(load(each)) for each in self.spelled.files]
        sizes = [len(next(iter(raw.columns.values()), ())) for raw in read]
        columns = {
            name: [
                each
                for n, value in zip(sizes, self.folders[name], strict=True)
                for each in [value] * n
            ]
            if name in self.folders
            else [cell for raw in read for cell in raw.columns[name]]
            for name in {*numbers, *names} & {*self.header}
        }
        self.n_rows = sum(sizes)
        for name, texts in columns.items():
            place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
            code = np.fromiter(map(place.__getitem__, texts), np.int32, len(texts))
            self.names[name] = self.numbers[name] = Coded(code, list(place))

    def copied(self, path: str, names: Sequence[str], numbers: Sequence[str]) -> Spelled:
        """Write some columns into a file that any engine reads, or say what is wrong in which row.

        The rules of cells are those of small files; rows are read one by one, and never held.
        """
        whole = Path(path).absolute()
        points = self._pointed(numbers)
        with whole.open("w", encoding="utf-8", newline="") as stored:
            written = csv.writer(stored, quoting=csv.QUOTE_ALL)
            written.writerow([*names, *numbers, ""])
            for where, row in self._rows([*names, *numbers]):
                cells = row[len(names) :]
                read = zip(numbers, cells, points, strict=True)
                values = [_number(where, *each) for each in read]
                written.writerow([*row[: len(names)], *values, ""])
        return Spelled((str(whole),), (*names, *numbers, ""), ",", "none")

    def _pointed(self, numbers: Sequence[str]) -> list[bool]:
        """Say of every column of numbers whether commas in it separate no decimals."""
        found = [self.spelled.separator == ","] * len(numbers)
        if not all(found):
            for _, row in self._rows(numbers):
                found = [
                    a or bool(POINT_NUMBER.fullmatch(b)) for a, b in zip(found, row, strict=True)
                ]
        return found

    def _rows(self, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        header = [*self.spelled.header, *self.folders]
        places = [header.index(name) for name in names]
        for number, file in enumerate(self.spelled.files):
            shown = f"{self.path}, {Path(file).name}" if self.several else self.path
            above = [each[number] for each in self.folders.values()]
            for line, row in numbered_rows(file, shown, self.spelled.separator):
                cells = [*row, *above]
                yield f"{shown}, line {line}", [cells[place] for place in places]

    def place(self, row: int) -> str:
        """Name a row in a message, by the line it ends on; of several files also by its file."""
        file, line, _ = self._located(row)
        name = f"{Path(file).name}, " if len(self.spelled.files) > 1 else ""
        return f"{name}line {line}"

    def _cell(self, name: str, row: int) -> str:
        file, _, cells = self._located(row)
        if name in self.folders:
            return self.folders[name][self.spelled.files.index(file)]
        return cells[self.spelled.header.index(name)]

    def _located(self, row: int) -> tuple[str, int, list[str]]:
        """Find a row again, reading up to it line by line."""
        if row not in self.located:
            count = row
            for file in self.spelled.files:
                for line, cells in _lines(file, self.spelled.separator):
                    if count == 0:
                        self.located[row] = file, line, cells
                        return self.located[row]
                    count -= 1
            raise ArtifactError(f"{self.path} changed while it was read")
        return self.located[row]


def numbered_rows(
    path: str, shown: str, separator: str | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file of any size with their lines, or say what is wrong with it."""
    with text_stream(path, shown, newline="") as text:
        if separator is None:
            separator = separator_of(text.read(PEEK))
            yield from numbered_rows(path, shown, separator)
            return
        rows = csv_numbered(shown, csv_reader(text, separator), separator)
        next(rows)
        yield from rows


def _number(where: str, name: str, cell: str, pointed: bool) -> str:  # noqa: FBT001 - one of a tuple
    """Return a cell as engines read numbers."""
    text = cell.replace(",", ".") if not pointed and DECIMAL_COMMA.fullmatch(cell) else cell
    value = number_or_text(text)
    if isinstance(value, str):
        shown = f"must be a finite number, found {found(cell)}"
        raise ColumnError(f"{where}: `{name}` {shown}", hint=number_hint(cell))
    return "" if value is None else repr(value)


def _lines(path: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file, each with the line on which it ends."""
    with uncompressed(path) as stream:
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        reader = csv_reader(text, separator)
        n_columns = len(next(reader, ()))
        yield from ((reader.line_num, row) for row in csv_cells(reader, n_columns))


def _header(path: str) -> tuple[tuple[str, ...], str, str] | None:
    """Return header, separator and compression; None: for the plain reader."""
    try:
        with open(path, "rb") as stored:  # noqa: PTH123 - a path is as the user gave it
            how = compression(stored.read(4))
            stored.seek(0)
            start = decompressing(stored, how, path).read(PEEK)
        text = start[: start.rfind(b"\n") + 1].decode("utf-8-sig")
        separator = separator_of(text)
        reader = csv_reader(io.StringIO(text, newline=""), separator)
        header = csv_header(next(reader, []), path)
        second = next(csv_cells(reader, len(header)), [])
    except (OSError, EOFError, UnicodeDecodeError, csv.Error, zlib.error, ArtifactError):
        return None
    # An empty line is a row of one empty cell to the engine.
    if len(second) != len(header) or len(header) == 1:
        return None
    return tuple(header), separator, how or "none"


@dataclass(frozen=True, slots=True, eq=False)
class FileColumn(Column):
    """A column of texts that is read when it is needed, as numbers or as names."""

    origin: CsvFiles
    name: str
    rows: Indices | None = None
    """some of the rows; None: all"""

    def as_numbers(self) -> Column:
        """Return the column in the form that numbers are read from."""
        self.origin.fetch([self.name], [])
        return self._chosen(self.origin.numbers[self.name])

    def as_names(self) -> Column:
        """Return the column in the form that names and labels are read from."""
        self.origin.fetch([], [self.name])
        return self._chosen(self.origin.names[self.name])

    def _chosen(self, column: Column) -> Column:
        return column if self.rows is None else column.take(self.rows)

    def _held(self) -> Column:
        """Return the form that is there already, if one is."""
        return self.as_numbers() if self.name in self.origin.numbers else self.as_names()

    def converted(self, convert: Callable[[Any], Any]) -> Column:
        """Return the column with its texts read as numbers or something else."""
        return self.as_numbers().converted(convert)

    def signal(self) -> Signal:
        """Return what every row holds, all of them texts."""
        return self.as_names().signal()

    def encoded(self) -> tuple[list[Any], Indices]:
        """Return the distinct texts, and of every row which of them it holds."""
        return self.as_names().encoded()

    def empty(self, words: frozenset[str]) -> Mask:
        """Return which rows hold nothing."""
        return self._held().empty(words)

    def take(self, rows: Indices) -> FileColumn:
        """Return some rows, in the order given."""
        return replace(self, rows=rows if self.rows is None else self.rows[rows])

    def __len__(self) -> int:
        self.origin.fetch([], [])
        return self.origin.n_rows if self.rows is None else self.rows.size

    def __getitem__(self, row: Any) -> Any:
        return self._held()[row]
