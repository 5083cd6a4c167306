"""`--memory-limit`, which every command has that reads files."""

from __future__ import annotations

import click

from assay.errors import UsageError
from assay.sources.content import LIMIT_WORDS, memory_limit

__all__ = ["with_memory_limit"]


def _limited(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    try:
        context.with_resource(memory_limit(value))
    except UsageError as error:
        raise click.BadParameter(error.message) from None


LIMIT = click.Option(
    ["--memory-limit"],
    callback=_limited,
    expose_value=False,
    is_eager=True,
    metavar="SIZE",
    help=f"Most that is read of one file, decompressed, as in 8GB. [default: {LIMIT_WORDS}]",
)


def with_memory_limit(command: click.Command) -> click.Command:
    """Give a command the option, last in its help."""
    if LIMIT not in command.params:
        command.params.append(LIMIT)
    return command
