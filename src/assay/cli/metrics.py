"""`assay metrics`: everything that can be computed, and what answers can be ranked by."""

from __future__ import annotations

import json

import click

from assay.cli.printing import print_bytes, stdout_console
from assay.report.catalogue import listing, records
from assay.report.console import render

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay metrics
  assay metrics --json"""


@click.command("metrics", epilog=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List the metrics and the confidence functions."""
    if as_json:
        print_bytes(json.dumps(records(), indent=1).encode() + b"\n")
    else:
        render(listing(), stdout_console())
