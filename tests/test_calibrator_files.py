"""Calibrator files: every shape that was ever written, and what is refused."""

from __future__ import annotations

import gzip
import hashlib
import json

import numpy as np
import pytest

from assay.calibrators import Isotonic, Linear, Logistic, Temperature
from assay.calibrators.files import read_calibrator
from assay.errors import ArtifactError

FRAME = {
    "schema_version": "1",
    "version": "1.0",
    "features": ["verbalized_confidence", "retrieval_similarity_mean"],
    "target": "correctness",
    "training_metadata": {
        "path": "train.json",
        "run_id": "abcd1234",
        "git_commit": "f00",
        "mode": "few_shot",
        "n_samples": 120,
        "positive_rate": 0.6,
        "trained_at": "2026-01-02T03:04:05",
    },
    "validation_metrics": {"auroc": 0.7, "brier": 0.2, "ece": 0.05},
}
REGRESSION = {
    "coefficients": [0.8, -0.3],
    "intercept": 0.25,
    "link": "sigmoid",
    "scaler": {"mean": [3.5, 0.6], "std": [1.25, 0.5]},
}
STATED = {
    "schema_version": "1",
    "method": "temperature_scaling",
    "temperature": 1.75,
    "fitted_on": {
        "path": "train.json",
        "run_id": "abcd1234",
        "git_commit": "f00",
        "mode": "few_shot",
        "n_samples": 120,
    },
    "metrics": {"nll_before": 0.7, "nll_after": 0.6, "ece_before": 0.2, "ece_after": 0.1},
    "created_at": "2026-01-02T03:04:05",
}
SCALAR = {**FRAME, "method": "temperature_scaling", "features": ["token_msp"]}
LOGISTIC = {**FRAME, "method": "logistic", "model": REGRESSION}
ISOTONIC = {
    **FRAME,
    "method": "isotonic",
    "features": ["token_msp"],
    "model": {"x_thresholds": [0.2, 0.7], "y_thresholds": [0.25, 0.75]},
}
IDENTITY = {**REGRESSION, "link": "identity"}


@pytest.fixture
def stored(tmp_path):
    """Write a calibrator file and read it back."""

    def read_back(content):
        path = tmp_path / "cal.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return read_calibrator(str(path))

    return read_back


def test_the_temperature_of_the_stated_confidence_needs_no_features(stored):
    found = stored(STATED)
    assert (found.method, found.calibrator) == ("temperature", Temperature(1.75))
    assert found.features == ("verbalized",)
    assert (found.run_id, found.mode, found.n_samples) == ("abcd1234", "few_shot", 120)
    assert found.participants is None


def test_a_temperature_may_stand_under_model(stored):
    found = stored({**SCALAR, "model": {"temperature": 0.5}})
    assert (found.calibrator, found.features) == (Temperature(0.5), ("token_msp",))
    assert found.target == "correctness"


@pytest.mark.parametrize("method", ["logistic", "platt"])
def test_logistic_and_platt_files_standardise_then_sum(stored, method):
    found = stored({**LOGISTIC, "method": method})
    assert found.method == method
    assert type(found.calibrator) is Logistic
    expected = 1 / (1 + np.exp(-(0.25 + 0.8 * (5 - 3.5) / 1.25 - 0.3 * (0.1 - 0.6) / 0.5)))
    assert found.calibrator([5.0], [0.1]) == pytest.approx([expected])


@pytest.mark.parametrize("method", ["logistic", "platt", "linear"])
def test_the_link_identity_makes_a_linear_calibrator(stored, method):
    found = stored({**LOGISTIC, "method": method, "target": "loss", "model": IDENTITY})
    assert (found.method, type(found.calibrator)) == ("linear", Linear)
    assert found.calibrator([3.5], [0.6]) == pytest.approx([0.25])


def test_the_link_is_the_sigmoid_where_none_is_told(stored):
    model = {name: part for name, part in REGRESSION.items() if name != "link"}
    assert type(stored({**LOGISTIC, "model": model}).calibrator) is Logistic


