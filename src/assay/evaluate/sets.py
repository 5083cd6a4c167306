"""Prediction sets: tables in, artifact out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifacts.intervals import SetLevel, SetsArtifact, SetSystem
from assay.derive.sets import (
    class_order,
    included_classes,
    included_flags,
    label_codes,
    label_text,
    listed_labels,
)
from assay.errors import UsageError
from assay.evaluate.groups import Partition
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
from assay.evaluate.strata import least_covered, size_ends, strata_of_groups
from assay.inference import Plan
from assay.metrics.sets.strata import set_size_strata
from assay.score import Rows
from assay.showing import counted

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.evaluate.claims import SetColumns, SetOptions
    from assay.metrics.intervals.totals import Groups
    from assay.sources.table import Table

__all__ = ["sets_of_tables"]

COVERS, TESTED = "set_coverage", "set_coverage_p_value"


def sets_of_tables(
    tables: Sequence[Table],
    columns: SetColumns,
    options: SetOptions,
    plan: Plan,
    *,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> SetsArtifact:
    """Score prediction sets at every level, and compare all systems with the first.

    A system is one table and one choice of set columns. Tables are about the same rows, in one
    order. `progress` hears how many resamples are done, of `plan.n_resamples` per level.
    """
    labels = [_labels(table, columns) for table in tables]
    given = [_given(table, columns, len(options.level)) for table in tables]
    classes = columns.classes or _classes(given, labels)
    truths = [
        _codes(table, columns, each, classes) for table, each in zip(tables, labels, strict=True)
    ]
    sample = shared_sample(
        tables, truths, y=columns.y, cluster=columns.cluster, group=columns.group
    )
    systems = _systems(tables, given, truths[0], sample, classes, options)
    found, infinite = by_level(systems, options.settings, plan, progress=progress)
    result = Evaluated(sample, systems, plan, found, infinite, COVERS)
    return SetsArtifact(
        **provenance(tables, sample, plan, created_at=created_at),
        conventions=options.conventions(),
        warnings=sample_warnings(sample),
        classes=list(classes),
        systems=[
            _record(result, number, classes, options.n_groups) for number in range(len(systems))
        ],
        pairs=pairs(result),
    )


def _labels(table: Table, columns: SetColumns) -> list[str]:
    named = (columns.y, *(name for names in columns.sets for name in names))
    table.rows(*named, *(each for each in (columns.cluster, columns.group) if each))
    return [label_text(label) for label in table.labels(columns.y)]


def _codes(
    table: Table, columns: SetColumns, labels: Sequence[str], classes: Sequence[str]
) -> Array:
    return label_codes(labels, classes, name=columns.y, place=_place(table))


def _place(table: Table) -> Callable[[int], str]:
    return lambda row: f"{table.source.path}, {table.place(row)}"


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """The sets of one level as they stand in a table: flags per class, or lists of labels."""

    names: tuple[str, ...]
    flags: Array | None
    labels: Sequence[Sequence[object]] = ()
    classes: tuple[str, ...] = ()
    """of the flags, as far as the table tells"""


def _given(table: Table, columns: SetColumns, n_levels: int) -> list[list[_Given]]:
    every = [each for names in columns.sets for each in _levels(table, names, n_levels)]
    return arranged(every, n_levels, what=("set", "sets"))


def _levels(table: Table, names: tuple[str, ...], n_levels: int) -> list[_Given]:
    place, shown = _place(table), ",".join(names)
    if len(names) > 1:
        (flags,) = included_flags(table.flags(names), name=shown, place=place)
        return [_Given(names, flags, classes=names)]
    cells: Any = table.cells(names[0])
    if type(cells) is not np.ndarray or cells.ndim == 1 or cells.dtype.kind in "UTO":
        lists = listed_labels(cells, name=shown, place=place)
        if not _are_flags(lists):
            return [_Given(names, None, labels=lists)]
        cells = np.array(lists)
    levels = included_flags(cells, name=shown, place=place)
    if len(levels) not in {1, n_levels}:
        msg = (
            f"{table.source.path}: `{shown}` holds sets of {len(levels)} levels where `level` names"
        )
        hint = "name the level of each, in their order, as in --level 0.8,0.9"
        raise UsageError(f"{msg} {n_levels}", hint=hint)
    numbered = tuple(str(number) for number in range(levels[0].shape[1]))
    return [_Given(names, flags, classes=numbered) for flags in levels]


def _are_flags(lists: Sequence[Sequence[object]]) -> bool:
    kinds = {type(each) for row in lists for each in row}
    return bool(kinds) and kinds <= {bool, np.bool_} and len({len(row) for row in lists}) == 1


def _classes(
    given: Sequence[Sequence[Sequence[_Given]]], truths: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Return the classes of the first flags, or else all labels that occur."""
    every = [each for systems in given for levels in systems for each in levels]
    for each in every:
        if each.flags is not None:
            return each.classes
    listed = {label_text(label) for each in every for row in each.labels for label in row}
    return class_order(listed.union(*truths))


