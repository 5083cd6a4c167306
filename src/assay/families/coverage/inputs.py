"""Systems that claim a coverage, level by level: what intervals and sets have in common.

A system holds an interval or a set per row and level. All systems of an evaluation are about the
same rows, so that their differences are paired.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec
import numpy as np

from assay.artifact import Input, Variant
from assay.columns import Resamples
from assay.errors import ColumnError, UsageError
from assay.families.arranging import system_names
from assay.families.coverage.parts import kept
from assay.families.family import Named, Pairing, Prepared, Ranked, Subject
from assay.registry import METRICS, Metric
from assay.score import Rows, spelled
from assay.showing import counted, listed
from assay.sources.column import EMPTY_WORDS
from assay.sources.row_tables import (
    ARRAY_FILES,
    Partition,
    Unscored,
    check_same,
    partition,
    read_spelled,
    unscored_rows,
)
from assay.sources.tabular import Table
from assay.sources.unit_files import unit_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array
    from assay.families.family import Given
    from assay.sources.unit_table import About

    Mask: TypeAlias = NDArray[np.bool_]

Item = TypeVar("Item")
DEPENDENT_ROWS = "it assumes independent rows, and rows of one cluster are not"
PART_OF_INFINITE = "intervals of one side are infinite, and this is only a part of what they cost"
ONE_EACH = (
    "a mapping names systems, and each needs one per level: the levels of one system are the"
    " last axis of its array, or a tuple of columns"
)
AS_PRINTED = "by the formula as it is printed, failing could pay"
COVERS_LESS = "the side it favours covers less than the other, and less than it claims"
SIZES = ("interval_width", "set_size")
"""what is compared between systems that keep what they promise"""
BROKEN_PROMISE = "it covers less than it promises"
UNKNOWN_PROMISE = "whether it keeps what it promises cannot be told"
LACKING = "the side it favours lacks rows that the other has"
ONE_LACKS = "one side is infinite, and one lacks rows that the other has"
LACKS = "it lacks rows that others have"
TABLE = "table"


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """What a system states at one level: its columns ready to be scored."""

    names: tuple[str, ...]
    """of its columns in the file"""
    columns: Mapping[str, Array]
    covered: Mask
    counts: Mapping[str, int] = field(default_factory=dict)
    infinite: str | None = None
    """why sizes are infinite, if some are"""
    one_size: bool = False
    """all of them are equally large"""
    hollow: int = 0
    """rows whose claim says nothing: crossed bounds as they are, sets that are right by chance"""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The rows that all systems are about: their clusters and their groups."""

    weight: Resamples
    unit: str
    groups: Partition | None
    clusters: Sequence[Any] | None = None
    """the names of the clusters, where rows belong together"""
    about: About | None = None
    """of the unit table that the rows are, where an engine made one"""
    items: Sequence[str] | None = None
    """what each row is called"""

    @property
    def clustered(self) -> bool:
        """Whether rows belong to named clusters."""
        return self.clusters is not None

    @property
    def n_rows(self) -> int:
        """The number of rows; one that stands for several is as many."""
        return int(self.weight.size.sum())

    def rows_of(self, mask: Mask) -> int:
        """Count some of the rows."""
        return int(self.weight.size[mask].sum())

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.weight.counts.shape[1])

    @property
    def independent(self) -> bool:
        """Whether every row is a cluster of its own."""
        return not self.clustered or self.n_clusters == self.n_rows


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What is known of the numbers of a family: its metrics by what they are good for."""

    coverage: str
    """how often the truth is covered"""
    test: str
    """the p-value of that"""
    sizes: tuple[str, ...]
    """what gets better by naming less: in favour only of who covers as much, or as claimed"""
    hollow: str
    """what is wrong with the side of which more rows are hollow"""
    wholes: tuple[str, ...] = ()
    """what is infinite where a row is; everything else is judged only where these are finite"""
    withheld: Callable[[], Mapping[str, str]] = dict
    """metrics that sums do not tell, and why"""


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """What parts are made of: the sample, and what every system claims about it."""

    sample: Sample
    systems: Sequence[tuple[Named, Sequence[Claim]]]
    """one claim per level"""
    rules: Rules
    classes: tuple[str, ...] = ()
    unscored: Unscored | None = None
    """rows that were dropped, if any were"""

    def only(self, own: int, other: int) -> int:
        """Count the dropped rows that one system has and another lacks."""
        if self.unscored is None:
            return 0
        one, two = (
            (named.input, [name for claim in claims for name in claim.names])
            for named, claims in (self.systems[own], self.systems[other])
        )
        return self.unscored.only(one, two)


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Tables that are about the same rows, without those that were dropped."""

    given: Given
    tables: Sequence[Table]
    inputs: Sequence[Input]
    unscored: Unscored | None

    @classmethod
    def of(
        cls,
        given: Given,
        *,
        numbers: Sequence[str],
        names: Sequence[str],
        stated: Sequence[str],
        words: frozenset[str] = EMPTY_WORDS,
    ) -> Read:
        """Read all tables; rows to drop are those that lack a truth or what is stated of it.

        `words` are those that stand for no truth in a text file.
        """
        tables, inputs = _all_tables(given, numbers=numbers, names=names)
        if given.columns.missing == "error":
            return cls(given, tables, inputs, None)
        unscored = unscored_rows(tables, given.columns.y, stated, words)
        if not unscored.rows.any():
            return cls(given, tables, [_counted(each, 0) for each in inputs], None)
        if unscored.rows.all():
            what = "a truth and something stated by all systems"
            msg = f"{tables[0].source.path} has no row with {what}"
            raise ColumnError(msg, hint="fill the columns in, or name others")
        kept = [table.keep(~unscored.rows) for table in tables]
        return cls(given, kept, [_counted(each, unscored.n_rows) for each in inputs], unscored)

    def checked(self, stated: Sequence[str]) -> Iterator[Table]:
        """Yield tables, refusing one without a column, or with one that is not as long."""
        columns = self.given.columns
        for table in self.tables:
            table.rows(columns.y, *stated, *filter(None, (columns.cluster, columns.group)))
            yield table

    def arranged(self, stated: Sequence[Item], what: tuple[str, str]) -> list[list[Item]]:
        """Give each system its levels: all of the first system, then all of the second, and so on.

        Systems that the caller named are that many, whatever could be made of their columns.
        """
        n_levels, names = len(self.given.options.level), self.given.names
        # Files have names too.
        of_files = len(self.tables) > 1 and len(names) == len(self.tables)
        if names and not of_files and len(stated) != len(names) * n_levels:
            msg = (
                f"found {counted(len(names), 'system')} ({listed(names)}) with"
                f" {counted(len(stated), *what)} for {counted(n_levels, 'level')}"
            )
            raise UsageError(msg, hint=ONE_EACH)
        if not stated or len(stated) % n_levels:
            msg = f"found {counted(len(stated), *what)} and {counted(n_levels, 'level')}"
            hint = "give one per level, or with one level several to compare with the first"
            raise UsageError(msg, hint=hint)
        return [list(stated[first : first + n_levels]) for first in range(0, len(stated), n_levels)]

    def sample(self, truths: Sequence[NDArray[Any]]) -> Sample:
        """Return the rows that all tables are about, which must be the same in all of them."""
        tables, columns = self.tables, self.given.columns
        cluster, first = columns.cluster, tables[0]
        check_same(tables, columns.y, truths)
        n_rows = len(truths[0])
        code, n_clusters, named = np.arange(n_rows), n_rows, None
        if cluster is not None:
            ranked = [table.clusters(cluster) for table in tables]
            check_same(tables, cluster, [np.array(names)[code] for code, names in ranked])
            code, named = ranked[0]
            n_clusters = len(named)
        elif first.counts is not None:
            code, n_clusters = np.zeros(n_rows, np.int64), 1
        size = np.ones(n_rows) if first.counts is None else first.counts
        weight = Resamples(np.ones((1, n_clusters)), code, size, ())
        groups = None if columns.group is None else partition(first, columns.group)
        items = None if columns.item is None else _items(tables, columns.y, columns.item)
        if self.unscored is not None and columns.item is None and first.about is None:
            items = self.unscored.places()
        unit = unit_name(cluster or "row", first.about)
        return Sample(weight, unit, groups, named, first.about, items)

    def prepared(
        self,
        sample: Sample,
        stated: Sequence[Sequence[Sequence[Item]]],
        called: Callable[[Sequence[Item]], str],
        claim: Callable[[Item, Table], Claim],
        rules: Rules,
        classes: tuple[str, ...] = (),
    ) -> Prepared:
        """Make a subject of every claim: by table, system and level.

        A system is called by what it states at all levels.
        """
        options = self.given.options
        names = system_names(self.tables, [*map(called, stated[0])], self.given.names)
        systems = [
            (Named(names[number][which], number), [claim(one, table) for one in levels])
            for number, table in enumerate(self.tables)
            for which, levels in enumerate(stated[number])
        ]
        context = Claims(sample, systems, rules, classes, self.unscored)
        subjects = [
            _subject(number, level, claim, context, options)
            for number, (_, claims) in enumerate(systems)
            for level, claim in zip(options.level, claims, strict=True)
        ]
        return Prepared(
            inputs=[_with_rows(each, sample) for each in self.inputs],
            systems=[system for system, _ in systems],
            subjects=subjects,
            unit=sample.unit,
            n_units=sample.n_clusters if sample.clustered else sample.n_rows,
            conventions=options.conventions(),
            warnings=_lonely(sample),
            context=context,
            pairings=[_pairing(0, right, context, options) for right in range(1, len(systems))],
            ranked=_ranked(subjects[0], context, options),
        )


