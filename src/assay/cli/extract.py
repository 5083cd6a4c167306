"""`assay extract`: the answers in generations, and nothing more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.options import with_options
from assay.cli.places import check_place
from assay.cli.printing import stdout_console, talk
from assay.cli.reasoning_arguments import (
    FORCE,
    GENERATIONS,
    GOLD,
    LABELS,
    SKIPPING,
    files_of,
    folder_option,
    options_of,
)
from assay.cli.reasoning_conventions import EXTRACTION
from assay.evaluate.reasoning.pipeline import extract_generations
from assay.report.console import render
from assay.report.families.reasoning.words import summarize_extraction

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay extract --generations results --labels labels.yaml --output out
  assay extract --generations results --gold-labels gold_labels.json
  assay extract answers.jsonl --labels labels.yaml --mentions asserted"""


@click.command("extract", epilog=EXAMPLES)
@with_options(
    GENERATIONS,
    GOLD[:2],
    LABELS[:2],
    SKIPPING,
    EXTRACTION,
    (
        folder_option("processed/study_a_extracted/MODEL/study_a_extracted.jsonl"),
        FORCE,
        click.option("--quiet", is_flag=True, help="Print nothing but errors."),
    ),
)
def command(output: Path, quiet: bool, force: bool, **chosen: Any) -> None:
    """Extract the answers from generations against a closed set, with refusals and failures.

    The closed set is the label file, else the gold that occurs (with --gold-labels or
    --vignettes), else the shipped list of diagnoses. No output is judged with its own gold.
    """
    files, options = files_of(chosen), options_of(chosen)
    check_place(output / "stages.json")
    done = extract_generations(files, options, output, force=force)
    if not quiet:
        render(summarize_extraction(done), stdout_console())
    for name in done.up_to_date:
        talk(f"up to date: {name}", quiet=quiet)
    for path in done.written:
        talk(f"wrote {output / path}", quiet=quiet)
