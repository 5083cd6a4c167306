"""The names of an earlier program, over ours."""

from __future__ import annotations

import numpy as np
import pytest

from assay import calibrators
from assay.compat.calibration import (
    CalibratorFeatureExtractor,
    IsotonicCalibrator,
    LinearCalibrator,
    LogisticCalibrator,
    StandardScalerParams,
    TemperatureScalingCalibrator,
    compute_binary_nll,
    compute_ece,
)
from assay.errors import ColumnError, UsageError

X = np.array([[1.0, 0.1], [2.0, 0.5], [4.0, 0.4], [5.0, 0.9], [3.0, 0.2], [4.0, 0.8]])
Y = np.array([0, 0, 1, 1, 1, 0])


def test_a_fitted_temperature_lowers_the_likelihood_loss():
    p, y = np.full(4, 0.9), np.array([1, 0, 0, 0])
    found = TemperatureScalingCalibrator.fit(p, y)
    assert found.temperature > 1
    assert compute_binary_nll(found.apply(p), y) < compute_binary_nll(p, y)
    with pytest.raises(UsageError, match="above 0"):
        TemperatureScalingCalibrator(0.0).apply(p)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [(LogisticCalibrator, calibrators.Logistic), (LinearCalibrator, calibrators.Linear)],
)
def test_regressions_take_a_matrix(theirs, ours):
    expected = ours.fit(list(X.T), Y)
    found = theirs.fit(X, Y)
    assert found.coefficients.tolist() == list(expected.affine.coefficients)
    assert found.scaler.mean.tolist() == list(expected.affine.mean)
    assert found.apply(X).tolist() == expected(*X.T).tolist()


def test_a_regression_is_made_of_its_parts():
    scaler = StandardScalerParams(mean=np.array([0.0]), std=np.array([1.0]))
    parts = {"coefficients": np.array([0.0]), "intercept": 0.0, "scaler": scaler}
    assert LogisticCalibrator(**parts).apply(np.ones((3, 1))).tolist() == [0.5] * 3
    assert LinearCalibrator(**parts).apply([1.0, 2.0]).tolist() == [0.0, 0.0]


def test_isotonic_takes_one_column_in_either_form():
    found = IsotonicCalibrator.fit(X[:, 0], Y)
    assert found.apply(X[:, :1]).tolist() == found.apply(X[:, 0]).tolist()
    assert (np.diff(found.y_thresholds) >= 0).all()
    with pytest.raises(UsageError, match="exactly one feature, found 2"):
        IsotonicCalibrator.fit(X, Y)


def test_missing_and_null_features_get_the_numbers_of_the_earlier_program():
    features = [
        "llm_evidence_count",
        "retrieval_similarity_mean",
        "verbalized_confidence",
        "consistency_modal_confidence",
    ]
    extractor = CalibratorFeatureExtractor(features)
    assert extractor.extract({}).tolist() == [0.0, 0.0, 3.0, 3.0]
    stored = {"llm_evidence_count": 2, "retrieval_similarity_mean": None}
    assert extractor.extract({**stored, "verbalized_confidence": 5}).tolist() == [2.0, 0, 5.0, 3.0]
    with pytest.raises(ColumnError, match="feature llm_evidence_count needs a usable value"):
        extractor.extract({"llm_evidence_count": "many"})
    with pytest.raises(ColumnError, match="`llm_evidence_count`, found true"):
        extractor.extract({"llm_evidence_count": True})


def test_ece_has_ten_bins_clips_and_is_zero_without_rows():
    assert compute_ece([0.05, 0.95, 1.0], [0, 1, 1]) == pytest.approx(0.1 / 3)
    assert compute_ece([0.05, 0.95, 1.0], [0, 1, 1], n_bins=1) == pytest.approx(0.0, abs=1e-15)
    assert compute_ece([-0.5, 1.5], [0, 1]) == 0.0
    assert compute_ece([], []) == 0.0


def test_the_likelihood_loss_is_clipped_at_one_in_a_million():
    assert compute_binary_nll([1.0], [0]) == pytest.approx(-np.log(1e-6))


def test_what_is_no_number_is_refused_in_words():
    for given in ([10**400], ["high"]):
        with pytest.raises(ColumnError, match="must hold numbers"):
            compute_ece(given, [1])
        with pytest.raises(ColumnError, match="must hold numbers"):
            compute_binary_nll(given, [1])
        with pytest.raises(ColumnError, match="must hold numbers"):
            TemperatureScalingCalibrator.fit(given, [1])
        with pytest.raises(ColumnError, match="must hold numbers"):
            LogisticCalibrator.fit([given, given], [0, 1])
