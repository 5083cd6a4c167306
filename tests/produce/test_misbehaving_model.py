"""Answers with status 200 that are not what was asked for, from the server to the run file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.cli import main
from assay.produce import client
from tests.produce.model_server import (
    Flood,
    ModelServer,
    Seen,
    choice_of,
    good_answer,
    resets,
    says,
    stops_halfway,
    waits,
)

ANSWER = {
    "evidence": ["I wake at three"],
    "score": 2,
    "confidence": 4,
    "inference_type": None,
    "inference_marker": None,
}
TEXT = json.dumps(ANSWER)
TOKEN_SIGNALS = ("token_msp", "token_pe", "token_energy")


def asks_about(seen: Seen, name: str) -> bool:
    """Say whether a call is about this participant, and no probe."""
    return f"called {name}".encode() in seen.raw


def reply(choice: dict[str, Any]) -> Any:
    return says({"model": "m", "choices": [choice]})


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ModelServer, capfd):
    """Run one item of two participants; the second is well behaved."""
    monkeypatch.chdir(tmp_path)
    lines = [
        {"participant_id": name, "transcript": f"Participant: I am called {name}. I wake at three."}
        for name in ("odd", "even")
    ]
    Path("people.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in lines))

    def start(act: Callable[[Seen, int], Any], *more: str) -> tuple[int, str]:
        server.act = act
        arguments = ["run", "items", "--data", "people.jsonl", "--base-url", server.base_url]
        arguments += ["--model", "m", "--item", "Sleep", "--output", "run.json", *more]
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        return int(ended.value.code or 0), capfd.readouterr().err

    return start


def people() -> dict[str, dict[str, Any]]:
    [experiment] = json.loads(Path("run.json").read_text())["experiments"]
    return {each["participant_id"]: each for each in experiment["results"]["results"]}


def odd(act: Any) -> Callable[[Seen, int], Any]:
    """Misbehave for one participant."""
    return lambda seen, _: act if asks_about(seen, "odd") else None


def test_a_good_answer_for_comparison(run):
    assert run(odd(reply(choice_of(TEXT, 5))))[0] == 0
    person = people()["odd"]
    assert person["success"]
    assert person["predicted_items"] == {"Sleep": 2}
    signals = person["item_signals"]["Sleep"]
    assert (signals["llm_evidence_count"], signals["evidence_verbatim_count"]) == (1, 1)
    assert all(signals[name] is not None for name in TOKEN_SIGNALS)


def test_logprobs_that_stay_away_make_null_signals_with_the_reason(run):
    assert run(odd(reply(choice_of(TEXT))))[0] == 0
    person = people()["odd"]
    assert person["predicted_items"] == {"Sleep": 2}
    signals = person["item_signals"]["Sleep"]
    for name in TOKEN_SIGNALS:
        assert signals[name] is None
        assert "returned no logprobs" in signals["signal_reasons"][name]


def test_a_logprob_that_is_no_number_makes_null_signals_and_keeps_the_answer(run):
    choice = choice_of(TEXT, 5)
    choice["logprobs"]["content"][3]["top_logprobs"][2]["logprob"] = float("-inf")
    choice["logprobs"]["content"][4] |= {"token": "\ud83d"}
    assert run(odd(reply(choice)))[0] == 0
    person = people()["odd"]
    assert person["predicted_items"] == {"Sleep": 2}
    reasons = person["item_signals"]["Sleep"]["signal_reasons"]
    assert all("Expected `float`, got `null`" in reasons[name] for name in TOKEN_SIGNALS)


def test_a_journal_of_answers_on_many_lines_is_resumed(run, server):
    def pretty(seen: Seen, _: int) -> Any:
        return says(json.dumps(good_answer(seen), indent=2).encode())

    assert run(pretty)[0] == 0
    expected, n = people(), len(server.seen)
    Path("run.json").unlink()
    assert run(pretty)[0] == 0
    assert (people(), len(server.seen)) == (expected, n)


def without_logprobs(seen: Seen, _: int) -> Any:
    answer = good_answer(seen)
    for choice in answer["choices"]:
        choice.pop("logprobs", None)
    return says(answer)


def test_a_server_without_logprobs_is_refused_before_the_run(run, server):
    code, err = run(without_logprobs)
    assert code == 1
    assert "error: the server lacks logprobs" in err
    assert "--without logprobs" in err
    assert not any(asks_about(seen, "odd") for seen in server.seen)
    assert [path.name for path in Path().iterdir()] == ["people.jsonl"]


def test_a_server_without_logprobs_can_be_used_knowingly(run):
    assert run(without_logprobs, "--without", "logprobs")[0] == 0
    signals = people()["odd"]["item_signals"]["Sleep"]
    assert all(signals[name] is None for name in TOKEN_SIGNALS)
    assert {signals["signal_reasons"][name] for name in TOKEN_SIGNALS} == {
        "logprobs were not asked for"
    }


def test_one_alternative_too_many_does_not_change_the_signals(run):
    run(odd(reply(choice_of(TEXT, 5))))
    expected = people()["odd"]["item_signals"]["Sleep"]
    for path in Path().glob("run.*"):
        path.unlink()
    run(odd(reply(choice_of(TEXT, 6))))
    signals = people()["odd"]["item_signals"]["Sleep"]
    assert [signals[name] for name in TOKEN_SIGNALS] == [expected[name] for name in TOKEN_SIGNALS]


def test_json_in_a_fence_is_read(run):
    assert run(odd(reply(choice_of(f"```json\n{TEXT}\n```", 5))))[0] == 0
    person = people()["odd"]
    assert person["predicted_items"] == {"Sleep": 2}
    assert person["item_answers"]["Sleep"]["form"] == "fenced"


def test_a_fence_among_the_tokens_only_does_not_shift_the_signals(run):
    choice = choice_of(f"```json\n{TEXT}\n```", 5)
    choice["message"]["content"] = TEXT
    assert run(odd(reply(choice)))[0] == 0
    assert people()["odd"]["item_signals"]["Sleep"]["token_msp"] is not None


FAILURES = {
    "empty text": (reply(choice_of("")), "the answer is empty"),
    "no text": (
        reply(choice_of("") | {"message": {"role": "assistant", "content": None}}),
        "the answer is empty",
    ),
    "truncated answer": (
        reply(choice_of(TEXT[:-20], 5, finish="length")),
        "truncated: the answer reached the token limit",
    ),
    "whole but truncated": (
        reply(choice_of(TEXT, 5, finish="length")),
        "truncated: the answer reached the token limit",
    ),
    "no choices": (says({"choices": []}), "holds no choices"),
    "off the scale": (reply(choice_of(TEXT.replace(": 2", ": 7"), 5)), "from 0 to 3, found 7"),
    "wrong type": (
        reply(choice_of(TEXT.replace(": 2", ": [2]"), 5)),
        "from 0 to 3, found an array",
    ),
    "other keys": (reply(choice_of('{"answer": 2}', 5)), "lacks the key evidence"),
    "not JSON": (reply(choice_of("I think it is a 2.", 5)), "the answer is not JSON"),
    "status 400": (says({"error": {"message": "too long"}}, status=400), "status 400: too long"),
    "status 500": (
        says({"error": {"message": "input too large"}}, status=500),
        "status 500: input too large",
    ),
    "wrong content type": (says({"choices": []}, kind="text/html"), "is 'text/html' and not JSON"),
    "truncated JSON": (says(b'{"choices": [{"mess'), "not a JSON object"),
    "100 MB": (Flood(100), "larger than 32 MB"),
}


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.usefixtures("no_waiting")
def test_what_is_no_answer_fails_one_participant_and_the_run_goes_on(run, name):
    act, words = FAILURES[name]
    code, err = run(odd(act))
    assert code == 1
    assert "participants 2, failed 1" in err
    assert "error: 1 of 2 participants failed, more than --fail-above 0.05" in err
    failed, other = people()["odd"], people()["even"]
    assert not failed["success"]
    assert words in failed["error"]
    assert failed["predicted_items"] == {}
    assert other["success"]


@pytest.mark.parametrize(
    "act",
    [
        says({"error": "slow down"}, status=429, retry_after="0"),
        says({"error": "hiccup"}, status=500),
        says({"error": "loading"}, status=503),
        resets(),
        stops_halfway(),
        says(b'{"choices": [{"mess'),
        says(b"<html>", kind="text/html"),
    ],
)
@pytest.mark.usefixtures("no_waiting")
def test_what_passes_leaves_no_trace_but_attempts(run, server, act):
    run(lambda _seen, _number: None)
    expected = people()
    for path in Path().glob("run.*"):
        path.unlink()
    server.seen.clear()
    hit: set[bytes] = set()

    def once(seen: Seen, _: int) -> Any:
        first = seen.raw not in hit
        hit.add(seen.raw)
        return act if first else None

    code, _ = run(once)
    assert code == 0
    assert people() == expected
    metadata = json.loads(Path("run.json").read_text())["run_metadata"]
    assert metadata["attempts"] == len(server.seen) == len(hit) + expected_calls()


def expected_calls() -> int:
    lines = map(json.loads, Path("run.journal.jsonl").read_text().splitlines())
    return sum("key" in line for line in lines)


def test_an_answer_too_slow_for_its_limit_fails_its_participant(run, clock, monkeypatch):
    clock.jumping = False
    monkeypatch.setattr(client, "LONGEST_WAIT", 0.0)  # before it is asked once more
    options = ("--call-timeout", "500s", "--concurrency", "1", "--fail-above", "0.5")
    code, _ = run(odd(waits(600, clock)), *options)
    assert code == 0
    assert "no answer within 500 s" in people()["odd"]["error"]
