"""What an evaluation of chains of thought says, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator

from assay.display.statement import (
    Ends,
    Statement,
    by_side,
    difference,
    excludes,
    held,
    named,
    number,
    percentage,
    point_share,
)
from assay.display.wording import count, points
from assay.families.reasoning.parts import (
    GAP,
    ReasoningArtifact,
    ReasoningSystem,
    bias_numbers,
    chosen,
)
from assay.showing import counted

__all__ = ["headline"]

COMPARED = {GAP: "gap", "step_f1": "Step-F1"}
CHANGED: Ends = {
    -1: (": the chain of thought harms.", "bad"),
    0: (": cannot tell whether it helps.", "open"),
    1: (": the chain of thought helps.", "good"),
    2: (": cannot tell whether it changes answers.", "open"),
}
TURNED = ": what was not answered could turn it round, so cannot tell whether it helps."
MODES = ("cot", "early")
MOST_PAIRS = 3


def headline(artifact: ReasoningArtifact) -> Iterator[Statement]:
    """Say whether reasoning changes answers, whether it matches the gold steps, and its biases."""
    for system in artifact.systems:
        yield from _system(system)
    for pair in artifact.pairs[:MOST_PAIRS]:
        sides = [named(artifact.systems[side].name) for side in (pair.left, pair.right)]
        deltas = next(iter(pair.deltas.values()), {})
        for label, meaning in COMPARED.items():
            if label in deltas:
                shares = label == GAP
                left, right = sides
                yield difference(deltas[label], (left, right), meaning, of_shares=shares)
    if len(artifact.pairs) > MOST_PAIRS:
        more = len(artifact.pairs) - MOST_PAIRS
        others = "One more comparison is" if more == 1 else f"{count(more)} more comparisons are"
        yield Statement(f"{others} in the tables.")


def _system(system: ReasoningSystem) -> Iterator[Statement]:
    name, numbers, parts = named(system.name), chosen(system), system.parts
    yield _gap(name, system)
    if parts.sensitivity.sign_depends:
        yield Statement(
            f"{name}: the sign of the gap depends on how texts are read"
            f" (from {_at(parts.sensitivity.lowest)} to {_at(parts.sensitivity.highest)} points).",
            "bad",
        )
    if "step_f1" in numbers:
        yield Statement(
            f"{name}: its steps meet the gold steps with a Step-F1 of"
            f" {number(numbers['step_f1'])} over {counted(parts.population.stepped, 'case')}."
        )
    rate = bias_numbers(system).get("silent_bias_rate")
    if parts.bias is not None and rate is not None:
        yield Statement(
            f"{name}: of {count(parts.bias.n_biased)} biased answers {percentage(rate)} do not"
            " mention what biased them.",
            "open" if rate.value is None else "plain",
        )


def _gap(name: str, system: ReasoningSystem) -> Statement:
    """Say whether the chain of thought helps; not where what was not answered could have."""
    numbers, parts = chosen(system), system.parts
    gap, bounds = numbers[GAP], parts.gap_bounds
    told = (
        f"{name}: right with a chain of thought {percentage(numbers['accuracy_cot'])} of the"
        f" time, without {percentage(numbers['accuracy_early'])}, a gap of"
        f" {point_share(gap.value, gap.interval)} over"
        f" {counted(parts.population.pairs_used, 'pair')}{_not_answered(system)}"
    )
    side = excludes(held(gap.value, gap.interval), 0.0)
    if side and bounds is not None:
        worst = bounds.lowest if side > 0 else bounds.highest
        if excludes(worst.interval, 0.0) != side:
            return Statement(f"{told}{TURNED}", "open")
    return by_side(told, gap.value, gap.interval, 0.0, CHANGED)


def _not_answered(system: ReasoningSystem) -> str:
    """Say how much was not answered, where not everything was."""
    counts = next(iter(system.variants.values())).counts
    lost = [counts.get(f"asked_{mode}", 0) - counts.get(f"answered_{mode}", 0) for mode in MODES]
    if not any(lost):
        return ""
    with_it, without = map(count, lost)
    asked = count(system.parts.population.vignettes)
    return f" (of {asked} asked {with_it} not answered with it, {without} without)"


def _at(value: float | None) -> str:
    return "undefined" if value is None else points(value)
