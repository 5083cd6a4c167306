"""What reasoning has beside its numbers: who is counted, other readings, cases, rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import UNSET, UnsetType

from assay.artifact import Artifact, NoParts, Number, Record, Scalar, System
from assay.families.reasoning.bias import UNANSWERED, BiasParts, bias_parts
from assay.families.reasoning.cases import OutputRow, StepCase, output_row, short, step_case
from assay.families.reasoning.subjects import GAP, HEDGED, LEFT_OUT
from assay.numbers import scalar
from assay.sources.sheets import MODES, Convention, Mode, Pairs, Sheet

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.family import Evaluated, Key
    from assay.families.reasoning.inputs import Texts
    from assay.inference import Replicate

MOST_IDS = 20
BINS = 10
BIAS = ""
"""the variant of the numbers of bias, which no reading changes"""
BIAS_NUMBERS = ("bias_rate", "silent_bias_rate")


class ModePopulation(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What there is of one mode, vignette by vignette: missing + not_ok + empty + judged."""

    missing: int
    not_ok: int
    """a status other than ok"""
    empty: int
    """ok, without any text: the model failed to answer, counted in `failed` too"""
    answered: int
    refused: int
    failed: int
    """no answer was found in the text, or there was no text"""
    none: int = 0
    """of those answered: no label applies, where read for what is announced"""
    outside: int = 0
    """of those answered: with something that is no label"""
    undecided: int = 0
    """of those failed: several labels and none preferred"""
    missing_ids: list[str]
    """the first of them"""


class Population(Record, frozen=True, kw_only=True):
    """What was read of one model, and what its numbers are computed on."""

    vignettes: int
    lines: int
    blank_lines: int
    broken_lines: int
    first_broken: list[int]
    """line numbers, counted from 1, of the first of them"""
    duplicates: int
    """rows replaced by a later one of the same vignette and mode"""
    reasked: int = 0
    """outputs that took the place of another answer, which was in order too"""
    unknown_ids: int
    """rows whose vignette is not in the file of vignettes"""
    unscored: int | UnsetType = UNSET
    """rows whose vignette has no gold to compare them with and is left out, if there are some"""
    unknown_modes: int
    cot: ModePopulation
    direct: ModePopulation
    pairs: int
    """vignettes with both modes in order and a gold answer"""
    pairs_refused: int
    """pairs in which a mode is refused"""
    pairs_used: int
    """pairs that accuracies and the gap are computed on"""
    stepped: int
    """vignettes with gold steps that count: missing and broken chains count 0"""


class ReadingGap(Record, frozen=True, kw_only=True):
    """Accuracies and their gap under one reading of the text."""

    name: str
    reading: str
    gold: str
    refusals: str
    chosen: bool
    """whether the numbers of the system are of this reading"""
    pairs: int
    correct_cot: int
    correct_early: int
    accuracy_cot: Number
    accuracy_early: Number
    gap: Scalar


class Sensitivity(Record, frozen=True, kw_only=True):
    """How much the gap depends on how texts are read."""

    readings: list[ReadingGap]
    lowest: Number
    highest: Number
    sign_depends: bool
    """one reading has a gap above 0 and another one below"""


class GapBounds(Record, frozen=True, kw_only=True):
    """The gap of all that was asked, if what was not answered had gone one way or the other."""

    lowest: Scalar
    """against the chain of thought: wrong with it, right without"""
    highest: Scalar


class StepHistogram(Record, frozen=True, kw_only=True):
    """How many vignettes have a Step-F1 in each bin, left-closed, the last one closed."""

    edges: list[float]
    counts: list[int]


class ReasoningParts(Record, frozen=True, kw_only=True):
    """What one system has beside its numbers."""

    population: Population
    sensitivity: Sensitivity
    step_f1: StepHistogram
    n_cases: int
    cases: list[StepCase]
    """the first of them"""
    n_outputs: int
    outputs: list[OutputRow]
    """the first of them: those that readings disagree about, refusals and failures before others"""
    bias: BiasParts | None
    """null without outputs for cases of bias"""
    gap_bounds: GapBounds | None = None
    """null where everything was answered"""


class Place(Record, frozen=True, kw_only=True):
    """A system in a ranking."""

    system: int
    rank: int
    """from 1; equal numbers share the smaller rank"""
    rank_interval: tuple[int, int] | None
    """where the rank lies on the resamples"""


class Ranking(Record, frozen=True, kw_only=True):
    """Systems by one number, the best first; the largest first where neither is better.

    All of them on all that was asked: what a system did not answer counts against it.
    """

    metric: str
    places: list[Place]


class ReasoningWhole(Record, frozen=True, kw_only=True):
    """What all systems are about, and how they rank."""

    labels: list[str]
    """the closed set"""
    n_vignettes: int
    rankings: list[Ranking]


ReasoningArtifact = Artifact[NoParts, ReasoningParts, ReasoningWhole]
ReasoningSystem = System[NoParts, ReasoningParts]


