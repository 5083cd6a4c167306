"""Several systems on the first screen: three against the first, many in order and in groups.

Everything that a script may swap is prepared here: places in the order of every column, and the
differences to every reference, which can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.artifact import Artifact, Board, Delta, Scalar
from assay.display.first import (
    WORDS,
    Drawing,
    Entry,
    First,
    Measure,
    Phrase,
    Remark,
    beside,
    column,
    difference_entry,
    entry,
    plain,
    span,
    strong,
    title,
    written,
)
from assay.display.numbers import DASH, excludes, held, read
from assay.display.svg.canvas import nice
from assay.display.wording import decimals, fixed
from assay.showing import counted, inert

SLOTS = 3
"""so many systems are coloured"""
MOST_NAMED, MOST_ALSO = 5, 5
MOST_SPACED = 8
"""systems below which there is room for remarks"""
ALONE = 2
"""of the systems that only the correction leaves untold, so many are named"""
Further = Measure | tuple[Measure, Sequence[Scalar]]
"""a column: a number of the board's own variant, or any other with its numbers"""


@dataclass(frozen=True, slots=True)
class Seat:
    """One system in its place."""

    place: int
    """of the system in the artifact"""
    rank: str
    name: str
    slot: int | None
    """its colour; None: grey"""
    own: Entry
    against: tuple[Entry | None, ...]
    """by reference; None: it is the reference itself"""
    more: tuple[Entry, ...]
    orders: tuple[int, ...]
    """its place when sorted by name, by rank, by the number, by each further column"""


@dataclass(frozen=True, slots=True)
class Heading:
    """A group with its words and its systems."""

    phrases: tuple[Phrase, ...]
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class League:
    """The whole table."""

    measure: Measure
    scale: str
    """the ends of the bars, in words"""
    more: tuple[Measure, ...]
    headings: tuple[Heading, ...]
    references: tuple[tuple[str, str], ...]
    """names, each with the scale of its differences"""
    chosen: int
    """the reference at first"""
    correction: str

    @property
    def crowded(self) -> bool:
        """Say whether it fills the screen, so that nothing else has room below it."""
        return sum(len(each.seats) for each in self.headings) > MOST_SPACED


