"""`assay calibrate`: fit a calibrator on a run, for `assay selective --calibration`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from assay.calibrators.fitting import CalibratorOptions, fit_calibrator, needed_signals
from assay.cli.options import flags_of, given_to, translated, with_options
from assay.cli.results import Results, result_options
from assay.cli.writing import talk
from assay.showing import storable
from assay.sources import read_run
from assay.sources.item_columns import TableColumns
from assay.sources.items import ItemTable
from assay.surroundings import now, stamp

EXAMPLES = """\
\b
Examples:
  assay calibrate train.json --mode few_shot
  assay calibrate train.json --mode few_shot --method logistic \\
                  --features verbalized_confidence,token_msp --output logistic.json
  assay selective test.json --mode few_shot --confidence calibrated \\
                  --calibration logistic.json --strict"""

FLAGS = flags_of(CalibratorOptions)
COLUMNS = flags_of(TableColumns)


@click.command("calibrate", epilog=EXAMPLES)
@click.argument("runs", nargs=-1, metavar="RUN")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="RUN",
    help="A run file, an item table (.csv .jsonl .parquet; all also .gz), or - for standard input.",
)
@click.option("--mode", help="Which experiment of a run.")
@with_options(result_options("calibrator"))
def command(
    runs: tuple[str, ...],
    inputs: tuple[str, ...],
    mode: str | None,
    **chosen: Any,
) -> None:
    """Fit a calibrator on the answered items of a run.

    Its quality is reported on the rows it was fitted on and, by participant, out of fold: only the
    latter tells what to expect of new participants.
    """
    if len(paths := [*runs, *inputs]) != 1:
        raise click.UsageError(f"one run is needed to fit a calibrator on, found {len(paths)}")
    (path,) = paths
    results = Results.asked("calibrator", chosen)
    moment = now()
    with translated({**FLAGS, **COLUMNS}):
        options = _options(chosen)
        columns = TableColumns(**given_to(COLUMNS, chosen))
        results.check([path])
        table = _table(path, mode, columns, needed_signals(options))
        artifact = fit_calibrator(table, options, created_at=stamp(moment))
    for warning in artifact.warnings:
        talk(f"warning: {warning}", quiet=results.quiet)
    results.conclude(artifact, moment)


command.params[3:3] = [*FLAGS.values(), *COLUMNS.values()]


def _options(chosen: dict[str, Any]) -> CalibratorOptions:
    given = given_to(FLAGS, chosen)
    if given["method"] == "linear" and given["target"] is None:
        given["target"] = "loss"
    return CalibratorOptions(**given)


def _table(
    path: str, mode: str | None, columns: TableColumns, signals: frozenset[str]
) -> ItemTable:
    table = read_run(path, mode=mode, columns=columns, signals=signals)
    return replace(table, source=replace(table.source, path=storable(table.source.path)))
