"""What is stated against what comes true, bin by bin, over how many there are of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assay.artifact import Interval
from assay.display.svg.canvas import Canvas, Frame, measured

FEW = 20
"""rows; a bin with fewer is drawn hollow"""
APART = 5
LETTER = 12
MARK = 6
DOWN = (0.06, 0.1, 0.14, 0.2, 0.26, 0.32)
NOTED = [x / 100 for x in (*range(60, 86), *range(59, 19, -1))]
"""where the words beside the line may begin, and how far below it"""
Box: TypeAlias = tuple[float, float, float, float]
"""left, top, right, bottom"""
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
    for shape, (name, bins) in enumerate(systems):
        _bins(canvas, frame, bins, (shape, _shift(systems, shape)))
        if not counted:
            x = frame.left + 10
            canvas.mark((x, 20 + 18 * shape), shape, f"dot s{shape}")
            canvas.text((x + 10, 24 + 18 * shape), name, f"label halo s{shape}")
    _words(canvas, frame, systems, spot)
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


def _words(
    canvas: Canvas,
    frame: Frame,
    systems: Sequence[tuple[str, Sequence[Bin]]],
    spot: tuple[int, int, str] | None,
) -> None:
    """Write words beside the marked bin and beside the line, where they cover least."""
    taken = [
        box
        for shape, (_, bins) in enumerate(systems)
        for box in _boxes(frame, bins, _shift(systems, shape))
    ]
    if spot is not None:
        of, number, told = spot
        marked = systems[of][1][number]
        x, y = frame.at(marked.stated, marked.happened)
        canvas.line((x, y), (x, frame.up(marked.stated)), "cut")
        left, low = _beside(frame, marked, told, taken)
        canvas.text((left, low), told, "strong halo")
        taken.append((left, low - LETTER, left + measured(told, LETTER), low + 4))
    steps = [frame.at(x, x - down) for down in DOWN for x in NOTED]
    canvas.text(_freest(steps, measured("as stated", LETTER), taken), "as stated", "note halo")


def _shift(systems: Sequence[object], shape: int) -> float:
    """Return how far the marks of a system stand beside their place, so that all are seen."""
    return APART * (shape - (len(systems) - 1) / 2)


def _boxes(frame: Frame, bins: Sequence[Bin], shift: float) -> Iterator[Box]:
    """Yield what marks and intervals cover."""
    for each in bins:
        x, y = frame.at(each.stated, each.happened)
        low, high = each.ends or (each.happened, each.happened)
        top, bottom = min(frame.up(high), y - MARK), max(frame.up(low), y + MARK)
        yield x + shift - MARK, top, x + shift + MARK, bottom


def _beside(frame: Frame, spot: Bin, words: str, taken: Sequence[Box]) -> tuple[float, float]:
    """Find the place beside a bin where its words cover least and do not leave the picture."""
    x, y = frame.at(spot.stated, spot.happened)
    room = measured(words, LETTER)
    lower = spot.happened < spot.stated
    below, above = range(30, 160, 12), range(-24, -160, -12)
    downs = (*below, 4, *above) if lower else (*above, 4, *below)
    every = [
        (left, y + down)
        for down in downs
        for left in (x - room - 14, x + 14, x - room / 2)
        if frame.left < left < frame.right - room and frame.top + LETTER < y + down < frame.bottom
    ]
    return _freest(every or [(max(frame.left, x - room - 14), y - 24)], room, taken)


def _freest(
    places: Sequence[tuple[float, float]], room: float, taken: Sequence[Box]
) -> tuple[float, float]:
    """Return the first of the places where words cover least of what is drawn."""

    def covered(place: tuple[float, float]) -> float:
        x, y = place
        return sum(
            max(0.0, min(x + room + 3, right) - max(x - 3, left))
            * max(0.0, min(y + 4, bottom) - max(y - LETTER, top))
            for left, top, right, bottom in taken
        )

    return min(places, key=covered)


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
