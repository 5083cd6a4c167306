"""Which case comes at which number: commands and kinds of change in turn, the rest by the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import assay.cli.demo
import assay.inference
import assay.pipeline
import assay.report.page
from assay.artifact import Artifact
from assay.calibrators.files import CalibratorArtifact
from assay.inference import Plan
from assay.report.figures import Figure, figures
from assay.stored import decode
from tests.fuzz.checks import differences, faults, results
from tests.fuzz.examples import (
    EXAMPLES,
    MADE,
    NOBODY,
    WITHOUT_FILES,
    Example,
    artifact_files,
    examples,
)
from tests.fuzz.mutations import (
    bytes_changed,
    given,
    structure_changed,
    values_changed,
    words_changed,
)
from tests.fuzz.options import LINKS, options_changed, options_chosen
from tests.fuzz.rewriting import rewritten
from tests.fuzz.running import Asked, Done, done

SMALL_RUN = Path(__file__).parents[1] / "golden" / "two_modes.json"
CHANGES: dict[str, Callable[[Example, Random], Example]] = {
    "bytes": bytes_changed,
    "structure": structure_changed,
    "values": values_changed,
    "words": words_changed,
    "options": options_changed,
    "choices": options_chosen,
}
SAME = "same meaning"
KINDS = (*CHANGES, SAME)
FILELESS = ("words", "options", "choices")
QUIET = ("--quiet",)
TABLES = (("--json",), ("--format", "md"), ("--format", "tex"), ("--format", "csv"), QUIET)
SHOWN: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(MADE, TABLES),
    "extract": (QUIET,),
    "bias": (("--json",), QUIET),
    "demo": (("--format", "tex"), QUIET),
}
"""ways of showing results; tables on a screen take longer than all the rest, so they are rare"""
ON_SCREEN = 0.06
WITHOUT_INTERVALS = ("--bootstrap-resamples", "0")
DRAWN = {"report": 30, "figures": 8}
"""one in so many cases of a command draws figures, which takes most of the time where it does"""
THOROUGH = 50
"""one in so many artifacts is held against the JSON Schema, the others against the records"""


@dataclass(frozen=True, slots=True)
class Case:
    """One command to run."""

    seed: int
    number: int
    command: str
    kind: str
    how: str
    asked: Asked
    alike: Example | None = None
    """what must give the same, to the last bit where `exact`"""
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """A case and how it ended."""

    case: Case
    ended: Done
    faults: tuple[str, ...]

    @property
    def outcome(self) -> str:
        """One word for the summary."""
        return "faulty" if self.faults else "accepted" if self.ended.code == 0 else "refused"


def turn_of(number: int) -> tuple[str, str]:
    """Return whose turn it is: which command, and which kind of change."""
    command = [*EXAMPLES][number % len(EXAMPLES)]
    kinds = FILELESS if command in WITHOUT_FILES else KINDS
    return command, kinds[_turn(number) % len(kinds)]


def _turn(number: int) -> int:
    """Return how often all commands had their turn before."""
    return number // len(EXAMPLES)


def case(seed: int, number: int) -> Case:
    """Deal a case: the same for the same two numbers, wherever and whenever."""
    command, kind = turn_of(number)
    chance = Random(f"{seed} {number}")
    example = chance.choice(examples(command))
    if kind == SAME:
        quiet = replace(example, arguments=(*example.arguments, *_quiet(command)))
        new = rewritten(quiet, chance)
        return Case(seed, number, command, kind, new.how, new.asked, quiet, exact=new.exact)
    changed = _shown(CHANGES[kind](example, chance), chance).asked
    stdin = chance.choice([b"", *example.files.values()])
    arguments = tuple(map(given, changed.arguments))
    asked = replace(changed, arguments=arguments, links=LINKS, stdin=stdin)
    return Case(seed, number, command, kind, "", asked)


def _quiet(command: str) -> tuple[str, ...]:
    return QUIET if command in SHOWN else ()


def _shown(example: Example, chance: Random) -> Example:
    """Choose how results are shown; and ask no server but the one that is not there."""
    words = example.arguments
    if example.command in SHOWN and chance.random() > ON_SCREEN:
        words = (*words, *chance.choice(SHOWN[example.command]))
    if WITHOUT_INTERVALS[0] in words and chance.random() < 0.5:
        words = (*words, *WITHOUT_INTERVALS)
    if example.command.startswith("run ") and not {*NOBODY} <= {*words}:
        words = (*words, "--dry-run")
    if example.command == "figures" and chance.random() < 0.05:
        words = tuple(word for word in words if word != "--list")
    return replace(example, arguments=words)


def judged(case: Case) -> Judged:
    """Run a case and look at what came of it."""
    every = DRAWN.get(case.command)
    drawn = every is not None and _turn(case.number) % every == 0
    with _quick(case.command, drawn=drawn):
        ended = done(case.asked)
        found = faults(ended, thorough=case.number % THOROUGH == 0)
        if case.alike is not None and not found:
            found += _changes(case, _pristine(case.alike, drawn=drawn), ended)
    return Judged(case, ended, tuple(found))


def _pristine(example: Example, *, drawn: bool) -> Done:
    """Return how an example itself ends, which many cases are held against."""
    key = example.asked.arguments, *sorted(example.files.items()), drawn
    if key not in _ENDED:
        _ENDED[key] = done(example.asked)
    return _ENDED[key]


_ENDED: dict[tuple[object, ...], Done] = {}


def _changes(case: Case, before: Done, after: Done) -> Iterator[str]:
    right = case.alike.code if case.alike else 0
    if not right == before.code == after.code:
        codes = f"exit code {before.code}, then {after.code}, where {right} is right"
        yield f"{case.how}: {codes}: {after.err[:300]!r}"
        return
    found = differences(results(before), results(after), exact=case.exact)
    yield from (f"{case.how}: {each}" for each in islice(found, 3))


class AtOnce(Executor):
    """Work that is done when it is asked for: to start a thread takes longer than small work."""

    def __init__(self, _: int, initializer: Callable[[], None] = lambda: None) -> None:
        initializer()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@cache
def _sketched() -> list[Figure]:
    """Draw one small figure, to stand for those of any artifact."""
    return figures(decode(artifact_files()["sets0.json"]))[:1]


def _instead(shown: list[Figure], artifact: Artifact) -> list[Figure]:
    """Return these figures for whatever has figures."""
    return [] if isinstance(artifact, CalibratorArtifact) else shown


@contextmanager
def _quick(command: str, *, drawn: bool) -> Iterator[None]:
    """Leave out what takes long and is tried elsewhere: figures, threads, the whole demo."""
    none = partial(Plan, n_resamples=0)
    with ExitStack() as stack:
        demo = {"Plan": none, "CONFIDENCE": "llm", "DEMO_PATH": SMALL_RUN}
        stack.enter_context(patch.multiple(assay.cli.demo, **demo))
        for place in (assay.inference.resampling, assay.pipeline):
            stack.enter_context(patch.object(place, "ThreadPoolExecutor", AtOnce))
        if not drawn:
            shown = _sketched() if command == "figures" else []
            instead = partial(_instead, shown)
            stack.enter_context(patch.object(assay.report.page, "figures", instead))
        yield
