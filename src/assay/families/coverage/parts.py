"""Coverage claimed against coverage found: of all rows, among some of them, and row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from assay.artifact import Answer, Case, Interval, Number, Numbers, Points, Record, Variant
from assay.columns import Resamples
from assay.families.case_sheet import Answers, CaseSheet, finite, right_or_wrong
from assay.families.family import Evaluated, Named
from assay.inference import (
    PLAIN,
    Draw,
    Estimate,
    Plan,
    Replicate,
    Statistic,
    bootstrap,
    expanded_p_value,
    interval_of,
    p_value,
)
from assay.shares import exact_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices
    from assay.families.coverage.inputs import Claim, Claims, Sample
    from assay.metrics.intervals.totals import Groups
    from assay.sources.row_tables import Partition

    Mask: TypeAlias = NDArray[np.bool_]

NO_ROWS = "no row belongs to it"


class CoverageTest(Record, frozen=True, kw_only=True):
    """How often the truth is covered, against how often it should be."""

    nominal: float
    n: int
    n_covered: int
    coverage: float
    gap: float
    """coverage minus nominal: below 0 too few are covered"""
    interval: Interval
    """of the coverage"""
    gap_interval: Interval
    method: Literal["clopper-pearson", "cluster bootstrap"]
    interval_reason: str | None
    p_value: Number
    test: Literal["exact binomial", "cluster bootstrap"]
    """two-sided, of the coverage being nominal"""


class CoverageCurve(Points, frozen=True, kw_only=True):
    """Empirical against nominal coverage, one point per level in rising order."""

    nominal: list[float]
    empirical: list[float]
    empirical_low: Numbers
    empirical_high: Numbers


class CurveParts(Record, frozen=True, kw_only=True):
    """What a system has over all its levels."""

    curve: CoverageCurve


def sample_of(evaluated: Evaluated) -> Sample:
    """Return the rows that were evaluated."""
    context: Claims = evaluated.prepared.context
    return context.sample


def claim_at(evaluated: Evaluated, place: int) -> Claim:
    """Return the claim behind a subject."""
    context: Claims = evaluated.prepared.context
    every = [claim for _, levels in context.systems for claim in levels]
    return every[place]


def kept(test: CoverageTest) -> int | None:
    """Say on which side of the promise coverage lies; None where that cannot be told."""
    low, high = test.gap_interval or (1.0, 0.0)
    if not low <= test.gap <= high or (high >= 0 and low < (test.nominal - 1) * (1 + 1e-9)):
        return None  # of few rows: twice the misses that are promised would fit as well
    return 1 if low > 0 else -1 if high < 0 else 0


def coverage_test(evaluated: Evaluated, place: int) -> CoverageTest:
    """Set the coverage against the level: exactly for independent rows, else over clusters."""
    context: Claims = evaluated.prepared.context
    covered = claim_at(evaluated, place).covered
    nominal = evaluated.subjects[place].about["level"]
    sample = context.sample
    k, n, exact = sample.rows_of(covered), sample.n_rows, sample.independent
    coverage = evaluated.replicates[place, context.rules.coverage]
    plan, unit = evaluated.plan, evaluated.prepared.unit
    gap = Replicate(
        k / n - nominal, coverage.distribution - nominal, n_clusters=coverage.n_clusters
    )
    found = interval_of(coverage, plan, unit, bounds=(0.0, 1.0))
    interval: Interval = None if found.reason is not None else (found.low, found.high)
    p = p_value(gap) if plan.method in PLAIN else expanded_p_value(gap)
    if exact:
        interval = exact_interval(k, n, evaluated.plan.level)
        p = evaluated.replicates[place, context.rules.test].point
    return CoverageTest(
        nominal=nominal,
        n=n,
        n_covered=k,
        coverage=k / n,
        gap=k / n - nominal,
        interval=interval,
        gap_interval=None if interval is None else (interval[0] - nominal, interval[1] - nominal),
        method="clopper-pearson" if exact else "cluster bootstrap",
        interval_reason=None if exact else found.reason,
        p_value=None if np.isnan(p) else p,
        test="exact binomial" if exact else "cluster bootstrap",
    )


def curve_parts(_: Evaluated, __: int, levels: Mapping[str, Variant[Any]]) -> CurveParts:
    """Draw empirical against nominal coverage."""
    tests = (level.parts.coverage for level in levels.values())
    rising = sorted(tests, key=lambda each: each.nominal)
    curve = CoverageCurve(
        nominal=[each.nominal for each in rising],
        empirical=[each.coverage for each in rising],
        empirical_low=[each.interval[0] if each.interval else None for each in rising],
        empirical_high=[each.interval[1] if each.interval else None for each in rising],
    )
    return CurveParts(curve=curve)


def part_records(evaluated: Evaluated, place: int, partition: Partition | None) -> list[Stratum]:
    """Write down the coverage of every part of the rows, if there are parts."""
    if partition is None:
        return []
    covered, weight = claim_at(evaluated, place).covered, sample_of(evaluated).weight
    return stratum_records(evaluated, strata_by_part(partition, covered, weight))


class Stratum(Record, frozen=True, kw_only=True):
    """The coverage among some of the rows; a stratum without rows is listed with n = 0."""

    name: str
    n: int
    n_covered: int
    coverage: Number
    reason: str | None
    """why the coverage is null"""
    interval: Interval
    interval_reason: str | None
    """why the interval is null"""
    size_low: Number = None
    size_high: Number = None
    """the smallest and the largest size in the stratum, where sizes define it"""


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Rows and covered rows of every stratum, and its coverage as a function of the draws."""

    n: Array
    covered: Array
    coverage: Sequence[Statistic]
    names: Sequence[str] = ()
    ends: Sequence[tuple[float, float]] = ()
    """the smallest and the largest size of each, where sizes define them"""


