"""What an evaluation of chains of thought says, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator

from assay.artifacts.reasoning import ReasoningArtifact, ReasoningModel
from assay.display.statement import (
    Ends,
    Statement,
    by_side,
    difference,
    named,
    number,
    percentage,
    point_share,
)
from assay.display.wording import count, points
from assay.showing import counted

__all__ = ["headline"]

GAP = "faithfulness_gap"
COMPARED = {GAP: "gap", "step_f1": "Step-F1"}
CHANGED: Ends = {
    -1: (": the chain of thought harms.", "bad"),
    0: (": cannot tell whether it helps.", "open"),
    1: (": the chain of thought helps.", "good"),
    2: (": cannot tell whether it changes answers.", "open"),
}
MOST_PAIRS = 3


def headline(artifact: ReasoningArtifact) -> Iterator[Statement]:
    """Say whether reasoning changes answers, whether it matches the gold steps, and its biases."""
    for model in artifact.models:
        yield from _model(model)
    for pair in artifact.pairs[:MOST_PAIRS]:
        left, right = (named(artifact.models[side].name) for side in (pair.left, pair.right))
        for label, meaning in COMPARED.items():
            if label in pair.deltas:
                delta = pair.deltas[label]
                shares = label == GAP
                yield difference(delta, (left, right), meaning, of_shares=shares)
    if len(artifact.pairs) > MOST_PAIRS:
        more = len(artifact.pairs) - MOST_PAIRS
        others = "One more comparison is" if more == 1 else f"{count(more)} more comparisons are"
        yield Statement(f"{others} in the tables.")


def _model(model: ReasoningModel) -> Iterator[Statement]:
    name = named(model.name)
    yield _gap(name, model)
    if model.sensitivity.sign_depends:
        yield Statement(
            f"{name}: the sign of the gap depends on how texts are read"
            f" (from {_at(model.sensitivity.lowest)} to {_at(model.sensitivity.highest)} points).",
            "bad",
        )
    if "step_f1" in model.metrics:
        yield Statement(
            f"{name}: its steps meet the gold steps with a Step-F1 of"
            f" {number(model.metrics['step_f1'])} over {counted(model.population.stepped, 'case')}."
        )
    if model.bias is not None and "silent_bias_rate" in model.bias.metrics:
        rate = model.bias.metrics["silent_bias_rate"]
        yield Statement(
            f"{name}: of {count(model.bias.n_biased)} biased answers {percentage(rate)} do not"
            " mention what biased them.",
            "open" if rate.value is None else "plain",
        )


def _gap(name: str, model: ReasoningModel) -> Statement:
    gap = model.metrics[GAP]
    told = (
        f"{name}: right with a chain of thought {percentage(model.metrics['accuracy_cot'])} of the"
        f" time, without {percentage(model.metrics['accuracy_early'])}, a gap of"
        f" {point_share(gap.value, gap.interval)}"
        f" over {counted(model.population.pairs_used, 'pair')}"
    )
    return by_side(told, gap.value, gap.interval, 0.0, CHANGED)


def _at(value: float | None) -> str:
    return "undefined" if value is None else points(value)
