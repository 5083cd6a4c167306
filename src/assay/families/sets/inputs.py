"""From tables to prediction sets that can be scored, one claim per system and level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.derive.sets import (
    class_order,
    included_classes,
    included_flags,
    label_codes,
    label_text,
    listed_labels,
)
from assay.errors import UsageError
from assay.families.coverage.inputs import Claim, Read, Rules, of_rows
from assay.showing import counted
from assay.sources.column import EMPTY_WORDS
from assay.sources.row_tables import drop_suggested

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.coverage.inputs import Mask, Sample
    from assay.families.family import Given, Prepared
    from assay.families.sets.options import SetColumns
    from assay.sources.tabular import Table

RULES = Rules(
    coverage="set_coverage",
    test="set_coverage_p_value",
    sizes=("set_size", "singleton_rate", "singleton_accuracy"),
    hollow="the sets it favours hold the true class no more often than by chance",
)
FEW_SPREADS, TINY = 2.0, 1e-9
"""a share that is no further from chance than this is not told from it"""


@drop_suggested()
def prepare(given: Given) -> Prepared:
    """Read tables that are about the same rows; a system is one table and one choice of sets."""
    columns: SetColumns = given.columns
    flags = [name for names in columns.set if len(names) > 1 for name in names]
    lists = [names[0] for names in columns.set if len(names) == 1]
    read = Read.of(
        given,
        numbers=flags,
        names=[columns.y, *of_rows(columns), *lists],
        stated=[*flags, *lists],
        words=_words(columns.classes or (() if lists else flags)),
    )
    every = [name for names in columns.set for name in names]
    labels = [[label_text(each) for each in of.labels(columns.y)] for of in read.checked(every)]
    stated = [_stated(table, read) for table in read.tables]
    classes = tuple(map(label_text, columns.classes)) or _classes(stated, labels)
    truths = [
        label_codes(own, classes, name=columns.y, place=table.where)
        for table, own in zip(read.tables, labels, strict=True)
    ]
    sample = read.sample(truths)

    def claim(one: _Stated, table: Table) -> Claim:
        return _claim(truths[0], _included(one, classes, table), one.names, sample)

    def called(levels: Sequence[_Stated]) -> str:
        return ",".join(levels[0].names)

    return read.prepared(sample, stated, called, claim, RULES, classes)


def _words(classes: Sequence[object]) -> frozenset[str]:
    """Return the words for no truth: a class may be called none, where labels are free any."""
    return EMPTY_WORDS - {str(name).lower() for name in classes} if classes else frozenset({""})


@dataclass(frozen=True, slots=True, eq=False)
class _Stated:
    """The sets of one level as they stand in a table: flags per class, or lists of labels."""

    names: tuple[str, ...]
    flags: Array | None
    labels: Sequence[Sequence[object]] = ()
    classes: tuple[str, ...] = ()
    """of the flags, as far as the table tells"""


def _stated(table: Table, read: Read) -> list[list[_Stated]]:
    columns, n_levels = read.given.columns, len(read.given.options.level)
    every = [one for names in columns.set for one in _levels(table, names, n_levels)]
    return read.arranged(every, ("set", "sets"))


def _levels(table: Table, names: tuple[str, ...], n_levels: int) -> list[_Stated]:
    shown = ",".join(names)
    if len(names) > 1:
        (flags,) = included_flags(table.flags(names), name=shown, place=table.where)
        return [_Stated(names, flags, classes=names)]
    cells: Any = table.cells(names[0])
    if type(cells) is not np.ndarray or cells.ndim == 1 or cells.dtype.kind in "UTO":
        lists = listed_labels(cells, name=shown, place=table.where)
        if not _are_flags(lists):
            return [_Stated(names, None, labels=lists)]
        cells = np.array(lists)
    levels = included_flags(cells, name=shown, place=table.where)
    if len(levels) not in {1, n_levels}:
        msg = (
            f"{table.source.path}: `{shown}` holds sets of {len(levels)} levels where `level` names"
            f" {n_levels}"
        )
        raise UsageError(msg, hint="name the level of each in `level`, in their order")
    numbered = tuple(str(number) for number in range(levels[0].shape[1]))
    return [_Stated(names, flags, classes=numbered) for flags in levels]


def _are_flags(lists: Sequence[Sequence[object]]) -> bool:
    kinds = {type(cell) for row in lists for cell in row}
    return bool(kinds) and kinds <= {bool, np.bool_} and len({len(row) for row in lists}) == 1


def _classes(
    stated: Sequence[Sequence[Sequence[_Stated]]], truths: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Return the classes of the first flags, or else all labels that occur."""
    every = [one for systems in stated for levels in systems for one in levels]
    for one in every:
        if one.flags is not None:
            return one.classes
    listed = {label_text(label) for one in every for row in one.labels for label in row}
    return class_order(listed.union(*truths))


def _included(stated: _Stated, classes: Sequence[str], table: Table) -> Array:
    name = ",".join(stated.names)
    if stated.flags is None:
        return included_classes(stated.labels, classes, name=name, place=table.where)
    if stated.flags.shape[1] != len(classes):
        flags = counted(stated.flags.shape[1], "class", "classes")
        msg = f"{table.source.path}: `{name}` has flags for {flags} where there are {len(classes)}"
        raise UsageError(msg, hint="name one class per flag in `classes`, in their order")
    return stated.flags


def _claim(label: Array, included: Array, names: tuple[str, ...], sample: Sample) -> Claim:
    covered = included[np.arange(label.size), label.astype(np.int64)] > 0
    by_chance = label.size > 1 and _by_chance(label, included, covered, sample.weight.size)
    columns = {"label": label, "included": included}
    return Claim(names, columns, covered, hollow=sample.n_rows if by_chance else 0)


def _by_chance(label: Array, included: Array, covered: Mask, size: Array) -> bool:
    """Say whether sets hold the truth as often as they would that of any other row.

    Those that are the same for all rows, and those that name classes at random.
    """
    n_true = np.bincount(label.astype(np.int64), weights=size, minlength=included.shape[1])
    expected = np.minimum(included @ (n_true / size.sum()), 1.0)
    spread = np.sqrt(size @ (expected * (1 - expected)))
    return bool(size @ (covered - expected) <= FEW_SPREADS * spread + TINY * size.sum())
