"""Risk against coverage: the curve with its band, what ranking could reach, and the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from assay.artifacts import Curve, Limits, Variant
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
from assay.display.figures.theme import DASHES
from assay.display.wording import fixed

__all__ = ["Curves", "Quantity", "curve_figure"]

Quantity = Literal["selective_risk", "generalized_risk"]
TITLES: dict[Quantity, str] = {
    "selective_risk": "Selective risk: mean loss of accepted answers",
    "generalized_risk": "Generalized risk: loss of accepted answers per item",
}
COVERAGE = "Coverage: share of items answered"
MOST_POINTS = 400
"""Of more points than these a curve is drawn through some at even places."""
MOST_LIMITS = 120
MARKED = 8
"""so many points of a curve carry its shape"""
BAND = 0.16


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves by name, and what is marked among them."""

    variants: Mapping[str, Variant]
    quantity: Quantity
    what: str
    """what the names are: system or confidence"""
    cut: float
    """the coverage up to which areas are also taken"""
    joined: bool
    """whether lines join the working points, or steps"""
    banded: bool
    """whether all bands show, or those of curves that are chosen in the legend"""

    @property
    def interpolate(self) -> Any:
        """Return how points are joined."""
        return "linear" if self.joined else "step-before"


def curve_figure(curves: Curves) -> Spec:
    """Draw risk against coverage."""
    names = [*curves.variants]
    dots = alt.Chart(data("points")).encode(
        x=number(alt.X, "coverage", COVERAGE, **_whole()),
        y=number(alt.Y, "risk", TITLES[curves.quantity]),
        color=coloured("name", names),
    )
    layers = [
        _bands(dots, curves),
        reference("x", curves.cut),
        note("areas at coverage end here", x=at(alt.XDatum, curves.cut), y=at(alt.YValue, 0)),
        _limit_lines(curves),
        _curve_lines(dots, curves),
        _shapes(dots, names),
        _hover(dots, curves),
    ]
    return drawn(
        layered(*layers),
        points=[row for name in names for row in _points(name, curves)],
        limits=[row for name in names for row in _limits(name, curves)],
    )


def _whole() -> dict[str, Any]:
    ticks = [tenth / 10 for tenth in range(11)]
    axis = alt.Axis(values=ticks, format=".1f", labelFlush=False, grid=False)
    return {"scale": alt.Scale(domain=[0, 1], nice=False), "axis": axis}


def _points(name: str, curves: Curves) -> Iterator[Row]:
    curve = curves.variants[name].curve
    risk = getattr(curve, curves.quantity)
    kept = even(len(curve.coverage), MOST_POINTS)
    marked = {kept[place] for place in even(len(kept), MARKED)}
    for each in kept:
        yield {
            "name": name,
            "coverage": curve.coverage[each],
            "risk": risk[each],
            "threshold": curve.threshold[each],
            "n": curve.n_accepted[each],
            "marked": each in marked,
            **_ends(curve, each, curves.quantity),
        }


def _ends(curve: Curve, each: int, quantity: Quantity) -> Row:
    low, high = (getattr(curve, f"{quantity}_{end}")[each] for end in ("low", "high"))
    if low is None or high is None:
        return {"low": None, "high": None, "interval": "none"}
    return {"low": low, "high": high, "interval": f"[{fixed(low, 4)}, {fixed(high, 4)}]"}


def _limits(name: str, curves: Curves) -> Iterator[Row]:
    curve = curves.variants[name].curve
    if "achievable" in _kinds(curves):
        yield from _limit(name, "achievable", curve.hull, curves.quantity)
    if curves.what == "system" or name == next(iter(curves.variants)):
        yield from _limit(name, "oracle", curve.oracle, curves.quantity)


def _kinds(curves: Curves) -> list[str]:
    """Return what else is drawn.

    The hull is one of selective risks: of generalized ones it says nothing. The oracle of a system
    is the same under every confidence.
    """
    hull = curves.quantity == "selective_risk" and curves.what == "system"
    return [kind for kind in DASHES if hull or kind != "achievable"]


def _limit(name: str, kind: str, limits: Limits, quantity: Quantity) -> Iterator[Row]:
    risk = getattr(limits, quantity)
    for each in even(len(limits.coverage), MOST_LIMITS):
        yield {
            "name": name,
            "kind": kind,
            "coverage": limits.coverage[each],
            "risk": risk[each],
        }


def _bands(dots: Layer, curves: Curves) -> Layer:
    return dots.mark_area(style="band", interpolate=curves.interpolate).encode(
        y=number(alt.Y, "low", TITLES[curves.quantity]),
        y2=alt.Y2(field="high"),
        opacity=opaque("toggle", BAND, 0, empty=curves.banded),
    )


def _limit_lines(curves: Curves) -> Layer:
    kinds = _kinds(curves)
    dash = alt.StrokeDash(
        field="kind",
        type="nominal",
        scale=alt.Scale(domain=kinds, range=[*map(_dash, kinds)]),
        legend=alt.Legend(symbolType="stroke", symbolSize=260),
    )
    own = curves.what == "system"
    lines = alt.Chart(data("limits")).mark_line(style="limit" if own else "reference")
    settings = {"color": coloured("name", [*curves.variants]), "opacity": shown(0.9)} if own else {}
    return lines.encode(
        x=number(alt.X, "coverage", COVERAGE),
        y=number(alt.Y, "risk", TITLES[curves.quantity]),
        strokeDash=dash,
        **settings,
    )


def _dash(kind: str) -> Sequence[float]:
    return DASHES[kind]


def _curve_lines(dots: Layer, curves: Curves) -> Layer:
    lines = dots.mark_line(interpolate=curves.interpolate).encode(opacity=shown())
    return lines.properties(name="lines").add_params(toggle("name"))


def _shapes(dots: Layer, names: Sequence[str]) -> Layer:
    marked = dots.transform_filter("datum.marked").mark_point()
    return marked.encode(
        shape=shaped("name", names),
        opacity=shown(),
    )


def _hover(dots: Layer, curves: Curves) -> Layer:
    """Show a point's numbers when the pointer is nearest to it."""
    near = alt.selection_point(name="near", on="pointerover", nearest=True, clear="pointerout")
    tips = [
        tip("name", curves.what),
        tip("threshold", "threshold", ".4~g"),
        tip("coverage", "coverage", ".3f"),
        tip("risk", curves.quantity.replace("_", " "), ".4f"),
        tip("interval", "interval"),
        tip("n", "n accepted", ",.10~g"),
    ]
    seen = opaque("near", 1, 0, empty=False)
    points = dots.mark_point(style="hover", shape="circle").encode(opacity=seen, tooltip=tips)
    return points.properties(name="points").add_params(near)
