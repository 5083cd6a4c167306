"""The slow definitions: plain loops and exact fractions, one line of text at a time.

Everything here follows the written definitions and nothing in the package, so that a
fast metric and its oracle can only agree by both being right. An area is exact: compare
with ``float(area)`` and a tolerance that covers the fast side's rounding alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, SupportsFloat

import numpy as np

Reading = Literal["plateau", "step"]
Polyline = list[tuple[Fraction, Fraction]]

HULL_TOLERANCE = Fraction(1, 10**10)
RISK_SLACK = Fraction(1, 10**12)


@dataclass(frozen=True, slots=True)
class Row:
    """One item of one participant, standing `copies` times."""

    loss: Fraction
    confidence: float
    answered: bool = True
    copies: Fraction = Fraction(1)


Statistic = Callable[[list[Row]], Fraction | None]


@dataclass(frozen=True, slots=True)
class Point:
    """One working point: accept everything down to `threshold`."""

    k: Fraction
    coverage: Fraction
    selective_risk: Fraction
    generalized_risk: Fraction
    threshold: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval and how many replicates had no value."""

    low: float
    high: float
    undefined: int


def exact(number: SupportsFloat | Fraction) -> Fraction:
    """The number itself, not the decimal it prints as."""
    return number if type(number) is Fraction else Fraction(float(number))


def typed(number: float | str | Fraction) -> Fraction:
    """The decimal a person typed: 0.55 is 11/20, not the binary number next to it."""
    return Fraction(str(number))


def rows(
    loss: Iterable[SupportsFloat | Fraction],
    confidence: Iterable[float],
    answered: Iterable[bool] | None = None,
    copies: Iterable[SupportsFloat | Fraction] | None = None,
) -> list[Row]:
    """Columns to rows; the loss of an abstained row may be anything, also NaN."""
    losses = list(loss)
    flags = [True] * len(losses) if answered is None else [bool(flag) for flag in answered]
    counts = [Fraction(1)] * len(losses) if copies is None else [exact(count) for count in copies]
    columns = zip(losses, confidence, flags, counts, strict=True)
    return [
        Row(exact(one) if flag else Fraction(0), float(conf), flag, count)
        for one, conf, flag, count in columns
    ]


def expand(table: Sequence[Row]) -> list[Row]:
    """Every row as often as it stands, the copies next to each other."""
    out = []
    for row in table:
        if row.copies.denominator != 1:
            message = f"{row.copies} copies of a row cannot be laid out one by one"
            raise ValueError(message)
        out += [Row(row.loss, row.confidence, row.answered)] * int(row.copies)
    return out


def size(table: Sequence[Row]) -> Fraction:
    """N: all items, abstained ones too."""
    return sum((row.copies for row in table), Fraction(0))


def accepted(table: Sequence[Row]) -> list[Row]:
    """The rows that were answered and are there at all."""
    return [row for row in table if row.answered and row.copies > 0]


# The curve


def _point(taken: Sequence[Row], n: Fraction, threshold: float) -> Point:
    k = sum((row.copies for row in taken), Fraction(0))
    lost = sum((row.copies * row.loss for row in taken), Fraction(0))
    return Point(k, k / n, lost / k, lost / n, threshold)


def plateau_curve(table: Sequence[Row]) -> list[Point]:
    """One working point per distinct confidence, from the highest down."""
    n, answers = size(table), accepted(table)
    thresholds = sorted({row.confidence for row in answers}, reverse=True)
    return [
        _point([row for row in answers if row.confidence >= threshold], n, threshold)
        for threshold in thresholds
    ]


def step_curve(table: Sequence[Row]) -> list[Point]:
    """One point per item: confidence descending, then the order of the rows."""
    items = expand(table)
    n = size(items)
    order = sorted(accepted(items), key=lambda row: -row.confidence)
    return [_point(order[:k], n, order[k - 1].confidence) for k in range(1, len(order) + 1)]


def curve(table: Sequence[Row], *, reading: Reading = "plateau") -> list[Point]:
    """The working points under either reading."""
    return plateau_curve(table) if reading == "plateau" else step_curve(table)


