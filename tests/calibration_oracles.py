"""The slow definitions of calibration: plain loops and exact fractions.

Written from the definitions and not from the package. A row is (outcome, probability, copies), the
probability the double itself and not the decimal it prints as.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

Row = tuple[Fraction, Fraction, Fraction]
Bin = list[Row]


def rows(correct: Iterable[Any], probability: Iterable[Any], weight: Any = None) -> list[Row]:
    """Rows that count at all."""
    outcomes, scores = list(correct), list(probability)
    copies = [1] * len(outcomes) if weight is None else list(weight)
    made = [
        (Fraction(float(y)), Fraction(float(p)), Fraction(float(w)))
        for y, p, w in zip(outcomes, scores, copies, strict=True)
    ]
    return [row for row in made if row[2] > 0]


def size(group: Sequence[Row]) -> Fraction:
    return sum((w for _, _, w in group), Fraction(0))


def accuracy(group: Sequence[Row]) -> Fraction:
    return sum((w * y for y, _, w in group), Fraction(0)) / size(group)


def stated(group: Sequence[Row]) -> Fraction:
    return sum((w * p for _, p, w in group), Fraction(0)) / size(group)


# Bins


def cut(table: list[Row], n_bins: int, strategy: str, closed: str) -> list[Bin]:
    """Non-empty bins."""
    if strategy == "scores":
        place: Callable[[Row], Any] = lambda row: row[1]  # noqa: E731
    elif strategy == "quantile":
        place = _by_rank(table, n_bins, closed)
    else:
        exact = [Fraction(float(Fraction(j, n_bins))) for j in range(n_bins + 1)]
        rounded = [Fraction(float(each)) for each in np.linspace(0, 1, n_bins + 1)]
        edges = exact if strategy == "uniform-exact" else rounded
        place = lambda row: _between(row[1], edges, closed)  # noqa: E731
    groups: dict[Any, Bin] = {}
    for row in table:
        groups.setdefault(place(row), []).append(row)
    return list(groups.values())


def _between(score: Fraction, edges: list[Fraction], closed: str) -> int:
    last = len(edges) - 2
    for number in range(len(edges) - 1):
        low, high = edges[number], edges[number + 1]
        if closed == "left" and low <= score and (score < high or number == last):
            return number
        if closed == "right" and (low < score or number == 0) and score <= high:
            return number
    raise AssertionError(score)


def _by_rank(table: list[Row], n_bins: int, closed: str) -> Callable[[Row], int]:
    total = size(table)

    def place(row: Row) -> int:
        below = size([each for each in table if each[1] < row[1]])
        if closed == "left":
            return math.floor(n_bins * below / total)
        upto = size([each for each in table if each[1] <= row[1]])
        return math.ceil(n_bins * upto / total) - 1

    return place


def ece(table: list[Row], bins: list[Bin]) -> Fraction:
    gaps = (size(each) * abs(accuracy(each) - stated(each)) for each in bins)
    return sum(gaps, Fraction(0)) / size(table)


def max_error(bins: list[Bin]) -> Fraction:
    return max(abs(accuracy(each) - stated(each)) for each in bins)


def reliability(table: list[Row], bins: list[Bin]) -> Fraction:
    squares = (size(each) * (accuracy(each) - stated(each)) ** 2 for each in bins)
    return sum(squares, Fraction(0)) / size(table)


def resolution(table: list[Row], bins: list[Bin]) -> Fraction:
    mean = accuracy(table)
    squares = (size(each) * (accuracy(each) - mean) ** 2 for each in bins)
    return sum(squares, Fraction(0)) / size(table)


def uncertainty(table: list[Row]) -> Fraction:
    return accuracy(table) * (1 - accuracy(table))


def within_bins(table: list[Row], bins: list[Bin]) -> Fraction:
    """Variance of the scores in their bins less twice their covariance with the outcome."""
    left = Fraction(0)
    for each in bins:
        mean_y, mean_p = accuracy(each), stated(each)
        left += sum((w * (p - mean_p) ** 2 for _, p, w in each), Fraction(0))
        left -= 2 * sum((w * (p - mean_p) * (y - mean_y) for y, p, w in each), Fraction(0))
    return left / size(table)


def noise(group: Bin) -> Fraction:
    if size(group) <= 1:
        return Fraction(0)
    return accuracy(group) * (1 - accuracy(group)) / (size(group) - 1)


def debiased_square(table: list[Row], bins: list[Bin]) -> Fraction:
    parts = (size(each) * ((accuracy(each) - stated(each)) ** 2 - noise(each)) for each in bins)
    return max(Fraction(0), sum(parts, Fraction(0)) / size(table))


def debiased_ece(table: list[Row], bins: list[Bin]) -> float:
    """The mean of |d + s Z| by quadrature over z."""
    z = np.linspace(-9, 9, 36_001)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    total = 0.0
    for each in bins:
        gap, spread = float(abs(accuracy(each) - stated(each))), math.sqrt(noise(each))
        folded = float(np.trapezoid(np.abs(gap + spread * z) * density, z))
        total += float(size(each)) * (2 * gap - folded)
    return max(0.0, total / float(size(table)))


# Scores


def brier(table: list[Row]) -> Fraction:
    return sum((w * (y - p) ** 2 for y, p, w in table), Fraction(0)) / size(table)


def nll(table: list[Row], clip: float) -> float:
    total = 0.0
    for y, p, w in table:
        stated = float(p if y else 1 - p)
        total -= float(w) * math.log(min(max(stated, clip), 1 - clip))
    return total / float(size(table))


# Cumulative differences


def walk(table: list[Row]) -> list[Fraction]:
    """In rows, equal scores as one step, the start at 0 first."""
    points, here = [Fraction(0)], Fraction(0)
    for score in sorted({p for _, p, _ in table}):
        here += sum((w * (y - p) for y, p, w in table if p == score), Fraction(0))
        points.append(here)
    return points


def walk_by_row(table: list[Row]) -> list[Fraction]:
    """In rows, copy by copy in the order given where scores are equal."""
    points, here = [Fraction(0)], Fraction(0)
    for y, p, w in sorted(table, key=lambda row: row[1]):
        for _ in range(int(w)):
            here += y - p
            points.append(here)
    return points


def variance(table: list[Row]) -> Fraction:
    return sum((w * p * (1 - p) for _, p, w in table), Fraction(0))


def ks(points: list[Fraction], spread: Fraction) -> float:
    return float(max(map(abs, points))) / math.sqrt(spread)


def kuiper(points: list[Fraction], spread: Fraction, start: str) -> float:
    moved = points[1:]
    walked = {
        "zero": max(points) - min(points),
        "mapie": max(moved) - min(moved),
        "printed": max(map(abs, moved)) - min(map(abs, moved)),
    }[start]
    return float(walked) / math.sqrt(spread)


def spiegelhalter(table: list[Row]) -> float | None:
    top = sum((w * (y - p) * (1 - 2 * p) for y, p, w in table), Fraction(0))
    square = sum((w * (1 - 2 * p) ** 2 * p * (1 - p) for _, p, w in table), Fraction(0))
    return float(top) / math.sqrt(square) if square else None


def ks_law(x: float, n_terms: int = 200) -> float:
    terms = (
        (-1) ** k / (k + 0.5) * math.exp(-((k + 0.5) ** 2) * math.pi**2 / (2 * x**2))
        for k in range(n_terms)
    )
    return 2 / math.pi * math.fsum(terms)


def kuiper_law(x: float, n_terms: int = 200) -> float:
    terms = (
        (8 / x**2 + 2 / ((k + 0.5) ** 2 * math.pi**2))
        * math.exp(-2 * (k + 0.5) ** 2 * math.pi**2 / x**2)
        for k in range(n_terms)
    )
    return math.fsum(terms)


# Smooth error


def smooth_error_at(table: list[Row], sigma: float, n_points: int = 20_001) -> float:
    """Mirror images of a Gaussian, summed; the integral by the trapezoid rule."""
    t = np.linspace(0, 1, n_points)
    smoothed = np.zeros(n_points)
    for y, p, w in table:
        for image in range(-4, 5):
            for centre in (2 * image + float(p), 2 * image - float(p)):
                kernel = np.exp(-((t - centre) ** 2) / (2 * sigma**2))
                smoothed += float(w * (y - p)) * kernel / (math.sqrt(2 * math.pi) * sigma)
    return float(np.trapezoid(np.abs(smoothed), t)) / float(size(table))


def smooth_ece(table: list[Row]) -> float:
    low, high = 1e-3, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if smooth_error_at(table, middle) > middle:
            low = middle
        else:
            high = middle
    return low


# Several classes


def top_label_ece(
    label: Sequence[float],
    probabilities: Sequence[Sequence[float]],
    weight: Sequence[float],
    bins: Callable[[list[Row]], list[Bin]],
    labels: str,
) -> Fraction | None:
    by_label: dict[int, list[tuple[float, float, float]]] = {}
    for y, stated_, w in zip(label, probabilities, weight, strict=True):
        top = max(range(len(stated_)), key=lambda k: (stated_[k], -k))
        if w > 0:
            by_label.setdefault(top, []).append((float(y == top), max(stated_), w))
    if not by_label:
        return None
    errors = []
    for given in by_label.values():
        table = rows(*zip(*given, strict=True))
        errors.append(ece(table, bins(table)))
    n_labels = len(by_label) if labels == "predicted" else len(probabilities[0])
    return sum(errors, Fraction(0)) / n_labels
