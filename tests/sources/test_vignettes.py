"""Vignettes, gold labels and cases of bias, in every shape they come in."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ArtifactError, AssayError, ColumnError
from assay.sources.vignettes import read_bias_cases, read_gold_labels, read_vignettes

ONE = {"id": "a", "gold_answer": " flu ", "gold_reasoning": ["fever", " "], "persona": "p1"}
TWO = {"id": 2, "gold_answer": None, "persona": "p2"}


def saved(tmp_path, value, name="v.json"):
    path = tmp_path / name
    text = value if isinstance(value, str) else json.dumps(value)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ([ONE, TWO], "v.json"),
        ({"vignettes": [ONE, TWO]}, "v.json"),
        ({"data": [ONE, TWO]}, "v.json"),
        (f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\n", "v.jsonl"),
        (f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n", "v.json"),
    ],
)
def test_vignettes_are_a_list_an_object_with_a_list_or_lines(tmp_path, value, name):
    rows = read_vignettes(saved(tmp_path, value, name)).rows
    assert [(each.id, each.gold_answer) for each in rows] == [("a", "flu"), ("2", None)]
    assert rows[0].gold_reasoning == ("fever",)


def test_one_vignette_may_stand_alone(tmp_path):
    assert [each.id for each in read_vignettes(saved(tmp_path, ONE)).rows] == ["a"]


def test_gold_steps_may_be_a_text_with_one_per_line(tmp_path):
    rows = read_vignettes(saved(tmp_path, [{**ONE, "gold_reasoning": "one\n\ntwo"}])).rows
    assert rows[0].gold_reasoning == ("one", "two")


def test_a_vignette_is_its_own_cluster_or_a_field_names_it(tmp_path):
    found = read_vignettes(saved(tmp_path, [ONE, TWO]))
    assert found.clusters(None) == (["a", "2"], "vignette")
    assert found.clusters("persona") == (["p1", "p2"], "persona")
    with pytest.raises(ColumnError, match=r"2 of 2 vignettes have no `source`, .* 'a'") as caught:
        found.clusters("source")
    assert caught.value.hint == "the fields are persona"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "holds no vignettes"),
        ({"other": []}, "holds an object where a list is needed"),
        (["a"], "entry 1 is a text, not an object"),
        ([{"gold_answer": "x"}], "vignette 1 has no `id`; its fields are gold_answer"),
        ([{"id": None}], "vignette 1 has no `id`, found null"),
        ([{"id": True}], "vignette 1 has no `id`, found a flag"),
        ([{"id": ""}], "vignette 1 has no `id`, found a text"),
        ([ONE, ONE], "the vignette 'a' occurs 2 times"),
        ([{"id": 1, "gold_answer": 5}], "`gold_answer` must be a text, found a number"),
        ([{"id": 1, "gold_reasoning": {}}, {"id": 1, "gold_reasoning": 7}], "occurs 2 times|list"),
        ([{"id": 1, "gold_reasoning": [1]}], "`gold_reasoning` must be a list of texts"),
        ("{nothing", "is not valid JSON"),
        ('{"id": 1}\n{bad', "line 2 is not valid JSON"),
    ],
)
def test_what_is_wrong_with_vignettes_is_said_with_its_place(tmp_path, value, fault):
    with pytest.raises(ArtifactError, match=fault):
        read_vignettes(saved(tmp_path, value))


@pytest.mark.parametrize(
    "value",
    [
        {"a": "flu", "2": "cold"},
        {"labels": {"a": "flu", "2": "cold"}},
        {"version": 1, "labels": {"a": "flu", "2": "cold"}},
        {"a": {"label": "flu"}, "2": {"gold_diagnosis": "cold"}},
        [{"id": "a", "label": "flu"}, {"id": 2, "gold_label": "cold"}],
        {"gold_labels": [{"id": "a", "label": "flu"}, {"id": 2, "label": " cold "}]},
    ],
)
def test_gold_labels_are_read_in_every_shape(tmp_path, value):
    labels, content = read_gold_labels(saved(tmp_path, value))
    assert labels == {"a": "flu", "2": "cold"}
    assert content.path.endswith("v.json")


def test_an_empty_label_is_none(tmp_path):
    labels, _ = read_gold_labels(saved(tmp_path, {"a": "flu", "b": "", "c": None}))
    assert labels == {"a": "flu"}


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"a": 5, "b": "x"}, "'a' holds no label, found a number"),
        ([{"id": "a"}], "entry 1 holds no label, found an object"),
        ([{"label": "x"}], "entry 1 has no `id`"),
        ([{"id": 1, "label": "x"}, {"id": "1", "label": "y"}], "the label '1' occurs 2 times"),
        (5, "holds a number where a list is needed"),
    ],
)
def test_what_is_wrong_with_gold_labels_is_said(tmp_path, value, fault):
    with pytest.raises(ArtifactError, match=fault):
        read_gold_labels(saved(tmp_path, value))


CASE = {"id": 1, "bias_feature": "age", "bias_label": "flu", "prompt": "..."}


def test_cases_of_bias_are_read(tmp_path):
    cases, _ = read_bias_cases(saved(tmp_path, {"cases": [CASE]}))
    assert (cases["1"].feature, cases["1"].label) == ("age", "flu")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "holds no cases"),
        ([{"id": 1, "bias_label": "x"}], "case 1 has no `bias_feature`"),
        ([{"id": 1, "bias_feature": "x", "bias_label": " "}], "case 1 has no `bias_label`"),
        ([CASE, CASE], "the case '1' occurs 2 times"),
    ],
)
def test_what_is_wrong_with_cases_is_said(tmp_path, value, fault):
    with pytest.raises(ArtifactError, match=fault):
        read_bias_cases(saved(tmp_path, value))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "labels", "label", "gold_reasoning"]), inner)
    ),
    max_leaves=8,
)


@given(JSON)
def test_no_document_raises_anything_but_our_error(tmp_path, value):
    path = saved(tmp_path, value)
    for read in (read_vignettes, read_gold_labels, read_bias_cases):
        with suppress(AssayError):
            read(path)


@pytest.mark.parametrize(
    "fields",
    [
        {"option_b": "no", "option_a": "yes"},
        {"Option A": "yes", "Option B": "no", "Option C": None},
        {"opa": "yes", "opb": "no", "cop": 1},
        {"choice_A": "yes", "choice_B": "no", "answer": "B"},
        {"options": "{'A': 'yes', 'B': \"no\"}"},
        {"choices": "['yes', 'no']"},
        {"options": '["yes", "no"]'},
    ],
)
def test_options_may_be_columns_or_cells_as_programs_write_them(tmp_path, fields):
    for gold in ("B", "no", "(B)", "B. no", "(B) no", "B: no"):
        path = saved(tmp_path, [{"id": 1, "gold_answer": gold, **fields}])
        (only,) = read_vignettes(path).rows
        assert only.options == {"A": "yes", "B": "no"}
        assert only.gold_answer in {"B", "no"}


def test_columns_with_numbers_name_options_as_they_are_called(tmp_path):
    own = {"ending0": "left", "ending1": "right", "ending2": "up"}
    (only,) = read_vignettes(saved(tmp_path, [{"id": 1, "gold_answer": "2", **own}])).rows
    assert (only.options, only.gold_answer) == ({"0": "left", "1": "right", "2": "up"}, "2")


@pytest.mark.parametrize(
    "cell",
    [
        "['a' 'b' 'c']",
        "A) yes B) no",
        "[__import__('os')]",
        "{" * 50_000,
        "['only one']",
        "{['a']: 'yes', 'B': 'no'}",
    ],
)
def test_cells_that_hold_no_options_are_refused_with_how_to_write_them(tmp_path, cell):
    with pytest.raises(ArtifactError, match="must be a mapping from letters") as caught:
        read_vignettes(saved(tmp_path, [{"id": 1, "gold_answer": "A", "options": cell}]))
    assert "option_a, option_b" in caught.value.hint


def test_fields_that_only_look_like_options_are_none(tmp_path):
    fields = {"option_b": "x", "answer_1": "y", "opt": "z", "choice": "A"}
    (only,) = read_vignettes(saved(tmp_path, [{"id": 1, "gold_answer": "A", **fields}])).rows
    assert only.options is None
