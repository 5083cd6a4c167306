"""Many calls: how many at once, which are made again, and every way a start can end."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest

from assay.errors import UsageError
from assay.produce.calls import Call, Pass
from assay.produce.endpoints import Endpoint
from assay.produce.journal import Journal
from assay.produce.limits import Limits
from assay.produce.session import PATIENCE, Outcome, Tally, make_calls


def call(number: int, kind: str = "a") -> Call:
    return Call(f"{kind}/{number}", "chat/completions", {"number": number})


@dataclass
class SomeJob:
    """A job of given passes; what it writes is no subject here."""

    passes: Sequence[Pass]
    identity: Mapping[str, Any] = field(default_factory=lambda: {"model": "m"})
    n_calls: int = 0


@dataclass
class Model:
    """The network: answers by rule and counts."""

    rule: Callable[[int], httpx2.Response | None] = lambda _: None
    seconds: float = 0.0
    asked: list[int] = field(default_factory=list)
    now: int = 0
    most: int = 0

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        number = json.loads(request.content)["number"]
        self.asked.append(number)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.now -= 1
        return self.rule(number) or httpx2.Response(
            200, json={"choices": [number], "usage": {"prompt_tokens": 2, "completion_tokens": 1}}
        )


def start(
    path: Path,
    model: Model,
    calls: Iterable[Call] | Sequence[Pass],
    limits: Limits | None = None,
    **more: Any,
) -> Outcome:
    """Make one start and return how it went."""
    given = list(calls) if isinstance(calls, list) else calls
    passes = given if isinstance(given, list) and callable(given[0]) else [lambda _: given]
    with Journal(path, {"model": "m"}) as journal:
        return make_calls(
            SomeJob(passes),
            {"chat": Endpoint("http://m/v1")},
            journal,
            limits or Limits(),
            transport=httpx2.MockTransport(model),
            **more,
        )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def keys(path: Path) -> list[str]:
    lines = map(json.loads, path.read_text().splitlines())
    return [line["key"] for line in lines if "key" in line]


def test_every_call_is_made_once_and_journaled(path):
    model = Model()
    outcome = start(path, model, [call(i) for i in range(20)])
    assert sorted(model.asked) == list(range(20))
    assert sorted(keys(path)) == sorted(call(i).key for i in range(20))
    assert outcome.stopped is None
    assert outcome.tally == Tally(
        made=20, attempts=20, prompt_tokens=40, completion_tokens=20, failed=0, kept=0
    )


def test_a_second_start_makes_only_what_is_missing(path):
    start(path, Model(), [call(i) for i in range(10)])
    model = Model()
    outcome = start(path, model, [call(i) for i in range(15)])
    assert sorted(model.asked) == list(range(10, 15))
    assert (outcome.tally.kept, outcome.tally.made) == (10, 5)


def test_no_more_than_the_given_number_is_in_flight(path):
    model = Model(seconds=0.01)
    start(path, model, [call(i) for i in range(40)], Limits(concurrency=7))
    assert model.most == 7


def test_calls_are_drawn_as_they_are_made_and_no_further(path):
    drawn, made, widest = 0, 0, 0

    def calls() -> Iterable[Call]:
        nonlocal drawn, widest
        for number in range(100):
            drawn += 1
            widest = max(widest, drawn - made)
            yield call(number)

    def hear(tally: Tally) -> None:
        nonlocal made
        made = tally.made

    start(path, Model(seconds=0.001), calls(), Limits(concurrency=5), progress=hear)
    assert (drawn, widest) == (100, 5)


def test_requests_start_no_faster_than_the_rate(path, clock):
    times = []
    model = Model(rule=lambda _: times.append(clock.now()))
    start(path, model, [call(i) for i in range(6)], Limits(per_minute=6, concurrency=6))
    assert [later - sooner for sooner, later in pairwise(times)] == pytest.approx([10] * 5)


def test_a_failed_call_is_recorded_and_the_others_go_on(path):
    bad = httpx2.Response(400, json={"error": {"message": "too long"}})
    model = Model(rule=lambda number: bad if number == 3 else None)
    outcome = start(path, model, [call(i) for i in range(8)])
    assert (outcome.tally.failed, outcome.tally.made) == (1, 8)
    model = Model()
    assert start(path, model, [call(i) for i in range(8)]).tally.kept == 8
    assert model.asked == []


def test_a_pass_sees_the_replies_of_the_passes_before(path):
    def second(replies: Any) -> Iterable[Call]:
        answered = json.loads(replies.get("probe/1").body)["choices"][0]
        yield call(answered + 100)

    model = Model()
    start(path, model, [lambda _: [call(1, "probe")], second])
    assert model.asked == [1, 101]


def refuse(_: Any) -> Iterable[Call]:
    raise UsageError("the server lacks logprobs")


def test_a_job_that_refuses_after_the_probe_leaves_no_journal(path):
    for _ in range(2):
        model = Model()
        with pytest.raises(UsageError, match="lacks logprobs"):
            start(path, model, [lambda _: [call(1, "probe"), call(2, "probe")], refuse])
        assert sorted(model.asked) == [1, 2]
        assert not path.exists()


def test_a_refusal_never_removes_replies_beyond_the_probe(path):
    probe = [lambda _: [call(1, "probe")]]
    start(path, Model(), [*probe, lambda _: [call(2)]])
    for passes in ([*probe, refuse], [*probe, lambda _: [], refuse]):
        with pytest.raises(UsageError, match="lacks logprobs"):
            start(path, Model(), passes)
        assert keys(path) == ["probe/1", "a/2"]


def test_a_call_that_changed_is_made_anew(path):
    start(path, Model(), [call(1), call(5)])
    changed = Call("a/1", "chat/completions", {"number": 2})
    model = Model()
    outcome = start(path, model, [changed, call(5)])
    assert (model.asked, outcome.tally.kept) == ([2], 1)
    assert start(path, model, [call(1), changed]).tally.kept == 2


def busy(_: int) -> httpx2.Response:
    return httpx2.Response(503, json={"error": "away"})


@pytest.mark.usefixtures("no_waiting")
def test_a_server_that_went_away_stops_the_run_and_fails_no_call(path):
    model = Model(rule=lambda number: busy(number) if max(model.asked) >= 20 else None)
    outcome = start(path, model, [lambda _: map(call, range(1000))], Limits(attempts=2))
    assert outcome.stopped == "server gone"
    words = r"the server left \d+ calls unanswered, and a plain question; last: status 503: away"
    assert re.fullmatch(words, str(outcome.error))
    assert 20 - 4 < len(keys(path)) <= 20
    assert max(model.asked) < 20 + PATIENCE + 2 * 4
    done = len(keys(path))
    outcome = start(path, Model(), [call(i) for i in range(40)])
    assert (outcome.tally.kept, outcome.tally.made, outcome.tally.failed) == (done, 40 - done, 0)


WAYS_TO_BE_GONE = {
    "busy": httpx2.Response(503, json={"error": "away"}),
    "a page": httpx2.Response(200, html="<h1>Back soon</h1>"),
    "an error": httpx2.Response(200, json={"error": "away"}),
    "half an answer": httpx2.Response(200, content=b'{"choices": ['),
    "no answer": httpx2.Response(200, json={"choices": [], "usage": {"prompt_tokens": 2}}),
    "no credit": httpx2.Response(400, json={"error": "limit of your account"}),
}


@pytest.mark.parametrize("n_left", [1, 2, PATIENCE - 1, PATIENCE + 4])
@pytest.mark.parametrize("way", WAYS_TO_BE_GONE)
@pytest.mark.usefixtures("no_waiting")
def test_a_server_that_is_gone_with_few_calls_left_fails_none_of_them(path, way, n_left):
    away = WAYS_TO_BE_GONE[way]
    model = Model(rule=lambda _: away if len(model.asked) > 20 else None)
    calls = [call(i) for i in range(20 + n_left)]
    outcome = start(path, model, calls, Limits(attempts=2, concurrency=1))
    assert (outcome.stopped, len(keys(path))) == ("server gone", 20)
    n_seen = min(n_left, PATIENCE)
    assert str(outcome.error).startswith(f"the server left {n_seen} call{'s'[: n_seen > 1]} unansw")
    outcome = start(path, Model(), calls)
    assert (outcome.stopped, outcome.tally.made, outcome.tally.failed) == (None, n_left, 0)


def full() -> httpx2.Response:
    return httpx2.Response(429, headers={"retry-after": "20"}, json={"error": "slow down"})


@pytest.mark.parametrize("n_left", [1, 30])
def test_ten_minutes_of_nothing_but_refusals_are_a_server_gone(path, clock, n_left):
    model = Model(rule=lambda _: full() if len(model.asked) > 20 else None)
    outcome = start(path, model, [call(i) for i in range(20 + n_left)], Limits(concurrency=1))
    assert outcome.stopped == "server gone"
    assert str(outcome.error).endswith("and a plain question; last: status 429: slow down")
    assert len(keys(path)) == 20
    assert 600 <= clock.now() <= 700


@pytest.mark.parametrize("n_calls", [30, 2000])
def test_a_call_that_never_finds_room_while_others_do_has_failed(path, clock, n_calls):
    model = Model(rule=lambda number: full() if number == 7 else None, seconds=0.1)
    outcome = start(path, model, [call(i) for i in range(n_calls)])
    assert (outcome.stopped, outcome.tally.made) == (None, n_calls)
    assert outcome.tally.failed == 1
    assert clock.now() >= 600


@pytest.mark.usefixtures("no_waiting")
def test_what_a_server_left_unanswered_for_a_while_is_asked_again(path):
    model = Model(rule=lambda number: busy(number) if 20 < len(model.asked) <= 34 else None)
    outcome = start(path, model, [call(i) for i in range(30)], Limits(attempts=2))
    assert (outcome.stopped, outcome.tally.made, outcome.tally.failed) == (None, 30, 0)


@pytest.mark.parametrize("way", ["busy", "a page", "no credit"])
@pytest.mark.usefixtures("no_waiting")
def test_many_calls_in_a_row_may_fail_while_the_server_answers_others(path, way):
    no = WAYS_TO_BE_GONE[way]
    model = Model(rule=lambda number: no if 5 <= number < 25 else None)
    outcome = start(path, model, [call(i) for i in range(30)], Limits(attempts=2, concurrency=1))
    assert (outcome.stopped, outcome.tally.made, outcome.tally.failed) == (None, 30, 20)


@pytest.mark.usefixtures("no_waiting")
def test_calls_left_unanswered_now_and_then_are_recorded_as_failed(path):
    model = Model(rule=lambda number: busy(number) if number % 3 else None)
    outcome = start(path, model, [call(i) for i in range(30)], Limits(attempts=2, concurrency=1))
    assert (outcome.tally.made, outcome.tally.failed) == (30, 20)
    assert len(keys(path)) == 30


@pytest.mark.parametrize("way", ["busy", "a page", "no credit"])
@pytest.mark.usefixtures("no_waiting")
def test_the_last_calls_of_a_run_may_stay_unanswered(path, way):
    model = Model(rule=lambda number: WAYS_TO_BE_GONE[way] if number > 5 else None)
    outcome = start(path, model, [call(i) for i in range(10)], Limits(attempts=2))
    assert (outcome.tally.made, outcome.tally.failed) == (10, 4)


@pytest.mark.usefixtures("clock")
def test_the_time_limit_stops_and_keeps_what_was_answered(path):
    model = Model(seconds=100)
    outcome = start(path, model, (call(i) for i in range(10_000)), Limits(seconds=1050))
    assert outcome.stopped == "time limit"
    assert outcome.tally.made == len(keys(path)) == 4 * 10


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_and_keeps_what_was_answered(path, number):
    def hear(tally: Tally) -> None:
        if tally.made == 12:
            os.kill(os.getpid(), number)

    model = Model(seconds=0.01)
    outcome = start(path, model, (call(i) for i in range(10_000)), progress=hear)
    assert outcome.stopped == "interrupted"
    assert 12 <= outcome.tally.made == len(keys(path)) < 100


def test_a_signal_that_is_not_to_be_heard_stops_nothing(path):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        outcome = start(
            path,
            Model(),
            (call(i) for i in range(20)),
            progress=lambda _: os.kill(os.getpid(), signal.SIGHUP),
        )
    finally:
        signal.signal(signal.SIGHUP, before)
    assert (outcome.stopped, outcome.tally.made) == (None, 20)


def test_a_signal_interrupts_a_long_wait_for_a_busy_server(path, clock):
    times = []

    def away(_: int) -> httpx2.Response:
        if not times:
            loop = asyncio.get_running_loop()
            loop.call_later(100, os.kill, os.getpid(), signal.SIGINT)
        times.append(clock.now())
        return httpx2.Response(429, headers={"retry-after": "300"})

    outcome = start(path, Model(rule=away), [call(i) for i in range(20)])
    assert (outcome.stopped, outcome.tally.made) == ("interrupted", 0)
    assert 100 <= clock.now() - times[0] < 300


def test_all_calls_wait_while_the_server_asks_for_it(path, clock):
    times = []

    def rule(_: int) -> httpx2.Response | None:
        times.append(clock.now())
        return httpx2.Response(429, headers={"retry-after": "500"}) if len(times) == 1 else None

    calls = [call(i) for i in range(12)]
    outcome = start(path, Model(rule=rule, seconds=1), calls, Limits(concurrency=3))
    assert (outcome.tally.failed, outcome.tally.attempts) == (0, 13)
    assert sum(moment - times[0] < 500 for moment in times) <= 3


def test_an_error_in_making_calls_is_that_error(path):
    def calls() -> Iterable[Call]:
        yield call(1)
        raise UsageError("participant 7 has no text")

    with pytest.raises(UsageError, match="participant 7 has no text"):
        start(path, Model(), calls())


def test_many_kept_calls_leave_time_for_others(path):
    start(path, Model(), (call(i) for i in range(600)), Limits(concurrency=64))
    outcome = start(path, Model(), (call(i) for i in range(601)), Limits(concurrency=3))
    assert (outcome.tally.kept, outcome.tally.made) == (600, 1)
