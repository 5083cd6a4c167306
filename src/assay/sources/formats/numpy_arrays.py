"""Arrays that NumPy saved, one or several."""

from __future__ import annotations

from assay.sources.cells import source_of
from assay.sources.content import Content
from assay.sources.formats import Format
from assay.sources.numpy_files import PACKED, numpy_arrays
from assay.sources.table import Table, row_place

__all__ = ["FORMAT"]

ONE = b"\x93NUM"


def _holds(content: Content) -> bool:
    return content.data.startswith((PACKED, ONE))


def _read(content: Content) -> Table:
    kind = content.suffix[1:] or ("npz" if content.data.startswith(PACKED) else "npy")
    return Table(numpy_arrays(content), row_place, source_of(content, kind))


FORMAT = Format("numpy", (".npz", ".npy"), _holds, _read)
