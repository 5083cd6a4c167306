"""Axes: the rectangle that a picture is drawn in, and its scales."""

from __future__ import annotations

from dataclasses import dataclass

from assay.display.svg.canvas import Canvas, measured, spelled, ticks

__all__ = ["Box", "Frame", "placed"]

Box = tuple[float, float, float, float]
"""left, top, right, bottom"""
LETTER = 12.5
PERCENT = "\N{NO-BREAK SPACE}%"


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
