"""A sentence that says what numbers mean, and the words that all families share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.artifact import Delta, Interval, Number, Scalar
from assay.display.blocks import Tone
from assay.display.numbers import INFINITIES, TONES, ends, excludes, read, unsaid
from assay.display.wording import decimals, fixed, percent, points, signed
from assay.showing import inert

Ends = Mapping[int, tuple[str, Tone]]
"""how a sentence ends by the side of a value on which an interval lies, and without one under 2"""
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a headline."""

    text: str
    tone: Tone = "plain"


def named(name: str) -> str:
    """Make a name fit for a sentence."""
    shown = inert(name)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def number(scalar: Scalar) -> str:
    """Write a number with its interval."""
    if scalar.value is None:
        known = INFINITIES.get(scalar.reason or "")
        return known or f"undefined ({inert(scalar.reason or 'no reason given')})"
    places = decimals(scalar.value, scalar.standard_error)
    return _with_ends(scalar.value, scalar.interval, lambda each: fixed(each, places))


def held(value: Number, interval: Interval) -> Interval:
    """Return an interval if it holds its own number.

    Resampling adds noise, and an error that noise can only raise comes out higher on almost every
    resample than on the sample. Such an interval says nothing about where the number lies.
    """
    if value is None or interval is None or not interval[0] <= value <= interval[1]:
        return None
    return interval


def _with_ends(value: float, interval: Interval, write: Callable[[float], str]) -> str:
    """Write a number with its interval, or say that its resamples lie elsewhere."""
    if interval is None:
        return write(value)
    if held(value, interval) is None:
        side = "above" if interval[0] > value else "below"
        return f"{write(value)} (no interval: its resamples lie {side} it)"
    return f"{write(value)} {ends(interval, write)}"


def percentage(scalar: Scalar) -> str:
    """Write a share in percent with its interval."""
    if scalar.value is None:
        return f"undefined ({inert(scalar.reason or 'no reason given')})"
    return share(scalar.value, scalar.interval)


def share(value: Number, interval: Interval) -> str:
    """Write a share in percent with its interval."""
    if value is None:
        return "undefined"
    return _with_ends(value, interval, percent)


def point_share(value: Number, interval: Interval) -> str:
    """Write a difference of shares in percentage points with its interval."""
    if value is None:
        return "undefined"
    shown = _with_ends(value, interval, points)
    number, space, ends = shown.partition(" ")
    return f"{number} points{space}{ends}"


def difference(
    delta: Delta, sides: tuple[str, str], what: str, *, of_shares: bool = False
) -> Statement:
    """Say what a paired difference means, and that nothing can be told where it is open."""
    left, right = sides
    of = f"{right} against {left}, {what}"
    word = read(delta)
    if delta.delta is None:
        reason = inert(delta.reason or "no reason given")
        why = f"the difference is undefined ({reason})"
        if reason in INFINITIES:
            why = f"{INFINITIES[reason]}, one side is infinite"
        return Statement(f"{of}: {why}{word and f': {right} is {word}'}.", TONES.get(word, "open"))
    places = decimals(delta.delta, delta.standard_error)
    interval = held(delta.delta, delta.interval)
    shown = (
        f"{signed(delta.delta, places)} {ends(interval, lambda end: fixed(end, places))}".strip()
    )
    shown = point_share(delta.delta, interval) if of_shares else shown
    if delta.interval is None:
        why = inert(delta.interval_reason or "no resamples were asked for")
        return Statement(f"{of}: {shown}, without an interval ({why}): cannot tell.", "open")
    if interval is None:
        return Statement(f"{of}: {shown}, and its resamples lie elsewhere: cannot tell.", "open")
    if interval[0] == interval[1]:
        return Statement(f"{of}: {shown}, an interval without width: cannot tell.", "open")
    if not word:
        why = next(iter(unsaid(delta)), "the interval holds 0")
        why = f"{why[:1].upper()}{inert(why[1:])}"
        return Statement(f"{of}: {shown}. {why}: cannot tell which is better.", "open")
    verdict = "they differ" if word == "differs" else f"{right} is {word}"
    return Statement(f"{of}: {shown}. The interval excludes 0: {verdict}.", TONES[word])


def by_side(told: str, value: Number, interval: Interval, at: float, said: Ends) -> Statement:
    """End a sentence by the side of a value on which an interval lies that holds its number."""
    known = held(value, interval)
    end, tone = said[2 if known is None else excludes(known, at)]
    return Statement(f"{told}{end}", tone)
