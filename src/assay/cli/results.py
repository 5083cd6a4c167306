"""Where results go: the artifact, the page, the screen. What evaluating commands do last.

The artifact holds the command that makes it again.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import click
from click.core import ParameterSource
from msgspec.structs import replace

from assay.cli.options import Decorator, choice
from assay.cli.writing import (
    FOLDER,
    check_places,
    print_bytes,
    stdout_console,
    talk,
    write,
    write_stamped,
)
from assay.display.blocks import Detail
from assay.report.console import render
from assay.report.presenters import require_packages, summary
from assay.report.tables import TableFormat, tables
from assay.showing import counted, storable
from assay.stored import decode, encode

HTML = click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write a page that shows the artifact: one file, nothing else needed.",
)
FORMAT = click.option(
    "--format",
    "table_format",
    type=choice(TableFormat),
    help="Print the tables of the summary as Markdown, LaTeX or CSV, to paste elsewhere.",
)
FULL = click.option("--full", is_flag=True, help="Print every table.")
QUIET = "Print nothing but errors (and what --json or --format ask for)."
WITHOUT_EFFECT = frozenset(
    {
        *("output", "html", "as_json", "quiet", "full", "force", "table_format", "threads"),
        *("memory_limit", "engine", "master", "results_output", "tables", "composite"),
    }
)
"""options about where results go and how they are shown: the numbers are the same without them"""


def result_options(family: str) -> tuple[Decorator, ...]:
    """Return the options that say where results go."""
    return (
        click.option(
            "--output",
            type=click.Path(path_type=Path),
            help=f"Where the artifact goes. [default: {FOLDER}/{family}_TIME.json]",
        ),
        HTML,
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            help="Print the artifact instead of a summary; no file unless --output is given.",
        ),
        FORMAT,
        click.option("--quiet", is_flag=True, help=QUIET),
    )


def show(
    artifact: Any,
    table_format: TableFormat | None,
    *,
    quiet: bool,
    detail: Detail = "short",
) -> None:
    """Print what an artifact holds: tables in a format, or a summary unless that is too much."""
    if table_format:
        print_bytes(tables(summary(artifact), table_format, detail).encode())
    elif not quiet:
        render(summary(artifact), stdout_console(), detail)


def holding(artifact: Any) -> list[str]:
    """Say in a line that a file holds texts of the input, which may be anybody's words."""
    cases = getattr(artifact, "cases", None)
    if cases is None or not cases.texts:
        return []
    kept = counted(len(cases.kept), cases.unit)
    return [f"holds texts of the input ({kept}): check before it is sent on; --cases ids has none"]


def write_page(data: bytes, html: Path, *, quiet: bool) -> None:
    """Show an artifact as it is written, so that `assay report` gives the same bytes."""
    from assay.report.page import page  # noqa: PLC0415 - its packages are optional

    write(page([decode(data)]), html)
    talk(f"wrote {html}", quiet=quiet)


@dataclass(frozen=True, slots=True)
class Results:
    """What was asked for."""

    family: str
    output: Path | None
    html: Path | None
    as_json: bool
    table_format: TableFormat | None
    quiet: bool

    @classmethod
    def asked(cls, family: str, chosen: dict[str, Any]) -> Self:
        """Take what is about results out of what was chosen."""
        names = {field.name for field in fields(cls)} - {"family"}
        return cls(family, **{name: chosen.pop(name) for name in names})

    def check(self, inputs: Iterable[str], others: Sequence[Path] = ()) -> None:
        """Refuse, before anything is computed, what could not be written."""
        if self.as_json and self.table_format:
            raise click.UsageError("--json and --format both say what to print: choose one")
        if self.html:
            require_packages()
        artifact = self.output or (None if self.as_json else FOLDER / f"{self.family}_TIME.json")
        check_places([each for each in (artifact, self.html) if each] + [*others], inputs)

    def conclude(self, artifact: Any, moment: datetime, *, detail: Detail = "short") -> None:
        """Write the artifact before anything else, then show it and write the page."""
        artifact = replace(artifact, command=command_line())
        data = encode(artifact)
        written = self._written(data, moment)
        if self.as_json:
            print_bytes(data)
        else:
            show(artifact, self.table_format, quiet=self.quiet, detail=detail)
        for path in written:
            talk(f"wrote {path}", quiet=self.quiet)
        if self.html is not None:
            write_page(data, self.html, quiet=self.quiet)
        for line in holding(artifact) if written or self.html is not None else ():
            talk(line, quiet=self.quiet)

    def _written(self, data: bytes, moment: datetime) -> list[Path]:
        if self.output is not None:
            return [write(data, self.output)]
        if self.as_json:
            return []
        return [write_stamped(data, moment, family=self.family, apart=self.html)]


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
    return storable(line)


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
