"""Rows that an engine has counted give the numbers of all rows, to the last bit."""

from __future__ import annotations

import itertools
import json
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import assay
from assay.cli import main
from assay.errors import ArtifactError, AssayError, ColumnError, UsageError
from assay.sources import engine as engines

ASKED = {
    "participant": "pid",
    "confidence": "conf,sure",
    "n_resamples": 50,
    "seed": 3,
    "loss": "abs",
}


@pytest.fixture(scope="module")
def frame():
    draw = np.random.default_rng(5)
    n_rows = 900
    found = pd.DataFrame(
        {
            "pid": draw.integers(0, 30, n_rows),
            "prediction": draw.integers(0, 4, n_rows).astype(float),
            "truth": draw.integers(0, 4, n_rows),
            "conf": draw.integers(0, 9, n_rows) / 8,
            "sure": draw.choice([-1e300, -0.0, 0.0, 0.1, 1 / 3], n_rows),
            "unused": draw.random(n_rows),
        }
    )
    found.loc[draw.random(n_rows) < 0.2, "prediction"] = np.nan
    return found


@pytest.fixture(scope="module")
def files(frame, tmp_path_factory):
    folder = tmp_path_factory.mktemp("counting")
    frame.to_csv(folder / "t.csv", index=False)
    (folder / "runs").mkdir()
    # Unequal parts in another order: partitions change nothing.
    mixed = frame.sample(frac=1, random_state=1)
    for start, end in itertools.pairwise([0, 100, 101, 650, len(frame)]):
        mixed.iloc[start:end].to_parquet(folder / "runs" / f"{start:03}.parquet")
    return folder


def numbers(result):
    variants = result.artifact.systems[0].variants
    return {
        (name, label): own for name, of in variants.items() for label, own in of.numbers.items()
    }


def test_counted_rows_give_the_numbers_of_all_rows_to_the_bit(frame, files):
    memory = assay.evaluate("selective", str(files / "t.csv"), engine="memory", **ASKED)
    columns = {**ASKED, "prediction": "prediction", "truth": "truth"}
    runs = str(files / "runs" / "*.parquet")
    connection = duckdb.connect()
    others = {
        "duckdb": [
            assay.evaluate("selective", str(files / "t.csv"), engine="duckdb", **ASKED),
            assay.evaluate("selective", runs, engine="duckdb", **ASKED),
            assay.evaluate("selective", data=connection.read_parquet(runs), **columns),
        ],
        "polars": [assay.evaluate("selective", data=pl.scan_parquet(runs), **columns)],
        "memory": [assay.evaluate("selective", data=frame, **columns)],
    }
    assert memory.artifact.engine.name == "memory"
    for name, results in others.items():
        for found in results:
            assert found.artifact.engine.name == name
            assert found.artifact.inputs[0].n_rows == len(frame)
            assert numbers(found) == numbers(memory)
            assert {(own.exact, own.bracket) for own in numbers(found).values()} == {(True, None)}


def test_the_command_names_the_engine_and_holds_to_the_limit(files, tmp_path):
    arguments = [
        "selective",
        str(files / "runs"),
        "--cluster",
        "pid",
        "--confidence",
        "conf",
        "--loss",
        "abs",
    ]
    asked = ["--engine", "duckdb", "--memory-limit", "500MB", "--bootstrap-resamples", "20"]
    path = tmp_path / "a.json"
    with pytest.raises(SystemExit) as ended:
        main([*arguments, *asked, "--output", str(path)])
    assert not ended.value.code
    written = json.loads(path.read_text())
    assert written["engine"] == {"name": "duckdb", "version": duckdb.__version__}
    assert written["tool"]["kernels"] in {"compiled", "numpy"}


def test_large_files_are_counted_without_being_asked(files, monkeypatch):
    monkeypatch.setattr(engines, "LARGE", 1000)
    found = assay.evaluate("selective", str(files / "t.csv"), **ASKED)
    assert found.artifact.engine.name == "duckdb"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"participant": None}, "counts rows, which cannot be resampled"),
        ({"area": "step"}, "breaks ties by row order"),
        ({"engine": "duckdv"}, "there is no engine 'duckdv'"),
        ({"engine": "spark"}, "the engine spark needs PySpark"),
        ({"memory_limit": "1KB"}, "holds more than 1 KB once counted"),
    ],
)
def test_what_cannot_be_done_outside_of_memory_is_refused(files, asked, message):
    with pytest.raises((UsageError, ArtifactError), match=message):
        assay.evaluate("selective", str(files / "t.csv"), **{"engine": "duckdb", **ASKED, **asked})


