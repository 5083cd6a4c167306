from __future__ import annotations

import gzip
import io
import json
import shlex

import numpy as np
import pandas as pd
import pytest

from assay.cli.evaluating import command_of
from assay.metrics.calibration import brier
from tests.accessors import deltas, numbers, parts, slices
from tests.cli.conftest import RESAMPLES

N = 60
GENERATOR = np.random.default_rng(3)
SCORE = GENERATOR.random(N).round(3)
OUTCOME = (GENERATOR.random(N) < SCORE).astype(int)
OTHER = np.clip(SCORE**2, 0, 1).round(3)
CLASSES = GENERATOR.dirichlet([2, 2, 2], N)
LABEL = np.array([GENERATOR.choice(3, p=row) for row in CLASSES])
ANIMALS = np.array(["cat", "dog", "eel"])
BINARY = ("t.csv", "--y-true", "y", "--y-score", "p")


def frame(**changed):
    columns = {
        "y": OUTCOME,
        "p": SCORE,
        "q": OTHER,
        "who": np.arange(N) // 3,
        "animal": ANIMALS[LABEL],
        "label": LABEL,
        **dict(zip(ANIMALS, CLASSES.T, strict=True)),
    }
    return pd.DataFrame({**columns, **changed})


def load(path):
    return json.loads(path.read_bytes())


@pytest.fixture
def calibration(assay):
    """Run `assay calibration` on few resamples."""
    return lambda *arguments: assay("calibration", *RESAMPLES, *arguments)


