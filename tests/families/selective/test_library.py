"""Selective prediction from Python: arrays, frames and files give the same numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from assay.errors import AssayError, ColumnError, UsageError
from assay.library import evaluate
from assay.sources.table import from_columns
from tests.golden.commands import HERE

RANDOM = np.random.default_rng(3)
N = 48
COLUMNS = {
    "who": np.arange(N) // 4,
    "gold": RANDOM.integers(0, 4, N),
    "first": RANDOM.integers(0, 4, N),
    "second": np.where(RANDOM.random(N) < 0.8, RANDOM.integers(0, 4, N), np.nan),
    "sure": RANDOM.random(N),
    "unsure": RANDOM.integers(0, 5, N) / 4,
    "site": np.array(["north", "south"])[np.arange(N) // 4 % 2],
}
COLUMNS["cost"] = np.abs(COLUMNS["second"] - COLUMNS["gold"])
ROLES = {"prediction": "second", "truth": "gold", "confidence": "sure", "cluster": "who"}
PLAN = {"n_resamples": 40}
FRAMES = {
    "pandas": pd.DataFrame(COLUMNS),
    "polars": pl.DataFrame(COLUMNS),
    "pyarrow": pa.table(COLUMNS),
    "table": from_columns(**COLUMNS),
}
RUN = str(HERE / "two_modes.json")


def arrays(roles):
    return {role: COLUMNS[name] for role, name in roles.items()}


def numbers(found):
    """All numbers, whatever the system and the confidence are called."""
    return found.to_frame().drop(columns=["system", "variant"])


@pytest.fixture(scope="module")
def from_arrays():
    return evaluate("selective", **arrays(ROLES), group=COLUMNS["site"], **PLAN)


def test_arrays_give_numbers_with_intervals(from_arrays):
    assert from_arrays.systems == ["arrays"]
    answered = ~np.isnan(COLUMNS["second"])
    assert from_arrays["cmax"].value == answered.mean()
    assert from_arrays["risk"].value == pytest.approx(COLUMNS["cost"][answered].mean())
    assert from_arrays["aurc"].low < from_arrays["aurc"].value < from_arrays["aurc"].high
    assert from_arrays["failure_rate"].value == 0
    assert {*from_arrays.to_frame()["group"]} == {"", "north", "south"}


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_gives_what_arrays_give(frame, from_arrays):
    found = evaluate("selective", data=FRAMES[frame], **ROLES, group="site", **PLAN)
    assert numbers(found).equals(numbers(from_arrays))


def test_a_file_gives_what_arrays_give(tmp_path, from_arrays):
    path = tmp_path / "answers.csv"
    FRAMES["pandas"].to_csv(path, index=False)
    found = evaluate("selective", path, **ROLES, group="site", loss="abs", **PLAN)
    assert found.systems == ["answers.csv"]
    assert numbers(found).equals(numbers(from_arrays))


def test_losses_may_be_given_themselves(from_arrays):
    roles = {"loss": "cost", "confidence": "sure", "cluster": "who", "group": "site"}
    found = evaluate("selective", **arrays(roles), **PLAN)
    assert numbers(found).equals(numbers(from_arrays))
    assert found.artifact.parts.loss.definition == "as the column states it"
    answered = ~np.isnan(COLUMNS["cost"])
    given = {**arrays(roles), "loss": np.nan_to_num(COLUMNS["cost"])}
    masked = evaluate("selective", **given, answered=answered, **PLAN)
    assert numbers(masked).equals(numbers(found))
    data = evaluate("selective", data=FRAMES["polars"], **roles, **PLAN)
    assert numbers(data).equals(numbers(found))


def test_a_row_may_stand_for_several_items_and_participants_may_fail():
    found = evaluate(
        "selective",
        loss=[0, 1, 1],
        confidence=[3, 2, 1],
        count=[6, 3, 1],
        success=[True, True, False],
        participant=["a", "b", "c"],
        **PLAN,
    )
    assert found["risk"].value == pytest.approx(3 / 9)
    assert found["failure_rate"].value == pytest.approx(1 / 3)


def test_labels_cost_1_where_they_are_wrong_and_a_scale_makes_losses_shares():
    labels = {"prediction": ["cat", "dog", None], "truth": ["cat", "cat", "cat"]}
    found = evaluate("selective", **labels, confidence=[3, 2, 1], **PLAN)
    assert (found.artifact.parts.loss.name, found["risk"].value) == ("zero_one", 0.5)
    scaled = evaluate("selective", **arrays(ROLES), scale=(0, 3), **PLAN)
    assert scaled.artifact.parts.loss.name == "abs_norm"


SEVERAL = {
    "a role": lambda **of: evaluate(
        "selective",
        **arrays({**ROLES, "prediction": "gold"}) | {"prediction": of["prediction"]},
        **PLAN,
    ),
    "systems": lambda **of: evaluate(
        "selective",
        **arrays({"truth": "gold", "confidence": "sure", "cluster": "who"}),
        systems={name: {"prediction": each} for name, each in of["prediction"].items()},
        **PLAN,
    ),
    "a frame": lambda **of: evaluate(
        "selective", data=FRAMES["pandas"], **{**ROLES, "prediction": of["names"]}, **PLAN
    ),
    "a file": lambda **of: evaluate(
        "selective", of["path"], **{**ROLES, "prediction": of["names"]}, loss="abs", **PLAN
    ),
}


@pytest.mark.parametrize("door", SEVERAL)
def test_several_systems_are_a_mapping_at_every_door(door, tmp_path):
    names = {"old": "first", "new": "second"}
    path = tmp_path / "answers.csv"
    FRAMES["pandas"].to_csv(path, index=False)
    prediction = {name: COLUMNS[column] for name, column in names.items()}
    found = SEVERAL[door](prediction=prediction, names=names, path=path)
    assert found.systems == ["old", "new"]
    (pair,) = found.pairs
    assert (pair.left, pair.right) == ("old", "new")
    risks = [found[name]["risk"].value for name in found.systems]
    assert pair["risk"].value == pytest.approx(risks[1] - risks[0])
    assert risks[0] == pytest.approx(np.abs(COLUMNS["first"] - COLUMNS["gold"]).mean())


@pytest.mark.parametrize("door", ["arrays", "frame", "file"])
def test_confidences_of_different_names_are_compared_as_those_of_systems(door, tmp_path):
    names = {"one": "sure", "other": "unsure"}
    columns = {"loss": "cost", "cluster": "who"}
    path = tmp_path / "answers.csv"
    FRAMES["pandas"].to_csv(path, index=False)
    given = {
        "arrays": lambda: evaluate(
            "selective",
            **arrays(columns),
            confidence={name: COLUMNS[column] for name, column in names.items()},
            **PLAN,
        ),
        "frame": lambda: evaluate(
            "selective", data=FRAMES["pyarrow"], **columns, confidence=names, **PLAN
        ),
        "file": lambda: evaluate("selective", path, **columns, confidence=names, **PLAN),
    }
    found = given[door]()
    assert found.systems == ["one", "other"]
    (pair,) = found.pairs
    assert pair["cmax"].value == 0
    assert pair["aurc"].value == pytest.approx(
        found["other"]["aurc"].value - found["one"]["aurc"].value
    )


def test_modes_of_a_run_are_systems():
    modes = {"before": "zero_shot", "after": "few_shot"}
    found = evaluate("selective", RUN, mode=modes, confidence="llm", **PLAN)
    listed = evaluate("selective", [RUN, RUN], mode=[*modes.values()], confidence="llm", **PLAN)
    assert (found.systems, listed.systems) == ([*modes], [*modes.values()])
    assert numbers(found).equals(numbers(listed))
    confidences = evaluate(
        "selective", RUN, mode="few_shot", confidence={"a": "llm", "b": "token_msp"}, **PLAN
    )
    assert confidences.artifact.conventions["confidence"] == "a: llm, b: token_msp"
    assert "confidence" in confidences.pairs[0].variants


def test_several_confidences_of_a_frame_are_variants():
    roles = {**ROLES, "confidence": ["sure", "unsure"]}
    found = evaluate("selective", data=FRAMES["pandas"], **roles, **PLAN)
    assert [*found["data"].variants] == ["sure", "unsure", ""]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        ({"confidence": [1, 2]}, UsageError, "found `confidence`, and `loss` and `confidence`, or"),
        ({"prediction": "p", "truth": [1]}, UsageError, "`prediction` must hold one value per row"),
        ({"loss": [-1], "confidence": [1]}, ColumnError, "`loss` must be a loss from 0 to"),
        ({"loss": ["x"], "confidence": [1]}, ColumnError, "`loss` must be .* found the text 'x'"),
        ({"loss": [1, 2], "confidence": [1]}, ColumnError, "`confidence` has 1 row where `loss`"),
        ({"loss": [], "confidence": []}, ColumnError, "arrays has no rows"),
        ({"loss": [1], "confidence": [1], "area": "s"}, UsageError, "`area` must be one of"),
        ({"loss": [1], "confidence": [1], "strict": True}, UsageError, "`strict` is about"),
        ({"loss": [1], "confidence": [1], "cofidence": 1}, UsageError, "no option 'cofidence'"),
        (
            {"loss": {"a": "abs", "b": "squared"}, "prediction": [1], "truth": [1]},
            UsageError,
            "`loss` differs between systems: abs, squared",
        ),
        (
            {"loss": {"a": [1], "b": [1]}, "confidence": [1], "cluster": {"a": [1], "b": [2]}},
            ColumnError,
            "different participants: 1 only in a .*, 1 only in b",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_the_words_of_the_library(call, error, message):
    with pytest.raises(error, match=message) as caught:
        evaluate("selective", **{"confidence": [1], **call}, **PLAN)
    assert "--" not in f"{caught.value.message} {caught.value.hint}"


def test_a_file_and_arrays_do_not_mix():
    with pytest.raises(AssayError, match="`confidence` must be a text"):
        evaluate("selective", RUN, mode="few_shot", confidence=[0.5, 0.25], **PLAN)
    with pytest.raises(UsageError, match="found 2 files and 3 systems"):
        evaluate("selective", [RUN, RUN], mode=dict.fromkeys("abc", "few_shot"), **PLAN)
