"""The exact interval of a share of independent cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["clopper_pearson", "exact_interval", "mid_p_interval"]

HALVINGS = 50
"""of the exact interval, until nothing is left of it"""


def clopper_pearson(k: ArrayLike, n: ArrayLike, tail: float) -> NDArray[np.float64]:
    """Return one end of Clopper and Pearson's interval of k in n: the lower for a tail below 1/2.

    Examples
    --------
    >>> clopper_pearson([0, 1], [4, 4], 0.025).round(4).tolist()
    [0.0, 0.0063]
    >>> clopper_pearson([3, 4], [4, 4], 0.975).round(4).tolist()
    [0.9937, 1.0]
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - heavy to import

    hits = np.asarray(k, dtype=np.float64)
    misses = np.asarray(n, dtype=np.float64) - hits
    lower = tail < 0.5  # noqa: PLR2004 - the lower end
    one, other = (hits, misses + 1) if lower else (hits + 1, misses)
    certain = (hits if lower else misses) <= 0
    inner = betaincinv(np.where(certain, 1.0, one), np.where(certain, 1.0, other), tail)
    return np.where(certain, 0.0 if lower else 1.0, inner)


def exact_interval(k: int, n: int, level: float) -> tuple[float, float]:
    """Return the exact interval of a share, k of n independent cases.

    Examples
    --------
    >>> [round(end, 4) for end in exact_interval(1, 4, 0.95)]
    [0.0063, 0.8059]
    """
    low, high = (float(clopper_pearson(k, n, (1 + side * level) / 2)) for side in (-1, 1))
    return low, high


def mid_p_interval(k: int, n: int, level: float) -> tuple[float, float]:
    """Return the shares of which k in n is not too far out, half of its own chance counted.

    It lies within the exact interval, which covers more than it says, and covers about the level.

    Examples
    --------
    >>> [round(end, 4) for end in mid_p_interval(1, 4, 0.95)]
    [0.0125, 0.7577]
    """
    low, high = exact_interval(k, n, level)
    tail = (1 - level) / 2
    return _crossed(k, n, tail, (low, k / n)), _crossed(k, n, 1 - tail, (k / n, high))


def _crossed(k: int, n: int, chance: float, within: tuple[float, float]) -> float:
    """Return the share at which more than k are seen with that chance, half of k itself counted."""
    from scipy.special import bdtr, bdtrc  # noqa: PLC0415 - heavy to import

    low, high = within
    for _ in range(HALVINGS):
        half = (low + high) / 2
        if (bdtrc(k, n, half) + 1 - bdtr(k - 1, n, half)) / 2 < chance:
            low = half
        else:
            high = half
    return (low + high) / 2
