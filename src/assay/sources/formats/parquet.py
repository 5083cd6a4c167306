"""Parquet files, which need pyarrow."""

from __future__ import annotations

from assay.sources.cells import parquet_frame, source_of
from assay.sources.content import Content
from assay.sources.formats import Format
from assay.sources.table import Table, frame_table

__all__ = ["FORMAT"]


def _holds(content: Content) -> bool:
    return content.data.startswith(b"PAR1")


def _read(content: Content) -> Table:
    return frame_table(parquet_frame(content), source_of(content, FORMAT.name))


FORMAT = Format("parquet", (".parquet",), _holds, _read)
