"""Clusters drawn with replacement, as counts: the definitions that the C module holds to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices

__all__ = ["LegacyState", "counter_counts", "legacy_counts"]


def counter_counts(seed: int, first: int, n_resamples: int, n_clusters: int) -> Array:
    """Draw clusters with replacement; each draw depends on (seed, replicate, draw) alone."""
    base = _mixed(np.array([seed % 2**64], dtype=np.uint64) + _GOLDEN)
    replicate = np.arange(first, first + n_resamples, dtype=np.uint64)[:, None]
    stream = _mixed(base ^ (replicate * _GOLDEN))
    draw = np.arange(1, n_clusters + 1, dtype=np.uint64)
    bits = _mixed(stream + draw * _GOLDEN) >> np.uint64(32)
    chosen = ((bits * np.uint64(n_clusters)) >> np.uint64(32)).astype(np.int64)
    return _counted(chosen, n_clusters)


class LegacyState:
    """Where the legacy stream stands."""

    def __init__(self, seed: int) -> None:
        """Seed it."""
        self.generator = np.random.RandomState(seed)


def legacy_counts(state: LegacyState, n_resamples: int, n_clusters: int) -> Array:
    """Draw clusters with replacement from NumPy's legacy stream, going on where it stood."""
    chosen = state.generator.randint(0, n_clusters, size=(n_resamples, n_clusters))
    return _counted(chosen, n_clusters)


def _counted(chosen: Indices, n_clusters: int) -> Array:
    n_resamples = chosen.shape[0]
    flat = chosen + np.arange(n_resamples)[:, None] * n_clusters
    counts = np.bincount(flat.ravel(), minlength=n_resamples * n_clusters)
    return counts.reshape(n_resamples, n_clusters).astype(np.float64)


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    mixed = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
