r"""The Gaussian quadratic form where widths reach far: only what is near counts.

Rows are put into cells of a length h, a power of two near :math:`\sqrt s`, so that the place of a
row in its cell is exact. Within a cell the kernel is a polynomial to rounding, so a cell is known
by its Chebyshev moments; cells more than `TAIL` standard lengths apart do not meet. Cells are
visited from the narrowest up, a block at a time, which remembers only the last few before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import chebyshev

from assay.metrics.intervals.gauss import TAIL

if TYPE_CHECKING:
    from assay.columns import Array, Indices

__all__ = ["Near", "Values", "near_of", "slices"]

TERMS = 20
ROWS_AT_ONCE = 1 << 13
CELLS_AT_ONCE = 1 << 11

Values = Callable[["Indices"], "Array"]
"""row numbers -> their values, (resamples, rows)"""


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Rows sorted into cells, and how cells at a distance act on each other."""

    width: Array
    order: Indices
    """(rows,), the row at each place of the sorted order"""
    length: float
    """of a cell"""
    names: Array
    """(cells,), where each cell begins, in cells"""
    first: Indices
    """(cells + 1,), rows first[c] to first[c + 1] of the sorted order are in cell c"""
    blocks: Array
    """(distances, terms, terms), the kernel between two cells in Chebyshev polynomials"""

    def quadratic(self, values: Values, n_resamples: int) -> Array:
        """Return Q of the values on each resample."""
        total = np.zeros(n_resamples)
        before: Array = np.zeros((n_resamples, 0, TERMS))
        for cells in slices(self.names.size, CELLS_AT_ONCE):
            moments = np.concatenate([before, self._moments(values, cells, n_resamples)], axis=1)
            known = slice(cells.stop - moments.shape[1], cells.stop)
            total += self._met(self.names[known], moments, n_new=cells.stop - cells.start)
            before = moments[:, 1 - len(self.blocks) :]
        return np.maximum(total, 0.0)

    def _met(self, names: Array, moments: Array, *, n_new: int) -> Array:
        """Sum the kernel between the last cells and all that are not after them."""
        total = np.zeros(moments.shape[0])
        for distance, block in enumerate(self.blocks):
            one, other = _pairs(names, distance, n_new)
            met = ((moments[:, one] @ block) * moments[:, other]).sum((-1, -2))
            total += met if distance == 0 else 2 * met
        return total

    def potential(self) -> Array:
        """Return the kernel of every row summed over all rows, in row order."""
        every = slice(0, self.names.size)
        moments = self._moments(lambda rows: np.ones((1, rows.size)), every, 1)[0]
        field = np.zeros_like(moments)
        for distance, block in enumerate(self.blocks):
            one, other = _pairs(self.names, distance, self.names.size)
            field[one] += moments[other] @ block.T
            if distance:
                field[other] += moments[one] @ block
        felt = np.empty(self.order.size)
        cell = np.repeat(np.arange(self.names.size), np.diff(self.first))
        for part in slices(self.order.size, ROWS_AT_ONCE):
            rows = self.order[part]
            felt[rows] = (self._polynomials(rows) * field[cell[part]].T).sum(0)
        return felt

    def _moments(self, values: Values, cells: slice, n_resamples: int) -> Array:
        """Return the moments of some cells, (resamples, cells, terms)."""
        moments = np.zeros((n_resamples, cells.stop - cells.start, TERMS))
        first = self.first[cells.start : cells.stop + 1]
        for part in slices(int(first[-1] - first[0]), ROWS_AT_ONCE):
            start, stop = first[0] + part.start, first[0] + part.stop
            rows = self.order[start:stop]
            polynomials = self._polynomials(rows)
            touched = slice(
                int(np.searchsorted(first, start, side="right")) - 1,
                int(np.searchsorted(first, stop, side="left")),
            )
            cuts = np.maximum(first[touched] - start, 0)
            for resample, value in zip(moments, values(rows), strict=True):
                resample[touched] += np.add.reduceat(polynomials * value, cuts, axis=-1).T
        return moments

    def _polynomials(self, rows: Indices) -> Array:
        """Return the Chebyshev polynomials of where rows lie in their cells, (terms, rows)."""
        with np.errstate(over="ignore"):
            scaled = self.width[rows] / self.length
        if not np.isfinite(scaled[-1]):
            scaled[np.isinf(scaled)] = 0.5
        place = 2 * (scaled - np.floor(scaled)) - 1
        terms = np.empty((TERMS, rows.size))
        terms[0], terms[1] = 1.0, place
        place *= 2
        for k in range(2, TERMS):
            np.multiply(place, terms[k - 1], out=terms[k])
            terms[k] -= terms[k - 2]
        return terms


def slices(n: int, most: int) -> Iterator[slice]:
    """Cut n rows into parts of at most so many."""
    for first in range(0, n, most):
        yield slice(first, min(first + most, n))


def near_of(width: Array, size: float, order: Indices | None = None) -> Near:
    """Sort widths into cells, in a given order; infinite widths have a cell of their own."""
    length = 2.0 ** round(math.log2(size) / 2)
    stretch = length / math.sqrt(size)
    order = np.argsort(width, kind="stable") if order is None else order
    first, names = _cells(width, order, length)
    n_distances = math.ceil(TAIL / stretch) + 2
    blocks = np.stack([_block(distance, stretch) for distance in range(n_distances)])
    return Near(width, order, length, names, np.append(first, width.size), blocks)


def _cells(width: Array, order: Indices, length: float) -> tuple[Indices, Array]:
    """Return where in the sorted order each cell begins, and the number of the cell."""
    firsts, names, last = [], [], np.nan
    for part in slices(order.size, ROWS_AT_ONCE):
        with np.errstate(over="ignore"):  # as far as infinity
            cell = np.floor(width[order[part]] / length)
        new = np.flatnonzero(cell != np.append(last, cell[:-1]))
        firsts.append(part.start + new)
        names.append(cell[new])
        last = cell[-1]
    return np.concatenate(firsts), np.concatenate(names)


def _pairs(names: Array, distance: int, n_new: int) -> tuple[Indices, Indices]:
    """Find the cells at a distance from one of the last, and those."""
    other = np.arange(names.size - n_new, names.size)
    if distance == 0:
        return other, other
    # Above 2**53 the next cell has no number of its own: nothing is that near there.
    other = other[names[other] < 2.0**53]
    one = np.searchsorted(names, names[other] - distance)
    meets = names[one] == names[other] - distance
    return one[meets], other[meets]


def _block(distance: int, stretch: float) -> Array:
    """Interpolate the kernel between two cells in the nodes of both."""
    nodes = chebyshev.chebpts1(TERMS)
    apart = stretch * (distance + (nodes[None, :] - nodes[:, None]) / 2)
    to_coefficients = np.linalg.inv(chebyshev.chebvander(nodes, TERMS - 1))
    block: Array = to_coefficients @ np.exp(-(apart**2)) @ to_coefficients.T
    return block
