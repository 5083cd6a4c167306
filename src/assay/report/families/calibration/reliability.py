"""Probabilities against outcomes: the reliability diagram, and differences added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import altair as alt

from assay.artifacts.calibration import CumulativeDifferences, ReliabilityBin
from assay.display.figures.drawing import (
    Layer,
    Row,
    at,
    coloured,
    data,
    drawn,
    even,
    layered,
    note,
    number,
    opaque,
    reference,
    shaped,
    shown,
    tip,
    toggle,
)
from assay.display.figures.figure import Spec
from assay.display.wording import count, fixed

__all__ = ["cumulative_figure", "reliability_figure"]

Bins = Mapping[str, Sequence[ReliabilityBin]]
"""by system"""
HEIGHT = 520
STATED, HAPPENED = "Stated probability (mean of the bin)", "Share that came true"
ADDED = "Outcome minus probability, added up per row"
ROWS = "Share of rows, from the smallest probability"
BAND = 0.16
MOST_POINTS = 400
HEADROOM = 5
"""counts fill one part of so many of the height"""
PLACES = 3
HOLLOW = "hollow: no interval"


def reliability_figure(bins: Bins) -> Spec:
    """Draw how often what is stated comes true; of one system also how many rows are in a bin."""
    rows = [row for name, each in bins.items() for row in _bins(name, each)]
    base = alt.Chart(data("bins")).encode(
        x=number(alt.X, "stated", STATED, scale=_unit(), axis=_ticks()),
        color=coloured("name", [*bins]),
        opacity=shown(),
        tooltip=[
            tip("name", "system"),
            tip("range", "bin"),
            tip("count", "rows"),
            tip("stated", "mean probability", ".3f"),
            tip("happened", "came true", ".3f"),
            tip("interval", "interval"),
        ],
    )
    happened = number(alt.Y, "happened", HAPPENED, scale=_unit(), axis=_ticks(grid=True))
    spans = base.mark_rule(style="interval").encode(
        y=number(alt.Y, "low", HAPPENED), y2=alt.Y2(field="high")
    )
    lines = base.mark_line(style="limit").encode(y=happened)
    marked = base.encode(y=happened, shape=shaped("name", [*bins]))
    dots = marked.transform_filter("!datum.hollow").mark_point(style="estimate")
    named = dots.properties(name="estimates").add_params(toggle("name"))
    # A bin without an interval must not look like one that is certain.
    hollow = marked.transform_filter("datum.hollow").mark_point(style="hollow")
    notes = (
        [note(HOLLOW, x=at(alt.XValue, 0), y=at(alt.YValue, 0))]
        if any(r["hollow"] for r in rows)
        else []
    )
    diagram = layered(_diagonal(), spans, lines, named, hollow, *notes)
    if len(bins) > 1:
        return drawn(diagram, HEIGHT, bins=rows, ends=ENDS)
    both = layered(*_counts(rows), diagram, resolve={"scale": {"y": "independent"}})
    return drawn(both, HEIGHT, bins=rows, ends=ENDS)


ENDS: tuple[Row, ...] = ({"stated": 0, "happened": 0}, {"stated": 1, "happened": 1})


def _diagonal() -> Layer:
    line = alt.Chart(data("ends")).mark_line(style="reference")
    return line.encode(x=number(alt.X, "stated", STATED), y=number(alt.Y, "happened", HAPPENED))


def _unit() -> alt.Scale:
    return alt.Scale(domain=[0, 1], nice=False)


def _ticks(*, grid: bool = False) -> alt.Axis:
    ticks = [fifth / 5 for fifth in range(6)]
    return alt.Axis(values=ticks, format=".1f", labelFlush=False, grid=grid)


def _bins(name: str, bins: Sequence[ReliabilityBin]) -> Iterator[Row]:
    for each in bins:
        if each.mean_confidence is None or each.accuracy is None:
            continue
        low, high = each.interval or (None, None)
        told = "none" if low is None or high is None else f"[{fixed(low, 3)}, {fixed(high, 3)}]"
        yield {
            "name": name,
            "from": each.low,
            "to": each.high,
            "range": f"{each.low:.3g} to {each.high:.3g}",
            "count": each.count,
            "rows": count(int(each.count)),
            "stated": each.mean_confidence,
            "happened": each.accuracy,
            "low": low,
            "high": high,
            "interval": told,
            "hollow": each.interval is None,
        }


def _counts(rows: Sequence[Row]) -> Iterator[Layer]:
    """Draw how many rows each bin has, low behind the diagram, with the numbers on top."""
    most = max((row["count"] for row in rows), default=1)
    scale = alt.Scale(domain=[0, HEADROOM * most], nice=False)
    base = alt.Chart(data("bins"))
    yield base.mark_rect(style="ground").encode(
        x=number(alt.X, "from", STATED),
        x2=alt.X2(field="to"),
        y=number(alt.Y, "count", None, scale=scale, axis=None),
        y2=alt.Y2(datum=0),
    )
    yield base.mark_text(style="note", baseline="bottom", dy=-3).encode(
        x=number(alt.X, "stated", STATED),
        y=at(alt.YValue, "height"),
        text=alt.Text(field="rows", type="nominal"),
    )


def cumulative_figure(walks: Mapping[str, CumulativeDifferences]) -> Spec:
    """Draw the cumulative differences within the band in which calibrated probabilities stay."""
    rows = [row for name, walk in walks.items() for row in _steps(name, walk)]
    names = [*walks]
    bare = alt.Chart(data("steps")).encode(
        x=number(alt.X, "share", ROWS, scale=_unit(), axis=_ticks())
    )
    base = bare.encode(color=coloured("name", names))
    bands = (
        (base if len(names) > 1 else bare)
        .mark_area(style="null")
        .encode(y=number(alt.Y, "low", ADDED), y2=alt.Y2(field="high"), opacity=shown(BAND))
    )
    lines = base.mark_line().encode(y=number(alt.Y, "difference", ADDED), opacity=shown())
    named = lines.properties(name="lines").add_params(toggle("name"))
    return drawn(layered(bands, reference("y", 0.0), named, _near(base)), steps=rows)


def _near(base: Layer) -> Layer:
    near = alt.selection_point(name="near", on="pointerover", nearest=True, clear="pointerout")
    points = base.mark_point(style="hover", shape="circle").encode(
        y=number(alt.Y, "difference", ADDED),
        opacity=opaque("near", 1, 0, empty=False),
        tooltip=[
            tip("name", "system"),
            tip("share", "share of rows", ".3f"),
            tip("score", "probability up to", ".4~g"),
            tip("difference", "added up", ".4f"),
            tip("inside", "band of calibrated ones"),
        ],
    )
    return points.properties(name="points").add_params(near)


def _steps(name: str, walk: CumulativeDifferences) -> Iterator[Row]:
    for each in even(len(walk.share), MOST_POINTS):
        yield {
            "name": name,
            "share": walk.share[each],
            "score": walk.score[each],
            "difference": walk.difference[each],
            "low": -walk.band[each],
            "high": walk.band[each],
            "inside": f"±{fixed(walk.band[each], PLACES + 1)}",
        }
