"""`assay calibration`: whether probabilities mean what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay import artifacts
from assay.cli.arguments import RESAMPLING
from assay.cli.calibration_arguments import COLUMNS, INPUTS
from assay.cli.calibration_conventions import CONVENTIONS
from assay.cli.calibration_inputs import evaluated
from assay.cli.options import with_options
from assay.cli.outputs import FOLDER, check_place, now, stamp, write, write_stamped
from assay.cli.printing import print_bytes, stdout_console, talk
from assay.report.calibration import summarize_calibration
from assay.report.console import render

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay calibration scores.csv --y-true y --y-score p
  assay calibration digits.npz --y-true y --y-prob before --y-prob after
  assay calibration old.csv new.csv --y-true y --y-score p --cluster person
  assay calibration run.json --mode few_shot --confidence verbalized,token_msp"""


@click.command("calibration", epilog=EXAMPLES)
@with_options(INPUTS, COLUMNS, CONVENTIONS, RESAMPLING)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help=f"Where the artifact goes. [default: {FOLDER}/calibration_TIME.json]",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the artifact instead of a summary; no file unless --output is given.",
)
@click.option("--full", is_flag=True, help="Print every table.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors (and --json).")
def command(
    tables: tuple[str, ...],
    inputs: tuple[str, ...],
    output: Path | None,
    as_json: bool,
    full: bool,
    quiet: bool,
    **chosen: Any,
) -> None:
    """Whether probabilities mean what they say: errors, tests, tables, each with an interval.

    TABLE is CSV, JSON lines, Parquet, .npz or .npy (all also .gz), a run file, or - for standard
    input. Several inputs, score columns or confidences are compared, each with the first.
    """
    paths = (*tables, *inputs)
    if not paths:
        msg = "no table was given"
        raise click.UsageError(msg)
    moment = now()
    if output or not as_json:
        read = [*paths, *filter(None, [chosen["calibration"]])]
        check_place(output or FOLDER / "calibration.json", read)
    artifact = evaluated(paths, chosen, created_at=stamp(moment), quiet=quiet)
    data = artifacts.encode(artifact)
    path = None
    if output is not None:
        path = write(data, output)
    elif not as_json:
        path = write_stamped(data, moment, family="calibration")
    if as_json:
        print_bytes(data)
    elif not quiet:
        summary = summarize_calibration(artifact, detail="full" if full else "short")
        render(summary, stdout_console())
    if path is not None:
        talk(f"wrote {path}", quiet=quiet)
