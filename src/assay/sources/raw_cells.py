"""Cells as they came from a file, a frame or arrays, and what the columns of a table are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NoReturn

import numpy as np

from assay.derive.losses import Scale
from assay.derive.signals import found
from assay.errors import ColumnError, UsageError
from assay.options import Option, option_record
from assay.showing import named, quoted

__all__ = ["RawCells", "Source", "TableColumns"]


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


def _of_tables(meaning: str, *flags: str) -> Option:
    return Option(f"Plain tables: the column of {meaning}.", flags, column=True)


@option_record()
class TableColumns:
    """What the columns of a plain item table are called, and the scale they are on.

    All columns that are not named here are signals. `participant`, `item`, `count`, `group` and
    `success` are optional under these names; a name given in their place must exist. Without
    participants rows are independent: each is its own.
    """

    participant: Annotated[
        str,
        _of_tables(
            "participant ids (without it rows are independent)", "--participant", "--cluster"
        ),
    ] = "participant"
    item: Annotated[str, _of_tables("item names")] = "item"
    prediction: Annotated[str, _of_tables("answers (empty: abstained)")] = "prediction"
    truth: Annotated[str, _of_tables("truths (empty: unscored)")] = "truth"
    answered: Annotated[str | None, _of_tables("whether there is an answer (false: abstained)")] = (
        None
    )
    count: Annotated[str, _of_tables("how many items each row stands for")] = "count"
    group: Annotated[str, _of_tables("group labels")] = "group"
    success: Annotated[str, _of_tables("success (false: the system failed)")] = "success"
    scale: Annotated[
        Scale | None,
        Option(
            "Plain tables: the ends of the scale, needed by the loss abs_norm.",
            metavar="LOW,HIGH",
            hint="the two ends, as in 0,3",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse a scale without width and one column in two roles."""
        if self.scale is not None and not -np.inf < self.scale[0] < self.scale[1] < np.inf:
            msg = f"`scale` must be two finite numbers, the lower first, found {self.scale}"
            raise UsageError(msg)
        names = self.names()
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"column {quoted(name)} is named for two different roles")

    @property
    def stated_loss(self) -> str | None:
        """The column that says what every answer costs, where no loss is computed."""
        return None

    @property
    def answer(self) -> str:
        """The column in which an empty cell is an abstention."""
        return self.stated_loss or self.prediction

    def names(self) -> tuple[str, ...]:
        """Return the column names, required ones first."""
        return tuple(self.roles().values())

    def roles(self) -> dict[str, str]:
        """Return the column of every role, required ones first."""
        asked = ("prediction", "truth") if self.stated_loss is None else ()
        others = ("participant", "item", "count", "group", "success", "answered")
        named = {role: getattr(self, role) for role in (*asked, *others)}
        stated = {"loss": self.stated_loss}
        return {role: name for role, name in (stated | named).items() if name is not None}


@dataclass(frozen=True, slots=True)
class RawCells:
    """Cells as they came, column by column, and how to name a row in a message.

    A cell is None (empty), a bool, a number, a text, anything else a file can hold, or
    `State.MISSING` where the key itself is absent.
    """

    cells: Mapping[str, Sequence[object]]
    place: Callable[[int], str]
    source: Source
    hint: str | None = None
    """what is likely wrong when a column is not there"""

    def refuse(self, row: int, column: str, needs: str, *, hint: str) -> NoReturn:
        """Raise the sentence for one bad cell."""
        where = f"{self.source.path}, {self.place(row)}"
        msg = f"{where}: {named(column)} must be {needs}, found {found(self.cells[column][row])}"
        raise ColumnError(msg, hint=hint)
