"""From runs, item tables and arrays to rows that can be scored.

A subject is one system under one confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from assay.artifact import Input
from assay.calibrators.files import AppliedCalibrator, applied_calibrator
from assay.columns import Array, Indices, Resamples
from assay.derive.confidence import confidence_column, names, names_of_run, needed_signals
from assay.derive.losses import LOSSES, loss_range
from assay.errors import AssayError, ColumnError, UsageError
from assay.families.arranging import Arranged, Systems
from assay.families.choices import CALIBRATOR
from assay.families.family import Given, Named, Prepared, Subject
from assay.families.selective.cases import MOST_CONFIDENCES, Measured
from assay.families.selective.options import RUNS, RunColumns
from assay.families.selective.pairing import Against, ranking, shared
from assay.families.selective.parts import (
    PEOPLE,
    Compared,
    Population,
    SelectiveWhole,
    loss_record,
)
from assay.metrics.selective.merged import bracket, withheld
from assay.metrics.selective.points import NOTHING_ANSWERED
from assay.options import declared, settings
from assay.score import Rows
from assay.showing import counted, quoted, storable, told_apart
from assay.sources import read_run
from assay.sources.engine import used_engine
from assay.sources.items import ItemTable, item_table, losses_of
from assay.sources.matching import everyone, matched
from assay.sources.table import from_columns
from assay.sources.tabular import Table
from assay.sources.unit_files import HIGHEST, LOWEST, unit_name

if TYPE_CHECKING:
    from assay.families.selective.options import SelectiveOptions
    from assay.sources.names import Participant

RUN = "run"
"""the format whose confidences do not depend on what the file holds"""
STANDARD_INPUT = "-"
MEMORY = "memory"
IN_ALL_FAMILIES = {"participant": "cluster"}
"""what a role is called where nobody calls it otherwise"""
ROLES = "`loss` and `confidence`, or `prediction`, `truth` and `confidence`"
OWN = "confidence"
"""what the confidence is called that every system has of its own"""
FAILED_THROUGHOUT = "the system failed on every participant, so there are no items"
NOBODY_SCORED = "no participant without failure has a truth, so there are no items"


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What is to be computed of the tables, and how each of them is read."""

    options: SelectiveOptions
    columns: Sequence[RunColumns]
    """by system"""
    calibrator: AppliedCalibrator | None
    names: Sequence[str]

    @property
    def loss(self) -> str:
        """The loss of all systems."""
        every = {own.loss: own.stated_loss for own in self.columns}
        if len(every) == 1:
            return next(iter(every))
        if None in every.values():
            msg = f"`loss` differs between systems: {', '.join(every)}"
            raise UsageError(msg, hint="give one loss for all of them")
        return "loss"

    @property
    def own_confidences(self) -> bool:
        """Whether every system is ranked by a confidence of its own, under one name for all."""
        every = [names(",".join(own.confidence)) for own in self.columns]
        return len({*every}) > 1 and all(len(each) == 1 for each in every)


def prepare(given: Given) -> Prepared:
    """Read runs and tables, converting only the signals that are asked for."""
    sources = given.sources[RUNS.name]
    if list(sources).count(STANDARD_INPUT) > 1:
        raise UsageError("standard input can be read once, so one input at most may be -")
    paths = given.sources.get(CALIBRATOR.name, ())
    calibrator = applied_calibrator(paths, strict=given.options.strict)
    asked = _Asked(given.options, _columns(given), calibrator, given.names)
    signals = None if STANDARD_INPUT in sources else _asked_signals(asked)
    try:
        return _prepared(_resampled(_tables(sources, asked, signals), given), asked)
    except (ColumnError, UsageError):
        if signals is None:
            raise
    # A hint that names what an input supports takes all of its signals.
    return _prepared(_resampled(_tables(sources, asked, None), given), asked)


def _resampled(tables: Sequence[ItemTable], given: Given) -> Sequence[ItemTable]:
    """Refuse to resample rows that were counted: which ones there were is not known."""
    engine = used_engine()[0]
    for table in tables:
        if (
            given.plan.n_resamples
            and engine != MEMORY
            and table.unit == "row"
            and table.count is not None
        ):
            msg = f"{table.source.path}: {engine} has counted rows, which cannot be resampled"
            hint = "name the column of `participant`, or ask for no resamples"
            raise UsageError(msg, hint=hint)
    return tables


def _columns(given: Given) -> Sequence[RunColumns]:
    """Return how each input is read: alike, by its own mode, or as its system says."""
    columns: RunColumns | Sequence[RunColumns] = given.columns or RunColumns()
    if not isinstance(columns, RunColumns):
        return columns
    n_inputs, chosen = len(given.sources[RUNS.name]), columns.mode
    if len(chosen) not in {0, 1, n_inputs}:
        msg = f"found {counted(n_inputs, 'input')} and {counted(len(chosen), 'mode')}"
        hint = "give no mode, one for all inputs, or one per input in the same order"
        raise UsageError(msg, hint=hint)
    modes = chosen if len(chosen) == n_inputs else [*chosen, ""][:1] * n_inputs
    return [replace(columns, mode=(mode,)) for mode in modes]


