from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import brier_score_loss

from assay.artifacts import encode
from assay.errors import ColumnError, UsageError
from assay.evaluate.calibration import evaluate_calibration
from assay.evaluate.calibration_options import CALIBRATION_PRESETS, CalibrationOptions
from assay.inference import Plan
from assay.metrics.calibration import ece
from assay.sources.table import from_columns

N = 240
GENERATOR = np.random.default_rng(11)
P = GENERATOR.beta(2, 2, N).round(2)
Y = (GENERATOR.random(N) < P).astype(int)
SHARP = np.clip(1.6 * (P - 0.5) + 0.5, 0, 1)
WHO = np.arange(N) // 4
WIDE = GENERATOR.dirichlet([1, 1, 1], N)
LABEL = np.array([GENERATOR.choice(3, p=row) for row in WIDE])
FEW, NONE = Plan(n_resamples=60), Plan(n_resamples=0)
NOW = "2026-01-01T00:00:00Z"

# The twenty rows of the comparison of libraries: ties, exact bin edges, 0 and 1.
CONFIDENCE = [0, 1, 1, 2, 3, 3, 5, 5, 5, 6, 7, 7, 8, 9, 9, 9, 10, 10, 10, 10]
CORRECT = [0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1]


def evaluated(*arguments, plan=FEW, **settings):
    return evaluate_calibration(*arguments, plan=plan, created_at=NOW, **settings)


def test_the_numbers_are_those_of_the_metric_functions():
    (system,) = evaluated(Y, P).systems
    assert system.metrics["ece"].value == pytest.approx(ece(Y, P))
    assert system.metrics["brier"].value == pytest.approx(brier_score_loss(Y, P))


def test_every_number_has_an_interval_or_a_reason():
    for system in evaluated(Y, {"a": P, "b": SHARP}).systems:
        for label, number in system.metrics.items():
            assert (number.interval is None) != (number.interval_reason is None), label
            assert (number.value is None) == (number.reason is not None), label


def test_p_values_are_not_resampled():
    (system,) = evaluated(Y, P).systems
    p_values = {n: each for n, each in system.metrics.items() if n.endswith("p_value")}
    assert p_values
    assert all("computed once" in (each.interval_reason or "") for each in p_values.values())


def test_the_debiased_error_stands_beside_the_plug_in():
    artifact = evaluated(Y, P)
    metrics = artifact.systems[0].metrics
    assert metrics["debiased_ece"].value <= metrics["ece"].value
    assert metrics["debiased_ece"].interval is not None
    assert "debiased_ece" in str(artifact.conventions["ece_bias"])


def test_arrays_lists_frames_and_tables_give_the_same_artifact():
    frame = {"y": Y, "p": P, "who": WHO}
    wanted = evaluated(Y, {"p": P}, cluster=WHO)
    alike = [
        evaluated(Y.tolist(), {"p": P.tolist()}, cluster=WHO.tolist()),
        evaluated("y", "p", cluster="who", data=pd.DataFrame(frame)),
        evaluated("y", "p", cluster="who", data=pl.DataFrame(frame)),
        evaluated("y", "p", cluster="who", data=from_columns(**frame)),
    ]
    for each in alike:
        assert each.systems == wanted.systems
        assert each.resampling == wanted.resampling


