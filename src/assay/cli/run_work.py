"""What both jobs of `assay run` do: show the plan, make the calls, write the files, say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from assay.cli.outputs import write
from assay.cli.places import check_places
from assay.cli.printing import talk
from assay.cli.run_arguments import limits_of
from assay.cli.run_preview import print_preview
from assay.cli.run_progress import call_progress
from assay.display.wording import count
from assay.errors import ServerError
from assay.moments import now, stamp
from assay.produce.calls import Facts, Job, Server
from assay.produce.endpoints import Endpoint
from assay.produce.journal import Journal
from assay.produce.session import Outcome, make_calls
from assay.showing import counted

__all__ = ["Places", "carry_out"]

INTERRUPTED = 130
RETRY = "--retry-failed makes the failed calls again, once the cause is gone"
ASK_OTHERWISE = "the answers are kept: ask otherwise, as with --max-tokens, and write elsewhere"
STOPPED = 1


@dataclass(frozen=True, slots=True)
class Places:
    """Where things go."""

    journal: Path
    files: Mapping[str, Path]
    """by the name that the job has for them"""
    inputs: Sequence[str]


def carry_out(
    job: Job, endpoints: Mapping[Server, Endpoint], places: Places, chosen: Mapping[str, Any]
) -> None:
    """Make all calls and write the files, or show what would be asked."""
    if chosen["dry_run"]:
        print_preview(job, chosen["n_shown"])
        return
    check_places([places.journal, *places.files.values()], places.inputs)
    quiet = chosen["quiet"]
    servers: dict[str, str] = {name: each.base_url for name, each in endpoints.items()}
    with Journal(places.journal, job.identity, servers) as journal:
        _warn_of_move(journal, servers)
        if chosen["retry_failed"]:
            journal.forget_failed()
        with call_progress(job.n_calls, shown=not quiet) as progress:
            outcome = make_calls(job, endpoints, journal, limits_of(chosen), progress=progress)
        talk(_account(outcome), quiet=quiet)
        if outcome.stopped is not None:
            _stop(outcome, job, journal)
        made = job.made(journal, _facts(journal, outcome))
        _write(made.files, places, quiet=quiet)
    talk(", ".join(f"{name} {count(n)}" for name, n in made.counts.items()), quiet=quiet)
    if made.failure is not None:
        raise ServerError(made.failure, hint=RETRY if journal.n_failed else ASK_OTHERWISE)
    if journal.n_failed:
        talk(
            f"{counted(journal.n_failed, 'call')} failed; --retry-failed asks again",
            quiet=quiet,
        )


def _warn_of_move(journal: Journal, servers: Mapping[str, str]) -> None:
    """Say where earlier replies came from, if from elsewhere: a server may have been moved."""
    for name, address in servers.items():
        before = journal.earlier_servers.get(name)
        if len(journal) and before not in {None, address}:
            talk(
                f"warning: the replies so far are from {before}; {address} must be the same model",
                quiet=False,
            )


def _account(outcome: Outcome) -> str:
    tally = outcome.tally
    kept = f", {count(tally.kept)} were there already" if tally.kept else ""
    return (
        f"{counted(tally.made, 'call')} in {outcome.seconds:.0f} s, {count(tally.failed)} failed,"
        f" {counted(tally.attempts, 'attempt')}, {counted(tally.prompt_tokens, 'token')} in,"
        f" {count(tally.completion_tokens)} out{kept}"
    )


def _stop(outcome: Outcome, job: Job, journal: Journal) -> None:
    """End a start that did not finish: nothing is lost."""
    why = "interrupted" if outcome.stopped == "interrupted" else "the time limit is reached"
    text = (
        f"{why}: {count(len(journal))} of {counted(job.n_calls, 'call')} are in {journal.path};"
        " the same command goes on from there"
    )
    talk(text, quiet=False)
    context = click.get_current_context()
    context.exit(INTERRUPTED if outcome.stopped == "interrupted" else STOPPED)


def _facts(journal: Journal, outcome: Outcome) -> Facts:
    started = datetime.fromtimestamp(journal.started, UTC)
    moment = now()
    return Facts(
        started_at=stamp(min(started, moment)),
        finished_at=stamp(moment),
        seconds=journal.seconds + outcome.seconds,
        attempts=journal.attempts,
    )


def _write(files: Mapping[str, bytes], places: Places, *, quiet: bool) -> None:
    for name, data in files.items():
        write(data, places.files[name])
        talk(f"wrote {places.files[name]}", quiet=quiet)