def _asked_signals(asked: _Asked) -> frozenset[str]:
    options, applied = asked.options, asked.calibrator
    needed = (
        needed_signals(
            name,
            total_evidence=options.total_evidence,
            missing=options.missing,
            calibration=None if applied is None else applied.calibration,
        )
        for own in asked.columns
        for name in names(",".join(own.confidence))
    )
    return frozenset(chain.from_iterable(needed))


def _tables(
    sources: Sequence[object], asked: _Asked, signals: frozenset[str] | None
) -> list[ItemTable]:
    return [_table(*each, signals) for each in zip(sources, asked.columns, strict=True)]


def _table(source: object, columns: RunColumns, signals: frozenset[str] | None) -> ItemTable:
    if isinstance(source, ItemTable):
        return source
    if isinstance(source, Table):
        return item_table(source, columns)
    mode = next(iter(columns.mode), None) or None
    found = read_run(str(source), mode=mode, columns=columns, signals=signals)
    return replace(found, source=replace(found.source, path=storable(found.source.path)))


def _prepared(tables: Sequence[ItemTable], asked: _Asked) -> Prepared:
    options = asked.options
    analysed = matched(tables, intersection_only=options.intersection_only)
    chosen = [_names(*each, options) for each in zip(analysed, asked.columns, strict=True)]
    if asked.calibrator is not None:
        asked.calibrator.check([*chain(*chosen)], analysed)

    def made(number: int, table: ItemTable, people: Sequence[Participant]) -> Iterator[Subject]:
        return _subjects(number, table, people, chosen[number], asked)

    people = shared(tables)
    subjects = [each for n, table in enumerate(analysed) for each in made(n, table, people)]
    compared = Against(tables, analysed, options, made, subjects)
    ranked = ranking(tables, subjects, chosen[0], options)
    pairings = [compared.pairing(right) for right in range(1, len(tables))]
    named = _named(tables, asked)
    return Prepared(
        inputs=[_input(table) for table in tables],
        systems=[Named(name, number) for number, name in enumerate(named)],
        subjects=subjects,
        unit=unit_name(analysed[0].unit, analysed[0].about),
        n_units=len(analysed[0].participants),
        conventions={**_read(asked, named), **options.conventions()},
        warnings=[*_warnings(tables, analysed, asked)],
        context=Compared(
            [_analysed(tables, table) for table in analysed],
            _whole(analysed, asked),
            lambda: [_measured(*each, subjects, asked) for each in zip(tables, chosen, count())],
        ),
        pairings=pairings,
        ranked=ranked,
        percentiles=True,
    )


def _read(asked: _Asked, systems: Sequence[str]) -> dict[str, str]:
    """Return the conventions that are about columns."""
    chosen = [",".join(own.confidence) for own in asked.columns]
    by_system = ", ".join(f"{name}: {own}" for name, own in zip(systems, chosen, strict=True))
    return {
        "confidence": chosen[0] if len({*chosen}) == 1 else by_system,
        "loss": asked.loss,
    }


def _names(table: ItemTable, columns: RunColumns, options: SelectiveOptions) -> tuple[str, ...]:
    selection = ",".join(columns.confidence)
    if table.source.format == RUN:
        return names_of_run(selection, table.signals, table.answered, missing=options.missing)
    return names(selection, signals=table.signals, answered=table.answered)


def _subjects(
    number: int,
    table: ItemTable,
    people: Sequence[Participant],
    chosen: Sequence[str],
    asked: _Asked,
) -> Iterator[Subject]:
    """Yield the items under every confidence, all and by group, and the participants."""
    yield from _items(number, table, chosen, asked)
    for label in sorted(set(table.group or ())):
        part = table.only(np.flatnonzero(np.array(table.group) == label))
        counts = {
            "participants": len(part.participants),
            "items_total": int(part.size.sum()),
            "items_predicted": int(part.size[part.answered].sum()),
        }
        for subject in _items(number, part, chosen, asked):
            yield replace(subject, slice=label, counts=counts)
    failed = np.isin(np.array(people), np.array(table.failed)).astype(np.float64)
    yield Subject(
        number,
        Rows({"failed": failed}, _clusters(np.arange(failed.size), np.ones(failed.size))),
        variant=PEOPLE,
        exact={"failure_rate": (int(failed.sum()), failed.size)},
        undefined=asked.options.undefined,
    )


