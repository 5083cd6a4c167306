"""What a family says about its artifacts: the one thing that views ask of it.

Facts that every family tells alike come first: inputs, resampling, tool, warnings, how to read.

Among it are strips of counts, whose states are never mixed, and operating points of curves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Any, Literal

from assay.display.blocks import Line, Naming, Section, Tone, facts
from assay.display.cases import CaseTable
from assay.display.changes import PLAIN, Look
from assay.display.first import First
from assay.display.numbers import minus
from assay.display.wording import count, level
from assay.showing import counted, inert

INTERVALS = {
    "bootstrap-t or bca-t": "Student's t, its tails from resamples with error bars of their own, or"
    " BCa further out",
    "hall-t": "Student's t, corrected for skewness",
    "bca-t": "BCa with the tails of Student's t",
    "expanded": "percentiles with the tails of Student's t",
    "expanded or bca-t": "percentiles with the tails of Student's t, or BCa further out",
    "widest": "the widest of Student's t, mirrored percentiles and the truths that noise would"
    " raise that far",
    "few errors": "as others of its kind, and down to what so few with an error allow",
    "expanded or basic": "percentiles with the tails of Student's t, as far up as down",
    "ranks": "the ranks that the share of rows up to a width leaves open",
    "jackknife-t or basic": "Student's t over the jackknife, or mirrored percentiles further out",
    "exact": "the bound that a share of all or of none allows, counted in what is resampled",
    "mid-p": "the share of independent cases, by the mid-p of its binomial test",
    "inversion": "the truths that noise would raise that far",
}
"""how intervals are read where the kind of number decides"""
UNADJUSTED = ("percentile", "basic")
MOST_FEW = 100
"""clusters above which nothing is said of intervals that cover less with 20 or 41 of them"""
ARROWS: Line = ("↓ ↑", "lower is better, higher is better")


def input_lines(inputs: Iterable[Any]) -> Iterator[Line]:
    """Say which files were read, by number."""
    for number, given in enumerate(inputs):
        yield f"input {number}", source(given)


def said(given: Any, name: str) -> Any:
    """Return what an input says of itself, in a field of its own or among the others."""
    return getattr(given, name, getattr(given, "about", {}).get(name))


def source(given: Any) -> str:
    """Say where an input comes from."""
    parts = [given.path]
    for word, name in (("mode", "mode"), ("run", "run_id")):
        found = said(given, name)
        parts += [f"{word} {found}"] if found else []
    parts += [f"sha256 {given.sha256[:12]}"] if given.sha256 else []
    return inert(", ".join(parts))


def resampled(plan: Any, unit: str) -> Line:
    """Say how intervals came about."""
    if not plan.n_resamples:
        return "intervals", "none, no resamples were asked for"
    return "intervals", (
        f"{level(plan.level)} {_by_kind(plan.method)}, {counted(plan.n_resamples, 'resample')} of"
        f" {counted(plan.n_units, inert(unit))}, seed {plan.seed}, {plan.stream} stream"
    )


def _by_kind(method: str) -> str:
    """Say how intervals are read."""
    return "by kind of number (auto)" if method == "auto" else method


def tool_and_warnings(artifact: Any) -> tuple[Section, Section]:
    """Say what computed the numbers, and what is to be kept in mind."""
    tool = f"assay {artifact.tool.version}, {artifact.tool.kernels} kernels"
    warnings = (("warning", inert(each)) for each in artifact.warnings)
    return facts("tool", [("computed by", tool)]), facts("warnings", warnings)


def chosen(conventions: Any, names: Iterable[str]) -> str:
    """List some conventions by name, those that apply."""
    shown = [name for name in names if conventions.get(name) is not None]
    parts = [
        f"{name.removeprefix('n_').replace('_', ' ')} {plain(conventions[name])}" for name in shown
    ]
    return inert(", ".join(parts))


def plain(value: object) -> str:
    """Write a choice on record."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case list():
            return ", ".join(map(plain, value)) or "none"
        case _:
            return str(value)


def interval_lines(
    artifact: Any, what: str = "interval", *, shown: bool | None = None
) -> list[Line]:
    """Say what brackets are, where there are any, and how those of each number came about."""
    plan = artifact.resampling
    wanted = plan.n_resamples > 0 if shown is None else shown
    return [("[low, high]", f"{level(plan.level)} {what}"), *_methods(artifact)] * wanted


def interval_word(plan: Any) -> str:
    """Name intervals by their method, where all have the same."""
    return "interval" if plan.method == "auto" else f"{plan.method} interval"


def _methods(artifact: Any) -> Iterator[Line]:
    """Say which numbers have which interval, where that depends on the kind of number."""
    read: dict[str, dict[str, None]] = {}
    for system in artifact.systems:
        for variant in system.variants.values():
            for label, number in variant.numbers.items():
                method = getattr(number, "interval_method", None) or None
                if isinstance(method, str):
                    read.setdefault(method, {})[label.partition("@")[0]] = None
    for method, words in INTERVALS.items():
        if method in read:
            yield method, Naming(words, read[method])
    yield from _covers_less(artifact, dict.fromkeys(name for of in read.values() for name in of))
    if artifact.pairs and artifact.resampling.method not in UNADJUSTED:
        yield "differences", f"{INTERVALS['expanded']}; p-values by swapping systems"


