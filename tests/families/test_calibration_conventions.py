"""Which reading is taken of probabilities of two classes, of likelihoods and under the presets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from mapie.metrics import calibration as mapie
from sklearn.calibration import calibration_curve
from sklearn.metrics import log_loss

from assay.errors import ColumnError, UsageError
from assay.families.calibration.options import CalibrationOptions
from assay.metrics.calibration import ece
from tests.families.test_calibration_numbers import LABEL, NONE, WIDE, N, P, Y, evaluated, only
from tests.public_models import stated

# Two classes


def test_two_columns_of_predict_proba_are_their_second_one():
    both = np.column_stack([1 - P, P])
    wanted, found = evaluated(Y, P), evaluated(Y, both)
    assert only(found).numbers == only(wanted).numbers
    assert only(found).parts.reliability == only(wanted).parts.reliability
    assert (found.conventions["classes"], only(found).counts["n_positive"]) == (None, Y.sum())
    assert found.conventions["two_classes"] == "positive"
    assert found.conventions["outcome"] == "y_true is 1, of the classes 0, 1"
    assert wanted.conventions["two_classes"] is None


def test_two_columns_of_a_frame_are_the_second_class_and_it_is_named():
    frame = pd.DataFrame({"y": np.where(Y, "spam", "ham"), "ham": 1 - P, "spam": P})
    found = evaluated("y", ["ham", "spam"], data=frame)
    assert only(found).numbers == only(evaluated(Y, P)).numbers
    assert found.conventions["outcome"] == "y is spam, of the classes ham, spam"
    assert only(found).about["columns"] == ["ham", "spam"]


def test_second_column_is_read_as_it_stands_where_both_are_rounded():
    rough = np.column_stack([np.round(1 - P, 1) - 0.01, P.round(1)]).clip(0, 1)
    two, one = evaluated(Y, rough, sum_tolerance=0.2), evaluated(Y, rough[:, 1])
    assert only(two).numbers == only(one).numbers


@pytest.mark.parametrize(
    ("labels", "positive"), [(["ham", "spam"], "spam"), (["spam", "ham"], "ham"), ([-1, 1], 1)]
)
def test_of_two_classes_the_second_is_positive_unless_another_is_named(labels, positive):
    truth = np.array(labels)[Y]
    both = np.column_stack([1 - P, P])
    found = evaluated(truth, both, labels=labels)
    assert only(found).numbers == only(evaluated(Y, P)).numbers
    assert str(found.conventions["outcome"]).startswith(f"y_true is {positive}, of the classes")
    other = evaluated(truth, both, labels=labels, pos_label=labels[0])
    assert only(other).counts["n_positive"] == (Y == 0).sum()
    wanted = only(evaluated(1 - Y, 1 - P)).numbers
    assert only(other).numbers == wanted


def test_true_and_false_are_the_classes_of_two_columns():
    both = np.column_stack([1 - P, P])
    wanted = only(evaluated(Y, P)).numbers
    assert only(evaluated(Y.astype(bool), both)).numbers == wanted


def test_labels_that_are_no_classes_of_two_columns_need_to_be_named():
    both = np.column_stack([1 - P, P])
    with pytest.raises(ColumnError, match="are not among the classes 0, 1: -1") as refused:
        evaluated(2 * Y - 1, both)
    assert refused.value.hint is not None
    assert "systems to be compared have a `y_prob` each" in refused.value.hint
    with pytest.raises(UsageError, match="the positive label 7 is not among the classes 0, 1"):
        evaluated(Y, both, pos_label=7)
    with pytest.raises(UsageError, match="where the most probable class is read"):
        evaluated(LABEL, WIDE, pos_label=1)


def test_larger_of_two_probabilities_is_read_where_that_is_asked_for():
    both = np.column_stack([1 - P, P])
    found = evaluated(Y, both, two_classes="top-label")
    right = (both.argmax(1) == Y).astype(int)
    assert only(found).numbers["ece"].value == pytest.approx(ece(right, both.max(1)))
    assert found.conventions["two_classes"] == "top-label"
    assert found.conventions["outcome"] == "the class y_true, the more probable of two"
    assert found.conventions["classes"] == ["0", "1"]


# Presets and clips


def test_the_preset_mapie_gives_the_numbers_of_mapie():
    system = only(evaluated(Y, P, preset="mapie"))
    given = {label: scalar.value for label, scalar in system.numbers.items()}
    expected = {
        "ece": mapie.expected_calibration_error(Y, P, num_bins=50, split_strategy="uniform"),
        "ks_calibration": mapie.kolmogorov_smirnov_statistic(Y, P),
        "ks_p_value": mapie.kolmogorov_smirnov_p_value(Y, P),
        "kuiper_calibration": mapie.kuiper_statistic(Y, P),
        "kuiper_p_value": mapie.kuiper_p_value(Y, P),
        "spiegelhalter_z": mapie.spiegelhalter_statistic(Y, P),
        "spiegelhalter_p_value": mapie.spiegelhalter_p_value(Y, P),
        "length_scale": mapie.length_scale(P),
    }
    assert {name: given[name] for name in expected} == pytest.approx(expected, rel=1e-9)


def test_the_preset_mapie_reads_two_columns_as_mapie_does():
    both = np.column_stack([1 - P, P])
    system = only(evaluated(Y, both, preset="mapie", **NONE))
    right = (both.argmax(1) == Y).astype(int)
    wanted = mapie.expected_calibration_error(right, both)
    assert system.numbers["ece"].value == pytest.approx(wanted, abs=1e-9)
    wanted = mapie.top_label_ece(Y, both)
    assert system.numbers["top_label_ece"].value == pytest.approx(wanted, abs=1e-9)


def test_the_preset_mapie_draws_the_cumulative_differences_of_mapie():
    system = only(evaluated(Y, P, preset="mapie", **NONE))
    walk = system.parts.cumulative
    assert walk.difference[1:] == mapie.cumulative_differences(Y, P).tolist()
    ordered = np.sort(P)
    half = 1.959963984540054 * np.sqrt((ordered * (1 - ordered)).cumsum()) / N
    np.testing.assert_allclose(walk.band, np.append(0, half), atol=1e-12)


def test_the_preset_scikit_learn_gives_the_digits_of_scikit_learn():
    label, given = stated("bayes", "breast cancer")
    wanted = log_loss(label, given[:, 1])
    assert wanted == pytest.approx(0.6517312, abs=1e-6)
    artifact = evaluated(label, given, preset="scikit-learn", **NONE)
    system = only(artifact)
    assert system.numbers["nll"].value == pytest.approx(wanted, rel=1e-12)
    accuracy, mean = calibration_curve(label, given[:, 1])
    bins = [each for each in system.parts.reliability if each.count]
    assert [each.accuracy for each in bins] == pytest.approx(accuracy)
    assert [each.mean_confidence for each in bins] == pytest.approx(mean)


def test_a_clip_that_bites_is_said_with_the_number_of_scikit_learn():
    label, given = stated("bayes", "breast cancer")
    artifact = evaluated(label, given[:, 1], **NONE)
    assert only(artifact).numbers["nll"].value == pytest.approx(0.4490935, abs=1e-6)
    assert artifact.conventions["clip"] == 1e-6
    (said,) = [each for each in artifact.warnings if "nll" in each]
    assert said == (
        "y_prob: nll counts 9 of 569 rows as if 1e-06 had been stated for what came true, where it"
        " was less; at the clip of scikit-learn, `clip` 2.220446049250313e-16, it is 0.652"
    )
    artifact = evaluated([0, 1] * 3, [1.0, 1.0] * 3, preset="scikit-learn", **NONE)
    (said,) = [each for each in artifact.warnings if "nll" in each]
    assert said.endswith(
        "counts 3 of 6 rows as if 2.22045e-16 had been stated for what came true, where it was less"
    )


def test_a_right_certainty_is_no_matter_of_the_clip():
    artifact = evaluated([0, 1] * 6, [0.0, 1.0] * 6, **NONE)
    assert not [each for each in artifact.warnings if "nll" in each]


def test_a_clip_of_several_classes_is_said_too():
    given = np.repeat([[1.0, 0.0, 0.0], [0.2, 0.8, 0.0]], 8, axis=0)
    artifact = evaluated(np.repeat([1, 1], 8) + (np.arange(16) == 15), given, **NONE)
    said = [each for each in artifact.warnings if "nll" in each]
    assert [each.partition(" of 16")[0] for each in said] == [
        "y_prob: nll counts 8",
        "y_prob: multiclass_nll counts 9",
    ]


@pytest.mark.parametrize("clip", [0.0, 0.5, -1.0, float("nan")])
def test_a_clip_that_leaves_nothing_or_infinity_is_refused(clip):
    with pytest.raises(
        UsageError, match=r"`clip` must be (above 0 and below 0\.5|a number), found"
    ):
        CalibrationOptions(clip=clip)


def test_the_preset_mapie_gives_the_top_label_number_of_mapie():
    system = only(evaluated(LABEL, WIDE, preset="mapie"))
    expected = mapie.top_label_ece(LABEL, WIDE, num_bins=50, split_strategy="uniform")
    assert system.numbers["top_label_ece"].value == pytest.approx(expected, rel=1e-9)
