"""One unit table for all engines: sums to the bit, brackets that hold, parts that add up."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import duckdb
import msgspec
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assay
from assay.cli import main
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.registry import METRICS, metric
from assay.sources import unit_making as making
from assay.sources.unit_making import bucketed, cell, cells, limbs
from assay.sources.unit_table import LIMBS, bucket_of, cells_of, exponent, mean_of

N_ROWS = 4000
SELECTIVE = {
    "participant": "pid",
    "prediction": "answer",
    "truth": "right",
    "confidence": "few",
    "loss": "abs",
}
ASKED = {
    "selective": SELECTIVE,
    "calibration": {"y_true": "came", "y_prob": "few", "cluster": "pid", "group": "site"},
    "intervals": {"y": "value", "low": "low", "up": "up", "cluster": "pid", "group": "site"},
    "sets": {"y": "label", "set": ("a", "b"), "cluster": "pid", "group": "site"},
}
CONTINUOUS = {
    "selective": {**SELECTIVE, "confidence": "sure"},
    "calibration": {**ASKED["calibration"], "y_prob": "sure"},
}


@pytest.fixture(scope="module")
def frame():
    draw = np.random.default_rng(3)
    value = draw.normal(size=N_ROWS)
    low = value - draw.random(N_ROWS)
    answer = draw.integers(-2, 3, N_ROWS).astype(np.int8)
    return pl.DataFrame(
        {
            "pid": draw.integers(-5, 20, N_ROWS),
            "site": draw.choice(["n", "s"], N_ROWS),
            "answer": pl.Series(answer, dtype=pl.Int8),
            "right": pl.Series(np.full(N_ROWS, 127), dtype=pl.Int8),
            "came": draw.integers(0, 2, N_ROWS),
            "few": draw.integers(0, 21, N_ROWS) / 20,
            "sure": 1 - draw.random(N_ROWS) ** 4,
            "value": value,
            "low": np.where(draw.random(N_ROWS) < 0.01, -np.inf, low),
            "up": np.maximum(low, value + draw.random(N_ROWS) - 0.2),
            "label": draw.choice(["a", "b"], N_ROWS),
            "a": draw.random(N_ROWS) < 0.7,
            "b": draw.random(N_ROWS) < 0.4,
        }
    )


def relation(frame):
    connection = duckdb.connect()
    connection.register("rows", frame.to_arrow())
    return connection.table("rows")


def numbers(found):
    return [
        (name, own)
        for system in found.artifact.systems
        for variant in system.variants.values()
        for part in (variant, *variant.slices)
        for name, own in part.numbers.items()
    ]


def systems(found):
    return msgspec.json.encode(found.artifact.systems)


@pytest.mark.parametrize("family", ASKED)
def test_engines_give_the_numbers_of_memory_and_the_bytes_of_each_other(frame, family):
    asked = {**ASKED[family], "n_resamples": 20}
    memory = assay.evaluate(family, data=frame, **asked)
    mixed = frame.sample(fraction=1, shuffle=True, seed=1)
    found = assay.evaluate(family, data=frame.lazy(), **asked)
    other = assay.evaluate(family, data=relation(mixed), **asked)
    assert systems(found) == systems(other)
    assert found.artifact.inputs[0].n_rows == N_ROWS
    assert found.artifact.resampling == memory.artifact.resampling
    for (name, left), (_, right) in zip(numbers(memory), numbers(found), strict=True):
        assert right.exact
        assert right.bracket is None
        if right.reason is not None and left.reason is None:
            assert "needs the width of every interval" in right.reason
            continue
        assert (left.value is None) == (right.value is None), name
        if left.value is not None:
            assert right.value == pytest.approx(left.value, rel=1e-12, abs=1e-12), name
        if left.interval is not None:
            assert right.interval == pytest.approx(left.interval, rel=1e-11, abs=1e-11), name


@pytest.mark.parametrize("family", CONTINUOUS)
def test_merged_numbers_lie_in_their_brackets_and_exact_ones_are_those_of_memory(frame, family):
    asked = {**CONTINUOUS[family], "n_resamples": 0}
    memory = dict(numbers(assay.evaluate(family, data=frame, **asked)))
    found = dict(numbers(assay.evaluate(family, data=frame.lazy(), **asked)))
    merged = [name for name, own in found.items() if not own.exact]
    assert {"aurc", "augrc"} & {*merged} or {"brier", "nll"} <= {*merged}
    for name, own in found.items():
        if own.value is None:
            continue
        if own.exact:
            assert own.value == pytest.approx(memory[name].value, rel=1e-12, abs=1e-12), name
        else:
            low, high = own.bracket
            assert low <= own.value <= high, name
            assert low <= memory[name].value <= high, name
    exact = dict(numbers(assay.evaluate(family, data=frame.lazy(), exact=True, **asked)))
    for name, own in exact.items():
        assert own.exact
        assert (own.value is None) == (memory[name].value is None)
        assert own.value is None or own.value == pytest.approx(
            memory[name].value, rel=1e-12, abs=1e-12
        ), name


def largest(*columns):
    return float(np.max(np.prod(columns, axis=0)))


ADDED = {
    "selective": lambda loss, confidence, *, weight=1.0: largest(loss, confidence) + 0 * weight[0],
    "calibration": lambda correct, probability, *, weight=1.0: largest(
        correct, probability, weight
    ),
    "intervals": lambda truth, low, up, *, weight=1.0: largest(truth, weight) + 0 * (low < up)[0],
}


@pytest.mark.parametrize("family", ADDED)
def test_a_number_that_nobody_bounded_is_null_where_rows_were_merged(frame, family):
    own = ADDED[family]
    own.__name__, own.__doc__ = "made_here", "Largest of something."
    metric(better=None, bounds=(-np.inf, np.inf), family=family)(own)
    asked = {**ASKED, **CONTINUOUS}[family] | {"n_resamples": 0}
    try:
        found = assay.evaluate(family, data=frame.lazy(), **asked)
        memory = assay.evaluate(family, data=frame, **asked)
    finally:
        METRICS.pop("made_here")
    for number in (each for name, each in numbers(found) if name == "made_here"):
        assert number.value is None
        assert "merged" in number.reason or "reduced" in number.reason
        assert number.bracket is None
    assert dict(numbers(memory))["made_here"].value is not None


@pytest.mark.parametrize("family", [*ASKED, "merged"])
def test_parts_add_up_to_the_whole(frame, family, tmp_path):
    asked = {**(ASKED.get(family) or CONTINUOUS["calibration"]), "n_resamples": 20}
    name = family if family in ASKED else "calibration"
    made = {
        part: assay.unit_table(rows.lazy(), family=name, **asked)
        for part, rows in {"all": frame, "a": frame[:1500], "b": frame[1500:]}.items()
    }
    for part, table in made.items():
        assert isinstance(table, pa.Table)
        pq.write_table(table, tmp_path / f"{part}.parquet")
    direct = assay.evaluate(name, data=frame.lazy(), **asked)
    whole = assay.finish(made["all"])
    parts = assay.finish(tmp_path / "b.parquet", tmp_path / "a.parquet")
    assert systems(parts) == systems(whole) == systems(direct)
    assert parts.artifact.engine == direct.artifact.engine
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(
            ["finish", *(str(tmp_path / f"{each}.parquet") for each in "ab"), "--output", str(out)]
        )
    assert not ended.value.code
    assert json.loads(out.read_text())["systems"] == json.loads(systems(whole))


def test_many_clusters_are_drawn_in_buckets_that_are_named(frame):
    draw = np.random.default_rng(0)
    ids = draw.permutation(np.arange(-3000, 3000))
    rows = pl.DataFrame(
        {"who": ids, "y": draw.integers(0, 2, 6000), "p": draw.integers(0, 9, 6000) / 8}
    )
    texts = rows.with_columns(who=pl.format("p{}", "who"))
    for own in (rows, texts):
        asked = {"y_true": "y", "y_prob": "p", "cluster": "who", "n_resamples": 10}
        found = [
            assay.evaluate("calibration", data=each, **asked)
            for each in (own.lazy(), relation(own))
        ]
        assert systems(found[0]) == systems(found[1])
        resampling = found[0].artifact.resampling
        assert resampling.unit == "1024 hash buckets of who (6,000 clusters)"
        assert 1000 < resampling.n_units <= 1024
        halves = [assay.unit_table(part.lazy(), **asked) for part in (own[:1000], own[1000:])]
        assert systems(assay.finish(*halves)) == systems(found[0])


def influence_error(cluster, confidence, wrong):
    """Return the standard error of AURC that the influence of every cluster on it makes."""
    levels, level = np.unique(confidence, return_inverse=True)
    n_levels, n_clusters = levels.size, int(cluster.max()) + 1
    sums = np.zeros((2, n_levels, n_clusters))
    np.add.at(sums[0], (level, cluster), 1.0)
    np.add.at(sums[1], (level, cluster), wrong)

    def area(n, lost):
        return METRICS["aurc"].function(lost / n, levels, weight=n)

    whole, step = sums.sum(-1), 1e-4 * cluster.size
    slope = np.empty((2, n_levels))
    for place in np.ndindex(2, n_levels):
        moved = np.zeros((2, n_levels))
        moved[place] = step
        slope[place] = (area(*(whole + moved)) - area(*(whole - moved))) / (2 * step)
    return float(np.sqrt(np.square(np.einsum("sl,slc->c", slope, sums)).sum()))


def test_the_error_of_buckets_is_that_of_the_influence_of_clusters():
    draw = np.random.default_rng(8)
    n_clusters = 5_000
    cluster = np.arange(n_clusters).repeat(4)
    confidence = draw.integers(10, 20, cluster.size) / 20
    odds = np.log(confidence / (1 - confidence)) + draw.normal(0, 1, n_clusters).repeat(4)
    right = (draw.random(cluster.size) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    rows = {"pid": cluster, "answer": right, "one": np.ones_like(right), "conf": confidence}
    found = assay.evaluate(
        "selective",
        data=pl.DataFrame(rows).lazy(),
        participant="pid",
        prediction="answer",
        truth="one",
        confidence="conf",
        loss="abs",
        n_resamples=1_000,
        ci_method="percentile",
    )
    assert "1024 hash buckets of pid (5,000 clusters)" in found.artifact.resampling.unit
    error = influence_error(cluster, confidence, 1.0 - right)
    assert found["aurc"].standard_error == pytest.approx(error, rel=0.1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the most memory so")
def test_a_memory_limit_is_held(tmp_path):
    path = tmp_path / "rows.parquet"
    duckdb.sql(
        "SELECT (i * 7919 % 100003)::INTEGER AS pid, (i % 1000)::DOUBLE AS y,"
        " (i % 997)::DOUBLE AS low, (i % 997 + 50)::DOUBLE AS up FROM range(10000000) AS of(i)"
    ).write_parquet(str(path))
    asked = "--y y --low low --up up --cluster pid --engine duckdb --memory-limit 200MB --quiet"
    # Of its own memory: what `getrusage` tells begins with that of the process that started it.
    code = (
        "import atexit, pathlib, sys; from assay.cli import main;"
        "told = lambda: pathlib.Path('/proc/self/status').read_text().partition('VmHWM:')[2];"
        "atexit.register(lambda: print(int(told().split()[0]) // 1024)); main(sys.argv[1:])"
    )
    named = ["intervals", str(path), *asked.split(), "--bootstrap-resamples", "20"]
    done = subprocess.run(
        [sys.executable, "-c", code, *named, "--output", str(tmp_path / "a.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 600  # the interpreter and its packages take about 150


@pytest.mark.parametrize("kind", ["polars", "duckdb"])
def test_engines_find_the_bucket_and_the_cell_that_we_find(kind):
    import narwhals.stable.v2 as nw

    names = ["", "a", "é", "7", "x" * 300]
    ids = [0, 1, -1, 2**31 - 1, -(2**62), 2**62]
    values = np.array(
        [
            0.0,
            5e-324,
            -5e-324,
            1.0,
            1 - 2.0**-53,
            1 + 2.0**-52,
            0.25,
            0.75,
            1e300,
            -1e300,
            -1.5,
            1 / 3,
        ]
    )

    def lazy(columns):
        table = pa.table(columns)
        return nw.from_native(
            pl.from_arrow(table).lazy() if kind == "polars" else relation(pl.from_arrow(table))
        )

    for given in (names, ids):
        own = bucketed(lazy({"id": given, "n": [*range(len(given))]}), "id", 5, 1024)
        found = own.collect("pyarrow").to_native().sort_by("n").column("id").to_pylist()
        assert found == bucket_of(given, 5, 1024).tolist()
    rows = lazy({"v": values, "n": [*range(values.size)]})
    at = cells(nw.col("v"), (values.min(), values.max()), 0)
    for level in (0, 2):
        own = cell(nw.col("v"), *at, level)
        made = rows.with_columns(cell=own).collect("pyarrow").to_native().sort_by("n")
        assert made.column("cell").to_pylist() == cells_of(values, level).tolist()


def test_limbs_are_means_of_exact_sums():
    import narwhals.stable.v2 as nw

    draw = np.random.default_rng(1)
    values = draw.normal(size=500) * 10.0 ** draw.integers(-6, 4, 500)
    power = exponent(float(np.abs(values).max()))
    rows = nw.from_native(pl.LazyFrame({"v": values})).select(
        *(each.alias(f"l{n}") for n, each in enumerate(limbs(nw.col("v"), power)))
    )
    table = rows.collect("pyarrow").to_native()
    sums = [np.array([table.column(f"l{n}").to_numpy().sum()]) for n in range(LIMBS)]
    exact = float(sum(map(Fraction, values.tolist())) / 500)
    assert mean_of(sums, [500], power)[0] == pytest.approx(exact, rel=1e-15)


BAD = {
    "float ids": ({"pid": pl.col("pid").cast(pl.Float64)}, {}, ColumnError, "name nobody"),
    "nan": ({"few": pl.lit(float("nan"))}, {}, ColumnError, "few"),
    "null": ({"few": pl.lit(None, pl.Float64)}, {}, ColumnError, "few"),
    "infinite": ({"few": pl.lit(float("inf"))}, {}, ColumnError, "must be finite"),
    "step": ({}, {"area": "step"}, UsageError, "breaks ties by row order"),
    "no cluster": ({"pid": None}, {}, UsageError, "cannot be resampled"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_engines_would_get_wrong_is_refused(frame, case):
    changed, asked, error, message = BAD[case]
    rows = frame.drop([name for name, own in changed.items() if own is None]).with_columns(
        **{name: own for name, own in changed.items() if own is not None}
    )
    asked = {**SELECTIVE, "n_resamples": 5, "engine": "duckdb", **asked}
    with pytest.raises(error, match=message):
        assay.evaluate("selective", data=rows.lazy(), **asked)


def test_a_source_that_changes_and_too_many_points_are_refused(frame, monkeypatch):
    looked = making.Making._look

    def one_more(self):
        looked(self)
        self.profile["n"] += 1

    monkeypatch.setattr(making.Making, "_look", one_more)
    with pytest.raises(ArtifactError, match="changed while it was read: 4,001 rows, then 4,000"):
        assay.unit_table(frame.lazy(), **SELECTIVE)
    monkeypatch.setattr(making.Making, "_look", looked)
    monkeypatch.setattr(making, "MOST_CELLS", 100)
    with pytest.raises(UsageError, match="points of 25 units, more than 100"):
        assay.unit_table(frame.lazy(), **SELECTIVE)


@pytest.mark.parametrize(
    ("family", "asked", "message"),
    [
        ("calibration", {"strategy": "quantile"}, "cuts between any two probabilities"),
        ("calibration", {"ties": "stable"}, "goes by the order of rows"),
        ("calibration", {"p_value": "monte-carlo"}, "redrawn row by row"),
        ("intervals", {"low": "up", "up": "low"}, "`up` is above `low`"),
        ("verdicts", {}, "needs all rows"),
    ],
)
def test_readings_that_cannot_be_done_are_refused(frame, family, asked, message):
    given = {**ASKED, "calibration": CONTINUOUS["calibration"]}.get(family, {})
    with pytest.raises((UsageError, ColumnError), match=message):
        assay.finish(assay.unit_table(frame.lazy(), family=family, **{**given, **asked}))


@pytest.fixture(scope="module")
def parts(frame):
    asked = {**ASKED["intervals"], "n_resamples": 0}
    return [assay.unit_table(each.lazy(), **asked) for each in (frame[:2000], frame[2000:])]


def said(table, **changed):
    about = json.loads(table.schema.metadata[b"assay"])
    return table.replace_schema_metadata({b"assay": json.dumps({**about, **changed}).encode()})


def with_column(table, name, values):
    return table.set_column(table.column_names.index(name), name, pa.array(values))


CHANGED = {
    "version 2 of": lambda own: said(own, version=2),
    "reads version 1 of": lambda own: said(own, format="another"),
    "there is no family": lambda own: said(own, family="nothing"),
    "lacks the column 'side.0'": lambda own: own.drop_columns(["side.0"]),
    "of its own": lambda own: own.append_column("more", pa.array([1] * own.num_rows)),
    "has two columns 'rows'": lambda own: own.append_column("rows", own.column("rows")),
    "holds nothing": lambda own: said(own.slice(0, 0), n_rows=0),
    "counts .* rows, and was made of 2,000": lambda own: own.slice(0, 5),
    "must be 1 or more, found 0": lambda own: with_column(own, "rows", [0] * own.num_rows),
    "must hold whole numbers": lambda own: with_column(own, "rows", [0.5] * own.num_rows),
    "must hold ids, found double": lambda own: with_column(own, "unit", [0.5] * own.num_rows),
    "is empty in": lambda own: with_column(own, "side.0", pa.nulls(own.num_rows, pa.int64())),
    "must hold finite numbers": lambda own: with_column(own, "y.min", [np.inf] * own.num_rows),
    "must be a bucket of 3": lambda own: said(own, n_buckets=3),
    "holds no side": lambda own: with_column(own, "side.0", [3] * own.num_rows),
    "is not a unit table": lambda own: own.replace_schema_metadata(None),
}


@pytest.mark.parametrize("message", CHANGED)
def test_a_unit_table_that_is_not_as_it_was_made_is_refused(parts, message):
    with pytest.raises((ArtifactError, UsageError), match=message):
        assay.finish(CHANGED[message](parts[0]))


OTHERS = {
    "its rows would count double": lambda own: own,
    "was made with `seed` 7, .* without": lambda own: own,
    "with truth 'value', .* with 'other'": lambda own: said(own, truth="other"),
    "for intervals, .* for sets": lambda own: said(own, family="sets"),
    "'unit' holds numbers in .* and texts in": lambda own: with_column(
        own, "unit", ["a"] * own.num_rows
    ),
}


@pytest.mark.parametrize("message", OTHERS)
def test_tables_that_are_no_parts_of_one_are_refused(parts, message):
    about = json.loads(parts[0].schema.metadata[b"assay"])
    one = said(parts[0], chosen={**about["chosen"], "seed": 7}) if "seed" in message else parts[0]
    with pytest.raises(UsageError, match=message):
        assay.finish(one, OTHERS[message](parts[0]))


def test_files_that_are_no_unit_tables_are_refused(frame, parts, tmp_path, capsys):
    rows, half, own = (tmp_path / f"{name}.parquet" for name in ("rows", "half", "own"))
    pq.write_table(frame.to_arrow(), rows)
    pq.write_table(parts[0], own)
    half.write_bytes(own.read_bytes()[:500])
    for given, message in (
        ([rows], "is not a unit table"),
        ([half], "cannot be read"),
        ([tmp_path], "is a folder"),
        ([tmp_path / "none.parquet"], "there is no file"),
        ([own, own], "is given twice"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["finish", *map(str, given), "--json"])
        assert ended.value.code == 1
        assert message in capsys.readouterr().err


def test_a_column_that_unit_tables_have_themselves_is_refused(frame):
    asked = {**ASKED["calibration"], "group": "rows", "n_resamples": 0}
    with pytest.raises(UsageError, match="`rows` is what unit tables call a column"):
        assay.unit_table(frame.rename({"site": "rows"}).lazy(), **asked)
    with pytest.raises(UsageError, match="made of a frame or a file, found dict"):
        assay.unit_table({"came": [1], "few": [0.5]}, **ASKED["calibration"])
    with pytest.raises(UsageError, match="there is nothing to count"):
        assay.unit_table(**ASKED["calibration"])


def test_what_nobody_asked_an_engine_for_is_done_in_memory(frame):
    asked = {"y_true": "came", "y_prob": "sure", "n_resamples": 20, "ties": "stable"}
    memory = assay.evaluate("calibration", data=frame, **asked)
    assert systems(assay.evaluate("calibration", data=frame.lazy(), **asked)) == systems(memory)
    with pytest.raises(ArtifactError, match="holds more than 16 KB as rows"):
        assay.evaluate("calibration", data=frame.lazy(), memory_limit="16KB", **asked)
