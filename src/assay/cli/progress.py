"""A progress bar that appears only where it is worth looking at."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic

__all__ = ["progress_bar"]

PATIENCE = 1.0
"""seconds before the bar appears"""


@contextmanager
def progress_bar(total: int | None, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """Yield what hears of finished resamples; the bar goes to stderr if that is a terminal.

    Without a total the bar only shows that something happens.
    """
    if not shown or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs them
    from rich.progress import Progress  # noqa: PLC0415

    with ExitStack() as stack:
        bar = Progress(console=Console(stderr=True), transient=True)
        task = bar.add_task("resampling", total=total)
        started, visible = monotonic(), False

        def hear(done: int) -> None:
            nonlocal visible
            bar.advance(task, done)
            if not visible and monotonic() - started > PATIENCE:
                visible = True
                stack.enter_context(bar)

        yield hear
