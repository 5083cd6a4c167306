"""How many cases have a number in each bin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import altair as alt

from assay.artifacts.reasoning import StepHistogram
from assay.display.figures.drawing import (
    Layer,
    Row,
    coloured,
    data,
    drawn,
    layered,
    number,
    shaped,
    shown,
    tip,
    toggle,
)
from assay.display.figures.figure import Spec
from assay.display.wording import count

__all__ = ["histogram_figure"]


def histogram_figure(histograms: Mapping[str, StepHistogram], title: str, what: str) -> Spec:
    """Draw how many cases have a number in each bin: bars of one system, outlines of several."""
    names = [*histograms]
    rows = [row for name, each in histograms.items() for row in _bins(name, each)]
    edges = [edge for each in histograms.values() for edge in each.edges]
    across = {
        "scale": alt.Scale(domain=[min(edges), max(edges)], nice=False),
        "axis": alt.Axis(labelFlush=False, grid=False),
    }
    base = alt.Chart(data("bins")).encode(
        x=number(alt.X, "low", title, **across),
        y=number(alt.Y, "n", what),
        color=coloured("name", names),
        opacity=shown(),
        tooltip=[tip("name", "system"), tip("range", "from, to"), tip("text", "number")],
    )
    middle = number(alt.X, "middle", title, **across)
    marks = _bars(base) if len(names) == 1 else _outlines(base.encode(x=middle), names)
    return drawn(layered(*marks), 300, bins=rows)


def _bins(name: str, histogram: StepHistogram) -> Iterator[Row]:
    ends = zip(histogram.edges[:-1], histogram.edges[1:], histogram.counts, strict=True)
    for low, high, n in ends:
        yield {
            "name": name,
            "low": low,
            "high": high,
            "middle": (low + high) / 2,
            "n": n,
            "text": count(n),
            "range": f"{low:g} to {high:g}",
        }


def _bars(base: Layer) -> Iterator[Layer]:
    bars = base.mark_rect(style="bar").encode(x2=alt.X2(field="high"), y2=alt.Y2(datum=0))
    yield bars.properties(name="bars").add_params(toggle("name"))


def _outlines(base: Layer, names: Sequence[str]) -> Iterator[Layer]:
    lines = base.mark_line(interpolate="step")
    yield lines.properties(name="lines").add_params(toggle("name"))
    yield base.mark_point(style="estimate").encode(shape=shaped("name", names))
