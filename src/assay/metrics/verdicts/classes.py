"""Verdicts as classes: which was given where which was true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, aligned, columns, length
from assay.errors import ColumnError, UsageError
from assay.metrics.intervals.totals import Cells, grouped, ratio, shaped
from assay.registry import metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

Classes = Literal["occurring", "all"]
Unanswered = Literal["miss", "worst"]
NOTHING_SCORED = "no case has both a true and a given verdict"
MOST_VERDICTS = 1_000
FEW_VERDICTS = 16
"""scales up to that length are counted in one pass"""


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How often each verdict was given where each was true."""

    counts: Array
    """(..., verdicts, verdicts), true by given"""
    unanswered: Array
    """(..., verdicts), how often none was given where each was true"""
    unanswered_as: Unanswered = "miss"
    """`worst`: also as a false alarm of every other verdict"""

    @property
    def right(self) -> Array:
        """Return how often each verdict was given rightly, (..., verdicts)."""
        return np.diagonal(self.counts, axis1=-2, axis2=-1)

    @property
    def support(self) -> Array:
        """Return how often each verdict is true, (..., verdicts)."""
        support: Array = self.counts.sum(-1) + self.unanswered
        return support

    @property
    def given(self) -> Array:
        """Return how often each verdict was given, (..., verdicts)."""
        given: Array = self.counts.sum(-2)
        if self.unanswered_as == "worst":
            given = given + self.unanswered.sum(-1, keepdims=True) - self.unanswered
        return given

    @property
    def precision(self) -> Array:
        """Return the share of a given verdict that is right, (..., verdicts)."""
        return ratio(self.right, self.given)

    @property
    def recall(self) -> Array:
        """Return the share of a true verdict that was given, (..., verdicts)."""
        return ratio(self.right, self.support)

    @property
    def f1(self) -> Array:
        """Return the harmonic mean of both; NaN where a verdict is neither true nor given."""
        return ratio(2 * self.right, self.support + self.given)


@metric(better="higher", bounds=(0.0, 1.0), undefined=NOTHING_SCORED, reference=0.0, kind="area")
def macro_f1(  # noqa: PLR0913 - two columns, two flags, a weight, and four conventions
    verdict_true: ArrayLike,
    verdict_given: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    unanswered_as: Unanswered = "miss",
    classes: Classes = "occurring",
    n_verdicts: int = 3,
    fewest: int = 1,
) -> float | Array:
    r"""Mean F1 of the verdicts, each counting the same however rare it is.

    .. math:: \frac{1}{|V|} \sum_{v \in V} \frac{2\, n_{vv}}{n_{v\cdot} + n_{\cdot v}}

    :math:`n_{v\cdot}` cases have the true verdict v, :math:`n_{\cdot v}` were given it,
    :math:`n_{vv}` both. V are the verdicts that are true or given somewhere: one that occurs
    nowhere is not counted as 0. With ``all`` it is, and V are all `n_verdicts` of the scale.
    Undefined with fewer than `fewest` cases.

    A case that was asked and not scored is a miss of its true verdict: it is in
    :math:`n_{v\cdot}` and nowhere else. A wrong verdict that is held back takes its false alarm
    with it, so the number may still rise by failing; with ``worst`` it cannot, since such a case is
    a false alarm of every other verdict of the scale as well.

    Notes
    -----
    The macro average of scikit-learn with ``zero_division=0``. The reference program needs two
    cases.

    References
    ----------
    Sokolova and Lapalme (2009), Information Processing and Management 45:427-437.

    Examples
    --------
    >>> round(macro_f1(verdict_true=[0, 0, 1, 1], verdict_given=[0, 1, 1, 1]), 4)
    0.7333
    """
    given = verdict_true, verdict_given, scored, asked
    table = _confusion(*given, weight=weight, least=n_verdicts, unanswered_as=unanswered_as)
    f1 = table.f1
    occurring = ~np.isnan(f1)
    total = np.where(occurring, f1, 0.0).sum(-1)
    n = occurring.sum(-1)
    if classes == "all":
        n = np.full(n.shape, _at_least(n_verdicts, table.counts.shape[-1]))
    # Above one less rather than from there on: weights need not be whole.
    enough = table.support.sum(-1) > fewest - 1
    return _number(np.where(enough, ratio(total, n), np.nan))


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="the verdict is never given",
    counterparts=("macro_f1",),
    kind="share",
)
def class_precision(  # noqa: PLR0913 - two columns, two flags, a weight, two conventions
    verdict_true: ArrayLike,
    verdict_given: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    unanswered_as: Unanswered = "miss",
    verdict: int = 0,
) -> float | Array:
    r"""Precision of one verdict: how often it is right where it is given.

    .. math:: n_{vv} / n_{\cdot v}

    `verdict` is the position v on the scale, counted from 0. Undefined where it is never given.

    A case that was asked and not scored is a miss of its true verdict; with ``worst`` also a false
    alarm of this one where another is true.

    References
    ----------
    Sokolova and Lapalme (2009), Information Processing and Management 45:427-437.

    Examples
    --------
    >>> round(class_precision(verdict_true=[0, 0, 1], verdict_given=[1, 1, 1], verdict=1), 4)
    0.3333
    """
    given = verdict_true, verdict_given, scored, asked
    table = _confusion(*given, weight=weight, least=verdict + 1, unanswered_as=unanswered_as)
    return _one(table.precision, verdict)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="the verdict is never true",
    counterparts=("macro_f1",),
    kind="share",
)
def class_recall(  # noqa: PLR0913 - two columns, two flags, a weight, two conventions
    verdict_true: ArrayLike,
    verdict_given: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    unanswered_as: Unanswered = "miss",
    verdict: int = 0,
) -> float | Array:
    r"""Recall of one verdict: how often it is given where it is true.

    .. math:: n_{vv} / n_{v\cdot}

    `verdict` is the position v on the scale, counted from 0. Undefined where it is never true.

    A case that was asked and not scored is a miss of its true verdict; with ``worst`` also a false
    alarm of this one where another is true.

    References
    ----------
    Sokolova and Lapalme (2009), Information Processing and Management 45:427-437.

    Examples
    --------
    >>> class_recall(verdict_true=[0, 0, 1], verdict_given=[0, 1, 1], verdict=0)
    0.5
    """
    given = verdict_true, verdict_given, scored, asked
    table = _confusion(*given, weight=weight, least=verdict + 1, unanswered_as=unanswered_as)
    return _one(table.recall, verdict)


