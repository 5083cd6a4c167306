"""Calibration of the probabilities of several classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, aligned, columns, length
from assay.errors import ColumnError
from assay.floats import SUM_TOLERANCE
from assay.metrics.calibration.binned import settled_bins
from assay.metrics.calibration.bins import (
    NO_ROW,
    Bins,
    Closed,
    Strategy,
    TopLabels,
    bin_edges,
    over_bins,
    reliability,
)
from assay.metrics.calibration.cells import ratio, row_sums, shaped
from assay.metrics.calibration.scores import CLIP, clipped, surprise
from assay.registry import Gaps, metric
from assay.showing import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from assay.columns import Array, Indices, Weight

MOST_CELLS = 100_000
"""bins of all classes that are held at once"""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some rows of a table, as a binary question."""

    correct: Array
    probability: Array
    cluster: Indices
    size: Array
    plans: dict[Any, Any] = field(default_factory=dict)
    """what was made of these rows once and serves every block of resamples"""

    def drawn(self, resamples: Resamples) -> Resamples:
        """Return these rows under the draws of the whole table."""
        return Resamples(
            resamples.counts,
            self.cluster,
            self.size,
            resamples.shape,
            plans=self.plans,
            scratch=resamples.scratch,
        )


def top_label_gaps(  # noqa: PLR0913 - what the error takes
    label: ArrayLike,
    probabilities: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
    labels: TopLabels = "predicted",
) -> Gaps:
    """Return the gaps of the bins of every label, as shares of the rows of the label."""
    resamples = Resamples.of(weight, n_rows=length(label=label))
    parts, n_classes = resamples.plan(_by_top_label, label, probabilities)
    n_labels = len(parts) if labels == "predicted" else n_classes
    return _gaps(parts, resamples, Bins(n_bins, strategy, closed), n_labels)


