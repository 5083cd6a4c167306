"""Only what a server returned counts as what it can do."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.produce.interviews import Embedding
from assay.produce.probe import Asking, capabilities, chat_body, check, probe_calls
from tests.produce.canned import Canned, chat, choice, probed, spelled_out, vectors

ASKING = Asking(model="m")
E = Embedding("e")
ABLE = ("logprobs", "n", "seed", "seed_varies", "json_schema", "sampling_parameters")


def test_a_server_that_returns_all_that_was_asked_for_can_do_it():
    found = capabilities(ASKING, probed(Canned(), embeddings=True), embedding=E)
    assert {name: getattr(found, name) for name in (*ABLE, "embeddings")} == dict.fromkeys(
        (*ABLE, "embeddings"), True
    )
    assert (found.max_top_logprobs, found.token_bytes) == (5, True)
    assert (found.model, dict(found.problems)) == ("tiny", {})


def test_every_question_has_its_own_key_and_asks_for_one_thing():
    calls = {call.key: call.body for call in probe_calls(ASKING, max_tokens=300)}
    assert set(calls) == {
        *(f"probe/seed-{number}" for number in (1, 2, 3)),
        *(f"probe/{name}" for name in ("logprobs", "top_logprobs", "json_schema", "n")),
        "probe/sampling_parameters",
    }
    assert calls["probe/seed-1"] == calls["probe/seed-2"]
    assert calls["probe/seed-3"]["seed"] == calls["probe/seed-1"]["seed"] + 1
    assert calls["probe/logprobs"]["top_logprobs"] == 5
    assert calls["probe/json_schema"]["max_tokens"] == 300


def test_what_is_not_wanted_is_not_asked_for():
    asking = Asking(model="m", without=frozenset({"logprobs", "seed", "json_schema"}))
    calls = list(probe_calls(asking, max_tokens=9, embedding=E))
    assert [call.key for call in calls] == [
        "probe/seed-1",
        "probe/n",
        "probe/sampling_parameters",
        "probe/embeddings/0",
        *(f"probe/embeddings-alone/{number}" for number in range(3)),
        "probe/embeddings-again/0",
    ]
    assert [call.alone for call in calls] == [False] * 3 + [True] * 5
    assert not any({"seed", "logprobs", "response_format"} & set(call.body) for call in calls)
    found = capabilities(asking, probed(Canned()))
    assert (found.logprobs, found.seed, found.json_schema, found.embeddings) == (None,) * 4


def test_no_alternatives_means_no_logprobs():
    asking = Asking(model="m", top_logprobs=0)
    assert not asking.wants("logprobs")
    assert capabilities(asking, probed(Canned())).logprobs is None


SENTENCE = "The sea."
LIES = {
    "logprobs": (chat(SENTENCE), "the server returned no logprobs"),
    "top_logprobs": (chat(SENTENCE, logprobs=spelled_out("Other")), "do not spell the answer"),
    "json_schema": (chat("white"), "the answer is not JSON: 'white'"),
    "n": ({"choices": [choice(SENTENCE)]}, "asked for 2 choices and got 1"),
    "seed-2": (chat("Another."), "the same seed gave another text"),
    "seed-3": (chat(SENTENCE), "another seed gave the same text"),
}


@pytest.mark.parametrize(("name", "lie"), LIES.items())
def test_what_is_accepted_and_not_returned_is_found_out(name, lie):
    body, reason = lie
    found = capabilities(ASKING, probed(Canned()).add(f"probe/{name}", body))
    assert reason in found.problems[name]
    lacking = {"seed-2": "seed", "seed-3": "seed_varies"}.get(name, name)
    if name != "top_logprobs":
        assert getattr(found, lacking) is False


def test_an_answer_of_other_keys_is_no_schema():
    replies = probed(Canned()).add("probe/json_schema", chat('{"color": "white"}'))
    assert "does not have the keys" in capabilities(ASKING, replies).problems["json_schema"]


def test_fewer_alternatives_than_asked_for_are_found_out():
    found = capabilities(ASKING, probed(Canned(), k=3))
    assert found.logprobs is False
    assert found.max_top_logprobs == 3
    assert found.problems["logprobs"] == "asked for 5 alternatives of a token and got 3"


def test_a_server_that_answers_with_an_empty_text_repeats_nothing():
    replies = probed(Canned())
    for name in ("seed-1", "seed-2"):
        replies.add(f"probe/{name}", chat(""))
    assert capabilities(ASKING, replies).problems["seed-2"] == "the answer is empty"


def test_a_model_that_thinks_first_is_told_to_get_more_room():
    replies = probed(Canned())
    for name in ("seed-1", "seed-2", "logprobs"):
        replies.add(f"probe/{name}", chat("", finish_reason="length", reasoning_content="Hm"))
    problems = capabilities(ASKING, replies).problems
    why = "no text came within --probe-tokens; a model that thinks first needs more"
    assert (problems["seed-2"], problems["logprobs"]) == (why, why)
    more = Asking(model="m", probe_tokens=900)
    assert next(iter(probe_calls(more, max_tokens=9))).body["max_tokens"] == 900


def test_tokens_without_bytes_are_noted():
    body = chat(SENTENCE, logprobs=spelled_out(SENTENCE))
    for each in body["choices"][0]["logprobs"]["content"]:
        each["bytes"] = None
    found = capabilities(ASKING, probed(Canned()).add("probe/logprobs", body))
    assert (found.logprobs, found.token_bytes) == (True, False)


def test_a_server_that_does_not_answer_a_plain_question_ends_the_run():
    replies = Canned().add("probe/seed-1", None, status=404, error="status 404: no such model")
    with pytest.raises(UsageError, match="plain question: status 404: no such model"):
        capabilities(ASKING, replies)


@pytest.mark.parametrize(
    ("name", "key", "reason"),
    [
        ("logprobs", "logprobs", "the server lacks logprobs, which token signals need: status 400"),
        ("json_schema", "json_schema", "the server lacks json_schema, which checked answers need"),
        ("seed", "seed-2", "the server lacks seed, which repeatable samples need: status 400"),
        ("embeddings", "embeddings-alone/0", "lacks embeddings, which few-shot references need"),
    ],
)
def test_a_run_that_needs_what_is_missing_is_refused(name, key, reason):
    replies = probed(Canned(), embeddings=True)
    replies.add(f"probe/{key}", None, status=400, error="status 400: unknown field")
    found = capabilities(ASKING, replies, embedding=E)
    with pytest.raises(UsageError, match=reason) as raised:
        check(found, ASKING, samples=2, embedding=True)
    other = "--embedding-base-url" if name == "embeddings" else f"--without {name}"
    assert other in raised.value.hint


def test_a_run_goes_on_without_what_it_does_not_need():
    replies = probed(Canned())
    for name in ("seed-2", "n", "sampling_parameters"):
        replies.add(f"probe/{name}", None, status=400, error="status 400")
    found = capabilities(ASKING, replies)
    check(found, ASKING, samples=0, embedding=False)
    assert (found.n, found.sampling_parameters) == (False, False)


def test_embeddings_that_are_not_vectors_are_found_out():
    replies = probed(Canned(), embeddings=True)
    replies.add("probe/embeddings-alone/1", vectors([1.0], [2.0]))
    found = capabilities(ASKING, replies, embedding=E)
    assert (found.embeddings, found.embeddings_together) == (False, None)
    assert found.problems["embeddings"] == "asked for 1 embedding and got 2"


OTHERS = [[1.0, 2.0]] * 13
"""embeddings of what is sent beside the three that are compared"""


@pytest.mark.parametrize(
    ("company", "together", "problem"),
    [
        (vectors([1.0, 0.001], [0.0, 9.0], [2.0, 2.0], *OTHERS), True, None),
        # (1, 0.1) is at an angle of atan(0.1) to (1, 0): 1 - 1 / sqrt(1.01)
        (
            vectors([1.0, 0.1], [0.0, 1.0], [1.0, 1.0], *OTHERS),
            False,
            "a text has another embedding in company than alone (1 - cosine is 0.005)",
        ),
        (vectors(*[[1.0]] * 16), False, "the embeddings do not all have the same length"),
        (vectors([1.0, 0.0]), False, "asked for 16 embeddings and got 1"),
    ],
)
def test_what_a_text_gives_in_company_is_compared_with_what_it_gives_alone(
    company, together, problem
):
    replies = probed(Canned(), embeddings=True).add("probe/embeddings/0", company)
    found = capabilities(ASKING, replies, embedding=E)
    assert (found.embeddings, found.embeddings_together) == (True, together)
    assert found.problems.get("embeddings_together") == problem


def test_a_server_whose_embeddings_are_never_twice_the_same_has_none():
    replies = probed(Canned(), embeddings=True)
    replies.add("probe/embeddings-again/0", vectors([1.0, 0.1]))
    found = capabilities(ASKING, replies, embedding=E)
    problem = "one text gave two embeddings (1 - cosine is 0.005)"
    assert (found.embeddings, found.problems["embeddings"]) == (False, problem)
    with pytest.raises(UsageError, match=r"lacks embeddings, .*one text gave two embeddings"):
        check(found, ASKING, samples=0, embedding=True)


def test_keys_are_added_to_and_taken_from_every_body():
    asking = Asking(model="m", extra_body={"max_tokens": None, "max_completion_tokens": 9})
    body = chat_body(asking, [], max_tokens=5, more={"top_k": 0})
    assert body == {
        "model": "m",
        "messages": [],
        "temperature": 0.0,
        "top_p": 1.0,
        "seed": 42,
        "top_k": 0,
        "max_completion_tokens": 9,
    }
