"""How many there are of each: bars by kind, bins of a number, cells of two labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.display.figures import drawing as draw
from assay.display.figures.figure import Spec
from assay.display.wording import count

Histogram = tuple[Sequence[float], Sequence[int]]
"""edges, and how many lie between each two"""


def size_figure(sizes: Mapping[str, Mapping[str, int]]) -> Spec:
    """Draw how many sets have so many members."""
    rows: list[draw.Row] = [
        {"name": name, "size": size, "n": n, "text": count(n)}
        for name, counts in sizes.items()
        for size, n in counts.items()
    ]
    names = [*sizes]
    order = [*dict.fromkeys(row["size"] for row in rows)]
    axis = draw.Axis(labelAngle=0, grid=False)
    base = draw.Chart(draw.data("sizes")).encode(
        x=draw.named(draw.X, "size", order, title="Classes in the set", axis=axis),
        y=draw.number(draw.Y, "n", "Sets"),
        xOffset=draw.named(draw.XOffset, "name", names),
        opacity=draw.shown(),
        tooltip=[draw.tip("name", "system"), draw.tip("size", "classes"), draw.tip("text", "sets")],
    )
    bars = base.mark_bar().encode(color=draw.coloured("name", names))
    texts = base.mark_text(style="note", baseline="bottom", dy=-2).encode(
        text=draw.Text(field="text", type="nominal")
    )
    return draw.drawn(
        draw.layered(bars.properties(name="bars").add_params(draw.toggle("name")), texts),
        300,
        sizes=rows,
    )


def histogram_figure(histograms: Mapping[str, Histogram], title: str, what: str) -> Spec:
    """Draw how many cases have a number in each bin: bars of one system, outlines of several."""
    names = [*histograms]
    rows = [row for name, each in histograms.items() for row in _bins(name, each)]
    edges = [edge for own, _ in histograms.values() for edge in own]
    across = {
        "scale": draw.Scale(domain=[min(edges), max(edges)], nice=False),
        "axis": draw.Axis(labelFlush=False, grid=False),
    }
    base = draw.Chart(draw.data("bins")).encode(
        x=draw.number(draw.X, "low", title, **across),
        y=draw.number(draw.Y, "n", what),
        color=draw.coloured("name", names),
        opacity=draw.shown(),
        tooltip=draw.tips(name="system", range="from, to", text="number"),
    )
    if len(names) == 1:
        bars = base.mark_rect(style="bar").encode(x2=draw.X2(field="high"), y2=draw.Y2(datum=0))
        marks = [bars.properties(name="bars").add_params(draw.toggle("name"))]
    else:
        outlined = base.encode(x=draw.number(draw.X, "middle", title, **across))
        lines = outlined.mark_line(interpolate="step").properties(name="lines")
        dots = outlined.mark_point(style="estimate").encode(shape=draw.shaped("name", names))
        marks = [lines.add_params(draw.toggle("name")), dots]
    return draw.drawn(draw.layered(*marks), 300, bins=rows)


def _bins(name: str, histogram: Histogram) -> Iterator[draw.Row]:
    edges, counts = histogram
    for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True):
        yield {
            "name": name,
            "low": low,
            "high": high,
            "middle": (low + high) / 2,
            "n": n,
            "text": count(n),
            "range": f"{low:g} to {high:g}",
        }


GIVEN, TRUE = "Given", "True"
CELL = 60
"""pixels of a cell of the confusion matrix"""
ROW, FURTHER = 34, 18


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
