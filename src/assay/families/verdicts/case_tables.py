"""Cases and quotations of verdicts one by one, as the page lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.display.cases import CaseCell, CaseTable, Column, column, listed, number, said, text

if TYPE_CHECKING:
    from assay.families.verdicts.parts import VerdictsArtifact
    from assay.families.verdicts.rows import CaseRow

__all__ = ["case_tables", "state"]


def case_tables(artifact: VerdictsArtifact) -> Iterator[CaseTable]:
    """List the cases of every system, and its quotations that are not valid."""
    for system in artifact.systems:
        of = f", {system.name}" if len(artifact.systems) > 1 else ""
        worst = sorted(system.parts.cases, key=lambda each: each.badness_rank)
        if worst:
            yield listed(f"Cases, the worst first{of}", worst, len(worst), CASES)
        invalid = [each for each in system.parts.audit if not each.valid]
        if invalid:
            title = f"Quotations that are not valid{of}"
            yield listed(title, invalid, len(invalid), SNIPPETS)


def state(case: CaseRow) -> str:
    """Say what became of a case, and why, where it is not all as it should be."""
    if case.lost_by is not None:
        return f"{case.outcome}: {case.lost_by}"
    return "" if case.state == "structured" else case.state


def _verdict(row: CaseRow) -> CaseCell:
    right = row.verdict is not None and row.verdict == row.truth
    return text(row.verdict, "good" if right else "bad")


CASES = (
    column("case", "case"),
    column("name", "name"),
    Column("state", lambda row: text(state(row) or row.state)),
    Column("verdict", _verdict),
    column("truth", "truth"),
    number("steps off", "steps"),
    number("rank", "rank"),
    number("claimed", "n_claimed"),
    number("matched", "n_matched"),
    number("missed", "n_missed"),
    number("invalid quotes", "n_invalid"),
    said("rule fits", "rule_consistent"),
    said("evidence fits", "evidence_agrees"),
)
SNIPPETS = (
    column("case", "case"),
    column("source", "source_id"),
    column("status", "status", tone="bad"),
    column("quotation", "snippet"),
    column("nearest passage", "nearest"),
    column("field", "field"),
    Column("note", lambda row: text(row.note or (row.found_in and f"stands in {row.found_in}"))),
)
