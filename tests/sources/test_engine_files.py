"""The engine reads what the plain reader reads: same columns, same refusals, same places."""

from __future__ import annotations

import gzip
import itertools
import random

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assay
from assay.errors import ArtifactError, AssayError, ColumnError
from assay.sources import engine as of_engine
from assay.sources import read_run, table_files
from assay.sources.content import load
from assay.sources.table import columnar, read_table, table_of

CELLS = ["1", "0.5", " 2 ", "", "NA", "none", "true", "nan", "-nan", "1_000", "inf", "1e400", "é"]
CELLS += [
    "007",
    "3.0",
    '"a,b"',
    '"say ""so"""',
    '"two\nlines"',
    "\uff11\uff12",
    "99999999999999999999",
]


@pytest.fixture(autouse=True)
def _every_file_is_large(monkeypatch):
    monkeypatch.setattr(table_files, "LARGE", 0)


def saved(folder, data, name="t.csv"):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


def said(call, given):
    """Return what a call gives: a list, or the class and the words of a refusal."""
    try:
        given = call(given)
    except AssayError as error:
        return type(error), str(error), error.hint
    return repr((given[0].tolist(), list(given[1])))


ASKED = [
    lambda table: (table.numbers("a", infinite=True), ()),
    lambda table: (table.empty("a"), ()),
    lambda table: table.codes("a"),
    lambda table: table.clusters("b"),
    lambda table: (table.keep(np.arange(table.n_rows) % 2 == 0).empty("b"), ()),
    lambda table: table.keep(np.arange(table.n_rows) % 2 == 1).codes("b"),
    lambda table: (table.keep(np.arange(table.n_rows) % 2 == 1).numbers("b"), ()),
]


@pytest.mark.parametrize("seed", range(8))
def test_the_engine_and_the_plain_reader_say_the_same(tmp_path, seed):
    drawn = random.Random(seed)  # noqa: S311 - cells, not secrets
    known = drawn.sample(CELLS, 3) if seed % 3 else CELLS
    rows = [",".join(drawn.choice(known) for _ in "abc") for _ in range(drawn.randint(1, 9))]
    path = saved(tmp_path, "a,b,c\n" + "\n".join(rows) + "\n")
    for ask in ASKED:
        mine, plain = columnar(path), table_of(load(path))
        assert mine is not None
        if drawn.random() < 0.5:
            mine.fetch(numbers=["a", "b"], names=["a"])
        assert said(ask, mine) == said(ask, plain)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3\n",
        "a,b\n1,2,3\n",
        'a,b\n1,"x"y\n',
        'a,b\n1,"x\n',
        "a,a\n1,2\n",
        "",
        b"a,b\n1,\xfc\n",
        "a,b\r\n1,2\n3,4\r\n",
        "a,b\n\n1,2\n\n",
        "a\n1\n\n2\n",
        "\ufeffa,b\n1,2\n",
        'a,b\n1,"x\ny"\n2,z\n',
    ],
)
def test_what_is_no_table_is_refused_in_the_same_words(tmp_path, text):
    path = saved(tmp_path, text)

    def cells(read):
        table = read()
        return np.array([table.rows(*table.columns)]), [list(table.cells(n)) for n in table.columns]

    assert said(cells, lambda: read_table(path)) == said(cells, lambda: table_of(load(path)))


@pytest.mark.parametrize(("separator", "end"), [(";", "\n"), ("\t", "\r\n"), ("|", "\n")])
@pytest.mark.parametrize("large", [0, 10**9])
def test_separators_decimal_commas_and_words_for_nothing(
    tmp_path, monkeypatch, separator, end, large
):
    monkeypatch.setattr(table_files, "LARGE", large)
    rows = [["y", "p", "name"], ["1", "0,25", '"x'], ["0", "1", "NA"], ["1", ",5", "none"]]
    rows[1][2] = '"a' + separator + 'b"'
    path = saved(tmp_path, end.join(map(separator.join, rows)) + end)
    table = read_table(path, numbers=["p"], names=["y", "name"])
    assert table.numbers("p").tolist() == [0.25, 1.0, 0.5]
    assert table.labels("name") == [f"a{separator}b", "NA", "none"]
    assert table.empty("name").tolist() == [False, True, True]
    mixed = saved(tmp_path, "y;p\n1;0,5\n0;0.5\n", "mixed.csv")
    with pytest.raises(ColumnError, match="line 2: `p` must be a finite number, found the text"):
        read_table(mixed).numbers("p")


