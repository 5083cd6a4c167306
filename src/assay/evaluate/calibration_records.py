"""From replicates to the calibration artifact: numbers, bins, the cumulative curve, warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from assay import _kernels as kernels
from assay.artifacts import Delta, Resampling, Tool
from assay.artifacts.calibration import (
    CalibrationArtifact,
    CalibrationGroup,
    CalibrationInput,
    CalibrationPair,
    CalibrationPopulation,
    CalibrationSystem,
    ClassCount,
)
from assay.evaluate.calibration_curves import cumulative_record, reliability_record
from assay.evaluate.calibration_tests import redrawn_p_values
from assay.evaluate.groups import of_rows, side_scalars
from assay.evaluate.scalars import deltas, scalar
from assay.metrics.calibration.multiclass import multiclass_nll, stated_for_class
from assay.metrics.calibration.scores import SKLEARN_CLIP, nll, stated_for_outcome
from assay.showing import counted

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.evaluate.calibration_options import CalibrationOptions
    from assay.evaluate.forecasts import Forecast, Forecasts
    from assay.evaluate.scoring import Scored, Side
    from assay.inference import Plan
    from assay.sources.items import Source

__all__ = ["CalibrationResult", "calibration_artifact"]

P_VALUES_OF_CLUSTERS = (
    "p-values of calibration take rows as independent: where those of a cluster are alike, they"
    " are too small, while the intervals hold"
)
FEW_ROWS = 20
"""A bin with fewer rows says little: its accuracy is good to about a tenth at best."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationResult:
    """All that an artifact is made of; sides are the systems of all inputs, in order."""

    inputs: Sequence[Forecasts]
    sides: Sequence[Side]
    options: CalibrationOptions
    plan: Plan
    scored: Scored

    def systems(self) -> list[tuple[int, Forecasts, Forecast]]:
        """Return every system with the input it is from."""
        return [(n, each, system) for n, each in enumerate(self.inputs) for system in each.systems]


def calibration_artifact(result: CalibrationResult, *, created_at: str) -> CalibrationArtifact:
    """Write everything down."""
    numbers = range(len(result.sides))
    with ThreadPoolExecutor(result.plan.threads) as pool:
        systems = list(pool.map(lambda number: _system(result, number), numbers))
    return CalibrationArtifact(
        tool=Tool(name="assay", version=version("assay"), engine=kernels.ENGINE),
        created_at=created_at,
        inputs=[_input(each) for each in result.inputs],
        population=_population(result),
        conventions=result.options.conventions(result.inputs[0]),
        resampling=_resampling(result),
        warnings=[*_warnings(result, systems)],
        systems=systems,
        pairs=[
            CalibrationPair(left=0, right=right, deltas=_deltas(result, right))
            for right in numbers[1:]
        ],
    )


def _input(given: Forecasts) -> CalibrationInput:
    source = given.source
    return CalibrationInput(
        path=_spelled(source.path),
        sha256=source.sha256,
        format=source.format,
        mode=source.mode,
        run_id=source.run_id,
        git_commit=source.git_commit,
        n_rows=given.n_read,
        n_unscored=given.n_unscored,
        n_abstained=given.n_abstained,
    )


def _population(result: CalibrationResult) -> CalibrationPopulation:
    first = result.inputs[0]
    return CalibrationPopulation(
        n_rows=first.n_rows,
        n_clusters=len(first.clusters) if first.clustered else None,
        n_classes=len(first.classes) or None,
    )


def _resampling(result: CalibrationResult) -> Resampling:
    plan, first = result.plan, result.inputs[0]
    return Resampling(
        unit=first.unit,
        n_units=len(first.clusters),
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        stream=plan.stream,
        level=plan.level,
        method=plan.method,
    )


def _system(result: CalibrationResult, number: int) -> CalibrationSystem:
    source, given, system = result.systems()[number]
    rows, plan = result.sides[number].variants[""], result.plan
    labels = result.scored.labels(number, "")
    return CalibrationSystem(
        name=_name(result, number),
        input=source,
        columns=list(system.given),
        n_rows=given.n_rows,
        n_positive=int(system.columns["correct"].sum()),
        metrics={
            **{label: scalar(result.scored, (number, "", label), result.plan) for label in labels},
            **redrawn_p_values(system.columns, result.options, plan),
        },
        over_classes=[label for label in labels if _over_classes(result, number, label)],
        reliability=reliability_record(
            rows, result.options.bins(), plan, clustered=given.clustered
        ),
        reliability_interval="cluster bootstrap" if given.clustered else "clopper-pearson",
        cumulative=cumulative_record(rows, result.options.ties, plan),
        classes=[*_classes(given, system)],
        groups=[*_groups(result, number)],
    )


def _groups(result: CalibrationResult, number: int) -> Iterator[CalibrationGroup]:
    _, given, _ = result.systems()[number]
    if given.groups is None:
        return
    side = result.sides[number]
    for code in np.unique(given.groups.code):
        rows = of_rows(side.variants[""], np.flatnonzero(given.groups.code == code))
        columns = rows.columns
        yield CalibrationGroup(
            label=given.groups.names[code],
            n_rows=int(columns["correct"].size),
            n_clusters=int(rows.weight.counts.shape[1]) if given.clustered else None,
            n_positive=int(columns["correct"].sum()),
            metrics={
                **side_scalars(replace(side, variants={"": rows}), result.plan)[""],
                **redrawn_p_values(columns, result.options, result.plan),
            },
        )


