"""The first screen of a selective evaluation: who risks less, who answers more, how sure that is.

Words about a pair come from the word that its difference carries. Where the two answer different
shares of the items, risk is compared up to the coverage that both reach, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.artifact import Board, Delta, Pair, Scalar
from assay.display.changes import query, what_changed
from assay.display.first import (
    Drawing,
    First,
    Measure,
    Phrase,
    Remark,
    around,
    beside,
    blamed,
    change,
    changed,
    fewest,
    levelled,
    people,
    plain,
    share_of,
    strong,
    title,
    value_of,
)
from assay.display.numbers import excludes, held, read, unsaid
from assay.display.screen import (
    all_against_first,
    intervals_on,
    systems_table,
    units_of,
    would_show,
)
from assay.display.svg.curves import Line, curves
from assay.display.wording import count, decimals, fixed
from assay.families.selective.pairing import COVERAGE, FAILED
from assay.families.selective.parts import SelectiveArtifact
from assay.families.selective.systems import Systems, curve_grid, curve_of, line_of, systems
from assay.families.selective.unpaired import (
    ANSWERED,
    COMMON,
    LOSS,
    QUESTION,
    SEPARATION,
    errors,
    failed_of,
    failures,
    groups,
    many,
    one,
    sorting,
)
from assay.showing import counted, inert

FULL = "augrc"
HEIGHT = "mean_risk_at_coverage@common"
COLOURED = 3
MOST_ALSO = 5
AXIS = "share of the items accepted, surest first (coverage)"
NARROW_AXIS = "accepted share of the items (coverage)"
BOTH = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Seen:
    """An artifact under the confidence that was named first."""

    systems: Systems
    names: Sequence[str]
    confidence: str
    numbers: Mapping[int, Mapping[str, Scalar]]
    deltas: Mapping[str, Delta]
    """of the first pair, where there is one"""

    @property
    def artifact(self) -> SelectiveArtifact:
        """What is shown."""
        return self.systems.artifact

    @property
    def unit(self) -> str:
        """What is resampled."""
        return inert(self.artifact.resampling.unit)

    @property
    def units(self) -> str:
        """How many of these there are."""
        return units_of(self.artifact)

    @property
    def cut(self) -> float | None:
        """The coverage that all reach, if some answer more than others."""
        common = self.artifact.parts.common_coverage
        shares = {each[ANSWERED].value for each in self.numbers.values()}
        return None if not common or len(shares) == 1 else common

    @property
    def area(self) -> str:
        """Return the number that says who risks less."""
        # Up to a coverage of 0 there is no area: its 0 is one by convention.
        common = self.artifact.parts.common_coverage
        return COMMON if COMMON in self.deltas and common else FULL


def seen_under_first(artifact: SelectiveArtifact) -> Seen:
    """Choose the confidence that was named first, never the one that looks best."""
    every = systems(artifact)
    confidence = next(iter(every.confidences))
    deltas: Mapping[str, Delta] = {}
    for pair in every.pairs[:1]:
        shared = [name for name in every.confidences if every.deltas(pair, name)]
        confidence = shared[0] if shared else confidence
        deltas = every.deltas(pair, confidence)
    return Seen(every, people(artifact), confidence, every.confidences[confidence], deltas)


def first(artifact: SelectiveArtifact) -> First:
    """Lay out the first screen."""
    if isinstance(artifact.board, Board):
        return many(artifact, artifact.board)
    seen = seen_under_first(artifact)
    two = len(seen.names) == len(seen.numbers) == 2 and bool(seen.deltas)  # noqa: PLR2004 - a pair
    silent = [place for place, own in seen.numbers.items() if own[LOSS].value is None]
    if silent:
        answer, told = _nothing(seen, silent)
    elif two:
        answer, told = _two(seen), _seen(seen)
    elif len(seen.names) > 1 and seen.systems.pairs:
        answer, told = _several(seen), _risks(seen)
    else:
        answer, told = one(seen), _separation(seen, 0)
    return First(
        title=title(seen.names),
        question=f"Selective prediction: {QUESTION}",
        answer=tuple(answer),
        seen=tuple(told),
        on=tuple(_on(seen)),
        drawing=_drawing(seen),
        table=_table(seen, two=two),
        also=tuple(_also(seen, two=two))[:MOST_ALSO],
    )


def _nothing(seen: Seen, silent: Sequence[int]) -> tuple[list[Phrase], list[Phrase]]:
    """Say that there is no answer to judge, and why."""
    place = silent[0]
    n_items = seen.artifact.systems[place].parts.population.items_total
    name = " and ".join(seen.names[each] for each in silent)
    head = "Nothing to compare:" if len(seen.names) > 1 else "Nothing to judge:"
    why = inert(seen.numbers[place][LOSS].reason or "nothing is answered")
    none = f"{name} answered none of {counted(n_items, 'item')}" if n_items else f"{name}: {why}"
    answer = [strong(head, "apart"), plain(f" {none}.")]
    whose = "Its" if len(silent) == 1 else "Their"
    told = [plain(f"{whose} loss is undefined, not 0: {why}.")]
    for other in [at for at in seen.numbers if at not in silent][:1]:
        share = seen.numbers[other][ANSWERED]
        told += [
            plain(f" {seen.names[other]} answers {value_of(share, 'percent')} "),
            around(share, "percent"),
            plain("."),
        ]
    return answer, told


def _two(seen: Seen) -> list[Phrase]:
    """Say which of two it is: by risk at the same coverage, and by how much is answered."""
    reference, new = seen.names[:2]
    answered, risk = seen.deltas[ANSWERED], seen.deltas[seen.area]
    more = "more" if (answered.delta or 0.0) > 0 else "less"
    less = "less" if (risk.delta or 0.0) < 0 else "more"
    left, right = (value_of(seen.numbers[place][ANSWERED], "percent") for place in (0, 1))
    same = " at the same coverage"
    risks = [strong(f"{new} risks {less} than {reference}"), plain(f"{same}, ")]
    risks += changed(risk, "number")
    answers = [plain(f" {right} of the items against {left}, "), *changed(answered, "percent")]
    if read(risk) and read(answered):
        return [*risks, plain(", "), strong(f"and answers {more}:"), *answers, plain(".")]
    if read(answered):
        told = [strong(f"{new} answers {more}:"), *answers, plain(". ")]
        told += [strong("Which of them risks less"), plain(f"{same} ")]
        return [*told, strong("cannot be told.", "open")]
    if read(risk):
        shown, ends = change(answered, "percent")
        sure = beside(f", {ends}" if ends else "")
        return [*risks, plain("; both answer about as much ("), plain(shown), sure, plain(").")]
    told = [strong("Which is better"), plain(" "), strong("cannot be told", "open")]
    return [*told, plain(_untold(seen, risk, answered))]


def _untold(seen: Seen, *deltas: Delta) -> str:
    """Say from how many it cannot be told, and that who looks better failed more often."""
    if not any(FAILED in unsaid(each) for each in deltas):
        return "." if unsaid(deltas[0]) else f" from {seen.units}."
    failed = {name: failed_of(seen, place) for place, name in enumerate(seen.names)}
    (more, (n, total)), (other, (less, _)) = sorted(failed.items(), key=lambda each: -each[1][0])
    told = f"{more} looks better, but failed on {count(n)} of {count(total)}"
    return f" from {seen.units}: {told}, {other} on {count(less)}."


def _several(seen: Seen) -> list[Phrase]:
    """Say who risks less than the first system at the coverage that all reach."""
    variant = seen.systems.first[seen.confidence]
    told = all_against_first(seen.artifact, seen.names, variant, seen.area, "number")
    return [strong("Risk at the same coverage. "), *told]


def _risks(seen: Seen) -> list[Phrase]:
    """Say what each of several risks, and what could have been seen."""
    own = [
        f"{value_of(of[seen.area], 'number', _places(seen))} with {seen.names[place]}"
        for place, of in seen.numbers.items()
    ]
    cut = "" if seen.cut is None else f" up to {share_of(seen.cut)}"
    told = f"Risk{cut} (AUGRC) is {', '.join(own)}."
    every = (seen.systems.deltas(pair, seen.confidence) for pair in seen.systems.pairs)
    untold = [of[seen.area] for of in every if seen.area in of and not read(of[seen.area])]
    for pair in seen.systems.pairs:
        delta = seen.systems.deltas(pair, seen.confidence).get(seen.area)
        sides = (seen.names[pair.left], seen.names[pair.right])
        why = blamed(delta, sides, "lower") if delta is not None else ""
        told += f" {sides[1]} gets no word: {why}." if why else ""
    open_ = [each for each in untold if each.detectable and not unsaid(each)]
    most = max(open_, key=_least_seen, default=None)
    if most is not None:
        told += _detectable(seen, most, decimals(_least_seen(most), most.standard_error))
    return [plain(told)]


def _least_seen(delta: Delta) -> float:
    return delta.detectable or 0.0


def _seen(seen: Seen) -> list[Phrase]:
    """Say what the undecided number is, and what could have been seen."""
    risk, new = seen.deltas[seen.area], seen.names[1]
    if risk.delta is None:
        return [plain(inert(f"The difference in risk is undefined: {risk.reason}."))]
    places = decimals(risk.delta, risk.standard_error)
    side = "lower" if risk.delta < 0 else "higher"
    where = (
        f"Up to the {share_of(seen.cut)} that both reach, "
        if seen.cut is not None
        else "Over all coverages, "
    )
    _, ends = change(risk, "number")
    told = f"{where}{new}’s risk (AUGRC) is {fixed(abs(risk.delta), places)} {side}"
    height = _height(seen)
    if not read(risk):
        told += f" ({ends})" if ends else inert(f", without an interval: {risk.interval_reason}")
        why = blamed(risk, seen.names, "lower")
        could = "" if why else _detectable(seen, risk, places)
        told += f": {why}" if why else ""
        return [plain(f"{told}.{height}{could}")]
    own = [value_of(seen.numbers[place][seen.area], "number", _places(seen)) for place in (1, 0)]
    what = "what accepted errors cost, over all thresholds"
    cut = ""
    if seen.cut is not None:
        cut = f" up to {share_of(seen.cut)}, the coverage that both reach"
    return [plain(f"Risk is {own[0]} against {own[1]}: {what}{cut} (AUGRC).{height}")]


def _height(seen: Seen) -> str:
    """Say how far apart the curves are on average, in the unit of the figure."""
    delta = seen.deltas.get(HEIGHT)
    if delta is None or delta.delta is None:
        return ""
    own = [seen.numbers[place][HEIGHT] for place in (1, 0)]
    new, old = (value_of(each, "number", fewest(own)) for each in own)
    shown, ends = change(delta, "number")
    sure = f" ({ends})" if ends else ""
    return f" On average its curve lies at {new}, the other at {old}: {shown}{sure}."


def _places(seen: Seen) -> int:
    return fewest(of[seen.area] for of in seen.numbers.values())


def _detectable(seen: Seen, delta: Delta, places: int) -> str:
    if delta.detectable is None:
        return ""
    return would_show(seen.units, fixed(delta.detectable, places))


def _separation(seen: Seen, place: int) -> list[Phrase]:
    auroc = seen.numbers[place][SEPARATION]
    if auroc.value is None:
        return [plain(inert(f"How well it sorts right from wrong is undefined: {auroc.reason}."))]
    return [
        plain(
            f"{inert(seen.confidence)} holds a right answer with more confidence than a wrong"
            f" one {value_of(auroc, 'percent')} of the time "
        ),
        around(auroc, "percent"),
        plain(f"; chance is 50{BOTH}%."),
    ]


def _on(seen: Seen) -> Iterator[str]:
    """Say on what this is: units, choices, loss, intervals."""
    own = seen.artifact.systems[0].parts.population
    several = len(seen.names) > 1
    where = {1: "", 2: " in both"}.get(len(seen.names), " in all")
    each = " each" if several else ""
    items = counted(own.items_total, "item")
    yield f"{counted(own.participants_included, seen.unit)}{where}, {items}{each}"
    n = len(seen.systems.confidences)
    of = f", the first named of {n}" if n > 1 else ""
    yield f"confidence {_given(seen.confidence, 'confidence')}{of}"
    yield f"loss {_given(seen.artifact.parts.loss.name, 'loss')}"
    yield intervals_on(seen.artifact, "no intervals: no resamples were asked for")


def _given(name: str, role: str) -> str:
    """Name a column; one that is called what it is has no name of its own."""
    return "as given" if name == role else inert(name)


def _measures(seen: Seen) -> list[Measure]:
    share = Measure(ANSWERED, "answers", "share of the items", "percent", "higher", (0.0, 1.0))
    top = seen.artifact.parts.loss.range
    worst = "0 right" if top is None else f"0 right, {top:g} worst"
    loss = Measure(LOSS, "loss of its answers", worst, "number", "lower")
    if len(seen.names) == 1:
        sorts = "sorts right from wrong"
        return [
            share,
            loss,
            Measure(SEPARATION, sorts, "AUROC; chance 50", "percent", "higher", (0, 1)),
        ]
    if seen.cut is None:
        return [share, loss, Measure(seen.area, "risk", "AUGRC", "number", "lower")]
    cut = f"risk up to {share_of(seen.cut)}"
    all_of = "both" if len(seen.names) == 2 else "all"  # noqa: PLR2004 - a pair
    return [share, loss, Measure(COMMON, cut, f"same coverage for {all_of}", "number", "lower")]


def _table(seen: Seen, *, two: bool) -> Any:
    measures = _measures(seen)
    shown = [
        (seen.names[place], _counts(seen, place), [own[each.label] for each in measures])
        for place, own in seen.numbers.items()
    ]
    pair = None
    if two:
        # Where a system has no number of its own in a column, there is no difference.
        deltas = {
            label: delta
            for label, delta in seen.deltas.items()
            if all(own[label].value is not None for own in seen.numbers.values() if label in own)
        }
        pair = deltas, f"same {seen.units}"
    variant = seen.systems.first[seen.confidence]
    return systems_table(seen.artifact, measures, shown, pair, variant, _unlike)


def _unlike(deltas: Mapping[str, Delta]) -> dict[str, str]:
    """Say which numbers are not compared because the two answer different shares."""
    why = "they answer different shares"
    return {label: why for label, each in deltas.items() if each.word_reason == COVERAGE}


def _counts(seen: Seen, place: int) -> tuple[tuple[Phrase, ...], ...]:
    own = seen.artifact.systems[place].parts.population
    failed, total = failed_of(seen, place)
    of = f" of {counted(total, seen.unit)}"
    lost = strong(f"{count(failed)} failed", None) if failed else plain("0 failed")
    unscored = f", {count(own.items_unscored)} unscored" if own.items_unscored else ""
    answered = f"{count(own.items_predicted)} answered, {count(own.items_abstained)} abstained"
    return (plain(f"{answered}{unscored}"),), (lost, plain(of))


def _also(seen: Seen, *, two: bool) -> Iterator[Remark]:
    if two:
        yield from _longer(seen)
        yield from _other_confidences(seen)
    yield from sorting(seen)
    yield from failures(seen)
    if len(seen.names) == 1:
        yield from groups(seen)
        yield from errors(seen)
    if two:
        yield from what_changed(seen.artifact, seen.names)


def _longer(seen: Seen) -> Iterator[Remark]:
    """Say that full areas are not compared where one curve is longer."""
    answered, areas = seen.deltas[ANSWERED], seen.deltas.get(FULL)
    silent = any(seen.numbers[place][LOSS].value is None for place in (0, 1))
    if silent or areas is None or not excludes(held(answered.delta, answered.interval), 0.0):
        return
    longer = seen.names[1 if (answered.delta or 0.0) > 0 else 0]
    both = " and ".join(value_of(seen.numbers[place][FULL], "number") for place in (0, 1))
    yield Remark(
        "apart",
        (
            strong("Full areas are not compared"),
            plain(
                f" (AUGRC {both}): {longer}’s curve is longer, and longer curves have more area."
            ),
        ),
    )


def _other_confidences(seen: Seen) -> Iterator[Remark]:
    pair: Pair = seen.systems.pairs[0]
    every = [seen.systems.deltas(pair, name) for name in seen.systems.confidences]
    found = [deltas[seen.area] for deltas in every if seen.area in deltas]
    if len(found) < 2:  # noqa: PLR2004 - there are others
        return
    new = seen.names[1]
    lower = sum((each.delta or 0.0) < 0 for each in found)
    words = [read(each) for each in found]
    clear = [f"{word} under {words.count(word)}" for word in ("better", "worse") if word in words]
    told = ", ".join(clear) or "none of these differences can be told from 0"
    yield Remark(
        "open" if not clear else "fact",
        (
            strong("Other confidences:"),
            plain(
                f" {new}’s risk is lower under {lower} of {len(found)}; {told}, with no correction"
                f" for having looked at {len(found)}."
            ),
        ),
        ("table", "numbers"),
    )


def _drawing(seen: Seen) -> Drawing:
    plan = seen.artifact.resampling
    note = "lower is better"
    if plan.n_resamples:
        note += f"; band: {levelled(plan.level)} interval, none where all resamples agree"
    lines = [*_lines(seen)]
    if not lines:
        fault = "No curve: a curve needs at least one answer."
        return Drawing("Mean loss of what is accepted", note, "", "", fault=fault)
    told = ", ".join(f"{each.name} ends at {each.end}" for each in lines[:COLOURED])
    label = f"Mean loss of what is accepted, by the share that is accepted: {told}."
    wide, narrow = (
        curves(lines, cut=seen.cut, axis=axis, label=label, wide=size)
        for axis, size in ((AXIS, True), (NARROW_AXIS, False))
    )
    return Drawing(
        "Mean loss of what is accepted", note, wide, narrow, curve_grid(lines[:COLOURED])
    )


def _lines(seen: Seen) -> Iterator[Line]:
    for place, variant in seen.systems.variants(seen.confidence):
        name, shape = seen.names[place], place if place < COLOURED else None
        line = line_of(seen.artifact, variant, name, shape)
        if line is not None:
            thresholds = curve_of(variant).threshold
            yield replace(line, go=[query(system=name, **{"from": at}) for at in thresholds])
