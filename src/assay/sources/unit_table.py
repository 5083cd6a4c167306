"""The unit table: all that numbers need of rows, by unit and point, and whether one is sound.

It holds the rows and sums of what is added up. Engines, partitions and parts agree to the bit:

- Sums are of whole numbers: a number is cut into pieces of 26 bits, the limbs, which engines add up
  as 64-bit integers. Retries and the order of rows change no bit, and there is room for 1e11 rows.
- Numbers of which there are too many are merged within cells of a fixed partition of all numbers,
  whose edges are sums of few powers of two. Scaling by one and rounding down are exact, so that
  every engine puts a number in the same cell. Cells are narrow in proportion to the distance from 0
  and, between 0 and 1, from 1, where probabilities crowd. The partition does not depend on the
  data; cells that hold much of them are split further.
- Clusters of which there are too many go into hash buckets: whole clusters stay together, and
  resampling buckets is valid. A whole number goes to its bucket by arithmetic that no engine can
  overflow, a text by the leading digits of its MD5. Both depend on the seed and on nothing else, so
  that two systems, two engines and two parts of a table put a cluster into the same bucket.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import frexp
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from assay.errors import ArtifactError, UsageError
from assay.showing import counted, quoted

if TYPE_CHECKING:
    from assay.columns import Array, Indices

ROWS, UNIT = "rows", "unit"
ALWAYS_EXACT = 2048
"""so many distinct numbers are always working points of their own"""
MOST_VALUES = 1 << 16
"""beyond so many, or above a quarter of the rows, numbers are merged"""
LIMB_BITS = 26
LIMBS = 3
LADDER = 20
"""exponents are multiples of this, so that parts of one table nearly always have the same"""
OCTAVES = 48
"""so many halvings towards 0 and towards 1 have cells of their own, two by two"""
WIDE = 40
"""beyond 2^48 a piece is that many octaves"""
CELL_BITS = 8
"""a piece of two octaves has 192 cells, 2^-8 of its larger end wide"""
SPLIT = 16
MOST_CLUSTERS = 4096
"""up to so many clusters each of them is resampled"""
PRIME = (1 << 31) - 1
DIGITS = 8
"""hexadecimal digits of MD5 that are used"""
FEW_RESAMPLES, FEW_BUCKETS = 1000, 1024
AGAIN = "make it again with `assay.unit_table`"
KNOWN = ("assay unit table", 1)
SIDES = 16
SAME = ("cluster", "keys", "truth", "pairs", "cuts", "closed", "mean", "seed")
"""what two tables must have in common to be parts of one, beside what was asked for"""


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


def reduced(frame: Any, how: Reduction, wanted: Wanted) -> UnitTable:
    """Let the engine of a lazy frame make the unit table."""
    from assay.sources.unit_making import Making  # noqa: PLC0415 - narwhals is slow to import

    return Making.of(frame, how, wanted).made()


def is_discrete(n_distinct: float, n_rows: int) -> bool:
    """Say whether numbers are few enough to be points of their own."""
    return n_distinct <= ALWAYS_EXACT or n_distinct <= min(MOST_VALUES, n_rows / 4)


def exponent(largest: float) -> int:
    """Return the power of two that numbers are divided by to be at most 1.

    Examples
    --------
    >>> exponent(1.0), exponent(2.5), exponent(0.0), exponent(1e-9)
    (0, 20, 0, -20)
    """
    if not largest > 0:
        return 0
    fraction, power = frexp(largest)
    power -= fraction == 0.5  # noqa: PLR2004 - a power of two is at most itself
    return -(-power // LADDER) * LADDER


def mean_of(sums: Sequence[Any], rows: Any, power: int) -> Array:
    """Return means from the sums of limbs, by long division."""
    count = np.asarray(rows, np.int64)
    rest = np.zeros(count.size, np.int64)
    mean: Array = np.zeros(count.size)
    for place, limb in enumerate(sums, 1):
        digit, rest = np.divmod((rest << LIMB_BITS) + np.asarray(limb, np.int64), count)
        mean += np.ldexp(digit.astype(np.float64), power - LIMB_BITS * place)
    return mean


def _starts() -> tuple[list[float], list[float]]:
    """Return where pieces start, and how many cells there are to the unit."""
    last = float(np.finfo(np.float64).max)
    ends = [*range(0, OCTAVES + 1, 2), *range(OCTAVES + WIDE, 1024, WIDE), 1024]
    far = [(low, high, 2.0 ** (CELL_BITS - high)) for low, high in pairwise(ends)]
    near = [(2.0**-k, 2.0 ** (CELL_BITS + k)) for k in range(0, OCTAVES, 2)]
    inner = [(k, scale) for k, (_, scale) in zip(range(0, OCTAVES, 2), near, strict=True) if k]
    tip = 2.0 ** (CELL_BITS + OCTAVES)
    kept = {-(2.0**high if high < 1024 else last): scale for _, high, scale in far}  # noqa: PLR2004
    kept |= {-start: scale for start, scale in near}
    kept |= {-(2.0**-OCTAVES): tip, 0.0: tip, 0.25: 2.0 ** (CELL_BITS + 2), 1 - 2.0**-OCTAVES: tip}
    kept |= {2.0 ** -(k + 2): scale for k, scale in inner}
    kept |= {1 - 2.0**-k: scale for k, scale in inner}
    kept |= {2.0**low: scale for low, _, scale in far}
    return sorted(kept), [kept[start] for start in sorted(kept)]


STARTS, SCALES = _starts()


def pieces(low: float, high: float, coarser: int = 0) -> tuple[list[float], list[float]]:
    """Return the pieces that numbers between two ends lie in, with cells 2^coarser as wide."""
    first = max(bisect_right(STARTS, low) - 1, 0)
    last = max(bisect_right(STARTS, high), first + 1)
    return STARTS[first:last], [scale / 2.0**coarser for scale in SCALES[first:last]]


def cells_of(values: Array, level: int = 0, coarser: int = 0) -> Array:
    """Return the lower edge of the cell of every number; at a level cells are split once more.

    Examples
    --------
    >>> cells_of(np.array([0.3, 0.9999, 5.0])).tolist()
    [0.2998046875, 0.9998998641967773, 5.0]
    """
    piece = np.maximum(np.searchsorted(STARTS, values, side="right") - 1, 0)
    start = np.array(STARTS)[piece]
    scale = np.array(SCALES)[piece] * float(SPLIT) ** level / 2.0**coarser
    edges: Array = start + np.floor((values - start) * scale) / scale
    return edges


def n_buckets(n_resamples: int) -> int:
    """Return how many buckets there are: as many as resamples, nearly."""
    return FEW_BUCKETS if n_resamples <= FEW_RESAMPLES else MOST_CLUSTERS


def factors(seed: int) -> tuple[int, int]:
    """Return what a whole number is multiplied by and moved by on its way to a bucket."""
    draw = np.random.default_rng([seed, PRIME])
    return int(draw.integers(1, PRIME)), int(draw.integers(0, PRIME))


def _digest(seed: int, name: str, n: int) -> int:
    found = hashlib.md5(f"{seed}:{name}".encode(), usedforsecurity=False).hexdigest()
    return int(found[:DIGITS], 16) % n


def bucket_of(ids: Sequence[Any], seed: int, n: int) -> Indices:
    """Return the bucket of every cluster, as engines find it.

    Examples
    --------
    >>> bucket_of([3, 4, -1], seed=0, n=1024).tolist() == bucket_of([3, 4, -1], 0, 1024).tolist()
    True
    """
    a, b = factors(seed)
    return np.array(
        [
            _digest(seed, each, n)
            if isinstance(each, str)
            else ((each % PRIME) * a + b) % PRIME % n
            for each in ids
        ],
        np.int64,
    )


def check_units(units: UnitTable, path: str) -> None:
    """Refuse a table that is not as it was made: another version, changed columns, lost rows."""
    about, table = units.about, units.table
    if (about.format, about.version) != KNOWN:
        found = f"version {about.version} of {quoted(about.format)}"
        msg = f"{path} is {found}, and this program reads version {KNOWN[1]} of {quoted(KNOWN[0])}"
        raise ArtifactError(msg, hint="finish it with the program that made it, or make it again")
    wanted = {name: (kind, null) for name, kind, null in _columns(about)}
    names = [*table.column_names]
    for name in wanted:
        if names.count(name) != 1:
            what = "has two columns" if name in names else "lacks the column"
            raise ArtifactError(f"{path} {what} {quoted(name)}", hint=AGAIN)
    odd = [name for name in names if name not in wanted]
    if odd:
        raise ArtifactError(f"{path} has a column {quoted(odd[0])} of its own", hint=AGAIN)
    for name, (kind, null) in wanted.items():
        _check_column(table.column(name), name, kind, null=null, path=path)
    _check_counts(units, path)


def _columns(about: About) -> Iterator[tuple[str, str, bool]]:
    """Yield the columns of a unit table: name, kind, and whether cells may be empty."""
    yield UNIT, "id", True
    yield from ((name, "any", True) for name in about.keys)
    for name, grid in {**about.ranked, **about.summed}.items():
        if not grid.merged:
            yield name, "number", True
            continue
        if name in about.ranked:
            yield f"{name}.cell", "cell", True
            if about.cuts:
                yield f"{name}.cut", "whole", True
        else:
            yield f"{name}.held", "whole", False
        yield from ((f"{name}.{end}", "number", True) for end in ("min", "max"))
        yield from ((f"{name}.{limb}", "whole", False) for limb in range(LIMBS))
    yield ROWS, "whole", False
    if about.truth is not None:
        yield from ((f"y.{end}", "number", False) for end in ("min", "max"))
    for place in range(len(about.pairs)):
        yield f"side.{place}", "whole", False
        for what in ("width", "excess"):
            yield from ((f"{what}{place}.{limb}", "whole", False) for limb in range(LIMBS))


def _check_column(column: Any, name: str, kind: str, *, null: bool, path: str) -> None:
    import pyarrow as pa

    of, where = column.type, f"{path}: {quoted(name)}"
    nothing = pa.types.is_null(of)
    sound = {
        "any": True,
        "id": not pa.types.is_floating(of) and not pa.types.is_nested(of),
        "whole": pa.types.is_int64(of) or (null and nothing),
        "number": pa.types.is_float64(of) or (null and nothing),
        "cell": pa.types.is_float64(of) or pa.types.is_int64(of) or (null and nothing),
    }[kind]
    if not sound:
        words = {"id": "ids", "whole": "whole numbers of 64 bits", "number": "doubles"}.get(
            kind, "cells"
        )
        raise ArtifactError(f"{where} must hold {words}, found {of}", hint=AGAIN)
    if column.null_count and not null:
        msg = f"{where} is empty in {counted(column.null_count, 'row')}"
        raise ArtifactError(msg, hint=AGAIN)
    if kind in {"number", "cell"} and not nothing:
        values = column.drop_null().to_numpy()
        if not np.isfinite(values).all():
            raise ArtifactError(f"{where} must hold finite numbers", hint=AGAIN)


def _check_counts(units: UnitTable, path: str) -> None:
    about, table = units.about, units.table
    rows = table.column(ROWS).to_numpy()
    if not rows.size:
        raise ArtifactError(f"{path} holds nothing", hint="leave it out: it stands for no rows")
    if (rows < 1).any():
        msg = f"{path}: {quoted(ROWS)} must be 1 or more, found {rows.min()}"
        raise ArtifactError(msg, hint=AGAIN)
    if int(rows.sum()) != about.n_rows:
        msg = f"{path} counts {int(rows.sum()):,} rows, and was made of {about.n_rows:,}"
        raise ArtifactError(msg, hint=f"rows of it were lost or added; {AGAIN}")
    if about.n_buckets is not None:
        unit = table.column(UNIT).to_numpy()
        if (unit < 0).any() or (unit >= about.n_buckets).any():
            msg = f"{path}: {quoted(UNIT)} must be a bucket of {about.n_buckets}"
            raise ArtifactError(msg, hint=AGAIN)
    for place in range(len(about.pairs)):
        side = table.column(f"side.{place}").to_numpy()
        if ((side < 0) | (side >= SIDES) | (side % 4 == 3)).any():  # noqa: PLR2004 - both sides
            raise ArtifactError(f"{path}: 'side.{place}' holds no side", hint=AGAIN)


def check_parts(tables: Sequence[UnitTable], paths: Sequence[str]) -> None:
    """Refuse tables that are no parts of one: made otherwise, or of the same rows."""
    first = tables[0]
    for other, path in zip(tables[1:], paths[1:], strict=True):
        for left, right in _differing(first.about, other.about):
            made = f"{paths[0]} was made {left}, {path} {right}"
            raise UsageError(made, hint="parts of one table are made with the same options")
        names = {*first.table.column_names} & {*other.table.column_names}
        if (first.about.n_buckets is None) != (other.about.n_buckets is None):
            names -= {UNIT}  # clusters of the one go into buckets as well
        for name in sorted(names):
            kinds = [_kind(each.table.column(name).type) for each in (first, other)]
            if kinds[0] != kinds[1] and "nothing" not in kinds:
                msg = f"{quoted(name)} holds {kinds[0]} in {paths[0]} and {kinds[1]} in {path}"
                raise UsageError(msg, hint="parts of one table have the same kinds of columns")
    for one, two in combinations(range(len(tables)), 2):
        _refuse_twice(tables[one], tables[two], (paths[one], paths[two]))


def _differing(one: About, two: About) -> Iterator[tuple[str, str]]:
    if one.family != two.family:
        yield f"for {one.family}", f"for {two.family}"
    for name in sorted({*one.chosen, *two.chosen}):
        pair = [each.chosen.get(name) for each in (one, two)]
        if pair[0] != pair[1]:
            said = [f"with `{name}` {quoted(v)}" if v is not None else "without" for v in pair]
            yield said[0] if pair[0] is not None else f"without `{name}`", said[1]
    for name in SAME:
        left, right = getattr(one, name), getattr(two, name)
        if left != right:
            yield f"with {name} {quoted(left)}", f"with {quoted(right)}"


def _kind(of: Any) -> str:
    import pyarrow as pa

    if pa.types.is_null(of):
        return "nothing"
    if pa.types.is_string(of) or pa.types.is_large_string(of):
        return "texts"
    if pa.types.is_integer(of) or pa.types.is_floating(of):
        return "numbers"
    return str(of)


def _refuse_twice(one: UnitTable, two: UnitTable, paths: tuple[str, str]) -> None:
    same_source = one.about.sha256 is not None and (one.about.path, one.about.sha256) == (
        two.about.path,
        two.about.sha256,
    )
    if same_source or (one.about == two.about and one.table.equals(two.table)):
        what = "given twice" if paths[0] == paths[1] else f"the same as {paths[1]}"
        msg = f"{paths[0]} is {what}: its rows would count double"
        raise UsageError(
            msg, hint="name every part once; parts that are equal are evaluated as rows"
        )
