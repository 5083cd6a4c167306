"""Unit tables as files: saved, read, merged, and as the tables that families score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from assay.errors import ArtifactError, UsageError
from assay.showing import quoted
from assay.sources.column import Coded, Nullable, plain, taken
from assay.sources.engine import coded
from assay.sources.formats.comma_separated import with_points
from assay.sources.formats.json_lines import decoded_cell
from assay.sources.table import cells_of as cells_of_frame
from assay.sources.tabular import Source, Table
from assay.sources.unit_table import (
    LIMBS,
    MOST_CLUSTERS,
    ROWS,
    UNIT,
    About,
    UnitTable,
    bucket_of,
    cells_of,
    check_units,
    is_discrete,
    mean_of,
    n_buckets,
)

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.sources.column import Cells
    from assay.sources.unit_table import Grid

ABOUT = b"assay"
LOWEST, HIGHEST, POINT = ".min", ".max", ".point"
"""what follows the name of a column whose numbers were merged: the ends of what became one"""
ENDS = ("min", "max")


def as_arrow(units: UnitTable) -> Any:
    """Return a unit table as an Arrow table that says what it is."""
    return units.table.replace_schema_metadata({ABOUT: msgspec.json.encode(units.about)})


def of_arrow(table: Any, path: str) -> UnitTable:
    """Take an Arrow table that is a unit table."""
    schema = getattr(table, "schema", None)
    stored = (getattr(schema, "metadata", None) or {}).get(ABOUT)
    try:
        about = msgspec.json.decode(stored or b"{}", type=About)
    except msgspec.DecodeError:
        msg = f"{path} is not a unit table"
        raise ArtifactError(msg, hint="`assay.unit_table` makes one, of rows") from None
    units = UnitTable(table, about)
    check_units(units, path)
    return units


def read_units(path: str) -> UnitTable:
    """Read a unit table from a Parquet file."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        msg = f"{path} needs pyarrow"
        raise UsageError(msg, hint="pip install 'assay[tables]'") from None
    if not Path(path).exists():
        raise ArtifactError(f"there is no file {path}", hint="a unit table is a Parquet file")
    if Path(path).is_dir():
        msg = f"{path} is a folder"
        raise ArtifactError(msg, hint="name the unit tables in it, which are Parquet files")
    try:
        table = pq.read_table(path)
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        msg = f"{path} cannot be read: {reason}"
        raise ArtifactError(msg, hint="a unit table is a Parquet file") from None
    return of_arrow(table, path)


def merged(tables: Sequence[UnitTable], n_resamples: int) -> UnitTable:
    """Put parts of one table together: the same as if all rows had been reduced at once."""
    first = tables[0].about
    if first.keys and len({each.about.source == "jsonl" for each in tables}) > 1:
        msg = "unit tables of JSON lines and of other files spell their labels differently"
        raise UsageError(msg, hint="make all of them of files of one kind")
    units, tables = _same_units(tables, n_resamples)
    grids, tables = _same_points(tables)
    power, tables = _same_powers(tables)
    whole = _added(_together([each.table for each in tables]))
    engines = {each.about.engine for each in tables}
    about = msgspec.structs.replace(
        first,
        **units,
        **grids,
        power=power,
        n_rows=sum(each.about.n_rows for each in tables),
        engine=next(iter(engines)) if len(engines) == 1 else ("several", "1"),
        path=", ".join(dict.fromkeys(each.about.path for each in tables)),
        sha256=first.sha256 if len({each.about.sha256 for each in tables}) == 1 else None,
    )
    return UnitTable(whole, about)


def _same_units(
    tables: Sequence[UnitTable], n_resamples: int
) -> tuple[dict[str, Any], Sequence[UnitTable]]:
    """Give all parts the same units: clusters, or their buckets where there are too many."""
    first = tables[0].about
    if first.cluster is None:
        return {}, tables
    buckets = {each.about.n_buckets for each in tables} - {None}
    if len(buckets) > 1:
        raise UsageError("the unit tables have different numbers of buckets", hint="resample alike")
    every = [each.table.column(UNIT).unique() for each in tables if each.about.n_buckets is None]
    names = {name for own in every for name in own.to_pylist()}
    known = None if buckets else len(names)
    if not buckets and (len(names) <= MOST_CLUSTERS or not n_resamples):
        return {"n_clusters": known, "n_buckets": None}, tables
    n = next(iter(buckets), None) or n_buckets(n_resamples)
    found = [_bucketed(each, n) if each.about.n_buckets is None else each for each in tables]
    return {"n_clusters": known, "n_buckets": n}, found


