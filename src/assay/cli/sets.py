"""`assay sets`: whether prediction sets cover what they claim."""

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
from assay.cli.options import WHOLE, choice, chosen_fields, joined_names, option, with_options
from assay.cli.progress import progress_bar
from assay.cli.results import Results, result_options
from assay.evaluate.claims import SET_PRESETS, SetColumns, SetOptions
from assay.evaluate.sets import sets_of_tables
from assay.metrics.intervals.spans import Formula
from assay.moments import now, stamp

__all__ = ["command"]

_USUAL = SetOptions()
EXAMPLES = """\
\b
Examples:
  assay sets table.csv --y label --set classes
  assay sets table.csv --y label --set cat,dog,bird --level 0.9
  assay sets arrays.npz --y y --set sets --classes cat,dog,bird --level 0.8,0.9
  assay sets old.jsonl new.jsonl --y label --set classes --cluster person"""
SETS = (
    click.option(
        "--set",
        "sets",
        multiple=True,
        metavar="COLUMN[,COLUMN...]",
        help="A column of lists of labels, an array of flags (rows, classes) or (rows, classes,"
        " levels), or one column of flags per class. Repeat it for further levels or systems.",
    ),
    click.option(
        "--classes",
        multiple=True,
        callback=joined_names,
        metavar="NAME,...",
        help="The classes in their order. [default: the names of the flag columns, or the labels]",
    ),
    level_option(_USUAL.level),
)
CONVENTIONS = (
    option("--groups", "n_groups", "How many strata of sizes.", "one per size", type=WHOLE),
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
        type=click.Choice([*SET_PRESETS]),
    ),
)


@click.command("sets", epilog=EXAMPLES)
@with_options(INPUTS, SETS, COLUMNS, CONVENTIONS, ERROR_BARS, result_options("sets"))
def command(
    tables: tuple[str, ...],
    inputs: tuple[str, ...],
    **chosen: Any,
) -> None:
    """Whether prediction sets cover what they claim, how large they are, where they fail.

    TABLE is CSV, JSON lines, Parquet, .npz or .npy (all also .gz), or - for standard input. With
    one level, several tables or sets are compared, each with the first; with several levels, each
    system has one set per level.
    """
    results = Results.asked("sets", chosen)
    paths = all_tables(tables, inputs)
    results.check([*paths, chosen["y"]])
    moment = now()
    options = SetOptions.of(chosen["preset"] or "default", **chosen_fields(SetOptions, chosen))
    columns = SetColumns(**chosen_fields(SetColumns, _split(chosen)))
    plan = plan_of(chosen)
    total = plan.n_resamples * len(options.level)
    with progress_bar(total, shown=not results.quiet) as progress:
        artifact = with_files(
            paths,
            columns.y,
            lambda read: sets_of_tables(
                read, columns, options, plan, created_at=stamp(moment), progress=progress
            ),
        )
    results.conclude(artifact, moment)


def _split(chosen: dict[str, Any]) -> dict[str, Any]:
    """Cut names at their commas."""
    classes = chosen["classes"]
    return {
        **chosen,
        "sets": tuple(_names(each) for each in chosen["sets"]),
        "classes": None if classes is None else _names(classes),
    }


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
