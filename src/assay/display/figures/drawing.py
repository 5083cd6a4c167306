"""The pieces that figures are drawn from: data, axes, reference lines, legends that toggle.

A name may be any text, and a drawing program may take some for words of its own. So every field
that tells things apart has a twin with an id per name, and what is drawn for an id is looked up.

A specification is Vega-Lite: a channel, a scale or an axis is a plain mapping of its settings, a
chart is a mapping that every step copies. Nothing is checked here: the tests compare what comes
out with the schema.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from assay.artifact import Interval
from assay.display.figures.figure import Spec
from assay.display.figures.theme import SHAPES
from assay.display.wording import fixed
from assay.showing import inert, shortened

SCHEMA_URL = "https://vega.github.io/schema/vega-lite/v6.4.1.json"


class Part(dict[str, Any]):
    """Settings by name."""


class Value(Part):
    """One value for all rows."""

    def __init__(self, value: object, **settings: object) -> None:
        super().__init__(value=value, **settings)


class Datum(Part):
    """One place on an axis for all rows."""

    def __init__(self, datum: object) -> None:
        super().__init__(datum=datum)


X = Y = X2 = Y2 = XOffset = YOffset = Part
Color = Shape = StrokeDash = Order = Text = Tooltip = Part
Axis = Legend = Scale = Part
XValue = YValue = OpacityValue = Value
XDatum = YDatum = Datum


def selection_point(name: str, *, bind: str | None = None, **select: object) -> Part:
    """Describe what can be chosen."""
    bound = {} if bind is None else {"bind": bind}
    return Part(name=name, select={"type": "point", **select}, **bound)


class Chart(Part):
    """Rows, a mark and its channels."""

    def __init__(self, data: Part | None = None, **settings: object) -> None:
        super().__init__(**settings) if data is None else super().__init__(data=data, **settings)

    def properties(self, **settings: object) -> Chart:
        """Add settings of the whole."""
        return Chart(**{**self, **settings})

    def encode(self, **channels: object) -> Chart:
        """Add channels, in the place of those of the same name."""
        return self.properties(encoding={**self.get("encoding", {}), **channels})

    def transform_filter(self, expression: str) -> Chart:
        """Keep some of the rows."""
        return self.properties(transform=[*self.get("transform", ()), {"filter": expression}])

    def add_params(self, param: Part) -> Chart:
        """Add what can be chosen."""
        return self.properties(params=[*self.get("params", ()), param])

    def mark(self, kind: str, **settings: object) -> Chart:
        """Say what is drawn for a row."""
        return self.properties(mark={"type": kind, **settings})

    def __getattr__(self, name: str) -> Any:
        """Let `mark_line()` be `mark("line")`, and so for all marks."""
        if not name.startswith("mark_"):
            raise AttributeError(name)
        kind = name.removeprefix("mark_")
        return lambda **settings: self.mark(kind, **settings)


Row = Mapping[str, Any]
Layer = Any
"""a chart to be laid over others: the methods that make one have no types"""
WIDTH, HEIGHT = 640, 400
"""of a drawing on a screen"""
LONGEST, WIDE = 40, 3
"""places that a name may take; a character outside the basic plane takes several"""
BASIC_PLANE = 0xFFFF
LETTERS, SYMBOL = 90, 6
"""so many letters fit into a line of the legend; a symbol takes the place of some"""
FADED = 0.08
OF_THE_WHOLE = frozenset({"config", "params", "$schema"})
_NOTHING = Part(values=[{}])
LABELS = "labels"
"""the parameter that holds what is displayed for an id"""
ID = "Id"
"""what a field with ids has at its end"""
CHANNELS = ("x", "y", "xOffset", "yOffset", "color", "shape", "strokeDash")
Ids = dict[str, str]


def data(name: str) -> Part:
    """Name the rows a chart is about; they stand once in a specification, see `drawn`."""
    return Part(name=name)


def labels(names: Sequence[str]) -> list[str]:
    """Make names fit to be drawn: without control characters, short, each of them once.

    Examples
    --------
    >>> labels(["few_shot", "a" * 50, "a" * 50])[1:]
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… (2)']
    """
    found: list[str] = []
    for short in map(_short, names):
        tries = (short, *(f"{short} ({again})" for again in range(2, len(names) + 2)))
        found.append(next(each for each in tries if each not in found))
    return found


def _short(name: str) -> str:
    """Cut a name between whole characters, so that it takes no more than its places."""
    shown = inert(shortened(name, LONGEST + 1))
    lengths = range(LONGEST, 0, -1)
    return next(cut for most in lengths if _places(cut := shortened(shown, most)) <= LONGEST)


def _places(text: str) -> int:
    return sum(WIDE if ord(each) > BASIC_PLANE else 1 for each in text)


def number(channel: type[Any], field: str, title: str | None, **settings: Any) -> Any:
    """Encode a number on an axis."""
    return channel(field=field, type="quantitative", title=title, **settings)


def at(channel: type[Any], value: float | str) -> Any:
    """Encode one place for all rows."""
    return channel(value)


def named(channel: type[Any], field: str, order: Sequence[str], **settings: Any) -> Any:
    """Encode names on an axis, in the order given."""
    return channel(field=field, type="nominal", sort=[*order], **settings)


def coloured(field: str, names: Sequence[str], explained: Sequence[str] | None = None) -> Part:
    """Colour by name, in the order of the names; of those explained the legend tells."""
    scale = Scale(domain=[*names])
    return Color(field=field, type="nominal", scale=scale, legend=_legend(explained or names))


def shaped(field: str, names: Sequence[str], explained: Sequence[str] | None = None) -> Part:
    """Tell names apart by shape, for those who see no colours."""
    marks = [SHAPES[number % len(SHAPES)] for number in range(len(names))]
    scale = Scale(domain=[*names], range=marks)
    return Shape(field=field, type="nominal", scale=scale, legend=_legend(explained or names))


def _legend(names: Sequence[str]) -> Part | None:
    """Explain names unless there is only one; every layer must say the same about it."""
    if len(names) == 1:
        return None
    columns = max(1, LETTERS // (max(map(len, names)) + SYMBOL))
    return Legend(symbolOpacity=1, values=[*names], columns=min(len(names), columns))


def toggle(field: str) -> Part:
    """Select what a click on the legend names."""
    return selection_point(name="toggle", fields=[field], bind="legend")


def shown(opacity: float = 1.0, *, off: float | None = None) -> Any:
    """Fade what the legend has switched off."""
    faded = FADED * opacity if off is None else off
    return opaque("toggle", opacity, faded)


def opaque(param: str, on: float, off: float, **settings: bool) -> Part:
    """Show what a selection holds, and fade the rest."""
    return OpacityValue(off, condition={"param": param, "value": on, **settings})


def tip(field: str, title: str, form: str | None = None) -> Part:
    """Tell a field when the pointer is near, a number in a format."""
    if form is None:
        return Tooltip(field=field, type="nominal", title=title)
    return Tooltip(field=field, type="quantitative", title=title, format=form)


def unit(steps: int, *, grid: bool = False) -> Spec:
    """Return the scale and the axis of shares from 0 to 1, with a tick at every step."""
    ticks = [step / steps for step in range(steps + 1)]
    axis = Axis(values=ticks, format=".1f", labelFlush=False, grid=grid)
    return {"scale": Scale(domain=[0, 1], nice=False), "axis": axis}


def ended(interval: Interval, places: int) -> Row:
    """Tell the ends of an interval, as numbers and in words."""
    if interval is None:
        return {"low": None, "high": None, "interval": "none"}
    low, high = interval
    return {"low": low, "high": high, "interval": f"[{fixed(low, places)}, {fixed(high, places)}]"}


def near(base: Layer, tips: Sequence[Part], **channels: Any) -> Layer:
    """Show the numbers of a point when the pointer is nearest to it."""
    pointed = selection_point(name="near", on="pointerover", nearest=True, clear="pointerout")
    points = base.mark_point(style="hover", shape="circle")
    seen = opaque("near", 1, 0, empty=False)
    told = points.encode(**channels, opacity=seen, tooltip=[*tips])
    return told.properties(name="points").add_params(pointed)


def tips(**titles: str) -> list[Part]:
    """Tell fields when the pointer is near, each under its title."""
    return [tip(field, title) for field, title in titles.items()]


def reference(axis: Literal["x", "y"], at: float, *, style: str = "reference") -> Layer:
    """Draw a straight line across the whole figure."""
    channel = {"x": XDatum(at)} if axis == "x" else {"y": YDatum(at)}
    return Chart(_NOTHING).mark_rule(style=style).encode(**channel)


def note(text: str, **place: Any) -> Layer:
    """Write a few words into the figure."""
    marked = Chart(_NOTHING).mark_text(
        style="note", text=text, align="left", baseline="top", dx=4, dy=3
    )
    return marked.encode(**place)


def step(pixels: float) -> Spec:
    """Return the height of a chart whose rows are so high, however wide it is."""
    return {"step": pixels, "for": "position"}


def layered(*layers: Layer, **settings: Any) -> Spec:
    """Lay charts over each other; what is chosen in one of them is chosen in all."""
    parts, params = [], []
    for part in layers:
        views = [part.get("name")]
        params += [{**each, "views": each.get("views", views)} for each in part.get("params", ())]
        parts.append({name: part[name] for name in part if name not in OF_THE_WHOLE})
    whole = {"params": params, **settings, "$schema": SCHEMA_URL}
    shared = parts[0].get("data")
    if not all(part.get("data") == shared for part in parts):
        return {"layer": parts, **whole}
    bare = [{name: part[name] for name in part if name != "data"} for part in parts]
    return {"layer": bare, "data": shared, **whole}


def drawn(spec: Spec, height: float | Spec = HEIGHT, **rows: Iterable[Row]) -> Spec:
    """Write layers down with their rows by name, and nothing about their looks."""
    datasets = {name: [dict(row) for row in each] for name, each in rows.items()}
    return with_ids(_inert({**spec, "width": WIDTH, "height": height, "datasets": datasets}))


def _inert(part: Any) -> Any:
    """Spell out control characters in every text: titles and orders become expressions."""
    match part:
        case str():
            return inert(part)
        case dict():
            return {name: _inert(each) for name, each in part.items()}
        case list():
            return [_inert(each) for each in part]
        case _:
            return part


def with_ids(spec: Spec) -> Spec:
    """Put ids in the place of names in all that tells them apart."""
    fields = dict.fromkeys(each["field"] for each in _channels(spec))
    ids: Ids = {}
    for rows in spec["datasets"].values():
        for row in rows:
            for field in (each for each in fields if each in row):
                row[f"{field}{ID}"] = _id(row[field], ids)
    for channel in [*_channels(spec)]:
        channel.update(_identified(channel, ids))
    for parameter in spec.get("params", ()):
        _select(parameter, fields)
    names = {each: name for name, each in ids.items()}
    spec["params"] = [*spec.get("params", ()), {"name": LABELS, "value": names}]
    return spec


def _channels(part: Any) -> Iterator[Spec]:
    """Yield how names are encoded, in all layers."""
    encoding = part.get("encoding", {})
    for name in CHANNELS:
        channel = encoding.get(name, {})
        if channel.get("type") == "nominal" and "field" in channel:
            yield channel
    for layer in part.get("layer", ()):
        yield from _channels(layer)


def _id(name: str, ids: Ids) -> str:
    return ids.setdefault(name, f"n{len(ids)}")


def _identified(channel: Mapping[str, Any], ids: Ids) -> Spec:
    changed: Spec = {"field": f"{channel['field']}{ID}"}
    if "sort" in channel:
        changed["sort"] = _all(channel["sort"], ids)
    if "domain" in channel.get("scale", {}):
        changed["scale"] = {**channel["scale"], "domain": _all(channel["scale"]["domain"], ids)}
    for guide in ("axis", "legend"):
        if channel.get(guide):
            changed[guide] = _guide(channel[guide], ids)
    return changed


def _all(names: Iterable[str], ids: Ids) -> list[str]:
    return [_id(each, ids) for each in names]


def _guide(guide: Mapping[str, Any], ids: Ids) -> Spec:
    """Display names beside an axis or in a legend."""
    shown = f"{LABELS}[datum.value]"
    changed = {**guide, "labelExpr": guide.get("labelExpr", "datum.label")}
    changed["labelExpr"] = changed["labelExpr"].replace("datum.label", shown)
    if "values" in guide:
        changed["values"] = _all(guide["values"], ids)
    return changed


def _select(parameter: Spec, fields: Container[str]) -> None:
    chosen = parameter.get("select", {})
    if "fields" in chosen:
        chosen["fields"] = [f"{each}{ID}" if each in fields else each for each in chosen["fields"]]
