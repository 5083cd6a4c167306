"""The reliability table: what was stated and what came true, bin by bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.columns import columns
from assay.metrics.calibration.bins import (
    FIXED,
    Bins,
    Closed,
    Strategy,
    bin_edges,
    ranked_bins,
    reliability,
)
from assay.metrics.calibration.cells import ratio
from assay.shares import clopper_pearson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array

__all__ = ["BinInterval", "ReliabilityTable", "reliability_table"]

BinInterval = Literal["wilson", "clopper-pearson"]


@dataclass(frozen=True, slots=True, eq=False)
class ReliabilityTable:
    """One entry per bin; NaN where a bin is empty."""

    low: Array
    """where the bin begins: its edge, or its smallest score where bins have no fixed places"""
    high: Array
    count: Array
    mean_probability: Array
    accuracy: Array
    interval_low: Array
    interval_high: Array
    level: float
    interval: BinInterval


def reliability_table(  # noqa: PLR0913 - the options of bins and of intervals
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
    interval: BinInterval = "wilson",
    level: float = 0.95,
) -> ReliabilityTable:
    """Cut scores into bins; say of each how often what it states comes true, with an interval.

    Bins as for the expected calibration error. Intervals of the accuracy take rows as independent
    and a weight as copies: Wilson's score interval, or the exact one of Clopper and Pearson.

    Examples
    --------
    >>> table = reliability_table([0, 1, 1, 1], [0.25, 0.25, 0.75, 1.0], n_bins=2)
    >>> print(table.count, table.mean_probability, table.accuracy)
    [2. 2.] [0.25  0.875] [0.5 1. ]
    """
    bins = Bins(n_bins, strategy, closed)
    binned = reliability(correct, probability, weight=weight, bins=bins)
    n_places = binned.number.size if strategy == "scores" else n_bins
    places = np.zeros((3, n_places))
    places[:, binned.number] = binned.weight[0], binned.correct[0], binned.probability[0]
    count, right, stated = places
    low, high = _ends(correct, probability, weight, bins, count)
    around = _wilson if interval == "wilson" else _clopper_pearson
    return ReliabilityTable(
        low=low,
        high=high,
        count=count,
        mean_probability=ratio(stated, count),
        accuracy=ratio(right, count),
        interval_low=around(right, count, (1 - level) / 2),
        interval_high=around(right, count, (1 + level) / 2),
        level=level,
        interval=interval,
    )


def _ends(
    correct: ArrayLike,
    probability: ArrayLike,
    weight: ArrayLike | None,
    bins: Bins,
    count: Array,
) -> tuple[Array, Array]:
    if bins.strategy in FIXED:
        edges = bin_edges(bins)
        low = edges[:-1] if edges.size > count.size else np.append(0.0, edges[:-1])
        return low, edges[-count.size :]
    _, score, size = columns(correct=correct, probability=probability, weight=weight)
    order = np.argsort(score)
    order = order[size[order] > 0]
    number = ranked_bins(size[order], count)
    low, high = np.full((2, count.size + 1), np.nan)
    np.fmin.at(low, number, score[order])
    np.fmax.at(high, number, score[order])
    return low[:-1], high[:-1]


def _wilson(right: Array, count: Array, share: float) -> Array:
    """Return one end of Wilson's interval; NaN for an empty bin."""
    from scipy.special import ndtri  # noqa: PLC0415 - heavy to import

    z = ndtri(share)
    accuracy = ratio(right, count)
    spread = z * np.sqrt(np.clip(accuracy * (1 - accuracy), 0, None) * count + z**2 / 4)
    end: Array = np.clip((right + z**2 / 2 + spread) / (count + z**2), 0.0, 1.0)
    return end


def _clopper_pearson(right: Array, count: Array, share: float) -> Array:
    """Return one end of the exact interval; NaN for an empty bin."""
    return np.where(count > 0, clopper_pearson(right, count, share), np.nan)
