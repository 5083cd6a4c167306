"""Run files: which participants count, which values are refused, and in which words."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from assay._kernels import numpy_form
from assay.derive.signals import State
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.sources import read_run
from assay.sources.items import PHQ8_ITEMS
from tests.sources.run_files import experiment, failed, person, run, write


def test_a_run_becomes_rows_sorted_by_participant_and_item(tmp_path):
    path = write(tmp_path, run(experiment(person(1000), failed(5), person(99))))
    table = read_run(path)
    assert table.participants == (99, 1000)
    assert table.failed == (5,)
    assert table.items == PHQ8_ITEMS
    assert table.cluster.tolist() == [0] * 8 + [1] * 8
    assert table.item.tolist() == [*range(8), *range(8)]
    assert table.truth.tolist() == [2.0] * 16
    assert table.answered.sum() == 14
    assert np.isnan(table.prediction[~table.answered]).all()
    assert table.items[table.item[~table.answered][0]] == "Sleep"
    assert (table.scale, table.count, table.group, table.n_unscored) == ((0, 3), None, None, 0)


def test_the_source_says_where_the_numbers_come_from(tmp_path):
    path = write(tmp_path, run(experiment(person()), experiment(person(), mode="zero_shot")))
    source = read_run(path, mode="zero_shot").source
    assert (source.path, source.format, source.mode) == (str(path), "run", "zero_shot")
    assert (source.run_id, source.git_commit) == ("abcd1234", "f00")
    assert source.modes == ("few_shot", "zero_shot")
    assert len(source.sha256) == 64


def test_a_single_experiment_needs_no_mode(tmp_path):
    assert read_run(write(tmp_path, run(experiment(person())))).source.mode == "few_shot"
    nameless = run(experiment(person(), mode=None))
    assert read_run(write(tmp_path, nameless)).source.mode is None


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_a_blank_mode_is_none(tmp_path, blank):
    nameless = read_run(write(tmp_path, run(experiment(person(), mode=blank))))
    assert (nameless.source.mode, nameless.source.modes) == (None, ())
    with pytest.raises(UsageError, match="holds 2 experiments and no mode was chosen") as refused:
        read_run(write(tmp_path, run(experiment(person(), mode=blank), experiment(person()))))
    assert refused.value.hint.endswith("the modes are few_shot")


@pytest.mark.parametrize("mode", ["asked", "done"])
def test_a_mode_is_matched_against_provenance_and_results(tmp_path, mode):
    one = {"provenance": {"mode": "asked"}, "results": {"mode": "done", "results": [person(1)]}}
    path = write(tmp_path, run(one, experiment(person(2))))
    assert read_run(path, mode=mode).participants == (1,)


def test_participants_of_another_mode_are_not_looked_at(tmp_path):
    path = write(tmp_path, run(experiment(person()), experiment(person(None), mode="zero_shot")))
    assert read_run(path, mode="few_shot").n_rows == 8


def test_a_run_without_metadata_or_provenance_is_read(tmp_path):
    content = {"experiments": [{"results": {"mode": "m", "results": [person()]}}]}
    assert read_run(write(tmp_path, content)).source.run_id is None


def test_missing_success_counts_as_failed_and_is_said(tmp_path):
    silent = person(7)
    del silent["success"]
    table = read_run(write(tmp_path, run(experiment(person(3), silent))))
    assert (table.participants, table.failed) == ((3,), (7,))
    assert table.notes == ("participants without `success` count as failed: 1",)


def test_failed_participants_may_hold_anything(tmp_path):
    broken = person(7, success=False, predicted_items=None, item_signals=[1])
    assert read_run(write(tmp_path, run(experiment(person(3), broken)))).failed == (7,)


def test_a_run_in_which_everything_failed_is_a_table_without_rows(tmp_path):
    table = read_run(write(tmp_path, run(experiment(failed(1), failed(2)))))
    assert (table.n_rows, table.participants, table.failed) == (0, (), (1, 2))


def test_text_ids_that_are_numbers_become_numbers(tmp_path):
    table = read_run(write(tmp_path, run(experiment(person("1000"), person(99)))))
    assert table.participants == (99, 1000)
    mixed = read_run(write(tmp_path, run(experiment(person("1000"), person(99), person("P1")))))
    assert mixed.participants == ("1000", "99", "P1")


def test_an_integral_float_is_a_score(tmp_path):
    scores = dict.fromkeys(PHQ8_ITEMS, 2.0)
    assert read_run(write(tmp_path, run(experiment(person(predicted_items=scores))))).answered.all()


def test_signals_keep_what_stood_in_the_file(tmp_path):
    signals: dict[str, Any] = {item: {"token_msp": 0.5} for item in PHQ8_ITEMS}
    cells = (1, None, True, "high", [1], 10**400)
    signals |= {item: {"token_msp": cell} for item, cell in zip(PHQ8_ITEMS, cells, strict=False)}
    signals["Moving"] = {}
    given = read_run(write(tmp_path, run(experiment(person(item_signals=signals))))).signals[
        "token_msp"
    ]
    number, null, missing, boolean, other = State
    assert given.state.tolist() == [number, null, boolean, other, other, number, number, missing]
    assert given.value[[0, 2, 5, 6]].tolist() == [1.0, 1.0, np.inf, 0.5]


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb", "\udcff"])
def test_a_name_that_cannot_be_looked_for_is_no_signal(tmp_path, name):
    with pytest.raises(UsageError, match="cannot be the name of a signal"):
        read_run(write(tmp_path, run(experiment(person()))), signals=frozenset({name}))


def test_an_item_may_lack_a_signal_that_others_have(tmp_path):
    signals: dict[str, Any] = {item: {} for item in PHQ8_ITEMS}
    signals["Sleep"] = {"llm_evidence_count": 1}
    table = read_run(write(tmp_path, run(experiment(person(item_signals=signals)))))
    assert set(table.signals) == {"llm_evidence_count"}


def test_only_the_signals_asked_for_are_converted(tmp_path):
    path = write(tmp_path, run(experiment(person())))
    assert set(read_run(path).signals) == {
        "llm_evidence_count",
        "token_msp",
        "verbalized_confidence",
    }
    assert set(read_run(path, signals=frozenset({"token_msp", "token_pe"})).signals) == {
        "token_msp"
    }
    assert not read_run(path, signals=frozenset()).signals


@pytest.mark.parametrize(
    ("mode", "message", "hint"),
    [
        (None, "holds 2 experiments and no mode was chosen", "`mode`; the modes are a, b"),
        ("c", "has no mode 'c'", "its modes are a, b"),
    ],
)
def test_a_mode_must_be_known_and_unique(tmp_path, mode, message, hint):
    path = write(tmp_path, run(experiment(person(), mode="a"), experiment(person(), mode="b")))
    with pytest.raises(UsageError, match=message) as caught:
        read_run(path, mode=mode)
    assert hint in caught.value.hint


def test_two_experiments_of_one_mode_are_refused(tmp_path):
    path = write(tmp_path, run(experiment(person(1)), experiment(person(2))))
    with pytest.raises(ArtifactError, match="holds 2 experiments with mode 'few_shot'"):
        read_run(path, mode="few_shot")


def changed_items(key: str, **changes: Any) -> dict[str, Any]:
    return person(**{key: person()[key] | changes})


def without_item(key: str) -> dict[str, Any]:
    items = person()[key]
    del items["Tired"]
    return person(**{key: items})


PLACE = "run.json, mode few_shot: participant 300"
ID_NEEDS = r"`participant_id` must be a whole number below 10\^18 or a text"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (without_item("predicted_items"), f"{PLACE}: `predicted_items` lacks the item Tired"),
        (without_item("ground_truth_items"), f"{PLACE}: `ground_truth_items` lacks the item Tired"),
        (
            changed_items("predicted_items", Mood=1),
            f"{PLACE}: `predicted_items` has an item too many, 'Mood'",
        ),
        (without_item("item_signals"), f"(?m){PLACE}: `item_signals` lacks the item Tired$"),
        (
            person(item_signals={item: {} for item in PHQ8_ITEMS[:6]}),
            f"(?m){PLACE}: `item_signals` lacks the items Concentrating, Moving$",
        ),
        (
            person(item_signals={item.lower(): {} for item in PHQ8_ITEMS[:2]}),
            "lacks the items NoInterest, .*, Moving and has 2 items too many, 'nointerest', 'dep",
        ),
        (changed_items("item_signals", Mood={}), "`item_signals` has an item too many, 'Mood'"),
        (person(item_signals={}), "`item_signals` lacks the items NoInterest, Depressed, Sleep"),
        (person(item_signals=None), "`item_signals` must be an object, found null"),
        ({k: v for k, v in person().items() if k != "item_signals"}, "object, found nothing"),
        (
            changed_items("predicted_items", Sleep=4),
            f"{PLACE}, item Sleep: `predicted_items` must be null or a whole number .*, found 4",
        ),
        (changed_items("predicted_items", Sleep=-1), "found -1"),
        (changed_items("predicted_items", Sleep=1.5), "found 1.5"),
        (changed_items("predicted_items", Sleep=True), "found true"),
        (changed_items("predicted_items", Sleep="2"), "found the text '2'"),
        (changed_items("predicted_items", Sleep=10**400), "found a number beyond 64 bits"),
        (changed_items("predicted_items", Sleep={}), "found an object"),
        (
            changed_items("ground_truth_items", Sleep=None),
            f"{PLACE}, item Sleep: `ground_truth_items` must be a whole number .*, found null",
        ),
        (person(predicted_items=None), f"{PLACE}: `predicted_items` must be an object, found null"),
        (person(ground_truth_items=[1]), "`ground_truth_items` must be an object, found an array"),
        (person(success="yes"), f"{PLACE}: `success` must be true or false, found the text 'yes'"),
        (person(success=None), "`success` must be true or false, found null"),
        (person(None), f"{ID_NEEDS}, found null .entry 0."),
        (person(True), f"{ID_NEEDS}, found true"),
        (person(3.0), f"{ID_NEEDS}, found 3.0"),
        (person(""), f"{ID_NEEDS}, found the text ''"),
        (person(10**18), f"{ID_NEEDS}, found 10"),
        ({"success": True}, f"{ID_NEEDS}, found nothing"),
    ],
)
def test_bad_participants_are_refused_by_name(tmp_path, bad, message):
    with pytest.raises(ColumnError, match=message):
        read_run(write(tmp_path, run(experiment(bad))))


@pytest.mark.parametrize("ids", [(300, 300), (300, "300"), ("a", "a")])
def test_a_participant_may_occur_once(tmp_path, ids):
    with pytest.raises(ColumnError, match=f"participant {ids[0]} occurs 2 times"):
        read_run(write(tmp_path, run(experiment(person(1), *map(person, ids)))))


def test_a_failed_and_a_successful_entry_are_one_participant_twice(tmp_path):
    with pytest.raises(ColumnError, match="participant 1 occurs 2 times"):
        read_run(write(tmp_path, run(experiment(person(1), failed(1)))))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([1], "expected 'object', got 'int'"),
        ({}, "object missing required field 'experiments'"),
        ({"experiments": {}}, r"expected 'array', got 'object' - at '\$.experiments'"),
        ({"experiments": []}, "holds no experiments"),
        ({"experiments": [1]}, "expected 'object', got 'int'"),
        ({"experiments": [{}]}, "missing required field 'results'"),
        ({"experiments": [{"results": {}}]}, "missing required field 'results'"),
        ({"experiments": [{"results": {"results": {}}}]}, "expected 'array', got 'object'"),
        ({"experiments": [{"results": {"results": []}}]}, "holds no participants"),
        ({"experiments": [{"results": {"results": [3]}}]}, r"expected 'object', got 'int'"),
        ({"experiments": [{"results": {"mode": 1, "results": []}}]}, "expected 'str . null'"),
        ({"experiments": [experiment()], "run_metadata": 4}, "expected 'object . null'"),
        (run(experiment(person(item_signals=3))), "participant 300: `item_signals` does not"),
        (run(experiment(person(item_signals={"Sleep": 3}))), "item Sleep: `item_signals` does not"),
    ],
)
def test_what_is_not_a_run_file_is_refused(tmp_path, content, message):
    with pytest.raises(ArtifactError, match=message):
        read_run(write(tmp_path, content))


def valid() -> bytes:
    return json.dumps(run(experiment(person()))).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "run.json is empty"),
        (b"hello", "run.json is not valid JSON: invalid character"),
        (valid()[:-4], "run.json is not valid JSON: input data was truncated"),
        (valid().replace(b"0.5", b"NaN"), "holds the token NaN at byte 596, which is not JSON"),
        (
            valid().replace(b"0.5", b"-Infinity"),
            "holds the token -Infinity at byte 596, which is not JSON",
        ),
        (valid().replace(b"0.5", b"1e999"), "item NoInterest: .* number out of range"),
        (valid().replace(b"0.5", b"9" * 5000), "item NoInterest: .* out of range"),
        (valid().replace(b"0.5", b"[" * 9999 + b"]" * 9999), "nested too deeply"),
        (valid().replace(b"0.5", b'"\\ud800"'), "not valid JSON"),
        (valid().replace(b"0.5", b'"\xff"'), "not UTF-8 text: byte 0xff at offset"),
        (valid() + b"{}", "trailing characters"),
    ],
)
def test_bytes_that_are_not_strict_json_are_refused(tmp_path, content, message):
    with pytest.raises(ArtifactError, match=message):
        read_run(write(tmp_path, content))


def test_every_refusal_of_the_shape_has_a_hint(tmp_path):
    with pytest.raises(ArtifactError, match="experiments") as caught:
        read_run(write(tmp_path, {}))
    assert "a run file holds `experiments`" in caught.value.hint


@pytest.mark.parametrize("items", [PHQ8_ITEMS, ("mood", "sleep")])
def test_a_run_is_the_same_table_at_once_and_step_by_step(tmp_path, monkeypatch, items):
    signals = [{"token_msp": 1}, {"token_msp": None, "verbalized_confidence": True}, {}]
    given = {item: signals[number % 3] for number, item in enumerate(items)}
    scores = {item: [None, 1, 2.0][number % 3] for number, item in enumerate(items)}
    changes: dict[str, Any] = {
        "predicted_items": scores,
        "ground_truth_items": dict.fromkeys(items, 3),
        "item_signals": given,
    }
    odd = failed(3) | {"item_signals": None}
    of = experiment(*(person(n, **changes) for n in (2, 1)), failed(7), odd)
    of["provenance"]["items"] = list(items)
    path = write(tmp_path, run(of))
    at_once = read_run(path)

    monkeypatch.setattr("assay.sources.formats.run_file.json_cells", numpy_form.json_cells)
    by_step = read_run(path)
    assert (
        at_once.signals.keys() == by_step.signals.keys() == {"token_msp", "verbalized_confidence"}
    )
    assert (at_once.participants, at_once.failed) == (by_step.participants, by_step.failed)
    for one, other in [
        (at_once.prediction, by_step.prediction),
        (at_once.truth, by_step.truth),
        *((at_once.signals[each].value, by_step.signals[each].value) for each in by_step.signals),
        *((at_once.signals[each].state, by_step.signals[each].state) for each in by_step.signals),
    ]:
        np.testing.assert_array_equal(one, other)


ODD = (
    *(
        "NaN",
        "01",
        "1.",
        "nul",
        '"\\q"',
        '"\\ud800"',
        '"\t"',
        "[1,]",
        "{}}",
        "1e999",
        '{"a":1,"a":2}',
    ),
    *("-0", "1e-7", "12345678901234567890", '"\\u0041"', "[[]]", "true", '"x"', "null", "0.5", "7"),
    *("{}", '{"Sleep": 1}', "0.1000000000000000055511151231257827", "-1e2", "9007199254740993"),
)
"""values of which some are no JSON, and some are none that a participant may hold"""


@pytest.mark.parametrize("key", ["participant_id", "success", "predicted_items", "Sleep", "Moving"])
@pytest.mark.parametrize("odd", ODD)
def test_what_is_odd_is_read_or_refused_alike_at_once_and_step_by_step(
    tmp_path, monkeypatch, key, odd
):
    signals = {item: {"token_msp": 0.25} for item in PHQ8_ITEMS}
    people = [
        person(2),
        failed(3),
        person(1, item_signals=signals),
    ]
    text = json.dumps(run(experiment(*people)))
    places = {
        "participant_id": ('"participant_id": 2', f'"participant_id": {odd}'),
        "success": ('"success": false', f'"success": {odd}'),
        "predicted_items": ('"predicted_items": {', f'"predicted_items": {odd}, "other": {{'),
        "Sleep": ('"Sleep": 2', f'"Sleep": {odd}'),
        "Moving": ('"@"', odd),
    }
    path = tmp_path / "run.json"
    path.write_text(text.replace(*places[key], 1))
    at_once = shown(path)
    monkeypatch.setattr("assay.sources.formats.run_file.json_cells", numpy_form.json_cells)
    assert shown(path) == at_once


def shown(path):
    try:
        table = read_run(path)
    except (ArtifactError, ColumnError) as error:
        return str(error)
    signals = {
        name: (repr(each.value), each.state.tolist()) for name, each in table.signals.items()
    }
    scores = repr((table.prediction, table.truth))
    return table.participants, table.failed, table.notes, table.source, scores, signals


@pytest.mark.parametrize("name", ["p\u00e9", 'quo"te', "07", "a\\b"])
def test_ids_may_be_any_text_also_where_people_are_read_at_once(tmp_path, name):
    table = read_run(write(tmp_path, run(experiment(person(name), person("x")))))
    assert sorted(table.participants) == sorted([name, "x"])
