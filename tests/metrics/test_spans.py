"""Sums over intervals, part by part."""

from __future__ import annotations

import math

import numpy as np

from assay.metrics.intervals.spans import Spans


def test_parts_whose_sum_is_beyond_a_double_add_up_to_infinity(monkeypatch):
    spans = Spans(np.zeros(2), np.zeros(2), np.full(2, 1.5e308), "refuse")
    parts = [spans.of(slice(row, row + 1)) for row in range(2)]
    monkeypatch.setattr(Spans, "chunks", lambda _: iter(parts))
    assert spans.total("width") == math.inf
