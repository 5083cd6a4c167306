"""`assay intervals`: whether prediction intervals cover what they claim."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.claim_arguments import (
    COLUMNS,
    ERROR_BARS,
    INPUTS,
    level_option,
)
from assay.cli.claims import all_tables, plan_of, with_files
from assay.cli.options import (
    WHOLE,
    choice,
    chosen_fields,
    number_list,
    option,
    two_numbers,
    with_options,
)
from assay.cli.progress import progress_bar
from assay.cli.results import Results, result_options
from assay.evaluate.claims import INTERVAL_PRESETS, IntervalColumns, IntervalOptions
from assay.evaluate.intervals import intervals_of_tables
from assay.metrics.intervals.spans import Crossed, Formula
from assay.moments import now, stamp

__all__ = ["command"]

_USUAL = IntervalOptions()
EXAMPLES = """\
\b
Examples:
  assay intervals table.csv --y truth --low low --up up
  assay intervals table.csv --y truth --low low80 --up up80 \\
                  --low low95 --up up95 --level 0.8,0.95
  assay intervals table.csv --y truth --low old_low --up old_up \\
                  --low new_low --up new_up --cluster person
  assay intervals arrays.npz --y y --interval intervals --level 0.8,0.9
  assay intervals old.csv new.csv --y truth --low low --up up --group site"""
BOUNDS = (
    click.option(
        "--low",
        multiple=True,
        metavar="COLUMN",
        help="The lower bounds. Repeat it, with --up, for further levels or systems.",
    ),
    click.option("--up", multiple=True, metavar="COLUMN", help="The upper bounds."),
    click.option(
        "--interval",
        multiple=True,
        metavar="COLUMN",
        help="Both bounds in one array (rows, 2) or (rows, 2, levels), or in one list per row.",
    ),
    level_option(_USUAL.level),
)
CONVENTIONS = (
    option("--eta", "eta", "How hard cwc punishes coverage off the level.", _USUAL.eta, type=float),
    option("--groups", "n_groups", "How many size strata.", _USUAL.n_groups, type=WHOLE),
    option(
        "--kernel-size",
        "kernel_size",
        "Kernel sizes of hsic, for widths and for coverage.",
        _USUAL.kernel_size,
        callback=two_numbers,
        metavar="WIDTHS,COVERAGE",
    ),
    number_list("--width-share", "width_share", "Shares of width_quantile.", _USUAL.width_share),
    option(
        "--crossed",
        "crossed",
        "What bounds mean whose lower one is above the upper one.",
        _USUAL.crossed,
        type=choice(Crossed),
    ),
    option(
        "--formula",
        "formula",
        "Formulas as programs compute them, or as they are printed.",
        _USUAL.formula,
        type=choice(Formula),
    ),
    option(
        "--preset",
        "preset",
        "A named bundle of the options above; those given win.",
        _USUAL.preset,
        type=click.Choice([*INTERVAL_PRESETS]),
    ),
)


@click.command("intervals", epilog=EXAMPLES)
@with_options(INPUTS, BOUNDS, COLUMNS, CONVENTIONS, ERROR_BARS, result_options("intervals"))
def command(
    tables: tuple[str, ...],
    inputs: tuple[str, ...],
    **chosen: Any,
) -> None:
    """Whether prediction intervals cover what they claim, how wide they are, where they fail.

    TABLE is CSV, JSON lines, Parquet, .npz or .npy (all also .gz), or - for standard input. With
    one level, several tables or pairs of bounds are compared, each with the first; with several
    levels, each system has one pair per level.
    """
    results = Results.asked("intervals", chosen)
    paths = all_tables(tables, inputs)
    results.check([*paths, chosen["y"]])
    moment = now()
    options = IntervalOptions.of(
        chosen["preset"] or "default", **chosen_fields(IntervalOptions, chosen)
    )
    columns = IntervalColumns(**chosen_fields(IntervalColumns, chosen))
    plan = plan_of(chosen)
    total = plan.n_resamples * len(options.level)
    with progress_bar(total, shown=not results.quiet) as progress:
        artifact = with_files(
            paths,
            columns.y,
            lambda read: intervals_of_tables(
                read, columns, options, plan, created_at=stamp(moment), progress=progress
            ),
        )
    results.conclude(artifact, moment)
