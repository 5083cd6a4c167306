"""Grounded verdicts in words and tables.

The seven numbers come first, each with its interval and its counts; then the scale, the quotations,
the logic, what to look into, the worst cases and the differences between systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.artifacts.verdicts import CaseRow, MetricCounts, VerdictsArtifact, VerdictSystem
from assay.display.blocks import Cell, Grid, Line, Role, Row, Section, facts
from assay.display.cases import CaseCell, CaseTable, Column, column, listed, number, said, text
from assay.display.facts import (
    chosen,
    compared_lines,
    interval_lines,
    resampled,
    source,
    tool_and_warnings,
)
from assay.display.numbers import DASH, Numbers, arrow, counts, ends, minus
from assay.display.strips import Strip, strip
from assay.display.wording import count, percent, points
from assay.display.words import Words, system_names
from assay.report.families.verdicts.headline import headline
from assay.report.families.version1 import numbers_of
from assay.showing import counted, inert

__all__ = ["WORDS"]

SEVEN: Mapping[str, str] = {
    "ordinal_auprc": "AUPRC",
    "macro_f1": "Macro F1",
    "evidence_precision": "Evidence Precision",
    "evidence_recall": "Evidence Recall",
    "snippet_validity": "Snippet Validity",
    "judgement_accuracy": "Judgement Accuracy",
    "verdict_consistency": "Verdict Consistency",
}
"""the numbers of the table under the names that people know them by"""
BESIDE_SEVEN: Mapping[str, str] = {"evidence_consistency": "Evidence-to-Verdict"}
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
    yield facts("conventions", [reading, resampled(plan, "case")])
    yield from tool_and_warnings(artifact)
    found = [each.metrics for each in artifact.systems]
    numbers = numbers_of(artifact, *found, *(each.deltas for each in artifact.pairs))
    if several:
        yield Section("main", _side_by_side(artifact, numbers))
        yield from _differences(artifact, numbers)
    for system in artifact.systems:
        name = inert(system.name)
        of = f", {name}" if several else ""
        yield Section("numbers" if several else "main", _seven(system, numbers, of), system=name)
        for role, table in () if several else _breakdowns(system, numbers):
            yield Section(role, table, system=name)
        yield facts("findings", _logic(system), f"Quotations and logic{of}", name)
        yield facts("findings", _advice(system), f"What to look into{of}", name)
        for worst in _worst(system, of):
            yield Section("cases", worst, system=name)
    yield facts("key", _key(artifact))


def _policy(artifact: VerdictsArtifact) -> Iterator[Line]:
    policy = artifact.policy
    for given in artifact.inputs:
        if given.role == "policy":
            yield "policy", inert(f"{policy.id}, {source(given)}")
    yield "scale", inert(" < ".join(policy.verdicts))
    yield "positive", inert(f"the {policy.positive} end ({_end(artifact)})")


def _populations(artifact: VerdictsArtifact) -> Iterator[Line]:
    gold = artifact.gold
    support = ", ".join(f"{verdict} {n}" for verdict, n in gold.support.items())
    cases = counted(gold.n_cases, "case")
    yield "truth", inert(f"{cases} ({support}), {counted(gold.n_evidence, 'evidence')}")
    for system in artifact.systems:
        yield "population", f"{inert(system.name)}: {_population(system)}"


def _end(artifact: VerdictsArtifact) -> str:
    policy = artifact.policy
    return policy.high_end if policy.positive == "high" else policy.low_end


def _population(system: VerdictSystem) -> str:
    found = system.population
    parts = [counted(found.n_samples, "result"), f"{count(found.n_structured)} structured"]
    others = {
        "unstructured": found.n_unstructured,
        "failed": found.n_failed,
        "missing": found.n_missing,
        "without ground truth": found.n_without_gt,
        "without verdict": found.n_without_verdict,
        "outside the scale": found.n_outside_scale,
        "without rank score": found.n_without_rank_score,
    }
    parts += [f"{count(n)} {what}" for what, n in others.items() if n]
    parts += [f"{count(found.n_scored)} scored", f"{count(found.n_ranked)} ranked"]
    by = {"risk_score": "risk score", "verdict": "verdict (no scores)", "mixed": "both, mixed"}
    return f"{', '.join(parts)} by {by.get(found.ranked_by, found.ranked_by)}"


SHOWN = ("snippets", "recall_over", "judged_over", "classes", "preset")


def _heading(rows: Sequence[Row]) -> str:
    """Say how many numbers there are: without rules of a policy nothing follows from evidence."""
    beside = ", and evidence-to-verdict" if len(rows) > len(SEVEN) else " in total"
    return f"Evaluation metrics ({len(SEVEN)}{beside})"


def _seven(system: VerdictSystem, numbers: Numbers, of: str) -> Grid:
    """Show numbers with their counts; of several systems the counts, as all numbers are above."""
    rows = []
    for label, name in {**SEVEN, **BESIDE_SEVEN}.items():
        if label in system.metrics:
            score = () if of else (numbers.percentage(system.metrics[label]),)
            rows.append(Row(name, (*score, Cell(_counted(system.counts[label])))))
    if of:
        return Grid(f"Counts{of}", "metric", ("counts",), tuple(rows))
    return Grid(_heading(rows), "metric", ("score", "counts"), tuple(rows))


def _counted(found: MetricCounts) -> str:
    of = "" if found.numerator is None else f"{count(found.numerator)}/"
    return f"{of}{count(found.denominator)} {found.what}"


def _side_by_side(artifact: VerdictsArtifact, numbers: Numbers) -> Grid:
    rows = [
        Row(name, tuple(numbers.percentage(each.metrics[label]) for each in artifact.systems))
        for label, name in {**SEVEN, **BESIDE_SEVEN}.items()
        if label in artifact.systems[0].metrics
    ]
    return Grid(_heading(rows), "metric", tuple(system_names(artifact)), tuple(rows))


def _breakdowns(system: VerdictSystem, numbers: Numbers) -> Iterator[tuple[Role, Grid]]:
    yield from (("strata", table) for table in _scale(system, numbers))
    yield from (("strata", table) for table in _fields(system, numbers))
    yield from (("sensitivity", table) for table in _modes(system, numbers))


def _scale(system: VerdictSystem, numbers: Numbers) -> Iterator[Grid]:
    """Show the steps of the scale, each verdict as a class, and what is taken for what."""
    steps = [
        Row(
            inert(each.name),
            (*counts(each.n_positive, each.n_negative), numbers.percentage(each.auprc)),
        )
        for each in system.thresholds
    ]
    if steps:
        headings = ("positive", "negative", "AUPRC")
        yield Grid("Average precision by threshold", "positive", headings, tuple(steps))
    rows = [
        Row(
            inert(each.verdict),
            (
                *counts(each.support, each.n_given),
                *map(numbers.percentage, (each.precision, each.recall, each.f1)),
            ),
        )
        for each in system.classes
    ]
    columns = ("true", "given", "precision", "recall", "F1")
    yield Grid("Each verdict as a class", "verdict", columns, tuple(rows))
    rows = [
        Row(inert(each.verdict), counts(*given))
        for each, given in zip(system.classes, system.confusion, strict=True)
    ]
    title = "What was given (columns) for what is true (rows)"
    yield Grid(title, "true", tuple(inert(each.verdict) for each in system.classes), tuple(rows))


def _fields(system: VerdictSystem, numbers: Numbers) -> Iterator[Grid]:
    rows = []
    for each in system.fields:
        value = DASH if each.accuracy is None else percent(each.accuracy)
        why = each.interval_reason if numbers.resampled and each.interval is None else None
        accuracy = Cell(value, ends(each.interval), (why,) if why else ())
        rows.append(Row(inert(each.field), (*counts(each.n_judged, each.n_right), accuracy)))
    if rows:
        headings = ("judged", "right", "accuracy")
        yield Grid("Judgements by field", "field", headings, tuple(rows))


def _modes(system: VerdictSystem, numbers: Numbers) -> Iterator[Grid]:
    found = system.snippets
    if found is not None:
        rows = [
            Row(mode, (*counts(found.n_valid[mode]), numbers.percentage(each)))
            for mode, each in found.modes.items()
        ]
        title = f"Quotations by mode ({count(found.n_snippets)} in all, {found.mode} counts)"
        yield Grid(title, "mode", ("valid", "share"), tuple(rows))


def _logic(system: VerdictSystem) -> Iterator[Line]:
    found = system.snippets
    if found is not None:
        statuses = [f"{count(n)} {s}" for s in STATUSES if (n := found.statuses.get(s, 0))]
        yield "quotations", ", ".join(statuses) or "none"
        if found.n_unknown_review:
            yield "", f"{count(found.n_unknown_review)} from reviews that do not exist"
        if found.n_without_source:
            yield "", f"{count(found.n_without_source)} of cases without reviews, not counted"
    logic = system.consistency
    skipped = (
        f"{count(logic.n_skipped_no_rule)} without a rule, {count(logic.n_skipped_no_verdict)}"
        f" without a verdict, {count(logic.n_skipped_failed)} failed"
    )
    rules = counted(logic.n_ruled, "rule leads", "rules lead")
    ruled = f"{count(logic.n_consistent)} of {rules} to the verdict"
    yield "rule", f"{ruled}; skipped: {skipped}"
    yield "evidence", _agreement(system)
    malformed = [f"{inert(kind)} ({count(n)})" for kind, n in system.malformed.items() if n]
    yield "malformed", ", ".join(malformed) or "nothing"


def _agreement(system: VerdictSystem) -> str:
    found = system.agreement
    if not found.available:
        return inert(found.reason or "the policy has no rules")
    return (
        f"of {counted(found.n_derived, 'verdict')} derived from the cited evidence"
        f" {count(found.n_agreeing)} are the one given, {count(found.n_derived_true)} the true"
        f" one; stated scores that agree {count(found.n_score_agreeing)} of"
        f" {count(found.n_score_stated)}, stated rules {count(found.n_rule_agreeing)} of"
        f" {count(found.n_rule_stated)}"
    )


def _advice(system: VerdictSystem) -> Iterator[Line]:
    for each in system.diagnosis:
        yield inert(each.symptom), inert(f"{each.cause}: {each.next_step}")


def _worst(system: VerdictSystem, of: str) -> Iterator[Grid]:
    bad = [each for each in system.cases if each.badness > 0]
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
        Cell("" if case.state == "structured" else case.state),
    )


def _cut(text: str) -> str:
    shown = inert(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."


def _differences(artifact: VerdictsArtifact, numbers: Numbers) -> Iterator[Section]:
    names = system_names(artifact)
    headings = ("points", *numbers.difference_headings[1:])
    for pair in artifact.pairs:
        rows = tuple(
            Row(
                {**SEVEN, **BESIDE_SEVEN}.get(label, label),
                numbers.difference_cells(label, delta, points),
                arrow(delta.better),
            )
            for label, delta in pair.deltas.items()
        )
        title = f"{minus(names, pair)}, {counted(pair.n_common, 'common case')}"
        table = Grid(title, "", headings, rows)
        yield Section("differences", table, pair=(names[pair.left], names[pair.right]))


def _key(artifact: VerdictsArtifact) -> Iterator[Line]:
    plan = artifact.resampling
    yield from interval_lines(plan, "interval over resampled cases")
    if plan.n_resamples:
        yield "exact", "of a share of independent cases, where all resamples agree"
    yield from compared_lines(plan, artifact.pairs)
    if artifact.pairs:
        yield "points", "percentage points, the difference of two percentages"
    yield DASH, "undefined, never 0"


def _strips(artifact: VerdictsArtifact) -> Iterator[Strip]:
    for system in artifact.systems:
        seen = system.population
        yield strip(
            f"{system.name}: results",
            ("structured", seen.n_structured, "main"),
            ("unstructured", seen.n_unstructured, "soft"),
            ("failed", seen.n_failed, "bad"),
            ("cases without a result", seen.n_missing, "open"),
        )


def _cases(artifact: VerdictsArtifact) -> Iterator[CaseTable]:
    for system in artifact.systems:
        of = f", {system.name}" if len(artifact.systems) > 1 else ""
        worst = sorted(system.cases, key=lambda each: each.badness_rank)
        if worst:
            yield listed(f"Cases, the worst first{of}", worst, len(worst), CASES)
        invalid = [each for each in system.audit if not each.valid]
        if invalid:
            title = f"Quotations that are not valid{of}"
            yield listed(title, invalid, len(invalid), SNIPPETS)


def _verdict(row: CaseRow) -> CaseCell:
    right = row.verdict is not None and row.verdict == row.truth
    return text(row.verdict, "good" if right else "bad")


CASES = (
    number("rank", "badness_rank"),
    column("case", "case"),
    column("name", "name"),
    column("state", "state"),
    Column("verdict", _verdict),
    column("truth", "truth"),
    number("steps off", "steps"),
    number("claimed", "n_claimed"),
    number("matched", "n_matched"),
    number("missed", "n_missed"),
    number("invalid quotes", "n_invalid"),
    said("rule fits", "rule_consistent"),
    said("evidence fits", "evidence_agrees"),
)
SNIPPETS = (
    column("case", "case"),
    column("review", "review_id"),
    column("status", "status", tone="bad"),
    column("quotation", "snippet"),
    column("field", "field"),
    Column("note", lambda row: text(row.note or (row.found_in and f"stands in {row.found_in}"))),
)
WORDS = Words(
    title="Grounded verdicts",
    sections=sections,
    headline=headline,
    strips=_strips,
    cases=_cases,
)
