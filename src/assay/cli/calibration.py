"""`assay calibration`: whether probabilities mean what they say."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.arguments import RESAMPLING
from assay.cli.calibration_arguments import COLUMNS, INPUTS
from assay.cli.calibration_conventions import CONVENTIONS
from assay.cli.calibration_inputs import evaluated
from assay.cli.options import with_options
from assay.cli.results import Results, result_options
from assay.moments import now, stamp

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
@click.option("--full", is_flag=True, help="Print every table.")
@with_options(result_options("calibration"))
def command(
    tables: tuple[str, ...],
    inputs: tuple[str, ...],
    full: bool,
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
    results = Results.asked("calibration", chosen)
    results.check([*paths, *filter(None, [chosen["calibration"]])])
    artifact = evaluated(paths, chosen, created_at=stamp(moment), quiet=results.quiet)
    results.conclude(artifact, moment, detail="full" if full else "short")
