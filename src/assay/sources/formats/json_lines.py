"""Tables of one JSON object per line."""

from __future__ import annotations

import msgspec

from assay.sources.cells import json_line_cells
from assay.sources.content import Content, decoded_text, holds_run, is_object
from assay.sources.formats import Format
from assay.sources.table import Table, from_cells

__all__ = ["FORMAT"]


def _holds(content: Content) -> bool:
    first, _, rest = content.data.strip().partition(b"\n")
    return not holds_run(content.data) and is_object(first) and (bool(rest) or _is_row(first))


def _is_row(line: bytes) -> bool:
    """Say whether the one line there is may be a row: there are cells, and none is an object."""
    cells = msgspec.json.decode(line, type=dict[str, msgspec.Raw]).values()
    return bool(cells) and not any(bytes(each).lstrip().startswith(b"{") for each in cells)


def _read(content: Content) -> Table:
    # Once for the whole file, so that the offset is the file's and no line can fail later.
    decoded_text(content)
    return from_cells(json_line_cells(content))


FORMAT = Format("jsonl", (".jsonl", ".ndjson", ".json"), _holds, _read)
