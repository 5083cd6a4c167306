"""The first screen of intervals and sets: what is promised, what is kept, and where it is least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.artifact import Board, Scalar
from assay.display.board import Field, Further
from assay.display.changes import Look, query, what_changed
from assay.display.first import (
    Drawing,
    First,
    Mark,
    Measure,
    Phrase,
    Remark,
    Table,
    beside,
    blamed,
    change,
    count_number,
    fewest,
    judged,
    levelled,
    people,
    plain,
    share_of,
    span,
    strong,
    title,
    value_of,
)
from assay.display.numbers import excludes, held, read
from assay.display.screen import (
    PERCENT,
    intervals_on,
    lanes_grid,
    pictured,
    systems_table,
    units_of,
)
from assay.display.svg.many import Row as Strip
from assay.display.svg.many import Value, lanes, values_grid
from assay.display.svg.rows import Forest, Lane, Reading, forest
from assay.display.wording import count, p_value
from assay.families.coverage.inputs import BROKEN_PROMISE
from assay.families.coverage.parts import kept
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.artifact import Artifact, Delta
    from assay.families.coverage.parts import CoverageTest, Stratum

QUESTION = "do they cover what they claim?"
SIZES = {
    "interval_width": ("width", "mean of the intervals", "narrower"),
    "set_size": ("size", "mean of the sets", "smaller"),
}
SCORES = {
    "winkler": ("Winkler score", "width and misses"),
    "singleton_rate": ("sets of one", "share of the sets"),
}
COVERAGES = ("interval_coverage", "set_coverage")
VERDICTS: dict[int, tuple[Mark, str]] = {
    -1: ("bad", "too low"),
    0: ("good", "keeps what it promises"),
    1: ("fact", "more than promised"),
}
MOST_STRATA = 7
"""parts of one system that are drawn, and one more; of several systems fewer each"""
MOST_ALSO = 5
MISSED = Look(states={"right": "covered", "wrong": "missed"})
PAIR = 2
UNLIKE = "one is not known to keep its promise"
HEADING = "Kept, and promised"


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to tell strata apart: what it is called, and where its strata stand in the parts."""

    what: str
    strata: str
    least: str
    called: str
    """one of its strata in a sentence"""
    sized: bool = False
    """whether it is shown from where to where sizes reach"""


GROUPS = Kind("group", "groups", "least_group", "group {}")


def rows_of(strata: str, stratum: Stratum) -> dict[str, str | float | None]:
    """Return the filters that leave the rows of a part: its group, its sizes, or its class."""
    if strata == GROUPS.strata:
        return {"group": stratum.name}
    if strata == "sizes":
        return {"from": stratum.size_low, "to": stratum.size_high}
    return {"truth": stratum.name}


@dataclass(frozen=True, slots=True)
class _Seen:
    """An artifact at the level that was named first."""

    artifact: Artifact[Any, Any, Any]
    at: str
    shown: Sequence[tuple[str, Any]]
    """names, and what the systems have at the level"""
    kinds: Sequence[Kind] = ()

    @classmethod
    def of(cls, artifact: Artifact[Any, Any, Any], at: str, kinds: Sequence[Kind] = ()) -> _Seen:
        """Choose the systems that have the level."""
        named = zip(people(artifact), artifact.systems, strict=True)
        shown = [(name, each.variants[at]) for name, each in named if at in each.variants]
        return cls(artifact, at, shown, (GROUPS, *kinds))

    @property
    def names(self) -> list[str]:
        """What the systems are called."""
        return [name for name, _ in self.shown]

    @property
    def tests(self) -> list[CoverageTest]:
        """Their coverage against the promise."""
        return [variant.parts.coverage for _, variant in self.shown]

    @property
    def promise(self) -> str:
        """What is promised."""
        return levelled(self.tests[0].nominal)

    @property
    def paired(self) -> bool:
        """Whether there are two systems, which are compared."""
        return len(self.shown) == PAIR and bool(self.artifact.pairs)

    @property
    def deltas(self) -> Mapping[str, Delta]:
        """The differences of two systems."""
        return self.artifact.pairs[0].deltas.get(self.at, {}) if self.paired else {}

    @property
    def size(self) -> str | None:
        """The number that says how large the claims are."""
        return next((each for each in SIZES if each in self.shown[0][1].numbers), None)

    @property
    def broken(self) -> list[str]:
        """Who does not keep the promise, or is not known to."""
        return [n for n, own in zip(self.names, self.tests, strict=True) if kept(own) in {-1, None}]


