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
  within a cell, and only cells close to each other (module `near`).

Because :math:`\sum v = 0` a constant may be taken off every function. It is the function's value
at the median width, so that rows of nearly one width do not cancel: the sum of squares about the
mean is at least a quarter of that about the median, as half of all rows lie on either side of it.

The error of Q is at most :math:`10^{-15} (\sum_i |v_i|)^2` for the series, of which cutting it
contributes :math:`2 \cdot 10^{-18}`; for near cells it is
:math:`10^{-14} \sum_{ij} |v_i v_j| K_{ij}`. What remains is what adding n rounded numbers leaves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Array

__all__ = ["Features", "features_of"]

TAYLOR_REACH = 0.5
TAYLOR_TERMS = 16
SERIES_REACH = 12.0
TAIL = 6.5
"""A Gaussian is nothing this many standard lengths away: its value is 4.5e-19."""


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
