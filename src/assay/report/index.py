"""An index over the artifacts of a folder: how one number went over time, and every run in a row.

Marks stand only where a file of the folder holds the paired comparison; intervals of two runs
decide nothing. Whatever a script may show instead is prepared here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from assay.artifact import Delta, Scalar
from assay.display.first import (
    Bar,
    Drawing,
    Entry,
    Mark,
    Measure,
    Phrase,
    beside,
    change,
    difference_entry,
    plain,
    span,
    strong,
    value_of,
    written,
)
from assay.display.numbers import DASH, excludes, held, unsaid
from assay.display.svg.canvas import nice
from assay.display.svg.marks import MOST_MARKS, Run, trend
from assay.display.wording import decimals
from assay.report.folder import Answers, Comparison, Reading, Unreadable, artifacts_in
from assay.report.folder import Entry as Listed
from assay.report.presenters import require_packages
from assay.showing import counted, inert

MARKS: dict[str | None, Mark] = {"better": "good", "worse": "bad", "differs": "fact"}
LEAST_RUNS = 2
"""a trend needs so many runs of one population"""
MOST_PAIRS = 2_000
Pairs = Mapping[tuple[Answers, Answers], Comparison]


@dataclass(frozen=True, slots=True)
class Row:
    """One run in the table."""

    number: int
    file: str
    name: str
    link: str
    family: str
    system: str
    date: str
    commit: str
    cells: tuple[Entry, ...]
    before: tuple[Entry | None, ...]
    """what it has more than the run before, by number; None: the first run"""
    population: str
    counts: str
    given: str
    options: str


@dataclass(frozen=True, slots=True)
class Listing:
    """All runs of one population."""

    name: str
    family: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    drawings: tuple[Drawing, ...]
    """by number; none of a single run"""


@dataclass(frozen=True, slots=True)
class Pair:
    """A paired comparison in the folder, by the numbers of its rows."""

    left: int
    right: int
    file: str
    link: str
    units: str
    title: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Index:
    """A folder."""

    folder: str
    n_files: int
    answer: tuple[Phrase, ...]
    seen: tuple[Phrase, ...]
    listings: tuple[Listing, ...]
    """populations with a trend"""
    others: tuple[Row, ...]
    """runs whose population has no other"""
    pairs: tuple[Pair, ...]
    unreadable: tuple[Unreadable, ...]

    @property
    def families(self) -> list[str]:
        """Name every family once."""
        return [*dict.fromkeys(row.family for row in self.rows)]

    @property
    def rows(self) -> list[Row]:
        """Return all runs."""
        return [*(row for listing in self.listings for row in listing.rows), *self.others]


def index_of(folder: Path, beside_page: str = "") -> Index:
    """Read a folder and lay it out; links lead from where the page will stand."""
    found = [*artifacts_in(folder)]
    entries = _runs([each for each in found if isinstance(each, Listed)])
    pairs = {(e.left, e.right): e for e in found if isinstance(e, Comparison)}
    populations: dict[str, list[Listed]] = {}
    for each in entries:
        populations.setdefault(each.population, []).append(each)
    ordered = sorted(populations.items(), key=lambda own: -len(own[1]))
    listings: list[Listing] = []
    others: list[Row] = []
    first = 0
    for name, own in ordered:
        runs = _newest_first(own)
        rows = tuple(_rows(runs, pairs, first, beside_page))
        first += len(rows)
        if len({each.file for each in runs}) < LEAST_RUNS:
            others += rows
            continue
        listings.append(_listing(name, runs, rows))
    by_number = [*(each for _, own in ordered for each in _newest_first(own))]
    answer, seen = _told(listings, [_newest_first(own) for _, own in ordered], pairs)
    return Index(
        folder.resolve().name or str(folder),
        len({each.file for each in found if isinstance(each, Listed)}),
        tuple(answer),
        tuple(seen),
        tuple(listings),
        tuple(sorted(others, key=lambda row: row.date, reverse=True)),
        tuple(_pairs(by_number, pairs, beside_page)),
        tuple(each for each in found if isinstance(each, Unreadable)),
    )


def _newest_first(runs: Sequence[Listed]) -> list[Listed]:
    return sorted(runs, key=lambda each: (each.made, each.file))[::-1]


def _runs(entries: Sequence[Listed]) -> list[Listed]:
    """Leave systems of comparisons out that have a file of their own, or were listed before."""
    seen: set[object] = {each.answers for each in entries if each.alone}
    kept = []
    for each in sorted(entries, key=lambda one: (one.made, one.file)):
        same = (each.answers, each.population, tuple(one.value for one in each.numbers))
        if each.alone or not {each.answers, same} & seen:
            kept.append(each)
            seen.add(same)
    return kept


def _chained(runs: Sequence[Listed]) -> bool:
    """Say whether files compare ever new systems, so that these are the runs themselves."""
    names = [each.system for each in runs if not each.alone]
    return len({*names}) == len(names) > 1


def _listing(name: str, runs: Sequence[Listed], rows: tuple[Row, ...]) -> Listing:
    heads = tuple(each.title for each in runs[0].numbers)
    drawings = (_drawing(runs, rows, number) for number in range(len(heads)))
    kept = tuple(each for each in drawings if each is not None)
    return Listing(name, runs[0].family, heads, rows, kept)


def _rows(runs: Sequence[Listed], pairs: Pairs, first: int, beside_page: str) -> Iterator[Row]:
    tops = [_top(place, runs) for place in range(len(runs[0].numbers))]
    steps = [(each, _step(runs, place, pairs)) for place, each in enumerate(runs)]
    reaches = [_reach(steps, place, pairs) for place in range(len(runs[0].numbers))]
    for place, (each, before) in enumerate(steps):
        yield Row(
            number=first + place,
            file=each.file,
            name=str(PurePosixPath(each.file).with_suffix("")),
            link=_link(each.file, beside_page),
            family=each.family,
            system=each.system,
            date=each.date or DASH,
            commit=each.commit or DASH,
            cells=tuple(_cell(own, top) for own, top in zip(each.numbers, tops, strict=False)),
            before=tuple(
                _before((before, each), own, pairs, reach)
                for own, reach in zip(each.numbers, reaches, strict=False)
            ),
            population=each.population,
            counts=each.counts,
            given=each.given,
            options=each.options,
        )


def _link(file: str, beside_page: str) -> str:
    """Return the address of a file; one with a colon is no scheme."""
    return f"./{quote(beside_page + file)}"


def _step(runs: Sequence[Listed], place: int, pairs: Pairs) -> Listed | None:
    """Return the run before: of the same name, that stands alone too, or that it is paired with."""
    own, older = runs[place], runs[place + 1 :]
    found = [each for each in older if each.file != own.file and each.system == own.system]
    if own.alone:
        found = [each for each in older if each.alone]
    elif not found and _chained(runs):
        found = [each for each in older if (each.answers, own.answers) in pairs]
    return next(iter(found), None)


Step = tuple[Listed | None, Listed]


def _reach(steps: Sequence[tuple[Listed, Listed | None]], place: int, pairs: Pairs) -> float:
    """Return how far the differences of a column go, so that all are on one scale."""
    found = [
        _difference(before, own, own.numbers[place], pairs)
        for own, before in steps
        if before is not None and place < len(own.numbers)
    ]
    ends = [
        abs(end)
        for each in found
        if each is not None and each.delta is not None
        for end in (*(held(each.delta, each.interval) or ()), each.delta)
    ]
    return nice(1.15 * max(ends, default=0.0) or 1.0)


def _before(step: Step, number: Reading, pairs: Pairs, reach: float) -> Entry | None:
    """Show a run minus the one before it, where the two were compared as a pair."""
    before, own = step
    if before is None:
        return None
    delta = _difference(before, own, number, pairs)
    if delta is None:
        return Entry(DASH, mark="apart", word="not paired")
    unlike = next(iter(unsaid(delta)), "")
    return difference_entry(delta, _measure(number), (-reach, reach), inert(unlike))


def _measure(number: Reading) -> Measure:
    return Measure(number.label, number.title, "", number.form)


def _difference(left: Listed, right: Listed, number: Reading, pairs: Pairs) -> Delta | None:
    """Return a paired difference of the folder, right minus left."""
    found = pairs.get((left.answers, right.answers))
    if found is None or left.answers == right.answers or number.label not in found.deltas:
        return None
    return _record(found.deltas[number.label])


def _record(delta: Any) -> Delta:
    return Delta(
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
        word_reason=delta.word_reason,
    )


def _top(place: int, entries: Sequence[Listed]) -> float:
    ends = [
        abs(end)
        for each in entries
        if place < len(each.numbers)
        for end in (*(each.numbers[place].interval or ()), each.numbers[place].value or 0.0)
    ]
    return nice(max(ends, default=1.0) or 1.0)


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


def _pairs(runs: Sequence[Listed], pairs: Pairs, beside_page: str) -> Iterator[Pair]:
    """Yield every comparison of two runs that are listed, for the tray."""
    numbers: dict[Answers, list[int]] = {}
    for number, each in enumerate(runs):
        numbers.setdefault(each.answers, []).append(number)
    made = 0
    for (left, right), held_by in pairs.items():
        for one, other in ((a, b) for a in numbers.get(left, ()) for b in numbers.get(right, ())):
            known = [each for each in runs[other].numbers if each.label in held_by.deltas]
            if left == right or not known or made >= MOST_PAIRS:
                continue
            made += 1
            entry = difference_entry(_record(held_by.deltas[known[0].label]), _measure(known[0]))
            link = _link(held_by.file, beside_page)
            yield Pair(one, other, held_by.file, link, held_by.units, known[0].title, entry)


def _told(
    listings: Sequence[Listing], runs: Sequence[Sequence[Listed]], pairs: Pairs
) -> tuple[list[Phrase], list[Phrase]]:
    """Say how the last run of the first population stands against the one before and the first."""
    if not listings:
        return [strong("No two runs"), plain(" are of one population: there is no trend.")], []
    own = next(each for each in runs if each[0].population == listings[0].name)
    last, before = own[0], _step(own, 0, pairs)
    if before is None or not last.numbers:
        return [strong(f"{counted(len(own), 'run')}"), plain(" of one population.")], []
    number = _comparable(before, last, pairs)
    against = dict.fromkeys((before, own[-1]))
    deltas = [(each, _difference(each, last, number, pairs)) for each in against]
    known = [(each, delta) for each, delta in deltas if delta is not None]
    name = _stem(last)
    if not known:
        shown = value_of(_scalar(number), number.form)
        ends = span(held(number.value, number.interval), number.form, 3) or "no interval"
        answer = [strong(f"{name}: {number.title} {shown}"), beside(f" ({ends}). ")]
        answer.append(strong("It was not compared as a pair", "apart"))
        answer.append(plain(f" with {_stem(before)}; their intervals decide nothing."))
        return answer, _runs_told(own)
    answer = [strong(f"{name}, {number.title}: ")]
    for place, (each, delta) in enumerate(known):
        shown, ends = change(delta, number.form)
        word = f"{delta.word} than" if delta.word in {"better", "worse"} else "cannot be told from"
        answer += [plain(", and " if place else ""), strong(word, MARKS.get(delta.word, "open"))]
        answer += [plain(f" {_stem(each)}, {shown}"), beside(f" ({ends or 'no interval'})")]
    return [*answer, plain(".")], _runs_told(own)


def _stem(run: Listed) -> str:
    return PurePosixPath(run.file).stem


def _comparable(left: Listed, right: Listed, pairs: Pairs) -> Reading:
    """Return the first number of a run that the rule of who is compared lets be judged here."""
    for number in right.numbers:
        delta = _difference(left, right, number, pairs)
        if delta is not None and (delta.word or not excludes(delta.interval, 0.0)):
            return number
    return right.numbers[0]


def _runs_told(runs: Sequence[Listed]) -> list[Phrase]:
    first, last = runs[-1], runs[0]
    ends = dict.fromkeys(each.date or "no date" for each in (first, last))
    when = f"from {' to '.join(ends)}" if len(ends) > 1 else next(iter(ends))
    return [
        plain(
            f"{counted(len(runs), 'run')} of one population ({last.population}), {when}. Marks"
            " compare with the run"
            " before, as a pair, not corrected for the number of steps."
        )
    ]


def _drawing(runs: Sequence[Listed], rows: Sequence[Row], number: int) -> Drawing | None:
    """Draw a number over the runs of one population, the oldest first."""
    drawn = []
    names, chained = Counter(each.system for each in runs), _chained(runs)
    usual = max(names, key=lambda name: names[name])
    for each, row in reversed([*zip(runs, rows, strict=True)]):
        if not each.alone and not chained and each.system != usual:
            continue  # one system of every file
        own = each.numbers[number] if number < len(each.numbers) else None
        if own is None or own.value is None:
            continue
        told = f"{own.title}: {written(own.value, own.form, 4)}"
        step = row.before[number]
        mark = step.mark if step is not None and step.mark in {"good", "bad"} else None
        drawn.append(
            Run(
                row.name,
                each.date,
                own.value,
                held(own.value, own.interval),
                f"{each.system}\n{told}",
                mark,
            )
        )
    if len(drawn) < LEAST_RUNS:
        return None
    own = runs[0].numbers[number]
    label = f"{own.title} of {len(drawn)} runs, from {drawn[0].date} to {drawn[-1].date}"
    wide, narrow = (
        trend(drawn, share=own.form != "number", label=label, wide=size) for size in (True, False)
    )
    note = "bars: intervals of each run; dashed: the first run"
    runs_ = counted(len(drawn), "run")
    over = runs_ if len(drawn) <= MOST_MARKS else f"the last {MOST_MARKS} of {runs_}"
    return Drawing(f"{own.title} over {over}", note, wide, narrow)


def index_page(folder: Path, place: Path | None = None) -> bytes:
    """Show a folder of artifacts as one page that needs nothing else."""
    require_packages()
    from assay.report.page import rendered_index  # noqa: PLC0415 - once it can be drawn

    return rendered_index(index_of(folder, _from(place, folder)))


def _from(place: Path | None, folder: Path) -> str:
    """Return how a page reaches the folder; nothing where the page stands in it."""
    if place is None:
        return ""
    with suppress(ValueError):  # another drive
        way = relpath(folder.resolve(), place.resolve().parent)
        return "" if way == "." else f"{Path(way).as_posix()}/"
    return ""
