"""An answer is a score, an abstention or a failure, and never one for the other."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.produce.answers import (
    Completion,
    Failure,
    after_thinking,
    answer_schema,
    completion,
    parsed,
)
from assay.produce.calls import Reply
from assay.produce.tasks import read_item_task
from tests.produce.canned import Canned, answer, chat

TASK, _ = read_item_task()


def said(text, finish_reason="stop"):
    return Completion(text, finish_reason, msgspec.Raw(b"null"), None, None, 1)


def read(text, finish_reason="stop"):
    return parsed(said(text, finish_reason), TASK)


def only(value):
    return read(json.dumps(value)).answers[""]


def test_an_answer_is_read_as_it_was_asked_for():
    found = only(
        answer(2, evidence=["I wake"], inference_type="temporal", inference_marker="every night")
    )
    assert (found.score, found.confidence, found.evidence) == (2, 3, ("I wake",))
    assert (found.inference_type, found.inference_marker) == ("temporal", "every night")
    assert found.inference_used is True


@pytest.mark.parametrize("score", [None, "N/A", "n/a", "null", " NA "])
def test_no_score_is_an_abstention_and_states_no_confidence(score):
    found = only(answer(score, confidence=5))
    assert (found.score, found.confidence) == (None, None)


@pytest.mark.parametrize(("score", "read_as"), [(2.0, 2), ("2", 2), ("3.0", 3), (0, 0)])
def test_a_whole_number_may_be_spelled_otherwise(score, read_as):
    assert only(answer(score)).score == read_as


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (answer(4), "the score must be null or a whole number from 0 to 3, found 4"),
        (answer(-1), "found -1"),
        (answer(1.5), "found 1.5"),
        (answer(True), "found true"),
        (answer("two"), "found the text 'two'"),
        (answer("1_0"), "found the text '1_0'"),
        (answer("inf"), "found the text 'inf'"),
        (answer([1]), "found an array"),
        (answer(confidence=0), "the confidence must be null or a whole number from 1 to 5"),
        (answer(confidence=6), "found 6"),
        (answer(None, confidence=9), "found 9"),
        ({"score": 1, "confidence": 1}, "the answer lacks the key evidence"),
        ({"evidence": [], "confidence": 1}, "the answer lacks the key score"),
        ({"evidence": [], "score": 1}, "the answer lacks the key confidence"),
        ({**answer(), "evidence": "I wake"}, "the evidence must be a list of texts"),
        ({**answer(), "evidence": [1]}, "the evidence must be a list of texts"),
        ({**answer(), "evidence": None}, "the evidence must be a list of texts, found null"),
        (answer(inference_type="mood"), "the inference type is none of"),
        (answer(inference_type="impact", inference_marker=3), "the inference marker must be"),
        ([1], "the answer is not JSON"),
        (3, "the answer is not JSON"),
    ],
)
def test_an_answer_of_another_shape_is_a_failure(value, reason):
    with pytest.raises(Failure, match=reason):
        only(value)


def test_a_truncated_answer_is_a_failure_even_when_it_is_whole():
    with pytest.raises(Failure, match="truncated: the answer reached the token limit after 45"):
        read(json.dumps(answer()), "length")


def test_an_answer_cut_short_without_a_word_is_a_failure():
    with pytest.raises(Failure, match="the answer is not whole JSON"):
        read('{"evidence": [], "score": 1, "confi')


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_answer_is_a_failure(text):
    with pytest.raises(Failure, match="the answer is empty"):
        read(text)


def test_a_filtered_answer_is_a_failure():
    with pytest.raises(Failure, match="content filter"):
        read("{", "content_filter")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("{}", "plain"),
        ("\n{}\n", "plain"),
        ("```json\n{}\n```", "fenced"),
        ("```\n{}\n```", "fenced"),
        ("Here it is: {} as asked.", "embedded"),
        ("{} That is all.", "embedded"),
    ],
)
def test_a_fence_and_other_text_around_the_answer_are_noted(text, form):
    whole = json.dumps(answer(), ensure_ascii=False)
    found = read(text.replace("{}", whole))
    assert (found.answers[""].score, found.form) == (1, form)


def test_the_place_of_the_score_is_in_bytes():
    text = '  {"evidence": ["ünïversity: \\"score\\": 3"], "score" :\t 12.0e-1 , "confidence": 1}'
    text = text.replace("12.0e-1", '"2.0"')
    found = read(text).answers[""]
    start, end = found.score_span
    assert text.encode()[start:end] == b'"2.0"'


def test_of_a_key_that_stands_twice_the_last_counts_with_its_place():
    text = '{"score": 3, "evidence": [], "confidence": 1, "score": 0}'
    found = read(text).answers[""]
    assert found.score == 0
    assert text[slice(*found.score_span)] == "0"
    assert found.score_span[0] > 40


def test_all_items_at_once_are_read_by_their_keys():
    items = TASK.items[:2]
    text = json.dumps({items[1].key: answer(None), items[0].key: answer(3)})
    found = parsed(said(text), TASK, items).answers
    assert {key: each.score for key, each in found.items()} == {"NoInterest": 3, "Depressed": None}
    assert text[slice(*found["NoInterest"].score_span)] == "3"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"NoInterest": answer()}, "the answer lacks the item Depressed"),
        ({"NoInterest": answer(), "Depressed": 2}, "item Depressed must be an object"),
        ({"NoInterest": answer(), "Depressed": {}}, "item Depressed lacks the key evidence"),
        ({"NoInterest": answer(7), "Depressed": answer()}, "item NoInterest: the score must be"),
    ],
)
def test_an_answer_for_all_items_fails_as_a_whole(value, reason):
    with pytest.raises(Failure, match=reason):
        parsed(said(json.dumps(value)), TASK, TASK.items[:2])


@pytest.mark.parametrize(
    "text", ['{"a":' * 100_000, "{" * 100_000, '{"score": ' + "9" * 5000 + "}", '{"a": "\\ud800"}']
)
def test_hostile_json_is_a_failure(text):
    with pytest.raises(Failure):
        read(text)


def test_half_a_character_in_a_quotation_is_a_failure():
    with pytest.raises(Failure, match="not valid JSON"):
        read('{"evidence": ["\\ud800"], "score": 1, "confidence": 1}')


@given(st.text(max_size=60))
def test_any_text_is_an_answer_or_a_failure(text):
    try:
        read(text)
    except Failure as failure:
        assert str(failure)  # noqa: PT017 - either outcome is right


ANSWERS = st.fixed_dictionaries(
    {
        "evidence": st.lists(st.text(max_size=120), max_size=3),
        "score": st.sampled_from([0, 1, 2, 3, None]),
        "confidence": st.sampled_from([1, 2, 3, 4, 5, None]),
        "inference_type": st.sampled_from(["temporal", "intensity", "impact", None]),
        "inference_marker": st.none() | st.text(max_size=80),
    }
)


@given(ANSWERS)
def test_every_answer_that_the_schema_allows_can_be_read(value):
    jsonschema.validate(value, answer_schema(TASK))
    assert only(value).score == value["score"]


def test_the_schema_refuses_what_the_reader_refuses():
    schema = answer_schema(TASK, TASK.items[:1])
    good = {**answer(), "inference_type": None, "inference_marker": None}
    jsonschema.validate({"NoInterest": good}, schema)
    for bad in ({**good, "score": 4}, {**good, "more": 1}, {**good, "evidence": ["a"] * 4}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"NoInterest": bad}, schema)


def test_a_reply_has_its_text_and_what_the_server_says_of_it():
    replies = Canned().add("a", chat("yes", reasoning_content="why"))
    found = completion(replies.get("a"))
    assert (found.text, found.finish_reason, found.model) == ("yes", "stop", "tiny")
    assert found.reasoning == "why"


@pytest.mark.parametrize(
    ("message", "thoughts"),
    [
        ({"reasoning": "why"}, "why"),
        ({"reasoning_content": "why", "reasoning": "other"}, "why"),
        ({"reasoning": {"steps": 3}}, None),
    ],
)
def test_thoughts_are_found_under_either_name(message, thoughts):
    found = completion(Canned().add("a", chat("yes", **message)).get("a"))
    assert (found.text, found.reasoning) == ("yes", thoughts)


@pytest.mark.parametrize("fingerprint", [7, ["fp"], {"fp": 1}, None])
def test_a_fingerprint_that_is_no_text_is_none(fingerprint):
    replies = Canned().add("a", {**chat("yes"), "system_fingerprint": fingerprint})
    assert completion(replies.get("a")).fingerprint is None
    replies = Canned().add("a", {**chat("yes"), "model": fingerprint})
    assert (completion(replies.get("a")).model, completion(replies.get("a")).text) == (None, "yes")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('<think>{"score": 1}?</think>{"score": 2}', '{"score": 2}'),
        ('{"score": 1}? No.\n</think>\n\n{"score": 2}', '{"score": 2}'),
        ('<think>a</think>b</think>{"score": 2}', '{"score": 2}'),
        ('{"evidence": ["</think>"], "score": 2}', '{"evidence": ["</think>"], "score": 2}'),
        ("<think>{}</think> I cannot say.", "<think>{}</think> I cannot say."),
    ],
)
def test_what_was_thought_aloud_is_no_answer(text, answer):
    found = after_thinking(completion(Canned().add("a", chat(text)).get("a")))
    assert found.text == answer


@pytest.mark.parametrize(
    ("body", "error", "reason"),
    [
        (None, "status 400: no", "status 400: no"),
        ({"choices": []}, None, "the reply holds no choices"),
        ({"detail": "x"}, None, "not that of a chat endpoint"),
        ([], None, "not that of a chat endpoint"),
        ({"choices": [{"message": {"content": 3}}]}, None, "not that of a chat endpoint"),
        (chat(None, refusal="I will not"), None, "the model refused: 'I will not'"),
    ],
)
def test_a_reply_without_an_answer_has_a_reason(body, error, reason):
    with pytest.raises(Failure, match=reason):
        completion(Canned().add("a", body, error=error).get("a"))


def test_a_call_that_was_not_made_and_a_reply_without_a_body_have_reasons():
    with pytest.raises(Failure, match="the call was not made"):
        completion(None)
    with pytest.raises(Failure, match="the server sent no answer"):
        completion(Reply("a", "", 200, None, None, 1, 0.0, None, None))


def test_blanks_between_thoughts_that_are_kept_apart_and_the_answer_are_neither():
    body = chat('\n\n{"score": 2}\n')
    assert after_thinking(completion(Canned().add("a", body).get("a"))).text == '\n\n{"score": 2}\n'
    body["choices"][0]["message"]["reasoning_content"] = "Perhaps 2."
    assert after_thinking(completion(Canned().add("a", body).get("a"))).text == '{"score": 2}'


def test_a_message_in_parts_is_what_they_say_after_what_they_think():
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Well."}]}
    parts = [thought, {"type": "text", "text": "Ye"}, {"type": "text", "text": "s."}, "odd", {}]
    found = completion(Canned().add("a", chat(parts)).get("a"))
    assert (found.text, found.reasoning) == ("Yes.", "Well.")


def test_a_message_without_content_is_empty():
    assert completion(Canned().add("a", chat(None)).get("a")).text == ""
