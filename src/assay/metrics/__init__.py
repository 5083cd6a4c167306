"""All metrics, by name: `from assay.metrics import ece, aurc`.

Importing a family registers its metrics.
"""

from __future__ import annotations

from typing import Any

from assay.metrics import calibration, intervals, reasoning, selective, sets, verdicts
from assay.registry import METRICS

__all__ = ["calibration", "intervals", "reasoning", "selective", "sets", "verdicts"]


def __getattr__(name: str) -> Any:
    if name not in METRICS:
        msg = f"module {__name__!r} has no metric {name!r}"
        raise AttributeError(msg)
    return METRICS[name].checked


def __dir__() -> list[str]:
    return [*__all__, *METRICS]
