"""Prediction intervals: what their artifacts say."""

from __future__ import annotations

from assay.report.families.coverage.words import words

__all__ = ["WORDS"]

WORDS = words("Prediction intervals", "intervals")
