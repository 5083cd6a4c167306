"""The whole line on small tables: every number and interval equals its slow definition."""

from __future__ import annotations

import numpy as np
import pytest

from assay.demo import DEMO_PATH
from assay.errors import ColumnError, UsageError
from assay.inference import Plan
from assay.metrics import selective
from assay.sources import read_run
from tests import oracles
from tests.engines import FORMS, under
from tests.families.selective import examples
from tests.item_tables import items_from_arrays
from tests.selective_artifacts import evaluate

READINGS = {"plateau": "plateau", "item-step": "step"}
LOOPED = examples.table(31, answering=0.85)


def close(value, exact) -> bool:
    return examples.alike(value, None if exact is None else float(exact))


@pytest.mark.parametrize("preset", READINGS)
def test_every_number_is_that_of_its_slow_definition(engine, preset):
    for seed in range(4):
        given = examples.table(seed)
        rows = oracles.rows(**examples.columns(given))
        metrics = examples.only_variant(examples.evaluated(given, preset=preset))["metrics"]
        for label, definition in examples.slow(READINGS[preset]).items():
            assert close(metrics[label]["value"], definition(rows)), label


@pytest.mark.parametrize("preset", READINGS)
def test_every_interval_is_that_of_the_plain_loop(preset):
    given, plan = LOOPED, Plan(n_resamples=25, seed=7, method="percentile")
    artifacts = []
    for engine in FORMS:
        with under(engine):
            artifacts.append(examples.evaluated(given, preset=preset, plan=plan))
    people = examples.groups(given)
    for label, definition in examples.slow(READINGS[preset]).items():
        replicates = oracles.bootstrap(people, definition, n_resamples=25, seed=7)
        for artifact in artifacts:
            assert_interval(examples.only_variant(artifact)["metrics"][label], replicates)


def assert_interval(found, replicates) -> None:
    assert found["n_undefined"] == replicates.count(None)
    if len(set(replicates) - {None}) == 1:
        assert found["interval"] is None
        assert found["interval_reason"].startswith("all resamples give the same")
        return
    interval = oracles.percentile_interval(replicates)
    assert examples.alike(found["interval"], [interval.low, interval.high])
    defined = [float(value) for value in replicates if value is not None]
    assert close(found["standard_error"], np.std(defined, ddof=1))


def test_some_replicates_of_the_loop_above_are_undefined():
    at = examples.slow("plateau")["risk_at_coverage@0.80"]
    replicates = oracles.bootstrap(examples.groups(LOOPED), at, n_resamples=25, seed=7)
    assert 0 < replicates.count(None) < 25


@pytest.mark.parametrize("mode", ["zero_shot", "few_shot"])
def test_the_bundled_run_has_the_numbers_of_direct_calls(mode):
    given = read_run(DEMO_PATH, mode=mode)
    artifact = examples.evaluated(given, loss="abs_norm", confidence="llm,token_msp")
    loss = np.abs(given.prediction - given.truth) / 3
    for name, signal in (("llm", "llm_evidence_count"), ("token_msp", "token_msp")):
        variant = artifact["confidence_variants"][name]
        confidence = given.signals[signal].value
        for label in ("cmax", "risk", "aurc", "augrc", "eaurc", "aurc_achievable", "error_auroc"):
            direct = getattr(selective, label)(loss, confidence, answered=given.answered)
            assert variant["metrics"][label]["value"] == pytest.approx(direct, rel=1e-14)
    assert artifact["loss"] == {
        "name": "abs_norm",
        "definition": "abs(pred - gt) / (high - low)",
        "raw_multiplier": 3.0,
        "range": 1.0,
        "scale": [0.0, 3.0],
    }


def test_the_bundled_run_evaluates_under_all_its_confidences():
    tables = [read_run(DEMO_PATH, mode=mode) for mode in ("zero_shot", "few_shot")]
    artifact = examples.evaluated(*tables, confidence="all", plan=Plan(n_resamples=5))
    assert len(artifact["confidence_variants"]) == 13
    assert artifact["comparison"]["overlap_included"] == 39
    for sides in artifact["confidence_variants"].values():
        assert list(sides) == ["input_0", "input_1"]


