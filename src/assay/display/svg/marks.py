"""Small pictures inside text and tables: marks of verdicts, states of cases, intervals, a trend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assay.artifact import Interval
from assay.display.svg.canvas import Canvas, Frame, fitted, mark

if TYPE_CHECKING:
    from assay.display.first import Bar, Mark

State = Literal["right", "wrong", "abstained", "failed"]
MARKS: dict[Mark, str] = {
    "good": '<circle class="f" cx="10" cy="10" r="10"/><path class="g" d="M5.6 10.4l3 3 5.8-6.4"/>',
    "bad": '<rect class="f" width="20" height="20" rx="3.5"/>'
    '<path class="g" d="M6.2 6.2l7.6 7.6M13.8 6.2l-7.6 7.6"/>',
    "open": '<circle class="l" cx="10" cy="10" r="9"/>'
    '<path class="l" d="M7.2 7.8c.3-3.6 5.8-3.3 5.6-.1-.1 2-2.8 2.1-2.8 4.2"/>'
    '<circle class="d" cx="10" cy="14.6" r="1.2"/>',
    "apart": '<circle class="l ring" cx="10" cy="10" r="9"/>'
    '<path class="l" d="M6 8.3h8M6 11.7h8M12 5.5l-4 9"/>',
    "fact": '<circle class="d" cx="10" cy="10" r="3.2"/>',
    "warn": '<path class="l" d="M10 2l8.6 15.5h-17.2z"/><path class="l" d="M10 7.5v4.5"/>'
    '<circle class="d" cx="10" cy="14.6" r="1.1"/>',
}
STATES: dict[State, str] = {
    "right": '<path d="M3.5 10.8l4.3 4.2 8.7-9.6"/>',
    "wrong": '<path d="M4.5 4.5l11 11M15.5 4.5l-11 11"/>',
    "abstained": '<path d="M3 10h14"/>',
    "failed": '<path d="M10 2.5l8 14.5h-16z"/><path d="M10 8v4M10 14.3v.2"/>',
}
SHAPES, COLOURS = 4, 8
HEIGHT = 16
MIDDLE = HEIGHT / 2
NARROW = 4.0
"""percent of a scale; an interval narrower than this gets a smaller mark"""


def mark_svg(which: Mark) -> str:
    """Draw the mark of a verdict; the words beside it say the same."""
    return _small(f"m {which}", MARKS[which])


def placed_mark(which: Mark, middle: tuple[float, float], size: float = 15) -> str:
    """Draw the mark of a verdict inside a picture."""
    x, y = (each - size / 2 for each in middle)
    place = f'x="{x:.1f}" y="{y:.1f}" width="{size}" height="{size}"'
    return f'<svg class="m {which}" {place} viewBox="0 0 20 20">{MARKS[which]}</svg>'


def symbols() -> str:
    """Draw what a page shows many times, to be shown by its name: states and keys of systems."""
    drawn = {f"st-{which}": body for which, body in STATES.items()}
    drawn |= {f"k-{shape}": mark((10, 10), shape, "", 8) for shape in range(SHAPES)}
    return "".join(
        f'<symbol id="{name}" viewBox="0 0 20 20">{body}</symbol>' for name, body in drawn.items()
    )


def state_svg(which: State) -> str:
    """Show the state of a case: strokes without a ground."""
    return f'<svg class="m st {which}" aria-hidden="true"><use href="#st-{which}"/></svg>'


def side_svg(system: int) -> str:
    """Show the shape of a system beside one of its cases."""
    look = f"s{system}" if system < COLOURS else "sr"
    return f'<svg class="k {look}" aria-hidden="true"><use href="#k-{system % SHAPES}"/></svg>'


def key_svg(shape: int | None) -> str:
    """Draw the shape of a system beside its name."""
    look = "sr" if shape is None else f"s{shape}"
    return _small("k", mark((10, 10), shape or 0, f"key {look}", 8))


def _small(look: str, body: str) -> str:
    return f'<svg class="{look}" viewBox="0 0 20 20" aria-hidden="true">{body}</svg>'


def bar_svg(bar: Bar) -> str:
    """Draw an interval: a bar as long as it, and the value in the shape of its system."""
    told = bar.tone is not None
    hollow = bar.tone in {"open", "apart"}
    look = (
        f"s{bar.tone}"
        if told and not hollow
        else ""
        if hollow
        else "sr"
        if bar.shape is None
        else f"s{bar.shape}"
    )
    parts = [f'<line class="rail" x1="0" y1="{MIDDLE}" x2="100%" y2="{MIDDLE}"/>']
    size = 5.0
    if bar.low is not None and bar.high is not None:
        width = bar.high - bar.low
        size = 4.0 if width < NARROW else size
        kind = "hollow" if hollow else f"b {look}"
        parts.append(
            f'<rect class="{kind}" x="{bar.low:.2f}%" y="4.5" width="{width:.2f}%" height="7"'
            ' rx="3.5"/>'
        )
        if bar.beyond:
            parts.append(_arrow(bar.high, look))
    if bar.zero is not None:
        parts.append(
            f'<line class="nought" x1="{bar.zero:.2f}%" y1="0" x2="{bar.zero:.2f}%" y2="16"/>'
        )
    shape = 0 if told else bar.shape or 0
    drawn = mark((0, 0), shape, "hdot" if hollow else f"dot {look}", size)
    parts.append(f'<svg x="{bar.value:.2f}%" y="{MIDDLE}" overflow="visible">{drawn}</svg>')
    return (
        f'<svg class="iv" width="100%" height="{HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>'
    )


def _arrow(at: float, look: str) -> str:
    place = f'x="{at:.2f}%" y="{MIDDLE}" overflow="visible"'
    return f'<svg {place}><path class="dot {look}" d="M0 -4.5L6 0L0 4.5Z"/></svg>'


TREND_WIDE, TREND_NARROW = (1180, 210), (358, 210)
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
    width, height = TREND_WIDE if wide else TREND_NARROW
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
