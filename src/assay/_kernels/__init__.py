"""The hot loops over (resamples, points), compiled where possible.

Two forms of the same definitions take and return the same arrays: `numpy_form` says what is
meant, `compiled_form` calls the C module built from it. The contract suite runs both and
compares them to 1e-12. `ASSAY_ENGINE=numpy` chooses the first although the second is there.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any, Literal

from assay._kernels import numpy_form

_form: Any = numpy_form
if os.environ.get("ASSAY_ENGINE") != "numpy":
    with contextlib.suppress(ImportError):  # the optional C module may not have been built
        from assay._kernels import compiled_form

        _form = compiled_form

__all__ = [
    "ENGINE",
    "TILE",
    "LegacyState",
    "accumulate",
    "binned_sums",
    "counter_counts",
    "differences",
    "distinct_keys",
    "distinct_words",
    "first_reaching",
    "holds_literal",
    "hull_area",
    "initials",
    "json_cells",
    "lacking_words",
    "last_within",
    "legacy_counts",
    "literal_places",
    "lone_letters",
    "nearest_steps",
    "plateaus",
    "rising_order",
    "single_spaced",
    "smoothed_areas",
    "span_sums",
    "step_areas",
    "step_overlaps",
    "step_precisions",
    "sweep",
    "swept_hull",
    "swept_to",
    "top_label_sums",
    "trapezoid_areas",
    "verdict_pairs",
]

ENGINE: Literal["compiled", "numpy"] = "numpy" if _form is numpy_form else "compiled"

TILE = numpy_form.TILE
accumulate = _form.accumulate
binned_sums = _form.binned_sums
counter_counts = _form.counter_counts
differences = _form.differences
distinct_keys = _form.distinct_keys
distinct_words = _form.distinct_words
first_reaching = _form.first_reaching
holds_literal = _form.holds_literal
hull_area = _form.hull_area
initials = _form.initials
json_cells = _form.json_cells
lacking_words = _form.lacking_words
last_within = _form.last_within
legacy_counts = _form.legacy_counts
LegacyState = _form.LegacyState
literal_places = _form.literal_places
lone_letters = _form.lone_letters
nearest_steps = _form.nearest_steps
plateaus = _form.plateaus
rising_order = _form.rising_order
single_spaced = _form.single_spaced
smoothed_areas = _form.smoothed_areas
span_sums = _form.span_sums
step_areas = _form.step_areas
step_overlaps = _form.step_overlaps
step_precisions = _form.step_precisions
top_label_sums = _form.top_label_sums
sweep = _form.sweep
swept_hull = _form.swept_hull
swept_to = _form.swept_to
trapezoid_areas = _form.trapezoid_areas
verdict_pairs = _form.verdict_pairs
