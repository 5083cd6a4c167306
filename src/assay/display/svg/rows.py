"""Intervals in rows: of systems side by side, with their difference, or of one thing read anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.display.svg.canvas import Canvas, fitted, measured, nice, spelled, ticks

if TYPE_CHECKING:
    from assay.artifact import Interval
    from assay.display.first import Mark

WIDE, NARROW = 504, 358
LETTER = 12.5
LABELS = 196
BOLD, SPARE = 1.1, 6
"""bold letters are wider; what is left free beside labels, because fonts differ"""
MANY = 12
"""more rows than these stand closer, so that the axis is still on the first screen"""
"""pixels that labels may take beside their rows"""
PERCENT = "\N{NO-BREAK SPACE}%"


@dataclass(frozen=True, slots=True)
class Reading:
    """A value with its interval, in the shape of a system."""

    value: float
    ends: Interval
    shape: int = 0
    reported: bool = True
    """the others are drawn thin and hollow"""
    tone: Mark | None = None
    """of a difference"""
    tip: str = ""
    go: str = ""
    """the filters of the cases behind it"""


@dataclass(frozen=True, slots=True)
class Lane:
    """A row: a label and what is drawn beside it; a head has a name and a note."""

    label: str
    held: tuple[Reading, ...] = ()
    difference: Reading | None = None
    head: int | None = None
    """the system that the rows after it are of"""
    note: str = ""
    strong: bool = False
    ruled: bool = False
    """whether a line is drawn above"""


@dataclass(frozen=True, slots=True)
class Forest:
    """All rows, and their scale."""

    lanes: Sequence[Lane]
    scale: tuple[float, float]
    axis: str
    share: bool = True
    """numbers are shares, shown in percent"""
    reference: float | None = None
    sides: tuple[str, str] = ("", "")
    """words to the left and right of the reference"""
    heads: tuple[str, str] = ("", "")
    """over values and differences"""
    better: tuple[str, str] = ("", "")
    """what the sides of a difference mean"""
    reach: float = field(default=0.0)
    """how far the scale of differences goes; 0: as far as is needed"""

    @property
    def paired(self) -> bool:
        """Whether there are differences."""
        return any(each.difference for each in self.lanes)


@dataclass(frozen=True, slots=True)
class _Side:
    left: float
    right: float
    low: float
    high: float

    def at(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.left + (self.right - self.left) * min(max(share, -0.02), 1.02)


def forest(told: Forest, *, label: str, wide: bool) -> str:
    """Draw rows of intervals."""
    width = WIDE if wide else NARROW
    above = not wide
    """on a narrow screen labels stand above their rows"""
    close = wide and len(told.lanes) > MANY
    heights = [_height(each, above=above, close=close) for each in told.lanes]
    top = 30 if any((*told.sides, *told.heads)) else 8
    bottom = top + sum(heights)
    canvas = Canvas(width, bottom + 48)
    values, differences = _sides(told, canvas, above=above)
    _scales(canvas, told, values, (top, bottom), share=told.share)
    if differences is not None:
        _scales(canvas, told, differences, (top, bottom), share=told.share, signed=True)
        canvas.line((differences.at(0), top), (differences.at(0), bottom), "zero")
    _words(canvas, told, values, differences)
    if told.reference is not None:
        canvas.line(
            (values.at(told.reference), top - 6), (values.at(told.reference), bottom), "zero"
        )
    y = float(top)
    for lane, height in zip(told.lanes, heights, strict=True):
        if lane.ruled and y > top:
            canvas.line((0, y), (width, y), "rule")
        _lane(canvas, lane, (y, y + height), (values, differences), above=above)
        y += height
    canvas.text(((values.left + values.right) / 2, bottom + 38), told.axis, "axt", "middle")
    return canvas.svg("fig wide" if wide else "fig narrow", label)


def _height(lane: Lane, *, above: bool, close: bool) -> float:
    if lane.head is not None:
        return 26 if close else 30
    room = max(1, len(lane.held)) * 11 + (8 if close else 14)
    return room + 18 if above else room + 2


def _sides(told: Forest, canvas: Canvas, *, above: bool) -> tuple[_Side, _Side | None]:
    wide = (
        measured(each.label, LETTER) * (BOLD if each.strong else 1.0)
        for each in told.lanes
        if each.head is None
    )
    left = 10.0 if above else min(max(wide, default=0), LABELS) + 14 + SPARE
    right = canvas.width - 14
    if not told.paired:
        return _Side(left, right, *told.scale), None
    middle = left + (right - left) * 0.5
    reach = told.reach or nice(1.1 * max(_reaches(told)))
    return _Side(left, middle - 16, *told.scale), _Side(middle + 16, right, -reach, reach)


def _reaches(told: Forest) -> list[float]:
    known = [each.difference for each in told.lanes if each.difference]
    return [abs(end) for each in known for end in (*(each.ends or ()), each.value)] or [1.0]


def _scales(
    canvas: Canvas,
    told: Forest,
    side: _Side,
    ends: tuple[float, float],
    *,
    share: bool,
    signed: bool = False,
) -> None:
    marks = ticks(side.low, side.high, 3 if told.paired else 5)
    marks = [side.low, 0.0, side.high] if signed else marks
    words = spelled([100 * each for each in marks] if share else marks)
    for value, word in zip(marks, words, strict=True):
        x = side.at(value)
        canvas.line((x, ends[0]), (x, ends[1]), "gridline")
        plus = "+" if side.low < 0 < value else ""
        last = share and not told.paired and value == marks[-1]
        unit = PERCENT if last and side.low >= 0 else ""
        shown = f"{plus}{word}{unit}"
        half = measured(shown, LETTER) / 2
        place = min(max(x, half), canvas.width - half)
        canvas.text((place, ends[1] + 18), shown, "tick", "middle")


def _words(canvas: Canvas, told: Forest, values: _Side, differences: _Side | None) -> None:
    if told.reference is not None and any(told.sides):
        x = values.at(told.reference)
        left = min(x + 8, canvas.width - measured(told.sides[1], LETTER))
        canvas.text((left, 14), told.sides[1], "row")
        canvas.text((left - 16, 14), told.sides[0], "row", "end")
    if any(told.heads):
        canvas.text((values.left, 14), told.heads[0], "strong")
    if differences is not None:
        canvas.text((differences.left, 14), told.heads[1], "strong")
        zero, bottom = differences.at(0), canvas.height - 10
        # The two words may stand left of where the line is, but neither is cut while there is room.
        free = values.right if told.axis else values.left
        right = fitted(told.better[1], (canvas.width - free) / 2)
        start = min(zero + 6, canvas.width - 2 - measured(right, LETTER))
        canvas.text((start, bottom), right, "tick")
        canvas.text((start - 12, bottom), fitted(told.better[0], start - 12 - free), "tick", "end")


def _lane(
    canvas: Canvas,
    lane: Lane,
    ends: tuple[float, float],
    sides: tuple[_Side, _Side | None],
    *,
    above: bool,
) -> None:
    top, bottom = ends
    if lane.head is not None:
        canvas.mark((7, top + 18), lane.head, f"dot s{lane.head}", size=5)
        canvas.text((18, top + 22), lane.label, f"label s{lane.head}")
        canvas.text((canvas.width - 2, top + 22), lane.note, "tick halo", "end")
        return
    values, differences = sides
    start = top + 18 if above else top
    look = "strong" if lane.strong else "row"
    if above:
        canvas.text((2, top + 14), fitted(lane.label, NARROW - 4), look)
    else:
        canvas.text(
            (values.left - 14, (top + bottom) / 2 + 4), fitted(lane.label, LABELS), look, "end"
        )
    step = (bottom - start) / (len(lane.held) + 1)
    for place, each in enumerate(lane.held, 1):
        _interval(canvas, each, values, start + step * place)
    if lane.difference is not None and differences is not None:
        _interval(canvas, lane.difference, differences, (start + bottom) / 2)


def _interval(canvas: Canvas, drawn: Reading, side: _Side, y: float) -> None:
    open_ = drawn.tone in {"open", "apart"}
    look = f"s{drawn.tone}" if drawn.tone and not open_ else f"s{drawn.shape}"
    if drawn.ends is not None:
        low, high = (side.at(end) for end in drawn.ends)
        if open_:
            canvas.rect((low, y - 3.5), (high - low, 7), "ivb open", 3.5)
        elif drawn.reported:
            canvas.rect((low, y - 3.5), (high - low, 7), f"ivb {look}", 3.5)
        else:
            canvas.line((low, y), (high, y), f"ivl thin {look}")
    shape = 0 if drawn.tone else drawn.shape
    filled = f"dot {look}" if drawn.reported else f"hollow {look}"
    mark = "odot" if open_ else filled
    canvas.mark((side.at(drawn.value), y), shape, mark, size=4.6, tip=drawn.tip, go=drawn.go)