def _bucketed(units: UnitTable, n: int) -> UnitTable:
    import pyarrow as pa

    ids = units.table.column(UNIT).to_pylist()
    place = units.table.column_names.index(UNIT)
    codes = pa.array(bucket_of(ids, units.about.seed, n))
    return UnitTable(units.table.set_column(place, UNIT, codes), units.about)


def _same_points(tables: Sequence[UnitTable]) -> tuple[dict[str, Any], Sequence[UnitTable]]:
    """Give all parts the same points: numbers, or the cells that all of them have."""
    ranked: dict[str, Grid] = {}
    for name in tables[0].about.ranked:
        grids = [each.about.ranked[name] for each in tables]
        grid = _common_grid(name, grids, tables)
        ranked[name] = grid
        tables = [_on_grid(each, name, grid) for each in tables]
    for name in tables[0].about.summed:
        if len({each.about.summed[name].merged for each in tables}) > 1:
            msg = f"`{name}` has few values in one part and many in another"
            raise UsageError(msg, hint="make the parts with `exact`, or evaluate them in one")
    return {"ranked": ranked}, tables


def _common_grid(name: str, grids: Sequence[Grid], tables: Sequence[UnitTable]) -> Grid:
    """Return the finest cells that all parts have; numbers while they are few."""
    ends = {"low": min(g.low for g in grids), "high": max(g.high for g in grids)}
    if not any(grid.merged for grid in grids):
        distinct = {v for each in tables for v in each.table.column(name).unique().to_pylist()}
        n_rows = sum(each.about.n_rows for each in tables)
        if tables[0].about.chosen.get("exact") or is_discrete(len(distinct), n_rows):
            return msgspec.structs.replace(grids[0], **ends)
        return msgspec.structs.replace(grids[0], merged=True, splits=[], **ends)
    cut = [grid for grid in grids if grid.merged]
    coarser = max(grid.coarser for grid in cut)
    depth = min(len(grid.splits) for grid in cut)
    splits = [sorted(set.intersection(*(set(g.splits[n]) for g in cut))) for n in range(depth)]
    power = max(grid.power for grid in grids)
    return msgspec.structs.replace(cut[0], coarser=coarser, splits=splits, power=power, **ends)


def _on_grid(units: UnitTable, name: str, grid: Grid) -> UnitTable:
    """Put the points of a part into cells that are at least as wide."""
    import pyarrow as pa

    own = units.about.ranked[name]
    if not grid.merged or (
        own.merged and own.splits == grid.splits and own.coarser == grid.coarser
    ):
        return units
    table, about = units.table, units.about
    held = f"{name}.cell" if own.merged else name
    place = table.column_names.index(held)
    values = table.column(held).to_numpy()
    rows = table.column(ROWS).to_numpy()
    cells = pa.array(_cells(values, grid), from_pandas=True)
    table = table.set_column(place, f"{name}.cell", cells)
    if own.merged:
        return UnitTable(table, about)
    if about.cuts:
        cut = np.searchsorted(about.cuts, values, side="right" if about.closed else "left")
        table = table.add_column(place + 1, f"{name}.cut", pa.array(cut, mask=np.isnan(values)))
    for end in ENDS:
        table = table.append_column(f"{name}.{end}", pa.array(values, from_pandas=True))
    for number, limb in enumerate(_limbs(values, rows, grid.power)):
        table = table.append_column(f"{name}.{number}", pa.array(limb))
    return UnitTable(table, about)


def _cells(values: Array, grid: Grid) -> Array:
    found = cells_of(values, 0, grid.coarser)
    for level, heavy in enumerate(grid.splits, 1):
        found = np.where(np.isin(found, heavy), cells_of(values, level, grid.coarser), found)
    return found


def _limbs(values: Array, rows: Indices, power: int) -> list[Indices]:
    """Return the sums of limbs of numbers that each stand for several rows."""
    found, rest = [], np.ldexp(np.nan_to_num(values), -power)
    for number in range(LIMBS):
        scaled = np.ldexp(rest, 26)
        limb = np.floor(scaled if number < LIMBS - 1 else scaled + 0.5)
        rest = scaled - limb
        found.append(limb.astype(np.int64) * rows)
    return found


