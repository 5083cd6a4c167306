"""`assay finish`: evaluate unit tables, one or those of several parts of the same rows."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.printing import progress_bar
from assay.cli.results import FULL, Results, result_options
from assay.library import finish
from assay.moments import now
from assay.sources.unit_files import read_units

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay finish units.parquet
  assay finish monday.parquet tuesday.parquet --output week.json"""


def _finish(tables: tuple[str, ...], **chosen: Any) -> None:
    """Merge UNIT tables, which `assay.unit_table` makes in Python, and finish what they are for.

    Each holds what was asked for when it was made: columns, options, how to resample. Parts of one
    table give the numbers of the whole.
    """
    full = bool(chosen.pop("full"))
    results = Results.asked(read_units(tables[0]).about.family, chosen)
    results.check(tables)
    moment = now()
    with progress_bar(shown=not results.quiet) as progress:
        found = finish(*tables, progress=progress)
    results.conclude(found.artifact, moment, detail="full" if full else "short")


def _made() -> click.Command:
    command = click.Command(
        "finish",
        params=[click.Argument(["tables"], nargs=-1, required=True, metavar="UNIT...")],
        callback=_finish,
        help=_finish.__doc__,
        epilog=EXAMPLES,
    )
    for add in (FULL, *result_options("FAMILY")):
        add(command)
    return command


command = _made()
