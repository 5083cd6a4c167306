"""`assay figures`: the figures of an artifact as files, for a paper or a talk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.options import choice
from assay.cli.places import FOLDER, check_places, write
from assay.cli.printing import stdout_console, talk
from assay.display.blocks import Summary, facts
from assay.display.figures.theme import WIDTHS, Style
from assay.errors import OutputError, UsageError
from assay.report.console import render
from assay.report.figures.files import Format, rendered
from assay.report.page import opened
from assay.report.presenters import require_packages
from assay.showing import quoted

if TYPE_CHECKING:
    from assay.report.figures import Figure

__all__ = ["command"]

PLACE = FOLDER / "figures"
NARROWEST, WIDEST = 120, 4000
EXAMPLES = """\
\b
Examples:
  assay figures assay-out/demo.json
  assay figures assay-out/demo.json --list
  assay figures artifact.json --style paper --format pdf --output paper/figures
  assay figures artifact.json --only reliability --format png --width 500"""


@click.command("figures", epilog=EXAMPLES)
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
def command(
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
    chosen = _chosen(found, only, artifact)
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


def _chosen(found: Sequence[Figure], only: Sequence[str], path: str) -> list[Figure]:
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