def first(artifact: Artifact[Any, Any, Any], what: str, kinds: Sequence[Kind]) -> First:
    """Lay out the first screen, at the level that was named first."""
    question = f"Prediction {what}: {QUESTION}"
    if isinstance(artifact.board, Board):
        return _many(_Seen.of(artifact, artifact.board.variant), artifact.board, question)
    seen = _Seen.of(artifact, next(iter(artifact.systems[0].variants)), kinds)
    return First(
        title=title(people(artifact)),
        question=question,
        answer=tuple(_answer(seen)),
        seen=tuple(_told(seen)),
        on=tuple(_on(seen)),
        drawing=_drawing(seen),
        table=_table(seen),
        also=tuple(_also(seen))[:MOST_ALSO],
    )


def _many(seen: _Seen, board: Board, question: str) -> First:
    """Lay out many systems: those that keep what they promise, in the order of their size."""
    numbers = seen.shown[0][1].numbers
    word, unit, _ = SIZES[board.label]
    covered = Measure("", "covered", f"promised: {seen.promise}", "percent", "higher")
    more: list[Further] = [
        (covered, [*map(_coverage, seen.tests)]),
        *(
            Measure(label, *words, "percent" if "rate" in label else "number")
            for label, words in SCORES.items()
            if label in numbers
        ),
    ]
    measure = Measure(board.label, word, unit, "number", "lower")
    field = Field.of(seen.artifact, seen.names, measure, f"the smallest mean {word}", more)
    drawing = _many_drawn(field, seen)
    return field.first(question, _on(seen), drawing, (), _keeping(board, seen.names))


def _many_drawn(field: Field, seen: _Seen) -> Drawing:
    """Draw the coverage of every system against the promise, in the order of the board."""
    nominal = seen.tests[0].nominal
    rows = []
    for place in field.board.order:
        test, name = seen.tests[place], field.names[place]
        tip = f"{name}: {100 * test.coverage:.1f}{PERCENT}"
        rows.append(Strip(name, (Value(place, test.coverage, test.interval, tip),)))
    drawn = lanes(
        rows,
        field.slots,
        scale=_scale((one for row in rows for one in row.held), nominal),
        reference=nominal,
        axis="percent of truths that are covered",
        label=f"Coverage against the promise of {seen.promise}, with intervals",
    )
    shown = [Strip(row.label, (replace(row.held[0], system=0),)) for row in rows]
    note = f"line: the promise of {seen.promise}; bars: intervals"
    return Drawing(HEADING, note, "", drawn, values_grid(HEADING, shown, [(0, "covered")]))


def _scale(drawn: Iterable[Value | Reading], nominal: float) -> tuple[float, float]:
    """Return the ends of an axis that holds coverages, their intervals and the promise."""
    lows = [end for one in drawn for end in (*(one.ends or ()), one.value)]
    low = max(0.0, int(10 * min([*lows, nominal])) / 10)
    return min(low, 0.9), 1.0


def _keeping(board: Board, names: Sequence[str]) -> list[Phrase]:
    """Say how many keep what they promise: only these are put in order."""
    n, why = len(names), [*board.unranked.values()]
    if not why:
        return [strong(f"All {n} keep what they promise.", "good"), plain(" ")]
    broken = why.count(BROKEN_PROMISE)
    unknown = len(why) - broken
    told = [strong(f"{broken} of {n} cover less than they promise.", "bad"), plain(" ")]
    if broken == 1:
        told[0] = strong(f"1 of {n} covers less than it promises.", "bad")
    if unknown:
        open_ = strong(f"Whether {unknown} of {n} keep what they promise cannot be told.", "open")
        told = [*told * bool(broken), open_, plain(" ")]
    return told


