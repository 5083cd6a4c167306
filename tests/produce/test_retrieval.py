"""References are found by the largest cosine to a window of the transcript."""

from __future__ import annotations

import numpy as np
import pytest

from assay.produce.answers import Failure
from assay.produce.interviews import Embedding, Interview, Reference, most_similar, windows
from tests.produce.canned import Canned
from tests.produce.canned import vectors as sent


@pytest.mark.parametrize(("n_words", "n_windows"), [(1, 1), (60, 1), (120, 1), (121, 2), (180, 2)])
def test_every_word_is_in_a_window(n_words, n_windows):
    words = [f"w{number}" for number in range(n_words)]
    found = windows(" ".join(words))
    assert len(found) == n_windows
    assert all(len(each.split()) <= 120 for each in found)
    assert {word for each in found for word in each.split()} == set(words)


M = Embedding("m")


def test_texts_are_embedded_a_few_at_a_time():
    calls = list(M.calls("embed/p", [str(n) for n in range(33)]))
    assert [call.key for call in calls] == ["embed/p/0", "embed/p/1", "embed/p/2"]
    assert [len(call.body["input"]) for call in calls] == [16, 16, 1]
    assert {(call.server, call.alone) for call in calls} == {("embedding", False)}


def test_a_text_that_must_be_embedded_alone_has_the_server_to_itself():
    alone = Embedding("m", {"truncate": True, "model": None}, per_call=1)
    calls = list(alone.calls("e", ["a", "b"]))
    assert [call.body for call in calls] == [
        {"input": ["a"], "truncate": True},
        {"input": ["b"], "truncate": True},
    ]
    assert all(call.alone for call in calls)
    assert [call.key for call in calls] == ["e/0", "e/1"]
    replies = Canned().add("e/0", sent([3.0, 4.0])).add("e/1", sent([0.0, 2.0]))
    assert alone.vectors("e", ["a", "b"], replies).tolist() == [[0.6, 0.8], [0.0, 1.0]]


def test_vectors_are_brought_to_length_one_in_the_order_of_their_index():
    body = sent([3.0, 4.0], [0.0, 2.0])
    body["data"].reverse()
    found = M.vectors("e", ["a", "b"], Canned().add("e/0", body))
    assert found.tolist() == [[0.6, 0.8], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("body", "error", "reason"),
    [
        (sent([1.0, 0.0]), None, "asked for 2 embeddings and got 1"),
        (sent([1.0, 0.0], [1.0]), None, "do not all have the same length"),
        (sent([1.0, 0.0], [0.0, 0.0]), None, "an embedding has no length"),
        (sent([], []), None, "an embedding has no length"),
        (sent([1e200, 0.0], [1e308, 1e308]), None, "an embedding has no length"),
        ({"data": [{"embedding": "AAA="}] * 2}, None, "not that of an embeddings endpoint"),
    ],
)
def test_embeddings_that_are_not_there_have_a_reason(body, error, reason):
    with pytest.raises(Failure, match=reason):
        M.vectors("e", ["a", "b"], Canned().add("e/0", body, error=error))


def test_texts_that_are_refused_together_count_one_by_one():
    texts = [str(number) for number in range(18)]
    replies = Canned().add("e/0", sent(*[[1.0, 0.0]] * 16)).add("e/1", None, error="status 413")
    calls = list(M.counting("e", texts, replies))
    assert [call.key for call in calls] == ["e/0", "apart-e/1/0", "apart-e/1/1"]
    assert [call.body["input"] for call in calls[1:]] == [["16"], ["17"]]
    assert all(call.alone for call in calls[1:])
    replies.add("apart-e/1/0", sent([3.0, 4.0])).add("apart-e/1/1", None, error="status 500")
    with pytest.raises(Failure, match="no embeddings: status 500"):
        M.vectors("e", texts, replies)
    replies.add("apart-e/1/1", sent([0.0, 2.0]))
    assert M.vectors("e", texts, replies)[-2:].tolist() == [[0.6, 0.8], [0.0, 1.0]]


def test_a_text_that_is_refused_on_its_own_is_not_split():
    replies = Canned().add("e/0", None, error="status 500: input too long")
    with pytest.raises(Failure, match="no embeddings: status 500: input too long"):
        M.vectors("e", ["a"], replies)


def test_a_call_that_was_not_made_has_a_reason():
    with pytest.raises(Failure, match="no embeddings: the call was not made"):
        M.vectors("e", ["a"], Canned())


def test_replies_of_different_lengths_do_not_fit_together():
    replies = Canned().add("e/0", sent(*[[1.0, 0.0]] * 16)).add("e/1", sent([1.0]))
    with pytest.raises(Failure, match="do not all have the same length"):
        M.vectors("e", ["a"] * 17, replies)


def references(*scores, own=None):
    return [
        Reference(f"r{number}", "text", each, "p" if number == own else None)
        for number, each in enumerate(scores)
    ]


def names(found):
    return {item: [each.reference.name for each in them] for item, them in found.items()}


def test_the_most_similar_come_first_and_only_those_that_have_a_score():
    known = references({"Sleep": 3}, {"Sleep": 0, "Tired": 1}, {"Tired": 2}, {"Sleep": 1})
    similarity = np.array([0.2, 0.9, 0.5, 0.9])
    found = most_similar(Interview("p", "t", None), known, similarity, most=2, least=0.0)
    assert names(found) == {"Sleep": ["r1", "r3"], "Tired": ["r1", "r2"]}
    assert [each.score for each in found["Sleep"]] == [0, 1]
    assert [each.similarity for each in found["Tired"]] == [0.9, 0.5]


def test_what_is_not_similar_enough_is_not_retrieved():
    known = references({"Sleep": 3}, {"Sleep": 0})
    found = most_similar(Interview("p", "t", None), known, np.array([0.7, 0.69]), most=2, least=0.7)
    assert names(found) == {"Sleep": ["r0"]}


def test_a_passage_of_the_participant_is_never_an_example_for_the_same_participant():
    known = references({"Sleep": 3}, {"Sleep": 0}, own=0)
    found = most_similar(Interview("p", "t", None), known, np.array([1.0, 0.1]), most=2, least=0)
    assert names(found) == {"Sleep": ["r1"]}