def bias_numbers(system: System[NoParts, Any]) -> Mapping[str, Scalar]:
    """Return the numbers of bias, where there are some."""
    return system.variants[BIAS].numbers if BIAS in system.variants else {}


def system_parts(evaluated: Evaluated, number: int, _: Any) -> ReasoningParts:
    """Write down what belongs to one system."""
    texts: Texts = evaluated.prepared.context
    read, chosen = texts.reads[number], next(iter(texts.laid.pairs[number]))
    gold, steps = texts.inputs.golds[chosen.gold], read.sheet.steps
    population = _population(texts, number)
    no_steps = [0.0] * (population.stepped - len(steps))
    bounds = [scalar(evaluated, (place, GAP)) for place in texts.laid.bounds.get(number, ())]
    return ReasoningParts(
        population=population,
        sensitivity=_sensitivity(evaluated, number),
        step_f1=_histogram([*(each.f1 for each in steps.values()), *no_steps]),
        n_cases=len(steps),
        cases=[short(step_case(each)) for each in read.chains],
        n_outputs=len(read.sheet.outputs),
        outputs=[output_row(each, gold.get(each.id), chosen) for each in read.outputs],
        bias=bias_parts(evaluated, number, texts.biased),
        gap_bounds=GapBounds(lowest=bounds[0], highest=bounds[1]) if bounds else None,
    )


def bias_alone(evaluated: Evaluated, number: int, _: Any) -> BiasParts | None:
    """Write down the bias of one system where nothing else was read."""
    return bias_parts(evaluated, number, evaluated.prepared.context)


def whole_parts(evaluated: Evaluated) -> ReasoningWhole:
    """Name the closed set, and rank the systems."""
    texts: Texts = evaluated.prepared.context
    return ReasoningWhole(
        labels=[each.name for each in texts.inputs.labels.labels],
        n_vignettes=len(texts.laid.sample.ids),
        rankings=_rankings(evaluated),
    )


def _population(texts: Texts, number: int) -> Population:
    read, ids, flags = texts.reads[number], texts.laid.sample.ids, texts.laid.flags[number]
    index = texts.inputs.models[read.sheet.model]
    convention, pairs = next(iter(texts.laid.pairs[number].items()))
    reading = convention.reading
    both = flags.ok["cot"] & flags.ok["direct"]
    refused = flags.refused("cot", reading) | flags.refused("direct", reading)
    cot, direct = (_mode_population(read.sheet, mode, ids, reading) for mode in MODES)
    return Population(
        vignettes=len(ids),
        lines=index.n_lines,
        blank_lines=index.n_blank,
        broken_lines=index.n_broken,
        first_broken=list(index.first_broken),
        duplicates=index.n_duplicates,
        reasked=len(index.reasked),
        unknown_ids=read.n_unknown,
        unscored=read.n_unscored or UNSET,
        unknown_modes=index.n_unknown_modes,
        cot=cot,
        direct=direct,
        pairs=int(both.sum()),
        pairs_refused=int((both & refused).sum()),
        pairs_used=int(pairs.paired.sum()),
        stepped=int(flags.stepped.sum()),
    )


def _mode_population(sheet: Sheet, mode: Mode, ids: Sequence[str], reading: str) -> ModePopulation:
    missing = [each for each in ids if (each, mode) not in sheet.outputs]
    outputs = [sheet.outputs[each, mode] for each in ids if (each, mode) in sheet.outputs]
    judged = [out for out in outputs if out.ok]
    n_refused = sum(out.refuses(reading) for out in judged)
    n_failed = sum(out.fails(reading) for out in judged)
    return ModePopulation(
        missing=len(missing),
        not_ok=len(outputs) - len(judged),
        empty=sum(out.empty for out in judged),
        answered=len(judged) - n_refused - n_failed,
        refused=n_refused,
        failed=n_failed,
        none=sum(out.state == "none" for out in judged),
        outside=sum(out.state == "outside" for out in judged),
        undecided=sum(out.state == "undecided" for out in judged),
        missing_ids=missing[:MOST_IDS],
    )


def _sensitivity(evaluated: Evaluated, number: int) -> Sensitivity:
    texts: Texts = evaluated.prepared.context
    readings = [
        _reading(
            each, pairs, scalar(evaluated, (texts.laid.gaps[number, each], GAP)), chosen=not place
        )
        for place, (each, pairs) in enumerate(texts.laid.pairs[number].items())
    ]
    gaps = [each.gap.value for each in readings if each.gap.value is not None]
    return Sensitivity(
        readings=readings,
        lowest=min(gaps, default=None),
        highest=max(gaps, default=None),
        sign_depends=bool(gaps) and min(gaps) < 0 < max(gaps),
    )


