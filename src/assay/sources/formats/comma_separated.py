"""Comma-separated tables with a header line."""

from __future__ import annotations

from assay.sources.cells import csv_texts
from assay.sources.content import Content
from assay.sources.formats import Format
from assay.sources.table import Table, from_cells

__all__ = ["FORMAT"]


def _holds(_: Content) -> bool:
    """Say no: any text may be one, and none surely is."""
    return False


def _read(content: Content) -> Table:
    return from_cells(csv_texts(content))


FORMAT = Format("csv", (".csv", ".tsv"), _holds, _read)