def test_an_aggregated_table_gives_the_numbers_of_its_rows(engine):
    rows = examples.table(3, participants=range(5), n_items=40)
    keys = np.stack([rows.cluster, rows.prediction, rows.truth, rows.signals["confidence"].value])
    distinct, count = np.unique(np.nan_to_num(keys, nan=-1.0), axis=1, return_counts=True)
    assert distinct.shape[1] < rows.n_rows
    aggregated = items_from_arrays(
        participant=distinct[0].astype(int),
        prediction=np.where(distinct[1] < 0, np.nan, distinct[1]),
        truth=distinct[2],
        confidence=distinct[3],
        count=count,
        scale=examples.SCALE,
    )
    one, other = examples.evaluated(rows), examples.evaluated(aggregated)
    assert one["population"] == other["population"]
    assert one["resampling"] == other["resampling"]
    for label, scalar in examples.only_variant(one)["metrics"].items():
        same = examples.only_variant(other)["metrics"][label]
        assert examples.alike(same, scalar), label
    for name in ("coverage", "selective_risk", "threshold", "coverage_low", "coverage_high"):
        points = [examples.only_variant(each)["curve"][name] for each in (one, other)]
        assert examples.alike(*points), name


def test_the_step_reading_refuses_an_aggregated_table():
    aggregated = items_from_arrays(
        participant=[1, 2], prediction=[1, 2], truth=[1, 1], confidence=[0.5, 0.1], count=[2, 1]
    )
    with pytest.raises(UsageError, match="several items have no order among them") as caught:
        examples.evaluated(aggregated, preset="item-step")
    assert "trapezoid" in caught.value.hint


@pytest.mark.parametrize("stream", ["legacy", "counter"])
def test_threads_and_blocks_do_not_change_a_byte(engine, stream):
    tables = [examples.table(seed, failed=failed) for seed, failed in ((1, [103]), (2, []))]
    plans = [
        Plan(n_resamples=60, stream=stream, threads=threads, block_values=values)
        for threads, values in ((1, 1 << 17), (2, 1 << 17), (1, 64), (3, 500))
    ]
    first, *others = [examples.encoded(*tables, plan=plan) for plan in plans]
    assert all(other == first for other in others)


def test_seed_and_stream_are_recorded_and_matter():
    given = examples.table(1)
    plans = [Plan(20, seed=1), Plan(20, seed=2), Plan(20, seed=1, stream="counter")]
    artifacts = [examples.evaluated(given, plan=plan) for plan in plans]
    recorded = [(a["resampling"]["seed"], a["resampling"]["stream"]) for a in artifacts]
    assert recorded == [(1, "legacy"), (2, "legacy"), (1, "counter")]
    intervals = [examples.only_variant(a)["metrics"]["aurc"]["interval"] for a in artifacts]
    assert len({tuple(each) for each in intervals}) == 3


def test_progress_hears_of_every_resample():
    heard = []
    plan = Plan(n_resamples=33, block_values=64)
    evaluate([examples.table()], plan=plan, progress=lambda done, _: heard.append(done))
    assert sum(heard) == 33 * 2  # items, and participants
    assert len(heard) > 2


def test_one_participant_has_numbers_and_no_intervals(engine):
    artifact = examples.evaluated(examples.table(participants=[1], n_items=8))
    assert artifact["warnings"] == [
        "there is one participant, so resampling participants shows no uncertainty"
    ]
    for scalar in (*examples.only_variant(artifact)["metrics"].values(), *artifact["failure_rate"]):
        assert scalar["interval"] is None
        assert scalar["interval_reason"] is not None
        assert scalar["standard_error"] is None


