"""The options of `assay calibration` that say what goes in, named as the fields they fill."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import Decorator, choice, joined_names
from assay.evaluate.forecasts import MissingRows

__all__ = ["COLUMNS", "INPUTS"]

INPUTS: tuple[Decorator, ...] = (
    click.argument("tables", nargs=-1, metavar="TABLE..."),
    click.option(
        "--input",
        "inputs",
        multiple=True,
        metavar="TABLE",
        help="Another input to compare with the first; the same as a further TABLE.",
    ),
    click.option(
        "--mode",
        "modes",
        multiple=True,
        help="Runs: which experiment, one for all inputs or one per input in their order.",
    ),
    click.option(
        "--confidence",
        "confidence",
        multiple=True,
        callback=joined_names,
        metavar="NAME,...",
        help="Runs: confidences in [0, 1] to take as the probability that the answer is right.",
    ),
    click.option(
        "--calibration",
        metavar="CAL",
        help="Runs: a calibrator file (see `assay calibrate`) for the confidences calibrated,"
        " verbalized_calibrated and calibrated:NAME.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Runs: refuse a calibrator that was fitted on participants of an input.",
    ),
    click.option(
        "--intersection-only",
        is_flag=True,
        default=None,
        help="Compare on the participants or clusters that all inputs share.",
    ),
)


def _listed(_: click.Context, __: click.Parameter, value: Any) -> Any:
    """Split each value at commas; an option that is given several times is several lists."""
    if value is None:
        return None
    if type(value) is tuple:
        return tuple(tuple(part.strip() for part in each.split(",")) for each in value)
    return tuple(part.strip() for part in value.split(","))


COLUMNS: tuple[Decorator, ...] = (
    click.option("--y-true", "y_true", metavar="COLUMN", help="Tables: the outcome or class."),
    click.option(
        "--y-score",
        "y_score",
        multiple=True,
        metavar="COLUMN",
        help="Tables: the probability of the positive outcome. Repeat it to compare.",
    ),
    click.option(
        "--y-prob",
        "y_prob",
        multiple=True,
        callback=_listed,
        metavar="COLUMN,...",
        help="Tables: the probabilities of all classes: one column per class, a column of lists or"
        " an array of two axes. Repeat it to compare.",
    ),
    click.option(
        "--classes",
        callback=_listed,
        metavar="A,B,...",
        help="The classes in the order of the probabilities. [default: column names, or 0,1,...]",
    ),
    click.option(
        "--positive",
        metavar="LABEL",
        help="The label that counts as 1, if not 1 or true; of two classes, if not the second.",
    ),
    click.option(
        "--cluster", metavar="COLUMN", help="Tables: which rows belong together (a person, a text)."
    ),
    click.option(
        "--group", metavar="COLUMN", help="Tables: a column of groups: all numbers in each of them."
    ),
    click.option(
        "--missing",
        type=choice(MissingRows),
        default="error",
        show_default=True,
        help="Refuse rows without a truth or a probability, or drop and count them.",
    ),
    click.option(
        "--sum-tolerance",
        "sum_tolerance",
        type=float,
        default=1e-6,
        show_default=True,
        help="How far the probabilities of a row may be from 1 in sum.",
    ),
)
