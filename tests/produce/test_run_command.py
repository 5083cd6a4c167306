"""`assay run` as a user runs it: stopped and resumed in every way, and what it shows."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
import re
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from assay.produce import session
from assay.produce.journal import Journal
from assay.produce.session import Outcome
from tests.produce.commands import (
    ITEMS,
    N_CALLS,
    Forks,
    generations,
    items,
    journaled,
    names,
    participants,
    run_file,
    started,
)
from tests.produce.model_server import ModelServer, Seen, choice_of, good_answer, says, waits

Run = Callable[[list[str]], tuple[int, str, str]]
KEY = "sk-a/secret\"that'shows"


def hash_of(seen: Seen) -> str:
    path = seen.path.removeprefix("/v1/").encode()
    return hashlib.sha256(path + b"\n" + seen.raw).hexdigest()


def test_a_run_writes_the_run_file_the_prompts_and_the_journal(assay, server):
    code, out, err = assay(items(server))
    assert (code, out) == (0, "")
    n_probes = len(server.seen) - N_CALLS
    assert err.splitlines()[0].startswith(f"{N_CALLS + n_probes} calls in ")
    said = ["making the files", "wrote run.prompts.jsonl.gz", "wrote run.json"]
    assert err.splitlines()[1:4] == said
    assert err.splitlines()[4].startswith("participants 4, failed 0, items answered ")
    assert names() == [
        "people.jsonl",
        "run.journal.jsonl",
        "run.json",
        "run.prompts.jsonl.gz",
    ]
    assert [each["success"] for each in participants().values()] == [True] * 4
    assert len(journaled()) == len(server.seen)
    assert server.most_at_once <= 4


def test_the_same_command_again_asks_nothing_and_writes_the_same(assay, server):
    assay(items(server))
    before, n = run_file(), len(server.seen)
    Path("run.json").unlink()
    code, _, err = assay(items(server))
    assert (code, len(server.seen)) == (0, n)
    assert f"{n} were there already" in err
    assert run_file() == before


def killed(forks: Forks, server: ModelServer, draw: random.Random) -> bool:
    """Kill a run some requests after its start; say whether it was still running."""
    n_seen = len(server.seen) + draw.randrange(12)
    forks.start(items(server))
    while len(server.seen) < n_seen and not forks.has_ended():
        sleep(0.002)
    sleep(draw.uniform(0, 0.05))
    code = forks.kill()
    server.wait_until_left()
    assert code in {0, -signal.SIGKILL}, Path("err.txt").read_text()
    return code != 0


def kill_until_done(assay: Run, server: ModelServer, seed: int) -> int:
    """Kill and resume a run until it ends, and compare it with one that was left alone."""
    draw = random.Random(seed)  # noqa: S311 - the same moments each time
    server.seconds = 0.02
    code, _, err = assay(items(server, output="whole.json"))
    assert code == 0, err
    server.seen.clear()
    needed = Counter(journaled("whole.journal.jsonl").values())
    kills, running = 0, True
    with Forks() as forks:
        while running:
            before, done = len(server.seen), Counter(journaled().values())
            running = killed(forks, server, draw)
            kills += running
            asked = Counter(map(hash_of, server.seen[before:]))
            assert not asked - (needed - done), "a journaled call was made again"
    made = Counter(map(hash_of, server.seen))
    assert not needed - made
    assert (made - needed).total() <= 4 * kills, "more than the calls in flight were made again"
    assert run_file() == run_file("whole.json")
    whole, resumed = (Path(f"{name}.prompts.jsonl.gz").read_bytes() for name in ("whole", "run"))
    assert gzip.decompress(whole) == gzip.decompress(resumed)
    return kills


def test_killed_at_random_points_and_resumed_a_run_ends_as_if_uninterrupted(assay, server):
    assert kill_until_done(assay, server, 16) >= 2


@pytest.mark.slow
def test_killed_many_times_at_random_points_a_run_ends_as_if_uninterrupted(assay, server):
    for seed in range(6):
        for path in (*Path().glob("run.*"), *Path().glob("whole.*")):
            path.unlink()
        assert kill_until_done(assay, server, seed) >= 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_says_what_is_done_and_goes_on(assay, server, number):
    def act(_: Seen, n: int) -> Any:
        if n == 22:
            os.kill(os.getpid(), number)
        return waits(600) if n > 18 else None

    server.act = act
    code, out, err = assay(items(server))
    assert (code, out) == (130, "")
    total = N_CALLS + len([key for key in journaled() if key.startswith("probe/")])
    pattern = rf"^interrupted: (\d+) of {total} calls are in run.journal.jsonl; the same command"
    assert re.search(pattern, err, re.MULTILINE)[1] == str(len(journaled()))
    # 6 calls make a participant, and 11 beyond the 8 probes are answered.
    assert list(participants()) == ["p0"]
    partial = {"stopped": "interrupted", "participants_left": 3}
    assert run_file()["run_metadata"]["partial"] == partial
    assert "these files are partial and hold what is complete: 1 participant\n" in err
    server.act = lambda _, __: None
    assert (assay(items(server))[0], len(participants())) == (0, 4)
    assert run_file()["run_metadata"]["partial"] is None


def test_a_run_at_its_time_limit_says_so_and_goes_on(assay, server, clock):
    clock.jumping = False
    server.act = lambda _, n: waits(600, clock) if n > 10 else None
    code, _, err = assay(items(server, "--time-limit", "500s"))
    assert code == 1
    assert re.search(r"^the time limit is reached: \d+ of 32 calls are in", err, re.MULTILINE)
    assert not Path("run.json").exists()
    server.act = lambda _, __: None
    assert assay(items(server))[0] == 0


@pytest.mark.parametrize(("stopped", "ends_with"), [("time limit", 0), ("interrupted", 130)])
def test_a_run_that_is_stopped_when_all_calls_are_done_is_whole(
    assay, server, monkeypatch, stopped, ends_with
):
    def make_calls(*given: Any, **named: Any) -> Outcome:
        return replace(session.make_calls(*given, **named), stopped=stopped)

    monkeypatch.setattr("assay.cli.run_work.make_calls", make_calls)
    code, _, err = assay(items(server))
    assert (code, len(participants())) == (ends_with, 4)
    assert run_file()["run_metadata"]["partial"] is None
    assert "partial" not in err


def test_a_dry_run_shows_calls_tokens_and_prompts_and_asks_nothing(assay, server):
    code, out, err = assay(items(server, "--dry-run", "--show-prompts", "2"))
    assert (code, err, server.seen) == (0, "", [])
    assert names() == ["people.jsonl"]
    first, second, *rest = out.splitlines()
    assert first == f"{N_CALLS + 8} calls: 8 probe, {N_CALLS} items"
    assert re.fullmatch(
        r"about [\d,]+ tokens in \(4 letters to a token\), at most [\d,]+ out", second
    )
    shown = [line for line in rest if line.startswith("--- ")]
    assert [line.split()[1] for line in shown] == [
        "items/p0/NoInterest/greedy",
        "items/p0/Sleep/greedy",
    ]
    assert "Participant: I wake at 0 every night. {x}" in rest


def test_a_dry_run_with_examples_counts_the_embeddings(assay, server):
    Path("scored.jsonl").write_text(f'{{"text":"I sleep","scores":{{"{ITEMS[0]}":1}}}}\n')
    few = ["--mode", "few_shot", "--references", "scored.jsonl", "--embedding-model", "e"]
    code, out, _ = assay(items(server, *few, "--dry-run", "--show-prompts", "99"))
    assert (code, server.seen) == (0, [])
    assert re.match(r"42 calls: 13 probe, 1 embed-references, 4 embed, 24 items\n", out)
    assert "[input]\nI sleep\n" in out


def test_a_text_that_would_act_on_the_terminal_is_spelled_out(assay, server):
    Path("people.jsonl").write_text(
        '{"participant_id":"p\\u001b[31m","transcript":"a\\u001b[2Jb"}\n'
    )
    _, out, _ = assay(items(server, "--dry-run"))
    assert "\x1b" not in out
    assert "a\\x1b[2Jb" in out


def test_another_configuration_does_not_resume_the_journal(assay, server):
    assay(items(server))
    code, _, err = assay(items(server, "--seed", "7"))
    assert code == 1
    assert "run.journal.jsonl belongs to another run: `seed` was 42 and is 7" in err


def test_failed_calls_are_made_again_only_when_asked_for(assay, server):
    def act(seen: Seen, _: int) -> Any:
        failing = b"I wake at 2" in seen.raw
        return says({"error": {"message": "no"}}, status=400) if failing else None

    server.act = act
    code, _, err = assay(items(server, "--fail-above", "0.25"))
    assert code == 0
    assert "6 calls failed; --retry-failed asks again" in err
    failed = participants()["p2"]
    assert not failed["success"]
    assert "status 400: no" in failed["error"]
    assert [each["success"] for each in participants().values()].count(True) == 3
    server.act = lambda _, __: None
    n = len(server.seen)
    assay(items(server))
    assert len(server.seen) == n
    assay(items(server, "--retry-failed"))
    assert len(server.seen) == n + 6
    assert participants()["p2"]["success"]


def test_a_probe_that_is_refused_is_no_failed_call_and_is_not_made_again(assay, server):
    no = says({"error": {"message": "unknown parameter"}}, status=400)
    server.act = lambda seen, _: no if {"top_k", "n"} & seen.body.keys() else None
    code, _, err = assay(items(server))
    assert (code, ", 0 failed, " in err, "calls failed" in err) == (0, True, False)
    [experiment] = run_file()["experiments"]
    problems = experiment["provenance"]["capabilities"]["problems"]
    refused = "status 400: unknown parameter"
    assert problems == {"n": refused, "sampling_parameters": refused}
    server.act = lambda _, __: None
    server.seen.clear()
    assert (assay(items(server, "--retry-failed"))[0], server.seen) == (0, [])


def refuses(status: int, words: str) -> Callable[[Seen, int], Any]:
    """Answer probes, and refuse all that is asked about participants and cases."""
    no = says({"error": {"message": words}}, status=status)
    return lambda seen, _: no if b"I wake at" in seen.raw or b"Case " in seen.raw else None


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.usefixtures("no_waiting")
def test_a_run_in_which_every_participant_failed_writes_its_file_and_ends_with_an_error(
    assay, server, status
):
    server.act = refuses(status, "too\x1b long")
    code, out, err = assay(items(server))
    assert (code, out) == (1, "")
    assert [each["success"] for each in participants().values()] == [False] * 4
    assert "participants 4, failed 4, items answered 0, items abstained 0\n" in err
    first = f"NoInterest: status {status}: too\\x1b long (and 1 more)"
    assert err.splitlines()[-3:] == [
        f"error: no participant of 4 could be scored; first: {first}",
        "",
        "hint: --retry-failed makes the failed calls again, once the cause is gone",
    ]
    assert assay(items(server, "--quiet"))[2].startswith("error: no participant of 4 could be")
    server.act = lambda _, __: None
    code, _, err = assay(items(server, "--retry-failed"))
    assert (code, len(participants())) == (0, 4), err


def test_a_run_in_which_no_answer_can_be_read_says_that_asking_again_changes_nothing(assay, server):
    prose = says({"choices": [choice_of("I cannot say.")]})
    server.act = lambda seen, _: prose if b"I wake at" in seen.raw else None
    code, _, err = assay(items(server, "--without", "logprobs"))
    assert code == 1
    assert "first: NoInterest: the answer is not JSON: 'I cannot say.'" in err
    assert err.splitlines()[-1] == (
        "hint: the answers are kept: ask otherwise, as with --max-tokens, and write elsewhere"
    )


@pytest.mark.usefixtures("cases")
def test_a_run_in_which_every_generation_failed_writes_its_files_and_ends_with_an_error(
    assay, server
):
    server.act = refuses(400, "too long")
    code, _, err = assay(generations(server, "--modes", "cot"))
    assert code == 1
    assert "generations 5, truncated 0, failed 5\nerror: no generation of 5 is whole" in err
    assert "; first: status 400: too long\n\nhint: --retry-failed makes" in err
    assert len(Path("results/m/generations.jsonl").read_text().splitlines()) == 5
    assert assay(generations(server, "--modes", "cot", "--retry-failed"))[0] == 1
    server.act = lambda _, __: None
    assert assay(generations(server, "--modes", "cot", "--retry-failed"))[0] == 0


def test_two_runs_at_once_into_one_place_are_refused(assay, server):
    with Journal(Path("run.journal.jsonl"), {}):
        code, _, err = assay(items(server))
    assert (code, server.seen) == (1, [])
    assert "run.journal.jsonl is in use by another run" in err


def test_a_server_that_moved_is_pointed_out_and_the_run_goes_on(assay, server, other_server):
    server.act = lambda _, n: says({"error": "no"}, status=400) if n > 20 else None
    assay(items(server))
    code, _, err = assay(items(other_server, "--retry-failed"))
    assert code == 0
    said = f"from {server.base_url}; {other_server.base_url} must be the same model\n"
    assert err.startswith(f"warning: the replies so far are {said}")
    assert err.count(said) == 1
    assert len(other_server.seen) + 21 == len(journaled())


@pytest.mark.parametrize("place", [".", "", "..", "/"])
def test_a_folder_is_no_place_for_a_run_file(assay, server, place):
    code, _, err = assay(items(server, "--output", place))
    assert code == 1
    assert f"cannot write {place or '.'}: it is a folder" in err


def test_the_journal_is_none_of_the_files_that_are_written(assay, server):
    code, _, err = assay(items(server, "--journal", "./run.json"))
    assert code == 1
    assert "cannot write run.json: run.json is written too, and they would be one file" in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--time-limit", "soon"], "'soon' is not a length of time"),
        (["--time-limit", "0"], "'0' is not a length of time"),
        (["--extra-body", "[1]"], "'[1]' is not a JSON object"),
        (["--extra-body", '"\udcff"'], "is not a JSON object"),
        (["--model", "m\udcff"], "what was given for model is not UTF-8 text"),
        (["--item", "\udcff"], "what was given for items is not UTF-8 text"),
        (["--concurrency", "0"], "0 is below 1"),
        (["--calls-per-minute", "0"], "0.0 is not in the range x>0"),
    ],
)
def test_misuse_is_explained(assay, server, options, words):
    code, _, err = assay(items(server, *options))
    assert code == 2
    assert words in err
    assert server.seen == []


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_asked(assay, server):
    Path("taken").mkdir()
    for output in ("taken", "people.jsonl"):
        code, _, err = assay(items(server, output=output))
        assert code == 1
        assert f"cannot write {output}: it is" in err
        assert "hint: choose another place with --output\n" in err
    assert server.seen == []


def test_a_place_that_cannot_be_written_any_more_costs_no_answer(assay, server):
    assay(items(server))
    Path("run.json").unlink()
    Path("run.json").mkdir()
    _, _, err = assay(items(server))
    hint = "choose another place with --output; --reuse run.journal.jsonl takes over its answers"
    assert hint in err
    server.seen.clear()
    code, _, _ = assay(items(server, "--reuse", "run.journal.jsonl", output="new/run.json"))
    assert (code, server.seen) == (0, [])


def test_plain_http_beyond_this_machine_warns(assay, server):
    arguments = items(server, "--dry-run", "--quiet")
    arguments[arguments.index("--base-url") + 1] = "http://192.0.2.1/v1"
    _, _, err = assay(arguments)
    assert err == (
        "warning: http://192.0.2.1/v1 is not encrypted: texts and keys can be read on the way\n"
    )


def test_the_key_reaches_the_server_and_nothing_else(folder, server):
    def act(seen: Seen, number: int) -> Any:
        if number == 20:
            return says({"error": {"message": f"the key {KEY} is tired"}}, status=400)
        answer = good_answer(seen)
        return says(answer | {"echo": KEY, KEY: 1})

    server.act = act
    log = "import logging; logging.basicConfig(level=0, filename='log.txt')"
    (folder / "sitecustomize.py").write_text(log)
    arguments = items(server, "--concurrency", "2", "--fail-above", "1")
    process = started(arguments, ASSAY_API_KEY=KEY, PYTHONPATH=str(folder))
    command = Path(f"/proc/{process.pid}/cmdline")
    shown = command.read_bytes() if command.exists() else b""
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert {seen.headers["authorization"] for seen in server.seen} == {f"Bearer {KEY}"}
    written = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    written["run.prompts.jsonl.gz"] = gzip.decompress(written["run.prompts.jsonl.gz"])
    assert b"HTTP Request: POST" in written["log.txt"]
    assert b"[key]" in written["run.journal.jsonl"]
    for data in (*written.values(), shown, out, err):
        assert b"secret" not in data


def test_the_key_of_the_chat_server_does_not_go_to_another_embedding_server(
    assay, server, other_server, monkeypatch
):
    monkeypatch.setenv("ASSAY_API_KEY", KEY)
    scored = {"text": "I sleep badly", "scores": dict.fromkeys(ITEMS, 2)}
    Path("scored.jsonl").write_text(f"{json.dumps(scored)}\n")
    few = ["--mode", "few_shot", "--references", "scored.jsonl", "--embedding-model", "e"]
    code, _, err = assay(items(server, *few, "--embedding-base-url", other_server.base_url))
    assert code == 0, err
    assert {seen.path for seen in other_server.seen} == {"/v1/embeddings"}
    assert all("authorization" not in seen.headers for seen in other_server.seen)
    assert all(seen.headers["authorization"] == f"Bearer {KEY}" for seen in server.seen)


def test_a_wrong_key_ends_the_run_at_once_and_leaves_nothing(assay, server):
    server.act = lambda _, __: says({"error": {"message": "Invalid API key"}}, status=401)
    code, _, err = assay(items(server))
    assert code == 1
    assert f"{server.base_url} cannot be used, status 401: Invalid API key" in err
    assert names() == ["people.jsonl"]


def test_a_redirect_to_another_host_ends_the_run_and_nothing_is_sent_there(
    assay, server, other_server
):
    away = f"{other_server.base_url}/chat/completions"
    server.act = lambda _, __: says({}, status=307, location=away)
    code, _, err = assay(items(server))
    assert (code, other_server.seen) == (1, [])
    assert f"redirects to {away}, where nothing was sent" in err


@pytest.mark.usefixtures("no_waiting")
def test_a_server_that_is_not_there_is_one_sentence(assay, server):
    arguments = items(server)
    arguments[arguments.index("--base-url") + 1] = "http://127.0.0.1:9/v1"
    code, _, err = assay(arguments)
    assert code == 1
    assert "no answer from http://127.0.0.1:9/v1: " in err
    assert err.count("\n") <= 4
    assert names() == ["people.jsonl"]


@pytest.mark.usefixtures("cases")
def test_generations_go_into_a_folder_and_an_interrupted_run_goes_on(assay, server, clock):
    clock.jumping = False
    server.act = lambda _, n: waits(600, clock) if n > 10 else None
    stopping = ("--time-limit", "500s", "--concurrency", "1")
    code, _, err = assay(generations(server, "--modes", "cot,direct,bias", *stopping))
    assert code == 1
    assert "calls are in results/m/journal.jsonl; the same command goes on from there" in err
    assert "these files are partial and hold what is complete: 6 generations" in err
    record = json.loads(Path("results/m/run.json").read_text())["run_metadata"]
    assert record["partial"] == {"stopped": "time limit", "generations_left": 9}
    lines = Path("results/m/generations.jsonl").read_text().splitlines()
    assert [json.loads(line)["mode"] for line in lines] == ["cot"] * 3 + ["direct"] * 3
    done = len(journaled("results/m/journal.jsonl"))
    server.seen.clear()
    server.act = lambda _, __: None
    code, _, err = assay(generations(server, "--modes", "cot, direct", "--modes", "bias"))
    assert code == 0, err
    total = len(journaled("results/m/journal.jsonl"))
    assert (done > 0, len(server.seen)) == (True, total - done)
    assert "generations 15, truncated 0, failed 0" in err
    written = sorted(path.name for path in Path("results/m").iterdir())
    assert written == [
        "bias_generations.jsonl",
        "generations.jsonl",
        "journal.jsonl",
        "prompts.jsonl.gz",
        "run.json",
    ]
    lines = Path("results/m/generations.jsonl").read_text().splitlines()
    assert Counter(json.loads(line)["mode"] for line in lines) == {"cot": 5, "direct": 5}


@pytest.mark.usefixtures("cases")
def test_a_dry_run_of_generations_shows_each_way_of_asking(assay, server):
    code, out, _ = assay(generations(server, "--dry-run", "--modes", "cot,direct"))
    assert (code, server.seen, Path("results").exists()) == (0, [], False)
    assert re.match(r"\d+ calls: \d+ probe, 5 cot, 5 direct\n", out)


def test_run_alone_shows_its_two_jobs(assay):
    code, out, _ = assay(["run"])
    assert code == 0
    assert "  items        Score every item" in out
    assert assay(["run", "nothing"])[0] == 2
