"""All metrics, by name: `from assay.metrics import ece, aurc`.

Importing a family registers its metrics. A family is found by standing in this package.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Any

from assay.registry import METRICS

__all__ = ["load"]


def load() -> None:
    """Import all families, which registers their metrics."""
    for each in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{each.name}")


load()
__all__ += list(METRICS)


def __getattr__(name: str) -> Any:
    if name not in METRICS:
        msg = f"module {__name__!r} has no metric {name!r}"
        raise AttributeError(msg)
    return METRICS[name].checked


def __dir__() -> list[str]:
    return [*globals(), *METRICS]
