"""The figures of reasoning: the gap under every reading, steps, silent bias."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.display.figures import drawing as draw
from assay.display.figures.counts import histogram_figure
from assay.display.figures.figure import Figure, bars, file_name, told, told_scalar
from assay.display.figures.forests import Share, paired, scalar_forest, share_forest, spread_forest
from assay.display.numbers import minus
from assay.display.wording import count, percent
from assay.families.reasoning.parts import ReasoningArtifact, ReasoningSystem, Sensitivity
from assay.families.reasoning.subjects import GAP
from assay.showing import counted

COT, EARLY, STEPS = "accuracy_cot", "accuracy_early", "step_f1"
COMPARED = (GAP, COT, EARLY, STEPS)
MEANING = (
    "Accuracy with a chain of thought minus accuracy without; at zero the chain changes nothing."
)
AXIS = "Gap: accuracy with minus without the chain"
Systems = Mapping[str, ReasoningSystem]


def figures(artifact: ReasoningArtifact) -> Iterator[Figure]:
    """Draw an artifact of one system, or of several."""
    names = draw.labels([each.name for each in artifact.systems])
    systems = dict(zip(names, artifact.systems, strict=True))
    yield from _gaps(artifact, systems)
    yield from _accuracies(artifact, systems)
    yield from _steps(systems)
    yield from _bias(systems)
    pairs = {minus(names, each): next(iter(each.deltas.values()), {}) for each in artifact.pairs}
    yield from paired(pairs, COMPARED, artifact.metrics)


def _gaps(artifact: ReasoningArtifact, systems: Systems) -> Iterator[Figure]:
    """Draw the gap of every system, and what it would be under the other readings."""
    shown = {
        (name, draw.labels([each.name])[0]): each.gap
        for name, system in systems.items()
        for each in system.parts.sensitivity.readings
        if each.chosen
    }
    others = [
        {
            "row": name,
            "name": draw.labels([each.name])[0],
            "value": each.gap.value,
            "text": told_scalar(each.gap),
        }
        for name, system in systems.items()
        for each in system.parts.sensitivity.readings
        if not each.chosen
    ]
    turning = [name for name, each in systems.items() if each.parts.sensitivity.sign_depends]
    warning = f" The sign depends on the reading: {', '.join(turning)}." if turning else ""
    gaps = {name: gap for (name, _), gap in shown.items()}
    ticks = " Ticks: the other readings." if others else ""
    yield Figure(
        name="faithfulness-gap",
        title="Faithfulness gap, and how much it depends on the reading",
        caption=f"{MEANING}{bars(artifact.resampling, 'intervals of the chosen reading')}"
        f"{ticks}{warning}",
        alt=f"Faithfulness gap by model. {told('Gap', gaps)}{warning}",
        spec=spread_forest(shown, others, AXIS, at=0.0),
    )
    for name, system in systems.items() if others else ():
        yield _readings(name if len(systems) > 1 else "", system.parts.sensitivity)


def _readings(name: str, sensitivity: Sensitivity) -> Figure:
    found = {
        (f"{draw.labels([each.name])[0]}{' (chosen)' if each.chosen else ''}", ""): each.gap
        for each in sensitivity.readings
    }
    where = f" of {name}" if name else ""
    lowest, highest = sensitivity.lowest, sensitivity.highest
    span = "" if lowest is None else f" From {lowest:.3f} to {highest:.3f}."
    return Figure(
        name=file_name("faithfulness-gap-by-reading", name),
        title=f"Faithfulness gap by reading{where}",
        caption=f"{MEANING} A row per reading of the same texts.",
        alt=f"Faithfulness gap{where} under {counted(len(found), 'reading')}.{span}",
        spec=scalar_forest(found, AXIS, at=0.0),
        main=False,
    )


def _accuracies(artifact: ReasoningArtifact, systems: Systems) -> Iterator[Figure]:
    words = {COT: "with the chain of thought", EARLY: "without"}
    found = {
        (name, word): system.numbers[label]
        for name, system in systems.items()
        for label, word in words.items()
    }
    (name, word), first = next(iter(found.items()))
    yield Figure(
        name="accuracies",
        title="Accuracy with and without the chain of thought",
        caption=f"Over the same vignettes, with both modes in order.{bars(artifact.resampling)}",
        alt=f"Accuracies by model. {name} {word}: {told_scalar(first)}.",
        spec=scalar_forest(found, "Accuracy"),
    )


def _steps(systems: Systems) -> Iterator[Figure]:
    filled = {name: each for name, each in systems.items() if any(each.parts.step_f1.counts)}
    if not filled:
        return
    found = {name: each.parts.step_f1 for name, each in filled.items()}
    means = {name: each.numbers[STEPS] for name, each in filled.items() if STEPS in each.numbers}
    yield Figure(
        name="step-f1",
        title="Steps that meet the gold steps",
        caption="How many vignettes have a Step-F1 in each bin; further right, more of the"
        " reasoning is that of the gold steps.",
        alt=f"Distribution of Step-F1. {told('Mean', means) if means else ''}".strip(),
        spec=histogram_figure(
            {name: (each.edges, each.counts) for name, each in found.items()},
            "Step-F1",
            "Vignettes",
        ),
    )


def _bias(systems: Systems) -> Iterator[Figure]:
    shares = {
        (draw.labels([each.feature])[0], name): Share(
            each.silent_bias_rate, each.interval, each.n_biased
        )
        for name, system in systems.items()
        if system.parts.bias
        for each in system.parts.bias.features
    }
    if not shares:
        return
    (feature, name), first = next(iter(shares.items()))
    said = "undefined" if first.value is None else percent(first.value)
    yield Figure(
        name="silent-bias",
        title="Silent bias by feature",
        caption="Of the answers that the feature biased, the share that does not mention it; n is"
        " the number of biased answers. Bars: exact intervals.",
        alt=f"Silent bias by feature. {name}, {feature}: {said} of {count(first.n)} biased.",
        spec=share_forest(shares, "Share of biased answers that are silent about it", at=None),
    )
