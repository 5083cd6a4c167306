"""Calibration in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.artifact import Input, Slice, Variant
from assay.display.blocks import Cell, Detail, Grid, Line, Row, Section, Sketch, facts
from assay.display.changes import Look
from assay.display.numbers import DASH, Numbers, Part, counts, ends, minus, share
from assay.display.wording import count, fixed, level, signed, sparkline
from assay.display.words import (
    ARROWS,
    Strip,
    Words,
    compared_lines,
    compared_rows,
    input_lines,
    interval_lines,
    interval_word,
    resampled,
    strip,
    system_names,
    tool_and_warnings,
)
from assay.families.calibration.first import first
from assay.families.calibration.parts import (
    CalibrationArtifact,
    Forecaster,
    ReliabilityBin,
    only,
)
from assay.showing import counted, inert, told_apart

PLACES = 3
DEBIASED = "debiased_"
P_VALUE = "p_value"
BY_LAW = "limit laws"
BY_GROUP = ("cumulative_difference", "ece", "debiased_ece", "brier")
MOST_SYSTEMS = 2
"""Of more systems than these, the reliability of the others comes in full."""


def sections(artifact: CalibrationArtifact) -> Iterator[Section]:
    """Say what an artifact holds."""
    plan = artifact.resampling
    yield facts("inputs", input_lines(artifact.inputs))
    yield Section("population", _population(artifact))
    yield facts("population", compared_rows(artifact))
    yield facts("conventions", [*_conventions(artifact), resampled(plan, plan.unit)])
    yield from tool_and_warnings(artifact)
    yield Section("curve", _sketch(artifact))
    numbers = Numbers.of(artifact)
    yield from _numbers(artifact, numbers)
    yield from _differences(artifact, numbers)
    yield from _reliability(artifact)
    yield from _groups(artifact, numbers)
    yield from _classes(artifact)
    yield facts("key", _key(artifact))
    if len(artifact.systems) > MOST_SYSTEMS or only(artifact.systems[0]).parts.classes:
        more = "--full adds every reliability table, the classes and all differences"
        yield facts("more", [("more", more)])


def _population(artifact: CalibrationArtifact) -> Grid:
    shown, headings = _shown(artifact)
    first = [only(each) for each in shown]
    inputs = [artifact.inputs[each.input] for each in shown]
    both = [*zip(first, inputs, strict=True)]
    left_out = [_left_out(*each) for each in both]
    rows = [
        Row("rows read", counts(*(each.n_rows for each in inputs))),
        Row("  scored", tuple(share(f.n_rows, given.n_rows) for f, given in both)),
    ]
    for place, name in enumerate(("unscored", "abstained")):
        if place == 0 or any(each[place] for each in left_out):
            cells = zip(left_out, inputs, strict=True)
            rows.append(
                Row(f"  {name}", tuple(share(n[place], given.n_rows) for n, given in cells))
            )
    failed = [each.counts.get("n_failed", 0) for each in inputs]
    if any(failed):
        rows.append(Row("failed participants", counts(*failed)))
    plan, classes = artifact.resampling, first[0].parts.classes
    if plan.unit != "row":
        rows.append(Row(f"{inert(plan.unit)}s", counts(*[plan.n_units] * len(inputs))))
    if classes:
        rows.append(Row("classes", counts(*[len(classes)] * len(inputs))))
    else:
        positives = tuple(share(f.counts["n_positive"], f.n_rows) for f in first)
        rows.append(Row("positives", positives))
    return Grid("Population", "", headings, tuple(rows))


def _shown(artifact: CalibrationArtifact) -> tuple[list[Forecaster], tuple[str, ...]]:
    """Return whose rows are counted: one system per input, or all where they scored others."""
    inputs, systems = artifact.inputs, artifact.systems
    first = [next(each for each in systems if each.input == n) for n in range(len(inputs))]
    if all(only(each).n_rows == only(first[each.input]).n_rows for each in systems):
        return first, _headings(inputs)
    return systems, tuple(inert(each.name) for each in systems)


def _left_out(variant: Variant[Any], given: Input) -> tuple[int, int]:
    """Return how many rows a system left unscored, and how many it abstained on."""
    counted = {**given.counts, **variant.counts}
    return counted.get("n_unscored", 0), counted.get("n_abstained", 0)


def _headings(inputs: Sequence[Input]) -> tuple[str, ...]:
    modes = [str(each.about.get("mode") or "") for each in inputs]
    return tuple(map(inert, told_apart([each.path for each in inputs], modes)))


def _conventions(artifact: CalibrationArtifact) -> Iterator[Line]:
    chosen = artifact.conventions
    yield "outcome", str(chosen["outcome"])
    # Artifacts of earlier versions do not say where likelihoods were clipped.
    clip = chosen.get("clip")
    bins = counted(int(str(chosen["n_bins"])), "bin")
    reading = [
        f"{bins}, {chosen['strategy']}, {chosen['closed']}-closed",
        f"ties {chosen['ties']}",
        f"p-values {_p_values(artifact)}",
        *([] if clip is None else [f"clip {clip:g}"]),
        f"preset {chosen['preset']}",
    ]
    yield "reading", "; ".join(reading)


def _p_values(artifact: CalibrationArtifact) -> str:
    """Say how p-values came about."""
    asked = str(artifact.conventions["p_value"])
    if asked != "auto":
        return asked
    found = {
        str(number.options.get("method", BY_LAW))
        for system in artifact.systems
        for label, number in only(system).numbers.items()
        if label.endswith(P_VALUE)
    }
    return f"by {' and '.join(sorted(found))}"


def _sketch(artifact: CalibrationArtifact) -> Sketch:
    """Sketch what is stated above what comes true, bin by bin; calibrated lines are alike."""
    return Sketch(
        "Stated and come true, by bin (bars up to 1)",
        tuple(
            (f"{inert(system.name)} {what}", sparkline(values, 1.0), "")
            for system in artifact.systems
            for what, values in (
                ("stated", [each.mean_confidence for each in only(system).parts.reliability]),
                ("true", [each.accuracy for each in only(system).parts.reliability]),
            )
        ),
    )


def _numbers(artifact: CalibrationArtifact, numbers: Numbers) -> Iterator[Section]:
    """Show all numbers, those about the top label apart from those about every class."""
    first = only(artifact.systems[0])
    labels = _ordered([*first.numbers])
    every = [label for label in labels if label in first.parts.over_classes]
    tests = [label for label in labels if label.endswith(P_VALUE)]
    top = [label for label in labels if label not in {*every, *tests}]
    columns = [(inert(each.name), only(each).numbers) for each in artifact.systems]
    if every:
        yield Section("main", numbers.grid("Numbers over all classes", columns, every))
    title = "Numbers of the top label" if every else "Numbers"
    yield Section("main", numbers.grid(title, columns, top))
    if tests:
        title = "How often calibrated probabilities would look as bad"
        yield Section("tests", numbers.grid(title, columns, tests))


def _ordered(labels: Sequence[str]) -> list[str]:
    """Put a debiased number right after the number it corrects."""
    after = {label.removeprefix(DEBIASED): label for label in labels if label.startswith(DEBIASED)}
    plain = [label for label in labels if label not in after.values()]
    ordered = [each for label in plain for each in (label, after.pop(label, "")) if each]
    return [*ordered, *after.values()]


def _differences(artifact: CalibrationArtifact, numbers: Numbers) -> Iterator[Section]:
    """Show all differences; those of numbers without a better side come in full."""
    names = system_names(artifact)

    def detail(label: str) -> Detail:
        return "full" if numbers.better(label) is None else "short"

    for pair in artifact.pairs:
        deltas = {label: pair.deltas[""][label] for label in _ordered([*pair.deltas[""]])}
        table = numbers.differences(minus(names, pair), deltas, detail)
        yield Section("differences", table, pair=(names[pair.left], names[pair.right]))


def _of(artifact: CalibrationArtifact, system: Forecaster) -> str:
    return f" of {inert(system.name)}" if len(artifact.systems) > 1 else ""


def _reliability(artifact: CalibrationArtifact) -> Iterator[Section]:
    headings = ("rows", "mean confidence", "accuracy", "gap")
    for place, system in enumerate(artifact.systems):
        rows = tuple(_bin(each) for each in only(system).parts.reliability)
        table = Grid(f"Reliability{_of(artifact, system)}", "confidence", headings, rows)
        detail: Detail = "short" if place < MOST_SYSTEMS else "full"
        yield Section("curve", table, system=inert(system.name), detail=detail)


def _bin(each: ReliabilityBin) -> Row:
    label = DASH if each.low is None else f"{each.low:.3g} to {each.high:.3g}"
    if each.accuracy is None or each.mean_confidence is None:
        return Row(label, (Cell("0"), Cell(DASH), Cell(DASH), Cell("")))
    beside = ends(each.interval, lambda end: fixed(end, PLACES))
    cells = (
        Cell(count(int(each.count))),
        Cell(fixed(each.mean_confidence, PLACES)),
        Cell(fixed(each.accuracy, PLACES), beside),
        Cell(signed(each.accuracy - each.mean_confidence, PLACES)),
    )
    return Row(label, cells)


def _groups(artifact: CalibrationArtifact, numbers: Numbers) -> Iterator[Section]:
    """Show a few numbers of every group, and all of them in full."""
    for system in artifact.systems:
        of, name = _of(artifact, system), inert(system.name)
        parts = [Part(each.label, _sizes(each), each.numbers) for each in only(system).slices]
        if not parts:
            continue
        unit = f"{artifact.resampling.unit}s"
        headings = ("rows", unit, "right" if only(system).parts.classes else "positives")
        kept = headings if len(parts[0].sizes) == len(headings) else headings[::2]
        yield Section("groups", numbers.groups(f"Groups{of}", kept, parts, BY_GROUP), system=name)
        columns = [(part.name, part.numbers) for part in parts]
        labels = _ordered([*parts[0].numbers])
        every = numbers.grid(f"All numbers{of} by group", columns, labels)
        yield Section("groups", every, system=name, detail="full")


def _sizes(group: Slice) -> tuple[int, ...]:
    """Return rows, clusters where there are any, and how many come true."""
    known = [group.counts[name] for name in ("n_clusters", "n_positive") if name in group.counts]
    return group.n_rows, *known


def _classes(artifact: CalibrationArtifact) -> Iterator[Section]:
    for system in artifact.systems if only(artifact.systems[0]).parts.classes else ():
        rows = tuple(
            Row(inert(each.label), counts(each.n_true, each.n_predicted))
            for each in only(system).parts.classes
        )
        title = f"Classes{_of(artifact, system)}"
        table = Grid(title, "class", ("true", "predicted"), rows)
        yield Section("strata", table, system=inert(system.name), detail="full")


def _key(artifact: CalibrationArtifact) -> Iterator[Line]:
    plan, method = artifact.resampling, only(artifact.systems[0]).parts.reliability_interval
    yield ARROWS
    yield from interval_lines(artifact, interval_word(plan))
    if plan.n_resamples:
        yield "in bins", f"{level(plan.level)} {method} interval of the accuracy"
    yield from compared_lines(plan, artifact.pairs)
    yield "bias", str(artifact.conventions["ece_bias"])


def _strips(artifact: CalibrationArtifact) -> Iterator[Strip]:
    shown, headings = _shown(artifact)
    for system, name in zip(shown, headings, strict=True):
        unscored, abstained = _left_out(only(system), artifact.inputs[system.input])
        yield strip(
            f"{name}: rows",
            ("scored", only(system).n_rows, "main"),
            ("abstained", abstained, "soft"),
            ("unscored", unscored, "open"),
        )


WORDS = Words(
    title="Calibration",
    sections=sections,
    first=first,
    strips=_strips,
    look=Look(loss="squared error", confidence="stated", scale=lambda _: (0.0, 1.0)),
)
