"""The metric families; importing one of them registers its metrics."""

from __future__ import annotations

from assay.metrics import calibration, intervals, reasoning, selective, sets, verdicts

__all__ = ["calibration", "intervals", "reasoning", "selective", "sets", "verdicts"]
