"""From texts, or from columns of answers, to models that are laid out vignette by vignette.

All models are about the same vignettes, in one order, so that one set of resamples serves them all
and every difference is paired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Input
from assay.columns import Resamples
from assay.derive.found import AGAINST
from assay.derive.judging import Judge
from assay.derive.labels import LabelSet
from assay.derive.sets import label_text
from assay.errors import ColumnError, UsageError
from assay.families.family import Given, Named, Prepared, Subject, ranked_by
from assay.families.reasoning.bias import Biased, add_bias, bias_pairing
from assay.families.reasoning.options import GENERATED, ReasoningColumns, ReasoningOptions
from assay.families.reasoning.subjects import Layout
from assay.options import declared
from assay.showing import counted, quoted
from assay.sources.generations import Index
from assay.sources.labels import shipped_rules
from assay.sources.outputs import GIVEN, TRUTH, answered_model, extracted_rows, read_model
from assay.sources.row_tables import partition
from assay.sources.sheets import Convention, Sample
from assay.sources.studies import Asked, ReadFile, Study, read_bias, read_study
from assay.sources.table import read_table
from assay.sources.tabular import Table

if TYPE_CHECKING:
    from assay.sources.outputs import ModelRead, Passing, Write

LONG_GOLD = 100
"""characters; a label is shorter"""
CONVENTION = Convention(GIVEN, TRUTH, "ignore")
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


@dataclass(frozen=True, slots=True, eq=False)
class Sink:
    """What was read already, and what opens the rows of a model and takes its steps."""

    inputs: Study
    opened: Callable[[str, Index, Judge], AbstractContextManager[tuple[Passing, Write]]] = (
        lambda name, index, judge: nullcontext((extracted_rows(name, index, judge), lambda _: None))
    )


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """What parts are made of."""

    inputs: Study
    reads: Sequence[ModelRead]
    laid: Layout
    biased: Biased


def asked_of(given: Given) -> Asked:
    """Return what is to be read of files."""
    own = {each.name for each in fields(Asked)} & {*declared(ReasoningOptions)}
    chosen = {name: getattr(given.options, name) for name in own}
    return Asked(given.sources, given.names, **chosen)


def judge_of(inputs: Study, options: ReasoningOptions) -> Judge:
    """Return what reads texts by the labels, the rules and the options."""
    return Judge(inputs.labels, inputs.rules, options.texts, inputs.choices)


def prepare(given: Given) -> Prepared:
    """Read every output of every model once, and lay the systems out vignette by vignette."""
    options: ReasoningOptions = given.options
    if (tabled := _as_table(given)) is not None:
        prepared = _prepared(options, *_read_answers(tabled))
        return replace(prepared, subjects=[*prepared.subjects, *_by_group(tabled)])
    sink: Sink = given.sink or Sink(read_study(asked_of(given)))
    inputs = sink.inputs
    judge, reads = judge_of(inputs, options), []
    for name, index in inputs.models.items():
        with sink.opened(name, index, judge) as (rows, write):
            reads.append(read_model(name, inputs, options.texts, rows, write))
    sample = _sample(inputs, given.columns.cluster)
    every = options.readings(inputs.gold, inputs.golds, stored=bool(inputs.stored))
    return _prepared(options, inputs, sample, reads, every, options.conventions(inputs.gold))


def _prepared(
    options: ReasoningOptions,
    inputs: Study,
    sample: Sample,
    reads: Sequence[ModelRead],
    every: Sequence[Convention],
    conventions: Mapping[str, Any],
) -> Prepared:
    """Lay out what was read of every model, under every convention that there is of it."""
    laid = Layout(every, options, sample, [each.sheet for each in reads])
    laid.systems()
    biased = Biased.of(inputs, options)
    add_bias(laid.subjects, biased, [*inputs.models], options)
    pairings = [laid.pairing(*two, biased) for two in combinations(range(len(reads)), 2)]
    # Files of models come first and in order; a table holds all of them.
    last = len(inputs.records) - 1
    return Prepared(
        inputs=_records(inputs),
        systems=[Named(name, min(number, last)) for number, name in enumerate(inputs.models)],
        subjects=laid.subjects,
        unit=sample.unit,
        n_units=sample.weight.counts.shape[1],
        conventions=conventions,
        warnings=[
            *inputs.warnings,
            *_doubts(inputs, len(sample.ids)),
            *_contradictions(reads),
            *_left_out(biased),
        ],
        context=Texts(inputs, reads, laid, biased),
        pairings=pairings,
        ranked=ranked_by("accuracy_cot", next(iter(every)).name, pairings),
    )


def prepare_bias(given: Given) -> Prepared:
    """Read the cases of bias alone: systems are the models that have some."""
    options: ReasoningOptions = given.options
    inputs = given.sink.inputs if given.sink else read_bias(asked_of(given))
    biased = Biased.of(inputs, options)
    names = [*biased.models]
    paths = [record.path for record in inputs.records]
    subjects: list[Subject] = []
    add_bias(subjects, biased, names, options)
    pairings = [
        bias_pairing(biased, two, names, subjects, options.bias_text)
        for two in combinations(range(len(names)), 2)
    ]
    return Prepared(
        inputs=_records(inputs),
        systems=[Named(name, paths.index(inputs.bias[name].path)) for name in names],
        subjects=subjects,
        unit="case",
        n_units=len(biased.ids),
        conventions={"bias_text": options.bias_text, "boundaries": options.boundaries},
        warnings=[*inputs.warnings, *_left_out(biased)],
        context=biased,
        pairings=pairings,
    )


def _records(inputs: Study) -> list[Input]:
    return [Input(**asdict(each)) for each in inputs.records]


def _sample(inputs: Study, cluster: str | None) -> Sample:
    vignettes = inputs.vignettes
    assert vignettes is not None  # noqa: S101 - checked when they were read
    names, unit = vignettes.clusters(cluster)
    by_id = dict(zip((each.id for each in vignettes.rows), names, strict=True))
    return Sample.of(inputs.ids, [by_id[each] for each in inputs.ids], unit)


def _doubts(inputs: Study, n: int) -> Iterator[str]:
    """Say where what was given cannot mean what it seems to."""
    lengths = sorted(len(gold) for gold in inputs.golds[inputs.gold].values())
    usual = lengths[len(lengths) // 2]
    if inputs.gold == "answer" and usual > LONG_GOLD:
        yield (
            f"gold answers are paragraphs (half of them have {usual} characters or more), which no"
            " answer repeats: give labels with `gold_labels`"
        )
    if n == 1:
        yield "there is one vignette, so resampling shows no uncertainty"
    for name, index in inputs.models.items():
        modes = {mode for _, mode in index.lines}
        if len(modes) == 1:
            needed = "accuracies, gap and test need both"
            yield f"{name}: all rows are {modes.pop()}, and {needed}: they have no value"
    for name, stored in inputs.stored.items():
        lacking = sum(each not in stored.lines for each in inputs.models[name].lines)
        if lacking:
            told = "there is no stored extraction, which counts as a failure there"
            yield f"{name}: of {counted(lacking, 'output')} {told}"
    unmatched = [name for name in inputs.bias if name not in inputs.models]
    if unmatched:
        yield f"there are bias generations of models without generations: {', '.join(unmatched)}"


def _contradictions(reads: Sequence[ModelRead]) -> Iterator[str]:
    """Say where letters were announced beside the texts of other options."""
    marked = AGAINST.replace(" ", "_")
    for each in reads:
        n = sum(output.method.endswith(marked) for output in each.sheet.outputs.values())
        if n:
            said = "letter and text of an option differ; the letter counts"
            yield f"{each.sheet.model}: in {counted(n, 'output')} {said}"


def _left_out(biased: Biased) -> Iterator[str]:
    """Say where rows are of no known case of bias."""
    for name, each in biased.models.items():
        if each.n_unknown:
            yield f"{name}: left out {counted(each.n_unknown, 'bias generation')} of no known case"


def _as_table(given: Given) -> Given | None:
    """Return what was given with its table read, where columns of answers are named."""
    sources = given.sources[GENERATED]
    if not given.columns.answer_cot and not any(isinstance(each, Table) for each in sources):
        return None
    if len(sources) != 1:
        msg = f"found {counted(len(sources), 'table')} of answers where one is needed"
        raise UsageError(msg, hint="systems are columns of one table")
    table = sources[0] if isinstance(sources[0], Table) else read_table(sources[0])
    return replace(given, sources={**given.sources, GENERATED: (table,)})


def _read_answers(
    given: Given,
) -> tuple[Study, Sample, list[ModelRead], list[Convention], Mapping[str, Any]]:
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
        answered_model(name, gold, [_labels(table, column) for column in own])
        for name, own in zip(names, answers, strict=True)
    ]
    code, clusters = table.clusters(columns.cluster)
    weight = Resamples(np.ones((1, len(clusters))), code, np.ones(len(ids)), ())
    path, kind, sha256 = table.source.path, table.source.format, table.source.sha256
    index = Index(path, sha256 or "", len(ids), 0, 0, (), 0, 0, (), {}, ())
    inputs = Study(
        models=dict.fromkeys(names, index),
        labels=LabelSet.of(gold.values()),
        rules=shipped_rules(),
        golds={TRUTH: gold},
        gold=TRUTH,
        records=(ReadFile("table", path, sha256, kind, len(ids)),),
    )
    sample = Sample(tuple(ids), weight, columns.cluster or "case", clusters)
    return inputs, sample, reads, [CONVENTION], CONVENTIONS


def _by_group(given: Given) -> Iterator[Subject]:
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
