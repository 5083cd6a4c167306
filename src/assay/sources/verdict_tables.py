"""Verdicts that stand in columns: what is given and what is true of every case, no evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import ColumnError
from assay.showing import quoted
from assay.sources.tabular import Table, class_label
from assay.sources.verdicts import GroundTruth, Results, ground_truth_of, results_of

HINT = "a verdict is a text or a whole number; leave the cell empty where there is none"


def results_in(
    table: Table,
    cases: Sequence[str],
    verdicts: Sequence[str],
    scores: Sequence[str],
    labels: Mapping[str, Sequence[str]],
) -> Iterator[Results]:
    """Yield what each column of verdicts gives; an empty cell is no result.

    `labels` are the cluster and the group of every row.
    """
    if scores and _is_empty(table, scores) and not _is_empty(table, verdicts):
        msg = f"{table.source.path}: no row of `{scores[0]}` holds a score"
        raise ColumnError(msg, hint="leave `score` out, and cases are ranked by their verdicts")
    for number, name in enumerate(verdicts):
        ranked = _scores(table, scores[number]) if scores else {}
        texts = _texts(table, name)
        silent = all(verdict is None for verdict in texts)
        rows: list[dict[str, Any]] = [
            # Evidence is not asked for, and so none is cited.
            {"case_id": cases[row], "verdict": verdict, "parsed": {"evidences": []}}
            | ({"rank_score": ranked[row]} if row in ranked else {})
            for row, verdict in enumerate(texts)
            # A system without any verdict was asked all the same.
            if verdict is not None or silent
        ]
        source = table.source
        found = results_of(rows, path=source.path, sha256=source.sha256)
        labelled = {role: dict(zip(cases, own, strict=True)) for role, own in labels.items()}
        yield replace(found, format=source.format, labels=labelled)


def truth_in(holders: Sequence[tuple[Table, Sequence[str], str]]) -> list[GroundTruth]:
    """Return what tables say is true in a column, where some do; they must say the same."""
    found: dict[str, str] = {}
    for table, cases, name in holders:
        for row, verdict in enumerate(_texts(table, name)):
            if verdict is not None and found.setdefault(cases[row], verdict) != verdict:
                msg = f"{table.where(row)}: the case {quoted(cases[row])} has two true verdicts"
                hint = f"found {quoted(found[cases[row]])} and {quoted(verdict)}; keep one of them"
                raise ColumnError(msg, hint=hint)
    sources = [table.source for table, *_ in holders[:1]]
    return [ground_truth_of(found, path=each.path, sha256=each.sha256) for each in sources]


def case_ids(table: Table, name: str | None) -> list[str]:
    """Return the ids of the cases, by default the numbers of the rows, in equal length."""
    if name is None:
        width = len(str(table.n_rows))
        return [f"{row + 1:0{width}}" for row in range(table.n_rows)]
    found = _texts(table, name)
    for row, case in enumerate(found):
        if case is None:
            table.refuse(row, name, "the id of a case", hint="every row is about a case")
    return [case for case in found if case is not None]


def _is_empty(table: Table, names: Sequence[str]) -> bool:
    return all(table.empty(name).all() for name in names)


def _texts(table: Table, name: str) -> list[str | None]:
    """Return a column of words or whole numbers as texts, None where a cell is empty."""
    empty = table.empty(name)
    found: list[str | None] = []
    for row, cell in enumerate(table.single(name)):
        label = None if empty[row] else class_label(cell)
        if label is None and not empty[row]:
            table.refuse(row, name, "a text or a whole number", hint=HINT)
        found.append(None if label is None else str(label))
    return found


def _scores(table: Table, name: str) -> dict[int, float]:
    """Return the scores by row; a case without one may be ranked by its verdict."""
    there = ~table.empty(name)
    rows = there.nonzero()[0].tolist()
    return dict(zip(rows, table.keep(there).numbers(name).tolist(), strict=True))