def test_other_families_and_files_say_why_not(files, tmp_path):
    asked = {"y": "a", "low": "b", "up": "c", "n_resamples": 0}
    with pytest.raises(ColumnError, match="has no column `a`"):
        assay.evaluate("intervals", str(files / "t.csv"), engine="duckdb", **asked)
    both = [str(files / "t.csv"), str(files / "runs")]
    with pytest.raises(UsageError, match="cannot be joined outside of memory"):
        assay.evaluate("selective", both, engine="duckdb", **ASKED)
    lines = tmp_path / "t.json"
    lines.write_text('{"prediction": 1, "truth": 1, "confidence": 1}\n')
    with pytest.raises(UsageError, match="cannot be reduced outside of memory"):
        assay.evaluate("selective", str(lines), engine="duckdb", loss="abs")


PLAIN = ["y,p,who", *(f"{n % 2},{n % 7 / 8},a{n % 5}" for n in range(40))]
BARRED = [line.replace(",", ";") for line in PLAIN]
NUMBERS = ("ece", "brier", "ks_calibration", "ks_p_value", "kuiper_p_value")


def told(path, **how):
    try:
        found = assay.evaluate("calibration", str(path), y_true="y", y_prob="p", **how)
    except (ArtifactError, ColumnError) as error:
        return str(error), error.hint
    return [found[name].value for name in NUMBERS]


@pytest.mark.parametrize(
    "lines",
    [
        PLAIN,
        [*PLAIN[:9], "", *PLAIN[9:20], " ", *PLAIN[20:]],
        [*PLAIN[:9], "1,0.5,a,,", *PLAIN[9:]],
        [*PLAIN[:9], "1,\t0.5\u00a0,a", *PLAIN[9:]],
        [line.replace(".", ",") for line in BARRED],
        ["\ufeff" + BARRED[0], *BARRED[1:]],
    ],
)
def test_csv_files_are_read_in_the_engine_as_without(tmp_path, lines):
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    here, there = (told(path, n_resamples=0, engine=each) for each in ("memory", "duckdb"))
    assert isinstance(here, list)
    assert there == pytest.approx(here, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "lines",
    [
        [*PLAIN[:9], "1,1_000,a", *PLAIN[9:]],
        [*PLAIN[:9], "1,nine,a", *PLAIN[9:]],
        [*PLAIN[:9], "1,true,a", *PLAIN[9:]],
        [*PLAIN[:9], "1,0.5", *PLAIN[9:]],
        [*PLAIN[:9], '1,"0.5,a', *PLAIN[9:]],
        [*BARRED[:9], "1;0,5;a", *BARRED[9:]],
        [*PLAIN[:9], "1,0.5,\u00e9", *PLAIN[9:]],
        ["\u00e9" + PLAIN[0], *PLAIN[1:]],
    ],
)
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_what_is_wrong_with_a_csv_file_is_said_in_the_engine_as_without(tmp_path, lines, start):
    path = tmp_path / "t.csv"
    path.write_bytes(start + "\n".join(lines).encode("latin-1"))
    here, there = (told(path, n_resamples=0, engine=each) for each in ("memory", "duckdb"))
    assert isinstance(here, tuple)
    assert there == here
    assert "line 10" in here[0] or "offset" in here[0] or "line 42" in here[0]


