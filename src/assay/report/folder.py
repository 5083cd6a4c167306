"""Artifacts of a folder, as much of each as an index shows: read quickly, trusted with nothing.

Curves, cases and texts are passed over, so that a thousand files take a second or two.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.artifact import Interval, Number, runnable
from assay.errors import ArtifactError
from assay.families import NAMES, named
from assay.showing import inert

if TYPE_CHECKING:
    from assay.display.first import Form

MOST_FILES = 5_000
MOST_BYTES = 200_000_000
COUNTED = ("n_scored", "n_abstained", "n_failed", "n_missing", "n_unscored")
DROPPED = ("--output", "-o", "--html", "--report")
"""options of a command that say where something goes, each with a value"""
FLAGS = ("--quiet", "--force")
HEAD = 20_000
COMMAND = re.compile(rb'"command": ("(?:[^"\\]|\\.)*")')


class _Number(msgspec.Struct):
    value: Number = None
    interval: Interval = None
    standard_error: Number = None


class _Variant(msgspec.Struct):
    numbers: dict[str, _Number] = msgspec.field(default_factory=dict)
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    n_rows: int = 0


class _System(msgspec.Struct):
    name: str = ""
    input: int = 0
    variants: dict[str, _Variant] = msgspec.field(default_factory=dict)


class _Delta(msgspec.Struct):
    word: str | None = None
    word_reason: str | None = None
    delta: Number = None
    interval: Interval = None
    standard_error: Number = None


class _Pair(msgspec.Struct):
    left: int = 0
    right: int = 0
    deltas: dict[str, dict[str, _Delta]] = msgspec.field(default_factory=dict)


class _Input(msgspec.Struct):
    path: str = ""
    mode: str | None = None
    sha256: str | None = None
    git_commit: str | None = None
    n_rows: int = 0
    role: str = ""


class _Resampling(msgspec.Struct):
    unit: str = ""
    n_units: int = 0
    level: float = 0.95


class _Slim(msgspec.Struct):
    """An artifact without what an index does not show; unknown fields are passed over."""

    kind: str
    schema_version: str
    created_at: str = ""
    command: str | None = None
    inputs: list[_Input] = msgspec.field(default_factory=list)
    systems: list[_System] = msgspec.field(default_factory=list)
    pairs: list[_Pair] = msgspec.field(default_factory=list)
    resampling: _Resampling = msgspec.field(default_factory=_Resampling)


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of one system."""

    label: str
    title: str
    form: Form
    value: Number
    interval: Interval
    spread: Number


