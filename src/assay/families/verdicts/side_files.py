"""Files beside the artifact: results with their evaluation, and cases and quotations as CSV.

In CSV a text that a spreadsheet would take for a formula (it starts with = + - @, wide forms of
these, or white space before one of them) gets an apostrophe in front, and what is not printable is
spelled out: a line break becomes a backslash and an n.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from assay.artifact import encode
from assay.errors import UsageError
from assay.families.family import Evaluated, Given, SideFiles
from assay.families.verdicts.inputs import Judgements
from assay.families.verdicts.rows import CaseRow, SnippetRow
from assay.families.verdicts.seed_files import results_file
from assay.options import Option, option_record
from assay.showing import in_spreadsheet, inert

if TYPE_CHECKING:
    from assay.families.verdicts.parts import VerdictsArtifact

__all__ = ["SIDE_FILES", "cases_table", "snippets_table"]


@option_record()
class VerdictFiles:
    """Which files are written beside the artifact."""

    results_output: Annotated[
        tuple[str, ...],
        Option(
            "Write a results file again with its evaluation in it; one per RESULTS, in order.",
            metavar="FILE",
        ),
    ] = ()
    unified_scores: Annotated[
        bool, Option("Also put the deprecated unified_scores into `results_output`.")
    ] = False
    tables: Annotated[
        str | None,
        Option(
            "Write cases.csv and snippets.csv, one line per case and per quotation.",
            metavar="FOLDER",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse scores that have no file to go to."""
        if self.unified_scores and not self.results_output:
            msg = "`unified_scores` goes into `results_output`, which was not given"
            raise UsageError(msg, hint="`results_output` names a file")


def cases_table(artifact: VerdictsArtifact) -> bytes:
    """Write one line per system and case, the worst cases of each system first."""
    rows = (
        (system.name, case)
        for system in artifact.systems
        for case in sorted(system.parts.cases, key=lambda each: each.badness_rank)
    )
    return _table(CaseRow, rows)


def snippets_table(artifact: VerdictsArtifact) -> bytes:
    """Write one line per system and quotation, in the order of the results."""
    rows = ((system.name, row) for system in artifact.systems for row in system.parts.audit)
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


TABLES = {"cases.csv": cases_table, "snippets.csv": snippets_table}


def _places(chosen: VerdictFiles, given: Given) -> list[Path]:
    n_results, n_outputs = len(given.sources["results"]), len(chosen.results_output)
    if n_outputs not in {0, n_results}:
        msg = f"found {n_results} `results` and {n_outputs} `results_output`"
        raise UsageError(msg, hint="give one of these per `results`, or none")
    folder = chosen.tables
    tables = [] if folder is None else [Path(folder) / name for name in TABLES]
    return [*map(Path, chosen.results_output), *tables]


def _contents(
    chosen: VerdictFiles, evaluated: Evaluated, artifact: VerdictsArtifact
) -> list[bytes]:
    context: Judgements = evaluated.prepared.context
    preset = evaluated.options.preset
    found = [
        encode(results_file(system, file, preset=preset, composite=chosen.unified_scores))
        for system, file in zip(artifact.systems, context.results, strict=True)
    ]
    tables = [] if chosen.tables is None else [table(artifact) for table in TABLES.values()]
    return [*(found if chosen.results_output else []), *tables]


SIDE_FILES = SideFiles(VerdictFiles, _places, _contents)
