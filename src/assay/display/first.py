"""What stands on the first screen: an answer, a picture, a table of systems, a few remarks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal

from assay.artifact import Delta, Interval, Scalar
from assay.display.blocks import Grid
from assay.display.numbers import DASH, INFINITIES, TONES, held, read, unsaid
from assay.display.svg.canvas import nice
from assay.display.wording import decimals, fixed, level
from assay.showing import counted, fitting, inert

Mark = Literal["good", "bad", "open", "apart", "fact", "warn"]
Form = Literal["percent", "points", "number"]
KNOWN = {".json", ".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".gz", ".npz", ".npy", ".arrow"}
CANNOT = "cannot tell"
WORDS: dict[Mark, str] = {"good": "better", "bad": "worse", "open": CANNOT, "apart": "not compared"}
MOST_NAMED = 4
MOST_MEASURED = 3
"""others whose difference from the first has room in the answer"""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of a sentence; a mark stands before it and never apart from it."""

    text: str
    kind: Literal["plain", "strong", "beside"] = "plain"
    mark: Mark | None = None


def plain(text: str) -> Phrase:
    """Say something in passing."""
    return Phrase(text)


def strong(text: str, mark: Mark | None = None) -> Phrase:
    """Say what carries the message."""
    return Phrase(text, "strong", mark)


def beside(text: str) -> Phrase:
    """Say how sure that is."""
    return Phrase(text, "beside")


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval on the scale of its column, in percent of its width."""

    value: float
    low: float | None
    high: float | None
    shape: int | None
    """None: one of the rest, grey"""
    tone: Mark | None = None
    """of a difference"""
    zero: float | None = None
    beyond: bool = False
    """whether the interval goes on beyond the scale"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a row: text, interval, bar, and what it means."""

    text: str
    interval: str = ""
    bar: Bar | None = None
    mark: Mark | None = None
    word: str = ""
    note: str = ""
    """why there is no number, or no word"""


@dataclass(frozen=True, slots=True)
class Measure:
    """A column: one number of all systems."""

    label: str
    title: str
    unit: str
    form: Form = "number"
    better: str | None = None
    limits: tuple[float, float] | None = None
    """ends of its scale; None: from 0 to what is needed"""
    signed: bool = False
    """whether its sign is the message"""

    @property
    def arrow(self) -> str:
        """Return the direction in which it improves."""
        return {"lower": "↓", "higher": "↑"}.get(self.better or "", "")


