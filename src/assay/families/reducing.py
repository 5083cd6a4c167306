"""What engines are asked for: each family says which columns are keys, points and sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from assay.derive.confidence import names, needed_signals
from assay.errors import ColumnError, UsageError
from assay.families.choices import CALIBRATOR
from assay.metrics.calibration.bins import FIXED, bin_edges
from assay.showing import listed
from assay.sources.engine import asked_engine, asked_exact
from assay.sources.joined import joined_tables
from assay.sources.reduced import frame_units, path_units, table_of_units
from assay.sources.unit_table import Reduction, Spans, UnitTable, Wanted

if TYPE_CHECKING:
    from assay.families.calibration.options import CalibrationColumns, CalibrationOptions
    from assay.families.family import Family, Given
    from assay.families.intervals.options import IntervalColumns
    from assay.families.selective.options import RunColumns
    from assay.families.sets.options import SetColumns
    from assay.sources.tabular import Table

MOST_CUTS = 512
PLAIN = "confidence"
NAMED = "name the clusters in `cluster`, or ask for no resamples"


def selective_reduction(
    given: Given, columns: Sequence[RunColumns], header: Sequence[str]
) -> Reduction:
    """Answers, truths and the like are kept; confidences that are columns are points."""
    options, first = given.options, columns[0]
    if options.area == "step":
        msg = "the area step breaks ties by row order, and rows that an engine reduced have none"
        raise UsageError(msg, hint="use the trapezoid reading, or choose engine memory")
    keys: dict[str, None] = {}
    ranked: dict[str, None] = {}
    summed: dict[str, None] = {}
    calibrated = bool(given.sources.get(CALIBRATOR.name))
    for own in columns:
        others = {"item", "participant"}
        keys |= dict.fromkeys(name for role, name in own.roles().items() if role not in others)
        if own.stated_loss is not None:
            summed[own.stated_loss] = None
        for name in names(",".join(own.confidence)):
            if name in header and not calibrated:
                ranked[name] = None
            elif name == "default" and PLAIN in header and not calibrated:
                ranked[PLAIN] = None
            elif name in {"default", "all"}:
                keys |= dict.fromkeys(header)
            else:
                keys |= dict.fromkeys(_signals(name, options))
    keys = {name: None for name in keys if name not in {first.participant, first.item}}
    kept = tuple(name for name in keys if name not in {*ranked, *summed})
    points = tuple(name for name in ranked if name not in summed)
    cuts = tuple(sorted(options.threshold))
    return Reduction(kept, first.participant, points, summed=(*summed,), cuts=cuts, optional=True)


def _signals(name: str, options: Any) -> tuple[str, ...]:
    try:
        found = needed_signals(name, total_evidence=options.total_evidence, missing=options.missing)
    except UsageError:
        return (name,)
    return (*found, PLAIN)


def calibration_reduction(
    given: Given, columns: Sequence[CalibrationColumns], header: Sequence[str]
) -> Reduction:
    """Outcomes are kept; a probability is a point, cut at bins; those of classes are kept."""
    del header
    own, options = columns[0], given.options
    if options.ties != "group":
        msg = f"`ties` {options.ties} goes by the order of rows, and those of an engine have none"
        raise UsageError(msg, hint="leave `ties` out, or choose engine memory")
    if options.p_value == "monte-carlo":
        msg = "outcomes are redrawn row by row, and an engine reduces rows"
        raise UsageError(msg, hint="leave `p_value` out, or choose engine memory")
    alone = [each[0] for each in own.y_prob if len(each) == 1]
    several = [name for each in own.y_prob if len(each) > 1 for name in each]
    keys = [name for name in (own.y_true, own.group, *several) if name]
    return Reduction(
        tuple(keys),
        own.cluster,
        tuple(alone),
        mean=True,
        cuts=_cuts(options),
        closed=_left(options),
    )


def _cuts(options: CalibrationOptions) -> tuple[float, ...]:
    bins = options.bins()
    if bins.strategy not in FIXED or bins.n_bins > MOST_CUTS:
        return ()
    edges = bin_edges(bins)
    inner = edges[:-1] if bins.strategy == "mapie-uniform" else edges[1:-1]
    return tuple(inner.tolist())


def _left(options: CalibrationOptions) -> bool:
    bins = options.bins()
    return bins.closed == "left" and bins.strategy != "mapie-uniform"


def interval_reduction(
    given: Given, columns: Sequence[IntervalColumns], header: Sequence[str]
) -> Reduction:
    """Intervals are sums: how often they cover, how wide they are, by how much they miss."""
    del given, header
    own = columns[0]
    if own.missing == "drop":
        msg = "rows are dropped one by one, and an engine reduces intervals to sums"
        raise UsageError(msg, hint="leave `missing` out, or choose engine memory")
    if own.interval:
        msg = "arrays of intervals cannot be reduced outside of memory"
        raise UsageError(msg, hint="give `low` and `up`, or choose engine memory")
    pairs = tuple(zip(own.low, own.up, strict=True))
    keys = () if own.group is None else (own.group,)
    return Reduction(keys, own.cluster, spans=Spans(own.y, pairs))


def set_reduction(given: Given, columns: Sequence[SetColumns], header: Sequence[str]) -> Reduction:
    """Sets are counted: every combination of true class and set once."""
    del given, header
    own = columns[0]
    keys = [own.y, *(name for names in own.set for name in names), own.group]
    return Reduction(tuple(dict.fromkeys(name for name in keys if name)), own.cluster)


def in_engine(family: Family, given: Given) -> Given:
    """Put what an engine made of files in their place, where they are not for memory."""
    first = family.roles[0].name
    sources = list(given.sources[first])
    if not sources or not all(isinstance(each, str) for each in sources):
        return given
    if family.reduction is None:
        if asked_engine() not in {"auto", "memory"}:
            msg = (
                f"{family.name} needs all rows, which the engine {asked_engine()} does not hand out"
            )
            raise UsageError(msg, hint="leave `engine` out: large files are read by column")
        return given
    try:
        tables = _tables(family, given, list(dict.fromkeys(sources)))
    except UsageError:
        if asked_engine() != "auto":
            raise
        tables = None  # nobody asked for an engine, and memory can do it
    if tables is None:
        return given
    return replace(given, sources={**given.sources, first: [tables[each] for each in sources]})


def _tables(family: Family, given: Given, paths: Sequence[str]) -> dict[str, Table] | None:
    """Reduce files, joined row by row where there are several; None: they are for memory."""
    if len(paths) == 1:
        units = units_of(family, given, paths[0])
        return None if units is None else {paths[0]: table_of_units(units)}
    if asked_engine() == "spark":
        msg = "rows of several files are joined by DuckDB, and the engine is spark"
        raise UsageError(msg, hint="choose engine duckdb, or compare columns of one table")
    reducing = {path: partial(_joinable, family, given, path) for path in paths}
    several = " and ".join(paths)
    made = joined_tables(reducing, _wanted(given, several), several=several)
    return None if made is None else dict(zip(paths, made, strict=True))


def _joinable(family: Family, given: Given, path: str, header: Sequence[str]) -> Reduction:
    """Say what is needed of one of several files, and what tells its rows apart."""
    sources, columns = given.sources[family.roles[0].name], given.columns
    if isinstance(columns, list | tuple):
        own = [each for each, of in zip(columns, sources, strict=True) if of == path]
        given = replace(given, columns=own)
    first = given.columns[0] if isinstance(given.columns, list | tuple) else columns
    item = getattr(first or family.columns(), "item", None)  # type: ignore[misc]  # it has columns
    found = _reduction(family, given, header)
    if item is not None and item not in header and not found.optional:
        msg = f"{path} has no column `{item}`"
        raise ColumnError(msg, hint=f"its columns are {listed(header)}")
    return replace(found, joined=(item,) if item is not None and item in header else ())


def units_of(family: Family, given: Given, path: str) -> UnitTable | None:
    """Reduce files in the engine that was chosen; None: they are for memory."""
    units = path_units(path, lambda header: _reduction(family, given, header), _wanted(given, path))
    return None if units is None else _checked(units, given)


def reduced_frame(family: Family, given: Given, frame: Any, path: str) -> UnitTable:
    """Let the engine of a frame reduce its rows."""
    units = frame_units(
        frame, lambda header: _reduction(family, given, header), _wanted(given, path)
    )
    return _checked(units, given)


def _wanted(given: Given, path: str) -> Wanted:
    return Wanted(path, given.plan.seed, given.plan.n_resamples, asked_exact())


def _reduction(family: Family, given: Given, header: Sequence[str]) -> Reduction:
    found = _asked_of(family, given, header)
    absent = found.cluster is None or (found.optional and found.cluster not in header)
    if given.plan.n_resamples and absent:
        msg = "an engine counts rows, which cannot be resampled one by one"
        raise UsageError(msg, hint=NAMED)
    return found


def _asked_of(family: Family, given: Given, header: Sequence[str]) -> Reduction:
    columns = given.columns
    every = columns if isinstance(columns, list | tuple) else [columns or family.columns()]  # type: ignore[misc]  # it has columns
    assert family.reduction is not None  # noqa: S101 - asked before
    return family.reduction(given, every, header)


def _checked(units: UnitTable, given: Given) -> UnitTable:
    _refuse_failures(units, given)
    return units


def _refuse_failures(units: UnitTable, given: Given) -> None:
    """Refuse systems that failed on people who are in buckets with others."""
    columns = given.columns
    first = columns[0] if isinstance(columns, list | tuple) and columns else columns
    name = getattr(first, "success", None)
    if units.about.n_buckets is None or name not in units.about.keys:
        return
    if len(units.table.column(name).unique()) > 1:
        msg = f"{units.about.path}: `{name}` varies, and clusters are drawn in hash buckets"
        raise UsageError(msg, hint="leave out the rows of those on whom the system failed")


def described(units: UnitTable, family: str, chosen: Mapping[str, Any]) -> UnitTable:
    """Say what a unit table was made for."""
    about = msgspec.structs.replace(units.about, family=family, chosen=dict(chosen))
    return UnitTable(units.table, about)
