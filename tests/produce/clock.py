"""A clock for tests of waiting: seconds pass by being skipped, never by being sat through."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any

PATIENT = ("limits", "client", "session")
"""modules of `assay.produce` that read the clock themselves"""


class Clock:
    """Stands still, and jumps to the end of a wait once a loop has nothing else to do.

    With a real server an answer may be on its way: `jumping` off, it stands still until a test
    itself says what to `skip`; with a `grace`, it is waited for so many real seconds before a jump.
    """

    def __init__(self) -> None:
        self.jumping = True
        self.grace = 0.0
        self._skipped = 0.0
        self._loops: list[asyncio.AbstractEventLoop] = []

    def now(self) -> float:
        return self._skipped

    def skip(self, seconds: float) -> None:
        """Let seconds pass at once; loops that wait look at the clock again."""
        self._skipped += seconds
        for loop in self._loops:
            if loop.is_running():
                loop.call_soon_threadsafe(lambda: None)

    def new_loop(self) -> asyncio.AbstractEventLoop:
        loop = _Loop(self)
        self._loops.append(loop)
        return loop


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        super().__init__(_Selector(clock))

    def time(self) -> float:
        return self._clock.now()


class _Selector(selectors.DefaultSelector):
    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if ready or timeout == 0 or (timeout is not None and timeout < 0):
            return ready
        if timeout is None or not self._clock.jumping:
            return super().select(timeout)
        if self._clock.grace and (ready := super().select(self._clock.grace)):
            return ready
        self._clock.skip(timeout)
        return []