@dataclass(frozen=True, slots=True)
class Column:
    """A measure with the ends of its scale in words."""

    measure: Measure
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """A system with its counts and its numbers."""

    name: str
    shape: int
    counts: tuple[tuple[Phrase, ...], ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What one system has more than another, in every column."""

    title: str
    note: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Systems in rows."""

    corner: str
    columns: tuple[Column, ...]
    rows: tuple[Entrant, ...]
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """A further statement, with where to read on."""

    mark: Mark
    phrases: tuple[Phrase, ...]
    link: tuple[str, str] | None = None
    """words, and the part of the page"""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The one figure: drawn wide and narrow, and the same as a table."""

    title: str
    note: str
    wide: str
    narrow: str
    grid: Grid | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class First:
    """The first screen; many systems have a board in place of the table."""

    title: str
    question: str
    answer: tuple[Phrase, ...]
    seen: tuple[Phrase, ...]
    on: tuple[str, ...]
    drawing: Drawing
    table: Table | None
    also: tuple[Remark, ...]
    board: Any = None
    """a `League`"""
    told: tuple[str, ...] = ()
    """words of warnings that this screen says in its own"""


def count_number(
    number: float, interval: Interval = None, interval_reason: str | None = None
) -> Scalar:
    """Return a count, or a share that a test has found, as a number like others."""
    return Scalar(
        value=float(number),
        reason=None,
        interval=interval,
        interval_reason=interval_reason,
        standard_error=None,
        n_undefined=0,
        options={},
    )


def people(artifact: Any) -> list[str]:
    """Name systems as people do: by mode, by model, by file without its ending."""
    names = [inert(system.name) for system in artifact.systems]
    paths = {name: PurePath(name) for name in names}
    short = [paths[n].stem if paths[n].suffix.lower() in KNOWN else n for n in names]
    return fitting(short if len({*short}) == len(short) and all(short) else names)


def title(names: Sequence[str]) -> str:
    """Name what a page is about, the newest first."""
    match names:
        case [_]:
            return names[0]
        case [reference, new]:
            return f"{new} against {reference}"
        case [_, _, _]:
            return ", ".join(names)
        case _:
            return counted(len(names), "system")


def minus(text: str) -> str:
    """Write a minus sign as one."""
    return text.replace("-", "\N{MINUS SIGN}")


def written(value: float, form: Form, places: int, *, signed: bool = False) -> str:
    """Write a number as its column does, without a unit."""
    shown = fixed(value if form == "number" else 100 * value, places if form == "number" else 1)
    plus = "+" if signed and not shown.startswith("-") and float(shown) else ""
    return minus(f"{plus}{shown}")


def _unit(form: Form, *, signed: bool = False) -> str:
    if signed:
        return "" if form == "number" else "\N{NO-BREAK SPACE}points"
    return "\N{NO-BREAK SPACE}%" if form == "percent" else ""


def span(interval: Interval, form: Form, places: int, *, signed: bool = False) -> str:
    """Write an interval: from one end to the other."""
    if interval is None:
        return ""
    low, high = (written(end, form, places, signed=signed) for end in interval)
    return f"{low} to {high}"


def fewest(numbers: Iterable[Scalar]) -> int:
    """Return the decimals of numbers that are read beside each other: those of the vaguest."""
    known = [n for n in numbers if n.value is not None and (n.value or n.standard_error)]
    return min((decimals(n.value or 0.0, n.standard_error) for n in known), default=3)


def value_of(number: Scalar, form: Form, places: int | None = None, *, signed: bool = False) -> str:
    """Write a number with its unit and so many decimals, or its own; a dash where it has none."""
    if number.value is None:
        return INFINITIES.get(number.reason or "", DASH)
    if places is None:
        places = decimals(number.value, number.standard_error)
    return f"{written(number.value, form, places, signed=signed)}{_unit(form)}"


def share_of(value: float) -> str:
    """Write a share in percent, with its sign kept to it."""
    return f"{written(value, 'percent', 1)}\N{NO-BREAK SPACE}%"


def levelled(share: float) -> str:
    """Write a level with its sign kept to it."""
    return level(share).replace("%", "\N{NO-BREAK SPACE}%")


def around(number: Scalar, form: Form) -> Phrase:
    """Write the interval of a number, in brackets."""
    known = held(number.value, number.interval or number.exact_interval)
    places = decimals(number.value or 0.0, number.standard_error)
    return beside(f"({span(known, form, places)})" if known else "(no interval)")


def change(delta: Delta, form: Form) -> tuple[str, str]:
    """Write a difference with its unit, and its interval."""
    if delta.delta is None:
        return INFINITIES.get(delta.reason or "", DASH), ""
    places = decimals(delta.delta, delta.standard_error)
    shown = written(delta.delta, form, places, signed=True)
    ends = span(held(delta.delta, delta.interval), form, places, signed=True)
    return f"{shown}{_unit(form, signed=True)}", ends


def changed(delta: Delta, form: Form) -> list[Phrase]:
    """Write a difference with the mark of its word, and its interval in brackets."""
    shown, ends = change(delta, form)
    mark = judged(delta)
    sided = mark if mark in {"good", "bad"} else None
    return [strong(shown, sided), beside(f" ({ends})" if ends else " (no interval)")]


def against_first(names: Sequence[str], deltas: Sequence[Delta | None], form: Form) -> list[Phrase]:
    """Say which of several systems are better or worse than the first, and by how much."""
    known = [each for each in deltas if each is not None]
    if len(known) == len(deltas) < MOST_MEASURED:
        return [strong(f"Against {names[0]}:"), *_measured(names[1:], known, form), plain(".")]
    found: dict[str, list[str]] = {"better": [], "worse": [], CANNOT: []}
    for name, delta in zip(names[1:], deltas, strict=True):
        word = "" if delta is None else read(delta)
        found[word if word in found else CANNOT].append(name)
    marks: dict[str, Mark] = {"better": "good", "worse": "bad", CANNOT: "open"}
    told = [strong(f"Against {names[0]}:")]
    for word, own in found.items():
        if own:
            more = f" and {len(own) - MOST_NAMED} more" if len(own) > MOST_NAMED else ""
            shown = f"{', '.join(own[:MOST_NAMED])}{more}"
            lead = ";" if len(told) > 1 else ""
            said = "cannot be told apart" if word == CANNOT else word
            told += [plain(f"{lead} {shown} "), strong(said, marks[word])]
    return [*told, plain(".")]


def _measured(names: Sequence[str], deltas: Sequence[Delta], form: Form) -> Iterator[Phrase]:
    """Say of a few systems on which side of the first they are, and how far."""
    for at, (name, delta) in enumerate(zip(names, deltas, strict=True)):
        shown, ends = change(delta, form)
        mark = judged(delta)
        sided = mark in {"good", "bad"}
        yield plain(f"{';' if at else ''} {name} ")
        yield strong(
            f"{read(delta) if sided else 'cannot be told apart'},", mark if sided else "open"
        )
        yield plain(f" {shown}")
        yield beside(f" ({ends})" if ends else " (no interval)")


def judged(delta: Delta) -> Mark:
    """Return the mark of a difference: by its word, and by nothing else."""
    word = read(delta)
    if word:
        return "fact" if word == "differs" else TONES[word]  # type: ignore[return-value]  # good or bad
    return "open"


def entry(
    number: Scalar,
    measure: Measure,
    scale: tuple[float, float],
    shape: int | None,
    places: int | None = None,
) -> Entry:
    """Show a number of a system, with as many decimals as it deserves or as its column has."""
    if number.value is None:
        shown = INFINITIES.get(number.reason or "", DASH)
        return Entry(shown, note="" if shown != DASH else inert(number.reason or "undefined"))
    known = held(number.value, number.interval or number.exact_interval)
    if places is None:
        places = decimals(number.value, number.standard_error)
    shown = written(number.value, measure.form, places, signed=measure.signed)
    return Entry(
        f"{shown}{_unit(measure.form)}",
        span(known, measure.form, places, signed=measure.signed),
        _bar(number.value, known, scale, shape),
        note="" if known else inert(number.interval_reason or ""),
    )


def _bar(
    value: float,
    interval: Interval,
    scale: tuple[float, float],
    shape: int | None,
    tone: Mark | None = None,
) -> Bar:
    low, high = scale

    def at(each: float) -> float:
        return min(max(100 * (each - low) / ((high - low) or 1.0), 0.0), 100.0)

    beyond = interval is not None and (interval[0] < low or interval[1] > high)
    start, end = (None, None) if interval is None else (at(interval[0]), at(interval[1]))
    zero = at(0.0) if low < 0 < high else None
    return Bar(at(value), start, end, shape, tone, zero, beyond)


def blamed(delta: Delta, sides: Sequence[str], better: str | None) -> str:
    """Say why a difference has no word where its interval excludes 0, and name whom it favours."""
    why = inert(next(iter(unsaid(delta)), ""))
    ahead = sides[((delta.delta or 0.0) > 0) == (better == "higher")]
    return why if better is None else why.replace("the side it favours", ahead)


def difference_entry(
    delta: Delta,
    measure: Measure,
    scale: tuple[float, float] | None = None,
    unlike: str = "",
    sides: Sequence[str] = ("the first", "the other"),
) -> Entry:
    """Show a difference with its word, on a scale of its own or on that of its column.

    Where it has no word because its two sides are not alike, why that is stands in `unlike`.
    """
    shown, ends = change(delta, measure.form)
    mark = judged(delta)
    if delta.delta is None:
        word = read(delta)  # where one side is infinite
        said: Mark = mark if word else "apart"
        return Entry(shown, mark=said, word=word or WORDS[said], note=inert(delta.reason or ""))
    known = held(delta.delta, delta.interval)
    reach = nice(1.15 * max(map(abs, (*(known or ()), delta.delta)), default=1.0) or 1.0)
    bar = _bar(delta.delta, known, scale or (-reach, reach), 0, mark)
    if unlike and not read(delta):
        return Entry(shown, ends, bar, "apart", WORDS["apart"], unlike)
    note = blamed(delta, sides, measure.better)
    return Entry(shown, ends, bar, mark, read(delta) or WORDS[mark], note)


def difference_row(
    names: tuple[str, str],
    note: str,
    deltas: Sequence[Delta | None],
    measures: Sequence[Measure],
    unlike: Mapping[str, str] = {},
) -> Difference:
    """Show what the right system of a pair has more than the left.

    What is not compared stands in `unlike` by its label, with the reason.
    """
    left, right = names
    entries = tuple(
        Entry(DASH, mark="apart", word=WORDS["apart"])
        if delta is None
        else difference_entry(delta, measure, unlike=unlike.get(measure.label, ""), sides=names)
        for delta, measure in zip(deltas, measures, strict=True)
    )
    return Difference("difference", f"{right} minus {left}, {note}", entries)


def column(measure: Measure, numbers: Iterable[Scalar]) -> tuple[Column, tuple[float, float]]:
    """Choose the scale of a column: a given one, or from 0 to what its intervals reach."""
    found = [*numbers]
    ends = [
        abs(end)
        for each in found
        for end in (*(held(each.value, each.interval) or ()), each.value or 0.0)
    ]
    lowest = min(
        (end for each in found for end in (each.interval or (each.value or 0.0,))), default=0.0
    )
    top = nice(max(ends, default=1.0) or 1.0)
    scale = measure.limits or ((-top, top) if lowest < 0 else (0.0, top))
    times = 1 if measure.form == "number" else 100
    low, high = (minus(f"{times * end:.6g}") for end in scale)
    unit = _unit(measure.form) or ("\N{NO-BREAK SPACE}points" if measure.form == "points" else "")
    return Column(measure, low, f"{high}{unit}"), scale


def table(
    corner: str,
    measures: Sequence[Measure],
    systems: Sequence[tuple[str, tuple[tuple[Phrase, ...], ...], Sequence[Scalar]]],
    difference: Difference | None = None,
) -> Table:
    """Put systems in rows, all numbers of a column on one scale."""
    columns = [column(m, [s[2][at] for s in systems]) for at, m in enumerate(measures)]
    places = [fewest([s[2][at] for s in systems]) for at in range(len(measures))]
    rows = tuple(
        Entrant(
            name,
            shape,
            counts,
            tuple(
                entry(number, of.measure, scale, shape, deserved)
                for number, (of, scale), deserved in zip(numbers, columns, places, strict=True)
            ),
        )
        for shape, (name, counts, numbers) in enumerate(systems)
    )
    return Table(corner, tuple(each for each, _ in columns), rows, difference)
