"""Results, ground truth and reviews: every layout that is read, and every file that is not one."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.evidence import claims_of, incidents_of
from assay.errors import ArtifactError, AssayError
from assay.sources.verdicts import (
    ground_truth_of,
    read_ground_truth,
    read_results,
    read_reviews,
    results_of,
    reviews_of,
)

KEYS = ("business_id", "verdict", "parsed", "ground_truth", "incidents", "text", "review_id", "a")
RESULT = {"business_id": "a", "parsed": {"evidences": []}, "verdict": "Low Risk"}
OTHER = {"business_id": "b", "error": "timed out"}
TRUTH = {
    "policy_id": "G1_allergy_V2",
    "k": 25,
    "restaurants": {
        "a": {
            "name": "A",
            "categories": ["Thai"],
            "ground_truth": {"verdict": "Low Risk", "incidents": [{"review_id": "r1"}]},
        }
    },
}


def save(tmp_path, content, name="file.json"):
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(path)


def lines(*rows):
    return "".join(json.dumps(row) + "\n\n" for row in rows)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ({"run_id": "x", "k": 25, "results": [RESULT, OTHER]}, "r.json"),
        ({"metadata": {"run_id": "x"}, "k": 25, "per_sample_results": [RESULT, OTHER]}, "r.json"),
        ([RESULT, OTHER], "r.json"),
        (lines(RESULT, OTHER), "r.jsonl"),
        (lines(RESULT, OTHER), "r.json"),
        ([RESULT, OTHER], "r.json.gz"),
    ],
)
def test_every_layout_of_results_holds_the_same_answers(tmp_path, content, name):
    found = read_results(save(tmp_path, content, name))
    assert found.cases == {"a": RESULT, "b": OTHER}
    if isinstance(content, dict):
        assert (found.text("run_id"), found.k) == ("x", 25)
        assert found.format in content


def test_one_result_is_a_file_of_results(tmp_path):
    assert read_results(save(tmp_path, RESULT)).cases == {"a": RESULT}


def test_a_number_is_a_case_id_and_true_is_not():
    assert list(results_of([{"case_id": 7, "verdict": "x"}], path="f").cases) == ["7"]
    with pytest.raises(ArtifactError, match=r"f, result 1: `case_id` must be a text .* true or"):
        results_of([{"case_id": True, "verdict": "x"}], path="f")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (TRUTH, "is a ground-truth file .* and was given as results"),
        ([{"business_id": "a", "ground_truth": {}}], "holds ground truth and was given as results"),
        ({"kind": "sets", "schema_version": "1"}, "is an artifact of the kind 'sets'"),
        ({"results": []}, "holds no results: its list is empty"),
        ([], "holds no results"),
        ({"a": 1, "b": 2}, "no key results or per_sample_results, found a, b"),
        ({}, "found no key"),
        ({"results": {"a": RESULT}}, "has no list of results"),
        ([1], "result 1 must be an object, found a number"),
        ([{"verdict": "x"}], "result 1 names no case: none of case_id, business_id, sample_id"),
        ([{"business_id": ""}], "`business_id` must be a text that is not empty, found an empty"),
        ([{"business_id": "a", "review_id": "r"}], "holds no answers.* found business_id, rev"),
        ([RESULT, OTHER, RESULT], "has more than one result of a case, 1 too many: 'a'"),
        ('{"results": [', "is not valid JSON"),
        ("3", "does not have the shape it needs"),
        ('{"business_id": "a"}\n{"business', "line 2 is not valid JSON"),
        ('[{"business_id": "a", "risk_score": NaN}]', "holds the token NaN"),
    ],
)
def test_what_is_no_results_file_is_refused_with_its_path_and_a_hint(tmp_path, content, sentence):
    path = save(tmp_path, content)
    with pytest.raises(ArtifactError, match=sentence) as refused:
        read_results(path)
    assert path in refused.value.message
    assert refused.value.hint


def test_ground_truth_carries_policy_k_name_and_categories(tmp_path):
    found = read_ground_truth(save(tmp_path, TRUTH))
    assert (found.policy_id, found.k) == ("G1_allergy_V2", 25)
    assert found.cases["a"] == {
        "name": "A",
        "categories": ["Thai"],
        "verdict": "Low Risk",
        "incidents": [{"review_id": "r1"}],
    }


@pytest.mark.parametrize(
    "content",
    [
        {"a": "Low Risk"},
        {"a": {"verdict": "Low Risk"}},
        {"cases": {"a": {"verdict": "Low Risk", "incidents": None}}},
        [{"business_id": "a", "ground_truth": {"verdict": "Low Risk"}}],
    ],
)
def test_shorter_forms_of_ground_truth_are_read(content):
    truth = ground_truth_of(content, path="f").cases["a"]
    assert truth["verdict"] == "Low Risk"
    assert truth["incidents"] == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"results": [RESULT]}, "holds the results of a system and was given as ground truth"),
        ([RESULT], "holds the results of a system and was given as ground truth"),
        (
            [{"business_id": "a", "review_id": "r", "text": "x"}],
            "holds sources and was given as ground truth",
        ),
        ({"restaurants": {}}, "has no cases: their object is empty"),
        ({"restaurants": 3}, "has no cases: it holds no object of them"),
        ({"a": 1}, "case 'a' must be an object, found a number"),
        ({"a": {}}, "case 'a': `verdict` must be a text that is not empty, found null"),
        ({"a": {"verdict": " "}}, "`verdict` must be a text that is not empty"),
        ({"a": {"verdict": "x", "incidents": 3}}, "`incidents` must be a list, found a number"),
        ({"a": {"verdict": "x", "incidents": [3]}}, "finding 1 must be an object"),
        ({"a": {"verdict": "x", "incidents": [{}]}}, "finding 1: `source_id` must be a text"),
        (
            [{"case_id": "a", "verdict": "x"}, {"case_id": "a", "verdict": "x"}],
            "has more than one ground truth of a case, 1 too many: 'a'",
        ),
    ],
)
def test_what_is_no_ground_truth_is_refused(content, sentence):
    with pytest.raises(ArtifactError, match=f"f.*{sentence}"):
        ground_truth_of(content, path="f")


def test_cases_under_a_key_of_their_own_are_told_how_to_be_read():
    with pytest.raises(ArtifactError, match="'claims' must be an object, found a list") as refused:
        ground_truth_of({"claims": [{"case_id": "a", "verdict": "x"}]}, path="f")
    assert refused.value.hint.endswith("`map` reads another key as cases")


@pytest.mark.parametrize(
    "content",
    [
        {"a": {"r1": "one", "r2": "two"}},
        {"a": [{"review_id": "r1", "text": "one"}, {"review_id": "r2", "text": "two"}]},
        {"reviews_data": {"a": {"r1": "one", "r2": "two"}}},
        {"business_id": "a", "reviews": {"r1": "one", "r2": "two"}},
        [{"business": {"business_id": "a"}, "reviews": {"r1": "one", "r2": "two"}}],
        [
            {"business_id": "a", "review_id": "r1", "text": "one"},
            {"business_id": "a", "review_id": "r2", "text": "two"},
        ],
    ],
)
def test_every_layout_of_reviews_holds_the_same_texts(content):
    assert reviews_of(content, path="f").texts == {"a": {"r1": "one", "r2": "two"}}


def test_a_whole_number_is_a_review_id_everywhere():
    row = {"business_id": "a", "review_id": 7, "text": "one"}
    assert reviews_of([row], path="f").texts == {"a": {"7": "one"}}
    case = {"verdict": "Low Risk", "incidents": [{"review_id": 7, "severity_value": "mild"}]}
    told = ground_truth_of({"a": case}, path="f").cases["a"]["incidents"]
    assert incidents_of(told).reviews == claims_of([{"review_id": 7}]).reviews == {"7"}


def test_reviews_as_lines_carry_their_dates(tmp_path):
    rows = [
        {"business_id": "a", "review_id": "r1", "text": "one", "date": "2021-05-01"},
        {"business_id": "b", "review_id": "r1", "text": "two", "date": 3},
    ]
    found = read_reviews(save(tmp_path, lines(*rows), "r.jsonl"))
    assert found.texts == {"a": {"r1": "one"}, "b": {"r1": "two"}}
    assert found.dates == {"a": {"r1": "2021-05-01"}}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (TRUTH, "is a ground-truth file and was given as sources"),
        ({"results": [RESULT]}, "holds the results of a system and was given as sources"),
        ({}, "holds no source"),
        ({"a": {}}, "holds no source"),
        ({"a": 3}, "case 'a' must hold sources by id or in a list, found a number"),
        ({"a": {"": "x"}}, "`source_id` must be a text that is not empty, found an empty text"),
        ({"a": {"r": 3}}, "`text` must be a text, found a number"),
        ({"a": [3]}, "source 1 must be an object"),
        ({"a": [{"text": "x"}]}, "`source_id` must be a text that is not empty, found null"),
        ([{"business_id": "a"}], "row 1 has neither sources nor source_id and text"),
        (
            [
                {"business_id": "a", "review_id": "r", "text": "x"},
                {"business_id": "a", "review_id": "r", "text": "y"},
            ],
            "source 'r' of case 'a' has two texts",
        ),
    ],
)
def test_what_is_no_reviews_file_is_refused(content, sentence):
    with pytest.raises(ArtifactError, match=f"f.*{sentence}"):
        reviews_of(content, path="f")


@pytest.mark.parametrize("key", ["issues", "incident", "finding"])
def test_incidents_under_another_name_are_refused_with_what_is_expected(key):
    case = {"verdict": "Low", key: [{"review_id": "r"}]}
    with pytest.raises(ArtifactError, match=f"case 'a' has no `findings`, found '{key}'") as told:
        ground_truth_of({"a": case}, path="f")
    assert "objects with source_id, field and value" in told.value.hint
    for other in ({"tags": ["x"]}, {"sources": [{"review_id": "r"}]}, {key: []}):
        read = ground_truth_of({"a": {"verdict": "Low", **other}}, path="f")
        assert read.cases["a"]["incidents"] == []


def test_whole_numbers_of_numpy_are_ids_and_k():
    read = ground_truth_of(
        {"k": np.int64(25), "cases": [{"case_id": np.int32(7), "verdict": "Low"}]}, path="f"
    )
    assert (list(read.cases), read.k) == (["7"], 25)
    assert type(read.k) is int


@pytest.mark.parametrize("k", [True, 0, -1, 2.5, "25", None])
def test_k_is_a_whole_number_above_zero(k):
    assert ground_truth_of({"k": k, "cases": {"a": "Low"}}, path="f").k is None


@pytest.mark.parametrize("name", ["results", "restaurants", "reviews", ""])
@given(
    found=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(KEYS),
                inner,
                max_size=4,
            )
        ),
        max_leaves=10,
    )
)
def test_whatever_a_file_holds_reading_it_ends_in_one_sentence_or_in_data(name, found):
    content = {name: found} if name else found
    for read in (results_of, ground_truth_of, reviews_of):
        with suppress(AssayError):
            assert read(content, path="f").path == "f"