@metric(
    better="higher",
    bounds=(0.0, 1.0),
    undefined="the verdict is neither true nor given",
    kind="jump",
)
def class_f1(  # noqa: PLR0913 - two columns, two flags, a weight, two conventions
    verdict_true: ArrayLike,
    verdict_given: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    unanswered_as: Unanswered = "miss",
    verdict: int = 0,
) -> float | Array:
    r"""F1 of one verdict: the harmonic mean of its precision and recall.

    .. math:: \frac{2\, n_{vv}}{n_{v\cdot} + n_{\cdot v}}

    `verdict` is the position v on the scale, counted from 0. 0 where it is given and true, never
    both; undefined where it is neither.

    A case that was asked and not scored is a miss of its true verdict; with ``worst`` also a false
    alarm of this one where another is true.

    References
    ----------
    Sokolova and Lapalme (2009), Information Processing and Management 45:427-437.

    Examples
    --------
    >>> round(class_f1(verdict_true=[0, 0, 1], verdict_given=[0, 1, 1], verdict=0), 4)
    0.6667
    """
    given = verdict_true, verdict_given, scored, asked
    table = _confusion(*given, weight=weight, least=verdict + 1, unanswered_as=unanswered_as)
    return _one(table.f1, verdict)


def confusion_table(
    verdict_true: ArrayLike,
    verdict_given: ArrayLike,
    *,
    scored: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    weight: Weight = None,
    n_verdicts: int | None = None,
) -> Confusion:
    """Count the given verdicts by the true one; all verdicts of the scale, or up to the highest.

    Examples
    --------
    >>> print(confusion_table([0, 0, 1], [0, 1, 1], n_verdicts=3).counts)
    [[1. 1. 0.]
     [0. 1. 0.]
     [0. 0. 0.]]
    """
    least = n_verdicts or 0
    table = _confusion(verdict_true, verdict_given, scored, asked, weight=weight, least=least)
    if n_verdicts is not None:
        _at_least(n_verdicts, table.counts.shape[-1])
    return table