def lines_of(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


LINES = [
    {
        "ill": ["yes", "no"][n % 2],
        "risk": n % 7 / 8,
        "who": n % 12 if n % 2 else f"0{n % 12}",
        "other": [n],
    }
    for n in range(60)
]
OF_LINES: dict[str, Any] = {"y_true": "ill", "y_prob": "risk", "cluster": "who", "n_resamples": 20}


def test_json_lines_are_counted_in_the_engine_as_in_memory(tmp_path):
    whole = lines_of(tmp_path / "t.jsonl", LINES)
    asked = {**OF_LINES, "positive": "yes"}
    memory, counted = (
        assay.evaluate("calibration", whole, engine=engine, **asked)
        for engine in ("memory", "duckdb")
    )
    for name in ("ece", "brier"):
        for part in ("value", "low", "high"):
            one, other = (getattr(each[name], part) for each in (memory, counted))
            assert one == pytest.approx(other, abs=1e-12)
    parts = [lines_of(tmp_path / f"{k}.jsonl", LINES[k::2]) for k in (0, 1)]
    units = [assay.unit_table(each, family="calibration", **asked) for each in parts]
    assert assay.finish(*units)["brier"].value == counted["brier"].value
    (tmp_path / "t.csv").write_text("ill,risk,who\nyes,0.5,3\nno,0.25,b\n")
    other = assay.unit_table(str(tmp_path / "t.csv"), family="calibration", **asked)
    with pytest.raises(UsageError, match="spell their labels differently"):
        assay.finish(units[0], other)


def test_sets_of_json_lines_are_lists_in_the_engine_too(tmp_path):
    rows = [{"of": "abc"[n % 3], "held": ["a", "b", "c"][: n % 4]} for n in range(24)]
    path = lines_of(tmp_path / "t.ndjson", rows)
    asked = {"y": "of", "set": "held", "n_resamples": 0}
    found = [assay.evaluate("sets", path, engine=each, **asked) for each in ("memory", "duckdb")]
    assert found[0]["set_size"].value == found[1]["set_size"].value == 1.5
    assert found[0]["set_coverage"].value == found[1]["set_coverage"].value


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"ill": "no", "risk": "0.5", "who": 1}', "line 61: `risk` must be a finite number"),
        ('{"ill": "no", "risk": true, "who": 1}', "line 61: `risk` must be a finite number"),
        ('{"ill": "no", "risk": 0.5, "who": 1.5}', "line 61: `who` must be a whole number"),
        ('{"ill": "no", "risk": 0.5, "risk": 1}', "line 61 has the key 'risk' twice"),
        ('{"ill": "no", "risk": 0.5', "line 61 is not valid JSON"),
        ("[1]", "line 61 does not have the shape"),
        ('{"ill": "no", "risk": NaN}', "line 61 holds the token NaN"),
    ],
)
def test_a_line_at_fault_is_named_by_the_engine_as_in_memory(tmp_path, line, message):
    path = tmp_path / "t.jsonl"
    lines_of(path, LINES)
    path.write_text(path.read_text() + line)
    for engine in ("memory", "duckdb"):
        with pytest.raises(AssayError, match=message):
            assay.evaluate("calibration", str(path), engine=engine, **OF_LINES)


@pytest.mark.parametrize("low", [[False, True], ["0", "1"]])
def test_bounds_that_are_no_numbers_are_refused_by_engines_as_in_memory(tmp_path, low):
    pl.DataFrame({"y": [0.5, 0.5], "low": low, "up": [1.0, 2.0]}).write_parquet(
        tmp_path / "t.parquet"
    )
    asked = {"y": "y", "low": "low", "up": "up", "n_resamples": 0}
    for engine in ("memory", "duckdb"):
        with pytest.raises(ColumnError, match=r"`low` must (be a|hold finite) number"):
            assay.evaluate("intervals", str(tmp_path / "t.parquet"), engine=engine, **asked)


def test_decimals_without_places_name_participants_in_memory_as_in_engines(tmp_path):
    rows = {"pid": [1, 1, 2, 2], "conf": [0.5, 0.25, 0.5, 0.75], "cost": [0, 1, 1, 0]}
    frame = pl.DataFrame(rows).cast({"pid": pl.Decimal(10, 0)})
    frame.write_parquet(tmp_path / "t.parquet")
    asked = {"participant": "pid", "confidence": "conf", "loss": "cost", "n_resamples": 20}
    found = [
        assay.evaluate("selective", str(tmp_path / "t.parquet"), engine=engine, **asked)
        for engine in ("memory", "duckdb")
    ]
    found.append(assay.evaluate("selective", data=frame, **asked))
    assert [each["aurc"].value for each in found] == [found[0]["aurc"].value] * 3
    assert {each.artifact.resampling.n_units for each in found} == {2}


def test_merged_confidences_without_any_cost_have_no_gap_in_percent():
    n_rows = 5000
    rows = {"pid": np.arange(n_rows) % 9, "conf": np.arange(n_rows) / n_rows}
    frame = pl.DataFrame({**rows, "cost": np.zeros(n_rows)})
    asked = {"participant": "pid", "confidence": "conf", "loss": "cost", "n_resamples": 0}
    found = assay.evaluate("selective", data=frame.lazy(), **asked)
    number = numbers(found)["conf", "aurc_gap_pct"]
    assert (number.value, number.bracket) == (None, None)
    assert number.reason


def test_signs_are_turned_as_often_where_rows_were_counted():
    draw = np.random.default_rng(5)
    n_rows = 60_000  # of so many rows fewer signs are turned than of the points they have
    points = draw.integers(0, 11, n_rows) / 10
    rows = {"pid": draw.integers(0, 12, n_rows), "p": points, "y": draw.random(n_rows) < points}
    frame = pl.DataFrame({**rows, "y": rows["y"].astype(np.int64)})
    asked = {"y_true": "y", "y_prob": "p", "cluster": "pid", "n_resamples": 0}
    here, there = (
        assay.evaluate("calibration", data=each, **asked)["ks_p_value"].value
        for each in (frame, frame.lazy())
    )
    assert here == there
