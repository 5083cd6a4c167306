"""`assay schema`: what an artifact looks like, for other programs."""

from __future__ import annotations

import click

from assay.cli.printing import print_bytes
from assay.stored import schema

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay schema > artifacts.schema.json"""


@click.command("schema", epilog=EXAMPLES)
def command() -> None:
    """Print the JSON Schema of the artifacts."""
    print_bytes(schema())
