"""Grounded verdicts as words and tables, from their artifact alone.

The seven numbers come first, each with its interval and its counts; then the scale, the quotations,
the logic, what to look into, the worst cases and the differences between systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from assay.artifacts import Scalar
from assay.artifacts.verdicts import (
    CaseRow,
    MetricCounts,
    VerdictPair,
    VerdictsArtifact,
    VerdictSystem,
)
from assay.report.numbers import DASH, Notes, arrow
from assay.report.view import Block, Cell, Facts, Grid, Row, Summary
from assay.report.wording import count, level, percent, points, superscript
from assay.showing import counted, inert

__all__ = ["SEVEN", "summarize_verdicts"]

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
LOGIC = "Quotations and logic"
WORST = 10
LONGEST = 40
"""characters of a text that a table shows"""
STATUSES = ("exact", "normalized", "stitched", "misattributed", "absent", "unchecked")


def summarize_verdicts(artifact: VerdictsArtifact) -> Summary:
    """Say what an artifact of verdicts holds."""
    notes = Notes(resampled=artifact.resampling.n_resamples > 0)
    names = [inert(system.name) for system in artifact.systems]
    several = len(names) > 1
    blocks: list[Block] = [Facts(tuple(_facts(artifact)))]
    if several:
        blocks.append(_side_by_side(artifact, names, notes))
        blocks += [_differences(artifact, pair, names, notes) for pair in artifact.pairs]
    for system in artifact.systems:
        blocks.append(_seven(system, notes, several=several))
        blocks += [] if several else _breakdowns(system, notes)
        blocks.append(Facts(tuple(_logic(system)), _titled(LOGIC, system, several=several)))
        blocks += _advice(system, several=several)
        blocks += _worst(system, several=several)
    title = f"Grounded verdicts: {', '.join(names)}"
    return Summary(title, (*blocks, Facts(tuple(_reading(artifact, notes)))))


def _facts(artifact: VerdictsArtifact) -> Iterator[tuple[str, str]]:
    for given in artifact.inputs:
        digest = f", sha256 {given.sha256[:12]}" if given.sha256 else ""
        name = f"{artifact.policy.id}, " if given.role == "policy" else ""
        yield given.role.replace("_", " "), inert(f"{name}{given.path}{digest}")
    policy, gold, plan = artifact.policy, artifact.gold, artifact.resampling
    yield "scale", inert(" < ".join(policy.verdicts))
    yield "positive", inert(f"the {policy.positive} end ({_end(artifact)})")
    support = ", ".join(f"{verdict} {n}" for verdict, n in gold.support.items())
    yield (
        "truth",
        inert(
            f"{counted(gold.n_cases, 'case')} ({support}), {counted(gold.n_evidence, 'evidence')}"
        ),
    )
    for system in artifact.systems:
        yield "population", f"{inert(system.name)}: {_population(system)}"
    yield "reading", _conventions(artifact.conventions)
    resampled = (
        f"{level(plan.level)} {plan.method}, {counted(plan.n_resamples, 'resample')} of"
        f" {counted(plan.n_units, 'case')}, seed {plan.seed}, {plan.stream} stream"
    )
    yield "intervals", resampled if plan.n_resamples else "none, no resamples were asked for"
    yield "computed by", f"assay {artifact.tool.version}, {artifact.tool.engine} engine"
    yield from (("warning", inert(warning)) for warning in artifact.warnings)


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


def _conventions(chosen: Mapping[str, object]) -> str:
    shown = [name for name in SHOWN if chosen.get(name) is not None]
    return inert(", ".join(f"{name.replace('_', ' ')} {chosen[name]}" for name in shown))


def _titled(title: str, system: VerdictSystem, *, several: bool) -> str:
    return f"{title}, {inert(system.name)}" if several else title


def _heading(rows: Sequence[Row]) -> str:
    """Say how many numbers there are: without rules of a policy nothing follows from evidence."""
    beside = ", and evidence-to-verdict" if len(rows) > len(SEVEN) else " in total"
    return f"Evaluation metrics ({len(SEVEN)}{beside})"


def _seven(system: VerdictSystem, notes: Notes, *, several: bool) -> Grid:
    """Show numbers with their counts; of several systems the counts, as all numbers are above."""
    rows = []
    for label, name in {**SEVEN, **BESIDE_SEVEN}.items():
        if label in system.metrics:
            score = () if several else (_percent(system.metrics[label], notes),)
            rows.append(Row(name, (*score, Cell(_note(system.counts[label])))))
    if several:
        return Grid(_titled("Counts", system, several=True), "metric", ("counts",), tuple(rows))
    return Grid(_heading(rows), "metric", ("score", "counts"), tuple(rows))


def _percent(number: Scalar, notes: Notes) -> Cell:
    """Show a share in percent with its interval, or a dash with the reason below."""
    exact = number.exact_interval if notes.resampled and number.interval is None else None
    if exact is not None and number.value is not None:
        return Cell(percent(number.value), f"{_ends(exact)} exact")
    (cell,) = notes.scalars([number])
    return _written(cell, number.value, number.interval, percent)


def _written(
    cell: Cell,
    value: float | None,
    interval: tuple[float, float] | None,
    write: Callable[[float], str],
) -> Cell:
    """Write a number and its interval another way, and keep the marks of its notes."""
    if value is None:
        return cell
    marks = cell.beside.rpartition("]")[2]
    return Cell(write(value), f"{_ends(interval, write)}{marks}")


def _note(counts: MetricCounts) -> str:
    if counts.numerator is None:
        return f"{count(counts.denominator)} {counts.what}"
    return f"{count(counts.numerator)}/{count(counts.denominator)} {counts.what}"


def _side_by_side(artifact: VerdictsArtifact, names: Sequence[str], notes: Notes) -> Grid:
    rows = [
        Row(name, tuple(_percent(each.metrics[label], notes) for each in artifact.systems))
        for label, name in {**SEVEN, **BESIDE_SEVEN}.items()
        if label in artifact.systems[0].metrics
    ]
    return Grid(_heading(rows), "metric", tuple(names), tuple(rows))


def _breakdowns(system: VerdictSystem, notes: Notes) -> Iterator[Grid]:
    yield from _scale(system, notes)
    yield from _fields(system, notes)
    yield from _modes(system, notes)


def _scale(system: VerdictSystem, notes: Notes) -> Iterator[Grid]:
    """Show the steps of the scale, each verdict as a class, and what is taken for what."""
    steps = [
        Row(
            inert(each.name),
            (
                Cell(count(each.n_positive)),
                Cell(count(each.n_negative)),
                _percent(each.auprc, notes),
            ),
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
                Cell(count(each.support)),
                Cell(count(each.n_given)),
                *(_percent(number, notes) for number in (each.precision, each.recall, each.f1)),
            ),
        )
        for each in system.classes
    ]
    columns = ("true", "given", "precision", "recall", "F1")
    yield Grid("Each verdict as a class", "verdict", columns, tuple(rows))
    rows = [
        Row(inert(each.verdict), tuple(Cell(count(n)) for n in given))
        for each, given in zip(system.classes, system.confusion, strict=True)
    ]
    title = "What was given (columns) for what is true (rows)"
    yield Grid(title, "true", tuple(inert(each.verdict) for each in system.classes), tuple(rows))


def _fields(system: VerdictSystem, notes: Notes) -> Iterator[Grid]:
    rows = [
        Row(
            inert(each.field),
            (
                Cell(count(each.n_judged)),
                Cell(count(each.n_right)),
                Cell(
                    DASH if each.accuracy is None else percent(each.accuracy),
                    _ends(each.interval) or notes.without_interval(each.interval_reason),
                ),
            ),
        )
        for each in system.fields
    ]
    if rows:
        headings = ("judged", "right", "accuracy")
        yield Grid("Judgements by field", "field", headings, tuple(rows))


def _modes(system: VerdictSystem, notes: Notes) -> Iterator[Grid]:
    found = system.snippets
    if found is not None:
        rows = [
            Row(mode, (Cell(count(found.n_valid[mode])), _percent(number, notes)))
            for mode, number in found.modes.items()
        ]
        title = f"Quotations by mode ({count(found.n_snippets)} in all, {found.mode} counts)"
        yield Grid(title, "mode", ("valid", "share"), tuple(rows))


def _ends(interval: tuple[float, float] | None, write: Callable[[float], str] = percent) -> str:
    return "" if interval is None else f"[{', '.join(map(write, interval))}]"


def _logic(system: VerdictSystem) -> Iterator[tuple[str, str]]:
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


def _advice(system: VerdictSystem, *, several: bool) -> Iterator[Facts]:
    lines = tuple(
        (inert(each.symptom), inert(f"{each.cause}: {each.next_step}")) for each in system.diagnosis
    )
    if lines:
        yield Facts(lines, _titled("What to look into", system, several=several))


def _worst(system: VerdictSystem, *, several: bool) -> Iterator[Grid]:
    bad = [each for each in system.cases if each.badness > 0]
    shown = sorted(bad, key=lambda each: each.badness_rank)[:WORST]
    if not shown:
        return
    rows = [Row(_cut(each.case), _case(each)) for each in shown]
    headings = ("verdict", "truth", "rank", "claimed", "matched", "gold", "invalid\nquotes", "")
    worst = "The worst case" if len(shown) == 1 else f"The worst {len(shown)} cases"
    title = _titled(worst, system, several=several)
    yield Grid(title, "case", headings, tuple(rows))


def _case(case: CaseRow) -> tuple[Cell, ...]:
    quotes = f"{case.n_invalid}/{case.n_snippets}" if case.n_snippets else DASH
    return (
        Cell(_cut(case.verdict or DASH)),
        Cell(_cut(case.truth or DASH)),
        Cell(DASH if case.rank is None else count(case.rank)),
        Cell(count(case.n_claimed)),
        Cell(count(case.n_matched)),
        Cell(count(case.n_gold)),
        Cell(quotes),
        Cell("" if case.state == "structured" else case.state),
    )


def _cut(text: str) -> str:
    shown = inert(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."


def _differences(
    artifact: VerdictsArtifact, pair: VerdictPair, names: Sequence[str], notes: Notes
) -> Grid:
    corrected = len(artifact.pairs) > 1
    headings = ("points", "p", *(["p (Holm)"] * corrected), "")
    rows = []
    for label, delta in pair.deltas.items():
        holm = [notes.p_value(delta.p_holm)] * corrected
        difference = _written(notes.delta(delta), delta.delta, delta.interval, points)
        cells = (difference, notes.p_value(delta.p_value), *holm, notes.reading(delta))
        name = {**SEVEN, **BESIDE_SEVEN}.get(label, label)
        rows.append(Row(name, cells, arrow=arrow(delta.better)))
    title = f"{names[pair.right]} minus {names[pair.left]}, {counted(pair.n_common, 'common case')}"
    return Grid(title, "", headings, tuple(rows))


def _reading(artifact: VerdictsArtifact, notes: Notes) -> Iterator[tuple[str, str]]:
    plan = artifact.resampling
    if plan.n_resamples:
        yield "[low, high]", f"{level(plan.level)} interval over resampled cases"
        yield "exact", "of a share of independent cases, where all resamples agree"
        if artifact.pairs:
            yield "better, worse", "the interval of the difference excludes 0"
    if artifact.pairs:
        yield "points", "percentage points, the difference of two percentages"
    yield DASH, "undefined, never 0"
    for reason, number in notes.reasons.items():
        yield superscript(number), reason
