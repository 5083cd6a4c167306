"""The run producer: CPU per call beside bare httpx2, memory, and the time of a resume."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from assay.produce.calls import Call, Made, Pass, Reply, Server
from assay.produce.endpoints import Endpoint
from assay.produce.journal import Journal
from assay.produce.limits import Limits
from assay.produce.session import make_calls
from bench.echo_server import answer
from bench.measure import Ratio

CONCURRENCY = 64
N_CALLS = 2000
N_RESUMED = 100_000
TRANSCRIPT = "Participant: I wake at three nearly every night and then I lie there. " * 60
"""about 4 kB"""
IDENTITY = {"bench": "run"}


@dataclass(frozen=True, slots=True)
class Plan:
    """A job of equal calls."""

    n_calls: int

    @property
    def identity(self) -> dict[str, str]:
        """The same each time."""
        return IDENTITY

    @property
    def passes(self) -> Sequence[Pass]:
        """All calls in one pass."""
        return [lambda _: calls(self.n_calls)]

    def preview(self) -> Iterator[Call]:
        """The same calls."""
        return calls(self.n_calls)

    def made(self, *_: Any) -> Made:
        """Nothing is written."""
        return Made({}, {}, None)


def calls(n: int) -> Iterator[Call]:
    """Yield questions about one item of one participant each."""
    for number in range(n):
        messages = [{"role": "user", "content": f"{number} {TRANSCRIPT}"}]
        body = {"model": "echo", "messages": messages, "seed": number, "logprobs": True}
        yield Call(f"items/p{number // 8:06}/item{number % 8}/greedy", "chat/completions", body)


@contextmanager
def echo() -> Iterator[str]:
    """Run the server in a process of its own."""
    command = [sys.executable, "-m", "bench.echo_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


def peak_megabytes() -> float:
    """Return the most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def producer(n: int) -> dict[str, Any]:
    """Return the CPU seconds per call of the whole producer: plan, hash, ask, check, journal."""
    with tempfile.TemporaryDirectory() as folder, echo() as base_url:
        endpoints: dict[Server, Endpoint] = {"chat": Endpoint(base_url)}
        limits = Limits(concurrency=CONCURRENCY)
        with Journal(Path(folder) / "journal", IDENTITY) as journal:
            start = time.process_time()
            outcome = make_calls(Plan(n), endpoints, journal, limits)
            seconds = time.process_time() - start
    assert (outcome.tally.made, outcome.tally.failed) == (n, 0)
    return {"seconds": seconds / n, "peak_megabytes": peak_megabytes(), "aim": 0.005}


def bare() -> dict[str, Any]:
    """Return the CPU seconds per call of httpx2 alone, which throws each answer away."""

    async def ask_all(base_url: str) -> None:
        waiting = calls(N_CALLS)
        limits = httpx2.Limits(max_connections=CONCURRENCY)

        async def work(client: httpx2.AsyncClient) -> None:
            for call in waiting:
                response = await client.post(f"{base_url}/{call.path}", content=call.payload)
                assert response.status_code == 200

        async with httpx2.AsyncClient(limits=limits, timeout=60) as client:
            await asyncio.gather(*(work(client) for _ in range(CONCURRENCY)))

    with echo() as base_url:
        start = time.process_time()
        asyncio.run(ask_all(base_url))
        return {"seconds": (time.process_time() - start) / N_CALLS}


def resumed() -> dict[str, Any]:
    """Return the wall seconds in which a start finds 100,000 calls done and one to do."""
    body = answer().partition(b"\r\n\r\n")[2]
    with tempfile.TemporaryDirectory() as folder, echo() as base_url:
        path = Path(folder) / "journal"
        with Journal(path, IDENTITY) as journal:
            for call in calls(N_RESUMED):
                journal.append(
                    Reply(call.key, call.request_hash, 200, body, None, 1, 0.1, call.seed, None)
                )
        start = time.perf_counter()
        with Journal(path, IDENTITY) as journal:
            limits = Limits(concurrency=CONCURRENCY)
            outcome = make_calls(Plan(N_RESUMED + 1), {"chat": Endpoint(base_url)}, journal, limits)
        seconds = time.perf_counter() - start
    assert (outcome.tally.kept, outcome.tally.made) == (N_RESUMED, 1)
    return {"seconds": seconds, "peak_megabytes": peak_megabytes(), "aim": 10.0}


OURS = f"run: CPU of a call, {CONCURRENCY} at a time"
BARE = f"httpx2: CPU of a call, {CONCURRENCY} at a time"
CASES: dict[str, Callable[[], dict[str, Any]]] = {
    OURS: lambda: producer(N_CALLS),
    "run: the same, ten times as many calls": lambda: producer(10 * N_CALLS),
    BARE: bare,
    f"run: resume of {N_RESUMED:,} calls": resumed,
}
RATIOS = [Ratio("bare httpx2, which keeps nothing", OURS, BARE)]
