"""Lines and dots over two axes: bins, walks, levels, widths, precision and risk, by system.

What stands in a row of the data is told by the family; the names say which systems there are, also
those without rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.display.figures import drawing as draw
from assay.display.figures.figure import Spec
from assay.display.figures.theme import DASHES

Rows = Sequence[draw.Row]
Names = Sequence[str]


HEIGHT = 520
STATED, HAPPENED = "Stated probability (mean of the bin)", "Share that came true"
ADDED = "Outcome minus probability, added up per row"
ROWS = "Share of rows, from the smallest probability"
BAND = 0.16
HEADROOM = 5
"""counts fill one part of so many of the height"""
HOLLOW = "hollow: no interval"
ENDS: Rows = ({"stated": 0, "happened": 0}, {"stated": 1, "happened": 1})


def reliability_figure(rows: Rows, names: Names) -> Spec:
    """Draw how often what is stated comes true; of one system also how many rows are in a bin."""
    base = draw.Chart(draw.data("bins")).encode(
        x=draw.number(draw.X, "stated", STATED, **draw.unit(5)),
        color=draw.coloured("name", names),
        opacity=draw.shown(),
        tooltip=[
            draw.tip("name", "system"),
            draw.tip("range", "bin"),
            draw.tip("count", "rows"),
            draw.tip("stated", "mean probability", ".3f"),
            draw.tip("happened", "came true", ".3f"),
            draw.tip("interval", "interval"),
        ],
    )
    happened = draw.number(draw.Y, "happened", HAPPENED, **draw.unit(5, grid=True))
    spans = base.mark_rule(style="interval").encode(
        y=draw.number(draw.Y, "low", HAPPENED), y2=draw.Y2(field="high")
    )
    lines = base.mark_line(style="limit").encode(y=happened)
    marked = base.encode(y=happened, shape=draw.shaped("name", names))
    dots = marked.transform_filter("!datum.hollow").mark_point(style="estimate")
    named = dots.properties(name="estimates").add_params(draw.toggle("name"))
    # A bin without an interval must not look like one that is certain.
    hollow = marked.transform_filter("datum.hollow").mark_point(style="hollow")
    notes = (
        [draw.note(HOLLOW, x=draw.at(draw.XValue, 0), y=draw.at(draw.YValue, 0))]
        if any(r["hollow"] for r in rows)
        else []
    )
    diagram = draw.layered(_diagonal(), spans, lines, named, hollow, *notes)
    if len(names) > 1:
        return draw.drawn(diagram, HEIGHT, bins=rows, ends=ENDS)
    both = draw.layered(*_counts(rows), diagram, resolve={"scale": {"y": "independent"}})
    return draw.drawn(both, HEIGHT, bins=rows, ends=ENDS)


def _diagonal() -> draw.Layer:
    line = draw.Chart(draw.data("ends")).mark_line(style="reference")
    return line.encode(
        x=draw.number(draw.X, "stated", STATED), y=draw.number(draw.Y, "happened", HAPPENED)
    )


def _counts(rows: Sequence[draw.Row]) -> Iterator[draw.Layer]:
    """Draw how many rows each bin has, low behind the diagram, with the numbers on top."""
    most = max((row["count"] for row in rows), default=1)
    scale = draw.Scale(domain=[0, HEADROOM * most], nice=False)
    base = draw.Chart(draw.data("bins"))
    yield base.mark_rect(style="ground").encode(
        x=draw.number(draw.X, "from", STATED),
        x2=draw.X2(field="to"),
        y=draw.number(draw.Y, "count", None, scale=scale, axis=None),
        y2=draw.Y2(datum=0),
    )
    yield base.mark_text(style="note", baseline="bottom", dy=-3).encode(
        x=draw.number(draw.X, "stated", STATED),
        y=draw.at(draw.YValue, "height"),
        text=draw.Text(field="rows", type="nominal"),
    )


def cumulative_figure(rows: Rows, names: Names) -> Spec:
    """Draw the cumulative differences within the band in which calibrated probabilities stay."""
    bare = draw.Chart(draw.data("steps")).encode(
        x=draw.number(draw.X, "share", ROWS, **draw.unit(5))
    )
    base = bare.encode(color=draw.coloured("name", names))
    bands = (
        (base if len(names) > 1 else bare)
        .mark_area(style="null")
        .encode(
            y=draw.number(draw.Y, "low", ADDED), y2=draw.Y2(field="high"), opacity=draw.shown(BAND)
        )
    )
    lines = base.mark_line().encode(
        y=draw.number(draw.Y, "difference", ADDED), opacity=draw.shown()
    )
    named = lines.properties(name="lines").add_params(draw.toggle("name"))
    tips = [
        draw.tip("name", "system"),
        draw.tip("share", "share of rows", ".3f"),
        draw.tip("score", "probability up to", ".4~g"),
        draw.tip("difference", "added up", ".4f"),
        draw.tip("inside", "band of calibrated ones"),
    ]
    points = draw.near(base, tips, y=draw.number(draw.Y, "difference", ADDED))
    return draw.drawn(draw.layered(bands, draw.reference("y", 0.0), named, points), steps=rows)


CLAIMED, FOUND = "Coverage that is claimed", "Coverage that is found"
MARGIN = 0.04


def claimed_figure(rows: Rows, names: Names) -> Spec:
    """Draw empirical against nominal coverage, with the line on which they are equal."""
    values = [row[each] for row in rows for each in ("claimed", "found", "low", "high")]
    low = max(0.0, min(each for each in values if each is not None) - MARGIN)
    scale = draw.Scale(domain=[low, 1], nice=False)
    base = draw.Chart(draw.data("levels")).encode(
        x=draw.number(draw.X, "claimed", CLAIMED, scale=scale, axis=draw.Axis(grid=False)),
        color=draw.coloured("name", names),
        opacity=draw.shown(),
        tooltip=[
            draw.tip("name", "system"),
            draw.tip("claimed", "claimed", ".3~f"),
            draw.tip("found", "found", ".3f"),
            draw.tip("interval", "interval"),
        ],
    )
    found = draw.number(draw.Y, "found", FOUND, scale=scale)
    spans = base.mark_rule(style="interval").encode(
        y=draw.number(draw.Y, "low", FOUND, scale=scale), y2=draw.Y2(field="high")
    )
    dots = base.mark_point(style="estimate").encode(y=found, shape=draw.shaped("name", names))
    layers = [
        _equal(scale),
        spans,
        base.mark_line(style="limit").encode(y=found),
        dots.properties(name="estimates").add_params(draw.toggle("name")),
    ]
    ends = [{"claimed": each, "found": each} for each in (low, 1)]
    return draw.drawn(draw.layered(*layers), levels=rows, ends=ends)


def _equal(scale: draw.Part) -> draw.Layer:
    line = draw.Chart(draw.data("ends")).mark_line(style="reference")
    return line.encode(
        x=draw.number(draw.X, "claimed", CLAIMED, scale=scale),
        y=draw.number(draw.Y, "found", FOUND, scale=scale),
    )


WIDTH, AT_MOST = "Width of the interval", "Share of intervals at most this wide"


def width_figure(rows: Rows, names: Names) -> Spec:
    """Draw how many intervals are at most so wide."""
    marked = {0, 25, 50, 75, 100}
    lines = (
        draw.Chart(draw.data("widths"))
        .mark_line(interpolate="step-after")
        .encode(
            x=draw.number(
                draw.X, "width", WIDTH, scale=draw.Scale(zero=True), axis=draw.Axis(grid=False)
            ),
            y=draw.number(draw.Y, "share", AT_MOST, scale=draw.Scale(domain=[0, 1])),
            order=draw.Order(field="share", type="quantitative"),
            color=draw.coloured("name", names),
            opacity=draw.shown(),
        )
    )
    quarters = [row for row in rows if round(100 * row["share"]) in marked]
    dots = (
        draw.Chart(draw.data("quarters"))
        .mark_point(style="estimate")
        .encode(
            x=draw.number(draw.X, "width", WIDTH),
            y=draw.number(draw.Y, "share", AT_MOST),
            color=draw.coloured("name", names),
            shape=draw.shaped("name", names),
            opacity=draw.shown(),
            tooltip=[
                draw.tip("name", "intervals"),
                draw.tip("share", "share", ".2f"),
                draw.tip("width", "at most", ".4~g"),
            ],
        )
    )
    named_lines = lines.properties(name="lines").add_params(draw.toggle("name"))
    return draw.drawn(draw.layered(named_lines, dots), widths=rows, quarters=quarters)


RECALL, PRECISION = "Recall: positives that are found", "Precision: found that are positive"


def precision_recall_figure(rows: Rows, names: Names) -> Spec:
    """Draw precision against recall, a curve per threshold."""
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
    return draw.drawn(draw.layered(lines.add_params(draw.toggle("name")), dots), points=rows)


Quantity = Literal["selective_risk", "generalized_risk"]
AXES: dict[Quantity, str] = {
    "selective_risk": "Selective risk: mean loss of accepted answers",
    "generalized_risk": "Generalized risk: loss of accepted answers per item",
}
COVERAGE = "Coverage: share of items answered"


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves by name, and what is marked among them."""

    names: Names
    points: Rows
    limits: Rows
    """other curves over the same answers"""
    kinds: Sequence[str]
    """of these"""
    quantity: Quantity
    by_system: bool
    """whether the names are those of systems: their bands and hulls are drawn; or of confidences"""
    cut: float
    """the coverage up to which areas are also taken"""
    joined: bool
    """whether lines join the working points, or steps"""

    @property
    def interpolate(self) -> Any:
        """Return how points are joined."""
        return "linear" if self.joined else "step-before"


