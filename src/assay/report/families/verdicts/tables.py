"""The cases and the quotations of an evaluation of verdicts as CSV, for a person to sort.

A text that a spreadsheet would take for a formula (it starts with = + - @, wide forms of these, or
white space before one of them) gets an apostrophe in front, and what is not printable is spelled
out: a line break becomes a backslash and an n.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import msgspec

from assay.artifacts.verdicts import CaseRow, SnippetRow, VerdictsArtifact
from assay.report.tables import in_spreadsheet
from assay.showing import inert

__all__ = ["cases_table", "snippets_table"]


def cases_table(artifact: VerdictsArtifact) -> bytes:
    """Write one line per system and case, the worst cases of each system first."""
    rows = (
        (system.name, case)
        for system in artifact.systems
        for case in sorted(system.cases, key=lambda each: each.badness_rank)
    )
    return _table(CaseRow, rows)


def snippets_table(artifact: VerdictsArtifact) -> bytes:
    """Write one line per system and quotation, in the order of the results."""
    rows = ((system.name, row) for system in artifact.systems for row in system.audit)
    return _table(SnippetRow, rows)


def _table(record: type[msgspec.Struct], rows: Iterable[tuple[str, CaseRow | SnippetRow]]) -> bytes:
    names = [field.name for field in msgspec.structs.fields(record)]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["system", *names])
    for system, row in rows:
        values: Sequence[object] = [system, *(getattr(row, name) for name in names)]
        writer.writerow([_cell(value) for value in values])
    return stream.getvalue().encode()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return in_spreadsheet(inert(value)) if isinstance(value, str) else value
