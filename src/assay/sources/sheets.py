"""Outputs as columns: one row per vignette and model, under every reading of the texts.

All models are about the same vignettes, in one order, so that one set of resamples serves them all
and every difference is paired.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from assay.columns import Resamples
from assay.derive.answers import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array

    Mask: TypeAlias = NDArray[np.bool_]

Mode = Literal["cot", "direct"]
MODES: tuple[Mode, Mode] = ("cot", "direct")
NAMES: Mapping[Mode, str] = {"cot": "cot", "direct": "early"}
"""what modes are called in columns and numbers"""
Refusals = Literal["exclude", "wrong", "ignore"]
Denominator = Literal["all", "usable"]


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to read the texts and to count."""

    reading: str
    gold: str
    refusals: Refusals
    denominator: Denominator | None = None
    """what is counted, where it is not what was chosen"""

    @property
    def name(self) -> str:
        """The convention in words: reading, gold, what refusals count."""
        return f"{self.denominator or self.reading}, {self.gold}, {self.refusals}"


@dataclass(frozen=True, slots=True)
class Output:
    """What was read from one output; no text but its start."""

    id: str
    mode: Mode
    ok: bool
    """whether its status is in order"""
    empty: bool
    outcome: Outcome | None
    """None where the status is not in order"""
    method: str
    answers: Mapping[str, str | None]
    """by reading: what the text answers, refusals aside"""
    refused: Mapping[str, bool]
    """by reading: whether it refuses"""
    right: Mapping[tuple[str, str], bool]
    """by reading and gold: whether the answer is right, refusals aside"""
    n_words: int = 0
    verbosity: float = 0.0
    format_noise: float = 0.0
    complexity: float = 0.0
    text: str = ""
    state: str | None = None
    """what the text does, where it was read for what it announces"""
    hedged: bool = False
    """it names labels and gives none, or breaks off: some readings find the right one in it"""

    def refuses(self, reading: str) -> bool:
        """Say whether it refuses to answer."""
        return self.refused.get(reading, False)

    def fails(self, reading: str) -> bool:
        """Say whether it neither answers nor refuses; the literal reading takes any text."""
        answered = not self.empty if reading == "literal" else self.answers.get(reading) is not None
        return not answered and not self.refuses(reading)


@dataclass(frozen=True, slots=True)
class Steps:
    """How many steps of one chain of thought met gold ones."""

    n_steps: int
    n_gold_steps: int
    n_matched: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 where there are no steps at all."""
        return 2 * self.n_matched / max(1, self.n_steps + self.n_gold_steps)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The vignettes that all models are about, and their clusters."""

    ids: tuple[str, ...]
    weight: Resamples
    unit: str
    clusters: Sequence[object]

    @classmethod
    def of(cls, ids: Sequence[str], clusters: Sequence[str], unit: str) -> Sample:
        """Number the clusters in the order of their names."""
        names, code = np.unique(np.array(clusters, dtype=np.str_), return_inverse=True)
        weight = Resamples(np.ones((1, names.size)), code, np.ones(len(ids)), ())
        return cls(tuple(ids), weight, unit, names.tolist())

    @property
    def independent(self) -> bool:
        """Whether every vignette is a cluster of its own."""
        return bool(self.weight.counts.shape[1] == len(self.ids))


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One model: its outputs by vignette, and its steps."""

    model: str
    outputs: Mapping[tuple[str, str], Output]
    steps: Mapping[str, Steps]
    golds: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """by kind of gold: the vignettes that have one"""
    readings: frozenset[str] = frozenset()
    """the readings that there are of it"""
    texts: bool = True
    """whether its outputs are texts, which have steps and a length"""
    gold_steps: Mapping[str, int] = field(default_factory=dict)
    """how many steps the gold reasoning of a vignette has, where there is one"""

    reasked: frozenset[tuple[str, str]] = frozenset()
    """outputs that took the place of another answer, by vignette and mode"""

    def has(self, mode: Mode) -> bool:
        """Say whether there is an output in a mode, in order or not."""
        return any(own == mode for _, own in self.outputs)


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """One model with a row per vignette, every fact a flag."""

    sheet: Sheet
    ok: Mapping[Mode, Mask]
    present: Mapping[Mode, Mask]
    """what counts in a mode: all that was asked, or what is in order"""
    stepped: Mask
    _by_mode: Mapping[Mode, Sequence[Output | None]]
    counts: dict[str, Array] = field(default_factory=dict)
    """of steps, once they were asked for"""
    _known: dict[Any, Mask] = field(default_factory=dict)

    @classmethod
    def of(cls, sheet: Sheet, ids: Sequence[str], asked: Collection[Mode] = ()) -> Flags:
        """Put the outputs of a model in the order of the vignettes; all of `asked` modes count."""
        by_mode = {mode: [sheet.outputs.get((each, mode)) for each in ids] for mode in MODES}
        ok = {mode: _mask(out is not None and out.ok for out in by_mode[mode]) for mode in MODES}
        present = {mode: own | (mode in asked) for mode, own in ok.items()}
        stepped = present["cot"] & _mask(each in sheet.gold_steps for each in ids)
        return cls(sheet, ok, present, stepped, by_mode)

    def without_reasked(self, ids: Sequence[str]) -> Flags:
        """Return the flags without what was asked again although there was an answer."""
        sheet = self.sheet
        if not sheet.reasked:
            return self
        outputs = {key: out for key, out in sheet.outputs.items() if key not in sheet.reasked}
        steps = {i: each for i, each in sheet.steps.items() if (i, "cot") not in sheet.reasked}
        asked = [mode for mode in MODES if self.present[mode].all()]
        return Flags.of(replace(sheet, outputs=outputs, steps=steps), ids, asked)

    def refused(self, mode: Mode, reading: str) -> Mask:
        """Say which outputs refuse."""
        return self._flags(("refused", mode, reading), mode, lambda out: out.refuses(reading))

    def failed(self, mode: Mode, reading: str) -> Mask:
        """Say which of what counts neither answers nor refuses: missing and broken ones too."""
        fails = self._flags(("failed", mode, reading), mode, lambda out: out.fails(reading))
        return fails | (self.present[mode] & ~self.ok[mode])

    def hedged(self, mode: Mode) -> Mask:
        """Say which outputs name more than one label, or break off before they conclude."""
        return self._flags(("hedged", mode), mode, lambda out: out.hedged)

    def right(self, mode: Mode, reading: str, gold: str) -> Mask:
        """Say which answers are right, refusals aside."""
        key = (reading, gold)
        return self._flags(("right", mode, key), mode, lambda out: out.right.get(key, False))

    def _flags(self, key: Any, mode: Mode, flag: Callable[[Output], bool]) -> Mask:
        if key not in self._known:
            outputs = self._by_mode[mode]
            self._known[key] = _mask([out is not None and out.ok and flag(out) for out in outputs])
        return self._known[key]


def _mask(flags: Iterable[bool]) -> Mask:
    return np.fromiter(flags, dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Who was right, vignette by vignette, under one convention."""

    paired: Mask
    correct_cot: Mask
    correct_early: Mask

    def columns(self, common: Mask | None = None) -> dict[str, Array]:
        """Return the columns, on the vignettes in common if there are others to compare with."""
        paired = self.paired if common is None else self.paired & common
        return {
            "paired": _column(paired),
            "correct_cot": _column(self.correct_cot & paired),
            "correct_early": _column(self.correct_early & paired),
        }


