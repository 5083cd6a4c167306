"""Files become an `ItemTable`: run files by mode, and plain item tables.

The format follows from the name (`.json`, `.jsonl`, `.ndjson`, `.csv`, `.parquet`, each also with
`.gz`), for standard input from the content; a run and JSON lines are told apart by content.
"""

from __future__ import annotations

import os

from assay.errors import ArtifactError, UsageError
from assay.showing import quoted
from assay.sources.content import Content, decoded_text, holds_run, is_object, load
from assay.sources.item_files import items_of_table, read_csv, read_json_lines, read_parquet
from assay.sources.items import ItemTable, TableColumns
from assay.sources.run import run_of
from assay.sources.table import columnar

__all__ = ["TableColumns", "read_run"]

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
TABLE_READERS = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_json_lines,
    ".parquet": read_parquet,
}
PARQUET_MAGIC = b"PAR1"


def read_run(
    path: str | os.PathLike[str],
    *,
    mode: str | None = None,
    columns: TableColumns | None = None,
    signals: frozenset[str] | None = None,
) -> ItemTable:
    """Read a run file or a plain item table.

    Parameters
    ----------
    path
        A file, possibly compressed with gzip, or "-" for standard input.
    mode
        Which experiment of a run file; needed when there are several.
    columns
        The column names and the scale of a plain table.
    signals
        Which signals of a run file to convert, all when None; a plain table keeps all of them.
    """
    columns = columns or TableColumns()
    table = columnar(os.fspath(path))
    if table is not None:
        _refuse_mode(table.source.path, mode)
        return items_of_table(table, columns=columns)
    content = load(os.fspath(path))
    kind = _kind(content, columns)
    if kind == "run":
        return run_of(content, mode=mode, signals=signals)
    _refuse_mode(content.path, mode)
    return TABLE_READERS[kind](content, columns=columns)


def _refuse_mode(path: str, mode: str | None) -> None:
    if mode is not None:
        msg = f"{path} is an item table and has no modes, so mode {quoted(mode)} cannot be chosen"
        raise UsageError(msg, hint="leave `mode` out for this input")


def _kind(content: Content, columns: TableColumns) -> str:
    suffix = content.suffix if content.path != "-" else _suffix_of_content(content.data)
    if suffix in JSON_SUFFIXES:
        _check_text(content)
        return ".jsonl" if _holds_lines(content.data, suffix, columns) else "run"
    if suffix not in TABLE_READERS:
        msg = f"{content.path} has a name that tells no format"
        known = ", ".join(dict.fromkeys((*JSON_SUFFIXES, *TABLE_READERS)))
        raise ArtifactError(msg, hint=f"the formats are {known}, each also with .gz or .zst")
    return suffix


def _check_text(content: Content) -> None:
    # Once for the whole file, so that the offset is the file's and no part can fail later.
    if not content.data.isascii():
        decoded_text(content)


def _suffix_of_content(data: bytes) -> str:
    if data.startswith(PARQUET_MAGIC):
        return ".parquet"
    return ".json" if data.lstrip()[:1] in (b"{", b"[") else ".csv"


def _holds_lines(data: bytes, suffix: str, columns: TableColumns) -> bool:
    """Tell JSON lines from a run, which is one object with `experiments`."""
    if holds_run(data):
        return False
    first, _, rest = data.strip().partition(b"\n")
    named = f'"{columns.participant}"'.encode() in data
    return suffix != ".json" or named or bool(rest and is_object(first))