def _kept(test: CoverageTest, lead: str) -> list[Phrase]:
    """Say what is kept of a promise."""
    ends = span(held(test.coverage, test.interval), "percent", 1)
    sure = beside(f" ({ends})" if ends else " (no interval)")
    mark, word = _verdict(test)
    return [strong(share_of(test.coverage)), sure, plain(lead), strong(word, mark)]


def _verdict(test: CoverageTest) -> tuple[Mark, str]:
    side = kept(test)
    if side is None:
        return "open", f"cannot be told from {counted(test.n, 'row')}"
    return VERDICTS[side]


def _answer(seen: _Seen) -> list[Phrase]:
    if len(seen.shown) == 1:
        name, variant = seen.shown[0]
        told = [strong(f"{name} promises {seen.promise}"), plain(" and keeps ")]
        told += [*_kept(seen.tests[0], ": "), plain(". ")]
        least = _least(variant, seen.kinds)
        if least is not None:
            place, stratum = least
            told += [strong(f"Least in {place}:"), plain(f" {share_of(stratum.coverage)} ")]
            told.append(beside(f"({span(stratum.interval, 'percent', 1)})."))
        return told
    who = "Both promise" if len(seen.shown) == PAIR else "All promise"
    told = [plain(f"{who} {seen.promise}: ")]
    for number, (name, test) in enumerate([*zip(seen.names, seen.tests, strict=True)][:3]):
        told += [strong(f"{'; ' if number else ''}{name} "), *_kept(test, ", ")]
    told.append(plain(". "))
    return [*told, *_sizes(seen)]


def _sizes(seen: _Seen) -> list[Phrase]:
    """Compare sizes between systems that keep their promise, and between no others."""
    if not seen.paired or seen.size is None:
        return []
    word, _, smaller = SIZES[seen.size]
    if seen.broken:
        return [strong(f"Their {word}s are not compared.", "apart")]
    delta = seen.deltas.get(seen.size)
    if delta is None or read(delta) not in {"better", "worse"}:
        return [strong(f"Which is {smaller}"), plain(" "), strong("cannot be told.", "open")]
    shown_as, ends = change(delta, "number")
    # Without a difference one side is infinite, and the word says which.
    less = read(delta) == "better" if delta.delta is None else delta.delta < 0
    side = smaller if less else smaller.replace("narrow", "wid").replace("small", "larg")
    return [
        strong(f"{seen.names[1]} is {side},"),
        plain(" "),
        strong(shown_as, judged(delta)),
        beside(f" ({ends})." if ends else ": one side is infinite."),
    ]


def _least(variant: Any, kinds: Sequence[Kind]) -> tuple[str, Any] | None:
    """Return the part whose coverage lies below the promise, if one can be told to."""
    for kind in kinds:
        least = getattr(variant.parts, kind.least)
        if least is None:
            continue
        if excludes(held(least.coverage, least.interval), variant.parts.coverage.nominal) < 0:
            return kind.called.format(inert(least.name)), least
    return None


