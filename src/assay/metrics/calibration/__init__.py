r"""Calibration: whether stated probabilities mean what they say.

Every row has an outcome (0 or 1) and the probability that was stated for it, or a class and the
probabilities of all classes. A calibrated probability of 0.7 comes true seven times in ten.

Errors over bins say by how much it does not; the cumulative differences between outcome and
probability, added up by rising probability, say so without bins and have known laws for
calibrated scores; proper scores judge calibration and sharpness together.
"""

from __future__ import annotations

from assay.metrics.calibration.binned import (
    ReliabilityTable,
    debiased_ece,
    debiased_rms_calibration_error,
    ece,
    max_calibration_error,
    reliability_table,
    rms_calibration_error,
)
from assay.metrics.calibration.bins import Bins
from assay.metrics.calibration.cumulative import (
    CumulativeDifferences,
    cumulative_difference,
    cumulative_differences,
    ks_calibration,
    kuiper_calibration,
    length_scale,
)
from assay.metrics.calibration.montecarlo import MonteCarlo, monte_carlo_p_value
from assay.metrics.calibration.multiclass import (
    class_wise_ece,
    multiclass_brier,
    multiclass_nll,
    top_label_ece,
)
from assay.metrics.calibration.scores import (
    brier,
    brier_reliability,
    brier_resolution,
    brier_uncertainty,
    brier_within_bins,
    nll,
)
from assay.metrics.calibration.significance import (
    ks_cdf,
    ks_p_value,
    kuiper_cdf,
    kuiper_p_value,
    spiegelhalter_p_value,
    spiegelhalter_two_sided_p_value,
    spiegelhalter_z,
)
from assay.metrics.calibration.smooth import smooth_ece

__all__ = [
    "Bins",
    "CumulativeDifferences",
    "MonteCarlo",
    "ReliabilityTable",
    "brier",
    "brier_reliability",
    "brier_resolution",
    "brier_uncertainty",
    "brier_within_bins",
    "class_wise_ece",
    "cumulative_difference",
    "cumulative_differences",
    "debiased_ece",
    "debiased_rms_calibration_error",
    "ece",
    "ks_calibration",
    "ks_cdf",
    "ks_p_value",
    "kuiper_calibration",
    "kuiper_cdf",
    "kuiper_p_value",
    "length_scale",
    "max_calibration_error",
    "monte_carlo_p_value",
    "multiclass_brier",
    "multiclass_nll",
    "nll",
    "reliability_table",
    "rms_calibration_error",
    "smooth_ece",
    "spiegelhalter_p_value",
    "spiegelhalter_two_sided_p_value",
    "spiegelhalter_z",
    "top_label_ece",
]
