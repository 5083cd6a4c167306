"""Options of commands: made of the records that declare them, or declared by hand.

What a field declares is what its flag says and takes. An option that is not given stays None, so
that a preset can speak. `--memory-limit` is one of every command that reads files, and `--engine`
of those with tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import click

from assay.errors import AssayError, UsageError
from assay.options import PRESETS, Choice, choices_of, declared
from assay.showing import quoted
from assay.sources.content import LIMIT_WORDS, memory_limit
from assay.sources.engine import ENGINES, chosen_engine, chosen_exact, chosen_master

Decorator = Callable[[Any], Any]
LARGEST = 2**63 - 1
"""the largest whole number that arrays and artifacts hold"""
Settings = dict[str, Any]
NAMED = re.compile(r"`(\w+)`")


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


def flags_of(record: type[Any] | None, taken: Iterable[str] = ()) -> dict[str, click.Option]:
    """Return a record's options as flags, by field; a spelling that another has is left to it."""
    gone = {*taken}
    return {
        choice.name: _flag(choice, [flag for flag in choice.flags if flag not in gone], record)
        for choice in (declared(record).values() if record else ())
        if choice.option.listed
    }


def given_to(flags: Mapping[str, click.Option], chosen: Mapping[str, Any]) -> Settings:
    """Return what was given on the command line, by field."""
    return {name: chosen[flag.name or ""] for name, flag in flags.items()}


def identifier(flag: str) -> str:
    """Return a flag as the name of a parameter."""
    return flag.lstrip("-").replace("-", "_")


def _flag(choice: Choice, flags: list[str], record: Any) -> click.Option:
    option = choice.option
    settings = _settings(choice, record)
    metavar = option.metavar or ("COLUMN" if option.column else settings.pop("metavar", None))
    settings.pop("metavar", None)
    return click.Option(
        [*flags, identifier(flags[0])],
        help=spelled(_help(choice), {n: c.flags[0] for n, c in declared(record).items()}),
        metavar=metavar,
        required=choice.required,
        **settings,
    )


def spelled(text: str, flags: Mapping[str, str]) -> str:
    """Name options as a command does: the library's names stand in backticks."""
    return NAMED.sub(lambda found: flags.get(found[1], found[0]), text)


@contextmanager
def translated(parameters: Mapping[str, click.Parameter]) -> Iterator[None]:
    """Name options in errors as a command spells them; other errors name columns in this way."""
    flags = {name: each.opts[0] for name, each in parameters.items()}
    try:
        yield
    except AssayError as error:
        if isinstance(error, UsageError):
            error.message = spelled(error.message, flags)
        error.hint = None if error.hint is None else spelled(error.hint, flags)
        raise


def _help(choice: Choice) -> str:
    shown = choice.option.shown or _default(choice.default)
    return f"{choice.option.help} [default: {shown}]" if shown else choice.option.help


def _default(default: Any) -> str:
    if default is MISSING or default is None or default is False or default == ():
        return ""
    if isinstance(default, tuple):
        return ",".join(f"{each:g}" for each in default)
    return f"{default:g}" if isinstance(default, float) else str(default)


def _settings(choice: Choice, record: Any) -> Settings:
    """Return how a type is read from words."""
    kind = _without_none(choice.type)
    if choice.name == "preset" and PRESETS[record]:
        return {"type": click.Choice([*PRESETS[record]])}
    if choices_of(kind):
        return {"type": click.Choice(choices_of(kind))}
    if kind is bool:
        return {"is_flag": True, "default": None}
    if get_origin(kind) is tuple:
        return _several(choice, get_args(kind))
    return {"type": {int: WHOLE, float: float}.get(kind, str)}


def _without_none(kind: Any) -> Any:
    if get_origin(kind) in {Union, UnionType}:
        return next(each for each in get_args(kind) if each is not NoneType)
    return kind


def _several(choice: Choice, kinds: tuple[Any, ...]) -> Settings:
    if kinds[0] is float and kinds[-1] is not ...:
        return {"callback": two_numbers, "metavar": "NUMBER,NUMBER"}
    if kinds[0] is float:
        return {"multiple": True, "callback": joined_numbers, "metavar": "NUMBER,..."}
    if get_origin(kinds[0]) is tuple:
        return {"multiple": True, "callback": _split_each}
    if choice.option.commas:
        return {"multiple": True, "callback": _split, "metavar": "NAME,..."}
    return {"multiple": True, "callback": _all_or_none}


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> Any:
    """See an option that is given several times as one list of names."""
    return tuple(name for each in values for name in _names(each)) if values else None


def _split_each(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> Any:
    """See each value as a list of names."""
    return tuple(map(_names, values)) or None


def _all_or_none(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> Any:
    return values or None