def _reading(convention: Convention, pairs: Pairs, gap: Scalar, *, chosen: bool) -> ReadingGap:
    n, cot, early = (
        int(each.sum()) for each in (pairs.paired, pairs.correct_cot, pairs.correct_early)
    )
    return ReadingGap(
        name=convention.name,
        reading=convention.reading,
        gold=convention.gold,
        refusals=convention.refusals,
        chosen=chosen,
        pairs=n,
        correct_cot=cot,
        correct_early=early,
        accuracy_cot=cot / n if n else None,
        accuracy_early=early / n if n else None,
        gap=gap,
    )


def _histogram(f1: Sequence[float]) -> StepHistogram:
    edges = np.linspace(0.0, 1.0, BINS + 1).round(10)
    counts, _ = np.histogram(np.array(f1, dtype=np.float64), bins=edges)
    return StepHistogram(edges=edges.tolist(), counts=counts.tolist())


def _rankings(evaluated: Evaluated) -> list[Ranking]:
    """Rank the systems by every number that has a better side and that all have, and by the gap."""
    n = len(evaluated.prepared.systems)
    keys: dict[str, list[Key]] = {}
    for place, subject in enumerate(evaluated.subjects):
        for label, request in evaluated.asked[place].items() if subject.listed else ():
            better = request.metric.better is not None or label == GAP
            if request.metric.interval and better:
                keys.setdefault(label, []).append((place, label))
    found = {label: own for label, own in keys.items() if len(own) == n > 1}
    return [
        _ranking(evaluated, label, own)
        for label, own in found.items()
        if not _lets_failing_pay(evaluated, label, own)
    ]


def _lets_failing_pay(evaluated: Evaluated, label: str, keys: Sequence[Key]) -> bool:
    """Say whether a rule that is to be kept would put somebody first who answered less."""
    sign = 1.0 if evaluated.asked[keys[0][0]][label].metric.better == "higher" else -1.0
    for pairing in evaluated.prepared.pairings or ():
        left, right = keys[pairing.left], keys[pairing.right]
        variant = evaluated.subjects[left[0]].variant
        if pairing.silent(variant, label) in {LEFT_OUT, UNANSWERED}:
            return True
        points = [evaluated.replicates[key].point for key in (left, right)]
        side = int(np.sign(np.nan_to_num(sign * (points[1] - points[0]))))
        if side and pairing.barred(variant, label, side) == HEDGED:
            return True
    return False


def _ranking(evaluated: Evaluated, label: str, keys: Sequence[Key]) -> Ranking:
    """Rank systems whose numbers come in the order of the systems."""
    replicates = [_at_worst(evaluated, number, key) for number, key in enumerate(keys)]
    better = evaluated.asked[keys[0][0]][label].metric.better
    sign = 1.0 if better == "lower" else -1.0
    points = sign * np.array([each.point for each in replicates])
    ranks = _ranks(points[:, None])[:, 0]
    intervals = _rank_intervals(replicates, sign, evaluated.plan.level)
    order = sorted(range(len(keys)), key=lambda n: (np.isnan(points[n]), ranks[n], n))
    places = [Place(system=n, rank=int(ranks[n]), rank_interval=intervals[n]) for n in order]
    return Ranking(metric=label, places=places)


def _at_worst(evaluated: Evaluated, number: int, key: Key) -> Replicate:
    """Return what a system is ranked by: all that was asked, what was not answered against it."""
    bounds = evaluated.prepared.context.laid.bounds
    if key[1] == GAP and number in bounds:
        return evaluated.replicates[bounds[number][0], GAP]
    return evaluated.at_worst(key) or evaluated.replicates[key]


def _ranks(values: Array) -> Array:
    """Rank every column from the smallest, equals sharing the smaller rank; NaN comes last."""
    filled = np.where(np.isnan(values), np.inf, values)
    ranks: Array = 1.0 + (filled[None, :, :] < filled[:, None, :]).sum(1)
    return ranks


def _rank_intervals(
    replicates: Sequence[Replicate], sign: float, level: float
) -> list[tuple[int, int] | None]:
    drawn = sign * np.array([each.distribution for each in replicates])
    drawn = drawn[:, ~np.isnan(drawn).any(0)]
    if not drawn.shape[1]:
        return [None] * len(replicates)
    tails = [(1 - level) / 2, (1 + level) / 2]
    ends = np.quantile(_ranks(drawn), tails, axis=1, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in ends.T]


def warnings(_: Evaluated, artifact: ReasoningArtifact) -> Iterator[str]:
    """Say so where the sign of a gap hangs on how texts are read."""
    for system in artifact.systems:
        found = system.parts.sensitivity
        if found.sign_depends:
            every = [(each.gap.value, each.name) for each in found.readings]
            known = [(gap, name) for gap, name in every if gap is not None]
            ends = (choose(known, key=lambda each: each[0]) for choose in (min, max))
            low, high = (f"{gap:+.3f} ({name})" for gap, name in ends)
            yield (
                f"{system.name}: whether reasoning helps depends on how texts are read: the gap"
                f" goes from {low} to {high}"
            )
