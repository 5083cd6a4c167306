"""Grounded verdicts in words and tables.

The seven numbers come first, each with its interval and its counts; then the scale, the quotations,
the logic, what to look into, the worst cases and the differences between systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.display.blocks import Cell, Detail, Grid, Line, Role, Row, Section, facts
from assay.display.changes import Look
from assay.display.numbers import DASH, Numbers, counts, ends, minus, stem, unswept
from assay.display.wording import count, percent, points
from assay.display.words import (
    Strip,
    Words,
    chosen,
    compared_lines,
    interval_lines,
    resampled,
    source,
    strip,
    system_names,
    tool_and_warnings,
)
from assay.families.verdicts.cases import CaseRow, case_tables, state
from assay.families.verdicts.counts import BESIDE, COUNTERPARTS
from assay.families.verdicts.first import first
from assay.score import spelled
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.families.verdicts.parts import VerdictsArtifact, VerdictSystem

FIRST = {
    "ordinal_auprc": "AUPRC",
    "macro_f1": "Macro F1",
    "evidence_precision": "Evidence Precision",
    "evidence_recall": "Evidence Recall",
    "snippet_validity": "Snippet Validity",
    "judgement_accuracy": "Judgement Accuracy",
    "verdict_consistency": "Verdict Consistency",
    "evidence_consistency": "Evidence-to-Verdict",
}
"""the numbers of the table under the names that people know them by; the last needs rules"""
CLASSES = {"class_precision": "precision", "class_recall": "recall", "class_f1": "F1"}
BROKEN_DOWN = ("threshold_auprc", *CLASSES)
"""numbers by step and by verdict, which have tables of their own"""
WORST = 10
LONGEST = 40
"""characters of a text that a table shows"""
STATUSES = ("exact", "normalized", "stitched", "misattributed", "absent", "unchecked")


def sections(artifact: VerdictsArtifact) -> Iterator[Section]:
    """Say what an artifact of verdicts holds."""
    several = len(artifact.systems) > 1
    read = [each for each in artifact.inputs if each.role != "policy"]
    plan = artifact.resampling
    yield facts("inputs", ((each.role.replace("_", " "), source(each)) for each in read))
    yield facts("conventions", _policy(artifact))
    yield facts("population", _populations(artifact))
    reading = ("reading", chosen(artifact.conventions, SHOWN))
    yield facts("conventions", [reading, resampled(plan, plan.unit)])
    yield from tool_and_warnings(artifact)
    numbers = Numbers.of(artifact)
    if several:
        yield Section("main", _side_by_side(artifact, numbers))
        yield from _differences(artifact, numbers)
    for system in artifact.systems:
        name = inert(system.name)
        of = f", {name}" if several else ""
        yield Section("numbers" if several else "main", _seven(system, numbers, of), system=name)
        for role, table in _breakdowns(artifact, system, numbers, of):
            detail: Detail = "full" if several else "short"
            yield Section(role, table, system=name, detail=detail)
        yield facts("findings", _logic(artifact, system), f"Quotations and logic{of}", name)
        advice = [
            (each.symptom, f"{each.cause}: {each.next_step}") for each in system.parts.diagnosis
        ]
        told = ((inert(symptom), inert(cause)) for symptom, cause in advice)
        yield facts("findings", told, f"What to look into{of}", name)
        for worst in _worst(system, of):
            yield Section("cases", worst, system=name)
    yield from numbers.by_group(artifact, ("macro_f1", "ordinal_auprc"))
    yield from _others(artifact, numbers)
    yield facts("key", _key(artifact))


def _broken_down(artifact: VerdictsArtifact) -> Iterator[tuple[str, str]]:
    """Name the numbers by step and by verdict."""
    for step in artifact.systems[0].parts.thresholds:
        yield f"threshold_auprc@{spelled(step.threshold)}", f"AUPRC, {inert(step.name)}"
    for name, title in CLASSES.items():
        for at, verdict in enumerate(artifact.parts.policy.verdicts):
            yield f"{name}@{spelled(at)}", f"{title}, {inert(verdict)}"


def _is_other(label: str) -> bool:
    """Tell numbers that only their being registered puts here."""
    return label not in FIRST and stem(label) not in BROKEN_DOWN


def _others(artifact: VerdictsArtifact, numbers: Numbers) -> Iterator[Section]:
    own = [{k: n for k, n in each.numbers.items() if _is_other(k)} for each in artifact.systems]
    columns = list(zip(system_names(artifact), own, strict=True))
    if alone := unswept(own[0]):
        table = numbers.grid("Other numbers", columns, alone)
        yield Section("numbers", table, detail="full")
    for table in numbers.swept(columns):
        yield Section("numbers", table, detail="full")


def _policy(artifact: VerdictsArtifact) -> Iterator[Line]:
    policy = artifact.parts.policy
    for given in artifact.inputs:
        if given.role == "policy":
            yield "policy", inert(f"{policy.id}, {source(given)}")
    yield "scale", inert(" < ".join(policy.verdicts))
    end = policy.high_end if policy.positive == "high" else policy.low_end
    yield "positive", inert(f"the {policy.positive} end ({end})")


def _populations(artifact: VerdictsArtifact) -> Iterator[Line]:
    gold = artifact.parts.gold
    support = ", ".join(f"{verdict} {n}" for verdict, n in gold.support.items())
    cases = counted(gold.n_cases, "case")
    sources = counted(gold.n_evidence, "source with findings", "sources with findings")
    yield "truth", inert(f"{cases} ({support}), {sources}")
    for system in artifact.systems:
        yield "population", f"{inert(system.name)}: {_population(system)}"


def _population(system: VerdictSystem) -> str:
    found, ranked_by = system.first.counts, system.first.about["ranked_by"]
    asked = f"{counted(found['n_asked'], 'case')} asked, {count(found['n_answered'])} answered"
    lost = {name: found[f"n_{name}"] for name in ("failed", "unscored")}
    told = [f"{count(n)} {name}" for name, n in lost.items() if n]
    parts = [asked, *told] if told else []
    parts += [counted(found["n_samples"], "result"), f"{count(found['n_structured'])} structured"]
    others = {
        "unstructured": "n_unstructured",
        "with an error": "n_error",
        "missing": "n_missing",
        "without ground truth": "n_without_gt",
        "without verdict": "n_without_verdict",
        "outside the scale": "n_outside_scale",
        "without rank score": "n_without_rank_score",
    }
    parts += [f"{count(found[name])} {what}" for what, name in others.items() if found[name]]
    parts += [f"{count(found['n_scored'])} scored", f"{count(found['n_ranked'])} ranked"]
    by = {"rank_score": "rank score", "verdict": "verdict (no scores)", "mixed": "both, mixed"}
    return f"{', '.join(parts)} by {by.get(str(ranked_by), inert(str(ranked_by)))}"


SHOWN = ("snippets", "recall_over", "judged_over", "classes", "preset")


def _heading(rows: Sequence[Row]) -> str:
    """Say how many numbers there are: without rules of a policy nothing follows from evidence."""
    seven = len(FIRST) - 1
    beside = ", and evidence-to-verdict" if len(rows) > seven else " in total"
    return f"Evaluation metrics ({seven}{beside})"


def _seven(system: VerdictSystem, numbers: Numbers, of: str) -> Grid:
    """Show numbers with their counts; of several systems the counts, as all numbers are above."""
    rows = []
    for label, name in FIRST.items():
        if label in system.parts.counted:
            score = () if of else (numbers.percentage(system.numbers[label]),)
            found = system.parts.counted[label]
            of_all = "" if found.numerator is None else f"{count(found.numerator)}/"
            told = f"{of_all}{count(found.denominator)} {found.what}{_beside(system, label)}"
            rows.append(Row(name, (*score, Cell(told))))
    if of:
        return Grid(f"Counts{of}", "metric", ("counts",), tuple(rows))
    return Grid(_heading(rows), "metric", ("score", "counts"), tuple(rows))


def _beside(system: VerdictSystem, label: str) -> str:
    name = BESIDE.get(label, "")
    found = system.numbers.get(name)
    value = None if found is None else found.value
    return "" if value is None else f"; {COUNTERPARTS[name].lower()} {percent(value)}"


def _side_by_side(artifact: VerdictsArtifact, numbers: Numbers) -> Grid:
    rows = [
        Row(name, tuple(numbers.percentage(each.numbers[label]) for each in artifact.systems))
        for label, name in FIRST.items()
        if label in artifact.systems[0].numbers
    ]
    return Grid(_heading(rows), "metric", tuple(system_names(artifact)), tuple(rows))


def _breakdowns(
    artifact: VerdictsArtifact, system: VerdictSystem, numbers: Numbers, of: str
) -> Iterator[tuple[Role, Grid]]:
    tables = (*_scale(artifact, system, numbers), *_fields(system, numbers))
    roles: list[tuple[Role, Grid]] = [("strata", table) for table in tables]
    roles += [("sensitivity", table) for table in _modes(system, numbers)]
    yield from ((role, replace(table, title=f"{table.title}{of}")) for role, table in roles)


def _scale(artifact: VerdictsArtifact, system: VerdictSystem, numbers: Numbers) -> Iterator[Grid]:
    """Show the steps of the scale, each verdict as a class, and what is taken for what."""
    found, confusion, lost = system.numbers, system.parts.confusion, system.parts.unanswered
    areas = [found[f"threshold_auprc@{spelled(e.threshold)}"] for e in system.parts.thresholds]
    steps = [
        Row(inert(e.name), (*counts(e.n_positive, e.n_negative), numbers.percentage(area)))
        for e, area in zip(system.parts.thresholds, areas, strict=True)
    ]
    if steps:
        headings = ("positive", "negative", "AUPRC")
        yield Grid("Average precision by threshold", "positive", headings, tuple(steps))
    verdicts = tuple(map(inert, artifact.parts.policy.verdicts))
    rows = [
        Row(
            verdict,
            (
                *counts(sum(confusion[at]) + lost[at], sum(row[at] for row in confusion)),
                *(numbers.percentage(found[f"{name}@{spelled(at)}"]) for name in CLASSES),
            ),
        )
        for at, verdict in enumerate(verdicts)
    ]
    columns = ("true", "given", *CLASSES.values())
    yield Grid("Each verdict as a class", "verdict", columns, tuple(rows))
    columns = (*verdicts, "none") if any(lost) else verdicts
    table = zip(verdicts, confusion, lost, strict=True)
    rows = [Row(name, counts(*[*given, none][: len(columns)])) for name, given, none in table]
    title = "What was given (columns) for what is true (rows)"
    yield Grid(title, "true", columns, tuple(rows))


def _fields(system: VerdictSystem, numbers: Numbers) -> Iterator[Grid]:
    rows = []
    for each in system.parts.fields:
        value = DASH if each.accuracy is None else percent(each.accuracy)
        why = each.interval_reason if numbers.resampled and each.interval is None else None
        accuracy = Cell(value, ends(each.interval), (why,) if why else ())
        rows.append(Row(inert(each.field), (*counts(each.n_judged, each.n_right), accuracy)))
    if rows:
        headings = ("judged", "right", "accuracy")
        yield Grid("Judgements by field", "field", headings, tuple(rows))


def _modes(system: VerdictSystem, numbers: Numbers) -> Iterator[Grid]:
    found = system.parts.snippets
    if found is not None:
        rows = [
            Row(mode, (*counts(found.n_valid[mode]), numbers.percentage(each)))
            for mode, each in found.modes.items()
        ]
        title = f"Quotations by mode ({count(found.n_snippets)} in all, {found.mode} counts)"
        yield Grid(title, "mode", ("valid", "share"), tuple(rows))


def _logic(artifact: VerdictsArtifact, system: VerdictSystem) -> Iterator[Line]:
    found = system.parts.snippets
    if found is not None:
        statuses = [f"{count(n)} {s}" for s in STATUSES if (n := found.statuses.get(s, 0))]
        yield "quotations", ", ".join(statuses) or "none"
        if found.n_unknown_source:
            yield "", f"{count(found.n_unknown_source)} from sources that do not exist"
        if found.n_without_source:
            yield "", f"{count(found.n_without_source)} of cases without sources, not counted"
    of = system.first.counts
    skipped = (
        f"{count(of['n_without_rule'])} without a rule, {count(of['n_without_verdict'])} without a"
        f" verdict, {count(of['n_error'])} failed"
    )
    rules = counted(of["n_ruled"], "rule leads", "rules lead")
    yield "rule", f"{count(of['n_consistent'])} of {rules} to the verdict; skipped: {skipped}"
    if artifact.parts.policy.rules:
        yield "evidence", _agreement(of)
    else:
        why = system.first.about["not_derived"] or "the policy has no rules"
        yield "evidence", inert(str(why))
    malformed = [f"{inert(kind)} ({count(n)})" for kind, n in system.parts.malformed.items() if n]
    yield "malformed", ", ".join(malformed) or "nothing"


def _agreement(n: Mapping[str, int]) -> str:
    return (
        f"of {counted(n['n_derived'], 'verdict')} derived from the cited evidence"
        f" {count(n['n_agreeing'])} are the one given, {count(n['n_derived_true'])} the true one;"
        f" stated scores that agree {count(n['n_score_agreeing'])} of"
        f" {count(n['n_score_stated'])}, stated rules {count(n['n_rule_agreeing'])} of"
        f" {count(n['n_rule_stated'])}"
    )


def _worst(system: VerdictSystem, of: str) -> Iterator[Grid]:
    bad = [each for each in system.parts.cases if each.badness > 0]
    shown = sorted(bad, key=lambda each: each.badness_rank)[:WORST]
    if not shown:
        return
    rows = [Row(_cut(each.case), _case(each)) for each in shown]
    headings = ("verdict", "truth", "rank", "claimed", "matched", "gold", "invalid\nquotes", "")
    worst = "The worst case" if len(shown) == 1 else f"The worst {len(shown)} cases"
    yield Grid(f"{worst}{of}", "case", headings, tuple(rows))


def _case(case: CaseRow) -> tuple[Cell, ...]:
    quotes = f"{case.n_invalid}/{case.n_snippets}" if case.n_snippets else DASH
    return (
        Cell(_cut(case.verdict or DASH)),
        Cell(_cut(case.truth or DASH)),
        Cell(DASH if case.rank is None else count(case.rank)),
        *counts(case.n_claimed, case.n_matched, case.n_gold),
        Cell(quotes),
        Cell(state(case)),
    )


def _cut(text: str) -> str:
    shown = inert(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."


def _differences(artifact: VerdictsArtifact, numbers: Numbers) -> Iterator[Section]:
    names = system_names(artifact)
    headings = ("points", *numbers.difference_headings[1:])
    for pair in artifact.pairs:
        sides, deltas = (names[pair.left], names[pair.right]), pair.deltas[""]
        rows = tuple(
            Row(
                name,
                numbers.difference_cells(deltas[label], points),
                numbers.arrow(label),
                detail="short" if label in FIRST else "full",
            )
            for label, name in {**FIRST, **COUNTERPARTS, **dict(_broken_down(artifact))}.items()
            if label in deltas
        )
        title = f"{minus(names, pair)}, {counted(pair.counts['n_common'], 'common case')}"
        yield Section("differences", Grid(title, "", headings, rows), pair=sides)
        others = {k: delta for k, delta in deltas.items() if _is_other(k) and k not in COUNTERPARTS}
        if others:
            table = numbers.differences(f"{title}, other numbers", others)
            yield Section("differences", table, pair=sides, detail="full")


def _key(artifact: VerdictsArtifact) -> Iterator[Line]:
    plan = artifact.resampling
    unit = inert(artifact.resampling.unit)
    lines = interval_lines(artifact, f"interval over resampled {unit}s")
    yield from lines
    if plan.n_resamples and not any(word == "exact" for word, _ in lines):
        yield "exact", "of a share of independent cases, where all resamples agree"
    yield from compared_lines(plan, artifact.pairs)
    if artifact.pairs:
        yield "points", "percentage points, the difference of two percentages"
    yield DASH, "undefined, never 0"


def _strips(artifact: VerdictsArtifact) -> Iterator[Strip]:
    for system in artifact.systems:
        seen = system.first.counts
        yield strip(
            f"{system.name}: results",
            ("structured", seen["n_structured"], "main"),
            ("unstructured", seen["n_unstructured"], "soft"),
            ("errors", seen["n_error"], "bad"),
            ("cases without a result", seen["n_missing"], "open"),
        )


WORDS = Words(
    title="Grounded verdicts",
    sections=sections,
    first=first,
    strips=_strips,
    look=Look(loss="steps off", confidence="rank score"),
    cases=case_tables,
)
