"""Intervals of a share of independent cases, and what follows from them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

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


@lru_cache(maxsize=64)  # of all numbers of a table the same
def shown_share(k: int, n: int, least: int, tail: float) -> float:
    """Return the least share of which k in n is not too far out, where at least so many are shown.

    What is shown only where there are `least` is a selection of samples: among these more are seen
    than the share would have, and with no more than `least` it may be any.

    Examples
    --------
    >>> [round(shown_share(k, 20, 6, 0.025), 4) for k in (6, 7, 8, 12, 20)]
    [0.0, 0.0124, 0.0831, 0.3481, 0.8316]
    >>> round(shown_share(8, 20, 0, 0.025), 4) == round(exact_interval(8, 20, 0.95)[0], 4)
    True
    """
    from scipy.special import bdtrc  # noqa: PLC0415 - heavy to import

    low, high = 0.0, k / n if k > least else 0.0
    for _ in range(HALVINGS):
        half = (low + high) / 2
        shown = bdtrc(least - 1, n, half) if least else 1.0
        if bdtrc(k - 1, n, half) < tail * shown:
            low = half
        else:
            high = half
    return (low + high) / 2


def ranks_around(share: float, n: float, level: float) -> tuple[float, float] | None:
    """Return between which shares of n independent rows the quantile of a share lies.

    Each end is where so many rows up to the quantile are too far out, half of their own chance
    counted; None where not even all of them are.

    Examples
    --------
    >>> [round(end, 3) for end in ranks_around(0.9, 100, 0.95)]
    [0.837, 0.955]
    >>> ranks_around(0.9, 20, 0.95)
    """
    tail = (1 - level) / 2
    most, least = (_too_many(of, n, tail) for of in (share, 1 - share))
    return None if most is None or least is None else (1 - least, most)


def _too_many(share: float, n: float, tail: float) -> float | None:
    """Return the share of n that is too much to be seen of what has this share."""
    from scipy.special import betainc  # noqa: PLC0415 - heavy to import

    if not 0 < share < 1 or share**n / 2 > tail:
        return None
    low, high = share, 1.0
    for _ in range(HALVINGS):
        half = (low + high) / 2
        hits = half * n
        if betainc(hits, n - hits + 1, share) + betainc(hits + 1, n - hits, share) > 2 * tail:
            low = half
        else:
            high = half
    return (low + high) / 2
