"""Fitting a calibrator on a table: rows, targets, numbers before and after, out of fold."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from assay.calibrators import Isotonic, Linear, Logistic, Temperature
from assay.calibrators.files import AppliedCalibrator, read_calibrator
from assay.calibrators.fitting import CalibratorOptions, fit_calibrator, needed_signals
from assay.errors import ColumnError, UsageError
from assay.inference import Plan
from assay.stored import encode
from tests.item_tables import items_from_arrays
from tests.selective_artifacts import evaluate

WHEN = "2026-01-02T03:04:05Z"


def table(seed: int = 0, *, n_people: int = 12, start: int = 1, **changes):
    """Answers whose stated confidence tells something about them; some abstentions."""
    draw = np.random.default_rng(seed)
    n = n_people * 4
    stated = draw.integers(1, 6, n)
    truth = draw.integers(0, 4, n)
    wrong = draw.random(n) > 0.2 + 0.15 * stated
    prediction = np.where(wrong, (truth + draw.integers(1, 4, n)) % 4, truth).astype(float)
    prediction[draw.random(n) < 0.2] = np.nan
    signals = {
        "verbalized_confidence": stated.tolist(),
        "token_msp": draw.random(n).tolist(),
        "retrieval_similarity_mean": draw.random(n).tolist(),
    }
    given = {
        "participant": np.repeat(np.arange(start, start + n_people), 4),
        "prediction": prediction,
        "truth": truth,
        "signals": signals,
        "scale": (0.0, 3.0),
    }
    return items_from_arrays(**{**given, **changes})


def fitted(given, **options):
    return fit_calibrator(given, CalibratorOptions(**options), created_at=WHEN)


def answers(given):
    """The rows that are fitted on, the slow way."""
    rows = np.flatnonzero(given.answered)
    error = np.abs(given.prediction[rows] - given.truth[rows])
    return rows, error


def test_the_temperature_is_fitted_on_the_stated_confidence_from_0_to_1():
    given = table()
    rows, error = answers(given)
    p = (given.signals["verbalized_confidence"].value[rows] - 1) / 4
    expected = Temperature.fit([p], error == 0)
    found = fitted(given)
    assert found.temperature == found.model["temperature"] == expected.temperature
    assert (found.method, found.calibrator, found.clip) == (
        "temperature_scaling",
        "temperature",
        1e-6,
    )
    assert found.features == ["verbalized"]
    assert found.training_metadata.n_samples == rows.size
    assert found.training_metadata.positive_rate == np.mean(error == 0)


@pytest.mark.parametrize(
    ("target", "of_error"),
    [
        ("correctness", lambda error: error == 0),
        ("near_correct", lambda error: error <= 1),
        ("loss", lambda error: 1 - error / 3),
    ],
)
def test_the_target_is_a_function_of_the_error(target, of_error):
    given = table()
    rows, error = answers(given)
    feature = given.signals["token_msp"].value[rows]
    found = fitted(given, method="isotonic", features=("token_msp",), target=target)
    assert found.model == Isotonic.fit([feature], of_error(error)).to_dict()
    assert found.target == target


def test_numbers_before_and_after_are_those_of_scikit_learn():
    given = table()
    rows, error = answers(given)
    p, y = given.signals["token_msp"].value[rows], error == 0
    found = fitted(given, features=("token_msp",)).metrics
    q = Temperature.fit([p], y)(p)
    for side, probability in ((found.before, p), (found.training, q)):
        assert side.nll == pytest.approx(log_loss(y, probability), rel=1e-9)
        assert side.brier == pytest.approx(brier_score_loss(y, probability), rel=1e-9)
        assert side.auroc == pytest.approx(roc_auc_score(y, probability), rel=1e-9)
    assert (found.nll_before, found.nll_after) == (found.before.nll, found.training.nll)
    assert (found.ece_before, found.ece_after) == (found.before.ece, found.training.ece)
    assert found.nll_after <= found.nll_before


def test_out_of_fold_numbers_come_from_calibrators_that_have_not_seen_the_participant():
    given = table()
    rows, error = answers(given)
    columns = [given.signals[name].value[rows] for name in ("verbalized_confidence", "token_msp")]
    y, who = (error == 0).astype(float), given.cluster[rows]
    order = np.random.default_rng(7).permutation(12)
    assert np.unique(who).size == 12
    probability = np.empty(rows.size)
    for fold in range(3):
        held = order[who] % 3 == fold
        model = Logistic.fit([each[~held] for each in columns], y[~held])
        probability[held] = model(*(each[held] for each in columns))
    found = fitted(
        given, method="logistic", features=("verbalized_confidence", "token_msp"), folds=3, seed=7
    )
    assert found.metrics.out_of_fold.nll == pytest.approx(log_loss(y, probability), rel=1e-9)
    assert found.metrics.out_of_fold.rows == "participants left out in turn, 3 folds"
    assert found.metrics.training.rows == "the rows it was fitted on"
    assert found.metrics.out_of_fold.nll > found.metrics.training.nll
    assert found.training_metadata.n_folds == 3
    assert found.metrics.before.reason == "the features are no probability"


def test_the_target_loss_makes_a_linear_calibrator_with_its_own_numbers():
    given = table()
    rows, error = answers(given)
    feature = given.signals["token_msp"].value[rows]
    expected = Linear.fit([feature], 1 - error / 3)
    for method, spelled in (("linear", "logistic"), ("logistic", "logistic"), ("platt", "platt")):
        found = fitted(given, method=method, features=("token_msp",), target="loss")
        assert (found.method, found.calibrator) == (spelled, "linear")
        assert found.model == expected.to_dict()
        assert found.model["link"] == "identity"
        quality = found.metrics.training
        difference = expected(feature) - (1 - error / 3)
        assert quality.mae == pytest.approx(np.abs(difference).mean(), rel=1e-9)
        assert quality.mse == pytest.approx((difference**2).mean(), rel=1e-9)
        assert (quality.nll, quality.auroc) == (None, None)
        assert found.training_metadata.positive_rate is None


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_folds():
    one, two, other = (
        encode(fitted(table(), features=("token_msp",), seed=seed)) for seed in (1, 1, 2)
    )
    assert one == two
    assert json.loads(one)["metrics"]["training"] == json.loads(other)["metrics"]["training"]
    assert json.loads(one)["metrics"]["out_of_fold"] != json.loads(other)["metrics"]["out_of_fold"]


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic", "linear", "logistic"])
def test_what_is_written_is_read_back_with_every_number(method, tmp_path):
    target = "loss" if method == "linear" else "correctness"
    found = fitted(table(), method=method, features=("token_msp",), target=target)
    path = tmp_path / "cal.json"
    path.write_bytes(encode(found))
    stored = read_calibrator(str(path))
    assert stored.method == found.calibrator == method
    assert stored.calibrator.to_dict() == found.model
    assert stored.participants == tuple(range(1, 13))
    assert (stored.features, stored.target) == (("token_msp",), target)


def test_rows_without_a_stated_confidence_are_left_out_and_counted():
    stated = table().signals["verbalized_confidence"].value
    cells = [None if number < 6 else int(each) for number, each in enumerate(stated)]
    given = table(signals={"verbalized_confidence": cells})
    n_left_out = int(given.answered[:6].sum())
    found = fitted(given)
    assert found.training_metadata.n_left_out == n_left_out > 0
    assert found.training_metadata.n_samples == int(given.answered.sum()) - n_left_out


def test_a_stated_confidence_off_its_scale_is_refused_with_its_place():
    for bad in (0, 6, 2.5):
        signals = {"verbalized_confidence": [bad] * 48}
        with pytest.raises(ColumnError, match=f"participant 1, item 1.*found {bad}"):
            fitted(table(signals=signals))


def test_missing_features_are_an_error_and_the_reference_fills_them_in():
    signals = {"retrieval_similarity_mean": [None, 0.5, 0.25, 1.0] * 12}
    given = table(signals=signals)
    options = {"method": "isotonic", "features": ("retrieval_similarity_mean",)}
    with pytest.raises(ColumnError, match="needs a usable value of `retrieval_similarity_mean`"):
        fitted(given, **options)
    found = fitted(given, **options, missing="reference")
    assert found.model["x_thresholds"][0] == 0.0
    assert found.training_metadata.missing == "reference"


def test_the_reference_gives_an_absent_modal_confidence_the_value_3():
    found = fitted(
        table(),
        method="logistic",
        features=("token_msp", "consistency_modal_confidence"),
        missing="reference",
    )
    assert found.model["scaler"]["mean"][1] == 3.0
    assert found.model["scaler"]["std"][1] == 1.0


def test_a_temperature_refuses_features_that_are_no_probability():
    with pytest.raises(ColumnError, match=r"needs a feature from 0 to 1, found [2-5] in"):
        fitted(table(), features=("verbalized_confidence",))


def test_one_class_only_is_refused_by_the_logistic_and_told_elsewhere():
    right = np.array([0, 1, 2, 3] * 12)
    given = table(prediction=right, truth=right)
    with pytest.raises(ColumnError, match=r"every answer is right \(48\)"):
        fitted(given, method="logistic", features=("token_msp",))
    found = fitted(given, features=("token_msp",))
    assert found.metrics.training.auroc is None
    assert found.warnings[0] == "the target of every answer (48) is 1"
    constant = fitted(given, method="isotonic", features=("token_msp",))
    assert "gives every answer the same number" in constant.warnings[-1]


def test_a_temperature_at_an_end_of_the_search_is_told():
    right = np.array([0, 1, 2, 3] * 12)
    signals = {"token_msp": [0.9] * 48}
    found = fitted(table(prediction=right, truth=right, signals=signals), features=("token_msp",))
    assert found.temperature == 0.05
    assert any("an end of the search" in each for each in found.warnings)


def test_a_fold_that_cannot_be_fitted_leaves_the_numbers_out_of_fold_undefined():
    truth = np.zeros(8)
    prediction = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    given = table(
        n_people=2, truth=truth, prediction=prediction, signals={"token_msp": np.arange(8) / 8}
    )
    found = fitted(given, method="logistic", features=("token_msp",)).metrics
    assert found.training.nll is not None
    assert found.out_of_fold.nll is None
    assert "a logistic calibrator needs both" in found.out_of_fold.reason


def test_one_participant_leaves_nobody_to_leave_out():
    found = fitted(table(n_people=1), features=("token_msp",)).metrics
    assert found.out_of_fold.reason == "there is one participant, so nobody can be left out"


def test_a_count_is_so_many_answers():
    counts = np.array([1, 3] * 24)
    given = table(count=counts)
    found = fitted(given, method="platt", features=("token_msp",))
    assert found.training_metadata.n_samples == counts[given.answered].sum()
    rows, error = answers(given)
    copies = given.count[rows].astype(int)
    feature = np.repeat(given.signals["token_msp"].value[rows], copies)
    expected = Logistic.fit([feature], np.repeat(error == 0, copies))
    assert found.model["coefficients"] == pytest.approx(expected.affine.coefficients, rel=1e-3)


def test_nothing_to_fit_on_is_refused():
    with pytest.raises(ColumnError, match="no answered item"):
        fitted(table(prediction=np.full(48, np.nan)), features=("token_msp",))
    with pytest.raises(ColumnError, match="no `verbalized_confidence` on any answer"):
        fitted(table(signals={"token_msp": [0.5] * 48}))


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"method": "beta"}, "`method` must be one of temperature, logistic, .* found 'beta'"),
        ({"target": "total"}, "`target` must be one of .* found 'total'"),
        ({"target": "loss"}, "a temperature scales the probability of being right"),
        ({"method": "linear"}, "a linear calibrator predicts a loss"),
        ({"method": "isotonic", "features": ("a", "b")}, "isotonic takes exactly one feature"),
        ({"method": "platt", "features": ("a", "b")}, "platt takes exactly one feature, found 2"),
        ({"features": ("token_msp", "token_pe")}, "temperature takes exactly one feature"),
        ({"features": ()}, "features must be named, each once, found none"),
        ({"method": "logistic", "features": ("a", "a")}, "each once, found a, a"),
        ({"folds": 1}, "`folds` must be at least 2, found 1"),
        ({"seed": -1}, "`seed` must be at least 0, found -1"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(options, match):
    with pytest.raises(UsageError, match=match):
        CalibratorOptions(**options)


def test_only_the_signals_behind_the_features_are_needed():
    options = CalibratorOptions("logistic", ("verbalized", "token_msp"))
    assert needed_signals(options) == {"verbalized_confidence", "token_msp"}


def applied(path, given, *, strict=False):
    path.write_bytes(encode(fitted(given, features=("token_msp",))))
    return {"calibration": [str(path)], "strict": strict}


def evaluated(given, calibrator, confidence="calibrated:token_msp", **options):
    chosen = {"confidence": confidence, **calibrator, **options}
    return evaluate([given], plan=Plan(n_resamples=0), **chosen)


def test_new_participants_are_no_reason_to_warn(tmp_path):
    found = evaluated(table(1, start=100), applied(tmp_path / "c.json", table(), strict=True))
    assert found.warnings == []
    assert found.parts.calibration.participants_shared == [0]
    assert found.parts.calibration.features == ["token_msp"]
    assert list(found.systems[0].variants) == ["calibrated:token_msp", ""]


def test_participants_seen_before_are_a_warning_and_strictly_an_error(tmp_path):
    path = tmp_path / "c.json"
    found = evaluated(table(1, start=10), applied(path, table()))
    assert found.parts.calibration.participants_shared == [3]
    assert "was fitted on 3 of the 12 participants of input 0" in found.warnings[0]
    assert found.parts.calibration.warnings == found.warnings
    with pytest.raises(UsageError, match="was fitted on 3 of the 12 participants"):
        evaluated(table(1, start=10), applied(path, table(), strict=True))


def test_ids_are_the_same_whether_texts_or_numbers(tmp_path):
    participant = [*np.repeat(["5", "x"], 4)]
    other = table(n_people=2, participant=participant)
    found = evaluated(other, applied(tmp_path / "c.json", table()))
    assert found.parts.calibration.participants_shared == [1]


def test_a_calibrator_that_no_confidence_uses_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no confidence uses the calibrator"):
        evaluated(table(1), applied(tmp_path / "c.json", table()), confidence="token_msp")


def test_without_a_calibrator_the_artifact_does_not_speak_of_one():
    found = evaluated(table(), {}, confidence="token_msp")
    assert found.parts.calibration is None


def test_labels_and_independent_rows_can_be_calibrated_by_what_is_right():
    names = ["cat", "dog"] * 10
    given = items_from_arrays(
        prediction=names,
        truth=["cat", "dog", "dog", "cat"] * 5,
        signals={"token_msp": np.linspace(0, 1, 20)},
    )
    found = fitted(given, method="isotonic", features=("token_msp",))
    assert found.training_metadata.positive_rate == 0.5
    assert found.training_metadata.participants is None
    assert found.warnings[0].startswith("no participants are named (`participant`)")
    for target in ("near_correct", "loss"):
        with pytest.raises(ColumnError, match="needs numbers") as caught:
            fitted(given, method="isotonic", features=("token_msp",), target=target)
        assert "target correctness" in caught.value.hint


def test_a_calibrator_of_independent_rows_knows_nobody(tmp_path):
    given = items_from_arrays(
        prediction=[1, 2, 1, 2], truth=[1, 1, 1, 2], signals={"token_msp": [0.1, 0.2, 0.3, 0.9]}
    )
    found = fitted(given, method="isotonic", features=("token_msp",))
    path = tmp_path / "cal.json"
    path.write_bytes(encode(found))
    applied = AppliedCalibrator(read_calibrator(str(path)))
    assert applied.record([table()]).participants_shared == [None]
    (warning,) = applied.warnings([given])
    assert warning.startswith("input 0 does not say whose its rows are")
