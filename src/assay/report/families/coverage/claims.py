"""What intervals and sets claim: nominal against empirical coverage, widths, sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import altair as alt

from assay.artifacts.intervals import LevelCurve, Stratum, WidthDistribution
from assay.display.figures.drawing import (
    Layer,
    Row,
    coloured,
    data,
    drawn,
    layered,
    named,
    number,
    shaped,
    shown,
    tip,
    toggle,
)
from assay.display.figures.figure import Spec
from assay.display.wording import count, fixed

__all__ = ["claimed_figure", "size_figure", "width_figure"]

CLAIMED, COVERED = "Coverage that is claimed", "Coverage that is found"
WIDTH, SHARE = "Width of the interval", "Share of intervals at most this wide"
MARGIN = 0.04


def claimed_figure(curves: Mapping[str, LevelCurve]) -> Spec:
    """Draw empirical against nominal coverage, with the line on which they are equal."""
    rows = [row for name, curve in curves.items() for row in _levels(name, curve)]
    values = [row[each] for row in rows for each in ("claimed", "found", "low", "high")]
    low = max(0.0, min(each for each in values if each is not None) - MARGIN)
    scale = alt.Scale(domain=[low, 1], nice=False)
    names = [*curves]
    base = alt.Chart(data("levels")).encode(
        x=number(alt.X, "claimed", CLAIMED, scale=scale, axis=alt.Axis(grid=False)),
        color=coloured("name", names),
        opacity=shown(),
        tooltip=[
            tip("name", "system"),
            tip("claimed", "claimed", ".3~f"),
            tip("found", "found", ".3f"),
            tip("interval", "interval"),
        ],
    )
    found = number(alt.Y, "found", COVERED, scale=scale)
    spans = base.mark_rule(style="interval").encode(
        y=number(alt.Y, "low", COVERED, scale=scale), y2=alt.Y2(field="high")
    )
    dots = base.mark_point(style="estimate").encode(y=found, shape=shaped("name", names))
    layers = [
        _equal(scale),
        spans,
        base.mark_line(style="limit").encode(y=found),
        dots.properties(name="estimates").add_params(toggle("name")),
    ]
    ends = [{"claimed": each, "found": each} for each in (low, 1)]
    return drawn(layered(*layers), levels=rows, ends=ends)


def _equal(scale: alt.Scale) -> Layer:
    line = alt.Chart(data("ends")).mark_line(style="reference")
    return line.encode(
        x=number(alt.X, "claimed", CLAIMED, scale=scale),
        y=number(alt.Y, "found", COVERED, scale=scale),
    )


def _levels(name: str, curve: LevelCurve) -> Iterator[Row]:
    ends = zip(curve.empirical_low, curve.empirical_high, strict=True)
    for claimed, found, (low, high) in zip(curve.nominal, curve.empirical, ends, strict=True):
        told = "none" if low is None or high is None else f"[{fixed(low, 3)}, {fixed(high, 3)}]"
        yield {
            "name": name,
            "claimed": claimed,
            "found": found,
            "low": low,
            "high": high,
            "interval": told,
        }


def width_figure(widths: Mapping[str, WidthDistribution]) -> Spec:
    """Draw how many intervals are at most so wide."""
    rows: list[Row] = [
        {"name": name, "share": share, "width": width}
        for name, each in widths.items()
        for share, width in zip(each.share, each.width, strict=True)
        if width is not None
    ]
    names = [*widths]
    marked = {0, 25, 50, 75, 100}
    lines = (
        alt.Chart(data("widths"))
        .mark_line(interpolate="step-after")
        .encode(
            x=number(alt.X, "width", WIDTH, scale=alt.Scale(zero=True), axis=alt.Axis(grid=False)),
            y=number(alt.Y, "share", SHARE, scale=alt.Scale(domain=[0, 1])),
            order=alt.Order(field="share", type="quantitative"),
            color=coloured("name", names),
            opacity=shown(),
        )
    )
    quarters = [row for row in rows if round(100 * row["share"]) in marked]
    dots = (
        alt.Chart(data("quarters"))
        .mark_point(style="estimate")
        .encode(
            x=number(alt.X, "width", WIDTH),
            y=number(alt.Y, "share", SHARE),
            color=coloured("name", names),
            shape=shaped("name", names),
            opacity=shown(),
            tooltip=[
                tip("name", "intervals"),
                tip("share", "share", ".2f"),
                tip("width", "at most", ".4~g"),
            ],
        )
    )
    named_lines = lines.properties(name="lines").add_params(toggle("name"))
    return drawn(layered(named_lines, dots), widths=rows, quarters=quarters)


def size_figure(sizes: Mapping[str, Sequence[Stratum]]) -> Spec:
    """Draw how many sets have so many members."""
    rows: list[Row] = [
        {"name": name, "size": each.name, "n": each.n, "text": count(each.n)}
        for name, strata in sizes.items()
        for each in strata
    ]
    names = [*sizes]
    order = [*dict.fromkeys(row["size"] for row in rows)]
    axis = alt.Axis(labelAngle=0, grid=False)
    base = alt.Chart(data("sizes")).encode(
        x=named(alt.X, "size", order, title="Classes in the set", axis=axis),
        y=number(alt.Y, "n", "Sets"),
        xOffset=named(alt.XOffset, "name", names),
        opacity=shown(),
        tooltip=[tip("name", "system"), tip("size", "classes"), tip("text", "sets")],
    )
    bars = base.mark_bar().encode(color=coloured("name", names))
    texts = base.mark_text(style="note", baseline="bottom", dy=-2).encode(
        text=alt.Text(field="text", type="nominal")
    )
    return drawn(
        layered(bars.properties(name="bars").add_params(toggle("name")), texts), 300, sizes=rows
    )
