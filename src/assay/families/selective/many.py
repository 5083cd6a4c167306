"""The first screen of many selective systems: who risks least at the coverage that all reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assay.display.board import Field
from assay.display.first import (
    Drawing,
    First,
    Measure,
    Remark,
    count_number,
    levelled,
    people,
    plain,
    share_of,
    strong,
    written,
)
from assay.display.svg.curves import Line
from assay.display.svg.many import many_curves
from assay.display.wording import count
from assay.families.selective.systems import curve_grid, curve_of
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.artifact import Board, Scalar
    from assay.families.selective.parts import SelectiveArtifact

__all__ = ["many"]

QUESTION = "Selective prediction: When it answers, can it be believed?"
PERCENT = "\N{NO-BREAK SPACE}%"


def many(artifact: SelectiveArtifact, board: Board) -> First:
    """Lay out the first screen."""
    names = people(artifact)
    field = Field.of(artifact, names, _measure(artifact), "the lowest risk", _more(artifact, board))
    return field.first(
        QUESTION, _on(artifact, board), _drawing(artifact, board, field), _also(artifact)
    )


def _numbers(artifact: SelectiveArtifact, board: Board, label: str) -> list[Scalar]:
    return [system.variants[board.variant].numbers[label] for system in artifact.systems]


def _measure(artifact: SelectiveArtifact) -> Measure:
    label, same = "augrc_at_coverage@common", "same coverage for all"
    cut = share_of(artifact.parts.common_coverage or 0.0)
    return Measure(label, f"risk up to {cut}", same, "number", "lower")


def _more(artifact: SelectiveArtifact, board: Board) -> list[tuple[Measure, Sequence[Scalar]]]:
    failed = [
        artifact.inputs[each.input].counts["participants_failed"] for each in artifact.systems
    ]
    return [
        (
            Measure("cmax", "answers", "of the items", "percent", "higher"),
            _numbers(artifact, board, "cmax"),
        ),
        (
            Measure("risk", "loss", "of its answers", "number", "lower"),
            _numbers(artifact, board, "risk"),
        ),
        (
            Measure("", "failed", f"{inert(artifact.resampling.unit)}s"),
            [*map(count_number, failed)],
        ),
    ]


def _on(artifact: SelectiveArtifact, board: Board) -> Iterator[str]:
    plan, own = artifact.resampling, artifact.systems[0].parts.population
    unit = inert(plan.unit)
    items = counted(own.items_total, "item")
    yield f"{counted(own.participants_included, unit)}, {items}, the same for all"
    yield f"confidence {inert(board.variant)}"
    yield f"loss {inert(artifact.parts.loss.name)}"
    if not plan.n_resamples:
        yield "no intervals: no resamples were asked for"
        return
    yield f"{levelled(plan.level)} intervals, {unit}s resampled {counted(plan.n_resamples, 'time')}"


def _also(artifact: SelectiveArtifact) -> Iterator[Remark]:
    shares = [each.parts.population.cmax for each in artifact.systems]
    known = [each for each in shares if each is not None]
    if len({*known}) > 1:
        least, most = written(min(known), "percent", 1), share_of(max(known))
        words = f" are not compared: systems answer {least} to {most} of the items."
        yield Remark("apart", (strong("Full areas"), plain(words)))
    counts = [artifact.inputs[each.input].counts for each in artifact.systems]
    failing = [each["participants_failed"] for each in counts]
    abstained = [each.parts.population.items_abstained for each in artifact.systems]
    total = artifact.systems[0].parts.population.items_total
    lost = "Nothing failed;" if not any(failing) else f"{count(sum(failing))} failed in all;"
    between = f"{count(min(abstained))} to {count(max(abstained))}"
    between = between if min(abstained) < max(abstained) else count(min(abstained))
    words = f" {between} of {counted(total, 'item')} abstained."
    yield Remark("fact", (strong(lost), plain(words)), ("all counts", "numbers"))


def _drawing(artifact: SelectiveArtifact, board: Board, field: Field) -> Drawing:
    lines = {}
    for place, system in enumerate(artifact.systems):
        curve = curve_of(system.variants[board.variant])
        if curve.coverage:
            lines[place] = Line(
                field.names[place],
                None,
                curve.coverage,
                curve.selective_risk,
                curve.selective_risk_low,
                curve.selective_risk_high,
                f"{curve.selective_risk[-1]:.3g}",
                stepped=artifact.conventions["area"] != "trapezoid",
            )
    heading, note = "Curves of the chosen three", "mean loss of what is accepted; the rest is grey"
    if not lines:
        return Drawing(heading, note, "", "", fault="No curve: a curve needs at least one answer.")
    told = ", ".join(
        f"{field.names[each]} ends at {lines[each].end}" for each in field.slots if each in lines
    )
    label = f"Mean loss of what is accepted, by the share that is accepted: {told}."
    drawn = many_curves(
        lines,
        field.slots,
        cut=artifact.parts.common_coverage,
        axis="accepted share of the items",
        label=label,
    )
    chosen = [lines[each] for each in field.slots if each in lines]
    return Drawing(heading, note, "", drawn, curve_grid(chosen))
