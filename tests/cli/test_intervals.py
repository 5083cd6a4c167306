from __future__ import annotations

import gzip
import json
import shlex

import jsonschema
import msgspec
import numpy as np
import pytest

from assay.cli.evaluating import command_of
from assay.families.intervals.parts import IntervalsArtifact

N = 48
PAIR = ("--y", "truth", "--low", "low", "--up", "up")
ARRAYS = ("--y", "y", "--interval", "intervals")


def made():
    rng = np.random.default_rng(3)
    width = rng.uniform(0.5, 2.5, N).round(3)
    return {
        "who": np.arange(N) // 4,
        "site": np.where(np.arange(N) % 3, "north", "south"),
        "truth": rng.normal(size=N).round(3),
        "low": -width,
        "up": width,
        "low2": -0.8 * width,
        "up2": 1.1 * width,
    }


def save(path, columns):
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def table(folder):
    save(folder / "t.csv", made())
    return "t.csv"


@pytest.fixture
def intervals(assay, table):
    """Run `assay intervals` on few resamples."""
    return lambda *arguments: assay("intervals", "--bootstrap-resamples", "40", *arguments)


def load(path):
    return json.loads(path.read_bytes())


def test_the_documented_command_writes_an_artifact_and_a_summary(intervals, folder):
    done = intervals("t.csv", *PAIR, "--cluster", "who", "--group", "site")
    assert done.code == 0
    artifact = load(folder / "assay-out" / "intervals_20260101T000000Z.json")
    assert artifact["kind"] == "intervals"
    assert artifact["created_at"] == "2026-01-01T00:00:00Z"
    assert artifact["inputs"][0]["path"] == "t.csv"
    assert artifact["resampling"]["unit"] == "who"
    jsonschema.validate(artifact, msgspec.json.schema(IntervalsArtifact))
    for words in (
        "Prediction intervals: t.csv",
        "48 in 12 clusters (who)",
        "Coverage against the level 0.9 (cluster bootstrap intervals, cluster bootstrap test)",
        "interval_width",
        "winkler_under",
        "width_quantile",
        "Coverage by width",
        "Coverage by group",
        "least",
    ):
        assert words in done.out
    assert "wrote assay-out/intervals_20260101T000000Z.json" in done.err


def test_what_is_not_given_has_the_documented_default(assay, table, folder):
    assay("intervals", "t.csv", *PAIR, "--output", "a.json", "--quiet")
    artifact = load(folder / "a.json")
    conventions, resampling = artifact["conventions"], artifact["resampling"]
    assert conventions["level"] == [0.9]
    assert (conventions["eta"], conventions["n_groups"]) == (30.0, 3)
    assert conventions["kernel_size"] == [1.0, 1.0]
    assert (conventions["crossed"], conventions["preset"]) == ("refuse", "default")
    assert (resampling["n_resamples"], resampling["seed"]) == (10_000, 42)
    assert (resampling["level"], resampling["method"]) == (0.95, "auto")


def test_options_reach_the_artifact(intervals, folder):
    done = intervals(
        *("t.csv", *PAIR, "--level", "0.8", "--eta", "5", "--groups", "2"),
        *("--kernel-size", "2,0.5", "--crossed", "swap", "--width-share", "0.5,1"),
        *("--error-bar-level", "0.9", "--error-bar", "basic", "--seed", "7"),
        *("--stream", "counter", "--preset", "printed", "--output", "a.json"),
    )
    assert done.code == 0, done.err
    artifact = load(folder / "a.json")
    conventions, resampling = artifact["conventions"], artifact["resampling"]
    assert (conventions["level"], conventions["eta"]) == ([0.8], 5.0)
    assert (conventions["n_groups"], conventions["kernel_size"]) == (2, [2.0, 0.5])
    assert (conventions["crossed"], conventions["formula"]) == ("swap", "printed")
    assert (resampling["level"], resampling["method"]) == (0.9, "basic")
    assert (resampling["seed"], resampling["stream"]) == (7, "counter")
    (level,) = artifact["systems"][0]["variants"].values()
    assert "width_quantile@1.00" in level["numbers"]
    assert len(level["parts"]["sizes"]) == 2


def test_json_goes_to_standard_output_and_no_file_is_written(intervals, folder):
    done = intervals("t.csv", *PAIR, "--json", "--quiet")
    assert json.loads(done.out)["kind"] == "intervals"
    assert done.err == ""
    assert not (folder / "assay-out").exists()


