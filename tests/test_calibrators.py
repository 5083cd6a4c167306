"""Calibrators: the search by hand, the regressions against scikit-learn, and degenerate data."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import StandardScaler

from assay import calibrators
from assay.calibrators import BOUNDS, CALIBRATORS, CLIP, Affine, Isotonic, Linear, Logistic
from assay.calibrators import Temperature as Scaled
from assay.errors import ColumnError, UsageError

probabilities = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=20)
temperatures = st.floats(0.05, 10)
AFFINE = Affine(coefficients=(0.5, -1.25), intercept=0.1, mean=(3.0, 0.2), std=(1.5, 0.1))
EVERY = (
    Scaled(1.7),
    Logistic(AFFINE),
    Linear(AFFINE),
    Isotonic((0.1, 0.2, 0.9), (0.0, 1 / 3, 1.0)),
)


def example(seed: int = 0, n: int = 200, k: int = 2):
    """Features on very different scales, and outcomes that depend on them."""
    draw = np.random.default_rng(seed)
    features = draw.normal(size=(n, k)) * np.array([1.0, 50.0, 0.01])[:k] + 3.0
    correct = (draw.normal(size=n) + features[:, 0] > 3.0).astype(float)
    return features, correct


@given(probabilities)
def test_a_temperature_of_one_is_the_identity_up_to_the_clip(p):
    assert np.allclose(Scaled(1.0)(p), np.clip(p, CLIP, 1 - CLIP), rtol=1e-9, atol=1e-15)


@given(probabilities, temperatures)
def test_any_temperature_keeps_the_order_and_one_half(p, temperature):
    scaled = Scaled(temperature)(np.sort(p))
    assert (np.diff(scaled) >= 0).all()
    assert ((scaled >= 0) & (scaled <= 1)).all()
    assert Scaled(temperature)([0.5]) == 0.5


def test_zero_and_one_are_clipped_before_the_logit_is_taken():
    low, high = Scaled(2.0)([0.0, 1.0])
    assert low == pytest.approx(1 / (1 + np.sqrt((1 - CLIP) / CLIP)))
    assert high == pytest.approx(1 - low)


def test_overconfidence_gives_a_temperature_above_one_and_underconfidence_one_below():
    assert Scaled.fit([[0.9] * 4], [1, 0, 1, 0]).temperature > 1
    assert Scaled.fit([[0.6] * 10], [1] * 9 + [0]).temperature < 1


def test_all_right_ends_at_the_lowest_and_all_wrong_at_the_highest_temperature():
    assert Scaled.fit([[0.6, 0.9, 1.0]], [1, 1, 1]).temperature == BOUNDS[0] == 0.05
    assert Scaled.fit([[0.6, 0.9, 1.0]], [0, 0, 0]).temperature == BOUNDS[1] == 10.0


def test_the_temperature_makes_the_mean_probability_the_share_of_right_answers():
    # With one probability only, the best temperature is known in closed form.
    p, n_right, n = 0.95, 7, 10
    best = np.log(p / (1 - p)) / np.log(n_right / (n - n_right))
    found = Scaled.fit([[p] * n], [1] * n_right + [0] * (n - n_right)).temperature
    assert found == pytest.approx(best, rel=0.002)


def loop(p, y):
    """The search as it is told, one candidate at a time."""

    def cost(temperature):
        q = 1 / (1 + np.exp(-np.log(p / (1 - p)) / temperature))
        q = np.clip(q, 1e-6, 1 - 1e-6)
        return np.mean(-(y * np.log(q) + (1 - y) * np.log(1 - q)))

    best, least, low, high = 1.0, cost(1.0), 0.05, 10.0
    for _ in range(3):
        for step in range(200):
            candidate = low * (high / low) ** (step / 199)
            if cost(candidate) < least:
                best, least = candidate, cost(candidate)
        low, high = max(0.05, best / 1.5), min(10.0, best * 1.5)
    return best


@pytest.mark.parametrize("seed", range(4))
def test_the_temperature_is_that_of_the_search_by_hand(seed):
    draw = np.random.default_rng(seed)
    p = draw.uniform(0.02, 0.98, 60)
    y = (draw.random(60) < 1 / (1 + np.exp(-np.log(p / (1 - p)) / 2))).astype(float)
    assert Scaled.fit([p], y).temperature == pytest.approx(loop(p, y), rel=1e-9)


def test_one_half_everywhere_leaves_the_first_candidate():
    assert Scaled.fit([[0.5, 0.5]], [1, 0]).temperature == 1.0


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_logistic_calibrator_is_that_of_scikit_learn(k):
    features, correct = example(k=k)
    ours = Logistic.fit(list(features.T), correct)
    scaler = StandardScaler().fit(features)
    theirs = LogisticRegression(C=1.0, max_iter=1000).fit(scaler.transform(features), correct)
    assert ours.affine.coefficients == pytest.approx(theirs.coef_[0], rel=1e-9)
    assert ours.affine.intercept == pytest.approx(theirs.intercept_[0], rel=1e-9)
    expected = theirs.predict_proba(scaler.transform(features))[:, 1]
    assert np.allclose(ours(*features.T), expected, rtol=1e-9)


def test_the_linear_calibrator_is_that_of_scikit_learn():
    features, _ = example()
    target = np.clip(np.random.default_rng(1).random(200) + features[:, 0] / 10, 0, 1)
    ours = Linear.fit(list(features.T), target)
    scaler = StandardScaler().fit(features)
    theirs = Ridge(alpha=1.0).fit(scaler.transform(features), target)
    expected = np.clip(theirs.predict(scaler.transform(features)), 0, 1)
    assert np.allclose(ours(*features.T), expected, rtol=1e-9)


def test_the_isotonic_calibrator_is_that_of_scikit_learn_and_constant_outside():
    features, correct = example(k=1)
    ours = Isotonic.fit(list(features.T), correct)
    theirs = IsotonicRegression(increasing=True, out_of_bounds="clip")
    theirs.fit(features[:, 0], correct)
    places = np.linspace(-5, 11, 300)
    assert np.allclose(ours(places), theirs.predict(places), rtol=1e-9, atol=1e-12)
    assert (np.diff(ours(places)) >= 0).all()


@pytest.mark.parametrize("method", ["temperature", "logistic", "linear", "isotonic"])
def test_a_weight_is_so_many_copies(method):
    draw = np.random.default_rng(3)
    feature, correct = draw.random(40).round(1), draw.integers(0, 2, 40)
    copies = draw.integers(1, 4, 40)
    fit = CALIBRATORS[method].fit
    weighted = fit([feature], correct, weight=copies)
    copied = fit([np.repeat(feature, copies)], np.repeat(correct, copies))
    places = np.linspace(0, 1, 7)
    assert np.allclose(weighted(places), copied(places), atol=1e-4)


@pytest.mark.parametrize("calibrator", EVERY, ids=lambda each: type(each).__name__)
def test_a_round_trip_through_json_keeps_every_number(calibrator):
    stored = json.loads(json.dumps(calibrator.to_dict()))
    assert type(calibrator).from_dict(stored) == calibrator


@pytest.mark.parametrize("method", ["temperature", "logistic", "linear", "isotonic"])
def test_fitting_twice_gives_the_same_bits_and_the_same_file(method):
    draw = np.random.default_rng(5)
    feature, correct = draw.random(50), draw.integers(0, 2, 50)
    first, second = (CALIBRATORS[method].fit([feature], correct) for _ in range(2))
    assert first == second
    assert type(first).from_dict(json.loads(json.dumps(first.to_dict()))) == first


def test_separable_data_have_a_finite_fit():
    feature, correct = np.linspace(0, 1, 20), np.repeat([0, 1], 10)
    for method in CALIBRATORS:
        fitted = CALIBRATORS[method].fit([feature], correct)
        assert np.isfinite(fitted(feature)).all()
        assert (fitted(feature)[:10] <= fitted(feature)[10:]).all()


@pytest.mark.parametrize("outcome", [0, 1])
def test_one_class_only_is_refused_by_the_logistic_and_a_constant_elsewhere(outcome):
    feature, correct = [0.6, 0.7, 0.8], [outcome] * 3
    with pytest.raises(ColumnError, match="a logistic calibrator needs both"):
        Logistic.fit([feature], correct)
    assert Isotonic.fit([feature], correct)(feature).tolist() == correct
    assert np.allclose(Linear.fit([feature], correct)(feature), outcome)


@pytest.mark.parametrize("constant", [0.1, 3.0, 1e9])
def test_a_constant_feature_changes_nothing_even_where_it_is_not_constant_later(constant):
    features, correct = example(k=1)
    with_it = Logistic.fit([features[:, 0], np.full(200, constant)], correct)
    assert with_it.affine.std[1] == 1.0
    assert abs(with_it.affine.coefficients[1]) < 1e-6
    without = Logistic.fit([features[:, 0]], correct)
    there = with_it(features[:, 0], np.full(200, constant + 0.01))
    assert np.allclose(there, without(features[:, 0]), atol=1e-4)
    assert np.ptp(Isotonic.fit([[2.0, 2.0]], [0, 1])([1.0, 2.0, 3.0])) == 0


@pytest.mark.parametrize("method", CALIBRATORS)
@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_feature_that_is_no_number_is_refused(method, bad):
    with pytest.raises(ColumnError, match="must be finite"):
        CALIBRATORS[method].fit([[0.1, bad, 0.3]], [0, 1, 1])


def test_what_was_undefined_stays_undefined():
    for calibrator in EVERY:
        features = [[np.nan, 0.5]] * (2 if hasattr(calibrator, "affine") else 1)
        undefined = np.isnan(calibrator(*features)).tolist()
        assert undefined == [True, False]


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_two_features_are_refused_where_there_can_be_one(method):
    with pytest.raises(UsageError, match=f"{method} takes exactly one feature, found 2"):
        CALIBRATORS[method].fit([[0.1, 0.2], [0.1, 0.2]], [0, 1])


def test_a_temperature_refuses_what_is_no_probability_and_what_is_no_outcome():
    with pytest.raises(ColumnError, match="`probability`"):
        Scaled.fit([[0.5, 4.0]], [0, 1])
    with pytest.raises(ColumnError, match="`correct`"):
        Scaled.fit([[0.5, 0.5]], [0, 0.5])


@pytest.mark.parametrize("method", CALIBRATORS)
def test_no_rows_and_unequal_lengths_are_refused(method):
    with pytest.raises(ColumnError, match="no rows"):
        CALIBRATORS[method].fit([[]], [])
    with pytest.raises(ColumnError, match="rows"):
        CALIBRATORS[method].fit([[0.1, 0.2]], [0, 1, 1])


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), float("inf")])
def test_a_temperature_is_above_zero(temperature):
    with pytest.raises(UsageError, match="`temperature` must be above 0"):
        Scaled(temperature)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"coefficients": (1.0,)}, "one number per feature, found 1, 2 and 2"),
        ({"std": (1.0, 0.0)}, "`std` must be above 0, found 0"),
        ({"intercept": float("nan")}, "must be finite"),
        ({"coefficients": (), "mean": (), "std": ()}, "one number per feature, found 0, 0 and 0"),
    ],
)
def test_parts_of_a_regression_that_do_not_fit_are_refused(change, match):
    usual = {"coefficients": (1.0, 1.0), "intercept": 0.0, "mean": (0.0, 0.0), "std": (1.0, 1.0)}
    with pytest.raises(UsageError, match=match):
        Affine(**{**usual, **change})


def test_a_regression_asks_for_the_features_it_was_fitted_on():
    with pytest.raises(UsageError, match="needs 2 features, found 1"):
        Logistic(AFFINE)([1.0])


@pytest.mark.parametrize(
    ("x", "y", "match"),
    [
        ((1.0, 2.0), (0.5,), "of one length and not empty, found 2 and 1"),
        ((), (), "of one length and not empty, found 0 and 0"),
        ((2.0, 1.0), (0.0, 1.0), "`x_thresholds` must be finite numbers that do not fall"),
        ((1.0, 2.0), (1.0, 0.0), "`y_thresholds` must be finite numbers that do not fall"),
        ((1.0, float("nan")), (0.0, 1.0), "`x_thresholds` must be finite"),
    ],
)
def test_thresholds_that_are_no_rising_function_are_refused(x, y, match):
    with pytest.raises(UsageError, match=match):
        Isotonic(x, y)


def test_thresholds_beyond_one_are_clipped():
    assert Isotonic((0.0, 1.0), (-0.5, 1.5))([0.0, 0.5, 1.0]).tolist() == [0.0, 0.5, 1.0]


def test_without_scikit_learn_fitting_says_what_to_install_and_the_temperature_works(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(calibrators, "import_module", missing)
    with pytest.raises(UsageError, match="needs scikit-learn, which is not installed") as caught:
        Logistic.fit([[0.1, 0.2]], [0, 1])
    assert "assay[calibrate]" in caught.value.hint
    assert Scaled.fit([[0.9, 0.2]], [1, 0]).temperature > 0


def test_applying_any_calibrator_imports_no_scikit_learn():
    code = (
        "import sys\n"
        "from assay.calibrators import *\n"
        "a = Affine((1.0,), 0.0, (0.0,), (1.0,))\n"
        "for each in (Temperature(2.0), Logistic(a), Linear(a), Isotonic((0.0,), (1.0,))):\n"
        "    each([0.5])\n"
        "Temperature.fit([[0.9, 0.2]], [1, 0])\n"
        "print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("kind", [Isotonic, Linear])
def test_a_feature_whose_square_no_double_holds_is_refused(kind):
    with pytest.raises(ColumnError, match=r"feature 0 must be within 1e\+150 of 0, found 1e\+308"):
        kind.fit([[1e308, -1e308]], [0, 1])
