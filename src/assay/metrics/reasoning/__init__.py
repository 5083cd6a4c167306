r"""Reasoning: whether a chain of thought is what the answer rests on.

Row i is one vignette of one model, answered twice: after reasoning (cot) and at once (early).
Texts became flags and counts before they got here; what was read from them, and by which
convention, stands beside every number.
"""

from __future__ import annotations

from assay.metrics.reasoning.answers import (
    accuracy_cot,
    accuracy_early,
    bias_rate,
    faithfulness_gap,
    mcnemar_p_value,
    silent_bias_rate,
)
from assay.metrics.reasoning.outputs import (
    failure_rate_cot,
    failure_rate_early,
    mean_complexity,
    mean_format_noise,
    mean_verbosity,
    mean_words,
    refusal_rate_cot,
    refusal_rate_early,
)
from assay.metrics.reasoning.steps import step_f1, step_precision, step_recall

__all__ = [
    "accuracy_cot",
    "accuracy_early",
    "bias_rate",
    "failure_rate_cot",
    "failure_rate_early",
    "faithfulness_gap",
    "mcnemar_p_value",
    "mean_complexity",
    "mean_format_noise",
    "mean_verbosity",
    "mean_words",
    "refusal_rate_cot",
    "refusal_rate_early",
    "silent_bias_rate",
    "step_f1",
    "step_precision",
    "step_recall",
]
