"""Numbers of an artifact as cells: value, interval, and a mark where a note explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.artifacts import Delta, Interval, Scalar
from assay.report.view import Cell
from assay.report.wording import decimals, fixed, p_value, percent, signed, superscript

__all__ = ["DASH", "Notes", "arrow", "excludes", "percentages"]

ARROWS = {"lower": "↓", "higher": "↑", None: ""}
DASH = "\N{EN DASH}"
DROPPED = "undefined on some resamples, which are in no interval (n_undefined in the artifact)"
READINGS = {("lower", -1): "better", ("lower", 1): "worse"}
READINGS |= {("higher", 1): "better", ("higher", -1): "worse"}


def arrow(better: str | None) -> str:
    """Return the direction in which a number improves."""
    return ARROWS[better]


@dataclass(frozen=True, slots=True)
class Notes:
    """Cells, and the reasons their marks refer to; a reason is told once."""

    resampled: bool
    """whether an interval is to be expected"""
    reasons: dict[str, int] = field(default_factory=dict)

    def scalars(self, numbers: Sequence[Scalar]) -> tuple[Cell, ...]:
        """Show numbers to one precision, with their intervals."""
        places = _precision(numbers)
        return tuple(
            cell if number.value is None else Cell(cell.text, self._beside(number, places))
            for number, cell in zip(numbers, self.values(numbers), strict=True)
        )

    def values(self, numbers: Sequence[Scalar]) -> tuple[Cell, ...]:
        """Show numbers to one precision, without intervals."""
        places = _precision(numbers)
        return tuple(
            self._undefined(number.reason)
            if number.value is None
            else Cell(fixed(number.value, places))
            for number in numbers
        )

    def delta(self, number: Delta) -> Cell:
        """Show a difference with its interval."""
        if number.delta is None:
            return self._undefined(number.reason)
        places = decimals(number.delta, number.standard_error)
        return Cell(signed(number.delta, places), self._beside(number, places))

    def p_value(self, p: float | None) -> Cell:
        """Show a p-value."""
        return Cell(DASH if p is None else p_value(p))

    def test(self, number: Scalar) -> Cell:
        """Show a number that is a p-value itself."""
        if number.value is None:
            return self._undefined(number.reason)
        return Cell(p_value(number.value))

    def reading(self, number: Delta) -> Cell:
        """Say in a word what a difference means whose interval excludes 0."""
        side = excludes(number.interval, 0.0)
        return Cell(READINGS.get((number.better or "", side), "differs") if side else "")

    def without_interval(self, reason: str | None) -> str:
        """Mark a number that should have an interval and has none."""
        return self._mark(reason) if self.resampled and reason else ""

    def _undefined(self, reason: str | None) -> Cell:
        return Cell(DASH + self._mark(reason or "undefined"))

    def _beside(self, number: Scalar | Delta, places: int) -> str:
        if number.interval is None:
            return self.without_interval(number.interval_reason)
        ends = ", ".join(fixed(end, places) for end in number.interval)
        return f"[{ends}]{self._mark(DROPPED) if number.n_undefined else ''}"

    def _mark(self, reason: str) -> str:
        return superscript(self.reasons.setdefault(reason, len(self.reasons) + 1))


def _precision(numbers: Sequence[Scalar]) -> int:
    """Return the decimals that most of the numbers deserve, the more where it is even."""
    places = [
        decimals(each.value, each.standard_error) for each in numbers if each.value is not None
    ]
    return max(set(places), key=lambda each: (places.count(each), each), default=0)


def excludes(interval: Interval, value: float) -> int:
    """Say on which side of a value an interval lies: -1 below, 1 above, 0 it holds the value.

    One without width shows no uncertainty, so it excludes nothing.
    """
    if interval is None or interval[0] == interval[1] or interval[0] <= value <= interval[1]:
        return 0
    return 1 if interval[0] > value else -1


def percentages(interval: tuple[float, float] | None) -> Cell:
    """Show an interval of shares in percent."""
    return Cell(DASH if interval is None else f"[{', '.join(map(percent, interval))}]")
