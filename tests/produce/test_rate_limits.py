"""Servers that have no room for more: nobody is lost, and no more is asked than fits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import httpx2
import pytest

from assay.errors import ServerError
from assay.produce import responses
from assay.produce.calls import Call, Reply
from assay.produce.client import Client
from assay.produce.endpoints import Endpoint
from assay.produce.limits import Gate, Limits, Wait
from tests.produce.clock import Clock
from tests.produce.commands import participants
from tests.produce.model_server import Bucket, ModelServer


def call(number: int, *, alone: bool = False) -> Call:
    return Call(f"a/{number}", "chat/completions", {"number": number}, alone=alone)


def full(headers: dict[str, str] | None = None, status: int = 429) -> httpx2.Response:
    error = {"message": "slow down", "code": 429}
    return httpx2.Response(status, headers=headers, json={"error": error})


def asked(
    answer: Callable[[httpx2.Request], object], calls: list[Call], limits: Limits | None = None
) -> tuple[list[Reply], list[Wait]]:
    """Ask all at once; return the replies and what was said about waiting."""
    waits: list[Wait] = []

    async def ask() -> list[Reply]:
        endpoints = {"chat": Endpoint("http://m/v1")}
        transport = httpx2.MockTransport(answer)
        client = Client(endpoints, limits or Limits(), transport=transport, waiting=waits.append)
        async with client:
            return await asyncio.gather(*map(client.ask, calls))

    return asyncio.run(ask()), waits


@pytest.mark.parametrize("status", [429, 200])
def test_to_be_told_that_there_is_no_room_uses_up_no_attempt(clock, status):
    answers = [full({"retry-after": "2"}, status)] * 20

    def answer(_: httpx2.Request) -> httpx2.Response:
        return answers.pop() if answers else httpx2.Response(200, json={"choices": [1]})

    [reply], waits = asked(answer, [call(1)], Limits(attempts=1))
    assert (reply.error, reply.attempts) == (None, 21)
    assert len(waits) == 20
    assert 40 <= clock.now() <= 44


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "0.25"}, 0.25),
        ({"x-ratelimit-reset-requests": "1m2.5s"}, 62.5),
        ({"x-ratelimit-reset-tokens": "300ms"}, 0.3),
        ({"x-ratelimit-reset": "7"}, 7),
        ({"x-ratelimit-reset": "1767225630"}, 30),
        ({"x-ratelimit-reset": "1767225630250"}, 30.25),
        ({"x-ratelimit-reset-requests": "2026-01-01T00:00:06Z"}, 6),
        ({"x-ratelimit-reset-requests": "2026-01-01T00:00:06"}, 6),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "11"}, 11),
        # By the server's clock, which may be hours from ours.
        ({"x-ratelimit-reset": "1767229205", "date": "Thu, 01 Jan 2026 01:00:00 GMT"}, 5),
        (
            {
                "retry-after": "Thu, 01 Jan 2026 01:00:09 GMT",
                "date": "Thu, 01 Jan 2026 01:00:00 GMT",
            },
            9,
        ),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:04 GMT", "date": "today"}, 4),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "8s"}, 8),
        (
            {
                "x-ratelimit-remaining-requests": "12",
                "x-ratelimit-reset-requests": "8s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "3s",
            },
            3,
        ),
        ({"x-ratelimit-remaining-requests": "12", "x-ratelimit-reset-requests": "8s"}, 0.5),
        ({"x-ratelimit-reset-requests": "soon"}, 0.5),
        ({}, 0.5),
    ],
)
def test_the_wait_is_what_the_server_says_in_any_of_its_ways(clock, monkeypatch, headers, seconds):
    monkeypatch.setattr(responses, "time", lambda: 1_767_225_600.0)
    times = []

    def answer(_: httpx2.Request) -> httpx2.Response:
        times.append(clock.now())
        return full(headers) if len(times) == 1 else httpx2.Response(200, json={"choices": [1]})

    asked(answer, [call(1)])
    assert seconds <= times[1] - times[0] <= seconds * 1.1


def test_a_limit_that_is_used_up_for_hours_ends_the_run():
    with pytest.raises(ServerError, match="asks to wait 21600 seconds"):
        asked(lambda _: full({"x-ratelimit-reset-tokens": "6h"}), [call(1)])


def test_without_a_word_on_how_long_the_waits_grow(clock):
    times = []

    def answer(_: httpx2.Request) -> httpx2.Response:
        times.append(clock.now())
        return full() if len(times) <= 9 else httpx2.Response(200, json={"choices": [1]})

    asked(answer, [call(1)])
    waits = [later - sooner for sooner, later in pairwise(times)]
    for wait, least in zip(waits, [0.5, 1, 2, 4, 8, 16, 32, 60, 60], strict=True):
        assert least <= wait <= least * 1.1 + 1e-6


def test_a_server_that_names_too_short_a_time_is_not_asked_without_end(clock):
    times = []

    def answer(_: httpx2.Request) -> httpx2.Response:
        times.append(clock.now())
        return full({"retry-after": "0"})

    asked(answer, [call(1)])
    assert times[1] == times[0]
    assert 600 <= clock.now() <= 700
    assert len(times) <= 1200


def test_for_ten_minutes_a_server_without_room_for_any_call_is_asked(clock):
    replies, _ = asked(lambda _: full({"retry-after": "50"}), [call(n) for n in range(8)])
    assert {(each.status, each.error) for each in replies} == {(429, "status 429: slow down")}
    assert 600 <= clock.now() <= 700


def test_one_answer_in_ten_minutes_keeps_a_run_going(clock):
    since = [0.0]

    def answer(_: httpx2.Request) -> httpx2.Response:
        if clock.now() - since[0] < 500:
            return full({"retry-after": "50"})
        since[0] = clock.now()
        return httpx2.Response(200, json={"choices": [1]})

    replies, _ = asked(answer, [call(n) for n in range(4)])
    assert [reply.error for reply in replies] == [None] * 4
    assert clock.now() >= 2000


class Room:
    """A server that takes so many calls at a time, a second each."""

    def __init__(self, most: int) -> None:
        self.most, self.now, self.seen, self.refused = most, 0, 0, 0

    async def __call__(self, _: httpx2.Request) -> httpx2.Response:
        self.seen += 1
        if self.now >= self.most:
            self.refused += 1
            return full({"retry-after": "1"})
        self.now += 1
        await asyncio.sleep(1)
        self.now -= 1
        return httpx2.Response(200, json={"choices": [1]})


def test_the_number_of_calls_at_a_time_falls_to_what_fits_and_recovers(clock):
    room = Room(5)
    replies, waits = asked(room, [call(n) for n in range(400)], Limits(concurrency=64))
    assert not any(reply.error for reply in replies)
    # 64 at once, then 32, 16, 8: what is refused after that is a trial now and then.
    assert [wait.at_once for wait in waits[:4]] == [32, 16, 8, 4]
    assert all(wait.at_once <= 4 for wait in waits[3:])
    assert room.refused < 200
    assert clock.now() < 160
    room.most = 1000
    before, waits = room.refused, []
    asked(room, [call(n) for n in range(400)], Limits(concurrency=64))
    assert room.refused == before


def test_a_call_that_must_be_alone_has_no_company(clock):
    running: set[int] = set()
    company: dict[int, int] = {}

    async def answer(request: httpx2.Request) -> httpx2.Response:
        number = json.loads(request.content)["number"]
        running.add(number)
        await asyncio.sleep(1)
        for each in running:
            company[each] = max(company.get(each, 0), len(running))
        running.discard(number)
        return httpx2.Response(200, json={"choices": [1]})

    calls = [call(n, alone=n in {3, 4, 9}) for n in range(12)]
    asked(answer, calls, Limits(concurrency=4))
    assert [company[n] for n in (3, 4, 9)] == [1, 1, 1]
    assert max(company.values()) == 4


def test_room_that_was_waited_for_is_given_in_order(clock):
    order = []

    async def enter(gate: Gate, name: str) -> None:
        await gate.enter()
        order.append(name)
        await asyncio.sleep(1)
        gate.leave()

    async def all_of_them() -> None:
        gate = Gate(Limits(concurrency=1))
        await asyncio.gather(*(enter(gate, name) for name in "abcd"))

    asyncio.run(all_of_them())
    assert order == ["a", "b", "c", "d"]


WAYS = {
    "seconds": {"retry_after": "1"},
    "milliseconds": {"retry_after_ms": "1000"},
    "limits": {"x_ratelimit_remaining_requests": "0", "x_ratelimit_reset_requests": "1s"},
    "nothing": {},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("concurrency", [4, 64])
def test_a_limit_of_five_calls_a_second_loses_none_of_many_participants(
    assay, server: ModelServer, clock: Clock, way, concurrency
):
    n_people = 300 if (way, concurrency) == ("seconds", 64) else 60
    lines = (json.dumps({"participant_id": n, "transcript": f"I am {n}."}) for n in range(n_people))
    Path("people.jsonl").write_text("\n".join(lines))
    clock.grace = 0.01
    bucket = server.act = Bucket(clock, 5, WAYS[way])
    options = ["--data", "people.jsonl", "--base-url", server.base_url, "--model", "m"]
    options += ["--item", "Sleep", "--output", "run.json", "--concurrency", str(concurrency)]
    code, _, err = assay(["run", "items", *options])
    assert code == 0, err
    assert [person["success"] for person in participants().values()] == [True] * n_people
    assert bucket.refused > 0
    assert "the server has no room: waiting " in err
    # At most as many as at first are refused on the way down, then one for each second or so.
    assert bucket.refused < 2 * 64 + n_people