def of_rows(columns: Any) -> list[str]:
    """Return the columns that say which row it is, and with which others it belongs together."""
    return [each for each in (columns.cluster, columns.group, columns.item) if each is not None]


def _items(tables: Sequence[Table], y: str, item: str) -> Sequence[str] | None:
    """Return the names of the rows; those that an engine has counted have none any more."""
    if tables[0].counts is not None:
        return None
    for table in tables:
        table.rows(y, item)
    ranked = [table.clusters(item) for table in tables]
    named = [np.array([*map(str, names)])[code] for code, names in ranked]
    check_same(tables, item, named)
    return [str(name) for name in named[0]]


def _ranked(first: Subject, context: Claims, options: Any) -> Ranked | None:
    """Put systems in order by the size of what they claim, those that keep what they promise."""
    label = next((n for n in SIZES if {*METRICS[n].columns} <= {*first.rows.columns}), None)
    if label is None:
        return None

    def unranked(system: int, variant: Variant[Any]) -> str | None:
        if any(context.only(other, system) for other in range(len(context.systems))):
            return LACKS
        side = kept(variant.parts.coverage)
        if side is None:
            return UNKNOWN_PROMISE
        return BROKEN_PROMISE if side < 0 else None

    pairing = cache(lambda left, right: _pairing(left, right, context, options))
    return Ranked(label, first.variant, pairing, unranked)


