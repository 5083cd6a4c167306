"""Prediction intervals: tables in, artifact out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from assay.artifacts.intervals import (
    IntervalLevel,
    IntervalsArtifact,
    IntervalSystem,
    WidthDistribution,
)
from assay.derive.intervals import (
    bounds_by_level,
    crossed_rows,
    refuse_crossed,
    refuse_missing,
    unbounded_rows,
)
from assay.errors import UsageError
from assay.evaluate.levels import (
    Claims,
    Evaluated,
    Level,
    Sample,
    arranged,
    by_level,
    coverage_test,
    curve,
    level_scalars,
    level_strata,
    pairs,
    partitioned,
    provenance,
    sample_warnings,
    shared_sample,
    system_names,
)
from assay.evaluate.strata import Strata, filled, least_covered, strata_of_groups
from assay.inference import Plan
from assay.metrics.intervals.order import width_at
from assay.metrics.intervals.spans import spans_of, totals
from assay.metrics.intervals.strata import size_strata
from assay.rounding import ROUNDING
from assay.score import Rows
from assay.showing import counted

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.evaluate.claims import IntervalColumns, IntervalOptions
    from assay.metrics.intervals.totals import Groups
    from assay.sources.table import Table

__all__ = ["intervals_of_tables"]

ONE_WIDTH = "all intervals have the same width"
SPLIT = "size strata cut through equal widths, in an order that depends on that of the rows"
WIDTH_SHARES = np.arange(101) / 100
COVERS, TESTED = "interval_coverage", "coverage_p_value"


def intervals_of_tables(
    tables: Sequence[Table],
    columns: IntervalColumns,
    options: IntervalOptions,
    plan: Plan,
    *,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> IntervalsArtifact:
    """Score prediction intervals at every level, and compare all systems with the first.

    A system is one table and one choice of bounds. Tables are about the same rows, in one order.
    `progress` hears how many resamples are done, of `plan.n_resamples` per level.
    """
    truths = [_truth(table, columns) for table in tables]
    sample = shared_sample(
        tables, truths, y=columns.y, cluster=columns.cluster, group=columns.group
    )
    systems = _systems(tables, truths[0], sample, columns, options)
    found, infinite = by_level(systems, options.settings, plan, progress=progress)
    result = Evaluated(sample, systems, plan, found, infinite, COVERS)
    records = [_record(result, number, options) for number in range(len(systems))]
    return IntervalsArtifact(
        **provenance(tables, sample, plan, created_at=created_at),
        conventions=options.conventions(),
        warnings=_warnings(result, records, options),
        systems=records,
        pairs=pairs(result),
    )


def _truth(table: Table, columns: IntervalColumns) -> Array:
    named = (columns.y, *columns.low, *columns.up, *columns.interval)
    table.rows(*named, *(each for each in (columns.cluster, columns.group) if each))
    return table.numbers(columns.y)


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two bounds as they stand in a table."""

    names: tuple[str, ...]
    low: Array
    up: Array


def _systems(
    tables: Sequence[Table],
    truth: Array,
    sample: Sample,
    columns: IntervalColumns,
    options: IntervalOptions,
) -> list[Claims]:
    given = [
        arranged(
            _pairs(table, columns, options),
            len(options.level),
            what=("pair of bounds", "pairs of bounds"),
        )
        for table in tables
    ]
    names = system_names(tables, [":".join(levels[0].names) for levels in given[0]])
    return [
        Claims(
            names[number][which],
            number,
            tuple(
                _level(truth, pair, level, sample, options)
                for pair, level in zip(levels, options.level, strict=True)
            ),
        )
        for number in range(len(tables))
        for which, levels in enumerate(given[number])
    ]


def _pairs(table: Table, columns: IntervalColumns, options: IntervalOptions) -> list[_Pair]:
    pairs = [
        _Pair((low, up), table.numbers(low, infinite=True), table.numbers(up, infinite=True))
        for low, up in zip(columns.low, columns.up, strict=True)
    ]
    pairs += [pair for name in columns.interval for pair in _array_pairs(table, name, options)]
    for pair in pairs if options.crossed == "refuse" else ():
        refuse_crossed(
            pair.low,
            pair.up,
            names=pair.names,
            place=lambda row: f"{table.source.path}, {table.place(row)}",
        )
    return pairs


def _array_pairs(table: Table, name: str, options: IntervalOptions) -> list[_Pair]:
    shown = f"{table.source.path}: `{name}`"
    levels = bounds_by_level(table.array(name), name=shown)
    if len(levels) not in {1, len(options.level)}:
        msg = (
            f"{shown} holds intervals of {counted(len(levels), 'level')} where `level` names"
            f" {len(options.level)}"
        )
        hint = "name the level of each, in their order, as in --level 0.8,0.9"
        raise UsageError(msg, hint=hint)
    for bound in (bound for pair in levels for bound in pair):
        refuse_missing(
            bound, name=name, place=lambda row: f"{table.source.path}, {table.place(row)}"
        )
    return [_Pair((name,), low, up) for low, up in levels]


