"""Tables of one JSON list of objects, as data frames and web services write them."""

from __future__ import annotations

from typing import Any

import msgspec

from assay.derive.signals import State
from assay.sources.column import typed
from assay.sources.content import Content, decoded_json
from assay.sources.formats import Format
from assay.sources.table import row_place
from assay.sources.tabular import Table, source_of

SHAPE = "the file holds one list of JSON objects, with one key per column"
ROWS = msgspec.json.Decoder(list[dict[str, Any]])


def _holds(content: Content) -> bool:
    return content.data.lstrip().startswith(b"[")


def _read(content: Content) -> Table:
    rows = decoded_json(ROWS, content.data, place=content.path, hint=SHAPE)
    names = dict.fromkeys(key for row in rows for key in row)
    columns = {name: typed([row.get(name, State.MISSING) for row in rows]) for name in names}
    return Table(columns, row_place, source_of(content, FORMAT.name))


FORMAT = Format("json", (".json",), _holds, _read, only_sure=True)