def test_one_item_is_enough_for_numbers(engine):
    given = items_from_arrays(participant=[1], prediction=[2], truth=[0], confidence=[0.5])
    metrics = examples.only_variant(examples.evaluated(given))["metrics"]
    assert [metrics[label]["value"] for label in ("aurc", "augrc", "cmax")] == [2.0, 1.0, 1.0]
    assert metrics["error_auroc"]["value"] is None
    assert metrics["error_auroc"]["reason"] == "all answered rows are right, or all are wrong"


def test_when_everything_is_tied_the_area_is_the_risk(engine):
    given = examples.table(levels=1)
    metrics = examples.only_variant(examples.evaluated(given))["metrics"]
    risk, cmax = metrics["risk"]["value"], metrics["cmax"]["value"]
    assert metrics["aurc"]["value"] == pytest.approx(risk * cmax)
    assert metrics["augrc"]["value"] == pytest.approx(risk * cmax**2 / 2)
    assert metrics["error_auroc"]["value"] == 0.5
    assert metrics["error_auroc"]["interval"] is None


@pytest.mark.parametrize("preset", ["plateau", "item-step", "reference"])
def test_a_system_that_answers_nothing_has_zero_areas_and_says_so(engine, preset):
    silent = examples.table(answering=0.0)
    artifact = examples.evaluated(silent, preset=preset)
    variant = examples.only_variant(artifact)
    assert artifact["warnings"] == ["arrays answers nothing, so its areas are 0 by convention"]
    assert artifact["resampling"]["n_all_abstained"] == [20]
    assert artifact["population"]["items_predicted"] == 0
    assert variant["aurc_full"] == variant["augrc_full"] == variant["cmax"] == 0.0
    assert variant["metrics"]["risk"]["value"] is None
    assert variant["metrics"]["risk"]["reason"] == "nothing is answered"
    assert variant["curve"]["coverage"] == variant["curve"]["hull"]["coverage"] == []
    kept = [0.0, 0.0] if preset == "reference" else None
    numbers = dict(variant["metrics"])
    if preset != "reference":  # a share has the exact bound of seven participants
        assert numbers.pop("cmax")["interval"] == pytest.approx([0.0, 1 - 0.025 ** (1 / 7)])
    for each in numbers.values():
        assert each["interval"] == (None if each["value"] is None else kept)


def test_a_run_that_failed_on_everybody_reports_that(engine):
    people = range(4)
    artifact = examples.evaluated(examples.table(participants=people, failed=people))
    assert artifact["population"]["participants_failed"] == 4
    assert artifact["population"]["participants_included"] == 0
    assert artifact["population"]["cmax"] is None
    assert artifact["failure_rate"][0]["value"] == 1.0
    assert artifact["failure_rate"][0]["exact_interval"] == pytest.approx([0.025**0.25, 1.0])
    why = "the system failed on every participant, so there are no items"
    assert artifact["warnings"] == [f"arrays has no number but its failure rate: {why}"]
    assert artifact["resampling"]["n_all_abstained"] == [0]
    metrics = examples.only_variant(artifact)["metrics"]
    assert {each["value"] for each in metrics.values()} == {None}
    assert {each["reason"] for each in metrics.values()} == {why}


def test_the_reference_has_zero_areas_where_it_failed_on_everybody():
    failed = examples.table(participants=[1, 2], failed=[1, 2])
    variant = examples.only_variant(examples.evaluated(failed, preset="reference"))
    assert (variant["aurc_full"], variant["cmax"], variant["metrics"]["risk"]["value"]) == (
        0,
        0,
        None,
    )


def test_the_reference_prints_an_interval_without_width_and_others_say_why_there_is_none():
    one = items_from_arrays(participant=[1], prediction=[2], truth=[0], confidence=[0.5])
    followed = examples.evaluated(one, one, preset="reference")
    variant = examples.only_variant(followed, 0)
    assert variant["metrics"]["aurc"]["interval"] == [2.0, 2.0]
    assert variant["metrics"]["aurc"]["standard_error"] == 0.0
    assert variant["bootstrap"]["ci95"]["aurc_full"] == [2.0, 2.0]
    assert variant["metrics"]["error_auroc"]["interval"] is None
    assert followed["comparison"]["deltas"]["confidence"]["aurc_full"]["ci95"] == [0.0, 0.0]
    assert followed["failure_rate"][0]["interval"] is None
    plain = examples.only_variant(examples.evaluated(one))["metrics"]["aurc"]
    assert (plain["interval"], plain["interval_reason"]) == (
        None,
        "fewer than 6 participants: resampling cannot tell",
    )


