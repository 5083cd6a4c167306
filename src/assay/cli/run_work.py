"""What both jobs of `assay run` do: show the plan, make the calls, write the files, say so."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import click
import msgspec

from assay.cli.run_arguments import limits_of
from assay.cli.writing import check_places, stderr_console, talk, write
from assay.display.wording import count
from assay.errors import AssayError, OutputError, ServerError, UsageError
from assay.produce.calls import GROWING, Call, Facts, Job, Made, Server
from assay.produce.endpoints import Endpoint
from assay.produce.journal import Journal, elsewhere
from assay.produce.limits import Limits, Price, cost_of
from assay.produce.session import Outcome, Stop, Tally, make_calls, settle
from assay.showing import counted, inert
from assay.surroundings import now, stamp

LETTERS_PER_TOKEN = 4
"""of English text, roughly; only the server knows its own tokens"""


def print_preview(jobs: Mapping[str, Job], n_shown: int, prices: Mapping[str, Price]) -> None:
    """Print the plan for every model, without asking anything; each prompt is shown once."""
    used: Counter[tuple[str, str]] = Counter()
    shown: dict[str, Call] = {}
    for model, job in jobs.items():
        if len(jobs) > 1:
            click.echo(f"model {inert(model)}")
        _print_plan(job, used, shown, n_shown)
    if prices:
        _print_cost(used, prices)
    for call in shown.values():
        _print_call(call)
    click.echo("\nnothing was asked; --show-prompts N shows more of the prompts, or fewer")


def _print_plan(
    job: Job, used: Counter[tuple[str, str]], shown: dict[str, Call], n_shown: int
) -> None:
    kinds: Counter[str] = Counter()
    letters = longest = 0
    for call in job.preview():
        kind = call.key.partition("/")[0]
        kinds[kind] += 1
        texts = _texts(call)
        given = sum(len(text) for _, text in texts)
        most = call.body.get("max_tokens") or call.body.get("max_completion_tokens") or 0
        used[call.body["model"], "in"] += given
        used[call.body["model"], "out"] += most
        letters, longest = letters + given, longest + most
        if len(shown) < n_shown and kind != "probe":
            shown.setdefault(repr(texts), call)
    parts = ", ".join(f"{count(n)} {inert(kind)}" for kind, n in kinds.items())
    click.echo(f"{counted(kinds.total(), 'call')}: {parts}")
    click.echo(
        f"about {counted(letters // LETTERS_PER_TOKEN, 'token')} in"
        f" ({LETTERS_PER_TOKEN} letters to a token), at most {count(longest)} out"
    )


def _print_cost(used: Counter[tuple[str, str]], prices: Mapping[str, Price]) -> None:
    models = dict.fromkeys(model for model, _ in used)
    least: dict[str | None, tuple[int, int]] = {}
    most: dict[str | None, tuple[int, int]] = {}
    for model in models:
        n_in = used[model, "in"] // LETTERS_PER_TOKEN
        least[model], most[model] = (n_in, 0), (n_in, used[model, "out"])
    low, high = cost_of(least, prices), cost_of(most, prices)
    lacking = [model for model in models if model not in prices]
    without = f"; {', '.join(map(inert, lacking))} not counted, without a price" if lacking else ""
    click.echo(f"about {low:.6g} for what goes in, at most {high:.6g} with answers{without}")


def _texts(call: Call) -> list[tuple[str, str]]:
    """Return the texts of a call with who says them."""
    if "messages" in call.body:
        return [(each["role"], str(each["content"])) for each in call.body["messages"]]
    given: Any = call.body.get("input")
    texts = [given] if type(given) is str else given or []
    return [("input", str(each)) for each in texts]


def _print_call(call: Call) -> None:
    settings = {
        name: value for name, value in call.body.items() if type(value) in (int, float, bool, str)
    }
    words = ", ".join(f"{name} {value}" for name, value in settings.items())
    click.echo(f"\n--- {inert(call.key)} ({inert(words)})")
    for role, text in _texts(call):
        click.echo(f"[{inert(role)}]")
        for line in text.split("\n"):
            click.echo(inert(line))


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
            done = tally.made + tally.kept
            bar.update(task, completed=done, total=max(total, done), state=state)

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
        n_done = tally.made + tally.kept
        # What a server mixes up is asked for one by one: then there are more than were planned.
        done = f"{count(n_done)} of {counted(max(total, n_done), 'call')}"
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
        length = _length(tally.wait.seconds) if tally.wait.seconds >= 1 else "a moment"
        return f"the server has no room: waiting {length}, {room}"
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


INTERRUPTED = 130
FAILED = 1
RETRY = "--retry-failed makes the failed calls again, once the cause is gone"
ASK_OTHERWISE = "the answers are kept: ask otherwise, as with --max-tokens, and write elsewhere"
WHY: dict[Stop, str] = {
    "interrupted": "interrupted",
    "time limit": "the time limit is reached",
    "token cap": "--stop-tokens is reached",
    "cost cap": "--stop-cost is reached",
    "server gone": "the server answers no more",
}
RECORD = "run.json"
"""the name that jobs have for the file which says whether it is whole"""


@dataclass(frozen=True, slots=True)
class Places:
    """Where things go."""

    journal: Path
    files: Mapping[str, Path]
    """by the name that the job has for them"""
    inputs: Sequence[str]


@dataclass(frozen=True, slots=True)
class Planned:
    """One model, what to ask it and where the answers go."""

    model: str
    job: Job
    places: Places


class _Metadata(msgspec.Struct):
    partial: Any = None


class _Written(msgspec.Struct):
    run_metadata: _Metadata


def carry_out(
    planned: Sequence[Planned], endpoints: Mapping[Server, Endpoint], chosen: Mapping[str, Any]
) -> None:
    """Ask every model and write the files, or show what would be asked."""
    limits = limits_of(chosen)
    _check_prices(planned, limits)
    if chosen["dry_run"]:
        print_preview({each.model: each.job for each in planned}, chosen["n_shown"], limits.prices)
        return
    for each in planned:
        _check_places(each.places)
    started, code = monotonic(), 0
    for each in planned:
        if len(planned) > 1:
            talk(f"model {each.model}", quiet=chosen["quiet"])
        left = None if limits.seconds is None else limits.seconds - (monotonic() - started)
        stopped, error = _asked(each, endpoints, replace(limits, seconds=left), chosen)
        if error is not None:
            if len(planned) == 1:
                raise error
            talk(f"error: model {each.model}: {error.message}", quiet=False)
            code = FAILED
        if stopped is not None:
            code = INTERRUPTED if stopped == "interrupted" else FAILED
            break
    click.get_current_context().exit(code)


def _check_places(places: Places) -> None:
    try:
        check_places([places.journal, *places.files.values()], places.inputs)
    except OutputError as error:
        hint = elsewhere(places.journal, error.hint or "")
        raise OutputError(error.message, hint=hint) from None


def _check_prices(planned: Sequence[Planned], limits: Limits) -> None:
    embedding = (each.job.identity.get("embedding_model") for each in planned)
    models = [*(each.model for each in planned), *filter(None, embedding)]
    lacking = [model for model in models if model not in limits.prices]
    if limits.cost is not None and lacking:
        msg = f"--stop-cost needs the price of {lacking[0]}"
        raise UsageError(msg, hint="give it with --price IN,OUT, or in the file of --prices")


def _asked(
    planned: Planned,
    endpoints: Mapping[Server, Endpoint],
    limits: Limits,
    chosen: Mapping[str, Any],
) -> tuple[Stop | None, AssayError | None]:
    """Ask one model; return what stopped the run, and what went wrong."""
    try:
        outcome = _ask(planned, endpoints, limits, chosen)
    except AssayError as error:
        return None, error
    except KeyboardInterrupt:
        # Between the calls and the files, or once more while the calls end.
        kept = f"all answers are in {planned.places.journal}"
        talk(f"interrupted: {kept}; the same command goes on from there", quiet=False)
        return "interrupted", None
    return outcome.stopped, outcome.error


def _ask(
    planned: Planned,
    endpoints: Mapping[Server, Endpoint],
    limits: Limits,
    chosen: Mapping[str, Any],
) -> Outcome:
    """Make the calls for one model and write its files; return how it went."""
    job, places, quiet = planned.job, planned.places, chosen["quiet"]
    servers: dict[str, str] = {name: each.base_url for name, each in endpoints.items()}
    reuse = {"growing": GROWING, "reuse": chosen["reuse"]}
    with Journal(places.journal, job.identity, servers, **reuse) as journal:
        _warn(journal, servers)
        if chosen["retry_failed"]:
            journal.forget_failed()
        with call_progress(job.n_calls, shown=not quiet) as progress:
            outcome = make_calls(job, endpoints, journal, limits, progress=progress)
        talk(_account(outcome, journal, limits), quiet=quiet)
        if outcome.stopped is not None:
            if _stop(planned, outcome, outcome.stopped, journal, quiet=quiet):
                return outcome
            # The last call was answered as its time ended; who interrupts wants no more of it.
            outcome.stopped = None if outcome.stopped == "time limit" else outcome.stopped
        talk("making the files", quiet=quiet)
        made = job.made(journal, _facts(journal, outcome))
        _write(made, places, quiet=quiet)
    n_failed = outcome.tally.failed + outcome.tally.failed_before
    talk(", ".join(f"{name} {count(n)}" for name, n in made.counts.items()), quiet=quiet)
    _judge(made, n_failed, chosen["fail_above"])
    if n_failed:
        talk(f"{counted(n_failed, 'call')} failed; --retry-failed asks again", quiet=quiet)
    return outcome


def _judge(made: Made, n_failed: int, most: float) -> None:
    """Refuse, after all is written, a run of which too much has failed."""
    hint = RETRY if n_failed else ASK_OTHERWISE
    if made.failure is not None:
        raise ServerError(made.failure, hint=hint)
    noun, n = next(iter(made.counts.items()), ("", 0))
    # Not `most * n`: 0.29 of 100 are a little less than 29 there.
    if n and made.counts.get("failed", 0) / n > most:
        msg = f"{made.counts['failed']} of {n} {noun} failed, more than --fail-above {most:g}"
        raise ServerError(msg, hint=f"{hint}; the files are written")


def _warn(journal: Journal, servers: Mapping[str, str]) -> None:
    """Say where earlier replies came from, if from elsewhere, and that some were lost."""
    known = {(journal.earlier_servers.get(name), servers[name]): None for name in servers}
    for before, address in known:
        if len(journal) and before not in {None, address}:
            talk(
                f"warning: the replies so far are from {before}; {address} must be the same model",
                quiet=False,
            )
    if journal.damaged:
        lines = counted(journal.damaged, "damaged line")
        talk(f"warning: {journal.path} has {lines}; what was lost is asked again", quiet=False)


def _account(outcome: Outcome, journal: Journal, limits: Limits) -> str:
    tally = outcome.tally
    kept = f", {count(tally.kept)} were there already" if tally.kept else ""
    spent = f", cost so far {cost_of(journal.spent, limits.prices):.6g}" if limits.prices else ""
    return (
        f"{counted(tally.made, 'call')} in {outcome.seconds:.0f} s, {count(tally.failed)} failed,"
        f" {counted(tally.attempts, 'attempt')}, {counted(tally.prompt_tokens, 'token')} in,"
        f" {count(tally.completion_tokens)} out{spent}{kept}"
    )


def _stop(
    planned: Planned, outcome: Outcome, reason: Stop, journal: Journal, *, quiet: bool
) -> bool:
    """End a start that did not finish: nothing is lost, and what is complete is written.

    Return whether it did not: a start may be stopped when all calls are done.
    """
    n_done, n_calls, reached = settle(planned.job, journal)
    if reached and n_done == n_calls:
        return False
    talk(
        f"{WHY[reason]}: {count(n_done)} of"
        f" {counted(n_calls, 'call')} are in {journal.path};"
        f" the same command {'with a larger cap ' if 'cap' in reason else ''}goes on from there",
        quiet=False,
    )
    if not reached:
        return True
    talk("making files of what is complete", quiet=quiet)
    facts = replace(_facts(journal, outcome), stopped=reason)
    made = planned.job.made(journal, facts)
    noun, n = next(iter(made.counts.items()))
    if not n:
        talk(f"no files are written yet: there are no {noun} whose calls are all done", quiet=quiet)
    elif _is_whole(record := planned.places.files[RECORD]):
        talk(f"{record} is left as it is: it holds a whole run", quiet=quiet)
    else:
        _write(made, planned.places, quiet=quiet)
        held = counted(n, noun.removesuffix("s"))
        talk(f"these files are partial and hold what is complete: {held}", quiet=quiet)
    return True


def _is_whole(path: Path) -> bool:
    """Say whether a file of an earlier start holds all that was asked for then."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Written).run_metadata.partial is None
    except (OSError, msgspec.DecodeError, RecursionError):
        return False


def _facts(journal: Journal, outcome: Outcome) -> Facts:
    started = datetime.fromtimestamp(journal.started, UTC)
    moment = now()
    return Facts(
        started_at=stamp(min(started, moment)),
        finished_at=stamp(moment),
        seconds=journal.seconds + outcome.seconds,
        attempts=journal.attempts,
    )


def _write(made: Made, places: Places, *, quiet: bool) -> None:
    for name, data in made.files.items():
        try:
            write(data, places.files[name])
        except OutputError as error:
            again = f"free space and repeat, or add --journal {places.journal} to another --output"
            raise OutputError(error.message, hint=f"{again}: nothing is asked again") from None
        talk(f"wrote {places.files[name]}", quiet=quiet)
    for warning in made.warnings:
        talk(f"warning: {warning}", quiet=False)
