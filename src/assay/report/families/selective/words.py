"""Selective prediction in words and tables.

With one confidence, or several that give the same numbers, all numbers are shown. With several,
the numbers that do not depend on the confidence come once, a few of the others as one row per
confidence; all numbers of each come in full.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from assay.artifacts import Pair, Population, Scalar
from assay.artifacts.selective import AppliedCalibration
from assay.display.blocks import Cell, Grid, Line, Row, Section, facts
from assay.display.facts import (
    ARROWS,
    compared_lines,
    input_lines,
    interval_lines,
    resampled,
    tool_and_warnings,
)
from assay.display.numbers import DASH, arrow, ends, share
from assay.display.strips import Strip, strip
from assay.display.wording import count, percent
from assay.display.words import Source, Words, sources_of
from assay.report.families.selective.headline import headline
from assay.report.families.selective.operating import operating
from assay.report.families.selective.systems import Artifact, Systems, systems
from assay.report.families.selective.tables import groups, number_sections, sketch
from assay.showing import counted, inert

__all__ = ["WORDS"]

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


def sections(artifact: Artifact) -> Iterator[Section]:
    """Say what an artifact holds."""
    seen = systems(artifact)
    plan = artifact.resampling
    yield facts("inputs", input_lines(artifact.inputs))
    yield Section("population", _population(artifact, seen))
    yield facts("population", (("compared", text) for text in _overlaps(artifact, seen)))
    yield facts("conventions", [*_conventions(artifact), resampled(plan, plan.unit)])
    yield from tool_and_warnings(artifact)
    yield Section("numbers", _failures(artifact, seen))
    yield Section("curve", sketch(artifact, seen))
    yield from number_sections(seen)
    yield from groups(artifact, seen)
    lines = [ARROWS, *interval_lines(plan, f"{plan.method} interval")]
    yield facts("key", [*lines, *compared_lines(plan, seen.pairs)])


def _population(artifact: Artifact, seen: Systems) -> Grid:
    every = [given.population for given in artifact.inputs]
    both = [given.analysed for given in artifact.inputs if given.analysed is not UNSET]
    unit = inert(artifact.resampling.unit)
    rows = [
        Row(
            label.replace("participant", unit),
            tuple(_state(each, name, whole) for each in populations),
        )
        for populations, states in ((every, STATES), (both, COMPARED))
        for label, name, whole in states
        if populations
    ]
    return Grid("Population", "", seen.names, tuple(rows))


def _state(population: Population, name: str, whole: str | None) -> Cell:
    return share(getattr(population, name), getattr(population, whole) if whole else 0)


def _conventions(artifact: Artifact) -> Iterator[Line]:
    loss, chosen = artifact.loss, artifact.conventions
    raw = f"; times {loss.raw_multiplier:g} in raw units" if loss.raw_multiplier != 1 else ""
    yield "loss", f"{loss.name}, {loss.definition}{raw}"
    reading = (
        f"area {chosen['area']}, ties {chosen['ties']},"
        f" matched coverage {chosen['matched_coverage']}, preset {chosen['preset']}"
    )
    yield "reading", reading


def _overlaps(artifact: Artifact, seen: Systems) -> Iterator[str]:
    if seen.pairs:
        both, unit = artifact.population, inert(artifact.resampling.unit)
        yield (
            f"on the {counted(both.participants_included, unit)} included in every input;"
            f" every input answers at least {percent(both.cmax or 0.0)} of their items"
        )
    for pair in seen.pairs:
        if pair.participants_left_only or pair.participants_right_only:
            yield _overlap(pair, seen)
        if pair.failed_left or pair.failed_right:
            yield _failed(pair, seen)


def _overlap(pair: Pair, seen: Systems) -> str:
    return (
        f"{counted(pair.participants_left_only, 'participant')} only in {seen.names[pair.left]},"
        f" {count(pair.participants_right_only)} only in {seen.names[pair.right]}: left out"
    )


def _failed(pair: Pair, seen: Systems) -> str:
    return (
        f"of the {counted(pair.overlap_total, 'participant')} both have,"
        f" {seen.names[pair.left]} failed on {count(pair.failed_left)} and"
        f" {seen.names[pair.right]} on {count(pair.failed_right)}:"
        " left out on both sides"
    )


def _failures(artifact: Artifact, seen: Systems) -> Grid:
    sample = artifact.failure_rate[0]
    rates = zip(seen.names, artifact.failure_rate, strict=True)
    rows = tuple(Row(name, _rate(number)) for name, number in rates)
    headings = (sample.metric, "exact interval", "resampled interval")
    return Grid(sample.title, "", headings, rows, arrow(sample.better))


def _rate(number: Scalar) -> tuple[Cell, ...]:
    texts = (
        "" if number.value is None else percent(number.value),
        ends(number.exact_interval),
        ends(number.interval),
    )
    return tuple(Cell(each or DASH) for each in texts)


def _strips(artifact: Artifact) -> Iterator[Strip]:
    for name, given in zip(systems(artifact).names, artifact.inputs, strict=True):
        seen = given.population
        yield strip(
            f"{name}: items",
            ("answered", seen.items_predicted, "main"),
            ("abstained", seen.items_abstained, "soft"),
            ("unscored", seen.items_unscored, "open"),
        )
        yield strip(
            f"{name}: participants",
            ("included", seen.participants_included, "main"),
            ("failed", seen.participants_failed, "bad"),
            ("unscored", seen.participants_unscored, "open"),
        )


def _sources(artifact: Artifact) -> Iterator[Source]:
    yield from sources_of(artifact)
    match artifact.calibration:
        case AppliedCalibration() as applied:
            yield Source("calibrator", applied.path, applied.calibrator, applied.sha256)


WORDS = Words(
    title="Selective prediction",
    names=lambda artifact: systems(artifact).names,
    sections=sections,
    headline=headline,
    strips=_strips,
    operating=operating,
    sources=_sources,
)