def test_a_run_without_failures_and_truths_says_that_truths_are_missing():
    given = items_from_arrays(
        participant=[1, 2], prediction=[1, 2], truth=[None, None], confidence=[1, 2]
    )
    artifact = examples.evaluated(given)
    why = "no participant without failure has a truth, so there are no items"
    assert artifact["warnings"] == [f"arrays has no number but its failure rate: {why}"]
    assert artifact["failure_rate"][0]["value"] == 0.0


def test_where_nothing_is_answered_that_is_why_a_number_is_missing():
    silent = examples.table(answering=0.0)
    metrics = examples.only_variant(examples.evaluated(silent))["metrics"]
    undefined = {label: each["reason"] for label, each in metrics.items() if each["value"] is None}
    assert "error_auroc" in undefined
    assert set(undefined.values()) == {"nothing is answered"}
    artifact = examples.evaluated(silent, examples.table(1))
    assert artifact["comparison"]["deltas"]["confidence"]["error_auroc"]["reason"] == (
        "undefined on one side: nothing is answered"
    )


def test_an_unknown_scale_stays_the_reason_for_what_needs_it():
    given = items_from_arrays(participant=[1], prediction=[None], truth=[1], confidence=[None])
    metrics = examples.only_variant(examples.evaluated(given))["metrics"]
    assert metrics["augrc_normalized"]["reason"] == "the largest possible loss is not known"
    assert metrics["error_auroc"]["reason"] == "nothing is answered"


def test_a_run_that_failed_on_everybody_cannot_be_compared_and_is_named():
    left, right = (
        examples.table(participants=[1, 2]),
        examples.table(participants=[1, 2], failed=[1, 2]),
    )
    with pytest.raises(ColumnError, match="of arrays is included: of 2 it failed on 2") as caught:
        examples.evaluated(left, right)
    assert caught.value.hint == "evaluate it alone, and compare the other inputs with each other"


def test_two_runs_that_share_no_success_cannot_be_compared():
    left = examples.table(participants=[1, 2], failed=[1])
    right = examples.table(participants=[1, 2], failed=[2])
    with pytest.raises(ColumnError, match="no participant is included in all of arrays, arr"):
        examples.evaluated(left, right)


def test_without_resamples_there_are_numbers_and_no_intervals(engine):
    tables = [examples.table(1), examples.table(2)]
    artifact = examples.evaluated(*tables, plan=Plan(n_resamples=0))
    variant = examples.only_variant(artifact, 0)
    assert variant["bootstrap"] == {}
    assert variant["metrics"]["aurc"]["interval_reason"] == "no resamples were asked for"
    curve = variant["curve"]
    assert curve["selective_risk_low"] == curve["coverage_high"] == [None] * len(curve["coverage"])
    assert curve["n_resamples"] == 0
    (deltas,) = artifact["comparison"]["deltas"].values()
    assert deltas["aurc"]["delta"] is not None
    assert deltas["aurc"]["p_value"] is deltas["aurc"]["interval"] is None


def test_resamples_in_which_nothing_is_answered_are_counted():
    given = items_from_arrays(
        participant=[1, 2, 3], prediction=[None, None, 1], truth=[0, 1, 2], confidence=[0, 0, 1]
    )
    artifact = examples.evaluated(given, plan=Plan(n_resamples=50, seed=3))
    drawn = oracles.draws(3, n_resamples=50, seed=3)
    silent = sum(2 not in each for each in drawn)
    assert artifact["resampling"]["n_all_abstained"] == [silent]
    assert 0 < silent < 50
    assert examples.only_variant(artifact)["metrics"]["risk"]["n_undefined"] == silent


