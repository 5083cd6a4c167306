"""Areas under the risk-coverage curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.columns import proportion
from assay.errors import UsageError
from assay.floats import floats
from assay.metrics.selective.curve import Area, ratio, risk_coverage_curve, share
from assay.registry import metric
from assay.showing import quoted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

STEP = {"area": "step"}
NOTHING_ANSWERED = "nothing is answered"


@metric(better="lower", bounds=(0.0, np.inf), losses=1.0, copies=STEP, ordered=STEP, kind="area")
def aurc(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""Area under the risk-coverage curve.

    .. math:: \int_0^{C_{\max}} r(c)\,dc, \qquad r(k_j/N) = s_j/k_j

    With ``trapezoid`` the curve is level before its first working point; with ``step`` the area is
    :math:`\frac{1}{N}\sum_{k=1}^{K} r_k`. 0 when nothing is answered: read it beside Cmax.

    References
    ----------
    Geifman, Uziel and El-Yaniv (2019), arXiv:1805.08206.

    Examples
    --------
    >>> round(aurc(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6]), 6)
    0.270833
    >>> round(aurc(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6], area="step"), 6)
    0.333333
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    return curve.shaped(share(curve.area(area)[0], curve.total))


@metric(better="lower", bounds=(0.0, np.inf), losses=0.5, copies=STEP, ordered=STEP, kind="area")
def augrc(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""Area under the generalized risk-coverage curve.

    The generalized risk spreads the loss accepted so far over *all* rows, so an abstention costs
    nothing and still counts:

    .. math:: \int_0^{C_{\max}} G(c)\,dc, \qquad G(k_j/N) = s_j/N, \qquad G(0) = 0

    With ``step`` the area is :math:`\frac{1}{N}\sum_{k=1}^{K} s_k/N`. 0 when nothing is answered.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> augrc(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6])
    0.1875
    >>> augrc(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6], answered=[1, 1, 1, 0])
    0.09375
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    return curve.shaped(share(curve.area(area)[1], curve.total**2))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=0.5,
    undefined="the largest possible loss is not known",
    copies=STEP,
    ordered=STEP,
    kind="area",
)
def augrc_normalized(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
    loss_range: float = 1.0,
) -> float | Array:
    r"""AUGRC of the loss divided by its largest possible value.

    .. math:: \mathrm{AUGRC} / \ell_{\max}

    Comparable between losses and scales. `loss_range` is :math:`\ell_{\max}`; undefined (NaN)
    when it is not known.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> augrc_normalized(loss=[0, 3], confidence=[2, 1], loss_range=3.0)
    0.125
    """
    if loss_range <= 0:
        raise UsageError(f"`loss_range` must be above 0, found {quoted(loss_range)}")
    area_of_loss = augrc(loss, confidence, answered=answered, weight=weight, area=area)
    return area_of_loss / loss_range


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=1.0,
    undefined=NOTHING_ANSWERED,
    copies=STEP,
    ordered=STEP,
    kind="area",
)
def naurc(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""AURC divided by Cmax: the mean selective risk over the coverages reached.

    .. math:: \mathrm{AURC} / C_{\max}

    Undefined when nothing is answered.

    References
    ----------
    Geifman, Uziel and El-Yaniv (2019), arXiv:1805.08206.

    Examples
    --------
    >>> naurc(loss=[1, 1, 0], confidence=[3, 2, 1], answered=[1, 1, 0])
    1.0
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    return curve.shaped(ratio(curve.area(area)[0], curve.answered))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=0.5,
    undefined=NOTHING_ANSWERED,
    copies=STEP,
    ordered=STEP,
    kind="area",
)
def naugrc(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
) -> float | Array:
    r"""AUGRC divided by Cmax: the mean generalized risk over the coverages reached.

    .. math:: \mathrm{AUGRC} / C_{\max}

    Undefined when nothing is answered.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> naugrc(loss=[1, 1, 0, 0], confidence=[4, 3, 2, 1], answered=[1, 1, 0, 0])
    0.25
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    return curve.shaped(ratio(curve.area(area)[1], curve.total * curve.answered))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=1.0,
    copies=STEP,
    ordered=STEP,
    common={"area_coverage": "cmax"},
    kind="area",
)
def aurc_at_coverage(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
    area_coverage: float | Array = 0.5,
) -> float | Array:
    r"""AURC up to a coverage, so that systems with different Cmax compare.

    .. math:: \int_0^{\min(C, C_{\max})} r(c)\,dc

    `area_coverage` is C. The last piece is cut by linear interpolation (``trapezoid``) or counted
    in part (``step``). In a comparison the area up to the smaller Cmax is reported too.

    References
    ----------
    Geifman, Uziel and El-Yaniv (2019), arXiv:1805.08206.

    Examples
    --------
    >>> aurc_at_coverage(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6], area_coverage=0.5)
    0.0625
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    part = curve.area(area, _coverage(area_coverage))[0]
    return curve.shaped(share(part, curve.total))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=0.5,
    copies=STEP,
    ordered=STEP,
    common={"area_coverage": "cmax"},
    kind="area",
)
def augrc_at_coverage(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
    area_coverage: float | Array = 0.5,
) -> float | Array:
    r"""AUGRC up to a coverage, so that systems with different Cmax compare.

    .. math:: \int_0^{\min(C, C_{\max})} G(c)\,dc

    `area_coverage` is C. The last piece is cut by linear interpolation (``trapezoid``) or counted
    in part (``step``). In a comparison the area up to the smaller Cmax is reported too.

    References
    ----------
    Traub et al. (2024), arXiv:2407.01032.

    Examples
    --------
    >>> augrc_at_coverage(loss=[0, 1, 0, 1], confidence=[0.9, 0.8, 0.7, 0.6], area_coverage=0.5)
    0.03125
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    part = curve.area(area, _coverage(area_coverage))[1]
    return curve.shaped(share(part, curve.total**2))


@metric(
    better="lower",
    bounds=(0.0, np.inf),
    losses=1.0,
    undefined=NOTHING_ANSWERED,
    copies=STEP,
    ordered=STEP,
    common={"area_coverage": "cmax"},
    kind="area",
)
def mean_risk_at_coverage(
    loss: ArrayLike,
    confidence: ArrayLike,
    *,
    answered: ArrayLike | None = None,
    weight: Weight = None,
    area: Area = "trapezoid",
    area_coverage: float | Array = 0.5,
) -> float | Array:
    r"""Mean selective risk up to a coverage.

    .. math:: \frac{1}{c^*} \int_0^{c^*} r(c)\,dc, \qquad c^* = \min(C, C_{\max})

    `area_coverage` is C. AURC up to a coverage divided by where it ends: the mean height of the
    curve, in the unit of the loss. In a comparison it is reported up to the smaller Cmax too.
    Undefined when nothing is answered.

    References
    ----------
    Geifman, Uziel and El-Yaniv (2019), arXiv:1805.08206.

    Examples
    --------
    >>> mean_risk_at_coverage(loss=[0, 1, 0, 1], confidence=[4, 3, 2, 1], area_coverage=0.5)
    0.125
    """
    curve = risk_coverage_curve(loss, confidence, answered=answered, weight=weight, area=area)
    upto = _coverage(area_coverage)
    ends = np.minimum(upto * curve.total, curve.answered)
    return curve.shaped(ratio(curve.area(area, upto)[0], ends))


def _coverage(coverage: float | Array) -> float | Array:
    if np.ndim(coverage):
        return coverage
    return proportion("area_coverage", float(floats("area_coverage", coverage)))
