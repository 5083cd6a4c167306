"""From vignettes to the JSON lines of raw generations."""

from __future__ import annotations

import gzip
import json

import pytest

from assay.errors import UsageError
from assay.produce.calls import Facts
from assay.produce.generations import FILES, GenerationsRequest, generations_job
from tests.produce.canned import Canned, chat, probed

FACTS = Facts("2030-01-01T00:00:00Z", "2030-01-01T00:01:00Z", 60.0, 12)
CASES = [
    {"id": "a_001", "prompt": "She is {vignette} sad.", "gold_answer": "depression"},
    {"id": "a_002", "prompt": "He worries.", "bias_feature": "age", "bias_label": "dementia"},
]


@pytest.fixture
def vignettes(tmp_path):
    path = tmp_path / "vignettes.json"
    path.write_text(json.dumps(CASES), encoding="utf-8")
    return str(path)


def job_of(vignettes, **chosen):
    usual = {"base_url": "http://127.0.0.1/v1", "model": "m"}
    return generations_job(GenerationsRequest(vignettes=vignettes, **{**usual, **chosen}))


def rows(files, name="generations.jsonl"):
    return [json.loads(line) for line in files[name].splitlines()]


def test_every_case_is_asked_in_every_mode(vignettes):
    job = job_of(vignettes, modes=("direct", "cot", "bias"))
    calls = [call for each in job.passes for call in each(probed(Canned()))]
    asked = {call.key: call.body for call in calls if not call.key.startswith("probe/")}
    assert list(asked) == ["cot/a_001", "direct/a_001", "cot/a_002", "direct/a_002", "bias/a_002"]
    assert job.n_calls == len(calls) == len(list(job.preview()))
    content = asked["cot/a_001"]["messages"][1]["content"]
    assert "Case:\nShe is {vignette} sad.\n" in content
    assert content.endswith("REASONING: your steps\nDIAGNOSIS: the diagnosis")
    assert asked["cot/a_001"]["max_tokens"] == 400
    assert asked["direct/a_001"]["max_tokens"] == 60
    assert asked["direct/a_001"]["top_k"] == 0
    assert "logprobs" not in asked["cot/a_001"]


def test_generations_are_rows_with_their_status(vignettes):
    job = job_of(vignettes)
    replies = probed(Canned())
    replies.add("cot/a_001", chat("REASONING: x. DIAGNOSIS: y"))
    replies.add("cot/a_002", chat("and so on and", finish_reason="length"))
    replies.add("direct/a_001", None, status=400, error="status 400: too long")
    replies.add("direct/a_002", chat(" "))
    made = job.made(replies, FACTS)
    files = made.files
    assert set(files) == set(FILES) - {"bias_generations.jsonl"}
    found = rows(files)
    assert [(each["id"], each["mode"], each["status"], each["output_text"]) for each in found] == [
        ("a_001", "cot", "ok", "REASONING: x. DIAGNOSIS: y"),
        ("a_002", "cot", "truncated", "and so on and"),
        ("a_001", "direct", "error", ""),
        ("a_002", "direct", "error", " "),
    ]
    assert [each["error"] for each in found] == [
        None,
        "the answer reached the token limit",
        "status 400: too long",
        "the answer is empty",
    ]
    assert found[0]["model_name"] == "m"
    assert found[0]["timestamp"] == FACTS.started_at
    prompts = [json.loads(line) for line in gzip.decompress(files["prompts.jsonl.gz"]).splitlines()]
    assert found[0]["prompt_sha256"] == prompts[0]["sha256"]
    assert made.counts == {"generations": 4, "truncated": 1, "failed": 2}
    assert made.failure is None
    record = json.loads(files["run.json"])
    assert record["counts"] == made.counts
    assert record["capabilities"]["seed"] is True


def test_rows_of_bias_name_the_feature_and_the_label(vignettes):
    job = job_of(vignettes, modes=("bias",))
    replies = probed(Canned()).add("bias/a_002", chat("DIAGNOSIS: dementia"))
    (row,) = rows(job.made(replies, FACTS).files, "bias_generations.jsonl")
    assert (row["mode"], row["bias_feature"], row["bias_label"]) == ("bias", "age", "dementia")


def test_cases_of_bias_may_stand_in_a_file_of_their_own(vignettes, tmp_path):
    path = tmp_path / "cases.json"
    case = {"id": "b1", "prompt": "A man.", "bias_feature": "man", "bias_label": "x"}
    path.write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    job = job_of(vignettes, modes=("bias",), bias_cases=str(path))
    assert [call.key for call in job.passes[1](probed(Canned()))] == ["bias/b1"]
    assert "bias_cases" in job.identity["sha256"]


def test_reasoning_that_a_server_keeps_apart_is_put_before_the_text(vignettes):
    replies = probed(Canned()).add("cot/a_001", chat("DIAGNOSIS: y", reasoning_content="Hm."))
    text = rows(job_of(vignettes).made(replies, FACTS).files)[0]["output_text"]
    assert text == "<think>\nHm.\n</think>\nDIAGNOSIS: y"


def test_a_filtered_text_is_an_error(vignettes):
    replies = probed(Canned()).add("cot/a_001", chat("DIAG", finish_reason="content_filter"))
    row = rows(job_of(vignettes).made(replies, FACTS).files)[0]
    assert (row["status"], row["error"]) == (
        "error",
        "the server's content filter stopped the answer",
    )


def test_what_a_mode_sends_beside_the_messages_is_sent(vignettes, tmp_path):
    task = {
        "task": "generations",
        "name": "t",
        "title": "t",
        "modes": {"cot": {"user": "{vignette}", "body": {"grammar": 'root ::= "x"'}}},
    }
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    job = job_of(vignettes, task=str(path), modes=("cot",), max_tokens=9)
    call = next(iter(job.passes[1](probed(Canned()))))
    assert (call.body["grammar"], call.body["max_tokens"]) == ('root ::= "x"', 9)
    assert call.body["messages"] == [{"role": "user", "content": "She is {vignette} sad."}]
    with pytest.raises(UsageError, match="the task t has no mode 'direct'"):
        job_of(vignettes, task=str(path))


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"modes": ()}, "--modes names no mode"),
        ({"modes": ("early",)}, "the task vignettes has no mode 'early'"),
        ({"bias_cases": "x.json"}, "--bias-cases is for --modes with bias"),
        ({"max_tokens": 0}, "--max-tokens must be from 1 to 1,000,000, found 0"),
        ({"probe_tokens": -3}, "--probe-tokens must be from 1 to 1,000,000, found -3"),
        ({"seed": 10**23}, "--seed must be from -9,223,372,036,854,775,808 to 9,"),
        ({"temperature": -1.0}, "--temperature must be from 0 to 10, found -1"),
        ({"extra_body": {"messages": []}}, "--extra-body may not set"),
    ],
)
def test_what_does_not_fit_together_is_refused(vignettes, chosen, reason):
    with pytest.raises(UsageError, match=reason):
        job_of(vignettes, **chosen)


def test_a_server_that_does_not_answer_ends_the_run_before_anything_is_asked(vignettes):
    replies = Canned().add("probe/seed-1", None, status=404, error="status 404")
    with pytest.raises(UsageError, match="does not answer a plain question"):
        next(iter(job_of(vignettes).passes[1](replies)))
