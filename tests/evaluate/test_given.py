"""Arrays and frames in the library, and the same numbers as another program."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from assay import (
    IntervalOptions,
    Plan,
    SetOptions,
    evaluate_intervals,
    evaluate_sets,
    from_frame,
)
from assay.errors import ColumnError, UsageError

N = 90
RNG = np.random.default_rng(8)
Y = RNG.normal(size=N)
WIDTH = RNG.uniform(0.5, 3, N)
BY_LEVEL = np.stack(
    [np.stack([-WIDTH * part, WIDTH * part], axis=1) for part in (0.7, 1.0)], axis=-1
)
P = RNG.dirichlet(np.ones(4), N)
LABEL = np.array([RNG.choice(4, p=each) for each in P])
FLAGS = np.stack([P > 0.2, P > 0.05], axis=-1)
WHO = np.arange(N) // 3
ASK = {"plan": Plan(n_resamples=20), "created_at": ""}
LEVELS = (0.8, 0.95)


def values(artifact, key="0.90", system=0):
    metrics = artifact.systems[system].levels[key].metrics
    return {label: each.value for label, each in metrics.items()}


def test_bounds_may_be_a_tuple_or_an_array():
    pair = evaluate_intervals(Y, (-WIDTH, WIDTH), **ASK)
    array = evaluate_intervals(Y, np.stack([-WIDTH, WIDTH], axis=1), **ASK)
    assert pair == array
    assert pair.inputs[0].format == "arrays"


def test_named_intervals_are_systems():
    artifact = evaluate_intervals(Y, {"narrow": BY_LEVEL[..., 0], "wide": (-WIDTH, WIDTH)}, **ASK)
    assert [each.name for each in artifact.systems] == ["narrow", "wide"]
    assert artifact.pairs[0].deltas["0.90"]["interval_width"].delta > 0


def test_clusters_and_groups_may_be_arrays():
    groups = np.where(np.arange(N) % 2, "odd", "even")
    artifact = evaluate_intervals(Y, (-WIDTH, WIDTH), cluster=WHO, group=groups, **ASK)
    assert artifact.resampling.n_units == N // 3
    assert [each.name for each in artifact.systems[0].levels["0.90"].groups] == ["even", "odd"]


def frame():
    columns = {"y": Y, "who": WHO, "label": LABEL}
    for number, level in enumerate(("80", "95")):
        columns |= {f"low{level}": BY_LEVEL[:, 0, number], f"up{level}": BY_LEVEL[:, 1, number]}
    return pd.DataFrame({**columns, **{f"c{k}": FLAGS[:, k, 0] for k in range(4)}})


def test_columns_of_a_frame_are_named():
    options = IntervalOptions(level=LEVELS)
    pairs = [("low80", "up80"), ("low95", "up95")]
    found = evaluate_intervals("y", pairs, data=frame(), cluster="who", options=options, **ASK)
    same = evaluate_intervals(Y, BY_LEVEL, cluster=WHO, options=options, **ASK)
    for key in ("0.80", "0.95"):
        assert values(found, key) == values(same, key)
    table = from_frame(frame())
    again = evaluate_intervals("y", pairs, data=table, cluster="who", options=options, **ASK)
    assert again == found


def test_a_single_pair_and_a_single_column_of_a_frame_are_one_system():
    data = frame()
    data["both"] = BY_LEVEL[..., 1].tolist()
    one = evaluate_intervals("y", ("low95", "up95"), data=data, **ASK)
    other = evaluate_intervals("y", "both", data=data, **ASK)
    assert values(one) == values(other)


def test_sets_may_be_flags_lists_or_columns_of_a_frame():
    flags = evaluate_sets(LABEL, FLAGS[..., 0], **ASK)
    lists = [np.flatnonzero(each).tolist() for each in FLAGS[..., 0]]
    listed = evaluate_sets(LABEL, lists, classes=range(4), **ASK)
    columns = evaluate_sets(
        "label", tuple(f"c{k}" for k in range(4)), data=frame(), classes=range(4), **ASK
    )
    assert values(flags) == values(listed) == values(columns)


def test_sets_of_a_frame_may_be_a_column_of_lists():
    data = frame()
    data["listed"] = [np.flatnonzero(each).tolist() for each in FLAGS[..., 0]]
    found = evaluate_sets("label", "listed", data=data, cluster="who", **ASK)
    same = evaluate_sets(LABEL, FLAGS[..., 0], cluster=WHO, **ASK)
    assert values(found) == values(same)


def test_named_sets_are_systems():
    artifact = evaluate_sets(LABEL, {"small": FLAGS[..., 0], "large": FLAGS[..., 1]}, **ASK)
    assert [each.name for each in artifact.systems] == ["small", "large"]
    assert artifact.pairs[0].deltas["0.90"]["set_size"].delta > 0


def test_lengths_must_agree():
    with pytest.raises(ColumnError, match="`intervals` has 89 rows where `y_true` has 90"):
        evaluate_intervals(Y, (-WIDTH[1:], WIDTH[1:]), **ASK)


def test_a_shape_that_is_no_interval_is_refused():
    with pytest.raises(UsageError, match=r"`intervals` must have the shape \(rows, 2\)"):
        evaluate_intervals(Y, np.zeros((N, 3)), **ASK)


@pytest.mark.filterwarnings("ignore")
@np.errstate(all="ignore")
def test_the_preset_mapie_gives_the_numbers_of_mapie():
    from mapie.metrics import classification, regression

    crossed = BY_LEVEL.copy()
    crossed[5] = crossed[5, ::-1]
    options = IntervalOptions.of("mapie", level=LEVELS)
    artifact = evaluate_intervals(Y, crossed, options=options, **ASK)
    strata = regression.regression_ssc(Y, crossed, num_bins=3)
    for number, key in enumerate(("0.80", "0.95")):
        low, up = crossed[:, 0, number], crossed[:, 1, number]
        theirs = {
            "interval_coverage": regression.regression_coverage_score(Y, crossed)[number],
            "interval_width": regression.regression_mean_width_score(crossed)[number],
            "size_stratified_coverage": strata[number].min(),
            "hsic": regression.hsic(Y, crossed)[number],
            "cwc": regression.coverage_width_based(Y, low, up, 30.0, LEVELS[number]),
            "winkler": regression.regression_mwi_score(Y, crossed[:, :, [number]], LEVELS[number]),
        }
        ours = values(artifact, key)
        assert {label: ours[label] for label in theirs} == pytest.approx(theirs, rel=1e-9)
        sizes = artifact.systems[0].levels[key].sizes
        assert [each.coverage for each in sizes] == pytest.approx(strata[number].tolist())
    sets = evaluate_sets(LABEL, FLAGS, options=SetOptions.of("mapie", level=LEVELS), **ASK)
    for number, key in enumerate(("0.80", "0.95")):
        theirs = {
            "set_coverage": classification.classification_coverage_score(LABEL, FLAGS)[number],
            "set_size": classification.classification_mean_width_score(FLAGS)[number],
            "set_size_stratified_coverage": classification.classification_ssc_score(LABEL, FLAGS)[
                number
            ],
        }
        ours = values(sets, key)
        assert {label: ours[label] for label in theirs} == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize(
    ("intervals", "fault"),
    [
        (([True, False], [1.0, 2.0]), "`intervals` must hold numbers, found true or false"),
        (([0.0], [1.0, 2.0]), "intervals must be arrays of one shape"),
        ([[0.0, 1.0], [2.0]], "intervals must be arrays of one shape"),
        (np.ones((2, 2), bool), "`intervals` must be numbers, found true and false"),
        (np.ones((2, 2), complex), "`intervals` holds values of the type 'complex128'"),
        (3, "`intervals` must hold one value per row, found"),
    ],
    ids=range(6),
)
def test_intervals_that_are_none_are_refused_in_words(intervals, fault):
    with pytest.raises(ColumnError, match=fault):
        evaluate_intervals([1.0, 2.0], intervals, created_at="2026-01-01T00:00:00Z")


def test_a_label_is_one_value_per_row():
    with pytest.raises(ColumnError, match=r"`y_true` has the shape \(2, 2\)"):
        evaluate_sets(np.ones((2, 2)), [["a"], ["b"]], created_at="2026-01-01T00:00:00Z")
