"""What the same answers could have scored under a better ranking or a better threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.metrics.selective.areas import augrc, aurc
from assay.metrics.selective.curve import (
    Area,
    RiskCoverageCurve,
    oracle_curve,
    ratio,
    risk_coverage_curve,
    share,
)
from assay.registry import metric
from assay.rounding import difference

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

STEP = {"area": "step"}


@metric(better="lower", bounds=(0.0, np.inf), losses=1.0, copies=True, kind="area")
def aurc_optimal(
    loss: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""AURC of an oracle that ranks the answered rows by their loss.

    .. math:: \mathrm{AURC}^* \text{ with confidences } 1 > 1 - 1/K > \dots
              \text{ in order of rising loss}

    The oracle has no ties: rows of equal loss are accepted one by one. Abstentions stay
    abstentions. 0 when nothing is answered.

    References
    ----------
    Geifman, Uziel and El-Yaniv (2019), arXiv:1805.08206.

    Examples
    --------
    >>> round(aurc_optimal(loss=[0, 1, 0, 1]), 6)
    0.145833
    """
    curve = oracle_curve(loss, answered=answered, weight=weight)
    return curve.shaped(share(curve.area_by_item(area)[0], curve.total))


@metric(better="lower", bounds=(0.0, np.inf), losses=0.5, copies=True, kind="area")
def augrc_optimal(
    loss: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""AUGRC of an oracle that ranks the answered rows by their loss.

    .. math:: \mathrm{AUGRC}^* \text{ with confidences } 1 > 1 - 1/K > \dots
              \text{ in order of rising loss}

    No ranking of the same rows has a smaller AUGRC. 0 when nothing is answered.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> augrc_optimal(loss=[0, 1, 0, 1])
    0.125
    """
    curve = oracle_curve(loss, answered=answered, weight=weight)
    return curve.shaped(share(curve.area_by_item(area)[1], curve.total**2))


@metric(
    better="lower", bounds=(-np.inf, np.inf), losses=1.0, copies=True, ordered=STEP, kind="area"
)
def eaurc(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""Excess AURC: how far the ranking is from the oracle's.

    .. math:: \mathrm{AURC} - \mathrm{AURC}^*

    The straight line over a plateau may pass below the oracle's steps, so with ties and
    ``trapezoid`` the excess can be negative; it is reported as it is.

    References
    ----------
    Geifman, Uziel and El-Yaniv (2019), arXiv:1805.08206.

    Examples
    --------
    >>> round(eaurc(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6]), 6)
    0.125
    """
    given = aurc(loss, confidence, answered=answered, weight=weight, area=area)
    return _excess(given, aurc_optimal(loss, answered=answered, weight=weight, area=area))


@metric(better="lower", bounds=(0.0, np.inf), losses=0.5, copies=True, ordered=STEP, kind="area")
def eaugrc(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""Excess AUGRC: how far the ranking is from the oracle's.

    .. math:: \mathrm{AUGRC} - \mathrm{AUGRC}^*

    Never negative.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> round(eaugrc(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6]), 6)
    0.0625
    """
    given = augrc(loss, confidence, answered=answered, weight=weight, area=area)
    return _excess(given, augrc_optimal(loss, answered=answered, weight=weight, area=area))


@metric(
    better="lower",
    bounds=(-np.inf, np.inf),
    undefined="the optimal area is zero, so no share of it can be taken",
    reference=0.0,
    copies=True,
    ordered=STEP,
    kind="ratio",
)
def aurc_gap_pct(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""Excess AURC in percent of the optimal AURC.

    .. math:: 100 \cdot (\mathrm{AURC} - \mathrm{AURC}^*) / \mathrm{AURC}^*

    Undefined when the optimum is 0.

    References
    ----------
    Geifman, Uziel and El-Yaniv (2019), arXiv:1805.08206.

    Examples
    --------
    >>> round(aurc_gap_pct(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6]), 3)
    85.714
    """
    best = aurc_optimal(loss, answered=answered, weight=weight, area=area)
    excess = eaurc(loss, confidence, answered=answered, weight=weight, area=area)
    return _percent(excess, best)


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    undefined="the optimal area is zero, so no share of it can be taken",
    reference=0.0,
    copies=True,
    ordered=STEP,
    kind="ratio",
)
def augrc_gap_pct(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""Excess AUGRC in percent of the optimal AUGRC.

    .. math:: 100 \cdot (\mathrm{AUGRC} - \mathrm{AUGRC}^*) / \mathrm{AUGRC}^*

    Undefined when the optimum is 0.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> round(augrc_gap_pct(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6]), 3)
    50.0
    """
    best = augrc_optimal(loss, answered=answered, weight=weight, area=area)
    excess = eaugrc(loss, confidence, answered=answered, weight=weight, area=area)
    return _percent(excess, best)


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=1.0,
    kind="none",
    no_interval="the hull follows the noise of the curve, which lowers it at any size",
)
def aurc_achievable(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
) -> float | Array:
    r"""AURC of the lower convex hull of the risk-coverage curve.

    .. math:: \int_0^{C_{\max}} \operatorname{hull}(c)\,dc

    The hull is that of the plateau working points in (coverage, selective risk); it keeps the
    thresholds worth choosing, and is level before its first point. 0 when nothing is answered.

    Notes
    -----
    Mixing two thresholds at random does not trace a straight line in selective risk, so the name
    is generous. The reference program also drops points within 1e-10 (cross product) of a straight
    line, which moves the area by less than 1e-9; fd-shifts takes the hull in ROC space, for 0/1
    losses only.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> round(aurc_achievable(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6]), 6)
    0.1875
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight)
    return curve.shaped(share(curve.hull, curve.total))


@metric(
    better="lower",
    bounds=(0.0, 100.0),
    undefined="the AURC is zero",
    reference=0.0,
    kind="none",
    no_interval="the hull follows the noise of the curve: an upper bound on the gain",
)
def aurc_achievable_gain_pct(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
) -> float | Array:
    r"""What choosing among the working points could take off the AURC, in percent.

    .. math:: 100 \cdot (\mathrm{AURC} - \mathrm{AURC}_{\text{achievable}}) / \mathrm{AURC}

    Undefined when the AURC is 0.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> round(aurc_achievable_gain_pct(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6]), 3)
    30.769
    """
    given = aurc(loss, confidence, answered=answered, weight=weight)
    hull = aurc_achievable(loss, confidence, answered=answered, weight=weight)
    return _percent(_excess(given, hull), given)


def _excess(given: float | Array, best: float | Array) -> float | Array:
    excess = difference(given, best)
    return excess if excess.ndim else float(excess)


def _percent(part: float | Array, whole: float | Array) -> float | Array:
    percent = 100.0 * ratio(np.asarray(part), np.asarray(whole))
    return percent if percent.ndim else float(percent)


def hull_points(curve: RiskCoverageCurve) -> list[int]:
    """Return the working points that lie on the lower convex hull, for a single weight.

    Examples
    --------
    >>> hull_points(risk_coverage_curve([0, 1, 0, 1], [0.9, 0.8, 0.7, 0.6]))
    [0, 3]
    """
    kept: list[int] = []
    x, y = curve.coverage, curve.selective_risk
    for new in np.flatnonzero(curve.accepted[0] > 0).tolist():
        while len(kept) > 1 and _above(x, y, kept[-2], kept[-1], new):
            kept.pop()
        kept.append(new)
    return kept


def _above(x: Array, y: Array, a: int, b: int, c: int) -> bool:
    """Say whether b lies on or above the line from a to c, up to rounding."""
    cross = (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a])
    return bool(cross <= 2**-50)
