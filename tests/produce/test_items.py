"""From replies to the run file: every signal, every null with its reason, every failure apart."""

from __future__ import annotations

import gzip
import json
import math

import pytest

from assay import read_run
from assay.errors import UsageError
from assay.produce.calls import Facts
from assay.produce.item_calls import ItemsRequest, items_job
from tests.produce.canned import Canned, answer, answering, chat, probed, vectors

FACTS = Facts("2030-01-01T00:00:00Z", "2030-01-01T00:01:00Z", 60.0, 12)
TRANSCRIPT = "Interviewer: Do you sleep?\nParticipant: I wake at three. I cannot sleep at all."
TWO = ("Sleep", "Tired")


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.jsonl"
    people = [
        {"participant_id": "p1", "transcript": TRANSCRIPT, "ground_truth_items": {"Sleep": 3}},
        {"participant_id": "p2", "transcript": "Participant: Fine."},
    ]
    people[0]["ground_truth_items"]["Tired"] = 0
    path.write_text("".join(json.dumps(each) + "\n" for each in people), encoding="utf-8")
    return str(path)


@pytest.fixture
def references(tmp_path):
    path = tmp_path / "references.jsonl"
    known = [
        {"id": "r1", "text": "I lie awake.", "scores": {"Sleep": 3}},
        {"id": "r2", "text": "I rest well.", "scores": {"Sleep": 0}},
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in known), encoding="utf-8")
    return str(path)


def job_of(data, **chosen):
    usual = {"base_url": "http://127.0.0.1/v1", "model": "m", "items": TWO}
    return items_job(ItemsRequest(data=data, **{**usual, **chosen}))


def made(job, replies):
    files = job.made(replies, FACTS).files
    return json.loads(files["run.json"])


def people(run):
    return {each["participant_id"]: each for each in run["experiments"][0]["results"]["results"]}


def answered(replies, *keys, value=None, **more):
    for key in keys:
        replies.add(f"items/{key}", answering(value or answer(), **more))
    return replies


GREEDY = [f"{who}/{item}/greedy" for who in ("p1", "p2") for item in TWO]


def test_calls_ask_for_one_item_each_with_seeds_that_count_up(data):
    job = job_of(data, consistency_samples=2, consistency_temperature=0.8, seed=7)
    replies = probed(Canned())
    calls = [call for each in job.passes for call in each(replies)]
    asked = {call.key: call.body for call in calls if call.key.startswith("items/")}
    assert len(asked) == 12
    assert job.n_calls == len(calls) == len(list(job.preview()))
    sample = asked["items/p1/Sleep/sample-2"]
    assert (sample["seed"], sample["temperature"]) == (9, 0.8)
    greedy = asked["items/p1/Sleep/greedy"]
    assert (greedy["seed"], greedy["temperature"], greedy["max_tokens"]) == (7, 0.0, 320)
    assert (greedy["top_logprobs"], greedy["top_k"], greedy["repeat_penalty"]) == (5, 0, 1.0)
    schema = greedy["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"])[:3] == ["evidence", "score", "confidence"]
    assert [asked[key]["messages"] for key in asked if "p1/Sleep" in key] == [
        greedy["messages"]
    ] * 3


def test_sampling_parameters_that_a_server_refuses_are_not_sent(data):
    replies = probed(Canned()).add("probe/sampling_parameters", None, status=400, error="no")
    call = next(iter(job_of(data).passes[-1](replies)))
    assert not {"top_k", "min_p", "repeat_penalty"} & set(call.body)


