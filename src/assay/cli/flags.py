"""Option records as flags of a command: what a field declares is what the flag says and takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import click

from assay.cli.options import WHOLE, joined_numbers, two_numbers
from assay.errors import AssayError, UsageError
from assay.options import PRESETS, Choice, choices_of, declared

__all__ = ["flags_of", "given_to", "identifier", "spelled", "translated"]

Settings = dict[str, Any]
NAMED = re.compile(r"`(\w+)`")


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
