"""A selective artifact seen as systems by name, under confidences that really differ.

Its numbers are shown all, at a glance, by group and as a line of bars, its curves as tables and as
operating points: every threshold, and what it leads to.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, cast

import msgspec

from assay.artifact import Delta, Pair, Scalar, Variant, runnable
from assay.display.blocks import Cell, Detail, Grid, Role, Row, Section, Sketch, facts
from assay.display.figures.figure import even
from assay.display.numbers import Numbers, Part, ends, minus, stem, sweeps, unswept
from assay.display.svg.curves import Line
from assay.display.wording import count, fixed, level, percent, sparkline
from assay.display.words import Choice, Operating, Point, system_names
from assay.families.selective.parts import PEOPLE, Curve, SelectiveArtifact, SelectiveParts
from assay.showing import counted, inert

AREAS = frozenset(
    {
        *("aurc", "augrc", "augrc_normalized", "aurc_at_coverage", "augrc_at_coverage"),
        *("aurc_optimal", "augrc_optimal", "aurc_achievable", "eaurc", "eaugrc"),
    }
)
"""numbers that are 0 by convention where nothing is answered"""
MOST_ROWS = 60
"""of a curve as a table"""
PERCENT_SPACE = "\N{NO-BREAK SPACE}"
Sides = Mapping[int, Mapping[str, Scalar]]
"""system -> label -> number"""
FIRST = ("aurc", "augrc", "eaurc", "error_auroc")
"""Numbers to show before the others, which follow in the order of the artifact."""
MOST = 4
SIZES = {"participants": "participants", "items_total": "items", "items_predicted": "answered"}
"""counts of a group, and what they are called"""
N_BARS = 20
"""a bar for every twentieth of the items"""
LATER = frozenset({"mean_risk_at_coverage@common"})
"""labels too wide for two systems side by side on a terminal: the longest view has them"""
FEWEST_POINTS, MOST_IN_ALL = 24, 1_000
"""thresholds of a curve at least, and of all curves of a page"""
MOST_CURVES = 20
"""of more curves than these the first are offered"""
MOST_POINTS = 200
"""Of more thresholds than these a slider offers some at even places."""
PLACES = 3
SELECTIVE = "assay selective"


@dataclass(frozen=True, slots=True)
class Systems:
    """Names of systems and confidences, and the numbers under them."""

    artifact: SelectiveArtifact
    names: tuple[str, ...]
    confidences: Mapping[str, Sides]
    """confidences with the same numbers are one, under all of their names"""
    first: Mapping[str, str]
    """confidence -> the first of its names"""
    numbers: Numbers
    """how numbers are shown"""

    @property
    def pairs(self) -> list[Pair]:
        """What is compared."""
        return self.artifact.pairs

    def deltas(self, pair: Pair, confidence: str) -> Mapping[str, Delta]:
        """Return the differences of a pair under a confidence, none if one side lacks it."""
        return pair.deltas.get(self.first[confidence], {})

    def title(self, pair: Pair) -> str:
        """Name a difference."""
        return minus(self.names, pair)

    def sides(self, pair: Pair) -> tuple[str, str]:
        """Name left and right."""
        return self.names[pair.left], self.names[pair.right]

    def people(self) -> Sides:
        """Return the numbers of participants, which no confidence changes."""
        every = enumerate(self.artifact.systems)
        return {place: system.variants[PEOPLE].numbers for place, system in every}

    def variants(self, confidence: str) -> Iterator[tuple[int, Variant[SelectiveParts]]]:
        """Yield what systems have under a confidence, by the number of the system."""
        name = self.first[confidence]
        for place, system in enumerate(self.artifact.systems):
            if name in system.variants:
                yield place, system.variants[name]


def curve_of(variant: Variant[SelectiveParts]) -> Curve:
    """Return the curve of a confidence; an artifact without one is refused when it is read."""
    return cast("Curve", variant.parts.curve)


def _without_conventions(numbers: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    """Leave areas out that are 0 only by convention: those of a system that answers nothing."""
    risk = numbers["risk"]
    if risk.value is not None:
        return numbers
    return {
        label: msgspec.structs.replace(each, value=None, reason=risk.reason, interval=None)
        if stem(label) in AREAS
        else each
        for label, each in numbers.items()
    }


def systems(artifact: SelectiveArtifact) -> Systems:
    """See an artifact by system and confidence."""
    by_name: dict[str, dict[int, Mapping[str, Scalar]]] = {}
    for place, system in enumerate(artifact.systems):
        for name, variant in system.variants.items():
            if name != PEOPLE:
                by_name.setdefault(name, {})[place] = _without_conventions(variant.numbers)
    groups: list[list[str]] = []
    for name, sides in by_name.items():
        same = [group for group in groups if by_name[group[0]] == sides]
        if same:
            same[0].append(name)
        else:
            groups.append([name])
    label = {" = ".join(map(inert, group)): group[0] for group in groups}
    return Systems(
        artifact=artifact,
        names=tuple(system_names(artifact)),
        confidences={shown: by_name[first] for shown, first in label.items()},
        first=label,
        numbers=Numbers.of(artifact),
    )


def line_of(
    artifact: SelectiveArtifact,
    variant: Variant[SelectiveParts],
    name: str,
    shape: int | None = None,
) -> Line | None:
    """Return a curve as it is drawn on the first screen, if it has a point."""
    curve = curve_of(variant)
    if not curve.coverage:
        return None
    return Line(
        name,
        shape,
        curve.coverage,
        curve.selective_risk,
        curve.selective_risk_low,
        curve.selective_risk_high,
        f"{curve.selective_risk[-1]:.3g}",
        stepped=artifact.conventions["area"] != "trapezoid",
    )


def curve_grid(lines: Sequence[Line]) -> Grid:
    """Write the curves down as a table."""
    rows = []
    for line in lines:
        thin = line.thinned()
        step = max(1, len(thin.x) // MOST_ROWS)
        rows.append(Row(line.name))
        for at in range(0, len(thin.x), step):
            low, high = thin.low[at], thin.high[at]
            between = "" if low is None or high is None else f"{low:.4g} to {high:.4g}"
            share = f"{100 * thin.x[at]:.1f}{PERCENT_SPACE}%"
            rows.append(Row(share, (Cell(f"{thin.y[at]:.4g}", between),), indented=True))
    return Grid("Mean loss of what is accepted", "accepted", ("mean loss",), tuple(rows))


def number_sections(seen: Systems) -> Iterator[Section]:
    """Show all numbers under every confidence; of several at a glance first."""
    several = len(seen.confidences) > 1
    if several:
        yield from _overview(seen)
    for confidence in seen.confidences:
        yield from _everything(seen, confidence, "full" if several else "short")


def _everything(seen: Systems, confidence: str, detail: Detail) -> Iterator[Section]:
    """Show all that is known under one confidence."""
    sides = seen.confidences[confidence]
    columns = [(seen.names[side], own) for side, own in sides.items()]
    labels = unswept(columns[0][1])
    table = _brief(seen.numbers.grid(_about("Confidence", confidence), columns, labels))
    role: Role = "numbers" if detail == "full" else "main"
    yield Section(role, table, variant=confidence, detail=detail)
    where = f", {_about('confidence', confidence)}"
    for swept in seen.numbers.swept(columns, where if detail == "full" else ""):
        yield Section("curve", swept, variant=confidence, detail=detail)
    for pair in seen.pairs:
        deltas = {**seen.deltas(pair, confidence), **pair.deltas[PEOPLE]}
        directed = {
            label: delta
            for label, delta in deltas.items()
            if seen.numbers.better(label) or label == stem(label)
        }
        compared = _brief(seen.numbers.differences(f"{seen.title(pair)}{where}", directed))
        sides_of = seen.sides(pair)
        yield Section("differences", compared, variant=confidence, pair=sides_of, detail=detail)


def _brief(grid: Grid) -> Grid:
    """Leave the widest labels to the longest view."""
    rows = (replace(row, detail="full") if row.label in LATER else row for row in grid.rows)
    return replace(grid, rows=tuple(rows))


def _about(word: str, name: str) -> str:
    """Say which confidence, without saying its name twice."""
    return word if name == word.lower() else f"{word} {name}"


def _overview(seen: Systems) -> Iterator[Section]:
    """Show every confidence in one row, per system and per pair."""
    labels = _common_labels(seen)
    shared = [label for label in labels if _alike(seen, label)]
    own = sorted(
        (label for label in labels if label not in shared),
        key=lambda label: (*FIRST, label).index(label),
    )
    sides = next(iter(seen.confidences.values()))
    sample = next(iter(sides.values()))
    # An operating point that was asked for is shown, whatever else there is room for.
    first = [*own[:MOST], *(each for each in own[MOST:] if "threshold" in sample[each].options)]
    if shared:
        columns = [(seen.names[side], numbers) for side, numbers in sides.items()]
        yield Section("main", seen.numbers.grid("Under every confidence", columns, shared))
    for side, name in enumerate(seen.names):
        system = {each: sides[side] for each, sides in seen.confidences.items() if side in sides}
        for grid in _system(seen.numbers, name, system, first):
            yield Section("main", grid, system=name)
    for pair in seen.pairs:
        compared = _differences(seen, pair, [*shared, *first])
        yield Section("differences", compared, pair=seen.sides(pair))
    rest = counted(len(own) - len(first), "more number")
    yield facts("more", [("more", f"--full shows {rest} per confidence, and all intervals")])


def _common_labels(seen: Systems) -> list[str]:
    """Return the labels that every system has under every confidence."""
    every = [numbers for sides in seen.confidences.values() for numbers in sides.values()]
    return [label for label in unswept(every[0]) if all(label in each for each in every)]


def _alike(seen: Systems, label: str) -> bool:
    """Say whether a number reads the same under every confidence."""
    shown = {
        tuple((side, seen.numbers.scalars([numbers[label]])) for side, numbers in sides.items())
        for sides in seen.confidences.values()
    }
    return len(shown) == 1


def _system(
    numbers: Numbers, name: str, own: Mapping[str, Mapping[str, Scalar]], labels: Sequence[str]
) -> Iterator[Grid]:
    """Show a few numbers of one system, confidences as rows, then the sweeps alike."""
    sample = next(iter(own.values()))
    if labels:
        columns = [numbers.scalars([each[label] for each in own.values()]) for label in labels]
        rows = tuple(map(Row, own, zip(*columns, strict=True)))
        arrows = tuple(map(numbers.arrow, labels))
        yield Grid(name, "confidence", tuple(map(stem, labels)), rows, arrows=arrows)
    for sweep in sweeps(sample):
        for metric in (each for each in sweep.metrics if numbers.better(each)):
            swept = [f"{metric}@{point}" for point in sweep.points]
            shown = iter(numbers.values([each[label] for each in own.values() for label in swept]))
            rows = tuple(Row(each, tuple(next(shown) for _ in swept)) for each in own)
            title = f"{name}: {metric} by {sweep.option}"
            yield Grid(title, "confidence", sweep.points, rows, numbers.arrow(metric))


def _differences(seen: Systems, pair: Pair, labels: Sequence[str]) -> Grid:
    by_name = {name: seen.deltas(pair, name) for name in seen.confidences}
    both = {name: deltas for name, deltas in by_name.items() if deltas}
    known = next(iter(both.values()), {})
    fair = [label for label in known if label.endswith("@common") and label not in LATER]
    rows: list[Row] = []
    for label in [*labels, *fair]:
        own = {name: deltas[label] for name, deltas in both.items() if label in deltas}
        rows += _compared(seen, label, own) if own else ()
    for label, delta in pair.deltas[PEOPLE].items():
        rows += _compared(seen, label, {"": delta})
    return Grid(seen.title(pair), "", seen.numbers.difference_headings, tuple(rows))


def _compared(seen: Systems, label: str, own: Mapping[str, Delta]) -> Iterator[Row]:
    """Show the difference of a number once if it is the same everywhere, else per confidence."""
    cells = {name: seen.numbers.difference_cells(delta) for name, delta in own.items()}
    pointed = seen.numbers.arrow(label)
    if len(set(cells.values())) == 1:
        yield Row(label, next(iter(cells.values())), arrow=pointed)
        return
    yield Row(label, arrow=pointed)
    for name, each in cells.items():
        yield Row(name, each, indented=True)


def groups(seen: Systems) -> Iterator[Section]:
    """Show a few numbers of every group; the artifact holds them all."""
    for system, shown in zip(seen.artifact.systems, seen.names, strict=True):
        for name, variant in system.variants.items():
            parts = [
                Part(each.label, tuple(each.counts[size] for size in SIZES), each.numbers)
                for each in variant.slices
            ]
            if parts:
                labels = [label for label in FIRST if label in unswept(parts[0].numbers)]
                title = f"{shown} by group, {inert(name)}"
                table = seen.numbers.groups(title, [*SIZES.values()], parts, labels)
                yield Section("groups", table, system=shown, variant=inert(name))


def sketch(seen: Systems) -> Sketch:
    """Sketch risk by coverage, a line per system and confidence, all on one scale."""
    several = len(seen.names) > 1, len(seen.confidences) > 1
    found: list[tuple[str, Variant[SelectiveParts]]] = []
    for shown in seen.confidences:
        for side, variant in seen.variants(shown):
            parts = [seen.names[side]] * several[0] + [shown] * several[1]
            found.append((" ".join(parts) or shown, variant))
    risks = (max(curve_of(each).selective_risk, default=0.0) for _, each in found)
    top = max(risks, default=0.0)
    lines = tuple(
        (name, sparkline(_bars(curve_of(each)), top), _ends(each)) for name, each in found
    )
    return Sketch(f"Selective risk by coverage, 0 to 1 (bars up to {fixed(top, 3)})", lines)


def _bars(curve: Curve) -> Sequence[float | None]:
    """Read the curve at even coverages: the risk of the first point that reaches each."""
    points = [*zip(curve.coverage, curve.selective_risk, strict=True)]
    wanted = [(place + 1) / N_BARS for place in range(N_BARS)]
    return [next((risk for reached, risk in points if reached >= at), None) for at in wanted]


def _ends(variant: Variant[SelectiveParts]) -> str:
    curve = curve_of(variant)
    if not curve.coverage:
        return variant.numbers["risk"].reason or "nothing is answered"
    first, last = (
        f"{fixed(curve.selective_risk[end], 3)} at {percent(curve.coverage[end])}"
        for end in (0, -1)
    )
    return f"{first}, {last}" if len(curve.coverage) > 1 else last


def operating(artifact: SelectiveArtifact) -> Operating | None:
    """List the operating points of an artifact."""
    choices = tuple(_choices(artifact))
    if not choices:
        return None
    return Operating(
        choices=choices,
        level=level(artifact.resampling.level),
        unit=inert(artifact.parts.loss.name),
        note=_note(artifact),
    )


def _note(artifact: SelectiveArtifact) -> str:
    told = (
        "A threshold that was chosen by looking at these very items is too optimistic about new"
        " ones: choose on one run, report on another."
    )
    if (n := _n_curves(artifact)) > MOST_CURVES:
        told += f" Of {count(n)} curves the first {MOST_CURVES} are offered here."
    if not artifact.resampling.n_resamples:
        return f"{told} There are no intervals, because no resamples were asked for."
    return f"{told} Intervals are pointwise, over resampled participants."


def _choices(artifact: SelectiveArtifact) -> Iterator[Choice]:
    seen = systems(artifact)
    curves = min(MOST_CURVES, _n_curves(artifact))
    most = min(MOST_POINTS, max(FEWEST_POINTS, MOST_IN_ALL // max(1, curves)))
    every = (
        (shown, first, side, variant)
        for shown, first in seen.first.items()
        for side, variant in seen.variants(shown)
    )
    for shown, first, side, variant in islice(every, curves):
        points = tuple(_points(curve_of(variant), most))
        if points:
            label = f"{seen.names[side]}, {shown}" if len(seen.names) > 1 else shown
            yield Choice(label, points, len(points) // 2, _command(artifact, first))


def _n_curves(artifact: SelectiveArtifact) -> int:
    return sum(len(sides) for sides in systems(artifact).confidences.values())


def _command(artifact: SelectiveArtifact, confidence: str) -> str:
    """Return the command that reports an operating point, up to the threshold."""
    recorded = runnable(artifact.command)
    if recorded.startswith(SELECTIVE):
        return recorded
    words = [word for each in artifact.inputs for word in ("--input", each.path)]
    words += [word for each in artifact.inputs if each.mode for word in ("--mode", each.mode)]
    words += ["--loss", artifact.parts.loss.name, "--confidence", confidence]
    return inert(f"{SELECTIVE} {shlex.join(words)}")


def _points(curve: Curve, most: int) -> Iterator[Point]:
    """Yield one point per threshold: where equal ones stand apart, all of them are accepted."""
    following = [*curve.threshold[1:], None]
    both = zip(curve.threshold, following, strict=False)
    last = [at for at, (own, after) in enumerate(both) if own != after]
    for at in (last[each] for each in even(len(last), most)):
        threshold = repr(curve.threshold[at])
        yield Point(
            threshold=f"{curve.threshold[at]:.6g}",
            # Bands of curves are percentiles, whatever intervals the numbers have.
            command=f" --ci-method percentile --threshold {threshold}",
            coverage=_read(curve, "coverage", at, percent),
            risk=_read(curve, "selective_risk", at),
            generalized=_read(curve, "generalized_risk", at),
            accepted=count(round(curve.n_accepted[at])),
            handed=count(round(curve.n_handed_over[at])),
            at=_drawn(curve, at),
        )


def _read(
    curve: Curve,
    quantity: str,
    at: int,
    write: Callable[[float], str] = lambda value: fixed(value, PLACES),
) -> str:
    value, low, high = (getattr(curve, f"{quantity}{end}")[at] for end in ("", "_low", "_high"))
    interval = None if low is None or high is None else (low, high)
    return f"{write(value)} {ends(interval, write)}".strip()


def _drawn(curve: Curve, at: int) -> dict[str, Any]:
    found = {
        "coverage": curve.coverage[at],
        "risk": curve.selective_risk[at],
        "low": curve.selective_risk_low[at],
        "high": curve.selective_risk_high[at],
    }
    # As exact as a drawing needs.
    return {name: None if each is None else float(f"{each:.6g}") for name, each in found.items()}
