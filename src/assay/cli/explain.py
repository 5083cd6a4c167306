"""`assay explain NAME`: one metric or confidence function, read from its definition."""

from __future__ import annotations

import click

from assay.cli.printing import stdout_console
from assay.report.catalogue import explanation
from assay.report.console import render

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay explain aurc
  assay explain hybrid_consistency"""


@click.command("explain", epilog=EXAMPLES)
@click.argument("name")
def command(name: str) -> None:
    """Explain a metric or a confidence function.

    Shows the formula, the conventions, what is needed, when it is undefined, the source and an
    example.
    """
    render(explanation(name), stdout_console())
