"""`assay calibrate`: fit a calibrator on a run, for `assay selective --calibration`."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import click

from assay.calibrators import Method
from assay.calibrators.fitting import (
    CalibratorOptions,
    Target,
    fit_calibrator,
    needed_signals,
)
from assay.cli.arguments import TABLE_COLUMNS
from assay.cli.options import WHOLE, Decorator, choice, joined_names, option, with_options
from assay.cli.printing import talk
from assay.cli.results import Results, result_options
from assay.derive.confidence import Missing
from assay.moments import now, stamp
from assay.sources import read_run
from assay.sources.items import ItemTable, TableColumns

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay calibrate --input train.json --mode few_shot
  assay calibrate --input train.json --mode few_shot --method logistic \\
                  --features verbalized_confidence,token_msp --output logistic.json
  assay selective --input test.json --mode few_shot --confidence calibrated \\
                  --calibration logistic.json --strict"""

_USUAL = CalibratorOptions()
FITTING: tuple[Decorator, ...] = (
    option("--method", "method", "What is fitted.", _USUAL.method, type=choice(Method)),
    option(
        "--features",
        "features",
        "Stored signals separated by commas; verbalized is the stated confidence from 0 to 1,"
        " confidence:NAME any confidence function.",
        ",".join(_USUAL.features),
        multiple=True,
        callback=joined_names,
        metavar="NAME,...",
    ),
    option(
        "--target",
        "target",
        "What is predicted: error 0, error at most 1, or 1 - error / range.",
        f"{_USUAL.target}; loss for --method linear",
        type=choice(Target),
    ),
    option(
        "--missing",
        "missing",
        "Refuse absent features, or fill in as the reference does.",
        _USUAL.missing,
        type=choice(Missing),
    ),
    option("--folds", "folds", "Parts of the participants, out of fold.", _USUAL.folds, type=WHOLE),
    option("--seed", "seed", "Seed of the folds.", _USUAL.seed, type=WHOLE),
)


@click.command("calibrate", epilog=EXAMPLES)
@click.option(
    "--input",
    "path",
    required=True,
    metavar="RUN",
    help="A run file, an item table (.csv .jsonl .parquet; all also .gz), or - for standard input.",
)
@click.option("--mode", help="Which experiment of a run.")
@with_options(FITTING, TABLE_COLUMNS)
@with_options(result_options("calibrator"))
def command(
    path: str,
    mode: str | None,
    **chosen: Any,
) -> None:
    """Fit a calibrator on the answered items of a run.

    Its quality is reported on the rows it was fitted on and, by participant, out of fold: only the
    latter tells what to expect of new participants.
    """
    options = _options(chosen)
    columns = TableColumns(**_of(TableColumns, chosen))
    results = Results.asked("calibrator", chosen)
    results.check([path])
    table = _table(path, mode, columns, needed_signals(options))
    moment = now()
    artifact = fit_calibrator(table, options, created_at=stamp(moment))
    for warning in artifact.warnings:
        talk(f"warning: {warning}", quiet=results.quiet)
    results.conclude(artifact, moment)


def _options(chosen: dict[str, Any]) -> CalibratorOptions:
    given = _of(CalibratorOptions, chosen)
    if "features" in given:
        names = (part.strip() for part in given["features"].split(","))
        given["features"] = tuple(name for name in names if name)
    if given.get("method") == "linear":
        given = {"target": "loss", **given}
    return CalibratorOptions(**given)


def _table(
    path: str, mode: str | None, columns: TableColumns, signals: frozenset[str]
) -> ItemTable:
    table = read_run(path, mode=mode, columns=columns, signals=signals)
    shown = table.source.path.encode(errors="backslashreplace").decode()
    return replace(table, source=replace(table.source, path=shown))


def _of(record: type[Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """Pick what was chosen among the fields of a record: options are named as the fields."""
    names = {field.name for field in fields(record)}
    return {name: chosen[name] for name in names & chosen.keys() if chosen[name] is not None}
