"""How a run is coming along: a bar on a terminal, a line a minute elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from assay.cli.printing import stderr_console, talk
from assay.display.wording import count
from assay.produce.schedule import Tally
from assay.showing import counted

__all__ = ["call_progress"]

LINE_SECONDS = 60.0
SHORT = 90.0
"""seconds; more is said in minutes"""
REFRESHED = 4
"""times a second"""


@contextmanager
def call_progress(total: int, *, shown: bool) -> Iterator[Callable[[Tally], None]]:
    """Yield what hears of replies; all that is shown goes to stderr."""
    if not shown:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar(total) as hear:
            yield hear
    else:
        yield _lines(total)


@contextmanager
def _bar(total: int) -> Iterator[Callable[[Tally], None]]:
    from rich.progress import (  # noqa: PLC0415 - only a terminal needs them
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
    )

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[state]}"))
    console = stderr_console()
    bar = Progress(*columns, console=console, transient=True, refresh_per_second=REFRESHED)
    with bar:
        task = bar.add_task("calls", total=total, state="")
        started, shown = monotonic(), 0.0

        def hear(tally: Tally) -> None:
            nonlocal shown
            moment = monotonic()
            if tally.wait is None and moment - shown < 1 / REFRESHED:
                return
            shown = moment
            state = _state(tally, total, moment - started)
            bar.update(task, completed=tally.made + tally.kept, state=state)

        yield hear


def _lines(total: int) -> Callable[[Tally], None]:
    started = said = monotonic()
    waited = False

    def hear(tally: Tally) -> None:
        nonlocal said, waited
        moment = monotonic()
        first = tally.wait is not None and not waited
        if not first and moment - said < LINE_SECONDS:
            return
        waited = waited or first
        said = moment
        done = f"{count(tally.made + tally.kept)} of {counted(total, 'call')}"
        talk(f"{done}, {_state(tally, total, moment - started)}", quiet=False)

    return hear


def _state(tally: Tally, total: int, seconds: float) -> str:
    """Describe how it goes, by what was made in this start: what was kept took no time.

    Examples
    --------
    >>> _state(Tally(made=30, kept=60, failed=2, prompt_tokens=9000), 100, 20.0)
    '90 per minute, 2 failed, 9,000 tokens, 7 s left'
    """
    if tally.wait is not None:
        room = f"up to {counted(tally.wait.at_once, 'call')} at a time then"
        return f"the server has no room: waiting {_length(tally.wait.seconds)}, {room}"
    tokens = tally.prompt_tokens + tally.completion_tokens
    said = f"{count(tally.failed)} failed, {counted(tokens, 'token')}"
    if not tally.made:
        return said
    left = seconds * max(total - tally.made - tally.kept, 0) / tally.made
    return f"{60 * tally.made / seconds:.0f} per minute, {said}, {_length(left)} left"


def _length(seconds: float) -> str:
    """Write a length of time.

    Examples
    --------
    >>> _length(40), _length(400), _length(8000)
    ('40 s', '7 min', '2 h 13 min')
    """
    if seconds < SHORT:
        return f"{max(seconds, 0):.0f} s"
    hours, minutes = divmod(int(seconds / 60 + 0.5), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
