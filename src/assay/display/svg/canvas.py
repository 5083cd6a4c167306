"""A picture as a list of shapes: every text is escaped, every colour is a class of the page.

A frame on it has axes: a rectangle that is drawn in, and its scales.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

from assay.showing import shortened, spaced

Point = tuple[float, float]
Link = tuple[str, str]
"""what a shape tells, and the filters of the cases behind it"""
NARROW, WIDE = "fijlrtI.,:;'|()[]!/ -", "mwMW%@"
SHARES = {"narrow": 0.32, "wide": 0.86, "capital": 0.68, "other": 0.53}
"""how wide letters of the page's fonts are for their size; rather too wide than too narrow"""
BASIC_PLANE = 0x2FF
LONGEST = 60
DIAMOND, TRIANGLE = 1.25, 1.15
Box = tuple[float, float, float, float]
"""left, top, right, bottom"""
LETTER = 12.5
PERCENT = "\N{NO-BREAK SPACE}%"


def measured(text: str, size: float = 12.5) -> float:
    """Return how much room a text needs, in pixels."""
    return size * sum(SHARES[_width(each)] for each in text)


def _width(letter: str) -> str:
    if letter in NARROW:
        return "narrow"
    if letter in WIDE or ord(letter) > BASIC_PLANE:
        return "wide"
    return "capital" if letter.isupper() else "other"


def fitted(text: str, room: float, size: float = 12.5) -> str:
    """Cut a text to the room it has.

    Examples
    --------
    >>> fitted("b", 88), fitted("", 88), fitted("a long name", 30)
    ('b', '', 'a l…')
    """
    lengths = range(len(text), 0, -1)
    tries = (shortened(text, most) for most in lengths)
    return next((cut for cut in tries if measured(cut, size) <= room), "…" if text else "")


