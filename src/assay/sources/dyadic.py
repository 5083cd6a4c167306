"""A fixed partition of all numbers into cells whose edges are sums of few powers of two.

Scaling by a power of two and rounding down are exact, so that every engine puts a number in the
same cell. Cells are narrow in proportion to the distance from 0 and, between 0 and 1, from 1, where
probabilities crowd. The partition does not depend on the data; cells that hold much of them are
split further.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Array

__all__ = [
    "FEW",
    "HEAVY",
    "MOST_SPLITS",
    "SPLIT",
    "cell",
    "cells",
    "cells_of",
    "chosen_by",
    "pieces",
]

OCTAVES = 48
"""so many halvings towards 0 and towards 1 have cells of their own, two by two"""
WIDE = 40
"""beyond 2^48 a piece is that many octaves"""
BITS = 8
"""a piece of two octaves has 192 cells, 2^-8 of its larger end wide"""
SPLIT = 16
HEAVY = 512
"""a cell with more than this part of the rows, and more than one value, is split"""
FEW = 256
"""a cell with no more rows than this is never split"""
MOST_SPLITS = 3


def _starts() -> tuple[list[float], list[float]]:
    """Return where pieces start, and how many cells there are to the unit."""
    last = float(np.finfo(np.float64).max)
    ends = [*range(0, OCTAVES + 1, 2), *range(OCTAVES + WIDE, 1024, WIDE), 1024]
    far = [(low, high, 2.0 ** (BITS - high)) for low, high in pairwise(ends)]
    near = [(2.0**-k, 2.0 ** (BITS + k)) for k in range(0, OCTAVES, 2)]
    inner = [(k, scale) for k, (_, scale) in zip(range(0, OCTAVES, 2), near, strict=True) if k]
    tip = 2.0 ** (BITS + OCTAVES)
    kept = {-(2.0**high if high < 1024 else last): scale for _, high, scale in far}  # noqa: PLR2004
    kept |= {-start: scale for start, scale in near}
    kept |= {-(2.0**-OCTAVES): tip, 0.0: tip, 0.25: 2.0 ** (BITS + 2), 1 - 2.0**-OCTAVES: tip}
    kept |= {2.0 ** -(k + 2): scale for k, scale in inner}
    kept |= {1 - 2.0**-k: scale for k, scale in inner}
    kept |= {2.0**low: scale for low, _, scale in far}
    return sorted(kept), [kept[start] for start in sorted(kept)]


STARTS, SCALES = _starts()


def pieces(low: float, high: float, coarser: int = 0) -> tuple[list[float], list[float]]:
    """Return the pieces that numbers between two ends lie in, with cells 2^coarser as wide."""
    first = max(bisect_right(STARTS, low) - 1, 0)
    last = max(bisect_right(STARTS, high), first + 1)
    return STARTS[first:last], [scale / 2.0**coarser for scale in SCALES[first:last]]


def cells_of(values: Array, level: int = 0, coarser: int = 0) -> Array:
    """Return the lower edge of the cell of every number; at a level cells are split once more.

    Examples
    --------
    >>> cells_of(np.array([0.3, 0.9999, 5.0])).tolist()
    [0.2998046875, 0.9998998641967773, 5.0]
    """
    piece = np.maximum(np.searchsorted(STARTS, values, side="right") - 1, 0)
    start = np.array(STARTS)[piece]
    scale = np.array(SCALES)[piece] * float(SPLIT) ** level / 2.0**coarser
    edges: Array = start + np.floor((values - start) * scale) / scale
    return edges


def chosen_by(value: Any, edges: Sequence[float], of: Sequence[Any], *, closed: bool = True) -> Any:
    """Return an expression: of[i] where edges[i] <= value < edges[i + 1]; the first below all.

    With `closed` false an edge belongs to what is below it.
    """
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - slow to import

    def between(first: int, last: int) -> Any:
        if last - first == 1:
            return nw.lit(of[first])
        middle = (first + last) // 2
        reached = value >= edges[middle] if closed else value > edges[middle]
        return nw.when(reached).then(between(middle, last)).otherwise(between(first, middle))

    return between(0, len(edges))


def cells(value: Any, ends: tuple[float, float], coarser: int) -> tuple[Any, Any]:
    """Return the expressions of where the piece of a number starts, and of its cells to a unit."""
    starts, scales = pieces(*ends, coarser)
    return chosen_by(value, starts, starts), chosen_by(value, starts, scales)


def cell(value: Any, start: Any, scale: Any, level: int = 0) -> Any:
    """Return the expression of the lower edge of the cell of a number, split so many times."""
    finer = scale * float(SPLIT) ** level
    return start + ((value - start) * finer).floor() / finer