def cmax(table: Sequence[Row]) -> Fraction:
    """The share of items that were answered; 0 for an empty table."""
    n = size(table)
    return size(accepted(table)) / n if n else Fraction(0)


# Areas under the plateau reading: trapezoids over the augmented polyline


def trapezoid(line: Polyline) -> Fraction:
    """The area under straight segments."""
    return sum(
        ((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(line)),
        Fraction(0),
    )


def cut(line: Polyline, end: Fraction) -> Polyline:
    """The polyline up to `end`, the last segment interpolated."""
    out = line[:1]
    for (x0, y0), (x1, y1) in pairwise(line):
        if x0 >= end:
            break
        if x1 <= end:
            out.append((x1, y1))
        else:
            out.append((end, y0 + (y1 - y0) * (end - x0) / (x1 - x0)))
    return out


def _selective_line(points: Polyline) -> Polyline:
    return [(Fraction(0), points[0][1]), *points] if points else []


def _generalized_line(points: Polyline) -> Polyline:
    return [(Fraction(0), Fraction(0)), *points] if points else []


def _selective(points: Sequence[Point]) -> Polyline:
    return [(point.coverage, point.selective_risk) for point in points]


def _generalized(points: Sequence[Point]) -> Polyline:
    return [(point.coverage, point.generalized_risk) for point in points]


# Areas under the step reading: each item is a rectangle of width 1/N


def _step_area(risks: Sequence[Fraction], n: Fraction, items: Fraction) -> Fraction:
    full = math.floor(items)
    area = sum(risks[:full], Fraction(0))
    if full < len(risks):
        area += (items - full) * risks[full]
    return area / n


def _area(table: Sequence[Row], end: Fraction, *, reading: Reading, generalized: bool) -> Fraction:
    points = curve(table, reading=reading)
    if not points:
        return Fraction(0)
    end = min(end, cmax(table))
    if reading == "step":
        risks = [p.generalized_risk if generalized else p.selective_risk for p in points]
        return _step_area(risks, size(table), end * size(table))
    if generalized:
        return trapezoid(cut(_generalized_line(_generalized(points)), end))
    return trapezoid(cut(_selective_line(_selective(points)), end))


def aurc(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction:
    """Area under selective risk over [0, Cmax]; 0 when nothing was answered."""
    return _area(table, Fraction(1), reading=reading, generalized=False)


def augrc(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction:
    """Area under generalized risk over [0, Cmax]; 0 when nothing was answered."""
    return _area(table, Fraction(1), reading=reading, generalized=True)


def aurc_at(
    table: Sequence[Row], coverage: float | str | Fraction, *, reading: Reading = "plateau"
) -> Fraction:
    """AURC up to min(coverage, Cmax)."""
    return _area(table, typed(coverage), reading=reading, generalized=False)


def augrc_at(
    table: Sequence[Row], coverage: float | str | Fraction, *, reading: Reading = "plateau"
) -> Fraction:
    """AUGRC up to min(coverage, Cmax)."""
    return _area(table, typed(coverage), reading=reading, generalized=True)


def mean_risk_at(
    table: Sequence[Row], coverage: float | str | Fraction, *, reading: Reading = "plateau"
) -> Fraction | None:
    """AURC up to min(coverage, Cmax), divided by it; undefined when nothing was answered."""
    ends = used_coverage(table, coverage)
    return aurc_at(table, coverage, reading=reading) / ends if ends else None


def used_coverage(table: Sequence[Row], coverage: float | str | Fraction) -> Fraction:
    """Where a truncated area really ends."""
    return min(typed(coverage), cmax(table))


def naurc(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction | None:
    """AURC / Cmax; undefined when nothing was answered."""
    reached = cmax(table)
    return aurc(table, reading=reading) / reached if reached else None


def naugrc(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction | None:
    """AUGRC / Cmax; undefined when nothing was answered."""
    reached = cmax(table)
    return augrc(table, reading=reading) / reached if reached else None


def augrc_normalized(
    table: Sequence[Row], loss_range: SupportsFloat | Fraction, *, reading: Reading = "plateau"
) -> Fraction:
    """AUGRC of the loss divided by its largest possible value."""
    return augrc(table, reading=reading) / exact(loss_range)


# Matched coverage and matched risk


def point_at_coverage(
    table: Sequence[Row], coverage: float | str | Fraction, *, reading: Reading = "plateau"
) -> Point | None:
    """The first working point reaching the coverage; the item ceil(c N) under the step reading."""
    wanted, points = typed(coverage), curve(table, reading=reading)
    if reading == "step":
        k = math.ceil(wanted * size(table))
        return points[k - 1] if 0 < k <= len(points) else None
    for point in points:
        if point.coverage >= wanted:
            return point
    return None


def risk_at_coverage(
    table: Sequence[Row], coverage: float | str | Fraction, *, reading: Reading = "plateau"
) -> Fraction | None:
    """MAE@coverage; undefined beyond Cmax."""
    point = point_at_coverage(table, coverage, reading=reading)
    return None if point is None else point.selective_risk


def achieved_coverage(
    table: Sequence[Row], coverage: float | str | Fraction, *, reading: Reading = "plateau"
) -> Fraction | None:
    """The coverage that MAE@coverage was read at."""
    point = point_at_coverage(table, coverage, reading=reading)
    return None if point is None else point.coverage


def at_threshold(table: Sequence[Row], threshold: float) -> list[Row]:
    """Return the answered rows from a confidence upwards."""
    return [row for row in accepted(table) if row.confidence >= threshold]


def coverage_at_threshold(table: Sequence[Row], threshold: float) -> Fraction:
    """Return their share of all rows, 0 without rows."""
    return size(at_threshold(table, threshold)) / size(table) if size(table) else Fraction(0)


def risk_at_threshold(table: Sequence[Row], threshold: float) -> Fraction | None:
    """Return their mean loss, nothing where there are none."""
    rows = at_threshold(table, threshold)
    return sum(row.loss * row.copies for row in rows) / size(rows) if size(rows) else None


def generalized_risk_at_threshold(table: Sequence[Row], threshold: float) -> Fraction:
    """Return their loss over all rows, 0 without rows."""
    lost = sum((row.loss * row.copies for row in at_threshold(table, threshold)), Fraction(0))
    return lost / size(table) if size(table) else Fraction(0)


def coverage_at_risk(
    table: Sequence[Row],
    target: float | str | Fraction,
    *,
    reading: Reading = "plateau",
    slack: Fraction = RISK_SLACK,
) -> Fraction | None:
    """The largest coverage whose selective risk is at most the target.

    A risk that equals the target in decimals must count although neither is a binary
    fraction; hence the slack, far below any real difference between two risks.
    """
    limit = typed(target) + slack
    good = [p.coverage for p in curve(table, reading=reading) if p.selective_risk <= limit]
    return max(good) if good else None


# Optimum, excess, achievable


def optimal_table(table: Sequence[Row]) -> list[Row]:
    """The same items ranked by their loss, every answered one at its own confidence."""
    items = expand(table)
    ranked = sorted(accepted(items), key=lambda row: row.loss)
    abstained = [row for row in items if not row.answered]
    return [Row(row.loss, float(-rank)) for rank, row in enumerate(ranked)] + abstained


def aurc_optimal(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction:
    """AURC of the perfect ranking."""
    return aurc(optimal_table(table), reading=reading)


def augrc_optimal(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction:
    """AUGRC of the perfect ranking."""
    return augrc(optimal_table(table), reading=reading)


def eaurc(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction:
    """AURC minus its optimum, never clamped."""
    return aurc(table, reading=reading) - aurc_optimal(table, reading=reading)


def eaugrc(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction:
    """AUGRC minus its optimum, never clamped."""
    return augrc(table, reading=reading) - augrc_optimal(table, reading=reading)


def _percent(part: Fraction, whole: Fraction) -> Fraction | None:
    return part / whole * 100 if whole else None


def aurc_gap_percent(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction | None:
    """Excess in percent of the optimum; undefined for a zero optimum."""
    return _percent(eaurc(table, reading=reading), aurc_optimal(table, reading=reading))


def augrc_gap_percent(table: Sequence[Row], *, reading: Reading = "plateau") -> Fraction | None:
    """Excess in percent of the optimum; undefined for a zero optimum."""
    return _percent(eaugrc(table, reading=reading), augrc_optimal(table, reading=reading))


def lower_hull(points: Polyline) -> Polyline:
    """The points below which no chord runs; collinear ones go."""
    hull: Polyline = []
    for x, y in points:
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2:]
            if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > HULL_TOLERANCE:
                break
            hull.pop()
        hull.append((x, y))
    return hull


def aurc_achievable(table: Sequence[Row]) -> Fraction:
    """AURC of the lower hull of the plateau working points, augmented afterwards."""
    return trapezoid(_selective_line(lower_hull(_selective(plateau_curve(table)))))


def achievable_gain_percent(table: Sequence[Row]) -> Fraction | None:
    """What the hull saves, in percent of AURC; undefined when AURC is 0."""
    return _percent(aurc(table) - aurc_achievable(table), aurc(table))


# Ranking of errors, failures


def auroc_errors(table: Sequence[Row]) -> Fraction | None:
    """P(a right answer is the more confident of a right and a wrong one), ties half."""
    right = [row for row in accepted(table) if row.loss == 0]
    wrong = [row for row in accepted(table) if row.loss > 0]
    pairs = size(right) * size(wrong)
    won = Fraction(0)
    for one in right:
        for other in wrong:
            won += one.copies * other.copies * _victory(one.confidence, other.confidence)
    return won / pairs if pairs else None


def _victory(one: float, other: float) -> Fraction:
    if one == other:
        return Fraction(1, 2)
    return Fraction(int(one > other))


def failure_rate(
    failed: Sequence[bool], copies: Sequence[SupportsFloat | Fraction] | None = None
) -> Fraction | None:
    """The share of participants that failed; undefined without participants."""
    counts = [Fraction(1)] * len(failed) if copies is None else [exact(c) for c in copies]
    lost = [count for count, flag in zip(counts, failed, strict=True) if flag]
    return sum(lost, Fraction(0)) / sum(counts) if sum(counts) else None


# Cluster bootstrap


def draws(participants: int, *, n_resamples: int, seed: int) -> list[list[int]]:
    """Per replicate one call for P integers below P, from the legacy generator."""
    stream = np.random.RandomState(seed)
    return [
        [int(index) for index in stream.randint(0, participants, size=participants)]
        for _ in range(n_resamples)
    ]


def resample(groups: Mapping[int, Sequence[Row]], drawn: Sequence[int]) -> list[Row]:
    """All rows of every drawn participant, as often as drawn, in participant and item order."""
    names = sorted(groups)
    out = []
    for index in drawn:
        for item, row in enumerate(groups[names[index]]):
            out.append((index, item, row))
    out.sort(key=lambda entry: entry[:2])
    return [row for _, _, row in out]


def bootstrap(
    groups: Mapping[int, Sequence[Row]], statistic: Statistic, *, n_resamples: int, seed: int
) -> list[Fraction | None]:
    """The statistic of every replicate, None where it is undefined."""
    return [
        statistic(resample(groups, drawn))
        for drawn in draws(len(groups), n_resamples=n_resamples, seed=seed)
    ]


def paired_bootstrap(
    left: Mapping[int, Sequence[Row]],
    right: Mapping[int, Sequence[Row]],
    statistic: Statistic,
    *,
    n_resamples: int,
    seed: int,
) -> list[Fraction | None]:
    """Right minus left per replicate, both sides on the same draws."""
    if sorted(left) != sorted(right):
        message = "both sides need the same participants"
        raise ValueError(message)
    pairs = zip(
        bootstrap(left, statistic, n_resamples=n_resamples, seed=seed),
        bootstrap(right, statistic, n_resamples=n_resamples, seed=seed),
        strict=True,
    )
    return [None if a is None or b is None else b - a for a, b in pairs]


def percentile_interval(
    replicates: Sequence[Fraction | None], *, level: float = 0.95
) -> Interval | None:
    """Linear percentiles of the defined replicates; undefined with fewer than two of them."""
    values = [float(value) for value in replicates if value is not None]
    if len(values) < 2:
        return None
    tail = (1 - typed(level)) / 2 * 100
    low, high = np.percentile(values, [float(tail), float(100 - tail)], method="linear")
    return Interval(float(low), float(high), len(replicates) - len(values))
