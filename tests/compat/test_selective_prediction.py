"""The record API: exact values, the reading it promises, and the bootstrap of both kinds."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest

from assay.compat import selective_prediction as api
from assay.compat.selective_prediction import (
    CurvePoint,
    ItemPrediction,
    bootstrap_by_participant,
    compute_augrc,
    compute_augrc_at_coverage,
    compute_augrc_optimal,
    compute_aurc,
    compute_aurc_achievable,
    compute_aurc_at_coverage,
    compute_aurc_optimal,
    compute_cmax,
    compute_eaugrc,
    compute_eaurc,
    compute_risk_at_coverage,
    compute_risk_coverage_curve,
    paired_bootstrap_delta_by_participant,
)
from assay.demo import DEMO_PATH
from assay.errors import ColumnError, UsageError
from assay.sources import read_run
from tests import oracles
from tests.sources.run_files import experiment, failed, person, run, write

ABSTAINED = ItemPrediction(1, 9, None, 3, 0.0)


def rows(items) -> list[oracles.Row]:
    ordered = sorted(items, key=lambda each: (each.participant_id, each.item_index))
    return [
        oracles.Row(Fraction(0), each.confidence, answered=False)
        if each.pred is None
        else oracles.Row(Fraction(abs(each.pred - each.gt)), each.confidence)
        for each in ordered
    ]


def groups(items) -> dict[int, list[oracles.Row]]:
    people = sorted({each.participant_id for each in items})
    return {who: rows([each for each in items if each.participant_id == who]) for who in people}


def example(seed: int, *, n_people: int = 6, answering: float = 0.7) -> list[ItemPrediction]:
    draw = np.random.default_rng(seed)
    return [
        ItemPrediction(
            who,
            item,
            int(draw.integers(4)) if draw.random() < answering else None,
            int(draw.integers(4)),
            int(draw.integers(4)) / 4,
        )
        for who in range(n_people)
        for item in range(4)
    ]


def table_items(table, signal: str) -> list[ItemPrediction]:
    columns = (table.cluster, table.item, table.prediction, table.truth)
    return [
        ItemPrediction(
            table.participants[who],
            item,
            None if np.isnan(pred) else int(pred),
            int(gt),
            confidence,
        )
        for who, item, pred, gt, confidence in zip(
            *(each.tolist() for each in columns), table.signals[signal].value.tolist(), strict=True
        )
    ]


def test_perfect_predictions_have_no_area():
    items = [ItemPrediction(1, item, 2, 2, item / 8) for item in range(8)]
    for loss in ("abs", "abs_norm"):
        assert compute_aurc(items, loss=loss) == 0.0
        assert compute_augrc(items, loss=loss) == 0.0


def test_one_prediction_among_abstentions_is_one_step_of_all_items():
    items = [ItemPrediction(1, 0, 2, 0, 0.5)]
    items += [ItemPrediction(1, item, None, 1, 0.0) for item in range(1, 8)]
    assert compute_cmax(items) == 1 / 8
    assert compute_aurc(items, loss="abs") == 2 * (1 / 8)
    assert compute_augrc(items, loss="abs") == (2 / 8) * (1 / 8)
    assert compute_risk_at_coverage(items, target_coverage=0.1, loss="abs") == 2.0
    assert compute_risk_at_coverage(items, target_coverage=0.125, loss="abs") == 2.0
    assert compute_risk_at_coverage(items, target_coverage=0.126, loss="abs") is None


def test_the_risk_at_a_coverage_is_that_of_exactly_the_items_it_takes():
    items = [ItemPrediction(1, item, item % 4, 0, 1.0 - item / 10) for item in range(10)]
    risks = [each.risk for each in compute_risk_coverage_curve(items, loss="abs")]
    for k in range(1, 11):
        assert compute_risk_at_coverage(items, target_coverage=k / 10, loss="abs") == risks[k - 1]
    assert compute_risk_at_coverage(items, target_coverage=0.31, loss="abs") == risks[3]


@pytest.mark.parametrize("n", [50, 100])
def test_a_coverage_of_k_in_n_takes_k_items_whatever_binary_says(n):
    items = [ItemPrediction(1, item, min(3, item // 30), 0, -item) for item in range(n)]
    risks = [each.risk for each in compute_risk_coverage_curve(items, loss="abs")]
    for k in range(1, n + 1):
        assert compute_risk_at_coverage(items, target_coverage=k / n, loss="abs") == risks[k - 1]


def test_equal_confidences_are_ordered_by_participant_and_item_alone():
    items = [
        ItemPrediction(who, item, pred, 0, 0.5)
        for (who, item), pred in zip(
            [(2, 1), (10, 0), (1, 1), (1, 0), (2, 0)], [3, 1, 1, 0, 2], strict=True
        )
    ]
    expected = [
        CurvePoint(k / 5, total / k, total / 5) for k, total in enumerate([0, 1, 3, 6, 7], 1)
    ]
    for seed in range(10):
        shuffled = [items[place] for place in np.random.default_rng(seed).permutation(5)]
        found = compute_risk_coverage_curve(shuffled, loss="abs")
        np.testing.assert_allclose(found, expected, rtol=1e-14)
        assert compute_aurc(shuffled, loss="abs") == pytest.approx(
            (0 / 1 + 1 / 2 + 3 / 3 + 6 / 4 + 7 / 5) / 5
        )


@pytest.mark.parametrize("area", ["step", "trapezoid"])
def test_joint_risk_is_coverage_times_risk(area):
    for seed in range(5):
        for coverage, risk, joint in compute_risk_coverage_curve(
            example(seed), loss="abs_norm", area=area
        ):
            assert joint == pytest.approx(coverage * risk, rel=1e-14)


@pytest.mark.parametrize(("area", "reading"), [("step", "step"), ("trapezoid", "plateau")])
def test_every_function_is_its_slow_definition(engine, area, reading):
    for seed in range(4):
        items = example(seed)
        exact = rows(items)
        for function, definition in (
            (compute_aurc, oracles.aurc),
            (compute_augrc, oracles.augrc),
            (compute_aurc_optimal, oracles.aurc_optimal),
            (compute_augrc_optimal, oracles.augrc_optimal),
            (compute_eaurc, oracles.eaurc),
            (compute_eaugrc, oracles.eaugrc),
        ):
            expected = float(definition(exact, reading=reading))
            assert function(items, loss="abs", area=area) == pytest.approx(expected, abs=1e-12)
        for at in (0.3, 0.55, 1.0):
            for function, definition in (
                (compute_aurc_at_coverage, oracles.aurc_at),
                (compute_augrc_at_coverage, oracles.augrc_at),
            ):
                found = function(items, max_coverage=at, loss="abs", area=area)
                expected = definition(exact, at, reading=reading)
                assert found == pytest.approx(float(expected), abs=1e-12)
            risk = compute_risk_at_coverage(items, target_coverage=at, loss="abs", area=area)
            expected = oracles.risk_at_coverage(exact, at, reading=reading)
            assert risk == (None if expected is None else pytest.approx(float(expected)))
        assert compute_cmax(items) == float(oracles.cmax(exact))
        hull = compute_aurc_achievable(items, loss="abs")
        assert hull == pytest.approx(float(oracles.aurc_achievable(exact)), abs=1e-12)


def test_the_normalized_loss_is_a_third_and_the_default_of_the_joint_areas():
    items = example(1)
    assert compute_aurc(items, loss="abs") == pytest.approx(
        3 * compute_aurc(items, loss="abs_norm")
    )
    assert compute_augrc(items) == compute_augrc(items, loss="abs_norm")
    assert compute_augrc_optimal(items) == compute_augrc_optimal(items, loss="abs_norm")
    assert compute_eaugrc(items) == compute_eaugrc(items, loss="abs_norm")


@pytest.mark.parametrize("items", [[], [ABSTAINED], [ABSTAINED] * 3])
def test_without_predictions_areas_are_zero_and_risks_undefined(items):
    assert compute_risk_coverage_curve(items, loss="abs") == []
    assert compute_cmax(items) == 0.0
    for function in (compute_aurc, compute_augrc, compute_aurc_optimal, compute_eaugrc):
        assert function(items, loss="abs") == 0.0
    assert compute_aurc_achievable(items, loss="abs") == 0.0
    assert compute_aurc_at_coverage(items, max_coverage=0.5, loss="abs") == 0.0
    assert compute_risk_at_coverage(items, target_coverage=0.5, loss="abs") is None


@pytest.mark.parametrize("coverage", [0.0, -0.5, 1.5])
def test_a_coverage_outside_the_unit_interval_is_refused(coverage):
    with pytest.raises(UsageError, match="`coverage` must be above 0 and at most 1"):
        compute_risk_at_coverage(example(1), target_coverage=coverage, loss="abs")
    with pytest.raises(UsageError, match="`area_coverage` must be above 0 and at most 1"):
        compute_aurc_at_coverage(example(1), max_coverage=coverage, loss="abs")


@pytest.mark.parametrize(
    ("pred", "gt", "complaint"),
    [
        (
            4,
            0,
            "participant 7, item 2: `pred` must be a whole number from 0 to 3, or None, found 4",
        ),
        (-1, 0, "`pred` must be a whole number from 0 to 3, or None, found -1"),
        (None, 9, "`gt` must be a whole number from 0 to 3, found 9"),
        (1, None, "`gt` must be a whole number from 0 to 3, found None"),
        (1.5, 1, "`pred` must be .* found 1.5"),
        (1, 0.5, "`gt` must be .* found 0.5"),
        (float("nan"), 1, "`pred` must be .* found nan"),
        (True, 1, "`pred` must be .* found True"),
        ("2", 1, "`pred` must be .* found '2'"),
        (10**400, 1, "`pred` must be .* found 1000"),
    ],
)
def test_what_is_no_score_on_the_scale_is_refused(pred, gt, complaint):
    with pytest.raises(ColumnError, match=complaint):
        ItemPrediction(7, 2, pred, gt, 0.5)


@pytest.mark.parametrize("confidence", [float("nan"), float("inf")])
def test_a_confidence_must_be_finite_where_there_is_a_prediction(confidence):
    with pytest.raises(ColumnError, match="`confidence` must be finite"):
        compute_aurc([ItemPrediction(1, 0, 1, 1, confidence)], loss="abs")
    assert compute_cmax([ItemPrediction(1, 0, None, 1, confidence)]) == 0.0


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"participant_id": None}, "`participant_id` must be a whole number, found None"),
        ({"participant_id": 1.5}, "`participant_id` must be a whole number, found 1.5"),
        ({"participant_id": True}, "`participant_id` must be a whole number, found True"),
        ({"item_index": "first"}, "item 'first': `item_index` must be a whole number"),
        ({"confidence": 10**400}, "item 2: `confidence` must be a number that a double can hold"),
        ({"confidence": None}, "`confidence` must be a number that a double can hold, found None"),
        ({"confidence": "high"}, "`confidence` must be .* found 'high'"),
    ],
)
def test_what_is_no_id_and_no_number_is_refused_in_words(changes, complaint):
    fields = {"participant_id": 7, "item_index": 2, "pred": 1, "gt": 1, "confidence": 0.5}
    with pytest.raises(ColumnError, match=complaint):
        ItemPrediction(**(fields | changes))


def test_numbers_of_numpy_are_numbers_of_a_record():
    given = ItemPrediction(np.int64(7), np.int64(2), np.float64(1.0), np.int8(1), np.float32(0.5))
    assert compute_aurc([given], loss="abs") == 0.0


def test_ids_are_all_numbers_or_all_texts():
    items = [ItemPrediction(who, 0, 1, 1, 0.5) for who in (1, "a")]
    for function in (compute_aurc, compute_risk_coverage_curve):
        with pytest.raises(ColumnError, match=r"both texts \('a'\) and numbers \(1\)"):
            function(items, loss="abs")
    with pytest.raises(ColumnError, match=r"on one side only \(such as 1, left\)"):
        paired_bootstrap_delta_by_participant(items[:1], items[1:], "aurc", seed=1, n_resamples=2)
    assert compute_cmax(items[1:]) == 1.0


def test_a_sample_has_each_item_of_a_participant_once():
    twice = [ItemPrediction(1, 3, 1, 1, 0.5)] * 2
    assert compute_cmax(twice) == 1.0
    with pytest.raises(ColumnError, match="participant 1 has item 3 twice"):
        bootstrap_by_participant(twice, "aurc", seed=1, n_resamples=2)


def test_a_record_is_frozen_and_small():
    with pytest.raises(FrozenInstanceError, match="cannot assign"):
        ABSTAINED.pred = 2  # type: ignore[misc]  # the error is the subject
    assert not hasattr(ABSTAINED, "__dict__")


def test_a_run_file_gives_exact_numbers(tmp_path):
    """One participant answers seven items of eight, each off by one; one failed."""
    path = write(tmp_path, run(experiment(person(300), person(301), failed(302))))
    items = table_items(read_run(path), "llm_evidence_count")
    assert len(items) == 8 * 2
    assert compute_cmax(items) == 14 / 16
    assert compute_aurc(items, loss="abs") == 14 / 16
    assert compute_augrc(items, loss="abs") == pytest.approx(sum(range(1, 15)) / 16**2)
    assert compute_risk_at_coverage(items, target_coverage=0.5, loss="abs_norm") == 1 / 3


def test_a_mixed_run_file_gives_exact_numbers(tmp_path):
    names = list(person()["predicted_items"])
    predicted = dict(zip(names, [2, 1, None, 0, None, 3, 2, None], strict=True))
    truth = dict(zip(names, [2, 2, 0, 0, 1, 1, 0, 3], strict=True))
    evidence = dict(zip(names, [3, 2, 0, 2, 1, 1, 1, 0], strict=True))
    one = person(
        300,
        predicted_items=predicted,
        ground_truth_items=truth,
        item_signals={name: {"llm_evidence_count": evidence[name]} for name in names},
    )
    silent = person(301, predicted_items=dict.fromkeys(names))
    items = table_items(
        read_run(write(tmp_path, run(experiment(one, silent)))), "llm_evidence_count"
    )
    # Order: NoInterest 3, Depressed 2, Tired 2, Failure 1, Concentrating 1.
    sums = [0, 1, 1, 3, 5]
    assert compute_cmax(items) == 5 / 16
    expected = sum(total / k for k, total in enumerate(sums, 1)) / 16
    assert compute_aurc(items, loss="abs") == pytest.approx(expected, rel=1e-15)
    assert compute_augrc(items, loss="abs") == pytest.approx(sum(sums) / 16**2, rel=1e-15)
    assert compute_risk_at_coverage(items, target_coverage=0.25, loss="abs") == 3 / 4


@pytest.mark.parametrize("mode", ["zero_shot", "few_shot"])
def test_the_bundled_run_agrees_with_the_artifact(mode):
    from tests.families.selective import examples

    table = read_run(DEMO_PATH, mode=mode)
    items = table_items(table, "llm_evidence_count")
    assert len(items) == 8 * len(table.participants)
    artifact = examples.evaluated(table, preset="item-step", confidence="llm")
    variant = examples.only_variant(artifact)
    assert compute_aurc(items, loss="abs") == variant["aurc_full"]
    assert compute_augrc(items, loss="abs") == variant["augrc_full"]
    found = bootstrap_by_participant(items, "aurc", seed=42, n_resamples=20, loss="abs")
    assert list(found.ci95) == variant["bootstrap"]["ci95"]["aurc_full"]


@pytest.mark.parametrize(("area", "reading"), [("step", "step"), ("trapezoid", "plateau")])
def test_a_name_and_a_function_give_the_interval_of_the_plain_loop(engine, area, reading):
    items = example(3)
    replicates = oracles.bootstrap(
        groups(items), lambda each: oracles.aurc(each, reading=reading), n_resamples=40, seed=9
    )
    interval = oracles.percentile_interval(replicates)
    for metric in ("aurc", lambda each: compute_aurc(each, loss="abs", area=area)):
        found = bootstrap_by_participant(
            items, metric, seed=9, n_resamples=40, loss="abs", area=area
        )
        assert found.point_estimate == pytest.approx(compute_aurc(items, loss="abs", area=area))
        assert found.ci95 == pytest.approx((interval.low, interval.high), rel=1e-12)
        spread = np.std([float(each) for each in replicates], ddof=1)
        assert found.standard_error == pytest.approx(spread, rel=1e-9)
        assert (found.n_resamples, found.seed, found.drop_rate, found.reason) == (40, 9, 0.0, None)


def test_replicates_that_miss_the_coverage_are_dropped_and_counted():
    items = example(2, answering=0.8)

    def at(each):
        return oracles.risk_at_coverage(each, 0.75, reading="step")

    replicates = oracles.bootstrap(groups(items), at, n_resamples=60, seed=1)
    assert at(rows(items)) is not None
    assert 0 < replicates.count(None) < 59
    interval = oracles.percentile_interval(replicates)

    def measured(each):
        return compute_risk_at_coverage(each, target_coverage=0.75, loss="abs")

    named = bootstrap_by_participant(
        items, "risk_at_coverage", seed=1, n_resamples=60, loss="abs", options={"coverage": 0.75}
    )
    for found in (named, bootstrap_by_participant(items, measured, seed=1, n_resamples=60)):
        assert found.drop_rate == replicates.count(None) / 60
        assert found.ci95 == pytest.approx((interval.low, interval.high))


def test_the_paired_delta_is_that_of_the_plain_loop(engine):
    left, right = example(3), example(4)
    replicates = oracles.paired_bootstrap(
        groups(left),
        groups(right),
        lambda each: oracles.augrc(each, reading="step") / 3,
        n_resamples=40,
        seed=9,
    )
    interval = oracles.percentile_interval(replicates)
    for metric in ("augrc", compute_augrc):
        found = paired_bootstrap_delta_by_participant(left, right, metric, seed=9, n_resamples=40)
        assert found.point_estimate == pytest.approx(compute_augrc(right) - compute_augrc(left))
        assert found.ci95 == pytest.approx((interval.low, interval.high), rel=1e-12)
        tail = min(sum(each <= 0 for each in replicates), sum(each >= 0 for each in replicates))
        assert found.p_value == pytest.approx(min(1.0, 2 * (tail + 1) / 41))
        assert (found.n_resamples, found.seed, found.drop_rate) == (40, 9, 0.0)


def test_identical_systems_differ_by_nothing():
    items = example(3)
    for metric in ("aurc", "eaurc", compute_cmax):
        found = paired_bootstrap_delta_by_participant(items, items, metric, seed=1, n_resamples=50)
        assert (found.point_estimate, found.p_value, found.ci95) == (0.0, 1.0, None)
        assert found.reason.startswith("all resamples give the same number")


def test_an_undefined_number_has_no_interval():
    found = bootstrap_by_participant([ABSTAINED], "risk", seed=1, n_resamples=10)
    assert (found.point_estimate, found.ci95, found.standard_error) == (None, None, None)
    assert found.drop_rate == 1.0
    assert found.reason == "the number itself is undefined"
    delta = paired_bootstrap_delta_by_participant(
        [ABSTAINED], [ABSTAINED], lambda _: None, seed=1, n_resamples=10
    )
    assert (delta.point_estimate, delta.p_value, delta.ci95) == (None, None, None)


def test_without_resamples_there_is_the_number_alone():
    found = bootstrap_by_participant(example(1), "aurc", seed=1, n_resamples=0, loss="abs")
    assert found.point_estimate == compute_aurc(example(1), loss="abs")
    assert (found.ci95, found.drop_rate) == (None, 0.0)
    assert found.reason == "no resamples were asked for"


def test_one_participant_has_no_interval():
    items = [each for each in example(1) if each.participant_id == 0]
    found = bootstrap_by_participant(items, "aurc", seed=1, n_resamples=50)
    assert found.ci95 is None
    assert found.reason.startswith("all resamples give the same number")


def test_the_seed_must_be_given():
    with pytest.raises(TypeError, match="seed"):
        bootstrap_by_participant(example(1), "aurc")  # type: ignore[call-arg]  # the subject
    with pytest.raises(TypeError, match="seed"):
        paired_bootstrap_delta_by_participant(example(1), example(1), "aurc")  # type: ignore[call-arg]  # as above


def test_a_function_sees_all_items_of_every_drawn_participant():
    items = example(1, n_people=3)
    seen = []

    def watch(drawn):
        seen.append([(each.participant_id, each.item_index) for each in drawn])
        return float(len(drawn))

    bootstrap_by_participant(items, watch, seed=42, n_resamples=5)
    point, *replicates = seen
    assert point == [(who, item) for who in range(3) for item in range(4)]
    draws = oracles.draws(3, n_resamples=5, seed=42)
    for drawn, found in zip(draws, replicates, strict=True):
        assert found == [(who, item) for who in sorted(drawn) for item in range(4)]


def test_an_error_in_a_users_function_comes_through():
    def broken(_):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        bootstrap_by_participant(example(1), broken, seed=1, n_resamples=5)


def test_an_unknown_metric_or_option_is_refused():
    with pytest.raises(UsageError, match="there is no metric 'aurk' of items") as caught:
        bootstrap_by_participant(example(1), "aurk", seed=1)
    assert "aurc" in caught.value.hint
    with pytest.raises(UsageError, match="metric aurc has no option 'coverage'") as caught:
        bootstrap_by_participant(example(1), "aurc", seed=1, options={"coverage": 0.5})
    assert caught.value.hint == "its options are area"


def test_no_items_cannot_be_resampled():
    with pytest.raises(ColumnError, match="there are no items, so there is no participant to draw"):
        bootstrap_by_participant([], "aurc", seed=1)


def test_both_sides_must_be_about_the_same_participants():
    left = example(1)
    right = [each for each in example(2) if each.participant_id != 4]
    with pytest.raises(ColumnError, match=r"1 are on one side only \(such as 4, left\)"):
        paired_bootstrap_delta_by_participant(left, right, "aurc", seed=1)


def test_the_public_names_are_those_declared():
    made_here = {
        name
        for name, value in vars(api).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == api.__name__
    }
    assert made_here == set(api.__all__)
