"""Prediction intervals: what their artifacts say."""

from __future__ import annotations

from assay.families.coverage.first import Kind
from assay.families.coverage.words import words

WIDTHS = Kind("width", "sizes", "least_size", "part {} by width", sized=True)
WORDS = words("Prediction intervals", "intervals", [WIDTHS])
