"""Parquet files, which need pyarrow."""

from __future__ import annotations

import importlib
import io
from typing import Any

from assay.errors import ArtifactError, UsageError
from assay.sources.content import Content, check_memory, fault
from assay.sources.formats import Format
from assay.sources.table import frame_table
from assay.sources.tabular import Table, source_of

CELL_BYTES = 8


def _holds(content: Content) -> bool:
    return content.data.startswith(b"PAR1")


def _read(content: Content) -> Table:
    return frame_table(parquet_frame(content), source_of(content, FORMAT.name))


FORMAT = Format("parquet", (".parquet",), _holds, _read)


def parquet_frame(content: Content) -> Any:
    """Read a Parquet file into a frame, which needs pyarrow."""
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        msg = f"{content.path} is a Parquet file, and reading it needs pyarrow"
        raise UsageError(msg, hint="pip install 'assay[tables]'") from None
    try:
        file = parquet.ParquetFile(io.BytesIO(content.data))
        _check_size(file.metadata, content.path)
        return file.read()
    except (arrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = fault(str(error).strip().partition("\n")[0])
        msg = f"{content.path} is not a readable Parquet file: {reason}"
        raise ArtifactError(msg, hint="the file may be cut short; copy it again") from None


def _check_size(metadata: Any, path: str) -> None:
    """Refuse a table that is larger than the file lets suppose: repeated values are stored once."""
    groups = range(metadata.num_row_groups)
    stored = sum(metadata.row_group(each).total_byte_size for each in groups)
    cells = metadata.num_rows * metadata.num_columns * CELL_BYTES
    check_memory(path, max(stored, cells), " once decompressed")
