"""Facts that every family tells alike: inputs, resampling, tool, warnings, how to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import Any

from assay.display.blocks import Line, Naming, Section, facts
from assay.display.wording import level
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
PLAIN = ("percentile", "basic")
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
    if artifact.pairs and artifact.resampling.method not in PLAIN:
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
