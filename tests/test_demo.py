"""The bundled run: reproducible, complete, and plainly synthetic."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay.demo import DEMO_PATH
from assay.derive.confidence import known_names, supported
from assay.derive.confidence_functions import WHERE_HELD
from assay.derive.losses import losses
from assay.sources import read_run
from assay.sources.items import PHQ8_ITEMS
from tools.examples.demo_run import demo_bytes, demo_run

MODES = ("zero_shot", "few_shot")


def test_the_committed_file_is_what_the_generator_writes():
    assert DEMO_PATH.read_bytes() == demo_bytes()
    assert len(demo_bytes()) < 400_000


def test_another_seed_gives_another_run():
    assert demo_run(1) == demo_run(1)
    assert demo_run(1) != demo_run(2)


def test_nobody_can_take_it_for_a_real_run():
    run = demo_run()
    assert run["run_metadata"]["git_commit"] == "synthetic"
    ids = [each["participant_id"] for each in run["experiments"][0]["results"]["results"]]
    assert ids == list(range(9001, 9042))


@pytest.mark.parametrize("mode", MODES)
def test_it_has_failures_silent_participants_and_abstentions(mode):
    table = read_run(DEMO_PATH, mode=mode)
    assert len(table.participants) + len(table.failed) == 41
    assert 0 < len(table.failed) < 3
    n_answered = np.bincount(table.cluster, weights=table.answered)
    assert (n_answered == 0).sum() in {1, 2}
    assert 0.4 < table.answered.mean() < 0.8
    assert set(table.truth) == {0, 1, 2, 3}


@pytest.mark.parametrize("mode", MODES)
def test_every_confidence_function_can_be_computed(mode):
    table = read_run(DEMO_PATH, mode=mode)
    of_every_run = tuple(name for name in known_names() if name not in WHERE_HELD)
    assert supported(table.signals, table.answered) == of_every_run


@pytest.mark.parametrize("mode", MODES)
def test_low_confidence_goes_with_errors(mode):
    table = read_run(DEMO_PATH, mode=mode)
    loss = losses("abs", table.prediction, table.truth)[table.answered]
    evidence = table.signals["llm_evidence_count"].value[table.answered]
    assert np.corrcoef(evidence, loss)[0, 1] < -0.2


def test_token_signals_are_shared_by_all_items_of_a_participant():
    table = read_run(DEMO_PATH, mode="few_shot")
    for name in ("token_msp", "token_pe", "token_energy"):
        assert (np.ptp(table.signals[name].value.reshape(-1, 8), axis=1) == 0).all()


def test_only_few_shot_retrieves():
    for mode, retrieves in zip(MODES, (False, True), strict=True):
        mean = read_run(DEMO_PATH, mode=mode).signals["retrieval_similarity_mean"]
        assert np.isfinite(mean.value).any() == retrieves


@pytest.mark.parametrize("number", [0, 1])
def test_the_summary_in_the_file_is_that_of_its_participants(number):
    results = json.loads(DEMO_PATH.read_bytes())["experiments"][number]["results"]
    table = read_run(DEMO_PATH, mode=results["mode"])
    loss = losses("abs", table.prediction, table.truth)
    assert results["item_mae_weighted"] == pytest.approx(np.nanmean(loss), abs=1e-6)
    assert results["successful_subjects"] == len(table.participants)
    assert results["evaluated_subjects"] + results["excluded_no_evidence"] == len(
        table.participants
    )
    n_rows = 8 * results["evaluated_subjects"]
    assert results["prediction_coverage"] == pytest.approx(table.answered.sum() / n_rows, abs=1e-6)


@pytest.mark.parametrize("number", [0, 1])
def test_a_prediction_follows_from_its_samples(number):
    people = demo_run()["experiments"][number]["results"]["results"]
    for person in people:
        for item in PHQ8_ITEMS if person["success"] else ():
            signals = person["item_signals"][item]
            agreed = signals["consistency_modal_confidence"] >= 0.5
            first = signals["consistency_samples"][0]
            expected = signals["consistency_modal_score"] if agreed else first
            assert person["predicted_items"][item] == expected
            assert (signals["verbalized_confidence"] is None) == (expected is None)
