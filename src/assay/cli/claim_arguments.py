"""The options that `assay intervals` and `assay sets` share."""

from __future__ import annotations

import click

from assay.cli.arguments import RESAMPLING
from assay.cli.options import Decorator, choice, number_list, option
from assay.inference import IntervalMethod, Plan

__all__ = ["COLUMNS", "ERROR_BARS", "INPUTS", "level_option"]

_PLAN = Plan()

INPUTS: tuple[Decorator, ...] = (
    click.argument("tables", nargs=-1, metavar="TABLE..."),
    click.option(
        "--input",
        "inputs",
        multiple=True,
        metavar="TABLE",
        help="Another table to compare with the first; the same as a further TABLE.",
    ),
    click.option(
        "--y",
        "y",
        required=True,
        metavar="COLUMN",
        help="The column of the truth, or a .npy file that holds it.",
    ),
)
COLUMNS: tuple[Decorator, ...] = (
    click.option(
        "--cluster",
        metavar="COLUMN",
        help="The column of clusters, such as participants; without it rows are independent.",
    ),
    click.option("--group", metavar="COLUMN", help="A column of groups: coverage in each of them."),
)
# The level and the kind of error bars go by longer names here: --level and --interval are about
# what the system claims.
ERROR_BARS: tuple[Decorator, ...] = (
    *RESAMPLING[:2],
    option("--error-bar-level", "bar_level", "Level of the error bars.", _PLAN.level, type=float),
    option(
        "--error-bar",
        "method",
        "Kind of the error bars.",
        _PLAN.method,
        type=choice(IntervalMethod),
    ),
    *RESAMPLING[4:],
)


def level_option(default: tuple[float, ...]) -> Decorator:
    """Declare the levels that intervals or sets claim."""
    meaning = "The coverage that is claimed; one per interval or set where there are several."
    return number_list("--level", "level", meaning, default)
