"""Cases in the order of their rank score, and what is found at each step of the verdict scale.

The order never changes under resampling, so it is made once per table. A step of the scale cuts
it in two: verdicts at or above the step, and those below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, columns, length
from assay.errors import UsageError
from assay.metrics.intervals.totals import ratio, shaped
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight

__all__ = [
    "PrecisionRecallCurve",
    "ordinal_auprc",
    "precision_recall_curve",
    "threshold_auprc",
]

Positive = Literal["high", "low"]
Steps = Literal["all", "first-two"]
FIRST_TWO = 2
ONE_SIDE = "no step of the scale has ranked cases on both sides"
ONE_SIDE_HERE = "all ranked cases are on one side of the step"


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Ranked cases by falling score, equal scores as one point."""

    score: Array
    """(points,), from the highest down"""
    start: Indices
    """(points + 1,), cases start[m] to start[m + 1] have the score of point m"""
    cluster: Indices
    size: Array
    verdict: Array

    @property
    def n_steps(self) -> int:
        """Return how many steps of the scale can have cases on both sides."""
        return int(self.verdict.max(initial=0.0))


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve:
    """What is found as the score falls, at one step of the scale."""

    score: Array
    """(points,), a case is called positive from this score on"""
    called: Array
    """(resamples, points), the weight of the cases called positive"""
    found: Array
    """(resamples, points), the weight of the positive cases among them"""
    shape: tuple[int, ...]

    @property
    def n_positive(self) -> Array:
        """Return the weight of all positive cases, (resamples,)."""
        return self.found[:, -1] if self.score.size else np.zeros(self.found.shape[0])

    @property
    def n_negative(self) -> Array:
        """Return the weight of all other ranked cases, (resamples,)."""
        called = self.called[:, -1] if self.score.size else np.zeros(self.called.shape[0])
        return called - self.n_positive

    @property
    def precision(self) -> Array:
        """Return the share of the called cases that is positive, (..., points)."""
        return self._points(ratio(self.found, self.called))

    @property
    def recall(self) -> Array:
        """Return the share of the positive cases that is called, (..., points)."""
        return self._points(ratio(self.found, self.n_positive[:, None]))

    def _points(self, values: Array) -> Array:
        return values.reshape(*self.shape, self.score.size)

    def average_precision(self) -> Array:
        """Return the mean precision over the positive cases; NaN where one side is empty."""
        # The same sum whatever points a resample leaves empty: those add nothing.
        gained = np.diff(self.found, axis=-1, prepend=0.0)
        reached = np.divide(self.found, self.called, out=gained * 0.0, where=self.called > 0)
        area = ratio(np.einsum("rp,rp->r", gained, reached), self.n_positive)
        return np.where(self.n_negative > 0, area, np.nan)


@metric(better="higher", bounds=(0.0, 1.0), undefined=ONE_SIDE)
def ordinal_auprc(  # noqa: PLR0913 - two columns, two flags, two conventions
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    ranked: ArrayLike | None = None,
    weight: Weight = None,
    positive: Positive = "high",
    steps: Steps = "all",
) -> float | Array:
    r"""Area under the precision-recall curve, averaged over the steps of the verdict scale.

    .. math:: \frac{1}{|T|} \sum_{t \in T} \sum_m \frac{P_m - P_{m-1}}{P_M} \cdot \frac{P_m}{k_m}

    :math:`k_m` cases have one of the m highest rank scores, :math:`P_m` of them a true verdict at
    or above step t; T are the steps with ranked cases on both sides. Cases with equal scores are
    called together; nothing is interpolated. With ``low`` the verdicts below the step are the
    positive ones and the lowest score comes first. ``first-two`` ignores steps above the second.
    Only the order counts: all verdicts may be wrong and the area still be 1. Undefined where no
    step has cases on both sides.

    Notes
    -----
    The average precision of scikit-learn at each step. A rank score rises with the scale, whatever
    its high end stands for.

    References
    ----------
    Davis and Goadrich (2006), ICML-23:233-240.

    Examples
    --------
    >>> ordinal_auprc(verdict_true=[0, 0, 1, 1], rank_score=[1, 2, 3, 4])
    1.0
    >>> round(ordinal_auprc(verdict_true=[0, 2, 1, 1], rank_score=[1, 2, 3, 4]), 4)
    0.6667
    """
    resamples = Resamples.of(weight, n_rows=length(verdict_true=verdict_true))
    ranking = resamples.plan(_ranking, verdict_true, rank_score, scored, ranked, positive)
    n_steps = ranking.n_steps if steps == "all" else min(FIRST_TWO, ranking.n_steps)
    areas = np.full((n_steps + 1, resamples.counts.shape[0]), np.nan)
    for step in range(1, n_steps + 1):
        areas[step] = resamples.curve(_area, ranking, step, positive)
    defined = ~np.isnan(areas)
    mean = ratio(np.where(defined, areas, 0.0).sum(0), defined.sum(0))
    return shaped(mean, resamples.shape)


