"""Answers that were read already: a row per case, its truth, and two answers of every system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Input
from assay.columns import Resamples
from assay.derive.labels import LabelSet
from assay.derive.sets import label_text
from assay.errors import ColumnError, UsageError
from assay.families.reasoning.files import Inputs
from assay.families.reasoning.models import MOST_OUTPUTS, ModelRead, output_row, remarkable
from assay.families.reasoning.options import GENERATED, ReasoningOptions
from assay.families.reasoning.sheets import MODES, Convention, Output, Sample, Sheet
from assay.options import declared
from assay.showing import counted, quoted
from assay.sources.generations import Index
from assay.sources.labels import shipped_rules
from assay.sources.row_tables import partition
from assay.sources.table import Table, read_table

if TYPE_CHECKING:
    from assay.families.family import Given, Prepared, Subject
    from assay.families.reasoning.options import ReasoningColumns

__all__ = ["as_table", "by_group", "read_answers"]

GIVEN, TRUTH = "given", "truth"
CONVENTION = Convention(GIVEN, TRUTH, "ignore")
READ = (GIVEN, TRUTH)
ANSWERS = {"answer_cot": "answers"}
"""what a system is called whose column has no name of its own"""
WANTED = "give `truth`, `answer_cot` and `answer_early`, or files of generations"


CONVENTIONS = {
    "reading": GIVEN,
    "gold": TRUTH,
    "refusals": CONVENTION.refusals,
    "no_answer": "counted wrong",
    "p_value": "two-sided, inverted percentile bootstrap; McNemar mid-p",
}
"""what there is to say about answers that nobody read here"""


def as_table(given: Given) -> Given | None:
    """Return what was given with its table read, where columns of answers are named."""
    sources = given.sources[GENERATED]
    if not given.columns.answer_cot and not any(isinstance(each, Table) for each in sources):
        return None
    if len(sources) != 1:
        msg = f"found {counted(len(sources), 'table')} of answers where one is needed"
        raise UsageError(msg, hint="systems are columns of one table")
    table = sources[0] if isinstance(sources[0], Table) else read_table(sources[0])
    return replace(given, sources={**given.sources, GENERATED: (table,)})


def read_answers(
    given: Given,
) -> tuple[Inputs, Sample, list[ModelRead], list[Convention], Mapping[str, Any]]:
    """Read a table of answers, the only way to read them and its conventions.

    The systems are columns of the table.
    """
    _check(given)
    columns: ReasoningColumns = given.columns
    (table,) = given.sources[GENERATED]
    answers = [*zip(columns.answer_cot, columns.answer_early, strict=True)]
    names = list(given.names) or [ANSWERS.get(cot, cot) for cot, _ in answers]
    others = filter(None, (columns.case, columns.cluster, columns.group))
    table.rows(columns.truth, *columns.answer_cot, *columns.answer_early, *others)
    ids, truths = _ids(table, columns.case), _labels(table, columns.truth, needed=True)
    gold = {each: truth or "" for each, truth in zip(ids, truths, strict=True)}
    reads = [
        _read(name, gold, [_labels(table, column) for column in own])
        for name, own in zip(names, answers, strict=True)
    ]
    code, clusters = table.clusters(columns.cluster)
    weight = Resamples(np.ones((1, len(clusters))), code, np.ones(len(ids)), ())
    path, kind, sha256 = table.source.path, table.source.format, table.source.sha256
    record = Input(role="table", path=path, sha256=sha256, format=kind, n_rows=len(ids))
    index = Index(path, sha256 or "", len(ids), 0, 0, (), 0, 0, (), {}, ())
    inputs = Inputs(
        models=dict.fromkeys(names, index),
        labels=LabelSet.of(gold.values()),
        rules=shipped_rules(),
        golds={TRUTH: gold},
        gold=TRUTH,
        records=(record,),
    )
    sample = Sample(tuple(ids), weight, columns.cluster or "case", clusters)
    return inputs, sample, reads, [CONVENTION], CONVENTIONS


def by_group(given: Given, prepare: Callable[[Given], Prepared]) -> Iterator[Subject]:
    """Yield the answers of every group, prepared as if there were no others."""
    columns: ReasoningColumns = given.columns
    if columns.group is None:
        return
    (table,) = given.sources[GENERATED]
    groups = partition(table, columns.group)
    for place, label in enumerate(groups.names):
        sources = {GENERATED: (table.keep(groups.code == place),)}
        own = replace(given, sources=sources, columns=replace(columns, group=None))
        for each in prepare(own).subjects:
            if each.listed:
                yield replace(each, slice=str(label), worst=None, beside=None)


def _check(given: Given) -> None:
    """Refuse what is about texts, and columns that do not fit together."""
    columns: ReasoningColumns = given.columns
    lacking = [each for each in (TRUTH, "answer_cot", "answer_early") if not getattr(columns, each)]
    if lacking:
        raise UsageError(f"`{lacking[0]}` was not given", hint=WANTED)
    n_cot, n_early = len(columns.answer_cot), len(columns.answer_early)
    if n_cot != n_early:
        msg = f"found {counted(n_cot, 'column')} of `answer_cot` and {n_early} of `answer_early`"
        raise UsageError(msg, hint="every system has both")
    chosen = [role for role, files in given.sources.items() if files and role != GENERATED]
    usual = ReasoningOptions()
    chosen += [
        name
        for name in declared(ReasoningOptions)
        if getattr(given.options, name) != getattr(usual, name)
    ]
    if chosen:
        msg = f"`{chosen[0]}` is about texts, and answers were given that are read already"
        raise UsageError(msg, hint="leave it out, or give files of generations")


def _ids(table: Table, name: str | None) -> list[str]:
    if name is None:
        return [str(row + 1) for row in range(table.n_rows)]
    ids = [label_text(label) for label in table.labels(name)]
    again = next((each for each, n in Counter(ids).items() if n > 1), None)
    if again is not None:
        msg = f"{table.source.path}: `{name}` names {quoted(again)} in {ids.count(again)} rows"
        raise ColumnError(msg, hint="a case has one row; systems are columns, by name")
    return ids


def _labels(table: Table, name: str, *, needed: bool = False) -> list[str | None]:
    """Return labels as texts, None where there is none."""
    empty = np.zeros(table.n_rows, np.bool_) if needed else table.empty(name)
    labels = iter(table.keep(~empty).labels(name) if not empty.all() else ())
    return [None if nothing else label_text(next(labels)) for nothing in empty]


def _read(name: str, gold: dict[str, str], answers: Sequence[Sequence[str | None]]) -> ModelRead:
    outputs = [
        Output(
            id=case,
            mode=mode,
            ok=True,
            empty=False,
            outcome="failed" if answer is None else "answered",
            method=GIVEN,
            answers={GIVEN: answer},
            refused={},
            right={READ: answer == truth},
        )
        for mode, own in zip(MODES, answers, strict=True)
        for (case, truth), answer in zip(gold.items(), own, strict=True)
    ]
    sheet = Sheet(
        name,
        {(each.id, each.mode): each for each in outputs},
        steps={},
        golds={TRUTH: frozenset(gold)},
        readings=frozenset({GIVEN}),
        texts=False,
    )
    shown = sorted(outputs, key=lambda each: remarkable(each, READ))[:MOST_OUTPUTS]
    return ModelRead(sheet, [output_row(each, gold[each.id], READ) for each in shown], [], [], 0)
