"""What `assay intervals` and `assay sets` do alike: read tables, write and show results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from assay import artifacts
from assay.artifacts.intervals import TableInput
from assay.cli.options import available_cores
from assay.cli.outputs import FOLDER, check_place, write, write_stamped
from assay.cli.printing import print_bytes, stdout_console, talk
from assay.inference import Plan
from assay.read.plain import PlainTable, read_plain
from assay.report.console import render
from assay.report.levels import Levelled, summarize_levels

__all__ = ["chosen_fields", "conclude", "plan_of", "prepare", "with_files"]

Artifact = TypeVar("Artifact", bound=Levelled)
ARRAY_FILES = (".npy", ".npy.gz")


def chosen_fields(record: type[Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """Pick what was chosen among the fields of a record: options are named as the fields."""
    names = {field.name for field in fields(record)} - {"preset"}
    return {name: chosen[name] for name in names & chosen.keys() if chosen[name] is not None}


def plan_of(chosen: dict[str, Any]) -> Plan:
    """Return how to resample."""
    given = chosen_fields(Plan, {**chosen, "level": chosen["bar_level"]})
    return Plan(**{"threads": available_cores(), **given})


def prepare(
    tables: Sequence[str], inputs: Sequence[str], *, output: Path | None, as_json: bool, family: str
) -> tuple[str, ...]:
    """Return the paths of all tables, once it is known that results can be written."""
    paths = (*tables, *inputs)
    if not paths:
        raise click.UsageError("no table was given")
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read once, so - may be given once")
    if output or not as_json:
        check_place(output or FOLDER / f"{family}.json", paths)
    return paths


def with_files(
    paths: Sequence[str], y: str, evaluate: Callable[[list[PlainTable]], Artifact]
) -> Artifact:
    """Read tables, and the truth where it stands in a file of its own, and evaluate them."""
    tables = [_spelled(read_plain(path)) for path in paths]
    if not y.lower().endswith(ARRAY_FILES) or any(y in table.columns for table in tables):
        return evaluate(tables)
    truth = _spelled(read_plain(y))
    values = truth.columns["array"]
    artifact = evaluate([replace(table, columns={**table.columns, y: values}) for table in tables])
    source = truth.source
    read = TableInput(
        path=source.path, sha256=source.sha256, format=source.format, n_rows=len(values)
    )
    return msgspec.structs.replace(artifact, inputs=[*artifact.inputs, read])


def _spelled(table: PlainTable) -> PlainTable:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    path = table.source.path.encode(errors="backslashreplace").decode()
    return replace(table, source=replace(table.source, path=path))


def conclude(
    artifact: Levelled,
    moment: datetime,
    *,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    family: str,
) -> None:
    """Write the artifact and show it."""
    data = artifacts.encode(artifact)
    path = None
    if output is not None:
        path = write(data, output)
    elif not as_json:
        path = write_stamped(data, moment, family=family)
    if as_json:
        print_bytes(data)
    elif not quiet:
        render(summarize_levels(artifact), stdout_console())
    if path is not None:
        talk(f"wrote {path}", quiet=quiet)
