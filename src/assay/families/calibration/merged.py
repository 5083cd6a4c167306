"""What is known of numbers where an engine merged probabilities that are nearly the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import UsageError
from assay.metrics.calibration.bins import FIXED
from assay.metrics.calibration.scores import nll
from assay.registry import all_but

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.calibration.forecasts import Forecast, Forecasts
    from assay.families.calibration.options import CalibrationOptions
    from assay.score import Request, Rows

__all__ = ["bracket", "refuse_reduced", "withheld"]

EVERY = "it needs every probability, and an engine merged those that are nearly the same"
EXACT = "`exact` keeps every probability apart"
BINNED = frozenset(
    {
        "brier_reliability",
        "brier_resolution",
        "brier_uncertainty",
        "cumulative_difference",
        "debiased_ece",
        "debiased_rms_calibration_error",
        "ece",
        "max_calibration_error",
        "rms_calibration_error",
    }
)
"""sums over bins, in which nothing is merged across their edges"""
BOUNDED = frozenset(
    {"brier", "brier_within_bins", "nll", "length_scale", "ks_calibration", "kuiper_calibration"}
)
"""numbers whose ends are known"""


def refuse_reduced(
    systems: Sequence[tuple[int, Forecasts, Forecast]], options: CalibrationOptions
) -> None:
    """Refuse readings that were asked for by name and cannot be done with counted rows."""
    for _, given, forecast in systems:
        if given.about is None:
            continue
        where = f"{given.source.path}: "
        if "lowest" in forecast.columns and not _cut(options):
            bins = f"`strategy` {options.strategy}"
            msg = f"{where}{bins} cuts between any two probabilities, and an engine merged some"
            raise UsageError(msg, hint=EXACT)


def _cut(options: CalibrationOptions) -> bool:
    return options.strategy in FIXED and options.n_bins <= 512  # noqa: PLR2004 - what engines cut at


def withheld(forecast: Forecast) -> dict[str, str]:
    """Return the numbers that merged probabilities do not tell, and why; so is one not known."""
    if "lowest" not in forecast.columns:
        return {}
    return all_but(BINNED | BOUNDED, "calibration", EVERY)


def bracket(request: Request, rows: Rows) -> tuple[float, float] | None:
    """Return where a number lies for certain; None where it is exact."""
    name = request.metric.name
    if "lowest" not in rows.columns or name in BINNED:
        return None
    low, high = (rows.columns[end] for end in ("lowest", "highest"))
    if not (low < high).any():
        return None
    correct, stated, size = rows.columns["correct"], rows.columns["probability"], rows.weight.size
    n = float(size.sum())
    # Of numbers between two ends with a known mean, the variance is at most this.
    spread = float(size @ ((high - stated) * (stated - low))) / n
    if name in {"brier", "brier_within_bins"}:
        value = _value(request, rows)
        return value - _ulp(value), value + spread + _ulp(value)
    if name == "nll":
        ends = (
            np.where(correct > 0, high, low),
            np.where(correct > 0, low, high),
        )
        clip = request.options["clip"]
        found = [float(nll(correct, each, weight=size, clip=clip)) for each in ends]
        return found[0] - _ulp(found[0]), found[1] + _ulp(found[1])
    if name == "length_scale":
        return _length_scale(stated, size, spread, n)
    scales = _length_scale(stated, size, spread, n)
    slack = _slack(rows) / n * (1 if name == "ks_calibration" else 2)
    # The statistic is so many length scales, which are known up to their own bracket.
    value = _value(request, rows)
    extent = value * float(np.sqrt(size @ (stated * (1 - stated)))) / n
    most = (extent + slack) / scales[0] if scales[0] > 0 else np.inf
    return max(0.0, extent - slack) / scales[1] - _ulp(value), most + _ulp(value)


def _value(request: Request, rows: Rows) -> float:
    weight = rows.weight.size
    columns = {name: rows.columns[name] for name in request.metric.columns}
    return float(request.metric.function(**columns, weight=weight, **request.options))


def _ulp(value: float) -> float:
    """Return what rounding of sums may amount to."""
    return 1e-13 * max(1.0, abs(value))


def _length_scale(stated: Array, size: Array, spread: float, n: float) -> tuple[float, float]:
    """Bound the sum of p(1 - p), of which the means tell all but the variance within cells."""
    most = float(size @ (stated * (1 - stated)))
    least = max(0.0, most - spread * n)
    return float(np.sqrt(least) / n) - 1e-15, float(np.sqrt(most) / n) + 1e-15


def _slack(rows: Rows) -> float:
    """Return by how much a walk may exceed its ends inside one cell, in rows.

    Rows of one cell are next to each other in the walk, in an order that is not known: upwards it
    goes by at most all that came true, each by 1 - p, and downwards by at most all p that did not.
    """
    low, high, correct = (rows.columns[each] for each in ("lowest", "highest", "correct"))
    cell, size = rows.columns["cell"].astype(np.int64), rows.weight.size
    up = np.bincount(cell, weights=size * correct * (1 - low))
    down = np.bincount(cell, weights=size * (1 - correct) * high)
    return float(max(up.max(initial=0.0), down.max(initial=0.0)))