def _pairing(left: int, right: int, context: Claims, options: Any) -> Pairing:
    """Compare two systems; beside an infinite whole no part has a word."""
    both = context.systems[left][1], context.systems[right][1]
    only = context.only(left, right), context.only(right, left)
    infinite = {
        spelled(level)
        for level, one, other in zip(options.level, *both, strict=True)
        if one.infinite is not None or other.infinite is not None
    }

    def silent(variant: str, label: str) -> str | None:
        metric = METRICS[label.partition("@")[0]]
        if metric.better is None:
            return None
        if options.formula == "printed" and _reads_formula(metric):
            return AS_PRINTED
        if variant not in infinite or label in context.rules.wholes:
            return ONE_LACKS if variant in infinite and any(only) else None
        return PART_OF_INFINITE

    covered = {
        spelled(level): (level, [context.sample.rows_of(claims[n].covered) for claims in both])
        for n, level in enumerate(options.level)
    }
    hollow = {
        spelled(level): both[1][n].hollow - both[0][n].hollow
        for n, level in enumerate(options.level)
    }
    n_rows = {"n_common": context.sample.n_rows, "n_only_left": only[0], "n_only_right": only[1]}

    def barred(variant: str, label: str, side: int) -> str | None:
        if only[side < 0]:
            return LACKING
        if hollow[variant] * side > 0:
            return context.rules.hollow
        level, (one, other) = covered[variant]
        own, against = (other, one) if side > 0 else (one, other)
        keeps = own >= against or own >= level * context.sample.n_rows
        return None if keeps or label.partition("@")[0] not in context.rules.sizes else COVERS_LESS

    counts = n_rows if context.unscored is not None else {}
    return Pairing(left, right, counts, silent=silent, barred=barred)


