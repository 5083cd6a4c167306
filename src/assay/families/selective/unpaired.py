"""The first screen where nothing is paired: one system alone, many in order, remarks about each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.display.board import Field
from assay.display.changes import query
from assay.display.first import (
    Drawing,
    First,
    Mark,
    Measure,
    Phrase,
    Remark,
    around,
    beside,
    count_number,
    fewest,
    judged,
    levelled,
    people,
    plain,
    share_of,
    strong,
    value_of,
    written,
)
from assay.display.numbers import excludes, held
from assay.display.svg.many import many_curves
from assay.display.wording import count, decimals, fixed
from assay.families.selective.systems import curve_grid, curve_of, line_of
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.artifact import Board
    from assay.families.selective.first import Seen
    from assay.families.selective.parts import SelectiveArtifact

QUESTION = "When it answers, can it be believed?"
ANSWERED, LOSS, SEPARATION = "cmax", "risk", "error_auroc"
COMMON = "augrc_at_coverage@common"
CHANCE = 0.5
MOST_NAMED = 3
FAILING = 0.05
FEWEST_SUREST = 20
"""answers that the surest ones are at least"""


def one(seen: Seen) -> list[Phrase]:
    """Say how much a system answers, what that costs, and what is weak about it."""
    numbers, name = seen.numbers[0], seen.names[0]
    told = [
        strong(f"{name} answers {value_of(numbers[ANSWERED], 'percent')}"),
        plain(" of the items "),
        around(numbers[ANSWERED], "percent"),
        plain(", with a "),
        strong(f"mean loss of {value_of(numbers[LOSS], 'number')}"),
        plain(" "),
        around(numbers[LOSS], "number"),
        plain(". "),
    ]
    return [*told, *_weakness(seen)]


def _weakness(seen: Seen) -> list[Phrase]:
    """Name the first weakness that holds."""
    auroc = seen.numbers[0][SEPARATION]
    known = held(auroc.value, auroc.interval)
    side = excludes(known, CHANCE)
    main = "Main weakness: "
    if known is not None and side <= 0:
        mark: Mark = "bad" if side < 0 else "open"
        word = "worse than" if side < 0 else "not told from"
        return [strong(main), strong(f"its confidence is {word} chance.", mark)]
    surest = _surest_errors(seen)
    if surest:
        return [strong(main), *surest]
    failed, total = failed_of(seen, 0)
    if total and failed / total > FAILING:
        shown = f"{count(failed)} of {counted(total, seen.unit)} failed."
        return [strong(main), strong(shown, "bad")]
    return []


def _surest_errors(seen: Seen) -> list[Phrase]:
    """Say what the surest answers still cost, where that is clearly more than nothing."""
    curve = curve_of(dict(seen.systems.variants(seen.confidence))[0])
    for at, n in enumerate(curve.n_accepted):
        if n < FEWEST_SUREST:
            continue
        risk, low, high = (
            getattr(curve, f"selective_risk{end}")[at] for end in ("", "_low", "_high")
        )
        if low is None or high is None or not excludes((low, high), 0.0):
            return []
        places = decimals(risk, (high - low) / 4)
        ends = f" ({fixed(low, places)} to {fixed(high, places)})"
        told = f"even the {count(round(n))} answers it is surest of lose {fixed(risk, places)}"
        return [strong(told, "bad"), beside(ends), plain(".")]
    return []


def failed_of(seen: Seen, place: int) -> tuple[int, int]:
    """Return on how many participants a system failed, and how many there are."""
    counts = seen.artifact.inputs[seen.artifact.systems[place].input].counts
    return counts["participants_failed"], counts["participants_total"]


def sorting(seen: Seen) -> Iterator[Remark]:
    """Say whether confidence sorts right from wrong, in the words of all systems."""
    numbers = {place: own[SEPARATION] for place, own in seen.numbers.items()}
    known = {place: each for place, each in numbers.items() if each.value is not None}
    if not known or len(seen.names) == 1:
        return
    sides = {excludes(held(each.value, each.interval), CHANCE) for each in known.values()}
    marks: dict[int, tuple[Mark, str]] = {
        1: ("good", "better than chance"),
        -1: ("bad", "worse than chance"),
        0: ("open", "not told from chance"),
    }
    alone = next(iter(sides)) if len(sides) == 1 else None
    mark, word = marks[alone] if alone is not None else ("fact", "not alike")
    phrases = [strong(f"{inert(seen.confidence)} sorts right from wrong"), plain(f" {word}: ")]
    for at, (place, each) in enumerate([*known.items()][:MOST_NAMED]):
        lead = f"{', ' if at else ''}{seen.names[place]} {value_of(each, 'percent')} "
        phrases += [plain(lead), around(each, "percent")]
    yield Remark(mark, (*phrases, plain(" of the time.")))


def failures(seen: Seen) -> Iterator[Remark]:
    """Say on how many each failed, and who more often."""
    failed = [failed_of(seen, place) for place in range(len(seen.names))]
    if not any(each for each, _ in failed):
        return
    rates = [pair.deltas.get("", {}).get("failure_rate") for pair in seen.systems.pairs]
    counts = ", ".join(
        f"{name} {count(n)} of {count(total)}"
        for name, (n, total) in zip(seen.names, failed, strict=True)
    )
    delta = rates[0] if len(rates) == 1 else None
    mark = "fact" if delta is None else judged(delta)
    told = {
        "good": f"{seen.names[-1]} fails less often:",
        "bad": f"{seen.names[-1]} fails more often:",
        "open": "Failures cannot be told apart:",
    }.get(mark, "Failures:")
    words = (strong(told), plain(f" {counts} {seen.unit}s, in no number above."))
    yield Remark(mark, words, ("see them", f"cases?{query(answer='failed')}"))


def groups(seen: Seen) -> Iterator[Remark]:
    """Say which group loses most, and which least."""
    slices = dict(seen.systems.variants(seen.confidence))[0].slices
    known = [each for each in slices if each.numbers[LOSS].value is not None]
    if len(known) < 2:  # noqa: PLR2004 - one group is no other
        return
    ordered = sorted(known, key=lambda each: each.numbers[LOSS].value or 0.0)
    places = fewest(each.numbers[LOSS] for each in known)
    told: list[Phrase] = [strong("By group:")]
    for word, each in (("most is lost in", ordered[-1]), ("least in", ordered[0])):
        lead = f"{'; ' if len(told) > 1 else ' '}{word} {inert(each.label) or '(none)'},"
        told.append(plain(f"{lead} {value_of(each.numbers[LOSS], 'number', places)} "))
        told.append(around(each.numbers[LOSS], "number"))
    link = ("all groups", "numbers")
    yield Remark("fact", (*told, plain(f", of {len(known)}.")), link)


def errors(seen: Seen) -> Iterator[Remark]:
    """Lead to the wrong answers, the surest first."""
    cases = seen.artifact.cases
    if not cases or not cases.kept or not cases.sides[0].counts.get("wrong"):
        return
    counts = cases.sides[0].counts
    of = counted(counts["right"] + counts["wrong"], "answer")
    words = f" {count(counts['wrong'])} of {of}, the surest first."
    link = ("see them", f"cases?{query(answer='wrong')}")
    yield Remark("fact", (strong("Wrong:"), plain(words)), link)


def many(artifact: SelectiveArtifact, board: Board) -> First:
    """Lay out the first screen of many: who risks least at the coverage that all reach."""
    cut = share_of(artifact.parts.common_coverage or 0.0)
    inputs = [artifact.inputs[each.input].counts for each in artifact.systems]
    failed = [count_number(each["participants_failed"]) for each in inputs]
    field = Field.of(
        artifact,
        people(artifact),
        Measure(COMMON, f"risk up to {cut}", "same coverage for all", "number", "lower"),
        "the lowest risk",
        [
            Measure(ANSWERED, "answers", "of the items", "percent", "higher"),
            Measure(LOSS, "loss", "of its answers", "number", "lower"),
            (Measure("", "failed", f"{inert(artifact.resampling.unit)}s"), failed),
        ],
    )
    return field.first(
        f"Selective prediction: {QUESTION}",
        _on(artifact, board),
        _curves(artifact, board, field),
        _also(artifact),
    )


def _on(artifact: SelectiveArtifact, board: Board) -> Iterator[str]:
    plan, own = artifact.resampling, artifact.systems[0].parts.population
    unit = inert(plan.unit)
    items = counted(own.items_total, "item")
    yield f"{counted(own.participants_included, unit)}, {items}, the same for all"
    yield f"confidence {inert(board.variant)}"
    yield f"loss {inert(artifact.parts.loss.name)}"
    if not plan.n_resamples:
        yield "no intervals: no resamples were asked for"
        return
    yield f"{levelled(plan.level)} intervals, {unit}s resampled {counted(plan.n_resamples, 'time')}"


def _also(artifact: SelectiveArtifact) -> Iterator[Remark]:
    shares = [each.parts.population.cmax for each in artifact.systems]
    known = [each for each in shares if each is not None]
    if len({*known}) > 1:
        least, most = written(min(known), "percent", 1), share_of(max(known))
        words = f" are not compared: systems answer {least} to {most} of the items."
        yield Remark("apart", (strong("Full areas"), plain(words)))
    counts = [artifact.inputs[each.input].counts for each in artifact.systems]
    failing = [each["participants_failed"] for each in counts]
    abstained = [each.parts.population.items_abstained for each in artifact.systems]
    total = artifact.systems[0].parts.population.items_total
    lost = "Nothing failed;" if not any(failing) else f"{count(sum(failing))} failed in all;"
    between = f"{count(min(abstained))} to {count(max(abstained))}"
    between = between if min(abstained) < max(abstained) else count(min(abstained))
    words = f" {between} of {counted(total, 'item')} abstained."
    yield Remark("fact", (strong(lost), plain(words)), ("all counts", "numbers"))


def _curves(artifact: SelectiveArtifact, board: Board, field: Field) -> Drawing:
    """Draw the curves of all."""
    drawn = (
        line_of(artifact, system.variants[board.variant], name)
        for name, system in zip(field.names, artifact.systems, strict=True)
    )
    lines = {place: line for place, line in enumerate(drawn) if line is not None}
    heading, note = "Curves of the chosen three", "mean loss of what is accepted; the rest is grey"
    if not lines:
        return Drawing(heading, note, "", "", fault="No curve: a curve needs at least one answer.")
    chosen = [lines[each] for each in field.slots if each in lines]
    told = ", ".join(f"{each.name} ends at {each.end}" for each in chosen)
    picture = many_curves(
        lines,
        field.slots,
        cut=artifact.parts.common_coverage,
        axis="accepted share of the items",
        label=f"Mean loss of what is accepted, by the share that is accepted: {told}.",
    )
    return Drawing(heading, note, "", picture, curve_grid(chosen))
