"""`assay selective`: risk-coverage numbers of one run, or of several against the first."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click

from assay.cli.arguments import CONVENTIONS, INPUTS, RESAMPLING, TABLE_COLUMNS
from assay.cli.inputs import applied_calibrator, evaluated, paired_modes
from assay.cli.options import with_options
from assay.cli.printing import talk
from assay.cli.results import Results, result_options
from assay.evaluate import SelectiveOptions
from assay.inference import Plan
from assay.moments import now, stamp
from assay.sources.items import TableColumns
from assay.threads import available_cores

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay selective --input run.json --mode few_shot
  assay selective --input run.json --mode zero_shot \\
                  --input run.json --mode few_shot --loss abs
  assay selective --input table.csv --scale 0,3 --confidence all
  assay selective --input run.json --mode few_shot --json --quiet"""


@click.command("selective", epilog=EXAMPLES)
@with_options(INPUTS, CONVENTIONS, RESAMPLING, TABLE_COLUMNS)
@click.option("--full", is_flag=True, help="Print all numbers of every confidence.")
@with_options(result_options("selective"))
def command(
    inputs: tuple[str, ...],
    modes: tuple[str, ...],
    full: bool,
    **chosen: Any,
) -> None:
    """Risk-coverage numbers of systems that may abstain, each with an interval.

    One input is summarized; several are compared, each with the first, on the participants that
    all of them answered without failure.
    """
    given = paired_modes(inputs, modes)
    moment = now()
    results = Results.asked("selective", chosen)
    calibrator = [chosen["calibration"]] if chosen["calibration"] else []
    chosen["calibration"] = applied_calibrator(chosen["calibration"], strict=chosen["strict"])
    options = SelectiveOptions.of(chosen["preset"] or "plateau", **_of(SelectiveOptions, chosen))
    plan = Plan(**{"threads": available_cores(), **_of(Plan, chosen)})
    columns = TableColumns(**_of(TableColumns, chosen))
    results.check([*inputs, *calibrator])
    created_at, quiet = stamp(moment), results.quiet
    artifact = evaluated(given, options, columns, plan, created_at=created_at, quiet=quiet)
    for warning in artifact.calibration.warnings if artifact.calibration else ():
        talk(f"warning: {warning}", quiet=quiet)
    results.conclude(artifact, moment, detail="full" if full else "short")


def _of(record: type[Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """Pick what was chosen among the fields of a record: options are named as the fields."""
    names = {field.name for field in fields(record)} - {"preset"}
    return {name: chosen[name] for name in names & chosen.keys() if chosen[name] is not None}
