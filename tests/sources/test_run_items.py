"""A run file may name items and a scale of its own."""

from __future__ import annotations

import json

import pytest

from assay import read_run
from assay.errors import ArtifactError, ColumnError

PERSON = {
    "participant_id": 1,
    "success": True,
    "predicted_items": {"b": 5, "a": None},
    "ground_truth_items": {"a": 1, "b": 4},
    "item_signals": {"a": {"llm_evidence_count": 2}, "b": {"llm_evidence_count": 0}},
}


def stored(tmp_path, person=PERSON, **provenance):
    path = tmp_path / "run.json"
    experiment = {"provenance": provenance, "results": {"mode": "m", "results": [person]}}
    path.write_text(json.dumps({"experiments": [experiment]}), encoding="utf-8")
    return path


def test_the_items_come_in_the_order_of_the_provenance_with_their_scale(tmp_path):
    table = read_run(stored(tmp_path, items=["b", "a"], scale=[1, 5]))
    assert (table.items, table.scale) == (("b", "a"), (1.0, 5.0))
    assert table.prediction.tolist()[0] == 5.0
    assert table.answered.tolist() == [True, False]
    assert table.truth.tolist() == [4.0, 1.0]
    assert table.signals["llm_evidence_count"].value.tolist() == [0.0, 2.0]


def test_a_questionnaire_may_have_one_item(tmp_path):
    one = {
        **PERSON,
        "predicted_items": {"a": 1},
        "ground_truth_items": {"a": 0},
        "item_signals": {"a": {}},
    }
    table = read_run(stored(tmp_path, one, items=["a"], scale=[0, 1]))
    assert (table.prediction.tolist(), table.truth.tolist()) == ([1.0], [0.0])


def test_a_score_off_the_scale_of_the_run_is_refused(tmp_path):
    path = stored(tmp_path, items=["a", "b"], scale=[0, 4])
    with pytest.raises(
        ColumnError,
        match="participant 1, item b: `predicted_items` must be null or a whole number from 0 to 4,"
        " found 5",
    ):
        read_run(path)


def test_an_item_that_the_run_does_not_name_is_refused(tmp_path):
    with pytest.raises(ColumnError, match="`predicted_items` has an item too many, 'b'"):
        read_run(stored(tmp_path, items=["a"], scale=[0, 5]))
    with pytest.raises(ColumnError, match="`predicted_items` lacks the item c"):
        read_run(stored(tmp_path, items=["a", "c"], scale=[0, 5]))


@pytest.mark.parametrize("items", [[], ["a", "a"]])
def test_items_must_be_named_and_differ(tmp_path, items):
    with pytest.raises(ArtifactError, match="`items` must name at least one item, and each once"):
        read_run(stored(tmp_path, items=items))


@pytest.mark.parametrize("scale", [[3, 3], [4, 0], [0, 10**9]])
def test_a_scale_must_have_a_width_that_can_be_counted(tmp_path, scale):
    with pytest.raises(ArtifactError, match="`scale` must be two whole numbers, the lower first"):
        read_run(stored(tmp_path, items=["a", "b"], scale=scale))
