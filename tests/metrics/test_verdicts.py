"""Verdict metrics against their definitions, scikit-learn and values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    precision_recall_fscore_support,
)
from sklearn.metrics import confusion_matrix as sklearn_confusion

from assay.columns import Resamples
from assay.errors import ColumnError, UsageError
from assay.inference import Plan, bootstrap
from assay.metrics.verdicts import (
    class_f1,
    class_precision,
    class_recall,
    confusion_table,
    evidence_consistency,
    evidence_precision,
    evidence_recall,
    judgement_accuracy,
    macro_f1,
    ordinal_auprc,
    precision_recall_curve,
    snippet_validity,
    threshold_auprc,
    verdict_consistency,
)
from assay.registry import METRICS
from assay.score import Rows, requests, statistic
from tests import verdict_oracles as oracle
from tests.strategies import tables

LOW, HIGH, CRITICAL = 0, 1, 2

ranked_tables = tables(("verdict_true", "rank_score"), weight="copies")
labelled_tables = tables(("verdict_true", "verdict_given"))


def whole(column):
    return np.asarray(column).astype(int).tolist()


# Ranking, by hand


def test_all_verdicts_may_be_wrong_where_the_order_is_perfect():
    truth, given_ = [LOW, LOW, HIGH, HIGH], [HIGH, HIGH, CRITICAL, CRITICAL]
    assert ordinal_auprc(truth, [1, 2, 3, 4]) == 1.0
    assert macro_f1(truth, given_) == 0.0


def test_one_defined_step_is_the_mean_of_the_defined():
    # No critical case: the second step has nothing above it.
    truth, score = [0, 1, 0, 1], [4, 3, 2, 1]
    assert ordinal_auprc(truth, score) == threshold_auprc(truth, score, threshold=1)
    assert math.isnan(threshold_auprc(truth, score, threshold=2))
    # Found after 2 and 4 cases: (1/2 + 2/4) / 2.
    assert ordinal_auprc(truth, score) == 0.5


def test_five_cases_at_two_steps_by_hand():
    truth, score = [2, 0, 1, 0, 2], [5, 4, 3, 2, 1]
    # At or above 1: ranks 1, 3, 5, so (1/1 + 2/3 + 3/5) / 3. At or above 2: (1/1 + 2/5) / 2.
    first, second = (1 + 2 / 3 + 3 / 5) / 3, (1 + 2 / 5) / 2
    assert threshold_auprc(truth, score, threshold=1) == pytest.approx(first, rel=1e-15)
    assert threshold_auprc(truth, score, threshold=2) == pytest.approx(second, rel=1e-15)
    assert ordinal_auprc(truth, score) == pytest.approx((first + second) / 2, rel=1e-15)


def test_tied_scores_are_called_together_in_any_order():
    # Three cases share the top score, one of them positive; the other positive comes last.
    expected = (1 / 3 + 2 / 4) / 2
    for truth in ([1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]):
        assert ordinal_auprc(truth, [9, 9, 9, 1]) == pytest.approx(expected, rel=1e-15)


def test_steps_above_the_second_can_be_ignored_as_the_reference_does():
    truth, score = [0, 1, 2, 3, 3], [1, 2, 3, 4, 0]
    areas = [threshold_auprc(truth, score, threshold=step) for step in (1, 2, 3)]
    assert ordinal_auprc(truth, score) == pytest.approx(np.mean(areas), rel=1e-15)
    first_two = ordinal_auprc(truth, score, steps="first-two")
    assert first_two == pytest.approx(np.mean(areas[:2]), rel=1e-15)


@pytest.mark.parametrize(
    ("truth", "score"), [([], []), ([1], [3]), ([1, 1], [3, 4]), ([0, 0, 0], [1, 2, 3])]
)
def test_without_cases_on_both_sides_there_is_no_area(truth, score):
    assert math.isnan(ordinal_auprc(truth, score))


def test_cases_without_a_score_or_a_verdict_take_no_part():
    truth, score = [0, 1, np.nan, 1], [1, 2, 9, np.nan]
    assert ordinal_auprc(truth, score, scored=[1, 1, 0, 1], ranked=[1, 1, 1, 0]) == 1.0


def test_curve_lists_a_point_per_distinct_score():
    curve = precision_recall_curve([0, 1, 1, 0, 1], [1, 2, 2, 3, 3])
    assert curve.score.tolist() == [3, 2, 1]
    assert curve.precision.tolist() == [1 / 2, 3 / 4, 3 / 5]
    assert curve.recall.tolist() == [1 / 3, 1, 1]
    assert curve.n_positive == [3]
    assert curve.n_negative == [2]


def test_curve_of_the_low_end_starts_with_the_lowest_score():
    curve = precision_recall_curve([0, 1, 1], [1, 2, 3], positive="low")
    assert curve.score.tolist() == [1, 2, 3]
    assert curve.precision.tolist() == [1, 1 / 2, 1 / 3]


def test_curve_without_ranked_cases_has_no_points():
    curve = precision_recall_curve([0, 1], [1, 2], ranked=[0, 0])
    assert curve.score.size == 0
    assert curve.precision.shape == (0,)
    assert math.isnan(threshold_auprc([0, 1], [1, 2], ranked=[0, 0]))


def test_step_zero_is_refused():
    with pytest.raises(UsageError, match="`threshold` must be at least 1, found 0"):
        threshold_auprc([0, 1], [1, 2], threshold=0)


# Ranking, by definition and by scikit-learn


@given(ranked_tables)
def test_area_equals_its_definition(table):
    verdict, score = whole(table["verdict_true"]), table["rank_score"].tolist()
    times = whole(table["weight"])
    kept = [row for row, n in enumerate(times) if n]
    expected = oracle.ordinal_auprc(
        [verdict[row] for row in kept], [score[row] for row in kept], [times[row] for row in kept]
    )
    found = ordinal_auprc(**table)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@given(ranked_tables, st.sampled_from((1, 2)))
def test_area_equals_scikit_learn_with_weights(table, step):
    verdict, score, weight = table["verdict_true"], table["rank_score"], table["weight"]
    positive = verdict >= step
    assume(weight[positive].sum() > 0)
    assume(weight[~positive].sum() > 0)
    expected = average_precision_score(positive, score, sample_weight=weight)
    found = threshold_auprc(**table, threshold=step)
    assert found == pytest.approx(expected, rel=1e-12)


@given(ranked_tables)
def test_low_end_of_a_scale_is_the_high_end_of_the_scale_turned_around(table):
    turned = {
        **table,
        "verdict_true": 2 - table["verdict_true"],
        "rank_score": -table["rank_score"],
    }
    low, high = ordinal_auprc(**table, positive="low"), ordinal_auprc(**turned)
    np.testing.assert_allclose(low, high, rtol=1e-12)


@given(ranked_tables)
def test_only_the_order_of_scores_counts(table):
    other = {**table, "rank_score": np.unique(table["rank_score"], return_inverse=True)[1] * 2.5}
    np.testing.assert_allclose(ordinal_auprc(**table), ordinal_auprc(**other), rtol=1e-12)


# Classes


def test_labels_by_hand():
    truth, given_ = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
    assert class_precision(truth, given_, verdict=0) == 1.0
    assert class_recall(truth, given_, verdict=0) == pytest.approx(2 / 3)
    assert class_f1(truth, given_, verdict=0) == pytest.approx(0.8)
    assert class_precision(truth, given_, verdict=1) == 0.5
    assert class_f1(truth, given_, verdict=1) == 0.5
    assert class_f1(truth, given_, verdict=2) == pytest.approx(2 / 3)
    assert macro_f1(truth, given_) == pytest.approx((0.8 + 0.5 + 2 / 3) / 3)


def test_verdict_that_occurs_nowhere_is_not_counted_unless_asked_for():
    truth, given_ = [0, 0, 1], [0, 0, 1]
    assert macro_f1(truth, given_) == 1.0
    assert macro_f1(truth, given_, classes="all", n_verdicts=3) == pytest.approx(2 / 3)
    assert math.isnan(class_f1(truth, given_, verdict=2))


def test_verdict_never_given_has_no_precision_and_one_never_true_no_recall():
    assert math.isnan(class_precision([0, 1], [0, 0], verdict=1))
    assert class_recall([0, 1], [0, 0], verdict=1) == 0.0
    assert math.isnan(class_recall([0, 0], [0, 1], verdict=1))
    assert class_f1([0, 0], [0, 1], verdict=1) == 0.0


def test_without_scored_cases_macro_f1_is_undefined_and_the_reference_says_zero():
    assert math.isnan(macro_f1([], []))
    assert math.isnan(macro_f1([0, 1], [0, 1], scored=[0, 0]))
    assert math.isnan(macro_f1([0, 1], [0, 1], scored=[0, 0], classes="all"))
    assert METRICS["macro_f1"].reference == 0.0


def test_macro_f1_may_need_more_cases_than_one():
    one = {"verdict_true": [0, 1], "verdict_given": [0, 0], "scored": [1, 0]}
    assert macro_f1(**one) == 1.0
    assert macro_f1(**one, weight=[0.25, 0.25]) == 1.0
    assert math.isnan(macro_f1(**one, fewest=2))
    # Two copies of a case are two cases.
    assert macro_f1(**one, fewest=2, weight=[2, 1]) == 1.0


def test_confusion_table_lists_every_verdict_of_the_scale():
    table = confusion_table([0, 0, 1], [0, 1, 1], n_verdicts=4)
    assert table.counts.shape == (4, 4)
    assert table.support.tolist() == [2, 1, 0, 0]
    assert table.given.tolist() == [1, 2, 0, 0]
    assert table.right.tolist() == [1, 1, 0, 0]
    assert confusion_table([0, 0, 1], [0, 1, 1]).counts.shape == (2, 2)


def test_confusion_of_a_batch_of_weights_is_a_batch_of_tables():
    table = confusion_table([0, 1], [1, 1], weight=[[1, 1], [0, 3]], n_verdicts=3)
    assert table.counts.shape == (2, 3, 3)
    assert table.counts[:, 0, 1].tolist() == [1, 0]
    assert table.counts[:, 1, 1].tolist() == [1, 3]


def test_verdict_outside_the_scale_is_refused():
    with pytest.raises(ColumnError, match="must be below 3, found 3"):
        confusion_table([0, 3], [0, 1], n_verdicts=3)
    with pytest.raises(ColumnError, match="must be below 2, found 2"):
        macro_f1([0, 1], [0, 2], classes="all", n_verdicts=2)
    with pytest.raises(ColumnError, match="verdicts must be below 1000, found 5000"):
        macro_f1([0, 5000], [0, 1])
    with pytest.raises(UsageError, match="`verdict` must not be negative, found -1"):
        class_f1([0], [0], verdict=-1)


def test_long_scales_are_counted_too():
    verdicts = list(range(300))
    assert macro_f1(verdicts, verdicts) == 1.0
    assert confusion_table(verdicts, verdicts[::-1]).counts.sum() == 300


@given(labelled_tables)
def test_labels_equal_their_definitions(table):
    truth, given_ = whole(table["verdict_true"]), whole(table["verdict_given"])
    assert macro_f1(**table) == pytest.approx(oracle.macro_f1(truth, given_), rel=1e-12)
    for verdict in range(3):
        found = [metric(**table, verdict=verdict) for metric in (class_precision, class_recall)]
        expected = oracle.class_scores(truth, given_, verdict)
        np.testing.assert_allclose([*found, class_f1(**table, verdict=verdict)], expected)


@given(tables(("verdict_true", "verdict_given"), weight="copies"))
def test_labels_equal_scikit_learn_with_weights(table):
    kept = table["weight"] > 0
    truth, given_, weight = (
        table[name][kept] for name in ("verdict_true", "verdict_given", "weight")
    )
    settings = {"sample_weight": weight, "zero_division": 0}
    expected = f1_score(truth, given_, average="macro", **settings)
    assert macro_f1(**table) == pytest.approx(expected, rel=1e-12, abs=1e-15)
    every = f1_score(truth, given_, average="macro", labels=[0, 1, 2], **settings)
    found = macro_f1(**table, classes="all", n_verdicts=3)
    assert found == pytest.approx(every, rel=1e-12, abs=1e-15)
    counted = confusion_table(**table, n_verdicts=3)
    labels = [0, 1, 2]
    np.testing.assert_array_equal(
        counted.counts, sklearn_confusion(truth, given_, labels=labels, sample_weight=weight)
    )
    parts = precision_recall_fscore_support(truth, given_, labels=labels, **settings)
    for ours, theirs in zip(
        (counted.precision, counted.recall, counted.f1, counted.support), parts, strict=True
    ):
        np.testing.assert_allclose(np.nan_to_num(ours), theirs, rtol=1e-12)


# Counts


def test_counts_are_pooled_over_cases_and_not_averaged():
    assert evidence_precision([10, 1], [5, 1]) == pytest.approx(6 / 11)
    assert evidence_recall([10, 10, 0], [8, 4, 0]) == 0.6
    assert snippet_validity([20], [19]) == 0.95
    assert judgement_accuracy([30, 5], [20, 4]) == pytest.approx(24 / 35)
    assert verdict_consistency([1, 1, 0, 1], [1, 0, 0, 1]) == pytest.approx(2 / 3)
    assert evidence_consistency([1, 0], [0, 0]) == 0.0


@pytest.mark.parametrize(
    "metric",
    [
        evidence_precision,
        evidence_recall,
        snippet_validity,
        judgement_accuracy,
        verdict_consistency,
        evidence_consistency,
    ],
)
def test_nothing_of_nothing_is_undefined_and_never_zero_or_one(metric):
    assert math.isnan(metric([], []))
    assert math.isnan(metric([0, 0], [0, 0]))
    assert METRICS[metric.__name__].undefined
    assert METRICS[metric.__name__].reference is None


def test_more_matches_than_claims_are_refused_by_name():
    with pytest.raises(
        ColumnError,
        match=r"`n_matched` must be at most `n_claimed`, .* found 3 of 2 at row 1",
    ):
        evidence_precision([1, 2], [1, 3])
    with pytest.raises(ColumnError, match="`n_matched` must be at most `n_gold`"):
        evidence_recall([0], [1])


@given(tables(("n_claimed", "n_gold", "n_matched")))
def test_precision_and_recall_swap_where_claims_and_truth_do(table):
    claimed, gold, matched = (table[name] for name in ("n_claimed", "n_gold", "n_matched"))
    precision, recall = evidence_precision(claimed, matched), evidence_recall(gold, matched)
    assert evidence_precision(gold, matched) == pytest.approx(recall, nan_ok=True)
    assert evidence_recall(claimed, matched) == pytest.approx(precision, nan_ok=True)
    if gold.sum():
        assert recall == pytest.approx(matched.sum() / gold.sum(), rel=1e-15)


# Resamples


def test_resamples_of_cases_equal_one_call_per_drawn_sample():
    rng = np.random.default_rng(3)
    n = 12
    columns = {
        "verdict_true": rng.integers(0, 3, n).astype(float),
        "rank_score": rng.integers(0, 5, n).astype(float),
        "verdict_given": rng.integers(0, 3, n).astype(float),
        "n_claimed": rng.integers(1, 4, n).astype(float),
        "n_matched": np.ones(n),
        "n_gold": rng.integers(1, 4, n).astype(float),
    }
    weight = Resamples(np.ones((1, n)), np.arange(n), np.ones(n), ())
    rows = Rows(columns, weight)
    settings = {"threshold": (1, 2), "verdict": (0, 1, 2)}
    asked = requests(tuple(columns), settings)
    steps = {"threshold_auprc@1.00", "threshold_auprc@2.00", "class_f1@2.00"}
    assert {each.label for each in asked} >= {"macro_f1", "ordinal_auprc", *steps}
    statistics = [statistic(each, rows) for each in asked]
    plan = Plan(n_resamples=40)
    drawn = bootstrap(statistics, plan, n_clusters=n, n_rows=n)
    state = np.random.RandomState(plan.seed)
    for replicate in range(plan.n_resamples):
        chosen = state.randint(0, n, n)
        for row, each in enumerate(asked):
            wanted = {*each.metric.columns, *each.metric.optional} & columns.keys()
            sample = {name: columns[name][chosen] for name in wanted}
            expected = each.metric.function(**sample, **each.options)
            found = drawn.distribution[row, replicate]
            assert found == pytest.approx(expected, rel=1e-12, nan_ok=True), each.label


def test_step_that_a_resample_leaves_empty_drops_out_of_its_mean():
    weight = [[1, 1, 1], [2, 1, 0], [0, 1, 2]]
    found = ordinal_auprc([0, 1, 2], [1, 2, 3], weight=weight)
    np.testing.assert_allclose(found, [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(
        threshold_auprc([0, 1, 2], [1, 2, 3], weight=weight, threshold=2), [1.0, np.nan, 1.0]
    )