@dataclass(frozen=True, slots=True)
class Field:
    """What a family says of many systems: names, the number they are ranked by, further columns."""

    artifact: Artifact[Any, Any, Any]
    names: Sequence[str]
    measure: Measure
    best: str
    """what the first one has, as in `the lowest risk`"""
    more: Sequence[tuple[Measure, Sequence[Scalar]]]
    unit: str
    """what is resampled"""
    own: Sequence[Scalar] = ()
    """the numbers that systems are ranked by"""

    @classmethod
    def of(
        cls,
        artifact: Artifact[Any, Any, Any],
        names: Sequence[str],
        measure: Measure,
        best: str,
        more: Iterable[Further],
    ) -> Field:
        """Take the numbers of the board; of further columns too, unless they come with them."""
        board = artifact.board
        if not isinstance(board, Board):
            msg = "the artifact has no board"
            raise TypeError(msg)
        numbers = [each.variants[board.variant].numbers for each in artifact.systems]
        columns = [
            (each, [own[each.label] for own in numbers]) if isinstance(each, Measure) else each
            for each in more
        ]
        own = [each[board.label] for each in numbers]
        return cls(artifact, names, measure, best, columns, inert(artifact.resampling.unit), own)

    @property
    def board(self) -> Board:
        """The order, the groups and all differences."""
        board = self.artifact.board
        assert isinstance(board, Board)  # noqa: S101 - `of` has looked
        return board

    @property
    def slots(self) -> dict[int, int]:
        """Return the systems that are coloured at first: leaders of groups, then the best."""
        leaders = [group.leader for group in self.board.groups]
        ordered = [*dict.fromkeys([*leaders, *self.board.order])]
        return {place: slot for slot, place in enumerate(ordered[:SLOTS])}

    @property
    def units(self) -> str:
        """How many units are resampled."""
        return counted(self.artifact.resampling.n_units, self.unit)

    def first(
        self,
        question: str,
        on: Iterable[str],
        drawing: Drawing,
        also: Iterable[Remark],
        lead: Sequence[Phrase] = (),
    ) -> First:
        """Lay out the first screen; what leads comes before the answer."""
        told = [*on]
        if self.artifact.resampling.n_resamples:
            told.append(f"p corrected for {len(self.names) - 1} comparisons (Holm)")
        return First(
            title=title(self.names),
            question=question,
            answer=(*lead, *ranked_answer(self)),
            seen=tuple(ranked_seen(self)),
            on=tuple(told),
            drawing=drawing,
            table=None,
            also=(*ranked_remarks(self), *also)[:MOST_ALSO],
            board=self.league(),
            told=("stands behind a system whose",),
        )

    def league(self) -> League:
        """Lay out the table."""
        board = self.board
        of, scale = column(self.measure, self.own)
        ends = [self._scale(number) for number in range(len(board.references))]
        orders = [*zip(*self._orders(), strict=True)]
        slots, rank = self.slots, {place: at for at, place in enumerate(board.order, 1)}

        def seat(place: int) -> Seat:
            return Seat(
                place,
                DASH if str(place) in board.unranked else str(rank[place]),
                self.names[place],
                slots.get(place),
                self._own(place, scale, slots.get(place)),
                tuple(self._against(n, place, ends[n]) for n in range(len(ends))),
                tuple(self._further(place)),
                orders[place],
            )

        return League(
            self.measure,
            f"{of.low} to {of.high}",
            tuple(each for each, _ in self.more),
            tuple(
                Heading(tuple(words), tuple(map(seat, members)))
                for words, members in self._headings()
            ),
            tuple(
                (self.names[one.system], _words(ends[n], self.measure))
                for n, one in enumerate(board.references)
            ),
            0,
            f"Holm over {len(self.names) - 1}",
        )

    def _own(self, place: int, scale: tuple[float, float], slot: int | None) -> Entry:
        return entry(self.own[place], self.measure, scale, slot, self._places)

    @property
    def _places(self) -> int:
        """Return the decimals of the column: those that the number in its middle deserves."""
        known = [place for place in self.board.order if self.own[place].value is not None]
        first = self.own[known[len(known) // 2] if known else self.board.order[0]]
        return decimals(first.value or 0.0, first.standard_error)

    def shown(self, place: int) -> str:
        """Write the number of a system as its column does."""
        return self._own(place, (0.0, 1.0), None).text

    def _further(self, place: int) -> Iterator[Entry]:
        for measure, numbers in self.more:
            number = numbers[place]
            places = 3 if measure.label else 0
            yield entry(number, measure, (0.0, 1.0), None, places)

    def _scale(self, number: int) -> tuple[float, float]:
        """Return the scale of all differences to a reference."""
        deltas = [each.delta for each in self.board.references[number].others]
        ends = [
            end
            for each in deltas
            if each.delta is not None
            for end in (*(held(each.delta, each.interval) or ()), each.delta)
        ]
        low, high = min((0.0, *ends)), max((0.0, *ends))
        room = 0.06 * (high - low) or 1.0
        return (-nice(room - low), nice(high + room))

    def _against(self, number: int, place: int, scale: tuple[float, float]) -> Entry | None:
        one = self.board.references[number]
        if one.system == place:
            return None
        delta = next(each.delta for each in one.others if each.system == place)
        shown = difference_entry(delta, self.measure, scale)
        shown = replace(shown, text=shown.text.removesuffix("\N{NO-BREAK SPACE}points"))
        lacking = [
            self.board.unranked[key]
            for n in (place, one.system)
            if (key := str(n)) in self.board.unranked
        ]
        if not lacking:
            return shown
        bar = None if shown.bar is None else replace(shown.bar, tone="apart")
        why = inert(lacking[0])
        return replace(shown, bar=bar, mark="apart", word=WORDS["apart"], note=why)

    def _orders(self) -> Iterator[list[int]]:
        """Yield the place of every system by name, by rank, by each column; -1 has no number."""
        every = range(len(self.names))
        by_name = sorted(every, key=lambda place: (self.names[place].casefold(), place))
        yield [by_name.index(place) for place in every]
        yield [self.board.order.index(place) for place in every]
        for numbers in (self.own, *(own for _, own in self.more)):
            values = [each.value for each in numbers]
            known = sorted({value for value in values if value is not None})
            yield [-1 if value is None else known.index(value) for value in values]

    def _headings(self) -> Iterator[tuple[list[Phrase], list[int]]]:
        board = self.board
        for number, group in enumerate(board.groups):
            leader = self.names[group.leader]
            told = [strong(f"Group {number + 1}"), plain(f", {_systems(len(group.members))}: ")]
            if number:
                before = self.names[board.groups[number - 1].leader]
                told.append(plain(f"worse than {before}; "))
            alone = len(group.members) == 1
            told.append(plain("alone" if alone else "cannot be told from "))
            told += [] if alone else [strong(leader)]
            told += [plain(f", {self.best}")] if not number and _best(self) else []
            yield told, group.members
        ranked = [place for place in board.order if str(place) not in board.unranked]
        if not board.groups and ranked:
            yield [strong("In order"), plain(", not compared: no resamples were asked for")], ranked
        reasons: dict[str, list[int]] = {}
        for place in board.order:
            if str(place) in board.unranked:
                reasons.setdefault(board.unranked[str(place)], []).append(place)
        for why, places in reasons.items():
            each = ", each" if len(places) > 1 else ""
            words = [strong("Not ranked"), plain(f", {_systems(len(places))}{each}: {inert(why)}")]
            yield words, places


def _systems(number: int) -> str:
    return counted(number, "system")


def _words(scale: tuple[float, float], measure: Measure) -> str:
    low, high = scale
    times = 1 if measure.form == "number" else 100
    unit = "" if measure.form == "number" else " points"
    shown = (f"{times * end:+.6g}".replace("-", "\N{MINUS SIGN}") for end in (low, high))
    return " to ".join(shown) + unit


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def ranked_answer(field: Field) -> list[Phrase]:
    """Say who is best, who cannot be told from it, and who is worse."""
    board, names = field.board, field.names
    ranked = [place for place in board.order if str(place) not in board.unranked]
    if not ranked:
        why = inert(next(iter(board.unranked.values()), "no system has a number"))
        return [strong("Nothing to compare:", "apart"), plain(f" {why}, for all {len(names)}.")]
    leader, others = names[ranked[0]], len(ranked) - 1
    number = field.own[ranked[0]]
    own = field.shown(ranked[0])
    ends = span(held(number.value, number.interval), field.measure.form, field._places)  # noqa: SLF001 - of this module
    sure = beside(f" ({own}; {ends})" if ends else f" ({own}, no interval)")
    of = "Of those ranked, " if board.unranked else ""
    has = f"has {field.best}" if _best(field) else f"comes first in {field.measure.title}"
    told = [strong(f"{of}{leader} {has}"), sure]
    if not others:
        return [*told, plain("; no other is ranked.")]
    if not board.groups:
        said = "; whether that is more than chance "
        return [*told, plain(said), strong("cannot be told", "open"), plain(" without resamples.")]
    alike = [names[place] for place in board.groups[0].members if place != ranked[0]]
    worse = others - len(alike)
    if not alike:
        which = {1: "the other one is", 2: "both others are"}.get(worse, f"all other {worse} are")
        return [*told, plain(f"; {which} "), strong("worse.", "bad")]
    if not worse:
        of = "the other one" if others == 1 else f"none of the other {others}"
        lead = [strong(f"Who has {field.best}"), plain(" "), strong("cannot be told:", "open")]
        tail = "can be told" if others > 1 else "cannot be told"
        return [*lead, plain(f" {of} {tail} from {leader}"), sure, plain(".")]
    count = f", but {len(alike)} of the other {others} "
    rest = " The other one is " if worse == 1 else f" The other {worse} are "
    return [
        *(*told, plain(count), strong("cannot be told from it:", "open")),
        *(plain(f" {_listed(alike)}.{rest}"), strong("worse.", "bad")),
    ]


def _best(field: Field) -> bool:
    """Say whether the first has the best number of those that are ranked."""
    board, sign = field.board, -1.0 if field.measure.better == "higher" else 1.0
    ranked = [place for place in board.order if str(place) not in board.unranked]
    numbers = [sign * (field.own[place].value or 0.0) for place in ranked]
    return min(numbers) == numbers[0]


def ranked_seen(field: Field) -> list[Phrase]:
    """Say what could have been seen."""
    found = field.board.detectable
    if found is None:
        return []
    places = decimals(found, found)
    shown = (
        fixed(found, places)
        if field.measure.form == "number"
        else f"{written(found, field.measure.form, 1)} points"
    )
    return [
        plain(
            f"With {field.units}, a difference of {shown} between two systems of the first group"
            " would have shown 8 times in 10."
        )
    ]


def ranked_remarks(field: Field) -> Iterator[Remark]:
    """Say how groups are to be read, and what only the correction leaves open."""
    board = field.board
    reasons: dict[str, list[str]] = {}
    for key, why in board.behind.items():
        reasons.setdefault(why, []).append(field.names[int(key)])
    for why, behind in reasons.items():
        words = f" come{'s' * (len(behind) == 1)} after one whose number is worse: {inert(why)}."
        yield Remark("apart", (strong(_listed(behind)), plain(words)))
    if len(board.groups) > 1 and any(len(each.members) > 1 for each in board.groups):
        words = " go by their leader: a member of one may still not be told from one of the next."
        yield Remark("fact", (strong("Groups"), plain(words)))
    if not board.groups:
        return
    lead = next(each for each in board.references if each.system == board.groups[0].leader)
    alone = [each for each in lead.others if _only_corrected(each.delta)]
    for each in alone[:ALONE]:
        delta = each.delta
        places = decimals(delta.delta or 0.0, delta.standard_error)
        ends = span(held(delta.delta, delta.interval), field.measure.form, places, signed=True)
        n = len(field.names) - 1
        words = f" alone would differ ({ends}); after correction for {n} comparisons it does not"
        p = "" if delta.p_holm is None else f" (p {delta.p_holm:.2g})"
        yield Remark("open", (strong(field.names[each.system]), plain(f"{words}{p}.")))


def _only_corrected(delta: Delta) -> bool:
    """Say whether an interval excludes 0 and the corrected test does not."""
    known = excludes(held(delta.delta, delta.interval), 0.0)
    doubt = delta.p_holm is not None and delta.p_holm > 0.05  # noqa: PLR2004 - as words are given
    return bool(known) and doubt and not read(delta)
