"""Arrays and frames as item tables: one per system, because systems may fail on other people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from assay.derive.losses import LOSSES
from assay.errors import UsageError
from assay.families.arranging import Arranged, Systems
from assay.families.selective.options import RunColumns
from assay.options import declared
from assay.showing import quoted
from assay.sources.items import ItemTable, item_table
from assay.sources.table import Table, from_columns

__all__ = ["arrange"]

ROLES = "`loss` and `confidence`, or `prediction`, `truth` and `confidence`"


def arrange(record: type[RunColumns], systems: Systems, data: Table | None) -> Arranged:
    """Make an item table of every system, and say how each is read.

    Without a scale the loss that divides by its width means nothing: then answers cost what they
    are off by, and labels cost 1 where they are wrong.
    """
    made = [_system(record, name, own, data) for name, own in systems.items()]
    tables, columns = (tuple(each) for each in zip(*made, strict=True))
    if not any("loss" in own or "scale" in own for own in systems.values()):
        loss = "zero_one" if any(table.labels for table in tables) else "abs"
        columns = tuple(replace(own, loss=loss) for own in columns)
    return Arranged(tables, columns)


def _system(
    record: type[RunColumns], name: str, own: Mapping[str, Any], data: Table | None
) -> tuple[ItemTable, RunColumns]:
    if np.size(own.get("mode", ())):
        raise UsageError("`mode` is about runs, and columns were given", hint="leave it out")
    roles = {role for role, choice in declared(record).items() if choice.option.column}
    arrays = {
        role: value for role, value in own.items() if role in roles and not _names(role, value)
    }
    if data is None:
        _check_arrays({role: each for role, each in own.items() if role in roles}, arrays)
    held = from_columns(**arrays)
    if data is not None:
        held = replace(data, columns={**data.columns, **held.columns})
    if held.source.sha256 is None:
        called = name or ("arrays" if data is None else "data")
        held = replace(held, source=replace(held.source, path=called))
    chosen: dict[str, Any] = {role: role if role in arrays else own[role] for role in own}
    columns = record(**chosen)
    return item_table(held, columns), columns


def _names(role: str, value: Any) -> bool:
    """Tell names of columns from values; several names are those of confidences."""
    several = role == "confidence" and isinstance(value, list | tuple) and bool(value)
    return isinstance(value, str) or (several and all(isinstance(each, str) for each in value))


def _check_arrays(own: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Refuse names where there is no table that has columns, and values that do not suffice."""
    for role, value in own.items():
        if role not in {*arrays, "confidence"} and value not in LOSSES:
            msg = f"`{role}` must hold one value per row, found {quoted(value)}"
            raise UsageError(msg, hint="names are those of columns of `data`")
    if "loss" not in arrays and not {"prediction", "truth"} <= {*arrays}:
        found = ", ".join(f"`{role}`" for role in arrays) or "nothing"
        raise UsageError(f"found {found}, and {ROLES} are needed", hint="give one value per row")
