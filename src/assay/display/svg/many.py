"""Many systems in one picture: the chosen ones in colour, the rest grey.

Everything of a system stands in one group that names it, drawn for every colour it may get, so that
another choice only swaps classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from assay.artifact import Interval
from assay.display.blocks import Cell, Grid
from assay.display.blocks import Row as Listed
from assay.display.numbers import DASH
from assay.display.svg.canvas import (
    Canvas,
    Frame,
    escaped_lines,
    fitted,
    mark,
    measured,
    spelled,
    ticks,
)
from assay.display.svg.curves import Line

WIDTH = 348
HEIGHT = 290
POINTS = 80
"""of a curve; a page holds one per system"""
LANE = 22.0
LABELS = 150.0
"""pixels that labels may take at most"""
LETTER = 12.5
TALLEST = 30
"""rows; of more systems only so many are drawn"""


@dataclass(frozen=True, slots=True)
class Value:
    """One number of one system."""

    system: int
    value: float
    ends: Interval
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A lane: one system, or one number of all systems."""

    label: str
    held: tuple[Value, ...]


def values_grid(title: str, rows: Sequence[Row], shown: Sequence[tuple[int, str]]) -> Grid:
    """Write rows down as a table, in percent, for some of the systems."""
    told = []
    for row in rows:
        known = {each.system: each for each in row.held}
        cells = [_cell(known.get(system)) for system, _ in shown]
        told.append(Listed(row.label, tuple(cells)))
    return Grid(title, "", tuple(name for _, name in shown), tuple(told))


def _cell(value: Value | None) -> Cell:
    if value is None:
        return Cell(DASH)
    ends = "" if value.ends is None else " to ".join(f"{100 * end:.1f}" for end in value.ends)
    return Cell(f"{100 * value.value:.1f}", ends)


@contextmanager
def _of(canvas: Canvas, system: int, slots: Mapping[int, int], more: str = "") -> Iterator[None]:
    """Put what is drawn in the group of a system."""
    look = f"s{slots[system]}" if system in slots else "others"
    canvas.raw(f'<g class="sys {look}{more}" data-sys="{int(system)}">')
    yield
    canvas.raw("</g>")


def _marks(canvas: Canvas, place: tuple[float, float], tip: str, size: float = 4.6) -> None:
    """Draw the marks of all colours in one place; the class of the group shows one of them."""
    drawn = "".join(mark(place, slot, f"dot mk mk{slot}", size) for slot in range(3))
    canvas.raw(f'<g class="pt"><title>{escaped_lines(tip)}</title>{drawn}</g>')


def _back_to_front(systems: Sequence[int], slots: Mapping[int, int]) -> list[int]:
    """Order systems so that the chosen ones are drawn last, the first of them on top."""
    return sorted(systems, key=lambda each: (each in slots, -slots.get(each, 0)))


def many_curves(
    lines: Mapping[int, Line],
    slots: Mapping[int, int],
    *,
    cut: float | None,
    axis: str,
    label: str,
) -> str:
    """Draw curves over shares, one per system."""
    canvas = Canvas(WIDTH, HEIGHT)
    thin = {system: line.thinned(POINTS) for system, line in lines.items() if len(line.x)}
    tops = [value for each in thin.values() for value in each.y]
    chosen = [thin[each] for each in slots if each in thin]
    tops += [end for each in chosen for end in each.high if end is not None]
    reach = max((each.x[-1] for each in thin.values()), default=1.0)
    frame = Frame(
        44, 10, WIDTH - 12, HEIGHT - 46, (0, min(1.0, reach * 1.04)), (0, 1.06 * max(tops) or 1.0)
    )
    frame.left_axis(canvas, most=4)
    for system in _back_to_front([*thin], slots):
        line = thin[system]
        with _of(canvas, system, slots):
            known = [
                (x, low, high)
                for x, low, high in zip(line.x, line.low, line.high, strict=True)
                if low is not None and high is not None
            ]
            band = [frame.at(x, min(high, frame.y[1])) for x, _, high in known]
            band += [frame.at(x, low) for x, low, _ in reversed(known)]
            canvas.path(band, "band", closed=True)
            canvas.path([frame.at(*each) for each in line.drawn(line.y)], "curve")
            tip = f"{line.name}: {100 * line.x[-1]:.1f}\N{NO-BREAK SPACE}% accepted, {line.end}"
            _marks(canvas, frame.at(line.x[-1], line.y[-1]), tip)
    if cut is not None:
        x = frame.across(cut)
        canvas.line((x, frame.top), (x, frame.bottom), "cut")
    frame.lower_axis(canvas, axis, share=True, most=5)
    return canvas.svg("fig narrow curves", label)


