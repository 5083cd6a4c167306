"""Layers of a specification and the scales along its sides, as our own specifications use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from assay.display.figures.figure import Spec

Row = Mapping[str, Any]
FILTERS: Mapping[str, Any] = {
    "datum.marked": lambda row: bool(row["marked"]),
    "datum.hollow": lambda row: bool(row["hollow"]),
    "!datum.hollow": lambda row: not row["hollow"],
    "isValid(datum.low) && isValid(datum.high)": lambda row: (
        row["low"] is not None and row["high"] is not None
    ),
}


@dataclass(frozen=True, slots=True)
class Layer:
    """One kind of mark, its rows and how they are placed."""

    kind: str
    style: str
    mark: Spec
    encoding: Spec
    rows: list[Row]

    @property
    def opacity(self) -> float:
        """How much of it shows while nothing is chosen."""
        told = self.encoding.get("opacity", {})
        chosen = told.get("condition", {})
        known = chosen.get("value") if chosen.get("empty") is not False else told.get("value")
        return 1.0 if known is None else float(known)

    def field(self, channel: str) -> str | None:
        """Return the field behind a channel."""
        found: str | None = self.encoding.get(channel, {}).get("field")
        return found


class Scale:
    """Numbers, or names, along one side."""

    def __init__(self, layers: Sequence[Layer], side: str) -> None:
        own = [each for each in layers if side in each.encoding]
        channels = [each.encoding[side] for each in own]
        self.nominal = any(each.get("type") == "nominal" for each in channels)
        self.names: list[str] = next((each["sort"] for each in channels if "sort" in each), [])
        offset = (each.encoding.get(f"{side}Offset", {}) for each in own)
        self.offsets: list[str] = next((each["sort"] for each in offset if "sort" in each), [])
        self.axis: Spec = next((each["axis"] for each in channels if each.get("axis")), {})
        self.title: str = next((each["title"] for each in channels if each.get("title")), "")
        self.given: Spec = next((each["scale"] for each in channels if "scale" in each), {})
        self.low, self.high = (0.0, 1.0) if self.nominal else self._domain(own, side)
        self.start, self.end = 0.0, 1.0

    def _domain(self, layers: Sequence[Layer], side: str) -> tuple[float, float]:
        if "domain" in self.given:
            low, high = self.given["domain"]
            return float(low), float(high)
        found = [
            float(value)
            for each in layers
            for channel in (side, f"{side}2")
            for value in _values(each, channel)
            if isfinite(value)
        ]
        ends = [*found, *([0.0] if self.given.get("zero", True) else [])] or [0.0, 1.0]
        low, high = min(ends), max(ends)
        if low == high:
            low, high = low - 0.5, high + 0.5
        room = 0.04 * (high - low)
        return (low if low == 0 else low - room), (high if high == 0 else high + room)

    def at(self, value: float) -> float:
        """Return where a number lies."""
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    @property
    def band(self) -> float:
        """Return how much room a name has."""
        return abs(self.end - self.start) / max(1, len(self.names))

    def middle(self, row: Row, channel: Spec, offset: Spec) -> float:
        """Return where the row of a name lies, apart from others of the same name."""
        place = self.names.index(row[channel["field"]]) * self.band
        inner = 0.5
        if offset and self.offsets:
            inner = (0.5 + self.offsets.index(row[offset["field"]])) / len(self.offsets)
            inner = 0.1 + 0.8 * inner
        return min(self.start, self.end) + place + inner * self.band


def _values(layer: Layer, channel: str) -> Iterator[float]:
    told = layer.encoding.get(channel, {})
    if "datum" in told:
        yield told["datum"]
    elif "field" in told:
        yield from (row[told["field"]] for row in layer.rows if row[told["field"]] is not None)


def axis_told(layer: Layer) -> bool:
    """Say whether a layer shares the axes of the others."""
    return layer.encoding.get("y", {}).get("axis", 0) is not None


def layers_of(part: Spec, datasets: Mapping[str, list[Row]], data: Spec | None) -> Iterator[Layer]:
    """Yield all layers, each with the rows that pass its filters."""
    held = part.get("data", data)
    for inner in part.get("layer", ()):
        yield from layers_of(inner, datasets, held)
    if "mark" in part:
        rows = datasets[held["name"]] if held and "name" in held else [{}]
        for each in part.get("transform", ()):
            rows = [row for row in rows if FILTERS[each["filter"]](row)]
        style = str(part["mark"].get("style", ""))
        yield Layer(part["mark"]["type"], style, part["mark"], part.get("encoding", {}), rows)
