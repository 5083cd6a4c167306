"""From tables or runs to forecasts that can be scored: a system is one input and one forecast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Input
from assay.calibrators.files import applied_calibrator
from assay.columns import Resamples
from assay.errors import ColumnError, UsageError
from assay.families.calibration.options import ECE_BIAS
from assay.families.calibration.pairing import paired
from assay.families.calibration.tables import of_tables
from assay.families.choices import CALIBRATOR, TABLES
from assay.families.family import FEWEST_RANKED, Named, Prepared, Subject, ranked_by
from assay.families.reducing import MOST_CUTS
from assay.metrics.calibration.bins import FIXED
from assay.metrics.calibration.merged import bracket, withheld
from assay.score import Rows
from assay.showing import counted, storable, told_apart
from assay.sources.content import Content, load
from assay.sources.forecasts import Forecast, Forecasts, keyed, of_run
from assay.sources.formats import format_of
from assay.sources.items import ItemTable
from assay.sources.matching import aligned
from assay.sources.row_tables import chosen
from assay.sources.table import columnar, table_of
from assay.sources.tabular import Table
from assay.sources.unit_files import unit_name

if TYPE_CHECKING:
    from assay.calibrators.files import AppliedCalibration, AppliedCalibrator
    from assay.columns import Indices
    from assay.families.calibration.options import CalibrationColumns, CalibrationOptions
    from assay.families.family import Evaluated, Given

GAP = "debiased_ece"
"""what many systems are put in order by"""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What parts are made of: every input, and the calibrator behind the confidences of runs."""

    inputs: Sequence[Forecasts]
    """on the clusters that all of them share"""
    asked: Sequence[Forecasts]
    """on all clusters that they have"""
    calibration: AppliedCalibration | None = None

    def systems(self) -> list[tuple[int, Forecasts, Forecast]]:
        """Return every system with the input it is from."""
        return [(n, given, one) for n, given in enumerate(self.inputs) for one in given.systems]


def forecast_at(evaluated: Evaluated, place: int) -> tuple[Forecasts, Forecast]:
    """Return the input and the forecast behind a subject."""
    read: Read = evaluated.prepared.context
    _, given, forecast = read.systems()[evaluated.subjects[place].system]
    return given, forecast


def prepare(given: Given) -> Prepared:
    """Read tables or runs, whichever the sources hold; all systems are on the same clusters."""
    options: CalibrationOptions = given.options
    sources = [
        each if isinstance(each, Table | ItemTable) else _opened(each, given.columns)
        for each in given.sources[TABLES.name]
    ]
    runs = [_is_run(source) for source in sources]
    if len(set(runs)) > 1:
        msg = "runs and tables were given together"
        raise UsageError(msg, hint="compare runs with runs, and tables with tables")
    read = (_runs if runs[0] else _tables)(sources, given)
    _check_bins(read, options.n_bins)
    _refuse_reduced(read.systems(), options)
    first, settings = read.inputs[0], {**options.chosen(), "seed": given.plan.seed}
    subjects = [*_subjects(read, settings, fitting=options.fitting)]
    if not given.plan.n_resamples:
        subjects = [
            each if each.flips else replace(each, rows=_pooled(each.rows)) for each in subjects
        ]
    n_systems = len([*read.systems()])
    pair_up = partial(paired, read.asked, read.inputs, subjects, settings)
    pairings = [*pair_up([(0, right) for right in range(1, n_systems)])]
    every = combinations(range(n_systems), 2) if n_systems >= FEWEST_RANKED else ()
    board = [*pair_up(every, (GAP,))]
    return Prepared(
        inputs=[_input(each, "run" if runs[0] else "table") for each in read.inputs],
        systems=[
            Named(name, n)
            for name, (n, _, _) in zip(_names(read, given.names), read.systems(), strict=True)
        ],
        subjects=subjects,
        unit=unit_name(first.unit, first.about),
        n_units=len(first.clusters),
        conventions=_conventions(options, first),
        warnings=[note for each in read.inputs for note in each.notes],
        context=read,
        pairings=pairings,
        ranked=ranked_by(GAP, "", board),
    )


def _check_bins(read: Read, n_bins: int) -> None:
    """Refuse more bins than a system has rows."""
    for _, each, forecast in read.systems():
        n_rows = int(chosen(each.size, forecast.rows).sum())
        if n_rows < n_bins:
            rows, bins = counted(n_rows, "row"), counted(n_bins, "bin")
            msg = f"{each.source.path} has {rows} for {bins}"
            raise ColumnError(msg, hint="choose fewer bins with `n_bins`")


