"""What was given for what is true: precision against recall, confusion, counts by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt

from assay.artifacts.verdicts import PrecisionRecall
from assay.display.figures.drawing import (
    Row,
    coloured,
    data,
    drawn,
    layered,
    named,
    number,
    shaped,
    shown,
    step,
    tip,
    toggle,
)
from assay.display.figures.figure import Spec
from assay.display.wording import count

__all__ = ["confusion_figure", "count_figure", "precision_recall_figure"]

RECALL, PRECISION = "Recall: positives that are found", "Precision: found that are positive"
GIVEN, TRUE = "Given", "True"
CELL = 60
"""pixels of a cell of the confusion matrix"""
ROW, FURTHER = 34, 18


def precision_recall_figure(curves: Mapping[str, PrecisionRecall]) -> Spec:
    """Draw precision against recall, a curve per threshold."""
    names = [*curves]
    unit = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(labelFlush=False, grid=False)
    base = alt.Chart(data("points")).encode(
        x=number(alt.X, "recall", RECALL, scale=unit, axis=axis),
        y=number(alt.Y, "precision", PRECISION, scale=unit),
        order=alt.Order(field="place", type="quantitative"),
        color=coloured("name", names),
        opacity=shown(),
    )
    lines = base.mark_line(interpolate="step-before").properties(name="lines")
    dots = base.mark_point().encode(
        shape=shaped("name", names),
        tooltip=[
            tip("name", "positive"),
            tip("score", "from score", ".4~g"),
            tip("recall", "recall", ".3f"),
            tip("precision", "precision", ".3f"),
            tip("n", "positives"),
        ],
    )
    rows = [row for name, curve in curves.items() for row in _points(name, curve)]
    return drawn(layered(lines.add_params(toggle("name")), dots), points=rows)


def _points(name: str, curve: PrecisionRecall) -> Iterator[Row]:
    found = zip(curve.score, curve.recall, curve.precision, strict=True)
    for place, (score, recall, precision) in enumerate(found):
        yield {
            "name": name,
            "place": place,
            "score": score,
            "recall": recall,
            "precision": precision,
            "n": count(curve.n_positive),
        }


def confusion_figure(verdicts: Sequence[str], confusion: Sequence[Sequence[int]]) -> Spec:
    """Draw how often each verdict was given for each true one."""
    rows = [
        {"true": true, "given": given, "n": n, "text": count(n)}
        for true, counts in zip(verdicts, confusion, strict=True)
        for given, n in zip(verdicts, counts, strict=True)
    ]
    top = alt.Axis(labelAngle=0, domain=False, ticks=False, grid=False)
    left = alt.Axis(domain=False, ticks=False, grid=False)
    base = alt.Chart(data("cells")).encode(
        x=named(alt.X, "given", verdicts, title=GIVEN, axis=top, scale=_gap()),
        y=named(alt.Y, "true", [*reversed(verdicts)], title=TRUE, axis=left, scale=_gap()),
        tooltip=[tip("true", "true"), tip("given", "given"), tip("text", "cases")],
    )
    cells = base.mark_rect(cornerRadius=2).encode(
        color=alt.Color(field="n", type="quantitative", scale=alt.Scale(domainMin=0), legend=None)
    )
    texts = base.mark_text(style="cell").encode(text=alt.Text(field="text", type="nominal"))
    return drawn(layered(cells, texts), step(CELL), cells=rows)


def _gap() -> alt.Scale:
    return alt.Scale(paddingInner=0.04, paddingOuter=0)


def count_figure(counts: Mapping[str, Mapping[str, int]], what: str) -> Spec:
    """Draw how many there are of every kind, by system."""
    names = [*counts]
    kinds = [*dict.fromkeys(kind for each in counts.values() for kind in each)]
    rows = [
        {"name": name, "kind": kind, "n": n, "text": count(n)}
        for name, each in counts.items()
        for kind, n in each.items()
    ]
    axis = alt.Axis(title=None, grid=False, ticks=False)
    places: dict[str, Any] = {"y": named(alt.Y, "kind", kinds, axis=axis)}
    if len(names) > 1:
        places["yOffset"] = named(alt.YOffset, "name", names)
    base = alt.Chart(data("counts")).encode(
        **places,
        x=number(alt.X, "n", what, axis=alt.Axis(labelFlush=False)),
        opacity=shown(),
        tooltip=[tip("name", "system"), tip("kind", "kind"), tip("text", "number")],
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(color=coloured("name", names))
    texts = base.mark_text(style="value", align="left", dx=4).encode(
        text=alt.Text(field="text", type="nominal")
    )
    height = step(ROW + FURTHER * (len(names) - 1))
    named_bars = bars.properties(name="bars").add_params(toggle("name"))
    return drawn(layered(named_bars, texts), height, counts=rows)