def test_every_signal_of_an_answer_is_there(data):
    job = job_of(data, consistency_samples=3)
    said = answer(
        2,
        evidence=["I wake at three", "I never wake"],
        confidence=4,
        inference_type="temporal",
        inference_marker="at all",
    )
    replies = answered(probed(Canned()), *GREEDY, value=said)
    samples = {1: answer(2), 2: answer(0)}
    for who in ("p1", "p2"):
        for item in TWO:
            for number, value in samples.items():
                answered(replies, f"{who}/{item}/sample-{number}", value=value)
            replies.add(f"items/{who}/{item}/sample-3", chat("{", finish_reason="length"))
    run = made(job, replies)
    signals = people(run)["p1"]["item_signals"]["Sleep"]
    entropy = {0.5: 1, 0.1: 1, 0.05: 1, 0.02: 1, 0.01: 1}
    mass = sum(entropy)
    expected = -sum(p / mass * math.log(p / mass) for p in entropy)
    assert signals == {
        "llm_evidence_count": 2,
        "evidence_verbatim_count": 1,
        "keyword_evidence_count": 2,
        "evidence_source": "both",
        "inference_used": True,
        "inference_type": "temporal",
        "inference_marker": "at all",
        "retrieval_reference_count": 0,
        "retrieval_similarity_mean": None,
        "retrieval_similarity_max": None,
        "retrieval_references": [],
        "verbalized_confidence": 4,
        "token_msp": pytest.approx(0.5),
        "token_pe": pytest.approx(expected),
        "token_energy": pytest.approx(math.log(mass)),
        "token_count": len(json.dumps(said)),
        "token_top_k": 5,
        "token_outside_top_k": 0,
        "score_token_msp": pytest.approx(0.5),
        "score_token_pe": pytest.approx(expected),
        "score_token_energy": pytest.approx(math.log(mass)),
        "score_token_count": 1,
        "score_token_top_k": 5,
        "score_token_outside_top_k": 0,
        "consistency_modal_score": 0,
        "consistency_modal_count": 1,
        "consistency_modal_confidence": 0.5,
        "consistency_score_std": 1.0,
        "consistency_na_rate": 0.0,
        "consistency_samples": [2, 0],
        "consistency_failed": 1,
        "signal_reasons": {
            "retrieval_similarity_mean": "zero-shot prompts hold no examples",
            "retrieval_similarity_max": "zero-shot prompts hold no examples",
        },
    }
    answers = people(run)["p1"]["item_answers"]["Sleep"]
    assert answers["evidence"] == [
        {"quote": "I wake at three", "verbatim": True},
        {"quote": "I never wake", "verbatim": False},
    ]
    assert job.made(replies, FACTS).counts == {
        "participants": 2,
        "failed": 0,
        "items answered": 4,
        "items abstained": 0,
    }


def nulls(signals):
    return {name for name, value in signals.items() if value is None}


def test_every_null_has_its_reason(data):
    job = job_of(data, consistency_samples=1)
    replies = probed(Canned())
    for key in GREEDY:
        replies.add(f"items/{key}", chat(json.dumps(answer(None))))
        answered(replies, key.replace("greedy", "sample-1"), value=answer(None))
    signals = people(made(job, replies))["p2"]["item_signals"]["Sleep"]
    reasons = signals["signal_reasons"]
    assert nulls(signals) == set(reasons)
    tokens = {reasons[name] for name in ("token_msp", "token_count", "score_token_energy")}
    assert tokens == {"the server returned no logprobs"}
    assert reasons["verbalized_confidence"] == "the model abstained"
    assert reasons["evidence_source"] == "neither a quotation nor a keyword was found"
    assert reasons["consistency_modal_score"] == "the modal answer is an abstention"
    assert reasons["inference_type"] == "the model reported no inference"


def test_other_nulls_have_other_reasons(data, tmp_path):
    job = job_of(data, consistency_samples=1, without=("logprobs",))
    replies = probed(Canned())
    said = answer(1, confidence=None, inference_type="impact", inference_marker=None)
    for key in GREEDY:
        replies.add(f"items/{key}", chat(json.dumps(said)))
        replies.add(f"items/{key}".replace("greedy", "sample-1"), chat(""))
    signals = people(made(job, replies))["p1"]["item_signals"]["Tired"]
    reasons = signals["signal_reasons"]
    assert nulls(signals) == set(reasons)
    assert {reasons[name] for name in ("token_pe",)} == {"logprobs were not asked for"}
    assert reasons["verbalized_confidence"] == "the model stated no confidence"
    assert reasons["inference_marker"] == "the model named no words"
    assert reasons["consistency_samples"] == "no sample could be read"
    assert signals["consistency_failed"] == 1


def test_logprobs_without_alternatives_give_the_probability_alone(data):
    text = json.dumps(answer())
    bare = {"content": [{"token": each, "logprob": -1.0} for each in text]}
    replies = probed(Canned())
    for key in GREEDY:
        replies.add(f"items/{key}", chat(text, logprobs=bare))
    signals = people(made(job_of(data), replies))["p1"]["item_signals"]["Sleep"]
    assert signals["token_msp"] == pytest.approx(math.exp(-1))
    assert signals["score_token_msp"] == pytest.approx(math.exp(-1))
    why = "the server returned no alternatives for a token"
    assert {signals["signal_reasons"][name] for name in ("token_pe", "score_token_energy")} == {why}
    assert signals["signal_reasons"]["consistency_samples"] == "no samples were asked for"