def class_wise_gaps(
    label: ArrayLike,
    probabilities: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> Gaps:
    """Return the gaps of the bins of every class, as shares of all rows."""
    resamples = Resamples.of(weight, n_rows=length(label=label))
    parts = resamples.plan(_by_class, label, probabilities)
    return _gaps(parts, resamples, Bins(n_bins, strategy, closed), len(parts))


def _gaps(parts: list[Part], resamples: Resamples, how: Bins, n_parts: int) -> Gaps:
    tables = [
        settled_bins(part.correct, part.probability, part.drawn(resamples), how) for part in parts
    ]
    sums = np.concatenate([table.gap for table in tables], axis=-1)
    total = [np.broadcast_to(table.total[:, None], table.gap.shape) for table in tables]
    weights = np.concatenate(total, axis=-1)
    return Gaps(sums, weights, lambda gap: np.asarray(np.abs(gap).sum(-1) / n_parts))


@over_bins(
    better="lower",
    bounds=(0.0, 1.0),
    kind="norm",
    gaps=top_label_gaps,
    counterparts=("multiclass_brier", "multiclass_nll"),
)
def top_label_ece(  # noqa: PLR0913 - the options of bins and of labels
    label: ArrayLike,
    probabilities: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
    labels: TopLabels = "predicted",
) -> float | Array:
    r"""Expected calibration error of the top label, label by label.

    .. math:: \frac{1}{L} \sum_{j} \sum_{m} \frac{|B_{m,j}|}{n_j}
              \left|\mathrm{acc}(B_{m,j}) - \mathrm{conf}(B_{m,j})\right|

    A row belongs to the label j of its largest probability, the first of equals; conf is the mean
    of those, acc the share that is right. The mean over labels is not weighted: a label predicted
    once counts as much as any other. ``labels="predicted"`` divides by the labels that are
    predicted at all, ``all`` by all classes. Bins as for the expected calibration error, `n_bins`
    their number, cut for every label anew. Undefined without rows.

    References
    ----------
    Gupta and Ramdas (2021), arXiv:2107.08353.

    Examples
    --------
    >>> top_label_ece([0, 2, 1], [[0.75, 0.25, 0.0], [0.75, 0.0, 0.25], [0.0, 1.0, 0.0]])
    0.125
    """
    how = Bins(n_bins, strategy, closed)
    found = _one_pass(label, probabilities, how, weight)
    if found is not None:
        n_labels = found.size if labels == "all" else np.count_nonzero(~np.isnan(found))
        return float(np.nansum(found) / n_labels)
    resamples = Resamples.of(weight, n_rows=length(label=label))
    parts, n_classes = resamples.plan(_by_top_label, label, probabilities)
    added, n_drawn = np.zeros((2, resamples.counts.shape[0]))
    for error in _errors(parts, resamples, how):
        added += np.nan_to_num(error)
        n_drawn += ~np.isnan(error)
    divisor = n_drawn if labels == "predicted" else n_classes * (n_drawn > 0)
    return shaped(ratio(added, divisor), resamples.shape)


@over_bins(
    better="lower",
    bounds=(0.0, 1.0),
    kind="norm",
    gaps=class_wise_gaps,
    counterparts=("multiclass_brier", "multiclass_nll"),
)
def class_wise_ece(
    label: ArrayLike,
    probabilities: ArrayLike,
    *,
    weight: Weight = None,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    closed: Closed = "left",
) -> float | Array:
    r"""Expected calibration error of every class's probability, averaged over classes.

    .. math:: \frac{1}{K} \sum_{k=1}^{K} \mathrm{ECE}\bigl(1[y = k],\, p_k\bigr)

    Classes that never occur count too: their probabilities should be 0. Bins as for the expected
    calibration error; `n_bins` is their number. Undefined without rows.

    References
    ----------
    Kull et al. (2019), arXiv:1910.12656.

    Examples
    --------
    >>> class_wise_ece(label=[0, 1], probabilities=[[0.75, 0.25], [0.25, 0.75]])
    0.25
    """
    resamples = Resamples.of(weight, n_rows=length(label=label))
    parts = resamples.plan(_by_class, label, probabilities)
    errors = list(_errors(parts, resamples, Bins(n_bins, strategy, closed)))
    return shaped(np.mean(errors, axis=0), resamples.shape)


@metric(better="lower", bounds=(0.0, 2.0), undefined=NO_ROW, kind="area")
def multiclass_brier(
    label: ArrayLike, probabilities: ArrayLike, *, weight: Weight = None
) -> float | Array:
    r"""Brier score over all classes.

    .. math:: \frac{1}{n} \sum_{i=1}^{n} \sum_{k=1}^{K} \bigl(1[y_i = k] - p_{ik}\bigr)^2

    From 0 to 2; with two classes it is twice the binary score. Undefined without rows.

    References
    ----------
    Brier (1950), Monthly Weather Review 78:1-3.

    Examples
    --------
    >>> multiclass_brier(label=[0, 1], probabilities=[[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]])
    0.1875
    """
    sums = row_sums(_squares, label, probabilities, weight=weight, check=_checked)
    return shaped(ratio(sums.first, sums.total), sums.shape)


@metric(better="lower", bounds=(0.0, np.inf), undefined=NO_ROW, kind="heavy mean")
def multiclass_nll(
    label: ArrayLike,
    probabilities: ArrayLike,
    *,
    weight: Weight = None,
    clip: float = CLIP,
) -> float | Array:
    r"""Negative log-likelihood of the true class, in nats.

    .. math:: -\frac{1}{n} \sum_{i=1}^{n} \log p_{i, y_i}

    The probability of the true class is first moved into [c, 1 - c]; c is `clip`, and programs
    differ in it as they do for the negative log-likelihood of one outcome. Undefined without rows.

    References
    ----------
    Good (1952), Journal of the Royal Statistical Society B 14:107-114.

    Examples
    --------
    >>> round(multiclass_nll(label=[0, 1], probabilities=[[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]]), 4)
    0.3466
    """
    sums = row_sums(_surprises, label, probabilities, clipped(clip), weight=weight, check=_checked)
    return shaped(ratio(sums.first, sums.total), sums.shape)


def _checked(label: ArrayLike, probabilities: ArrayLike) -> tuple[Indices, Array]:
    label, probabilities = columns(label=label, probabilities=probabilities)
    n_classes = probabilities.shape[1]
    strange = np.flatnonzero(label >= n_classes)
    if strange.size:
        msg = (
            f"`label` must be below {n_classes}, the number of classes in `probabilities`, found"
            f" {label[strange[0]]:g} at row {strange[0]}"
            f" ({strange.size} of {counted(label.size, 'row')})"
        )
        raise ColumnError(msg)
    return label.astype(np.int64), probabilities


def _squares(label: Indices, probabilities: Array) -> tuple[Array, Array]:
    stated = stated_for_class(label, probabilities)
    squares: Array = np.square(probabilities).sum(-1) - 2 * stated + 1
    return squares, stated


def _surprises(label: Indices, probabilities: Array, clip: str) -> tuple[Array, Array]:
    stated = stated_for_class(label, probabilities)
    return surprise(stated, clip), stated


def stated_for_class(label: Indices, probabilities: Array) -> Array:
    """Return the probability that was stated for the class that is true."""
    return np.take_along_axis(probabilities, label[:, None], axis=1)[:, 0]


def _by_top_label(
    label: ArrayLike, probabilities: ArrayLike, resamples: Resamples
) -> tuple[list[Part], int]:
    """Split the rows by the class of their largest probability."""
    truth, stated = _checked(label, probabilities)
    top = stated.argmax(-1) if stated.size else np.zeros(0, dtype=np.int64)
    right = (truth == top).astype(np.float64)
    largest = stated.max(-1) if stated.size else np.zeros(0)
    rows = (np.flatnonzero(top == each) for each in np.unique(top))
    parts = [
        Part(right[each], largest[each], resamples.cluster[each], resamples.size[each])
        for each in rows
    ]
    return parts, stated.shape[1]


def _one_pass(
    label: ArrayLike, probabilities: ArrayLike, how: Bins, weight: Weight
) -> Array | None:
    """Return the error of every label, NaN of one that is never predicted, from one pass.

    None where bins are not at fixed places, where there is nothing to add up or many weights, and
    where a value is not as it should be, which the long way says in words.
    """
    truth, stated = aligned(label=label, probabilities=probabilities)
    if how.strategy not in {"uniform", "uniform-exact"} or not stated.size:
        return None
    if stated.shape[1] * how.n_bins > MOST_CELLS:
        return None
    own = None if weight is None else Resamples.of(weight, n_rows=truth.size).single
    if weight is not None and (own is None or not own.any()):
        return None
    edges = bin_edges(how)
    edges[0], edges[-1] = -np.inf, np.inf
    sums = kernels.top_label_sums(
        truth, stated, edges, own, closed=how.closed == "right", tolerance=SUM_TOLERANCE
    )
    if sums is None:
        return None
    rows, right, claimed = np.moveaxis(sums, -1, 0)
    return ratio(np.abs(right - claimed).sum(-1), rows.sum(-1))


def _by_class(label: ArrayLike, probabilities: ArrayLike, resamples: Resamples) -> list[Part]:
    truth, stated = _checked(label, probabilities)
    return [
        Part(
            (truth == each).astype(np.float64),
            np.ascontiguousarray(stated[:, each]),
            resamples.cluster,
            resamples.size,
        )
        for each in range(stated.shape[1])
    ]


def _errors(parts: list[Part], resamples: Resamples, how: Bins) -> Iterator[Array]:
    """Yield the expected calibration error of every part, NaN where no row of it is drawn."""
    for part in parts:
        drawn = part.drawn(resamples)
        table = reliability(part.correct, part.probability, weight=drawn, bins=how)
        yield ratio(np.abs(table.gap).sum(-1), table.total)
