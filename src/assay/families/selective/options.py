"""What may be chosen about a selective evaluation, and what its inputs are called inside."""

from __future__ import annotations

from dataclasses import dataclass

from assay.evaluate.options import PRESETS, SelectiveOptions
from assay.sources.items import TableColumns

__all__ = ["PRESETS", "RunColumns", "SelectiveOptions"]


@dataclass(frozen=True, slots=True)
class RunColumns(TableColumns):
    """The columns of item tables, and which experiment of each run is read."""

    mode: tuple[str, ...] = ()
    """none, one for all inputs, or one per input in their order; an empty one is none"""
