"""What floating-point rounding may and may not decide.

Sums in another order differ in their last digits. No tie, threshold or sign may hang on those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

ROUNDING = 1e-12
"""What sums in another order may differ by, relative to their size."""

BOUND_ROUNDING = 1e-13
"""What widths that are meant to be equal may differ by, relative to the bounds they are between.

A width is the difference of two bounds, each rounded at its own size, which may be far above that
of the width: a prediction of 300 plus and minus a constant has widths that differ by 6e-14. The
arithmetic of two bounds leaves 4 units of 2.2e-16, writing them with 15 digits a hundred. Much
more would tie what differs: bounds near 1.6e9, as seconds since 1970, are told apart by 0.2 ms.
"""

Noisy: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64]]"
"""values, and by how much rounding alone may make two of a kind differ"""


def difference(one: ArrayLike, other: ArrayLike) -> NDArray[np.float64]:
    """Subtract; what rounding alone can make is no difference.

    Examples
    --------
    >>> difference([1.0, 0.1 + 0.2], [0.5, 0.3]).tolist()
    [0.5, 0.0]
    """
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # infinite or beyond a double
        gap = a - b
    noise = np.abs(gap) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))
    return np.where(noise, 0.0, gap)


def apart(values: NDArray[np.float64], noise: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Say of rising values whether rounding cannot make the difference to the one before.

    Values that a chain of such differences joins are equal, whatever order they came in. The first
    is apart from nothing before it.

    Examples
    --------
    >>> apart(np.array([0.3, 0.1 + 0.2, 0.4]), np.full(3, 1e-13)).tolist()
    [True, False, True]
    """
    with np.errstate(invalid="ignore"):  # infinite values do not differ
        gap = np.diff(values)
    return np.append(np.ones(values[:1].size, dtype=bool), gap > (noise[1:] + noise[:-1]) / 2)


def alike(parts: Iterable[Noisy]) -> bool:
    """Say whether all values, which come part by part, are one value up to rounding.

    Examples
    --------
    >>> alike([(np.array([0.3, 0.1 + 0.2]), np.full(2, 1e-13)), (np.array([0.3]), np.zeros(1))])
    True
    """
    least, most = -np.inf, np.inf
    for values, noise in parts:
        with np.errstate(over="ignore"):  # beyond the largest number nothing is in the way
            least = max(least, (values - noise / 2).max(initial=-np.inf))
            most = min(most, (values + noise / 2).min(initial=np.inf))
        if least > most:
            return False
    return True
