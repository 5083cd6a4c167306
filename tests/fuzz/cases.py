"""Which case comes at which number: commands and kinds of change in turn, the rest by the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from random import Random
from unittest.mock import patch

import assay.cli.demo
import assay.report.opening
import assay.report.page
from assay.inference import Plan
from tests.fuzz.checks import differences, faults, results
from tests.fuzz.examples import EXAMPLES, NOBODY, Example, examples
from tests.fuzz.mutations import (
    bytes_changed,
    given,
    structure_changed,
    values_changed,
    words_changed,
)
from tests.fuzz.options import LINKS, options_changed, options_chosen
from tests.fuzz.rewriting import Rewritten, rewritten
from tests.fuzz.running import Asked, Done, done

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
SHOWN = ("--json",), ("--format", "md"), ("--format", "tex"), ("--format", "csv"), ("--quiet",), ()
"""ways of showing results; a table on the screen takes longer than all the rest"""
DRAWN = 8
"""one in so many pages is drawn with its pictures, which takes most of the time of a page"""
THOROUGH = 10
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


def case(seed: int, number: int) -> Case:
    """Deal a case: the same for the same two numbers, wherever and whenever."""
    command = [*EXAMPLES][number % len(EXAMPLES)]
    turn = _turn(number)
    found = examples(command)
    kinds = KINDS if found[0].files else FILELESS
    kind = kinds[turn % len(kinds)]
    chance = Random(f"{seed} {number}")
    example = chance.choice(found)
    if kind == SAME:
        return _same(seed, number, example, rewritten(example, chance))
    changed = CHANGES[kind](example, chance)
    shown = _shown(changed, chance)
    asked = replace(
        shown.asked,
        arguments=tuple(map(given, shown.asked.arguments)),
        links=LINKS,
        stdin=chance.choice([b"", *example.files.values()]),
    )
    return Case(seed, number, command, kind, "", asked)


def _turn(number: int) -> int:
    """Return how often all commands had their turn before."""
    return number // len(EXAMPLES)


def _same(seed: int, number: int, example: Example, new: Rewritten) -> Case:
    return Case(seed, number, example.command, SAME, new.how, new.asked, example, exact=new.exact)


def _shown(example: Example, chance: Random) -> Example:
    """Choose how results are shown; and ask no server but the one that is not there."""
    words = example.arguments
    if example.command in {
        "selective",
        "calibration",
        "calibrate",
        "intervals",
        "sets",
        "verdicts",
    }:
        words = (*words, *chance.choice(SHOWN[:5] * 3 + SHOWN[5:]))
    if example.command.startswith("run ") and not {*NOBODY} <= {*words}:
        words = (*words, "--dry-run")
    if example.command == "figures" and chance.random() < 0.1:
        words = tuple(word for word in words if word != "--list")
    return replace(example, arguments=words)


def judged(case: Case) -> Judged:
    """Run a case and look at what came of it."""
    pictures = case.command == "figures" or (
        case.command == "report" and _turn(case.number) % DRAWN == 0
    )
    with _quick(pictures=pictures):
        ended = done(case.asked)
        found = faults(ended, thorough=case.number % THOROUGH == 0)
        if case.alike is not None and not found:
            found += _changes(case, _pristine(case.alike, pictures=pictures), ended)
    return Judged(case, ended, tuple(found))


def _pristine(example: Example, *, pictures: bool) -> Done:
    """Return how an example itself ends, which many cases are held against."""
    key = example.asked.arguments, *sorted(example.files.items()), pictures
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


@contextmanager
def _quick(*, pictures: bool) -> Iterator[None]:
    """Leave out what takes long and is tried elsewhere: most pictures of pages, many resamples."""
    with ExitStack() as stack:
        few = partial(Plan, n_resamples=10)
        stack.enter_context(patch.multiple(assay.cli.demo, Plan=few, CONFIDENCE="llm"))
        if not pictures:
            for place in (assay.report.opening, assay.report.page):
                stack.enter_context(patch.object(place, "figures", lambda _: ()))
        yield