def _same_powers(tables: Sequence[UnitTable]) -> tuple[int, Sequence[UnitTable]]:
    """Refuse sums in different units: no exact sum of both has the bits of the whole."""
    powers = {each.about.power for each in tables}
    for name in {*tables[0].about.ranked, *tables[0].about.summed}:
        own = [{**each.about.ranked, **each.about.summed}[name] for each in tables]
        powers_of = {grid.power for grid in own if grid.merged}
        if len(powers_of) > 1:
            powers = powers_of
    if len(powers) > 1:
        msg = "the sums of the unit tables are in different units, as their largest values differ"
        raise UsageError(msg, hint="evaluate the files in one, or leave the odd rows out")
    return next(iter(powers)), tables


def _together(tables: Sequence[Any]) -> Any:
    import pyarrow as pa

    names = tables[0].column_names
    for table in tables:
        if set(table.column_names) != set(names):
            raise UsageError("the unit tables hold different columns", hint="make them alike")
    plain = [table.select(names).replace_schema_metadata(None) for table in tables]
    try:
        return pa.concat_tables(plain, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        msg = f"the unit tables cannot be put together: {str(error).partition(chr(10))[0]}"
        raise UsageError(msg, hint="make them of columns of the same kinds") from None


def _added(table: Any) -> Any:
    """Add up what stands for the same unit and point."""
    names = table.column_names
    keys = names[: names.index(ROWS)] if ROWS in names else names
    sums = [name for name in names if name not in keys]
    how = {name: end if (end := name.rpartition(".")[2]) in ENDS else "sum" for name in sums}
    grouped = table.group_by(keys, use_threads=False).aggregate([*how.items()])
    whole = grouped.rename_columns(
        [*keys, *sums] if grouped.column_names[0] in keys else [*sums, *keys]
    )
    import pyarrow as pa

    sortable = [n for n in keys if not pa.types.is_nested(whole.schema.field(n).type)]
    return whole.select(names).sort_by([(name, "ascending") for name in sortable])


def as_table(units: UnitTable) -> Table:
    """Return the rows that stand for all rows: one for every unit and point."""
    about, table = units.about, units.table
    rows = table.column(ROWS).to_numpy().astype(np.int64)
    columns: dict[str, Cells] = {name: _cells_of(table, name) for name in about.keys}
    if about.cluster is not None:
        columns[about.cluster] = _cells_of(table, UNIT)
    for name, grid in about.ranked.items():
        columns |= _ranked(table, name, grid, about, rows)
    for name, grid in about.summed.items():
        columns |= _summed(table, name, grid, rows)
    counts = rows.astype(np.float64)
    if about.truth is not None:
        columns, counts = _spans(table, about, columns, rows)
    if about.source == "csv":
        columns = {name: _as_file(cells) for name, cells in columns.items()}
    elif about.source == "jsonl":
        columns |= {n: cast("Any", columns[n]).converted(decoded_cell) for n in about.keys}
    source = Source(about.path, about.sha256, about.source)
    return Table(columns, place_among(columns), source, counts=counts, about=about)


def unit_name(unit: str, about: About | None) -> str:
    """Name what is resampled: clusters, or hash buckets of them."""
    if about is None or about.n_buckets is None:
        return unit
    clusters = "" if about.n_clusters is None else f" ({about.n_clusters:,} clusters)"
    return f"{about.n_buckets} hash buckets of {about.cluster}{clusters}"


def _cells_of(table: Any, name: str) -> Cells:
    import pyarrow as pa

    column = table.column(name)
    if pa.types.is_string(column.type) and not column.null_count:
        return coded(column.chunks)
    return cells_of_frame(table.select([name]))[name]


def _as_file(cells: Any) -> Cells:
    """Return cells as those of a file of texts are read."""
    if isinstance(cells, Coded):
        return Coded(cells.code, list(with_points(cells.distinct)))
    return cast("Cells", cells)


def _held(values: Array) -> Cells:
    """Return numbers, nothing where there is none."""
    null = np.isnan(values)
    return Nullable(np.where(null, 0.0, values), null) if null.any() else values


def place_among(columns: Mapping[str, Cells]) -> Any:
    """Return what names a row in a message: all that is known of it."""
    names = [name for name in columns if not name.endswith((LOWEST, HIGHEST, POINT))]

    def place(row: int) -> str:
        held = ", ".join(f"{name} {quoted(plain(columns[name][row]))}" for name in names)
        return f"a row of {held}"

    return place


def _ranked(table: Any, name: str, grid: Grid, about: About, rows: Indices) -> dict[str, Cells]:
    """Return the number of every point: itself, or one for all that were merged, and their ends."""
    if not grid.merged:
        return {name: _held(table.column(name).to_numpy() + 0.0)}
    low, high = (table.column(f"{name}.{end}").to_numpy() for end in ENDS)
    point = _point(table, name, about, apart=about.mean)
    n_points = int(point.max(initial=-1)) + 1
    least, most = np.full(n_points, np.inf), np.full(n_points, -np.inf)
    np.fmin.at(least, point, low)
    np.fmax.at(most, point, high)
    stands = least
    if about.mean:
        sums = []
        total = np.zeros(n_points, np.int64)
        np.add.at(total, point, rows)
        for number in range(LIMBS):
            summed = np.zeros(n_points, np.int64)
            np.add.at(summed, point, table.column(f"{name}.{number}").to_numpy())
            sums.append(summed)
        stands = np.clip(mean_of(sums, total, grid.power), least, most)
    known = np.isfinite(low)
    found = {name: stands[point], f"{name}.min": least[point], f"{name}.max": most[point]}
    cell = _point(table, name, about, apart=False)
    found[f"{name}{POINT}"] = cell.astype(np.float64)
    return {each: _held(np.where(known, own + 0.0, np.nan)) for each, own in found.items()}


def _point(table: Any, name: str, about: About, *, apart: bool) -> Indices:
    """Number the points of a column; `apart` by what else rows were grouped by."""
    import pyarrow as pa

    names = [f"{name}.cell", *([f"{name}.cut"] if about.cuts else [])]
    names += about.keys if apart else []
    numbered = table.select(names).append_column("#", pa.array(np.arange(table.num_rows)))
    found = numbered.group_by(names, use_threads=False).aggregate([("#", "list")])
    listed = found.column("#_list").combine_chunks()
    point = np.empty(table.num_rows, np.int64)
    sizes = np.diff(listed.offsets.to_numpy())
    point[listed.flatten().to_numpy()] = np.repeat(np.arange(sizes.size), sizes)
    return point


def _summed(table: Any, name: str, grid: Grid, rows: Indices) -> dict[str, Cells]:
    if not grid.merged:
        return {name: _held(table.column(name).to_numpy())}
    sums = [table.column(f"{name}.{number}").to_numpy() for number in range(LIMBS)]
    held = table.column(f"{name}.held").to_numpy() > 0
    low, high = (table.column(f"{name}.{end}").to_numpy() for end in ENDS)
    mean = np.where(held, np.clip(mean_of(sums, rows, grid.power), low, high), np.nan)
    return {name: _held(mean), f"{name}.min": _held(low), f"{name}.max": _held(high)}


def _spans(
    table: Any, about: About, columns: dict[str, Cells], rows: Indices
) -> tuple[dict[str, Cells], Array]:
    """Return intervals that miss, cover and are as wide as all of them in the mean.

    Every group becomes two rows, one at the smallest true value and one at the largest, of which
    the range of the truth is read. Where all lie does not matter to any number.
    """
    ends = [table.column(f"y.{end}").to_numpy() for end in ENDS]
    middle = (min(ends[0]) + max(ends[1])) / 2
    n = rows.size
    several = np.flatnonzero(rows > 1)
    of = np.concatenate([np.arange(n), several])
    counts = np.concatenate([np.where(rows > 1, 1, rows), rows[several] - 1]).astype(np.float64)
    truth = np.concatenate([ends[0], ends[1][several]]) - middle
    found: dict[str, Cells] = {name: taken(cells, of) for name, cells in columns.items()}
    found[about.truth or ""] = truth
    for place, (low_name, up_name) in enumerate(about.pairs):
        width, excess = (
            mean_of(
                [table.column(f"{what}{place}.{k}").to_numpy() for k in range(LIMBS)],
                rows,
                about.power,
            )[of]
            for what in ("width", "excess")
        )
        side = table.column(f"side.{place}").to_numpy()[of]
        excess = np.maximum(excess, np.spacing(np.abs(truth)))
        low = np.where(side % 4 == 1, truth + excess, truth - width / 2)
        low = np.where(side % 4 == 2, truth - excess - width, low)  # noqa: PLR2004 - above
        up = np.where(side % 4 == 2, truth - excess, low + width)  # noqa: PLR2004 - above
        up = np.where(side % 4 == 0, np.maximum(up, truth), up)
        found[low_name] = np.where(side & 4, -np.inf, low)
        found[up_name] = np.where(side & 8, np.inf, up)
    return found, counts
