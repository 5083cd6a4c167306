"""The options of `assay verdicts` that name files and say how to resample."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.arguments import RESAMPLING
from assay.cli.options import WHOLE, Decorator, joined_names, option
from assay.inference import Plan

__all__ = ["INPUTS", "OTHER_OUTPUTS", "RESAMPLED"]

_PLAN = Plan()

INPUTS: tuple[Decorator, ...] = (
    click.option(
        "--results",
        "results",
        multiple=True,
        required=True,
        metavar="RESULTS",
        help="What a system answered: a results file, a list or JSON lines. Repeat it to compare"
        " with the first, case by case.",
    ),
    click.option(
        "--ground-truth",
        "ground_truth",
        required=True,
        metavar="TRUTH",
        help="True verdicts and incidents.",
    ),
    click.option(
        "--reviews",
        metavar="REVIEWS",
        help="The texts that are quoted, as JSON or JSON lines; without them quotations are not"
        " checked.",
    ),
    click.option(
        "--method",
        metavar="NAME",
        help="How answers are read: amos takes them from extractions in the response. [default: the"
        " method that the results name]",
    ),
    click.option(
        "--policy",
        metavar="NAME|FILE",
        help="The policy: a bundled one by name, or a YAML or JSON file. [default: the one that the"
        " files name]",
    ),
    click.option(
        "--scale",
        "scale",
        multiple=True,
        callback=joined_names,
        metavar="VERDICT,...",
        help="The verdicts from the lowest to the highest, instead of a policy.",
    ),
)
RESAMPLED: tuple[Decorator, ...] = (
    option(
        "--bootstrap-resamples",
        "n_resamples",
        "Resamples of cases; 0 gives no intervals.",
        _PLAN.n_resamples,
        type=WHOLE,
    ),
    *RESAMPLING[1:],
)
OTHER_OUTPUTS: tuple[Decorator, ...] = (
    click.option(
        "--results-output",
        "results_output",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write a results file again with its evaluation in it; one per --results, in order.",
    ),
    click.option(
        "--unified-scores",
        "composite",
        is_flag=True,
        help="Also put the deprecated unified_scores into --results-output.",
    ),
    click.option(
        "--tables",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="Write cases.csv and snippets.csv, one line per case and per quotation.",
    ),
)
