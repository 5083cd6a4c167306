"""The command that makes an artifact again, as it is put on record in the artifact."""

from __future__ import annotations

import shlex

import click
from click.core import ParameterSource

__all__ = ["command_line"]

WITHOUT_EFFECT = frozenset(
    {
        "output",
        "html",
        "as_json",
        "quiet",
        "full",
        "force",
        "table_format",
        "threads",
        "memory_limit",
        "engine",
        "master",
        "results_output",
        "tables",
        "composite",
    }
)
"""options about where results go and how they are shown: the numbers are the same without them"""


def command_line() -> str:
    """Return what was asked of the command that is running, as a shell would take it.

    Only what was given is named, and only what the numbers depend on, so that the same request
    leaves the same bytes wherever its results go.
    """
    context = click.get_current_context()
    given = [
        each
        for each in context.command.params
        if not (isinstance(each, click.Option) and each.name in WITHOUT_EFFECT)
        and context.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
    ]
    options = [each for each in given if isinstance(each, click.Option)]
    arguments = [each for each in given if isinstance(each, click.Argument)]
    # A flag that acts as it is read is not among the values, and was given.
    values = {each.name: context.params.get(each.name or "", True) for each in options}
    words = [word for each in options for word in _option(each, values[each.name])]
    words += [word for each in arguments for word in _values(each, context.params[each.name or ""])]
    line = shlex.join([*context.command_path.split(), *words])
    # A file name that is not UTF-8 is spelled so that it can be written down.
    return line.encode(errors="backslashreplace").decode()


def _option(option: click.Option, value: object) -> list[str]:
    if option.is_flag:
        names = option.opts if value else option.secondary_opts
        return [max(names, key=len)]
    name = max(option.opts, key=len)
    return [word for each in _values(option, value) for word in (name, each)]


def _values(parameter: click.Parameter, value: object) -> list[str]:
    many = parameter.multiple if isinstance(parameter, click.Option) else parameter.nargs != 1
    values = value if many and isinstance(value, tuple | list) else (value,)
    return [_text(each) for each in values]


def _text(value: object) -> str:
    """Spell a value as it is given: several numbers in one value are joined by commas."""
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
