"""Grounded verdicts, from files of answers to an artifact."""

from __future__ import annotations

from assay.evaluate.verdicts.evaluate import evaluate_verdicts, system_names
from assay.evaluate.verdicts.options import VERDICT_PRESETS, VerdictOptions
from assay.evaluate.verdicts.results_file import results_file
from assay.evaluate.verdicts.scale import scale_policy

__all__ = [
    "VERDICT_PRESETS",
    "VerdictOptions",
    "evaluate_verdicts",
    "results_file",
    "scale_policy",
    "system_names",
]
