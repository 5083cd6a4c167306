"""What floating-point rounding may and may not decide.

Sums in another order differ in their last digits. No tie, threshold or sign may hang on those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["ROUNDING", "difference"]

ROUNDING = 1e-12
"""What sums in another order may differ by, relative to their size."""


def difference(one: ArrayLike, other: ArrayLike) -> NDArray[np.float64]:
    """Subtract; what rounding alone can make is no difference.

    Examples
    --------
    >>> difference([1.0, 0.1 + 0.2], [0.5, 0.3]).tolist()
    [0.5, 0.0]
    """
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    gap = a - b
    noise = np.abs(gap) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))
    return np.where(noise, 0.0, gap)
