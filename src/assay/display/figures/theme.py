"""How figures look: one palette, three styles. Specifications name roles, styles give colours.

The colours are those of Okabe and Ito, which readers with any kind of colour vision tell apart;
shapes and dashes tell the same things once more, so that a grey print can be read.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from assay.display.figures.figure import Figure, Spec
from assay.showing import inert, shortened

Style = Literal["screen", "paper", "dark"]
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
DASHES: dict[str, list[float]] = {"achievable": [7, 3], "oracle": [2, 2.5]}
SANS = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"


@dataclass(frozen=True, slots=True)
class _Look:
    """What a style sets."""

    categories: tuple[str, ...]
    ramp: tuple[str, str]
    """from nothing to much"""
    ink: str
    soft: str
    """axes, reference lines and notes"""
    faint: str
    """grid lines and bars in the background"""
    ground: str
    font_size: float
    line: float
    """how thick a curve is"""


_LIGHT = ("#0072B2", "#D55E00", "#009E73", "#B8609A", "#A87500", "#2B87C4", "#5A5A5A", "#8C6D1F")
_DARK = ("#5CB8F2", "#FF8A3D", "#2FD3A4", "#EE9BC8", "#F4BE3B", "#A8DBFF", "#C9CED6", "#D8C07A")
_STYLES: dict[Style, _Look] = {
    "screen": _Look(
        _LIGHT, ("#EAF2F8", "#5B9BC8"), "#1F2933", "#616E7C", "#E4E7EB", "#FFFFFF", 12, 2.2
    ),
    "paper": _Look(
        _LIGHT, ("#F0F4F7", "#7FB0D3"), "#000000", "#4A4A4A", "#E6E6E6", "#FFFFFF", 8, 1.4
    ),
    "dark": _Look(
        _DARK, ("#1B2733", "#255E8A"), "#E4E9F0", "#9AA7B5", "#2B3642", "#1A2129", 12, 2.2
    ),
}
STYLES: tuple[Style, ...] = tuple(_STYLES)
WIDTHS: dict[Style, int] = {"screen": 720, "paper": 360, "dark": 720}
"""of the whole picture, in pixels"""
TITLE, WIDEST = 1.25, 1.4
"""how much larger the letters of a title are, and how wide the widest are for their size"""
BASIC_PLANE = 0xFFFF
TEXT = 12
"""the size of the letters for which heights are meant"""


def config(style: Style) -> dict[str, Any]:
    """Return the Vega-Lite configuration of a style."""
    look = _STYLES[style]
    return {
        "background": look.ground,
        "font": SANS,
        "padding": look.font_size / 2,
        "axis": _axis(look),
        "axisQuantitative": {"tickCount": 6},
        "legend": _legend(look),
        "title": _title(look),
        "header": {"labelColor": look.ink, "labelFontSize": look.font_size, "title": None},
        "view": {"stroke": None, "continuousWidth": WIDTHS[style]},
        "range": {
            "category": [*look.categories],
            "symbol": SHAPES,
            "ramp": [*look.ramp],
            "heatmap": [*look.ramp],
        },
        **_marks(look),
        "style": _roles(look),
    }


def _axis(look: _Look) -> dict[str, Any]:
    return {
        "domainColor": look.soft,
        "domainWidth": look.line / 2.5,
        "gridColor": look.faint,
        "gridWidth": look.line / 2.5,
        "tickColor": look.soft,
        "tickWidth": look.line / 2.5,
        "tickSize": look.font_size / 3,
        "labelColor": look.ink,
        "labelFontSize": look.font_size,
        "labelLimit": 24 * look.font_size,
        "labelPadding": look.font_size / 3,
        "titleColor": look.ink,
        "titleFontSize": look.font_size,
        "titleFontWeight": "normal",
        "titlePadding": look.font_size / 1.5,
    }


def _legend(look: _Look) -> dict[str, Any]:
    return {
        "orient": "top",
        "direction": "horizontal",
        "columnPadding": look.font_size * 1.5,
        "labelColor": look.ink,
        "labelFontSize": look.font_size,
        "labelLimit": 16 * look.font_size,
        # One height for symbols of any size, so that legends side by side are level.
        "clipHeight": 1.25 * look.font_size,
        "symbolSize": look.font_size**2 / 1.6,
        "symbolStrokeWidth": look.line,
        "symbolBaseStrokeColor": look.soft,
        "title": None,
        "titleColor": look.ink,
        "offset": look.font_size,
        "padding": 0,
    }


def _title(look: _Look) -> dict[str, Any]:
    return {
        "anchor": "start",
        "frame": "group",
        "color": look.ink,
        "fontSize": look.font_size * TITLE,
        "fontWeight": "bold",
        "offset": look.font_size,
        "subtitleColor": look.soft,
        "subtitleFontSize": look.font_size,
    }


def _marks(look: _Look) -> dict[str, Any]:
    first = look.categories[0]
    return {
        "line": {"strokeWidth": look.line, "strokeJoin": "round", "color": first},
        "point": {"filled": True, "size": look.font_size**2 / 3, "opacity": 1, "color": first},
        "rule": {"color": first},
        "bar": {"color": first},
        "text": {"color": look.ink, "fontSize": look.font_size},
        "rect": {"stroke": None},
    }


def _roles(look: _Look) -> dict[str, Any]:
    """Return what the roles that specifications name look like."""
    thin = look.line / 1.8
    return {
        "band": {"opacity": 0.16},
        "limit": {"strokeWidth": thin, "opacity": 0.85},
        "reference": {"color": look.soft, "strokeDash": [4, 3], "strokeWidth": thin},
        "zero": {"color": look.ink, "strokeWidth": thin},
        "ground": {"color": look.faint},
        "null": {"color": look.soft, "opacity": 0.18},
        "note": {"color": look.soft, "fontSize": look.font_size * 0.92},
        "interval": {"strokeWidth": look.line},
        "estimate": {"size": look.font_size**2 / 1.6},
        "hollow": {
            "size": look.font_size**2 / 1.6,
            "filled": False,
            "fill": look.ground,
            "strokeWidth": thin,
        },
        "other": {"color": look.soft, "opacity": 0.75, "thickness": thin},
        "value": {"color": look.ink, "fontSize": look.font_size * 0.92},
        "cell": {"color": look.ink, "fontSize": look.font_size},
        "hover": {"stroke": look.ink, "strokeWidth": thin, "size": look.font_size**2 / 1.5},
    }


def styled(figure: Figure, style: Style = "screen", *, width: int | None = None) -> Spec:
    """Return the whole specification of a figure in a style, all in all so many pixels wide.

    On paper the title is left to the caption of the paper.
    """
    wide = width or WIDTHS[style]
    spec = deepcopy(figure.spec)
    height = spec["height"]
    if type(height) is dict:
        height["step"] *= _STYLES[style].font_size / TEXT
    else:
        height *= wide / spec["width"]
    whole = _outside_basic_plane([figure.title, spec])
    spec |= {
        "config": _unlimited(config(style)) if whole else config(style),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "width": wide,
        "height": height,
    }
    letters = int(wide / (TITLE * WIDEST * _STYLES[style].font_size))
    title = {"text": shortened(inert(figure.title), letters) if whole else figure.title}
    if style != "paper":
        spec["title"] = {**title, "limit": 0 if whole else wide}
    return spec


def _unlimited(settings: Spec) -> Spec:
    """Keep the drawing program from cutting texts, which it does between halves of characters."""
    guides = {name: {**settings[name], "labelLimit": 0} for name in ("axis", "legend")}
    return {**settings, **guides}


def _outside_basic_plane(part: Any) -> bool:
    match part:
        case str():
            return any(ord(each) > BASIC_PLANE for each in part)
        case dict():
            return any(map(_outside_basic_plane, part.values()))
        case list():
            return any(map(_outside_basic_plane, part))
        case _:
            return False
