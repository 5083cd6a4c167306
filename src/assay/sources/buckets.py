"""Clusters in hash buckets: whole clusters stay together, and resampling buckets is valid.

A whole number goes to its bucket by arithmetic that no engine can overflow, a text by the leading
digits of its MD5. Both depend on the seed and on nothing else, so that two systems, two engines and
two parts of a table put a cluster into the same bucket.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Indices

__all__ = ["MOST_CLUSTERS", "bucket_of", "bucketed", "n_buckets"]

MOST_CLUSTERS = 4096
"""up to so many clusters each of them is resampled"""
PRIME = (1 << 31) - 1
DIGITS = 8
"""hexadecimal digits of MD5 that are used"""
FEW_RESAMPLES, FEW_BUCKETS = 1000, 1024


def n_buckets(n_resamples: int) -> int:
    """Return how many buckets there are: as many as resamples, nearly."""
    return FEW_BUCKETS if n_resamples <= FEW_RESAMPLES else MOST_CLUSTERS


def _factors(seed: int) -> tuple[int, int]:
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
    a, b = _factors(seed)
    return np.array(
        [
            _digest(seed, each, n)
            if isinstance(each, str)
            else ((each % PRIME) * a + b) % PRIME % n
            for each in ids
        ],
        np.int64,
    )


def bucketed(frame: Any, column: str, seed: int, n: int) -> Any:
    """Return a lazy frame with the bucket of a cluster in its place."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - slow to import

    kind = frame.collect_schema()[column]
    if kind.is_integer():
        a, b = _factors(seed)
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
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

    of = duckdb.FunctionExpression
    salted = of("concat", duckdb.ConstantExpression(f"{seed}:"), duckdb.ColumnExpression(column))
    digits = of("left", of("md5", salted), duckdb.ConstantExpression(DIGITS))
    whole = of("concat", duckdb.ConstantExpression("0x"), digits).cast("BIGINT")
    number = of("mod", whole, duckdb.ConstantExpression(n)).alias(column)
    native = frame.to_native()
    kept = [duckdb.ColumnExpression(each) for each in native.columns if each != column]
    return nw.from_native(native.select(*kept, number))


def _spark(frame: Any, column: str, seed: int, n: int) -> Any:
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

    of = import_module("pyspark.sql.functions")
    digits = of.substring(of.md5(of.concat(of.lit(f"{seed}:"), of.col(column))), 1, DIGITS)
    number = of.conv(digits, 16, 10).cast("long") % n
    return nw.from_native(frame.to_native().withColumn(column, number))


NATIVE: dict[str, Callable[[Any, str, int, int], Any]] = {"duckdb": _duckdb, "pyspark": _spark}
"""how engines that know MD5 compute it; the others join what is computed here"""


def _joined(frame: Any, column: str, seed: int, n: int) -> Any:
    """Hash the distinct clusters here, and let the engine join them."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - as above

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
