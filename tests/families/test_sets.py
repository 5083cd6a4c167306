"""Prediction sets from tables to the artifact."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from assay.errors import ColumnError, UsageError
from assay.families.family import Given
from assay.families.sets import FAMILY
from assay.families.sets.options import SetColumns, SetOptions
from assay.inference import Plan
from assay.metrics.sets import set_coverage, set_size_stratified_coverage, worst_class_coverage
from assay.pipeline import evaluate
from assay.sources.table import from_columns, from_frame
from assay.stored import decode, encode
from tests.families.levels import by_level
from tests.selective_artifacts import WHEN, strict

N, CLASSES = 60, ("cat", "dog", "bird")
FEW = Plan(n_resamples=30)


def made(seed=0):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(3, 0.6), N)
    label = np.array([rng.choice(3, p=each) for each in p])
    return label, p


def arrays(seed=0, *, threshold=0.2):
    label, p = made(seed)
    flags = p >= threshold
    names = np.array(CLASSES)
    return {
        "y": names[label],
        "listed": [names[each].tolist() for each in flags],
        "text": [json.dumps(names[each].tolist()) for each in flags],
        **{name: flags[:, number] for number, name in enumerate(CLASSES)},
        "flags": flags,
        "lists_of_flags": flags.tolist(),
        "code": label,
        "who": np.arange(N) // 4,
        "site": np.array(["b", "a"])[np.arange(N) % 2],
    }


def evaluated(*given, sets=("listed",), y="y", plan=FEW, level=(0.9,), n_groups=None, **columns):
    tables = [from_columns(**each) for each in given]
    chosen = SetColumns(
        y, tuple(each if type(each) is tuple else (each,) for each in sets), **columns
    )
    options = SetOptions(level=level, n_groups=n_groups)
    return evaluated_tables(tables, chosen, options, plan)


def evaluated_tables(tables, columns, options, plan):
    artifact = evaluate(FAMILY, Given({"table": tables}, options, plan, columns), created_at=WHEN)
    data = encode(artifact)
    assert encode(decode(data)) == data
    return by_level(strict(data))


def only(artifact, system=0):
    (level,) = artifact["systems"][system]["levels"].values()
    return level


def numbers(artifact):
    return {label: each["value"] for label, each in only(artifact)["metrics"].items()}


def test_numbers_are_those_of_the_metrics():
    label, p = made()
    included = p >= 0.2
    found = numbers(evaluated(arrays(), classes=CLASSES))
    assert found["set_coverage"] == set_coverage(label, included)
    assert found["set_size"] == pytest.approx(included.sum() / N)
    assert found["empty_set_rate"] == (included.sum(1) == 0).mean()
    assert found["worst_class_coverage"] == worst_class_coverage(label, included)
    assert found["set_size_stratified_coverage"] == set_size_stratified_coverage(label, included)


@pytest.mark.parametrize(
    "sets", [("text",), (CLASSES,), ("flags",), ("lists_of_flags",)], ids=lambda each: str(each[0])
)
def test_lists_texts_columns_and_arrays_are_the_same_sets(sets):
    usual = evaluated(arrays(), classes=CLASSES)
    same = evaluated(arrays(), sets=sets, classes=CLASSES)
    assert numbers(same) == numbers(usual)
    assert only(same)["classes"] == only(usual)["classes"]


def test_flag_columns_name_the_classes_in_their_order():
    artifact = evaluated(arrays(), sets=(("bird", "cat", "dog"),))
    assert artifact["classes"] == ["bird", "cat", "dog"]
    assert [each["name"] for each in only(artifact)["classes"]] == ["bird", "cat", "dog"]


def test_flags_without_names_are_classes_counted_from_0():
    artifact = evaluated(arrays(), sets=("flags",), y="code")
    assert artifact["classes"] == ["0", "1", "2"]
    assert numbers(artifact) == numbers(evaluated(arrays(), classes=CLASSES))


def test_labels_found_are_the_classes_where_none_are_named():
    assert evaluated(arrays())["classes"] == ["bird", "cat", "dog"]


def test_a_class_that_never_occurs_is_listed_with_n_0_and_is_in_no_minimum():
    artifact = evaluated(arrays(), classes=(*CLASSES, "fish"))
    fish = only(artifact)["classes"][3]
    assert (fish["name"], fish["n"], fish["coverage"]) == ("fish", 0, None)
    assert fish["reason"] == "no row belongs to it"
    assert numbers(artifact)["worst_class_coverage"] == only(artifact)["least_class"]["coverage"]


def test_sizes_from_0_to_the_number_of_classes_are_listed():
    found = only(evaluated(arrays(threshold=0.4), classes=CLASSES))
    assert [each["name"] for each in found["sizes"]] == ["0", "1", "2", "3"]
    assert sum(each["n"] for each in found["sizes"]) == N
    assert found["sizes"][3]["n"] == 0
    assert (
        found["least_size"]["coverage"]
        == (found["metrics"]["set_size_stratified_coverage"]["value"])
    )


def test_fewer_strata_stand_for_ranges_of_sizes():
    found = only(evaluated(arrays(), classes=CLASSES, n_groups=2))
    assert [each["name"] for each in found["sizes"]] == ["0 to 1", "2 to 3"]


def test_the_coverage_of_independent_rows_has_an_exact_interval_and_test():
    test = only(evaluated(arrays()))["coverage"]
    exact = stats.binomtest(test["n_covered"], N).proportion_ci(0.95, "exact")
    assert test["interval"] == pytest.approx([exact.low, exact.high], rel=1e-9)
    assert test["method"] == "clopper-pearson"
    assert 0 < test["p_value"] <= 1


def test_clusters_give_bootstrap_intervals_everywhere():
    given = arrays(threshold=0.4)
    artifact = evaluated(given, cluster="who", group="site", plan=Plan(n_resamples=300))
    found = only(artifact)
    assert found["coverage"]["method"] == "cluster bootstrap"
    assert found["coverage"]["interval"] == found["metrics"]["set_coverage"]["interval"]
    assert [each["name"] for each in found["groups"]] == ["a", "b"]
    for stratum in (*found["classes"], *found["groups"]):
        low, high = stratum["interval"]
        assert low < stratum["coverage"] <= high
    assert found["metrics"]["set_coverage_p_value"]["value"] is None


def test_flags_by_level_give_numbers_by_level_and_a_calibration_curve():
    label, p = made()
    given = {**arrays(), "levels": np.stack([p >= 0.4, p >= 0.1], axis=-1)}
    artifact = evaluated(given, sets=("levels",), y="code", level=(0.7, 0.95))
    (system,) = artifact["systems"]
    assert list(system["levels"]) == ["0.70", "0.95"]
    assert system["curve"]["nominal"] == [0.7, 0.95]
    assert system["curve"]["empirical"] == [set_coverage(label, p >= t) for t in (0.4, 0.1)]


def test_two_sets_at_one_level_are_compared_with_paired_differences():
    given = arrays() | {"wider": arrays(threshold=0.05)["listed"]}
    artifact = evaluated(given, sets=("listed", "wider"))
    assert [each["name"] for each in artifact["systems"]] == ["listed", "wider"]
    delta = artifact["pairs"][0]["deltas"]["0.90"]["set_size"]
    assert delta["delta"] == delta["right"] - delta["left"] > 0


def test_two_tables_are_compared_row_by_row():
    artifact = evaluated(arrays(), arrays(threshold=0.05))
    assert [each["input"] for each in artifact["systems"]] == [0, 1]
    assert artifact["pairs"][0]["deltas"]["0.90"]["set_coverage"]["delta"] >= 0
    with pytest.raises(ColumnError, match="row 0: `y` is"):
        evaluated(arrays(), arrays(1))


def test_frames_of_lists_are_tables():
    given = {name: arrays()[name] for name in ("y", "listed", *CLASSES)}
    expected = evaluated(arrays())
    for frame in (pl.DataFrame(given), pd.DataFrame(given)):
        columns = SetColumns("y", (("listed",),))
        artifact = evaluated_tables([from_frame(frame)], columns, SetOptions(), FEW)
        assert numbers(artifact) == numbers(expected)


def test_empty_sets_cover_nothing_and_singletons_have_an_accuracy():
    given = {"y": ["a", "a", "b"], "s": [[], ["a"], ["a"]]}
    found = numbers(evaluated(given, sets=("s",)))
    assert found["set_coverage"] == pytest.approx(1 / 3)
    assert found["empty_set_rate"] == pytest.approx(1 / 3)
    assert found["singleton_rate"] == pytest.approx(2 / 3)
    assert found["singleton_accuracy"] == 0.5


def test_without_singletons_their_accuracy_is_undefined_with_the_reason():
    found = only(evaluated({"y": ["a", "b"], "s": [["a", "b"], []]}, sets=("s",)))
    number = found["metrics"]["singleton_accuracy"]
    assert (number["value"], number["reason"]) == (
        None,
        "no prediction set holds exactly one class",
    )


def test_labels_outside_the_classes_are_refused_with_place_and_hint():
    message = "`y` holds 'bird', which is not one of the classes"
    with pytest.raises(ColumnError, match=re.escape(message)) as caught:
        evaluated(arrays(), sets=(("cat", "dog"),))
    assert caught.value.hint == "the classes are cat, dog; `classes` names them in their order"
    with pytest.raises(ColumnError, match="`listed` holds 'bird', which is not"):
        evaluated({"y": ["cat"], "listed": [["bird"]]}, classes=("cat", "dog"))


def test_a_label_is_never_counted_from_the_end():
    given = {"y": [-1, 0], "flags": np.ones((2, 2), dtype=bool)}
    with pytest.raises(ColumnError, match="data, row 0: `y` holds '-1'"):
        evaluated(given, sets=("flags",))


def test_flags_must_be_as_many_as_classes():
    message = "`flags` has flags for 3 classes where there are 2"
    given = {**arrays(), "small": np.zeros(N, dtype=int)}
    with pytest.raises(UsageError, match=message):
        evaluated(given, sets=("flags",), classes=("0", "1"), y="small")


def test_a_flag_must_be_true_or_false():
    given = arrays()
    given["dog"] = np.where(given["dog"], 2, 0)
    with pytest.raises(ColumnError, match="`cat,dog,bird` must be true or false, found 2"):
        evaluated(given, sets=(CLASSES,))


def test_a_column_that_is_no_list_is_refused():
    with pytest.raises(
        ColumnError, match="row 0: `y` must be a list of labels, found the text 'cat'"
    ):
        evaluated({"y": ["cat"]}, sets=("y",))


def test_sets_and_levels_must_fit_together():
    with pytest.raises(UsageError, match="found 1 set and 2 levels"):
        evaluated(arrays(), level=(0.8, 0.9))
    given = {**arrays(), "levels": np.ones((N, 3, 3), dtype=bool)}
    with pytest.raises(UsageError, match="`levels` holds sets of 3 levels where `level` names 1"):
        evaluated(given, sets=("levels",), y="code")


def test_classes_and_sets_are_named_once():
    with pytest.raises(UsageError, match="`classes` names a class twice in a,a"):
        SetColumns("y", (("s",),), classes=("a", "a"))
    with pytest.raises(UsageError, match="found no sets"):
        SetColumns("y", ())


def test_a_level_outside_0_and_1_is_refused():
    with pytest.raises(UsageError, match="`level` must be above 0 and below 1, found 95"):
        SetOptions(level=(95.0,))


def test_one_row_has_numbers_and_is_announced():
    artifact = evaluated({"y": ["a"], "s": [["a"]]}, sets=("s",))
    assert numbers(artifact)["set_coverage"] == 1.0
    assert artifact["warnings"] == ["there is one row, so resampling shows no uncertainty"]
