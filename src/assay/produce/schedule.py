"""Many calls at once, each in the journal before the next takes its place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from assay.errors import ServerError
from assay.produce.calls import PROBE, Call, Reply
from assay.produce.client import Client
from assay.produce.journal import Journal

__all__ = ["Tally", "perform"]

SYNC_SECONDS = 1.0
BREATH = 256
"""calls that are passed over before others get a turn"""
PATIENCE = 10
"""calls in a row that a server left unanswered before the run stops"""
UNANSWERED = {None, 403, 404, 405, 408, 429, 502, 503, 504}
"""likely the server's trouble and not the call's"""


@dataclass(slots=True)
class Tally:
    """What has been done so far, in this start."""

    made: int = 0
    kept: int = 0
    """answered in an earlier start"""
    failed: int = 0
    """among those made, apart from probes"""
    attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        self.made += 1
        self.failed += reply.error is not None and not reply.key.startswith(PROBE)
        self.attempts += reply.attempts
        usage = reply.usage or {}
        self.prompt_tokens += usage.get("prompt_tokens") or 0
        self.completion_tokens += usage.get("completion_tokens") or 0


async def perform(
    calls: Iterable[Call],
    client: Client,
    journal: Journal,
    *,
    concurrency: int,
    tally: Tally,
    progress: Callable[[Tally], None],
) -> None:
    """Make those calls that have no reply yet, so many at a time."""
    desk = _Desk(journal, tally, progress)
    waiting = iter(calls)
    try:
        async with asyncio.TaskGroup() as group:
            saving = group.create_task(_save(journal))
            workers = [group.create_task(_work(waiting, client, desk)) for _ in range(concurrency)]
            await asyncio.wait(workers)
            saving.cancel()
    except BaseExceptionGroup as errors:
        raise _first(errors) from None
    desk.settle()


class _Desk:
    """Takes replies in. What a server left unanswered is put aside until it answers again.

    A server that went away must not fail every call that is left: what it left unanswered last
    is not written down, so that the same command makes these calls again.
    """

    def __init__(self, journal: Journal, tally: Tally, progress: Callable[[Tally], None]) -> None:
        self.journal = journal
        self._tally = tally
        self._progress = progress
        self._aside: list[Reply] = []

    def keep(self) -> None:
        self._tally.kept += 1
        self._progress(self._tally)

    def take(self, reply: Reply) -> None:
        if reply.error is not None and reply.status in UNANSWERED:
            self._aside.append(reply)
            if len(self._aside) >= PATIENCE:
                msg = f"the server left {PATIENCE} calls in a row unanswered; last: {reply.error}"
                raise ServerError(msg, hint="when it answers again, the same command goes on")
            return
        self.settle()
        self._enter(reply)

    def settle(self) -> None:
        """Write down what was put aside."""
        for reply in self._aside:
            self._enter(reply)
        self._aside.clear()

    def _enter(self, reply: Reply) -> None:
        self.journal.append(reply)
        self._tally.add(reply)
        self._progress(self._tally)


async def _work(waiting: Iterator[Call], client: Client, desk: _Desk) -> None:
    passed = 0
    for call in waiting:
        if desk.journal.has(call):
            desk.keep()
            passed += 1
            if passed % BREATH == 0:
                await asyncio.sleep(0)
            continue
        desk.take(await client.ask(call))


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
