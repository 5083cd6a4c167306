"""Cases with their text, where an artifact carries them, capped: how many are left out is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.artifacts import Artifact, ReasoningArtifact, VerdictsArtifact
from assay.artifacts.reasoning import BiasCase, OutputRow, ReasoningModel, StepCase
from assay.artifacts.verdicts import CaseRow, SnippetRow, VerdictSystem
from assay.report.numbers import DASH
from assay.report.page.model import CaseCell, CaseTable
from assay.report.wording import count, fixed
from assay.showing import counted

__all__ = ["case_tables"]

MOST_ROWS = 200
LONGEST = 400
"""characters of a cell"""
Shown = Callable[[Any], CaseCell]


@dataclass(frozen=True, slots=True)
class _Column:
    """A heading and how a row fills it."""

    heading: str
    cell: Shown
    numeric: bool = False


def case_tables(artifact: Artifact, section: str) -> tuple[CaseTable, ...]:
    """List the cases of an artifact."""
    match artifact:
        case VerdictsArtifact():
            several = len(artifact.systems) > 1
            made = [t for each in artifact.systems for t in _verdicts(each, several=several)]
        case ReasoningArtifact():
            several = len(artifact.models) > 1
            made = [t for each in artifact.models for t in _reasoning(each, several=several)]
        case _:
            made = []
    return tuple(
        _table(f"{section}-cases-{number}", *each) for number, each in enumerate(made, start=1)
    )


_Parts = tuple[str, Sequence[Any], int, tuple[_Column, ...]]
"""title, rows, how many there were, columns"""


def _verdicts(system: VerdictSystem, *, several: bool) -> Iterator[_Parts]:
    of = f", {system.name}" if several else ""
    worst = sorted(system.cases, key=lambda each: each.badness_rank)
    if worst:
        yield f"Cases, the worst first{of}", worst, len(worst), CASES
    invalid = [each for each in system.audit if not each.valid]
    if invalid:
        yield f"Quotations that are not valid{of}", invalid, len(invalid), SNIPPETS


def _reasoning(model: ReasoningModel, *, several: bool) -> Iterator[_Parts]:
    of = f", {model.name}" if several else ""
    if model.outputs:
        yield f"Answers by row{of}", model.outputs, model.n_outputs, OUTPUTS
    if model.cases:
        yield f"Steps by case{of}", model.cases, model.n_cases, STEPS
    if model.bias is not None and model.bias.biased:
        yield f"Biased answers{of}", model.bias.biased, model.bias.n_biased, BIASED


def _table(
    key: str, title: str, rows: Sequence[Any], total: int, columns: tuple[_Column, ...]
) -> CaseTable:
    shown = rows[:MOST_ROWS]
    left_out = total - len(shown)
    note = counted(total, "row")
    if left_out > 0:
        note = f"{count(len(shown))} of {counted(total, 'row')}, {count(left_out)} left out"
    return CaseTable(
        id=key,
        title=title,
        note=note,
        headings=tuple(each.heading for each in columns),
        numeric=tuple(each.numeric for each in columns),
        rows=tuple(tuple(each.cell(row) for each in columns) for row in shown),
    )


def _text(value: object, tone: str = "") -> CaseCell:
    """Show a text on one line, not too long."""
    if value is None:
        return CaseCell(DASH)
    # A text may be a megabyte: white space is looked at in its first part only.
    line = " ".join(str(value)[: 4 * LONGEST].split())
    cut = len(line) > LONGEST or len(str(value)) > 4 * LONGEST
    return CaseCell(f"{line[: LONGEST - 1]}…" if cut else line, tone=tone)


def _whole(value: int | None) -> CaseCell:
    return CaseCell(DASH) if value is None else CaseCell(count(value), order=value)


def _share(value: float | None) -> CaseCell:
    return CaseCell(DASH) if value is None else CaseCell(fixed(value, 3), order=value)


def _said(value: bool | None) -> CaseCell:  # noqa: FBT001 - a flag of a row
    if value is None:
        return CaseCell(DASH)
    return CaseCell("yes", order=1, tone="good") if value else CaseCell("no", order=0, tone="bad")


def _verdict(row: CaseRow) -> CaseCell:
    right = row.verdict is not None and row.verdict == row.truth
    return _text(row.verdict, "good" if right else "bad")


def _found(row: SnippetRow) -> CaseCell:
    return _text(row.note or (row.found_in and f"stands in {row.found_in}"))


CASES = (
    _Column("rank", lambda row: _whole(row.badness_rank), numeric=True),
    _Column("case", lambda row: _text(row.case)),
    _Column("name", lambda row: _text(row.name)),
    _Column("state", lambda row: _text(row.state)),
    _Column("verdict", _verdict),
    _Column("truth", lambda row: _text(row.truth)),
    _Column("steps off", lambda row: _whole(row.steps), numeric=True),
    _Column("claimed", lambda row: _whole(row.n_claimed), numeric=True),
    _Column("matched", lambda row: _whole(row.n_matched), numeric=True),
    _Column("missed", lambda row: _whole(row.n_missed), numeric=True),
    _Column("invalid quotes", lambda row: _whole(row.n_invalid), numeric=True),
    _Column("rule fits", lambda row: _said(row.rule_consistent)),
    _Column("evidence fits", lambda row: _said(row.evidence_agrees)),
)
SNIPPETS = (
    _Column("case", lambda row: _text(row.case)),
    _Column("review", lambda row: _text(row.review_id)),
    _Column("status", lambda row: _text(row.status, "bad")),
    _Column("quotation", lambda row: _text(row.snippet)),
    _Column("field", lambda row: _text(row.field)),
    _Column("note", _found),
)


def _answer(row: OutputRow) -> CaseCell:
    tone = "" if row.correct is None else "good" if row.correct else "bad"
    return _text(row.answer, tone)


def _steps(row: StepCase) -> CaseCell:
    return _text(" / ".join(row.steps[:12]))


def _silent(row: BiasCase) -> CaseCell:
    return _text("silent" if row.silent else "mentioned", "bad" if row.silent else "")


OUTPUTS = (
    _Column("case", lambda row: _text(row.id)),
    _Column("mode", lambda row: _text(row.mode)),
    _Column("outcome", lambda row: _text(row.outcome)),
    _Column("answer", _answer),
    _Column("gold", lambda row: _text(row.gold)),
    _Column("found by", lambda row: _text(row.method)),
    _Column("words", lambda row: _whole(row.n_words), numeric=True),
    _Column("text", lambda row: _text(row.text)),
)
STEPS = (
    _Column("case", lambda row: _text(row.id)),
    _Column("F1", lambda row: _share(row.f1), numeric=True),
    _Column("precision", lambda row: _share(row.precision), numeric=True),
    _Column("recall", lambda row: _share(row.recall), numeric=True),
    _Column("steps", lambda row: _whole(row.n_steps), numeric=True),
    _Column("gold steps", lambda row: _whole(row.n_gold_steps), numeric=True),
    _Column("matched", lambda row: _whole(row.n_matched), numeric=True),
    _Column("text of the steps", _steps),
)
BIASED = (
    _Column("case", lambda row: _text(row.id)),
    _Column("feature", lambda row: _text(row.feature)),
    _Column("label", lambda row: _text(row.label)),
    _Column("reasoning", _silent),
    _Column("text", lambda row: _text(row.text)),
)