@pytest.mark.parametrize("how", ["gzip", "zstd"])
@pytest.mark.parametrize("large", [0, 10**9])
def test_compressed_files_are_read_and_cut_ones_refused(tmp_path, monkeypatch, how, large):
    monkeypatch.setattr(table_files, "LARGE", large)
    text = b"y,p\n" + b"1,0.5\n0,0.25\n" * 500
    pack = gzip.compress if how == "gzip" else lambda data: pa.compress(data, "zstd", asbytes=True)
    packed = pack(text)
    name = {"gzip": "t.csv.gz", "zstd": "t.csv.zst"}[how]
    assert read_table(saved(tmp_path, packed, name)).numbers("p").sum() == 375.0
    twice = packed + pack(b"1,0.125\n" * 4)
    assert read_table(saved(tmp_path, twice, name)).numbers("p").sum() == 375.5
    with pytest.raises(ArtifactError, match="cannot be decompressed"):
        read_table(saved(tmp_path, packed[:-9], name)).numbers("p")


def test_a_fault_far_into_a_file_is_refused_in_the_same_words(tmp_path):
    rows = ["1,0.5"] * 300_000
    rows[250_000] = "1"
    with pytest.raises(ArtifactError, match="line 250002: found 1 cell where the header has 2"):
        read_table(saved(tmp_path, "a,b\n" + "\n".join(rows)), numbers=["a", "b"])


def test_a_folder_and_a_pattern_are_one_table(tmp_path):
    for number in range(3):
        frame = pd.DataFrame({"y": [number, 1], "p": [0.5, number / 4]})
        frame.to_csv(tmp_path / f"part-{number}.csv", index=False)
        (tmp_path / "parquet").mkdir(exist_ok=True)
        pq.write_table(pa.Table.from_pandas(frame), tmp_path / "parquet" / f"{number}.parquet")
        lines = frame.to_json(orient="records", lines=True)
        (tmp_path / "lines").mkdir(exist_ok=True)
        (tmp_path / "lines" / f"{number}.jsonl").write_text(lines)
    pattern = str(tmp_path / "part-*.csv")
    for path in (pattern, str(tmp_path / "parquet"), str(tmp_path / "lines")):
        table = read_table(path)
        assert table.n_rows == 6
        assert table.numbers("p").tolist() == [0.5, 0.0, 0.5, 0.25, 0.5, 0.5]
        assert table.labels("y") == [0, 1, 1, 1, 2, 1]
        assert len(table.source.sha256) == 64
    assert read_table(pattern).where(3) == f"{pattern}, part-1.csv, line 3"
    assert read_table(str(tmp_path / "parquet")).place(5) == "2.parquet, row 1"
    saved(tmp_path, "y,q\n1,2\n", "part-9.csv")
    with pytest.raises(ArtifactError, match="does not have the columns of"):
        read_table(pattern)
    with pytest.raises(ArtifactError, match="stands for no table"):
        read_table(str(tmp_path / "nothing-*.csv"))
    saved(tmp_path, "{}", "part-9.parquet")
    with pytest.raises(ArtifactError, match=r"files of the kinds \.csv, \.parquet"):
        read_table(str(tmp_path / "part-*"))


def test_a_name_with_marks_of_a_pattern_is_that_file(tmp_path):
    saved(tmp_path, "y,p\n1,0.5\n", "a1.csv")
    assert read_table(saved(tmp_path, "y,p\n1,0.25\n", "a[1].csv")).numbers("p").tolist() == [0.25]


