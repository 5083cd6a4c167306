"""An index over the artifacts of a folder: how one number went over time, and every run in a row.

Marks stand only where a file holds the paired comparison; intervals of two runs decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.artifact import Delta, Scalar
from assay.display.first import Bar, Drawing, Entry, Mark, change, span, value_of, written
from assay.display.numbers import DASH
from assay.display.statement import held
from assay.display.svg.canvas import nice
from assay.display.svg.trend import Run, trend
from assay.display.wording import decimals
from assay.report.index.folder import Entry as Listed
from assay.report.index.folder import Reading, Unreadable, artifacts_in

__all__ = ["Index", "Listing", "index_of"]

MARKS: dict[str | None, Mark] = {"better": "good", "worse": "bad", "differs": "fact"}
LEAST_RUNS = 2
"""a trend needs so many runs of one population"""


@dataclass(frozen=True, slots=True)
class Row:
    """One run in the table."""

    file: str
    family: str
    system: str
    date: str
    commit: str
    cells: tuple[Entry, ...]
    compared: tuple[tuple[str, Entry], ...]
    population: str


@dataclass(frozen=True, slots=True)
class Listing:
    """All runs of one population."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    drawing: Drawing | None


@dataclass(frozen=True, slots=True)
class Index:
    """A folder."""

    folder: str
    n_files: int
    listings: tuple[Listing, ...]
    unreadable: tuple[Unreadable, ...]


def index_of(folder: Path) -> Index:
    """Read a folder and lay it out."""
    found = [*artifacts_in(folder)]
    entries = [each for each in found if isinstance(each, Listed)]
    unreadable = tuple(each for each in found if isinstance(each, Unreadable))
    populations: dict[str, list[Listed]] = {}
    for each in entries:
        populations.setdefault(each.population, []).append(each)
    ordered = sorted(populations.items(), key=lambda held: -len(held[1]))
    n_files = len({each.file for each in entries})
    listings = tuple(_listing(name, own) for name, own in ordered)
    return Index(folder.name or str(folder), n_files, listings, unreadable)


def _listing(name: str, entries: Sequence[Listed]) -> Listing:
    ordered = sorted(entries, key=lambda each: (each.date, each.file), reverse=True)
    heads = tuple(each.title for each in ordered[0].numbers)
    tops = [_top(place, ordered) for place in range(len(heads))]
    rows = tuple(_row(each, tops) for each in ordered)
    return Listing(name, heads, rows, _drawing(ordered))


def _top(place: int, entries: Sequence[Listed]) -> float:
    ends = [
        abs(end)
        for each in entries
        if place < len(each.numbers)
        for end in (*(each.numbers[place].interval or ()), each.numbers[place].value or 0.0)
    ]
    return nice(max(ends, default=1.0) or 1.0)


def _row(listed: Listed, tops: Sequence[float]) -> Row:
    cells = tuple(_cell(each, top) for each, top in zip(listed.numbers, tops, strict=False))
    form = listed.numbers[0].form if listed.numbers else "number"
    compared = tuple((name, _compared(delta, form)) for name, delta in listed.pairs)
    return Row(
        listed.file,
        listed.family,
        listed.system,
        listed.date or DASH,
        listed.commit or DASH,
        cells,
        compared,
        listed.population,
    )


def _scalar(number: Reading) -> Scalar:
    return Scalar(
        value=number.value,
        reason=None,
        interval=number.interval,
        interval_reason=None,
        standard_error=number.spread,
        n_undefined=0,
        options={},
    )


def _cell(number: Reading, top: float) -> Entry:
    if number.value is None:
        return Entry(DASH)
    known = held(number.value, number.interval)
    places = decimals(number.value, number.spread)
    low = -top if min((*(known or ()), number.value)) < 0 else 0.0

    def at(value: float) -> float:
        return min(max(100 * (value - low) / (top - low), 0.0), 100.0)

    ends = (None, None) if known is None else (at(known[0]), at(known[1]))
    bar = Bar(at(number.value), ends[0], ends[1], 0, zero=at(0.0) if low < 0 else None)
    return Entry(value_of(_scalar(number), number.form), span(known, number.form, places), bar)


def _compared(delta: Any, form: Any) -> Entry:
    record = Delta(
        left=None,
        right=None,
        delta=delta.delta,
        reason=None,
        interval=delta.interval,
        interval_reason=None,
        standard_error=delta.standard_error,
        p_value=None,
        p_holm=None,
        n_undefined=0,
        word=delta.word if delta.word in MARKS else None,
    )
    shown, ends = change(record, form)
    mark: Mark = MARKS.get(record.word, "open")
    return Entry(shown, ends, None, mark, record.word or "cannot tell")


def _drawing(entries: Sequence[Listed]) -> Drawing | None:
    """Draw the first number over the runs of one population, the oldest first."""
    runs = [
        Run(
            each.file.removesuffix(".json"),
            each.date,
            each.numbers[0].value,
            held(each.numbers[0].value, each.numbers[0].interval),
            f"{each.system}\n{each.numbers[0].title}: "
            f"{written(each.numbers[0].value, each.numbers[0].form, 4)}",
        )
        for each in reversed(entries)
        if each.numbers and each.numbers[0].value is not None
    ]
    if len(runs) < LEAST_RUNS:
        return None
    first = entries[0].numbers[0]
    share = first.form != "number"
    label = f"{first.title} of {len(runs)} runs, from {runs[0].date} to {runs[-1].date}"
    wide, narrow = (trend(runs, share=share, label=label, wide=size) for size in (True, False))
    return Drawing(
        f"{first.title} over {len(runs)} runs", "bars: intervals of each run", wide, narrow
    )
