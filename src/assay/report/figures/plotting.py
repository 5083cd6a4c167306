"""Figures as SVG, drawn here: the part of Vega-Lite that our own specifications use, and no more.

A page shows every figure twice, wide and narrow, in the colours of its style sheet. That takes
milliseconds where the real library takes seconds; files for papers are still drawn by that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from assay.display.figures.figure import Figure, Spec, even
from assay.display.figures.forests import APART
from assay.display.svg.canvas import Canvas, mark, measured, spelled, ticks
from assay.report.figures.scales import Layer, Row, Scale, axis_told, layers_of
from assay.showing import inert, shortened

WIDE, NARROW = 560, 350
LETTER = 12.5
ROOM = 0.38
"""of the width that names of rows may take"""
MOST_POINTS, MOST_TIPS = 160, 40
SHAPES = {"circle": 0, "square": 1, "diamond": 2, "triangle-up": 3, "cross": 4, "triangle-down": 5}
RAMP = 8
LOOKS = {
    "interval": "ivl",
    "zero": "zero",
    "reference": "ref",
    "limit": "limit",
    "band": "band",
    "estimate": "dot",
    "hollow": "hollow",
    "value": "value",
    "note": "note",
    "cell": "cell",
    "ground": "ground",
    "other": "other",
    "null": "band",
}
PLAIN = {
    "rule": "ref",
    "line": "curve",
    "point": "dot",
    "area": "band",
    "bar": "fill",
    "rect": "cellq",
}


def plotted(figure: Figure, *, wide: bool) -> str:
    """Draw a figure; one that this cannot draw raises what went wrong."""
    return _Plot(figure, WIDE if wide else NARROW, wide=wide).drawn()


class _Plot:
    """One figure on its way to a picture."""

    def __init__(self, figure: Figure, width: float, *, wide: bool) -> None:
        self.figure, self.wide = figure, wide
        spec = figure.spec
        self.names: Mapping[str, str] = next(
            (each["value"] for each in spec.get("params", ()) if each["name"] == "labels"), {}
        )
        every = [*layers_of(spec, spec["datasets"], spec.get("data"))]
        self.layers = [each for each in every if wide or each.style != "value"]
        own = [each for each in self.layers if axis_told(each)]
        self.x, self.y = Scale(own, "x"), Scale(own, "y")
        height = self._height(spec["height"], width)
        self.legend = self._legend(width)
        top = 10 + 20 * len(self.legend) + (18 if self.y.title and not self.y.nominal else 0)
        self.canvas = Canvas(width, top + height + (44 if self.x.title else 26))
        self.x.start, self.x.end = self._left(width), width - self._right()
        self.y.start, self.y.end = (top, top + height) if self.y.nominal else (top + height, top)
        self.top, self.bottom = top, top + height

    def _height(self, asked: float | Spec, width: float) -> float:
        if isinstance(asked, dict):
            return float(asked["step"]) * max(1, len(self.y.names))
        return min(float(asked), 0.72 * width)

    def _left(self, width: float) -> float:
        if self.y.nominal:
            rows = [line for name in self.y.names for line in self._lines(self.names[name], width)]
            return min(max((measured(each, LETTER) for each in rows), default=0) + 12, ROOM * width)
        return 14 + max(measured(each, LETTER) for each in spelled(ticks(self.y.low, self.y.high)))

    def _right(self) -> float:
        texts = [
            measured(str(row[each.encoding["text"]["field"]]), 12) + 14
            for each in self.layers
            if each.style == "value" and each.encoding["x"].get("value") == "width"
            for row in each.rows
        ]
        return max(texts, default=14)

    def _lines(self, name: str, width: float) -> list[str]:
        """Break the name of a row in two where it says so, and cut it to its room."""
        letters = max(6, int((ROOM * width - 12) / (0.55 * LETTER)))
        first, apart, second = name.partition(APART)
        parts = [first, second] if apart else [name]
        return [shortened(inert(each), letters) for each in parts if each]

    @cached_property
    def colours(self) -> list[str]:
        """Names in the order of their colours."""
        domains = (
            each.encoding["color"]["scale"]["domain"]
            for each in self.layers
            if each.encoding.get("color", {}).get("type") == "nominal"
        )
        return next(iter(domains), [])

    def _legend(self, width: float) -> list[list[tuple[str, str]]]:
        """Lay the legend out in lines: a sample and its name."""
        entries: list[tuple[str, str]] = []
        for each in self.layers:
            colour, dash = each.encoding.get("color", {}), each.encoding.get("strokeDash", {})
            if colour.get("legend") and not any(kind.startswith("s") for kind, _ in entries):
                shown = colour["legend"].get("values", colour["scale"]["domain"])
                entries += [(f"s{self.colours.index(name)}", self.names[name]) for name in shown]
            if dash.get("legend") and not any(kind.startswith("d") for kind, _ in entries):
                entries += [
                    (f"d{_dash(dash, name)}", self.names[name]) for name in dash["scale"]["domain"]
                ]
        lines: list[list[tuple[str, str]]] = []
        left = width
        for kind, name in entries:
            shown = shortened(inert(name), 44 if self.wide else 34)
            room = measured(shown, LETTER) + 34
            if left + room > width:
                lines.append([])
                left = 0
            lines[-1].append((kind, shown))
            left += room
        return lines

    def drawn(self) -> str:
        """Draw everything, from the ground up."""
        self._draw_legend()
        self._axes()
        for each in self.layers:
            if each.style == "hover":
                self._tips(each)
            elif each.opacity:
                self._layer(each)
        return self.canvas.svg("fig wide" if self.wide else "fig narrow", self.figure.alt)

    def _draw_legend(self) -> None:
        for number, line in enumerate(self.legend):
            x, y = 2.0, 12 + 20 * number
            for kind, name in line:
                if kind.startswith("s"):
                    self.canvas.raw(mark((x + 8, y), self._shape(kind), f"dot {kind}", 4.5))
                else:
                    self.canvas.raw(f'<g stroke-dasharray="{kind[1:]}">')
                    self.canvas.line((x, y), (x + 20, y), "limit")
                    self.canvas.raw("</g>")
                self.canvas.text((x + 24 - 4 * kind.startswith("s"), y + 4), name, "tick")
                x += measured(name, LETTER) + 34

    def _shape(self, kind: str) -> int:
        place = int(kind[1:])
        told: Spec = next(
            (each.encoding["shape"] for each in self.layers if "shape" in each.encoding), {}
        )
        shapes = told.get("scale", {}).get("range", ["circle"])
        return SHAPES[shapes[place]] if place < len(shapes) else place

    def _axes(self) -> None:
        if self.y.nominal:
            self._row_names()
        else:
            self._left_axis()
        if self.x.nominal:
            for place, name in enumerate(self.x.names):
                x = self.x.start + (place + 0.5) * self.x.band
                letters = max(4, int(self.x.band / (0.55 * LETTER)))
                shown = shortened(inert(self.names[name]), letters)
                self.canvas.text((x, self.bottom + 17), shown, "tick", "middle")
        else:
            self._lower_axis()
        if self.x.title:
            middle = (self.x.start + self.x.end) / 2
            room = int(2 * min(middle, self.canvas.width - middle) / (0.53 * LETTER))
            title = shortened(inert(self.x.title), max(room, 24))
            half = measured(title, LETTER) / 2
            x = min(max(middle, half), self.canvas.width - half)
            self.canvas.text((x, self.bottom + 37), title, "axt", "middle")

    def _row_names(self) -> None:
        for place, name in enumerate(self.y.names):
            y = self.top + (place + 0.5) * self.y.band
            lines = self._lines(self.names[name], self.canvas.width)
            for number, line in enumerate(lines):
                at = y + 4 + 14 * number - 7 * (len(lines) - 1)
                self.canvas.text((self.x.start - 8, at), line, "tick", "end")

    def _left_axis(self) -> None:
        marks = self.y.axis.get("values") or ticks(self.y.low, self.y.high, 5)
        for value, word in zip(marks, spelled(marks), strict=True):
            y = self.y.at(value)
            if self.y.axis.get("grid", True):
                self.canvas.line((self.x.start, y), (self.x.end, y), "gridline")
            self.canvas.text((self.x.start - 6, y + 4), word, "tick", "end")
        if self.y.title:
            self.canvas.text(
                (2, self.top - 8), shortened(self.y.title, 60 if self.wide else 48), "axt"
            )

    def _lower_axis(self) -> None:
        self.canvas.line((self.x.start, self.bottom), (self.x.end, self.bottom), "axis")
        marks = self.x.axis.get("values") or ticks(self.x.low, self.x.high, 6 if self.wide else 4)
        words = spelled(marks)
        every = max(
            1, -(-sum(measured(each, LETTER) + 10 for each in words) // (self.x.end - self.x.start))
        )
        for place, (value, word) in enumerate(zip(marks, words, strict=True)):
            x = self.x.at(value)
            if self.x.axis.get("grid", True):
                self.canvas.line((x, self.top), (x, self.bottom), "gridline")
            if place % int(every) == 0:
                self.canvas.text((x, self.bottom + 17), word, "tick", "middle")

    def _layer(self, layer: Layer) -> None:
        for series, rows in _series(layer, self.colours):
            look = f"{LOOKS.get(layer.style) or PLAIN[layer.kind]}{series and f' {series}'}"
            self.canvas.raw(f'<g data-k="{series[1:]}">' if series else "<g>")
            match layer.kind:
                case "line":
                    self._draw_line(layer, rows, look)
                case "area":
                    self._draw_area(layer, rows, look)
                case _:
                    for row in rows:
                        self._draw_mark(layer, row, look)
            self.canvas.raw("</g>")

    def _place(self, layer: Layer, row: Row, side: str, channel: str = "") -> float | None:
        """Return where a row lies along one side."""
        scale, told = (self.x if side == "x" else self.y), layer.encoding.get(channel or side, {})
        if side == "y" and layer.encoding.get("y", {}).get("axis", 0) is None:
            scale = self._apart(layer)
        if "value" in told:
            ends = {"width": self.x.end, "height": self.bottom}
            start = self.x.start if side == "x" else self.top
            return float(ends.get(told["value"], start))
        if "datum" in told:
            return scale.at(told["datum"])
        if "field" not in told:
            return None
        if scale.nominal and told.get("type") == "nominal":
            return scale.middle(row, told, layer.encoding.get(f"{side}Offset", {}))
        value = row[told["field"]]
        return None if value is None else scale.at(float(value))

    def _apart(self, layer: Layer) -> Scale:
        """Return the scale of what has one of its own, without an axis."""
        own = Scale([layer], "y")
        own.start, own.end = self.y.start, self.y.end
        return own

    def _points(self, layer: Layer, rows: Sequence[Row], channel: str) -> list[tuple[float, float]]:
        places = [
            (self._place(layer, row, "x"), self._place(layer, row, "y", channel)) for row in rows
        ]
        return [(x, y) for x, y in places if x is not None and y is not None]

    def _draw_line(self, layer: Layer, rows: Sequence[Row], look: str) -> None:
        dash = layer.encoding.get("strokeDash")
        for pattern, own in _dashed(dash, rows):
            order = layer.field("order")
            kept = sorted(own, key=lambda row: row[order]) if order else own
            points = self._points(layer, [kept[at] for at in even(len(kept), MOST_POINTS)], "y")
            steps = _stepped(points, layer.mark.get("interpolate", "linear"))
            if pattern:
                self.canvas.raw(f'<g stroke-dasharray="{pattern}">')
            self.canvas.path(steps, look)
            if pattern:
                self.canvas.raw("</g>")

    def _draw_area(self, layer: Layer, rows: Sequence[Row], look: str) -> None:
        known = [row for row in rows if row[layer.encoding["y"]["field"]] is not None]
        kept = [known[at] for at in even(len(known), MOST_POINTS)]
        how = layer.mark.get("interpolate", "linear")
        lower = _stepped(self._points(layer, kept, "y"), how)
        upper = _stepped(self._points(layer, kept, "y2"), how)
        self.canvas.path([*lower, *reversed(upper)], look, closed=True)

    def _draw_mark(self, layer: Layer, row: Row, look: str) -> None:
        x, y = self._place(layer, row, "x"), self._place(layer, row, "y")
        match layer.kind:
            case "rule":
                self._rule(layer, row, (x, y), look)
            case "text":
                if x is not None and y is not None:
                    self._text(layer, row, (x, y), look)
            case "bar" | "rect" | "tick":
                self._block(layer, row, (x, y), look)
            case _ if x is not None and y is not None:
                shaped = layer.encoding.get("shape")
                at = shaped["scale"]["domain"].index(row[shaped["field"]]) if shaped else 0
                number = SHAPES[shaped["scale"]["range"][at]] if shaped else 0
                tip, go = _tip(layer, row), self.figure.go(row)
                self.canvas.mark((x, y), number, look, size=4.5, tip=tip, go=go)

    def _rule(
        self, layer: Layer, row: Row, place: tuple[float | None, float | None], look: str
    ) -> None:
        x, y = place
        x2, y2 = self._place(layer, row, "x", "x2"), self._place(layer, row, "y", "y2")
        if x is not None and y is not None:
            self.canvas.line((x, y), (x if x2 is None else x2, y if y2 is None else y2), look)
        elif x is not None:
            self.canvas.line((x, self.top), (x, self.bottom), look)
        elif y is not None:
            self.canvas.line((self.x.start, y), (self.x.end, y), look)

    def _text(self, layer: Layer, row: Row, place: tuple[float, float], look: str) -> None:
        told = layer.encoding.get("text", {})
        words = layer.mark.get("text") or str(row[told["field"]])
        below = {"top": 13, "bottom": -2}.get(layer.mark.get("baseline", ""), 4)
        x, y = place[0] + layer.mark.get("dx", 0), place[1] + layer.mark.get("dy", 0) + below
        anchor = "start" if layer.mark.get("align") == "left" else "middle"
        if anchor == "start" and x + measured(words, 12) > self.canvas.width:
            x, anchor = place[0] - 4, "end"
        self.canvas.text((x, y), words, look, anchor)

    def _block(
        self, layer: Layer, row: Row, place: tuple[float | None, float | None], look: str
    ) -> None:
        """Draw a bar, a cell of a table, or a short line."""
        x, y = place
        if x is None or y is None:
            return
        x2, y2 = self._place(layer, row, "x", "x2"), self._place(layer, row, "y", "y2")
        n_across, n_down = max(1, len(self.x.offsets)), max(1, len(self.y.offsets))
        wide, high = 0.8 * self.x.band / n_across, 0.8 * self.y.band / n_down
        if layer.kind == "tick":
            self.canvas.line((x, y - 6), (x, y + 6), look)
        elif x2 is not None and y2 is not None:
            self.canvas.rect((min(x, x2), min(y, y2)), (abs(x2 - x), abs(y2 - y)), look)
        elif x2 is not None:
            self.canvas.rect((min(x, x2), y - high / 2), (abs(x2 - x), high), look, 2)
        elif self.x.nominal and self.y.nominal:
            wide, high = 0.97 * self.x.band, 0.97 * self.y.band
            shade = _shade(layer, row)
            corner, go = (x - wide / 2, y - high / 2), self.figure.go(row)
            link = (_tip(layer, row), go) if go else ("", "")
            self.canvas.rect(corner, (wide, high), f"{look}{shade}", 2, go=link)
        elif self.x.nominal:
            ground = self.y.at(0.0) if self.y.low <= 0 else self.bottom
            self.canvas.rect((x - wide / 2, min(y, ground)), (wide, abs(ground - y)), look)
        else:
            ground = self.x.at(0.0) if self.x.low <= 0 else self.x.start
            self.canvas.rect((min(x, ground), y - high / 2), (abs(x - ground), high), look)

    def _tips(self, layer: Layer) -> None:
        """Put invisible points on a curve that tell their numbers when they are pointed at."""
        for series, rows in _series(layer, self.colours):
            kept = [rows[at] for at in even(len(rows), MOST_TIPS)]
            for row in kept:
                x, y = self._place(layer, row, "x"), self._place(layer, row, "y")
                if x is not None and y is not None:
                    self.canvas.mark((x, y), 0, f"seek {series}", size=6, tip=_tip(layer, row))


def _series(layer: Layer, colours: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
    """Yield rows by what tells them apart, with the class of its colour."""
    told = layer.encoding.get("color", {})
    if told.get("type") != "nominal":
        yield "", layer.rows
        return
    for place, name in enumerate(colours):
        own = [row for row in layer.rows if row[told["field"]] == name]
        if own:
            yield f"s{place}", own


def _dash(told: Spec, name: str) -> str:
    scale = told["scale"]
    return " ".join(f"{each:g}" for each in scale["range"][scale["domain"].index(name)])


def _dashed(told: Spec | None, rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    if not told:
        yield "", [*rows]
        return
    for name in told["scale"]["domain"]:
        yield _dash(told, name), [row for row in rows if row[told["field"]] == name]


def _stepped(points: list[tuple[float, float]], how: str) -> list[tuple[float, float]]:
    """Add the corners of steps."""
    if how == "linear":
        return points
    found = points[:1]
    for (x1, y1), (x2, y2) in pairwise(points):
        match how:
            case "step-before":
                found.append((x1, y2))
            case "step-after":
                found.append((x2, y1))
            case _:
                found += [((x1 + x2) / 2, y1), ((x1 + x2) / 2, y2)]
        found.append((x2, y2))
    return found


def _shade(layer: Layer, row: Row) -> str:
    """Return the class of how much a cell holds, from nothing to the most."""
    told = layer.encoding.get("color", {})
    if told.get("type") != "quantitative":
        return ""
    most = max((each[told["field"]] for each in layer.rows), default=0) or 1
    return f" q{round(RAMP * row[told['field']] / most)}"


def _tip(layer: Layer, row: Row) -> str:
    lines = []
    for told in layer.encoding.get("tooltip", ()):
        value = row.get(told["field"])
        if value not in {None, ""}:
            lines.append(f"{told['title']}: {_formatted(value, told.get('format'))}")
    return "\n".join(lines)


def _formatted(value: Any, form: str | None) -> str:
    if form is None or isinstance(value, str):
        return str(value)
    return f"{value:{form.replace('~', '')}}"


def series(figure: Figure) -> Iterator[tuple[int, str]]:
    """Yield what a figure tells apart by colour, where there are several."""
    plot = _Plot(figure, WIDE, wide=True)
    shown = {name for each in plot.layers for name in _named(each)}
    own = [(place, plot.names[name]) for place, name in enumerate(plot.colours) if name in shown]
    yield from own if len(own) > 1 else ()


def _named(layer: Layer) -> Iterator[str]:
    told = layer.encoding.get("color", {})
    if told.get("type") == "nominal":
        yield from {row[told["field"]] for row in layer.rows}
