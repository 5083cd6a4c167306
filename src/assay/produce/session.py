"""One start of a run: open the journal, make the passes, stop cleanly, and say how it went."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from assay.errors import AssayError, ServerError
from assay.produce.budget import Budget, Cap
from assay.produce.calls import Call, Job, Server
from assay.produce.client import Client
from assay.produce.endpoints import Endpoint
from assay.produce.journal import Journal
from assay.produce.limits import Limits, Wait
from assay.produce.probe import unheard
from assay.produce.schedule import Desk, Tally, perform

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport

__all__ = ["Outcome", "Stop", "make_calls", "settle"]

Stop: TypeAlias = Literal["interrupted", "time limit", "server gone"] | Cap


@dataclass(slots=True)
class Outcome:
    """How a start of a run went."""

    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    stopped: Stop | None = None
    """None when every call has its reply"""
    error: ServerError | None = None
    """what the server did, where it stopped the run"""


def make_calls(
    job: Job,
    endpoints: Mapping[Server, Endpoint],
    journal: Journal,
    limits: Limits,
    *,
    progress: Callable[[Tally], None] = lambda _: None,
    transport: AsyncBaseTransport | None = None,
) -> Outcome:
    """Make all calls of a job that have no reply yet; Ctrl-C, time and caps stop it cleanly.

    A run that ends before anything but probes was answered, because a server cannot be used or
    lacks what the job needs, leaves no journal: the next start probes again.
    """
    outcome = Outcome()

    def waiting(wait: Wait) -> None:
        outcome.tally.wait = wait
        progress(outcome.tally)

    budget = Budget(limits.tokens, limits.cost, limits.prices)
    budget.look(journal.spent)
    client = Client(endpoints, limits, transport=transport, waiting=waiting)

    def witness(server: Server) -> Call | None:
        known = (each for each in job.passes[0](journal) if each.server == server)
        return next(map(unheard, known), None)

    desk = Desk(client, journal, outcome.tally, progress, budget=budget, witness=witness)
    asyncio.run(_session(job, client, desk, limits, outcome))
    return outcome


async def _session(job: Job, client: Client, desk: Desk, limits: Limits, outcome: Outcome) -> None:
    started = monotonic()
    try:
        async with asyncio.timeout(limits.seconds), client:
            with _stoppable():
                await _passes(job, desk, limits.concurrency)
                outcome.stopped = desk.budget.reached if desk.budget.denied else None
    except TimeoutError:
        outcome.stopped = "time limit"
    except asyncio.CancelledError:
        outcome.stopped = "interrupted"
    except ServerError as error:
        if desk.journal.holds_only_probes:
            raise
        outcome.stopped, outcome.error = "server gone", error
    outcome.seconds = monotonic() - started


async def _passes(job: Job, desk: Desk, concurrency: int) -> None:
    try:
        for calls in job.passes:
            await perform(calls(desk.journal), desk, concurrency)
            if desk.budget.denied:
                return
    except AssayError:
        if desk.journal.holds_only_probes:
            desk.journal.remove()
        raise


def settle(job: Job, journal: Journal) -> tuple[int, bool]:
    """Tell the replies of a stopped run from those of others that its journal holds.

    Return how many there are, and whether the run got as far as to ask what it is about.
    """
    n_done = 0
    try:
        for calls in job.passes:
            n_done += sum(map(journal.has, calls(journal)))
    except AssayError:
        return n_done, False
    return n_done, True


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let a polite request to end, such as a service's, stop the run as Ctrl-C does."""
    task = cast("asyncio.Task[None]", asyncio.current_task())
    loop = asyncio.get_running_loop()
    # Not every system and thread can handle signals; Ctrl-C works without.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        yield
    finally:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.remove_signal_handler(signal.SIGTERM)