def many_bins(
    systems: Mapping[int, tuple[Sequence[Value], Sequence[float]]],
    slots: Mapping[int, int],
    *,
    label: str,
) -> str:
    """Draw what comes true over what is stated, a line per system, bars for the chosen ones."""
    canvas = Canvas(WIDTH, HEIGHT + 30)
    frame = Frame(44, 10, WIDTH - 12, HEIGHT - 16, (0.0, 1.0), (0.0, 1.0))
    frame.left_axis(canvas, share=True, most=5)
    canvas.line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
    canvas.line(frame.at(0, 0), frame.at(1, 1), "ref")
    for system in _back_to_front([*systems], slots):
        values, stated = systems[system]
        with _of(canvas, system, slots):
            places = [frame.at(x, each.value) for x, each in zip(stated, values, strict=True)]
            for (x, _), each in zip(places, values, strict=True):
                if each.ends is not None:
                    top, bottom = frame.up(each.ends[1]), frame.up(each.ends[0])
                    canvas.rect((x - 3, top), (6, bottom - top), "band bar", 3)
            canvas.path(places, "curve")
            for place, each in zip(places, values, strict=True):
                _marks(canvas, place, each.tip, 4)
    frame.lower_axis(canvas, "stated confidence", share=True, most=5)
    return canvas.svg("fig narrow curves", label)


def lanes(
    rows: Sequence[Row],
    slots: Mapping[int, int],
    *,
    scale: tuple[float, float],
    reference: float | None,
    axis: str,
    label: str,
) -> str:
    """Draw intervals in rows: a row of one system is named in its colour."""
    shown = rows[:TALLEST]
    canvas = Canvas(WIDTH, 10 + LANE * len(shown) + 46)
    bottom = canvas.height - 46
    low, high = scale
    right = WIDTH - 12
    left = 14 + min(LABELS, max((measured(each.label, LETTER) for each in shown), default=0.0))

    def at(value: float) -> float:
        share = (value - low) / ((high - low) or 1.0)
        return left + (right - left) * min(max(share, 0.0), 1.0)

    places = ticks(low, high, 4)
    for tick, word in zip(places, spelled([100 * each for each in places]), strict=True):
        canvas.line((at(tick), 6), (at(tick), bottom), "gridline")
        plus = "+" if low < 0 < tick else ""
        canvas.text((at(tick), bottom + 17), f"{plus}{word}", "tick", "middle")
    if reference is not None:
        canvas.line((at(reference), 4), (at(reference), bottom), "zero")
    for number, row in enumerate(shown):
        y = 10 + LANE * (number + 0.5)
        alone = len(row.held) == 1
        words = fitted(row.label, left - 12)
        if not alone:
            canvas.text((2, y + 4), words, "row")
        for system in _back_to_front([each.system for each in row.held], slots):
            value = next(each for each in row.held if each.system == system)
            with _of(canvas, system, slots, "" if alone else " multi"):
                if alone:
                    canvas.text((2, y + 4), words, "named")
                if value.ends is not None:
                    start, end = (at(each) for each in value.ends)
                    look = "ivb" if alone else "ivb band"
                    canvas.rect((start, y - 3.5), (end - start, 7), look, 3.5)
                _marks(canvas, (at(value.value), y), value.tip, 4)
    canvas.text(((left + right) / 2, canvas.height - 8), axis, "axt", "middle")
    return canvas.svg("fig narrow lanes", label)
