"""One start of a run: open the journal, make the passes, stop cleanly, and say how it went."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from assay.errors import AssayError, OutputError, ServerError
from assay.produce.calls import PROBE, Call, Job, Reply, Server
from assay.produce.client import Client
from assay.produce.endpoints import Endpoint
from assay.produce.journal import Journal
from assay.produce.limits import GOES_ON, Budget, Cap, Limits, Wait
from assay.produce.probe import unheard
from assay.produce.responses import BUSY
from assay.showing import counted

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport

SYNC_SECONDS = 1.0
BREATH = 256
"""calls that are passed over before others get a turn"""
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
PATIENCE = 10
"""calls in a row that a server may leave unanswered before it is asked whether it is there"""
UNANSWERED = {None, 200, 403, 404, 405, 500, *BUSY}
"""of what is no answer: likely the server's trouble and not the call's"""
REFUSED = {200, 403, 404, 405, 500}
"""of these, what answers a question that finds out what a server can do"""


@dataclass(slots=True)
class Tally:
    """What has been done so far, in this start."""

    made: int = 0
    kept: int = 0
    """answered in an earlier start"""
    failed: int = 0
    """among those made, apart from probes"""
    failed_before: int = 0
    """among those answered in an earlier start"""
    attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    wait: Wait | None = None
    """what the server asked for since the last reply"""

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        self.made += 1
        self.failed += reply.error is not None and not reply.key.startswith(PROBE)
        self.attempts += reply.attempts
        usage = reply.usage or {}
        self.prompt_tokens += usage.get("prompt_tokens") or 0
        self.completion_tokens += usage.get("completion_tokens") or 0
        self.wait = None


class Desk:
    """Takes replies in. What a server left unanswered is asked again when all else is done.

    A server that went away must not fail the calls that are left, however few they are. A call
    has failed only if it stays unanswered while the server answers another; else it is not written
    down, so that the same command makes it again. What a server refuses counts once it has
    answered something else, since also a server that can do nothing any more may refuse.
    """

    def __init__(
        self,
        client: Client,
        journal: Journal,
        tally: Tally,
        progress: Callable[[Tally], None],
        *,
        budget: Budget,
        witness: Callable[[Server], Call | None],
    ) -> None:
        """Take what asks, what keeps, and what a server that is there will answer."""
        self.journal = journal
        self.budget = budget
        self._client = client
        self._tally = tally
        self._progress = progress
        self._witness = witness
        self._aside: list[Call] = []
        self._n_again = 0
        """that are made again"""
        self._refused: list[tuple[Call, Reply]] = []
        self._in_a_row = 0
        self._unkept: list[Reply] = []
        """that the journal could not take"""

    def has(self, call: Call) -> bool:
        """Say whether a call has its reply, and count it if so."""
        if not self.journal.has(call):
            return False
        self._tally.kept += 1
        self._tally.failed_before += self.journal.has_failed(call.key)
        self._progress(self._tally)
        return True

    async def ask(self, call: Call) -> None:
        """Make a call for the first time in this start."""
        reply = await self._client.ask(call)
        if reply.status == HTTPStatus.TOO_MANY_REQUESTS:
            # It was asked for ten minutes: either the server has room for others, or it is gone.
            await self._hear(call.server, reply)
        elif _unanswered(reply):
            self._aside.append(call)
            await self._doubt(call, reply)
            return
        elif reply.error is not None and not reply.key.startswith(PROBE):
            self._refused.append((call, reply))
            await self._doubt(call, reply)
            return
        self._believe()
        self._enter(reply)

    async def _doubt(self, call: Call, reply: Reply) -> None:
        self._in_a_row += 1
        if self._in_a_row >= PATIENCE:
            self._in_a_row = 0
            await self._hear(call.server, reply)
            self._believe()

    def _believe(self) -> None:
        """Write down what a server refused that answers."""
        self._in_a_row = 0
        refused, self._refused = self._refused, []
        for _, reply in refused:
            self._enter(reply)

    async def settle(self) -> None:
        """Find out whether the server that refused the last calls answers others."""
        if self._refused and self.takes_more:
            await self._hear(self._refused[-1][0].server, self._refused[-1][1])
            self._believe()

    async def ask_again(self, call: Call) -> None:
        """Make a call that stayed unanswered again; that it has failed needs a witness."""
        reply = await self._client.ask(call)
        if _unanswered(reply):
            await self._hear(call.server, reply)
        self._enter(reply)

    async def _hear(self, server: Server, reply: Reply) -> None:
        """Stop the run unless a server that left calls unanswered answers another question."""
        witness = self._witness(server)
        told = None if witness is None else await self._client.ask(witness)
        if told is None or told.error is not None:
            n_left = len(self._aside) + len(self._refused) + self._n_again
            n_calls = counted(n_left or 1, "call")
            msg = f"the server left {n_calls} unanswered, and a plain question; last: {reply.error}"
            raise ServerError(msg, hint=GOES_ON)

    def left(self) -> list[Call]:
        """Return the calls that stayed unanswered, once."""
        left, self._aside = self._aside, []
        self._n_again = len(left)
        return left

    @property
    def takes_more(self) -> bool:
        """Say whether calls may be made: not past a cap, nor while their answers would be lost."""
        return not self._unkept and self.budget.allows()

    def keep(self) -> None:
        """Write down what the journal had no room for, or say how many answers are lost."""
        try:
            while self._unkept:
                self._take(self._unkept[0])
                del self._unkept[0]
        except OutputError as error:
            lost = (
                f"; {counted(len(self._unkept), 'answer')} could not be kept, to be asked for again"
            )
            raise OutputError(error.message, hint=f"{error.hint}{lost}") from None

    def _enter(self, reply: Reply) -> None:
        try:
            self._take(reply)
        except OutputError:
            self._unkept.append(reply)

    def _take(self, reply: Reply) -> None:
        self.journal.append(reply)
        self._tally.add(reply)
        self._progress(self._tally)
        self.budget.note(reply, self.journal.spent)


async def perform(calls: Iterable[Call], desk: Desk, concurrency: int) -> None:
    """Make those calls that have no reply yet, so many at a time."""
    await _together(iter(calls), desk, desk.ask, concurrency)
    await desk.settle()
    desk.keep()
    await _together(iter(desk.left()), desk, desk.ask_again, concurrency)
    desk.keep()


async def _together(
    waiting: Iterator[Call], desk: Desk, ask: Callable[[Call], Awaitable[None]], concurrency: int
) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            saving = group.create_task(_save(desk.journal))
            workers = [group.create_task(_work(waiting, desk, ask)) for _ in range(concurrency)]
            await asyncio.wait(workers)
            saving.cancel()
    except BaseExceptionGroup as errors:
        raise _first(errors) from None


async def _work(
    waiting: Iterator[Call], desk: Desk, ask: Callable[[Call], Awaitable[None]]
) -> None:
    passed = 0
    for call in waiting:
        if desk.has(call):
            passed += 1
            if passed % BREATH == 0:
                await asyncio.sleep(0)
        elif desk.takes_more:
            await ask(call)


def _unanswered(reply: Reply) -> bool:
    if reply.error is None or (reply.key.startswith(PROBE) and reply.status in REFUSED):
        return False
    return reply.status in UNANSWERED


async def _save(journal: Journal) -> None:
    """Have the disk keep up."""
    while True:
        await asyncio.sleep(SYNC_SECONDS)
        await asyncio.to_thread(journal.sync)


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error: what ends a run is one sentence."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


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
    try:
        client = Client(endpoints, limits, transport=transport, waiting=waiting)
    except AssayError:
        if journal.holds_only_probes:
            journal.remove()
        raise

    def witness(server: Server) -> Call | None:
        return _plain_question(job, journal, server)

    desk = Desk(client, journal, outcome.tally, progress, budget=budget, witness=witness)
    asyncio.run(_session(job, client, desk, limits, outcome))
    return outcome


def _plain_question(job: Job, journal: Journal, server: Server) -> Call | None:
    """Return a question like the first that a server answered, or like the first at all."""
    first: Call | None = None
    for call in job.passes[0](journal):
        if call.server == server:
            first = first or call
            reply = journal.get(call.key)
            if reply is not None and reply.error is None:
                return unheard(call)
    return None if first is None else unheard(first)


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
    except OutputError:
        raise  # the server is not at fault, and the command goes on with what was kept
    except AssayError:
        if desk.journal.holds_only_probes:
            desk.journal.remove()
        raise


def settle(job: Job, journal: Journal) -> tuple[int, int, bool]:
    """Tell the replies of a stopped run from those of others that its journal holds.

    Return how many there are, of how many, and whether it came to ask what it is about.
    """
    n_done = n_calls = 0
    try:
        for calls in job.passes:
            there = [journal.has(each) for each in calls(journal)]
            n_done, n_calls = n_done + sum(there), n_calls + len(there)
    except AssayError:
        return n_done, max(n_done, job.n_calls), False
    return n_done, max(n_calls, job.n_calls), True


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let a polite request to end, or a terminal that is closed, stop the run as Ctrl-C does."""
    task = cast("asyncio.Task[None]", asyncio.current_task())
    loop = asyncio.get_running_loop()
    # Not every system and thread can handle signals; Ctrl-C works without.
    # What is not heard, as under nohup, stays unheard.
    heard = [each for each in ENDING if signal.getsignal(each) is signal.SIG_DFL]
    for number in heard:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in heard:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)
