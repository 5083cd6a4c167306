"""The first screen of reasoning: whether chains of thought help, under every reading of the texts.

Where the sign of the gap depends on how texts are read, nothing is said about helping.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from assay.artifact import Board, Delta, Interval
from assay.display.board import Field
from assay.display.changes import query
from assay.display.first import (
    CANNOT,
    Drawing,
    Entry,
    First,
    Form,
    Mark,
    Measure,
    Phrase,
    Remark,
    Table,
    beside,
    change,
    count_number,
    judged,
    people,
    plain,
    span,
    strong,
    table,
    title,
    value_of,
    written,
)
from assay.display.numbers import DASH, excludes, held, read
from assay.display.screen import intervals_on, lanes_grid, pictured
from assay.display.svg.canvas import nice
from assay.display.svg.many import Row as Strip
from assay.display.svg.many import Value, lanes, values_grid
from assay.display.svg.rows import Forest, Lane, Reading, forest
from assay.display.wording import count, fixed, p_value
from assay.families.reasoning.parts import ReadingGap, ReasoningArtifact, ReasoningSystem
from assay.families.reasoning.subjects import GAP
from assay.showing import counted, inert, listed
from assay.sources.sheets import NAMES

QUESTION = "Reasoning: do answers rest on the chain of thought?"
STEPS = "step_f1"
ACCURACY = Measure("accuracy_cot", "accuracy", "after reasoning", "percent", "higher", (0.0, 1.0))
COLOURED = 3
MOST_ALSO = 5
TURNED = "what was not answered could turn it round"
NOTHING = "find nothing right for anyone and are"
REFUSALS = {
    "exclude": "refusals left out",
    "wrong": "refusals as wrong",
    "ignore": "refusals not looked for",
}
SIDES: dict[int, tuple[Mark, str]] = {-1: ("bad", "harms"), 0: ("open", ""), 1: ("good", "helps")}


def told_of(system: ReasoningSystem) -> int | None:
    """Say on which side of 0 the gap lies: None where the sign depends on the reading.

    On neither where what was not answered could turn it round.
    """
    if system.parts.sensitivity.sign_depends:
        return None
    return 0 if _could_turn(system) else _side(system)


def _side(system: ReasoningSystem) -> int:
    gap = system.numbers[GAP]
    return excludes(held(gap.value, gap.interval), 0.0)


def _could_turn(system: ReasoningSystem) -> bool:
    """Say whether a gap is clear, and not so if what was not answered had gone against it."""
    side, bounds = _side(system), system.parts.gap_bounds
    if not side or bounds is None:
        return False
    worst = bounds.lowest if side > 0 else bounds.highest
    return excludes(worst.interval, 0.0) != side


def first(artifact: ReasoningArtifact) -> First:
    """Lay out the first screen."""
    names = people(artifact)
    if isinstance(artifact.board, Board):
        return _many(artifact, names)
    return First(
        title=title(names),
        question=QUESTION,
        answer=tuple(_answer(artifact, names)),
        seen=tuple(_seen(artifact, names)),
        on=tuple(_on(artifact)),
        drawing=_drawing(artifact, names),
        table=_table(artifact, names),
        also=tuple(_also(artifact, names))[:MOST_ALSO],
    )


def _many(artifact: ReasoningArtifact, names: Sequence[str]) -> First:
    """Lay out many models: in the order of their accuracy, with what reasoning adds beside it."""
    numbers = [system.numbers for system in artifact.systems]
    gap = Measure(GAP, "reasoning adds", "points", "points", signed=True)
    more = [(gap, [own[GAP] for own in numbers])]
    if all(STEPS in own for own in numbers):
        steps = Measure(STEPS, "steps match", "F1", "number", "higher")
        more.append((steps, [own[STEPS] for own in numbers]))
    population = [system.parts.population for system in artifact.systems]
    failed = [count_number(each.cot.failed + each.direct.failed) for each in population]
    more.append((Measure("", "failed", "outputs"), failed))
    field = Field.of(artifact, names, ACCURACY, "the highest accuracy", more)
    rows = [
        Strip(
            names[place],
            (
                Value(
                    place,
                    found.value,
                    held(found.value, found.interval),
                    f"{names[place]}: {written(found.value, 'points', 1, signed=True)} points",
                ),
            ),
        )
        for place in field.board.order
        if (found := numbers[place][GAP]).value is not None
    ]
    reach = _reach((one.value, one.ends) for row in rows for one in row.held)
    heading, note = "What reasoning adds", "right of the line: it helps; the reported reading"
    label = f"{heading}: {len(rows)} models with their intervals"
    drawn = lanes(
        rows, field.slots, scale=(-reach, reach), reference=0.0, axis="points", label=label
    )
    shown = [Strip(row.label, (replace(row.held[0], system=0),)) for row in rows]
    drawing = Drawing(heading, note, "", drawn, values_grid(heading, shown, [(0, "points")]))
    return field.first(QUESTION, _on(artifact), drawing, _depends(artifact, names))


def _reach(numbers: Iterable[tuple[float, Interval]]) -> float:
    """Return how far an axis goes that holds numbers and the ends of their intervals."""
    ends = [abs(each) for value, interval in numbers for each in (value, *(interval or ()))]
    return min(1.0, nice(max(ends, default=0.5) or 0.5))


def _depends(artifact: ReasoningArtifact, names: Sequence[str]) -> Iterator[Remark]:
    """Say for how many models the sign of what reasoning adds depends on the reading."""
    every = zip(names, artifact.systems, strict=True)
    found = [name for name, each in every if each.parts.sensitivity.sign_depends]
    sides = [told_of(each) for each in artifact.systems]
    if found:
        words = f" depends on the reading for {len(found)} of {len(names)}: {listed(found[:5])}."
        yield Remark("open", (strong("Whether reasoning helps"), plain(words)))
    helped, harmed = sides.count(1), sides.count(-1)
    if helped or harmed:
        words = f" {helped} of {len(names)}, harms {harmed}, in every reading and by the interval."
        yield Remark("fact", (strong("Reasoning helps"), plain(words)))


def _answer(artifact: ReasoningArtifact, names: Sequence[str]) -> list[Phrase]:
    silent = [name for name, each in zip(names, artifact.systems, strict=True) if _mute(each)]
    if len(silent) == len(names):
        n = counted(artifact.parts.n_vignettes, "vignette")
        none = f" {_joined(silent)} gave no pair of answers to {n}."
        return [strong("Nothing to judge:", "apart"), plain(none)]
    sides = [told_of(system) for system in artifact.systems]
    by_name = dict(zip(names, zip(artifact.systems, sides, strict=True), strict=True))
    depends = [name for name, (_, side) in by_name.items() if side is None]
    clear = [name for name, (_, side) in by_name.items() if side]
    told = [strong("Whether reasoning helps"), plain(" ")]
    if depends:
        told += [strong("cannot be told.", "open"), plain(" For "), strong(_joined(depends))]
        told += [plain(" the sign depends on how the texts are read")]
        same = [name for name in names if name not in depends]
        for name in same[:2]:
            told += [plain("; "), *_range(name, by_name[name][0])]
        return [*told, plain(".")]
    if not clear and any(map(_could_turn, artifact.systems)):
        return [*told, strong("cannot be told:", "open"), plain(f" {TURNED}.")]
    if not clear:
        pairs = max(each.parts.population.pairs_used for each in artifact.systems)
        from_ = plain(f" from {counted(pairs, 'pair')} of answers.")
        return [*told, strong("cannot be told", "open"), from_]
    told = []
    for number, name in enumerate(clear[:2]):
        system, side = by_name[name]
        mark, word = SIDES[side or 0]
        gap = system.numbers[GAP]
        told += [strong(f"{' and ' if number else 'Reasoning '}{word} {name},"), plain(" ")]
        told += [strong(f"{written(gap.value or 0.0, 'points', 1, signed=True)} points", mark)]
        told += [beside(f" ({span(gap.interval, 'points', 1, signed=True)})")]
    rest = [name for name in names if name not in {*clear, *silent}]
    told.append(plain(". " if rest or silent else "."))
    if rest:
        told += [plain(f"For {_joined(rest)} it "), strong("cannot be told.", "open"), plain(" ")]
    if silent:
        told.append(strong(f"{_joined(silent)} gave no pair of answers.", "apart"))
    return told


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _range(name: str, system: ReasoningSystem) -> list[Phrase]:
    """Say what a system gains or loses over all readings."""
    gap = system.numbers[GAP]
    found = [each.gap.value or 0.0 for each in _readings(system)]
    low, high = 100 * min(found), 100 * max(found)
    word = "gains" if low + high >= 0 else "loses"
    least, most = sorted((abs(low), abs(high)))
    shown = " to ".join(dict.fromkeys((fixed(least, 0), fixed(most, 0))))
    ends = span(held(gap.value, gap.interval), "points", 1, signed=True)
    return [
        strong(name),
        plain(f" {word} "),
        strong(f"{shown} points"),
        plain(" in every reading"),
        beside(f" ({ends})" if ends else ""),
    ]


def _seen(artifact: ReasoningArtifact, names: Sequence[str]) -> list[Phrase]:
    for name, system in zip(names, artifact.systems, strict=True):
        told = system.parts.sensitivity
        if told.sign_depends:
            ordered = sorted(
                (each for each in told.readings if each.gap.value is not None),
                key=lambda each: each.gap.value or 0.0,
            )
            low, high = ordered[0], ordered[-1]
            return [
                plain(
                    f"{name} goes from {_at(low)} points"
                    f" ({_spoken(low.name, _readings(system))}{_ends(low)}) to {_at(high)}"
                    f" ({_spoken(high.name, _readings(system))}{_ends(high)})."
                    f"{_would_show(artifact, names)}"
                )
            ]
    every = [each for each in zip(names, artifact.systems, strict=True) if not _mute(each[1])]
    if not every:
        return []
    name, system = next((each for each in every if told_of(each[1]) == 0), every[0])
    numbers = system.numbers
    gap = numbers[GAP]
    right, before = (value_of(numbers[f"accuracy_{each}"], "percent") for each in ("cot", "early"))
    words = f"{name} is right {right} of the time with a chain of thought and {before} without"
    if told_of(system) == 0:
        ends = span(held(gap.value, gap.interval), "points", 1, signed=True)
        why = f"no interval: {gap.interval_reason}"
        words += f": {written(gap.value or 0.0, 'points', 1, signed=True)} points"
        words += f" ({ends or inert(why)})"
    words += f", and {TURNED}" if _could_turn(system) else ""
    return [plain(f"{words}{_not_answered(system)}.{_would_show(artifact, names)}")]


def _not_answered(system: ReasoningSystem) -> str:
    """Say how much was not answered, where not everything was."""
    counts = system.first.counts
    lost = [
        counts.get(f"asked_{mode}", 0) - counts.get(f"answered_{mode}", 0)
        for mode in NAMES.values()
    ]
    if not any(lost):
        return ""
    with_it, without = map(count, lost)
    asked = count(system.parts.population.vignettes)
    return f" (of {asked} asked {with_it} not answered with it, {without} without)"


def _would_show(artifact: ReasoningArtifact, names: Sequence[str]) -> str:
    """Say which gap would have shown, of the model with most pairs among those without a word."""
    known = [
        (system.parts.population.pairs_used, name, system.numbers[GAP].detectable)
        for name, system in zip(names, artifact.systems, strict=True)
        if not told_of(system) and not _could_turn(system)
    ]
    seen = [(n, name, gap) for n, name, gap in known if isinstance(gap, float)]
    if not seen:
        return ""
    n, name, gap = max(seen, key=lambda each: each[0])
    whose = f"{name}’s " if len(names) > 1 else ""
    shown = f"a gap of {written(gap, 'points', 1)} points would have shown 8 times in 10"
    return f" With {whose}{counted(n, 'pair')}, {shown}."


def _at(reading: ReadingGap) -> str:
    return written(reading.gap.value or 0.0, "points", 0, signed=True)


def _ends(reading: ReadingGap) -> str:
    shown = span(reading.gap.interval, "points", 1, signed=True)
    return f": {shown}" if shown else ""


def _on(artifact: ReasoningArtifact) -> Iterator[str]:
    how = artifact.conventions
    labels = counted(len(artifact.parts.labels), "label")
    yield f"{counted(artifact.parts.n_vignettes, 'vignette')}, {labels}"
    said = ", ".join(str(how[each]) for each in ("reading", "gold", "refusals"))
    yield f"reported reading: {_spoken(said)}"
    yield counted(len(artifact.systems[0].parts.sensitivity.readings), "reading")
    yield intervals_on(artifact)


def _table(artifact: ReasoningArtifact, names: Sequence[str]) -> Table:
    numbers = [system.numbers for system in artifact.systems]
    top = _reach((own[GAP].value or 0.0, own[GAP].interval) for own in numbers)
    measures = [
        ACCURACY,
        Measure(GAP, "what reasoning adds", "points", "points", None, (-top, top), signed=True),
    ]
    if all(STEPS in own for own in numbers):
        measures.append(
            Measure(STEPS, "steps match", "F1 with the expert’s", "number", "higher", (0.0, 1.0))
        )
    rows = [
        (name, _counts(system), [own[each.label] for each in measures])
        for name, system, own in zip(names, artifact.systems, numbers, strict=True)
    ]
    return _worded(table("model", measures, rows), artifact.systems)


def _worded(of: Table, systems: Sequence[ReasoningSystem]) -> Table:
    """Write beside what reasoning adds whether it helps, as the answer says it."""
    rows = []
    for row, system in zip(of.rows, systems, strict=True):
        side = told_of(system)
        mark, word = SIDES[side or 0]
        word = "depends on the reading" if side is None else word or CANNOT
        accuracy, gap, *rest = row.entries
        if _mute(system):  # its 0 is one by convention
            rest = [Entry(DASH, note="no chain of thought")] * len(rest)
        if system.numbers[GAP].value is not None:
            gap = replace(gap, mark=mark, word=word)
        rows.append(replace(row, entries=(accuracy, gap, *rest)))
    return replace(of, rows=tuple(rows))


def _counts(system: ReasoningSystem) -> tuple[tuple[Phrase, ...], ...]:
    own = system.parts.population
    used = f"{counted(own.pairs_used, 'pair')} of {counted(own.vignettes, 'vignette')}"
    refused = f"refused {count(own.cot.refused)}, directly {count(own.direct.refused)}"
    failed = own.cot.failed + own.direct.failed
    lost = strong(f"{count(failed)} failed") if failed else plain("0 failed")
    missing = own.cot.missing + own.direct.missing
    more = f", {count(missing)} missing" if missing else ""
    return (plain(used),), (plain(f"{refused}; "), lost, plain(more))


def _also(artifact: ReasoningArtifact, names: Sequence[str]) -> Iterator[Remark]:
    yield from _different(artifact, names, STEPS)
    yield from _different(artifact, names, GAP)
    parts = [(name, each.parts) for name, each in zip(names, artifact.systems, strict=True)]
    biased = [
        f"{name} follows the bias in {count(bias.n_biased)} of"
        f" {count(bias.rows)} cases, silently in {count(bias.n_silent)}"
        for name, each in parts
        if (bias := each.bias) is not None
    ]
    if biased:
        followed = plain(f" {'; '.join(biased[:COLOURED])}.")
        yield Remark("fact", (strong("Silent bias:"), followed), ("cases", "cases"))
    refused = [
        f"{name} {count(own.pairs_refused)} of {counted(own.pairs, 'pair')}"
        for name, each in parts
        if (own := each.population).pairs_refused
    ]
    if refused and len(names) > 1:
        words = f" {', '.join(refused)}; accuracies are of the vignettes that each answers."
        yield Remark("apart", (strong("Refusals differ:"), plain(words)))
    readings = zip(*(each.sensitivity.readings for _, each in parts), strict=False)
    empty = sum(not any(one.correct_cot or one.correct_early for one in own) for own in readings)
    if empty:
        finds = "finds nothing right for anyone and is" if empty == 1 else NOTHING
        yield Remark("fact", (strong(counted(empty, "reading")), plain(f" {finds} not drawn.")))
    if len(names) == 1:
        yield from _within(artifact, names[0])


def _within(artifact: ReasoningArtifact, name: str) -> Iterator[Remark]:
    """Say how many answers reasoning changed, and which way."""
    for found in artifact.cases.within[:1] if artifact.cases else ():
        noun = counted(found.n_answered, "vignette")
        words = (
            f" of {noun} answered both times, {count(found.wrong_to_right)} went from wrong to"
            f" right with reasoning and {count(found.right_to_wrong)} from right to wrong."
        )
        go = query(pair=f"{name}, at once~{name}, reasoned")
        link = ("side by side", f"cases?{go}")
        yield Remark("fact", (strong("What changed:"), plain(words)), link)


def _different(artifact: ReasoningArtifact, names: Sequence[str], label: str) -> Iterator[Remark]:
    """Say which models clearly differ in a number."""
    for pair in artifact.pairs:
        delta: Delta | None = next((of[label] for of in pair.deltas.values() if label in of), None)
        silent = any(_mute(artifact.systems[each]) for each in (pair.left, pair.right))
        if delta is None or silent or not read(delta) or delta.delta is None:
            continue
        form: Form = "points" if label == GAP else "number"
        shown, ends = change(delta, form)
        left, right = names[pair.left], names[pair.right]
        corrected = delta.p_holm is not None and len(artifact.pairs) > 1
        p = f", Holm p {p_value(delta.p_holm or 0.0)}" if corrected else ""
        more = delta.delta > 0
        if label == GAP:
            lead = "Between models:"
            rest = (
                f" reasoning adds {'more' if more else 'less'} to {right} than to {left}, {shown} "
            )
        else:
            lead = f"{right}’s steps match {'better' if more else 'worse'}"
            rest = f" than {left}’s: F1 {shown} "
        yield Remark(judged(delta), (strong(lead), plain(rest), beside(f"({ends}{p}).")))


def _mute(system: ReasoningSystem) -> bool:
    """Say whether there is no vignette with both answers."""
    return not system.parts.population.pairs_used


def _readings(system: ReasoningSystem) -> list[ReadingGap]:
    """Return the readings that find something right, and the reported one."""
    every = system.parts.sensitivity.readings
    return [each for each in every if each.chosen or each.correct_cot or each.correct_early]


def _spoken(name: str, among: Iterable[ReadingGap] = ()) -> str:
    """Say how texts are read in people's words; what other readings share is left out."""
    *own, refusals = name.split(", ")
    others = [each.name.split(", ")[:-1] for each in among]
    shared = [len({*words}) == 1 for words in zip(*others, strict=False)]
    told = [word for at, word in enumerate(own) if at >= len(shared) or not shared[at]]
    return inert(", ".join([*told, REFUSALS.get(refusals, refusals)]))


