"""An artifact as words and tables: every string is final, nothing is laid out or coloured.

With one confidence, or several that give the same numbers, all numbers are shown. With several,
the numbers that do not depend on the confidence come once, a few of the others as one row per
confidence; `detail="full"` shows all numbers of each.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from assay.artifacts import Input, Pair, Population, Scalar
from assay.report.details import everything
from assay.report.groups import group_blocks
from assay.report.numbers import DASH, Notes, arrow, percentages
from assay.report.overview import overview
from assay.report.sketches import risk_sketch
from assay.report.systems import Artifact, Systems, systems
from assay.report.view import Block, Cell, Detail, Facts, Grid, Row, Summary
from assay.report.wording import count, level, percent, superscript
from assay.showing import counted, inert

__all__ = ["summarize"]

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


def summarize(artifact: Artifact, *, detail: Detail = "short") -> Summary:
    """Say what an artifact holds."""
    seen = systems(artifact)
    notes = Notes(resampled=artifact.resampling.n_resamples > 0)
    blocks: list[Block] = [
        Facts(tuple(_inputs(artifact))),
        _population(artifact, seen),
        Facts(tuple(_conventions(artifact, seen))),
        _failures(artifact, seen),
        risk_sketch(artifact, seen),
    ]
    if len(seen.confidences) == 1 or detail == "full":
        for confidence in seen.confidences:
            blocks += everything(seen, confidence, notes)
    else:
        blocks += overview(seen, notes)
    blocks += group_blocks(artifact, seen, notes)
    title = f"Selective prediction: {', '.join(seen.names)}"
    return Summary(title, (*blocks, Facts(tuple(_reading(artifact, notes)))))


def _inputs(artifact: Artifact) -> Iterator[tuple[str, str]]:
    for number, given in enumerate(artifact.inputs):
        yield f"input {number}", inert(_source(given))


def _source(given: Input) -> str:
    parts = [given.path]
    parts += [f"mode {given.mode}"] if given.mode else []
    parts += [f"run {given.run_id}"] if given.run_id else []
    parts += [f"sha256 {given.sha256[:12]}"] if given.sha256 else []
    return ", ".join(parts)


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
    number: int = getattr(population, name)
    total: int = getattr(population, whole) if whole else 0
    return Cell(count(number), f"({percent(number / total)})" if total else "")


def _conventions(artifact: Artifact, seen: Systems) -> Iterator[tuple[str, str]]:
    loss, chosen, plan = artifact.loss, artifact.conventions, artifact.resampling
    yield from (("compared", text) for text in _overlaps(artifact, seen))
    raw = f"; times {loss.raw_multiplier:g} in raw units" if loss.raw_multiplier != 1 else ""
    yield "loss", f"{loss.name}, {loss.definition}{raw}"
    reading = (
        f"area {chosen['area']}, ties {chosen['ties']},"
        f" matched coverage {chosen['matched_coverage']}, preset {chosen['preset']}"
    )
    yield "reading", reading
    resampled = (
        f"{level(plan.level)} {plan.method}, {counted(plan.n_resamples, 'resample')} of"
        f" {counted(plan.n_units, inert(plan.unit))}, seed {plan.seed}, {plan.stream} stream"
    )
    yield "intervals", resampled if plan.n_resamples else "none, no resamples were asked for"
    yield "computed by", f"assay {artifact.tool.version}, {artifact.tool.engine} engine"
    yield from (("warning", inert(warning)) for warning in artifact.warnings)


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
    return Grid(f"{sample.title} {arrow(sample.better)}", "", headings, rows)


def _rate(number: Scalar) -> tuple[Cell, ...]:
    value = DASH if number.value is None else percent(number.value)
    return Cell(value), percentages(number.exact_interval), percentages(number.interval)


def _reading(artifact: Artifact, notes: Notes) -> Iterator[tuple[str, str]]:
    plan = artifact.resampling
    yield "↓ ↑", "lower is better, higher is better"
    if plan.n_resamples:
        yield "[low, high]", f"{level(plan.level)} {plan.method} interval"
    if plan.n_resamples and artifact.comparison.enabled:
        yield "better, worse", "the interval of the difference excludes 0"
    for reason, number in notes.reasons.items():
        yield superscript(number), reason
