"""Columns that Python users hand over: arrays, names of columns, and mappings of several systems.

Several systems are a mapping from name to column, for any role; what is not a mapping is shared by
all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, get_args, get_origin
from unicodedata import normalize

import numpy as np

from assay.errors import UsageError
from assay.options import Choice, declared
from assay.score import is_column
from assay.showing import counted, listed, named, quoted, told_apart, writable
from assay.sources.table import from_columns
from assay.sources.tabular import Table, class_label

if TYPE_CHECKING:
    from assay.families.family import Family

Systems = Mapping[str, Mapping[str, Any]]
"""by name: what each role is, an array or the name of a column"""
ARRAY_FILE = ".npy"
"""how the name of a file ends that a truth may stand in"""
ONLY = ""
"""the name of a system that has none"""


@dataclass(frozen=True, slots=True, eq=False)
class Arranged:
    """What systems became: tables that are in memory, and which columns hold what."""

    tables: tuple[Any, ...]
    columns: Any
    """one record, or one per table"""
    others: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """what the columns hold of other roles, such as the truth"""


Arrangement = Callable[["type[Any]", Systems, "Table | None", Mapping[str, str]], Arranged]
"""the last says how roles were spelled, where in another way"""


def named_systems(columns: Mapping[str, Any], systems: Mapping[str, Any] | None) -> Systems:
    """Sort columns by system; without a mapping anywhere there is one, which has no name."""
    mappings = {role: each for role, each in columns.items() if isinstance(each, Mapping)}
    if systems is not None:
        _check_mapping(systems)
        if mappings:
            msg = f"`systems` was given, and {named(next(iter(mappings)))} is a mapping as well"
            raise UsageError(msg, hint="name systems in one way")
        check_names(systems)
        return {str(name): {**columns, **own} for name, own in systems.items()}
    if not mappings:
        return {ONLY: columns}
    first, names = next(iter(mappings.items()))
    for role, each in mappings.items():
        if {*each} != {*names} or not each:
            msg = f"`{first}` names the systems {listed(names)}, and `{role}` {listed(each)}"
            raise UsageError(msg, hint="every mapping names the same systems")
    check_names(names)
    return {
        str(name): {
            role: each[name] if role in mappings else each for role, each in columns.items()
        }
        for name in names
    }


def check_names(names: Iterable[object]) -> None:
    """Refuse names that nobody could see, write down, or tell from each other."""
    spelled = [normalize("NFC", str(name)).strip() for name in names]
    for name in spelled:
        if not name or spelled.count(name) > 1:
            what = f"two systems are called {quoted(name)}" if name else "a system has a blank name"
            raise UsageError(what, hint="every system needs a name of its own")
        if not writable(name):
            msg = f"a system is called {quoted(name)}, which holds half a character"
            raise UsageError(msg, hint="no file could hold it; give it another name")


def _check_mapping(systems: object) -> None:
    hint = "as in {'old': {'y_prob': p}, 'new': {'y_prob': q}}, with the roles of the family"
    if not isinstance(systems, Mapping) or not systems:
        raise UsageError(f"`systems` must be a mapping, found {quoted(systems)}", hint=hint)
    for name, own in systems.items():
        if not isinstance(own, Mapping):
            msg = f"`systems` must map {quoted(name)} to its columns by role, found {quoted(own)}"
            raise UsageError(msg, hint=hint)


def in_one_table(record: type[Any], systems: Systems, data: Table | None) -> Arranged:
    """Put the columns of all systems side by side: one table, row by row the same cases."""
    systems = _with_classes(record, systems)
    held: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    for choice in declared(record).values():
        values = {name: own[choice.name] for name, own in systems.items() if choice.name in own}
        if not values:
            continue
        if not choice.option.column:
            chosen[choice.name] = _shared(choice, values)
        elif get_origin(choice.type) is tuple:
            own = {name: [*_columns(choice, name, of, held, data)] for name, of in values.items()}
            _check_alike(choice, own, systems)
            chosen[choice.name] = tuple(column for each in own.values() for column in each)
        else:
            chosen[choice.name] = _column(choice.name, _shared(choice, values), held, data)
    _check_levels(record, systems, held if data is None else data.columns)
    table = from_columns(**held)
    if data is not None:
        table = replace(data, columns={**data.columns, **table.columns})
    return Arranged((table,), record(**chosen))


def _with_classes(record: type[Any], systems: Systems) -> Systems:
    """Take the names that frames of classes have, and their order, if they are labels of the truth.

    Frames count their columns where nobody names them: then nothing is known but their order.
    """
    choices = declared(record)
    truth, roles = next(iter(choices)), [each.name for each in choices.values() if _nested(each)]
    frames = {
        (name, role): own[role]
        for name, own in systems.items()
        for role in roles
        if {"columns", "__array__"} <= {*dir(type(own.get(role)))}
    }
    first = next(iter(systems.values()))
    if "classes" not in choices or "classes" in first or not frames:
        return systems
    names, *others = ([*getattr(each, "column_names", each.columns)] for each in frames.values())
    labels = map(class_label, first[truth] if is_column(first.get(truth)) else ())
    counted_only = names == [*range(len(names))] or any({*each} != {*names} for each in others)
    if counted_only or not ({*labels} - {None}) <= {*map(class_label, names)}:
        return systems
    made = {name: {**own, "classes": tuple(names)} for name, own in systems.items()}
    for (name, role), frame in frames.items():
        made[name][role] = frame.select(names) if hasattr(frame, "select") else frame[names]
    return made


def named_columns(record: type[Any], systems: Systems) -> Any:
    """Return which columns of files hold what: names alone, and no arrays."""
    if len(systems) == 1 and ONLY in systems:
        return record(**{name: _of_one(record, name, of) for name, of in systems[ONLY].items()})
    # Nothing but names can be meant, so that a list of them is a tuple as well.
    own = {
        name: {role: tuple(of) if isinstance(of, list) else of for role, of in each.items()}
        for name, each in systems.items()
    }
    made = in_one_table(record, own, from_columns())
    for name in made.tables[0].columns:
        msg = f"{named(name)} holds values, and a file was given"
        raise UsageError(msg, hint="name a column of the file")
    return made.columns


def of_files(family: Family, files: list[Any], systems: Systems) -> tuple[list[Any], Any]:
    """Return the files that systems stand in, and which columns hold what.

    Where every system has a table of its own, one file may hold the columns of several.
    """
    record = family.columns
    if record is None or not family.table_per_system or ONLY in systems:
        return files, None if record is None else named_columns(record, systems)
    if len(files) not in {1, len(systems)}:
        msg = f"found {len(files)} files and {len(systems)} systems: {listed(systems)}"
        raise UsageError(msg, hint="give one file for all systems, or one each")
    columns = tuple(record(**own) for own in systems.values())
    return (files * len(systems) if len(files) == 1 else files), columns


def _check_alike(choice: Choice, own: Mapping[str, Sequence[Any]], systems: Systems) -> None:
    """Refuse systems of which one has more columns in a role than another."""
    counts = {name: len(own.get(name, ())) for name in systems}
    first, *others = counts
    for other in others:
        if counts[other] != counts[first]:
            msg = (
                f"{named(choice.name)} of {quoted(first)} is"
                f" {counted(counts[first], 'column')}, of {quoted(other)} {counts[other]}"
            )
            raise UsageError(msg, hint="every system has as many levels as the others")


def _check_levels(record: type[Any], systems: Systems, held: Mapping[str, Any]) -> None:
    """Refuse one array per level, where one array of rows and levels is meant."""
    n_rows = next((len(each) for each in held.values() if is_column(each)), None)
    levelled = [name for name, choice in declared(record).items() if choice.option.levels]
    for own in systems.values():
        for role in levelled:
            shape = _shape(own.get(role, ()))
            if len(shape) == 2 and n_rows == shape[1] != shape[0]:  # noqa: PLR2004 - rows and levels
                msg = f"{named(role)} holds {shape[0]} rows of {shape[1]} values"
                hint = "several levels are one array (rows, levels): np.column_stack makes one"
                raise UsageError(f"{msg}, and there are {n_rows} rows", hint=hint)


def _shape(value: Any) -> tuple[int, ...]:
    """Return the shape of an array; rows that are not equally long make none."""
    try:
        return np.shape(value)
    except ValueError:
        return ()


def _shared(choice: Choice, values: Mapping[str, Any]) -> Any:
    """Return what is the same for all systems."""
    first, *others = values.values()
    for other in others:
        if other is not first and not np.array_equal(np.asarray(first), np.asarray(other)):
            msg = f"{named(choice.name)} differs between systems, which are about the same rows"
            raise UsageError(msg, hint="give it once, for all of them")
    return first


def _column(name: str, value: Any, held: dict[str, Any], data: Table | None) -> str:
    """Return the name of a column, holding it under that name where it is an array."""
    if isinstance(value, str):
        if data is None and not value.endswith(ARRAY_FILE):
            msg = f"{named(name)} must hold one value per row, found {quoted(value)}"
            raise UsageError(msg, hint="names are those of columns of `data`")
        return value
    held[name] = value
    return name


def _nested(choice: Choice) -> bool:
    """Say whether one system may have several columns in a role."""
    return get_origin(choice.type) is tuple and get_origin(get_args(choice.type)[0]) is tuple


def _of_one(record: type[Any], name: str, value: Any) -> Any:
    """Take several names as the columns of one system, as with arrays: systems are a mapping."""
    choice = declared(record).get(name)
    several = choice is not None and _nested(choice) and isinstance(value, list | tuple)
    return (tuple(value),) if several and all(isinstance(each, str) for each in value) else value


def _columns(
    choice: Choice, system: str, value: Any, held: dict[str, Any], data: Table | None
) -> Iterator[Any]:
    """Yield the columns of one system in one role: one, or one per level."""
    nested = _nested(choice)
    name = f"{choice.name} of {system}" if system else choice.name
    if isinstance(value, str):
        own = _column(name, value, held, data)
        yield (own,) if nested else own
    elif _are_names(value, data):
        yield from [tuple(value)] if nested else value
    elif choice.option.levels and len(_shape(value)) == 2:  # noqa: PLR2004 - rows and levels
        levels = np.asarray(value).T
        for place, level in enumerate(levels):
            yield _column(f"{name} {place}" if len(levels) > 1 else name, level, held, data)
    else:
        found = _column(name, value, held, data)
        yield (found,) if nested else found


def _are_names(value: Any, data: Table | None) -> bool:
    """Tell names of columns from labels: names come in a tuple, or are columns of the data."""
    if data is None or not isinstance(value, tuple | list):
        return False
    if not value or not all(isinstance(each, str) for each in value):
        return False
    return isinstance(value, tuple) or {*value} <= {*data.columns}


def arranged(
    family: Family, systems: Systems, data: Table | None, spelled: Mapping[str, str]
) -> Arranged:
    """Arrange columns as a family needs them, with roles as they were spelled."""
    if family.columns is None:
        msg = f"{family.name} is evaluated from files"
        raise UsageError(msg, hint=f"give {family.roles[0].metavar}, as on the command line")
    if family.arrange is None:
        return in_one_table(family.columns, systems, data)
    return family.arrange(family.columns, systems, data, spelled)


def system_names(
    tables: Sequence[Table], columns: Sequence[str], given: Sequence[str]
) -> list[list[str]]:
    """Name systems as they are called, else by file, by columns, by both, or by number."""
    n = len(columns)
    if len(given) == n * len(tables):
        return [list(given[first : first + n]) for first in range(0, len(given), n)]
    by_file = told_apart([table.source.path for table in tables])
    if len(tables) == 1 and (n > 1 or tables[0].source.sha256 is None):
        return [list(columns)]
    if n == 1:
        return [[name] for name in by_file]
    return [[f"{file} {column}" for column in columns] for file in by_file]
