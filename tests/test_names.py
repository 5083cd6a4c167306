"""Names that hold: what Python users write, and what they are given back."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.errors import ColumnError
from assay.metrics import aurc, brier, ece
from assay.registry import METRICS

DRAW = np.random.default_rng(3)
WHO = np.repeat(np.arange(20), 4)
P = DRAW.random(80)
Y = (DRAW.random(80) < P).astype(int)
Q = np.clip(P + 0.15, 0, 1)
WIDE = DRAW.dirichlet(np.ones(3), 80)
LABEL = WIDE.argmax(1)
FEW = {"n_resamples": 20}
SCALE = {"scale": ("0", "1")}
FRAME = {"y": Y, "p": P, "q": Q, "who": WHO, "up": P + 1.0, "lo": P - 1.0, "lo2": P - 0.5}
MADE = {
    "pandas": pd.DataFrame(FRAME),
    "polars": pl.DataFrame(FRAME),
    "pyarrow": pa.table(FRAME),
    "duckdb": duckdb.from_arrow(pa.table(FRAME)),
}


def test_an_estimate_has_value_low_high_reason_n_and_how():
    found = assay.estimate(ece, Y, P, cluster=WHO, **FEW)
    assert (found.value, found.n, found.reason) == (pytest.approx(ece(Y, P)), 80, None)
    assert found.low < found.high
    assert "20 resamples of 20 clusters" in found.how
    none = assay.estimate(aurc, np.zeros(4), np.ones(4), n_resamples=0)
    assert (none.value, np.isnan(none.low), np.isnan(none.high)) == (0.0, True, True)
    assert none.reason


def test_all_metrics_come_with_a_star():
    held = {}
    exec("from assay.metrics import *", held)  # noqa: S102 - a star is allowed nowhere else
    assert held["ece"](Y, P) == ece(Y, P)
    assert {*METRICS} <= {*held}


def test_a_comparison_has_systems_by_name_and_pairs_second_minus_first():
    found = assay.compare(brier, Y, {"a": P, "b": Q}, cluster=WHO, **FEW)
    assert found["a"].value == pytest.approx(brier(Y, P))
    assert found["b"].value == pytest.approx(brier(Y, Q))
    [pair] = found.pairs
    assert pair.value == pytest.approx(brier(Y, Q) - brier(Y, P))
    assert pair.low <= pair.value <= pair.high


def test_a_result_has_numbers_systems_pairs_warnings_and_a_frame():
    one = assay.evaluate("calibration", y_true=Y, y_prob=P, cluster=WHO, **FEW)
    assert one["brier"].value == pytest.approx(brier(Y, P))
    assert (one.pairs, len(one.systems)) == ([], 1)
    assert all(isinstance(each, str) for each in one.warnings)
    two = assay.evaluate("calibration", y_true=Y, y_prob={"a": P, "b": Q}, **FEW)
    assert two.systems == ["a", "b"]
    assert two["b"]["brier"].value == pytest.approx(brier(Y, Q))
    assert two.pairs[0]["brier"].value == pytest.approx(brier(Y, Q) - brier(Y, P))
    frame = two.to_frame("pandas")
    assert {"system", "metric", "value", "low", "high", "reason", "n"} <= {*frame.columns}
    row = frame[(frame.system == "b") & (frame.metric == "brier")].iloc[0]
    assert (row.value, row.n) == (pytest.approx(brier(Y, Q)), 80)


def test_probabilities_have_one_two_or_several_columns():
    def value(y, p, **more):
        return assay.evaluate("calibration", y_true=y, y_prob=p, n_resamples=0, **more)

    both = np.column_stack([1 - P, P])
    assert value(Y, both)["brier"].value == pytest.approx(brier(Y, P))
    with pytest.raises(ColumnError, match="one value per row, found 2 axes") as refused:
        brier(Y, both)
    assert "p[:, 1]" in refused.value.hint
    largest = value(Y, both, preset="mapie")
    right = both.argmax(1) == Y
    assert largest["brier"].value == pytest.approx(brier(right, both.max(1)))
    assert "top_label_ece" in value(LABEL, WIDE)


@pytest.mark.parametrize("kind", MADE)
def test_every_frame_gives_what_arrays_give_for_one_system_and_a_mapping(kind):
    data = MADE[kind]
    # An engine adds in an order of its own, so that the last digits may differ.
    within = 1e-12 if kind == "duckdb" else 0.0
    for columns, arrays in (
        ({"y_prob": "p"}, {"y_prob": P}),
        ({"y_prob": {"a": "p", "b": "q"}}, {"y_prob": {"a": P, "b": Q}}),
    ):
        held = assay.evaluate("calibration", data=data, y_true="y", cluster="who", **columns, **FEW)
        own = assay.evaluate("calibration", y_true=Y, cluster=WHO, **arrays, **FEW)
        for each in ("value", "low", "high"):
            shown, meant = held.to_frame("pandas")[each], own.to_frame("pandas")[each]
            assert shown.tolist() == pytest.approx(meant.tolist(), abs=within, nan_ok=True)
    low = {"a": "lo", "b": "lo2"}
    found = assay.evaluate(
        "intervals", data=data, y="y", low=low, up={"a": "up", "b": "up"}, level=0.9, **FEW
    )
    assert found.systems == ["a", "b"]
    named = {"a": {"low": "lo", "up": "up"}, "b": {"low": "lo2", "up": "up"}}
    same = assay.evaluate("intervals", data=data, y="y", systems=named, level=0.9, **FEW)
    assert same.to_frame("pandas").value.equals(found.to_frame("pandas").value)


@pytest.mark.parametrize(
    ("family", "roles"),
    [
        ("calibration", {"y_true": Y, "y_prob": P, "cluster": WHO, "group": WHO % 2}),
        ("selective", {"loss": 1.0 * Y, "confidence": P, "cluster": WHO, "group": WHO % 2}),
        ("selective", {"prediction": Y, "truth": LABEL % 2, "confidence": P, "answered": Y > -1}),
        ("selective", {"loss": 1.0 * Y, "confidence": P, "count": Y + 1, "item": range(80)}),
        ("intervals", {"y": P, "low": P - 1, "up": P + 1, "cluster": WHO, "group": WHO % 2}),
        ("sets", {"y": Y, "set": [[0, 1]] * 80, "cluster": WHO, "group": WHO % 2}),
        (
            "verdicts",
            {"case": range(80), "truth": Y, "verdict": Y, "score": P, "scale": ("0", "1")},
        ),
        ("reasoning", {"case": range(80), "truth": Y, "answer_cot": Y, "answer_early": 1 - Y}),
    ],
)
def test_roles_are_keywords(family, roles):
    found = assay.evaluate(family, **roles, n_resamples=0)
    assert len(found.systems) == 1
    assert len(found.to_frame("pandas")) > 3
