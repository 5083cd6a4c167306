"""Selective prediction in words and tables.

With one confidence, or several that give the same numbers, all numbers are shown. With several,
the numbers that do not depend on the confidence come once, a few of the others as one row per
confidence; all numbers of each come in full.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from assay.artifact import Pair, Scalar
from assay.display.blocks import Cell, Grid, Line, Row, Section, facts
from assay.display.changes import Look
from assay.display.numbers import DASH, ends, share
from assay.display.wording import count, percent
from assay.display.words import (
    ARROWS,
    Source,
    Strip,
    Words,
    compared_lines,
    input_lines,
    interval_lines,
    interval_word,
    resampled,
    sources_of,
    strip,
    system_names,
    tool_and_warnings,
)
from assay.families.selective.first import first
from assay.families.selective.parts import SelectiveArtifact, population
from assay.families.selective.systems import (
    Systems,
    groups,
    number_sections,
    operating,
    sketch,
    systems,
)
from assay.showing import counted, inert
from assay.sources.matching import LOST

STATES = (
    ("participants", "participants_total", None),
    ("  included", "participants_included", "participants_total"),
    ("    of these, nothing answered", "participants_without_prediction", "participants_included"),
    ("  failed", "participants_failed", "participants_total"),
    ("  unscored", "participants_unscored", "participants_total"),
    ("items", "items_total", None),
    ("  answered", "items_predicted", "items_total"),
    ("  abstained", "items_abstained", "items_total"),
    ("unscored items, left out", "items_unscored", None),
)
"""row, count, and the count it is a share of"""
COMPARED = (
    ("compared participants", "participants_included", "participants_total"),
    ("compared items", "items_total", None),
    ("  answered", "items_predicted", "items_total"),
)
"""the same of what a comparison is computed on"""


def sections(artifact: SelectiveArtifact) -> Iterator[Section]:
    """Say what an artifact holds."""
    seen = systems(artifact)
    plan = artifact.resampling
    yield facts("inputs", input_lines(artifact.inputs))
    yield Section("population", _population(artifact, seen))
    yield facts("population", (("compared", text) for text in _overlaps(artifact, seen)))
    yield facts("conventions", [*_conventions(artifact), resampled(plan, plan.unit)])
    yield from tool_and_warnings(artifact)
    for table in _people(seen):
        yield Section("numbers", table)
    yield Section("curve", sketch(seen))
    yield from number_sections(seen)
    yield from groups(seen)
    lines = [ARROWS, *interval_lines(artifact, interval_word(plan))]
    yield facts("key", [*lines, *compared_lines(plan, seen.pairs)])


def _population(artifact: SelectiveArtifact, seen: Systems) -> Grid:
    every = [artifact.inputs[system.input].counts for system in artifact.systems]
    compared = artifact.systems if seen.pairs else []
    both = [msgspec.structs.asdict(system.parts.population) for system in compared]
    unit = inert(artifact.resampling.unit)
    rows = [
        Row(
            label.replace("participant", unit),
            tuple(share(each[name], each[whole] if whole else 0) for each in populations),
        )
        for populations, states in ((every, STATES), (both, COMPARED))
        for label, name, whole in states
        if populations
    ]
    return Grid("Population", "", seen.names, tuple(rows))


def _conventions(artifact: SelectiveArtifact) -> Iterator[Line]:
    loss, chosen = artifact.parts.loss, artifact.conventions
    raw = f"; times {loss.raw_multiplier:g} in raw units" if loss.raw_multiplier != 1 else ""
    yield "loss", inert(f"{loss.name}, {loss.definition}{raw}")
    reading = (
        f"area {chosen['area']}, ties {chosen['ties']},"
        f" matched coverage {chosen['matched_coverage']}, preset {chosen['preset']}"
    )
    yield "reading", reading


def _overlaps(artifact: SelectiveArtifact, seen: Systems) -> Iterator[str]:
    both, unit = population(artifact), inert(artifact.resampling.unit)
    if seen.pairs:
        yield (
            f"on the {counted(both.participants_included, unit)} included in every input;"
            f" every input answers at least {percent(both.cmax or 0.0)} of their items"
        )
    for pair in seen.pairs:
        if pair.counts["overlap_included"] != both.participants_included:
            included = counted(pair.counts["overlap_included"], unit)
            yield f"{seen.title(pair)}: on the {included} included in both"
        if pair.counts["participants_left_only"] or pair.counts["participants_right_only"]:
            yield _overlap(pair, seen)
        if any(pair.counts.get(name) for name in LOST):
            yield _lost(pair, seen)
        if pair.counts["failed_left"] or pair.counts["failed_right"]:
            yield _failed(pair, seen)


def _overlap(pair: Pair, seen: Systems) -> str:
    left, right = (pair.counts[f"participants_{side}_only"] for side in ("left", "right"))
    return (
        f"{counted(left, 'participant')} only in {seen.names[pair.left]},"
        f" {count(right)} only in {seen.names[pair.right]}: left out"
    )


def _lost(pair: Pair, seen: Systems) -> str:
    left, right, differing = (pair.counts[name] for name in LOST)
    return (
        f"of the items of these, {count(left)} only in {seen.names[pair.left]}, {count(right)} only"
        f" in {seen.names[pair.right]}, {count(differing)} with another truth or count: left out"
    )


def _failed(pair: Pair, seen: Systems) -> str:
    return (
        f"of the {counted(pair.counts['overlap_total'], 'participant')} both have,"
        f" {seen.names[pair.left]} failed on {count(pair.counts['failed_left'])} and"
        f" {seen.names[pair.right]} on {count(pair.counts['failed_right'])}:"
        " left out on both sides"
    )


def _people(seen: Systems) -> Iterator[Grid]:
    """Show the numbers of participants: shares with both intervals, others as they come."""
    numbers = seen.people()
    shares = [label for label, each in numbers[0].items() if each.exact_interval is not None]
    for label in shares:
        rows = tuple(
            Row(name, _rate(numbers[place][label])) for place, name in enumerate(seen.names)
        )
        headings = (label, "exact interval", "interval")
        title = seen.numbers.metrics[label].title
        yield Grid(title, "", headings, rows, seen.numbers.arrow(label))
    others = [label for label in numbers[0] if label not in shares]
    columns = [(name, numbers[place]) for place, name in enumerate(seen.names)]
    yield seen.numbers.grid("Participants", columns, others)


def _rate(number: Scalar) -> tuple[Cell, ...]:
    texts = (
        "" if number.value is None else percent(number.value),
        ends(number.exact_interval),
        ends(number.interval),
    )
    return tuple(Cell(each or DASH) for each in texts)


def _strips(artifact: SelectiveArtifact) -> Iterator[Strip]:
    for name, system in zip(system_names(artifact), artifact.systems, strict=True):
        counts = artifact.inputs[system.input].counts
        yield strip(
            f"{name}: items",
            ("answered", counts["items_predicted"], "main"),
            ("abstained", counts["items_abstained"], "soft"),
            ("unscored", counts["items_unscored"], "open"),
        )
        yield strip(
            f"{name}: participants",
            ("included", counts["participants_included"], "main"),
            ("failed", counts["participants_failed"], "bad"),
            ("unscored", counts["participants_unscored"], "open"),
        )


def _sources(artifact: SelectiveArtifact) -> Iterator[Source]:
    yield from sources_of(artifact)
    applied = artifact.parts.calibration
    if applied is not None:
        yield Source("calibrator", applied.path, applied.calibrator, applied.sha256)


WORDS = Words(
    look=Look(scale=lambda artifact: artifact.parts.loss.scale),
    title="Selective prediction",
    sections=sections,
    first=first,
    strips=_strips,
    operating=operating,
    sources=_sources,
)