def test_rows_are_resampled_without_clusters_and_clusters_with_them():
    assert evaluated(Y, P).resampling.unit == "row"
    artifact = evaluated(Y, P, cluster=WHO)
    assert (artifact.resampling.unit, artifact.resampling.n_units) == ("cluster", N // 4)
    assert artifact.population.n_clusters == N // 4


def test_clusters_of_one_row_give_the_numbers_of_rows():
    one, other = evaluated(Y, P), evaluated(Y, P, cluster=np.arange(N))
    assert one.systems[0].metrics == other.systems[0].metrics


def test_the_order_of_rows_changes_nothing_but_rounding():
    order = GENERATOR.permutation(N)
    one = evaluated(Y, P, cluster=WHO).systems[0]
    other = evaluated(Y[order], P[order], cluster=WHO[order]).systems[0]
    for label, number in one.metrics.items():
        assert other.metrics[label].value == pytest.approx(number.value, abs=1e-12), label


def test_predict_proba_and_its_classes_are_understood():
    names = np.array(["ant", "bee", "cow"])
    by_name = evaluated(names[LABEL], WIDE, labels=names)
    by_number = evaluated(LABEL, WIDE)
    assert by_name.systems[0].metrics == by_number.systems[0].metrics
    assert [each.label for each in by_name.systems[0].classes] == ["ant", "bee", "cow"]
    assert by_name.conventions["classes"] == ["ant", "bee", "cow"]


def test_the_order_of_classes_is_part_of_the_question():
    turned = evaluated(LABEL, WIDE[:, ::-1], labels=[2, 1, 0])
    assert turned.systems[0].n_positive == evaluated(LABEL, WIDE).systems[0].n_positive


def test_the_binary_numbers_of_classes_are_about_the_top_label():
    (system,) = evaluated(LABEL, WIDE).systems
    top = WIDE.argmax(1)
    assert system.n_positive == (top == LABEL).sum()
    assert system.metrics["brier"].value == pytest.approx(
        ((WIDE.max(1) - (top == LABEL)) ** 2).mean()
    )
    assert "brier" not in system.over_classes
    assert set(system.over_classes) < set(system.metrics)


def test_frames_name_class_columns_by_the_classes():
    frame = pd.DataFrame({"y": LABEL, **{str(each): WIDE[:, each] for each in range(3)}})
    by_column = evaluated("y", ["0", "1", "2"], data=frame)
    assert by_column.systems[0].metrics == evaluated(LABEL, WIDE).systems[0].metrics


def test_pos_label_says_which_label_the_score_is_about():
    words = np.where(Y, "spam", "ham")
    wanted = evaluated(Y, P).systems[0]
    assert evaluated(words, P, pos_label="spam").systems[0].metrics == wanted.metrics
    with pytest.raises(ColumnError, match="must hold 0 and 1, or true and false, found"):
        evaluated(words, P)


def test_booleans_are_outcomes():
    assert evaluated(Y.astype(bool), P).systems[0].n_positive == Y.sum()


def test_several_systems_are_compared_with_the_first():
    artifact = evaluated(Y, {"a": P, "b": SHARP, "c": P})
    assert [(each.left, each.right) for each in artifact.pairs] == [(0, 1), (0, 2)]
    assert artifact.pairs[0].deltas["brier"].delta > 0
    assert artifact.pairs[1].deltas["brier"].delta == 0
    assert artifact.pairs[1].deltas["brier"].p_value == 1


def test_the_reliability_table_counts_every_row_once():
    for strategy in ("uniform", "quantile", "mapie-uniform", "mapie-quantile"):
        artifact = evaluated(Y, P, options=CalibrationOptions(strategy=strategy))
        table = artifact.systems[0].reliability
        assert sum(each.count for each in table) == N, strategy
        error = sum(
            each.count * abs(each.accuracy - each.mean_confidence) for each in table if each.count
        )
        assert error / N == pytest.approx(artifact.systems[0].metrics["ece"].value), strategy
        for each in table:
            if each.count:
                assert each.low <= each.mean_confidence + 1e-12, strategy
                assert each.mean_confidence <= each.high + 1e-12, strategy


def test_a_bin_has_an_exact_interval_for_rows_and_a_resampled_one_for_clusters():
    rows, clusters = evaluated(Y, P).systems[0], evaluated(Y, P, cluster=WHO).systems[0]
    assert rows.reliability_interval == "clopper-pearson"
    assert clusters.reliability_interval == "cluster bootstrap"
    for each in (*rows.reliability, *clusters.reliability):
        if each.interval is not None:
            assert each.interval[0] <= each.accuracy <= each.interval[1]
        else:
            assert each.interval_reason


def test_the_cumulative_curve_starts_at_0_and_ends_at_the_mean_gap():
    curve = evaluated(Y, P).systems[0].cumulative
    assert (curve.share[0], curve.difference[0], curve.band[0]) == (0.0, 0.0, 0.0)
    assert curve.share[-1] == 1.0
    assert curve.difference[-1] == pytest.approx((Y - P).mean())
    assert curve.band[-1] == pytest.approx(1.959964 * np.sqrt((P * (1 - P)).sum()) / N, rel=1e-6)
    assert len(curve.share) == len(np.unique(P)) + 1


def test_tied_scores_are_one_step_of_the_cumulative_curve():
    curve = evaluated([0, 1] * 20, [0.5] * 40, options=CalibrationOptions(n_bins=2))
    assert curve.systems[0].cumulative.difference == [0.0, 0.0]


def test_a_long_curve_is_thinned_to_2000_points():
    scores = np.random.default_rng(1).random(5_000)
    outcome = (scores > 0.4).astype(int)
    curve = evaluated(outcome, scores, plan=Plan(n_resamples=0)).systems[0].cumulative
    assert curve.thinning.n_points == 5_001
    assert curve.thinning.n_kept == len(curve.share) == 2_000
    assert curve.share[-1] == 1.0


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, 0.17),
        ({"closed": "right"}, 0.23),
        ({"strategy": "mapie-uniform"}, 0.23),
        ({"strategy": "mapie-quantile"}, 0.17),
        ({"strategy": "mapie-array-split"}, 0.21),
    ],
)
def test_twenty_rows_have_the_error_of_each_convention(options, value):
    scores = np.array(CONFIDENCE) / 10
    artifact = evaluated(CORRECT, scores, options=CalibrationOptions(**options))
    assert artifact.systems[0].metrics["ece"].value == pytest.approx(value)


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "mapie-uniform", "scores"])
def test_constant_confidence_has_its_error_under_every_strategy(strategy):
    artifact = evaluated([0, 1] * 10, [0.9] * 20, options=CalibrationOptions(strategy=strategy))
    assert artifact.systems[0].metrics["ece"].value == pytest.approx(0.4)
    assert sum(each.count for each in artifact.systems[0].reliability) == 20


