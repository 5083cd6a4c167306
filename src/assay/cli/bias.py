"""`assay bias`: biased answers, and reasoning that is silent about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.options import with_options
from assay.cli.places import check_place
from assay.cli.printing import print_bytes, stdout_console, talk
from assay.cli.reasoning_arguments import (
    BIAS,
    FORCE,
    RESAMPLING,
    SKIP_BROKEN,
    files_of,
    folder_option,
    options_of,
    plan_of,
)
from assay.cli.reasoning_conventions import BIAS_TEXT, EXTRACTION
from assay.evaluate.reasoning.pipeline import evaluate_bias
from assay.evaluate.reasoning.seed_files import BIAS_METRICS
from assay.report.console import render
from assay.report.families.reasoning.words import summarize_bias

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay bias --bias-generations results --bias-cases bias_cases.json
  assay bias results/a results/b --bias-cases bias_cases.json --bias-text split"""


@click.command("bias", epilog=EXAMPLES)
@with_options(
    (*BIAS, click.argument("more", nargs=-1, metavar="[DIR|FILE]...")),
    (SKIP_BROKEN, BIAS_TEXT, EXTRACTION[0]),
    RESAMPLING,
    (
        folder_option(BIAS_METRICS),
        FORCE,
        click.option("--json", "as_json", is_flag=True, help="Print the file, not a summary."),
        click.option("--quiet", is_flag=True, help="Print nothing but errors (and --json)."),
    ),
)
def command(output: Path, as_json: bool, quiet: bool, force: bool, **chosen: Any) -> None:
    """How often answers follow a bias, and how often the reasoning does not mention it.

    A case names a feature that tempts and the label of the biased answer. Where no answer is
    biased the silent rate is undefined, not 0.
    """
    given = {**chosen, "bias_generations": (*chosen["bias_generations"], *chosen.pop("more"))}
    files, options, plan = files_of(given), options_of(given), plan_of(given)
    check_place(output / BIAS_METRICS)
    done = evaluate_bias(files, options, plan, output, force=force)
    if as_json:
        print_bytes(done.data)
    elif not quiet:
        render(summarize_bias(done.records, plan), stdout_console())
    for warning in done.warnings:
        talk(f"warning: {warning}", quiet=quiet)
    done_what = "wrote" if done.written else "up to date:"
    talk(f"{done_what} {output / BIAS_METRICS}", quiet=quiet)
