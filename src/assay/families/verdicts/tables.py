"""Verdicts that stand in columns: what is given and what is true of every case, no evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.errors import ColumnError, UsageError
from assay.families.arranging import Arranged, Systems, in_one_table
from assay.families.coverage import partition
from assay.families.coverage.tables import system_names
from assay.showing import quoted
from assay.sources.table import Table, class_label, read_table
from assay.sources.verdicts import GroundTruth, Results, ground_truth_of, results_of

if TYPE_CHECKING:
    from assay.families.family import Given
    from assay.families.verdicts.options import VerdictColumns

__all__ = ["arrange", "read_tables"]

HINT = "a verdict is a text or a whole number; leave the cell empty where there is none"


def arrange(record: type[Any], systems: Systems, data: Table | None) -> Arranged:
    """See the columns of every system as its results; systems need not have the same cases."""
    parts = []
    for name, own in systems.items():
        made = in_one_table(record, {name: own}, data)
        path = name or _verdict_columns(made.columns)[0]
        source = replace(made.tables[0].source, path=path)
        parts.append((replace(made.tables[0], source=source), made.columns))
    results = [each for table, columns in parts for each in _results(table, columns)]
    truth = [replace(each, path="truth") for each in _truth(parts)]
    return Arranged(tuple(results), parts[0][1], {"ground_truth": truth} if truth else {})


def read_tables(given: Given) -> tuple[list[Results], list[GroundTruth], list[str]]:
    """Read files that are tables: results, the truth where they hold it, and names of systems."""
    columns: VerdictColumns = given.columns
    tables = [
        each if isinstance(each, Table) else read_table(each) for each in given.sources["results"]
    ]
    results = [each for table in tables for each in _results(table, columns)]
    names = system_names(tables, columns.verdict, given.names)
    return results, _truth([(each, columns) for each in tables]), [n for own in names for n in own]


def _results(table: Table, columns: VerdictColumns) -> Iterator[Results]:
    """Yield what each column of verdicts gives; an empty cell is no result."""
    verdicts = _verdict_columns(columns)
    table.rows(*verdicts, *columns.score, *_others(columns))
    cases, labels = _cases(table, columns), _labels(table, columns)
    if columns.score and _is_empty(table, columns.score) and not _is_empty(table, verdicts):
        msg = f"{table.source.path}: no row of `{columns.score[0]}` holds a score"
        raise ColumnError(msg, hint="leave `score` out, and cases are ranked by their verdicts")
    for number, name in enumerate(verdicts):
        scores = _scores(table, columns.score[number] if columns.score else None)
        texts = _texts(table, name)
        silent = all(verdict is None for verdict in texts)
        rows: list[dict[str, Any]] = [
            # Evidence is not asked for, and so none is cited.
            {"case_id": cases[row], "verdict": verdict, "parsed": {"evidences": []}}
            | ({"rank_score": scores[row]} if row in scores else {})
            for row, verdict in enumerate(texts)
            # A system without any verdict was asked all the same.
            if verdict is not None or silent
        ]
        source = table.source
        found = results_of(rows, path=source.path, sha256=source.sha256)
        labelled = {role: dict(zip(cases, own, strict=True)) for role, own in labels.items()}
        yield replace(found, format=source.format, labels=labelled)


def _labels(table: Table, columns: VerdictColumns) -> dict[str, list[str]]:
    """Return the cluster and the group of every row, where there are columns of them."""
    found = {}
    if columns.cluster is not None:
        code, names = table.clusters(columns.cluster)
        found["cluster"] = [str(names[each]) for each in code]
    if columns.group is not None:
        groups = partition(table, columns.group)
        found["group"] = [str(groups.names[each]) for each in groups.code]
    return found


def _others(columns: VerdictColumns) -> Iterator[str]:
    return filter(None, (columns.case, columns.truth, columns.cluster, columns.group))


def _is_empty(table: Table, names: Sequence[str]) -> bool:
    return all(table.empty(name).all() for name in names)


def _verdict_columns(columns: VerdictColumns) -> tuple[str, ...]:
    if not columns.verdict:
        msg = "no column of verdicts was given"
        raise UsageError(msg, hint="`verdict` names it, `truth` the one of true verdicts")
    return columns.verdict


def _truth(parts: Sequence[tuple[Table, VerdictColumns]]) -> list[GroundTruth]:
    """Return what all tables say is true, where they say so; they must say the same."""
    found: dict[str, str] = {}
    holders = [(table, columns) for table, columns in parts if columns.truth is not None]
    for table, columns in holders:
        cases = _cases(table, columns)
        for row, verdict in enumerate(_texts(table, columns.truth or "")):
            if verdict is not None and found.setdefault(cases[row], verdict) != verdict:
                msg = f"{table.where(row)}: the case {quoted(cases[row])} has two true verdicts"
                hint = f"found {quoted(found[cases[row]])} and {quoted(verdict)}; keep one of them"
                raise ColumnError(msg, hint=hint)
    if not holders:
        return []
    source = holders[0][0].source
    return [ground_truth_of(found, path=source.path, sha256=source.sha256)]


def _cases(table: Table, columns: VerdictColumns) -> list[str]:
    """Return the ids of the cases, by default the numbers of the rows, in equal length."""
    if columns.case is None:
        width = len(str(table.n_rows))
        return [f"{row + 1:0{width}}" for row in range(table.n_rows)]
    found = _texts(table, columns.case)
    for row, case in enumerate(found):
        if case is None:
            table.refuse(row, columns.case, "the id of a case", hint="every row is about a case")
    return [case for case in found if case is not None]


def _texts(table: Table, name: str) -> list[str | None]:
    """Return a column of words or whole numbers as texts, None where a cell is empty."""
    empty = table.empty(name)
    found: list[str | None] = []
    for row, cell in enumerate(table.cells(name)):
        label = None if empty[row] else class_label(cell)
        if label is None and not empty[row]:
            table.refuse(row, name, "a text or a whole number", hint=HINT)
        found.append(None if label is None else str(label))
    return found


def _scores(table: Table, name: str | None) -> dict[int, float]:
    """Return the scores by row; a case without one may be ranked by its verdict."""
    if name is None:
        return {}
    there = ~table.empty(name)
    rows = there.nonzero()[0].tolist()
    return dict(zip(rows, table.keep(there).numbers(name).tolist(), strict=True))
