"""The options of `assay selective`, under the names of the fields they fill."""

from __future__ import annotations

import click

from assay.cli.options import (
    WHOLE,
    Decorator,
    choice,
    joined_names,
    number_list,
    option,
    two_numbers,
)
from assay.derive.confidence import Missing, TotalEvidence
from assay.derive.losses import LOSSES
from assay.evaluate import PRESETS, SelectiveOptions
from assay.evaluate.scoring import Undefined
from assay.inference import IntervalMethod, Plan, Stream
from assay.metrics.selective.curve import Area

__all__ = ["CONVENTIONS", "INPUTS", "RESAMPLING", "TABLE_COLUMNS"]

_USUAL, _PLAN = SelectiveOptions(), Plan()

INPUTS: tuple[Decorator, ...] = (
    click.option(
        "--input",
        "inputs",
        multiple=True,
        required=True,
        metavar="RUN",
        help="A run file, an item table (.csv .jsonl .parquet; all also .gz), or - for standard"
        " input. Repeat it to compare with the first.",
    ),
    click.option(
        "--mode",
        "modes",
        multiple=True,
        help="Which experiment of a run: one for all inputs, or one per input in their order.",
    ),
    click.option(
        "--intersection-only",
        is_flag=True,
        default=None,
        help="Compare on the participants that all inputs share.",
    ),
)
CONVENTIONS: tuple[Decorator, ...] = (
    option("--loss", "loss", "What an answer costs.", _USUAL.loss, type=click.Choice([*LOSSES])),
    option(
        "--confidence",
        "confidence",
        "Rank answers by: default, all, or names separated by commas; `assay metrics` lists them.",
        _USUAL.confidence,
        multiple=True,
        callback=joined_names,
        metavar="NAME,...",
    ),
    option(
        "--area",
        "area",
        "Plateaus joined by lines, or row by row.",
        _USUAL.area,
        type=choice(Area),
    ),
    number_list(
        "--coverage-grid", "coverage_grid", "Coverages of MAE@coverage.", _USUAL.coverage_grid
    ),
    option(
        "--area-coverage", "area_coverage", "Where areas are cut.", _USUAL.area_coverage, type=float
    ),
    number_list("--risk-target", "risk_target", "Risks of coverage_at_risk.", _USUAL.risk_target),
    number_list(
        "--threshold",
        "threshold",
        "Operating points to report: answers of at least this confidence are accepted.",
        "none",
    ),
    click.option(
        "--calibration",
        metavar="CAL",
        help="A calibrator file (see `assay calibrate`) for the confidences calibrated,"
        " verbalized_calibrated and calibrated:NAME.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Refuse a calibrator that was fitted on participants of an input, or does not say on"
        " which.",
    ),
    option(
        "--missing",
        "missing",
        "Refuse absent signals, or fill in as the reference does.",
        _USUAL.missing,
        type=choice(Missing),
    ),
    option(
        "--total-evidence",
        "total_evidence",
        "What the confidence total_evidence means.",
        _USUAL.total_evidence,
        type=choice(TotalEvidence),
    ),
    option(
        "--undefined",
        "undefined",
        "Write undefined numbers as null, or as the reference does.",
        _USUAL.undefined,
        type=choice(Undefined),
    ),
    option(
        "--preset",
        "preset",
        "A named bundle of the options above; those given win.",
        _USUAL.preset,
        type=click.Choice([*PRESETS]),
    ),
)
RESAMPLING: tuple[Decorator, ...] = (
    option(
        "--bootstrap-resamples",
        "n_resamples",
        "Resamples of participants; 0 gives no intervals.",
        _PLAN.n_resamples,
        type=WHOLE,
    ),
    option("--seed", "seed", "Seed of the resamples.", _PLAN.seed, type=WHOLE),
    option("--level", "level", "Level of the intervals.", _PLAN.level, type=float),
    option(
        "--interval", "method", "Kind of the intervals.", _PLAN.method, type=choice(IntervalMethod)
    ),
    option("--stream", "stream", "Where resamples come from.", _PLAN.stream, type=choice(Stream)),
    option("--threads", "threads", "How many at once; changes no number.", "all cores", type=WHOLE),
)
TABLE_COLUMNS: tuple[Decorator, ...] = (
    *(
        click.option(f"--{role}", metavar="COLUMN", help=f"Plain tables: the column of {meaning}.")
        for role, meaning in {
            "participant": "participant ids (without it rows are independent)",
            "item": "item names",
            "prediction": "answers (empty: abstained)",
            "truth": "truths (empty: unscored)",
            "count": "how many items each row stands for",
            "group": "group labels",
            "success": "success (false: the system failed)",
        }.items()
    ),
    click.option(
        "--scale",
        callback=two_numbers,
        metavar="LOW,HIGH",
        help="Plain tables: the ends of the scale, needed by --loss abs_norm.",
    ),
)
