"""The unit table in the making: one GROUP BY, told in narwhals expressions to any engine.

The engine adds, multiplies, compares and casts, and the rest is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any

import msgspec
import narwhals.stable.v2 as nw
import numpy as np

from assay.errors import ArtifactError, ColumnError, UsageError
from assay.showing import counted
from assay.sources.content import check_memory
from assay.sources.unit_table import (
    DIGITS,
    LIMB_BITS,
    LIMBS,
    MOST_CLUSTERS,
    PRIME,
    ROWS,
    SPLIT,
    UNIT,
    About,
    Grid,
    Reduction,
    Spans,
    UnitTable,
    Wanted,
    bucket_of,
    exponent,
    factors,
    is_discrete,
    n_buckets,
    pieces,
)

MOST_CELLS = 50_000_000
"""units times points that are taken into memory"""
LOOKED_AT = 1 << 20
"""rows whose distinct numbers are counted, about; those of larger tables are chosen by value"""
MIXED = 7919.61803398875
FAR = 1.7e308
NEEDS_MEMORY = "engine memory reads the rows"
POINTS = ("cell", "cut", "held")
HEAVY = 512
"""a cell with more than this part of the rows, and more than one value, is split"""
FEW = 256
"""a cell with no more rows than this is never split"""
MOST_SPLITS = 3


@dataclass(slots=True, eq=False)
class Making:
    """A unit table in the making: columns go by their places, so that no name can clash."""

    frame: Any
    how: Reduction
    wanted: Wanted
    engine: tuple[str, str]
    kinds: Mapping[str, Any]
    profile: dict[str, Any] = field(default_factory=dict)
    grids: dict[str, Grid] = field(default_factory=dict)

    @classmethod
    def of(cls, frame: Any, how: Reduction, wanted: Wanted) -> Making:
        """Take the columns that are needed out of a lazy frame."""
        lazy = nw.from_native(frame).lazy()
        kinds = dict(lazy.collect_schema())
        version = ".".join(map(str, lazy.implementation._backend_version()))  # noqa: SLF001 - the only way
        engine = str(lazy.implementation.name).lower(), version
        made = cls(lazy, how, wanted, engine, kinds)
        if how.cluster is not None and kinds[how.cluster].is_float():
            msg = f"{wanted.path}: `{how.cluster}` holds floating-point numbers, which name nobody"
            raise ColumnError(msg, hint="cast them to whole numbers or texts")
        made.frame = lazy.select(*made._columns())
        return made

    def made(self) -> UnitTable:
        """Let the engine of the frame make the table."""
        self._look()
        how, frame = self.how, self.frame
        size: int | None = None if how.cluster is None else self.profile["n_clusters"]
        buckets = None
        if size is not None and size > MOST_CLUSTERS and self.wanted.n_resamples:
            buckets = n_buckets(self.wanted.n_resamples)
            frame = bucketed(frame, UNIT, self.wanted.seed, buckets)
        self._choose()
        table = self._collect(frame, size if buckets is None else buckets)
        about = About(
            n_rows=self.profile["n"],
            engine=self.engine,
            cluster=how.cluster,
            keys=list(how.keys),
            ranked={name: self.grids[name] for name in how.ranked},
            summed={name: self.grids[name] for name in how.summed},
            truth=None if how.spans is None else how.spans.truth,
            pairs=list(how.spans.pairs) if how.spans else [],
            mean=how.mean,
            power=self.grids["spans"].power if how.spans else 0,
            cuts=list(how.cuts),
            closed=how.closed,
            n_clusters=size,
            n_buckets=buckets,
            seed=self.wanted.seed,
        )
        return UnitTable(table, about)

    def _columns(self) -> Iterator[nw.Expr]:
        """Yield every column that is needed, numbers as doubles and not a number as nothing."""

        def number(name: str) -> Any:
            value = nw.col(name).cast(nw.Float64)
            return nw.when(~value.is_nan()).then(value)

        how = self.how
        if how.cluster is not None:
            yield nw.col(how.cluster).alias(UNIT)
        for place, name in enumerate(how.keys):
            yield nw.col(name).alias(f"k{place}")
        for place, name in enumerate((*how.ranked, *how.summed)):
            yield number(name).alias(f"v{place}")
        if how.spans is not None:
            yield number(how.spans.truth).alias("y")
            for place, pair in enumerate(how.spans.pairs):
                yield number(pair[0]).alias(f"low{place}")
                yield number(pair[1]).alias(f"up{place}")

    def _look(self) -> None:
        """Count rows, clusters and what is missing, and find the ends of numbers: one scan."""
        asked = [nw.len().alias("n")]
        if self.how.cluster is not None:
            asked.append(nw.col(UNIT).n_unique().alias("n_clusters"))
        for place in range(len(self.how.ranked) + len(self.how.summed)):
            value = nw.col(f"v{place}")
            asked += [value.min().alias(f"min{place}"), value.max().alias(f"max{place}")]
        if self.how.spans is not None:
            asked += self._asked_of_spans()
        found = self.frame.select(*asked).collect("pyarrow").to_native().to_pylist()[0]
        self.profile = {name: _plain(value) for name, value in found.items()}
        if not self.profile["n"]:
            msg = f"{self.wanted.path} has no rows"
            raise ColumnError(msg, hint="the first line is the header, the rows follow it")
        for place, name in enumerate((*self.how.ranked, *self.how.summed)):
            ends = self.profile[f"min{place}"], self.profile[f"max{place}"]
            if None not in ends and not np.isfinite(ends).all():
                worst = np.abs(ends).max()  # NaN, where there is one
                msg = f"{self.wanted.path}: `{name}` must be finite, found {worst:g}"
                raise ColumnError(msg, hint="fill the cell in, or leave the row out")
        if self.how.spans is not None:
            self._check_spans(self.how.spans)

    def _asked_of_spans(self) -> Iterator[nw.Expr]:
        yield from ((y := nw.col("y")).min().alias("min_y"), y.max().alias("max_y"))
        yield y.is_null().cast(nw.Int64).sum().alias("null_y")
        for place, _ in enumerate(self.how.spans.pairs if self.how.spans else ()):
            low, up = nw.col(f"low{place}"), nw.col(f"up{place}")
            null = (low.is_null() | up.is_null()).cast(nw.Int64)
            yield null.sum().alias(f"null{place}")
            yield from (low.max().alias(f"low{place}"), up.max().alias(f"up{place}"))
            odd = (low > up) | (low > FAR) | (up < -FAR)
            yield odd.cast(nw.Int64).sum().alias(f"odd{place}")
            sizes = zip(("width", "excess"), _of_span(y, low, up), strict=False)
            yield from (each.max().alias(f"{name}{place}") for name, each in sizes)

    def _check_spans(self, spans: Spans) -> None:
        found, path = self.profile, self.wanted.path
        if found["null_y"]:
            msg = f"{path}: `{spans.truth}` is empty or NaN in {counted(found['null_y'], 'row')}"
            raise ColumnError(msg, hint="fill the cells in, or leave the rows out")
        if not np.isfinite([found["min_y"], found["max_y"]]).all():
            raise ColumnError(f"{path}: `{spans.truth}` must be finite, found NaN or infinity")
        for place, pair in enumerate(spans.pairs):
            names = " or ".join(f"`{name}`" for name in pair)
            null, ends = found[f"null{place}"], (found[f"{of}{place}"] for of in ("low", "up"))
            if null or np.isnan([*ends]).any():  # DuckDB believes files that say nothing of NaN
                rows = counted(null, "row") if null else "a row"
                msg = f"{path}: {names} is empty or NaN in {rows}"
                raise ColumnError(msg, hint="fill the cells in, or leave the rows out")
            if found[f"odd{place}"]:
                where = f"or one is at the wrong end, in {counted(found[f'odd{place}'], 'row')}"
                msg = f"{path}: `{pair[0]}` is above `{pair[1]}`, {where}"
                raise ColumnError(msg, hint=f"{NEEDS_MEMORY}, and `crossed` says what they mean")

    def _choose(self) -> None:
        """Decide of every column of numbers whether it is merged, and into which cells."""
        if self.how.spans is not None:
            n_pairs = len(self.how.spans.pairs)
            sizes = [self.profile[f"{of}{n}"] for of in ("width", "excess") for n in range(n_pairs)]
            largest = max((each for each in sizes if each is not None), default=0.0)
            self.grids["spans"] = Grid(power=exponent(largest))
        many = [
            name
            for place, name in enumerate((*self.how.ranked, *self.how.summed))
            if not self.wanted.exact and not is_discrete(self._n_distinct(place), self.profile["n"])
        ]
        ranked = [name for name in self.how.ranked if name in many]
        for place, name in enumerate((*self.how.ranked, *self.how.summed)):
            low, high = (self.profile[f"{end}{place}"] or 0.0 for end in ("min", "max"))
            power = exponent(max(abs(low), abs(high), 2.0**-10))
            grid = Grid(merged=name in many, low=low, high=high, power=power)
            if name in ranked:
                # Points of several columns are pairs of cells, which are to be no more.
                grid = msgspec.structs.replace(grid, coarser=5 * (len(ranked) > 1))
                grid = self._split(place, grid)
            self.grids[name] = grid

    def _n_distinct(self, place: int) -> float:
        """Count the distinct numbers of a column; in large tables some that their value chooses."""
        value, rate = nw.col(f"v{place}"), 1.0
        frame = self.frame
        while self.profile["n"] * rate > LOOKED_AT:
            rate /= 2
        if rate < 1:
            mixed = value * MIXED
            frame = frame.filter((mixed - mixed.floor()) < rate)
        found = frame.select(value.n_unique().alias("n")).collect("pyarrow").to_native()
        return float(found.to_pylist()[0]["n"] or 0) / rate

    def _split(self, place: int, grid: Grid) -> Grid:
        """Split cells that hold much of the rows, until they are light."""
        value = nw.col(f"v{place}")
        for _ in range(MOST_SPLITS):
            frame = celled(self.frame, place, grid)
            found = _collected(
                frame.group_by(f"c{place}").agg(
                    nw.len().alias(ROWS), value.min().alias("low"), value.max().alias("high")
                )
            )
            rows, low, high = (found.column(each).to_numpy() for each in (ROWS, "low", "high"))
            heavy = (rows > max(self.profile["n"] / HEAVY, FEW)) & (low < high)
            if not heavy.any():
                break
            split = np.sort(found.column(f"c{place}").to_numpy()[heavy]).tolist()
            grid = msgspec.structs.replace(grid, splits=[*grid.splits, split])
        return grid

    def grouped(self, frame: Any) -> Any:
        """Return the lazy frame that groups by unit and point and adds up: the whole definition."""
        for place, name in enumerate(self.how.ranked):
            if self.grids[name].merged:
                frame = celled(frame, place, self.grids[name])
        points, sums = self._points(), self._added()
        keys = [nw.col(UNIT)] if self.how.cluster is not None else [nw.lit(0).alias(UNIT)]
        keys += [each.alias(f"g{place}") for place, each in enumerate(points.values())]
        values = [each.alias(f"a{place}") for place, each in enumerate(sums.values())]
        added = [nw.len().alias(ROWS)]
        for place, name in enumerate(sums):
            value, end = nw.col(f"a{place}"), name.rpartition(".")[2]
            how = {"min": value.min, "max": value.max}.get(end, value.sum)
            added.append(how().alias(f"a{place}"))
        names = [UNIT, *(f"g{place}" for place in range(len(points)))]
        return frame.select(*keys, *values).group_by(*names).agg(*added)

    def _collect(self, frame: Any, n_units: int | None) -> Any:
        """Take the unit table into memory; its order is that of the keys."""
        points, sums = self._points(), self._added()
        called = [UNIT, *points, ROWS, *sums]
        of = (*self.how.keys, *self.how.ranked, *self.how.summed)
        own = {UNIT, ROWS, *sums, *(f"{name}.{what}" for name in of for what in POINTS)}
        for name in own & {*of}:
            msg = f"{self.wanted.path}: `{name}` is what unit tables call a column of their own"
            raise UsageError(msg, hint="rename it, or leave `engine` out")
        table = _collected(self.grouped(frame))
        self._check(table, n_units)
        names = [UNIT, *(f"g{place}" for place in range(len(points)))]
        return _ordered(table, names).rename_columns(called)

    def _points(self) -> dict[str, Any]:
        """Return the expressions that rows are grouped by beside their unit."""
        found = {name: nw.col(f"k{place}") for place, name in enumerate(self.how.keys)}
        for place, name in enumerate((*self.how.ranked, *self.how.summed)):
            value, grid = nw.col(f"v{place}"), self.grids[name]
            if not grid.merged:
                found[name] = value
            elif name in self.how.ranked:
                found[f"{name}.cell"] = nw.col(f"c{place}")
                if self.how.cuts:
                    edges = [-np.inf, *self.how.cuts]
                    cut = chosen_by(value, edges, list(range(len(edges))), closed=self.how.closed)
                    found[f"{name}.cut"] = nw.when(~value.is_null()).then(cut).cast(nw.Int64)
            else:
                found[f"{name}.held"] = (~value.is_null()).cast(nw.Int64)
        for place, _ in enumerate(self.how.spans.pairs if self.how.spans else ()):
            low, up = nw.col(f"low{place}"), nw.col(f"up{place}")
            found[f"side.{place}"] = _of_span(nw.col("y"), low, up)[2]
        return found

    def _added(self) -> dict[str, Any]:
        """Return the expressions that are added up, or of which the ends are taken."""
        found: dict[str, Any] = {}
        for place, name in enumerate((*self.how.ranked, *self.how.summed)):
            value, grid = nw.col(f"v{place}"), self.grids[name]
            if grid.merged:
                found |= {f"{name}.min": value, f"{name}.max": value}
                known = nw.when(~value.is_null()).then(value).otherwise(0.0)
                parts = limbs(known, grid.power)
                found |= {f"{name}.{number}": each for number, each in enumerate(parts)}
        if self.how.spans is not None:
            found |= {"y.min": nw.col("y"), "y.max": nw.col("y")}
            for place, _ in enumerate(self.how.spans.pairs):
                low, up = nw.col(f"low{place}"), nw.col(f"up{place}")
                width, excess, _ = _of_span(nw.col("y"), low, up)
                for what, value in (("width", width), ("excess", excess)):
                    parts = limbs(value, self.grids["spans"].power)
                    found |= {f"{what}{place}.{n}": each for n, each in enumerate(parts)}
        return found

    def _check(self, table: Any, n_units: int | None) -> None:
        n = int(np.asarray(table.column(ROWS).to_numpy()).sum())
        if n != self.profile["n"]:
            rows = f"{self.profile['n']:,} rows, then {n:,}"
            msg = f"{self.wanted.path} changed while it was read: {rows}"
            raise ArtifactError(msg, hint="read a copy of it, or a version that is kept")
        if table.num_rows > MOST_CELLS:
            units = "" if n_units is None else f" of {counted(n_units, 'unit')}"
            msg = (
                f"{self.wanted.path} has {table.num_rows:,} points{units}, more than {MOST_CELLS:,}"
            )
            raise UsageError(msg, hint="leave `exact` out, or name fewer columns")
        check_memory(self.wanted.path, table.nbytes, " once counted")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _of_span(y: Any, low: Any, up: Any) -> tuple[Any, Any, Any]:
    """Return the width where it is finite, by how much the truth is missed, and on which side.

    The side is 1 below, 2 above, 0 inside; 4 more without a lower bound, 8 more without an upper.
    """
    no_low, no_up = low < -FAR, up > FAR
    width = nw.when(~(no_low | no_up)).then(up - low).otherwise(0.0)
    excess = nw.when(y < low).then(low - y).otherwise(nw.when(y > up).then(y - up).otherwise(0.0))
    side = nw.when(y < low).then(1).otherwise(nw.when(y > up).then(2).otherwise(0))
    open_low = nw.when(no_low).then(4).otherwise(0)
    open_up = nw.when(no_up).then(8).otherwise(0)
    return width, excess, (side + open_low + open_up).cast(nw.Int64)


def _collected(frame: Any) -> Any:
    """Take what an engine made into memory, in the kinds that all of them have in common."""
    import pyarrow as pa

    table = frame.collect("pyarrow").to_native()
    # Dask hands out the index of its frames as a column, where rows came from several workers.
    names = [name for name in table.column_names if not name.startswith("__index_level_")]
    return pa.table([_common(pa, table.column(name)) for name in names], names=names)


def _common(pa: Any, column: Any) -> Any:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_integer(kind):
        return column.cast(pa.int64())
    if pa.types.is_floating(kind):
        return column.cast(pa.float64())
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    if pa.types.is_decimal(kind):
        whole = kind.scale == 0
        return column.cast(pa.int64() if whole else pa.float64())
    return column


def _ordered(table: Any, names: Sequence[str]) -> Any:
    import pyarrow as pa

    sortable = [n for n in names if not pa.types.is_nested(table.schema.field(n).type)]
    return table.sort_by([(name, "ascending") for name in sortable]).select(
        [*names, ROWS, *(f"a{place}" for place in range(table.num_columns - len(names) - 1))]
    )


def limbs(value: Any, power: int) -> list[Any]:
    """Return the expressions of the limbs of a number, the first of which may be negative."""
    found, rest = [], value * 2.0**-power
    for _ in range(LIMBS - 1):
        scaled = rest * 2.0**LIMB_BITS
        found.append(scaled.floor())
        rest = scaled - found[-1]
    found.append((rest * 2.0**LIMB_BITS + 0.5).floor())
    return [each.cast(nw.Int64) for each in found]


def chosen_by(value: Any, edges: Sequence[float], of: Sequence[Any], *, closed: bool = True) -> Any:
    """Return an expression: of[i] where edges[i] <= value < edges[i + 1]; the first below all.

    With `closed` false an edge belongs to what is below it.
    """

    def between(first: int, last: int) -> Any:
        if last - first == 1:
            return nw.lit(of[first])
        middle = (first + last) // 2
        reached = value >= edges[middle] if closed else value > edges[middle]
        return nw.when(reached).then(between(middle, last)).otherwise(between(first, middle))

    return between(0, len(edges))


def cells(value: Any, ends: tuple[float, float], coarser: int) -> tuple[Any, Any]:
    """Return the expressions of where the piece of a number starts, and of its cells to a unit."""
    starts, scales = pieces(*ends, coarser)
    return chosen_by(value, starts, starts), chosen_by(value, starts, scales)


def cell(value: Any, start: Any, scale: Any, level: int = 0) -> Any:
    """Return the expression of the lower edge of the cell of a number, split so many times."""
    finer = scale * float(SPLIT) ** level
    return start + ((value - start) * finer).floor() / finer


def celled(frame: Any, place: int, grid: Grid) -> Any:
    """Add the cell of a number to a frame, split where it was found heavy."""
    value, name = nw.col(f"v{place}"), f"c{place}"
    start, scale = cells(value, (grid.low, grid.high), grid.coarser)
    frame = frame.with_columns(start.alias(f"{name}s"), scale.alias(f"{name}w"))
    at = partial(cell, value, nw.col(f"{name}s"), nw.col(f"{name}w"))
    found = at(0)
    for level, heavy in enumerate(grid.splits, 1):
        found = nw.when(found.is_in(heavy)).then(at(level)).otherwise(found)
    return frame.with_columns(nw.when(~value.is_null()).then(found).alias(name))


def bucketed(frame: Any, column: str, seed: int, n: int) -> Any:
    """Return a lazy frame with the bucket of a cluster in its place."""
    kind = frame.collect_schema()[column]
    if kind.is_integer():
        a, b = factors(seed)
        own = nw.col(column).cast(nw.Int64)
        # The remainder of a negative number has either sign, by engine.
        rest = ((own % PRIME) + PRIME) % PRIME
        return frame.with_columns(((rest * a + b) % PRIME % n).cast(nw.Int64).alias(column))
    native = NATIVE.get(str(frame.implementation.name).lower())
    if native is not None:
        return native(frame, column, seed, n)
    return _joined(frame, column, seed, n)


def _duckdb(frame: Any, column: str, seed: int, n: int) -> Any:
    import duckdb  # noqa: PLC0415 - optional

    of = duckdb.FunctionExpression
    salted = of("concat", duckdb.ConstantExpression(f"{seed}:"), duckdb.ColumnExpression(column))
    digits = of("left", of("md5", salted), duckdb.ConstantExpression(DIGITS))
    whole = of("concat", duckdb.ConstantExpression("0x"), digits).cast("BIGINT")
    number = of("mod", whole, duckdb.ConstantExpression(n)).alias(column)
    native = frame.to_native()
    kept = [duckdb.ColumnExpression(each) for each in native.columns if each != column]
    return nw.from_native(native.select(*kept, number))


def _spark(frame: Any, column: str, seed: int, n: int) -> Any:
    of = import_module("pyspark.sql.functions")
    digits = of.substring(of.md5(of.concat(of.lit(f"{seed}:"), of.col(column))), 1, DIGITS)
    number = of.conv(digits, 16, 10).cast("long") % n
    return nw.from_native(frame.to_native().withColumn(column, number))


NATIVE: dict[str, Callable[[Any, str, int, int], Any]] = {"duckdb": _duckdb, "pyspark": _spark}
"""how engines that know MD5 compute it; the others join what is computed here"""


def _joined(frame: Any, column: str, seed: int, n: int) -> Any:
    """Hash the distinct clusters here, and let the engine join them."""
    names = frame.select(column).unique().collect("pyarrow").to_native().column(0).to_pylist()
    known = [name for name in names if name is not None]
    buckets = bucket_of(known, seed, n).tolist()
    other = nw.from_native(_like(frame, {column: known, "assay_bucket": buckets})).lazy()
    joined = frame.join(other, on=column, how="left")
    kept = [nw.col(each) for each in frame.collect_schema().names() if each != column]
    return joined.select(*kept, nw.col("assay_bucket").alias(column))


def _like(frame: Any, columns: dict[str, list[Any]]) -> Any:
    """Return columns as a frame of the same engine."""
    backend = str(frame.implementation.name).lower()
    if backend == "polars":
        return import_module("polars").LazyFrame(columns)
    if backend == "dask":
        rows = import_module("pandas").DataFrame(columns)
        return import_module("dask.dataframe").from_pandas(rows, npartitions=1)
    return import_module("ibis").memtable(columns)