def _covers_less(artifact: Any, names: Iterable[str]) -> Iterator[Line]:
    """Say what intervals cover in simulation, where that is less than they say: of few clusters."""
    if artifact.resampling.n_units > MOST_FEW:
        return
    less: dict[str, list[str]] = {}
    for name in names:
        if covers := getattr(artifact.metrics.get(name), "covers", None):
            less.setdefault(covers, []).append(name)
    for covers, of in less.items():
        yield "covers less", Naming(f"{covers} in simulation", of)


def compared_lines(plan: Any, pairs: Sized, words: str = "better, worse") -> list[Line]:
    """Say when a difference has a word, where there are differences."""
    told = (words, "on the same cases, and the interval and the corrected test exclude 0")
    return [told] * (plan.n_resamples > 0 and len(pairs) > 0)


State = Literal["main", "soft", "bad", "open"]
"""of what is counted: it is evaluated, kept back, failed, or nothing can be said of it"""
SHOWN = ("role", "format", "mode", "run_id", "git_commit", "model", "n_rows", "n_cases")
"""what inputs of any family may say of themselves"""
NAMES = {"run_id": "run", "git_commit": "commit", "n_rows": "rows", "n_cases": "cases"}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a strip."""

    label: str
    count: str
    start: int
    length: int
    """in counts, from the left end of the strip"""
    tone: State


@dataclass(frozen=True, slots=True)
class Strip:
    """Counts that add up to a whole, side by side."""

    label: str
    whole: int
    parts: tuple[Part, ...]


def strip(label: str, *counts: tuple[str, int, State]) -> Strip:
    """Put counts side by side."""
    parts: list[Part] = []
    start = 0
    for name, number, state in counts:
        parts.append(Part(name, count(number), start, number, state))
        start += number
    return Strip(label, start, tuple(parts))


@dataclass(frozen=True, slots=True)
class Point:
    """One threshold and what it leads to."""

    threshold: str
    command: str
    """how the command that reports this operating point ends"""
    coverage: str
    risk: str
    generalized: str
    accepted: str
    handed: str
    """how many items a person decides"""
    at: dict[str, Any]
    """coverage and risk as numbers, for the figure"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A curve to choose an operating point on."""

    label: str
    points: tuple[Point, ...]
    first: int
    """the point to begin with"""
    command: str = ""
    """what all commands of its points begin with"""


@dataclass(frozen=True, slots=True)
class Operating:
    """All curves of an artifact."""

    choices: tuple[Choice, ...]
    level: str
    unit: str
    note: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read."""

    label: str
    path: str
    details: str
    sha256: str

    @classmethod
    def of(cls, label: str, given: Any) -> Source:
        """Take what an input says of itself."""
        known = [(name, said(given, name)) for name in SHOWN]
        details = [f"{NAMES.get(name, name)} {value}" for name, value in known if value is not None]
        return cls(label, given.path, ", ".join(details), given.sha256 or "not a file")


def sources_of(artifact: Any) -> Iterator[Source]:
    """List the inputs of an artifact."""
    for number, given in enumerate(artifact.inputs):
        yield Source.of(f"input {number}", given)


def system_names(artifact: Any) -> list[str]:
    """Name the systems of an artifact."""
    return [inert(system.name) for system in artifact.systems]


def compared_rows(artifact: Any) -> Iterator[Line]:
    """Say which rows differences are over, where a side lacks some."""
    names = system_names(artifact)
    for pair in artifact.pairs:
        alone = [pair.counts.get(name, 0) for name in ("n_only_left", "n_only_right")]
        if any(alone):
            sides = zip((pair.left, pair.right), alone, strict=True)
            only_one = ", ".join(f"{count(n)} only by {names[side]}" for side, n in sides)
            both = counted(pair.counts["n_common"], "row")
            yield "compared", f"{minus(names, pair)}: {both} that both scored, {only_one}"


def resampling_lines(artifact: Any) -> Iterator[Line]:
    """Say what resampling depends on."""
    plan = artifact.resampling
    yield "seed", f"{plan.seed}, {plan.stream} stream"
    read = "intervals by kind of number (auto)"
    resampled = (
        f"{count(plan.n_resamples)} of {counted(plan.n_units, 'unit')} ({plan.unit}),"
        f" {level(plan.level)} {read if plan.method == 'auto' else f'{plan.method} intervals'}"
    )
    yield "resamples", resampled if plan.n_resamples else "none"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence about what numbers mean."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Words:
    """How a family tells of an artifact; every function takes the artifact."""

    title: str
    """of the family"""
    sections: Callable[[Any], Iterable[Section]]
    """words and tables by role; everything that the longest view shows"""
    strips: Callable[[Any], Iterable[Strip]]
    """who and what they are about"""
    first: Callable[[Any], First] | None = None
    """the first screen"""
    headline: Callable[[Any], Iterable[Statement]] = lambda _: ()
    """what the numbers mean, in sentences, where there is no first screen"""
    names: Callable[[Any], Iterable[str]] = system_names
    """of the systems"""
    look: Look = PLAIN
    """how it speaks of its cases"""
    cases: Callable[[Any], Iterable[CaseTable]] = lambda _: ()
    """further lists of them"""
    operating: Callable[[Any], Operating | None] = lambda _: None
    sources: Callable[[Any], Iterable[Source]] = sources_of
    """files that were read"""
    resampling: Callable[[Any], Iterable[Line]] = resampling_lines
    conventions: Callable[[Any], Mapping[str, object]] = lambda artifact: artifact.conventions
    """every choice on record"""
