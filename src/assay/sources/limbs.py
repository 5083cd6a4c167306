"""Sums that do not depend on the order of rows: numbers as two or three whole numbers.

A number is cut into pieces of 26 bits, which engines add up as 64-bit integers: partitions, retries
and engines change no bit, and there is room for 1e11 rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Array

__all__ = ["LIMBS", "exponent", "limbs", "mean_of"]

BITS = 26
LIMBS = 3
LADDER = 20
"""exponents are multiples of this, so that parts of one table nearly always have the same"""


def exponent(largest: float) -> int:
    """Return the power of two that numbers are divided by to be at most 1.

    Examples
    --------
    >>> exponent(1.0), exponent(2.5), exponent(0.0), exponent(1e-9)
    (0, 20, 0, -20)
    """
    if not largest > 0:
        return 0
    fraction, power = frexp(largest)
    power -= fraction == 0.5  # noqa: PLR2004 - a power of two is at most itself
    return -(-power // LADDER) * LADDER


def limbs(value: Any, power: int) -> list[Any]:
    """Return the expressions of the limbs of a number, the first of which may be negative."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - slow to import

    found, rest = [], value * 2.0**-power
    for _ in range(LIMBS - 1):
        scaled = rest * 2.0**BITS
        found.append(scaled.floor())
        rest = scaled - found[-1]
    found.append((rest * 2.0**BITS + 0.5).floor())
    return [each.cast(nw.Int64) for each in found]


def mean_of(sums: Sequence[Any], rows: Any, power: int) -> Array:
    """Return means from the sums of limbs, by long division."""
    count = np.asarray(rows, np.int64)
    rest = np.zeros(count.size, np.int64)
    mean: Array = np.zeros(count.size)
    for place, limb in enumerate(sums, 1):
        digit, rest = np.divmod((rest << BITS) + np.asarray(limb, np.int64), count)
        mean += np.ldexp(digit.astype(np.float64), power - BITS * place)
    return mean
