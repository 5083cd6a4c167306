"""`assay metrics`, `assay explain` and `assay schema`: what there is, for people and programs."""

from __future__ import annotations

import json

import click

from assay.cli.writing import print_bytes, stdout_console
from assay.report.catalogue import explanation, listing, records
from assay.report.console import render

EXAMPLES = "\b\nExamples:\n  "


@click.command("metrics", epilog=f"{EXAMPLES}assay metrics\n  assay metrics --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def _metrics(as_json: bool) -> None:
    """List the metrics and the confidence functions."""
    if as_json:
        print_bytes(json.dumps(records(), indent=1).encode() + b"\n")
    else:
        render(listing(), stdout_console())


@click.command(
    "explain", epilog=f"{EXAMPLES}assay explain aurc\n  assay explain hybrid_consistency"
)
@click.argument("name")
def _explain(name: str) -> None:
    """Explain a metric or a confidence function.

    Shows the formula, the conventions, what is needed, when it is undefined, the source and an
    example.
    """
    render(explanation(name), stdout_console())


@click.command("schema", epilog=f"{EXAMPLES}assay schema > artifacts.schema.json")
def _schema() -> None:
    """Print the JSON Schema of the artifacts."""
    from assay.stored import schema  # noqa: PLC0415 - it imports every family

    print_bytes(schema())


COMMANDS = {each.name: each for each in (_metrics, _explain, _schema)}
