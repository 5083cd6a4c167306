from __future__ import annotations

import json

import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import brier_score_loss

from assay.artifact import encode
from assay.errors import ColumnError, UsageError
from assay.families.calibration.options import PRESETS, CalibrationOptions
from assay.library import evaluate
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
FEW, NONE = {"n_resamples": 60}, {"n_resamples": 0}

# The twenty rows of the comparison of libraries: ties, exact bin edges, 0 and 1.
CONFIDENCE = [0, 1, 1, 2, 3, 3, 5, 5, 5, 6, 7, 7, 8, 9, 9, 9, 10, 10, 10, 10]
CORRECT = [0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1]


def evaluated(y_true, y_prob, **settings):
    given = {**FEW, "threads": 1, **settings}
    return evaluate("calibration", y_true=y_true, y_prob=y_prob, **given).artifact


def only(artifact):
    """Return what the first system has: calibration knows no variants."""
    return artifact.systems[0].variants[""]


def test_the_numbers_are_those_of_the_metric_functions():
    system = only(evaluated(Y, P))
    assert system.numbers["ece"].value == pytest.approx(ece(Y, P))
    assert system.numbers["brier"].value == pytest.approx(brier_score_loss(Y, P))


def test_every_number_has_an_interval_or_a_reason():
    for system in evaluated(Y, {"a": P, "b": SHARP}).systems:
        for label, number in system.variants[""].numbers.items():
            assert (number.interval is None) != (number.interval_reason is None), label
            assert (number.value is None) == (number.reason is not None), label


def test_p_values_are_not_resampled():
    system = only(evaluated(Y, P))
    p_values = {n: each for n, each in system.numbers.items() if n.endswith("p_value")}
    assert p_values
    assert all("computed once" in (each.interval_reason or "") for each in p_values.values())


def test_the_debiased_error_stands_beside_the_plug_in():
    artifact = evaluated(Y, P)
    metrics = only(artifact).numbers
    assert metrics["debiased_ece"].value <= metrics["ece"].value
    assert metrics["debiased_ece"].interval is not None
    assert "debiased_ece" in str(artifact.conventions["ece_bias"])


def test_arrays_lists_frames_and_tables_give_the_same_artifact():
    frame = {"y": Y, "p": P, "who": WHO}
    wanted = evaluated(Y, P, cluster=WHO)
    alike = [
        evaluated(Y.tolist(), P.tolist(), cluster=WHO.tolist()),
        evaluated("y", "p", cluster="who", data=pd.DataFrame(frame)),
        evaluated("y", "p", cluster="who", data=pl.DataFrame(frame)),
        evaluated("y", "p", cluster="who", data=pa.table(frame)),
        evaluated("y", "p", cluster="who", data=from_columns(**frame)),
    ]
    for each in alike:
        assert only(each).numbers == only(wanted).numbers
        assert only(each).parts == only(wanted).parts
        assert each.resampling == wanted.resampling


