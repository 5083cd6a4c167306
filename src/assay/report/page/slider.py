"""The figure beside the slider of operating points."""

from __future__ import annotations

from typing import Any

__all__ = ["slider_spec"]


def slider_spec() -> dict[str, Any]:
    """Return the figure beside the slider: the script hands it the curve and the chosen point."""
    x = {
        "field": "coverage",
        "type": "quantitative",
        "title": "Coverage",
        "scale": {"domain": [0, 1]},
        "axis": {"format": ".0%"},
    }
    y = {"field": "risk", "type": "quantitative", "title": "Selective risk"}
    band = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    return {
        "height": 240,
        "width": 420,
        "datasets": {"curve": [], "chosen": []},
        "layer": [
            {
                "data": {"name": "curve"},
                "mark": {"type": "area", "style": "band"},
                "encoding": band,
            },
            {"data": {"name": "curve"}, "mark": {"type": "line"}, "encoding": {"x": x, "y": y}},
            {
                "data": {"name": "chosen"},
                "mark": {"type": "rule", "style": "reference"},
                "encoding": {"x": x},
            },
            {
                "data": {"name": "chosen"},
                "mark": {"type": "point", "style": "hover", "size": 120},
                "encoding": {"x": x, "y": y},
            },
        ],
    }
