"""Means over the rows of a table that count, on every resample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.columns import Resamples, length
from assay.metrics.intervals.totals import by_cluster, ratio, shaped

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Weight

Build = Callable[..., "tuple[Array, Array]"]
"""Makes two quantities per row out of checked columns."""


@dataclass(frozen=True, slots=True, eq=False)
class _ClusterSums:
    first: Array
    second: Array


def _by_cluster(build: Build, *given: ArrayLike | Resamples | None) -> _ClusterSums:
    *columns, resamples = given
    assert isinstance(resamples, Resamples)  # noqa: S101 - plans end with the resamples
    first, second = build(*columns)
    return _ClusterSums(by_cluster(first, resamples).finite, by_cluster(second, resamples).finite)


def _drawn(sums: _ClusterSums, resamples: Resamples) -> tuple[Array, Array]:
    """Add up both quantities of the clusters; readings of the same texts share most of them."""
    return _added(sums.first, resamples), _added(sums.second, resamples)


def _added(column: Array, resamples: Resamples) -> Array:
    """Add up a quantity over the draws, once for all tables of a block that have the same."""
    counts, known = resamples.counts, resamples.scratch.sums
    key = id(counts), column.tobytes()
    if key not in known:
        total, spare = np.zeros((2, counts.shape[0], 1))
        # Most columns are flags: nothing is added up where they are 0.
        cluster = np.flatnonzero(column)
        if cluster.size:
            held = column[cluster]
            kernels.accumulate(
                counts, np.array([0, cluster.size]), cluster, held, held, total, spare
            )
        # The draws are stored with the result, so that their identity stays theirs.
        known[key] = total[:, 0], counts
    found: Array = known[key][0]
    return found


def sums_over(build: Build, resamples: Resamples, *given: ArrayLike | None) -> tuple[Array, Array]:
    """Return the sums of two quantities of the rows over every resample, (resamples,) each."""
    sums = resamples.plan(_by_cluster, build, *given)
    drawn: tuple[Array, Array] = resamples.curve(_drawn, sums)
    return drawn


def mean_over(build: Build, *, weight: Weight, **given: ArrayLike | None) -> float | Array:
    """Divide the sum of the first quantity by that of the second; NaN where that one is 0."""
    resamples = Resamples.of(weight, n_rows=length(**given))
    total, n = sums_over(build, resamples, *given.values())
    return shaped(ratio(total, n), resamples.shape)
