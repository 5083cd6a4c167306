"""One number over several runs, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.artifact import Interval
from assay.display.svg.canvas import Canvas, Frame, fitted
from assay.display.svg.marks import placed_mark

if TYPE_CHECKING:
    from assay.display.first import Mark

WIDE, NARROW = (1180, 210), (358, 210)
MOST_LABELS = 90
"""pixels that the label of a run needs"""
MOST_MARKS = 120
"""runs that are drawn, the last ones"""
ROOMY = 14.0
"""pixels from run to run at which marks have their full size"""


@dataclass(frozen=True, slots=True)
class Run:
    """One run."""

    name: str
    date: str
    value: float
    ends: Interval
    tip: str
    mark: Mark | None = None
    """of the step to it, where it was compared with the run before"""


def trend(runs: Sequence[Run], *, share: bool, label: str, wide: bool) -> str:
    """Draw runs from left to right, the last ones where there are too many."""
    width, height = WIDE if wide else NARROW
    shown = runs[-MOST_MARKS:]
    canvas = Canvas(width, height)
    ends = [end for each in shown for end in (*(each.ends or ()), each.value)]
    low, high = min(0.0, *ends), max(0.0, *ends) or 1.0
    frame = Frame(
        48, 10, width - 24, height - 44, (0.0, max(1.0, len(shown) - 1.0)), (low, high * 1.05)
    )
    frame.left_axis(canvas, share=share, most=4)
    canvas.line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
    baseline = frame.up(runs[0].value)
    canvas.line((frame.left, baseline), (frame.right, baseline), "cut")
    canvas.path([frame.at(place, each.value) for place, each in enumerate(shown)], "limit s0")
    full = min(1.0, (frame.right - frame.left) / max(1, len(shown) - 1) / ROOMY)
    for place, each in enumerate(shown):
        x, y = frame.at(place, each.value)
        if each.ends is not None:
            top, bottom = frame.up(each.ends[1]), frame.up(each.ends[0])
            canvas.rect((x - 3.5 * full, top), (7 * full, bottom - top), "ivb s0", 3.5 * full)
        if each.mark is not None:
            over = frame.up(each.ends[1]) if each.ends else y
            canvas.raw(placed_mark(each.mark, (x, max(over - 14, 10))))
        canvas.mark(
            (x, y), 0, "dot s0", size=1.6 + 3 * full, tip=f"{each.name}\n{each.date}\n{each.tip}"
        )
    every = max(1, -(-len(shown) * MOST_LABELS // int(frame.right - frame.left)))
    for place in range(0, len(shown), every):
        x = frame.across(place)
        middle = min(max(x, 40), width - 40)
        canvas.text((middle, frame.bottom + 17), fitted(shown[place].name, 88), "tick", "middle")
        canvas.text((middle, frame.bottom + 33), shown[place].date, "tick", "middle")
    return canvas.svg("fig wide" if wide else "fig narrow", label)