def _told(seen: _Seen) -> list[Phrase]:
    """Say what stands behind the answer: who keeps less, how far sizes differ, or what counts."""
    names, label = seen.names, seen.size
    if seen.broken and len(names) > 1:
        does = "do not keep" if len(seen.broken) > 1 else "does not keep"
        known = all(kept(test) is not None for test in seen.tests)
        does = does if known else f"{'are' if len(seen.broken) > 1 else 'is'} not known to keep"
        told = f"{' and '.join(seen.broken)} {does} what is promised, and whoever keeps less is"
        return [plain(f"{told} {SIZES[label][2] if label else 'smaller'} for it.")]
    delta = seen.deltas.get(label or "")
    if delta is not None and delta.delta is not None and label is not None:
        return [plain(_compared(seen, label, delta))]
    test = seen.tests[0]
    told = f"{count(test.n_covered)} of {counted(test.n, 'row')} are covered"
    if test.p_value is not None:
        told += f" (p {p_value(test.p_value)} of the promise being kept, {test.test})"
    if len(names) > 1:
        return [plain(f"{told} by {names[0]}.")]
    where, own = "", seen.shown[0][1]
    if _least(own, seen.kinds) is None:
        what = " or ".join(kind.what for kind in seen.kinds if getattr(own.parts, kind.least))
        where = f" No part by {what} is clearly below the promise." if what else ""
    return [plain(f"{told}.{where}")]


def _compared(seen: _Seen, label: str, delta: Delta) -> str:
    """Say how far two sizes differ, or are, where the answer has said it."""
    word, names = SIZES[label][0], seen.names
    if read(delta):
        own = [variant.numbers[label] for _, variant in seen.shown]
        left, right = (value_of(each, "number", fewest(own)) for each in own)
        return f"The mean {word} is {left} with {names[0]}, {right} with {names[1]}."
    shown_as, ends = change(delta, "number")
    none = inert(f"no interval: {delta.interval_reason}")
    told = f"{names[1]}’s mean {word} differs by {shown_as} ({ends or none})"
    why = blamed(delta, names, "lower")
    if why:
        return f"{told}, but {why}."
    if delta.detectable is None:
        return f"{told}."
    return f"{told}. A difference of {delta.detectable:.3g} would have shown 8 times in 10."


def _on(seen: _Seen) -> Iterator[str]:
    plan, test = seen.artifact.resampling, seen.tests[0]
    rows = counted(seen.shown[0][1].n_rows, "row")
    yield rows if plan.unit == "row" else f"{rows} of {units_of(seen.artifact)}"
    several = len(seen.artifact.systems[0].variants)
    yield f"level {inert(seen.at)}" + (f", the first of {several}" if several > 1 else "")
    method = test.method.replace("clopper-pearson", "Clopper-Pearson")
    yield f"coverage: {method} intervals, {test.test} test"
    if plan.n_resamples:
        yield intervals_on(seen.artifact)


def _coverage(test: CoverageTest) -> Scalar:
    """Return coverage as a number like others, with the interval of its test."""
    return count_number(test.coverage, test.interval, test.interval_reason)


def _measures(seen: _Seen) -> Iterator[Measure]:
    numbers = seen.shown[0][1].numbers
    label = next((each for each in COVERAGES if each in numbers), COVERAGES[0])
    yield Measure(label, "covered", f"promised: {seen.promise}", "percent", None, (0.0, 1.0))
    for each, words in SIZES.items():
        if each in numbers:
            yield Measure(each, words[0], words[1], "number", "lower")
    for each, own in SCORES.items():
        if each in numbers:
            rate = "rate" in each
            yield Measure(each, *own, "percent" if rate else "number", None if rate else "lower")


def _table(seen: _Seen) -> Table:
    artifact, measures = seen.artifact, [*_measures(seen)]
    lost = artifact.inputs[0].counts.get("n_unscored", 0)
    rows = [
        (
            name,
            _counts(test, lost),
            [_coverage(test), *(variant.numbers[m.label] for m in measures[1:])],
        )
        for (name, variant), test in zip(seen.shown, seen.tests, strict=True)
    ]
    unlike = dict.fromkeys(SIZES, UNLIKE) if seen.broken else {}
    pair = (seen.deltas, f"same {units_of(artifact)}") if seen.paired else None
    return systems_table(artifact, measures, rows, pair, seen.at, lambda _: unlike)


