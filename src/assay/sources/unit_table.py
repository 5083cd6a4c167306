"""The unit table: all that numbers need of rows, in one GROUP BY of any engine.

For every resampling unit and working point it holds the rows and sums of what is added up. The
definition is one text of narwhals expressions; the engine adds, multiplies, compares and casts, and
the rest is done here. Sums are of whole numbers, so that engines, partitions and parts agree to the
bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from assay.errors import ArtifactError, ColumnError, UsageError
from assay.showing import counted
from assay.sources.buckets import MOST_CLUSTERS, bucketed, n_buckets
from assay.sources.content import check_memory
from assay.sources.dyadic import FEW, HEAVY, MOST_SPLITS, celled, chosen_by
from assay.sources.limbs import exponent, limbs

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = [
    "ROWS",
    "UNIT",
    "About",
    "Grid",
    "Reduction",
    "Spans",
    "UnitTable",
    "is_discrete",
    "reduced",
]

ROWS, UNIT = "rows", "unit"
MOST_CELLS = 50_000_000
"""units times points that are taken into memory"""
ALWAYS_EXACT = 2048
"""so many distinct numbers are always working points of their own"""
MOST_VALUES = 1 << 16
"""beyond so many, or above a quarter of the rows, numbers are merged"""
LOOKED_AT = 1 << 20
"""rows whose distinct numbers are counted, about; those of larger tables are chosen by value"""
MIXED = 7919.61803398875
FAR = 1.7e308
NEEDS_MEMORY = "engine memory reads the rows"


@dataclass(frozen=True, slots=True)
class Spans:
    """Intervals that are reduced to sums: the truth and pairs of bounds."""

    truth: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reduction:
    """What a family needs of every row."""

    keys: tuple[str, ...]
    """columns whose cells are kept as they are"""
    cluster: str | None
    ranked: tuple[str, ...] = ()
    """numbers that are merged where there are too many"""
    mean: bool = False
    """whether their means are needed; otherwise their order is"""
    summed: tuple[str, ...] = ()
    """numbers of which the sum is needed, and each one where there are few"""
    cuts: tuple[float, ...] = ()
    """where numbers are never merged across"""
    closed: bool = True
    """whether what equals a cut lies above it"""
    optional: bool = False
    """whether columns may be missing, because they go by usual names"""
    spans: Spans | None = None
    joined: tuple[str, ...] = ()
    """what tells rows apart within clusters, where those of several files are joined"""


class Grid(msgspec.Struct, frozen=True):
    """How a column of numbers became points."""

    merged: bool = False
    low: float = 0.0
    high: float = 0.0
    coarser: int = 0
    splits: list[list[float]] = []
    """cells that were split, by level"""
    power: int = 0


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit table says of itself."""

    format: str = "assay unit table"
    version: int = 1
    n_rows: int
    engine: tuple[str, str]
    cluster: str | None
    keys: list[str]
    ranked: dict[str, Grid]
    summed: dict[str, Grid]
    truth: str | None = None
    pairs: list[tuple[str, str]] = []
    mean: bool = False
    power: int = 0
    """of widths and of what intervals miss by"""
    cuts: list[float] = []
    closed: bool = True
    n_clusters: int | None = None
    n_buckets: int | None = None
    """None: clusters are units themselves"""
    seed: int = 0
    family: str = ""
    chosen: dict[str, Any] = {}
    """what was asked for, by name"""
    from_file: bool = False
    path: str = ""
    sha256: str | None = None
    source: str = "frame"


@dataclass(frozen=True, slots=True, eq=False)
class UnitTable:
    """Rows and sums by unit and point, as an Arrow table, and what they are."""

    table: Any
    about: About


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a reduction beside its columns."""

    path: str
    seed: int = 0
    n_resamples: int = 0
    exact: bool = False


def is_discrete(n_distinct: float, n_rows: int) -> bool:
    """Say whether numbers are few enough to be points of their own."""
    return n_distinct <= ALWAYS_EXACT or n_distinct <= min(MOST_VALUES, n_rows / 4)


def reduced(frame: Any, how: Reduction, wanted: Wanted) -> UnitTable:
    """Let the engine of a lazy frame make the unit table."""
    return _Making.of(frame, how, wanted).made()


POINTS = ("cell", "cut", "held")


@dataclass(slots=True, eq=False)
class _Making:
    """A unit table in the making: columns go by their places, so that no name can clash."""

    frame: Any
    how: Reduction
    wanted: Wanted
    engine: tuple[str, str]
    kinds: Mapping[str, Any]
    profile: dict[str, Any] = field(default_factory=dict)
    grids: dict[str, Grid] = field(default_factory=dict)

    @classmethod
    def of(cls, frame: Any, how: Reduction, wanted: Wanted) -> _Making:
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - slow to import

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - slow to import

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