def test_a_task_without_keywords_and_inference_says_so(data, tmp_path):
    task = {
        "task": "items",
        "name": "t",
        "title": "t",
        "scale": [{"score": 0, "means": "no"}, {"score": 1, "means": "yes"}],
        "items": [{"key": each, "title": each, "question": f"{each}?"} for each in TWO],
        "prompts": {
            "system": "",
            "item": "{transcript} {question}",
            "all_items": "{transcript} {questions}",
            "references": "{examples}",
            "example": "{text} {score}",
        },
    }
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    people_path = tmp_path / "one.jsonl"
    people_path.write_text('{"participant_id": 1, "transcript": "a"}\n', encoding="utf-8")
    job = job_of(str(people_path), task=str(path))
    replies = answered(probed(Canned()), *(f"1/{item}/greedy" for item in TWO))
    run = made(job, replies)
    reasons = people(run)[1]["item_signals"]["Sleep"]["signal_reasons"]
    assert reasons["keyword_evidence_count"] == "the task has no keywords for the item"
    assert reasons["inference_used"] == "the task asks for no inference"
    assert run["experiments"][0]["provenance"]["scale"] == [0, 1]


@pytest.mark.parametrize(
    ("body", "error", "reason"),
    [
        (chat('{"evid', finish_reason="length"), None, "Sleep: truncated: the answer reached"),
        (chat(""), None, "Sleep: the answer is empty"),
        (chat("I cannot say."), None, "Sleep: the answer is not JSON: 'I cannot say.'"),
        (answering(answer(7)), None, "Sleep: the answer: the score must be null or a whole number"),
        (None, "status 500: boom", "Sleep: status 500: boom"),
    ],
)
def test_a_failed_participant_keeps_its_error_and_the_others_go_on(data, body, error, reason):
    replies = answered(probed(Canned()), *GREEDY)
    replies.add("items/p1/Sleep/greedy", body, error=error)
    run = made(job_of(data), replies)
    failed, other = people(run)["p1"], people(run)["p2"]
    assert (failed["success"], other["success"]) == (False, True)
    assert failed["error"].startswith(reason)
    assert failed["item_errors"]["Sleep"] in failed["error"]
    assert (failed["predicted_items"], failed["item_signals"]) == ({}, {})
    results = run["experiments"][0]["results"]
    assert (results["successful_subjects"], results["failed_subjects"]) == (1, 1)


def test_two_failed_items_are_both_in_the_record(data):
    replies = probed(Canned())
    failed = people(made(job_of(data), replies))["p1"]
    assert failed["error"] == "Sleep: the call was not made (and 1 more)"
    assert list(failed["item_errors"]) == list(TWO)


def test_the_run_file_is_read_as_it_is_with_its_own_items(data, tmp_path):
    replies = answered(probed(Canned()), *GREEDY, value=answer(2))
    replies.add("items/p2/Tired/greedy", chat(""))
    answered(replies, "p1/Tired/greedy", value=answer(None))
    path = tmp_path / "run.json"
    path.write_bytes(job_of(data).made(replies, FACTS).files["run.json"])
    table = read_run(path)
    assert table.items == TWO
    assert (table.participants, table.failed) == (("p1",), ("p2",))
    assert table.prediction.tolist()[0] == 2.0
    assert table.answered.tolist() == [True, False]
    assert table.truth.tolist() == [3.0, 0.0]
    assert table.source.run_id == json.loads(path.read_bytes())["run_metadata"]["run_id"]


def test_the_head_of_the_results_counts_as_the_seeds_do(data):
    replies = answered(probed(Canned()), *GREEDY, value=answer(2))
    answered(replies, "p2/Sleep/greedy", "p2/Tired/greedy", value=answer(None))
    results = made(job_of(data), replies)["experiments"][0]["results"]
    assert (results["excluded_no_evidence"], results["evaluated_subjects"]) == (1, 1)
    assert (results["item_mae_weighted"], results["prediction_coverage"]) == (1.5, 1.0)
    assert results["per_item"]["Sleep"] == {"mae": 1.0, "count": 1}
    assert people({"experiments": [{"results": results}]})["p1"]["predicted_total"] == 4


