"""Files that are compared outside of memory: DuckDB joins their rows, and counts them together.

Every file becomes a table of its own again, whose rows stand for the same rows as those of the
others, in one order: families pair them as they pair tables in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from assay.errors import ArtifactError, ColumnError, UsageError
from assay.showing import counted, inert
from assay.sources.content import suffix_of
from assay.sources.engine import in_query, reduces
from assay.sources.reduced import (
    FORMS,
    Reducing,
    Rows,
    in_duckdb,
    numbers_of,
    rows_of,
    table_of_units,
)
from assay.sources.table import SEVERAL, stamps
from assay.sources.table_files import digest_of, found_files
from assay.sources.tabular import Source, Table
from assay.sources.unit_files import HIGHEST, LOWEST, POINT, place_among
from assay.sources.unit_table import Reduction, Spans, Wanted

SHARED = "both sides need the same rows; engine memory compares what they share"
NAME_ITEM = "name in `item` the column that tells the rows of a cluster apart"


def joined_tables(
    reducing: Mapping[str, Reducing], wanted: Wanted, *, several: str
) -> list[Table] | None:
    """Reduce files in DuckDB, joined row by row; None: they are for memory.

    `reducing` says by path what is needed of it, `several` what the joined table is called.
    """
    files = {path: found_files(path, SEVERAL) or (path,) for path in reducing}
    if "-" in files or not any(map(reduces, files.values())):
        return None
    forms = {FORMS.get(suffix_of(own[0]), "") for own in files.values()}
    if len(forms) > 1 or "" in forms:
        msg = f"{several} cannot be joined outside of memory"
        raise UsageError(msg, hint="all of them must be CSV, JSON lines or Parquet")
    (form,) = forms
    before = {path: stamps(own, path) for path, own in files.items()}
    sides = {path: _Side(rows_of(path, files[path], form, own)) for path, own in reducing.items()}
    join = _Join([*sides.values()], several)
    how = join.reduction()
    units = in_duckdb([each.rows for each in sides.values()], several, wanted, join.frame, how)
    digests = {path: digest_of(own) for path, own in files.items()}
    for path, own in files.items():
        if stamps(own, path) != before[path]:
            raise ArtifactError(f"{path} changed while it was read", hint="read a copy of it")
    about = msgspec.structs.replace(units.about, path=several, source=form, from_file=True)
    table = table_of_units(replace(units, about=about))
    return [each.view(table, Source(path, digests[path], form)) for path, each in sides.items()]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One of the files, whose columns go by their file in what is joined."""

    rows: Rows

    def called(self, name: str) -> str:
        return f"{name} of {self.rows.path}"

    def needed(self) -> list[str]:
        how = self.rows.how
        return list(dict.fromkeys((*how.keys, *numbers_of(how))))

    def keys(self) -> list[str]:
        """Return the columns that tell rows apart."""
        how = self.rows.how
        return [*filter(None, (how.cluster,)), *how.joined]

    def told(self, values: Sequence[Any]) -> str:
        """Name a row by what tells it apart."""
        both = zip(self.keys(), values, strict=False)
        return ", ".join(f"`{name}` {inert(str(value))}" for name, value in both)

    def projected(self, frame: Any, number: int) -> Any:
        keys = [f"{in_query(name)} AS key{n}" for n, name in enumerate(self.keys())]
        own = [f"{in_query(name)} AS {in_query(self.called(name))}" for name in self.needed()]
        return frame.project(", ".join([*keys, *own])).set_alias(f"side{number}")

    def view(self, table: Table, source: Source) -> Table:
        """Return the joined rows under the names that this file has for them."""
        columns = {
            f"{name}{end}": table.columns[f"{self.called(name)}{end}"]
            for name in self.needed()
            for end in ("", LOWEST, HIGHEST, POINT)
            if f"{self.called(name)}{end}" in table.columns
        }
        how, about = self.rows.how, table.about
        for own, joint in (
            (how.cluster, about and about.cluster),
            (how.spans and how.spans.truth, about and about.truth),
        ):
            if own and joint:  # all files have the same ones
                columns[own] = table.columns[joint]
        return replace(table, columns=columns, place=place_among(columns), source=source)


