"""How often an output gives no answer: refusals and failures, mode by mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.columns import columns
from assay.metrics.reasoning.sums import mean_over
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

NO_OUTPUTS = "there is no output in this mode"


@metric(better=None, bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def refusal_rate_cot(
    refused_cot: ArrayLike, *, present_cot: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the outputs with reasoning that refuse to answer.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{refused}_i)

    O are the vignettes that were asked in this mode, or where only outputs in order count, those
    with one. A disclaimer after an answer is no refusal. Undefined without any.

    References
    ----------
    Röttger et al. (2024), arXiv:2308.01263.

    Examples
    --------
    >>> refusal_rate_cot(refused_cot=[1, 0, 0, 1], present_cot=[1, 1, 1, 0])
    0.3333
    """
    return mean_over(_refused_cot, refused_cot=refused_cot, present_cot=present_cot, weight=weight)


def _refused_cot(refused_cot: ArrayLike, present_cot: ArrayLike | None) -> tuple[Array, Array]:
    refused, present = columns(refused_cot=refused_cot, present_cot=present_cot)
    return refused * present, present


@metric(better=None, bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def refusal_rate_early(
    refused_early: ArrayLike, *, present_early: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the direct outputs that refuse to answer.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{refused}_i)

    O are the vignettes that were asked in this mode, or where only outputs in order count, those
    with one. Undefined without any.

    References
    ----------
    Röttger et al. (2024), arXiv:2308.01263.

    Examples
    --------
    >>> refusal_rate_early(refused_early=[1, 0, 0, 0])
    0.25
    """
    given = {"refused_early": refused_early, "present_early": present_early}
    return mean_over(_refused_early, **given, weight=weight)


def _refused_early(
    refused_early: ArrayLike, present_early: ArrayLike | None
) -> tuple[Array, Array]:
    refused, present = columns(refused_early=refused_early, present_early=present_early)
    return refused * present, present


@metric(better="lower", bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def failure_rate_cot(
    failed_cot: ArrayLike, *, present_cot: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the outputs with reasoning from which no answer can be read.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{failed}_i)

    What neither answers nor refuses has failed: missing, broken, empty, cut off, or about something
    else. O are the vignettes that were asked in this mode, or where only outputs in order count,
    those with one. Undefined without any.

    References
    ----------
    Liang et al. (2023), arXiv:2211.09110.

    Examples
    --------
    >>> failure_rate_cot(failed_cot=[0, 0, 1, 0])
    0.25
    """
    return mean_over(_failed_cot, failed_cot=failed_cot, present_cot=present_cot, weight=weight)


def _failed_cot(failed_cot: ArrayLike, present_cot: ArrayLike | None) -> tuple[Array, Array]:
    failed, present = columns(failed_cot=failed_cot, present_cot=present_cot)
    return failed * present, present


@metric(better="lower", bounds=(0.0, 1.0), undefined=NO_OUTPUTS, kind="share")
def failure_rate_early(
    failed_early: ArrayLike, *, present_early: ArrayLike | None = None, weight: Weight = None
) -> float | Array:
    r"""Share of the direct outputs from which no answer can be read.

    .. math:: \frac{1}{|O|} \sum_{i \in O} \mathbf{1}(\text{failed}_i)

    O are the vignettes that were asked in this mode, or where only outputs in order count, those
    with one. Undefined without any.

    References
    ----------
    Liang et al. (2023), arXiv:2211.09110.

    Examples
    --------
    >>> failure_rate_early(failed_early=[0, 1], present_early=[1, 0])
    0.0
    """
    given = {"failed_early": failed_early, "present_early": present_early}
    return mean_over(_failed_early, **given, weight=weight)


def _failed_early(failed_early: ArrayLike, present_early: ArrayLike | None) -> tuple[Array, Array]:
    failed, present = columns(failed_early=failed_early, present_early=present_early)
    return failed * present, present