def _systems(
    tables: Sequence[Table],
    given: Sequence[Sequence[Sequence[_Given]]],
    label: Array,
    sample: Sample,
    classes: tuple[str, ...],
    options: SetOptions,
) -> list[Claims]:
    names = system_names(tables, [",".join(levels[0].names) for levels in given[0]])
    return [
        Claims(
            names[number][which],
            number,
            tuple(
                _level(label, _included(each, classes, table), each.names, level, sample)
                for each, level in zip(levels, options.level, strict=True)
            ),
        )
        for number, table in enumerate(tables)
        for which, levels in enumerate(given[number])
    ]


def _included(given: _Given, classes: tuple[str, ...], table: Table) -> Array:
    name = ",".join(given.names)
    if given.flags is None:
        return included_classes(given.labels, classes, name=name, place=_place(table))
    if given.flags.shape[1] != len(classes):
        flags = counted(given.flags.shape[1], "class", "classes")
        msg = f"{table.source.path}: `{name}` has flags for {flags} where there are {len(classes)}"
        raise UsageError(msg, hint="--classes names one class per flag, in their order")
    return given.flags


def _level(
    label: Array, included: Array, names: tuple[str, ...], level: float, sample: Sample
) -> Level:
    covered = included[np.arange(label.size), label.astype(np.int64)] > 0
    return Level(level, names, Rows({"label": label, "included": included}, sample.weight), covered)


def _record(
    result: Evaluated, number: int, classes: tuple[str, ...], n_groups: int | None
) -> SetSystem:
    system = result.systems[number]
    levels = {
        each.key: _level_record(result, number, each, classes, n_groups) for each in system.levels
    }
    return SetSystem(
        name=system.name,
        input=system.input,
        levels=levels,
        curve=curve([each.coverage for each in levels.values()]),
    )


def _level_record(
    result: Evaluated, number: int, level: Level, classes: tuple[str, ...], n_groups: int | None
) -> SetLevel:
    columns = level.rows.columns
    cut = partial(set_size_strata, **columns, n_groups=n_groups)
    sizes = level_strata(result, strata_of_groups(cut, result.sample.weight, _sizes))
    by_class = Partition(columns["label"].astype(np.int64), classes)
    of_class = partitioned(result, level, by_class)
    groups = partitioned(result, level, result.sample.groups)
    return SetLevel(
        level=level.level,
        columns=list(level.columns),
        coverage=coverage_test(result, number, level, TESTED),
        metrics=level_scalars(result, number, level),
        sizes=sizes,
        least_size=least_covered(sizes),
        classes=of_class,
        least_class=least_covered(of_class),
        groups=groups,
        least_group=least_covered(groups),
    )


def _sizes(table: Groups) -> tuple[str, ...]:
    """Name strata by the sizes they stand for."""
    ends = size_ends(table)
    return tuple(f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in ends)
