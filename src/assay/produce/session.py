"""One start of a run: open the journal, make the passes, stop cleanly, and say how it went."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from assay.errors import AssayError
from assay.produce.calls import PROBE, Job, Server
from assay.produce.client import Client
from assay.produce.endpoints import Endpoint
from assay.produce.journal import Journal
from assay.produce.limits import Limits
from assay.produce.schedule import Tally, perform

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport

__all__ = ["Outcome", "Stop", "make_calls"]

Stop: TypeAlias = Literal["interrupted", "time limit"]


@dataclass(slots=True)
class Outcome:
    """How a start of a run went."""

    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    stopped: Stop | None = None
    """None when every call has its reply"""


def make_calls(
    job: Job,
    endpoints: Mapping[Server, Endpoint],
    journal: Journal,
    limits: Limits,
    *,
    progress: Callable[[Tally], None] = lambda _: None,
    transport: AsyncBaseTransport | None = None,
) -> Outcome:
    """Make all calls of a job that have no reply yet; Ctrl-C and the time limit stop it cleanly.

    A run that ends before anything but probes was answered, because a server cannot be used or
    lacks what the job needs, leaves no journal: the next start probes again.
    """
    client = Client(endpoints, limits, transport=transport)
    return asyncio.run(_session(job, client, journal, limits, progress))


async def _session(
    job: Job,
    client: Client,
    journal: Journal,
    limits: Limits,
    progress: Callable[[Tally], None],
) -> Outcome:
    outcome = Outcome()
    started = monotonic()
    try:
        async with asyncio.timeout(limits.seconds), client:
            with _stoppable():
                await _passes(job, client, journal, limits.concurrency, outcome, progress)
    except TimeoutError:
        outcome.stopped = "time limit"
    except asyncio.CancelledError:
        outcome.stopped = "interrupted"
    outcome.seconds = monotonic() - started
    return outcome


async def _passes(
    job: Job,
    client: Client,
    journal: Journal,
    concurrency: int,
    outcome: Outcome,
    progress: Callable[[Tally], None],
) -> None:
    try:
        for calls in job.passes:
            await perform(
                calls(journal),
                client,
                journal,
                concurrency=concurrency,
                tally=outcome.tally,
                progress=progress,
            )
    except AssayError:
        if all(key.startswith(PROBE) for key in journal):
            journal.remove()
        raise


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let a polite request to end, such as a service's, stop the run as Ctrl-C does."""
    task = cast("asyncio.Task[Outcome]", asyncio.current_task())
    loop = asyncio.get_running_loop()
    # Not every system and thread can handle signals; Ctrl-C works without.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        yield
    finally:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.remove_signal_handler(signal.SIGTERM)
