"""Tables of one JSON object per line, read by column.

Lines are decoded a part of the file at a time, and only the keys that are asked for become cells:
numbers end up in arrays. The typed decoder takes no longer than an engine, is there without one,
and refuses what is no JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from assay._kernels import distinct_keys
from assay.derive.signals import State, found
from assay.errors import ArtifactError, ColumnError
from assay.sources.column import (
    Cells,
    LazyColumn,
    joined,
    typed,
)
from assay.sources.content import (
    Content,
    check_text,
    decoded_json,
    first_line,
    holds_run,
    is_object,
    json_lines,
    text_stream,
)
from assay.sources.formats import Format
from assay.sources.formats.run_file import UNREADABLE
from assay.sources.names import ID_NEEDS, usable_id
from assay.sources.table_files import folders_of
from assay.sources.tabular import Source, Table, number_hint

LINE_SHAPE = "each line holds one JSON object, with one key per column, as jq -c '.[]' writes them"
PART = 1 << 20
"""bytes that are decoded at once"""
LONGEST_LINE = 1 << 24
"""characters of an object that an engine is to see"""
ANY = msgspec.json.Decoder(dict[str, Any])
Part = tuple[int, list[list[Any]]]
"""how many lines there are in a part, and the cells of every column"""
FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError)


def _holds(content: Content) -> bool:
    if holds_run(content.data):
        return False
    first, more = first_line(content.data)
    return is_object(first) and (more or _is_row(first))


def _is_row(line: bytes) -> bool:
    """Say whether the one line there is may be a row: there are cells, and none is an object."""
    cells = msgspec.json.decode(line, type=dict[str, msgspec.Raw]).values()
    return bool(cells) and not any(bytes(each).lstrip().startswith(b"{") for each in cells)


def line_table(content: Content, names: Sequence[str] = ()) -> Table:
    """Read the keys that are named, or all; others are read when they are asked for."""
    # Once for the whole file, so that the offset is the file's and no line can fail later.
    check_text(content)
    lines = Lines(content)
    lines.open(names)
    columns = {name: LazyColumn(lines, name) for name in lines.header}
    return Table(columns, lines.place, Source(content.path, content.sha256, FORMAT.name))


FORMAT = Format("jsonl", (".jsonl", ".ndjson", ".json"), _holds, line_table)


@dataclass(slots=True, eq=False)
class Lines:
    """The lines of a file, and the columns of them that were read."""

    content: Content
    header: tuple[str, ...] = ()
    held: dict[str, Cells] = field(default_factory=dict)
    n_rows: int = 0

    def open(self, names: Sequence[str]) -> None:
        """Find out which keys there are, and read those that are named, or all."""
        try:
            first = next(_parts(self.content.data), [])
            known = dict.fromkeys(key for line in first for key in ANY.decode(line))
            wanted = [name for name in known if name in names] if names else list(known)
            self._keep(wanted, _decoded(self.content.data, tuple(known), wanted))
        except FAULTS:
            # A line is at fault, or has a key that none of the first lines has.
            records = [*json_lines(self.content, ANY, hint=LINE_SHAPE)]
            known = dict.fromkeys(key for record in records for key in record)
            wanted = [name for name in known if name in names] if names else list(known)
            self._keep(wanted, _picked(records, wanted))
        self.header = tuple(known)

    def fetch(self, numbers: Sequence[str], names: Sequence[str]) -> None:
        """Read columns, as far as they are not there."""
        asked = dict.fromkeys((*numbers, *names))
        wanted = [name for name in asked if name in self.header and name not in self.held]
        if wanted:
            lines = (line for part in _parts(self.content.data) for line in part)
            self._keep(wanted, _picked(map(ANY.decode, lines), wanted))

    def _keep(self, names: Sequence[str], parts: Iterator[Part]) -> None:
        """Keep columns that come in parts, each with the cells of every column."""
        columns: list[list[Cells]] = [[] for _ in names]
        n_rows = 0
        for n_lines, part in parts:
            n_rows += n_lines
            for own, cells in zip(columns, part, strict=True):
                own.append(typed(cells))
        self.n_rows = n_rows
        self.held |= {name: joined(own) for name, own in zip(names, columns, strict=True)}

    def place(self, row: int) -> str:
        """Name a row in a message, by its line."""
        lines = enumerate(self.content.data.split(b"\n"), start=1)
        held = [number for number, line in lines if line.strip()]
        return f"line {held[row]}"


def _parts(data: bytes) -> Iterator[list[bytes]]:
    """Yield the lines that hold something, some of them at a time."""
    first = 0
    while first < len(data):
        end = data.find(b"\n", first + PART)
        last = len(data) if end < 0 else end
        yield [*filter(bytes.strip, data[first:last].split(b"\n"))]
        first = last + 1


def _decoded(data: bytes, known: Sequence[str], wanted: Sequence[str]) -> Iterator[Part]:
    """Yield the cells of some keys; a key that is not known, or stands twice, is a fault."""
    if any(map(UNREADABLE.search, known)):
        raise ValueError(known)
    fields = {name: f"key_{number}" for number, name in enumerate(known)}
    shape: Any = msgspec.defstruct(
        "Line",
        [
            (own, Any, State.MISSING) if name in wanted else (own, msgspec.Raw, msgspec.Raw(b""))
            for name, own in fields.items()
        ],
        rename={own: name for name, own in fields.items()},
        forbid_unknown_fields=True,
        gc=False,
    )
    decode = msgspec.json.Decoder(shape).decode
    picks = [attrgetter(fields[name]) for name in wanted]
    for lines in _parts(data):
        rows = [*map(decode, lines)]
        if not distinct_keys(b"[%s]" % b",".join(lines)):
            raise ValueError(lines)
        yield len(rows), [[*map(pick, rows)] for pick in picks]


def _picked(records: Iterable[dict[str, Any]], names: Sequence[str]) -> Iterator[Part]:
    cells: list[list[Any]] = [[] for _ in names]
    n_rows = 0
    for record in records:
        n_rows += 1
        for name, own in zip(names, cells, strict=True):
            own.append(record.get(name, State.MISSING))
    yield n_rows, cells


def streamed_rows(files: Sequence[str], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object with the place of its line, or say what is wrong with it."""
    folders = folders_of(path, files)
    for at, file in enumerate(files):
        shown = path if len(files) == 1 else f"{path}, {Path(file).name}"
        above = {name: values[at] for name, values in folders.items()}
        for number, line in _lines(file, shown):
            place = f"{shown}, line {number}"
            yield place, above | decoded_json(ANY, line.encode(), place=place, hint=LINE_SHAPE)


