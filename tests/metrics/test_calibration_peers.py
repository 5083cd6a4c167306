"""The calibration metrics against MAPIE and scikit-learn, and against recorded numbers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from mapie.metrics import calibration as mapie
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, log_loss

from assay.errors import ColumnError
from assay.metrics import calibration
from assay.registry import METRICS
from tests.data.calibration_peers import smooth_inputs

PEERS = json.loads(
    (Path(__file__).parent.parent / "data" / "calibration_peers.json").read_text(encoding="utf-8")
)
CORRECT, PROBABILITY = np.array(PEERS["correct"]), np.array(PEERS["probability"], dtype=float)
CLAIMED = [each for each in PEERS["values"] if each["ours"]]
STRATEGIES = {
    "uniform": "mapie-uniform",
    "quantile": "mapie-quantile",
    "array split": "mapie-array-split",
}


def scores(kind, n, seed=0):
    generator = np.random.default_rng(seed)
    probability = {
        "continuous": generator.random,
        "tied": lambda size: np.round(generator.random(size), 1),
        "two levels": lambda size: generator.choice([0.25, 0.9], size),
        "near the ends": lambda size: generator.beta(0.3, 0.3, size),
    }[kind](n)
    return (generator.random(n) < probability**1.3).astype(int), probability


every_kind = pytest.mark.parametrize("kind", ["continuous", "tied", "two levels", "near the ends"])
every_size = pytest.mark.parametrize("n", [12, 100, 3000])


# The table of twenty rows


@pytest.mark.parametrize("each", CLAIMED, ids=lambda each: each["program"])
def test_number_that_another_program_gives_for_twenty_rows_is_reproduced(each):
    options = dict(each["ours"])
    found = METRICS[options.pop("metric")].function(CORRECT, PROBABILITY, **options)
    assert found == pytest.approx(each["value"], abs=5e-5)


def test_every_binned_definition_counts_all_twenty_rows():
    for strategy in ("uniform", "uniform-exact", "quantile", "scores", *STRATEGIES.values()):
        table = calibration.reliability_table(CORRECT, PROBABILITY, strategy=strategy)
        assert table.count.sum() == 20


def test_last_bit_of_an_edge_decides_the_error_of_twenty_rows():
    assert calibration.ece(CORRECT, PROBABILITY) == pytest.approx(0.17)
    exact = calibration.ece(CORRECT, PROBABILITY, strategy="uniform-exact")
    assert exact == pytest.approx(0.23)


# relplot


@pytest.mark.parametrize("name", PEERS["smooth"]["values"])
def test_smooth_error_is_that_of_relplot_to_the_digit(name):
    correct, probability = smooth_inputs()[name]
    wanted = PEERS["smooth"]["values"][name]
    # Models are fitted anew, and another machine rounds them in another way.
    tolerance = 1e-6 if name.endswith("cancer") else 1e-13
    found = calibration.smooth_ece(correct, probability, smoothing="relplot")
    assert found == pytest.approx(wanted, abs=tolerance)
    weighted = calibration.smooth_ece(
        correct, probability, weight=np.ones((2, correct.size)), smoothing="relplot"
    )
    np.testing.assert_allclose(weighted, found, rtol=0, atol=1e-13)


# MAPIE


@every_kind
@every_size
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_ece_is_mapies_under_its_rules(kind, n, strategy):
    correct, probability = scores(kind, n)
    for n_bins in (2, 5, 10, 12):
        wanted = mapie.expected_calibration_error(
            correct, probability, num_bins=n_bins, split_strategy=strategy
        )
        options = {"n_bins": n_bins, "strategy": STRATEGIES[strategy]}
        assert calibration.ece(correct, probability, **options) == pytest.approx(wanted, abs=1e-9)
        weighted = calibration.ece(correct, probability, weight=np.ones((1, n)), **options)
        assert weighted[0] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_errors_of_several_classes_are_mapies_under_its_rules(strategy):
    generator = np.random.default_rng(3)
    stated = generator.dirichlet([0.5, 0.5, 0.5, 0.5], 400)
    label = generator.integers(0, 4, 400)
    options = {"n_bins": 20, "strategy": STRATEGIES[strategy]}
    wanted = mapie.top_label_ece(label, stated, num_bins=20, split_strategy=strategy)
    assert calibration.top_label_ece(label, stated, **options) == pytest.approx(wanted, abs=1e-9)
    wanted = mapie.expected_calibration_error(
        label, stated, num_bins=20, split_strategy=strategy, classwise=True, class_labels=label
    )
    assert calibration.class_wise_ece(label, stated, **options) == pytest.approx(wanted, abs=1e-9)


@every_kind
@every_size
def test_statistics_and_p_values_are_mapies_under_its_rules(kind, n):
    correct, probability = scores(kind, n, seed=n)
    pairs = {
        "ks_calibration": (mapie.kolmogorov_smirnov_statistic, {"ties": "mapie"}),
        "ks_p_value": (mapie.kolmogorov_smirnov_p_value, {"ties": "mapie", "law": "limit"}),
        "kuiper_calibration": (mapie.kuiper_statistic, {"ties": "mapie", "start": "mapie"}),
        "kuiper_p_value": (
            mapie.kuiper_p_value,
            {"ties": "mapie", "start": "mapie", "law": "limit"},
        ),
        "spiegelhalter_z": (mapie.spiegelhalter_statistic, {}),
        "spiegelhalter_p_value": (mapie.spiegelhalter_p_value, {"law": "limit"}),
    }
    for name, (theirs, options) in pairs.items():
        found = METRICS[name].function(correct, probability, **options)
        assert found == pytest.approx(theirs(correct, probability), abs=1e-9), name
    assert calibration.length_scale(correct, probability) == pytest.approx(
        mapie.length_scale(probability), abs=1e-12
    )


@every_kind
@every_size
def test_cumulative_differences_are_mapies_vector_under_its_rule_for_ties(kind, n):
    correct, probability = scores(kind, n, seed=n)
    found = calibration.cumulative_differences(correct, probability, ties="mapie")
    wanted = mapie.cumulative_differences(correct, probability)
    np.testing.assert_array_equal(found.difference[1:], wanted)
    assert found.share.tolist() == (np.arange(n + 1) / n).tolist()
    np.testing.assert_allclose(found.score[1:], np.sort(probability), rtol=1e-7)


def test_weight_of_cumulative_differences_row_by_row_is_copies_of_rows():
    correct, probability, copies = [1, 0, 1, 0], [0.5, 0.5, 0.25, 0.5], [2, 0, 1, 1]
    options = {"ties": "stable"}
    found = calibration.cumulative_differences(correct, probability, weight=copies, **options)
    wanted = calibration.cumulative_differences([1, 1, 1, 0], [0.5, 0.5, 0.25, 0.5], **options)
    assert (
        found.difference.tolist()
        == wanted.difference.tolist()
        == [0, 0.1875, 0.3125, 0.4375, 0.3125]
    )
    with pytest.raises(ColumnError, match="`weight` must be whole numbers"):
        calibration.cumulative_differences(correct, probability, weight=[0.5] * 4, **options)


def test_resample_under_mapies_rules_is_what_mapie_sees_of_the_resampled_rows():
    correct, probability = scores("tied", 40)
    copies = np.random.default_rng(1).multinomial(40, [1 / 40] * 40)
    drawn = np.repeat(correct, copies), np.repeat(probability, copies)
    options = {"weight": copies, "ties": "mapie"}
    found = calibration.ks_calibration(correct, probability, **options)
    assert found == pytest.approx(mapie.kolmogorov_smirnov_statistic(*drawn), abs=1e-9)
    found = calibration.ece(
        correct, probability, weight=copies, strategy="mapie-array-split", n_bins=7
    )
    wanted = mapie.expected_calibration_error(*drawn, num_bins=7, split_strategy="array split")
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("x", [0.3, 0.9, 1.0, 1.7, 1.8, 2.5, 4.0, 8.0])
def test_laws_are_mapies(x):
    assert float(calibration.ks_cdf(x)) == pytest.approx(mapie.kolmogorov_smirnov_cdf(x), abs=1e-9)
    assert float(calibration.kuiper_cdf(x)) == pytest.approx(mapie.kuiper_cdf(x), abs=1e-9)


# scikit-learn


@every_kind
def test_proper_scores_are_those_of_scikit_learn(kind):
    correct, probability = scores(kind, 500)
    weight = np.random.default_rng(2).random(500)
    for given in (None, weight):
        found = calibration.brier(correct, probability, weight=given)
        wanted = brier_score_loss(correct, probability, sample_weight=given)
        assert found == pytest.approx(wanted, abs=1e-12)
        clip = float(np.finfo(float).eps)
        found = calibration.nll(correct, probability, weight=given, clip=clip)
        wanted = log_loss(correct, probability, sample_weight=given)
        assert found == pytest.approx(wanted, rel=1e-9)


def test_proper_scores_of_several_classes_are_those_of_scikit_learn():
    generator = np.random.default_rng(4)
    stated, label = generator.dirichlet([1, 1, 1], 300), generator.integers(0, 3, 300)
    found = calibration.multiclass_brier(label, stated)
    wanted = brier_score_loss(label, stated, labels=[0, 1, 2], scale_by_half=False)
    assert found == pytest.approx(wanted, abs=1e-12)
    found = calibration.multiclass_nll(label, stated, clip=float(np.finfo(float).eps))
    assert found == pytest.approx(log_loss(label, stated, labels=[0, 1, 2]), rel=1e-9)


@every_kind
def test_table_with_right_closed_bins_is_the_calibration_curve_of_scikit_learn(kind):
    correct, probability = scores(kind, 800)
    table = calibration.reliability_table(correct, probability, closed="right")
    accuracy, stated = calibration_curve(correct, probability, n_bins=10)
    held = table.count > 0
    np.testing.assert_allclose(table.accuracy[held], accuracy, atol=1e-12)
    np.testing.assert_allclose(table.mean_probability[held], stated, atol=1e-12)


# Where we differ on purpose


def test_mapie_divides_by_zero_where_ours_is_undefined():
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        theirs = mapie.kolmogorov_smirnov_statistic(np.array([0, 1]), np.array([1.0, 1.0]))
    assert math.isinf(theirs)
    assert math.isnan(calibration.ks_calibration([0, 1], [1.0, 1.0]))
