"""The cluster bootstrap with scipy.stats.bootstrap, as a careful NumPy user writes it.

scipy resamples the participants' numbers; the statistic turns a block of such draws
into one AURC (plateaus, trapezoid) per draw, along the last axis. Two forms:

`presorted`  rows sorted once, a draw becomes a weight per row, running sums per draw;
`sorting`    rows of the drawn participants gathered and sorted again in each draw.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

if TYPE_CHECKING:
    from bench.seed_loop import Columns

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Statistic = Callable[..., Any]
Form = Literal["presorted", "sorting"]

BLOCK_CELLS = 1 << 18
"""Rows times draws handled at once: 2 MB a column, about the second-level cache."""


class ScipyAurc(NamedTuple):
    """What one run took, its 95 % interval, the point value and the replicates."""

    seconds: float
    interval: tuple[float, float]
    value: float
    distribution: Array


def trapezoid_aurc(k: Array, lost: Array, n: Array | float) -> Array:
    """AURC from accepted counts and summed losses at the working points, last axis.

    A point without a new row repeats the one before it and adds no area; before the first
    accepted row the risk is that of the first real point.
    """
    with np.errstate(invalid="ignore"):
        risk = lost / k
    reached = k > 0
    first = np.take_along_axis(risk, reached.argmax(axis=-1)[..., None], axis=-1)
    risk = np.where(reached, risk, np.nan_to_num(first))
    area = ((k[..., 1:] - k[..., :-1]) * (risk[..., 1:] + risk[..., :-1])).sum(axis=-1) / 2
    whole: Array = (area + k[..., 0] * risk[..., 0]) / n
    return whole


def draw_counts(draws: Index, participants: int) -> Array:
    """How often each participant is in each draw."""
    blocks = len(draws)
    shifted = draws + participants * np.arange(blocks)[:, None]
    counts = np.bincount(shifted.ravel(), minlength=blocks * participants)
    return counts.reshape(blocks, participants).astype(np.float64)


def presorted_statistic(columns: Columns) -> Statistic:
    """AURC of a block of draws by running sums over rows sorted once."""
    answered = np.flatnonzero(columns.answered)
    order = answered[np.argsort(-columns.confidence[answered], kind="stable")]
    confidence, loss = columns.confidence[order], columns.loss[order]
    participant = columns.participant[order]
    ends = np.flatnonzero(np.append(confidence[1:] != confidence[:-1], True))
    people = int(columns.participant[-1]) + 1
    items = np.bincount(columns.participant, minlength=people).astype(np.float64)

    def statistic(draws: Index, axis: int = -1) -> Any:
        block: Index = np.atleast_2d(np.moveaxis(draws, axis, -1))
        counts = draw_counts(block, people)
        weight = counts[:, participant]
        k = weight.cumsum(axis=-1)[:, ends]
        weight *= loss
        lost = weight.cumsum(axis=-1)[:, ends]
        area = trapezoid_aurc(k, lost, counts @ items)
        return area if draws.ndim > 1 else area[0]

    return statistic


def sorting_statistic(columns: Columns) -> Statistic:
    """AURC of a block of draws by gathering and sorting the rows of each draw."""
    people = int(columns.participant[-1]) + 1
    loss = columns.loss.reshape(people, -1)
    # Abstained rows sort behind everything and weigh nothing.
    rank = np.where(columns.answered, -columns.confidence, np.inf).reshape(people, -1)

    def statistic(draws: Index, axis: int = -1) -> Any:
        block: Index = np.atleast_2d(np.moveaxis(draws, axis, -1))
        keys = rank[block].reshape(len(block), -1)
        order = np.argsort(keys, axis=-1)
        keys = np.take_along_axis(keys, order, axis=-1)
        there = np.isfinite(keys)
        lost = np.take_along_axis(loss[block].reshape(len(block), -1), order, axis=-1)
        k, lost = there.cumsum(axis=-1), (lost * there).cumsum(axis=-1)
        k, lost = (_hold_back(part, keys) for part in (k, lost))
        area = trapezoid_aurc(k, lost, float(keys.shape[-1]))
        return area if draws.ndim > 1 else area[0]

    return statistic


def _hold_back(sums: Array, keys: Array) -> Array:
    """Running sums that move only where a plateau ends (they never fall)."""
    ends = np.ones(keys.shape, dtype=np.bool_)
    ends[..., :-1] = keys[..., 1:] != keys[..., :-1]
    held: Array = np.maximum.accumulate(np.where(ends, sums, 0.0), axis=-1)
    return held


STATISTICS: dict[Form, Callable[[Columns], Statistic]] = {
    "presorted": presorted_statistic,
    "sorting": sorting_statistic,
}


def scipy_aurc(
    columns: Columns, n_resamples: int, seed: int, *, form: Form = "presorted"
) -> ScipyAurc:
    """One AURC interval by scipy, on the same draws as the legacy stream gives."""
    participants = np.arange(int(columns.participant[-1]) + 1)
    statistic = STATISTICS[form](columns)
    batch = min(n_resamples, max(1, BLOCK_CELLS // len(columns.participant)))
    start = time.process_time()
    result = stats.bootstrap(
        (participants,),
        statistic,
        n_resamples=n_resamples,
        batch=batch,
        vectorized=True,
        method="percentile",
        random_state=np.random.RandomState(seed),
    )
    seconds = time.process_time() - start
    low, high = result.confidence_interval
    value = float(statistic(participants))
    return ScipyAurc(seconds, (float(low), float(high)), value, result.bootstrap_distribution)
