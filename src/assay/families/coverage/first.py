"""The first screen of intervals and sets: what is promised, what is kept, and where it is least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.artifact import Board, Scalar
from assay.display.blocks import Cell, Grid, Row
from assay.display.board import Field, minus_first
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
    difference_row,
    fewest,
    judged,
    levelled,
    people,
    plain,
    share_of,
    span,
    strong,
    table,
    title,
    value_of,
)
from assay.display.numbers import excludes, read
from assay.display.statement import held
from assay.display.svg.many import Row as Strip
from assay.display.svg.many import Value, lanes, values_grid
from assay.display.svg.rows import Forest, Lane, Reading, forest
from assay.display.wording import count, p_value
from assay.families.coverage.inputs import BROKEN_PROMISE
from assay.families.coverage.parts import kept
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.artifact import Artifact
    from assay.families.coverage.parts import CoverageTest, Stratum

__all__ = ["GROUPS", "MISSED", "Kind", "first", "rows_of"]

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
PERCENT = "\N{NO-BREAK SPACE}%"


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


def first(artifact: Artifact[Any, Any, Any], what: str, kinds: Sequence[Kind]) -> First:
    """Lay out the first screen, at the level that was named first."""
    names = people(artifact)
    if isinstance(artifact.board, Board):
        return _many(artifact, names, artifact.board, what)
    at = next(iter(artifact.systems[0].variants))
    shown = [
        (name, system.variants[at])
        for name, system in zip(names, artifact.systems, strict=True)
        if at in system.variants
    ]
    return First(
        title=title(names),
        question=f"Prediction {what}: {QUESTION}",
        answer=tuple(_answer(artifact, shown, at, kinds)),
        seen=tuple(_seen(artifact, shown, at, kinds)),
        on=tuple(_on(artifact, shown, at)),
        drawing=_drawing(shown, kinds),
        table=_table(artifact, shown, at),
        also=tuple(_also(artifact, shown, at, kinds))[:MOST_ALSO],
    )


def _many(
    artifact: Artifact[Any, Any, Any], names: Sequence[str], board: Board, what: str
) -> First:
    """Lay out many systems: those that keep what they promise, in the order of their size."""
    every = [system.variants[board.variant] for system in artifact.systems]
    word, unit, _ = SIZES[board.label]
    covered = Measure("", "covered", _promised(every[0]), "percent", "higher")
    more = [(covered, [_coverage(each.parts.coverage) for each in every])]
    more += [
        (
            Measure(label, *words, "percent" if "rate" in label else "number"),
            [each.numbers[label] for each in every],
        )
        for label, words in SCORES.items()
        if label in every[0].numbers
    ]
    measure = Measure(board.label, word, unit, "number", "lower")
    field = Field.of(artifact, names, measure, f"the smallest mean {word}", more)
    drawing = _many_drawn(field, [each.parts.coverage for each in every])
    shown_at = [(name, each) for name, each in zip(names, every, strict=True)]
    return field.first(
        f"Prediction {what}: {QUESTION}",
        _on(artifact, shown_at, board.variant),
        drawing,
        (),
        _keeping(board, names),
    )


def _many_drawn(field: Field, tests: Sequence[CoverageTest]) -> Drawing:
    """Draw the coverage of every system against the promise, in the order of the board."""
    rows = []
    for place in field.board.order:
        test, name = tests[place], field.names[place]
        tip = f"{name}: {100 * test.coverage:.1f}{PERCENT}"
        rows.append(Strip(name, (Value(place, test.coverage, test.interval, tip),)))
    nominal = tests[0].nominal
    lows = [end for row in rows for one in row.held for end in (*(one.ends or ()), one.value)]
    low = max(0.0, int(10 * min([*lows, nominal])) / 10)
    drawn = lanes(
        rows,
        field.slots,
        scale=(min(low, 0.9), 1.0),
        reference=nominal,
        axis="percent of truths that are covered",
        label=f"Coverage against the promise of {levelled(nominal)}, with intervals",
    )
    shown = [Strip(row.label, (replace(row.held[0], system=0),)) for row in rows]
    heading = "Kept, and promised"
    note = f"line: the promise of {levelled(nominal)}; bars: intervals"
    return Drawing(heading, note, "", drawn, values_grid(heading, shown, [(0, "covered")]))


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


def _promised(variant: Any) -> str:
    return f"promised: {levelled(variant.parts.coverage.nominal)}"


def _kept(test: CoverageTest, lead: str) -> list[Phrase]:
    """Say what is kept of a promise."""
    ends = span(test.interval, "percent", 1)
    sure = beside(f" ({ends})" if ends else " (no interval)")
    mark, word = _verdict(test)
    return [strong(share_of(test.coverage)), sure, plain(lead), strong(word, mark)]


def _verdict(test: CoverageTest) -> tuple[Mark, str]:
    side = kept(test)
    if side is None:
        return "open", f"cannot be told from {counted(test.n, 'row')}"
    return VERDICTS[side]


def _answer(
    artifact: Artifact[Any, Any, Any], shown: Sequence[Any], at: str, kinds: Sequence[Kind]
) -> list[Phrase]:
    if len(shown) == 1:
        name, variant = shown[0]
        test = variant.parts.coverage
        told = [strong(f"{name} promises {levelled(test.nominal)}"), plain(" and keeps ")]
        told += [*_kept(test, ": "), plain(". ")]
        least = _least(variant, kinds)
        if least is not None:
            place, stratum = least
            told += [
                strong(f"Least in {place}:"),
                plain(f" {share_of(stratum.coverage)} "),
            ]
            told.append(beside(f"({span(stratum.interval, 'percent', 1)})."))
        return told
    who = "Both promise" if len(shown) == PAIR else "All promise"
    told = [plain(f"{who} {levelled(shown[0][1].parts.coverage.nominal)}: ")]
    for number, (name, variant) in enumerate(shown[:3]):
        told += [strong(f"{'; ' if number else ''}{name} "), *_kept(variant.parts.coverage, ", ")]
    told.append(plain(". "))
    return [*told, *_sizes(artifact, shown, at)]


def _sizes(artifact: Artifact[Any, Any, Any], shown: Sequence[Any], at: str) -> list[Phrase]:
    """Compare sizes between systems that keep their promise, and between no others."""
    if len(shown) != PAIR or not artifact.pairs:
        return []
    label = next(each for each in SIZES if each in shown[0][1].numbers)
    word, smaller = SIZES[label][0], SIZES[label][2]
    if any(kept(variant.parts.coverage) in {-1, None} for _, variant in shown):
        return [strong(f"Their {word}s are not compared.", "apart")]
    delta = artifact.pairs[0].deltas.get(at, {}).get(label)
    if delta is None or read(delta) not in {"better", "worse"}:
        return [strong(f"Which is {smaller}"), plain(" "), strong("cannot be told.", "open")]
    new = shown[1][0]
    shown_as, ends = change(delta, "number")
    # Without a difference one side is infinite, and the word says which.
    less = read(delta) == "better" if delta.delta is None else delta.delta < 0
    side = smaller if less else smaller.replace("narrow", "wid").replace("small", "larg")
    return [
        strong(f"{new} is {side},"),
        plain(" "),
        strong(shown_as, judged(delta)),
        beside(f" ({ends})." if ends else ": one side is infinite."),
    ]


def _least(variant: Any, kinds: Sequence[Kind]) -> tuple[str, Any] | None:
    """Return the part whose coverage lies below the promise, if one can be told to."""
    for kind in (GROUPS, *kinds):
        least = getattr(variant.parts, kind.least)
        if least is None:
            continue
        if excludes(held(least.coverage, least.interval), variant.parts.coverage.nominal) < 0:
            return kind.called.format(inert(least.name)), least
    return None


def _seen(
    artifact: Artifact[Any, Any, Any], shown: Sequence[Any], at: str, kinds: Sequence[Kind]
) -> list[Phrase]:
    label = next((each for each in SIZES if each in shown[0][1].numbers), None)
    found = artifact.pairs[0].deltas.get(at, {}) if len(shown) == PAIR and artifact.pairs else {}
    delta = found.get(label or "")
    broken = [name for name, variant in shown if kept(variant.parts.coverage) in {-1, None}]
    if broken and len(shown) > 1:
        does = "do not keep" if len(broken) > 1 else "does not keep"
        known = all(kept(variant.parts.coverage) is not None for _, variant in shown)
        does = does if known else f"{'are' if len(broken) > 1 else 'is'} not known to keep"
        told = f"{' and '.join(broken)} {does} what is promised, and whoever keeps less is"
        return [plain(f"{told} {SIZES[label][2] if label else 'smaller'} for it.")]
    if delta is not None and delta.delta is not None and label is not None:
        word, names = SIZES[label][0], [name for name, _ in shown]
        if read(delta):
            own = [of.numbers[label] for _, of in shown]
            left, right = (value_of(each, "number", fewest(own)) for each in own)
            return [plain(f"The mean {word} is {left} with {names[0]}, {right} with {names[1]}.")]
        shown_as, ends = change(delta, "number")
        none = inert(f"no interval: {delta.interval_reason}")
        told = f"{names[1]}’s mean {word} differs by {shown_as} ({ends or none})"
        why = blamed(delta, names, "lower")
        told += f", but {why}." if why else "."
        if delta.detectable is not None and not why:
            told += f" A difference of {delta.detectable:.3g} would have shown 8 times in 10."
        return [plain(told)]
    test = shown[0][1].parts.coverage
    told = f"{count(test.n_covered)} of {counted(test.n, 'row')} are covered"
    if test.p_value is not None:
        told += f" (p {p_value(test.p_value)} of the promise being kept, {test.test})"
    if len(shown) > 1:
        return [plain(f"{told} by {shown[0][0]}.")]
    where = ""
    if _least(shown[0][1], kinds) is None:
        parts = (kind.what for kind in (GROUPS, *kinds) if getattr(shown[0][1].parts, kind.least))
        what = " or ".join(parts)
        where = f" No part by {what} is clearly below the promise." if what else ""
    return [plain(f"{told}.{where}")]


def _on(artifact: Artifact[Any, Any, Any], shown: Sequence[Any], at: str) -> Iterator[str]:
    plan, test = artifact.resampling, shown[0][1].parts.coverage
    rows = counted(shown[0][1].n_rows, "row")
    yield rows if plan.unit == "row" else f"{rows} of {counted(plan.n_units, inert(plan.unit))}"
    several = len(artifact.systems[0].variants)
    yield f"level {inert(at)}" + (f", the first of {several}" if several > 1 else "")
    method = test.method.replace("clopper-pearson", "Clopper-Pearson")
    yield f"coverage: {method} intervals, {test.test} test"
    if plan.n_resamples:
        yield f"{levelled(plan.level)} intervals, {inert(plan.unit)}s resampled"


def _coverage(test: CoverageTest) -> Scalar:
    """Return coverage as a number like others, with the interval of its test."""
    return count_number(test.coverage, test.interval, test.interval_reason)


def _table(artifact: Artifact[Any, Any, Any], shown: Sequence[Any], at: str) -> Table:
    numbers = shown[0][1].numbers
    promise = _promised(shown[0][1])
    label = next((each for each in COVERAGES if each in numbers), COVERAGES[0])
    measures = [Measure(label, "covered", promise, "percent", None, (0.0, 1.0))]
    measures += [
        Measure(each, words[0], words[1], "number", "lower")
        for each, words in SIZES.items()
        if each in numbers
    ]
    measures += [
        Measure(
            each,
            *words,
            "percent" if "rate" in each else "number",
            None if "rate" in each else "lower",
        )
        for each, words in SCORES.items()
        if each in numbers
    ]
    rows = [
        (
            name,
            _counts(variant, artifact.inputs[0].counts.get("n_unscored", 0)),
            [_coverage(variant.parts.coverage), *(variant.numbers[m.label] for m in measures[1:])],
        )
        for name, variant in shown
    ]
    difference = None
    broken = any(kept(variant.parts.coverage) in {-1, None} for _, variant in shown)
    unlike = dict.fromkeys(SIZES, UNLIKE) if broken else {}
    if len(shown) == PAIR and artifact.pairs:
        found = artifact.pairs[0].deltas.get(at, {})
        note = f"same {counted(artifact.resampling.n_units, inert(artifact.resampling.unit))}"
        deltas = [found.get(each.label) for each in measures]
        difference = difference_row((shown[0][0], shown[1][0]), note, deltas, measures, unlike)
    of = table("system", measures, rows, difference)
    return minus_first(of, measures, artifact, at, lambda _: unlike)


def _counts(variant: Any, n_unscored: int) -> tuple[tuple[Phrase, ...], ...]:
    test = variant.parts.coverage
    lost = f", {count(n_unscored)} unscored" if n_unscored else ""
    return ((plain(f"{count(test.n_covered)} of {counted(test.n, 'row')} covered{lost}"),),)


def _also(
    artifact: Artifact[Any, Any, Any], shown: Sequence[Any], at: str, kinds: Sequence[Kind]
) -> Iterator[Remark]:
    if len(shown) > 1:
        yield from _least_covered(shown, kinds)
    found = artifact.pairs[0].deltas.get(at, {}) if len(shown) == PAIR and artifact.pairs else {}
    score = found.get("winkler")
    if score is not None and score.delta is not None:
        shown_as, ends = change(score, "number")
        mark = judged(score)
        said = {
            "good": f"{shown[1][0]}’s Winkler score is better:",
            "bad": f"{shown[1][0]}’s Winkler score is worse:",
        }.get(mark, "Winkler scores cannot be told apart:")
        yield Remark(mark, (strong(said), plain(f" {shown_as} "), beside(f"({ends}).")))
    tests = [(name, variant.parts.coverage) for name, variant in shown]
    ps = [f"{name} {p_value(each.p_value)}" for name, each in tests if each.p_value is not None]
    if ps and len(shown) > 1:
        told = f" p {', '.join(ps)} ({tests[0][1].test})."
        yield Remark("fact", (strong("Tests of the promise:"), plain(told)))
    if len(shown) == PAIR and artifact.pairs:
        names = [name for name, _ in shown]
        yield from what_changed(artifact, names, MISSED)
    others = [each for each in artifact.systems[0].variants if each != at]
    if others:
        listed = ", ".join(map(inert, others[:5]))
        yield Remark("fact", (strong("Other levels:"), plain(f" {listed}.")), ("table", "numbers"))


def _least_covered(shown: Sequence[Any], kinds: Sequence[Kind]) -> Iterator[Remark]:
    for name, variant in shown:
        least = _least(variant, kinds)
        if least is not None:
            place, stratum = least
            ends = span(stratum.interval, "percent", 1)
            words = (
                plain(f" {share_of(stratum.coverage)} "),
                beside(f"({ends}),"),
                plain(
                    f" {counted(stratum.n, 'row')}, against a promise of"
                    f" {levelled(variant.parts.coverage.nominal)}."
                ),
            )
            yield Remark("bad", (strong(f"{name} covers least in {place}:"), *words))


def _drawing(shown: Sequence[Any], kinds: Sequence[Kind]) -> Drawing:
    lanes = [
        lane
        for shape, (name, of) in enumerate(shown[:3])
        for lane in _lanes(shape, name, of, kinds, MOST_STRATA - len(shown[:3]))
    ]
    nominal = shown[0][1].parts.coverage.nominal
    lows = [end for lane in lanes for one in lane.held for end in (*(one.ends or ()), one.value)]
    low = max(0.0, int(10 * min([*lows, nominal])) / 10)
    told = Forest(
        lanes,
        (min(low, 0.9), 1.0),
        "share of truths that are covered",
        reference=nominal,
        sides=("too few", "more than promised"),
    )
    label = f"Coverage against the promise of {levelled(nominal)}, with intervals"
    wide, narrow = (forest(told, label=label, wide=size) for size in (True, False))
    note = f"line: the promise of {levelled(nominal)}; bars: intervals"
    return Drawing("Kept, and promised", note, wide, narrow, _grid(lanes))


def _lanes(shape: int, name: str, variant: Any, kinds: Sequence[Kind], most: int) -> Iterator[Lane]:
    test = variant.parts.coverage
    yield Lane(name, head=shape, note=_verdict(test)[1], ruled=shape > 0)
    tip = f"coverage: {test.coverage:.4g}\nrows: {test.n}"
    go = query(system=name, answer="wrong")
    whole = Reading(test.coverage, test.interval, shape, tip=tip, go=go)
    yield Lane("all rows", (whole,), strong=True)
    for kind in (GROUPS, *kinds):
        strata = [each for each in getattr(variant.parts, kind.strata) if each.coverage is not None]
        for each in sorted(strata, key=lambda one: one.coverage)[:most]:
            tip = f"coverage: {each.coverage:.4g}\nrows: {each.n}"
            go = query(system=name, answer="wrong", **rows_of(kind.strata, each))
            drawn = Reading(each.coverage, each.interval, shape, reported=False, tip=tip, go=go)
            yield Lane(f"{kind.called.format(inert(each.name))}, n {each.n}", (drawn,))
        if strata:
            return


def _grid(lanes: Sequence[Lane]) -> Grid:
    rows = []
    for lane in lanes:
        cells = tuple(
            Cell(share_of(each.value), span(each.ends, "percent", 1)) for each in lane.held
        )
        rows.append(Row(lane.label, cells, indented=bool(cells)))
    return Grid("Kept, and promised", "part", ("covered",), tuple(rows))
