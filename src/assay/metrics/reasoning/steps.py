"""Whether the reasoning takes the steps that a reference takes, case by case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from assay.columns import columns
from assay.metrics.intervals.totals import ratio
from assay.metrics.reasoning.sums import Build, mean_over
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

Stepless = Literal["zero", "left-out"]
"""What a case counts whose reasoning has no steps."""
_Reading = Literal["f1", "precision", "recall"]
NO_CASES = "no case has steps to compare"


@metric(better="higher", bounds=(0.0, 1.0), undefined=NO_CASES, kind="jump")
def step_f1(
    n_steps: ArrayLike,
    n_gold_steps: ArrayLike,
    n_matched_steps: ArrayLike,
    *,
    stepped: ArrayLike | None = None,
    weight: Weight = None,
    stepless: Stepless = "zero",
) -> float | Array:
    r"""Mean over the cases of the F1 between the steps of the model and those of the reference.

    .. math:: \frac{1}{|S|} \sum_{i \in S} \frac{2 P_i R_i}{P_i + R_i}
              = \frac{1}{|S|} \sum_{i \in S} \frac{2 m_i}{n_i + g_i}

    Case i has :math:`n_i` steps of the model, :math:`g_i` gold steps and :math:`m_i` matches, of
    which each step takes part in one at most. S are the cases with gold steps. A case whose
    reasoning is missing, broken or has no steps counts 0, or with ``left-out`` not at all.
    Undefined without cases.

    References
    ----------
    Prasad et al. (2023), arXiv:2304.10703.

    Examples
    --------
    >>> step_f1(n_steps=[4, 2, 0], n_gold_steps=[4, 4, 3], n_matched_steps=[2, 2, 0])
    0.3889
    """
    given = {
        "n_steps": n_steps,
        "n_gold_steps": n_gold_steps,
        "n_matched_steps": n_matched_steps,
        "stepped": stepped,
    }
    return mean_over(_BUILDS["f1", stepless], **given, weight=weight)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined=NO_CASES,
    counterparts=("step_recall",),
    kind="share",
)
def step_precision(
    n_steps: ArrayLike,
    n_gold_steps: ArrayLike,
    n_matched_steps: ArrayLike,
    *,
    stepped: ArrayLike | None = None,
    weight: Weight = None,
    stepless: Stepless = "zero",
) -> float | Array:
    r"""Mean over the cases of the share of the model's steps that meet a gold step.

    .. math:: \frac{1}{|S|} \sum_{i \in S} \frac{m_i}{n_i}

    A case whose reasoning has no steps counts 0, or with ``left-out`` not at all. Undefined
    without cases.

    References
    ----------
    Prasad et al. (2023), arXiv:2304.10703.

    Examples
    --------
    >>> step_precision(n_steps=[4, 2, 0], n_gold_steps=[4, 4, 3], n_matched_steps=[2, 2, 0])
    0.5
    """
    given = {
        "n_steps": n_steps,
        "n_gold_steps": n_gold_steps,
        "n_matched_steps": n_matched_steps,
        "stepped": stepped,
    }
    return mean_over(_BUILDS["precision", stepless], **given, weight=weight)


@metric(better="higher", bounds=(0.0, 1.0), undefined=NO_CASES, kind="share")
def step_recall(
    n_steps: ArrayLike,
    n_gold_steps: ArrayLike,
    n_matched_steps: ArrayLike,
    *,
    stepped: ArrayLike | None = None,
    weight: Weight = None,
    stepless: Stepless = "zero",
) -> float | Array:
    r"""Mean over the cases of the share of the gold steps that the model's reasoning meets.

    .. math:: \frac{1}{|S|} \sum_{i \in S} \frac{m_i}{g_i}

    A case whose reasoning has no steps counts 0, or with ``left-out`` not at all. Undefined
    without cases.

    References
    ----------
    Prasad et al. (2023), arXiv:2304.10703.

    Examples
    --------
    >>> step_recall(n_steps=[4, 2, 0], n_gold_steps=[4, 4, 3], n_matched_steps=[2, 2, 0])
    0.3333
    """
    given = {
        "n_steps": n_steps,
        "n_gold_steps": n_gold_steps,
        "n_matched_steps": n_matched_steps,
        "stepped": stepped,
    }
    return mean_over(_BUILDS["recall", stepless], **given, weight=weight)


def _share(matched: Array, among: Array) -> Array:
    """Divide case by case; 0 where there is nothing to divide by."""
    share: Array = np.nan_to_num(ratio(matched, among))
    return share


def _build(reading: _Reading, stepless: Stepless) -> Build:
    """Return what makes the number of every case and says which cases count."""

    def rows(
        n_steps: ArrayLike,
        n_gold_steps: ArrayLike,
        n_matched_steps: ArrayLike,
        stepped: ArrayLike | None,
    ) -> tuple[Array, Array]:
        n, gold, matched, counted = columns(
            n_steps=n_steps,
            n_gold_steps=n_gold_steps,
            n_matched_steps=n_matched_steps,
            stepped=stepped,
        )
        among = {"f1": (n + gold) / 2, "precision": n, "recall": gold}[reading]
        counted = counted * (n > 0) if stepless == "left-out" else counted
        return _share(matched, among) * counted, counted

    return rows


_BUILDS = {
    (reading, stepless): _build(reading, stepless)
    for reading in get_args(_Reading)
    for stepless in get_args(Stepless)
}