def curve_figure(curves: Curves) -> Spec:
    """Draw risk against coverage."""
    dots = draw.Chart(draw.data("points")).encode(
        x=draw.number(draw.X, "coverage", COVERAGE, **draw.unit(10)),
        y=draw.number(draw.Y, "risk", AXES[curves.quantity]),
        color=draw.coloured("name", curves.names),
    )
    layers = [
        _bands(dots, curves),
        draw.reference("x", curves.cut),
        draw.note(
            "areas at coverage end here",
            x=draw.at(draw.XDatum, curves.cut),
            y=draw.at(draw.YValue, 0),
        ),
        _limit_lines(curves),
        _curve_lines(dots, curves),
        _shapes(dots, curves.names),
        draw.near(dots, _tips(curves)),
    ]
    return draw.drawn(
        draw.layered(*layers),
        points=curves.points,
        limits=curves.limits,
    )


def _tips(curves: Curves) -> list[draw.Part]:
    return [
        draw.tip("name", "system" if curves.by_system else "confidence"),
        draw.tip("threshold", "threshold", ".4~g"),
        draw.tip("coverage", "coverage", ".3f"),
        draw.tip("risk", curves.quantity.replace("_", " "), ".4f"),
        draw.tip("interval", "interval"),
        draw.tip("n", "n accepted", ",.10~g"),
    ]