def _level(
    truth: Array, pair: _Pair, level: float, sample: Sample, options: IntervalOptions
) -> Level:
    n_unbounded = int(unbounded_rows(pair.low, pair.up).sum())
    spans = spans_of(truth, pair.low, pair.up, options.crossed)
    return Level(
        level,
        pair.names,
        Rows({"truth": truth, "low": pair.low, "up": pair.up}, sample.weight),
        spans.covered,
        counts={
            "n_crossed": int(crossed_rows(pair.low, pair.up).sum()),
            "n_unbounded": n_unbounded,
            "one_width": int(spans.one_width),
        },
        infinite=_why_infinite(n_unbounded, int(np.isinf(spans.width).sum()), truth.size),
    )


def _why_infinite(n_unbounded: int, n_infinite: int, n: int) -> str | None:
    if n_unbounded:
        found = counted(n, "interval is unbounded: its", "intervals are unbounded: their")
        return f"{n_unbounded} of {found} width is infinite"
    if n_infinite:
        found = counted(n, "interval is", "intervals are")
        return f"{n_infinite} of {found} wider than the range of a double"
    return None


def _warnings(
    result: Evaluated, records: Sequence[IntervalSystem], options: IntervalOptions
) -> list[str]:
    found = sample_warnings(result.sample)
    for system, record in zip(result.systems, records, strict=True):
        for level in system.levels:
            said = _level_warnings(level, len(record.levels[level.key].sizes), options)
            found += [f"{system.name} at level {level.key}: {each}" for each in said]
    return found


def _level_warnings(level: Level, n_strata: int, options: IntervalOptions) -> list[str]:
    n, found = level.covered.size, []
    crossed = level.counts["n_crossed"]
    if crossed:
        rule = f"read as --crossed {options.crossed}"
        intervals = counted(n, "interval has", "intervals have")
        found.append(f"{crossed} of {intervals} crossed bounds, {rule}")
    if level.infinite is not None:
        found.append(level.infinite)
    if n > 1 and level.counts["one_width"]:
        found.append(
            f"{ONE_WIDTH}, so {SPLIT if options.ties == 'mapie' else 'there is one size stratum'}"
        )
    elif n > 1 and n_strata < options.n_groups:
        cause = (
            "equal widths stay together"
            if n >= options.n_groups
            else f"there are {counted(n, 'row')}"
        )
        found.append(f"{cause}, so there are {n_strata} of {options.n_groups} size strata")
    return found


def _record(result: Evaluated, number: int, options: IntervalOptions) -> IntervalSystem:
    system = result.systems[number]
    levels = {each.key: _level_record(result, number, each, options) for each in system.levels}
    return IntervalSystem(
        name=system.name,
        input=system.input,
        levels=levels,
        curve=curve([each.coverage for each in levels.values()]),
    )


def _level_record(
    result: Evaluated, number: int, level: Level, options: IntervalOptions
) -> IntervalLevel:
    sizes = level_strata(result, _size_strata(result, level, options))
    groups = partitioned(result, level, result.sample.groups)
    return IntervalLevel(
        level=level.level,
        columns=list(level.columns),
        n_crossed=level.counts["n_crossed"],
        n_unbounded=level.counts["n_unbounded"],
        coverage=coverage_test(result, number, level, TESTED),
        metrics=level_scalars(result, number, level),
        widths=_widths(level, options),
        sizes=sizes,
        least_size=least_covered(sizes),
        groups=groups,
        least_group=least_covered(groups),
    )


def _widths(level: Level, options: IntervalOptions) -> WidthDistribution:
    """Read how wide the intervals are at every hundredth of the rows, and the least width."""
    columns = level.rows.columns
    sums = totals(
        columns["truth"], columns["low"], columns["up"], weight=None, crossed=options.crossed
    )
    rank = np.maximum(1.0, WIDTH_SHARES * level.covered.size * (1 - ROUNDING))
    widths = width_at(sums, rank)
    return WidthDistribution(
        share=WIDTH_SHARES.tolist(),
        width=[float(each) if np.isfinite(each) else None for each in widths],
    )


def _size_strata(result: Evaluated, level: Level, options: IntervalOptions) -> Strata:
    columns = level.rows.columns
    cut = partial(
        size_strata,
        columns["truth"],
        columns["low"],
        columns["up"],
        n_groups=options.n_groups,
        ties=options.ties,
        crossed=options.crossed,
    )
    return filled(strata_of_groups(cut, result.sample.weight, _numbered))


def _numbered(table: Groups) -> tuple[str, ...]:
    return tuple(str(number + 1) for number in range(table.n.size))
