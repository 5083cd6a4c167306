"""Files become an `ItemTable`: run files by mode, and plain item tables of any format."""

from __future__ import annotations

import os

from assay.errors import UsageError
from assay.showing import quoted
from assay.sources.content import load
from assay.sources.formats import format_of
from assay.sources.item_columns import TableColumns
from assay.sources.items import ItemTable, item_table
from assay.sources.table import columnar

__all__ = ["TableColumns", "read_run"]


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
        A file, possibly compressed, a folder or a pattern, or "-" for standard input.
    mode
        Which experiment of a run file; needed when there are several.
    columns
        The column names and the scale of a plain table.
    signals
        Which signals of a run file to convert, all when None; a plain table keeps all of them.
    """
    columns = columns or TableColumns()
    large = columnar(os.fspath(path))
    if large is not None:
        _refuse_mode(large.source.path, mode)
        return item_table(large, columns)
    content = load(os.fspath(path))
    form = format_of(content, "items")
    if form.gives == "items":
        table: ItemTable = form.read(content, mode=mode, signals=signals)
        return table
    _refuse_mode(content.path, mode)
    return item_table(form.read(content), columns)


def _refuse_mode(path: str, mode: str | None) -> None:
    if mode is not None:
        msg = f"{path} is an item table and has no modes, so mode {quoted(mode)} cannot be chosen"
        raise UsageError(msg, hint="leave `mode` out for this input")
