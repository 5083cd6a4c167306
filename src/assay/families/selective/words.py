"""Selective prediction in words and tables.

With one confidence, or several that give the same numbers, all numbers are shown. With several,
the numbers that do not depend on the confidence come once, a few of the others as one row per
confidence; all numbers of each come in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from assay.artifact import Pair, Scalar
from assay.display.blocks import Cell, Grid, Line, Row, Section, facts
from assay.display.changes import Look
from assay.display.numbers import DASH, ends, excludes, share
from assay.display.statement import (
    Ends,
    Statement,
    by_side,
    difference,
    held,
    named,
    number,
    percentage,
)
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
MAIN, COMMON = "augrc", "augrc_at_coverage@common"
AREAS = {MAIN: "AUGRC", COMMON: "AUGRC up to the coverage that both reach"}
"""of systems that answer other shares of the items, only the second says which is better"""
SEPARATION = "error_auroc"
CHANCE = 0.5
SEPARATED: Ends = {
    -1: (": worse than chance (50%).", "bad"),
    0: (": cannot tell from chance (50%).", "open"),
    1: (": better than chance (50%).", "good"),
    2: ("; without an interval, cannot tell from chance (50%).", "open"),
}
MOST_CONFIDENCES = 4
"""Of more confidences than these, only the first few differences are told in sentences."""


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


def headline(artifact: SelectiveArtifact) -> Iterator[Statement]:
    """Say what is answered, how good it is, and which confidence to use, if that can be told."""
    seen = systems(artifact)
    for place, name in enumerate(seen.names):
        ranked = _ranked(seen, place)
        numbers = next(iter(ranked.values()), None)
        if numbers is None:
            continue
        if numbers["risk"].value is None:
            yield _silent(named(name), numbers)
            continue
        yield _answers(named(name), numbers, artifact.parts.loss.name)
        yield from _confidence(named(name), ranked)
    for pair in seen.pairs:
        yield from _compared(seen, pair)


def _silent(name: str, numbers: Mapping[str, Scalar]) -> Statement:
    """Say that there is no answer to judge, and why."""
    why = inert(numbers["risk"].reason or "nothing is answered")
    return Statement(f"{name} has no answer to judge: {why}.", "bad")


def _ranked(seen: Systems, place: int) -> Mapping[str, Mapping[str, Scalar]]:
    """Return the numbers of a system by confidence, the lowest area first."""
    found = {name: sides[place] for name, sides in seen.confidences.items() if place in sides}
    worst = float("inf")

    def area(name: str) -> float:
        value = found[name][MAIN].value
        return worst if value is None else value

    return {name: found[name] for name in sorted(found, key=area)}


def _answers(name: str, numbers: Mapping[str, Scalar], loss: str) -> Statement:
    return Statement(
        f"{name} answers {percentage(numbers['cmax'])} of the items; its answers have a mean"
        f" loss of {number(numbers['risk'])} ({named(loss)})."
    )


def _confidence(name: str, ranked: Mapping[str, Mapping[str, Scalar]]) -> Iterator[Statement]:
    best, *others = ranked
    yield _separation(name, best, ranked[best][SEPARATION])
    if others:
        yield _best(name, ranked)


def _separation(name: str, confidence: str, auroc: Scalar) -> Statement:
    told = f"{name}: {named(confidence)} holds a right answer with more confidence than a wrong one"
    if auroc.value is None:
        return Statement(f"{told}: {number(auroc)}.", "open")
    shown = f"{told} {percentage(auroc)} of the time"
    return by_side(shown, auroc.value, auroc.interval, CHANCE, SEPARATED)


def _best(name: str, ranked: Mapping[str, Mapping[str, Scalar]]) -> Statement:
    best, *others = ranked
    first = ranked[best][MAIN]
    told = (
        f"{name}: of {len(ranked)} confidences {named(best)} has the lowest AUGRC, {number(first)}"
    )
    reaching = [each for each in others if _reaches(first, ranked[each][MAIN])]
    if not reaching:
        return Statement(f"{told}; no other interval reaches into its own.", "good")
    most = ", ".join(named(each) for each in reaching[:3])
    more = f" and {len(reaching) - 3} more" if len(reaching) > 3 else ""  # noqa: PLR2004 - as shown
    return Statement(f"{told}; cannot tell it from {most}{more}: intervals overlap.", "open")


def _reaches(first: Scalar, other: Scalar) -> bool:
    own, its = held(first.value, first.interval), held(other.value, other.interval)
    if own is None or its is None or own[0] == own[1]:
        return True
    return own[1] >= its[0]


def _compared(seen: Systems, pair: Pair) -> Iterator[Statement]:
    left, right = (named(seen.names[side]) for side in (pair.left, pair.right))
    shared = [name for name in seen.confidences if MAIN in seen.deltas(pair, name)]
    for name in shared[:MOST_CONFIDENCES]:
        deltas = seen.deltas(pair, name)
        label = COMMON if deltas["cmax"].delta and COMMON in deltas else MAIN
        yield difference(deltas[label], (left, right), f"{AREAS[label]} under {named(name)}")
    if len(shared) > MOST_CONFIDENCES:
        more = len(shared) - MOST_CONFIDENCES
        others = "one more confidence" if more == 1 else f"{count(more)} more confidences"
        yield Statement(f"{right} against {left}: differences under {others} are in the tables.")
    yield from _longer(seen, pair, shared, left, right)


def _longer(
    seen: Systems, pair: Pair, shared: list[str], left: str, right: str
) -> Iterator[Statement]:
    """Say where one system answers more: the area under a longer curve is larger."""
    answered = seen.deltas(pair, shared[0])["cmax"] if shared else None
    if answered is None or not excludes(held(answered.delta, answered.interval), 0.0):
        return
    more, fewer = (right, left) if (answered.delta or 0.0) > 0 else (left, right)
    yield Statement(
        f"{more} answers more of the items than {fewer}, and the area under a longer curve is"
        " larger: full areas are not judged (augrc_at_coverage@common is).",
        "open",
    )


WORDS = Words(
    look=Look(scale=lambda artifact: artifact.parts.loss.scale),
    title="Selective prediction",
    sections=sections,
    headline=headline,
    first=first,
    strips=_strips,
    operating=operating,
    sources=_sources,
)
