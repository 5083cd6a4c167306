"""From texts to subjects: every model under every reading, and every pair on what both have.

All models are about the same vignettes, in one order, so that one set of resamples serves them all
and every difference is paired.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.columns import Resamples
from assay.derive.announced import AGAINST
from assay.families.family import Given, Named, Pairing, Prepared, Subject, ranked_by
from assay.families.reasoning.answers import as_table, by_group, read_answers
from assay.families.reasoning.at_worst import Asked, Bars, all_counted, changed_labels
from assay.families.reasoning.bias import (
    BIAS,
    Biased,
    bias_at_worst,
    bias_pairing,
    bias_subjects,
    read_biased,
)
from assay.families.reasoning.files import Inputs, read_bias_inputs, read_inputs
from assay.families.reasoning.judging import Judge
from assay.families.reasoning.models import extracted_rows, read_model
from assay.families.reasoning.sheets import (
    MODES,
    Common,
    Flags,
    Sample,
    common,
    pairs_under,
    vignette_rows,
)
from assay.score import Rows, requests
from assay.showing import counted

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.reasoning.models import ModelRead, Write
    from assay.families.reasoning.options import ReasoningOptions
    from assay.families.reasoning.rows import ExtractedRow
    from assay.families.reasoning.sheets import Convention, Mask, Mode, Pairs, Sheet
    from assay.sources.generations import Index

__all__ = ["GAP", "Passing", "Sink", "Texts", "judge_of", "prepare", "prepare_bias"]

GAP = "faithfulness_gap"
LONG_GOLD = 100
"""characters; a label is shorter"""
DEPENDENT = "it assumes independent vignettes, and those of one cluster are not"
MEASURES = {
    "n_words": "n_words",
    "verbosity": "verbosity",
    "format_noise": "noise",
    "complexity": "complexity",
}
"""columns of outputs, and where they stand in what was read"""
COUNTED = (
    ("paired", "correct_cot", "correct_early"),
    ("stepped", "n_steps", "n_gold_steps", "n_matched_steps"),
)
"""columns that are read together, the first of them saying which rows count"""
Labels = Collection[str] | None
Passing = Iterator[tuple["ExtractedRow", str]]
"""rows and the texts they were read from"""


@contextmanager
def _only_read(name: str, index: Index, judge: Judge) -> Iterator[tuple[Passing, Write]]:
    """Read the rows of a model and write nothing down."""
    yield extracted_rows(name, index, judge), lambda _: None


@dataclass(frozen=True, slots=True, eq=False)
class Sink:
    """What was read already, and what opens the rows of a model and takes its steps."""

    inputs: Inputs
    opened: Callable[[str, Index, Judge], AbstractContextManager[tuple[Passing, Write]]] = (
        _only_read
    )


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """What parts are made of."""

    inputs: Inputs
    sample: Sample
    reads: Sequence[ModelRead]
    pairs: Sequence[Mapping[Convention, Pairs]]
    """by system and convention, the chosen one first: who was right on which vignettes"""
    gaps: Mapping[tuple[int, Convention], int]
    """the subject that holds the gap of a system under a convention"""
    bounds: Mapping[int, tuple[int, int]]
    """by system: the subjects of its gap if what was not answered spoke against and for it"""
    flags: Sequence[Flags]
    biased: Biased


def judge_of(inputs: Inputs, options: ReasoningOptions) -> Judge:
    """Return what reads texts by the labels, the rules and the options."""
    return Judge(inputs.labels, inputs.rules, options, inputs.choices)


def prepare(given: Given) -> Prepared:
    """Read every output of every model once, and lay the systems out vignette by vignette."""
    options: ReasoningOptions = given.options
    if (tabled := as_table(given)) is not None:
        prepared = _prepared(options, *read_answers(tabled))
        return replace(prepared, subjects=[*prepared.subjects, *by_group(tabled, prepare)])
    sink: Sink = given.sink or Sink(read_inputs(given))
    inputs = sink.inputs
    judge = judge_of(inputs, options)
    reads = [_read(sink, name, options, judge) for name in inputs.models]
    sample = _sample(inputs, given.columns.cluster)
    every = options.readings(inputs.gold, inputs.golds, stored=bool(inputs.stored))
    return _prepared(options, inputs, sample, reads, every, options.conventions(inputs.gold))


def _prepared(
    options: ReasoningOptions,
    inputs: Inputs,
    sample: Sample,
    reads: Sequence[ModelRead],
    every: Sequence[Convention],
    conventions: Mapping[str, Any],
) -> Prepared:
    """Lay out what was read of every model, under every convention that there is of it."""
    laid = _Layout(every, options, sample, [each.sheet for each in reads])
    laid.systems()
    biased = read_biased(inputs, options)
    laid.subjects += bias_subjects(biased, [*inputs.models], options)
    bias_at_worst(laid.subjects, biased, [*inputs.models])
    pairings = [laid.pairing(*two, biased) for two in combinations(range(len(reads)), 2)]
    # Files of models come first and in order; a table holds all of them.
    last = len(inputs.records) - 1
    return Prepared(
        inputs=inputs.records,
        systems=[Named(name, min(number, last)) for number, name in enumerate(inputs.models)],
        subjects=laid.subjects,
        unit=sample.unit,
        n_units=sample.weight.counts.shape[1],
        conventions=conventions,
        warnings=[*inputs.warnings, *_doubts(inputs, len(sample.ids)), *_contradictions(reads)],
        context=Texts(
            inputs, sample, reads, laid.pairs, laid.gaps, laid.bounds, laid.flags, biased
        ),
        pairings=pairings,
        ranked=ranked_by("accuracy_cot", next(iter(every)).name, pairings),
    )


def prepare_bias(given: Given) -> Prepared:
    """Read the cases of bias alone: systems are the models that have some."""
    options: ReasoningOptions = given.options
    inputs = given.sink.inputs if given.sink else read_bias_inputs(given)
    biased = read_biased(inputs, options)
    names = [*biased.models]
    paths = [record.path for record in inputs.records]
    subjects = bias_subjects(biased, names, options)
    bias_at_worst(subjects, biased, names)
    pairings = [
        bias_pairing(biased, two, names, subjects, options.bias_text)
        for two in combinations(range(len(names)), 2)
    ]
    return Prepared(
        inputs=inputs.records,
        systems=[Named(name, paths.index(inputs.bias[name].path)) for name in names],
        subjects=subjects,
        unit="case",
        n_units=len(biased.ids),
        conventions={"bias_text": options.bias_text, "boundaries": options.boundaries},
        warnings=inputs.warnings,
        context=biased,
        pairings=pairings,
    )


def _read(sink: Sink, name: str, options: ReasoningOptions, judge: Judge) -> ModelRead:
    inputs = sink.inputs
    with sink.opened(name, inputs.models[name], judge) as (rows, write_steps):
        return read_model(name, inputs, options, rows, write_steps=write_steps)


def _sample(inputs: Inputs, cluster: str | None) -> Sample:
    vignettes = inputs.vignettes
    assert vignettes is not None  # noqa: S101 - checked when they were read
    names, unit = vignettes.clusters(cluster)
    by_id = dict(zip((each.id for each in vignettes.rows), names, strict=True))
    return Sample.of(inputs.ids, [by_id[each] for each in inputs.ids], unit)


def _doubts(inputs: Inputs, n: int) -> Iterator[str]:
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


@dataclass(slots=True, eq=False)
class _Layout:
    """Systems as subjects: one row per vignette, one row per output, one table per reading.

    All of them are of one variant, the chosen convention, and so share their resamples. Only what
    belongs to a system under that convention is listed; other readings and pairs are read from
    subjects that are not.
    """

    every: Sequence[Convention]
    options: ReasoningOptions
    sample: Sample
    sheets: Sequence[Sheet]
    subjects: list[Subject] = field(default_factory=list)
    gaps: dict[tuple[int, Convention], int] = field(default_factory=dict)
    bounds: dict[int, tuple[int, int]] = field(default_factory=dict)
    flags: list[Flags] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    listed: list[int] = field(default_factory=list)
    """by system: the subject of all its vignettes"""
    outputs: list[_Outputs] = field(default_factory=list)
    pairs: list[dict[Convention, Pairs]] = field(default_factory=list)

    def systems(self) -> None:
        """Add every system, then its gap under every other convention."""
        ids = self.sample.ids
        # A mode that no model was asked in is not one that all of them failed in.
        modes = [mode for mode in MODES if any(sheet.has(mode) for sheet in self.sheets)]
        for sheet in self.sheets:
            asked = Flags.of(sheet, ids, modes)
            flags = asked if self.options.denominator == "all" else Flags.of(sheet, ids)
            known = [each for each in self.every if each.reading in sheet.readings]
            self.flags.append(flags)
            self.asked.append(Asked.of(asked, self.sample, known[0]))
            self.outputs.append(_Outputs.of(sheet, self.sample))
            other = Flags.of(sheet, ids) if flags is asked else asked
            self.pairs.append(
                {
                    each: pairs_under(other if each.denominator else flags, ids, each)
                    for each in known
                }
            )
        for system, pairs in enumerate(self.pairs):
            chosen = next(iter(pairs))
            worst = self._worst(system, self._whole(system))
            # Where what counts is resampled apart, the pairs come right after the whole.
            places = [self._add(system, *each, worst=worst) for each in self._vignettes(system)]
            self.gaps[system, chosen] = places[:2][-1]
            self.listed.append(places[0])
            gaps = self.asked[system].gaps(self.sample)
            if gaps is not None:
                low, high = (self._add(system, rows, (GAP,), listed=False) for rows in gaps)
                self.bounds[system] = low, high
            if self.sheets[system].texts:
                self._add(system, self.outputs[system].rows())
            for each in [*pairs][1:]:
                rows = Rows(pairs[each].columns(), self.sample.weight)
                rows = _counting(rows) if self._apart else rows
                self.gaps[system, each] = self._add(system, rows, (GAP,), listed=False)

    def pairing(self, left: int, right: int, biased: Biased) -> Pairing:
        """Add two systems on what both of them have, and say how much that is."""
        two = (left, right)
        shared = common(*((self.flags[n], self._chosen(n)) for n in two))
        texts = self.outputs[left].measured & self.outputs[right].measured
        both = zip(*(self._vignettes(n, beside=shared) for n in two), strict=True)
        at_worst = [self._against(own, other, shared) for own, other in (two, two[::-1])]
        subjects = [
            self._unlisted(two, [rows for rows, _ in tables], tables[0][1], at_worst)
            for tables in both
        ]
        counts = {"n_common": int(shared.paired.sum())}
        if self.sheets[left].texts:
            rows = [self.outputs[n].rows(texts) for n in two]
            subjects.append(self._unlisted(two, rows))
            counts["n_common_stepped"] = int(shared.stepped.sum())
            counts["n_common_outputs"] = int(texts.sum())
        names = [self.sheets[n].model for n in two]
        text = self.options.bias_text
        cases = biased.shared(names[0], names[1], text)
        if cases is not None:
            rows = [biased.rows(name, text, cases) for name in names]
            subjects.append(self._unlisted(two, rows, variant="", table=BIAS))
            counts["n_common_cases"] = len(cases)
        bars = self._bars(two)
        biases = biased.bars(names[0], names[1], text)
        return Pairing(
            left,
            right,
            counts,
            subjects,
            silent=lambda variant, label: (bars if variant else biases).silent(label),
            barred=lambda variant, label, side: (bars if variant else biases).barred(label, side),
        )

    def _whole(self, system: int, beside: Common | None = None) -> Rows:
        """Return a row per vignette, or of those that another model has too."""
        reading = next(iter(self.pairs[system])).reading
        pairs = self._chosen(system)
        return vignette_rows(self.flags[system], self.sample, pairs, reading, beside=beside)

    def _changed(self, rows: Rows, worst: Rows) -> set[str]:
        return changed_labels((rows, self.options.settings()), (worst, all_counted(self.options)))

    def _worst(self, system: int, printed: Rows) -> int | None:
        """Add a system with everything that was not answered gone wrong, where that matters."""
        rows = self.asked[system].rows(self.sample)
        changed = self._changed(printed, rows)
        if not changed:
            return None
        settings = all_counted(self.options)
        return self._add(system, rows, changed, listed=False, settings=settings)

    def _against(self, own: int, other: int, shared: Common) -> dict[str, Any]:
        """Add one of a pair at its worst on all that the other one has, where that matters.

        What only the other one has is lost by the one that did not answer there.
        """
        if self._apart:
            return {}
        flags = self.flags[other]
        among = Common(self._chosen(other).paired, flags.stepped, flags.present)
        rows = self.asked[own].rows(self.sample, among)
        changed = self._changed(self._whole(own, shared), rows)
        changed |= self._changed(self._whole(other, shared), self._whole(other))
        if not changed:
            return {}
        settings = all_counted(self.options)
        worst = self._add(own, rows, changed, listed=False, settings=settings)
        return {"worst": worst, "beside": self.listed[other]}

    def _bars(self, two: tuple[int, int]) -> Bars:
        """Say which words two systems may not have."""
        left, right = two
        left_out: set[str] = set()
        settings = self.options.settings()
        kept = self.options.denominator == "usable" or self._apart
        if kept or settings != all_counted(self.options):
            left_out = set().union(
                *(self._changed(self._whole(n), self.asked[n].rows(self.sample)) for n in two)
            )
        modes = [*zip(("cot", "early"), MODES, strict=True)]
        refused, hedged = (
            {name: (count(left, mode), count(right, mode)) for name, mode in modes}
            for count in (self._n_refused, lambda n, mode: self.asked[n].hedged(mode))
        )
        return Bars(frozenset(left_out), refused, hedged)

    def _n_refused(self, system: int, mode: Mode) -> int:
        reading = next(iter(self.pairs[system])).reading
        return int(self.flags[system].refused(mode, reading).sum())

    def _chosen(self, system: int) -> Pairs:
        return next(iter(self.pairs[system].values()))

    def _unlisted(
        self,
        two: tuple[int, int],
        rows: Sequence[Rows],
        only: Labels = None,
        at_worst: Sequence[dict[str, Any]] = ({}, {}),
        **more: Any,
    ) -> tuple[int, int]:
        left, right = (
            self._add(n, each, only, listed=False, **more, **worst)
            for n, each, worst in zip(two, rows, at_worst, strict=True)
        )
        return left, right

    @property
    def _apart(self) -> bool:
        return self.options.counted_only and self.sample.independent

    def _vignettes(self, system: int, *, beside: Common | None = None) -> list[tuple[Rows, Labels]]:
        """Return a row per vignette, and apart what is resampled on the rows that count alone."""
        whole = self._whole(system, beside)
        if not self._apart:
            return [(whole, None)]
        parts = [
            Rows({name: whole.columns[name] for name in names}, whole.weight) for names in COUNTED
        ]
        apart = [self._labels(each) for each in parts]
        rest = self._labels(whole).difference(*apart)
        return [(whole, rest), *zip(map(_counting, parts), apart, strict=True)]

    def _labels(self, rows: Rows) -> set[str]:
        asked = requests(tuple(rows.columns), self.options.settings(), family="reasoning")
        return {request.label for request in asked}

    def _add(
        self, system: int, rows: Rows, only: Labels = None, *, listed: bool = True, **more: Any
    ) -> int:
        chosen = next(iter(self.pairs[system]))
        if listed and "present_cot" in rows.columns:
            more |= {
                "counts": self._counts(system),
                "about": {name: getattr(chosen, name) for name in ("reading", "gold", "refusals")},
            }
        if listed and self.sample.independent:
            more["exact"] = _shares(rows.columns)
        subject: dict[str, Any] = {"variant": chosen.name, "settings": self.options.settings()}
        subject |= {"listed": listed, "only": only, **more}
        dependent = None if self.sample.independent else DEPENDENT
        self.subjects.append(Subject(system, rows, dependent=dependent, **subject))
        return len(self.subjects) - 1

    def _counts(self, system: int) -> dict[str, int]:
        """Count who was right, and of all that was asked what was answered in which mode."""
        return {**_correct(self._chosen(system)), **self.asked[system].states()}


def _counting(rows: Rows) -> Rows:
    """Leave out the rows that do not count, and let every other one be a cluster of its own."""
    counts = next(rows.columns[name] for name, *_ in COUNTED if name in rows.columns) > 0
    n = int(counts.sum())
    if not n:
        return rows
    weight = Resamples(np.ones((1, n)), np.arange(n), np.ones(n), ())
    return Rows({name: values[counts] for name, values in rows.columns.items()}, weight)


def _correct(pairs: Pairs) -> dict[str, int]:
    cot, early = pairs.correct_cot, pairs.correct_early
    found = {
        "correct_cot": cot,
        "correct_early": early,
        "only_cot": cot & ~early,
        "only_early": early & ~cot,
    }
    return {name: int(each.sum()) for name, each in found.items()}


def _shares(columns: Mapping[str, Array]) -> dict[str, tuple[int, int]]:
    """Return numbers that are shares of vignettes: how many of how many, where there are some."""
    of = {"accuracy_cot": ("correct_cot", "paired"), "accuracy_early": ("correct_early", "paired")}
    for mode in ("cot", "early"):
        of[f"refusal_rate_{mode}"] = (f"refused_{mode}", f"present_{mode}")
        of[f"failure_rate_{mode}"] = (f"failed_{mode}", f"present_{mode}")
    sums = {name: int(column.sum()) for name, column in columns.items()}
    return {label: (sums[k], sums[n]) for label, (k, n) in of.items() if sums.get(n)}


@dataclass(frozen=True, slots=True, eq=False)
class _Outputs:
    """One model with a place for every vignette and mode, filled or not."""

    ok: Mask
    measured: Mask
    columns: Mapping[str, Array]
    weight: Resamples

    @classmethod
    def of(cls, sheet: Sheet, sample: Sample) -> _Outputs:
        """Lay out the outputs of a model."""
        outputs = [sheet.outputs.get((each, mode)) for each in sample.ids for mode in MODES]
        filled = [out if out is not None and out.ok else None for out in outputs]
        columns = {
            name: np.array([getattr(out, own, 0.0) for out in filled], dtype=np.float64)
            for name, own in MEASURES.items()
        }
        ok = np.array([out is not None for out in filled])
        measured = np.array([out is not None and not out.empty for out in filled])
        return cls(ok, measured, columns, sample.weight)

    def rows(self, among: Mask | None = None) -> Rows:
        """Return a row per output, or per output of some places."""
        kept = self.ok if among is None else among
        cluster = np.repeat(self.weight.cluster, len(MODES))[kept]
        columns = {"measured": self.measured.astype(np.float64), **self.columns}
        weight = Resamples(self.weight.counts, cluster, np.ones(cluster.size), ())
        return Rows({name: column[kept] for name, column in columns.items()}, weight)