def nice(value: float) -> float:
    """Return the next round number that is not below a number above 0.

    Examples
    --------
    >>> nice(0.173), nice(0.0112), nice(61)
    (0.2, 0.012, 80.0)
    """
    if not isfinite(value) or value <= 0:
        return 1.0
    unit = 10.0 ** floor(log10(value))
    steps = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next(float(f"{unit * step:.12g}") for step in steps if value <= unit * step * (1 + 1e-9))


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers between two ends, not more than so many.

    Examples
    --------
    >>> ticks(0, 0.17, 5), ticks(-50, 50, 5)
    ([0.0, 0.05, 0.1, 0.15], [-40.0, -20.0, 0.0, 20.0, 40.0])
    """
    span = high - low
    if not isfinite(span) or span <= 0:
        return [low]
    unit = 10.0 ** floor(log10(span / most))
    step = next(unit * each for each in (1, 2, 2.5, 5, 10, 20) if span / (unit * each) <= most)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{place * step:.12g}") + 0.0 for place in range(first, last + 1)]


def spelled(values: Sequence[float]) -> list[str]:
    """Write ticks with as many decimals as they need, all alike."""
    places = max((len(f"{each:.10g}".partition(".")[2]) for each in values), default=0)
    shown = (f"{each:.{min(places, 6)}f}" if each else "0" for each in values)
    return [each.replace("-", "\N{MINUS SIGN}") for each in shown]


class Canvas:
    """A picture of a size in pixels."""

    def __init__(self, width: float, height: float) -> None:
        """Begin with nothing."""
        self.width, self.height = width, height
        self._parts: list[str] = []

    def line(self, start: Point, end: Point, look: str) -> None:
        """Draw a straight line."""
        (x1, y1), (x2, y2) = start, end
        places = f'x1="{_px(x1)}" y1="{_px(y1)}" x2="{_px(x2)}" y2="{_px(y2)}"'
        self._parts.append(f'<line class="{look}" {places}/>')

    def path(self, points: Iterable[Point], look: str, *, closed: bool = False) -> None:
        """Join points by straight lines."""
        joined = "L".join(f"{_px(x)} {_px(y)}" for x, y in points)
        if joined:
            self._parts.append(f'<path class="{look}" d="M{joined}{"Z" * closed}"/>')

    def rect(
        self, corner: Point, size: Point, look: str, radius: float = 0, *, go: Link = ("", "")
    ) -> None:
        """Draw a rectangle; one that leads to cases says which filters they have."""
        (x, y), (width, height) = corner, size
        places = f'x="{_px(x)}" y="{_px(y)}" width="{_px(max(width, 0))}" height="{_px(height)}"'
        rounded = f' rx="{_px(radius)}"' if radius else ""
        drawn = f'<rect class="{look}" {places}{rounded}/>'
        self._parts.append(_pointed(drawn, *go) if go[0] else drawn)

    def text(self, place: Point, words: str, look: str = "", anchor: str = "start") -> None:
        """Write a text; it ends at the place where the anchor is `end`."""
        x, y = place
        shown = escape(spaced(shortened(words, LONGEST)), quote=True)
        held = "" if anchor == "start" else f' text-anchor="{anchor}"'
        classed = f' class="{look}"' if look else ""
        self._parts.append(f'<text{classed} x="{_px(x)}" y="{_px(y)}"{held}>{shown}</text>')

    def mark(
        self,
        place: Point,
        number: int,
        look: str,
        *,
        size: float = 5,
        tip: str = "",
        go: str = "",
    ) -> None:
        """Draw the mark of a system; a tip makes it one that can be pointed at."""
        drawn = mark(place, number, look, size)
        self._parts.append(_pointed(drawn, tip, go) if tip else drawn)

    def raw(self, part: str) -> None:
        """Add a piece of SVG that was made here."""
        self._parts.append(part)

    def svg(self, look: str, label: str) -> str:
        """Return the picture; its words are those of the label."""
        size = f'viewBox="0 0 {_px(self.width)} {_px(self.height)}"'
        room = f'width="{_px(self.width)}" height="{_px(self.height)}"'
        named = f'role="img" aria-label="{escape(spaced(label), quote=True)}"'
        body = "".join(self._parts)
        return f'<svg class="{look}" {size} {room} {named}>{body}</svg>'


def _pointed(drawn: str, tip: str, go: str) -> str:
    """Let a shape tell something, and lead to the cases with these filters."""
    leads = f' data-go="{escape(go, quote=True)}"' if go else ""
    return f'<g class="pt"{leads}><title>{escaped_lines(tip)}</title>{drawn}</g>'


def escaped_lines(words: str) -> str:
    """Write what a point tells, a line each."""
    return "\n".join(escape(spaced(line), quote=True) for line in words.split("\n"))


def mark(place: Point, number: int, look: str, size: float = 5) -> str:
    """Return the shape of a system: a circle, a square, a diamond, then a triangle."""
    x, y = place
    points: tuple[Point, ...]
    match number % 4:
        case 0:
            return f'<circle class="{look}" cx="{_px(x)}" cy="{_px(y)}" r="{_px(size)}"/>'
        case 1:
            corner, side = f'x="{_px(x - size)}" y="{_px(y - size)}"', _px(2 * size)
            return f'<rect class="{look}" {corner} width="{side}" height="{side}"/>'
        case 2:
            s = DIAMOND * size
            points = ((x, y - s), (x + s, y), (x, y + s), (x - s, y))
        case _:
            s = TRIANGLE * size
            points = ((x, y - s), (x + s, y + s), (x - s, y + s))
    joined = "L".join(f"{_px(px)} {_px(py)}" for px, py in points)
    return f'<path class="{look}" d="M{joined}Z"/>'


def _px(value: float) -> str:
    """Write a place to a tenth of a pixel."""
    return f"{value:z.1f}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle with a scale on either side."""

    left: float
    top: float
    right: float
    bottom: float
    x: tuple[float, float]
    y: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is drawn."""
        return self.across(x), self.up(y)

    def across(self, x: float) -> float:
        """Return where a number lies on the lower side."""
        low, high = self.x
        return self.left + (self.right - self.left) * (x - low) / ((high - low) or 1.0)

    def up(self, y: float) -> float:
        """Return where a number lies on the left side."""
        low, high = self.y
        return self.bottom - (self.bottom - self.top) * (y - low) / ((high - low) or 1.0)

    def lower_axis(self, canvas: Canvas, title: str, *, share: bool, most: int = 6) -> None:
        """Draw the axis below: numbers, or shares in percent."""
        canvas.line((self.left, self.bottom), (self.right, self.bottom), "axis")
        marks = ticks(*self.x, most)
        words = spelled([100 * each for each in marks]) if share else spelled(marks)
        for place, (value, word) in enumerate(zip(marks, words, strict=True)):
            last = place == len(marks) - 1
            shown = f"{word}{PERCENT}" if last and share else word
            x = min(self.across(value), canvas.width - measured(shown, LETTER) / 2)
            canvas.text((x, self.bottom + 17), shown, "tick", "middle")
        canvas.text(((self.left + self.right) / 2, self.bottom + 36), title, "axt", "middle")

    def left_axis(self, canvas: Canvas, *, share: bool = False, most: int = 5) -> None:
        """Draw the axis on the left with lines across."""
        marks = ticks(*self.y, most)
        words = spelled([100 * each for each in marks]) if share else spelled(marks)
        for value, word in zip(marks, words, strict=True):
            y = self.up(value)
            if value > self.y[0]:
                canvas.line((self.left, y), (self.right, y), "gridline")
            shown = f"{word}{PERCENT}" if share and value == marks[-1] else word
            canvas.text((self.left - 8, y + 4), shown, "tick", "end")


def placed(candidates: list[Box], taken: list[Box], within: Box) -> Box:
    """Return the first place that nothing else takes; without one, the one that is taken least."""
    inside = [each for each in candidates if _covers(within, each)] or candidates
    return min(inside, key=lambda each: sum(_shared(each, other) for other in taken))


def _covers(outer: Box, inner: Box) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def _shared(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0