def test_nobody_evaluated_means_no_numbers(data):
    results = made(job_of(data), probed(Canned()))["experiments"][0]["results"]
    assert (results["item_mae_weighted"], results["prediction_coverage"]) == (None, None)


def test_all_items_at_once_share_the_answer_and_keep_their_own_score_token(data):
    job = job_of(data, items_per_call="all")
    replies = probed(Canned())
    value = {"Sleep": answer(3), "Tired": answer(None)}
    text = json.dumps(value)
    logprobs = {"content": [{"token": each, "logprob": -0.5} for each in text]}
    logprobs["content"][text.index("3")]["logprob"] = -2.0
    for who in ("p1", "p2"):
        replies.add(f"items/{who}/all/greedy", chat(text, logprobs=logprobs))
    person = people(made(job, replies))["p1"]
    assert person["predicted_items"] == {"Sleep": 3, "Tired": None}
    signals = person["item_signals"]
    assert signals["Sleep"]["token_msp"] == signals["Tired"]["token_msp"]
    assert signals["Sleep"]["score_token_msp"] == pytest.approx(math.exp(-2))
    assert signals["Tired"]["score_token_count"] == len("null")
    call = next(iter(job.passes[-1](replies)))
    assert list(call.body["response_format"]["json_schema"]["schema"]["properties"]) == list(TWO)
    assert call.body["max_tokens"] == 640


def test_the_modal_answer_is_the_first_sample_with_the_modal_score(data):
    job = job_of(data, prediction="modal", consistency_samples=3)
    assert [draw.name for draw in job.draws] == ["sample-1", "sample-2", "sample-3"]
    replies = probed(Canned())
    for who in ("p1", "p2"):
        for item in TWO:
            for number, score in enumerate((0, 2, 2), start=1):
                value = answer(score, evidence=[f"sample {number}"])
                answered(replies, f"{who}/{item}/sample-{number}", value=value)
    replies.add("items/p2/Sleep/sample-1", chat(""))
    run = people(made(job, replies))
    assert run["p1"]["predicted_items"]["Sleep"] == 2
    assert run["p1"]["item_answers"]["Sleep"]["evidence"][0]["quote"] == "sample 2"
    assert run["p2"]["item_signals"]["Sleep"]["consistency_samples"] == [2, 2]


def test_samples_that_all_fail_fail_the_participant(data):
    job = job_of(data, prediction="modal", consistency_samples=1)
    failed = people(made(job, probed(Canned())))["p1"]
    assert failed["error"].startswith("Sleep: no sample could be read: the call was not made")


def few_shot(data, references, **chosen):
    job = job_of(
        data, mode="few_shot", references=references, embedding_model="e", n_references=1, **chosen
    )
    replies = probed(Canned(), embeddings=True)
    replies.add("embed-references/0", vectors([1.0, 0.0], [0.0, 1.0]))
    replies.add("embed/p1/0", vectors([0.6, 0.8]))
    replies.add("embed/p2/0", vectors([1.0, 0.0]))
    return job, replies


def prompt(job, replies, key):
    calls = {call.key: call for call in job.passes[-1](replies)}
    return calls[key].body["messages"][1]["content"]


def test_the_most_similar_reference_is_in_the_prompt_and_in_the_signals(data, references):
    job, replies = few_shot(data, references)
    assert [call.key for call in job.passes[1](replies)] == [
        "embed-references/0",
        "embed/p1/0",
        "embed/p2/0",
    ]
    assert "Passage: I rest well." in prompt(job, replies, "items/p1/Sleep/greedy")
    assert "Passage: I lie awake." in prompt(job, replies, "items/p2/Sleep/greedy")
    answered(replies, *GREEDY)
    run = made(job, replies)
    signals = people(run)["p1"]["item_signals"]
    assert signals["Sleep"]["retrieval_references"] == ["r2"]
    assert signals["Sleep"]["retrieval_similarity_max"] == pytest.approx(0.8)
    assert signals["Tired"]["retrieval_reference_count"] == 0
    why = signals["Tired"]["signal_reasons"]["retrieval_similarity_mean"]
    assert why == "no reference was similar enough"
    assert run["experiments"][0]["provenance"]["embeddings_path"] == references


