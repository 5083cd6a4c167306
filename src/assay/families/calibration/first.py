"""The first screen of a calibration evaluation: how far off stated confidence is, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from assay.artifact import Board, Scalar
from assay.display.blocks import Cell, Grid, Row
from assay.display.board import Field, Further
from assay.display.changes import query, what_changed
from assay.display.first import (
    Drawing,
    First,
    Mark,
    Measure,
    Phrase,
    Remark,
    Table,
    around,
    beside,
    blamed,
    change,
    changed,
    count_number,
    people,
    plain,
    share_of,
    span,
    strong,
    title,
    value_of,
    written,
)
from assay.display.numbers import excludes, held, read
from assay.display.screen import (
    all_against_first,
    intervals_on,
    pictured,
    systems_table,
    units_of,
    would_show,
)
from assay.display.svg.many import Value, many_bins
from assay.display.svg.reliability import Bin, reliability
from assay.display.wording import count, decimals, fixed, p_value
from assay.families.calibration.parts import CalibrationArtifact, Forecaster, ReliabilityBin, only
from assay.showing import counted, inert

QUESTION = "Calibration: do stated probabilities come true?"
GAPS = ("debiased_ece", "ece")
OFFSET, BRIER = "cumulative_difference", "brier"
TESTS = {"spiegelhalter_two_sided_p_value": "Spiegelhalter", "kuiper_p_value": "Kuiper"}
ENOUGH = 20
"""rows of a bin that is worth a sentence"""
CERTAIN = 0.995
SURE: dict[int, tuple[Mark, str]] = {
    -1: ("bad", "too sure"),
    1: ("bad", "not sure enough"),
    0: ("open", "cannot tell from 0"),
}
CONSTANT: dict[int, tuple[Mark, str]] = {
    -1: ("good", "Better"),
    1: ("bad", "Worse"),
    0: ("open", "Not told to be better"),
}
TESTED = {
    True: "is not calibrated",
    False: "cannot be told from calibrated",
    None: "is judged differently: trust the intervals",
}
COLOURED = 3
HEADING = "Stated, and come true"
MOST_ALSO = 5
BETWEEN = "\N{NO-BREAK SPACE}"


def first(artifact: CalibrationArtifact) -> First:
    """Lay out the first screen."""
    names = people(artifact)
    if isinstance(artifact.board, Board):
        return _many(artifact, names)
    gap = next(each for each in GAPS if each in only(artifact.systems[0]).numbers)
    two = len(names) == 2 and bool(artifact.pairs)  # noqa: PLR2004 - a pair
    if two:
        answer, seen = _two(artifact, names, gap), _both(artifact, names, gap)
    elif len(names) > 1 and artifact.pairs:
        told = all_against_first(artifact, names, "", gap, "points")
        answer = [strong("Mean gaps. "), *told]
        seen = [plain(f"{_gaps(artifact, names, gap)}.")]
    else:
        answer, seen = _one(artifact.systems[0], names[0], gap), _elsewhere(artifact.systems[0])
    return First(
        title=_titled(artifact, names),
        question=QUESTION,
        answer=tuple(answer),
        seen=tuple(seen),
        on=tuple(_on(artifact)),
        drawing=_drawing(artifact, names),
        table=_table(artifact, names, gap, two=two),
        also=tuple(_also(artifact, names))[:MOST_ALSO],
        told=("occupied bins hold fewer",),
    )


def _titled(artifact: CalibrationArtifact, names: Sequence[str]) -> str:
    """Name the file too where a system is called after its column."""
    path = artifact.inputs[artifact.systems[0].input].path
    stem = inert(PurePath(path).name.partition(".")[0])
    of_column = len(names) == 1 and stem and stem not in {names[0], "-"}
    return f"{stem}, {names[0]}" if of_column else title(names)


def _many(artifact: CalibrationArtifact, names: Sequence[str]) -> First:
    """Lay out many systems: in the order of their mean gaps."""
    every = [only(system) for system in artifact.systems]
    wanted = (
        Measure(OFFSET, "right less stated", "points", "points", signed=True),
        Measure(BRIER, "Brier", "0 is best", "number", "lower"),
    )
    rows = [count_number(each.n_rows) for each in every]
    more: list[Further] = [
        *(measure for measure in wanted if all(measure.label in each.numbers for each in every)),
        (Measure("", "rows", "scored"), rows),
    ]
    gap = Measure(GAPS[0], "mean gap", "of stated and true", "points", "lower")
    field = Field.of(artifact, names, gap, "the smallest mean gap", more)
    return field.first(QUESTION, _on(artifact), _many_drawn(artifact, field), ())


def _many_drawn(artifact: CalibrationArtifact, field: Field) -> Drawing:
    named = zip(people(artifact), artifact.systems, strict=True)
    bins = [[*_bins(name, _reliability(system))] for name, system in named]

    def values(place: int) -> list[Value]:
        name = field.names[place]
        return [Value(place, b.happened, b.ends, f"{name}\n{b.tip}") for b in bins[place]]

    systems = {
        place: (values(place), [each.stated for each in of]) for place, of in enumerate(bins) if of
    }
    note = "under the line: more is stated than kept; the rest is grey"
    label = f"{HEADING}: {', '.join(field.names[each] for each in field.slots)}, the rest in grey"
    drawn = many_bins(systems, field.slots, label=label)
    return Drawing(
        HEADING, note, "", drawn, _grid([(field.names[n], bins[n]) for n in field.slots])
    )


def _reliability(system: Forecaster) -> Sequence[ReliabilityBin]:
    return only(system).parts.reliability


def _is_off(each: ReliabilityBin) -> bool:
    """Say whether what comes true in a bin clearly differs from what is stated."""
    interval = held(each.accuracy, each.interval)
    return bool(excludes(interval, each.mean_confidence or 0.0))


def weak_spot(bins: Sequence[ReliabilityBin]) -> int | None:
    """Return the bin with the largest gap among those that are large and clearly off."""
    off = {
        place: abs(each.accuracy - each.mean_confidence)
        for place, each in enumerate(bins)
        if each.accuracy is not None
        and each.mean_confidence is not None
        and each.count >= ENOUGH
        and _is_off(each)
    }
    return max(off, key=lambda place: off[place]) if off else None


def _one(system: Forecaster, name: str, gap: str) -> list[Phrase]:
    found, bins = only(system).numbers[gap], _reliability(system)
    if found.value is None:
        why = inert(found.reason or "undefined")
        return [
            strong(f"How far off {name} is"),
            plain(" "),
            strong("cannot be told:", "open"),
            plain(f" {why}."),
        ]
    told = [
        strong(f"Stated confidence is off by {value_of(found, 'points')} points"),
        plain(" on average "),
        around(found, "points"),
        plain(" (debiased). " if gap == GAPS[0] else ". "),
    ]
    spot = weak_spot(bins)
    if spot is None:
        rows = counted(only(system).n_rows, "row")
        return [*told, plain(f"Nothing is off that {rows} could show.")]
    worst = bins[spot]
    stated = worst.mean_confidence or 0.0
    where = "certainty" if stated >= CERTAIN else f"around {share_of(stated)}"
    ends = span(worst.interval, "percent", 1)
    return [
        *told,
        strong(f"The weak spot is {where}:"),
        plain(f" where {name} says {share_of(stated)}, "),
        strong(share_of(worst.accuracy or 0.0), "bad"),
        plain(" are right "),
        beside(f"({ends})."),
    ]


def _elsewhere(system: Forecaster) -> list[Phrase]:
    bins = [each for each in _reliability(system) if each.count >= ENOUGH]
    fits = sum(not _is_off(each) for each in bins)
    rows = counted(only(system).n_rows, "row")
    if not bins:
        return [plain(f"No bin holds {ENOUGH} rows or more: {rows} are too few to say where.")]
    return [
        plain(
            f"In {fits} of {counted(len(bins), 'bin')} with {ENOUGH} rows or more, what is stated"
            f" lies inside the interval; {rows} in all."
        )
    ]


def _two(artifact: CalibrationArtifact, names: Sequence[str], gap: str) -> list[Phrase]:
    """Compare gaps first, then scores."""
    deltas = artifact.pairs[0].deltas[""]
    reference, new = names
    told: list[Phrase] = []
    if gap in deltas and read(deltas[gap]) in {"better", "worse"}:
        less = "less" if (deltas[gap].delta or 0.0) < 0 else "more"
        told = [strong(f"{new} is off by {less} than {reference}"), plain(", ")]
        told += [*changed(deltas[gap], "points"), plain(". ")]
    else:
        told = [strong("Whose confidence is closer to the truth"), plain(" ")]
        told += [strong("cannot be told", "open"), plain(f" from {units_of(artifact)}. ")]
    brier = deltas.get(BRIER)
    if brier is not None and read(brier) in {"better", "worse"}:
        side = "lower" if (brier.delta or 0.0) < 0 else "higher"
        told += [strong(f"{new}’s Brier score is {side},"), plain(" "), *changed(brier, "number")]
        told.append(plain("."))
    return told


def _both(artifact: CalibrationArtifact, names: Sequence[str], gap: str) -> list[Phrase]:
    delta = artifact.pairs[0].deltas[""].get(gap)
    told = _gaps(artifact, names, gap)
    if delta is None or delta.delta is None or read(delta):
        return [plain(f"{told}.")]
    shown, ends = change(delta, "points")
    told += f": {shown.partition(BETWEEN)[0]}"
    told += f" ({ends})" if ends else inert(f", without an interval: {delta.interval_reason}")
    why = blamed(delta, names, "lower")
    if delta.detectable is None or why:
        return [plain(f"{told}{f': {why}' if why else ''}.")]
    shown = f"{written(delta.detectable, 'points', 1)} points"
    return [plain(f"{told}.{would_show(units_of(artifact), shown)}")]


def _gaps(artifact: CalibrationArtifact, names: Sequence[str], gap: str) -> str:
    own = [value_of(only(each).numbers[gap], "points") for each in artifact.systems]
    first, *rest = (f"{each} with {name}" for each, name in zip(own, names, strict=True))
    first = first.replace(" ", " points on average ", 1)
    return f"Stated and true differ by {', '.join([first, *rest])}"


def _on(artifact: CalibrationArtifact) -> Iterator[str]:
    plan, chosen = artifact.resampling, artifact.conventions
    rows = counted(only(artifact.systems[0]).n_rows, "row")
    yield rows if plan.unit == "row" else f"{rows} of {units_of(artifact)}"
    yield inert(f"outcome: {chosen['outcome']}")
    yield f"{counted(int(str(chosen['n_bins'])), 'bin')}, {inert(str(chosen['strategy']))}"
    yield intervals_on(artifact, "no resamples: intervals in bins alone")


def _measures(artifact: CalibrationArtifact, gap: str) -> list[Measure]:
    numbers = only(artifact.systems[0]).numbers
    title = "mean gap" if gap == GAPS[0] else "mean gap (ECE)"
    found = [Measure(gap, title, "of stated and true", "points", "lower")]
    if OFFSET in numbers:
        found.append(
            Measure(OFFSET, "right minus stated", "below 0: too sure", "points", signed=True)
        )
    if BRIER in numbers:
        found.append(Measure(BRIER, "Brier score", "0 is certain and right", "number", "lower"))
    return found


def _table(artifact: CalibrationArtifact, names: Sequence[str], gap: str, *, two: bool) -> Table:
    measures = _measures(artifact, gap)
    shown = [
        (name, _counts(artifact, system), [only(system).numbers[each.label] for each in measures])
        for name, system in zip(names, artifact.systems, strict=True)
    ]
    pair = (artifact.pairs[0].deltas[""], f"same {units_of(artifact)}") if two else None
    return _worded(systems_table(artifact, measures, shown, pair), artifact)


def _worded(of: Table, artifact: CalibrationArtifact) -> Table:
    """Write beside what came true minus what was stated whether that is too sure."""
    rows = [*of.rows]
    for place, system in enumerate(artifact.systems):
        found = only(system).numbers.get(OFFSET)
        if found is not None and found.value is not None:
            mark, word = SURE[excludes(held(found.value, found.interval), 0.0)]
            gap, offset, *rest = rows[place].entries
            entries = (gap, replace(offset, mark=mark, word=word), *rest)
            rows[place] = replace(rows[place], entries=entries)
    return replace(of, rows=tuple(rows))


def _counts(artifact: CalibrationArtifact, system: Forecaster) -> tuple[tuple[Phrase, ...], ...]:
    given = artifact.inputs[system.input]
    known = {**given.counts, **only(system).counts}
    lost = [
        f", {count(known[f'n_{what}'])} {what}"
        for what in ("abstained", "unscored")
        if known.get(f"n_{what}")
    ]
    lines: list[tuple[Phrase, ...]] = [
        (plain(f"{counted(only(system).n_rows, 'row')} scored{''.join(lost)}"),)
    ]
    failed = known.get("n_failed", 0)
    if failed:
        lines.append(
            (strong(f"{count(failed)} failed"), plain(f" {inert(artifact.resampling.unit)}s"))
        )
    return tuple(lines)


def _also(artifact: CalibrationArtifact, names: Sequence[str]) -> Iterator[Remark]:
    every = [*zip(names, artifact.systems, strict=True)]
    if len(names) > 1:
        for name, system in every:
            yield from _spot(name, _reliability(system))
    yield from _tests(every, 1 - artifact.resampling.level)
    if len(names) == 1:
        yield from _constant(only(artifact.systems[0]).numbers)
    few = {name: sum(0 < each.count < ENOUGH for each in _reliability(of)) for name, of in every}
    told = [
        f"{counted(n, 'bin')}{f' of {name}' if len(names) > 1 else ''}"
        for name, n in few.items()
        if n
    ]
    if told:
        rows = f" fewer than {ENOUGH} rows in {', '.join(told)}, drawn hollow."
        yield Remark("fact", (strong("Vague in places:"), plain(rows)))
    if len(names) == 2 and artifact.pairs:  # noqa: PLR2004 - a pair
        yield from what_changed(artifact, names)
    elif len(names) == 1 and artifact.cases and artifact.cases.kept:
        wrong = artifact.cases.sides[0].counts.get("wrong", 0)
        words = f" {count(wrong)} of {counted(artifact.cases.n, 'row')}, the surest first."
        link = ("see them", f"cases?{query(answer='wrong')}")
        yield Remark("fact", (strong("On the wrong side:"), plain(words)), link)


def _constant(numbers: Mapping[str, Scalar]) -> Iterator[Remark]:
    """Say whether stating one probability for all rows would have been as good."""
    own, constant = numbers.get(BRIER), numbers.get("brier_uncertainty")
    if own is None or constant is None or own.value is None or constant.value is None:
        return
    side = excludes(held(own.value, own.interval), constant.value)
    mark, word = CONSTANT[side]
    words = [plain(f" Brier {value_of(own, 'number')} "), around(own, "number")]
    words.append(plain(f" against {constant.value:.3g} for always stating the share that is true."))
    yield Remark(mark, (strong(f"{word} than a constant:"), *words))


def _spot(name: str, bins: Sequence[ReliabilityBin]) -> Iterator[Remark]:
    spot = weak_spot(bins)
    if spot is None:
        return
    worst = bins[spot]
    stated, came = (share_of(each or 0.0) for each in (worst.mean_confidence, worst.accuracy))
    ends = span(worst.interval, "percent", 1)
    words = (plain(f" where it says {stated}, {came} are right "), beside(f"({ends})."))
    yield Remark("bad", (strong(f"The weak spot of {name}:"), *words))


def _tests(every: Sequence[tuple[str, Forecaster]], doubt: float) -> Iterator[Remark]:
    """Say of all systems what the tests of calibration make of them."""
    told: list[str] = []
    marks: set[Mark] = set()
    for name, system in every:
        numbers = only(system).numbers
        found = {said: numbers[label].value for label, said in TESTS.items() if label in numbers}
        known = {said: value for said, value in found.items() if value is not None}
        if known:
            low = {value < doubt for value in known.values()}
            word = TESTED[None if len(low) > 1 else low.pop()]
            ps = ", ".join(f"{said} p {p_value(value)}" for said, value in known.items())
            told.append(f"{name} {word} ({ps})")
            marks.add("bad" if word == TESTED[True] else "open")
    if told:
        mark = marks.pop() if len(marks) == 1 else "fact"
        yield Remark(mark, (strong("Tests:"), plain(f" {'; '.join(told)}.")))


def _drawing(artifact: CalibrationArtifact, names: Sequence[str]) -> Drawing:
    systems = [
        (name, [*_bins(name, _reliability(system))])
        for name, system in zip(names, artifact.systems, strict=True)
    ][:COLOURED]
    note = "dots under the line: more is stated than kept; bars: intervals"
    if not any(bins for _, bins in systems):
        return Drawing(HEADING, note, "", "", fault="No bin holds a row.")
    spot = None
    shown = [each for each in _reliability(artifact.systems[0]) if each.accuracy is not None]
    place = weak_spot(shown) if len(systems) == 1 else None
    if place is not None:
        worst = systems[0][1][place]
        spot = (0, place, f"says {share_of(worst.stated)}, right {share_of(worst.happened)}")
    label = f"{HEADING}: " + "; ".join(
        f"{name}, {counted(len(bins), 'bin')}" for name, bins in systems
    )
    draw = partial(reliability, systems, spot=spot, label=label)
    return pictured(draw, HEADING, note, _grid(systems))


def _bins(name: str, bins: Sequence[ReliabilityBin]) -> Iterator[Bin]:
    for each in bins:
        if each.accuracy is None or each.mean_confidence is None:
            continue
        places = decimals(each.accuracy, None)
        tip = (
            f"stated: {fixed(each.mean_confidence, places)}"
            f"\ncame true: {fixed(each.accuracy, places)}\nrows: {count(int(each.count))}"
        )
        low, high = (each.mean_confidence if end is None else end for end in (each.low, each.high))
        go = query(system=name, **{"from": low, "to": high})
        yield Bin(
            each.mean_confidence, each.accuracy, each.interval, int(each.count), low, high, tip, go
        )


def _grid(systems: Sequence[tuple[str, Sequence[Bin]]]) -> Grid:
    rows: list[Row] = []
    for name, bins in systems:
        rows += [Row(name)] * (len(systems) > 1)
        for each in bins:
            came = Cell(share_of(each.happened), span(each.ends, "percent", 1))
            cells = (Cell(count(each.count)), came)
            rows.append(Row(share_of(each.stated), cells, indented=len(systems) > 1))
    return Grid(HEADING, "stated", ("rows", "came true"), tuple(rows))