@dataclass(frozen=True, slots=True, eq=False)
class _Join:
    sides: Sequence[_Side]
    path: str

    def reduction(self) -> Reduction:
        """Say what is needed of the rows of all files together."""
        first, *others = self.sides
        keys = first.keys()
        for each in others:
            if missing := [*{*keys} ^ {*each.keys()}]:
                msg = f"{first.rows.path} and {each.rows.path} do not both have `{missing[0]}`"
                raise ColumnError(msg, hint=NAME_ITEM)
        if not keys:
            msg = f"the rows of {self.path} have nothing that tells them apart"
            raise UsageError(msg, hint="name a column in `item`, or choose engine memory")
        how = first.rows.how
        spans = None
        if how.spans is not None:
            pairs = [
                (side.called(low), side.called(up))
                for side in self.sides
                for low, up in (side.rows.how.spans or how.spans).pairs
            ]
            spans = Spans(first.called(how.spans.truth), tuple(pairs))
        return replace(
            how,
            keys=self._named("keys"),
            ranked=self._named("ranked"),
            summed=self._named("summed"),
            spans=spans,
            joined=(),
        )

    def _named(self, what: str) -> tuple[str, ...]:
        return tuple(
            side.called(name) for side in self.sides for name in getattr(side.rows.how, what)
        )

    def frame(self, frames: Sequence[Any]) -> Any:
        """Return the rows of all files side by side: every one of them must be in all."""
        both = enumerate(zip(self.sides, frames, strict=True))
        first, *others = [side.projected(frame, n) for n, (side, frame) in both]
        keys = [f"key{n}" for n, _ in enumerate(self.sides[0].keys())]
        for side, each in zip(self.sides, (first, *others), strict=True):
            self._check_distinct(side, each, keys)
        for number, (side, other) in enumerate(zip(self.sides[1:], others, strict=True), 1):
            self._check_kinds(side, first, other)
            on = " AND ".join(f"side0.{key} = side{number}.{key}" for key in keys)
            for lacking, pair in ((side, (first, other)), (self.sides[0], (other, first))):
                self._check_rows(lacking, pair[0].join(pair[1], on, "anti"))
            whole = first.join(other, on)
            self._check_truths(side, whole)
            named = [in_query(s.called(n)) for s in self.sides[: number + 1] for n in s.needed()]
            held = [f"side0.{key} AS {key}" for key in keys]
            first = whole.project(", ".join([*held, *named])).set_alias("side0")
        cluster = self.sides[0].rows.how.cluster
        return first if cluster is None else first.project(f"key0 AS {in_query(cluster)}, *")

    def _check_distinct(self, side: _Side, frame: Any, keys: Sequence[str]) -> None:
        """Refuse rows that are not known by themselves."""
        of = ", ".join(keys)
        again = frame.aggregate(f"{of}, count(*) AS n", of).filter("n > 1").limit(1).fetchall()
        if again:
            *held, n = again[0]
            msg = f"{side.rows.path} has {counted(n, 'row')} of {side.told(held)}"
            raise ColumnError(msg, hint="one row per item" if side.rows.how.joined else NAME_ITEM)

    def _check_kinds(self, side: _Side, first: Any, other: Any) -> None:
        for name, *kinds in zip(side.keys(), first.types, other.types, strict=False):
            if len({str(kind).startswith("VARCHAR") for kind in kinds}) > 1:
                msg = f"{self.path}: `{name}` holds texts in one file and none in another"
                raise ColumnError(msg, hint="write ids alike in all files")

    def _check_rows(self, lacking: _Side, alone: Any) -> None:
        n = int(alone.aggregate("count(*)").fetchall()[0][0])
        if n:
            such = f"such as that of {lacking.told(alone.limit(1).fetchall()[0])}"
            msg = f"{lacking.rows.path} lacks {counted(n, 'row')}, {such}"
            raise ColumnError(msg, hint=SHARED)

    def _check_truths(self, side: _Side, whole: Any) -> None:
        spans, first = side.rows.how.spans, self.sides[0].rows.how.spans
        if spans is None or first is None:
            return
        names = self.sides[0].called(first.truth), side.called(spans.truth)
        one, other = map(in_query, names)
        differing = whole.filter(f"{one} IS DISTINCT FROM {other}")
        n = int(differing.aggregate("count(*)").fetchall()[0][0])
        if n:
            msg = f"`{spans.truth}` differs in {counted(n, 'row')} of {self.path}"
            raise ColumnError(msg, hint="a difference is over the same rows with the same truths")
