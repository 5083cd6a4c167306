"""The first screen of grounded verdicts: whether they are right, and which link of the chain holds.

Verdicts come first, then at most two links that clearly differ: evidence, quotation, judgement,
rule. Words come from the word that a difference carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from assay.artifact import Board, Delta, Interval, Scalar
from assay.display.blocks import Cell, Grid, Row
from assay.display.board import Field
from assay.display.changes import query, what_changed
from assay.display.first import (
    Drawing,
    First,
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
    judged,
    people,
    plain,
    span,
    strong,
    title,
    value_of,
    written,
)
from assay.display.numbers import DASH, held, read, unsaid
from assay.display.screen import (
    PERCENT,
    all_against_first,
    intervals_on,
    pictured,
    systems_table,
    would_show,
)
from assay.display.svg.many import Row as Strip
from assay.display.svg.many import Value, lanes, values_grid
from assay.display.svg.rows import Forest, Lane, Reading, forest
from assay.display.wording import count
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.families.verdicts.parts import VerdictsArtifact, VerdictSystem

QUESTION = "Grounded verdicts: are they right, and do they rest on the evidence?"
MAIN = "macro_f1"
CHAIN = {
    "evidence_recall": ("finds the evidence", "finds more evidence", "finds less evidence"),
    "evidence_precision": (
        *("cites only evidence", "cites less that is none", "cites more that is none"),
    ),
    "snippet_validity": (
        *("quotes what stands there", "quotes what stands there more often"),
        "invents more quotations",
    ),
    "judgement_accuracy": (
        *("judges it rightly", "judges it rightly more often", "judges it wrongly more often"),
    ),
    "evidence_consistency": (
        "verdict follows from evidence",
        "its verdicts follow from the evidence more often",
        "its verdicts follow from the evidence less often",
    ),
    "verdict_consistency": (
        "verdict follows its own rule",
        "its verdicts follow their own rule more often",
        "its verdicts follow their own rule less often",
    ),
}
"""links of the chain: the row of the figure, and what a better or worse one is called"""
ROWS = {
    **{label: words[0] for label, words in CHAIN.items()},
    MAIN: "verdicts right (macro F1)",
    "ordinal_auprc": "ranks cases (AUPRC)",
}
RULED = ("evidence_consistency", MAIN)
"""rows of the figure that begin another part of the chain"""
MOST_LINKS, MOST_ALSO = 2, 5
COLOURED = 3


def first(artifact: VerdictsArtifact) -> First:
    """Lay out the first screen."""
    names = people(artifact)
    if isinstance(artifact.board, Board):
        return _many(artifact, names)
    two = len(names) == 2 and bool(artifact.pairs)  # noqa: PLR2004 - a pair
    silent = [*_silent(artifact, names)]
    if silent:
        answer = silent
    elif two:
        answer = _two(artifact, names)
    elif len(names) > 1 and artifact.pairs:
        told = all_against_first(artifact, names, "", MAIN, "percent")
        answer = [strong("Verdicts right (macro F1). "), *told]
    else:
        answer = _one(artifact.systems[0], names[0])
    return First(
        title=title(names),
        question=QUESTION,
        answer=tuple(answer),
        seen=tuple(_seen(artifact, names) if two and not silent else _scores(artifact, names)),
        on=tuple(_on(artifact)),
        drawing=_drawing(artifact, names, two=two),
        table=_table(artifact, names, two=two),
        also=tuple(_also(artifact, names, two=two))[:MOST_ALSO],
        told=("not answered (",),
    )


def _silent(artifact: VerdictsArtifact, names: Sequence[str]) -> Iterator[Phrase]:
    """Say that a system gave no verdict at all, if one did."""
    for name, system in zip(names, artifact.systems, strict=True):
        found = system.first.counts
        if found["n_asked"] and not found["n_answered"]:
            what = "compare" if len(names) > 1 else "judge"
            yield strong(f"Nothing to {what}:", "apart")
            yield plain(f" {name} answered none of {counted(found['n_asked'], 'case')}.")
            return


def _many(artifact: VerdictsArtifact, names: Sequence[str]) -> First:
    """Lay out many systems: in the order of their macro F1."""
    main, *others = _measures(artifact)
    failed = [count_number(each.first.counts["n_failed"]) for each in artifact.systems]
    more: list[tuple[Measure, list[Scalar]]] = [
        (each, own)
        for each in others
        for own in ([system.numbers[each.label] for system in artifact.systems],)
        if any(one.value is not None for one in own)
    ]
    more.append((Measure("", "failed", "cases"), failed))
    field = Field.of(artifact, names, main, "the highest macro F1", more)
    rows = [
        Strip(ROWS[label].removeprefix("verdict "), tuple(Value(*each) for each in known))
        for label, known in _known(artifact.systems, names)
    ]
    heading = "From evidence to verdict"
    label = f"{heading}: {', '.join(names[each] for each in field.slots)}, the rest in grey"
    drawn = lanes(rows, field.slots, scale=(0.0, 1.0), reference=None, axis="percent", label=label)
    grid = values_grid(heading, rows, [(each, names[each]) for each in field.slots])
    note = "higher is better everywhere; the rest is grey"
    return field.first(QUESTION, _on(artifact), Drawing(heading, note, "", drawn, grid), ())


def _known(
    systems: Sequence[VerdictSystem], names: Sequence[str]
) -> Iterator[tuple[str, list[tuple[int, float, Interval, str]]]]:
    """Yield the rows of the figure: place, number, interval and words of who has the number."""
    shown = [each.numbers for each in systems]
    for label in ROWS:
        known = [
            (at, value, held(value, number.interval), f"{names[at]}: {100 * value:.1f}{PERCENT}")
            for at, numbers in enumerate(shown)
            if (number := numbers.get(label)) and (value := number.value) is not None
        ]
        if known:
            yield label, known


def _deltas(artifact: VerdictsArtifact) -> Mapping[str, Delta]:
    return artifact.pairs[0].deltas[""]


def _links(artifact: VerdictsArtifact) -> list[str]:
    """Return the links of the chain that clearly differ, the largest difference first."""
    deltas = _deltas(artifact)
    clear = [each for each in CHAIN if each in deltas and read(deltas[each]) in {"better", "worse"}]
    return sorted(clear, key=lambda each: -abs(deltas[each].delta or 0.0))


def _said(artifact: VerdictsArtifact) -> list[str]:
    """Return the links that stand in the answer: two lines hold one beside clear verdicts."""
    clear = read(_deltas(artifact)[MAIN]) in {"better", "worse"}
    return _links(artifact)[: 1 if clear else MOST_LINKS]


def _two(artifact: VerdictsArtifact, names: Sequence[str]) -> list[Phrase]:
    deltas, (reference, new) = _deltas(artifact), names
    n_common = counted(artifact.pairs[0].counts["n_common"], "case")
    main = deltas[MAIN]
    if read(main) in {"better", "worse"}:
        told = [strong(f"{new}’s verdicts are {read(main)} than {reference}’s,"), plain(" ")]
        told += [*changed(main, "percent"), plain(". ")]
    else:
        told = [strong("Whose verdicts are better"), plain(" "), strong("cannot be told", "open")]
        told.append(plain(". " if unsaid(main) else f" from {n_common}. "))
    links = _said(artifact)
    links.sort(key=[*CHAIN].index)
    words = [read(deltas[each]) for each in links]
    for number, label in enumerate(links):
        found = _link(label, deltas[label], new)
        if number:
            lead = "but" if words[0] != words[1] else "and"
            found = f", {lead} {_link(label, deltas[label])}"
        told += [strong(f"{found},"), plain(" "), *changed(deltas[label], "percent")]
    return [*told, plain("." if links else "")]


def _link(label: str, delta: Delta, who: str = "") -> str:
    """Say what somebody, or it, does better or worse, or whose verdicts are so."""
    said = CHAIN[label][1 if read(delta) == "better" else 2]
    if said.startswith("its"):
        return f"{who}’s{said.removeprefix('its')}" if who else said
    return f"{who or 'it'} {said}"


def _seen(artifact: VerdictsArtifact, names: Sequence[str]) -> list[Phrase]:
    main, new = _deltas(artifact)[MAIN], names[1]
    if main.delta is None:
        return [plain(inert(f"The difference in macro F1 is undefined: {main.reason}."))]
    if read(main):
        return _scores(artifact, names)
    side = "lower" if main.delta < 0 else "higher"
    _, ends = change(main, "percent")
    told = f"Macro F1 is {written(abs(main.delta), 'percent', 1)} points {side} with {new}"
    why = blamed(main, names, "higher")
    told += f" ({ends})" if ends else inert(f", without an interval: {main.interval_reason}")
    told += f": {why}." if why else "."
    for name, each in zip(names, artifact.systems, strict=True) if why else ():
        if (worst := each.numbers[MAIN].at_worst) is not None:
            told += f" At worst {name}’s is {written(worst, 'percent', 1)}\N{NO-BREAK SPACE}%."
    if main.detectable is not None and not why:
        n_common = counted(artifact.pairs[0].counts["n_common"], "case")
        told += would_show(n_common, f"{written(main.detectable, 'percent', 1)} points")
    return [plain(told)]


def _one(system: VerdictSystem, name: str) -> list[Phrase]:
    main = system.numbers[MAIN]
    # A column of that name belongs to nobody.
    whose = "The verdicts" if name == "verdict" else f"{name}’s verdicts"
    told = [strong(f"{whose} reach a macro F1 of {value_of(main, 'percent')}"), plain(" ")]
    told += [around(main, "percent"), plain(". ")]
    known = {
        label: each.value
        for label in CHAIN
        if (each := system.numbers.get(label)) is not None and each.value is not None
    }
    if known:
        weakest = min(known, key=lambda label: known[label] or 0.0)
        found = system.numbers[weakest]
        told.append(strong(f"The weakest link: {CHAIN[weakest][0]},"))
        told += [plain(f" {value_of(found, 'percent')} "), around(found, "percent"), plain(".")]
    return told


def _scores(artifact: VerdictsArtifact, names: Sequence[str]) -> list[Phrase]:
    """Say what each reaches; of one, how many verdicts are right."""
    silent = [not each.first.counts["n_answered"] for each in artifact.systems]
    if len(names) > 1:
        own = [value_of(each.numbers[MAIN], "percent") for each in artifact.systems]
        told = [
            f"{each} with {name}{', whose every case counts as a miss' if none else ''}"
            for each, name, none in zip(own, names, silent, strict=True)
        ]
        return [plain(f"Macro F1 is {', '.join(told)}.")]
    sides = artifact.cases.sides if artifact.cases else ()
    for side in sides[:1]:
        n = counted(sum(side.counts.values()), "verdict")
        return [plain(f"{count(side.counts['right'])} of {n} are right.")]
    found = artifact.systems[0].first.counts
    asked = counted(found["n_asked"], "case")
    return [plain(f"{count(found['n_answered'])} of {asked} are answered.")]


def _on(artifact: VerdictsArtifact) -> Iterator[str]:
    gold, policy = artifact.parts.gold, artifact.parts.policy
    pieces = counted(gold.n_evidence, "piece")
    yield f"{counted(gold.n_cases, 'case')}, {pieces} of evidence"
    yield inert(f"policy {policy.id}: {', '.join(policy.verdicts)}")
    if len(artifact.pairs) == 1:
        yield f"{len(_deltas(artifact))} differences, not corrected for being many"
    yield intervals_on(artifact)


def _measures(artifact: VerdictsArtifact) -> list[Measure]:
    numbers = artifact.systems[0].numbers
    found = [
        Measure(MAIN, "verdicts right", "macro F1", "percent", "higher", (0.0, 1.0)),
        Measure("evidence_recall", "evidence found", "recall", "percent", "higher", (0.0, 1.0)),
    ]
    last = "evidence_consistency" if "evidence_consistency" in numbers else "verdict_consistency"
    unit = "evidence to verdict" if last == "evidence_consistency" else "rule to verdict"
    return [*found, Measure(last, "follows from it", unit, "percent", "higher", (0.0, 1.0))]


def _table(artifact: VerdictsArtifact, names: Sequence[str], *, two: bool) -> Table:
    measures = _measures(artifact)
    shown = [
        (name, _counts(system), [system.numbers[each.label] for each in measures])
        for name, system in zip(names, artifact.systems, strict=True)
    ]
    pair = None
    if two:
        n_common = counted(artifact.pairs[0].counts["n_common"], "common case")
        pair = _deltas(artifact), n_common
    return systems_table(artifact, measures, shown, pair)


def _counts(system: VerdictSystem) -> tuple[tuple[Phrase, ...], ...]:
    found = system.first.counts
    failed = found["n_failed"]
    lost = strong(f"{count(failed)} failed") if failed else plain("0 failed")
    others = {"unstructured": "n_unstructured", "missing": "n_missing"}
    told = [f", {count(found[key])} {word}" for word, key in others.items() if found[key]]
    scored = f"{count(found['n_scored'])} of {counted(found['n_asked'], 'case')} scored"
    return (plain(scored),), (lost, plain("".join(told)))


def _also(artifact: VerdictsArtifact, names: Sequence[str], *, two: bool) -> Iterator[Remark]:
    if two:
        deltas, new = _deltas(artifact), names[1]
        said = _said(artifact)
        for label in [each for each in _links(artifact) if each not in said][:2]:
            shown, ends = change(deltas[label], "percent")
            words = strong(f"{_link(label, deltas[label], new)}:")
            told = (words, plain(f" {shown} "), beside(f"({ends})."))
            yield Remark(judged(deltas[label]), told)
    yield from _failures(artifact, names)
    yield from _quotations(artifact, names)
    if two:
        yield from what_changed(artifact, names)
    for name, system in zip(names, artifact.systems, strict=True):
        for advice in system.parts.diagnosis[:1]:
            cause = f" {advice.cause[:1].upper()}{advice.cause[1:]}; {advice.next_step}."
            symptom = strong(inert(f"{name}: {advice.symptom}."))
            yield Remark("fact", (symptom, plain(inert(cause))))


def _failures(artifact: VerdictsArtifact, names: Sequence[str]) -> Iterator[Remark]:
    """Say who gave no verdict how often, and what that counts."""
    own = [system.first.counts for system in artifact.systems]
    lost = [
        f"{name} {count(each['n_asked'] - each['n_answered'])} of {count(each['n_asked'])}"
        for name, each in zip(names, own, strict=True)
        if each["n_asked"] > each["n_answered"]
    ]
    if lost:
        counts = artifact.conventions.get("not_answered") == "wrong"
        what = ", each a miss of its true verdict" if counts else ""
        words = f" {', '.join(lost)} cases{what}."
        link = ("see them", f"cases?{query(answer='failed')}")
        yield Remark("fact", (strong("Not answered:"), plain(words)), link)


def _quotations(artifact: VerdictsArtifact, names: Sequence[str]) -> Iterator[Remark]:
    """Say of all systems how many quotations do not stand as given."""
    told = []
    for name, system in zip(names, artifact.systems, strict=True):
        found = system.parts.snippets
        if found is None or not found.n_snippets:
            continue
        words = ("absent", "misattributed", "stitched")
        lost = [f"{count(n)} {word}" for word in words if (n := found.statuses.get(word, 0))]
        told.append(f"{', '.join(lost) or 'none'} of {name}’s {count(found.n_snippets)}")
    if any(not each.startswith("none") for each in told):
        words_ = plain(f" {'; '.join(told)}.")
        yield Remark("fact", (strong("Quotations not as in their source:"), words_), CASES)


CASES = ("cases", "cases")
OF_VERDICTS = ("macro_f1", "ordinal_auprc")


def _drawing(artifact: VerdictsArtifact, names: Sequence[str], *, two: bool) -> Drawing:
    lanes = []
    for label, known in _known(artifact.systems[:COLOURED], names):
        wrong = "wrong" if label in OF_VERDICTS else ""
        readings = tuple(
            Reading(value, ends, at, tip=tip, go=query(system=names[at], answer=wrong))
            for at, value, ends, tip in known
        )
        delta = _difference(artifact, label) if two else None
        lanes.append(Lane(ROWS[label], readings, delta, ruled=label in RULED))
    heads = ("each system", f"{names[1]} minus {names[0]}") if two else ("", "")
    better = (f"{names[0]} better", f"{names[1]} better") if two else ("", "")
    told = Forest(lanes, (0.0, 1.0), "" if two else "share", heads=heads, better=better)
    heading = "From evidence to verdict, where they differ" if two else "From evidence to verdict"
    label = f"{heading}: {len(lanes)} numbers with their intervals"
    note = (
        "solid: better or worse; hollow: cannot tell; higher is better everywhere"
        if two
        else "higher is better everywhere; bars: intervals"
    )
    return pictured(partial(forest, told, label=label), heading, note, _grid(lanes, names))


def _difference(artifact: VerdictsArtifact, label: str) -> Reading | None:
    delta = _deltas(artifact).get(label)
    if delta is None or delta.delta is None:
        return None
    shown, ends = change(delta, "percent")
    return Reading(
        delta.delta,
        held(delta.delta, delta.interval),
        tone=judged(delta),
        tip=f"difference: {shown}\ninterval: {ends}",
    )


def _grid(lanes: Sequence[Lane], names: Sequence[str]) -> Grid:
    rows = []
    for lane in lanes:
        by_shape = {each.shape: each for each in lane.held}
        cells = tuple(
            Cell(f"{written(each.value, 'percent', 1)}{PERCENT}", span(each.ends, "percent", 1))
            if (each := by_shape.get(shape)) is not None
            else Cell(DASH)
            for shape in range(min(len(names), COLOURED))
        )
        rows.append(Row(lane.label, cells))
    return Grid("From evidence to verdict", "", tuple(names[:COLOURED]), tuple(rows))
