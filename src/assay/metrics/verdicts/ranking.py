"""Cases in the order of their rank score, and what is found at each step of the verdict scale.

The order never changes under resampling, so it is made once per table. A step of the scale cuts
it in two: verdicts at or above the step, and those below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, columns, length, whole
from assay.errors import UsageError
from assay.metrics.intervals.totals import ratio, shaped
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from assay.columns import Array, Indices, Weight

Positive = Literal["high", "low"]
Steps = Literal["all", "first-two"]
Unranked = Literal["last", "worst"]
FIRST_TWO = 2
ONE_SIDE = "no step of the scale has ranked cases on both sides"
ONE_SIDE_HERE = "all ranked cases are on one side of the step"


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Cases by falling score, equal scores as one point, all that have none as the last point."""

    score: Array
    """(points,), from the highest down; NaN where there is none"""
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


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined=ONE_SIDE,
    copies={"unanswered_as": "worst"},
    kind="ranking",
)
def ordinal_auprc(  # noqa: PLR0913 - two columns, three flags, and conventions
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    ranked: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    unanswered_as: Unranked = "last",
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

    Cases that were asked and are not ranked come last, together. With ``worst`` they stand where
    they do most harm at each step, a positive one after and any other before all ranked cases, no
    two of them tied, so that nothing is gained by leaving a case unranked; weights are then whole
    numbers of cases. Where positive cases share a score, a positive one may do more harm just
    before them, and stands there.

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
    if asked is None and (weight is None or unanswered_as == "last"):
        found = _at_once(verdict_true, rank_score, scored, ranked, positive, weight)
        if found is not None:
            return _mean(found[1:] if steps == "all" else found[1 : FIRST_TWO + 1], ())
    resamples = Resamples.of(weight, n_rows=length(verdict_true=verdict_true))
    given = verdict_true, rank_score, scored, ranked, asked
    ranking = resamples.plan(RANKINGS[positive], *given)
    n_steps = ranking.n_steps if steps == "all" else min(FIRST_TWO, ranking.n_steps)
    areas = np.full((n_steps + 1, resamples.counts.shape[0]), np.nan)
    for step in range(1, n_steps + 1):
        areas[step] = resamples.curve(_area, ranking, step, positive, unanswered_as)
    return _mean(areas, resamples.shape)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined=ONE_SIDE_HERE,
    copies={"unanswered_as": "worst"},
    kind="ranking",
)
def threshold_auprc(  # noqa: PLR0913 - two columns, three flags, and conventions
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    ranked: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    unanswered_as: Unranked = "last",
    positive: Positive = "high",
    threshold: int = 1,
) -> float | Array:
    r"""Area under the precision-recall curve at one step of the verdict scale.

    .. math:: \sum_m \frac{P_m - P_{m-1}}{P_M} \cdot \frac{P_m}{k_m}

    `threshold` is the position of the verdict at which the step goes up: the positive cases are
    those at or above it, with ``low`` those below it. Otherwise as the ordinal area, which is the
    mean over the steps. Undefined where all cases are on one side of the step. Cases that were
    asked and are not ranked come last; with ``worst`` each where it does most harm.

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
    given = verdict_true, rank_score, scored, ranked, asked
    ranking = resamples.plan(RANKINGS[positive], *given)
    area: Array = resamples.curve(_area, ranking, _step(threshold), positive, unanswered_as)
    return shaped(area, resamples.shape)


def precision_recall_curve(  # noqa: PLR0913 - two columns, three flags, and conventions
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    ranked: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    positive: Positive = "high",
    threshold: int = 1,
) -> PrecisionRecallCurve:
    """Call cases positive from the highest rank score down, equal scores together.

    The score of the last point is NaN where cases were asked and are not ranked.

    Examples
    --------
    >>> curve = precision_recall_curve([0, 1, 0, 1], [1, 2, 3, 3])
    >>> print(curve.score, curve.precision, curve.recall)
    [3. 2. 1.] [0.5  0.67 0.5 ] [0.5 1.  1. ]
    """
    resamples = Resamples.of(weight, n_rows=length(verdict_true=verdict_true))
    given = verdict_true, rank_score, scored, ranked, asked
    ranking = resamples.plan(RANKINGS[positive], *given)
    return _curve(ranking, _step(threshold), positive, resamples)


def _mean(areas: Array, shape: tuple[int, ...]) -> float | Array:
    """Return the mean of the areas of the steps that are defined, (steps, resamples)."""
    defined = ~np.isnan(areas)
    return shaped(ratio(np.where(defined, areas, 0.0).sum(0), defined.sum(0)), shape)


def _at_once(
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    scored: ArrayLike | None,
    ranked: ArrayLike | None,
    positive: Positive,
    weight: Weight,
) -> Array | None:
    """Return the area at every step from 0 on, (steps, 1), by one sort.

    None for a long scale, and for many weights.
    """
    own = None
    if weight is not None:
        own = Resamples.of(weight, n_rows=length(verdict_true=verdict_true)).single
        if own is None:
            return None
    verdict, score, scored, ranked, _ = columns(
        verdict_true=verdict_true, rank_score=rank_score, scored=scored, ranked=ranked, asked=scored
    )
    there = scored * ranked
    if not there.all():
        kept = np.flatnonzero(there)
        verdict, score = verdict[kept], score[kept]
        own = None if own is None else own[kept]
    highest = int(verdict.max(initial=0.0))
    if highest > FEW:
        return None
    if positive == "low":  # the scale, seen from its other end
        verdict, score = highest - verdict, -score
    found, area = kernels.step_precisions(score, verdict, highest, own)
    lowest = (verdict if own is None else verdict[own > 0]).min(initial=np.inf)
    mixed = (found > 0) & (np.arange(highest + 1) > lowest)
    areas: Array = np.full(highest + 1, np.nan)
    areas[mixed] = area[mixed] / found[mixed]
    if positive == "low":
        areas[1:] = areas[:0:-1].copy()
    return areas[:, None]


def _step(threshold: int) -> int:
    if threshold < 1:
        msg = f"`threshold` must be at least 1, found {threshold}"
        raise UsageError(msg, hint="the first step of a scale leads from verdict 0 to verdict 1")
    return threshold


def _ranking(  # noqa: PLR0913 - two columns, three flags, a convention
    verdict_true: ArrayLike,
    rank_score: ArrayLike,
    scored: ArrayLike | None,
    ranked: ArrayLike | None,
    asked: ArrayLike | None,
    resamples: Resamples,
    *,
    sign: int,
) -> Ranking:
    # Where nobody says what was asked, nothing else was than what is scored and ranked.
    verdict, score, scored, ranked, known = columns(
        verdict_true=verdict_true,
        rank_score=rank_score,
        scored=scored,
        ranked=ranked,
        asked=scored if asked is None else asked,
    )
    there = scored * ranked * known
    kept = np.flatnonzero(there)
    order = kept[kernels.rising_order(sign * score[kept])]
    score = score[order]
    first = np.flatnonzero(np.append(True, score[1:] != score[:-1])[: score.size])
    rest = np.flatnonzero(known - there) if asked is not None else kept[:0]
    last = first.size + (rest.size > 0)
    order = np.append(order, rest)
    return Ranking(
        score=np.append(score[first], np.nan)[:last],
        start=np.append(first, [score.size, order.size])[[*range(last), -1]],
        cluster=resamples.cluster[order],
        size=resamples.size[order],
        verdict=verdict[order],
    )


RANKINGS = {"high": partial(_ranking, sign=-1), "low": partial(_ranking, sign=1)}
"""by the end of the scale that comes first"""


def _curve(
    ranking: Ranking, step: int, positive: Positive, resamples: Resamples
) -> PrecisionRecallCurve:
    above = ranking.verdict >= step
    wanted = above if positive == "high" else ~above
    called, found = np.empty((2, resamples.counts.shape[0], ranking.score.size))
    cells = ranking.start, ranking.cluster, ranking.size, ranking.size * wanted
    kernels.accumulate(resamples.counts, *cells, called, found)
    return PrecisionRecallCurve(ranking.score, called, found, resamples.shape)


def _area(
    ranking: Ranking,
    step: int,
    positive: Positive,
    unanswered_as: Unranked,
    resamples: Resamples,
) -> Array:
    curve = _curve(ranking, step, positive, resamples)
    if unanswered_as == "last":
        return curve.average_precision()
    whole(resamples, "cases that are not ranked")
    if not np.isnan(curve.score[-1:]).any():
        return curve.average_precision()
    above = ranking.verdict >= step
    wanted = above if positive == "high" else ~above
    return _at_worst(curve, np.add.reduceat(wanted, ranking.start[:-1], dtype=np.int64)[:-1] > 0)


FEW = 64
HARMONIC = np.append(0.0, np.cumsum(1.0 / np.arange(1, FEW + 1)))


def _harmonic(n: Array) -> Array:
    """Return 1 + 1/2 + ... + 1/n for whole numbers; from 64 on by the series of Euler."""
    far = np.maximum(n, FEW)
    series = np.log(far) + np.euler_gamma + 1 / (2 * far) - 1 / (12 * far**2) + 1 / (120 * far**4)
    return np.where(n > FEW, series, HARMONIC[np.minimum(n, FEW).astype(np.int64)])


def _at_worst(curve: PrecisionRecallCurve, held: NDArray[np.bool_]) -> Array:
    """Return the least mean precision that the cases of the last point can lead to, taken apart.

    Others than positive ones come first. A positive one comes last, which is least where no two
    ranked positive cases are tied. Those of a tie are called together and share the precision at
    its end; one more before them raises that of all, and yet the sum can be less than at the end,
    where the one itself stands with a higher precision. So it may also stand just before a tie,
    and whatever point is `held` by a positive case is one where that case is drawn twice.
    """
    none = np.zeros((curve.found.shape[0], 1))
    found = np.concatenate([none, curve.found[:, :-1]], axis=1)
    called = np.concatenate([none, curve.called[:, :-1]], axis=1)
    n_positive, n_other = curve.n_positive, curve.n_negative
    others = called - found + (n_other - (called[:, -1] - found[:, -1]))[:, None]
    area = _placed_among(found, others, n_positive - found[:, -1], held)
    return np.where(n_other > 0, ratio(area, n_positive), np.nan)


def _placed_among(found: Array, others: Array, n_placed: Array, held: NDArray[np.bool_]) -> Array:
    """Return the least sum over the positive cases of these points and those that are placed."""
    placed = np.arange(n_placed.max(initial=0) + 1.0)
    least = np.where(placed > 0, np.inf, np.zeros((n_placed.size, 1)))
    for point in np.flatnonzero(held):
        least = _more_placed(least, found[:, [point]], others[:, [point]], placed)
        p, n = found[:, [point + 1]] + placed, others[:, [point + 1]]
        least = least + (found[:, [point + 1]] - found[:, [point]]) * p / np.maximum(p + n, 1.0)
    least = _more_placed(least, found[:, [-1]], others[:, [-1]], placed)
    return np.take_along_axis(least, n_placed.astype(np.int64)[:, None], axis=1)[:, 0]


def _more_placed(least: Array, p: Array, n: Array, placed: Array) -> Array:
    """Let some cases more stand here, one by one, after p positive and n other ones.

    Precision at the j-th of w is (p + j) / (n + p + j), which adds up to
    w - n (H(n + p + w) - H(n + p)) with harmonic numbers H.
    """
    total = placed - n * (_harmonic(n + p + placed) - _harmonic(n + p))
    best: Array = np.minimum.accumulate(least - total, axis=1) + total
    return best
