"""`assay report`: artifacts as one page, or their tables to paste."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from assay.cli.options import choice
from assay.cli.places import FOLDER, check_place, write
from assay.cli.printing import print_bytes, talk
from assay.display.blocks import Summary
from assay.errors import UsageError
from assay.report.index import index_page
from assay.report.page import Opened, opened, page_of
from assay.report.presenters import require_packages, summary
from assay.report.tables import TableFormat, all_tables, one_table, table_names
from assay.showing import quoted

__all__ = ["command"]

PAGE = FOLDER / "report.html"
INDEX = FOLDER / "index.html"
EXAMPLES = """\
\b
Examples:
  assay report assay-out/demo.json -o report.html
  assay report selective.json calibration.json intervals.json -o report.html
  assay report assay-out -o index.html
  assay report calibration.json --format md
  assay report calibration.json --format tex --table population -o table.tex"""


@click.command("report", epilog=EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="ARTIFACT...|FOLDER")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help=f"Where the page goes [default: {PAGE}], or the tables [default: standard output].",
)
@click.option(
    "--format",
    "table_format",
    type=choice(TableFormat),
    help="Write tables as Markdown, LaTeX or CSV instead of the page.",
)
@click.option(
    "--table",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="Only this table; may be repeated. A name that is none lists all of them.",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors (and tables).")
def command(
    paths: tuple[str, ...],
    output: Path | None,
    table_format: TableFormat | None,
    wanted: tuple[str, ...],
    quiet: bool,
) -> None:
    """Show artifacts of any families as one page: words, figures, tables.

    The page is one file that opens from disk, loads nothing and prints well. It computes nothing:
    the same artifacts give the same bytes. With --format only the tables are written. A folder
    gives an index of all artifacts in it: one number over runs of the same population, every run
    in a row, and marks where a file holds the paired comparison.
    """
    if len(paths) == 1 and Path(paths[0]).is_dir():
        _write_index(Path(paths[0]), output, asked_for_tables=bool(table_format), quiet=quiet)
        return
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read once, so - may be given once")
    if wanted and not table_format:
        raise click.UsageError("--table is about tables: say how to write them with --format")
    place = output or (None if table_format else PAGE)
    if place is not None:
        check_place(place, paths)
    if not table_format:
        require_packages()
    shown = [opened(path) for path in paths]
    if table_format:
        data = _tables(shown, wanted, table_format)
    else:
        data = page_of([(each.artifact, each.figures, each.file) for each in shown])
    if place is None:
        print_bytes(data)
    else:
        talk(f"wrote {write(data, place)}", quiet=quiet)


def _write_index(folder: Path, output: Path | None, *, asked_for_tables: bool, quiet: bool) -> None:
    """Write the index of a folder."""
    if asked_for_tables:
        raise click.UsageError("--format is about artifacts: a folder has an index page alone")
    place = output or INDEX
    check_place(place)
    require_packages()
    talk(f"wrote {write(index_page(folder, place), place)}", quiet=quiet)


def _tables(shown: Sequence[Opened], wanted: Sequence[str], form: TableFormat) -> bytes:
    told = [summary(each.artifact) for each in shown]
    if not wanted:
        return all_tables(told, form).encode()
    chosen = [found for name in wanted for found in _found(name, told)]
    return all_tables(chosen, form, "full").encode()


def _found(name: str, told: Sequence[Summary]) -> list[Summary]:
    """Find a table in every artifact that has it."""
    found = [one_table(each, name) for each in told]
    kept = [each for each in found if each is not None]
    if not kept:
        known = dict.fromkeys(each for one in told for each in table_names(one))
        msg = f"there is no table {quoted(name)}"
        raise UsageError(msg, hint=f"the tables are {', '.join(known)}")
    return kept