def test_rows_are_resampled_without_clusters_and_clusters_with_them():
    assert evaluated(Y, P).resampling.unit == "row"
    artifact = evaluated(Y, P, cluster=WHO)
    assert (artifact.resampling.unit, artifact.resampling.n_units) == ("cluster", N // 4)


def test_clusters_of_one_row_give_the_numbers_of_rows():
    one, other = evaluated(Y, P), evaluated(Y, P, cluster=np.arange(N))
    assert only(one).numbers == only(other).numbers


def test_the_order_of_rows_changes_nothing_but_rounding():
    order = GENERATOR.permutation(N)
    one = only(evaluated(Y, P, cluster=WHO))
    other = only(evaluated(Y[order], P[order], cluster=WHO[order]))
    for label, number in one.numbers.items():
        assert other.numbers[label].value == pytest.approx(number.value, abs=1e-12), label


def test_predict_proba_and_its_classes_are_understood():
    names = np.array(["ant", "bee", "cow"])
    by_name = evaluated(names[LABEL], WIDE, labels=names)
    by_number = evaluated(LABEL, WIDE)
    assert only(by_name).numbers == only(by_number).numbers
    assert [each.label for each in only(by_name).parts.classes] == ["ant", "bee", "cow"]
    assert by_name.conventions["classes"] == ["ant", "bee", "cow"]


def test_the_order_of_classes_is_part_of_the_question():
    turned = evaluated(LABEL, WIDE[:, ::-1], labels=[2, 1, 0])
    assert only(turned).counts["n_positive"] == only(evaluated(LABEL, WIDE)).counts["n_positive"]


def test_the_binary_numbers_of_classes_are_about_the_top_label():
    system = only(evaluated(LABEL, WIDE))
    top = WIDE.argmax(1)
    assert system.counts["n_positive"] == (top == LABEL).sum()
    assert system.numbers["brier"].value == pytest.approx(
        ((WIDE.max(1) - (top == LABEL)) ** 2).mean()
    )
    assert "brier" not in system.parts.over_classes
    assert set(system.parts.over_classes) < set(system.numbers)


def test_frames_name_class_columns_by_the_classes():
    frame = pd.DataFrame({"y": LABEL, **{str(each): WIDE[:, each] for each in range(3)}})
    by_column = evaluated("y", ["0", "1", "2"], data=frame)
    assert only(by_column).numbers == only(evaluated(LABEL, WIDE)).numbers


def test_pos_label_says_which_label_the_score_is_about():
    words = np.where(Y, "spam", "ham")
    wanted = only(evaluated(Y, P))
    assert only(evaluated(words, P, pos_label="spam")).numbers == wanted.numbers
    with pytest.raises(ColumnError, match="must hold 0 and 1, or true and false, found"):
        evaluated(words, P)


def test_booleans_are_outcomes():
    assert only(evaluated(Y.astype(bool), P)).counts["n_positive"] == Y.sum()


def test_several_systems_are_compared_with_the_first():
    artifact = evaluated(Y, {"a": P, "b": SHARP, "c": P})
    assert [(each.left, each.right) for each in artifact.pairs] == [(0, 1), (0, 2)]
    assert artifact.pairs[0].deltas[""]["brier"].delta > 0
    assert artifact.pairs[1].deltas[""]["brier"].delta == 0
    assert artifact.pairs[1].deltas[""]["brier"].p_value == 1


def test_the_reliability_table_counts_every_row_once():
    for strategy in ("uniform", "quantile", "mapie-uniform", "mapie-quantile"):
        artifact = evaluated(Y, P, strategy=strategy)
        table = only(artifact).parts.reliability
        assert sum(each.count for each in table) == N, strategy
        error = sum(
            each.count * abs(each.accuracy - each.mean_confidence) for each in table if each.count
        )
        assert error / N == pytest.approx(only(artifact).numbers["ece"].value), strategy
        for each in table:
            if each.count:
                assert each.low <= each.mean_confidence + 1e-12, strategy
                assert each.mean_confidence <= each.high + 1e-12, strategy


def test_a_bin_has_an_exact_interval_for_rows_and_a_resampled_one_for_clusters():
    rows, clusters = only(evaluated(Y, P)), only(evaluated(Y, P, cluster=WHO))
    assert rows.parts.reliability_interval == "clopper-pearson"
    assert clusters.parts.reliability_interval == "cluster bootstrap"
    for each in (*rows.parts.reliability, *clusters.parts.reliability):
        if each.interval is not None:
            assert each.interval[0] <= each.accuracy <= each.interval[1]
        else:
            assert each.interval_reason


def test_the_cumulative_curve_starts_at_0_and_ends_at_the_mean_gap():
    curve = only(evaluated(Y, P)).parts.cumulative
    assert (curve.share[0], curve.difference[0], curve.band[0]) == (0.0, 0.0, 0.0)
    assert curve.share[-1] == 1.0
    assert curve.difference[-1] == pytest.approx((Y - P).mean())
    assert curve.band[-1] == pytest.approx(1.959964 * np.sqrt((P * (1 - P)).sum()) / N, rel=1e-6)
    assert len(curve.share) == len(np.unique(P)) + 1


def test_tied_scores_are_one_step_of_the_cumulative_curve():
    curve = evaluated([0, 1] * 20, [0.5] * 40, n_bins=2)
    assert only(curve).parts.cumulative.difference == [0.0, 0.0]


def test_a_long_curve_is_thinned_to_2000_points():
    scores = np.random.default_rng(1).random(5_000)
    outcome = (scores > 0.4).astype(int)
    curve = only(evaluated(outcome, scores, **NONE)).parts.cumulative
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
    artifact = evaluated(CORRECT, scores, **options)
    assert only(artifact).numbers["ece"].value == pytest.approx(value)


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "mapie-uniform", "scores"])
def test_constant_confidence_has_its_error_under_every_strategy(strategy):
    artifact = evaluated([0, 1] * 10, [0.9] * 20, strategy=strategy)
    assert only(artifact).numbers["ece"].value == pytest.approx(0.4)
    assert sum(each.count for each in only(artifact).parts.reliability) == 20


