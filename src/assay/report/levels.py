"""Intervals and sets as words and tables, from their artifacts alone.

Coverage comes first, level by level; then all numbers, the strata in which coverage may fail, and
the differences between systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.artifacts import Delta, Scalar
from assay.artifacts.intervals import (
    CoverageTest,
    IntervalLevel,
    IntervalsArtifact,
    IntervalSystem,
    LevelPair,
    SetLevel,
    SetsArtifact,
    SetSystem,
    Stratum,
)
from assay.report.numbers import DASH, Notes, arrow
from assay.report.systems import sweeps
from assay.report.view import Block, Cell, Facts, Grid, Row, Summary
from assay.report.wording import count, decimals, fixed, level, p_value, signed, superscript
from assay.showing import counted, inert

__all__ = ["Levelled", "summarize_levels"]

Levelled = IntervalsArtifact | SetsArtifact
System = IntervalSystem | SetSystem
Record = IntervalLevel | SetLevel
Column = tuple[str, Mapping[str, Scalar]]
"""a heading and the numbers under it"""

SHARE_PLACES = 3
MOST_STRATA = 12
"""Of more strata than these, only the least covered are shown."""
SHOWN = ("formula", "crossed", "n_groups", "eta", "preset")
TITLES = {"intervals": "Prediction intervals", "sets": "Prediction sets"}


def summarize_levels(artifact: Levelled) -> Summary:
    """Say what an artifact of intervals or sets holds."""
    notes = Notes(resampled=artifact.resampling.n_resamples > 0)
    names = [inert(system.name) for system in artifact.systems]
    blocks: list[Block] = [Facts(tuple(_facts(artifact))), _coverage(artifact)]
    blocks += _numbers(artifact, notes)
    for system in artifact.systems:
        blocks += _strata(artifact, system)
    for pair in artifact.pairs:
        blocks += _differences(artifact, pair, names, notes)
    title = f"{_title(artifact)}: {', '.join(names)}"
    return Summary(title, (*blocks, Facts(tuple(_reading(artifact, notes)))))


def _title(artifact: Levelled) -> str:
    match artifact:
        case IntervalsArtifact():
            return TITLES["intervals"]
        case SetsArtifact():
            return TITLES["sets"]


def _facts(artifact: Levelled) -> Iterator[tuple[str, str]]:
    for number, given in enumerate(artifact.inputs):
        digest = f", sha256 {given.sha256[:12]}" if given.sha256 else ""
        yield f"input {number}", inert(f"{given.path}{digest}")
    plan, chosen = artifact.resampling, artifact.conventions
    clusters = f" in {counted(plan.n_units, 'cluster')} ({inert(plan.unit)})"
    yield "rows", f"{count(artifact.n_rows)}{clusters if _clustered(artifact) else ''}"
    match artifact:
        case SetsArtifact():
            more = ", ..." if len(artifact.classes) > MOST_STRATA else ""
            named = inert(", ".join(artifact.classes[:MOST_STRATA]))
            yield "classes", f"{count(len(artifact.classes))}: {named}{more}"
        case IntervalsArtifact():
            pass
    yield "reading", _conventions(chosen)
    resampled = (
        f"{level(plan.level)} {plan.method}, {counted(plan.n_resamples, 'resample')} of"
        f" {counted(plan.n_units, 'cluster' if _clustered(artifact) else 'row')},"
        f" seed {plan.seed}, {plan.stream} stream"
    )
    yield "intervals", resampled if plan.n_resamples else "none, no resamples were asked for"
    yield "computed by", f"assay {artifact.tool.version}, {artifact.tool.engine} engine"
    yield from (("warning", inert(warning)) for warning in artifact.warnings)


def _clustered(artifact: Levelled) -> bool:
    return artifact.resampling.n_units != artifact.n_rows


def _conventions(chosen: Mapping[str, object]) -> str:
    shown = {name: chosen[name] for name in SHOWN if chosen.get(name) is not None}
    return ", ".join(f"{name.removeprefix('n_')} {_plain(value)}" for name, value in shown.items())


def _plain(value: object) -> str:
    return f"{value:g}" if type(value) is float else str(value)


def _levels(system: System) -> dict[str, Record]:
    return dict(system.levels)


def _coverage(artifact: Levelled) -> Grid:
    """Show empirical against nominal coverage, a row per system and level."""
    rows: list[Row] = []
    tests = [each.coverage for system in artifact.systems for each in _levels(system).values()]
    one = len(artifact.systems[0].levels) == 1
    for system in artifact.systems:
        name = inert(system.name)
        nested = not one and len(artifact.systems) > 1
        rows += [Row(name)] * nested
        rows += [
            Row(name if one else f"level {key}", _test(each.coverage), indented=nested)
            for key, each in _levels(system).items()
        ]
    against = f"the level {tests[0].nominal:g}" if one else "each level"
    title = f"Coverage against {against} ({tests[0].method} intervals, {tests[0].test} test)"
    return Grid(title, "", ("n", "covered", "coverage", "gap", "p", ""), tuple(rows))


def _test(test: CoverageTest) -> tuple[Cell, ...]:
    return (
        Cell(count(test.n)),
        Cell(count(test.n_covered)),
        Cell(fixed(test.coverage, SHARE_PLACES), _ends(test.interval)),
        Cell(signed(test.gap, SHARE_PLACES), _ends(test.gap_interval)),
        Cell(DASH if test.p_value is None else p_value(test.p_value)),
        Cell(_verdict(test)),
    )


def _verdict(test: CoverageTest) -> str:
    """Say in a word whether the interval leaves the level out."""
    if test.gap_interval is None or test.gap_interval[0] <= 0 <= test.gap_interval[1]:
        return ""
    return "too low" if test.gap < 0 else "too high"


def _ends(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return ""
    return f"[{', '.join(fixed(end, SHARE_PLACES) for end in interval)}]"


def _numbers(artifact: Levelled, notes: Notes) -> Iterator[Grid]:
    """Show all numbers: systems as columns at one level, else levels as columns per system."""
    n_levels = len(artifact.systems[0].levels)
    if n_levels == 1:
        columns = [
            (inert(system.name), record.metrics)
            for system in artifact.systems
            for record in _levels(system).values()
        ]
        yield from _grids("Numbers", columns, notes)
        return
    for system in artifact.systems:
        columns = [(f"level {key}", each.metrics) for key, each in _levels(system).items()]
        title = "Numbers" if len(artifact.systems) == 1 else f"Numbers of {inert(system.name)}"
        yield from _grids(title, columns, notes)


def _grids(title: str, columns: Sequence[Column], notes: Notes) -> Iterator[Grid]:
    sample = columns[0][1]
    found = sweeps(sample)
    swept = {metric for sweep in found for metric in sweep.metrics}
    labels = [label for label, number in sample.items() if number.metric not in swept]
    headings = tuple(heading for heading, _ in columns)
    yield Grid(title, "", headings, tuple(_row(label, label, columns, notes) for label in labels))
    for sweep in found:
        for metric in sweep.metrics:
            rows = [_row(at, f"{metric}@{at}", columns, notes) for at in sweep.points]
            first = sample[f"{metric}@{sweep.points[0]}"]
            heads = f"{first.title} ({metric} {arrow(first.better)})".replace(" )", ")")
            yield Grid(heads, sweep.option, headings, tuple(rows))


def _row(shown: str, label: str, columns: Sequence[Column], notes: Notes) -> Row:
    numbers = [numbers[label] for _, numbers in columns]
    pointed = "" if "@" in label else arrow(numbers[0].better)
    return Row(shown, notes.scalars(numbers), arrow=pointed)


def _strata(artifact: Levelled, system: System) -> Iterator[Grid]:
    several = len(artifact.systems) > 1
    for key, record in _levels(system).items():
        where = [f"level {key}"] * (len(system.levels) > 1) + [inert(system.name)] * several
        for what, strata, least, sized in _kinds(record):
            title = ", ".join([f"Coverage by {what}", *where])
            yield _stratum_grid(title, what.split()[-1], strata, least, sized=sized)


def _kinds(record: Record) -> Iterator[tuple[str, Sequence[Stratum], Stratum | None, bool]]:
    """Yield what defines strata, these, the least covered one, and whether widths are shown."""
    match record:
        case IntervalLevel():
            yield "width", record.sizes, record.least_size, True
        case SetLevel():
            yield "size", record.sizes, record.least_size, False
            yield "true class", record.classes, record.least_class, False
    if record.groups:
        yield "group", record.groups, record.least_group, False


def _stratum_grid(
    title: str, corner: str, strata: Sequence[Stratum], least: Stratum | None, *, sized: bool
) -> Grid:
    shown = _worth_showing(strata)
    few = f", the {len(shown)} least covered of {count(len(strata))}"
    rows = [
        Row(
            inert(each.name),
            (
                *([Cell(_range(each))] if sized else []),
                Cell(count(each.n)),
                Cell(count(each.n_covered)),
                _share(each),
                Cell("least" if each == least else ""),
            ),
        )
        for each in shown
    ]
    headings = (*(["from, to"] if sized else []), "n", "covered", "coverage", "")
    return Grid(title + few * (len(shown) < len(strata)), corner, headings, tuple(rows))


def _worth_showing(strata: Sequence[Stratum]) -> list[Stratum]:
    """Return all strata, or of many the few that cover least; the artifact holds all of them."""
    if len(strata) <= MOST_STRATA:
        return list(strata)
    filled = [each for each in strata if each.coverage is not None]
    return sorted(filled, key=lambda each: each.coverage or 0.0)[:MOST_STRATA]


def _range(stratum: Stratum) -> str:
    low, high = stratum.size_low, stratum.size_high
    if low is None:
        return "infinite" if stratum.n else ""
    places = decimals(low if high is None else high, None)
    return f"{fixed(low, places)} to {'infinity' if high is None else fixed(high, places)}"


def _share(stratum: Stratum) -> Cell:
    if stratum.coverage is None:
        return Cell(DASH)
    return Cell(fixed(stratum.coverage, SHARE_PLACES), _ends(stratum.interval))


def _differences(
    artifact: Levelled, pair: LevelPair, names: Sequence[str], notes: Notes
) -> Iterator[Grid]:
    corrected = len(artifact.pairs) > 1
    headings = ("difference", "p", *(["p (Holm)"] * corrected), "")
    for key, deltas in pair.deltas.items():
        where = f", level {key}" if len(pair.deltas) > 1 else ""
        rows = [
            Row(label, _delta(delta, notes, corrected=corrected), arrow=arrow(delta.better))
            for label, delta in deltas.items()
        ]
        yield Grid(
            f"{names[pair.right]} minus {names[pair.left]}{where}", "", headings, tuple(rows)
        )


def _delta(delta: Delta, notes: Notes, *, corrected: bool) -> tuple[Cell, ...]:
    holm = [notes.p_value(delta.p_holm)] * corrected
    return notes.delta(delta), notes.p_value(delta.p_value), *holm, notes.reading(delta)


def _reading(artifact: Levelled, notes: Notes) -> Iterator[tuple[str, str]]:
    plan = artifact.resampling
    yield "↓ ↑", "lower is better, higher is better"
    yield "gap", "coverage minus level: below 0 more is promised than kept"
    if plan.n_resamples or not _clustered(artifact):
        yield "[low, high]", f"{level(plan.level)} interval"
    if plan.n_resamples and artifact.pairs:
        yield "better, worse", "the interval of the difference excludes 0"
    for reason, number in notes.reasons.items():
        yield superscript(number), reason