def _refuse_reduced(
    systems: Sequence[tuple[int, Forecasts, Forecast]], options: CalibrationOptions
) -> None:
    """Refuse bins that were asked for by name and cannot be told where an engine merged scores."""
    # Engines cut at the edges of so many bins of fixed places, and nowhere else.
    cut = options.strategy in FIXED and options.n_bins <= MOST_CUTS
    for _, given, forecast in systems:
        if given.about is not None and "lowest" in forecast.columns and not cut:
            bins = f"{given.source.path}: `strategy` {options.strategy}"
            msg = f"{bins} cuts between any two probabilities, and an engine merged some"
            raise UsageError(msg, hint="`exact` keeps every probability apart")


def _opened(path: str, columns: CalibrationColumns) -> Content | Table:
    """Load a file; of a large table only the columns that are named."""
    stated = [name for names in columns.y_prob for name in names]
    named = (columns.y_true, columns.cluster, columns.item, columns.group)
    table = columnar(path, numbers=stated, names=[name for name in named if name])
    return load(path) if table is None else table


def _is_run(source: Content | Table | ItemTable) -> bool:
    if isinstance(source, Content):
        return format_of(source).gives == "items"
    return isinstance(source, ItemTable)


def _runs(sources: Sequence[Any], given: Given) -> Read:
    columns: CalibrationColumns = given.columns
    columns.check_run()
    applied = _calibrator(given)
    tables = [
        format_of(source).read(source, mode=mode or None, signals=None)
        if isinstance(source, Content)
        else source
        for source, mode in zip(sources, _modes(columns.mode, len(sources)), strict=True)
    ]
    analysed = aligned(tables, intersection_only=given.options.intersection_only)
    if applied is not None:
        applied.check(columns.confidence, analysed)
    calibration = None if applied is None else applied.calibration
    both = keyed([of_run(each, columns.confidence, calibration) for each in (*analysed, *tables)])
    record = None if applied is None else applied.record(analysed)
    return Read(both[: len(tables)], both[len(tables) :], record)


def _calibrator(given: Given) -> AppliedCalibrator | None:
    return applied_calibrator(given.sources.get(CALIBRATOR.name, ()), strict=given.options.strict)


def _modes(modes: Sequence[str], n_runs: int) -> Sequence[str]:
    """Give each run its mode: none, one for all, or one each."""
    if len(modes) not in {0, 1, n_runs}:
        msg = f"found {counted(n_runs, 'run')} and {counted(len(modes), 'mode')}"
        raise UsageError(msg, hint="give no `mode`, one for all runs, or one per run in order")
    return modes if len(modes) == n_runs else [*modes, ""][:1] * n_runs


def _tables(sources: Sequence[Any], given: Given) -> Read:
    options: CalibrationOptions = given.options
    tables = [table_of(each) if isinstance(each, Content) else each for each in sources]
    given.columns.check_table(tables[0].source.path, given.sources.get(CALIBRATOR.name))
    _calibrator(given)
    inputs = of_tables(tables, given.columns, options.two_classes)
    return Read(_shared(inputs, intersection_only=options.intersection_only), inputs)


def _shared(inputs: Sequence[Forecasts], *, intersection_only: bool) -> Sequence[Forecasts]:
    """Restrict inputs to the clusters of all of them, which must be all unless asked for."""
    first = inputs[0]
    if not first.clustered or all(each.clusters == first.clusters for each in inputs):
        return inputs
    sets = [set(each.clusters) for each in inputs]
    shared = set.intersection(*sets)
    if not intersection_only or not shared:
        extra = sorted(map(str, set.union(*sets) - shared))
        msg = f"the inputs differ in {counted(len(extra), 'cluster')} (such as {extra[0]})"
        hint = "`intersection_only` compares the clusters they share"
        raise ColumnError(msg, hint=hint if shared else "no cluster is in all inputs")
    kept = [cluster for cluster in first.clusters if cluster in shared]
    return [each.select(kept) for each in inputs]


