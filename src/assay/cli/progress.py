"""A progress bar that appears only where it is worth looking at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Protocol

__all__ = ["Hearing", "progress_bar"]

PATIENCE = 1.0
"""seconds before the bar appears"""


class Hearing(Protocol):
    """Hears how many resamples are done, and how many there will be where that is known now."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """Hear of resamples that were done just now."""


@contextmanager
def progress_bar(total: int | None = None, *, shown: bool) -> Iterator[Hearing]:
    """Yield what hears of finished resamples; the bar goes to stderr if that is a terminal.

    Without a total the bar only shows that something happens.
    """
    if not shown or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import Progress  # noqa: PLC0415 - only a terminal needs them

    from assay.cli.printing import stderr_console  # noqa: PLC0415

    with ExitStack() as stack:
        bar = Progress(console=stderr_console(), transient=True)
        task = bar.add_task("resampling", total=total)
        started, visible = monotonic(), False

        def hear(done: int, total: int | None = None) -> None:
            nonlocal visible
            if total is not None:
                bar.update(task, total=total)
            bar.advance(task, done)
            if not visible and monotonic() - started > PATIENCE:
                visible = True
                stack.enter_context(bar)

        yield hear