def test_only_the_columns_that_are_asked_for_are_read(tmp_path):
    path = saved(tmp_path, "a,b,c\n" + "1,x,2\n" * 5)
    table = read_table(path, numbers=["a"], names=["b"])
    origin = table.columns["a"].origin
    assert (set(origin.numbers), set(origin.names)) == ({"a"}, {"b"})
    frame = pa.table({"a": [1, None, 3], "b": ["x", "y", None], "c": [True, None, False]})
    pq.write_table(frame, tmp_path / "t.parquet")
    held = read_table(str(tmp_path / "t.parquet"), numbers=["a"])
    assert set(held.columns["a"].origin.held) == {"a"}
    assert held.empty("a").tolist() == held.empty("c").tolist() == [False, True, False]
    with pytest.raises(ColumnError, match="row 1: `a` must be a finite number, found null"):
        held.numbers("a")
    assert held.keep(~held.empty("a")).codes("a")[1] == (1, 3)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_an_item_table_is_the_same_by_column(tmp_path, monkeypatch, name):
    frame = pd.DataFrame(
        {
            "participant": ["b", "a", "a", "c"],
            "item": [2, 1, 2, 1],
            "prediction": [1.0, np.nan, 3.0, 2.0],
            "truth": [1, 2, 3, 0],
            "success": [True, True, True, False],
            "confidence": [0.5, 0.25, np.nan, 1.0],
        }
    )
    path = str(tmp_path / name)
    frame.to_csv(path, index=False) if name == "t.csv" else frame.to_parquet(path)
    found = read_run(path)
    monkeypatch.setattr(table_files, "LARGE", 10**9)
    plain = read_run(path)
    for field in ("participants", "items", "failed", "n_unscored", "unscored"):
        assert getattr(found, field) == getattr(plain, field)
    for field in ("cluster", "item", "prediction", "truth", "answered"):
        np.testing.assert_array_equal(getattr(found, field), getattr(plain, field))
    np.testing.assert_array_equal(*(each.signals["confidence"].value for each in (found, plain)))
    np.testing.assert_array_equal(*(each.signals["confidence"].state for each in (found, plain)))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_partitions_of_a_folder_are_one_table_and_give_it_a_column(tmp_path, engine):
    for year in (2025, 2026):
        folder = tmp_path / f"year={year}"
        folder.mkdir()
        frame = {"y": [0, 1, 1], "p": [0.25, 0.75, (year - 2024) / 4], "who": ["a", "b", "c"]}
        pq.write_table(pa.table(frame), folder / "part.parquet")
        (folder / "_SUCCESS").touch()
    asked = {"y_true": "y", "y_prob": "p", "cluster": "who", "group": "year", "n_bins": 2}
    found = assay.evaluate("calibration", str(tmp_path), **asked, engine=engine, n_resamples=0)
    slices = found.artifact.systems[0].variants[""].slices
    briers = [(each.label, each.n_rows, each.numbers["brier"].value) for each in slices]
    assert briers == [("2025", 3, 11 / 48), ("2026", 3, 0.125)]


LINES = {
    "csv": lambda rows: "\n".join(["y,p,who", *(f"{y},{p},{who}" for y, p, who in rows), ""]),
    "jsonl": lambda rows: "".join(
        f'{{"y": {y}, "p": {p}, "who": "{who}"}}\n' for y, p, who in rows
    ),
}


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("given", ["", "*/*", "**/*.{}"])
def test_days_and_escaped_names_of_folders_are_groups_and_clusters(tmp_path, engine, form, given):
    for day, name in itertools.product(("2026-01-01", "2026-01-02"), ("a%20b", "c")):
        folder = tmp_path / f"day={day}" / f"where={name}"
        folder.mkdir(parents=True)
        rows = [(0, 0.25, "u"), (1, 0.75, "v")] + [(1, 0.5, "w")] * (name == "c")
        if form == "parquet":
            columns = dict(zip(("y", "p", "who"), map(list, zip(*rows, strict=True)), strict=True))
            pq.write_table(pa.table(columns), folder / "part.parquet")
        else:
            (folder / f"part.{form}").write_text(LINES[form](rows))
    path = str(tmp_path / given.format(form)) if given else str(tmp_path)
    path = f"{path}/part.{form}" if given == "*/*" else path
    asked = {"y_true": "y", "y_prob": "p", "n_bins": 2, "engine": engine}
    found = assay.evaluate(
        "calibration", path, **asked, cluster="day", group="where", n_resamples=20
    )
    assert found.artifact.resampling.n_units == 2
    slices = found.artifact.systems[0].variants[""].slices
    assert [(each.label, each.n_rows) for each in slices] == [("a b", 4), ("c", 6)]
    alone = assay.evaluate("calibration", path, **asked, group="day", n_resamples=0)
    labels = [each.label for each in alone.artifact.systems[0].variants[""].slices]
    assert labels == ["2026-01-01", "2026-01-02"]


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    "other", ["who,p,y\nu,0.25,0\n", "y;p;who\n0;0,25;u\n", "p,who,y\n", "y,p,who\n"]
)
def test_csv_files_of_a_folder_may_differ_in_order_and_dialect_or_be_empty(tmp_path, engine, other):
    rows = [(0, 0.25, "u"), (1, 0.75, "v"), (1, 0.5, "w")]
    (tmp_path / "a.csv").write_text(other)
    (tmp_path / "b.csv").write_text(LINES["csv"](rows))
    asked = {"y_true": "y", "y_prob": "p", "cluster": "who", "n_bins": 2, "n_resamples": 0}
    found = assay.evaluate("calibration", str(tmp_path), **asked, engine=engine)
    n_more = other.count("\n") - 1
    assert found.artifact.inputs[0].n_rows == 3 + n_more
    assert found["brier"].value == pytest.approx((3 / 8 + n_more / 16) / (3 + n_more), rel=1e-12)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_json_lines_of_a_folder_may_lack_keys_in_some_files(tmp_path, engine):
    (tmp_path / "a.jsonl").write_text('{"y": 1, "p": 0.5, "group": "g"}\n')
    (tmp_path / "b.jsonl").write_text('{"y": 0, "p": 0.25}\n')
    (tmp_path / "c.jsonl").touch()
    asked = {"y_true": "y", "y_prob": "p", "n_bins": 1, "n_resamples": 0, "engine": engine}
    found = assay.evaluate("calibration", str(tmp_path), **asked)
    assert (found.artifact.inputs[0].n_rows, found["brier"].value) == (2, (1 / 4 + 1 / 16) / 2)
    grouped = assay.evaluate("calibration", str(tmp_path), **asked, group="group").to_frame()
    briers = grouped[grouped.metric == "brier"]
    assert briers.group.tolist() == ["", "(none)", "g"]
    assert briers.value.tolist()[1:] == [1 / 16, 1 / 4]