def _deltas(result: CalibrationResult, right: int) -> dict[str, Delta]:
    """Write down every difference; that of two p-values means nothing."""
    found = deltas(result.scored, "", right, result.plan)
    asked = result.scored.asked
    return {label: each for label, each in found.items() if asked[0, "", label].metric.interval}


def _over_classes(result: CalibrationResult, number: int, label: str) -> bool:
    return "probabilities" in result.scored.asked[number, "", label].metric.columns


def _name(result: CalibrationResult, number: int) -> str:
    """Name a system by what differs: its columns, its mode or file, or both."""
    names = [system.name for _, _, system in result.systems()]
    if len(set(names)) == len(names):
        return names[number]
    places = [_place(each.source) for _, each, _ in result.systems()]
    if len(set(places)) < len(result.inputs):
        places = [f"input {source}" for source, _, _ in result.systems()]
    return places[number] if len(set(names)) == 1 else f"{places[number]} {names[number]}"


def _place(source: Source) -> str:
    return source.mode or _spelled(PurePath(source.path).name)


def _spelled(path: str) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return path.encode("utf-8", "backslashreplace").decode()


def _classes(given: Forecasts, system: Forecast) -> Iterator[ClassCount]:
    if not given.classes:
        return
    n_classes = len(given.classes)
    label = system.columns["label"].astype(np.int64)
    true = np.bincount(label, minlength=n_classes)
    top = system.columns["probabilities"].argmax(axis=1)
    predicted = np.bincount(top, minlength=n_classes)
    for name, n_true, n_predicted in zip(given.classes, true, predicted, strict=True):
        yield ClassCount(label=str(name), n_true=int(n_true), n_predicted=int(n_predicted))


def _warnings(result: CalibrationResult, systems: Sequence[CalibrationSystem]) -> Iterator[str]:
    for given in result.inputs:
        yield from given.notes
    if result.inputs[0].clustered:
        yield P_VALUES_OF_CLUSTERS
    if len(result.inputs[0].clusters) == 1:
        yield "there is one cluster, so resampling clusters shows no uncertainty"
    for system in systems:
        counts = [each.count for each in system.reliability if each.count]
        thin = [each for each in counts if each < FEW_ROWS]
        if thin:
            bins = counted(len(counts), "occupied bin holds", "occupied bins hold")
            yield (
                f"{system.name}: {len(thin)} of {bins} fewer than"
                f" {FEW_ROWS} rows (the thinnest {min(thin):g}), so their accuracies are vague"
                " and the plug-in ECE is inflated"
            )
    yield from _clipped(result)
    for system in systems:
        yield from _thin_groups(system)
        yield from _beside(system)
    yield from _differing(result)


def _clipped(result: CalibrationResult) -> Iterator[str]:
    """Say where the clip of a likelihood makes a wrong certainty cheaper than it is."""
    clip = result.options.clip
    for number, (_, given, system) in enumerate(result.systems()):
        name = _name(result, number)
        correct, probability = system.columns["correct"], system.columns["probability"]
        stated = stated_for_outcome(correct, probability)
        other = nll(correct, probability, clip=SKLEARN_CLIP)
        yield from _capped(f"{name}: nll", stated, clip, float(other))
        if given.classes:
            label = system.columns["label"].astype(np.int64)
            probabilities = system.columns["probabilities"]
            stated = stated_for_class(label, probabilities)
            other = multiclass_nll(label, probabilities, clip=SKLEARN_CLIP)
            yield from _capped(f"{name}: multiclass_nll", stated, clip, float(other))


def _capped(name: str, stated: Array, clip: float, other: float) -> Iterator[str]:
    n_capped = int((stated < clip).sum())
    if n_capped:
        elsewhere = f"; at the clip of scikit-learn, --clip {SKLEARN_CLIP!r}, it is {other:.3f}"
        rows = counted(stated.size, "row")
        yield (
            f"{name} counts {n_capped} of {rows} as if {clip:g} had been stated for"
            f" what came true, where it was less{elsewhere * (clip != SKLEARN_CLIP)}"
        )


def _thin_groups(system: CalibrationSystem) -> Iterator[str]:
    thin = [each for each in system.groups if each.n_rows < FEW_ROWS]
    if thin:
        groups = counted(len(system.groups), "group holds", "groups hold")
        yield (
            f"{system.name}: {len(thin)} of {groups} fewer than {FEW_ROWS}"
            f" rows (the smallest {min(each.n_rows for each in thin)}), so their numbers are vague"
        )


def _beside(system: CalibrationSystem) -> Iterator[str]:
    """Name the numbers that their own resamples disagree with."""
    outside = [
        label
        for label, each in system.metrics.items()
        if each.value is not None and each.interval is not None
        if not each.interval[0] <= each.value <= each.interval[1]
    ]
    if outside:
        yield (
            f"{system.name}: the interval of {', '.join(outside)} does not hold the number itself,"
            " because resampling adds noise to an error that noise can only raise"
        )


def _differing(result: CalibrationResult) -> Iterator[str]:
    """Say where inputs that are paired by row do not have the same outcomes."""
    first = result.inputs[0]
    for number, other in enumerate(result.inputs[1:], start=1):
        if first.clustered or first.n_rows != other.n_rows:
            continue
        name = "label" if first.classes else "correct"
        left, right = (each.systems[0].columns[name] for each in (first, other))
        differing = int((left != right).sum())
        if differing:
            rows = counted(differing, "row, which is", "rows, which are")
            yield f"input {number} and input 0 differ in the outcome of {rows} paired by place"