Answers = tuple[str, ...]
"""what a system answered, told by the hash of its file"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One system of one artifact."""

    file: str
    family: str
    system: str
    date: str
    commit: str
    population: str
    """what it was measured on: runs of the same one share a trend"""
    numbers: tuple[Reading, ...]
    answers: Answers
    alone: bool
    """whether it is the only system of its file"""
    made: str
    """when, to the second"""
    counts: str
    """of what its numbers are"""
    given: str
    """its file, as a word of a command"""
    options: str
    """the rest of the command that made it"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems that one file holds as a pair."""

    file: str
    left: Answers
    right: Answers
    deltas: dict[str, Any]
    """by label"""
    units: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that is no artifact of this version."""

    file: str
    why: str
    command: str
    """what makes it again; empty where none is on record"""


_DECODER = msgspec.json.Decoder(_Slim)


def artifacts_in(folder: Path) -> Iterator[Entry | Comparison | Unreadable]:
    """Yield every system and pair of every artifact below a folder, by name of the file."""
    found = sorted(each for each in folder.rglob("*.json") if each.is_file())
    if not found:
        raise ArtifactError(
            f"{folder} holds no artifacts", hint="give a folder with .json artifacts"
        )
    for path in found[:MOST_FILES]:
        name = path.relative_to(folder).as_posix()
        if path.stat().st_size > MOST_BYTES:
            yield Unreadable(name, "too large to be indexed", "")
            continue
        try:
            slim = _DECODER.decode(path.read_bytes())
        except (msgspec.DecodeError, OSError, RecursionError) as error:
            if _mentions_artifact(path):
                yield Unreadable(name, inert(str(error))[:120], _command_in(path))
            continue
        if slim.kind not in NAMES:
            continue
        if slim.schema_version != "2":
            why = f"version {inert(slim.schema_version)}: make it again"
            yield Unreadable(name, why, runnable(slim.command))
            continue
        yield from _entries(name, slim)
        yield from _comparisons(name, slim)


def _mentions_artifact(path: Path) -> bool:
    """Tell a broken artifact from any other file of a folder."""
    try:
        with path.open("rb") as file:
            return b'"schema_version"' in file.read(2_000)
    except OSError:
        return False


def _command_in(path: Path) -> str:
    """Find the command in what is left of a file."""
    try:
        with path.open("rb") as file:
            found = COMMAND.search(file.read(HEAD))
        return runnable(msgspec.json.decode(found[1])) if found else ""
    except (OSError, msgspec.DecodeError):
        return ""


def _entries(name: str, slim: _Slim) -> Iterator[Entry]:
    commits = [each.git_commit for each in slim.inputs if each.git_commit]
    for place, system in enumerate(slim.systems):
        given = _input_of(slim, place)
        yield Entry(
            file=name,
            family=slim.kind,
            system=inert(system.name),
            date=inert(slim.created_at)[:10],
            commit=inert(given.git_commit or (commits[0] if commits else ""))[:10],
            population=_population(slim, system),
            numbers=_numbers(slim.kind, system),
            answers=_answers(slim, place),
            alone=len(slim.systems) == 1,
            made=inert(slim.created_at)[:40],
            counts=_counts(system),
            given=shlex.quote(inert(given.path)),
            options=_options(slim, given),
        )


def _input_of(slim: _Slim, place: int) -> _Input:
    number = slim.systems[place].input
    return slim.inputs[number] if 0 <= number < len(slim.inputs) else _Input()


def _answers(slim: _Slim, place: int) -> Answers:
    """Tell what a system answered: its file, its mode, its name where a file holds several."""
    given, own = _input_of(slim, place), slim.systems[place]
    if given.sha256 is None:
        return ("", slim.kind, own.name, given.path, str(given.mode))
    several = sum(each.input == own.input for each in slim.systems) > 1
    return (given.sha256, str(given.mode), slim.kind, *[own.name] * several)


def _comparisons(name: str, slim: _Slim) -> Iterator[Comparison]:
    """Yield the pairs of a file, those of a board only where they are with the first system."""
    plan = slim.resampling
    for pair in slim.pairs:
        if not all(0 <= side < len(slim.systems) for side in (pair.left, pair.right)):
            continue
        found: dict[str, _Delta] = {}
        for label, _, _ in named(slim.kind).shown:
            for of in pair.deltas.values():
                if label in of:
                    found.setdefault(label, of[label])
        left, right = (_answers(slim, side) for side in (pair.left, pair.right))
        yield Comparison(name, left, right, found, inert(f"{plan.n_units:,} {plan.unit}s"))


def _counts(system: _System) -> str:
    """Say of what the numbers are, in the words of any family."""
    found = next((each for each in system.variants.values() if each.n_rows), _Variant())
    told = [f"{found.n_rows:,} rows"]
    told += [
        f"{n:,} {name.removeprefix('n_').replace('_', ' ')}"
        for name, n in found.counts.items()
        if name in COUNTED
    ]
    return inert(", ".join(told))


def _options(slim: _Slim, given: _Input) -> str:
    """Return what a command said beside its inputs and outputs."""
    words = shlex.split(runnable(slim.command))[2:]
    paths = {each.path for each in slim.inputs if each.role == given.role}
    kept: list[str] = []
    skip = False
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        if skip or word in paths:
            skip = False
        elif word in DROPPED or after in paths:
            skip = True
        elif word not in FLAGS:
            kept.append(word)
    return shlex.join(kept)


def _numbers(kind: str, system: _System) -> tuple[Reading, ...]:
    found = []
    for label, title, form in named(kind).shown:
        held = [each.numbers[label] for each in system.variants.values() if label in each.numbers]
        if held:
            number = held[0]
            found.append(
                Reading(label, title, form, number.value, number.interval, number.standard_error)
            )
    return tuple(found)


def _population(slim: _Slim, system: _System) -> str:
    """Name what was measured: family, units and rows; the same words are the same population."""
    rows = max((each.n_rows for each in system.variants.values()), default=0)
    truths = sorted(each.sha256 or "" for each in slim.inputs if "truth" in each.role)
    apart = f", truth {truths[0][:8]}" if truths and truths[0] else ""
    plan = slim.resampling
    sizes = dict.fromkeys((f"{plan.n_units:,} {plan.unit}s", f"{rows:,} rows"))
    return inert(f"{slim.kind}: {', '.join(sizes)}{apart}")