def nan_table(tmp_path, **changed) -> str:
    """Write a table whose statistics say nothing of NaN, which DuckDB believes."""
    columns = {"y": [0, 1, 1], "p": [0.25, 0.75, 0.5], "low": [0.0] * 3, "up": [1.0] * 3}
    path = tmp_path / "nan.parquet"
    pq.write_table(pa.table({**columns, "who": ["a", "b", "c"], **changed}), path)
    return str(path)


def test_nan_in_parquet_files_is_as_empty_for_the_engine_as_in_memory(tmp_path):
    path = nan_table(
        tmp_path,
        y=[0, 1, 1, 1, 1],
        p=[0.25, 0.75, 0.5, np.nan, np.nan],
        who=[1] * 5,
        low=[0.0] * 5,
        up=[1.0] * 5,
    )
    asked = {"y_true": "y", "y_prob": "p", "n_bins": 2, "n_resamples": 0}
    for engine in ("memory", "duckdb"):
        kept = assay.evaluate("calibration", path, **asked, engine=engine, missing="drop")
        assert kept["brier"].value == 0.125
        with pytest.raises(ColumnError, match=r"`p` is empty or NaN \(2 of 5 rows lack"):
            assay.evaluate("calibration", path, **asked, engine=engine)


@pytest.mark.parametrize("column", ["truth", "low", "up"])
def test_nan_that_duckdb_overlooks_in_the_bounds_of_a_relation_is_refused(tmp_path, column):
    changed = {"truth": [0.5] * 3} | {column: [0.5, np.nan, 0.5]}
    relation = duckdb.read_parquet(nan_table(tmp_path, **changed))
    with pytest.raises(ColumnError, match="NaN"):
        assay.evaluate(
            "intervals", data=relation, y="truth", low="low", up="up", cluster="who", n_resamples=0
        )


NUMERIC = ["1", "0.5", " 2 ", "", '""', '"3"', "-0.0", "1e400", "007", "9007199254740993", ".5"]


@pytest.mark.parametrize("odd", ["", "1_000", "nan", "-nan", "inf", "NA", " ", "x", "1,5"])
def test_numbers_read_as_such_are_those_read_as_texts(tmp_path, monkeypatch, odd):
    rows = [f"{cell},{k % 3}" for k, cell in enumerate(NUMERIC * 3)]
    rows[20:20] = [f'"{odd}",2']
    path = saved(tmp_path, "a,b\n" + "\n".join(rows) + "\n")
    asked = [*ASKED, lambda table: (table.numbers("a"), ()), lambda table: (table.numbers("b"), ())]

    def found():
        return [said(each, read_table(path, numbers=("a", "b"))) for each in asked]

    as_numbers = found()
    scanned, typed = of_engine._scanned, []
    monkeypatch.setattr(of_engine, "_is_typed", lambda _: False)
    monkeypatch.setattr(of_engine, "_scanned", lambda *a, **k: typed.append(k) or scanned(*a, **k))
    assert found() == as_numbers
    assert typed
    assert not any(each["typed"] for each in typed)
