"""Columns of Parquet files, read by the engine when they are asked for."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import ArtifactError
from assay.showing import named
from assay.sources.content import check_memory, fault
from assay.sources.engine import connected, engine_faults, partitioned
from assay.sources.table_files import folders_of

__all__ = ["ParquetFiles"]

CELL_BYTES = 8
NUMBER = "NUMBER"
NUMERIC = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL|NUMBER)\b")
COUNTED = "SELECT file_name, num_rows FROM parquet_file_metadata(?)"
Split = Callable[[Any], dict[str, Any]]
"""takes a frame apart into cells by name"""


@dataclass(slots=True, eq=False)
class ParquetFiles:
    """Files that are one table, and the columns of them that were read."""

    path: str
    """as it was given"""
    files: list[str]
    header: tuple[str, ...]
    counts: list[int]
    """rows by file"""
    split: Split
    folders: tuple[str, ...] = ()
    """columns that folders like year=2026 stand for"""
    held: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, files: Sequence[str], split: Split) -> ParquetFiles | None:
        """Look at the columns of files; None where they are for the plain reader."""
        whole = [str(Path(each).absolute()) for each in files]
        folders = tuple(folders_of(path, files))
        listed = f"SELECT * FROM {_source(folders)} LIMIT 0"  # noqa: S608 - ours
        try:
            with connected(path) as connection:
                headers = [connection.execute(listed, [[each]]).description for each in whole]
                counts = [count for _, count in connection.execute(COUNTED, [whole]).fetchall()]
        except engine_faults() as error:
            if len(files) == 1:
                return None
            msg = f"{path} cannot be read as one table: {fault(str(error).partition(chr(10))[0])}"
            raise ArtifactError(
                msg, hint="files that are one table have the same columns"
            ) from None
        first = _kinds(headers[0])
        for file, header in zip(files, headers, strict=True):
            if _kinds(header) != first:
                raise _unlike(file, _kinds(header), files[0], first)
        return cls(path, whole, tuple(first), counts, split, folders)

    @property
    def n_rows(self) -> int:
        """The number of rows of all files."""
        return sum(self.counts)

    def fetch(self, numbers: Sequence[str], names: Sequence[str]) -> None:
        """Read columns in one scan, as far as they are not there."""
        every = dict.fromkeys((*numbers, *names))
        wanted = [name for name in every if name in self.header and name not in self.held]
        if not wanted:
            return
        check_memory(self.path, self.n_rows * len(wanted) * CELL_BYTES, " once decompressed")
        arrow = importlib.import_module("pyarrow")
        asked = ", ".join('"' + name.replace('"', '""') + '"' for name in wanted)
        try:
            with connected(self.path) as connection:
                relation = self.relation(connection, asked)
                frame = arrow.RecordBatchReader.from_stream(relation).read_all()
        except engine_faults() as error:
            reason = fault(str(error).strip().partition("\n")[0])
            msg = f"{self.path} is not a readable Parquet file: {reason}"
            raise ArtifactError(msg, hint="the file may be cut short; copy it again") from None
        self.held |= self.split(frame)

    def relation(self, connection: Any, asked: str = "*") -> Any:
        """Return columns of all files as the engine reads them."""
        query = f"SELECT {asked} FROM {_source(self.folders)}"  # noqa: S608 - names are quoted
        return connection.sql(query, params=[self.files])

    def place(self, row: int) -> str:
        """Name a row in a message; of several files also by its file."""
        if len(self.files) == 1:
            return f"row {row}"
        ends = np.cumsum(self.counts)
        file = int(np.searchsorted(ends, row, side="right"))
        inside = row - int(ends[file]) + self.counts[file]
        return f"{Path(self.files[file]).name}, row {inside}"


def _source(folders: Sequence[str]) -> str:
    return f"read_parquet(?, {partitioned(folders)})"


def _kinds(header: Any) -> dict[str, str]:
    """Return the kind of every column; all numbers are of one kind."""
    return {name: NUMBER if NUMERIC.match(str(kind)) else str(kind) for name, kind, *_ in header}


def _unlike(file: str, own: dict[str, str], other: str, theirs: dict[str, str]) -> ArtifactError:
    """Say in what a file differs from the first: the engine would fill in or convert."""
    msg = f"{file} does not have the columns of {other}"
    if own.keys() == theirs.keys():
        name = next(name for name in own if own[name] != theirs[name])
        found, needs = own[name].lower(), theirs[name].lower()
        msg = f"{file}: {named(name)} holds values of the type {found} where {other} has {needs}"
    return ArtifactError(msg, hint="files that are one table have the same columns")
