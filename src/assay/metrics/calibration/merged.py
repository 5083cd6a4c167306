"""What is known of numbers where an engine merged probabilities that are nearly the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.metrics.calibration.scores import nll
from assay.registry import all_but

if TYPE_CHECKING:
    from assay.columns import Array, Resamples
    from assay.registry import Metric

    Columns = Mapping[str, Array]

EVERY = "it needs every probability, and an engine merged those that are nearly the same"
BINNED = frozenset(
    {
        *("brier_reliability", "brier_resolution", "brier_uncertainty", "cumulative_difference"),
        *("debiased_ece", "debiased_rms_calibration_error", "ece", "max_calibration_error"),
        *("rms_calibration_error",),
    }
)
"""sums over bins, in which nothing is merged across their edges"""
BOUNDED = frozenset(
    {"brier", "brier_within_bins", "nll", "length_scale", "ks_calibration", "kuiper_calibration"}
)
"""numbers whose ends are known"""


def withheld(columns: Columns) -> dict[str, str]:
    """Return the numbers that merged probabilities do not tell, and why; so is one not known."""
    if "lowest" not in columns:
        return {}
    return all_but(BINNED | BOUNDED, "calibration", EVERY)


def bracket(
    metric: Metric, read: Mapping[str, Any], of: Columns, weight: Resamples, **_: Any
) -> tuple[float, float] | None:
    """Return where a number lies for certain; None where it is exact."""
    name, size = metric.name, weight.size
    if "lowest" not in of or name in BINNED:
        return None
    low, high = of["lowest"], of["highest"]
    if not (low < high).any():
        return None
    correct, stated = of["correct"], of["probability"]
    n = float(size.sum())
    # Of numbers between two ends with a known mean, the variance is at most this.
    spread = float(size @ ((high - stated) * (stated - low))) / n
    if name in {"brier", "brier_within_bins"}:
        value = _value(metric, read, of, size)
        return value - _ulp(value), value + spread + _ulp(value)
    if name == "nll":
        ends = (
            np.where(correct > 0, high, low),
            np.where(correct > 0, low, high),
        )
        clip = read["clip"]
        found = [float(nll(correct, each, weight=size, clip=clip)) for each in ends]
        return found[0] - _ulp(found[0]), found[1] + _ulp(found[1])
    if name == "length_scale":
        return _length_scale(stated, size, spread, n)
    scales = _length_scale(stated, size, spread, n)
    slack = _slack(of, size) / n * (1 if name == "ks_calibration" else 2)
    # The statistic is so many length scales, which are known up to their own bracket.
    value = _value(metric, read, of, size)
    extent = value * float(np.sqrt(size @ (stated * (1 - stated)))) / n
    most = (extent + slack) / scales[0] if scales[0] > 0 else np.inf
    return max(0.0, extent - slack) / scales[1] - _ulp(value), most + _ulp(value)


def _value(metric: Metric, read: Mapping[str, Any], of: Columns, size: Array) -> float:
    columns = {name: of[name] for name in metric.columns}
    return float(metric.function(**columns, weight=size, **read))


def _ulp(value: float) -> float:
    """Return what rounding of sums may amount to."""
    return 1e-13 * max(1.0, abs(value))


def _length_scale(stated: Array, size: Array, spread: float, n: float) -> tuple[float, float]:
    """Bound the sum of p(1 - p), of which the means tell all but the variance within cells."""
    most = float(size @ (stated * (1 - stated)))
    # A mean next to 1 is rounded to 1e-16 of 1, which is much of its distance from there.
    rounding = 1e-15 * n
    least = max(0.0, most - spread * n - rounding)
    return float(np.sqrt(least) / n) - 1e-15, float(np.sqrt(most + rounding) / n) + 1e-15


def _slack(of: Columns, size: Array) -> float:
    """Return by how much a walk may exceed its ends inside one cell, in rows.

    Rows of one cell are next to each other in the walk, in an order that is not known: upwards it
    goes by at most all that came true, each by 1 - p, and downwards by at most all p that did not.
    """
    low, high, correct = (of[each] for each in ("lowest", "highest", "correct"))
    cell = of["cell"].astype(np.int64)
    up = np.bincount(cell, weights=size * correct * (1 - low))
    down = np.bincount(cell, weights=size * (1 - correct) * high)
    return float(max(up.max(initial=0.0), down.max(initial=0.0)))
