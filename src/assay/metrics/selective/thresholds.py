"""One operating point: what is accepted, and at what risk, from a confidence upwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.metrics.selective.curve import RiskCoverageCurve, ratio, risk_coverage_curve, share
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight


@metric(better="higher", bounds=(0.0, 1.0), kind="share")
def coverage_at_threshold(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    threshold: float = 0.5,
) -> float | Array:
    r"""Coverage at a threshold: the share of all rows answered with this confidence or more.

    .. math:: k_t / N, \qquad k_t = |\{i : s_i \ge t, \text{ answered}\}|

    `threshold` is t, on the scale of the confidence. The other rows are handed to a person. 0
    where no row reaches the threshold.

    References
    ----------
    El-Yaniv and Wiener (2010), JMLR 11:1605-1641.

    Examples
    --------
    >>> coverage_at_threshold(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6], threshold=0.7)
    0.75
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight)
    return curve.shaped(share(_at(curve, curve.accepted, threshold), curve.total))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=1.0,
    undefined="no answer has a confidence this high",
    kind="area",
)
def risk_at_threshold(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    threshold: float = 0.5,
) -> float | Array:
    r"""Selective risk at a threshold: the mean loss of what is accepted.

    .. math:: s_t / k_t, \qquad s_t = \sum_{i : s_i \ge t} \ell_i

    `threshold` is t, on the scale of the confidence. Undefined where no row reaches the threshold.

    References
    ----------
    Geifman and El-Yaniv (2017), arXiv:1705.08500.

    Examples
    --------
    >>> risk_at_threshold(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6], threshold=0.8)
    0.5
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight)
    accepted, lost = (_at(curve, each, threshold) for each in (curve.accepted, curve.lost))
    return curve.shaped(ratio(lost, accepted))


@metric(better="lower", bounds=(0.0, np.inf), losses=1.0, kind="area")
def generalized_risk_at_threshold(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    threshold: float = 0.5,
) -> float | Array:
    r"""Generalized risk at a threshold: the accepted loss spread over all rows.

    .. math:: s_t / N

    `threshold` is t, on the scale of the confidence. 0 where no row reaches the threshold.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> generalized_risk_at_threshold(loss=[0, 1, 0, 1], confidence=[4, 3, 2, 1], threshold=3)
    0.25
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight)
    return curve.shaped(share(_at(curve, curve.lost, threshold), curve.total))


def _at(curve: RiskCoverageCurve, values: Array, threshold: float) -> Array:
    """Read what all rows from a threshold upwards add up to; thresholds fall along the curve."""
    reached = int((curve.threshold >= threshold).sum())
    return values[:, reached - 1] if reached else np.zeros(curve.total.shape)
