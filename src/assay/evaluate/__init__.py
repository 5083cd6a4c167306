"""The straight line from a table to an artifact, one orchestrator per family."""

from __future__ import annotations

from assay.evaluate.options import PRESETS, SelectiveOptions
from assay.evaluate.selective import evaluate_selective

__all__ = ["PRESETS", "SelectiveOptions", "evaluate_selective"]