def test_an_isotonic_file(stored):
    found = stored(ISOTONIC)
    assert found.calibrator == Isotonic((0.2, 0.7), (0.25, 0.75))
    assert found.features == ("token_msp",)


@pytest.mark.parametrize("name", ["schema_version", "version"])
def test_one_of_the_two_versions_is_enough(stored, name):
    assert stored({key: value for key, value in ISOTONIC.items() if key != name})


def test_a_file_may_be_compressed_and_its_hash_is_that_of_the_bytes(tmp_path):
    path = tmp_path / "cal.json.gz"
    path.write_bytes(gzip.compress(json.dumps(ISOTONIC).encode()))
    found = read_calibrator(str(path))
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def without(content, *names):
    return {key: value for key, value in content.items() if key not in names}


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ({**ISOTONIC, "method": "beta"}, "`method` is 'beta'"),
        (without(ISOTONIC, "method"), "missing required field 'method'"),
        ({**ISOTONIC, "schema_version": "2"}, "`schema_version` is '2', and only '1'"),
        ({**ISOTONIC, "version": "2.0"}, "`version` is '2.0', and only '1.0'"),
        ({**ISOTONIC, "schema_version": 1}, r"got 'int' - at '\$.schema_version'"),
        (without(ISOTONIC, "version", "schema_version"), "there is no `schema_version`"),
        (without(STATED, "temperature"), "no `temperature`, neither on top nor under `model`"),
        ({**STATED, "temperature": 0}, "`temperature` must be above 0, found 0"),
        ({**STATED, "temperature": -2.5}, "`temperature` must be above 0, found -2.5"),
        ({**STATED, "temperature": "warm"}, r"got 'str' - at '\$.temperature'"),
        ({**STATED, "model": {"temperature": 2}}, "1.75 on top and 2.0 under `model`"),
        ({**SCALAR, "model": {"temperature": 2}, "features": []}, "there are no `features`"),
        ({**ISOTONIC, "features": ["a", "b"]}, "`features` must name 1 for this `model`, found 2"),
        (without(ISOTONIC, "features"), "there are no `features`"),
        (without(ISOTONIC, "model"), "a file of the method 'isotonic' needs `model`"),
        ({**ISOTONIC, "model": {"x_thresholds": [1]}}, "there is no `model.y_thresholds`"),
        ({**ISOTONIC, "model": REGRESSION}, "there is no `model.x_thresholds`"),
        ({**LOGISTIC, "features": ["a"]}, "`features` must name 2 for this `model`, found 1"),
        ({**LOGISTIC, "model": {**REGRESSION, "link": "probit"}}, "`model.link` is 'probit'"),
        ({**LOGISTIC, "model": without(REGRESSION, "scaler")}, "there is no `model.scaler`"),
        ({**LOGISTIC, "model": without(REGRESSION, "intercept")}, "no `model.intercept`"),
        ({**LOGISTIC, "model": without(REGRESSION, "coefficients")}, "no `model.coefficients`"),
        (
            {**LOGISTIC, "model": {**REGRESSION, "scaler": {"mean": [0, 0], "std": [1, 0]}}},
            "`std` must be above 0, found 0",
        ),
        ([1, 2], "expected 'object', got 'array'"),
    ],
)
def test_what_is_no_calibrator_is_refused_with_the_name_of_the_field(stored, content, match):
    with pytest.raises(ArtifactError, match=match) as caught:
        stored(content)
    assert "cal.json" in caught.value.message
    assert caught.value.hint


def test_a_number_that_json_does_not_have_is_refused(tmp_path):
    path = tmp_path / "cal.json"
    path.write_text(json.dumps({**STATED, "temperature": float("nan")}), encoding="utf-8")
    with pytest.raises(ArtifactError, match="the token NaN"):
        read_calibrator(str(path))
