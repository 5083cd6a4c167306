"""Calibrated confidences and features: what their names mean and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from assay.calibrators import Affine, Isotonic, Logistic, Temperature
from assay.derive.confidence import (
    confidence_column,
    feature_column,
    known_names,
    names,
    needed_signals,
)
from assay.derive.signals import State, signal
from assay.derive.variants import Calibration, canonical_feature, feature, is_calibrated
from assay.errors import ColumnError, UsageError

SIGNALS = {
    "verbalized_confidence": signal([1, 4, 5, None]),
    "retrieval_similarity_mean": signal([0.5, None, 0.25, 1.0]),
    "token_msp": signal([0.9, 0.5, 0.25, 1.0]),
    "token_pe": signal([0.0, 1.0, 3.0, 0.5]),
    "llm_evidence_count": signal([0, 1, 2, 3]),
    "consistency_modal_confidence": signal([0.2, 0.4, 0.6, 1.0]),
    "confidence": signal([0.1, 0.2, 0.3, 0.4]),
}
ALL = np.ones(4, dtype=np.bool_)
RISE = Isotonic((0.0, 1.0), (0.0, 0.5))
SUM = Logistic(Affine((1.0, 1.0), 0.0, (0.0, 0.0), (1.0, 1.0)))


def temperature(*features):
    return Calibration("cal.json", "temperature", features or ("verbalized",), Temperature(2.0))


def isotonic(*features):
    return Calibration("cal.json", "isotonic", features, RISE)


def logistic(*features):
    return Calibration("cal.json", "logistic", features, SUM)


def column(name, calibration=None, **options):
    return confidence_column(name, SIGNALS, ALL, calibration=calibration, **options)


def test_verbalized_calibrated_scales_the_stated_confidence_with_one_half_for_null():
    found = column("verbalized_calibrated", temperature())
    assert found.tolist() == Temperature(2.0)([0.0, 0.75, 1.0, 0.5]).tolist()
    assert needed_signals("verbalized_calibrated", calibration=temperature()) == (
        "verbalized_confidence",
    )


def test_verbalized_calibrated_takes_an_isotonic_calibrator_of_the_same_values():
    found = column("verbalized_calibrated", isotonic("verbalized"))
    assert found.tolist() == [0.0, 0.375, 0.5, 0.25]


def test_calibrated_feeds_the_stored_signals_in_the_order_of_the_features():
    calibration = logistic("token_pe", "llm_evidence_count")
    found = column("calibrated", calibration)
    assert found == pytest.approx(1 / (1 + np.exp(-np.array([0.0, 2.0, 5.0, 3.5]))))
    assert needed_signals("calibrated", calibration=calibration) == (
        "token_pe",
        "llm_evidence_count",
    )


def test_a_feature_may_be_a_confidence_function():
    found = column("calibrated", logistic("confidence:token_pe", "verbalized"))
    values = np.array([1.0, 0.5, 0.25, 2 / 3]) + np.array([0.0, 0.75, 1.0, 0.5])
    assert found == pytest.approx(1 / (1 + np.exp(-values)))


@pytest.mark.parametrize(
    ("name", "fitted_on", "values"),
    [
        ("token_msp", "token_msp", [0.9, 0.5, 0.25, 1.0]),
        ("token_msp", "confidence:token_msp", [0.9, 0.5, 0.25, 1.0]),
        ("token_pe", "confidence:token_pe", [1.0, 0.5, 0.25, 2 / 3]),
        ("consistency", "consistency_modal_confidence", [0.2, 0.4, 0.6, 1.0]),
        ("llm", "llm_evidence_count", [0.0, 1.0, 2.0, 3.0]),
        ("confidence", "confidence", [0.1, 0.2, 0.3, 0.4]),
        ("retrieval_similarity_mean", "retrieval_similarity_mean", [0.5, 0.0, 0.25, 1.0]),
        (
            "secondary:token_msp+consistency:product",
            "confidence:secondary:token_msp+consistency:product",
            [0.18, 0.2, 0.15, 1.0],
        ),
    ],
)
def test_a_scalar_is_calibrated_where_it_is_what_the_calibrator_was_fitted_on(
    name, fitted_on, values
):
    found = column(f"calibrated:{name}", isotonic(fitted_on))
    assert found == pytest.approx(RISE(values))


@pytest.mark.parametrize(
    ("name", "fitted_on", "way"),
    [
        ("verbalized_calibrated", "verbalized_confidence", "`confidence` calibrated,"),
        ("verbalized_calibrated", "token_msp", "`confidence` calibrated,"),
        ("calibrated:token_pe", "token_pe", "`confidence` calibrated,"),
        ("calibrated:token_msp", "verbalized", "`confidence` verbalized_calibrated,"),
        ("calibrated:token_msp", "confidence:token_pe", "`confidence` calibrated:token_pe,"),
        ("calibrated:confidence", "token_msp", "`confidence` calibrated,"),
    ],
)
def test_anything_else_is_refused_unless_the_reference_is_asked_for(name, fitted_on, way):
    with pytest.raises(UsageError, match=f"cal.json was fitted on `{fitted_on}`") as caught:
        column(name, isotonic(fitted_on))
    assert way in caught.value.hint
    assert np.isfinite(column(name, isotonic(fitted_on), missing="reference")).all()


def test_the_hint_names_the_confidence_that_a_stored_signal_makes():
    with pytest.raises(UsageError, match="fitted on") as caught:
        column("calibrated:token_msp", temperature("consistency_modal_confidence"))
    assert "`confidence` calibrated:consistency," in caught.value.hint


def test_calibrated_refuses_a_temperature():
    with pytest.raises(UsageError, match=r"cal\.json is a temperature") as caught:
        column("calibrated", temperature())
    assert caught.value.hint == "choose `confidence` verbalized_calibrated"


@pytest.mark.parametrize("name", ["verbalized_calibrated", "calibrated:token_msp"])
def test_a_scalar_refuses_a_calibrator_of_features(name):
    with pytest.raises(UsageError, match="is a logistic calibrator of stored features"):
        column(name, logistic("token_msp", "token_pe"))


@pytest.mark.parametrize("name", ["calibrated", "verbalized_calibrated", "calibrated:token_msp"])
def test_without_a_calibrator_the_names_ask_for_one(name):
    with pytest.raises(UsageError, match="needs a calibrator") as caught:
        column(name)
    assert "`calibration`" in caught.value.hint


def test_a_column_that_has_such_a_name_is_a_column_where_there_is_no_calibrator():
    signals = {"calibrated": signal([0.5, 0.25])}
    found = confidence_column("calibrated", signals, np.ones(2, dtype=np.bool_))
    assert found.tolist() == [0.5, 0.25]


def test_a_temperature_refuses_values_off_the_unit_interval_and_the_reference_clips_them():
    calibration = temperature("retrieval_similarity_mean")
    signals = {"retrieval_similarity_mean": signal([0.5, -0.25])}
    both = np.ones(2, dtype=np.bool_)
    name = "calibrated:retrieval_similarity_mean"
    with pytest.raises(ColumnError, match=r"found -0\.25"):
        confidence_column(name, signals, both, calibration=calibration)
    clipped = confidence_column(name, signals, both, calibration=calibration, missing="reference")
    assert clipped.tolist() == Temperature(2.0)([0.5, 0.0]).tolist()


def test_a_null_feature_is_an_error_that_names_it():
    calibration = logistic("retrieval_similarity_mean", "token_msp")
    with pytest.raises(ColumnError, match="row 1: confidence calibrated") as caught:
        column("calibrated", calibration)
    assert "usable value of `retrieval_similarity_mean`, found null" in caught.value.message


def test_the_reference_fills_features_in_by_their_names_whatever_their_scale():
    absent = {"token_msp": signal([0.5, State.MISSING])}
    both = np.ones(2, dtype=np.bool_)
    filled = {
        name: feature_column(name, absent, both, missing="reference").tolist()
        for name in (
            "retrieval_similarity_max",
            "verbalized_confidence",
            "consistency_modal_confidence",
            "token_msp",
        )
    }
    assert filled == {
        "retrieval_similarity_max": [0.0, 0.0],
        "verbalized_confidence": [3.0, 3.0],
        "consistency_modal_confidence": [3.0, 3.0],
        "token_msp": [0.5, 0.0],
    }


@pytest.mark.parametrize("cell", ["high", float("nan")])
def test_the_reference_fills_in_what_is_absent_or_null_and_nothing_else(cell):
    with pytest.raises(ColumnError, match="feature token_msp needs a usable value"):
        feature_column(
            "token_msp", {"token_msp": signal([cell])}, np.ones(1, bool), missing="reference"
        )


def test_a_feature_is_a_signal_unless_only_a_function_has_its_name():
    assert feature("token_pe").is_stored
    assert feature("any_column").is_stored
    assert not feature("verbalized").is_stored
    assert canonical_feature("confidence:verbalized") == "verbalized"
    with pytest.raises(UsageError, match="names 'nothing', which is not a confidence function"):
        feature("confidence:nothing")


def test_calibrated_names_are_in_no_list_of_all_names():
    assert not any(map(is_calibrated, names("all")))
    assert "calibrated" not in known_names()
