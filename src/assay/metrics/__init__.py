"""The metric families; importing one of them registers its metrics."""

from __future__ import annotations

from assay.metrics import calibration, intervals, selective, sets

__all__ = ["calibration", "intervals", "selective", "sets"]