def test_every_format_gives_the_same_numbers(intervals, folder):
    import polars as pl

    columns = made()
    frame = pl.DataFrame(columns)
    frame.write_parquet(folder / "t.parquet")
    frame.write_ndjson(folder / "t.jsonl")
    (folder / "t.csv.gz").write_bytes(gzip.compress((folder / "t.csv").read_bytes()))
    np.savez(folder / "t.npz", **{name: each for name, each in columns.items() if name != "site"})
    expected = json.loads(intervals("t.csv", *PAIR, "--json", "--quiet").out)["systems"]
    for name in ("t.parquet", "t.jsonl", "t.csv.gz", "t.npz"):
        found = json.loads(intervals(name, *PAIR, "--json", "--quiet").out)["systems"]
        assert found[0]["variants"] == expected[0]["variants"]


def test_standard_input_is_a_table(process, table, folder):
    done = process(
        *("intervals", "-", *PAIR, "--json", "--quiet", "--bootstrap-resamples", "0"),
        stdin=(folder / "t.csv").read_bytes(),
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["inputs"][0]["path"] == "-"


def test_arrays_by_level_in_npz_and_npy_give_a_table_by_level(intervals, folder):
    columns = made()
    by_level = np.stack(
        [np.stack([columns[f"low{n}"], columns[f"up{n}"]], axis=1) for n in ("2", "")], axis=-1
    )
    np.savez(folder / "a.npz", y=columns["truth"], intervals=by_level)
    np.save(folder / "i.npy", by_level)
    np.save(folder / "y.npy", columns["truth"])
    shown = intervals("a.npz", *ARRAYS, "--level", "0.8,0.9")
    assert shown.code == 0, shown.err
    assert "level 0.80" in shown.out
    assert "level 0.90" in shown.out
    packed, apart = (
        json.loads(intervals(*given, "--level", "0.8,0.9", "--json", "--quiet").out)
        for given in (("a.npz", *ARRAYS), ("i.npy", "--y", "y.npy", "--interval", "array"))
    )
    assert packed["systems"][0]["parts"]["curve"] == apart["systems"][0]["parts"]["curve"]
    assert [each["path"] for each in apart["inputs"]] == ["i.npy", "y.npy"]


def test_two_pairs_are_compared(intervals):
    done = intervals("t.csv", *PAIR, "--low", "low2", "--up", "up2")
    assert done.code == 0
    assert "low2:up2 minus low:up" in done.out
    assert "better, worse" in done.out


def test_two_tables_are_compared_however_they_are_given(intervals, folder):
    save(folder / "u.csv", made() | {"low": made()["low2"]})
    expected = json.loads(intervals("t.csv", "u.csv", *PAIR, "--json", "--quiet").out)
    assert expected["pairs"][0]["right"] == 1
    named = intervals("t.csv", "--input", "u.csv", *PAIR, "--json", "--quiet")
    assert json.loads(named.out) | {"command": None} == expected | {"command": None}


def test_three_systems_have_p_values_that_hold_together(intervals):
    done = intervals("t.csv", *PAIR, *("--low", "low2", "--up", "up2") * 2)
    assert "p (Holm)" in done.out


def test_two_systems_by_two_levels_are_shown_apart(intervals):
    done = intervals(
        *("t.csv", *PAIR, *("--low", "low2", "--up", "up2") * 2, "--low", "low", "--up", "up"),
        *("--level", "0.8,0.9"),
    )
    assert done.code == 0
    assert "Numbers of low:up" in done.out
    assert "low2:up2 minus low:up, level 0.80" in done.out


BAD = {
    "crossed bounds": (
        {"low": [1, 0], "up": [0, 1]},
        (),
        "t.csv, line 2: the bounds in `low` and `up` are crossed, 1 is above 0 (1 of 2 rows)",
        "--crossed swap exchanges such bounds",
    ),
    "NaN": ({"up": ["nan", 1]}, (), "t.csv, line 2: `up` must be a number", "leave the row out"),
    "infinite truth": (
        {"truth": ["inf", 1]},
        (),
        "t.csv, line 2: `truth` must be a finite number",
        "leave the row out",
    ),
    "level": ({}, ("--level", "90"), "--level must be above 0 and below 1, found 90", "90 percent"),
    "levels": ({}, ("--level", "0.8,0.9"), "found 1 pair of bounds and 2 levels", "one per level"),
    "preset value": ({}, ("--eta", "-1"), "--eta must be finite and at least 0, found -1", "30"),
    "strata": ({}, ("--groups", "0"), "--groups must be at least 1, found 0", "strata of sizes"),
    "kernels": (
        {},
        ("--kernel-size", "0,1"),
        "--kernel-size must be a positive number, found 0",
        "1,1 is customary",
    ),
    "shares": ({}, ("--width-share", "2"), "--width-share must be above 0 and at most 1", ""),
    "no column": ({}, ("--group", "nothing"), "t.csv has no column `nothing`", "its columns are"),
    "no partner": ({}, ("--low", "low"), "found 2 lower and 1 upper bounds", "in the same order"),
    "no rows": ({"truth": [], "low": [], "up": []}, (), "t.csv has no rows", "header"),
}


@pytest.mark.parametrize(("changed", "options", "message", "hint"), BAD.values(), ids=BAD)
def test_bad_input_is_one_sentence_and_a_hint_and_writes_nothing(
    assay, folder, changed, options, message, hint
):
    save(folder / "t.csv", {"truth": [0.5, 1], "low": [0, 0], "up": [1, 2], **changed})
    done = assay("intervals", "t.csv", *PAIR, *options, "--bootstrap-resamples", "5")
    assert done.code == 1
    assert message in done.err
    assert done.err.startswith("error: ")
    assert hint in done.err
    assert done.out == ""
    assert not (folder / "assay-out").exists()


def test_crossed_and_infinite_bounds_are_counted_on_screen(assay, folder):
    save(folder / "t.csv", {"truth": [0.5, 1, 0], "low": [1, 0, "-inf"], "up": [0, 1, 0]})
    done = assay("intervals", "t.csv", *PAIR, "--crossed", "swap", "--bootstrap-resamples", "5")
    assert done.code == 0, done.err
    assert "1 of 3 intervals have crossed bounds, read as `crossed` swap" in done.out
    assert "1 of 3 intervals are unbounded: their width is infinite" in done.out
    assert "2      infinite" in done.out


def test_one_interval_is_told_in_the_singular(assay, folder):
    save(folder / "t.csv", {"truth": [0.5], "low": ["inf"], "up": ["-inf"]})
    crossed = "the bounds in `low` and `up` are crossed, inf is above -inf (1 of 1 row)"
    assert crossed in assay("intervals", "t.csv", *PAIR).err
    done = assay("intervals", "t.csv", *PAIR, "--crossed", "swap", "--bootstrap-resamples", "5")
    assert "1 of 1 interval has crossed bounds, read as `crossed` swap" in done.out
    assert "1 of 1 interval is unbounded: its width is infinite" in done.out


def test_no_table_and_no_bounds_are_misuse(assay, folder):
    done = assay("intervals", "t.csv", *PAIR, "--kernel-size", "1")
    assert (done.code, "not two numbers, as in --kernel-size 0,3" in done.err) == (2, True)
    assert assay("intervals", *PAIR).code == 2
    done = assay("intervals", "-", "-", *PAIR)
    assert (done.code, "standard input can be read once" in done.err) == (2, True)
    done = assay("intervals", "t.csv", "--y", "truth")
    assert (done.code, "found no bounds" in done.err) == (1, True)


def test_an_input_is_not_overwritten(assay, table, folder):
    before = (folder / "t.csv").read_bytes()
    done = assay("intervals", "t.csv", *PAIR, "--output", "t.csv")
    assert (done.code, "it is one of the inputs" in done.err) == (1, True)
    assert (folder / "t.csv").read_bytes() == before


def test_the_same_input_gives_the_same_bytes(intervals):
    first, second = (intervals("t.csv", *PAIR, "--json", "--quiet").out for _ in range(2))
    assert first == second


def examples():
    text = command_of("intervals").epilog.partition("Examples:\n")[2].replace("\\\n", "")
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.mark.parametrize("example", examples())
def test_the_examples_of_the_help_run(assay, folder, example):
    columns = made()
    pairs = {
        **{f"{side}{level}": columns[side] for side in ("low", "up") for level in ("80", "95")},
        **{f"{age}_{side}": columns[side] for side in ("low", "up") for age in ("old", "new")},
    }
    for name in ("table", "old", "new"):
        save(folder / f"{name}.csv", {**columns, "person": columns["who"], **pairs})
    stacked = np.stack([columns["low"], columns["up"]], axis=1)
    np.savez(folder / "arrays.npz", y=columns["truth"], intervals=np.stack([stacked] * 2, axis=-1))
    done = assay(*shlex.split(example)[1:], "--bootstrap-resamples", "5")
    assert done.code == 0, done.err
