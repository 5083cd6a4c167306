"""Verdicts that stand in columns: the same numbers from arrays, frames, tables and files."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import average_precision_score, f1_score

from assay.demo import VERDICTS_FOLDER
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.library import evaluate
from assay.sources.table import from_columns

SCALE = ("low", "middle", "high")
RANDOM = np.random.default_rng(11)
N = 30
TRUE, GIVEN, OTHER = (RANDOM.integers(0, 3, N) for _ in range(3))
COLUMNS = {
    "id": [f"c{n:02}" for n in range(N)],
    "true": [SCALE[n] for n in TRUE],
    "old": [SCALE[n] for n in GIVEN],
    "new": [SCALE[n] for n in OTHER],
    "risk": RANDOM.normal(size=N),
}
FRAMES = {
    "pandas": pd.DataFrame(COLUMNS),
    "polars": pl.DataFrame(COLUMNS),
    "pyarrow": pa.table(COLUMNS),
    "table": from_columns(**COLUMNS),
}
ROLES = {"case": "id", "truth": "true", "verdict": "old", "score": "risk"}
CHOSEN = {"scale": SCALE, "n_resamples": 40, "ci_method": "percentile"}
CHECKED = {"ground_truth": VERDICTS_FOLDER / "ground_truth.json", "n_resamples": 0}


def arrays(**roles):
    return {role: COLUMNS[name] for role, name in roles.items()}


@pytest.fixture(scope="module")
def from_arrays():
    return evaluate("verdicts", **arrays(**ROLES), **CHOSEN)


def numbers(found):
    return found.to_frame("pandas").drop(columns="system")


def test_the_numbers_are_those_of_scikit_learn(from_arrays):
    areas = [average_precision_score(step <= TRUE, COLUMNS["risk"]) for step in (1, 2)]
    assert from_arrays["ordinal_auprc"].value == pytest.approx(np.mean(areas), rel=1e-12)
    expected = f1_score(TRUE, GIVEN, average="macro")
    assert from_arrays["macro_f1"].value == pytest.approx(expected, rel=1e-12)
    assert from_arrays.systems == ["verdict"]
    assert from_arrays.warnings == []


def test_nothing_is_said_about_evidence_that_was_not_asked_for(from_arrays):
    assert from_arrays["evidence_precision"].reason == "nothing is cited"
    advice = from_arrays.artifact.systems[0].parts.diagnosis
    assert [each.symptom for each in advice] == ["low AUPRC, low macro F1"]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_gives_what_arrays_give(frame, from_arrays):
    found = evaluate("verdicts", data=FRAMES[frame], **ROLES, **CHOSEN)
    assert found.systems == ["old"]
    assert numbers(found).equals(numbers(from_arrays))


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_a_file_that_is_a_table_gives_what_arrays_give(suffix, tmp_path, from_arrays):
    path, frame = tmp_path / f"cases.{suffix}", FRAMES["pandas"]
    write = {
        "csv": lambda: frame.to_csv(path, index=False),
        "parquet": lambda: frame.to_parquet(path),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
    }
    write[suffix]()
    found = evaluate("verdicts", path, **ROLES, **CHOSEN)
    assert found.systems == [path.name]
    assert found["macro_f1"].low == from_arrays["macro_f1"].low
    assert found["ordinal_auprc"].value == pytest.approx(from_arrays["ordinal_auprc"].value)
    kinds = [(each.role, each.format) for each in found.artifact.inputs]
    assert kinds[:2] == [("results", kinds[0][1]), ("ground_truth", "ground truth")]


@pytest.mark.parametrize("given", ["roles", "systems", "data", "data systems", "file", "files"])
def test_several_systems_are_a_mapping_everywhere(given, tmp_path):
    shared, both = {"case": "id", "truth": "true"}, {"a": "old", "b": "new"}
    frame, path = FRAMES["pandas"], tmp_path / "cases.csv"
    frame.to_csv(path, index=False)
    held = {name: COLUMNS[column] for name, column in both.items()}
    calls = {
        "roles": lambda: evaluate("verdicts", **arrays(**shared), verdict=held, **CHOSEN),
        "systems": lambda: evaluate(
            "verdicts",
            systems={n: {**arrays(**shared), "verdict": v} for n, v in held.items()},
            **CHOSEN,
        ),
        "data": lambda: evaluate("verdicts", data=frame, **shared, verdict=both, **CHOSEN),
        "data systems": lambda: evaluate(
            "verdicts",
            data=frame,
            **shared,
            systems={n: {"verdict": v} for n, v in both.items()},
            **CHOSEN,
        ),
        "file": lambda: evaluate("verdicts", path, **shared, verdict=both, **CHOSEN),
        "files": lambda: evaluate(
            "verdicts", {"a": path, "b": path}, **shared, verdict="old", **CHOSEN
        ),
    }
    found = calls[given]()
    assert found.systems == ["a", "b"]
    second = GIVEN if given == "files" else OTHER
    expected = [f1_score(TRUE, each, average="macro") for each in (GIVEN, second)]
    assert [found[name]["macro_f1"].value for name in "ab"] == pytest.approx(expected)
    (pair,) = found.pairs
    assert pair["macro_f1"].value == pytest.approx(expected[1] - expected[0])


def test_results_files_may_be_named_too():
    files = {name: VERDICTS_FOLDER / f"{name}.json" for name in ("direct", "checked")}
    found = evaluate("verdicts", files, **CHECKED)
    assert found.systems == ["direct", "checked"]
    again = evaluate("verdicts", results=files, **CHECKED)
    assert again.systems == ["direct", "checked"]
    assert found["direct"]["evidence_recall"].value == 30 / 53
    assert evaluate("verdicts", files["direct"], **CHECKED).systems == ["direct.json"]


def test_verdicts_that_are_whole_numbers_are_in_their_order():
    found = evaluate("verdicts", truth=TRUE, verdict=GIVEN.astype(float), n_resamples=0)
    assert found.artifact.parts.policy.verdicts == ["0", "1", "2"]
    assert found["macro_f1"].value == pytest.approx(f1_score(TRUE, GIVEN, average="macro"))
    named = evaluate("verdicts", truth=TRUE, verdict=GIVEN, scale=[2, 1, 0], n_resamples=0)
    assert named.artifact.parts.policy.verdicts == ["2", "1", "0"]
    assert named["macro_f1"].value == pytest.approx(found["macro_f1"].value)


def test_an_empty_cell_is_a_case_that_was_not_answered_or_has_no_truth():
    verdicts = {"a": [0, 1, None, 1], "b": [0, None, 1, 1]}
    truth = [0, 1, 1, None]
    found = evaluate("verdicts", truth=truth, verdict=verdicts, n_resamples=0)
    counts = [each.variants[""].counts for each in found.artifact.systems]
    assert [each["n_missing"] for each in counts] == [1, 1]
    assert [each["n_without_gt"] for each in counts] == [1, 1]
    assert found.artifact.pairs[0].counts == {"n_common": 3}


def test_systems_need_not_have_the_same_cases():
    found = evaluate(
        "verdicts",
        systems={
            "a": {"case": ["x", "y"], "truth": [0, 1], "verdict": [0, 1]},
            "b": {"case": ["y", "z"], "truth": [1, 0], "verdict": [1, 1]},
        },
        n_resamples=0,
    )
    assert found.artifact.parts.gold.n_cases == 3
    # 0 is true of x and z, 1 of y; z is a miss for a, x for b, which gives 1 for z
    expected = [(2 / 3 + 1) / 2, (0 + 2 / 3) / 2]
    assert [found[name]["macro_f1"].value for name in "ab"] == pytest.approx(expected)


def test_the_truth_may_stand_in_a_file(tmp_path):
    path = tmp_path / "truth.json"
    path.write_text(json.dumps({"a": "low", "b": "high"}))
    found = evaluate(
        "verdicts",
        case=["a", "b"],
        verdict=["low", "low"],
        ground_truth=path,
        scale=("low", "high"),
        n_resamples=0,
    )
    assert found["macro_f1"].value == pytest.approx((2 / 3) / 2)


def test_a_policy_with_rules_derives_nothing_from_evidence_that_is_not_given():
    found = evaluate(
        "verdicts",
        truth=["Low Risk", "High Risk"],
        verdict=["Low Risk", "High Risk"],
        policy="G1_allergy_V2",
        n_resamples=0,
    )
    assert found["macro_f1"].value == 1.0
    assert "evidence_consistency" not in found.artifact.metrics


TWO = {"truth": ["low", "high"], "verdict": ["low", "high"]}


@pytest.mark.parametrize(
    ("given", "error", "said", "hint"),
    [
        (TWO, UsageError, "neither verdict nor truth names a policy", "`scale` takes verdicts"),
        (
            {**TWO, "scale": ("low", "high"), "policy": "G1"},
            UsageError,
            "`policy` and `scale` both say what the verdicts are",
            "give one of them",
        ),
        (
            {**TWO, "scale": ("low", "middle")},
            ArtifactError,
            "truth: 1 of 2 true verdicts are not on the scale low, middle: 'high' ('2')",
            "`policy` or `scale` choose another",
        ),
        (
            {**TWO, "scale": (0.5, "x")},
            UsageError,
            "`scale` must be a whole number or a text, found 0.5",
            "as they stand in the data",
        ),
        ({"truth": [0, 1], "scale": (0, 1)}, UsageError, "no column of verdicts", "`verdict`"),
        (
            {"verdict": [0, 1], "scale": (0, 1)},
            UsageError,
            "found 0 of `ground_truth` where one is needed",
            "`results`",
        ),
        (
            {"truth": [0, 1], "verdict": [0, 1.5]},
            ColumnError,
            "`verdict` must be a text or a whole number, found 1.5",
            "leave the cell empty",
        ),
        (
            {"truth": {"a": [0, 1], "b": [1, 1]}, "verdict": [0, 1]},
            ColumnError,
            "b, row 0: the case '1' has two true verdicts",
            "keep one",
        ),
        (
            {"truth": [1, 1], "verdict": [0, 1], "case": ["a", "a"]},
            ArtifactError,
            "more than one result of a case",
            "one result per case",
        ),
        (
            {"truth": [0, 1], "verdict": [0, 1], "case": ["a", None]},
            ColumnError,
            "`case` must be the id of a case, found null",
            "every row is about a case",
        ),
        (
            {"truth": [0, 1], "verdict": [0, 1, 2]},
            ColumnError,
            "`truth` has 2 rows where `verdict` has 3",
            "the same rows",
        ),
        (
            {"truth": [0, 1], "verdict": {"a": [0, 1], "b": [1, 1]}, "score": [0.1, "x"]},
            ColumnError,
            "`score",
            None,
        ),
        (
            {"truth": [0, 1], "verdict": [0, 1], "score": [np.nan, None]},
            ColumnError,
            "no row of `score` holds a score",
            "leave `score` out",
        ),
        (
            {"truth": [0, 1], "systems": {"a": {"verdict": [0, 1]}, "b": {"score": [0, 1]}}},
            UsageError,
            "found 0 of `verdict` and 1 of `score`",
            "every system has its verdicts",
        ),
        ({**TWO, "scal": SCALE}, UsageError, "there is no option 'scal'", "scale"),
    ],
)
def test_what_does_not_fit_is_refused_in_the_language_of_the_library(given, error, said, hint):
    with pytest.raises(error) as refused:
        evaluate("verdicts", **given)
    assert said in refused.value.message
    assert hint is None or hint in refused.value.hint
    assert "--" not in f"{refused.value.message}{refused.value.hint}"
    assert "<memory>" not in refused.value.message


def test_a_table_without_a_column_of_verdicts_is_refused():
    with pytest.raises(UsageError, match="a table was given, and no column of verdicts"):
        evaluate("verdicts", FRAMES["table"], **CHECKED)


@pytest.mark.parametrize("scale", [(-1, 0, 1), ("-", "0", "+"), ("-1", "-2", "-.5")])
def test_signs_tell_verdicts_apart(scale):
    given = {"truth": [*scale] * 3, "verdict": [*scale] * 3, "scale": scale, "n_resamples": 0}
    assert evaluate("verdicts", **given)["macro_f1"].value == 1