def _column(flags: Mask) -> Array:
    return flags.astype(np.float64)


def pairs_under(flags: Flags, ids: Sequence[str], convention: Convention) -> Pairs:
    """Say which vignettes count and who was right on them."""
    reading, gold = convention.reading, convention.gold
    labelled = flags.sheet.golds.get(gold, frozenset())
    paired = _mask(each in labelled for each in ids)
    paired &= flags.present["cot"] & flags.present["direct"]
    right = {mode: flags.right(mode, reading, gold) for mode in MODES}
    for mode in MODES:
        if convention.refusals == "exclude":
            paired &= ~flags.refused(mode, reading)
        elif convention.refusals == "wrong":
            right[mode] = right[mode] & ~flags.refused(mode, reading)
    return Pairs(paired, right["cot"] & paired, right["direct"] & paired)


def vignette_columns(
    flags: Flags, ids: Sequence[str], pairs: Pairs, reading: str, *, beside: Common | None = None
) -> dict[str, Array]:
    """Return one model with a row per vignette: answers, outcomes, and of texts the steps.

    Beside another model only what both have counts. Metrics may read any of the columns together.
    """
    columns = pairs.columns(None if beside is None else beside.paired)
    for mode, name in NAMES.items():
        present = flags.present[mode]
        present = present if beside is None else present & beside.present[mode]
        refused, failed = flags.refused(mode, reading), flags.failed(mode, reading)
        columns |= {f"present_{name}": _column(present), f"refused_{name}": _column(refused)}
        columns[f"failed_{name}"] = _column(failed)
    if flags.sheet.texts:
        columns |= _step_columns(flags, ids, None if beside is None else beside.stepped)
    return columns


def _step_columns(flags: Flags, ids: Sequence[str], common: Mask | None) -> dict[str, Array]:
    sheet, counts = flags.sheet, flags.counts
    if not counts:
        none = {each: Steps(0, n, 0) for each, n in sheet.gold_steps.items()}
        steps = [sheet.steps.get(each) or none.get(each, Steps(0, 0, 0)) for each in ids]
        counts["n_steps"] = np.array([each.n_steps for each in steps], dtype=np.float64)
        counts["n_gold_steps"] = np.array([each.n_gold_steps for each in steps], dtype=np.float64)
        counts["n_matched_steps"] = np.array([each.n_matched for each in steps], dtype=np.float64)
    stepped = flags.stepped if common is None else flags.stepped & common
    return {"stepped": _column(stepped), **counts}


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """What two models have in common, vignette by vignette."""

    paired: Mask
    stepped: Mask
    present: Mapping[Mode, Mask]


def common(left: tuple[Flags, Pairs], right: tuple[Flags, Pairs]) -> Common:
    """Return what both of two models have."""
    return Common(
        left[1].paired & right[1].paired,
        left[0].stepped & right[0].stepped,
        {mode: left[0].present[mode] & right[0].present[mode] for mode in MODES},
    )