@pytest.fixture
def saved(folder):
    def write(name="t.csv", **changed):
        table = frame(**changed)
        match name.removesuffix(".gz").rpartition(".")[2]:
            case "csv":
                data = table.to_csv(index=False).encode()
            case "jsonl":
                data = table.to_json(orient="records", lines=True, double_precision=15).encode()
            case "parquet":
                buffer = io.BytesIO()
                table.to_parquet(buffer)
                data = buffer.getvalue()
            case _:
                buffer = io.BytesIO()
                np.savez(buffer, **{n: np.array(table[n].tolist()) for n in table}, wide=CLASSES)
                data = buffer.getvalue()
        (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return name

    return write


def test_the_simplest_command_scores_one_column(calibration, saved, folder):
    saved()
    done = calibration(*BINARY, "--output", "a.json")
    assert done.code == 0
    artifact = load(folder / "a.json")
    assert artifact["kind"] == "calibration"
    assert artifact["schema_version"] == "2"
    (system,) = artifact["systems"]
    found = parts(artifact)
    assert (system["name"], found["n_positive"]) == ("p", int(OUTCOME.sum()))
    assert (found["n_rows"], found["classes"]) == (N, [])
    brier = numbers(artifact)["brier"]
    assert brier["value"] == pytest.approx(((SCORE - OUTCOME) ** 2).mean())
    assert brier["low"] < brier["value"] < brier["high"]
    assert artifact["resampling"]["unit"] == "row"
    assert "wrote a.json" in done.err


def test_the_artifact_goes_under_the_time_when_no_place_is_named(calibration, saved, folder):
    saved()
    assert calibration(*BINARY).code == 0
    assert (folder / "assay-out" / "calibration_20260101T000000Z.json").is_file()


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet", "t.npz", "t.csv.gz", "t.jsonl.gz"])
def test_every_format_gives_the_numbers_of_csv(calibration, saved, folder, name):
    options = ("--y-true", "y", "--y-score", "p", "--cluster", "who", "--output")
    calibration(saved(), *options, "csv.json")
    calibration(saved(name), *options, "other.json")
    assert load(folder / "csv.json")["systems"] == load(folder / "other.json")["systems"]


def test_json_goes_to_standard_output_and_nowhere_else(calibration, saved, folder):
    saved()
    done = calibration(*BINARY, "--json")
    assert json.loads(done.out)["kind"] == "calibration"
    assert not (folder / "assay-out").exists()


def test_quiet_prints_nothing(calibration, saved):
    saved()
    done = calibration(*BINARY, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_clusters_are_resampled_where_they_are_named(calibration, saved, folder):
    saved()
    calibration(*BINARY, "--cluster", "who", "--output", "a.json")
    artifact = load(folder / "a.json")
    assert artifact["resampling"]["n_units"] == N // 3
    assert artifact["resampling"]["unit"] == "cluster"
    assert parts(artifact)["reliability_interval"] == "cluster bootstrap"


def test_two_score_columns_are_compared_on_shared_resamples(calibration, saved, folder):
    saved()
    done = calibration(*BINARY, "--y-score", "q", "--output", "a.json")
    artifact = load(folder / "a.json")
    assert len(artifact["pairs"]) == 1
    delta = deltas(artifact, 0, 1)["brier"]
    left, right = (numbers(artifact, place)["brier"]["value"] for place in (0, 1))
    assert delta["value"] == pytest.approx(right - left)
    assert delta["low"] < delta["value"] < delta["high"]
    assert "q minus p" in done.out


def test_two_files_are_compared_row_by_row(calibration, saved, folder):
    saved()
    saved("u.csv", p=OTHER)
    options = ("--y-true", "y", "--y-score", "p", "--output")
    calibration("t.csv", "u.csv", *options, "files.json")
    calibration("t.csv", "--input", "u.csv", *options, "flag.json")
    calibration("t.csv", *options[:-1], "--y-score", "q", "--output", "columns.json")
    files = load(folder / "files.json")
    assert [each["name"] for each in files["systems"]] == ["t.csv", "u.csv"]
    assert files["pairs"] == load(folder / "columns.json")["pairs"]
    assert files["pairs"] == load(folder / "flag.json")["pairs"]


def test_three_columns_have_p_values_corrected_for_two_comparisons(calibration, saved, folder):
    saved(r=SCORE.clip(0.2, 0.8))
    done = calibration(*BINARY, "--y-score", "q", "--y-score", "r", "--output", "a.json")
    artifact = load(folder / "a.json")
    assert [pair["right"] for pair in artifact["pairs"]] == [1, 2]
    for right in (1, 2):
        delta = deltas(artifact, 0, right)["brier"]
        assert delta["p_holm"] >= delta["p"]
    assert "p (Holm)" in done.out


PROBABILITIES = {
    "columns named as the classes": ("t.csv", "animal", ("--y-prob", "cat,dog,eel")),
    "columns and classes": (
        "t.csv",
        "label",
        ("--y-prob", "cat,dog,eel", "--classes", "0,1,2"),
    ),
    "an array": ("t.npz", "label", ("--y-prob", "wide")),
    "an array and classes": (
        "t.npz",
        "animal",
        ("--y-prob", "wide", "--classes", "cat,dog,eel"),
    ),
    "lists": ("t.jsonl", "label", ("--y-prob", "wide")),
    "lists in parquet": ("t.parquet", "label", ("--y-prob", "wide")),
    "lists in csv": ("t.csv", "label", ("--y-prob", "wide")),
}


@pytest.mark.parametrize("case", PROBABILITIES)
def test_class_probabilities_come_in_many_forms(calibration, saved, folder, case):
    name, truth, options = PROBABILITIES[case]
    saved(name, **({} if name == "t.npz" else {"wide": CLASSES.tolist()}))
    done = calibration(name, "--y-true", truth, *options, "--output", "a.json")
    assert done.code == 0, done.err
    artifact = load(folder / "a.json")
    system = parts(artifact)
    assert len(system["classes"]) == 3
    assert system["n_positive"] == int((CLASSES.argmax(1) == LABEL).sum())
    assert [each["n_true"] for each in system["classes"]] == np.bincount(LABEL).tolist()
    assert sum(each["n_predicted"] for each in system["classes"]) == N
    assert system["over_classes"]


def test_two_columns_have_the_numbers_of_the_second_one(calibration, saved, folder):
    saved(no=1 - SCORE, word=np.where(OUTCOME, "yes", "no"))
    calibration(
        "t.csv", "--y-true", "y", "--y-prob", "no,p", "--classes", "0,1", "--output", "a.json"
    )
    calibration(*BINARY, "--output", "b.json")
    two, one = load(folder / "a.json"), load(folder / "b.json")
    assert numbers(two) == numbers(one)
    assert (two["conventions"]["two_classes"], one["conventions"]["two_classes"]) == (
        "positive",
        None,
    )
    done = calibration(
        *("t.csv", "--y-true", "word", "--y-prob", "no,p", "--classes", "no,yes"),
        *("--two-classes", "top-label", "--output", "c.json"),
    )
    assert "the class word, the more probable of two" in done.out
    assert len(parts(load(folder / "c.json"))["classes"]) == 2


def test_numbers_by_group_are_in_artifact_console_page_and_tables(calibration, saved, folder):
    saved(site=np.where(np.arange(N) < 25, "north", "south"))
    done = calibration(
        *BINARY, "--group", "site", "--cluster", "who", "--output", "a.json", "--html", "a.html"
    )
    groups = slices(load(folder / "a.json"))
    assert [*groups] == ["north", "south"]
    counts = [each["counts"] for each in groups.values()]
    assert [(each["n_rows"], each["n_clusters"]) for each in counts] == [(25, 9), (35, 12)]
    table = done.out.partition("\nGroups\n")[2]
    assert [line.split()[:3] for line in table.splitlines() if line.startswith(("nor", "sou"))][
        :2
    ] == [["north", "25", "9"], ["south", "35", "12"]]
    assert "north" in (folder / "a.html").read_text(encoding="utf-8")
    done = calibration(
        *BINARY, "--group", "site", "--format", "csv", "--full", "--output", "b.json"
    )
    assert "All numbers by group,brier,lower,north," in done.out
    assert "\nGroups,south,lower,ece," in done.out


def test_a_two_valued_label_needs_a_positive_one(calibration, saved, folder):
    words = np.where(OUTCOME, "yes", "no")
    saved(y=words)
    refused = calibration(*BINARY)
    assert refused.code == 1
    assert "`y` must hold 0 and 1, or true and false, found" in refused.err
    assert "--positive says which label" in refused.err
    calibration(*BINARY, "--positive", "yes", "--output", "yes.json")
    calibration(saved(), *BINARY[1:], "--output", "numbers.json")
    yes, numbers = load(folder / "yes.json"), load(folder / "numbers.json")
    assert yes["systems"] == numbers["systems"]
    assert yes["conventions"]["outcome"] == "y is yes"


def test_true_and_false_need_no_explanation(calibration, saved, folder):
    saved(y=OUTCOME.astype(bool))
    calibration(*BINARY, "--output", "a.json")
    assert parts(load(folder / "a.json"))["n_positive"] == OUTCOME.sum()


def test_empty_cells_are_dropped_and_counted_when_asked(calibration, saved, folder):
    holes = pd.Series(SCORE).where(np.arange(N) % 10 > 0)
    saved(p=holes)
    calibration(*BINARY, "--missing", "drop", "--output", "a.json")
    artifact = load(folder / "a.json")
    assert artifact["inputs"][0]["n_rows"] == N
    assert artifact["inputs"][0]["counts"]["n_unscored"] == N // 10
    assert parts(artifact)["n_rows"] == N - N // 10


def test_a_row_empty_in_one_file_is_left_out_of_the_difference(calibration, saved, folder):
    saved()
    saved("u.csv", p=pd.Series(OTHER).where(np.arange(N) != 7))
    options = ("--y-true", "y", "--y-score", "p", "--missing", "drop", "--output", "a.json")
    assert calibration("t.csv", "u.csv", *options).code == 0
    artifact = load(folder / "a.json")
    assert [parts(artifact, place)["n_rows"] for place in (0, 1)] == [N, N - 1]
    pair = artifact["pairs"][0]
    assert pair["counts"] == {"n_common": N - 1, "n_only_left": 1, "n_only_right": 0}
    kept = np.arange(N) != 7
    wanted = [brier(OUTCOME[kept], stated[kept]) for stated in (SCORE, OTHER)]
    assert [pair["deltas"][""]["brier"][side] for side in ("left", "right")] == pytest.approx(
        wanted, rel=1e-12
    )


def test_the_clusters_of_two_files_must_agree_or_be_intersected(calibration, saved, folder):
    saved()
    frame().query("who > 2").to_csv(folder / "u.csv", index=False)
    options = ("t.csv", "u.csv", "--y-true", "y", "--y-score", "p", "--cluster", "who")
    refused = calibration(*options)
    assert "the inputs differ in 3 clusters (such as 0)" in refused.err
    assert calibration(*options, "--intersection-only", "--output", "a.json").code == 0
    artifact = load(folder / "a.json")
    assert artifact["resampling"]["n_units"] == N // 3 - 3
    assert [parts(artifact, place)["n_rows"] for place in (0, 1)] == [N - 9, N - 9]


def test_different_outcomes_of_paired_rows_are_refused(calibration, saved):
    saved()
    saved("u.csv", y=1 - OUTCOME)
    done = calibration("t.csv", "u.csv", "--y-true", "y", "--y-score", "p")
    assert done.code == 1
    wanted = f"u.csv, line 2: the truth is 1 where t.csv, line 2 has 0 ({N} such rows)"
    assert wanted in done.err


def test_a_run_is_scored_under_confidences_that_are_probabilities(calibration, folder):
    options = ("--mode", "few_shot", "--confidence", "verbalized,token_msp")
    done = calibration("run.json", *options, "--output", "a.json")
    assert done.code == 0, done.err
    artifact = load(folder / "a.json")
    assert [each["name"] for each in artifact["systems"]] == ["verbalized", "token_msp"]
    assert artifact["resampling"]["unit"] == "participant"
    assert artifact["inputs"][0]["counts"]["n_abstained"] > 0
    assert "token_msp minus verbalized" in done.out


def test_two_modes_of_a_run_are_compared(calibration, folder):
    modes = ("--mode", "zero_shot", "--mode", "few_shot")
    options = ("--confidence", "token_msp", "--output", "a.json")
    done = calibration("run.json", "run.json", *modes, *options)
    assert done.code == 0, done.err
    assert "few_shot minus zero_shot" in done.out


def test_a_confidence_outside_0_to_1_is_refused_with_those_that_work(calibration, folder):
    done = calibration("run.json", "--mode", "few_shot", "--confidence", "llm")
    assert done.code == 1
    assert "the confidence llm is no probability: it is " in done.err
    hint = done.err.partition("hint: ")[2]
    assert "token_msp" in hint
    assert "verbalized" in hint
    assert "llm" not in hint
    assert not (folder / "assay-out").exists()


def test_a_run_needs_a_confidence_and_the_hint_lists_them(calibration):
    done = calibration("run.json", "--mode", "few_shot")
    assert "is a run, and no confidence was chosen" in done.err
    assert "token_msp" in done.err


def test_a_calibrator_makes_confidences_that_are_scored_like_any_other(assay, calibration, folder):
    fitted = ("--input", "run.json", "--mode", "zero_shot", "--method", "temperature")
    assert assay("calibrate", *fitted, "--features", "token_msp", "--output", "c.json").code == 0
    options = ("--mode", "few_shot", "--confidence", "token_msp,calibrated:token_msp")
    done = calibration("run.json", *options, "--calibration", "c.json", "--output", "a.json")
    assert done.code == 0, done.err
    artifact = load(folder / "a.json")
    assert artifact["parts"]["calibration"]["path"] == "c.json"
    assert any("flatter it" in each for each in artifact["warnings"])
    assert [each["name"] for each in artifact["systems"]] == ["token_msp", "calibrated:token_msp"]
    refused = calibration("run.json", *options, "--calibration", "c.json", "--strict")
    assert refused.code == 1
    assert "was fitted on" in refused.err


def test_a_monte_carlo_p_value_is_drawn_as_often_as_asked(calibration, saved, folder):
    saved()
    options = ("--p-value", "monte-carlo", "--draws", "99", "--output", "a.json")
    assert calibration(*BINARY, *options).code == 0
    metrics = load(folder / "a.json")["systems"][0]["variants"][""]["numbers"]
    assert metrics["ks_p_value"]["options"] == {
        "method": "outcomes redrawn from the scores",
        "statistic": "ks_calibration",
        "n_draws": 99,
        "seed": 42,
    }
    assert metrics["ece_p_value"]["value"] * 100 == pytest.approx(
        round(metrics["ece_p_value"]["value"] * 100)
    )


def test_a_preset_sets_its_options_and_what_is_given_wins(calibration, saved, folder):
    saved()
    options = ("--preset", "mapie", "--bins", "5", "--output", "a.json")
    assert calibration(*BINARY, *options).code == 0
    conventions = load(folder / "a.json")["conventions"]
    assert (conventions["strategy"], conventions["ties"]) == ("mapie-uniform", "mapie")
    assert (conventions["n_bins"], conventions["preset"]) == (5, "mapie")


BAD = {
    "score above 1": (
        {"p": np.where(np.arange(N) == 4, 1.2, SCORE)},
        (),
        "t.csv, line 6: `p` must be from 0 to 1, found 1.2 (1 of 60 rows)",
    ),
    "score below 0": (
        {"p": SCORE - 0.5},
        (),
        "`p` must be from 0 to 1, found -0.",
    ),
    "a text for a score": (
        {"p": ["high", *SCORE[1:]]},
        (),
        "t.csv, line 2: `p` must be a finite number, found the text 'high'",
    ),
    "infinite score": (
        {"p": [np.inf, *SCORE[1:]]},
        (),
        "t.csv, line 2: `p` must be a finite number, found the text 'inf'",
    ),
    "an empty score": (
        {"p": [None, *SCORE[1:]]},
        (),
        "t.csv, line 2: `p` is empty or NaN (1 of 60 rows lack a truth or a probability)",
    ),
    "an empty truth": (
        {"y": [None, *OUTCOME[1:]]},
        (),
        "t.csv, line 2: `y` is empty or NaN (1 of 60 rows",
    ),
    "one class only": ({"y": 1}, (), "t.csv: `y` is 1 in every row (60)"),
    "more rows than bins": ({}, ("--bins", "61"), "t.csv has 60 rows for 61 bins"),
    "no bins": ({}, ("--bins", "0"), "--bins must be from 1 to 1,000,000, found 0"),
    "three labels": ({"y": LABEL}, (), "t.csv: `y` holds 3 labels ("),
    "unknown positive": (
        {},
        ("--positive", "yes"),
        "t.csv: `y` never holds the positive label yes, found",
    ),
    "no such column": ({"p2": 0}, ("--cluster", "nobody"), "t.csv has no column `nobody`"),
    "both kinds": (
        {"y": LABEL},
        ("--y-prob", "cat,dog,eel", "--classes", "0,1,2"),
        "some systems have one probability per row, others those of all classes",
    ),
    "bad level": ({}, ("--level", "2"), "--ci-level must be above 0 and below 1, found 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_one_sentence_and_nothing_is_written(
    calibration, saved, folder, case
):
    changed, options, message = BAD[case]
    saved(**changed)
    done = calibration(*BINARY, *options)
    assert (done.code, done.out) == (1, "")
    assert message in done.err
    assert done.err.startswith("error: ")
    assert not (folder / "assay-out").exists()


BAD_CLASSES = {
    "a label that is no class": (
        {"animal": np.where(np.arange(N) < 3, "fox", ANIMALS[LABEL])},
        ("--y-prob", "cat,dog,eel"),
        "t.csv: 3 of 60 labels in `animal` are not among the classes cat, dog, eel: fox",
    ),
    "classes that are not the labels": (
        {},
        ("--y-prob", "cat,dog,eel", "--classes", "a,b,c"),
        "60 of 60 labels in `animal` are not among the classes a, b, c: ",
    ),
    "too few classes": (
        {},
        ("--y-prob", "cat,dog,eel", "--classes", "cat,dog"),
        "hold 3 probabilities per row where there are 2 classes (cat, dog)",
    ),
    "a class twice": (
        {},
        ("--y-prob", "cat,dog,eel", "--classes", "cat,dog,dog"),
        "a class is named twice",
    ),
    "probabilities that do not sum to 1": (
        {"cat": CLASSES[:, 0] * np.where(np.arange(N) < 2, 0.5, 1)},
        ("--y-prob", "cat,dog,eel"),
        "(2 of 60 rows are off by more than 1e-06)",
    ),
    "a negative probability": (
        {"cat": -CLASSES[:, 0]},
        ("--y-prob", "cat,dog,eel"),
        "line 2: `cat,dog,eel` must be from 0 to 1, found -0.",
    ),
    "one column": ({}, ("--y-prob", "cat"), "t.csv: `animal` holds 3 labels ("),
    "one class only": (
        {"animal": "cat"},
        ("--y-prob", "cat,dog,eel"),
        "t.csv: `animal` is cat in every row (60)",
    ),
    "a positive label": (
        {},
        ("--y-prob", "cat,dog,eel", "--positive", "cat"),
        "a positive label was named where the most probable class is read",
    ),
}


@pytest.mark.parametrize("case", BAD_CLASSES)
def test_bad_classes_are_refused_in_one_sentence_and_nothing_is_written(
    calibration, saved, folder, case
):
    changed, options, message = BAD_CLASSES[case]
    saved(**changed)
    done = calibration("t.csv", "--y-true", "animal", *options)
    assert (done.code, done.out) == (1, "")
    assert message in done.err
    assert not (folder / "assay-out").exists()


def test_probabilities_that_are_rounded_are_accepted_within_a_tolerance(calibration, saved):
    saved(**dict(zip(ANIMALS, CLASSES.round(2).T, strict=True)))
    options = ("t.csv", "--y-true", "animal", "--y-prob", "cat,dog,eel")
    assert calibration(*options).code == 1
    done = calibration(*options, "--sum-tolerance", "0.02")
    assert done.code == 0
    assert "were divided by their sum" in " ".join(done.out.split())


def test_arrays_of_unequal_lengths_are_refused(calibration, folder):
    np.savez(folder / "t.npz", y=OUTCOME, p=SCORE[:-1])
    done = calibration("t.npz", "--y-true", "y", "--y-score", "p")
    assert (done.code, done.out) == (1, "")
    assert "t.npz: `p` has 59 rows where `y` has 60" in done.err


def test_files_of_unequal_lengths_are_refused(calibration, saved, folder):
    saved()
    frame().iloc[:-1].to_csv(folder / "u.csv", index=False)
    done = calibration("t.csv", "u.csv", "--y-true", "y", "--y-score", "p")
    assert "u.csv has 59 rows where t.csv has 60" in done.err


def test_scores_that_are_all_0_or_1_leave_the_tests_undefined_with_a_reason(
    calibration, saved, folder
):
    saved(p=(SCORE > 0.5).astype(int))
    done = calibration(*BINARY, "--output", "a.json")
    assert done.code == 0
    metrics = numbers(load(folder / "a.json"))
    assert metrics["ece"]["value"] is not None
    undefined = {name: each for name, each in metrics.items() if each["value"] is None}
    assert undefined
    assert all(each["reason"] for each in undefined.values())
    assert "\N{EN DASH}" in done.out


MISUSED = {
    "no table": ((), 2, "no table was given"),
    "no truth": (("t.csv", "--y-score", "p"), 1, "--y-true does not say which column"),
    "no score": (("t.csv", "--y-true", "y"), 1, "--y-prob names no column of probabilities"),
    "a mode of a table": (
        (*BINARY, "--mode", "m"),
        1,
        "--mode, --confidence and --calibration are",
    ),
    "columns of a run": (
        ("run.json", "--mode", "few_shot", "--y-true", "y"),
        1,
        "--y-true is about columns of a table, and this input is a run",
    ),
    "a run and a table": (("run.json", "t.csv"), 1, "runs and tables were given together"),
    "an unknown strategy": ((*BINARY, "--strategy", "x"), 2, "--strategy"),
    "two modes for one input": (
        ("run.json", "--mode", "a", "--mode", "b"),
        1,
        "found 1 run and 2 modes",
    ),
    "a strict reading of nothing": (
        ("run.json", "--mode", "few_shot", "--confidence", "token_msp", "--strict"),
        1,
        "--strict is about a calibrator, and there is no --calibration",
    ),
}


@pytest.mark.parametrize("case", MISUSED)
def test_misuse_is_explained(calibration, saved, case):
    arguments, code, message = MISUSED[case]
    saved()
    done = calibration(*arguments)
    assert done.code == code
    assert message in done.err


def test_the_output_may_not_replace_an_input(calibration, saved, folder):
    before = (folder / saved()).read_bytes()
    done = calibration(*BINARY, "--output", "t.csv")
    assert "cannot write t.csv: it is one of the inputs" in done.err
    assert (folder / "t.csv").read_bytes() == before


def test_thin_bins_and_the_bias_of_ece_are_said(calibration, saved):
    saved()
    said = " ".join(calibration(*BINARY).out.split())
    assert "occupied bins hold fewer than 20 rows" in said
    assert "bias" in said
    assert "debiased" in said


def test_a_clip_is_a_number_and_shown_where_it_bites(calibration, saved, folder):
    saved(p=np.where(SCORE < 0.1, 0, SCORE), y=np.where(SCORE < 0.1, 1, OUTCOME))
    n_capped = int((SCORE < 0.1).sum())
    done = calibration(*BINARY, "--output", "a.json")
    assert f"nll counts {n_capped} of 60 rows as if 1e-06 had been stated" in " ".join(
        done.out.split()
    )
    done = calibration(*BINARY, "--clip", "0.01", "--output", "b.json")
    one, other = (
        load(folder / name)["systems"][0]["variants"][""]["numbers"]["nll"]
        for name in ("a.json", "b.json")
    )
    assert other["options"] == {"clip": 0.01}
    assert one["value"] - other["value"] == pytest.approx(n_capped / 60 * np.log(1e4), abs=0.01)
    assert "clip 0.01" in done.out
    done = calibration(*BINARY, "--clip", "0", "--output", "c.json")
    assert (done.code, done.err.partition("\n")[0]) == (
        1,
        "error: --clip must be above 0 and below 0.5, found 0.0",
    )


def test_standard_input_is_read(process, saved, folder):
    saved()
    done = process(
        *("calibration", "-", *BINARY[1:], *RESAMPLES, "--json"),
        stdin=(folder / "t.csv").read_bytes(),
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["inputs"][0]["path"] == "-"


def test_the_same_seed_gives_the_same_bytes(calibration, saved, folder):
    saved()
    for name in ("a.json", "b.json"):
        calibration(*BINARY, "--cluster", "who", "--output", name)
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_the_examples_of_the_help_run(calibration, saved, folder):
    for name in ("scores.csv", "old.csv", "new.csv"):
        saved(name, person=np.arange(N) // 3)
    np.savez(folder / "digits.npz", y=LABEL, before=CLASSES, after=CLASSES)
    for line in command_of("calibration").epilog.partition("Examples:")[2].strip().splitlines():
        done = calibration(*shlex.split(line)[2:])
        assert done.code == 0, done.err


@pytest.mark.parametrize("word", ["", "NA", "n/a", "NaN", "None", "null", " "])
@pytest.mark.parametrize("column", ["y", "p"])
def test_the_same_words_are_empty_in_every_column(calibration, saved, folder, column, word):
    values = (OUTCOME if column == "y" else SCORE).astype(object)
    values[4] = word
    saved("t.csv", **{column: values})
    done = calibration(*BINARY)
    assert done.code == 1
    assert f"t.csv, line 6: `{column}` is empty or NaN (1 of 60 rows lack" in done.err
    assert calibration(*BINARY, "--missing", "drop", "--output", "a.json").code == 0
    assert load(folder / "a.json")["inputs"][0]["counts"]["n_unscored"] == 1


def test_a_word_for_nothing_is_a_label_where_it_is_named_as_one(calibration, saved, folder):
    saved("t.csv", y=np.where(OUTCOME == 1, "yes", "none"))
    assert calibration(*BINARY, "--positive", "yes", "--output", "a.json").code == 0
    named = np.where(ANIMALS[LABEL] == "cat", "NA", ANIMALS[LABEL])
    saved("t.csv", y=named)
    several = ("t.csv", "--y-true", "y", "--y-prob", "cat,dog,eel")
    assert "`y` is empty" in calibration(*several).err
    assert calibration(*several, "--classes", "NA,dog,eel", "--output", "b.json").code == 0


@pytest.mark.parametrize(("name", "column"), [("t.csv", "p"), ("t.jsonl", "p"), ("t.parquet", "p")])
def test_true_is_no_probability(calibration, saved, name, column):
    saved(name, **{column: OUTCOME == 1})
    done = calibration(name, "--y-true", "y", "--y-score", column)
    assert done.code == 1
    assert f"`{column}` must be a finite number, found" in done.err
    assert "true is not 1 here" in done.err


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet", "t.npz"])
def test_true_is_an_outcome(calibration, saved, folder, name):
    saved(name, y=OUTCOME == 1)
    options = (name, "--y-true", "y", "--y-score", "p", "--output")
    assert calibration(*options, "a.json").code == 0
    saved(name)
    assert calibration(*options, "b.json").code == 0
    one, other = (load(folder / each)["systems"] for each in ("a.json", "b.json"))
    assert one == other
