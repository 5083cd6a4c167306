"""Commands that evaluate, made from what families declare, and `assay finish` of unit tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from assay import families, pipeline
from assay.cases import to_keep
from assay.cli.options import flags_of, given_to, spelled, translated
from assay.cli.results import FULL, Results, result_options
from assay.cli.writing import progress_bar, talk, write
from assay.errors import UsageError
from assay.families.choices import Keeping, planned
from assay.families.family import Given
from assay.inference import Plan
from assay.options import declared
from assay.surroundings import available_cores, now, stamp

if TYPE_CHECKING:
    from assay.families.family import Family, Role

STANDARD_INPUT = "-"
Flags = Mapping[str, click.Option]


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """A family as a command: its parameters, and the records that they fill."""

    family: Family
    roles: Mapping[str, tuple[click.Parameter, ...]]
    columns: Flags
    options: Flags
    plan: Flags
    keeping: Flags
    beside: Flags
    """about files that are written beside the artifact"""

    @classmethod
    def of(
        cls, family: Family, *, only: Collection[str] | None = None, resampled: bool = True
    ) -> Command:
        """Make flags of what a family declares, or of some of its options."""
        roles = {role.name: (*_parameters(role),) for role in family.roles}
        read = [each for parameters in roles.values() for each in parameters]
        columns = flags_of(family.columns, _spellings(read))
        options = flags_of(family.options, _spellings([*read, *columns.values()]))
        options = {name: each for name, each in options.items() if only is None or name in only}
        own = [*read, *columns.values(), *options.values()]
        side = family.side_files
        beside = flags_of(side.options if side else None, _spellings(own))
        taken = _spellings([*own, *beside.values()])
        plan = flags_of(Plan if resampled else None, taken)
        keeping = flags_of(Keeping if only is None else None, taken)
        return cls(family, roles, columns, options, plan, keeping, beside)

    def parameters(self) -> list[click.Parameter]:
        """Return all parameters, in the order of the help."""
        read = [each for parameters in self.roles.values() for each in parameters]
        flags = [each for part in self._records() for each in part.values()]
        return [*read, *flags]

    def _records(self) -> tuple[Flags, ...]:
        return self.columns, self.options, self.plan, self.keeping, self.beside

    def evaluate(self, **chosen: Any) -> None:
        """Read, evaluate, write and show."""
        full = bool(chosen.pop("full"))
        results = Results.asked(self.family.name, chosen)
        with translated(self.spellings()):
            given = self.given(chosen)
            side, (record, places) = self.family.side_files, self._beside(chosen, given)
            results.check(paths_of(given), places)
            moment = now()
            with progress_bar(shown=not results.quiet) as progress:
                artifact, evaluated = pipeline.outcome(
                    self.family, given, created_at=stamp(moment), progress=progress
                )
            for warning in _about_calibrator(artifact):
                talk(f"warning: {warning}", quiet=results.quiet)
            contents = side.contents(record, evaluated, artifact) if side else ()
            artifact = to_keep(self.family, artifact, given.cases)
        results.conclude(artifact, moment, detail="full" if full else "short")
        for place, data in zip(places, contents, strict=True):
            write(data, place)
            talk(f"wrote {place}", quiet=results.quiet)

    def given(self, chosen: Mapping[str, Any]) -> Given:
        """Return what was given on the command line."""
        family = self.family
        sources = {role.name: _paths(role, self.roles[role.name], chosen) for role in family.roles}
        paths = [path for of_role in sources.values() for path in of_role]
        if paths.count(STANDARD_INPUT) > 1:
            raise click.UsageError("standard input can be read once, so - may be given once")
        columns = family.columns and family.columns(**given_to(self.columns, chosen))
        options = family.options(**given_to(self.options, chosen))
        plan = given_to(self.plan, chosen)
        with translated(self.plan):
            made = planned(options, {"threads": available_cores(), **plan})
        kept = Keeping(**given_to(self.keeping, chosen))
        return Given(sources, options, made, columns, cases=kept.cases)

    def _beside(self, chosen: Mapping[str, Any], given: Given) -> tuple[Any, Sequence[Path]]:
        """Return which files are written beside the artifact, and where; only commands do that."""
        side = self.family.side_files
        if side is None:
            return None, ()
        try:
            with translated(self.spellings()):
                record = side.options(**given_to(self.beside, chosen))
                return record, side.places(record, given)
        except UsageError as error:
            raise click.UsageError(error.message) from None

    def spellings(self) -> dict[str, click.Parameter]:
        """Return the flag of every name; where two parts have one, that of the family is meant."""
        roles = {name: parameters[-1] for name, parameters in self.roles.items()}
        flags = {name: each for part in reversed(self._records()) for name, each in part.items()}
        return {**roles, **flags}


def _about_calibrator(artifact: Any) -> list[str]:
    """Return what is to be known of a calibrator at once, also where only JSON is printed."""
    applied = getattr(artifact.parts, "calibration", None)
    return [] if applied is None else applied.warnings


def _parameters(role: Role) -> Iterator[click.Parameter]:
    if role.positional:
        yield click.Argument([role.name], nargs=-1, metavar=f"{role.metavar}...")
    flags = role.flags or (f"--{role.name.replace('_', '-')}",)
    # What may also be an argument goes by another name here, and is asked for once both are read.
    name = f"{role.name}_again" if role.positional else role.name
    yield click.Option(
        [*flags, name],
        multiple=role.many,
        required=role.required and not role.positional,
        metavar=role.metavar,
        help=role.help,
    )


def _paths(
    role: Role, parameters: tuple[click.Parameter, ...], chosen: Mapping[str, Any]
) -> list[str]:
    """Return the files of a role: arguments, then those of the flag."""
    found: list[str] = []
    for parameter in parameters:
        value = chosen[parameter.name or ""]
        found += [value] if isinstance(value, str) else value or []
    if role.required and not found:
        raise click.UsageError(f"no {role.name.replace('_', ' ')} was given")
    return found


def _spellings(parameters: Iterable[click.Parameter]) -> list[str]:
    return [spelling for each in parameters for spelling in each.opts]


def paths_of(given: Given) -> list[str]:
    """Return all files that are read; the name of a column may be that of an array file."""
    paths = [path for of_role in given.sources.values() for path in of_role]
    record = given.columns
    columns = [getattr(record, name) for name in declared(type(record))] if record else []
    return [*paths, *(each for each in columns if isinstance(each, str))]


def command_of(name: str) -> click.Command:
    """Return a family as a command."""
    made = Command.of(families.named(name))
    return _with_results(made_command(name, made, made.evaluate), name)


def _with_results(command: click.Command, family: str) -> click.Command:
    for add in (FULL, *result_options(family)):
        add(command)
    return command


def made_command(name: str, made: Command, callback: Callable[..., None]) -> click.Command:
    """Return a command with the parameters and the help of a family."""
    family = made.family
    flags = {each: parameter.opts[0] for each, parameter in made.spellings().items()}
    return click.Command(
        name,
        params=made.parameters(),
        callback=callback,
        help=f"{family.question}\n\n{spelled(family.help, flags)}",
        epilog="\b\nExamples:\n" + indent(family.examples, "  "),
    )


def _finish(tables: tuple[str, ...], **chosen: Any) -> None:
    """Merge UNIT tables, which `assay.unit_table` makes in Python, and finish what they are for.

    Each holds what was asked for when it was made: columns, options, how to resample. Parts of one
    table give the numbers of the whole.
    """
    from assay.library import finish  # noqa: PLC0415 - only this command needs it
    from assay.sources.unit_files import read_units  # noqa: PLC0415

    full = bool(chosen.pop("full"))
    results = Results.asked(read_units(tables[0]).about.family, chosen)
    results.check(tables)
    moment = now()
    with progress_bar(shown=not results.quiet) as progress:
        found = finish(*tables, progress=progress)
    results.conclude(found.artifact, moment, detail="full" if full else "short")


FINISH = click.Command(
    "finish",
    params=[click.Argument(["tables"], nargs=-1, required=True, metavar="UNIT...")],
    callback=_finish,
    help=_finish.__doc__,
    epilog="""\
\b
Examples:
  assay finish units.parquet
  assay finish monday.parquet tuesday.parquet --output week.json""",
)
COMMANDS = {"finish": _with_results(FINISH, "FAMILY")}
