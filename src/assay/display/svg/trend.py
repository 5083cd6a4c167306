"""One number over several runs, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.artifact import Interval
from assay.display.svg.canvas import Canvas, fitted
from assay.display.svg.frame import Frame

__all__ = ["Run", "trend"]

WIDE, NARROW = (1180, 210), (358, 210)
MOST_LABELS = 90
"""pixels that the label of a run needs"""
MOST_MARKS = 200


@dataclass(frozen=True, slots=True)
class Run:
    """One run."""

    name: str
    date: str
    value: float
    ends: Interval
    tip: str


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
    canvas.path([frame.at(place, each.value) for place, each in enumerate(shown)], "limit s0")
    for place, each in enumerate(shown):
        x, y = frame.at(place, each.value)
        if each.ends is not None:
            top, bottom = frame.up(each.ends[1]), frame.up(each.ends[0])
            canvas.rect((x - 3.5, top), (7, bottom - top), "ivb s0", 3.5)
        canvas.mark((x, y), 0, "dot s0", size=4.6, tip=f"{each.name}\n{each.date}\n{each.tip}")
    every = max(1, -(-len(shown) * MOST_LABELS // int(frame.right - frame.left)))
    for place in range(0, len(shown), every):
        x = frame.across(place)
        middle = min(max(x, 40), width - 40)
        canvas.text((middle, frame.bottom + 17), fitted(shown[place].name, 88), "tick", "middle")
        canvas.text((middle, frame.bottom + 33), shown[place].date, "tick", "middle")
    return canvas.svg("fig wide" if wide else "fig narrow", label)