def _items(
    number: int, table: ItemTable, chosen: Sequence[str], asked: _Asked
) -> Iterator[Subject]:
    """Derive loss and confidence of every item, under every chosen confidence."""
    options, loss = asked.options, asked.loss
    weight = _clusters(table.cluster, table.size, len(table.participants))
    columns = {
        "loss": losses_of(table, loss),
        "answered": table.answered.astype(np.float64),
    }
    largest = None if table.stated_loss else loss_range(loss, table.scale)
    for name in chosen:
        confidence = _confidence(name, table, asked)
        n_points = np.unique(confidence).size
        ends = _merged_ends(table, name)
        yield Subject(
            number,
            Rows({**columns, **ends, "confidence": confidence}, weight, n_points=n_points),
            variant=OWN if asked.own_confidences else name,
            settings={**settings(options), "loss_range": np.nan if largest is None else largest},
            undefined=options.undefined,
            nothing=_nothing(table),
            withheld=withheld(ends),
            bracket=bracket,
            keep_width=options.undefined == "reference",
        )


def _merged_ends(table: ItemTable, name: str) -> dict[str, Array]:
    """Return between which confidences and losses those lie that an engine merged."""
    found = {
        key: table.signals[column].value
        for key, column in (
            ("lowest", f"{name}{LOWEST}"),
            ("highest", f"{name}{HIGHEST}"),
            ("loss_highest", f"{table.stated_loss}{HIGHEST}"),
        )
        if column in table.signals and table.about is not None
    }
    if "loss_highest" in found and "lowest" not in found:
        found |= dict.fromkeys(("lowest", "highest"), np.zeros(table.n_rows))
    return found


def _nothing(table: ItemTable) -> str | None:
    """Say why there is nothing to compute numbers from, where that is so."""
    if table.answered.any():
        return None
    if table.n_rows:
        return NOTHING_ANSWERED
    return FAILED_THROUGHOUT if table.failed and not table.unscored else NOBODY_SCORED


def _clusters(cluster: Indices, size: Array, n_clusters: int | None = None) -> Resamples:
    n = cluster.size if n_clusters is None else n_clusters
    return Resamples(np.ones((1, n)), cluster, size, ())


def _confidence(name: str, table: ItemTable, asked: _Asked) -> Array:
    options, applied = asked.options, asked.calibrator
    return confidence_column(
        name,
        table.signals,
        table.answered,
        missing=options.missing,
        total_evidence=options.total_evidence,
        calibration=None if applied is None else applied.calibration,
        where=table.place,
        source=table.source.path,
    )


def _measured(
    table: ItemTable, chosen: Sequence[str], number: int, subjects: Sequence[Subject], asked: _Asked
) -> Measured:
    """Return what every row of a table costs and how sure it is."""
    own = {s.variant: s.rows for s in subjects if s.is_of(number)}
    found: dict[str, Array] = {}
    for name in chosen[:MOST_CONFIDENCES]:
        rows = own.get(OWN if asked.own_confidences else name)
        if rows is not None and rows.weight.cluster.size == table.n_rows:
            found[name] = rows.columns["confidence"]
            continue
        with suppress(AssayError):  # those who are not compared may lack a signal
            found[name] = _confidence(name, table, asked)
    return Measured(table, losses_of(table, asked.loss), found)


def _named(tables: Sequence[ItemTable], asked: _Asked) -> list[str]:
    """Name systems as they are called, else by what was read."""
    sources = [table.source for table in tables]
    return list(asked.names) or told_apart([s.path for s in sources], [s.mode for s in sources])


def _input(table: ItemTable) -> Input:
    source, found = table.source, msgspec.structs.asdict(_population(table))
    return Input(
        role=RUNS.name,
        path=source.path,
        sha256=source.sha256,
        format=source.format,
        n_rows=found["items_total"],
        mode=source.mode,
        run_id=source.run_id,
        git_commit=source.git_commit,
        counts={name: n for name, n in found.items() if name != "cmax"},
    )


def _population(table: ItemTable) -> Population:
    total, predicted = int(table.size.sum()), int(table.size[table.answered].sum())
    answering = np.unique(table.cluster[table.answered]).size
    about = table.about
    if about is not None and about.n_buckets is not None and about.n_clusters is not None:
        # Who is in a bucket is not known: nobody is taken to be silent.
        n_people = n_included = about.n_clusters
        silent = 0
    else:
        n_people, n_included = len(everyone(table)), len(table.participants)
        silent = n_included - answering
    return Population(
        participants_total=n_people,
        participants_included=n_included,
        participants_failed=len(table.failed),
        participants_unscored=len(table.unscored),
        participants_without_prediction=silent,
        items_total=total,
        items_predicted=predicted,
        items_abstained=total - predicted,
        items_unscored=table.n_unscored,
        cmax=predicted / total if total else None,
    )