def _input(given: Forecasts, role: str) -> Input:
    source = given.source
    about = {"mode": source.mode, "run_id": source.run_id, "git_commit": source.git_commit}
    return Input(
        role=role,
        path=storable(source.path),
        sha256=source.sha256,
        format=source.format,
        n_rows=given.n_read,
        counts=dict(given.counts),
        about={name: value for name, value in about.items() if value is not None},
    )


def _names(read: Read, own: Sequence[str]) -> list[str]:
    """Name systems as the caller does, or by what differs: columns, mode or file, or both."""
    systems = read.systems()
    if len(own) == len(systems):
        return list(own)
    names = [forecast.name for _, _, forecast in systems]
    if len(set(names)) == len(names) and not own:
        return names
    sources = [given.source for given in read.inputs]
    apart = told_apart([storable(each.path) for each in sources], [each.mode for each in sources])
    places = [(own if len(own) == len(apart) else apart)[number] for number, _, _ in systems]
    if len(set(names)) == 1:
        return places
    return [f"{place} {name}" for place, name in zip(places, names, strict=True)]


def _subjects(read: Read, settings: Mapping[str, Any], *, fitting: bool) -> Iterator[Subject]:
    """Make a subject of every system, and one of each of its groups."""
    number = 0
    for given in read.inputs:
        one_each = np.ones(
            (1, len(given.clusters) if given.about is None or given.clustered else 1)
        )
        alike = len(given.clusters) < given.n_rows
        flips = fitting and given.clustered and alike
        for forecast in given.systems:
            cluster, size = (chosen(each, forecast.rows) for each in (given.cluster, given.size))
            weight, n_rows = Resamples(one_each, cluster, size, ()), int(size.sum())
            whole = Rows(forecast.columns, weight)
            subject = Subject(
                number,
                whole,
                settings=settings,
                counts={**_states(given, n_rows), **_positive(whole)},
                about={"columns": list(forecast.given)},
                withheld=withheld(forecast.columns),
                bracket=bracket,
                flips=flips,
            )
            yield subject
            for label, rows in _sliced(given, forecast, whole):
                counts = {"n_clusters": int(rows.weight.counts.shape[1])} if given.clustered else {}
                counts |= _positive(rows)
                yield replace(subject, rows=rows, slice=label, counts=counts, about={})
            number += 1


def _states(given: Forecasts, n_answered: int) -> dict[str, int]:
    """Count what became of the rows that were asked; people who failed have none."""
    states = {**given.counts, "n_answered": n_answered}
    states["n_unscored"] += given.n_rows - n_answered
    n_asked = sum(n for name, n in states.items() if name != "n_failed")
    return {"n_asked": n_asked, **states}


def _sliced(given: Forecasts, forecast: Forecast, whole: Rows) -> Iterator[tuple[str, Rows]]:
    if given.groups is not None:
        code = given.groups.code[forecast.rows]
        for group in np.unique(code):
            yield given.groups.names[group], _kept(whole, np.flatnonzero(code == group))


def _kept(rows: Rows, chosen: Indices) -> Rows:
    """Keep some rows, and the clusters that have such rows."""
    included, cluster = np.unique(rows.weight.cluster[chosen], return_inverse=True)
    weight = Resamples(np.ones((1, included.size)), cluster, rows.weight.size[chosen], ())
    return Rows({name: column[chosen] for name, column in rows.columns.items()}, weight)


def _pooled(rows: Rows) -> Rows:
    """Take all rows as one cluster: where nothing is resampled, rows of one score are one cell."""
    size = rows.weight.size
    weight = Resamples(np.ones((1, 1)), np.zeros(size.size, np.int64), size, ())
    return Rows(rows.columns, weight, rows.n_points)


def _positive(rows: Rows) -> dict[str, int]:
    """Count rows whose outcome is 1; with classes, rows whose top label is right."""
    return {"n_positive": int(rows.columns["correct"] @ rows.weight.size)}


def _conventions(options: CalibrationOptions, first: Forecasts) -> dict[str, Any]:
    """Return every choice under its name, and what follows from it in words."""
    outcome = first.outcome
    return {
        **options.chosen(),
        "outcome": outcome.words,
        "classes": [str(label) for label in outcome.classes] or None,
        "two_classes": options.two_classes if outcome.two_classes else None,
        "top_label": "first of equal probabilities" if outcome.classes else None,
        "ece_bias": ECE_BIAS,
        "differences": "two-sided, inverted percentile bootstrap; Holm over the systems",
    }
