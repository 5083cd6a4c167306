"""Proper scores of stated probabilities, and the parts of the Brier score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.errors import UsageError
from assay.metrics.calibration.binned import reliability_gaps, resolution_gaps
from assay.metrics.calibration.bins import (
    NO_ROW,
    Bins,
    Closed,
    Reliability,
    Strategy,
    over_bins,
    reliability,
)
from assay.metrics.calibration.cells import ratio, row_by_row, row_sums, shaped
from assay.registry import metric
from assay.rounding import difference

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

CLIP, SKLEARN_CLIP = 1e-6, float(np.finfo(np.float64).eps)
"""of the program whose likelihood of a right answer this is, and of scikit-learn's log loss"""


@metric(better="lower", bounds=(0.0, 1.0), undefined=NO_ROW, kind="area")
def brier(correct: ArrayLike, probability: ArrayLike, *, weight: Weight = None) -> float | Array:
    r"""Brier score.

    .. math:: \frac{1}{n} \sum_{i=1}^{n} (y_i - p_i)^2

    Undefined without rows.

    References
    ----------
    Brier (1950), Monthly Weather Review 78:1-3.

    Examples
    --------
    >>> brier(correct=[0, 1, 1, 1], probability=[0.25, 0.5, 0.75, 1.0])
    0.09375
    """
    sums = row_sums(_squares, correct, probability, weight=weight)
    return shaped(ratio(sums.first, sums.total), sums.shape)


def _squares(correct: Array, probability: Array) -> tuple[Array, Array]:
    return np.square(correct - probability), correct


@metric(better="lower", bounds=(0.0, np.inf), undefined=NO_ROW, kind="heavy mean")
def nll(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    clip: float = CLIP,
) -> float | Array:
    r"""Negative log-likelihood: the log loss of the stated probabilities, in nats.

    .. math:: -\frac{1}{n} \sum_{i=1}^{n} \bigl(y_i \log p_i + (1 - y_i) \log(1 - p_i)\bigr)

    What was stated for the outcome that came true, p or 1 - p, is first moved into [c, 1 - c]; c is
    `clip`, and 0 makes a wrong certainty infinitely bad. Undefined without rows.

    Notes
    -----
    Programs differ in c, and a model that is often wrong and certain has another score under each:
    1e-6 caps the cost of a row at 13.8 nats, the machine epsilon 2.2e-16 of scikit-learn's
    ``log_loss`` at 36.0.

    References
    ----------
    Good (1952), Journal of the Royal Statistical Society B 14:107-114.

    Examples
    --------
    >>> round(nll(correct=[0, 1], probability=[0.5, 0.25]), 4)
    1.0397
    """
    sums = row_sums(_surprises, correct, probability, clipped(clip), weight=weight)
    return shaped(ratio(sums.first, sums.total), sums.shape)


def nll_of_checked(correct: Array, probability: Array, weight: Array | None) -> float:
    """Return the same of columns that are checked, for those who ask of many probabilities."""
    sums = row_by_row(_surprises, (correct, probability), weight, [clipped(CLIP)])
    return float(ratio(sums.first, sums.total)[0])


def clipped(clip: float) -> str:
    """Check how near to 0 and 1 a probability may be, and spell it."""
    if not 0.0 <= clip < 0.5:  # noqa: PLR2004 - at one half nothing is left
        msg = f"`clip` must be at least 0 and below 0.5, found {clip:g}"
        raise UsageError(msg)
    return repr(float(clip))


def _surprises(correct: Array, probability: Array, clip: str) -> tuple[Array, Array]:
    return surprise(stated_for_outcome(correct, probability), clip), correct


def stated_for_outcome(correct: Array, probability: Array) -> Array:
    """Return the probability that was stated for what came true."""
    return np.where(correct > 0, probability, 1 - probability)


def surprise(stated: Array, clip: str) -> Array:
    """Return what it costs to have stated so much for what came true."""
    with np.errstate(divide="ignore"):
        return -np.log(np.clip(stated, float(clip), 1 - float(clip)))