def _drawing(artifact: ReasoningArtifact, names: Sequence[str]) -> Drawing:
    """Draw what reasoning adds under every reading."""
    every = [*zip(names, artifact.systems, strict=True)][:COLOURED]
    lanes = [
        lane for shape, (name, system) in enumerate(every) for lane in _lanes(shape, name, system)
    ]
    reach = _reach((each.value, each.ends) for lane in lanes for each in lane.held)
    told = Forest(
        lanes,
        (-reach, reach),
        "accuracy after reasoning minus direct, points",
        reference=0.0,
        sides=("← reasoning hurts", "reasoning helps →"),
    )
    heading = "What reasoning adds, under every reading of the texts"
    label = f"{heading}: {listed([name for name, _ in every])}"
    note = "filled: the reported reading; hollow: other readings, equal ones drawn once"
    heads = ("reading", "points")
    grid = lanes_grid("What reasoning adds", heads, lanes, "points", signed=True)
    return pictured(partial(forest, told, label=label), heading, note, grid)


def _lanes(shape: int, name: str, system: ReasoningSystem) -> Iterator[Lane]:
    told = system.parts.sensitivity
    note = "sign depends on the reading" if told.sign_depends else "same sign in every reading"
    note = "no pair of answers" if _mute(system) else note if len(told.readings) > 1 else ""
    yield Lane(name, head=shape, note=note, ruled=shape > 0)
    shown = _readings(system)
    equal: dict[tuple[object, ...], list[ReadingGap]] = {}
    for each in shown:
        if each.gap.value is not None:
            equal.setdefault((each.gap.value, each.gap.interval), []).append(each)
    for readings in sorted(equal.values(), key=lambda own: not any(each.chosen for each in own)):
        reported = any(each.chosen for each in readings)
        others = [each for each in readings if not each.chosen]
        if reported:
            words = "as reported" + (f" (+{len(others)})" if others else "")
        elif len(others) == 1:
            words = _spoken(others[0].name, shown)
        else:
            words = f"{len(others)} other readings"
        gap = readings[0].gap
        tip = "\n".join(inert(each.name) for each in readings[:6])
        go = query(pair=f"{name}, at once~{name}, reasoned") if reported else ""
        ends = held(gap.value, gap.interval)
        drawn = Reading(gap.value or 0.0, ends, shape, reported, tip=tip, go=go)
        yield Lane(words, (drawn,), strong=reported)
