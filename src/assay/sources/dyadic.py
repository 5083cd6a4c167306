"""A fixed partition of all numbers into cells whose edges are sums of few powers of two.

Scaling by a power of two and rounding down are exact, so that every engine puts a number in the
same cell. Cells are narrow in proportion to the distance from 0 and, between 0 and 1, from 1, where
probabilities crowd. The partition does not depend on the data; cells that hold much of them are
split further.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Array

__all__ = ["HEAVY", "MOST_SPLITS", "SPLIT", "cells", "cells_of", "chosen_by", "pieces"]

OCTAVES = 24
"""so many halvings towards 0 and towards 1 have cells of their own"""
WIDE = 40
"""beyond 2^24 a piece is that many octaves"""
PER_OCTAVE = 7
"""bits: 128 cells to an octave"""
SPLIT = 16
HEAVY = 512
"""a cell with more than this part of the rows, and more than one value, is split"""
MOST_SPLITS = 3


def _starts() -> tuple[list[float], list[float]]:
    """Return where pieces start, and how many cells there are to the unit."""
    up = [(2.0**-OCTAVES * 0, 2.0 ** (OCTAVES + PER_OCTAVE))]
    up += [(2.0 ** -(k + 1), 2.0 ** (k + 1 + PER_OCTAVE)) for k in range(OCTAVES - 1, 1, -1)]
    up += [(0.25, 2.0 ** (PER_OCTAVE + 3))]
    up += [(1 - 2.0**-k, 2.0 ** (k + 1 + PER_OCTAVE)) for k in range(2, OCTAVES)]
    up += [(1 - 2.0**-OCTAVES, 2.0 ** (OCTAVES + PER_OCTAVE))]
    ends = [*range(OCTAVES + 1), *range(OCTAVES + WIDE, 1024, WIDE)]
    far = [
        (2.0**low, 2.0 ** (PER_OCTAVE - (high - 1)))
        for low, high in zip(ends, [*ends[1:], 1024], strict=True)
    ]
    near = [(2.0**-k, 2.0 ** (k + 1 + PER_OCTAVE)) for k in range(OCTAVES)]
    down = [(-start, scale) for start, scale in near]
    down += [(-(2.0**-OCTAVES), 2.0 ** (OCTAVES + PER_OCTAVE))]
    below = [
        (-(2.0**high if high < 1024 else float(np.finfo(np.float64).max)), scale)  # noqa: PLR2004
        for (_, scale), high in zip(far, [*ends[1:], 1024], strict=True)
    ]
    every = sorted({*up, *far, *down, *below})
    kept = {start: scale for start, scale in every}
    return list(kept), list(kept.values())


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
    return start + np.floor((values - start) * scale) / scale


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


def cells(
    value: Any, ends: tuple[float, float], coarser: int
) -> Callable[[int], Any]:
    """Return, by level, the expression of the lower edge of the cell of a number."""
    starts, scales = pieces(*ends, coarser)
    start = chosen_by(value, starts, starts)
    scale = chosen_by(value, starts, scales)
    width = chosen_by(value, starts, [1 / each for each in scales])

    def at(level: int) -> Any:
        finer = float(SPLIT) ** level
        return start + ((value - start) * (scale * finer)).floor() * (width * (1 / finer))

    return at