def _at_least(n_verdicts: int, n: int) -> int:
    if n_verdicts < n:
        msg = f"`verdict_true` and `verdict_given` must be below {n_verdicts}, found {n - 1}"
        raise ColumnError(msg, hint="`n_verdicts` says how many verdicts the scale has")
    return n_verdicts


def _confusion(  # noqa: PLR0913 - two columns, two flags, a weight, and two conventions
    verdict_true: ArrayLike,
    verdict_given: ArrayLike,
    scored: ArrayLike | None,
    asked: ArrayLike | None,
    *,
    weight: Weight,
    least: int,
    unanswered_as: Unanswered = "miss",
) -> Confusion:
    """Count at least so many verdicts of the scale."""
    least = min(least, MOST_VERDICTS)
    if scored is None and asked is None:
        pairs = _pairs(verdict_true, verdict_given, least, weight)
        if pairs is not None:
            return Confusion(pairs, np.zeros(len(pairs)), unanswered_as)
    resamples = Resamples.of(weight, n_rows=length(verdict_true=verdict_true))
    plan = resamples.plan(_cells, verdict_true, verdict_given, scored, asked, least)
    table: Confusion = resamples.curve(_counted, plan)
    return replace(table, unanswered_as=unanswered_as)


def _pairs(
    verdict_true: ArrayLike, verdict_given: ArrayLike, least: int, weight: Weight
) -> Array | None:
    """Count cases that all were asked and scored under one weight.

    None where there are many weights, a long scale, or a fault.
    """
    given = aligned(verdict_true=verdict_true, verdict_given=verdict_given)
    own = None if weight is None else Resamples.of(weight, n_rows=given[0].size).single
    if weight is not None and own is None:
        return None
    found = kernels.verdict_pairs(*given, FEW_VERDICTS, own)
    if found is None:
        return None
    counts: Array = np.zeros((max(least, len(found), 1),) * 2)
    counts[: len(found), : len(found)] = found
    return counts


def _cells(
    verdict_true: ArrayLike,
    verdict_given: ArrayLike,
    scored: ArrayLike | None,
    asked: ArrayLike | None,
    least: int,
    resamples: Resamples,
) -> Cells:
    """Sort the cases by the pair of their verdicts, none being given coming after all others."""
    # Where nobody says what was asked, nothing else was than what is scored.
    true, given, scored, asked = columns(
        verdict_true=verdict_true,
        verdict_given=verdict_given,
        scored=scored,
        asked=scored if asked is None else asked,
    )
    n = max(int(max(true.max(initial=0.0), given.max(initial=0.0))) + 1, least)
    if n > MOST_VERDICTS:
        msg = f"verdicts must be below {MOST_VERDICTS}, found {n - 1}"
        raise ColumnError(msg, hint="a verdict is its position on the scale, counted from 0")
    kept = np.flatnonzero(asked)
    given = np.where(scored > 0, given, n)
    n_pairs = n * (n + 1)
    pair = (true[kept] * (n + 1) + given[kept]).astype(np.int32 if n_pairs > 1 << 15 else np.int16)
    order = np.argsort(pair, kind="stable")
    size = resamples.size[kept[order]]
    return Cells(
        start=np.append(0, np.cumsum(np.bincount(pair, minlength=n_pairs))),
        cluster=resamples.cluster[kept[order]],
        n=size,
        covered=size,
    )


def _counted(cells: Cells, resamples: Resamples) -> Confusion:
    counts = grouped(cells, resamples).n
    n = int(np.sqrt(counts.shape[-1]))
    table = counts.reshape(*counts.shape[:-1], n, n + 1)
    return Confusion(table[..., :-1], table[..., -1])


def _one(values: Array, verdict: int) -> float | Array:
    if verdict < 0:
        msg = f"`verdict` must not be negative, found {verdict}"
        raise UsageError(msg, hint="verdicts are counted from 0, the low end of the scale")
    if verdict >= values.shape[-1]:
        msg = f"`verdict` must be below {MOST_VERDICTS}, found {verdict}"
        raise UsageError(msg, hint="it is a position on the scale")
    return _number(values[..., verdict])


def _number(values: Array) -> float | Array:
    return shaped(values, values.shape)