def _bands(dots: draw.Layer, curves: Curves) -> draw.Layer:
    return dots.mark_area(style="band", interpolate=curves.interpolate).encode(
        y=draw.number(draw.Y, "low", AXES[curves.quantity]),
        y2=draw.Y2(field="high"),
        opacity=draw.opaque("toggle", BAND, 0, empty=curves.by_system),
    )


def _limit_lines(curves: Curves) -> draw.Layer:
    kinds = curves.kinds
    dash = draw.StrokeDash(
        field="kind",
        type="nominal",
        scale=draw.Scale(domain=kinds, range=[DASHES[each] for each in kinds]),
        legend=draw.Legend(symbolType="stroke", symbolSize=260),
    )
    style = "limit" if curves.by_system else "reference"
    lines = (
        draw.Chart(draw.data("limits"))
        .mark_line(style=style)
        .encode(
            x=draw.number(draw.X, "coverage", COVERAGE),
            y=draw.number(draw.Y, "risk", AXES[curves.quantity]),
            strokeDash=dash,
        )
    )
    if not curves.by_system:
        return lines
    colours = draw.coloured("name", curves.names)
    return lines.encode(color=colours, opacity=draw.shown(0.9))


def _curve_lines(dots: draw.Layer, curves: Curves) -> draw.Layer:
    lines = dots.mark_line(interpolate=curves.interpolate).encode(opacity=draw.shown())
    return lines.properties(name="lines").add_params(draw.toggle("name"))


def _shapes(dots: draw.Layer, names: Names) -> draw.Layer:
    marked = dots.transform_filter("datum.marked").mark_point()
    return marked.encode(
        shape=draw.shaped("name", names),
        opacity=draw.shown(),
    )
