"""How fast and how long a server is asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic

__all__ = ["Limits", "Pace"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may ask of its servers."""

    concurrency: int = 4
    """calls in flight at a time"""
    per_minute: float | None = None
    """requests started per minute, attempts counted; None for no limit"""
    seconds: float | None = None
    """for all passes of this start together; None for no limit"""
    call_seconds: float = 300.0
    """for one attempt, from connecting to the last byte"""
    attempts: int = 8
    """for one call, while the server cannot be reached or is busy"""


class Pace:
    """Lets requests start one interval apart, and not at all while a server asks to wait."""

    def __init__(self, per_minute: float | None) -> None:
        self._interval = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._held = 0.0

    async def turn(self) -> None:
        """Wait until a request may start."""
        now = monotonic()
        if self._interval:
            start = max(now, self._next)
            self._next = start + self._interval
            if start > now:
                await asyncio.sleep(start - now)
        while (wait := self._held - monotonic()) > 0:  # noqa: ASYNC110 - it may be held for longer
            await asyncio.sleep(wait)

    def hold(self, seconds: float) -> None:
        """Let nothing start for a while."""
        self._held = max(self._held, monotonic() + seconds)
