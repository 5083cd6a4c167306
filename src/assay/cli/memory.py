"""`--memory-limit` of every command that reads files, and `--engine` of those with tables."""

from __future__ import annotations

import click

from assay.errors import UsageError
from assay.sources.choosing import ENGINES, chosen_engine, chosen_exact, chosen_master
from assay.sources.content import LIMIT_WORDS, memory_limit

__all__ = ["with_engine", "with_memory_limit"]


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


def _chosen(context: click.Context, _: click.Parameter, value: str | None) -> None:
    try:
        context.with_resource(chosen_engine(value))
    except UsageError as error:
        raise click.UsageError(f"{error.message}; {error.hint}") from None


ENGINE = click.Option(
    ["--engine"],
    callback=_chosen,
    expose_value=False,
    is_eager=True,
    type=click.Choice(ENGINES),
    help="What takes the rows of tables: memory reads them, duckdb and spark reduce them outside of"
    " it. [default: auto, which is duckdb for tables of 1 GB and more]",
)
MASTER = click.Option(
    ["--master"],
    callback=lambda context, _, value: context.with_resource(chosen_master(value)),
    expose_value=False,
    is_eager=True,
    metavar="URL",
    help="The Spark master that --engine spark connects to, as in local[2].",
)
EXACT = click.Option(
    ["--exact"],
    is_flag=True,
    callback=lambda context, _, value: context.with_resource(chosen_exact(exact=value)),
    expose_value=False,
    is_eager=True,
    help="Let an engine merge no numbers, however many there are.",
)


def with_engine(command: click.Command) -> click.Command:
    """Give a command the choice of an engine, and what goes with it."""
    for option in (ENGINE, MASTER, EXACT):
        if option not in command.params:
            command.params.append(option)
    return command


def with_memory_limit(command: click.Command) -> click.Command:
    """Give a command the option, last in its help."""
    if LIMIT not in command.params:
        command.params.append(LIMIT)
    return command
