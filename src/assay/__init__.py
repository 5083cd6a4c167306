"""Tell whether to believe a model, with honest error bars.

Names are resolved on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as type checkers read it, without the time that importing typing takes
if TYPE_CHECKING:
    from typing import Any

    from assay.columns import COLUMNS
    from assay.derive.losses import LOSSES
    from assay.errors import ArtifactError, AssayError, ColumnError, OutputError, UsageError
    from assay.estimating import compare, estimate
    from assay.inference import Plan
    from assay.library import evaluate, finish, load, unit_table
    from assay.metrics import selective
    from assay.registry import CONFIDENCE, METRICS, confidence, metric
    from assay.result import Result
    from assay.sources import read_run
    from assay.sources.content import memory_limit
    from assay.sources.item_columns import TableColumns
    from assay.sources.items import ItemTable
    from assay.sources.table import from_columns, from_frame, read_table
    from assay.sources.tabular import Table

    __version__: str

__all__ = [
    "COLUMNS",
    "CONFIDENCE",
    "LOSSES",
    "METRICS",
    "ArtifactError",
    "AssayError",
    "ColumnError",
    "ItemTable",
    "OutputError",
    "Plan",
    "Result",
    "Table",
    "TableColumns",
    "UsageError",
    "__version__",
    "compare",
    "confidence",
    "estimate",
    "evaluate",
    "finish",
    "from_columns",
    "from_frame",
    "load",
    "memory_limit",
    "metric",
    "read_run",
    "read_table",
    "selective",
    "unit_table",
]

_HOMES = {
    "assay.columns": ("COLUMNS",),
    "assay.derive.losses": ("LOSSES",),
    "assay.errors": ("ArtifactError", "AssayError", "ColumnError", "OutputError", "UsageError"),
    "assay.estimating": ("compare", "estimate"),
    "assay.inference": ("Plan",),
    "assay.library": ("evaluate", "finish", "load", "unit_table"),
    "assay.result": ("Result",),
    "assay.metrics": ("selective",),
    "assay.sources": ("read_run",),
    "assay.sources.content": ("memory_limit",),
    "assay.sources.table": ("Table", "from_columns", "from_frame", "read_table"),
    "assay.registry": ("CONFIDENCE", "METRICS", "confidence", "metric"),
    "assay.sources.items": ("ItemTable", "TableColumns"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_FILLS = {
    **dict.fromkeys(("METRICS", "metric"), "assay.metrics"),
    "CONFIDENCE": "assay.derive.confidence_functions",
}
"""a registry is full once these are imported"""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("assay")
    if name not in _HOME:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    if name in _FILLS:
        import_module(_FILLS[name])
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