def _lines(path: str, shown: str) -> Iterator[tuple[int, str]]:
    with text_stream(path, shown, newline="\n") as text:
        number = 0
        while line := text.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                msg = f"{shown}, line {number} has more than {LONGEST_LINE:,} characters"
                raise ArtifactError(msg, hint=LINE_SHAPE)
            if line.strip():
                yield number, line


def number_text(cell: Any, where: str, name: str) -> str:
    """Return a number as engines read it, and nothing where there is none."""
    if cell is None:
        return ""
    if type(cell) not in {int, float}:
        shown = f"must be a finite number, found {found(cell)}"
        raise ColumnError(f"{where}: `{name}` {shown}", hint=number_hint(cell))
    return repr(cell)


def cell_text(cell: Any, where: str, name: str, *, is_id: bool) -> str:
    """Return an id as a text, any other cell as JSON, which `decoded_cell` reads; null is empty."""
    if cell is None:
        return ""
    if is_id and not usable_id(cell):
        msg = f"{where}: `{name}` must be {ID_NEEDS}, found {found(cell)}"
        raise ColumnError(msg, hint=f"no row may lack its `{name}`")
    return str(cell) if is_id else msgspec.json.encode(cell).decode()


def decoded_cell(text: str) -> Any:
    """Return what a cell was that is no id."""
    return msgspec.json.decode(text) if text else None