def _analysed(tables: Sequence[ItemTable], own: ItemTable) -> Population:
    """Count the participants that all inputs share, and what one input did on those compared.

    One that failed anywhere has failed.
    """
    shared = set.intersection(*map(everyone, tables))
    n_failed = len(shared.intersection(chain(*(table.failed for table in tables))))
    found = _population(own)
    return msgspec.structs.replace(
        found,
        participants_total=len(shared),
        participants_failed=n_failed,
        participants_unscored=len(shared) - found.participants_included - n_failed,
    )


def _whole(analysed: Sequence[ItemTable], asked: _Asked) -> SelectiveWhole:
    applied = asked.calibrator
    return SelectiveWhole(
        loss=loss_record(analysed[0], asked.loss),
        calibration=None if applied is None else applied.record(analysed),
    )


def _warnings(
    tables: Sequence[ItemTable], analysed: Sequence[ItemTable], asked: _Asked
) -> Iterator[str]:
    yield from dict.fromkeys(note for table in tables for note in table.notes)
    if asked.calibrator is not None:
        yield from asked.calibrator.warnings(analysed)
    first = analysed[0]
    if len(first.participants) == 1:
        yield f"there is one {first.unit}, so resampling {first.unit}s shows no uncertainty"
    for name, table in zip(_named(analysed, asked), analysed, strict=True):
        if not table.n_rows:
            yield f"{name} has no number but its failure rate: {_nothing(table)}"
        elif not table.answered.any():
            yield f"{name} answers nothing, so its areas are 0 by convention"


def arrange(
    record: type[RunColumns], systems: Systems, data: Table | None, called: Mapping[str, str]
) -> Arranged:
    """Make an item table of every system, because systems may fail on other people.

    Without a scale the loss that divides by its width means nothing: then answers cost what they
    are off by, and labels cost 1 where they are wrong.
    """
    called = {**IN_ALL_FAMILIES, **called}
    made = [_of_columns(record, name, own, data, called) for name, own in systems.items()]
    tables, columns = (tuple(each) for each in zip(*made, strict=True))
    if not any("loss" in own or "scale" in own for own in systems.values()):
        loss = "zero_one" if any(table.labels for table in tables) else "abs"
        columns = tuple(replace(own, loss=loss) for own in columns)
    return Arranged(tables, columns)


def _of_columns(
    record: type[RunColumns],
    name: str,
    own: Mapping[str, Any],
    data: Table | None,
    called: Mapping[str, str],
) -> tuple[ItemTable, RunColumns]:
    if np.size(own.get("mode", ())):
        raise UsageError("`mode` is about runs, and columns were given", hint="leave it out")
    roles = {role for role, choice in declared(record).items() if choice.option.column}
    arrays = {
        role: value for role, value in own.items() if role in roles and not _are_names(role, value)
    }
    if data is None:
        given = {role: each for role, each in own.items() if role in roles}
        _check_arrays(given, arrays, called)
    held = from_columns(**{called.get(role, role): each for role, each in arrays.items()})
    _check_shapes(held)
    if data is not None:
        held = replace(data, columns={**data.columns, **held.columns})
    if held.source.sha256 is None:
        path = name or ("arrays" if data is None else "data")
        held = replace(held, source=replace(held.source, path=path))
    chosen: dict[str, Any] = {
        role: called.get(role, role) if role in arrays else own[role] for role in own
    }
    columns = record(**chosen)
    return item_table(held, columns), columns


def _check_shapes(held: Table) -> None:
    """Refuse several values per row, which no role has."""
    for name, cells in held.columns.items():
        shape = getattr(cells, "shape", ())
        if np.prod(shape[1:]) != 1:
            msg = f"`{name}` must hold one value per row, found the shape {shape}"
            raise UsageError(msg, hint="several systems are a mapping from name to column")


def _are_names(role: str, value: Any) -> bool:
    """Tell names of columns from values; several names are those of confidences."""
    several = role == "confidence" and isinstance(value, list | tuple) and bool(value)
    return isinstance(value, str) or (several and all(isinstance(each, str) for each in value))


def _check_arrays(
    own: Mapping[str, Any], arrays: Mapping[str, Any], called: Mapping[str, str]
) -> None:
    """Refuse names where there is no table that has columns, and values that do not suffice."""
    for role, value in own.items():
        if role not in {*arrays, "confidence"} and value not in LOSSES:
            msg = f"`{called.get(role, role)}` must hold one value per row, found {quoted(value)}"
            raise UsageError(msg, hint="names are those of columns of `data`")
    if "loss" not in arrays and not {"prediction", "truth"} <= {*arrays}:
        found = ", ".join(f"`{role}`" for role in arrays) or "nothing"
        raise UsageError(f"found {found}, and {ROLES} are needed", hint="give one value per row")
