"""`assay report` and `assay figures`: artifacts as one page, as tables to paste, as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.options import choice
from assay.cli.writing import (
    FOLDER,
    check_place,
    check_places,
    print_bytes,
    stdout_console,
    talk,
    write,
)
from assay.display.blocks import Summary, facts
from assay.display.figures.theme import WIDTHS, Style
from assay.errors import OutputError, UsageError
from assay.report.console import render
from assay.report.figures import Format, rendered
from assay.report.index import index_page
from assay.report.page import Opened, opened, page_of
from assay.report.presenters import require_packages, summary
from assay.report.tables import TableFormat, all_tables, one_table, table_names
from assay.showing import quoted

if TYPE_CHECKING:
    from assay.report.figures import Figure

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
PLACE = FOLDER / "figures"
NARROWEST, WIDEST = 120, 4000
FIGURES_EXAMPLES = """\
\b
Examples:
  assay figures assay-out/demo.json
  assay figures assay-out/demo.json --list
  assay figures artifact.json --style paper --format pdf --output paper/figures
  assay figures artifact.json --only reliability --format png --width 500"""


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
def _report(
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


@click.command("figures", epilog=FIGURES_EXAMPLES)
@click.argument("artifact")
@click.option(
    "--format",
    "forms",
    multiple=True,
    default=("svg",),
    type=choice(Format),
    help="Kind of file; repeat it for several. [default: svg]",
)
@click.option(
    "--style",
    default="screen",
    type=choice(Style),
    show_default=True,
    help="Large letters and a title, small ones for a column of a paper, or light on dark.",
)
@click.option(
    "--width",
    type=click.IntRange(NARROWEST, WIDEST),
    help="Of the whole picture, in pixels (PDF: 72 to the inch)."
    f" [default: {WIDTHS['screen']}, on paper {WIDTHS['paper']}]",
)
@click.option("--only", multiple=True, metavar="NAME", help="Only this figure; may be repeated.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=PLACE,
    show_default=True,
    help="The folder that files go into.",
)
@click.option("--list", "listed", is_flag=True, help="Name the figures instead of writing them.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def _figures(
    *,
    artifact: str,
    forms: tuple[Format, ...],
    style: Style,
    width: int | None,
    only: tuple[str, ...],
    output: Path,
    listed: bool,
    quiet: bool,
) -> None:
    """Write the figures of an artifact as files: SVG, PNG or PDF.

    Every value in them is one of the artifact; nothing is computed, and no browser is needed.
    """
    require_packages()
    found = opened(artifact).figures
    chosen = _named(found, only, artifact)
    if listed:
        render(_listing(chosen), stdout_console())
        return
    wanted = [(each, form) for each in chosen for form in dict.fromkeys(forms)]
    places = [output / f"{each.name}.{form}" for each, form in wanted]
    check_places(places, [artifact])
    faults: dict[str, OutputError] = {}
    for (figure, form), place in zip(wanted, places, strict=True):
        try:
            picture = rendered(figure, form, style=style, width=width)
        except OutputError as error:
            faults[figure.name] = error
            continue
        write(picture, place)
        talk(f"wrote {place}", quiet=quiet)
    if faults:
        first = next(iter(faults.values()))
        what = "the figure" if len(faults) == 1 else "the figures"
        msg = f"{what} {', '.join(faults)} could not be written: {first.message}"
        raise OutputError(msg, hint=first.hint)


def _named(found: Sequence[Figure], only: Sequence[str], path: str) -> list[Figure]:
    names = [each.name for each in found]
    if not found:
        raise UsageError(f"there is no figure for {path}", hint="assay report shows its tables")
    unknown = [name for name in only if name not in names]
    if unknown:
        msg = f"{path} has no figure {quoted(unknown[0])}"
        raise UsageError(msg, hint=f"its figures are {', '.join(names)}")
    return [each for each in found if not only or each.name in only]


def _listing(found: Sequence[Figure]) -> Summary:
    lines = ((each.name, each.title) for each in found)
    return Summary("Figures", sections=(facts("key", lines),))


COMMANDS = {each.name: each for each in (_report, _figures)}
