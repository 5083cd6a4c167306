"""Curves with their bands, up to where all of them reach and beyond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from assay.display.figures.figure import even
from assay.display.svg.canvas import Box, Canvas, Frame, measured, placed

MOST_POINTS = 160
MARKED = 14
"""a curve of more points than these shows its last one alone"""
LETTER = 13.0
HATCH = 9
WIDE, NARROW = (504, 440), (358, 290)
ALONG = (0.5, 0.62, 0.38, 0.75, 0.25, 0.88, 0.12)


@dataclass(frozen=True, slots=True)
class Line:
    """A curve from left to right; the band is missing where its resamples agree."""

    name: str
    shape: int | None
    """None: one of the rest, grey"""
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float | None]
    high: Sequence[float | None]
    end: str
    """its last value, in words"""
    stepped: bool = False
    go: Sequence[str] = ()
    """of every point, the filters of the cases behind it"""

    def thinned(self, most: int = MOST_POINTS) -> Line:
        """Keep some points at even places."""
        kept = even(len(self.x), most)
        x, y = ([values[at] for at in kept] for values in (self.x, self.y))
        low, high = ([values[at] for at in kept] for values in (self.low, self.high))
        go = [self.go[at] for at in kept] if self.go else ()
        return replace(self, x=x, y=y, low=low, high=high, go=go)

    def drawn(self, values: Sequence[float]) -> list[tuple[float, float]]:
        """Return its points, with corners where it goes in steps."""
        points = [*zip(self.x, values, strict=True)]
        if not self.stepped:
            return points
        corners = ((left[0], right[1]) for left, right in pairwise(points))
        return [each for two in zip(points, corners, strict=False) for each in two] + points[-1:]


def curves(lines: Sequence[Line], *, cut: float | None, axis: str, label: str, wide: bool) -> str:
    """Draw curves over shares; beyond the cut only some of them go on."""
    width, height = WIDE if wide else NARROW
    canvas = Canvas(width, height)
    thin = [each.thinned() for each in lines if len(each.x)]
    frame = _frame(canvas, thin, wide=wide)
    frame.left_axis(canvas)
    longest = max((each.x[-1] for each in thin), default=1.0)
    if cut is not None and cut < longest:
        _beyond(canvas, frame, cut, longest, _only(thin, cut))
    for each in (line for line in thin if line.shape is not None):
        _band(canvas, frame, each)
    for each in sorted(thin, key=lambda line: line.shape is not None):
        _line(canvas, frame, each)
    frame.lower_axis(canvas, axis, share=True, most=7 if wide else 5)
    _labels(canvas, frame, [each for each in thin if each.shape is not None])
    return canvas.svg("fig wide" if wide else "fig narrow", label)


def _frame(canvas: Canvas, lines: Sequence[Line], *, wide: bool) -> Frame:
    own = [each for each in lines if each.shape is not None]
    tops = [end for each in own for end in (*each.y, *(e for e in each.high if e is not None))]
    tops += [value for each in lines for value in each.y]
    reach = max((each.x[-1] for each in lines), default=1.0)
    right = min(1.0, ceil(10 * reach) / 10) if reach > 0 else 1.0
    top = (max(tops, default=1.0) or 1.0) * 1.16
    return Frame(
        44, 10, canvas.width - (8 if wide else 12), canvas.height - 46, (0, right), (0, top)
    )


def _only(lines: Sequence[Line], cut: float) -> str:
    longer = [each.name for each in lines if each.x[-1] > cut + 1e-12]
    return f"only {longer[0]}" if len(longer) == 1 else "not all"


def _beyond(canvas: Canvas, frame: Frame, cut: float, reach: float, words: str) -> None:
    """Hatch where not all curves go, and say who does."""
    x, right = frame.across(cut), frame.across(reach)
    canvas.rect((x, frame.top), (right - x, frame.bottom - frame.top), "beyond")
    bottom, height = frame.bottom, frame.bottom - frame.top
    for each in range(int((right - x + height) / HATCH) + 1):
        # Each line rises to the right at 45 degrees, cut to the rectangle.
        start = x - height + each * HATCH
        left, end = max(start, x), min(start + height, right)
        if left < end:
            canvas.line((left, bottom - left + start), (end, bottom - end + start), "hatch")
    canvas.line((x, frame.top), (x, bottom), "cut")
    fits = measured(words, 12) < canvas.width - x - 8
    together = "all answer" if words == "not all" else "both answer"
    canvas.text((x - 8, frame.top + 12), together, "note", "end")
    if fits:
        canvas.text((x + 8, frame.top + 12), words, "note")


def _band(canvas: Canvas, frame: Frame, line: Line) -> None:
    known = [
        (x, low, high)
        for x, low, high in zip(line.x, line.low, line.high, strict=True)
        if low is not None and high is not None
    ]
    upper = [frame.at(x, high) for x, _, high in known]
    lower = [frame.at(x, low) for x, low, _ in reversed(known)]
    canvas.path([*upper, *lower], f"band s{line.shape}", closed=True)


def _line(canvas: Canvas, frame: Frame, line: Line) -> None:
    look = "rest" if line.shape is None else f"curve s{line.shape}"
    canvas.path([frame.at(*each) for each in line.drawn(line.y)], look)
    if line.shape is None:
        return
    marked = range(len(line.x)) if len(line.x) <= MARKED else [len(line.x) - 1]
    for at in marked:
        tip = f"{line.name}: {100 * line.x[at]:.1f}\N{NO-BREAK SPACE}% accepted, {line.y[at]:.4g}"
        place = frame.at(line.x[at], line.y[at])
        go = line.go[at] if line.go else ""
        canvas.mark(place, line.shape, f"dot s{line.shape}", tip=tip, go=go)


def _labels(canvas: Canvas, frame: Frame, lines: Sequence[Line]) -> None:
    """Write names and last values where they cover no other curve and no other label."""
    taken: list[Box] = [box for line in lines for box in _boxes(frame, line)]
    within = (frame.left, frame.top + 16, canvas.width, frame.bottom)
    for line in lines:
        x, y = frame.at(line.x[-1], line.y[-1])
        room = measured(line.end, LETTER)
        spots = [
            (left, top, left + room, top + LETTER)
            for left in (x - room - 9, x - room / 2, min(x - 8, canvas.width - room))
            for top in (y - 21, y + 9)
        ]
        box = placed(spots, taken, within)
        taken.append(box)
        canvas.text((box[0], box[3] - 2), line.end, f"label halo s{line.shape}")
    for line in lines if len(lines) > 1 else ():
        box = placed(_along(frame, line), taken, within)
        taken.append(box)
        canvas.text((box[0], box[3] - 2), line.name, f"label halo s{line.shape}")


def _along(frame: Frame, line: Line) -> list[Box]:
    room = measured(line.name, LETTER)
    found: list[Box] = []
    for share in ALONG:
        at = int(share * (len(line.x) - 1))
        after = min(at + 1, len(line.x) - 1)
        x = (frame.across(line.x[at]) + frame.across(line.x[after])) / 2
        y = (frame.up(line.y[at]) + frame.up(line.y[after])) / 2
        found += [
            (left, top, left + room, top + LETTER)
            for left in (x - room / 2, x - room - 10, x + 10)
            for top in (y - LETTER - 12, y + 12, y - LETTER - 30, y + 30)
        ]
    return found


def _boxes(frame: Frame, line: Line) -> list[Box]:
    """Cover a curve by small boxes, so that labels keep off it."""
    points = [frame.at(*each) for each in line.drawn(line.y)]
    found: list[Box] = []
    for (x1, y1), (x2, y2) in pairwise(points):
        pieces = max(1, int(max(abs(x2 - x1), abs(y2 - y1)) / 12))
        for piece in range(pieces + 1):
            x, y = (a + (b - a) * piece / pieces for a, b in ((x1, x2), (y1, y2)))
            found.append((x - 3, y - 3, x + 3, y + 3))
    return found
