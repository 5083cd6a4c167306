"""Intervals and sets in words and tables.

Coverage comes first, level by level; then all numbers, the strata in which coverage may fail, and
the differences between systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.display.blocks import Cell, Grid, Line, Role, Row, Section, Tone, facts
from assay.display.changes import Look
from assay.display.numbers import (
    DASH,
    Column,
    Numbers,
    counts,
    ends,
    minus,
    unswept,
)
from assay.display.wording import count, decimals, fixed, p_value, signed
from assay.display.words import (
    ARROWS,
    State,
    Strip,
    Words,
    chosen,
    compared_lines,
    compared_rows,
    input_lines,
    interval_lines,
    resampled,
    strip,
    system_names,
    tool_and_warnings,
)
from assay.families.coverage.first import GROUPS, MISSED, Kind, first
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.artifact import Artifact, System
    from assay.families.coverage.parts import CoverageTest, Stratum

    Levelled = Artifact[Any, Any, Any]

MOST_CLASSES = 12
OPEN: State = "open"
SHOWN = ("formula", "crossed", "n_groups", "eta", "preset")
VERDICTS: dict[int, tuple[str, Tone | None]] = {
    -1: ("too low", "bad"),
    0: ("", None),
    1: ("too high", "plain"),
}
SHARE_PLACES = 3
MOST_SHOWN = 12
"""Of more strata than these, only the least covered are shown."""


def sections(artifact: Levelled, kinds: Sequence[Kind]) -> Iterator[Section]:
    """Say what an artifact of intervals or sets holds."""
    plan = artifact.resampling
    clustered = plan.n_units != n_rows(artifact)
    yield facts("inputs", input_lines(artifact.inputs))
    yield facts("population", _rows(artifact, clustered=clustered))
    reading = ("reading", chosen(artifact.conventions, SHOWN))
    yield facts("conventions", [reading, resampled(plan, "cluster" if clustered else "row")])
    yield from tool_and_warnings(artifact)
    yield Section("main", _coverage(artifact))
    numbers = Numbers.of(artifact)
    yield from _numbers(artifact, numbers)
    for system in artifact.systems:
        yield from strata_sections(system, kinds, several=len(artifact.systems) > 1)
    yield from _differences(artifact, numbers)
    gap = ("gap", "coverage minus level: below 0 more is promised than kept")
    brackets = interval_lines(artifact, shown=plan.n_resamples > 0 or not clustered)
    yield facts("key", [ARROWS, gap, *brackets, *compared_lines(plan, artifact.pairs)])


def _rows(artifact: Levelled, *, clustered: bool) -> Iterator[Line]:
    plan = artifact.resampling
    clusters = f" in {counted(plan.n_units, 'cluster')} ({inert(plan.unit)})" * clustered
    yield "rows", f"{count(n_rows(artifact))}{clusters}"
    lost = n_unscored(artifact)
    if lost:
        why = "without a truth, or without what a system states of it"
        yield "unscored", f"{count(lost)} of {counted(n_rows(artifact) + lost, 'row')}: {why}"
    yield from compared_rows(artifact)
    classes = getattr(artifact.parts, "classes", ())
    if classes:
        more = ", ..." if len(classes) > MOST_CLASSES else ""
        named = inert(", ".join(classes[:MOST_CLASSES]))
        yield "classes", f"{count(len(classes))}: {named}{more}"


def n_rows(artifact: Levelled) -> int:
    """Return how many rows all systems are about."""
    return next(iter(artifact.systems[0].variants.values())).n_rows


def n_unscored(artifact: Levelled) -> int:
    """Return how many rows were dropped, of all systems alike."""
    return artifact.inputs[0].counts.get("n_unscored", 0)


def _coverage(artifact: Levelled) -> Grid:
    """Show empirical against nominal coverage, a row per system and level."""
    rows: list[Row] = []
    tests = [
        each.parts.coverage for system in artifact.systems for each in system.variants.values()
    ]
    one = len(artifact.systems[0].variants) == 1
    for system in artifact.systems:
        name = inert(system.name)
        nested = not one and len(artifact.systems) > 1
        rows += [Row(name)] * nested
        rows += [
            Row(name if one else f"level {at}", _test(each.parts.coverage), indented=nested)
            for at, each in system.variants.items()
        ]
    against = f"the level {tests[0].nominal:g}" if one else "each level"
    title = f"Coverage against {against} ({tests[0].method} intervals, {tests[0].test} test)"
    return Grid(title, "", ("n", "covered", "coverage", "gap", "p", ""), tuple(rows))


def _test(test: CoverageTest) -> tuple[Cell, ...]:
    word, tone = VERDICTS[_side(test)]
    return (
        *counts(test.n, test.n_covered),
        Cell(places(test.coverage), ends(test.interval, places)),
        Cell(signed(test.gap, SHARE_PLACES), ends(test.gap_interval, places)),
        Cell(DASH if test.p_value is None else p_value(test.p_value)),
        Cell(word, tone=tone),
    )


def _side(test: CoverageTest) -> int:
    """Say on which side of its level coverage lies, if its interval leaves the level out."""
    if test.gap_interval is None or test.gap_interval[0] <= 0 <= test.gap_interval[1]:
        return 0
    return -1 if test.gap < 0 else 1


def _numbers(artifact: Levelled, numbers: Numbers) -> Iterator[Section]:
    """Show all numbers: systems as columns at one level, else levels as columns per system."""
    if len(artifact.systems[0].variants) == 1:
        every: list[Column] = [
            (inert(system.name), variant.numbers)
            for system in artifact.systems
            for variant in system.variants.values()
        ]
        yield from _tables("Numbers", every, numbers)
        return
    several = len(artifact.systems) > 1
    for system in artifact.systems:
        columns: list[Column] = [
            (f"level {at}", each.numbers) for at, each in system.variants.items()
        ]
        of = f" of {inert(system.name)}" if several else ""
        yield from _tables(f"Numbers{of}", columns, numbers, inert(system.name) if several else "")


def _tables(
    title: str, columns: list[Column], numbers: Numbers, system: str = ""
) -> Iterator[Section]:
    of = f" of {system}" if system else ""
    table = numbers.grid(title, columns, unswept(columns[0][1]))
    yield Section("numbers", table, system=system)
    for swept in numbers.swept(columns, of):
        yield Section("curve", swept, system=system)


def _differences(artifact: Levelled, numbers: Numbers) -> Iterator[Section]:
    names = system_names(artifact)
    for pair in artifact.pairs:
        for at, deltas in pair.deltas.items():
            where = f", level {at}" if len(pair.deltas) > 1 else ""
            table = numbers.differences(f"{minus(names, pair)}{where}", deltas)
            sides = (names[pair.left], names[pair.right])
            yield Section("differences", table, variant=at, pair=sides)


def _strip(artifact: Levelled) -> Strip:
    lost = n_unscored(artifact)
    more = [("unscored", lost, OPEN)] if lost else []
    return strip("rows", ("scored", n_rows(artifact), "main"), *more)


def words(title: str, what: str, kinds: Sequence[Kind]) -> Words:
    """Return the words of intervals, or of sets."""
    return Words(
        title=title,
        sections=partial(sections, kinds=kinds),
        first=partial(first, what=what, kinds=kinds),
        look=Look(
            loss="off by",
            states=MISSED.states,
            measure=("width" if what == "intervals" else "size",),
        ),
        strips=lambda artifact: [_strip(artifact)],
    )


def places(value: float) -> str:
    """Write a coverage."""
    return fixed(value, SHARE_PLACES)


def strata_sections(
    system: System[Any, Any], kinds: Sequence[Kind], *, several: bool
) -> Iterator[Section]:
    """Show coverage by stratum, level by level."""
    name = inert(system.name)
    for key, variant in system.variants.items():
        where = [f"level {key}"] * (len(system.variants) > 1) + [name] * several
        for kind in (*kinds, GROUPS):
            strata = getattr(variant.parts, kind.strata)
            if not strata:
                continue
            title = ", ".join([f"Coverage by {kind.what}", *where])
            least = getattr(variant.parts, kind.least)
            table = _strata(title, kind.what.split()[-1], strata, least, sized=kind.sized)
            role: Role = "groups" if kind is GROUPS else "strata"
            yield Section(role, table, system=name, variant=key)


def _strata(
    title: str, corner: str, strata: Sequence[Stratum], least: Stratum | None, *, sized: bool
) -> Grid:
    shown = least_covered(strata, MOST_SHOWN)
    few = f", the {len(shown)} least covered of {count(len(strata))}"
    rows = [
        Row(
            inert(each.name),
            (
                *([Cell(size_range(each))] if sized else []),
                *counts(each.n, each.n_covered),
                Cell(DASH)
                if each.coverage is None
                else Cell(places(each.coverage), ends(each.interval, places)),
                Cell("least", tone="plain") if each == least else Cell(""),
            ),
        )
        for each in shown
    ]
    headings = (*(["from, to"] if sized else []), "n", "covered", "coverage", "")
    return Grid(title + few * (len(shown) < len(strata)), corner, headings, tuple(rows))


def least_covered(strata: Sequence[Stratum], most: int) -> Sequence[Stratum]:
    """Return all strata, or of many the few that cover least; the artifact holds all of them."""
    if len(strata) <= most:
        return strata
    filled = [each for each in strata if each.coverage is not None]
    return sorted(filled, key=lambda each: each.coverage or 0.0)[:most]


def size_range(stratum: Stratum) -> str:
    """Say from where to where the widths of a stratum reach."""
    low, high = stratum.size_low, stratum.size_high
    if low is None:
        return "infinite" if stratum.n else ""
    digits = decimals(low if high is None else high, None)
    return f"{fixed(low, digits)} to {'infinity' if high is None else fixed(high, digits)}"
