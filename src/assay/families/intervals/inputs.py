"""From tables to intervals that can be scored, one claim per system and level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from assay.derive.intervals import (
    bounds_by_level,
    crossed_rows,
    refuse_crossed,
    refuse_missing,
    unbounded_rows,
)
from assay.errors import UsageError
from assay.families.coverage.inputs import Claim, Read, Rules, Sample, of_rows
from assay.metrics.intervals.spans import spans_of
from assay.registry import all_but
from assay.showing import counted
from assay.sources.row_tables import drop_suggested

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.family import Given, Prepared
    from assay.families.intervals.options import IntervalColumns, IntervalOptions
    from assay.sources.tabular import Table

BY_WIDTH = "it needs the width of every interval, and rows were reduced to sums outside of memory"
SUMS = frozenset(
    {
        *("coverage_p_value", "cwc", "cwc_coverage_term", "cwc_width_term", "interval_coverage"),
        *("interval_coverage_gap", "interval_width", "winkler", "winkler_over", "winkler_under"),
        *("winkler_width",),
    }
)
"""numbers that sums tell; any other one needs the rows"""


RULES = Rules(
    coverage="interval_coverage",
    test="coverage_p_value",
    sizes=("interval_width", "width_quantile", "winkler_width", "cwc_width_term"),
    hollow="more bounds of the side it favours are crossed",
    wholes=("interval_width", "winkler"),
    withheld=partial(all_but, SUMS, "intervals", BY_WIDTH),
)
PAIRS = ("pair of bounds", "pairs of bounds")


@drop_suggested()
def prepare(given: Given) -> Prepared:
    """Read tables that are about the same rows; a system is one table and one choice of bounds."""
    columns: IntervalColumns = given.columns
    options: IntervalOptions = given.options
    bounded = (*columns.low, *columns.up, *columns.interval)
    numbers = [columns.y, *bounded]
    read = Read.of(given, numbers=numbers, names=of_rows(columns), stated=bounded)
    truths = [table.numbers(columns.y) for table in read.checked(bounded)]
    sample = read.sample(truths)
    bounds = [read.arranged(_bounds(table, columns, options), PAIRS) for table in read.tables]
    return read.prepared(
        sample, bounds, _name, lambda pair, _: _claim(truths[0], pair, sample, options), RULES
    )


def _name(levels: Sequence[_Bounds]) -> str:
    """Name a system after its first bounds; columns of one array are numbered by level."""
    numbered = [
        {name.removesuffix(f" {place}") for place, name in enumerate(bound)}
        for bound in zip(*(each.names for each in levels), strict=True)
    ]
    if len(levels) > 1 and all(len(base) == 1 for base in numbered):
        return ":".join(name for base in numbered for name in base)
    return ":".join(levels[0].names)


@dataclass(frozen=True, slots=True, eq=False)
class _Bounds:
    """Two bounds as they stand in a table."""

    names: tuple[str, ...]
    low: Array
    up: Array


def _bounds(table: Table, columns: IntervalColumns, options: IntervalOptions) -> list[_Bounds]:
    pairs = [
        _Bounds((low, up), table.numbers(low, infinite=True), table.numbers(up, infinite=True))
        for low, up in zip(columns.low, columns.up, strict=True)
    ]
    pairs += [pair for name in columns.interval for pair in _array_bounds(table, name, options)]
    for pair in pairs if options.crossed == "refuse" else ():
        refuse_crossed(pair.low, pair.up, names=pair.names, place=table.where)
    return pairs


def _array_bounds(table: Table, name: str, options: IntervalOptions) -> list[_Bounds]:
    shown = f"{table.source.path}: `{name}`"
    levels = bounds_by_level(table.array(name), name=shown)
    if len(levels) not in {1, len(options.level)}:
        msg = (
            f"{shown} holds intervals of {counted(len(levels), 'level')} where `level` names"
            f" {len(options.level)}"
        )
        raise UsageError(msg, hint="name the level of each in `level`, in their order")
    for bound in (bound for pair in levels for bound in pair):
        refuse_missing(bound, name=name, place=table.where)
    return [_Bounds((name,), low, up) for low, up in levels]


def _claim(truth: Array, pair: _Bounds, sample: Sample, options: IntervalOptions) -> Claim:
    n_unbounded = sample.rows_of(unbounded_rows(pair.low, pair.up))
    n_crossed = sample.rows_of(crossed_rows(pair.low, pair.up))
    spans = spans_of(truth, pair.low, pair.up, options.crossed)
    return Claim(
        pair.names,
        {"truth": truth, "low": pair.low, "up": pair.up},
        spans.covered,
        counts={
            "n_crossed": n_crossed,
            "n_unbounded": n_unbounded,
        },
        infinite=_why_infinite(n_unbounded, sample.rows_of(np.isinf(spans.width)), sample.n_rows),
        one_size=sample.about is None and spans.one_width,
        hollow=n_crossed if options.crossed == "mapie" else 0,
    )


def _why_infinite(n_unbounded: int, n_infinite: int, n: int) -> str | None:
    if n_unbounded:
        found = counted(n, "interval is unbounded: its", "intervals are unbounded: their")
        return f"{n_unbounded} of {found} width is infinite"
    if n_infinite:
        found = counted(n, "interval is", "intervals are")
        return f"{n_infinite} of {found} wider than the range of a double"
    return None