def test_a_preset_bundles_options_and_those_given_win():
    for name, bundle in CALIBRATION_PRESETS.items():
        conventions = CalibrationOptions.of(name)
        assert {each: getattr(conventions, each) for each in bundle} == dict(bundle)
    assert CalibrationOptions.of("mapie", n_bins=7).n_bins == 7
    with pytest.raises(UsageError, match="there is no preset 'pie'"):
        CalibrationOptions.of("pie")


def test_conventions_are_on_record():
    chosen = CalibrationOptions(n_bins=5, strategy="quantile", closed="right")
    conventions = evaluated(Y, P, options=chosen).conventions
    assert (conventions["n_bins"], conventions["strategy"]) == (5, "quantile")
    assert conventions["closed"] == "right"
    assert conventions["outcome"] == "y_true is 1"


def test_thin_bins_are_warned_about():
    warning = evaluated(Y[:30], P[:30]).warnings[0]
    assert "occupied bins hold fewer than 20 rows" in warning


def test_an_interval_beside_its_number_is_said():
    plan = Plan(n_resamples=200)
    scores = np.random.default_rng(1).random(300)
    outcome = (np.random.default_rng(2).random(300) < scores).astype(int)
    artifact = evaluated(outcome, scores, plan=plan, options=CalibrationOptions(n_bins=100))
    number = artifact.systems[0].metrics["ece"]
    assert number.interval[0] > number.value
    assert any("does not hold the number itself" in each for each in artifact.warnings)


def test_a_debiased_number_has_its_interval_turned_around_and_cut_at_0():
    percentile = evaluated(Y, P).systems[0].metrics["debiased_ece"]
    basic = evaluated(Y, P, plan=Plan(n_resamples=60, method="basic")).systems[0]
    low, high = basic.metrics["debiased_ece"].interval
    assert percentile.interval == (max(low, 0.0), high)


def test_p_values_of_clusters_come_with_a_warning():
    assert any("take rows as independent" in each for each in evaluated(Y, P, cluster=WHO).warnings)
    assert not any("take rows as" in each for each in evaluated(Y, P).warnings)


def test_monte_carlo_p_values_take_the_place_of_the_asymptotic_ones():
    options = CalibrationOptions(p_value="monte-carlo", n_draws=499)
    (system,) = evaluated(Y, P, options=options).systems
    (asymptotic,) = evaluated(Y, P).systems
    for label in ("ks_p_value", "kuiper_p_value", "spiegelhalter_two_sided_p_value"):
        number = system.metrics[label]
        assert number.options["n_draws"] == 499
        assert abs(number.value - asymptotic.metrics[label].value) < 0.15
        assert number.standard_error > 0
    assert 0 < system.metrics["ece_p_value"].value <= 1
    assert evaluated(Y, P, options=options).systems[0].metrics == system.metrics


def test_monte_carlo_p_values_reject_gross_overconfidence():
    options = CalibrationOptions(p_value="monte-carlo", n_draws=199)
    sure = np.where(P > 0.5, 0.98, 0.02)
    metrics = evaluated(Y, sure, options=options).systems[0].metrics
    assert metrics["ks_p_value"].value == pytest.approx(1 / 200)


