"""`assay run` where servers go away, money runs out and more is asked later: nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.errors import OutputError
from tests.produce.commands import (
    ITEMS,
    N_CALLS,
    generations,
    items,
    journaled,
    names,
    participants,
    run_file,
)
from tests.produce.model_server import (
    ModelServer,
    Seen,
    choice_of,
    good_answer,
    mixes_up,
    resets,
    says,
)

Run = Callable[[list[str]], tuple[int, str, str]]
N_PROBES = 8
FEW = ("--mode", "few_shot", "--references", "scored.jsonl", "--embedding-model", "e")
ONE_CALL = 18
"""tokens of an answer: 11 in and 7 out"""


def more_people(n: int) -> None:
    lines = Path("people.jsonl").read_text().splitlines()
    lines += [json.dumps({"participant_id": f"new{i}", "transcript": "I sleep."}) for i in range(n)]
    Path("people.jsonl").write_text("\n".join(lines))


@pytest.mark.parametrize("n_left", [1, 9, 20])
@pytest.mark.usefixtures("no_waiting")
def test_a_server_that_is_gone_with_few_calls_left_fails_nobody(assay: Run, n_left):
    def dying(seen: Seen, number: int) -> Any:
        if number >= N_PROBES + N_CALLS - n_left:
            first.leave()
            return resets()
        return None

    with ModelServer(act=dying) as first:
        code, _, err = assay(items(first))
    assert code == 1
    assert re.search(
        r"^the server answers no more: \d+ of 32 calls are in run.journal.jsonl; the same",
        err,
        re.MULTILINE,
    )
    done = len(journaled())
    assert N_PROBES + N_CALLS - n_left - 4 <= done <= N_PROBES + N_CALLS - n_left
    assert '"error":null' in Path("run.journal.jsonl").read_text()
    assert not re.search(r'"error":"', Path("run.journal.jsonl").read_text())
    with ModelServer(port=first.port) as second:
        code, _, err = assay(items(second))
    assert (code, len(second.seen)) == (0, N_PROBES + N_CALLS - done), err
    assert [each["success"] for each in participants().values()] == [True] * 4


@pytest.mark.parametrize("status", [403, 404, 503])
@pytest.mark.usefixtures("no_waiting")
def test_a_call_that_alone_stays_unanswered_has_failed(assay: Run, server, status):
    no = says({"error": "not this one"}, status=status)
    server.act = lambda seen, _: no if b"I wake at 3" in seen.raw else None
    code, _, err = assay(items(server, "--item", "Sleep", "--fail-above", "0.3"))
    assert code == 0, err
    assert [each["success"] for each in participants().values()] == [True] * 3 + [False]
    assert f"status {status}: not this one" in participants()["p3"]["error"]


def test_a_server_without_the_model_or_embeddings_is_told_from_one_that_is_gone(assay: Run, server):
    no = says({"error": {"message": "no such model"}}, status=404)
    server.act = lambda _, __: no
    code, _, err = assay(items(server))
    assert code == 1
    assert "error: the server does not answer a plain question: status 404: no such model" in err
    server.act = lambda seen, _: no if seen.path.endswith("/embeddings") else None
    code, _, err = assay(few_shot(server))
    assert code == 1
    assert "error: the server lacks embeddings, which few-shot references need: no embed" in err
    assert names() == ["people.jsonl", "scored.jsonl"]


def test_a_key_that_expires_in_mid_run_keeps_what_is_done_and_says_what_to_do(assay: Run, server):
    server.act = lambda _, n: says({"error": "expired"}, status=401) if n > 14 else None
    code, _, err = assay(items(server, "--concurrency", "1"))
    assert code == 1
    assert "the server answers no more: 15 of 32 calls are in run.journal.jsonl" in err
    assert "cannot be used, status 401: expired\n\nhint: name the environment variable" in err
    assert list(participants()) == ["p0"]


def test_more_than_the_share_that_may_fail_is_an_error_after_writing(assay: Run, server):
    no = says({"error": "no"}, status=400)
    server.act = lambda seen, _: no if b"I wake at 3" in seen.raw else None
    for share, code in (("0.25", 0), ("0.2", 1), ("0", 1), ("1", 0)):
        found, _, err = assay(items(server, "--fail-above", share))
        assert found == code
        failed = f"error: 1 of 4 participants failed, more than --fail-above {share}"
        assert (failed in err) == bool(code)
        assert len(participants()) == 4
    assert assay(items(server))[0] == 1
    assert assay(items(server, "--fail-above", "1.5"))[0] == 2


def test_a_limit_that_is_not_a_number_is_refused(assay: Run, server):
    for flag in ("--fail-above", "--stop-cost", "--calls-per-minute"):
        code, _, err = assay(items(server, "--price", "1,1", flag, "nan"))
        assert (code, server.seen) == (2, [])
        assert f"'{flag}': 'nan' is not a finite number" in err


@pytest.mark.usefixtures("no_waiting")
def test_of_a_server_that_is_gone_what_is_complete_is_written_and_marked(assay: Run, server):
    server.act = lambda _, number: resets() if number >= N_PROBES + 14 else None
    code, _, err = assay(items(server, "--concurrency", "1"))
    assert code == 1
    assert (
        "error: the server left 10 calls unanswered, and a plain question; last: no answer" in err
    )
    assert "these files are partial and hold what is complete: 2 participants" in err
    run = run_file()
    assert run["run_metadata"]["partial"] == {"stopped": "server gone", "participants_left": 2}
    [experiment] = run["experiments"]
    assert experiment["provenance"]["participants_requested"] == 4
    assert experiment["results"]["total_subjects"] == 2
    assert list(participants()) == ["p0", "p1"]


def test_who_evaluates_a_partial_run_is_told_so(assay: Run, server):
    lines = [json.loads(line) for line in Path("people.jsonl").read_text().splitlines()]
    known = [{**line, "ground_truth_items": dict.fromkeys(ITEMS, 1)} for line in lines]
    Path("people.jsonl").write_text("\n".join(map(json.dumps, known)))
    assay(items(server, "--stop-tokens", 20 * ONE_CALL, "--concurrency", "1"))
    look = ["selective", "--input", "run.json", "--confidence", "score_token_msp"]
    look += ["--bootstrap-resamples", "20"]
    code, out, err = assay(look)
    assert code == 0, err
    assert "the run was stopped before every participant was asked" in out + err
    assay(items(server))
    code, out, err = assay(look)
    assert "stopped before" not in out + err


def test_a_whole_run_is_not_replaced_by_a_part_of_one(assay: Run, server):
    assay(items(server))
    before = Path("run.json").read_bytes()
    more_people(2)
    spent = (N_CALLS + N_PROBES + 5) * ONE_CALL
    code, _, err = assay(items(server, "--stop-tokens", spent))
    assert code == 1
    assert "run.json is left as it is: it holds a whole run" in err
    assert Path("run.json").read_bytes() == before
    assert assay(items(server))[0] == 0
    assert len(participants()) == 6


def test_a_stopped_run_without_anything_complete_writes_no_file(assay: Run, server):
    code, _, err = assay(items(server, "--stop-tokens", "1", "--concurrency", "1"))
    assert code == 1
    assert re.search(r"^--stop-tokens is reached: 1 of 32 calls", err, re.MULTILINE)
    assert names() == ["people.jsonl", "run.journal.jsonl"]
    code, _, err = assay(items(server, "--stop-tokens", "200", "--concurrency", "1"))
    assert "no files are written yet: there are no participants whose calls are all done" in err


MORE: dict[str, tuple[list[str], int]] = {
    "nothing": ([], 0),
    "an item": (["--item", "Appetite"], 4 * 3),
    "a sample": (["--consistency-samples", "3"], 4 * 2),
    "a model": (["--model", "n"], N_PROBES + N_CALLS),
}


@pytest.mark.parametrize("what", MORE)
def test_more_of_it_asks_only_what_is_new(assay: Run, server, what):
    options, n_new = MORE[what]
    assay(items(server))
    server.seen.clear()
    code, _, err = assay(items(server, *options))
    assert code == 0, err
    assert len(server.seen) == n_new
    whole = run_file("run.m.json" if what == "a model" else "run.json")
    for path in Path().glob("run.*"):
        path.unlink()
    assay(items(server, *options))
    assert run_file("run.m.json" if what == "a model" else "run.json") == whole


def test_one_more_participant_asks_only_about_that_one(assay: Run, server):
    assay(items(server))
    before = participants()
    more_people(1)
    server.seen.clear()
    code, _, err = assay(items(server))
    assert code == 0, err
    assert len(server.seen) == 2 * 3
    assert all(b"I sleep." in seen.raw for seen in server.seen)
    assert {name: each for name, each in participants().items() if name != "new0"} == before


def test_another_seed_is_another_run_which_may_reuse_what_is_the_same(assay: Run, server):
    assay(items(server))
    code, _, err = assay(items(server, "--seed", "43"))
    assert (code, "`seed` was 42 and is 43" in err) == (1, True)
    assert "--reuse takes over the answers that both runs ask for" in err
    server.seen.clear()
    other = items(server, "--seed", "43", "--reuse", "run.journal.jsonl", output="other.json")
    assert assay(other)[0] == 0
    n_greedy = sum(body.get("temperature") == 0 for body in (seen.body for seen in server.seen))
    # Sampled calls of seeds 43 and 44 are shared, under the names that they have in each run.
    assert len(server.seen) == N_PROBES + N_CALLS
    assert n_greedy == N_CALLS // 3 + 5


def test_another_place_takes_over_the_answers_and_needs_the_other_journal_no_more(
    assay: Run, server
):
    assay(items(server))
    more_people(1)
    server.seen.clear()
    options = ("--reuse", "run.journal.jsonl", "--reuse", "run.journal.jsonl")
    assert assay(items(server, *options, output="other.json"))[0] == 0
    assert len(server.seen) == 2 * 3
    Path("run.journal.jsonl").unlink()
    server.seen.clear()
    assert assay(items(server, output="other.json"))[0] == 0
    assert server.seen == []
    assert len(participants("other.json")) == 5


def test_a_journal_to_reuse_that_is_not_there_is_one_sentence(assay: Run, server):
    code, _, err = assay(items(server, "--reuse", "nowhere"))
    assert (code, server.seen) == (1, [])
    assert "error: cannot read nowhere: no such file or directory" in err


def test_flipped_bits_cost_the_calls_of_their_lines(assay: Run, server):
    assay(items(server))
    expected = run_file()
    data = Path("run.journal.jsonl").read_bytes()
    lines = data.splitlines(keepends=True)
    draw = random.Random(5)  # noqa: S311 - the same bits each time
    for number in draw.sample(range(len(lines)), 5):
        damaged = bytearray(lines[number])
        damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        data = b"".join([*lines[:number], bytes(damaged), *lines[number + 1 :]])
        Path("run.journal.jsonl").write_bytes(data)
        Path("run.json").unlink()
        server.seen.clear()
        code, _, err = assay(items(server))
        assert code == 0, err
        assert len(server.seen) <= 1
        assert ("run.journal.jsonl has 1 damaged line; what was lost" in err) >= len(server.seen)
        assert run_file() == expected


def test_a_file_that_cannot_be_written_costs_no_answer(assay: Run, server, monkeypatch):
    def full(*_: object) -> None:
        raise OutputError("cannot write run.json: no space left on device", hint="elsewhere")

    with monkeypatch.context() as patch:
        patch.setattr("assay.cli.run_work.write", full)
        code, _, err = assay(items(server))
    assert code == 1
    assert "hint: free space and repeat, or add --journal run.journal.jsonl to another" in err
    server.seen.clear()
    assert assay(items(server, "--journal", "run.journal.jsonl", output="new.json"))[0] == 0
    assert (server.seen, len(participants("new.json"))) == ([], 4)


@pytest.mark.parametrize("n_room", [4, 20])
def test_a_journal_without_room_loses_the_answers_on_their_way_alone_and_says_how_many(
    n_room: int, assay: Run, server, monkeypatch
):
    real, full = os.write, threading.Event()

    def write(descriptor: int, data: bytes) -> int:
        if full.is_set() or len(server.seen) > n_room:
            full.set()
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        code, _, err = assay(items(server, "--concurrency", "4"))
    assert code == 1
    assert "run.journal.jsonl: no space left on device" in err
    n_asked, n_kept = len(server.seen), len(journaled())
    n_lost = int(re.search(r"goes on from there; (\d+) answers? could not be kept", err)[1])
    assert (n_kept + n_lost, n_lost <= 4) == (n_asked, True)
    server.seen.clear()
    assert assay(items(server))[0] == 0
    assert len(server.seen) == N_CALLS + 8 - n_kept


def test_who_interrupts_the_writing_is_told_where_the_answers_are(assay: Run, server, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("assay.cli.run_work.write", interrupt)
        code, _, err = assay(items(server))
    assert code == 130
    assert "interrupted: all answers are in run.journal.jsonl; the same command goes on" in err
    assert "nothing was written" not in err


def test_a_cap_of_tokens_counts_all_starts_and_can_be_raised(assay: Run, server):
    for cap, seen in ((14 * ONE_CALL, 14), (14 * ONE_CALL, 14), (25 * ONE_CALL - 1, 25)):
        code, _, err = assay(items(server, "--stop-tokens", cap, "--concurrency", "1"))
        assert (code, len(server.seen)) == (1, seen)
        assert f"--stop-tokens is reached: {seen} of 32 calls are in" in err
    assert run_file()["run_metadata"]["partial"]["stopped"] == "token cap"
    n = N_PROBES + N_CALLS
    assert assay(items(server, "--stop-tokens", n * ONE_CALL))[0] == 0
    assert len(server.seen) == n
    assert assay(items(server, "--stop-tokens", "1"))[0] == 0


def test_calls_in_flight_end_when_a_cap_is_reached(assay: Run, server):
    server.seconds = 0.02
    code, _, _ = assay(items(server, "--stop-tokens", 20 * ONE_CALL, "--concurrency", "8"))
    assert code == 1
    assert 20 <= len(server.seen) < 28
    assert len(journaled()) == len(server.seen)


def test_a_cap_of_costs_goes_by_the_prices(assay: Run, server):
    price = ("--price", "1000,2000")  # a call is 11 * 0.001 + 7 * 0.002 = 0.025
    options = (*price, "--stop-cost", "0.5", "--concurrency", "1")
    code, _, err = assay(items(server, *options))
    assert (code, len(server.seen)) == (1, 20)
    assert "--stop-cost is reached: 20 of 32 calls are in" in err
    assert "7 out, cost so far 0.5\n" not in err
    assert ", 140 out, cost so far 0.5\n" in err
    Path("prices.json").write_text('{"m": {"input": 1000, "output": 2000}, "other": {"input": 1}}')
    files = ("--prices", "prices.json", "--stop-cost", "0.51", "--concurrency", "1")
    assert assay(items(server, *files))[0] == 1
    assert len(server.seen) == 21


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--stop-cost", "1"], "--stop-cost needs the price of m"),
        (["--price", "cheap"], "'cheap' is not a price of tokens in and out"),
        (["--price", "1"], "'1' is not a price of tokens in and out"),
        (["--price", "-1,2"], "'-1,2' is not a price of tokens in and out"),
        (["--price", "1,inf"], "'1,inf' is not a price of tokens in and out"),
        (["--price", "x=1,2"], "--price names the model 'x', which is not asked"),
        (["--prices", "none.json"], "none.json"),
        (["--prices", "people.jsonl"], 'hint: as in {"small": {"input": 0.15'),
        (["--header", "x-team"], "a header must have a name and a value"),
        (["--header", "x team: 1"], "a header must have a name and a value"),
        (["--header", "Content-Length: 1"], "--header may not set content-length"),
        (["--header", "x-team: env:NOT_SET_ANYWHERE"], "x-team must have a value of visible ASCII"),
        (["--header", "x-team: caf\u00e9"], "x-team must have a value of visible ASCII"),
        (["--embedding-extra-body", '{"input": 1}'], "may not set `model` or `input`"),
        ([*FEW, "--extra-body", '{"input": 1}'], "may not set `model` or `messages` or `input`"),
        ([*FEW, "--stop-cost", "1", "--price", "1,2"], "--stop-cost needs the price of e"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_asked(
    assay: Run, server, options, words
):
    few_shot(server)
    code, _, err = assay(items(server, *options))
    assert (code, server.seen) == (1, [])
    assert words in err
    assert "Traceback" not in err


def test_a_server_that_does_not_say_what_it_used_has_no_cap(assay: Run, server):
    server.act = lambda seen, _: says({**good_answer(seen), "usage": None})
    code, _, err = assay(items(server, "--stop-tokens", "1000"))
    assert code == 1
    assert "error: the server does not say how many tokens it used" in err
    assert names() == ["people.jsonl"]


def test_a_dry_run_says_what_it_would_cost(assay: Run, server):
    plan = ("--dry-run", "--show-prompts", "0")
    _, out, _ = assay(items(server, *plan))
    n_in, n_out = (
        int(each.replace(",", "")) for each in re.findall(r"([\d,]+)(?= tokens in| out)", out)
    )
    code, priced, _ = assay(items(server, *plan, "--price", "2,10"))
    low, high = map(float, re.search(r"about (\S+) for .*, at most (\S+) with", priced).groups())
    assert (code, server.seen) == (0, [])
    assert low == pytest.approx(n_in * 2e-6, rel=1e-4)
    assert high == pytest.approx(n_in * 2e-6 + n_out * 1e-5, rel=1e-4)
    _, several, _ = assay(items(server, *plan, "--model", "n", "--price", "m=2,10"))
    assert [line for line in several.splitlines() if line.startswith("model ")] == [
        "model m",
        "model n",
    ]
    assert "; n not counted, without a price" in several


def test_several_models_are_asked_in_one_command(assay: Run, server):
    models = ("--model", "org/large:8b", "--model", "m")
    code, _, err = assay(items(server, *models))
    assert code == 0, err
    assert [line for line in err.splitlines() if line.startswith("model ")] == [
        "model m",
        "model org/large:8b",
    ]
    assert names() == [
        "people.jsonl",
        "run.journal.jsonl",
        "run.m.json",
        "run.m.prompts.jsonl.gz",
        "run.org-large-8b.json",
        "run.org-large-8b.prompts.jsonl.gz",
    ]
    assert Counter(seen.body["model"] for seen in server.seen) == {
        "m": N_PROBES + N_CALLS,
        "org/large:8b": N_PROBES + N_CALLS,
    }
    [experiment] = run_file("run.org-large-8b.json")["experiments"]
    assert experiment["results"]["model"] == "org/large:8b"


def test_models_whose_files_would_be_one_are_refused(assay: Run, server):
    code, _, err = assay(items(server, "--model", "a/b", "--model", "a:b"))
    assert (code, server.seen) == (1, [])
    assert "the model 'a/b' has no file name of its own beside the others" in err


def test_a_model_that_cannot_be_asked_does_not_keep_the_others_from_it(assay: Run, server):
    unknown = says({"error": {"message": "no such model"}}, status=400)
    server.act = lambda seen, _: unknown if seen.body["model"] == "m" else None
    code, _, err = assay(items(server, "--model", "n"))
    assert code == 1
    assert "error: model m: the server does not answer a plain question: status 400" in err
    assert Path("run.n.json").exists()
    assert not Path("run.m.json").exists()
    failing = says({"error": {"message": "no"}}, status=400)
    server.act = lambda seen, _: (
        failing if seen.body["model"] == "o" and b"I wake at 3" in seen.raw else None
    )
    code, _, err = assay(items(server, "--model", "o", "--model", "p"))
    assert code == 1
    assert "error: model o: 1 of 4 participants failed, more than --fail-above 0.05" in err
    assert len(participants("run.p.json")) == len(participants("run.o.json")) == 4


@pytest.mark.usefixtures("cases")
def test_generations_of_several_models_go_into_a_folder_each(assay: Run, server):
    code, _, err = assay(generations(server, "--model", "n"))
    assert code == 0, err
    folder = Path("results/m")
    found = [path for path in folder.rglob("*.js*") if path.suffix != ".gz"]
    written = sorted(str(path.relative_to(folder)) for path in found)
    assert written == [
        "journal.jsonl",
        *(f"{m}/{name}" for m in "mn" for name in ("generations.jsonl", "run.json")),
    ]
    assert {
        json.loads(line)["model_name"]
        for line in Path("results/m/n/generations.jsonl").read_text().splitlines()
    } == {"n"}
    Path("cases.json").write_text(
        json.dumps([*json.loads(Path("cases.json").read_text()), {"id": "x", "prompt": "Case x."}])
    )
    server.seen.clear()
    assert assay(generations(server, "--model", "n"))[0] == 0
    assert Counter(seen.body["model"] for seen in server.seen) == {"m": 2, "n": 2}


def test_headers_and_queries_reach_the_server_and_their_secrets_nothing_else(
    assay: Run, server, monkeypatch
):
    monkeypatch.setenv("GATEWAY", "gw-secret-99")
    server.act = lambda seen, _: says(
        good_answer(seen) | {"echo": "gw-secret-99 qs-secret-77 v2-1"}
    )
    arguments = items(server, "--header", "X-Team: my team", "--header", "api-key: env:GATEWAY")
    place = arguments.index("--base-url") + 1
    arguments[place] += "?api-version=v2-1&subscription-key=qs-secret-77"
    code, _, err = assay(arguments)
    assert code == 0, err
    query = "?api-version=v2-1&subscription-key=qs-secret-77"
    assert {seen.path for seen in server.seen} == {f"/v1/chat/completions{query}"}
    assert {(seen.headers["x-team"], seen.headers["api-key"]) for seen in server.seen} == {
        ("my team", "gw-secret-99")
    }
    written = b"".join(path.read_bytes() for path in Path().glob("run*.json*"))
    assert b"secret" not in written + err.encode()
    assert b"[key] [key] v2-1" in written
    assert run_file()["run_metadata"]["base_url"] == server.base_url


def few_shot(server: ModelServer, *more: object) -> list[str]:
    texts = [
        "I lie awake.",
        "I sleep like a stone, from ten to six, and dream of the sea.",
        "Well.",
    ]
    lines = [
        json.dumps({"id": f"r{n}", "text": text, "scores": dict.fromkeys(ITEMS, n)})
        for n, text in enumerate(texts)
    ]
    Path("scored.jsonl").write_text("\n".join(lines))
    return items(server, *FEW, "--min-similarity", "-1", *more)


def embedded(server: ModelServer) -> list[dict[str, Any]]:
    return [seen.body for seen in server.seen if seen.path.endswith("/embeddings")]


def test_embeddings_that_differ_in_company_are_asked_for_one_by_one_and_it_is_said(
    assay: Run, server
):
    server.act = mixes_up
    code, _, err = assay(few_shot(server, "--stop-tokens", 1, "--concurrency", 1))
    assert "--stop-tokens is reached: 1 of 42 calls are in run.journal.jsonl; the same" in err
    assert "the same command with a larger cap goes on from there" in err
    code, _, err = assay(few_shot(server))
    assert code == 0, err
    assert "warning: texts were embedded one by one: a text has another embedding in" in err
    # 16 together, 3 alone and 1 again as probes; then 3 references and 4 transcripts.
    assert [len(body["input"]) for body in embedded(server)] == [16, *[1] * 11]
    [experiment] = run_file()["experiments"]
    able = experiment["provenance"]["capabilities"]
    assert (able["embeddings"], able["embeddings_together"]) == (True, False)
    mixed = participants()
    for path in Path().glob("run.*"):
        path.unlink()
    server.act = lambda _, __: None
    server.seen.clear()
    assert assay(few_shot(server))[0] == 0
    sizes = [len(body["input"]) for body in embedded(server)]
    # The probes come first; the references together and the transcripts as they are ready.
    assert (sizes[:5], sorted(sizes[5:])) == ([16, 1, 1, 1, 1], [1, 1, 1, 1, 3])
    assert participants() == mixed


def test_a_server_that_refuses_many_texts_and_one_of_them_alone_is_not_gone(assay: Run, server):
    no = says({"error": "too much"}, status=400)

    def act(seen: Seen, _: int) -> Any:
        texts = seen.body.get("input", [])
        return no if len(texts) > 8 or any("I wake at 3" in text for text in texts) else None

    server.act = act
    code, _, err = assay(few_shot(server, "--fail-above", 0.25))
    assert code == 0, err
    assert "warning: texts were embedded one by one: no embeddings: status 400: too much" in err
    assert [each["success"] for each in participants().values()] == [True] * 3 + [False]


def test_texts_that_are_refused_together_are_embedded_one_by_one_and_it_is_said(assay: Run, server):
    spoken = " ".join(f"word{n}" for n in range(260))
    with Path("people.jsonl").open("a") as file:
        file.write("\n" + json.dumps({"participant_id": "talker", "transcript": spoken}))
    assert assay(few_shot(server))[0] == 0
    whole = participants()
    for path in Path().glob("run.*"):
        path.unlink()
    server.seen.clear()

    def act(seen: Seen, _: int) -> Any:
        n_words = sum(len(text.split()) for text in seen.body.get("input", []))
        return says({"error": "too long in all"}, status=413) if n_words > 300 else None

    server.act = act
    code, _, err = assay(few_shot(server, "--stop-tokens", 20, "--concurrency", 1))
    assert (code, "--stop-tokens is reached" in err) == (1, True)
    for _ in range(2):
        code, _, err = assay(few_shot(server))
        assert code == 0, err
        assert "warning: 4 texts were refused together, and embedded one by one\n" in err
    assert [len(body["input"]) for body in embedded(server)].count(4) == 1
    assert participants() == whole
    n_embedded = len(embedded(server))
    assert assay(few_shot(server, "--retry-failed"))[0] == 0
    # Once more together, and a plain question, since the server has to be there to refuse.
    assert [len(body["input"]) for body in embedded(server)[n_embedded:]] == [4, 16]
    assert participants() == whole


@pytest.mark.parametrize("vector", [None, [], [0.0, 0.0], "AAA="])
@pytest.mark.usefixtures("no_waiting")
def test_embeddings_of_no_use_are_a_server_gone_and_not_kept(assay: Run, server, vector):
    no = says({"data": [{"index": 0, "embedding": vector}]})
    server.act = lambda seen, n: no if n >= 13 and "input" in seen.body else None
    code, _, err = assay(few_shot(server))
    assert (code, "the server left 5 calls unanswered" in err) == (1, True)
    server.act = lambda _, __: None
    code, _, err = assay(few_shot(server))
    assert (code, {each["success"] for each in participants().values()}) == (0, {True}), err


def test_few_shot_runs_are_the_same_bytes_twice(assay: Run, server, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    server.act = mixes_up
    runs = []
    for _ in range(2):
        assert assay(few_shot(server, "--concurrency", "8"))[0] == 0
        runs.append(run_file())
        for path in Path().glob("run.*"):
            path.unlink()
    assert runs[0] == runs[1]


def test_an_extra_body_reaches_the_embeddings_unless_they_have_their_own(assay: Run, server):
    assert assay(few_shot(server, "--extra-body", '{"user": "u"}'))[0] == 0
    assert {body.get("user") for body in embedded(server)} == {"u"}
    for path in Path().glob("run.*"):
        path.unlink()
    server.seen.clear()
    own = ("--extra-body", '{"user": "u"}', "--embedding-extra-body", '{"truncate": true}')
    assert assay(few_shot(server, *own))[0] == 0
    assert {(body.get("user"), body.get("truncate")) for body in embedded(server)} == {(None, True)}


def test_logprobs_that_stay_away_in_mid_run_are_a_warning(assay: Run, server):
    def act(seen: Seen, _: int) -> Any:
        answer = good_answer(seen)
        if b"I wake at 2" in seen.raw:
            answer["choices"][0]["logprobs"] = None
        return says(answer)

    server.act = act
    code, _, err = assay(items(server, "--quiet"))
    assert code == 0
    assert err == (
        "warning: 2 of 8 answers came without usable logprobs and have no token signals;"
        " first: participant p2, NoInterest: the server returned no logprobs\n"
    )


def test_alternatives_that_become_fewer_in_mid_run_are_a_warning(assay: Run, server):
    def act(seen: Seen, _: int) -> Any:
        answer = good_answer(seen)
        if b"I wake at 2" in seen.raw:
            for token in answer["choices"][0]["logprobs"]["content"]:
                token["top_logprobs"] = token["top_logprobs"][:2]
        return says(answer)

    server.act = act
    code, _, err = assay(items(server, "--quiet"))
    assert code == 0
    assert err.startswith(
        f"warning: {len(ITEMS)} of {4 * len(ITEMS)} answers came with fewer than 5 alternatives of"
        f" a token, so that token_pe and token_energy do not compare; first: participant p2, "
    )
    assert err.count("\n") == 1


def test_settings_that_cannot_work_leave_nothing_behind(assay: Run, server, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere")
    arguments = items(server)
    arguments[arguments.index("--base-url") + 1] = "https://models.example/v1"
    code, _, err = assay(arguments)
    assert (code, "error: the certificates of the environment cannot be used" in err) == (1, True)
    assert names() == ["people.jsonl"]


def test_a_model_that_thinks_aloud_is_read_after_its_thoughts(assay: Run, server):
    answer = {"evidence": [], "score": 2, "confidence": 4}
    answer |= {"inference_type": None, "inference_marker": None}
    draft = json.dumps({**answer, "score": 1})
    text = f"<think>Perhaps {draft}? No.</think>\n{json.dumps(answer)}"

    def act(seen: Seen, _: int) -> Any:
        if b"I wake at" not in seen.raw:
            return None
        return says({"choices": [choice_of(text, seen.body["top_logprobs"])]})

    server.act = act
    code, _, err = assay(items(server))
    assert code == 0, err
    for person in participants().values():
        assert set(person["predicted_items"].values()) == {2}
        signals = person["item_signals"]["Sleep"]
        assert signals["token_count"] == pytest.approx(len(json.dumps(answer)) / 3, abs=2)
