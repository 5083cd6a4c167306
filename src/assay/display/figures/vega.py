"""Vega-Lite specifications, written down piece by piece: only what figures here are made of.

A channel, a scale or an axis is a plain mapping of its settings; a chart is a mapping that every
step copies. Nothing is checked here: the tests compare what comes out with the schema.
"""

from __future__ import annotations

from typing import Any

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
