"""The figures of grounded verdicts: the seven numbers, and where each of them comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from assay.display.changes import query
from assay.display.figures import drawing as draw
from assay.display.figures.counts import confusion_figure, count_figure
from assay.display.figures.figure import Figure, bars, file_name, told
from assay.display.figures.forests import Share, paired, scalar_forest, share_forest
from assay.display.figures.lines import precision_recall_figure
from assay.display.first import people
from assay.display.numbers import minus
from assay.display.wording import count, percent
from assay.families.verdicts.parts import SHOWN, Threshold, VerdictsArtifact, VerdictSystem
from assay.score import spelled

Systems = Mapping[str, "VerdictSystem"]
UNCHECKED = "unchecked"
CASES = "intervals over cases"


def figures(artifact: VerdictsArtifact) -> Iterator[Figure]:
    """Draw an artifact of one system, or of several."""
    names = draw.labels([each.name for each in artifact.systems])
    systems = dict(zip(names, artifact.systems, strict=True))
    yield _numbers(artifact, systems)
    for number, (name, system) in enumerate(systems.items()):
        where = f" of {name}" if len(systems) > 1 else ""
        main = number == 0
        if any(each.curve for each in system.parts.thresholds):
            yield _precision_recall(system, where, main=main)
        go = partial(_cell_of, people(artifact)[number])
        yield replace(_confusion(artifact, system, where, main=main), go=go)
    yield from _snippets(systems)
    yield from _fields(artifact, systems)
    pairs = {minus(names, pair): pair.deltas[""] for pair in artifact.pairs}
    yield from paired(pairs, SHOWN, artifact.metrics)


def _cell_of(side: str, row: Mapping[str, Any]) -> str:
    return query(system=side, truth=row["true"], given=row["given"])


def _numbers(artifact: VerdictsArtifact, systems: Systems) -> Figure:
    found = {
        (label, name): system.numbers[label]
        for label in SHOWN
        for name, system in systems.items()
        if label in system.numbers
    }
    first = {name: each.numbers[SHOWN[0]] for name, each in systems.items()}
    return Figure(
        name="numbers",
        title="The numbers at a glance",
        caption="All are shares or areas from 0 to 1, higher is better."
        f"{bars(artifact.resampling, CASES)}",
        alt=f"The numbers with their intervals. {told(SHOWN[0], first)}",
        spec=scalar_forest(found, "Value"),
    )


def _precision_recall(system: VerdictSystem, where: str, *, main: bool) -> Figure:
    # A step with cases on one side only has no curve.
    drawn = [each for each in system.parts.thresholds if each.curve]
    curves = dict(zip(draw.labels([each.name for each in drawn]), drawn, strict=True))
    areas = {
        name: system.numbers[f"threshold_auprc@{spelled(each.threshold)}"]
        for name, each in curves.items()
    }
    return Figure(
        name=file_name("precision-recall", where.removeprefix(" of")),
        title=f"Precision and recall by threshold{where}",
        caption="A curve per step of the scale; further up and to the right is better.",
        alt=f"Precision against recall{where}. {told('Average precision', areas)}",
        spec=precision_recall_figure(
            [row for name, step in curves.items() for row in _points(name, step)], [*curves]
        ),
        main=main,
    )


def _confusion(
    artifact: VerdictsArtifact, system: VerdictSystem, where: str, *, main: bool
) -> Figure:
    verdicts = draw.labels(artifact.parts.policy.verdicts)
    right = sum(row[place] for place, row in enumerate(system.parts.confusion))
    total = sum(map(sum, system.parts.confusion))
    return Figure(
        name=file_name("confusion", where.removeprefix(" of")),
        title=f"Given and true verdicts{where}",
        caption="Cases by true verdict (rows) and given verdict (columns), lowest to the bottom"
        " left; right ones lie on the diagonal from there.",
        alt=f"Confusion matrix{where}: {count(right)} of {count(total)} verdicts are right.",
        spec=confusion_figure(verdicts, system.parts.confusion),
        main=main,
    )


def _snippets(systems: Systems) -> Iterator[Figure]:
    checked = {name: each.parts.snippets for name, each in systems.items() if each.parts.snippets}
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
        caption="Exact and normalized ones are in their source; stitched ones in pieces,"
        " misattributed ones in another, absent ones in none.",
        alt=f"Quotations by status. Valid: {', '.join(said)}.",
        spec=count_figure(statuses, "Quotations"),
    )


def _fields(artifact: VerdictsArtifact, systems: Systems) -> Iterator[Figure]:
    fields = draw.labels(
        [*dict.fromkeys(one.field for own in systems.values() for one in own.parts.fields)]
    )
    shares = {
        (draw.labels([each.field])[0], name): Share(each.accuracy, each.interval, each.n_judged)
        for field in fields
        for name, own in systems.items()
        for each in own.parts.fields
        if draw.labels([each.field])[0] == field
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


def _points(name: str, step: Threshold) -> Iterator[draw.Row]:
    curve = step.curve
    found = zip(curve.score, curve.recall, curve.precision, strict=True) if curve else ()
    for place, (score, recall, precision) in enumerate(found):
        yield {
            "name": name,
            "place": place,
            "score": score,
            "recall": recall,
            "precision": precision,
            "n": count(step.n_positive),
        }
