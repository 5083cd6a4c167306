"""One fixture through five engines: the same bytes, and the numbers of memory."""

from __future__ import annotations

import hashlib
import os
import warnings
from pathlib import Path

import duckdb
import ibis
import msgspec
import numpy as np
import polars as pl
import pytest

import assay
from assay.sources.unit_making import Making
from assay.sources.unit_table import Grid, Reduction, Spans, Wanted

ENGINES = ("polars", "duckdb", "ibis", "dask", "pyspark")
DIALECTS = ("bigquery", "clickhouse", "databricks", "snowflake", "trino")
ASKED = {
    "selective": {
        "participant": "pid",
        "prediction": "answer",
        "truth": "right",
        "confidence": "few",
        "loss": "abs",
    },
    "calibration": {"y_true": "came", "y_prob": "sure", "cluster": "who"},
    "intervals": {"y": "value", "low": "low", "up": "up", "cluster": "many"},
}
N_ROWS, N_FILES = 12_000, 3


@pytest.fixture(scope="module")
def frame():
    draw = np.random.default_rng(11)
    value = draw.normal(size=N_ROWS)
    low = value - draw.random(N_ROWS)
    return pl.DataFrame(
        {
            "pid": draw.integers(-20, 20, N_ROWS),
            "who": pl.Series(draw.integers(0, 5000, N_ROWS)).cast(pl.String) + "é",
            "many": draw.integers(-4000, 4000, N_ROWS),
            "answer": pl.Series(draw.integers(-128, 128, N_ROWS), dtype=pl.Int8),
            "right": pl.Series(draw.integers(-128, 128, N_ROWS), dtype=pl.Int8),
            "came": draw.integers(0, 2, N_ROWS),
            "few": draw.choice([-0.0, 0.0, 0.1, 1 / 3, 0.9], N_ROWS),
            "sure": 1 - draw.random(N_ROWS) ** 6,
            "value": value,
            "low": low,
            "up": np.maximum(low, value + draw.random(N_ROWS) - 0.2),
        }
    )


@pytest.fixture(scope="module")
def files(frame, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lake")
    size = N_ROWS // N_FILES
    for number in range(N_FILES):
        frame[number * size : (number + 1) * size].write_parquet(folder / f"{number}.parquet")
    return folder


@pytest.fixture(scope="module")
def session():
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    yield made
    made.stop()


def lazy(engine, files, request):
    path = str(files / "*.parquet")
    if engine == "pyspark":
        return request.getfixturevalue("session").read.parquet(str(files))
    if engine == "dask":
        import dask.dataframe as dd

        return dd.read_parquet(path)
    if engine == "ibis":
        return ibis.duckdb.connect().read_parquet(path)
    return duckdb.connect().read_parquet(path) if engine == "duckdb" else pl.scan_parquet(path)


def found(family, data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of engines about each other's versions
        return assay.evaluate(family, data=data, n_resamples=25, **ASKED[family])


def digest(result):
    return hashlib.sha256(msgspec.json.encode(result.artifact.systems)).hexdigest()


@pytest.fixture(scope="module")
def expected(files):
    frame = pl.scan_parquet(str(files / "*.parquet"))
    return {family: found(family, frame) for family in ASKED}


@pytest.mark.parametrize("engine", ENGINES)
def test_all_engines_give_one_result(engine, files, expected, request):
    rows = lazy(engine, files, request)
    for family, whole in expected.items():
        if (engine, family) == ("pyspark", "selective"):
            continue  # read from files below: Spark takes its time
        result = found(family, rows)
        assert digest(result) == digest(whole), family
        assert result.artifact.engine.name == engine
        assert result.artifact.resampling == whole.artifact.resampling


@pytest.mark.parametrize("family", ["selective", "intervals"])
def test_memory_agrees(family, frame, expected):
    memory = assay.evaluate(family, data=frame, n_resamples=0, **ASKED[family])
    for name, own in next(
        iter(expected[family].artifact.systems[0].variants.values())
    ).numbers.items():
        value = next(iter(memory.artifact.systems[0].variants.values())).numbers[name].value
        if own.value is not None:
            assert own.value == pytest.approx(value, rel=1e-12, abs=1e-12), name


def test_spark_reads_files_for_the_command(files, session, expected):
    asked = {**ASKED["selective"], "n_resamples": 25}
    result = assay.evaluate("selective", str(files), engine="spark", **asked)
    numbers = [
        each.artifact.systems[0].variants["few"].numbers for each in (result, expected["selective"])
    ]
    assert numbers[0] == numbers[1]
    assert result.artifact.engine.name == "pyspark"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_unit_table_compiles_for_warehouses_which_are_not_run(dialect):
    """Compile-only: the text is what it was, and no warehouse has been asked."""
    table = ibis.table(
        {
            "pid": "int64",
            "y": "int64",
            "p": "float64",
            "t": "float64",
            "low": "float64",
            "up": "float64",
        },
        name="predictions",
    )
    how = Reduction(
        ("y",), "pid", ("p",), mean=True, cuts=(0.5,), spans=Spans("t", (("low", "up"),))
    )
    making = Making.of(table, how, Wanted("predictions"))
    making.grids = {"p": Grid(merged=True, low=0.25, high=0.9), "spans": Grid(power=0)}
    made = ibis.to_sql(making.grouped(making.frame).to_native(), dialect=dialect)
    path = Path(__file__).parent / "sql" / f"{dialect}.sql"
    text = f"{made}\n"
    if "ASSAY_RENEW_SQL" in os.environ:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
