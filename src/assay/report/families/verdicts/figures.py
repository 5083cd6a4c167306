"""The figures of grounded verdicts: the seven numbers, and where each of them comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.artifacts.verdicts import VerdictsArtifact, VerdictSystem
from assay.display.figures.drawing import labels
from assay.display.figures.figure import Figure
from assay.display.figures.forests import Share, scalar_forest, share_forest
from assay.display.figures.words import bars, file_name, paired, told
from assay.display.numbers import minus
from assay.display.wording import count, percent
from assay.report.families.verdicts.outcomes import (
    confusion_figure,
    count_figure,
    precision_recall_figure,
)
from assay.report.families.version1 import described

__all__ = ["figures"]

Systems = Mapping[str, VerdictSystem]
UNCHECKED = "unchecked"
CASES = "intervals over cases"


def figures(artifact: VerdictsArtifact) -> Iterator[Figure]:
    """Draw an artifact of one system, or of several."""
    names = labels([each.name for each in artifact.systems])
    systems = dict(zip(names, artifact.systems, strict=True))
    yield _numbers(artifact, systems)
    for number, (name, system) in enumerate(systems.items()):
        where = f" of {name}" if len(systems) > 1 else ""
        main = number == 0
        if system.curves:
            yield _precision_recall(system, where, main=main)
        yield _confusion(artifact, system, where, main=main)
    yield from _snippets(systems)
    yield from _fields(artifact, systems)
    pairs = {minus(names, pair): pair.deltas for pair in artifact.pairs}
    compared = next(iter(pairs.values()), {})
    yield from paired(pairs, compared, described(*pairs.values()))


def _numbers(artifact: VerdictsArtifact, systems: Systems) -> Figure:
    found = {
        (label, name): system.metrics[label]
        for label in next(iter(systems.values())).metrics
        for name, system in systems.items()
        if label in system.metrics
    }
    return Figure(
        name="numbers",
        title="The numbers at a glance",
        caption="All are shares or areas from 0 to 1, higher is better."
        f"{bars(artifact.resampling, CASES)}",
        alt=f"The numbers with their intervals. {_told(systems)}",
        spec=scalar_forest(found, "Value"),
    )


def _told(systems: Systems) -> str:
    label = next(iter(next(iter(systems.values())).metrics))
    return told(label, {name: each.metrics[label] for name, each in systems.items()})


def _precision_recall(system: VerdictSystem, where: str, *, main: bool) -> Figure:
    shown = labels([each.name for each in system.curves])
    curves = dict(zip(shown, system.curves, strict=True))
    by_step = {each.threshold: each.auprc for each in system.thresholds}
    # A step with cases on one side only has no curve.
    areas = {name: by_step[each.threshold] for name, each in curves.items()}
    return Figure(
        name=file_name("precision-recall", where.removeprefix(" of")),
        title=f"Precision and recall by threshold{where}",
        caption="A curve per step of the scale; further up and to the right is better.",
        alt=f"Precision against recall{where}. {told('Average precision', areas)}",
        spec=precision_recall_figure(curves),
        main=main,
    )


def _confusion(
    artifact: VerdictsArtifact, system: VerdictSystem, where: str, *, main: bool
) -> Figure:
    verdicts = labels(artifact.policy.verdicts)
    right = sum(row[place] for place, row in enumerate(system.confusion))
    total = sum(map(sum, system.confusion))
    return Figure(
        name=file_name("confusion", where.removeprefix(" of")),
        title=f"Given and true verdicts{where}",
        caption="Cases by true verdict (rows) and given verdict (columns), lowest to the bottom"
        " left; right ones lie on the diagonal from there.",
        alt=f"Confusion matrix{where}: {count(right)} of {count(total)} verdicts are right.",
        spec=confusion_figure(verdicts, system.confusion),
        main=main,
    )


def _snippets(systems: Systems) -> Iterator[Figure]:
    checked = {name: each.snippets for name, each in systems.items() if each.snippets}
    if not checked:
        return
    statuses = {
        name: {status: n for status, n in each.statuses.items() if n or status != UNCHECKED}
        for name, each in checked.items()
    }
    said = [
        f"{name} {count(each.n_valid[each.mode])} of {count(each.n_snippets)}"
        for name, each in checked.items()
    ]
    yield Figure(
        name="quotations",
        title="What became of quotations",
        caption="Exact and normalized ones are in their review; stitched ones in pieces,"
        " misattributed ones in another, absent ones in none.",
        alt=f"Quotations by status. Valid: {', '.join(said)}.",
        spec=count_figure(statuses, "Quotations"),
    )


def _fields(artifact: VerdictsArtifact, systems: Systems) -> Iterator[Figure]:
    fields = labels([*dict.fromkeys(one.field for own in systems.values() for one in own.fields)])
    shares = {
        (labels([each.field])[0], name): Share(each.accuracy, each.interval, each.n_judged)
        for field in fields
        for name, own in systems.items()
        for each in own.fields
        if labels([each.field])[0] == field
    }
    if not shares:
        return
    (field, name), first = next(iter(shares.items()))
    said = "nothing" if first.value is None else percent(first.value)
    yield Figure(
        name="judgements",
        title="Judgements by field",
        caption="Share of judgements that are right, among evidence that is cited."
        f"{bars(artifact.resampling, CASES)}",
        alt=f"Judgements by field. {name}, {field}: {said} of {count(first.n)} right.",
        spec=share_forest(shares, "Share of judgements that are right", at=None),
    )