def _reads_formula(metric: Metric) -> bool:
    every = (metric.name, *metric.counterparts)
    return any("formula" in METRICS[name].options for name in every)


def _with_rows(given: Input, sample: Sample) -> Input:
    """Say how many rows were read: a file of arrays may hold longer ones beside."""
    n_rows = sample.n_rows + given.counts.get("n_unscored", 0)
    return msgspec.structs.replace(given, n_rows=n_rows)


def _subject(number: int, level: float, claim: Claim, context: Claims, options: Any) -> Subject:
    independent = context.sample.independent
    share = context.sample.rows_of(claim.covered), context.sample.n_rows
    return Subject(
        number,
        Rows(claim.columns, context.sample.weight),
        variant=spelled(level),
        settings=options.settings(level),
        counts=claim.counts,
        about={"level": level, "columns": list(claim.names)},
        exact={context.rules.coverage: share} if independent else {},
        infinite=claim.infinite is not None,
        dependent=None if independent else DEPENDENT_ROWS,
        withheld={} if context.sample.about is None else context.rules.withheld(),
        flips=not independent,
    )


def _lonely(sample: Sample) -> list[str]:
    """Say where resampling cannot help."""
    if sample.n_rows == 1:
        return ["there is one row, so resampling shows no uncertainty"]
    if sample.clustered and sample.n_clusters == 1:
        return ["there is one cluster, so resampling clusters shows no uncertainty"]
    return []


def _counted(given: Input, n_unscored: int) -> Input:
    return msgspec.structs.replace(given, counts={"n_unscored": n_unscored})


def _all_tables(
    given: Given, *, numbers: Sequence[str], names: Sequence[str]
) -> tuple[list[Table], list[Input]]:
    """Read all tables, and the truth where it stands in a file of its own."""
    tables = [
        each if isinstance(each, Table) else read_spelled(each, numbers=numbers, names=names)
        for each in given.sources[TABLE]
    ]
    y = given.columns.y
    inputs = [_input(TABLE, table) for table in tables]
    if not y.lower().endswith(ARRAY_FILES) or any(y in table.columns for table in tables):
        return tables, inputs
    truth = read_spelled(y)
    values = truth.cells("array")
    whole = [
        replace(table, columns=ChainMap({y: values}, table.columns))  # type: ignore[arg-type]  # nothing is written
        for table in tables
    ]
    return whole, [*inputs, _input("truth", truth)]


def _input(role: str, table: Table) -> Input:
    path, sha256, kind = table.source.path, table.source.sha256, table.source.format
    return Input(role=role, path=path, sha256=sha256, format=kind, n_rows=table.n_rows)
