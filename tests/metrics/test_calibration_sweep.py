"""Plain models on public data: every number against scikit-learn, MAPIE and a formula by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mapie.metrics import calibration as mapie
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, log_loss

from assay.metrics import calibration
from assay.registry import METRICS
from tests.public_models import BINARY, SEVERAL, stated

EPSILON = float(np.finfo(float).eps)
ENDLESS = 1e3
"""MAPIE adds up as many terms of its series as the statistic is large, and so for ever"""
PAIRS = [
    *(("bayes", each) for each in BINARY),
    *(("tree", each) for each in BINARY),
    ("forest", "breast cancer"),
    ("logistic", "breast cancer"),
    ("logistic", "wine: 1"),
]
every_pair = pytest.mark.parametrize(("model", "data"), PAIRS)
UNDER_MAPIES_RULES = {
    "ks_calibration": (mapie.kolmogorov_smirnov_statistic, {"ties": "mapie"}),
    "kuiper_calibration": (mapie.kuiper_statistic, {"ties": "mapie", "start": "mapie"}),
    "spiegelhalter_z": (mapie.spiegelhalter_statistic, {}),
    "ks_p_value": (mapie.kolmogorov_smirnov_p_value, {"ties": "mapie", "law": "limit"}),
    "kuiper_p_value": (
        mapie.kuiper_p_value,
        {"ties": "mapie", "start": "mapie", "law": "limit"},
    ),
    "spiegelhalter_p_value": (mapie.spiegelhalter_p_value, {"law": "limit"}),
}


def given(model, data):
    label, probabilities = stated(model, data)
    return label, np.ascontiguousarray(probabilities[:, 1])


@every_pair
def test_scores_and_curves_are_those_of_scikit_learn(model, data):
    y, p = given(model, data)
    assert calibration.brier(y, p) == pytest.approx(brier_score_loss(y, p), abs=1e-13)
    assert calibration.nll(y, p, clip=EPSILON) == pytest.approx(log_loss(y, p), rel=1e-12)
    for n_bins in (1, 5, 50):
        table = calibration.reliability_table(y, p, n_bins=n_bins, closed="right")
        accuracy, mean = calibration_curve(y, p, n_bins=n_bins)
        np.testing.assert_allclose(table.accuracy[table.count > 0], accuracy, atol=1e-12)
        np.testing.assert_allclose(table.mean_probability[table.count > 0], mean, atol=1e-12)


@every_pair
def test_errors_and_tests_are_those_of_mapie_under_its_rules(model, data):
    y, p = given(model, data)
    for strategy in ("uniform", "quantile", "array split"):
        wanted = mapie.expected_calibration_error(y, p, num_bins=20, split_strategy=strategy)
        ours = f"mapie-{strategy.replace(' ', '-')}"
        found = calibration.ece(y, p, n_bins=20, strategy=ours)
        assert found == pytest.approx(wanted, abs=1e-9)
    largest = calibration.ks_calibration(y, p)
    for name, (theirs, options) in UNDER_MAPIES_RULES.items():
        found = METRICS[name].function(y, p, **options)
        if math.isnan(largest):
            assert math.isnan(found), name
        elif name.endswith("p_value") and largest > ENDLESS:
            assert found == 0.0, name
        else:
            assert found == pytest.approx(theirs(y, p), rel=1e-9, abs=1e-9), name


@every_pair
def test_errors_and_statistics_are_their_formulas(model, data):
    y, p = given(model, data)
    place = np.clip(np.searchsorted(np.linspace(0, 1, 11), p, side="right") - 1, 0, 9)
    gaps = np.bincount(place, weights=y - p)
    assert calibration.ece(y, p) == pytest.approx(np.abs(gaps).sum() / y.size, abs=1e-12)
    walk = np.array([(y - p)[p <= score].sum() for score in np.unique(p)])
    spread = math.sqrt((p * (1 - p)).sum()) or math.nan
    ks, kuiper = np.abs(walk).max() / spread, (max(0, *walk) - min(0, *walk)) / spread
    assert calibration.ks_calibration(y, p) == pytest.approx(ks, rel=1e-9, nan_ok=True)
    assert calibration.kuiper_calibration(y, p) == pytest.approx(kuiper, rel=1e-9, nan_ok=True)
    spread = math.sqrt(((1 - 2 * p) ** 2 * p * (1 - p)).sum()) or math.nan
    z = ((y - p) * (1 - 2 * p)).sum() / spread
    assert calibration.spiegelhalter_z(y, p) == pytest.approx(z, rel=1e-9, nan_ok=True)


@every_pair
def test_every_number_is_within_its_bounds_and_turns_with_the_outcome(model, data):
    y, p = given(model, data)
    for name, metric in METRICS.items():
        if set(metric.columns) == {"correct", "probability"}:
            value, low, high = metric.function(y, p), *metric.bounds
            assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12, name
    for name in ("brier", "nll", "smooth_ece", "length_scale"):
        value, turned = (METRICS[name].function(*each) for each in ((y, p), (1 - y, 1 - p)))
        # 1 - p rounds what is within 1e-16 of 0.
        assert turned == pytest.approx(value, rel=1e-6, abs=1e-9), name


@pytest.mark.parametrize("model", ["bayes", "tree"])
@pytest.mark.parametrize("data", SEVERAL)
def test_numbers_of_several_classes_are_those_of_scikit_learn_and_mapie(model, data):
    label, probabilities = stated(model, data)
    found = calibration.multiclass_brier(label, probabilities)
    assert found == pytest.approx(
        brier_score_loss(label, probabilities, scale_by_half=False), abs=1e-12
    )
    found = calibration.multiclass_nll(label, probabilities, clip=EPSILON)
    assert found == pytest.approx(log_loss(label, probabilities), rel=1e-12)
    options = {"n_bins": 50, "strategy": "mapie-uniform"}
    found = calibration.top_label_ece(label, probabilities, **options)
    assert found == pytest.approx(mapie.top_label_ece(label, probabilities), abs=1e-9)
    found = calibration.class_wise_ece(label, probabilities, **options)
    wanted = mapie.expected_calibration_error(
        label, probabilities, classwise=True, class_labels=label
    )
    assert found == pytest.approx(wanted, abs=1e-9)


def test_likelihood_of_two_columns_is_that_of_scikit_learn_over_classes():
    label, both = stated("bayes", "digits: 8")
    column = calibration.nll(label, np.ascontiguousarray(both[:, 1]), clip=EPSILON)
    assert column == pytest.approx(log_loss(label, both[:, 1]), rel=1e-12)
    found = calibration.multiclass_nll(label, both, clip=EPSILON)
    assert found == pytest.approx(log_loss(label, both), rel=1e-12)
    # 1 - p has lost the digits that the other column still has.
    assert (round(column, 3), round(found, 3)) == (13.529, 13.513)


def test_scores_in_single_precision_are_read_as_they_are():
    y, p = given("bayes", "breast cancer")
    single = p.astype(np.float32)
    clip = float(np.finfo(np.float32).eps)
    found = calibration.nll(y, single, clip=clip)
    assert found == pytest.approx(log_loss(y, single), rel=1e-5)
    assert found == calibration.nll(y, single.astype(np.float64), clip=clip)
