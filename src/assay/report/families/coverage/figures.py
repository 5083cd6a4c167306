"""The figures of intervals and sets: coverage, where it fails, how much it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import altair as alt

from assay.artifacts.intervals import (
    IntervalLevel,
    IntervalsArtifact,
    IntervalSystem,
    LevelCurve,
    SetLevel,
    SetsArtifact,
    SetSystem,
    Stratum,
    WidthDistribution,
)
from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, Spec
from assay.display.figures.forests import Share, share_forest
from assay.display.figures.words import differences, file_name
from assay.display.numbers import minus
from assay.display.wording import count, fixed, level
from assay.report.families.coverage.strata import Levelled, least_covered, size_range

__all__ = ["figures"]

Level = IntervalLevel | SetLevel
Levels = Mapping[str, Level]
"""by system, all of the same level"""
MOST_STRATA = 20
SHARE = "Share of truths that are covered"
COMPARED = ("interval_coverage", "interval_width", "winkler", "set_coverage", "set_size")
COVERED = "Coverage against what is claimed"


def figures(artifact: Levelled) -> Iterator[Figure]:
    """Draw an artifact of intervals or sets."""
    names = draw.labels([each.name for each in artifact.systems])
    keys = [*artifact.systems[0].levels]
    yield _claimed(artifact, names, one=len(keys) == 1)
    for number, key in enumerate(keys):
        own: Levels = {
            name: each.levels[key] for name, each in zip(names, _systems(artifact), strict=True)
        }
        where = f", level {key}" if len(keys) > 1 else ""
        yield from _strata(artifact, own, where, main=number == 0)
        yield from _sizes(own, where, main=number == 0)
    yield from _widths(artifact, names)
    yield from _differences(artifact, names)


def _systems(artifact: Levelled) -> Sequence[IntervalSystem | SetSystem]:
    return artifact.systems


def _claimed(artifact: Levelled, names: Sequence[str], *, one: bool) -> Figure:
    systems = dict(zip(names, _systems(artifact), strict=True))
    tests = {name: [each.coverage for each in own.levels.values()] for name, own in systems.items()}
    first = next(iter(tests.values()))[0]
    shown = any(test.interval for own in tests.values() for test in own)
    bars = f" Bars: {level(artifact.resampling.level)} {first.method} intervals." if shown else ""
    line = "Dashed: what is claimed; below it more is promised than kept."
    if one:
        shares = {
            (name, name): Share(test.coverage, test.interval, test.n)
            for name, (test,) in tests.items()
        }
        spec = share_forest(shares, SHARE, at=first.nominal)
    else:
        spec = claimed_figure({name: own.curve for name, own in systems.items()})
    said = [
        f"{name} covers {fixed(test.coverage, 3)} at level {test.nominal:g}"
        for name, own in tests.items()
        for test in own
    ]
    return Figure(
        name="coverage",
        title=COVERED,
        caption=f"{line}{bars}",
        alt=f"{COVERED}: {', '.join(said)}.",
        spec=spec,
    )


def _strata(artifact: Levelled, own: Levels, where: str, *, main: bool) -> Iterator[Figure]:
    for what, strata_of, named in _kinds(artifact, own):
        strata = {name: strata_of(each) for name, each in own.items()}
        if not any(strata.values()):
            continue
        shown = {name: least_covered(each, MOST_STRATA) for name, each in strata.items()}
        shares = {
            (named(each), name): Share(each.coverage, each.interval, each.n)
            for name, some in shown.items()
            for each in some
            if each.n
        }
        worst = min(
            (each for each in shares.items() if each[1].value is not None),
            key=lambda each: each[1].value or 0.0,
        )
        nominal = next(iter(own.values())).level
        yield Figure(
            name=file_name("coverage-by", what, where),
            title=f"Coverage by {what}{where}",
            caption=f"Dashed: what is claimed, {nominal:g}. {_cut(strata, shown)}".strip(),
            alt=f"Coverage by {what}{where}. Least covered: {worst[0][0]}"
            f" {fixed(worst[1].value or 0.0, 3)} of {count(worst[1].n)}.",
            spec=share_forest(shares, SHARE, at=nominal),
            main=main,
        )


Kind = tuple[str, Callable[[Level], Sequence[Stratum]], Callable[[Stratum], str]]


def _kinds(artifact: Levelled, own: Levels) -> Iterator[Kind]:
    """Yield what defines strata, where they stand, and how a stratum is called."""
    match artifact:
        case IntervalsArtifact():
            alone = len(own) == 1
            yield "width", lambda each: each.sizes, _ranged if alone else _placed
        case SetsArtifact():
            yield "set size", lambda each: each.sizes, _sized
            yield "true class", _classes, _named
    yield "group", lambda each: each.groups, _named


def _classes(each: Level) -> Sequence[Stratum]:
    match each:
        case SetLevel():
            return each.classes
        case _:
            return ()


def _named(stratum: Stratum) -> str:
    return draw.labels([stratum.name])[0] or "(none)"


def _sized(stratum: Stratum) -> str:
    return f"{stratum.name} {'class' if stratum.name == '1' else 'classes'}"


def _placed(stratum: Stratum) -> str:
    return f"part {stratum.name} by width"


def _ranged(stratum: Stratum) -> str:
    return "infinite width" if stratum.size_low is None else size_range(stratum)


def _cut(strata: Mapping[str, Sequence[Stratum]], shown: Mapping[str, Sequence[Stratum]]) -> str:
    total = max(map(len, strata.values()))
    left = max(map(len, shown.values()))
    return "" if left == total else f"The {left} least covered of {count(total)}."


def _sizes(own: Levels, where: str, *, main: bool) -> Iterator[Figure]:
    sizes = {name: each.sizes for name, each in own.items() if type(each) is SetLevel}
    if not sizes:
        return
    first = next(iter(own.values())).metrics.get("set_size")
    mean = "" if first is None or first.value is None else f" Mean size {fixed(first.value, 2)}."
    yield Figure(
        name=file_name("set-sizes", where),
        title=f"Sizes of the sets{where}",
        caption="How many sets have so many classes; smaller sets say more.",
        alt=f"Sizes of the sets{where}.{mean}",
        spec=size_figure(sizes),
        main=main,
    )


def _widths(artifact: Levelled, names: Sequence[str]) -> Iterator[Figure]:
    match artifact:
        case IntervalsArtifact():
            if any(_finite(each) for each in artifact.systems):
                yield _width(artifact, names)
        case SetsArtifact():
            return


def _finite(system: IntervalSystem) -> bool:
    return any(width is not None for each in system.levels.values() for width in each.widths.width)


def _width(artifact: IntervalsArtifact, names: Sequence[str]) -> Figure:
    several = len(artifact.systems[0].levels) > 1
    widths = {
        (f"{name}, level {key}" if several else name): each.widths
        for name, own in zip(names, artifact.systems, strict=True)
        for key, each in own.levels.items()
    }
    first = next(iter(artifact.systems[0].levels.values())).metrics["interval_width"]
    mean = "infinite or undefined" if first.value is None else f"{first.value:.4g}"
    return Figure(
        name="widths",
        title="Widths of the intervals",
        caption="Further left is narrower. Marks: the quarters. Infinite widths are left out.",
        alt=f"Share of intervals at most so wide. Mean width of {names[0]} {mean}.",
        spec=width_figure(widths),
    )


def _differences(artifact: Levelled, names: Sequence[str]) -> Iterator[Figure]:
    for number, label in enumerate(COMPARED):
        found = {
            (f"level {key}", minus(names, pair)): (deltas[label], deltas[label].better)
            for pair in artifact.pairs
            for key, deltas in pair.deltas.items()
            if label in deltas
        }
        if found:
            yield differences(found, label, main=number == 0)


CLAIMED, FOUND = "Coverage that is claimed", "Coverage that is found"
WIDTH, AT_MOST = "Width of the interval", "Share of intervals at most this wide"
MARGIN = 0.04


def claimed_figure(curves: Mapping[str, LevelCurve]) -> Spec:
    """Draw empirical against nominal coverage, with the line on which they are equal."""
    rows = [row for name, curve in curves.items() for row in _levels(name, curve)]
    values = [row[each] for row in rows for each in ("claimed", "found", "low", "high")]
    low = max(0.0, min(each for each in values if each is not None) - MARGIN)
    scale = alt.Scale(domain=[low, 1], nice=False)
    names = [*curves]
    base = alt.Chart(draw.data("levels")).encode(
        x=draw.number(alt.X, "claimed", CLAIMED, scale=scale, axis=alt.Axis(grid=False)),
        color=draw.coloured("name", names),
        opacity=draw.shown(),
        tooltip=[
            draw.tip("name", "system"),
            draw.tip("claimed", "claimed", ".3~f"),
            draw.tip("found", "found", ".3f"),
            draw.tip("interval", "interval"),
        ],
    )
    found = draw.number(alt.Y, "found", FOUND, scale=scale)
    spans = base.mark_rule(style="interval").encode(
        y=draw.number(alt.Y, "low", FOUND, scale=scale), y2=alt.Y2(field="high")
    )
    dots = base.mark_point(style="estimate").encode(y=found, shape=draw.shaped("name", names))
    layers = [
        _equal(scale),
        spans,
        base.mark_line(style="limit").encode(y=found),
        dots.properties(name="estimates").add_params(draw.toggle("name")),
    ]
    ends = [{"claimed": each, "found": each} for each in (low, 1)]
    return draw.drawn(draw.layered(*layers), levels=rows, ends=ends)


def _equal(scale: alt.Scale) -> draw.Layer:
    line = alt.Chart(draw.data("ends")).mark_line(style="reference")
    return line.encode(
        x=draw.number(alt.X, "claimed", CLAIMED, scale=scale),
        y=draw.number(alt.Y, "found", FOUND, scale=scale),
    )


def _levels(name: str, curve: LevelCurve) -> Iterator[draw.Row]:
    ends = zip(curve.empirical_low, curve.empirical_high, strict=True)
    for claimed, found, (low, high) in zip(curve.nominal, curve.empirical, ends, strict=True):
        told = "none" if low is None or high is None else f"[{fixed(low, 3)}, {fixed(high, 3)}]"
        yield {
            "name": name,
            "claimed": claimed,
            "found": found,
            "low": low,
            "high": high,
            "interval": told,
        }


def width_figure(widths: Mapping[str, WidthDistribution]) -> Spec:
    """Draw how many intervals are at most so wide."""
    rows: list[draw.Row] = [
        {"name": name, "share": share, "width": width}
        for name, each in widths.items()
        for share, width in zip(each.share, each.width, strict=True)
        if width is not None
    ]
    names = [*widths]
    marked = {0, 25, 50, 75, 100}
    lines = (
        alt.Chart(draw.data("widths"))
        .mark_line(interpolate="step-after")
        .encode(
            x=draw.number(
                alt.X, "width", WIDTH, scale=alt.Scale(zero=True), axis=alt.Axis(grid=False)
            ),
            y=draw.number(alt.Y, "share", AT_MOST, scale=alt.Scale(domain=[0, 1])),
            order=alt.Order(field="share", type="quantitative"),
            color=draw.coloured("name", names),
            opacity=draw.shown(),
        )
    )
    quarters = [row for row in rows if round(100 * row["share"]) in marked]
    dots = (
        alt.Chart(draw.data("quarters"))
        .mark_point(style="estimate")
        .encode(
            x=draw.number(alt.X, "width", WIDTH),
            y=draw.number(alt.Y, "share", AT_MOST),
            color=draw.coloured("name", names),
            shape=draw.shaped("name", names),
            opacity=draw.shown(),
            tooltip=[
                draw.tip("name", "intervals"),
                draw.tip("share", "share", ".2f"),
                draw.tip("width", "at most", ".4~g"),
            ],
        )
    )
    named_lines = lines.properties(name="lines").add_params(draw.toggle("name"))
    return draw.drawn(draw.layered(named_lines, dots), widths=rows, quarters=quarters)


def size_figure(sizes: Mapping[str, Sequence[Stratum]]) -> Spec:
    """Draw how many sets have so many members."""
    rows: list[draw.Row] = [
        {"name": name, "size": each.name, "n": each.n, "text": count(each.n)}
        for name, strata in sizes.items()
        for each in strata
    ]
    names = [*sizes]
    order = [*dict.fromkeys(row["size"] for row in rows)]
    axis = alt.Axis(labelAngle=0, grid=False)
    base = alt.Chart(draw.data("sizes")).encode(
        x=draw.named(alt.X, "size", order, title="Classes in the set", axis=axis),
        y=draw.number(alt.Y, "n", "Sets"),
        xOffset=draw.named(alt.XOffset, "name", names),
        opacity=draw.shown(),
        tooltip=[draw.tip("name", "system"), draw.tip("size", "classes"), draw.tip("text", "sets")],
    )
    bars = base.mark_bar().encode(color=draw.coloured("name", names))
    texts = base.mark_text(style="note", baseline="bottom", dy=-2).encode(
        text=alt.Text(field="text", type="nominal")
    )
    return draw.drawn(
        draw.layered(bars.properties(name="bars").add_params(draw.toggle("name")), texts),
        300,
        sizes=rows,
    )
