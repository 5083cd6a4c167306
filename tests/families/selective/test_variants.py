"""Failure rates and paired differences, each against a plain loop over the same draws."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from assay.demo import DEMO_PATH
from assay.inference import Plan
from assay.metrics import selective
from assay.sources import read_run
from tests import oracles
from tests.engines import FORMS, under
from tests.families.selective import examples
from tests.families.selective.examples import alike, evaluated, only_variant
from tests.item_tables import items_from_arrays

PLAN = Plan(n_resamples=25, seed=11, method="percentile")
LEFT = examples.table(31, answering=0.85)
RIGHT = examples.table(36, answering=0.7)


def slow_p(replicates) -> float | None:
    defined = [each for each in replicates if each is not None]
    tail = min(sum(each <= 0 for each in defined), sum(each >= 0 for each in defined))
    return min(1.0, 2 * (tail + 1) / (len(defined) + 1)) if defined else None


def only_deltas(artifact, pair: int = 0) -> dict:
    (deltas,) = artifact["comparison"]["pairs"][pair]["deltas"].values()
    return deltas


def paired(left, right, definition, plan):
    return oracles.paired_bootstrap(
        examples.groups(left),
        examples.groups(right),
        definition,
        n_resamples=plan.n_resamples,
        seed=plan.seed,
    )


@pytest.mark.parametrize(("preset", "reading"), [("plateau", "plateau"), ("item-step", "step")])
def test_every_delta_is_that_of_the_plain_paired_loop(preset, reading):
    deltas = []
    for engine in FORMS:
        with under(engine):
            deltas.append(only_deltas(evaluated(LEFT, RIGHT, plan=PLAN, preset=preset)))
    rows = [oracles.rows(**examples.columns(each)) for each in (LEFT, RIGHT)]
    for label, definition in examples.slow(reading).items():
        sides = [*map(definition, rows)]
        replicates = paired(LEFT, RIGHT, definition, PLAN)
        for found in deltas:
            assert_delta(found[label], sides, replicates)


def assert_delta(found, sides, replicates) -> None:
    assert found["n_undefined"] == replicates.count(None)
    if None in sides:
        assert found["delta"] is found["p_value"] is found["interval"] is None
        return
    assert alike(found["delta"], float(sides[1] - sides[0]))
    assert alike(found["p_value"], slow_p(replicates))
    if len(set(replicates) - {None}) > 1:
        interval = oracles.percentile_interval(replicates)
        assert alike(found["interval"], [interval.low, interval.high])


def test_every_scalar_of_both_sides_has_a_delta():
    artifact = evaluated(LEFT, RIGHT, plan=PLAN)
    deltas = only_deltas(artifact)
    for number, side in enumerate(("left", "right")):
        metrics = only_variant(artifact, number)["metrics"]
        assert list(metrics) == list(deltas)
        for label, scalar in metrics.items():
            assert deltas[label][side] == scalar["value"]
    spelled = {**deltas, "aurc_full": deltas["aurc"], "augrc_full": deltas["augrc"]}
    assert artifact["comparison"]["deltas"] == {
        "confidence": {
            label: {**delta, "ci95": delta["interval"]} for label, delta in spelled.items()
        }
    }


def test_identical_systems_differ_by_nothing(engine):
    artifact = evaluated(LEFT, LEFT, plan=PLAN)
    for label, delta in only_deltas(artifact).items():
        assert delta["delta"] == 0.0, label
        assert delta["p_value"] == delta["p_holm"] == 1.0
        assert delta["interval"] is None
        assert delta["interval_reason"].startswith("all resamples give the same number")
    rate = artifact["comparison"]["pairs"][0]["failure_rate"]
    assert (rate["delta"], rate["p_value"]) == (0.0, 1.0)


def test_rounding_alone_is_no_difference(engine):
    """The same risk of a third everywhere, met in another order."""

    def constant(confidence):
        return items_from_arrays(
            participant=np.repeat(range(9), 5),
            prediction=np.full(45, 2),
            truth=np.ones(45),
            confidence=confidence,
            scale=examples.SCALE,
        )

    sides = [constant(np.arange(45) % 7), constant(np.arange(45) % 11)]
    deltas = only_deltas(evaluated(*sides, loss="abs_norm", plan=Plan(n_resamples=200)))
    for label in ("aurc", "augrc", "naurc", "risk", "aurc_at_coverage"):
        assert deltas[label]["delta"] == 0.0
        assert deltas[label]["p_value"] == 1.0


def test_a_risk_is_compared_only_where_both_sides_reach_the_coverage():
    timid = examples.table(31, answering=0.3)
    artifact = evaluated(LEFT, timid, plan=PLAN)
    reached = only_variant(artifact, 0)["mae_at_coverage"]["0.55"]
    missed = only_variant(artifact, 1)["mae_at_coverage"]["0.55"]
    assert reached["value"] is not None
    assert missed == {"requested": 0.55, "achieved": None, "value": None}
    delta = only_deltas(artifact)["risk_at_coverage@0.55"]
    assert delta["left"] == reached["value"]
    assert delta["right"] is delta["delta"] is delta["p_value"] is delta["interval"] is None
    assert delta["reason"] == (
        "undefined on one side: the coverage is above Cmax: no working point reaches it"
    )
    assert delta["interval_reason"] == "the number itself is undefined"


def test_areas_up_to_the_common_coverage_equal_a_direct_computation(engine):
    artifact = evaluated(LEFT, RIGHT, plan=PLAN)
    common = min(each["cmax"] for each in (only_variant(artifact, 0), only_variant(artifact, 1)))
    for number, table in enumerate((LEFT, RIGHT)):
        metrics = only_variant(artifact, number)["metrics"]
        for name in ("aurc_at_coverage", "augrc_at_coverage", "mean_risk_at_coverage"):
            direct = getattr(selective, name)(**examples.columns(table), area_coverage=common)
            scalar = metrics[f"{name}@common"]
            assert scalar["value"] == pytest.approx(direct, rel=1e-12)
            assert scalar["options"]["area_coverage"] == "common cmax"
    assert only_variant(artifact, 1)["metrics"]["aurc_at_coverage@common"]["value"] == (
        pytest.approx(only_variant(artifact, 1)["aurc_full"])
    )


def test_the_common_coverage_is_that_of_each_resample(engine):
    drawn = oracles.draws(7, n_resamples=25, seed=11)
    sides = [examples.groups(each) for each in (LEFT, RIGHT)]
    replicates = []
    for each in drawn:
        left, right = (oracles.resample(side, each) for side in sides)
        upto = min(oracles.cmax(left), oracles.cmax(right))
        replicates.append(oracles.aurc_at(right, upto) - oracles.aurc_at(left, upto))
    interval = oracles.percentile_interval(replicates)
    found = only_deltas(evaluated(LEFT, RIGHT, plan=PLAN))["aurc_at_coverage@common"]
    assert alike(found["interval"], [interval.low, interval.high])


def test_one_system_has_no_common_coverage():
    assert "aurc_at_coverage@common" not in only_variant(evaluated(LEFT))["metrics"]


def test_three_inputs_are_compared_with_the_first_and_corrected():
    plan = Plan(n_resamples=99)
    tables = [examples.table(seed, n_items=6) for seed in (1, 2, 3)]
    artifact = evaluated(*tables, plan=plan)
    assert list(artifact["confidence_variants"]["confidence"]) == ["input_0", "input_1", "input_2"]
    pairs = artifact["comparison"]["pairs"]
    assert [(pair["left"], pair["right"]) for pair in pairs] == [(0, 1), (0, 2)]
    for label in only_deltas(artifact):
        both = [only_deltas(artifact, pair)[label] for pair in (0, 1)]
        if None in (both[0]["p_value"], both[1]["p_value"]):
            continue
        small, large = sorted(both, key=lambda delta: delta["p_value"])
        first = min(1.0, 2 * small["p_value"])
        assert small["p_holm"] == pytest.approx(first)
        assert large["p_holm"] == pytest.approx(max(first, large["p_value"]))
    two = evaluated(*tables[:2], plan=plan)
    unchanged = only_deltas(two)["aurc"]
    assert only_deltas(artifact)["aurc"]["p_value"] == unchanged["p_value"] == unchanged["p_holm"]


def test_an_undefined_comparison_does_not_count_in_the_correction():
    timid = examples.table(2, answering=0.2)
    artifact = evaluated(LEFT, RIGHT, timid, plan=PLAN)
    first, second = (only_deltas(artifact, pair)["risk_at_coverage@0.55"] for pair in (0, 1))
    assert second["p_value"] is second["p_holm"] is None
    assert first["p_holm"] == first["p_value"]


def test_the_failure_rate_has_a_resampled_and_an_exact_interval():
    artifact = evaluated(read_run(DEMO_PATH, mode="zero_shot"), plan=Plan(n_resamples=200))
    (rate,) = artifact["failure_rate"]
    assert rate["value"] == 2 / 41
    drawn = oracles.draws(41, n_resamples=200, seed=42)
    failed = [each - 9001 for each in (9007, 9023)]
    replicates = [sum(each.count(number) for number in failed) / 41 for each in drawn]
    assert rate["percentile_interval"] == pytest.approx(
        list(np.percentile(replicates, [2.5, 97.5]))
    )
    assert rate["interval"] == pytest.approx([0.00826, 0.15195], abs=1e-5)
    low, high = rate["exact_interval"]
    # Clopper-Pearson: at its ends the observed count is as extreme as 2.5 percent.
    at_least_two = partial(_at_least_two, 41)
    assert at_least_two(low) == pytest.approx(0.025)
    at_most_two = 1 - at_least_two(high) + 41 * 40 / 2 * high**2 * (1 - high) ** 39
    assert at_most_two == pytest.approx(0.025)


def _at_least_two(n: int, p: float) -> float:
    return 1 - (1 - p) ** n - n * p * (1 - p) ** (n - 1)


def test_a_run_without_failures_is_not_proof_of_none():
    (rate,) = evaluated(examples.table())["failure_rate"]
    assert rate["value"] == 0.0
    assert rate["interval"] == [0.0, pytest.approx(1 - 0.025 ** (1 / 7))]
    assert rate["exact_interval"] == rate["interval"]


def test_systems_that_differ_only_in_failures_differ_only_in_their_rate():
    left = examples.table(1, failed=[101])
    right = examples.table(1)
    artifact = evaluated(left, right, plan=PLAN)
    assert [each["value"] for each in artifact["failure_rate"]] == [1 / 7, 0.0]
    assert {delta["delta"] for delta in only_deltas(artifact).values()} <= {0.0, None}
    (pair,) = artifact["comparison"]["pairs"]
    assert pair["failure_rate"]["delta"] == -1 / 7


@pytest.mark.parametrize("method", ["basic", "bca"])
def test_other_intervals_are_recorded_and_differ(method):
    given = examples.table(3, participants=range(20), n_items=5)
    plans = [Plan(n_resamples=200), Plan(n_resamples=200, method=method)]
    artifacts = [evaluated(given, plan=plan) for plan in plans]
    assert artifacts[1]["resampling"]["method"] == method
    intervals = [only_variant(each)["metrics"]["aurc"]["interval"] for each in artifacts]
    assert intervals[0] != intervals[1]


def test_undefined_numbers_of_the_reference_program_are_zero():
    perfect = items_from_arrays(
        participant=[1, 2, 3], prediction=[1, 2, 3], truth=[1, 2, 3], confidence=[3, 2, 1]
    )
    ours = only_variant(evaluated(perfect))
    theirs = only_variant(evaluated(perfect, preset="reference"))
    assert ours["interpretation"] == dict.fromkeys(ours["interpretation"])
    assert theirs["interpretation"] == dict.fromkeys(ours["interpretation"], 0.0)
    assert ours["metrics"]["aurc_gap_pct"]["reason"] == (
        "the optimal area is zero, so no share of it can be taken"
    )
    assert theirs["metrics"]["aurc_gap_pct"]["reason"] is None
