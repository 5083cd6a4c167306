"""Prediction sets: what their artifacts say."""

from __future__ import annotations

from assay.families.coverage.first import Kind
from assay.families.coverage.words import words

SIZES = Kind("size", "sizes", "least_size", "sets of size {}")
CLASSES = Kind("true class", "classes", "least_class", "true class {}")
WORDS = words("Prediction sets", "sets", [SIZES, CLASSES])
