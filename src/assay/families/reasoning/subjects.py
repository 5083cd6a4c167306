"""Models as subjects: under every reading, beside each other, and at worst.

A refusal that leaves a pair, an output that is missing where only those in order count: both take
vignettes out of a number, and whoever loses the hard ones looks better. At worst all that was asked
counts, and what was not answered is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.columns import Array, Resamples
from assay.families.family import Bar, Pairing, Subject, barred
from assay.families.reasoning.bias import BIAS, Biased
from assay.score import Rows, requests
from assay.sources.sheets import (
    MODES,
    NAMES,
    Common,
    Flags,
    Pairs,
    common,
    pairs_under,
    vignette_columns,
)

if TYPE_CHECKING:
    from assay.families.reasoning.options import ReasoningOptions
    from assay.sources.sheets import Convention, Mask, Mode, Sample, Sheet

GAP = "faithfulness_gap"
LEFT_OUT = "what was not answered is left out under these options, so failing could pay"
REFUSED_MORE = "the side it favours refused more often"
HEDGED = (
    "the side it favours names several answers or one that it does not give, or breaks off, more"
    " often; this reading takes one"
)
TAKES_ONE = ("closed-set", "literal", "heuristic")
"""readings that find a label wherever it stands in a text"""
DEPENDENT = "it assumes independent vignettes, and those of one cluster are not"
MEASURES = ("n_words", "verbosity", "format_noise", "complexity")
"""columns of outputs"""
COUNTED = (
    ("paired", "correct_cot", "correct_early"),
    ("stepped", "n_steps", "n_gold_steps", "n_matched_steps"),
)
"""columns that are read together, the first of them saying which rows count"""
Labels = Collection[str] | None


@dataclass(slots=True, eq=False)
class Layout:
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
    """the subject that holds the gap of a system under a convention"""
    bounds: dict[int, tuple[int, int]] = field(default_factory=dict)
    """by system: the subjects of its gap if what was not answered spoke against and for it"""
    flags: list[Flags] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    listed: list[int] = field(default_factory=list)
    """by system: the subject of all its vignettes"""
    outputs: list[_Outputs] = field(default_factory=list)
    pairs: list[dict[Convention, Pairs]] = field(default_factory=list)
    """by system and convention, the chosen one first: who was right on which vignettes"""

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
            self.outputs.append(_Outputs.of(sheet, self.sample, paired=self.options.counted_only))
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
        left_out, bars = self._left_out(two), [*self._bars(two)]
        why, biases = biased.bars(names[0], names[1], text)

        def silent(variant: str, label: str) -> str | None:
            return why if not variant else LEFT_OUT if label in left_out else None

        def bar(variant: str, label: str, side: int) -> str | None:
            return barred(bars if variant else biases, label, side)

        return Pairing(left, right, counts, subjects, silent=silent, barred=bar)

    def _whole(self, system: int, beside: Common | None = None) -> Rows:
        """Return a row per vignette, or of those that another model has too."""
        flags, ids = self.flags[system], self.sample.ids
        chosen, pairs = next(iter(self.pairs[system].items()))
        columns = vignette_columns(flags, ids, pairs, chosen.reading, beside=beside)
        return Rows(columns, self.sample.weight)

    def _changed(self, rows: Rows, worst: Rows) -> set[str]:
        """Return the numbers with a better side that other rows or settings at worst may change."""
        settings, others = self.options.settings(), self._all_counted
        changed = {
            name
            for name, column in rows.columns.items()
            if not np.array_equal(column, worst.columns[name])
        }
        changed |= {name for name in settings if settings[name] != others[name]}
        asked = requests(tuple(rows.columns), settings, family="reasoning")
        return {
            each.label
            for each in asked
            if each.metric.better is not None
            and changed & {*each.metric.columns, *each.metric.optional, *each.metric.options}
        }

    @property
    def _all_counted(self) -> dict[str, Any]:
        """The options of metrics under which chains without steps count."""
        return {**self.options.settings(), "stepless": "zero"}

    def _worst(self, system: int, printed: Rows) -> int | None:
        """Add a system with everything that was not answered gone wrong, where that matters."""
        rows = self.asked[system].rows(self.sample)
        changed = self._changed(printed, rows)
        if not changed:
            return None
        return self._add(system, rows, changed, listed=False, settings=self._all_counted)

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
        worst = self._add(own, rows, changed, listed=False, settings=self._all_counted)
        return {"worst": worst, "beside": self.listed[other]}

    def _left_out(self, two: tuple[int, int]) -> set[str]:
        """Return the numbers that leave something out by a rule that is to be kept."""
        kept = self.options.denominator == "usable" or self._apart
        if not kept and self.options.settings() == self._all_counted:
            return set()
        rows = [(self._whole(n), self.asked[n].rows(self.sample)) for n in two]
        return set().union(*(self._changed(*each) for each in rows))

    def _bars(self, two: tuple[int, int]) -> Iterator[Bar]:
        """Yield how much more often the right one refuses, or names several answers."""
        left, right = (self._hindered(n) for n in two)
        for at, name in enumerate(NAMES.values()):
            yield Bar(right[at][0] - left[at][0], REFUSED_MORE, (f"failure_rate_{name}",))
            yield Bar(right[at][1] - left[at][1], HEDGED, (f"accuracy_{name}",))

    def _hindered(self, system: int) -> list[tuple[int, int]]:
        """Count by mode the refusals, and the texts that the reading takes one answer of."""
        flags, reading = self.flags[system], next(iter(self.pairs[system])).reading
        asked = self.asked[system]
        return [(int(flags.refused(m, reading).sum()), asked.hedged(m)) for m in NAMES]

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
                "counts": {**_correct(self._chosen(system)), **self.asked[system].states()},
                "about": {name: getattr(chosen, name) for name in ("reading", "gold", "refusals")},
            }
        if listed and self.sample.independent:
            more["exact"] = _shares(rows.columns)
        subject: dict[str, Any] = {"variant": chosen.name, "settings": self.options.settings()}
        subject |= {"listed": listed, "only": only, **more}
        subject["keep_width"] = self.options.counted_only
        dependent = None if self.sample.independent else DEPENDENT
        self.subjects.append(Subject(system, rows, dependent=dependent, **subject))
        return len(self.subjects) - 1


def _counting(rows: Rows) -> Rows:
    """Leave out the rows that do not count, and let every other one be a cluster of its own."""
    counts = next(rows.columns[name] for name, *_ in COUNTED if name in rows.columns) > 0
    n = int(counts.sum())
    if not n:
        return rows
    weight = Resamples(np.ones((1, n)), np.arange(n), np.ones(n), ())
    return Rows({name: values[counts] for name, values in rows.columns.items()}, weight)


def _correct(pairs: Pairs) -> dict[str, int]:
    """Count who was right, and where only one of both answers was."""
    cot, early = pairs.correct_cot, pairs.correct_early
    found = {"correct_cot": cot, "correct_early": early}
    found |= {"only_cot": cot & ~early, "only_early": early & ~cot}
    return {name: int(each.sum()) for name, each in found.items()}


def _shares(columns: Mapping[str, Array]) -> dict[str, tuple[int, int]]:
    """Return numbers that are shares of vignettes: how many of how many, where there are some."""
    of = {"accuracy_cot": ("correct_cot", "paired"), "accuracy_early": ("correct_early", "paired")}
    for mode in NAMES.values():
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
    def of(cls, sheet: Sheet, sample: Sample, *, paired: bool) -> _Outputs:
        """Lay out the outputs of a model; `paired`, as for the reference, those of both modes."""
        outputs = [sheet.outputs.get((each, mode)) for each in sample.ids for mode in MODES]
        filled = [out if out is not None and out.ok else None for out in outputs]
        if paired:
            both = [all(filled[at : at + 2]) for at in range(0, len(filled), 2)]
            filled = [out if both[at // 2] else None for at, out in enumerate(filled)]
        columns = {
            name: np.array([getattr(out, name, 0.0) for out in filled], dtype=np.float64)
            for name in MEASURES
        }
        ok = np.array([out is not None for out in filled])
        measured = np.array([out is not None and (paired or not out.empty) for out in filled])
        return cls(ok, measured, columns, sample.weight)

    def rows(self, among: Mask | None = None) -> Rows:
        """Return a row per output, or per output of some places."""
        kept = self.ok if among is None else among
        cluster = np.repeat(self.weight.cluster, len(MODES))[kept]
        columns = {"measured": self.measured.astype(np.float64), **self.columns}
        weight = Resamples(self.weight.counts, cluster, np.ones(cluster.size), ())
        return Rows({name: column[kept] for name, column in columns.items()}, weight)


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One model with all that was asked of it, whatever the options leave out."""

    flags: Flags
    first: Flags
    """without the outputs that took the place of another answer"""
    pairs: Pairs
    """refusals wrong where they would be left out"""
    convention: Convention

    @classmethod
    def of(cls, flags: Flags, sample: Sample, chosen: Convention) -> Asked:
        """Count everything, by flags in which all that was asked counts."""
        wrong = replace(chosen, refusals="wrong") if chosen.refusals == "exclude" else chosen
        first = flags.without_reasked(sample.ids)
        return cls(flags, first, pairs_under(first, sample.ids, wrong), chosen)

    def rows(self, sample: Sample, beside: Common | None = None) -> Rows:
        """Return the model at worst, or only on what another one has.

        A pair that a refusal takes away is lost in both modes.
        """
        reading, found = self.convention.reading, self.pairs
        if self.convention.refusals == "exclude":
            cot, early = (self.first.refused(mode, reading) for mode in MODES)
            kept = ~(cot | early)
            found = Pairs(found.paired, found.correct_cot & kept, found.correct_early & kept)
        columns = vignette_columns(self.first, sample.ids, found, reading, beside=beside)
        return Rows(columns, sample.weight)

    def _states(self, flags: Flags, mode: Mode) -> tuple[Mask, Mask]:
        """Say where a mode failed, and where it refused, if that is told."""
        refused = flags.refused(mode, self.convention.reading)
        refused = refused & (self.convention.refusals != "ignore")
        return flags.failed(mode, self.convention.reading), refused

    def hedged(self, mode: Mode) -> int:
        """Count texts of which the reading takes a label that need not be what they conclude."""
        takes_one = self.convention.reading in TAKES_ONE
        return int(self.flags.hedged(mode).sum()) if takes_one else 0

    def states(self) -> dict[str, int]:
        """Count by mode what was asked, and what became of it."""
        found: dict[str, int] = {}
        for mode, name in NAMES.items():
            asked = int(self.flags.present[mode].sum())
            n_failed, n_refused = (int(each.sum()) for each in self._states(self.flags, mode))
            found |= {
                f"asked_{name}": asked,
                f"answered_{name}": asked - n_failed - n_refused,
                f"abstained_{name}": n_refused,
                f"failed_{name}": n_failed,
            }
        return found

    def gaps(self, sample: Sample) -> tuple[Rows, Rows] | None:
        """Return who is right if what was not answered spoke against and for the chain.

        None where everything was answered.
        """
        states = [self._states(self.first, mode) for mode in MODES]
        cot, early = ((failed | refused) & self.pairs.paired for failed, refused in states)
        if not (cot | early).any():
            return None
        found = self.pairs
        against = Pairs(found.paired, found.correct_cot & ~cot, found.correct_early | early)
        speaks_for = Pairs(found.paired, found.correct_cot | cot, found.correct_early & ~early)
        lowest, highest = (Rows(each.columns(), sample.weight) for each in (against, speaks_for))
        return lowest, highest