def strata_by_size(cut: Callable[..., Groups], weight: Resamples) -> Strata:
    """Take strata that a metric defines, which cuts them anew on every resample."""
    table = cut() if (weight.size == 1).all() else cut(weight=weight)

    def drawn(resamples: Resamples) -> Groups:
        return cut(weight=resamples)

    def coverage(draw: Draw, stratum: int) -> Array:
        groups: Groups = draw.of(weight).curve(drawn)
        return groups.coverage[..., stratum]

    statistics = [partial(coverage, stratum=number) for number in range(table.n.size)]
    return Strata(table.n, table.covered, statistics, ends=size_ends(table))


def size_ends(table: Groups) -> list[tuple[float, float]]:
    """Return the smallest and the largest size of every stratum, none where sizes play no part."""
    if table.narrowest is None or table.widest is None:
        return []
    return list(zip(table.narrowest.tolist(), table.widest.tolist(), strict=True))


def strata_by_part(partition: Partition, covered: Mask, weight: Resamples) -> Strata:
    """Count the rows of every part, and how many of them are covered."""
    n_strata, code = len(partition.names), partition.code
    return Strata(
        _added(code, weight.size, n_strata),
        _added(code[covered], weight.size[covered], n_strata),
        [_share(covered, np.flatnonzero(code == part), weight) for part in range(n_strata)],
        partition.names,
    )


def _added(code: Indices, size: Array, n_strata: int) -> Array:
    return np.bincount(code, weights=size, minlength=n_strata).astype(np.float64)


def _share(covered: Mask, rows: Indices, weight: Resamples) -> Statistic:
    """Return the share of covered rows as a function of the draws, cluster sums made once."""
    own, at = np.unique(weight.cluster[rows], return_inverse=True)
    size = weight.size[rows]
    n = np.bincount(at, weights=size, minlength=own.size)
    hits = np.bincount(at, weights=covered[rows] * size, minlength=own.size)

    def share(draw: Draw) -> Array:
        counts = draw.counts[:, own]
        total = counts @ n
        undefined: Array = np.full(total.shape, np.nan)
        return np.divide(counts @ hits, total, out=undefined, where=total > 0)

    return share