def test_a_preset_bundles_options_and_those_given_win():
    for name, bundle in PRESETS.items():
        conventions = CalibrationOptions(preset=name)
        assert {each: getattr(conventions, each) for each in bundle} == dict(bundle)
    assert CalibrationOptions(preset="mapie", n_bins=7).n_bins == 7
    with pytest.raises(UsageError, match="`preset` must be one of default, mapie, scikit-learn"):
        CalibrationOptions(preset="pie")


def test_conventions_are_on_record():
    conventions = evaluated(Y, P, n_bins=5, strategy="quantile", closed="right").conventions
    assert (conventions["n_bins"], conventions["strategy"]) == (5, "quantile")
    assert conventions["closed"] == "right"
    assert conventions["outcome"] == "y_true is 1"


def test_thin_bins_are_warned_about():
    warning = evaluated(Y[:30], P[:30]).warnings[0]
    assert "occupied bins hold fewer than 20 rows" in warning


def test_an_interval_beside_its_number_is_said():
    plan = {"n_resamples": 200}
    scores = np.random.default_rng(1).random(300)
    outcome = (np.random.default_rng(2).random(300) < scores).astype(int)
    artifact = evaluated(outcome, scores, **plan, n_bins=100, ci_method="percentile")
    number = only(artifact).numbers["ece"]
    assert number.interval[0] > number.value
    assert any("does not hold the number itself" in each for each in artifact.warnings)


def test_a_debiased_number_has_its_interval_turned_around_and_cut_at_0():
    percentile = only(evaluated(Y, P, ci_method="percentile")).numbers["debiased_ece"]
    basic = only(evaluated(Y, P, ci_method="basic"))
    low, high = basic.numbers["debiased_ece"].interval
    assert percentile.interval == (max(low, 0.0), high)


def test_p_values_turn_the_signs_of_clusters_that_are_named():
    numbers = only(evaluated(Y, P, cluster=WHO)).numbers
    by_law = only(evaluated(Y, P, cluster=WHO, law="limit")).numbers
    for label in ("ks_p_value", "kuiper_p_value", "spiegelhalter_p_value"):
        chosen = numbers[label].options
        assert chosen["method"] == "sign flips of clusters"
        assert numbers[label].value != by_law[label].value
        assert "method" not in by_law[label].options
    assert numbers["spiegelhalter_p_value"].options["by_law"] == pytest.approx(
        by_law["spiegelhalter_p_value"].value
    )
    without = only(evaluated(Y, P, cluster=WHO, n_resamples=0)).numbers
    assert without["ks_p_value"].value == numbers["ks_p_value"].value


def test_p_values_by_law_come_with_a_warning_where_clusters_are_named():
    asked = evaluated(Y, P, cluster=WHO, p_value="asymptotic")
    assert any("take rows as independent" in each for each in asked.warnings)
    assert not any("take rows as" in each for each in evaluated(Y, P, cluster=WHO).warnings)
    assert not any("take rows as" in each for each in evaluated(Y, P).warnings)


def test_walks_of_few_scores_are_tested_by_redrawn_outcomes():
    tenths = np.round(P, 1)
    numbers = only(evaluated(Y, tenths)).numbers
    for label, redrawn in (("ks_p_value", True), ("spiegelhalter_p_value", False)):
        assert ("n_draws" in numbers[label].options) is redrawn
    many = np.linspace(0.01, 0.99, Y.size)
    assert Y.size >= 50
    assert "n_draws" not in only(evaluated(Y, many)).numbers["ks_p_value"].options
    asked = only(evaluated(Y, tenths, p_value="asymptotic")).numbers
    assert "n_draws" not in asked["ks_p_value"].options
    unusual = only(evaluated(Y, tenths, ties="stable")).numbers
    assert "n_draws" not in unusual["ks_p_value"].options


