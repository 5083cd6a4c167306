"""Single points of the risk-coverage curve, those at a threshold, and what confidence separates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import columns, proportion
from assay.metrics.selective.curve import (
    Area,
    RiskCoverageCurve,
    error_curve,
    ratio,
    risk_coverage_curve,
    share,
)
from assay.registry import metric
from assay.rounding import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight

STEP = {"area": "step"}
NOTHING_ANSWERED = "nothing is answered"


@metric(better="higher", bounds=(0.0, 1.0), kind="share")
def cmax(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
) -> float | Array:
    r"""Largest coverage: the share of all rows that is answered.

    .. math:: C_{\max} = K / N

    K is the number of answered rows, N the number of all rows. 0 without rows.

    References
    ----------
    El-Yaniv and Wiener (2010), JMLR 11:1605-1641.

    Examples
    --------
    >>> cmax(loss=[0, 1, 0, 0], confidence=[3, 2, 1, 0], answered=[1, 1, 1, 0])
    0.75
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight)
    return curve.shaped(share(curve.answered, curve.total))


@metric(better="lower", bounds=(0.0, np.inf), losses=1.0, undefined=NOTHING_ANSWERED, kind="area")
def risk(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
) -> float | Array:
    r"""Selective risk at Cmax: the mean loss of all answered rows.

    .. math:: s_K / K

    The confidence plays no part in it. Undefined when nothing is answered.

    References
    ----------
    El-Yaniv and Wiener (2010), JMLR 11:1605-1641.

    Examples
    --------
    >>> risk(loss=[0, 1, 0, 1], confidence=[4, 3, 2, 1], answered=[1, 1, 0, 0])
    0.5
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight)
    return curve.shaped(ratio(curve.loss, curve.answered))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=1.0,
    undefined="the coverage is above Cmax: no working point reaches it",
    copies=STEP,
    ordered=STEP,
    kind="jump",
)
def risk_at_coverage(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
    coverage: float = 0.5,
) -> float | Array:
    r"""Selective risk at a matched coverage (MAE@coverage for absolute losses).

    .. math:: r(k_j/N) \text{ at the first } j \text{ with } k_j \ge c N

    `coverage` is c. With ``step`` it is the risk of exactly :math:`\lceil c N \rceil` rows.
    Undefined beyond Cmax.

    References
    ----------
    Geifman and El-Yaniv (2017), arXiv:1705.08500.

    Examples
    --------
    >>> risk_at_coverage(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6], coverage=0.5)
    0.5
    >>> risk_at_coverage(loss=[0, 1], confidence=[2, 1], answered=[1, 0], coverage=0.6)
    nan
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    accepted, lost = curve.matched(proportion("coverage", coverage), area)
    return curve.shaped(ratio(lost, accepted))


@metric(
    better=None,
    bounds=(0.0, 1.0),
    undefined="the coverage is above Cmax: no working point reaches it",
    copies=STEP,
    ordered=STEP,
    kind="none",
    no_interval="the place where the risk was read, not an estimate",
)
def achieved_coverage(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
    coverage: float = 0.5,
) -> float | Array:
    r"""Coverage at which the risk at a matched coverage was read.

    .. math:: k_j/N \text{ at the first } j \text{ with } k_j \ge c N

    `coverage` is c. With ``step`` it is :math:`\lceil c N \rceil / N`. Undefined beyond Cmax.

    References
    ----------
    Geifman and El-Yaniv (2017), arXiv:1705.08500.

    Examples
    --------
    >>> achieved_coverage(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.8, 0.6], coverage=0.5)
    0.75
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    accepted, _ = curve.matched(proportion("coverage", coverage), area)
    return curve.shaped(ratio(accepted, curve.total))


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="no working point has a selective risk this low",
    copies=STEP,
    ordered=STEP,
    kind="jump",
)
def coverage_at_risk(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
    risk_target: float = 0.2,
) -> float | Array:
    r"""Largest coverage whose selective risk stays within a target.

    .. math:: \max \{k_j/N : s_j/k_j \le r\}

    `risk_target` is r, in units of the loss. The curve need not be monotone: the largest
    admissible coverage counts. Undefined when no working point is admissible.

    References
    ----------
    Geifman and El-Yaniv (2017), arXiv:1705.08500.

    Examples
    --------
    >>> coverage_at_risk(loss=[0, 1, 1, 1], confidence=[4, 3, 2, 1], risk_target=0.05)
    0.25
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    point = kernels.last_within(curve.accepted, curve.lost, risk_target)
    accepted = curve.at(curve.accepted, point)
    if area == "step":
        accepted = accepted + _copies_within(curve, point, risk_target)
    return curve.shaped(ratio(accepted, curve.total))


def _copies_within(curve: RiskCoverageCurve, point: Indices, target: float) -> Array:
    """Count the copies of the next row that keep the risk within the target."""
    accepted, lost = curve.at(curve.accepted, point), curve.at(curve.lost, point)
    copies = curve.at(curve.accepted, point + 1) - accepted
    room = target * accepted * (1 + ROUNDING) - lost
    fitting = np.floor(ratio(room, curve.loss_each(point + 1) - target))
    fewer: Array = np.nan_to_num(np.clip(fitting, 0.0, copies - 1))
    return fewer


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="all answered rows are right, or all are wrong",
    kind="area",
)
def error_auroc(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
) -> float | Array:
    r"""Probability that a right answer is held with more confidence than a wrong one.

    .. math:: P(s_i > s_j) + \tfrac12 P(s_i = s_j),
              \qquad \ell_i = 0 < \ell_j, \text{ both answered}

    The area under the ROC curve of the confidence as a detector of errors; a loss above 0 is an
    error. Undefined when all answers are right or all are wrong.

    References
    ----------
    Hendrycks and Gimpel (2017), arXiv:1610.02136.

    Examples
    --------
    >>> error_auroc(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.8, 0.6])
    0.875
    """
    curve = error_curve(loss, confidence, answered=answered, weight=weight)
    wrong, right = curve.loss, curve.answered - curve.loss
    # The wrong answers accepted before each right one; among themselves they average to half.
    disordered = curve.area("trapezoid")[1] - wrong**2 / 2
    return curve.shaped(1 - ratio(disordered, right * wrong))


@metric(better="lower", bounds=(0.0, 1.0), undefined="there is no participant", kind="share")
def failure_rate(failed: ArrayLike, *, weight: Weight = None) -> float | Array:
    r"""Share of the participants on whom the system failed.

    .. math:: F / P

    Failed participants are in no other selective metric: this is their own. P counts all
    participants, the failed among them. Undefined without participants.

    References
    ----------
    El-Yaniv and Wiener (2010), JMLR 11:1605-1641.

    Examples
    --------
    >>> failure_rate(failed=[0, 0, 1, 0])
    0.25
    """
    failed, weight = columns(failed=failed, weight=weight)
    rate = ratio((weight * failed).sum(-1), weight.sum(-1))
    return rate if rate.ndim else float(rate)


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