@metric(better="higher", bounds=(0.0, 1.0), undefined=ONE_SIDE_HERE)
def threshold_auprc(  # noqa: PLR0913 - two columns, two flags, two conventions
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    ranked: ArrayLike | None = None,
    weight: Weight = None,
    positive: Positive = "high",
    threshold: int = 1,
) -> float | Array:
    r"""Area under the precision-recall curve at one step of the verdict scale.

    .. math:: \sum_m \frac{P_m - P_{m-1}}{P_M} \cdot \frac{P_m}{k_m}

    `threshold` is the position of the verdict at which the step goes up: the positive cases are
    those at or above it, with ``low`` those below it. Otherwise as the ordinal area, which is the
    mean over the steps. Undefined where all ranked cases are on one side of the step.

    References
    ----------
    Davis and Goadrich (2006), ICML-23:233-240.

    Examples
    --------
    >>> threshold_auprc(verdict_true=[0, 2, 1, 1], rank_score=[1, 2, 3, 4], threshold=1)
    1.0
    >>> round(threshold_auprc([0, 2, 1, 1], [1, 2, 3, 4], threshold=2), 4)
    0.3333
    """
    resamples = Resamples.of(weight, n_rows=length(verdict_true=verdict_true))
    ranking = resamples.plan(_ranking, verdict_true, rank_score, scored, ranked, positive)
    area: Array = resamples.curve(_area, ranking, _step(threshold), positive)
    return shaped(area, resamples.shape)


def precision_recall_curve(  # noqa: PLR0913 - two columns, two flags, two conventions
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    ranked: ArrayLike | None = None,
    weight: Weight = None,
    positive: Positive = "high",
    threshold: int = 1,
) -> PrecisionRecallCurve:
    """Call cases positive from the highest rank score down, equal scores together.

    Examples
    --------
    >>> curve = precision_recall_curve([0, 1, 0, 1], [1, 2, 3, 3])
    >>> print(curve.score, curve.precision, curve.recall)
    [3. 2. 1.] [0.5  0.67 0.5 ] [0.5 1.  1. ]
    """
    resamples = Resamples.of(weight, n_rows=length(verdict_true=verdict_true))
    ranking = resamples.plan(_ranking, verdict_true, rank_score, scored, ranked, positive)
    return _curve(ranking, _step(threshold), positive, resamples)


def _step(threshold: int) -> int:
    if threshold < 1:
        msg = f"`threshold` must be at least 1, found {threshold}"
        raise UsageError(msg, hint="the first step of a scale leads from verdict 0 to verdict 1")
    return threshold


def _ranking(
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    scored: ArrayLike | None,
    ranked: ArrayLike | None,
    positive: Positive,
    resamples: Resamples,
) -> Ranking:
    verdict, score, scored, ranked = columns(
        verdict_true=verdict_true, rank_score=rank_score, scored=scored, ranked=ranked
    )
    kept = np.flatnonzero(scored * ranked)
    falling = -score[kept] if positive == "high" else score[kept]
    order = kept[np.argsort(falling)]
    score = score[order]
    first = np.flatnonzero(np.append(True, score[1:] != score[:-1])[: score.size])
    return Ranking(
        score=score[first],
        start=np.append(first, order.size),
        cluster=resamples.cluster[order],
        size=resamples.size[order],
        verdict=verdict[order],
    )


def _curve(
    ranking: Ranking, step: int, positive: Positive, resamples: Resamples
) -> PrecisionRecallCurve:
    above = ranking.verdict >= step
    wanted = above if positive == "high" else ~above
    called, found = np.empty((2, resamples.counts.shape[0], ranking.score.size))
    cells = ranking.start, ranking.cluster, ranking.size, ranking.size * wanted
    kernels.accumulate(resamples.counts, *cells, called, found)
    return PrecisionRecallCurve(ranking.score, called, found, resamples.shape)


def _area(ranking: Ranking, step: int, positive: Positive, resamples: Resamples) -> Array:
    return _curve(ranking, step, positive, resamples).average_precision()