def _counts(test: CoverageTest, n_unscored: int) -> tuple[tuple[Phrase, ...], ...]:
    lost = f", {count(n_unscored)} unscored" if n_unscored else ""
    return ((plain(f"{count(test.n_covered)} of {counted(test.n, 'row')} covered{lost}"),),)


def _also(seen: _Seen) -> Iterator[Remark]:
    if len(seen.shown) > 1:
        yield from _least_covered(seen)
    score = seen.deltas.get("winkler")
    if score is not None and score.delta is not None:
        shown_as, ends = change(score, "number")
        mark = judged(score)
        said = {
            "good": f"{seen.names[1]}’s Winkler score is better:",
            "bad": f"{seen.names[1]}’s Winkler score is worse:",
        }.get(mark, "Winkler scores cannot be told apart:")
        yield Remark(
            mark, (strong(said), plain(f" {shown_as} "), beside(f"({ends or 'no interval'})."))
        )
    tests = [*zip(seen.names, seen.tests, strict=True)]
    ps = [f"{name} {p_value(each.p_value)}" for name, each in tests if each.p_value is not None]
    if ps and len(tests) > 1:
        told = f" p {', '.join(ps)} ({tests[0][1].test})."
        yield Remark("fact", (strong("Tests of the promise:"), plain(told)))
    if seen.paired:
        yield from what_changed(seen.artifact, seen.names, MISSED)
    others = [each for each in seen.artifact.systems[0].variants if each != seen.at]
    if others:
        listed = ", ".join(map(inert, others[:5]))
        yield Remark("fact", (strong("Other levels:"), plain(f" {listed}.")), ("table", "numbers"))


def _least_covered(seen: _Seen) -> Iterator[Remark]:
    for name, variant in seen.shown:
        least = _least(variant, seen.kinds)
        if least is not None:
            place, stratum = least
            ends = span(stratum.interval, "percent", 1)
            rows = f" {counted(stratum.n, 'row')}, against a promise of {seen.promise}."
            words = (plain(f" {share_of(stratum.coverage)} "), beside(f"({ends}),"), plain(rows))
            yield Remark("bad", (strong(f"{name} covers least in {place}:"), *words))


def _drawing(seen: _Seen) -> Drawing:
    shown = seen.shown[:3]
    drawn = [
        lane
        for shape, (name, of) in enumerate(shown)
        for lane in _lanes(shape, name, of, seen.kinds, MOST_STRATA - len(shown))
    ]
    nominal = seen.tests[0].nominal
    told = Forest(
        drawn,
        _scale((one for lane in drawn for one in lane.held), nominal),
        "share of truths that are covered",
        reference=nominal,
        sides=("too few", "more than promised"),
    )
    label = f"Coverage against the promise of {seen.promise}, with intervals"
    note = f"line: the promise of {seen.promise}; bars: intervals"
    grid = lanes_grid(HEADING, ("part", "covered"), drawn, "percent")
    return pictured(partial(forest, told, label=label), HEADING, note, grid)


def _lanes(shape: int, name: str, variant: Any, kinds: Sequence[Kind], most: int) -> Iterator[Lane]:
    def reading(of: CoverageTest | Stratum, *, reported: bool, **rows: Any) -> tuple[Reading]:
        tip = f"coverage: {of.coverage:.4g}\nrows: {of.n}"
        go = query(system=name, answer="wrong", **rows)
        share = of.coverage or 0.0
        return (Reading(share, of.interval, shape, reported=reported, tip=tip, go=go),)

    test = variant.parts.coverage
    yield Lane(name, head=shape, note=_verdict(test)[1], ruled=shape > 0)
    yield Lane("all rows", reading(test, reported=True), strong=True)
    for kind in kinds:
        strata = [each for each in getattr(variant.parts, kind.strata) if each.coverage is not None]
        for each in sorted(strata, key=lambda one: one.coverage)[:most]:
            drawn = reading(each, reported=False, **rows_of(kind.strata, each))
            yield Lane(f"{kind.called.format(inert(each.name))}, n {each.n}", drawn)
        if strata:
            return
