"""`assay reasoning`: whether chains of thought are what answers rest on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay import artifacts
from assay.artifacts.folders import STAGES
from assay.cli.options import with_options
from assay.cli.places import check_places
from assay.cli.printing import print_bytes, talk
from assay.cli.progress import progress_bar
from assay.cli.reasoning_arguments import (
    BIAS,
    FORCE,
    GENERATIONS,
    GOLD,
    LABELS,
    RESAMPLING,
    SKIPPING,
    files_of,
    folder_option,
    options_of,
    plan_of,
)
from assay.cli.reasoning_conventions import BIAS_TEXT, COUNTING, EXTRACTION, PRESET, STEPS
from assay.cli.reproduce import command_line
from assay.cli.results import FORMAT, HTML, QUIET, show, write_page
from assay.evaluate.reasoning.pipeline import Asked, Done, reason
from assay.evaluate.reasoning.seed_files import ARTIFACT, FOLDERS
from assay.moments import now, stamp
from assay.report.packages import require_packages
from assay.report.tables import TableFormat
from assay.showing import counted

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay reasoning --generations results --vignettes vignettes.json
  assay reasoning --generations results --vignettes vignettes.json --gold-labels labels.json
  assay reasoning results/a results/b --vignettes v.jsonl --cluster persona
  assay reasoning --generations results --vignettes v.json --preset seed --output seed-reading"""
RESULTS = (
    folder_option("all results: reasoning.json, processed/ and metric-results/"),
    FORCE,
    HTML,
    click.option("--json", "as_json", is_flag=True, help="Print the artifact, not a summary."),
    FORMAT,
    click.option("--quiet", is_flag=True, help=QUIET),
)


@click.command("reasoning", epilog=EXAMPLES)
@with_options(
    GENERATIONS,
    GOLD,
    LABELS,
    BIAS,
    SKIPPING,
    COUNTING,
    EXTRACTION,
    STEPS,
    (BIAS_TEXT, PRESET),
    RESAMPLING,
    RESULTS,
)
def command(
    output: Path,
    html: Path | None,
    as_json: bool,
    table_format: TableFormat | None,
    quiet: bool,
    force: bool,
    **chosen: Any,
) -> None:
    """Whether chains of thought are what answers rest on: gap, steps, silent bias.

    Reads generations in two modes (cot and direct) over vignettes, extracts the answers, and says
    how accuracies differ, under every reading of the texts. Raw files are never changed. Stages
    whose inputs, options and code are the same are not done again.
    """
    if as_json and table_format:
        raise click.UsageError("--json and --format both say what to print: choose one")
    files, options, plan = files_of(chosen), options_of(chosen), plan_of(chosen)
    if html is not None:
        require_packages()
    own = [output / ARTIFACT, output / STAGES]
    folders = [output / each for each in FOLDERS]
    check_places([*own, *filter(None, [html])], files.paths, folders=folders)
    with progress_bar(plan.n_resamples, shown=not quiet) as progress:
        asked = Asked(files, options, plan, stamp(now()), command_line(), progress)
        done = reason(asked, output, force=force)
    data = artifacts.encode(done.artifact)
    if as_json:
        print_bytes(data)
    else:
        show(done.artifact, table_format, quiet=quiet)
    _tell(done, output, quiet=quiet)
    if html is not None:
        write_page(data, html, quiet=quiet)


def _tell(done: Done, output: Path, *, quiet: bool) -> None:
    """Say which files were written and which stages left alone."""
    for name in done.up_to_date:
        talk(f"up to date: {name}", quiet=quiet)
    if done.written:
        talk(
            f"wrote {counted(len(done.written), 'file')} into {output}, {ARTIFACT} among them",
            quiet=quiet,
        )
