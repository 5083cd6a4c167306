"""Reasoning as records: populations, readings, cases, models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from assay.artifacts import Scalar
from assay.artifacts.reasoning import (
    BiasRecord,
    ModePopulation,
    ReadingGap,
    ReasoningModel,
    ReasoningPopulation,
    Sensitivity,
    StepHistogram,
)
from assay.evaluate.reasoning.sheets import MODES, Convention, Mode, Pairs, Sample, Sheet
from assay.evaluate.scalars import exact_interval

if TYPE_CHECKING:
    from assay.evaluate.reasoning.models import ModelRead
    from assay.evaluate.reasoning.numbers import Numbers
    from assay.sources.generations import Index

__all__ = ["model_record", "sign_warning"]

MOST_IDS = 20
BINS = 10
DEPENDENT = "it assumes independent vignettes, and those of one cluster are not"


def model_record(
    number: int,
    read: ModelRead,
    index: Index,
    sample: Sample,
    numbers: Numbers,
    *,
    bias: BiasRecord | None,
) -> ReasoningModel:
    """Write down one model."""
    sheet, conventions = read.sheet, numbers.conventions
    chosen = conventions[0]
    pairs = numbers.readings[number, chosen][1]
    metrics = numbers.metrics(number)
    population = _population(read, index, sample, chosen, pairs)
    if sample.independent:
        metrics = _with_exact_intervals(metrics, population, pairs, numbers.plan.level)
    else:
        test = metrics["mcnemar_p_value"]
        metrics["mcnemar_p_value"] = msgspec.structs.replace(test, value=None, reason=DEPENDENT)
    return ReasoningModel(
        name=sheet.model,
        population=population,
        metrics=metrics,
        correct_cot=int(pairs.correct_cot.sum()),
        correct_early=int(pairs.correct_early.sum()),
        only_cot=int((pairs.correct_cot & ~pairs.correct_early).sum()),
        only_early=int((pairs.correct_early & ~pairs.correct_cot).sum()),
        sensitivity=_sensitivity(number, numbers, conventions),
        step_f1=_histogram(read.f1),
        n_cases=len(read.f1),
        cases=read.cases,
        n_outputs=len(sheet.outputs),
        outputs=read.outputs,
        bias=bias,
    )


def _with_exact_intervals(
    metrics: Mapping[str, Scalar], population: ReasoningPopulation, pairs: Pairs, level: float
) -> dict[str, Scalar]:
    """Give shares of independent vignettes their exact interval, which 0 and 1 have too."""
    shares = {
        "accuracy_cot": (int(pairs.correct_cot.sum()), population.pairs_used),
        "accuracy_early": (int(pairs.correct_early.sum()), population.pairs_used),
    }
    for name, mode in (("cot", population.cot), ("early", population.direct)):
        n = mode.answered + mode.refused + mode.failed
        shares[f"refusal_rate_{name}"] = (mode.refused, n)
        shares[f"failure_rate_{name}"] = (mode.failed, n)
    exact = {label: exact_interval(k, n, level) for label, (k, n) in shares.items() if n}
    return {
        label: msgspec.structs.replace(each, exact_interval=exact.get(label))
        for label, each in metrics.items()
    }


def _population(
    read: ModelRead, index: Index, sample: Sample, chosen: Convention, pairs: Pairs
) -> ReasoningPopulation:
    sheet = read.sheet
    usable = [_usable(sheet, mode, sample.ids) for mode in MODES]
    refused = [
        {each for each in ids if sheet.outputs[each, mode].refuses(chosen.reading)}
        for mode, ids in zip(MODES, usable, strict=True)
    ]
    both = usable[0] & usable[1]
    return ReasoningPopulation(
        vignettes=len(sample.ids),
        lines=index.n_lines,
        blank_lines=index.n_blank,
        broken_lines=index.n_broken,
        first_broken=list(index.first_broken),
        duplicates=index.n_duplicates,
        unknown_ids=read.n_unknown,
        unknown_modes=index.n_unknown_modes,
        cot=_mode_population(sheet, "cot", sample.ids, chosen.reading),
        direct=_mode_population(sheet, "direct", sample.ids, chosen.reading),
        pairs=len(both),
        pairs_refused=len(both & (refused[0] | refused[1])),
        pairs_used=int(pairs.paired.sum()),
        stepped=len(sheet.steps),
    )


def _usable(sheet: Sheet, mode: Mode, ids: Sequence[str]) -> set[str]:
    return {each for each in ids if (out := sheet.outputs.get((each, mode))) and out.ok}


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


def _sensitivity(number: int, numbers: Numbers, conventions: Sequence[Convention]) -> Sensitivity:
    readings = []
    for each in conventions:
        if (number, each) not in numbers.readings:
            continue
        gap, pairs = numbers.gap(number, each), numbers.readings[number, each][1]
        readings.append(_reading(each, gap, pairs, chosen=each == conventions[0]))
    gaps = [each.gap.value for each in readings if each.gap.value is not None]
    return Sensitivity(
        readings=readings,
        lowest=min(gaps, default=None),
        highest=max(gaps, default=None),
        sign_depends=bool(gaps) and min(gaps) < 0 < max(gaps),
    )


def _reading(convention: Convention, gap: Scalar, pairs: Pairs, *, chosen: bool) -> ReadingGap:
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


def sign_warning(model: ReasoningModel) -> str | None:
    """Say so where the sign of the gap hangs on how texts are read."""
    found = model.sensitivity
    if not found.sign_depends:
        return None
    ends = [_extreme(found, smallest) for smallest in (min, max)]
    return (
        f"{model.name}: whether reasoning helps depends on how texts are read: the gap goes from"
        f" {ends[0]} to {ends[1]}"
    )


def _extreme(found: Sensitivity, choose: Callable[..., ReadingGap]) -> str:
    known = [each for each in found.readings if each.gap.value is not None]
    chosen = choose(known, key=lambda each: each.gap.value)
    return f"{chosen.gap.value:+.3f} ({chosen.name})"


def _histogram(f1: Sequence[float]) -> StepHistogram:
    edges = np.linspace(0.0, 1.0, BINS + 1).round(10)
    counts, _ = np.histogram(np.array(f1, dtype=np.float64), bins=edges)
    return StepHistogram(edges=edges.tolist(), counts=counts.tolist())
