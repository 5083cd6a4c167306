"""Prediction intervals from tables to the artifact."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from assay.errors import ColumnError, UsageError
from assay.families.coverage.parts import size_ends
from assay.families.family import Given
from assay.families.intervals import FAMILY
from assay.families.intervals.options import IntervalColumns, IntervalOptions
from assay.inference import Plan
from assay.metrics.intervals import (
    group_coverage,
    interval_coverage,
    size_stratified_coverage,
    winkler,
)
from assay.pipeline import evaluate
from assay.sources.table import from_columns, from_frame
from assay.stored import decode, encode
from tests.families.levels import by_level
from tests.selective_artifacts import WHEN, strict

N = 60
PAIR = IntervalColumns("y", ("low",), ("up",))
FEW = Plan(n_resamples=30)
NONE = Plan(n_resamples=0)


def arrays(seed=0, n=N):
    rng = np.random.default_rng(seed)
    width = rng.uniform(0.5, 2.5, n)
    return {
        "y": rng.normal(size=n),
        "low": -width,
        "up": width,
        "low2": -0.8 * width,
        "up2": 1.1 * width,
        "who": np.arange(n) // 4,
        "site": np.array(["north", "south", "east"])[np.arange(n) % 3],
    }


def evaluated(*given, columns=PAIR, plan=FEW, **chosen):
    tables = [from_columns(**each) for each in given]
    return evaluated_tables(tables, columns, IntervalOptions(**chosen), plan)


def evaluated_tables(tables, columns, options, plan):
    artifact = evaluate(FAMILY, Given({"table": tables}, options, plan, columns), created_at=WHEN)
    data = encode(artifact)
    assert encode(decode(data)) == data
    return by_level(strict(data))


def only(artifact, system=0):
    (level,) = artifact["systems"][system]["levels"].values()
    return level


def test_numbers_are_those_of_the_metrics():
    given = arrays()
    found = only(evaluated(given, level=(0.8,)))
    columns = {"truth": given["y"], "low": given["low"], "up": given["up"]}
    assert found["metrics"]["interval_coverage"]["value"] == interval_coverage(**columns)
    assert found["metrics"]["winkler"]["value"] == pytest.approx(
        winkler(**columns, level=0.8), rel=1e-12
    )
    assert found["metrics"]["winkler"]["options"]["level"] == 0.8
    parts = [found["metrics"][f"winkler_{part}"]["value"] for part in ("width", "under", "over")]
    assert sum(parts) == pytest.approx(found["metrics"]["winkler"]["value"], rel=1e-12)


def test_the_coverage_of_independent_rows_has_an_exact_interval_and_test():
    given = arrays()
    test = only(evaluated(given, level=(0.9,)))["coverage"]
    k = int(((given["low"] <= given["y"]) & (given["y"] <= given["up"])).sum())
    assert (test["n"], test["n_covered"], test["method"]) == (N, k, "clopper-pearson")
    exact = stats.binomtest(k, N).proportion_ci(0.95, "exact")
    assert test["interval"] == pytest.approx([exact.low, exact.high], rel=1e-9)
    assert test["gap"] == pytest.approx(k / N - 0.9)
    assert test["gap_interval"] == pytest.approx([exact.low - 0.9, exact.high - 0.9])
    tails = stats.binom.cdf(k, N, 0.9), stats.binom.sf(k - 1, N, 0.9)
    assert test["p_value"] == pytest.approx(min(1, 2 * min(tails)), rel=1e-9)
    assert test["test"] == "exact binomial"


def test_clusters_give_a_bootstrap_interval_and_test_of_the_coverage():
    columns = IntervalColumns("y", ("low",), ("up",), cluster="who")
    artifact = evaluated(arrays(), columns=columns, plan=Plan(n_resamples=500))
    found = only(artifact)
    test, number = found["coverage"], found["metrics"]["interval_coverage"]
    assert (test["method"], test["test"]) == ("cluster bootstrap", "cluster bootstrap")
    assert test["interval"] == number["interval"]
    assert 0 < test["p_value"] <= 1
    assert number["exact_interval"] is None
    assert artifact["resampling"]["unit"] == "who"
    assert artifact["resampling"]["n_units"] == N // 4


def test_a_p_value_that_assumes_independent_rows_is_null_with_clusters():
    columns = IntervalColumns("y", ("low",), ("up",), cluster="who")
    number = only(evaluated(arrays(), columns=columns))["metrics"]["coverage_p_value"]
    assert number["value"] is None
    assert number["reason"] == "it assumes independent rows, and rows of one cluster are not"


def test_clusters_of_one_row_are_independent_rows():
    given = {**arrays(), "who": np.arange(N)}
    columns = IntervalColumns("y", ("low",), ("up",), cluster="who")
    assert only(evaluated(given, columns=columns))["coverage"]["method"] == "clopper-pearson"


def test_groups_have_n_coverage_and_interval():
    given = arrays()
    columns = IntervalColumns("y", ("low",), ("up",), group="site")
    found = only(evaluated(given, columns=columns))
    assert [each["name"] for each in found["groups"]] == ["east", "north", "south"]
    for group in found["groups"]:
        rows = given["site"] == group["name"]
        covered = (given["low"] <= given["y"]) & (given["y"] <= given["up"])
        assert (group["n"], group["n_covered"]) == (rows.sum(), (rows & covered).sum())
        exact = stats.binomtest(int((rows & covered).sum()), int(rows.sum())).proportion_ci(
            0.95, "exact"
        )
        assert group["interval"] == pytest.approx([exact.low, exact.high], rel=1e-9)
    least = min(found["groups"], key=lambda each: each["coverage"])
    assert found["least_group"] == least


def test_groups_of_clusters_have_a_resampled_interval():
    columns = IntervalColumns("y", ("low",), ("up",), cluster="who", group="site")
    given = arrays()
    plan = Plan(n_resamples=400)
    found = only(evaluated(given, columns=columns, plan=plan))["groups"][1]
    north = given["site"] == "north"
    alone = {name: each[north] for name, each in given.items()}
    part = IntervalColumns("y", ("low",), ("up",), cluster="who")
    expected = only(evaluated(alone, columns=part, plan=plan))["coverage"]["coverage"]
    assert found["coverage"] == expected
    low, high = found["interval"]
    assert low < expected < high


def test_size_strata_are_listed_with_counts_and_the_least_is_the_metric():
    given = arrays()
    found = only(evaluated(given, n_groups=4))
    assert [each["n"] for each in found["sizes"]] == [15, 15, 15, 15]
    ends = [(each["size_low"], each["size_high"]) for each in found["sizes"]]
    assert ends == sorted(ends)
    columns = {"truth": given["y"], "low": given["low"], "up": given["up"]}
    minimum = size_stratified_coverage(**columns, n_groups=4)
    assert found["least_size"]["coverage"] == minimum
    assert found["metrics"]["size_stratified_coverage"]["value"] == minimum
    assert found["least_size"] in found["sizes"]


def test_fewer_rows_than_strata_are_announced_and_only_filled_strata_listed():
    artifact = evaluated(arrays(n=2), n_groups=3)
    assert [each["n"] for each in only(artifact)["sizes"]] == [1, 1]
    assert artifact["warnings"] == [
        "low:up at level 0.90: there are 2 rows, so there are 2 of 3 size strata"
    ]


def test_more_strata_than_rows_are_refused():
    with pytest.raises(UsageError, match="`n_groups` must be at most the number of rows, 60"):
        evaluated(arrays(), n_groups=10_000_000)


def test_equal_widths_share_a_stratum_which_is_announced():
    given = {**arrays(), "low": np.zeros(N), "up": np.repeat([1.0, 2.0], N // 2)}
    for plan in (NONE, FEW):
        artifact = evaluated(given, n_groups=3, plan=plan)
        sizes = only(artifact)["sizes"]
        assert [(each["name"], each["n"]) for each in sizes] == [("1", 30), ("2", 30)]
        assert [each["size_high"] for each in sizes] == [1.0, 2.0]
        assert artifact["warnings"] == [
            "low:up at level 0.90: equal widths stay together, so there are 2 of 3 size strata"
        ]


def test_several_levels_give_numbers_by_level_and_a_calibration_curve():
    columns = IntervalColumns("y", ("low", "low2"), ("up", "up2"))
    artifact = evaluated(arrays(), columns=columns, level=(0.9, 0.8))
    (system,) = artifact["systems"]
    assert list(system["levels"]) == ["0.90", "0.80"]
    assert system["levels"]["0.80"]["columns"] == ["low2", "up2"]
    curve = system["curve"]
    assert curve["nominal"] == [0.8, 0.9]
    tests = [system["levels"][key]["coverage"] for key in ("0.80", "0.90")]
    assert curve["empirical"] == [each["coverage"] for each in tests]
    assert curve["empirical_low"] == [each["interval"][0] for each in tests]
    assert curve["empirical_high"] == [each["interval"][1] for each in tests]
    assert artifact["pairs"] == []


def test_one_level_and_two_pairs_are_two_systems_with_paired_differences():
    given = arrays()
    columns = IntervalColumns("y", ("low", "low2"), ("up", "up2"))
    artifact = evaluated(given, columns=columns)
    assert [each["name"] for each in artifact["systems"]] == ["low:up", "low2:up2"]
    (pair,) = artifact["pairs"]
    delta = pair["deltas"]["0.90"]["interval_width"]
    expected = np.mean(given["up2"] - given["low2"]) - np.mean(given["up"] - given["low"])
    assert delta["delta"] == pytest.approx(expected)
    assert delta["interval"][0] < expected < delta["interval"][1]
    assert "coverage_p_value" not in pair["deltas"]["0.90"]


def test_two_systems_may_have_two_levels_each():
    columns = IntervalColumns("y", ("low", "low2", "low2", "low"), ("up", "up2", "up2", "up"))
    artifact = evaluated(arrays(), columns=columns, level=(0.8, 0.9))
    first, second = artifact["systems"]
    assert first["levels"]["0.80"]["columns"] == ["low", "up"]
    assert second["levels"]["0.80"]["columns"] == ["low2", "up2"]
    assert list(artifact["pairs"][0]["deltas"]) == ["0.80", "0.90"]


def test_a_system_against_itself_differs_by_exactly_nothing():
    artifact = evaluated(arrays(), arrays())
    for delta in artifact["pairs"][0]["deltas"]["0.90"].values():
        assert delta["delta"] in (0.0, None)
        assert delta["p_value"] in (1.0, None)


def test_arrays_of_two_and_three_axes_are_pairs_of_bounds():
    given = arrays()
    stacked = np.stack([given["low"], given["up"]], axis=1)
    both = np.stack([stacked, np.stack([given["low2"], given["up2"]], axis=1)], axis=-1)
    one = evaluated({**given, "i": stacked}, columns=IntervalColumns("y", interval=("i",)))
    assert only(one)["metrics"] == only(evaluated(given))["metrics"]
    two = evaluated(
        {**given, "i": both}, columns=IntervalColumns("y", interval=("i",)), level=(0.8, 0.9)
    )
    columns = IntervalColumns("y", ("low", "low2"), ("up", "up2"))
    same = evaluated(given, columns=columns, level=(0.8, 0.9))
    for key in ("0.80", "0.90"):
        assert (
            two["systems"][0]["levels"][key]["metrics"]
            == same["systems"][0]["levels"][key]["metrics"]
        )


def test_lists_in_cells_are_pairs_of_bounds():
    given = arrays(n=5)
    lists = [[low, up] for low, up in zip(given["low"], given["up"], strict=True)]
    found = evaluated({"y": given["y"], "i": lists}, columns=IntervalColumns("y", interval=("i",)))
    assert only(found)["metrics"] == only(evaluated(given))["metrics"]


def test_a_data_frame_is_a_table():
    given = arrays()
    table = from_frame(pd.DataFrame(given))
    found = evaluated_tables([table], PAIR, IntervalOptions(), FEW)
    assert only(found)["metrics"] == only(evaluated(given))["metrics"]
    assert found["inputs"][0]["format"] == "frame"


def test_width_quantiles_are_widths_of_rows():
    given = arrays()
    found = only(evaluated(given, width_share=(0.25, 1.0)))["metrics"]
    widths = np.sort(given["up"] - given["low"])
    assert found["width_quantile@0.25"]["value"] == widths[14]
    assert found["width_quantile@1.00"]["value"] == widths[-1]


def crossed():
    given = arrays()
    given["low"][3], given["up"][3] = 1.0, -1.0
    given["y"][3] = 0.0
    return given


def test_crossed_bounds_are_refused_with_place_count_and_ways_out():
    message = "data, row 3: the bounds in `low` and `up` are crossed, 1 is above -1 (1 of 60 rows)"
    with pytest.raises(ColumnError, match=re.escape(message)) as caught:
        evaluated(crossed())
    assert "`crossed` swap" in str(caught.value.hint)


def test_crossed_bounds_are_counted_and_read_as_asked():
    swapped, empty = (only(evaluated(crossed(), crossed=rule)) for rule in ("swap", "empty"))
    assert swapped["n_crossed"] == empty["n_crossed"] == 1
    assert swapped["coverage"]["n_covered"] == empty["coverage"]["n_covered"] + 1
    wide, narrow = (each["metrics"]["interval_width"]["value"] for each in (swapped, empty))
    assert wide - narrow == pytest.approx(2 / N)
    artifact = evaluated(crossed(), crossed="empty")
    few, told = artifact["warnings"]
    assert few == (
        "low:up: 2 rows decide winkler, winkler_under, winkler_over: their intervals may be too"
        " short"
    )
    assert told == (
        "low:up at level 0.90: 1 of 60 intervals have crossed bounds, read as `crossed` empty"
    )


def test_infinite_bounds_cover_and_their_width_is_infinite():
    given = arrays()
    given["up"][:2] = np.inf
    artifact = evaluated(given)
    found = only(artifact)
    why = "2 of 60 intervals are unbounded: their width is infinite"
    assert found["n_unbounded"] == 2
    assert found["coverage"]["coverage"] == found["metrics"]["interval_coverage"]["value"]
    for label in ("interval_width", "winkler", "winkler_width"):
        number = found["metrics"][label]
        assert (number["value"], number["reason"]) == (None, "infinite")
    assert found["metrics"]["cwc"]["reason"] == "minus infinite"
    assert found["metrics"]["width_quantile@0.50"]["value"] is not None
    assert found["sizes"][-1]["size_high"] is None
    assert artifact["warnings"][1:] == [f"low:up at level 0.90: {why}"]


@pytest.mark.parametrize(
    ("endless", "reason", "word"),
    [
        (("up2",), "infinite", "worse"),
        (("up",), "minus infinite", "better"),
        (("up", "up2"), "infinite on both sides", None),
    ],
)
def test_a_difference_with_an_infinite_side_says_so(endless, reason, word):
    given = arrays()
    for name in endless:
        given[name][0] = np.inf
    columns = IntervalColumns("y", ("low", "low2"), ("up", "up2"))
    deltas = evaluated(given, columns=columns)["pairs"][0]["deltas"]["0.90"]
    for label in ("interval_width", "winkler"):
        delta = deltas[label]
        assert (delta["delta"], delta["reason"], delta["word"]) == (None, reason, word)
    parts = ("winkler_under", "hsic", "size_stratified_coverage", "width_quantile@0.50", "cwc")
    assert {deltas[label]["word"] for label in parts} == {None}
    why = "intervals of one side are infinite, and this is only a part of what they cost"
    assert {deltas[label]["word_reason"] for label in parts} == {why}


@pytest.mark.parametrize("column", ["low", "up"])
def test_a_bound_that_is_not_a_number_is_refused(column):
    given = arrays()
    given[column][7] = np.nan
    with pytest.raises(ColumnError, match=f"data, row 7: `{column}` must be a number"):
        evaluated(given)


def test_a_missing_bound_in_an_array_is_refused():
    given = arrays()
    stacked = np.stack([given["low"], given["up"]], axis=1)
    stacked[7, 1] = np.nan
    with pytest.raises(ColumnError, match="data, row 7: `i` must be a number, found NaN"):
        evaluated({**given, "i": stacked}, columns=IntervalColumns("y", interval=("i",)))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_truth_must_be_finite(value):
    given = arrays()
    given["y"][0] = value
    with pytest.raises(ColumnError, match="data, row 0: `y` must be a finite number"):
        evaluated(given)


@pytest.mark.parametrize("level", [0.0, 1.0, 90.0, -0.1, float("nan")])
def test_a_level_outside_0_and_1_is_refused(level):
    with pytest.raises(UsageError, match=r"`level` must be .*, found") as caught:
        IntervalOptions(level=(level,))
    assert "90 percent" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("levels", "message"), [((0.9, 0.9), "names a value twice"), ((), "names no value")]
)
def test_levels_are_given_once_each(levels, message):
    with pytest.raises(UsageError, match=message):
        IntervalOptions(level=levels)


def test_a_constant_target_leaves_cwc_undefined_with_the_reason():
    given = {**arrays(), "y": np.full(N, 0.3)}
    number = only(evaluated(given))["metrics"]["cwc"]
    assert number["value"] is None
    assert "all true values are equal" in number["reason"]


@pytest.mark.parametrize("centre", [0.0, 300.1])
def test_widths_equal_up_to_rounding_are_one_stratum_and_announced(centre):
    truth = centre + 7.77 * np.arange(N)
    given = {**arrays(), "y": truth, "low": truth - 0.7, "up": truth + 0.7}
    artifact = evaluated(given)
    (stratum,) = only(artifact)["sizes"]
    assert (stratum["name"], stratum["n"], stratum["n_covered"]) == ("1", N, N)
    assert artifact["warnings"] == [
        "low:up at level 0.90: all intervals have the same width, so there is one size stratum"
    ]


def test_constant_widths_are_cut_under_mapie_and_announced():
    given = {**arrays(), "low": np.zeros(N), "up": np.ones(N)}
    artifact = evaluated(given, ties="mapie")
    assert [each["n"] for each in only(artifact)["sizes"]] == [20, 20, 20]
    (warning,) = artifact["warnings"]
    assert warning.endswith(
        "so size strata cut through equal widths, in an order that depends on that of the rows"
    )


def test_p_value_of_widths_equal_up_to_rounding_is_null_with_the_reason():
    truth = 300.1 + 7.77 * np.arange(N)
    missed = np.where(np.arange(N) % 3, truth, truth - 1)
    given = {**arrays(), "y": missed, "low": truth - 0.7, "up": truth + 0.7}
    found = only(evaluated(given, plan=NONE))["metrics"]
    assert found["hsic"]["value"] == 0.0
    assert found["hsic_p_value"]["value"] is None
    assert (
        "every permutation gives the same HSIC, as equal ones do" in found["hsic_p_value"]["reason"]
    )


@pytest.mark.parametrize("cluster", [None, "who"])
def test_numbers_beyond_a_double_are_null_with_the_reason(cluster):
    given = {**arrays(n=4), "who": np.array(["a", "a", "b", "b"])}
    given |= {"low": np.full(4, -1.5e308), "up": np.array([1.5e308] + [-1.5e308] * 3)}
    columns = IntervalColumns("y", ("low",), ("up",), cluster=cluster)
    artifact = evaluated(given, columns=columns)
    found = only(artifact)
    assert found["metrics"]["interval_width"]["value"] == 1.5e308 / 2
    assert all(each["value"] is not None or each["reason"] for each in found["metrics"].values())
    assert all(each["interval"] or each["interval_reason"] for each in found["metrics"].values())
    missed = {**given, "y": np.full(4, -1.5e308), "low": np.full(4, 1e308), "up": np.full(4, 1e308)}
    reason = only(evaluated(missed, columns=columns))["metrics"]["winkler"]["reason"]
    assert reason == "it is infinite or beyond the range of a double"


@pytest.mark.parametrize("cluster", [None, "who"])
def test_widths_at_the_end_of_the_range_are_compared_in_silence(cluster):
    widest = np.finfo(float).max
    given = {**arrays(n=4), "who": np.array(["a", "a", "b", "b"]), "low": np.zeros(4)}
    columns = IntervalColumns("y", ("low",), ("up",), cluster=cluster)
    one = evaluated({**given, "up": np.full(4, widest)}, columns=columns)
    assert any("all intervals have the same width" in each for each in one["warnings"])
    two = evaluated({**given, "up": np.array([1.0, 1.0, widest, widest])}, columns=columns)
    assert not any("the same width" in each for each in two["warnings"])
    for artifact in (one, two):
        found = only(artifact)["metrics"].values()
        assert all(each["value"] is not None or each["reason"] for each in found)


def test_one_row_has_numbers_and_no_resampled_intervals():
    artifact = evaluated(arrays(n=1))
    found = only(artifact)
    assert found["coverage"]["n"] == 1
    assert found["coverage"]["interval"] is not None
    for number in found["metrics"].values():
        assert number["interval"] is None
        assert number["interval_reason"]
    assert artifact["warnings"] == ["there is one row, so resampling shows no uncertainty"]


def test_one_cluster_is_announced_and_has_no_interval():
    given = {**arrays(), "who": np.zeros(N, dtype=int)}
    columns = IntervalColumns("y", ("low",), ("up",), cluster="who", group="site")
    artifact = evaluated(given, columns=columns)
    assert "there is one cluster" in artifact["warnings"][0]
    test = only(artifact)["coverage"]
    assert test["interval"] is None
    assert test["interval_reason"] == "fewer than 6 clusters: resampling cannot tell"


def test_no_rows_are_refused():
    empty = {"y": np.zeros(0), "low": np.zeros(0), "up": np.zeros(0)}
    with pytest.raises(ColumnError, match="data has no rows"):
        evaluated(empty)


def test_a_missing_column_is_named_with_those_there_are():
    with pytest.raises(ColumnError, match="data has no column `low9`") as caught:
        evaluated(arrays(), columns=IntervalColumns("y", ("low9",), ("up",)))
    assert "low2" in str(caught.value.hint)


def test_tables_of_other_rows_are_refused():
    with pytest.raises(ColumnError, match="data has 59 rows where data has 60") as caught:
        evaluated(arrays(), arrays(n=59))
    assert "same rows, same order, same truth" in str(caught.value.hint)
    other = arrays()
    other["y"][5] = 9.0
    with pytest.raises(ColumnError, match=r"row 5: `y` is 9.0 where .* \(1 such row\)"):
        evaluated(arrays(), other)
    other = arrays()
    other["who"][5] = 77
    columns = IntervalColumns("y", ("low",), ("up",), cluster="who")
    with pytest.raises(ColumnError, match="row 5: `who` is 77 where"):
        evaluated(arrays(), other, columns=columns)


def test_pairs_and_levels_must_fit_together():
    columns = IntervalColumns("y", ("low", "low2", "low"), ("up", "up2", "up"))
    with pytest.raises(UsageError, match="found 3 pairs of bounds and 2 levels"):
        evaluated(arrays(), columns=columns, level=(0.8, 0.9))
    three = np.zeros((N, 2, 3))
    with pytest.raises(UsageError, match="`i` holds intervals of 3 levels where `level` names 2"):
        evaluated(
            {**arrays(), "i": three},
            columns=IntervalColumns("y", interval=("i",)),
            level=(0.8, 0.9),
        )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"low": ("a",)}, "found 1 lower and 0 upper bounds"),
        ({}, "found no bounds"),
        ({"low": ("a",), "up": ("b",), "interval": ("c",)}, "found both pairs of bounds"),
    ],
)
def test_bounds_come_in_pairs_or_in_arrays(given, message):
    with pytest.raises(UsageError, match=message):
        IntervalColumns("y", **given)


def test_an_unknown_preset_is_refused_with_those_there_are():
    with pytest.raises(UsageError, match="found 'other'") as caught:
        IntervalOptions(preset="other")
    assert "default, mapie, printed" in caught.value.message


def test_presets_bundle_conventions_and_what_is_chosen_wins():
    assert IntervalOptions(preset="mapie").crossed == "mapie"
    assert IntervalOptions(preset="mapie", crossed="swap").crossed == "swap"
    assert IntervalOptions(preset="printed").formula == "printed"
    conventions = evaluated(arrays(), preset="printed", eta=2.0)["conventions"]
    assert (conventions["preset"], conventions["formula"]) == ("printed", "printed")
    assert (conventions["eta"], conventions["level"]) == (2.0, [0.9])


def test_the_printed_formulas_are_other_numbers():
    usual, printed = (only(evaluated(arrays(), preset=each)) for each in ("default", "printed"))
    for label in ("winkler", "cwc", "size_stratified_coverage"):
        assert usual["metrics"][label]["value"] != printed["metrics"][label]["value"]


def test_without_resamples_there_are_still_exact_intervals():
    artifact = evaluated(arrays(), plan=NONE)
    found = only(artifact)
    assert found["coverage"]["interval"] is not None
    assert found["metrics"]["winkler"]["interval"] is None
    assert found["metrics"]["winkler"]["interval_reason"] == "no resamples were asked for"


def test_neither_threads_nor_the_order_of_systems_changes_a_number():
    columns = IntervalColumns("y", ("low", "low2"), ("up", "up2"), cluster="who")
    turned = IntervalColumns("y", ("low2", "low"), ("up2", "up"), cluster="who")
    one = evaluated(arrays(), columns=columns, plan=Plan(n_resamples=50, threads=1))
    two = evaluated(arrays(), columns=columns, plan=Plan(n_resamples=50, threads=2))
    assert one == two
    other = evaluated(arrays(), columns=turned, plan=Plan(n_resamples=50))
    assert only(one, 0)["metrics"] == only(other, 1)["metrics"]


def test_the_gap_of_the_test_is_the_gap_of_the_metric():
    found = only(evaluated(arrays(), level=(0.75,)))
    gap = Fraction(found["coverage"]["n_covered"], N) - Fraction(3, 4)
    assert found["coverage"]["gap"] == pytest.approx(float(gap), rel=1e-12)
    assert found["metrics"]["interval_coverage_gap"]["value"] == pytest.approx(float(gap))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_the_exact_interval_holds_the_level_at_least_as_often_as_it_says(level):
    n, held = 25, 0.0
    for k in range(n + 1):
        y = np.where(np.arange(n) < k, 0.0, 5.0)
        given = {"y": y, "low": np.full(n, -1.0), "up": np.full(n, 1.0)}
        test = only(evaluated(given, plan=NONE, level=(level,)))["coverage"]
        low, high = test["interval"]
        probability = stats.binom.pmf(k, n, level)
        held += probability * (low <= level <= high)
        assert (test["p_value"] < 0.05) == (not low <= level <= high)
    assert held >= 0.95


@pytest.mark.slow
def test_the_cluster_interval_and_test_keep_their_promise_on_correlated_rows():
    rng = np.random.default_rng(12)
    columns = IntervalColumns("y", ("low",), ("up",), cluster="who")
    n_clusters, n_rows, n_tables = 60, 5, 300
    held, rejected = 0, 0
    # Rows of a cluster share half of their variance; the interval covers 0.8 of the whole.
    bound = stats.norm.ppf(0.9)
    for _ in range(n_tables):
        shared = np.repeat(rng.normal(size=n_clusters), n_rows)
        y = (shared + rng.normal(size=shared.size)) / np.sqrt(2)
        given = {
            "y": y,
            "low": np.full(y.size, -bound),
            "up": np.full(y.size, bound),
            "who": np.arange(y.size) // n_rows,
        }
        test = only(evaluated(given, columns=columns, plan=Plan(n_resamples=400), level=(0.8,)))[
            "coverage"
        ]
        held += test["interval"][0] <= 0.8 <= test["interval"][1]
        rejected += test["p_value"] < 0.05
    assert 0.90 <= held / n_tables <= 0.98
    assert 0.02 <= rejected / n_tables <= 0.10


def test_systems_are_named_by_table_and_columns_where_both_differ():
    columns = IntervalColumns("y", ("low", "low2"), ("up", "up2"))
    artifact = evaluated(arrays(), arrays(), columns=columns)
    names = [each["name"] for each in artifact["systems"]]
    assert names == [f"data ({n}) {c}" for n in (1, 2) for c in ("low:up", "low2:up2")]
    assert [each["right"] for each in artifact["pairs"]] == [1, 2, 3]


def test_strata_that_are_no_sizes_have_no_ends():
    table = group_coverage([1, 2, 3], [0, 2, 4], [1, 3, 5], group=[0, 1, 1])
    assert size_ends(table) == []


def test_widths_are_those_that_a_share_of_the_rows_does_not_exceed():
    columns = arrays()
    widths = only(evaluated(columns, plan=NONE))["widths"]
    assert widths["share"] == [hundredth / 100 for hundredth in range(101)]
    rising = sorted(columns["up"] - columns["low"])
    for share, width in zip(widths["share"], widths["width"], strict=True):
        needed = max(1, -(-Fraction(str(share)) * N // 1))
        assert width == rising[int(needed) - 1]


def test_infinite_widths_are_null_among_the_widths():
    columns = arrays()
    columns["up"][:6] = np.inf
    widths = only(evaluated(columns, plan=NONE))["widths"]["width"]
    assert widths[90] is not None
    assert widths[91:] == [None] * 10


def test_widths_are_read_as_crossed_bounds_are():
    crossed = {"y": np.zeros(2), "low": np.array([1.0, 0.0]), "up": np.array([-1.0, 3.0])}
    assert only(evaluated(crossed, crossed="swap", plan=NONE))["widths"]["width"][0] == 2.0
    assert only(evaluated(crossed, crossed="empty", plan=NONE))["widths"]["width"][0] == 0.0


def test_intervals_that_are_all_unbounded_have_one_width_and_no_finite_one():
    columns = {"y": np.zeros(2), "low": np.full(2, -np.inf), "up": np.full(2, np.inf)}
    found = evaluated(columns, plan=NONE)
    assert only(found)["widths"]["width"] == [None] * 101
    assert any("all intervals have the same width" in warning for warning in found["warnings"])
