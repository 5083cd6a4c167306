"""The slow definitions of interval and set metrics: loops and fractions, from the formulas.

Rows are plain tuples (truth, low, up) or (label, set of classes). Nothing here imports the metrics.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from itertools import permutations

Row = tuple[float, float, float]
SetRow = tuple[int, set[int]]


def is_covered(row: Row) -> bool:
    truth, low, up = row
    return low <= truth <= up


def mean(values: list[float]) -> float:
    return float(sum(map(Fraction, values)) / len(values)) if values else math.nan


def coverage(rows: list[Row]) -> float:
    return mean([is_covered(row) for row in rows])


def width(rows: list[Row]) -> float:
    return mean([up - low for _, low, up in rows])


def quantile(rows: list[Row], share: Fraction) -> float:
    widths = sorted(up - low for _, low, up in rows)
    return next(each for rank, each in enumerate(widths, 1) if rank >= share * len(widths))


def winkler_parts(rows: list[Row], level: float) -> tuple[float, float, float]:
    price = 2 / (1 - level)
    under = [price * max(low - truth, 0.0) for truth, low, _ in rows]
    over = [price * max(truth - up, 0.0) for truth, _, up in rows]
    return width(rows), mean(under), mean(over)


def winkler_printed(rows: list[Row], level: float) -> float:
    wide, under, over = winkler_parts(rows, level)
    return wide + len(rows) * (under + over)


def cwc(rows: list[Row], level: float, eta: float, *, raw: bool = False) -> float:
    truths = [truth for truth, _, _ in rows]
    scale = 1.0 if raw else max(truths) - min(truths)
    gap = coverage(rows) - level
    return (1 - width(rows) / scale) * math.exp(-eta * gap * gap)


def parts(rows: list, n_groups: int) -> list[list]:
    """Cut a list into parts that differ by at most one; the first ones are the longer ones."""
    each, longer = divmod(len(rows), n_groups)
    cut, start = [], 0
    for group in range(n_groups):
        stop = start + each + (group < longer)
        cut.append(rows[start:stop])
        start = stop
    return cut


def size_strata(rows: list[Row], n_groups: int) -> list[tuple[int, int]]:
    """Return (rows, covered rows) of each group of rising width, cut only where widths differ."""
    by_width = sorted(rows, key=lambda row: row[2] - row[1])
    between = [0, *(i for i in range(1, len(rows)) if differ(*by_width[i - 1 : i + 1])), len(rows)]
    cuts, before = [0], 0
    for part in parts(by_width, n_groups):
        before += len(part)
        cuts.append(min(between, key=lambda cut: (abs(cut - before), -cut)))
    groups = [by_width[start:stop] for start, stop in itertools.pairwise(cuts)]
    return [(len(group), sum(map(is_covered, group))) for group in groups]


def differ(narrow: Row, wide: Row) -> bool:
    """Say whether two widths differ by more than 1e-13 of their bounds, of two sizes the mean."""
    gap = (wide[2] - wide[1]) - (narrow[2] - narrow[1])
    return gap > 1e-13 * sum(max(abs(low), abs(up)) for _, low, up in (narrow, wide)) / 2


def kernel_sum(rows: list[Row], size: float) -> float:
    """Sum v_i v_j K_ij with v the centred coverage, times n squared, each entry rounded once.

    The deviations are whole numbers after multiplication with n, and they sum to 0, so that the
    kernel may be replaced by the kernel minus 1, which has no large part that cancels.
    """
    n, hits = len(rows), sum(map(is_covered, rows))
    deviation = [n * is_covered(row) - hits for row in rows]
    widths = [up - low for _, low, up in rows]
    return math.fsum(
        deviation[i] * deviation[j] * math.expm1(-((widths[i] - widths[j]) ** 2) / size)
        for i in range(n)
        for j in range(n)
    )


def hsic_trace(rows: list[Row], size: float, coverage_size: float) -> float:
    """Return trace(HKHL): the centred kernel of a 0/1 column has rank one."""
    return -2 * math.expm1(-1 / coverage_size) * kernel_sum(rows, size) / len(rows) ** 2


def hsic_trace_of_matrices(rows: list[Row], size: float, coverage_size: float) -> float:
    """Return trace(HKHL) as it is printed, by four matrices."""
    n = len(rows)
    widths = [up - low for _, low, up in rows]
    hit = [float(is_covered(row)) for row in rows]
    k = [[math.exp(-((a - b) ** 2) / size) for b in widths] for a in widths]
    ell = [[math.exp(-((a - b) ** 2) / coverage_size) for b in hit] for a in hit]
    h = [[(i == j) - 1 / n for j in range(n)] for i in range(n)]
    product = _times(_times(_times(h, k), h), ell)
    return math.fsum(product[i][i] for i in range(n))


def _times(a: list[list[float]], b: list[list[float]]) -> list[list[float]]:
    columns = list(zip(*b, strict=True))
    return [
        [math.fsum(x * y for x, y in zip(row, col, strict=True)) for col in columns] for row in a
    ]


def permuted_kernel_sums(rows: list[Row], size: float) -> list[float]:
    """Return T for every permutation of the coverage against the widths."""
    hits = [is_covered(row) for row in rows]
    widths = [up - low for _, low, up in rows]
    found = []
    for order in permutations(range(len(rows))):
        shuffled = [(0.0, 0.0 if hits[k] else 1e-9, w) for k, w in zip(order, widths, strict=True)]
        total = 0.0
        share = sum(hits) / len(hits)
        for _, missed_i, a in shuffled:
            for _, missed_j, b in shuffled:
                value = ((missed_i == 0) - share) * ((missed_j == 0) - share)
                total += value * math.exp(-((a - b) ** 2) / size)
        found.append(total)
    return found


def binomial_tails(k: int, n: int, level: Fraction) -> tuple[Fraction, Fraction]:
    """Return P(K <= k) and P(K >= k), exactly."""

    def mass(j: int) -> Fraction:
        return math.comb(n, j) * level**j * (1 - level) ** (n - j)

    return sum(map(mass, range(k + 1)), Fraction(0)), sum(map(mass, range(k, n + 1)), Fraction(0))


def set_coverage(rows: list[SetRow]) -> float:
    return mean([label in held for label, held in rows])


def set_size(rows: list[SetRow]) -> float:
    return mean([len(held) for _, held in rows])


def by(rows: list[SetRow], key) -> dict[int, tuple[int, int]]:
    """Return (rows, covered rows) by a key of the row."""
    groups: dict[int, tuple[int, int]] = {}
    for label, held in rows:
        n, hits = groups.get(key(label, held), (0, 0))
        groups[key(label, held)] = n + 1, hits + (label in held)
    return groups


def least(groups: dict[int, tuple[int, int]]) -> float:
    return min(hits / n for n, hits in groups.values())