@over_bins(
    better="lower",
    bounds=(0.0, 1.0),
    kind="norm",
    gaps=reliability_gaps,
    counterparts=("brier", "nll"),
)
def brier_reliability(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Part of the Brier score that miscalibration costs.

    .. math:: \sum_m \frac{|B_m|}{n} \left(\mathrm{acc}(B_m) - \mathrm{conf}(B_m)\right)^2

    Brier = reliability - resolution + uncertainty + what differs within bins. Bins as for the
    expected calibration error, `n_bins` their number; with ``scores`` nothing differs within a
    bin, which is Murphy's own partition. Undefined without rows.

    References
    ----------
    Murphy (1973), Journal of Applied Meteorology 12:595-600.

    Examples
    --------
    >>> brier_reliability(correct=[0, 1, 1, 1], probability=[0.25, 0.25, 0.75, 1.0], n_bins=2)
    0.0390625
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    return table.shaped(_reliability(table))


@over_bins(
    better="higher",
    bounds=(0.0, 0.25),
    kind="minimum",
    gaps=resolution_gaps,
    counterparts=("brier", "nll"),
)
def brier_resolution(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Part of the Brier score that telling bins apart saves.

    .. math:: \sum_m \frac{|B_m|}{n} \left(\mathrm{acc}(B_m) - \bar y\right)^2

    Bins as for the expected calibration error, `n_bins` their number. Undefined without rows.

    References
    ----------
    Murphy (1973), Journal of Applied Meteorology 12:595-600.

    Examples
    --------
    >>> brier_resolution(correct=[0, 1, 1, 1], probability=[0.25, 0.25, 0.75, 1.0], n_bins=2)
    0.0625
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    return table.shaped(_resolution(table))


@metric(better=None, bounds=(0.0, 0.25), undefined=NO_ROW, kind="peak")
def brier_uncertainty(
    correct: ArrayLike, probability: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Part of the Brier score that the share of right rows alone decides.

    .. math:: \bar y (1 - \bar y)

    The probabilities play no part in it. Undefined without rows.

    References
    ----------
    Murphy (1973), Journal of Applied Meteorology 12:595-600.

    Examples
    --------
    >>> brier_uncertainty(correct=[0, 1, 1, 1], probability=[0.25, 0.25, 0.75, 1.0])
    0.1875
    """
    sums = row_sums(_squares, correct, probability, weight=weight)
    mean = ratio(sums.second, sums.total)
    return shaped(mean * (1 - mean), sums.shape)


@over_bins(better=None, bounds=(-1.0, 1.0), kind="share")
def brier_within_bins(
    correct: ArrayLike,
    probability: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""What is left of the Brier score because probabilities differ within bins.

    .. math:: \mathrm{Brier} - (\mathrm{reliability} - \mathrm{resolution}
              + \mathrm{uncertainty})

    The variance of the probabilities within bins less twice their covariance with the outcome; 0
    with ``scores``. Bins as for the expected calibration error, `n_bins` their number. Undefined
    without rows.

    References
    ----------
    Stephenson, Coelho and Jolliffe (2008), Weather and Forecasting 23:752-757.

    Examples
    --------
    >>> brier_within_bins(correct=[0, 1, 1, 1], probability=[0.25, 0.25, 0.75, 1.0], n_bins=2)
    0.0078125
    """
    table = reliability(correct, probability, weight=weight, bins=Bins(n_bins, strategy, closed))
    sums = row_sums(_squares, correct, probability, weight=weight)
    mean = ratio(sums.second, sums.total)
    parts = _reliability(table) - _resolution(table) + mean * (1 - mean)
    return table.shaped(difference(ratio(sums.first, sums.total), parts))


def _reliability(table: Reliability) -> Array:
    return ratio((table.weight * table.error**2).sum(-1), table.total)


def _resolution(table: Reliability) -> Array:
    accuracy = np.nan_to_num(ratio(table.correct, table.weight))
    mean = np.nan_to_num(ratio(table.correct.sum(-1), table.total))
    apart = (accuracy - mean[:, None]) ** 2
    return ratio((table.weight * apart).sum(-1), table.total)
