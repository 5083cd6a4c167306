"""How an option is declared: lists of numbers, choices, and defaults that only show in the help.

An option that is not given stays None, so that a preset can speak. `--memory-limit` is one of every
command that reads files, and `--engine` of those with tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from math import isfinite
from typing import Any, get_args

import click

from assay.errors import UsageError
from assay.showing import quoted
from assay.sources.choosing import ENGINES, chosen_engine, chosen_exact, chosen_master
from assay.sources.content import LIMIT_WORDS, memory_limit

__all__ = [
    "ABOVE_ZERO",
    "AT_LEAST_ONE",
    "NOT_NEGATIVE",
    "SHARE",
    "WHOLE",
    "Decorator",
    "choice",
    "chosen_fields",
    "joined_names",
    "joined_numbers",
    "option",
    "two_numbers",
    "with_engine",
    "with_memory_limit",
    "with_options",
]

Decorator = Callable[[Any], Any]
LARGEST = 2**63 - 1
"""the largest whole number that arrays and artifacts hold"""


class _Whole(click.ParamType[int]):
    """A whole number of 64 bits, perhaps from some number on."""

    name = "integer"

    def __init__(self, least: int | None = None) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number, or say why it is none."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{quoted(value)} is not a valid integer.", param, ctx)
        if abs(number) > LARGEST:
            self.fail(f"{quoted(value)} is beyond 64 bits.", param, ctx)
        if self._least is not None and number < self._least:
            self.fail(f"{number} is below {self._least}.", param, ctx)
        return number


class _Finite(click.FloatRange):
    """A number in a range: what is not a number is in all of them, and keeps no limit."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number, or say why it is none."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{quoted(value)} is not a finite number.", param, ctx)
        return number


WHOLE, NOT_NEGATIVE, AT_LEAST_ONE = _Whole(), _Whole(0), _Whole(1)


ABOVE_ZERO, SHARE = _Finite(min=0, min_open=True), _Finite(0, 1)


def with_options(*groups: Iterable[Decorator]) -> Decorator:
    """Give a command options, in the order of its help."""

    def decorate(command: Any) -> Any:
        for option in reversed([each for group in groups for each in group]):
            command = option(command)
        return command

    return decorate


def chosen_fields(record: type[Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Pick what was chosen among the fields of a record: options are named as the fields."""
    names = {field.name for field in fields(record)} - {"preset"}
    return {name: chosen[name] for name in names & chosen.keys() if chosen[name] is not None}


def _numbers(value: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in value.split(","))
    except ValueError:
        msg = f"{quoted(value)} is not a list of numbers separated by commas"
        raise click.BadParameter(msg) from None


def joined_numbers(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> Any:
    """See an option that is given several times as one list of numbers."""
    return _numbers(",".join(values)) if values else None


def joined_names(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> str | None:
    """See an option that is given several times as one list of names."""
    return ",".join(values) if values else None


def two_numbers(_: click.Context, parameter: click.Parameter, value: str | None) -> Any:
    """Read two numbers, such as the ends of a scale."""
    if value is None:
        return None
    ends = _numbers(value)
    if len(ends) != 2:  # noqa: PLR2004 - as the name says
        msg = f"{quoted(value)} is not two numbers, as in {parameter.opts[0]} 0,3"
        raise click.BadParameter(msg)
    return ends


def choice(literal: Any) -> click.Choice[str]:
    """Offer the values of a Literal."""
    return click.Choice(get_args(literal))


def option(flag: str, name: str, meaning: str, default: Any, **settings: Any) -> Decorator:
    """Declare an option whose default is only said, not set."""
    shown = ",".join(f"{each:g}" for each in default) if type(default) is tuple else default
    return click.option(flag, name, help=f"{meaning} [default: {shown}]", **settings)


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
