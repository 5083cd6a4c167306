"""The figures of grounded verdicts: the seven numbers, and where each of them comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from assay.display.changes import query
from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, Spec, bars, file_name, told
from assay.display.figures.forests import Share, paired, scalar_forest, share_forest
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
        spec=precision_recall_figure(curves),
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


RECALL, PRECISION = "Recall: positives that are found", "Precision: found that are positive"
GIVEN, TRUE = "Given", "True"
CELL = 60
"""pixels of a cell of the confusion matrix"""
ROW, FURTHER = 34, 18


def precision_recall_figure(curves: Mapping[str, Threshold]) -> Spec:
    """Draw precision against recall, a curve per threshold."""
    names = [*curves]
    unit = draw.Scale(domain=[0, 1], nice=False)
    axis = draw.Axis(labelFlush=False, grid=False)
    base = draw.Chart(draw.data("points")).encode(
        x=draw.number(draw.X, "recall", RECALL, scale=unit, axis=axis),
        y=draw.number(draw.Y, "precision", PRECISION, scale=unit),
        order=draw.Order(field="place", type="quantitative"),
        color=draw.coloured("name", names),
        opacity=draw.shown(),
    )
    lines = base.mark_line(interpolate="step-before").properties(name="lines")
    dots = base.mark_point().encode(
        shape=draw.shaped("name", names),
        tooltip=[
            draw.tip("name", "positive"),
            draw.tip("score", "from score", ".4~g"),
            draw.tip("recall", "recall", ".3f"),
            draw.tip("precision", "precision", ".3f"),
            draw.tip("n", "positives"),
        ],
    )
    rows = [row for name, curve in curves.items() for row in _points(name, curve)]
    return draw.drawn(draw.layered(lines.add_params(draw.toggle("name")), dots), points=rows)


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


def confusion_figure(verdicts: Sequence[str], confusion: Sequence[Sequence[int]]) -> Spec:
    """Draw how often each verdict was given for each true one."""
    rows = [
        {"true": true, "given": given, "n": n, "text": count(n)}
        for true, counts in zip(verdicts, confusion, strict=True)
        for given, n in zip(verdicts, counts, strict=True)
    ]
    top = draw.Axis(labelAngle=0, domain=False, ticks=False, grid=False)
    left = draw.Axis(domain=False, ticks=False, grid=False)
    base = draw.Chart(draw.data("cells")).encode(
        x=draw.named(draw.X, "given", verdicts, title=GIVEN, axis=top, scale=_gap()),
        y=draw.named(draw.Y, "true", verdicts, title=TRUE, axis=left, scale=_gap()),
        tooltip=draw.tips(true="true", given="given", text="cases"),
    )
    cells = base.mark_rect(cornerRadius=2).encode(
        color=draw.Color(field="n", type="quantitative", scale=draw.Scale(domainMin=0), legend=None)
    )
    texts = base.mark_text(style="cell").encode(text=draw.Text(field="text", type="nominal"))
    return draw.drawn(draw.layered(cells, texts), draw.step(CELL), cells=rows)


def _gap() -> draw.Part:
    return draw.Scale(paddingInner=0.04, paddingOuter=0)


def count_figure(counts: Mapping[str, Mapping[str, int]], what: str) -> Spec:
    """Draw how many there are of every kind, by system."""
    names = [*counts]
    kinds = [*dict.fromkeys(kind for each in counts.values() for kind in each)]
    rows = [
        {"name": name, "kind": kind, "n": n, "text": count(n)}
        for name, each in counts.items()
        for kind, n in each.items()
    ]
    axis = draw.Axis(title=None, grid=False, ticks=False)
    places: dict[str, Any] = {"y": draw.named(draw.Y, "kind", kinds, axis=axis)}
    if len(names) > 1:
        places["yOffset"] = draw.named(draw.YOffset, "name", names)
    base = draw.Chart(draw.data("counts")).encode(
        **places,
        x=draw.number(draw.X, "n", what, axis=draw.Axis(labelFlush=False)),
        opacity=draw.shown(),
        tooltip=draw.tips(name="system", kind="kind", text="number"),
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(color=draw.coloured("name", names))
    texts = base.mark_text(style="value", align="left", dx=4).encode(
        text=draw.Text(field="text", type="nominal")
    )
    height = draw.step(ROW + FURTHER * (len(names) - 1))
    named_bars = bars.properties(name="bars").add_params(draw.toggle("name"))
    return draw.drawn(draw.layered(named_bars, texts), height, counts=rows)