def test_hard_scores_leave_nothing_to_redraw():
    options = CalibrationOptions(p_value="monte-carlo", n_draws=19)
    metrics = evaluated(Y, (P > 0.5).astype(float), options=options).systems[0].metrics
    assert metrics["ks_p_value"].value is None
    assert "nothing to redraw" in metrics["ks_p_value"].reason


@pytest.mark.parametrize("chosen", [{"ties": "mapie"}, {"start": "printed"}])
def test_monte_carlo_refuses_conventions_it_cannot_redraw(chosen):
    with pytest.raises(UsageError, match="Monte Carlo p-values take tied scores as one step"):
        CalibrationOptions(p_value="monte-carlo", **chosen)


def test_no_draws_are_refused():
    with pytest.raises(UsageError, match="the number of draws must be at least 1, found 0"):
        CalibrationOptions(n_draws=0)


def test_differences_of_p_values_are_not_reported():
    (pair,) = evaluated(Y, {"a": P, "b": SHARP}).pairs
    assert not any(label.endswith("p_value") for label in pair.deltas)


def test_one_cluster_is_warned_about():
    said = evaluated(Y, P, cluster=[1] * N).warnings
    assert "there is one cluster, so resampling clusters shows no uncertainty" in said


def test_the_artifact_is_strict_json():
    data = encode(evaluated(Y, {"a": P, "b": SHARP}, cluster=WHO))
    artifact = json.loads(data, parse_constant=pytest.fail)
    assert artifact["kind"] == "calibration"


def test_threads_change_no_digit():
    one = evaluated(Y, P, plan=Plan(n_resamples=60, threads=1))
    two = evaluated(Y, P, plan=Plan(n_resamples=60, threads=2))
    assert encode(one) == encode(two)


REFUSED = {
    "unequal lengths": ((Y, P[:-1]), {}, "`y_prob` has 239 rows where `y_true` has 240"),
    "NaN": ((Y, [np.nan, *P[1:]]), {}, r"row 0: `y_prob` is empty or NaN \(1 of 240 rows"),
    "outside": ((Y, P + 1), {}, r"row \d+: `y_prob` must be from 0 to 1, found"),
    "logits": ((Y, np.log(P / (1 - P + 1e-9) + 1e-9)), {}, "must be from 0 to 1"),
    "barely outside": ((Y, [1.0000001, *P[1:]]), {}, "must be from 0 to 1"),
    "one class": ((np.ones(N), P), {}, r"`y_true` is 1 in every row \(240\)"),
    "fewer rows than bins": (([0, 1], [0.2, 0.9]), {}, "has 2 rows for 10 bins"),
    "sums": ((LABEL, WIDE * 0.9), {}, r"must sum to 1, found 0\.9 \(240 of 240 rows are off"),
    "labels": ((LABEL + 5, WIDE), {}, "240 of 240 labels in `y_true` are not among the classes"),
    "classes": ((LABEL, WIDE), {"labels": [0, 1]}, "hold 3 probabilities per row where there are"),
    "positive": ((Y, P), {"pos_label": 2}, "never holds the positive label 2"),
    "no rows": (([], []), {}, "<memory> has no rows"),
    "one row of one class": (([1], [0.5]), {}, r"`y_true` is 1 in every row \(1\)"),
    "one row too few": (([1, 0], [0.5]), {}, "`y_prob` has 1 row where `y_true` has 2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case):
    given, settings, message = REFUSED[case]
    with pytest.raises(ColumnError, match=message) as refused:
        evaluated(*given, **settings)
    assert refused.value.hint


def test_systems_of_two_kinds_are_not_compared():
    with pytest.raises(UsageError, match="some systems have one probability per row"):
        evaluated(LABEL, {"a": P, "b": WIDE})


def test_a_system_may_not_take_the_name_of_another_column():
    with pytest.raises(UsageError, match="may not be named 'y_true'"):
        evaluated(Y, {"y_true": P})


def test_hard_scores_leave_tests_undefined_and_errors_defined():
    metrics = evaluated(Y, (P > 0.5).astype(float)).systems[0].metrics
    assert metrics["ece"].value is not None
    undefined = [each for each in metrics.values() if each.value is None]
    assert undefined
    assert all(each.reason for each in undefined)
