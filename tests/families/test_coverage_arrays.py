"""Arrays and frames in the library, and the same numbers as another program."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from assay.errors import ColumnError, UsageError
from assay.library import evaluate
from assay.sources.table import from_frame

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
ASK = {"n_resamples": 20}
LEVELS = (0.8, 0.95)


def values(artifact, key="0.90", system=0):
    numbers = artifact.systems[system].variants[key].numbers
    return {label: each.value for label, each in numbers.items()}


def evaluate_intervals(**given):
    return evaluate("intervals", **{**ASK, **given}).artifact


def evaluate_sets(**given):
    return evaluate("sets", **{**ASK, **given}).artifact


def test_bounds_may_be_two_columns_or_one_array():
    pair = evaluate_intervals(y=Y, low=-WIDTH, up=WIDTH)
    array = evaluate_intervals(y=Y, interval=np.stack([-WIDTH, WIDTH], axis=1))
    assert values(pair) == values(array)
    assert pair.inputs[0].format == "arrays"


def test_named_intervals_are_systems():
    both = np.stack([-WIDTH, WIDTH], axis=1)
    artifact = evaluate_intervals(y=Y, interval={"narrow": BY_LEVEL[..., 0], "wide": both})
    assert [each.name for each in artifact.systems] == ["narrow", "wide"]
    assert artifact.pairs[0].deltas["0.90"]["interval_width"].delta > 0


def test_clusters_and_groups_may_be_arrays():
    groups = np.where(np.arange(N) % 2, "odd", "even")
    artifact = evaluate_intervals(y=Y, low=-WIDTH, up=WIDTH, cluster=WHO, group=groups)
    assert artifact.resampling.n_units == N // 3
    strata = artifact.systems[0].variants["0.90"].parts.groups
    assert [each.name for each in strata] == ["even", "odd"]


def frame():
    columns = {"y": Y, "who": WHO, "label": LABEL}
    for number, level in enumerate(("80", "95")):
        columns |= {f"low{level}": BY_LEVEL[:, 0, number], f"up{level}": BY_LEVEL[:, 1, number]}
    return pd.DataFrame({**columns, **{f"c{k}": FLAGS[:, k, 0] for k in range(4)}})


def test_columns_of_a_frame_are_named():
    named = {"y": "y", "cluster": "who", "level": LEVELS}
    named |= {"low": ("low80", "low95"), "up": ("up80", "up95")}
    found = evaluate_intervals(data=frame(), **named)
    same = evaluate_intervals(y=Y, interval=BY_LEVEL, cluster=WHO, level=LEVELS)
    for key in ("0.80", "0.95"):
        assert values(found, key) == values(same, key)
    again = evaluate_intervals(data=from_frame(frame()), **named)
    assert [*map(values, [again, found], ["0.80"] * 2)] == [values(found, "0.80")] * 2


def test_a_single_pair_and_a_single_column_of_a_frame_are_one_system():
    data = frame()
    data["both"] = BY_LEVEL[..., 1].tolist()
    one = evaluate_intervals(data=data, y="y", low="low95", up="up95")
    other = evaluate_intervals(data=data, y="y", interval="both")
    assert values(one) == values(other)


def test_sets_may_be_flags_lists_or_columns_of_a_frame():
    flags = evaluate_sets(y=LABEL, set=FLAGS[..., 0])
    lists = [np.flatnonzero(each).tolist() for each in FLAGS[..., 0]]
    listed = evaluate_sets(y=LABEL, set=lists, classes=tuple("0123"))
    columns = evaluate_sets(
        data=frame(), y="label", set=tuple(f"c{k}" for k in range(4)), classes=tuple("0123")
    )
    assert values(flags) == values(listed) == values(columns)


def test_sets_of_a_frame_may_be_a_column_of_lists():
    data = frame()
    data["listed"] = [np.flatnonzero(each).tolist() for each in FLAGS[..., 0]]
    found = evaluate_sets(data=data, y="label", set="listed", cluster="who")
    same = evaluate_sets(y=LABEL, set=FLAGS[..., 0], cluster=WHO)
    assert values(found) == values(same)


def test_classes_may_be_numbers():
    lists = [np.flatnonzero(each).tolist() for each in FLAGS[..., 0]]
    found = evaluate_sets(y=LABEL, set=lists, classes=range(4))
    assert found.parts.classes == ["0", "1", "2", "3"]


def test_named_sets_are_systems():
    artifact = evaluate_sets(y=LABEL, set={"small": FLAGS[..., 0], "large": FLAGS[..., 1]})
    assert [each.name for each in artifact.systems] == ["small", "large"]
    assert artifact.pairs[0].deltas["0.90"]["set_size"].delta > 0


def test_lengths_must_agree():
    with pytest.raises(ColumnError, match="`low` has 89 rows where `y` has 90"):
        evaluate_intervals(y=Y, low=-WIDTH[1:], up=WIDTH[1:])


def test_a_shape_that_is_no_interval_is_refused():
    with pytest.raises(UsageError, match=r"`interval` must have the shape \(rows, 2\)"):
        evaluate_intervals(y=Y, interval=np.zeros((N, 3)))


@pytest.mark.filterwarnings("ignore")
@np.errstate(all="ignore")
def test_the_preset_mapie_gives_the_numbers_of_mapie():
    from mapie.metrics import classification, regression

    crossed = BY_LEVEL.copy()
    crossed[5] = crossed[5, ::-1]
    artifact = evaluate_intervals(y=Y, interval=crossed, preset="mapie", level=LEVELS)
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
        sizes = artifact.systems[0].variants[key].parts.sizes
        assert [each.coverage for each in sizes] == pytest.approx(strata[number].tolist())
    sets = evaluate_sets(y=LABEL, set=FLAGS, preset="mapie", level=LEVELS)
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
    ("given", "fault"),
    [
        ({"low": [True, False], "up": [1.0, 2.0]}, "`low` must be a number, found true"),
        ({"low": [0.0], "up": [1.0, 2.0]}, "`low` has 1 row where `y` has 2"),
        ({"interval": [[0.0, 1.0], [2.0]]}, "`interval` has 1 number where others have 2"),
        ({"interval": np.ones((2, 2), bool)}, "`interval` must be numbers, found true and false"),
        ({"interval": np.ones((2, 2), complex)}, "holds values of the type 'complex128'"),
        ({"low": 3, "up": [1, 2]}, "`low` must hold one value per row, found 3"),
    ],
    ids=range(6),
)
def test_intervals_that_are_none_are_refused_in_words(given, fault):
    with pytest.raises(ColumnError, match=fault):
        evaluate_intervals(y=[1.0, 2.0], **given)


def test_a_label_is_one_value_per_row():
    with pytest.raises(ColumnError, match=r"`y` has the shape \(2, 2\)"):
        evaluate_sets(y=np.ones((2, 2)), set=[["a"], ["b"]])


def test_a_system_of_levels_is_named_after_its_arrays_and_not_after_its_first_level():
    low, up = BY_LEVEL[:, 0], BY_LEVEL[:, 1]
    found = evaluate("intervals", y=Y, low=low, up=up, level=LEVELS, **ASK)
    assert found.systems == ["low:up"]
    found = evaluate("intervals", y=Y, low=low[:, :1], up=up[:, :1], **ASK)
    assert found.systems == ["low:up"]


@pytest.mark.parametrize("names", [(" ", "b"), ("b", "b "), (1, "1")])
def test_names_that_nobody_can_tell_apart_are_refused(names):
    with pytest.raises(UsageError, match=r"blank name|two systems are called"):
        evaluate("sets", y=LABEL, set=dict.fromkeys(names, FLAGS[..., 0]), **ASK)
    with pytest.raises(UsageError, match=r"blank name|two systems are called"):
        evaluate("sets", y=LABEL, systems={each: {"set": FLAGS[..., 0]} for each in names}, **ASK)


@pytest.mark.parametrize("kind", [list, tuple, np.array])
@pytest.mark.parametrize("more", [{"y": Y}, {"y": "y", "data": pd.DataFrame({"y": Y})}])
def test_one_array_per_level_is_refused_with_the_shape_that_is_meant(kind, more):
    low, up = kind([*BY_LEVEL[:, 0].T]), kind([*BY_LEVEL[:, 1].T])
    with pytest.raises(UsageError, match="`low` holds 2 rows of 90 values") as caught:
        evaluate("intervals", **more, low=low, up=up, level=LEVELS, **ASK)
    assert "(rows, levels)" in caught.value.hint


def test_no_family_at_all_is_refused_with_their_names():
    for given in ({}, {"y": Y}):
        with pytest.raises(UsageError, match="`family` says what to evaluate") as caught:
            evaluate(**given)
        assert "selective, calibration, intervals, sets" in caught.value.hint
