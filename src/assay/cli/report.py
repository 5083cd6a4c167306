"""`assay report`: artifacts as one page."""

from __future__ import annotations

from pathlib import Path

import click

from assay.artifacts import read_artifact
from assay.cli.outputs import FOLDER, write
from assay.cli.places import check_place
from assay.cli.printing import talk
from assay.report.packages import require_packages

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay report assay-out/demo.json -o report.html
  assay report selective.json calibration.json intervals.json -o report.html"""


@click.command("report", epilog=EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="ARTIFACT...")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    default=FOLDER / "report.html",
    help=f"Where the page goes. [default: {FOLDER}/report.html]",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(paths: tuple[str, ...], output: Path, quiet: bool) -> None:
    """Show artifacts of any families as one page: words, figures, tables.

    The page is one file that opens from disk, loads nothing and prints well. It computes nothing:
    the same artifacts give the same bytes.
    """
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read once, so - may be given once")
    require_packages()
    check_place(output, paths)
    artifacts = [read_artifact(path) for path in paths]
    from assay.report.page import page  # noqa: PLC0415 - its packages are optional

    written = write(page(artifacts), output)
    talk(f"wrote {written}", quiet=quiet)
