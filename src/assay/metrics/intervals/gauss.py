r"""Quadratic forms of a Gaussian kernel, :math:`Q = \sum_{ij} v_i v_j e^{-(w_i - w_j)^2 / s}`.

Never with n x n entries. The kernel is a short sum of products of functions of one row each,
:math:`\sum_f g_f\, \varphi_f(w_i)\, \varphi_f(w_j)`, so that Q is a weighted sum of squares of
:math:`\sum_i v_i \varphi_f(w_i)`, never negative. Which functions depends on the reach of the
widths, their range over :math:`\sqrt s`:

- up to 1/2: Taylor terms. In :math:`x = (w - m)/\sqrt s` with the median width m the kernel is
  :math:`\sum_k \frac{2^k}{k!} (e^{-x_i^2} x_i^k)(e^{-x_j^2} x_j^k)`.
- up to 12: a Fourier series of period reach + 6.5, cut where its coefficients fall below
  :math:`e^{-6.5^2}`; at most 79 functions.
- beyond (heavy tails): rows in cells about one :math:`\sqrt s` long, Chebyshev polynomials
  within a cell, and only cells close to each other (`near_of`).

Because :math:`\sum v = 0` a constant may be taken off every function. It is the function's value
at the median width, so that rows of nearly one width do not cancel: the sum of squares about the
mean is at least a quarter of that about the median, as half of all rows lie on either side of it.

The error of Q is at most :math:`10^{-15} (\sum_i |v_i|)^2` for the series, of which cutting it
contributes :math:`2 \cdot 10^{-18}`; for near cells it is
:math:`10^{-14} \sum_{ij} |v_i v_j| K_{ij}`. What remains is what adding n rounded numbers leaves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import chebyshev

if TYPE_CHECKING:
    from assay.columns import Array, Indices

TAYLOR_REACH = 0.5
TAYLOR_TERMS = 16
SERIES_REACH = 12.0
TAIL = 6.5
"""A Gaussian is nothing this many standard lengths away: its value is 4.5e-19."""
TERMS = 20
ROWS_AT_ONCE = 1 << 13
CELLS_AT_ONCE = 1 << 11


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Functions of a width whose products sum to the kernel, up to a constant in each."""

    coefficient: Array
    """(functions,), how much each product counts"""
    of: Callable[[Array], Array]
    """widths -> (functions, widths)"""
    constant: Array
    """(functions,), what was taken off each"""

    def quadratic(self, projected: Array) -> Array:
        """Return Q of each resample from the sums of all functions, (resamples, functions)."""
        squares: Array = np.matmul(projected[:, None] ** 2, self.coefficient)[:, 0]
        return squares


def features_of(width: Array, size: float) -> Features | None:
    """Choose functions for these widths and kernel size; None where they would be too many.

    Infinite widths are equal to each other and infinitely far from all others.
    """
    finite = np.isfinite(width)
    bounded = bool(finite.all())
    inner = width if bounded else width[finite]
    least, most = (inner.min(), inner.max()) if inner.size else (0.0, 0.0)
    length = math.sqrt(size)
    with np.errstate(over="ignore"):
        reach = (most - least) / length
    if reach > SERIES_REACH:
        return None
    median = _median(width)
    made = _taylor() if reach <= TAYLOR_REACH else _series(float(reach))
    if bounded:
        return Features(made.coefficient, lambda w: made.of((w - median) / length), made.constant)
    return _with_infinite(made, least if np.isinf(median) else median, length, median)


def _median(width: Array) -> float:
    """Return the lower median."""
    middle = (width.size - 1) // 2
    return float(np.partition(width, middle)[middle]) if width.size else 0.0


def _with_infinite(made: Features, origin: float, length: float, median: float) -> Features:
    """Add a function that is 1 where a width is infinite; there all others are 0."""
    centre = np.isfinite(median)

    def of(widths: Array) -> Array:
        inside = np.isfinite(widths)
        x = np.where(inside, widths - origin, 0.0) / length
        taken = np.multiply.outer(made.constant, inside * 1.0 - centre)
        return np.vstack([made.of(x) + taken, centre * 1.0 - inside])

    constant = np.append(made.constant * centre, 1.0 - centre)
    return Features(np.append(made.coefficient, 1.0), of, constant)


def _taylor() -> Features:
    def of(x: Array) -> Array:
        terms = np.empty((TAYLOR_TERMS, x.size))
        terms[0] = np.exp(-x * x)
        for k in range(1, TAYLOR_TERMS):
            np.multiply(terms[k - 1], x, out=terms[k])
        terms[0] = np.expm1(-x * x)
        return terms

    coefficient = np.array([2.0**k / math.factorial(k) for k in range(TAYLOR_TERMS)])
    return Features(coefficient, of, np.eye(1, TAYLOR_TERMS)[0])


def _series(reach: float) -> Features:
    period = reach + TAIL
    n_waves = math.ceil(period * TAIL / math.pi)
    wave = np.arange(n_waves + 1)
    weight = 2 * math.sqrt(math.pi) / period * np.exp(-((math.pi * wave / period) ** 2))
    weight[0] /= 2

    def of(x: Array) -> Array:
        waves = np.empty((n_waves + 1, x.size), dtype=np.complex128)
        waves[0] = 1.0
        angle = 2 * math.pi / period * x
        np.cos(angle, out=waves[1].real)
        np.sin(angle, out=waves[1].imag)
        for known in _doublings(n_waves):
            more = min(known, n_waves - known)
            np.multiply(waves[1 : more + 1], waves[known], out=waves[known + 1 :][:more])
        values = np.concatenate([waves.real, waves.imag[1:]])
        values[: n_waves + 1] -= 1
        return values

    constant = np.append(np.ones(n_waves + 1), np.zeros(n_waves))
    return Features(np.concatenate([weight, weight[1:]]), of, constant)


def _doublings(n: int) -> list[int]:
    """Return 1, 2, 4, ... below n: how many powers are known before each product."""
    return [1 << step for step in range(max(0, (n - 1).bit_length()))]


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