def test_monte_carlo_p_values_take_the_place_of_the_asymptotic_ones():
    options = {"p_value": "monte-carlo", "n_draws": 499}
    system = only(evaluated(Y, P, **options))
    asymptotic = only(evaluated(Y, P, p_value="asymptotic"))
    for label in ("ks_p_value", "kuiper_p_value", "spiegelhalter_two_sided_p_value"):
        number = system.numbers[label]
        assert number.options["n_draws"] == 499
        assert abs(number.value - asymptotic.numbers[label].value) < 0.15
        assert number.standard_error > 0
    assert 0 < system.numbers["ece_p_value"].value <= 1
    assert only(evaluated(Y, P, **options)).numbers == system.numbers


def test_monte_carlo_p_values_reject_gross_overconfidence():
    options = {"p_value": "monte-carlo", "n_draws": 199}
    sure = np.where(P > 0.5, 0.98, 0.02)
    metrics = only(evaluated(Y, sure, **options)).numbers
    assert metrics["ks_p_value"].value == pytest.approx(1 / 200)


def test_hard_scores_leave_nothing_to_redraw():
    options = {"p_value": "monte-carlo", "n_draws": 19}
    metrics = only(evaluated(Y, (P > 0.5).astype(float), **options)).numbers
    assert metrics["ks_p_value"].value is None
    assert "nothing to redraw" in metrics["ks_p_value"].reason


@pytest.mark.parametrize("chosen", [{"ties": "mapie"}, {"start": "printed"}])
def test_monte_carlo_refuses_conventions_it_cannot_redraw(chosen):
    with pytest.raises(UsageError, match="Monte Carlo p-values take tied scores as one step"):
        CalibrationOptions(p_value="monte-carlo", **chosen)


def test_no_draws_are_refused():
    with pytest.raises(UsageError, match="`n_draws` must be from 1 to 10,000,000, found 0"):
        CalibrationOptions(n_draws=0)


def test_differences_of_p_values_are_not_reported():
    (pair,) = evaluated(Y, {"a": P, "b": SHARP}).pairs
    assert not any(label.endswith("p_value") for label in pair.deltas[""])


def test_one_cluster_is_warned_about():
    said = evaluated(Y, P, cluster=[1] * N).warnings
    assert "there is one cluster, so resampling clusters shows no uncertainty" in said


def test_the_artifact_is_strict_json():
    data = encode(evaluated(Y, {"a": P, "b": SHARP}, cluster=WHO))
    artifact = json.loads(data, parse_constant=pytest.fail)
    assert artifact["kind"] == "calibration"


def test_threads_change_no_digit():
    one, two = (evaluated(Y, P, threads=threads) for threads in (1, 2))
    assert encode(msgspec.structs.replace(two, created_at=one.created_at)) == encode(one)


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
    "no rows": (([], []), {}, "data has no rows"),
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
    both = np.column_stack([1 - P, P])
    with pytest.raises(UsageError, match="some systems have one probability per row"):
        evaluated(Y, {"a": P, "b": both}, two_classes="top-label")


def test_a_score_and_probabilities_of_two_classes_state_the_same_outcome():
    both = np.column_stack([1 - SHARP, SHARP])
    found = evaluated(Y, {"one": P, "two": both})
    assert found.pairs == evaluated(Y, {"one": P, "two": SHARP}).pairs
    assert found.conventions["outcome"] == "y_true is 1, of the classes 0, 1"
    turned = evaluated(Y, {"two": both, "one": 1 - P}, positive=0)
    assert turned.pairs[0].deltas[""]["brier"].left == pytest.approx(((Y - SHARP) ** 2).mean())
    assert turned.pairs[0].deltas[""]["brier"].right == pytest.approx(((Y - P) ** 2).mean())


def test_a_system_may_have_the_name_of_a_role():
    found = evaluated(Y, {"y_true": P, "y_prob": SHARP})
    assert [each.name for each in found.systems] == ["y_true", "y_prob"]
    assert only(found).numbers == only(evaluated(Y, P)).numbers


def test_hard_scores_leave_tests_undefined_and_errors_defined():
    metrics = only(evaluated(Y, (P > 0.5).astype(float))).numbers
    assert metrics["ece"].value is not None
    undefined = [each for each in metrics.values() if each.value is None]
    assert undefined
    assert all(each.reason for each in undefined)