def stratum_records(evaluated: Evaluated, strata: Strata) -> list[Stratum]:
    """Write down every stratum: exact intervals for independent rows, else over clusters."""
    sample, plan = sample_of(evaluated), evaluated.plan
    if sample.independent:
        intervals = [_exact(k, n, plan) for k, n in zip(strata.covered, strata.n, strict=True)]
    else:
        intervals = _resampled(strata, plan, sample.n_clusters)
    ends: list[dict[str, Any]] = [
        {"size_low": _finite(low), "size_high": _finite(high)} for low, high in strata.ends
    ] or [{}] * len(strata.names)
    return [
        Stratum(
            name=name,
            n=int(n),
            n_covered=int(k),
            coverage=float(k / n) if n else None,
            reason=None if n else NO_ROWS,
            **interval,
            **size,
        )
        for name, n, k, interval, size in zip(
            strata.names, strata.n, strata.covered, intervals, ends, strict=True
        )
    ]


def least_covered(strata: Sequence[Stratum]) -> Stratum | None:
    """Return the stratum with the smallest coverage, the first of several; None without rows."""
    filled = [each for each in strata if each.n]
    return min(filled, key=lambda each: each.n_covered / each.n, default=None)


def _exact(k: float, n: float, plan: Plan) -> dict[str, Any]:
    if not n:
        return {"interval": None, "interval_reason": NO_ROWS}
    return {"interval": exact_interval(int(k), int(n), plan.level), "interval_reason": None}


def _resampled(strata: Strata, plan: Plan, n_clusters: int) -> list[dict[str, Any]]:
    drawn = bootstrap(strata.coverage, plan, n_clusters=n_clusters, n_rows=int(strata.n.sum()))
    found = (drawn.of(number) for number in range(len(strata.names)))
    return [_ends(interval_of(each, plan, bounds=(0.0, 1.0))) for each in found]


def _ends(found: Estimate) -> dict[str, Any]:
    if found.reason is None:
        return {"interval": (found.low, found.high), "interval_reason": None}
    return {
        "interval": None,
        "interval_reason": NO_ROWS if np.isnan(found.value) else found.reason,
    }


def _finite(size: float) -> float | None:
    return float(size) if np.isfinite(size) else None


def case_sheet(
    evaluated: Evaluated,
    write: Callable[[Claim, int], str],
    truth: Callable[[Claim, int], str | float],
    size: Callable[[Claim], tuple[str, Array, Array | None]],
) -> CaseSheet:
    """Say which rows are covered at the level that was named first, and how an answer looks.

    `size` says how large every interval or set is, what that is called, and how far off it is
    where that is known.
    """
    context: Claims = evaluated.prepared.context
    sample, systems = context.sample, [levels for _, levels in context.systems]

    def answers(number: int, named: Named, levels: Sequence[Claim]) -> Answers:
        word, large, loss = size(levels[0])
        others = {f"at {level}": own.covered for level, own in zip(at, levels, strict=True)}

        def written(row: int) -> Answer:
            told = {name: "covered" if own[row] else "missed" for name, own in others.items()}
            off = None if loss is None else finite(loss[row])
            facts: dict[str, Any] = {word: finite(large[row]), **told}
            return Answer(state=None, answer=write(levels[0], row), loss=off, facts=facts)

        others.pop(f"at {at[0]}")
        return Answers(
            named.name, number, right_or_wrong(levels[0].covered), written, sure=-large, loss=loss
        )

    def identify(row: int) -> Case:
        group, names = sample.groups, sample.clusters
        return Case(
            id=str(row + 1) if sample.items is None else sample.items[row],
            cluster=None if names is None else str(names[sample.weight.cluster[row]]),
            group=None if group is None else group.names[group.code[row]],
            truth=truth(systems[0][0], row),
            answers=[],
        )

    at = evaluated.options.level
    sides = [answers(number, *each) for number, each in enumerate(context.systems)]
    dependent = None if sample.independent else "rows of one cluster are alike"
    return CaseSheet("row", sides, identify, dependent=dependent)
