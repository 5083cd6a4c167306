"""Cluster bootstrap, intervals and tests: what may be said of a number beside its value."""

from assay.inference.bands import bands, quantiles
from assay.inference.estimates import BEYOND, NO_WIDTH, Estimate, estimate
from assay.inference.planning import IntervalMethod, Plan, Stream, WithoutWidth
from assay.inference.resampling import (
    Deviations,
    Draw,
    Replicate,
    Replicates,
    Statistic,
    bootstrap,
    deviations,
    swapped,
)
from assay.inference.rules import (
    FEW_DECIDE,
    INVERSION,
    PLAIN,
    Quantity,
    automatic,
    deciding,
    interval_of,
    method_of,
    of_difference,
)
from assay.inference.testing import (
    Flips,
    Test,
    detectable,
    expanded_p_value,
    flip_p_value,
    holm,
    p_value,
    swap_p_value,
)

__all__ = [
    "BEYOND",
    "FEW_DECIDE",
    "INVERSION",
    "NO_WIDTH",
    "PLAIN",
    "Deviations",
    "Draw",
    "Estimate",
    "Flips",
    "IntervalMethod",
    "Plan",
    "Quantity",
    "Replicate",
    "Replicates",
    "Statistic",
    "Stream",
    "Test",
    "WithoutWidth",
    "automatic",
    "bands",
    "bootstrap",
    "deciding",
    "detectable",
    "deviations",
    "estimate",
    "expanded_p_value",
    "flip_p_value",
    "holm",
    "interval_of",
    "method_of",
    "of_difference",
    "p_value",
    "quantiles",
    "swap_p_value",
    "swapped",
]
