"""What is stated against what comes true, bin by bin, over how many there are of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.artifact import Interval
from assay.display.svg.canvas import Canvas, measured
from assay.display.svg.frame import Frame

__all__ = ["Bin", "reliability"]

FEW = 20
"""rows; a bin with fewer is drawn hollow"""
APART = 5
LETTER = 12
NOTE, NOTED = 0.11, [x / 100 for x in range(30, 86)]
"""how wide the words beside the line are, and where they may begin"""
WIDE, NARROW = (504, 430), (358, 340)


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin of one system."""

    stated: float
    happened: float
    ends: Interval
    count: int
    low: float
    high: float
    tip: str
    go: str = ""
    """the filters of the cases in it"""


def reliability(
    systems: Sequence[tuple[str, Sequence[Bin]]],
    *,
    spot: tuple[int, int, str] | None,
    label: str,
    wide: bool,
) -> str:
    """Draw the bins of up to three systems; the spot is a bin with words."""
    width, height = WIDE if wide else NARROW
    canvas = Canvas(width, height)
    counted = len(systems) == 1
    bottom = height - (126 if counted else 46) + (0 if wide else 20 * counted)
    frame = Frame(44, 10, width - 12, bottom, (0.0, 1.0), (0.0, 1.0))
    frame.left_axis(canvas, share=True)
    canvas.line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
    canvas.line(frame.at(0, 0), frame.at(1, 1), "ref")
    places = [each.stated for _, bins in systems for each in bins]
    free = max(NOTED, key=lambda x: min((abs(x + NOTE / 2 - each) for each in places), default=1.0))
    canvas.text((frame.across(free), frame.up(free - 0.1)), "as stated", "note halo")
    for shape, (name, bins) in enumerate(systems):
        shift = APART * (shape - (len(systems) - 1) / 2)
        _bins(canvas, frame, bins, (shape, shift))
        if not counted:
            x = frame.left + 10
            canvas.mark((x, 20 + 18 * shape), shape, f"dot s{shape}")
            canvas.text((x + 10, 24 + 18 * shape), name, f"label halo s{shape}")
    if spot is not None:
        _spot(canvas, frame, systems[spot[0]][1][spot[1]], spot[2])
    title = (
        "stated confidence; below, the number of rows per bin" if counted else "stated confidence"
    )
    lower = frame
    if counted:
        lower = Frame(44, frame.bottom + 18, width - 12, height - 46, (0.0, 1.0), (0.0, 1.0))
        _counts(canvas, lower, systems[0][1])
    lower.lower_axis(canvas, title if wide else "stated confidence", share=True, most=5)
    return canvas.svg("fig wide" if wide else "fig narrow", label)


def _bins(canvas: Canvas, frame: Frame, bins: Sequence[Bin], drawn: tuple[int, float]) -> None:
    shape, shift = drawn
    for each in bins:
        x, y = frame.at(each.stated, each.happened)
        if each.ends is not None:
            top, bottom = frame.up(each.ends[1]), frame.up(each.ends[0])
            canvas.rect((x + shift - 3.5, top), (7, bottom - top), f"ivb s{shape}", 3.5)
        few = each.count < FEW
        look = f"hollow s{shape}" if few else f"dot s{shape}"
        canvas.mark((x + shift, y), shape, look, size=5.4, tip=each.tip, go=each.go)


def _spot(canvas: Canvas, frame: Frame, spot: Bin, words: str) -> None:
    """Write words beside a bin, where they do not leave the picture."""
    x, y = frame.at(spot.stated, spot.happened)
    room = measured(words, LETTER)
    canvas.line((x, y), (x, frame.up(spot.stated)), "cut")
    left = x - room - 14 if x - room - 14 > frame.left else x + 14
    place = min(y + 30, frame.bottom - 8) if spot.happened < spot.stated else max(y - 24, 24)
    canvas.text((left, place), words, "strong halo")


def _counts(canvas: Canvas, frame: Frame, bins: Sequence[Bin]) -> None:
    most = max((each.count for each in bins), default=1) or 1
    for each in bins:
        left, right = frame.across(each.low), frame.across(max(each.high, each.low))
        wide = max(right - left - 4, 3)
        high = (frame.bottom - frame.top) * each.count / most
        look = "fill few s0" if each.count < FEW else "fill s0"
        canvas.rect((left + 2, frame.bottom - high), (wide, high), look, go=(each.tip, each.go))
        words = f"{each.count:,}"
        if measured(words, LETTER) < wide + 14:
            canvas.text(((left + right) / 2, frame.bottom - high - 4), words, "note", "middle")
