"""What reasoning adds under every reading of the texts, as a drawing and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from assay.display.blocks import Cell, Grid, Row
from assay.display.changes import query
from assay.display.first import Drawing, span, written
from assay.display.statement import held
from assay.display.svg.canvas import nice
from assay.display.svg.rows import Forest, Lane, Reading, forest
from assay.showing import inert, listed

if TYPE_CHECKING:
    from assay.families.reasoning.parts import ReadingGap, ReasoningArtifact, ReasoningSystem

__all__ = ["drawing", "mute", "readings_of", "worded"]

COLOURED = 3
REFUSALS = {
    "exclude": "refusals left out",
    "wrong": "refusals as wrong",
    "ignore": "refusals not looked for",
}


def mute(system: ReasoningSystem) -> bool:
    """Say whether there is no vignette with both answers."""
    return not system.parts.population.pairs_used


def readings_of(system: ReasoningSystem) -> list[ReadingGap]:
    """Return the readings that find something right, and the reported one."""
    every = system.parts.sensitivity.readings
    return [each for each in every if each.chosen or each.correct_cot or each.correct_early]


def worded(name: str, among: Iterable[ReadingGap] = ()) -> str:
    """Say how texts are read in people's words; what other readings share is left out."""
    *own, refusals = name.split(", ")
    others = [each.name.split(", ")[:-1] for each in among]
    shared = [len({*words}) == 1 for words in zip(*others, strict=False)]
    told = [word for at, word in enumerate(own) if at >= len(shared) or not shared[at]]
    return inert(", ".join([*told, REFUSALS.get(refusals, refusals)]))


def drawing(artifact: ReasoningArtifact, names: Sequence[str]) -> Drawing:
    """Draw what reasoning adds under every reading."""
    every = [*zip(names, artifact.systems, strict=True)][:COLOURED]
    lanes = [
        lane for shape, (name, system) in enumerate(every) for lane in _lanes(shape, name, system)
    ]
    found = [each for lane in lanes for each in lane.held]
    reach = min(
        1.0,
        nice(
            max(
                (abs(end) for each in found for end in (*(each.ends or ()), each.value)),
                default=0.5,
            )
            or 0.5
        ),
    )
    told = Forest(
        lanes,
        (-reach, reach),
        "accuracy after reasoning minus direct, points",
        reference=0.0,
        sides=("← reasoning hurts", "reasoning helps →"),
    )
    heading = "What reasoning adds, under every reading of the texts"
    label = f"{heading}: {listed([name for name, _ in every])}"
    wide, narrow = (forest(told, label=label, wide=size) for size in (True, False))
    note = "filled: the reported reading; hollow: other readings, equal ones drawn once"
    return Drawing(heading, note, wide, narrow, _grid(lanes))


def _lanes(shape: int, name: str, system: ReasoningSystem) -> Iterator[Lane]:
    told = system.parts.sensitivity
    note = "sign depends on the reading" if told.sign_depends else "same sign in every reading"
    note = "no pair of answers" if mute(system) else note if len(told.readings) > 1 else ""
    yield Lane(name, head=shape, note=note, ruled=shape > 0)
    shown = readings_of(system)
    equal: dict[tuple[object, ...], list[ReadingGap]] = {}
    for each in shown:
        if each.gap.value is not None:
            equal.setdefault((each.gap.value, each.gap.interval), []).append(each)
    for readings in sorted(equal.values(), key=lambda own: not any(each.chosen for each in own)):
        reported = any(each.chosen for each in readings)
        others = [each for each in readings if not each.chosen]
        words = (
            "as reported"
            if reported
            else worded(others[0].name, shown)
            if len(others) == 1
            else f"{len(others)} other readings"
        )
        if reported and others:
            words += f" (+{len(others)})"
        gap = readings[0].gap
        tip = "\n".join(inert(each.name) for each in readings[:6])
        go = query(pair=f"{name}, at once~{name}, reasoned") if reported else ""
        ends = held(gap.value, gap.interval)
        drawn = Reading(gap.value or 0.0, ends, shape, reported, tip=tip, go=go)
        yield Lane(words, (drawn,), strong=reported)


def _grid(lanes: Sequence[Lane]) -> Grid:
    rows = []
    for lane in lanes:
        cells = tuple(
            Cell(
                written(each.value, "points", 1, signed=True),
                span(each.ends, "points", 1, signed=True),
            )
            for each in lane.held
        )
        rows.append(Row(lane.label, cells, indented=bool(cells)))
    return Grid("What reasoning adds", "reading", ("points",), tuple(rows))
