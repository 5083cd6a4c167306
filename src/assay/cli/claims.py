"""What `assay intervals` and `assay sets` do alike: name and read tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import click
import msgspec

from assay.artifacts.intervals import TableInput
from assay.cli.options import chosen_fields
from assay.inference import Plan
from assay.report.families.coverage.strata import Levelled
from assay.sources.table import Table, read_table
from assay.threads import available_cores

__all__ = ["all_tables", "plan_of", "with_files"]

Artifact = TypeVar("Artifact", bound=Levelled)
ARRAY_FILES = (".npy", ".npy.gz")


def plan_of(chosen: dict[str, Any]) -> Plan:
    """Return how to resample."""
    given = chosen_fields(Plan, {**chosen, "level": chosen["bar_level"]})
    return Plan(**{"threads": available_cores(), **given})


def all_tables(tables: Sequence[str], inputs: Sequence[str]) -> tuple[str, ...]:
    """Return the paths of all tables."""
    paths = (*tables, *inputs)
    if not paths:
        raise click.UsageError("no table was given")
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read once, so - may be given once")
    return paths


def with_files(
    paths: Sequence[str], y: str, evaluate: Callable[[list[Table]], Artifact]
) -> Artifact:
    """Read tables, and the truth where it stands in a file of its own, and evaluate them."""
    tables = [_spelled(read_table(path)) for path in paths]
    if not y.lower().endswith(ARRAY_FILES) or any(y in table.columns for table in tables):
        return evaluate(tables)
    truth = _spelled(read_table(y))
    values = truth.cells("array")
    artifact = evaluate([replace(table, columns={**table.columns, y: values}) for table in tables])
    source = truth.source
    read = TableInput(
        path=source.path, sha256=source.sha256, format=source.format, n_rows=len(values)
    )
    return msgspec.structs.replace(artifact, inputs=[*artifact.inputs, read])


def _spelled(table: Table) -> Table:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    path = table.source.path.encode(errors="backslashreplace").decode()
    return replace(table, source=replace(table.source, path=path))