def test_rounding_alone_makes_no_interval(engine):
    given = items_from_arrays(
        participant=np.repeat(range(9), 5),
        prediction=np.where(np.arange(45) % 3, 2, np.nan),
        truth=np.ones(45),
        confidence=np.arange(45) % 7,
        scale=examples.SCALE,
    )
    artifact = examples.evaluated(given, loss="abs_norm", plan=Plan(n_resamples=100))
    for label in ("naurc", "risk", "risk_at_coverage@0.25"):
        assert examples.only_variant(artifact)["metrics"][label]["interval"] is None


CATS = {"prediction": ["cat", None, "dog", "cat"], "truth": ["cat", "dog", "cat", "cat"]}


def test_labels_cost_one_where_they_differ_and_nothing_where_they_do_not():
    given = items_from_arrays(**CATS, confidence=[4, 3, 2, 1])
    artifact = examples.evaluated(given, loss="zero_one")
    metrics = examples.only_variant(artifact)["metrics"]
    assert metrics["risk"]["value"] == 1 / 3
    assert metrics["error_auroc"]["value"] == 0.5
    assert artifact["resampling"]["unit"] == "row"
    assert artifact["resampling"]["n_units"] == 4


@pytest.mark.parametrize("loss", ["abs", "abs_norm", "squared"])
def test_labels_are_refused_by_place_where_a_loss_needs_numbers(loss):
    given = items_from_arrays(**CATS, confidence=[4, 3, 2, 1])
    with pytest.raises(
        ColumnError, match=f"row 0: .* is the text 'cat', .* {loss} needs"
    ) as caught:
        examples.evaluated(given, loss=loss)
    assert "`loss` zero_one" in caught.value.hint


def test_truths_of_two_inputs_are_compared_as_labels():
    left = items_from_arrays(**CATS, confidence=[4, 3, 2, 1])
    right = items_from_arrays(
        prediction=["dog", "cat", "cat", "dog"], truth=CATS["truth"], confidence=[1, 2, 3, 4]
    )
    assert left.labels.names != right.labels.names
    (note,) = examples.evaluated(left, right, loss="zero_one")["warnings"]
    assert note.startswith("no participants are named (`participant`), so rows are independent")
    other = items_from_arrays(**CATS | {"truth": ["cat"] * 4}, confidence=[4, 3, 2, 1])
    told = "row 1, item 1 has the truth 'cat', and arrays has the truth 'dog'"
    with pytest.raises(ColumnError, match=told):
        examples.evaluated(left, other, loss="zero_one")


def test_rows_are_not_compared_with_participants():
    rows = items_from_arrays(**CATS, confidence=[4, 3, 2, 1])
    people = items_from_arrays(**CATS, confidence=[4, 3, 2, 1], participant=[0, 1, 2, 3])
    with pytest.raises(ColumnError, match="arrays has no participants, and arrays has"):
        examples.evaluated(people, rows, loss="zero_one", intersection_only=True)


def test_a_loss_beyond_a_double_is_refused_by_place_and_equality_does_not_mind():
    given = items_from_arrays(prediction=[1e308, 1], truth=[-1e308, 1], confidence=[1, 2])
    with pytest.raises(ColumnError, match=r"row 0, item 1: the loss abs between 1e\+308 and -1e"):
        examples.evaluated(given)
    assert examples.only_variant(examples.evaluated(given, loss="zero_one"))["cmax"] == 1.0


def test_losses_whose_squares_no_double_holds_have_a_standard_error():
    given = items_from_arrays(prediction=[1e200, 1], truth=[0, 1], confidence=[1, 2])
    plan = Plan(n_resamples=50, method="percentile")
    aurc = examples.only_variant(examples.evaluated(given, plan=plan))["metrics"]["aurc"]
    small = items_from_arrays(prediction=[1, 1], truth=[0, 1], confidence=[1, 2])
    expected = examples.only_variant(examples.evaluated(small, plan=plan))["metrics"]["aurc"]
    assert aurc["standard_error"] == pytest.approx(1e200 * expected["standard_error"])
