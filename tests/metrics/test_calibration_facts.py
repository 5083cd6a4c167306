"""What other programs got wrong about calibration, each as a fact about ours."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import ColumnError
from assay.metrics import calibration
from assay.metrics.calibration import reliability_table
from assay.registry import METRICS

pytestmark = pytest.mark.usefixtures("engine")

STRATEGIES = ("uniform", "uniform-exact", "quantile", "scores")
ROBUST = (*STRATEGIES, "mapie-uniform", "mapie-quantile", "mapie-array-split")
STARTS = ("zero", "mapie", "printed")
STATISTICS = ("ks_calibration", "kuiper_calibration")
BINARY = [each for each in METRICS.values() if each.columns == ("correct", "probability")]

every_binary = pytest.mark.parametrize("metric", BINARY, ids=lambda each: each.name)
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


# Bins


@pytest.mark.parametrize("closed", ["left", "right"])
@pytest.mark.parametrize("n_bins", [1, 2, 10, 15])
def test_rows_at_0_1_and_every_edge_are_counted_in_as_many_bins_as_asked(closed, n_bins):
    edges = np.arange(n_bins + 1) / n_bins
    table = reliability_table(np.zeros(n_bins + 1), edges, n_bins=n_bins, closed=closed)
    assert table.count.size == n_bins
    assert table.count.sum() == n_bins + 1
    assert (table.low[0], table.high[-1]) == (0, 1)


def test_no_row_is_dropped_for_a_probability_of_exactly_0():
    assert reliability_table([0, 1], [0.0, 0.0]).count[0] == 2


@pytest.mark.parametrize("strategy", ROBUST)
def test_constant_confidence_of_nine_tenths_that_is_right_half_the_time_is_off_by_four(strategy):
    found = calibration.ece([1, 0, 1, 0], [0.9] * 4, strategy=strategy)
    assert found == pytest.approx(0.4)


@every_strategy
def test_more_bins_than_rows_are_no_problem(strategy):
    found = calibration.ece([1, 0], [0.25, 0.75], n_bins=50, strategy=strategy)
    assert found == pytest.approx(0.75)


def test_parts_of_an_array_split_that_stay_empty_make_no_edge():
    found = calibration.ece([1, 0], [0.25, 0.75], n_bins=50, strategy="mapie-array-split")
    assert found == pytest.approx(0.75)


def test_only_mapies_array_split_depends_on_the_order_of_rows():
    generator = np.random.default_rng(5)
    probability = generator.random(60)
    correct = generator.random(60) < probability
    order = generator.permutation(60)
    for strategy in ROBUST:
        one = calibration.ece(correct, probability, strategy=strategy)
        other = calibration.ece(correct[order], probability[order], strategy=strategy)
        assert (one == pytest.approx(other)) is (strategy != "mapie-array-split")


def test_one_bin_of_mapie_holds_the_zeros_or_the_minimum_alone():
    assert calibration.ece([1, 0], [0.0, 0.5], n_bins=1, strategy="mapie-uniform") == 1.0
    assert math.isnan(calibration.ece([1, 0], [0.2, 0.5], n_bins=1, strategy="mapie-uniform"))
    found = calibration.ece([1, 0], [0.2, 0.5], n_bins=1, strategy="mapie-quantile")
    assert found == pytest.approx(0.8)
    weight = np.ones((2, 2))
    batch = calibration.ece([1, 0], [0.0, 0.5], weight=weight, n_bins=1, strategy="mapie-uniform")
    assert batch.tolist() == [1.0, 1.0]


def test_bins_are_weighed_by_their_rows_and_compare_means_not_centres():
    correct, probability = [1] * 9 + [0], [0.99] * 9 + [0.01]
    assert calibration.ece(correct, probability) == pytest.approx(0.01)
    assert calibration.ece([1] * 9 + [1], probability) == pytest.approx((9 * 0.01 + 0.99) / 10)


@pytest.mark.parametrize("strategy", ROBUST)
def test_perfect_certainty_has_no_error(strategy):
    for name in ("ece", "max_calibration_error", "rms_calibration_error", "debiased_ece"):
        assert METRICS[name].function([0, 1, 1], [0.0, 1.0, 1.0], strategy=strategy) == 0.0


# Numbers in, numbers out


@every_binary
def test_probability_that_is_none_is_refused_with_its_row_and_never_guessed_to_be_a_logit(metric):
    told = r"`probability` must be .* at row 1 \(1 of 3 values\)"
    for bad in (math.nan, math.inf, 1.0000001, -0.1):
        with pytest.raises(ColumnError, match=told):
            metric.function([0, 1, 1], [0.5, bad, 0.5])


@pytest.mark.parametrize("outcome", [2, -1, 0.5])
def test_outcome_other_than_0_and_1_is_refused_and_never_recoded(outcome):
    with pytest.raises(ColumnError, match="`correct` must be"):
        calibration.ece([0, outcome], [0.5, 0.5])


@every_binary
def test_error_of_exactly_0_is_a_float_as_any_other(metric):
    assert type(metric.function([0, 1], [0.0, 1.0])) is float


def test_single_precision_is_summed_in_double():
    probability = np.full(100_001, 0.1, dtype=np.float32)
    found = calibration.ece(np.zeros(100_001), probability)
    assert found == pytest.approx(float(np.float32(0.1)), rel=1e-12)


def test_batches_of_rows_cannot_change_a_result():
    generator = np.random.default_rng(6)
    probability = generator.random(70_000)
    correct = generator.random(70_000) < probability
    found = calibration.ece(correct, probability)
    weighted = calibration.ece(correct, probability, weight=np.ones((1, 70_000)))
    assert found == pytest.approx(weighted[0], rel=1e-12)


def test_one_class_only_and_empty_bins_are_no_problem():
    for name in ("ece", "brier", "nll", "smooth_ece", "debiased_ece", "ks_calibration"):
        for outcome in (0, 1):
            found = METRICS[name].function([outcome] * 4, [0.2, 0.4, 0.6, 0.8])
            assert math.isfinite(found)


@every_binary
def test_without_rows_a_number_is_undefined_and_says_so(metric):
    assert math.isnan(metric.function([], []))
    assert np.isnan(metric.function([0, 1], [0.5, 0.5], weight=np.zeros((2, 2)))).all()
    assert metric.undefined


@every_binary
def test_without_rows_every_convention_is_undefined(metric):
    for option, values in (("strategy", ROBUST), ("ties", ("stable", "mapie")), ("start", STARTS)):
        for value in values if option in metric.options else ():
            for weight in (None, np.zeros(0), np.zeros((2, 0))):
                found = metric.function([], [], weight=weight, **{option: value})
                assert np.isnan(found).all()
            none_drawn = np.zeros((3, 2))
            found = metric.function([0, 1], [0.2, 0.7], weight=none_drawn, **{option: value})
            assert np.isnan(found).all()


# Kolmogorov-Smirnov, Kuiper, Spiegelhalter


def test_kuiper_is_never_below_kolmogorov_smirnov():
    generator = np.random.default_rng(7)
    for _ in range(200):
        n = int(generator.integers(1, 30))
        probability = np.round(generator.uniform(0.01, 0.99, n), 1 + int(generator.integers(3)))
        probability = np.clip(probability, 0.01, 0.99)
        correct = generator.random(n) < 0.5
        ks = calibration.ks_calibration(correct, probability)
        assert calibration.kuiper_calibration(correct, probability) >= ks - 1e-12


def test_start_at_zero_is_part_of_the_range():
    correct, probability = [0, 1, 0, 1, 0], [0.1, 0.9, 0.21, 0.9, 0.5]
    ks = calibration.ks_calibration(correct, probability)
    assert ks == pytest.approx(0.978, abs=5e-4)
    assert calibration.kuiper_calibration(correct, probability) == pytest.approx(ks)
    bare = calibration.kuiper_calibration(correct, probability, start="mapie", ties="mapie")
    assert bare == pytest.approx(0.857, abs=5e-4)


@pytest.mark.parametrize("outcome", [0, 1])
def test_one_row_has_a_statistic_and_a_p_value(outcome):
    for name in STATISTICS:
        assert METRICS[name].function([outcome], [0.5]) == 1.0
    assert 0 < calibration.kuiper_p_value([outcome], [0.5], law="limit") < 1
    bare = calibration.kuiper_p_value([outcome], [0.5], law="limit", start="mapie")
    assert bare == 1.0
    assert math.isnan(calibration.ks_p_value([outcome], [0.5]))


@pytest.mark.parametrize("correct", [[0, 1], [1, 0], [1, 1]])
@pytest.mark.parametrize("ties", ["group", "stable", "mapie"])
def test_scores_that_are_all_0_or_1_leave_every_test_undefined(correct, ties):
    for name in (*STATISTICS, "ks_p_value", "kuiper_p_value"):
        assert math.isnan(METRICS[name].function(correct, [0.0, 1.0], ties=ties))
    for name in ("spiegelhalter_z", "spiegelhalter_p_value", "spiegelhalter_two_sided_p_value"):
        assert math.isnan(METRICS[name].function(correct, [0.0, 1.0]))


def test_statistic_of_zero_has_a_p_value_of_one():
    correct, probability = [0, 1] * 8, [0.5] * 16
    for name in STATISTICS:
        assert METRICS[name].function(correct, probability) == 0.0
    assert calibration.ks_p_value(correct, probability) == 1.0
    assert calibration.kuiper_p_value(correct, probability) == 1.0


def test_tied_scores_are_one_step_and_nothing_is_drawn():
    correct, probability = [1, 1, 0, 0] * 5, [0.5] * 20
    for order in (slice(None), np.argsort(correct), np.argsort(correct)[::-1]):
        shuffled = np.array(correct)[order]
        assert calibration.ks_calibration(shuffled, probability) == 0.0
    one, other = (calibration.ks_calibration(correct, probability, ties="mapie") for _ in "12")
    assert one == other > 0


def test_scores_that_are_all_one_half_leave_spiegelhalter_undefined():
    assert math.isnan(calibration.spiegelhalter_z([0, 1, 1], [0.5] * 3))
    for law in ("checked", "limit"):
        assert math.isnan(calibration.spiegelhalter_p_value([0, 1, 1], [0.5] * 3, law=law))


def test_timid_scores_are_seen_by_two_tails_and_not_by_the_upper_one():
    correct, probability = [1] * 50 + [0] * 50, [0.7] * 50 + [0.3] * 50
    assert calibration.spiegelhalter_z(correct, probability) < -6
    assert calibration.spiegelhalter_p_value(correct, probability) > 0.999
    assert calibration.spiegelhalter_p_value(correct, probability, tail="lower") < 1e-6
    two = calibration.spiegelhalter_two_sided_p_value(correct, probability)
    assert two < 1e-6
    checked = {"tail": "two-sided", "law": "checked"}
    assert two == calibration.spiegelhalter_p_value(correct, probability, **checked)


# Several classes


def test_label_predicted_once_weighs_as_much_as_one_predicted_often():
    stated = [[1.0, 0.0]] * 9 + [[0.0, 1.0]]
    label = [0] * 9 + [0]
    assert calibration.top_label_ece(label, stated) == 0.5
    assert calibration.top_label_ece([0] * 9, stated[:9], labels="all") == 0.0


def test_label_that_no_row_predicts_is_left_out_or_divides():
    stated, label = [[0.75, 0.25, 0.0]] * 4, [0, 0, 1, 1]
    assert calibration.top_label_ece(label, stated) == pytest.approx(0.25)
    found = calibration.top_label_ece(label, stated, labels="all")
    assert found == pytest.approx(0.25 / 3)


def test_first_of_equal_probabilities_is_the_top_label():
    assert calibration.top_label_ece([0], [[0.5, 0.5]]) == 0.5
    assert calibration.top_label_ece([1], [[0.5, 0.5]]) == 0.5
    assert calibration.top_label_ece([1, 1], [[0.4, 0.6], [0.5, 0.5]], n_bins=1) == pytest.approx(
        (0.4 + 0.5) / 2
    )


@pytest.mark.parametrize("metric", ["top_label_ece", "class_wise_ece", "multiclass_brier"])
def test_classes_without_rows_are_undefined(metric):
    assert math.isnan(METRICS[metric].function([], np.zeros((0, 3))))
