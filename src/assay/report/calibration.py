"""A calibration artifact as words and tables: every string is final."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from assay.artifacts.calibration import (
    CalibrationArtifact,
    CalibrationGroup,
    CalibrationInput,
    CalibrationPair,
    CalibrationSystem,
    ReliabilityBin,
)
from assay.report.groups import Part, group_grid, group_name
from assay.report.numbers import DASH, Notes, arrow
from assay.report.sketches import reliability_sketch
from assay.report.view import Block, Cell, Detail, Facts, Grid, Row, Summary
from assay.report.wording import count, fixed, level, percent, superscript
from assay.showing import counted, inert

__all__ = ["summarize_calibration"]

PLACES = 3
DEBIASED = "debiased_"
P_VALUE = "p_value"
BY_GROUP = ("cumulative_difference", "ece", "debiased_ece", "brier")


def summarize_calibration(artifact: CalibrationArtifact, *, detail: Detail = "short") -> Summary:
    """Say what a calibration artifact holds."""
    notes = Notes(resampled=artifact.resampling.n_resamples > 0)
    systems = artifact.systems
    blocks: list[Block] = [
        Facts(tuple(_inputs(artifact.inputs))),
        _population(artifact),
        Facts(tuple(_conventions(artifact))),
        reliability_sketch(artifact),
        *_numbers(artifact, notes),
        *(_differences(artifact, pair, notes, detail) for pair in artifact.pairs),
        *(_reliability(artifact, each) for each in systems[: None if detail == "full" else 2]),
        *_groups(artifact, notes, detail),
    ]
    if detail == "full" and systems[0].classes:
        blocks += [_classes(each, several=len(systems) > 1) for each in systems]
    blocks.append(Facts(tuple(_reading(artifact, notes, detail))))
    title = f"Calibration: {', '.join(inert(each.name) for each in systems)}"
    return Summary(title, tuple(blocks))


def _inputs(inputs: Sequence[CalibrationInput]) -> Iterator[tuple[str, str]]:
    for number, given in enumerate(inputs):
        parts = [given.path]
        parts += [f"mode {given.mode}"] if given.mode else []
        parts += [f"run {given.run_id}"] if given.run_id else []
        parts += [f"sha256 {given.sha256[:12]}"] if given.sha256 else []
        yield f"input {number}", inert(", ".join(parts))


def _population(artifact: CalibrationArtifact) -> Grid:
    inputs, systems = artifact.inputs, artifact.systems
    first = [next(each for each in systems if each.input == n) for n in range(len(inputs))]
    rows = [
        Row("rows read", tuple(Cell(count(each.n_rows)) for each in inputs)),
        Row(
            "  scored",
            tuple(_share(f.n_rows, i.n_rows) for f, i in zip(first, inputs, strict=True)),
        ),
        Row("  unscored", tuple(_share(each.n_unscored, each.n_rows) for each in inputs)),
    ]
    if any(each.n_abstained for each in inputs):
        rows.append(
            Row("  abstained", tuple(_share(each.n_abstained, each.n_rows) for each in inputs))
        )
    if artifact.population.n_clusters is not None:
        cell = Cell(count(artifact.population.n_clusters))
        rows.append(Row(f"{artifact.resampling.unit}s", (cell,) * len(inputs)))
    if artifact.population.n_classes is not None:
        rows.append(Row("classes", (Cell(count(artifact.population.n_classes)),) * len(inputs)))
    else:
        rows.append(Row("positives", tuple(_share(f.n_positive, f.n_rows) for f in first)))
    return Grid("Population", "", _headings(inputs), tuple(rows))


def _headings(inputs: Sequence[CalibrationInput]) -> tuple[str, ...]:
    names = [inert(each.mode or PurePath(each.path).name) for each in inputs]
    distinct = len(set(names)) == len(names)
    return tuple(names if distinct else [f"input {number}" for number in range(len(names))])


def _share(number: int, total: int) -> Cell:
    return Cell(count(number), f"({percent(number / total)})" if total else "")


def _conventions(artifact: CalibrationArtifact) -> Iterator[tuple[str, str]]:
    chosen, plan = artifact.conventions, artifact.resampling
    yield "outcome", str(chosen["outcome"])
    # Artifacts of earlier versions do not say where likelihoods were clipped.
    clip = chosen.get("clip")
    bins = counted(int(str(chosen["n_bins"])), "bin")
    reading = [
        f"{bins}, {chosen['strategy']}, {chosen['closed']}-closed",
        f"ties {chosen['ties']}",
        f"p-values {chosen['p_value']}",
        *([] if clip is None else [f"clip {clip:g}"]),
        f"preset {chosen['preset']}",
    ]
    yield "reading", "; ".join(reading)
    resampled = (
        f"{level(plan.level)} {plan.method}, {counted(plan.n_resamples, 'resample')} of"
        f" {counted(plan.n_units, inert(plan.unit))}, seed {plan.seed}, {plan.stream} stream"
    )
    yield "intervals", resampled if plan.n_resamples else "none, no resamples were asked for"
    yield "computed by", f"assay {artifact.tool.version}, {artifact.tool.engine} engine"
    yield from (("warning", inert(warning)) for warning in artifact.warnings)


def _numbers(artifact: CalibrationArtifact, notes: Notes) -> Iterator[Grid]:
    """Show all numbers, those about the top label apart from those about every class."""
    labels = _ordered([*artifact.systems[0].metrics])
    every = [label for label in labels if label in artifact.systems[0].over_classes]
    tests = [label for label in labels if label.endswith(P_VALUE)]
    top = [label for label in labels if label not in {*every, *tests}]
    if every:
        yield _grid("Numbers over all classes", artifact, every, notes)
    yield _grid("Numbers of the top label" if every else "Numbers", artifact, top, notes)
    if tests:
        yield _tests(artifact, tests, notes)


def _tests(artifact: CalibrationArtifact, labels: Sequence[str], notes: Notes) -> Grid:
    rows = tuple(
        Row(label, tuple(notes.test(each.metrics[label]) for each in artifact.systems))
        for label in labels
    )
    title = "How often calibrated probabilities would look as bad"
    return Grid(title, "", tuple(inert(each.name) for each in artifact.systems), rows)


def _ordered(labels: Sequence[str]) -> list[str]:
    """Put a debiased number right after the number it corrects."""
    after = {label.removeprefix(DEBIASED): label for label in labels if label.startswith(DEBIASED)}
    plain = [label for label in labels if label not in after.values()]
    ordered = [each for label in plain for each in (label, after.pop(label, "")) if each]
    return [*ordered, *after.values()]


def _grid(title: str, artifact: CalibrationArtifact, labels: Sequence[str], notes: Notes) -> Grid:
    systems = artifact.systems
    rows = tuple(
        Row(
            label,
            notes.scalars([each.metrics[label] for each in systems]),
            arrow=arrow(systems[0].metrics[label].better),
        )
        for label in labels
    )
    return Grid(title, "", tuple(inert(each.name) for each in systems), rows)


def _differences(
    artifact: CalibrationArtifact, pair: CalibrationPair, notes: Notes, detail: Detail
) -> Grid:
    several = len(artifact.pairs) > 1
    rows = tuple(
        Row(
            label,
            (
                notes.delta(delta),
                notes.p_value(delta.p_value),
                *([notes.p_value(delta.p_holm)] * several),
                notes.reading(delta),
            ),
            arrow=arrow(delta.better),
        )
        for label, delta in ((each, pair.deltas[each]) for each in _ordered([*pair.deltas]))
        if delta.better is not None or detail == "full"
    )
    headings = ("difference", "p", *(["p (Holm)"] * several), "")
    names = [inert(each.name) for each in artifact.systems]
    return Grid(f"{names[pair.right]} minus {names[pair.left]}", "", headings, rows)


def _reliability(artifact: CalibrationArtifact, system: CalibrationSystem) -> Grid:
    rows = tuple(_bin(each) for each in system.reliability)
    of = f" of {inert(system.name)}" if len(artifact.systems) > 1 else ""
    headings = ("rows", "mean confidence", "accuracy", "gap")
    return Grid(f"Reliability{of}", "confidence", headings, rows)


def _bin(each: ReliabilityBin) -> Row:
    label = DASH if each.low is None else f"{each.low:.3g} to {each.high:.3g}"
    if each.accuracy is None or each.mean_confidence is None:
        return Row(label, (Cell("0"), Cell(DASH), Cell(DASH), Cell("")))
    beside = ""
    if each.interval is not None:
        beside = f"[{', '.join(fixed(end, PLACES) for end in each.interval)}]"
    gap = each.accuracy - each.mean_confidence
    return Row(
        label,
        (
            Cell(count(int(each.count))),
            Cell(fixed(each.mean_confidence, PLACES)),
            Cell(fixed(each.accuracy, PLACES), beside),
            Cell(_gap(gap)),
        ),
    )


def _groups(artifact: CalibrationArtifact, notes: Notes, detail: Detail) -> Iterator[Grid]:
    """Show a few numbers of every group, and all of them in full."""
    for system in artifact.systems:
        of = f" of {inert(system.name)}" if len(artifact.systems) > 1 else ""
        parts = [Part(each.label, _sizes(each), each.metrics) for each in system.groups]
        if not parts:
            continue
        unit = f"{artifact.resampling.unit}s"
        headings = ("rows", unit, "right" if system.classes else "positives")
        kept = headings if len(parts[0].sizes) == len(headings) else headings[::2]
        yield group_grid(f"Groups{of}", kept, parts, BY_GROUP, notes)
        if detail == "full":
            yield _all_by_group(f"All numbers{of} by group", parts, notes)


def _sizes(group: CalibrationGroup) -> tuple[int, ...]:
    """Return rows, clusters where there are any, and how many come true."""
    clusters = () if group.n_clusters is None else (group.n_clusters,)
    return group.n_rows, *clusters, group.n_positive


def _all_by_group(title: str, parts: Sequence[Part], notes: Notes) -> Grid:
    sample = parts[0].numbers
    rows = []
    for label in _ordered([*sample]):
        numbers = [part.numbers[label] for part in parts]
        tested = label.endswith(P_VALUE)
        cells = tuple(map(notes.test, numbers)) if tested else notes.scalars(numbers)
        rows.append(Row(label, cells, arrow="" if tested else arrow(sample[label].better)))
    return Grid(title, "", tuple(map(group_name, parts)), tuple(rows))


def _gap(gap: float) -> str:
    text = fixed(gap, PLACES)
    return f"+{text}" if gap > 0 and float(text) else text


def _classes(system: CalibrationSystem, *, several: bool) -> Grid:
    rows = tuple(
        Row(inert(each.label), (Cell(count(each.n_true)), Cell(count(each.n_predicted))))
        for each in system.classes
    )
    of = f" of {inert(system.name)}" if several else ""
    return Grid(f"Classes{of}", "class", ("true", "predicted"), rows)


def _reading(
    artifact: CalibrationArtifact, notes: Notes, detail: Detail
) -> Iterator[tuple[str, str]]:
    plan = artifact.resampling
    yield "↓ ↑", "lower is better, higher is better"
    if plan.n_resamples:
        yield "[low, high]", f"{level(plan.level)} {plan.method} interval"
        method = artifact.systems[0].reliability_interval
        yield "in bins", f"{level(plan.level)} {method} interval of the accuracy"
    if artifact.pairs and plan.n_resamples:
        yield "better, worse", "the interval of the difference excludes 0"
    yield "bias", str(artifact.conventions["ece_bias"])
    for reason, number in notes.reasons.items():
        yield superscript(number), reason
    if detail == "short" and (len(artifact.systems) > 2 or artifact.systems[0].classes):  # noqa: PLR2004
        yield "more", "--full adds every reliability table, the classes and all differences"