def test_where_nothing_is_retrieved_the_prompt_is_that_of_zero_shot(data, references):
    job, replies = few_shot(data, references, min_similarity=0.9)
    zero = job_of(data)
    for key in ("items/p1/Sleep/greedy", "items/p2/Tired/greedy"):
        assert prompt(job, replies, key) == prompt(zero, replies, key)
    assert prompt(job, replies, "items/p2/Sleep/greedy") != prompt(
        zero, replies, "items/p2/Sleep/greedy"
    )


def test_a_participant_without_embeddings_fails_and_is_not_asked_about(data, references):
    job, replies = few_shot(data, references)
    replies.add("embed/p1/0", None, status=500, error="status 500: too long")
    assert {call.key.split("/")[1] for call in job.passes[-1](replies)} == {"p2"}
    failed = people(made(job, answered(replies, *GREEDY)))["p1"]
    assert failed["error"] == "no embeddings: status 500: too long"


def test_embeddings_of_another_length_fail_the_participant(data, references):
    job, replies = few_shot(data, references)
    replies.add("embed/p1/0", vectors([1.0, 0.0, 0.0]))
    assert "the same length" in people(made(job, answered(replies, *GREEDY)))["p1"]["error"]


def test_references_that_cannot_be_embedded_end_the_run(data, references):
    job, replies = few_shot(data, references)
    replies.add("embed-references/0", None, status=500, error="status 500: all too long")
    replies.add("apart-embed-references/0/0", vectors([1.0, 0.0]))
    replies.add("apart-embed-references/0/1", None, status=500, error="status 500: too long")
    with pytest.raises(UsageError, match="not be embedded: no embeddings: status 500: too long"):
        next(iter(job.passes[-1](replies)))


def test_prompts_are_stored_once_under_the_hash_that_the_answers_name(data):
    replies = answered(probed(Canned()), *GREEDY)
    job = job_of(data, consistency_samples=2)
    files = job.made(replies, FACTS).files
    stored = [json.loads(line) for line in gzip.decompress(files["prompts.jsonl.gz"]).splitlines()]
    assert len(stored) == 4
    person = people(json.loads(files["run.json"]))["p1"]
    assert person["item_answers"]["Sleep"]["prompt_sha256"] == stored[0]["sha256"]
    assert "I wake at three" in stored[0]["messages"][1]["content"]
    assert files == job.made(replies, FACTS).files


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"mode": "few_shot"}, "--mode few_shot needs --references and --embedding-model"),
        ({"references": "r.jsonl"}, "are for --mode few_shot"),
        ({"prediction": "modal"}, "--prediction modal needs --consistency-samples"),
        ({"consistency_samples": -1}, "must be from 0 to 1,000, found -1"),
        (
            {"consistency_samples": 2, "consistency_temperature": 0.0},
            "--consistency-temperature must be above 0",
        ),
        ({"max_tokens": 0}, "--max-tokens must be from 1 to 1,000,000, found 0"),
        ({"temperature": float("nan")}, "--temperature must be from 0 to 10, found nan"),
        ({"min_similarity": 2.0}, "--min-similarity must be from -1 to 1, found 2"),
        ({"extra_body": {"model": "x"}}, "--extra-body may not set `model`"),
        ({"items": ("Mood",)}, "the task phq8 has no item 'Mood'"),
    ],
)
def test_what_does_not_fit_together_is_refused(data, chosen, reason):
    with pytest.raises(UsageError, match=reason):
        job_of(data, **chosen)


def test_a_server_that_lacks_what_is_needed_is_refused_before_anything_is_asked(data):
    replies = probed(Canned()).add("probe/logprobs", chat("The sea."))
    with pytest.raises(UsageError, match="the server lacks logprobs"):
        next(iter(job_of(data).passes[1](replies)))


def test_the_identity_holds_what_answers_depend_on_and_not_where_it_was_asked(data, tmp_path):
    other = tmp_path / "copy.jsonl"
    other.write_bytes((tmp_path / "data.jsonl").read_bytes())
    same = job_of(str(other), base_url="http://127.0.0.1:1/v1")
    assert same.identity == job_of(data).identity
    assert job_of(data, seed=1).identity != job_of(data).identity
