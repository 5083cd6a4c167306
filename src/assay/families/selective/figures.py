"""The figures of a selective evaluation: curves, ranking of confidences, paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.artifact import Board, Interval, Resampling, Variant
from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, Spec, bars, file_name, told, told_scalar
from assay.display.figures.forests import Scalars, differences, paired, scalar_forest
from assay.display.figures.theme import DASHES
from assay.display.numbers import arrow
from assay.display.wording import count, level
from assay.families.selective.parts import Curve, Limits, SelectiveArtifact, SelectiveParts
from assay.families.selective.systems import Systems, curve_of, systems

Quantity = Literal["selective_risk", "generalized_risk"]
AREAS: dict[Quantity, str] = {"selective_risk": "aurc", "generalized_risk": "augrc"}
NAMES: dict[Quantity, str] = {
    "selective_risk": "risk-coverage",
    "generalized_risk": "generalized-risk",
}
TITLES: dict[Quantity, str] = {
    "selective_risk": "Risk against coverage",
    "generalized_risk": "Generalized risk against coverage",
}
ORACLE = "Dotted: the oracle, which ranks by the loss itself."
HULL = "Dashed: the lower convex hull, what a choice of thresholds can achieve."
RANKED = ("aurc", "augrc", "error_auroc")
COMPARED = ("aurc", "augrc", "eaurc", "eaugrc", "aurc_at_coverage", "augrc_at_coverage", "risk")
"""differences that are in the unit of the loss, so that they share an axis"""


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves by name, and what is marked among them."""

    variants: Mapping[str, Variant[SelectiveParts]]
    quantity: Quantity
    by_system: bool
    """whether the names are those of systems: their bands and hulls are drawn; or of confidences"""
    cut: float
    """the coverage up to which areas are also taken"""
    joined: bool
    """whether lines join the working points, or steps"""

    @classmethod
    def of(
        cls,
        artifact: SelectiveArtifact,
        variants: Mapping[str, Variant[SelectiveParts]],
        quantity: Quantity,
        *,
        by_system: bool,
    ) -> Curves:
        """Read curves as the artifact says."""
        chosen = artifact.conventions
        shown = dict(zip(draw.labels([*variants]), variants.values(), strict=True))
        cut = float(str(chosen["area_coverage"]))
        return cls(shown, quantity, by_system, cut, chosen["area"] == "trapezoid")

    @property
    def interpolate(self) -> Any:
        """Return how points are joined."""
        return "linear" if self.joined else "step-before"


def figures(artifact: SelectiveArtifact) -> Iterator[Figure]:
    """Draw an artifact of one system, or of several."""
    seen = systems(artifact)
    confidences = dict(zip(seen.confidences, draw.labels([*seen.confidences]), strict=True))
    several, many = len(confidences) > 1, isinstance(artifact.board, Board)
    if several:
        yield from _rankings(artifact, seen, confidences)
    if several and not many:
        yield from _by_confidence(artifact, seen, confidences)
    for number, (name, shown) in enumerate(confidences.items()):
        variants = {seen.names[side]: each for side, each in seen.variants(name)}
        where = (f", confidence {shown}" if shown != "confidence" else f", {shown}") * several
        for quantity in NAMES:
            slug = shown if several else ""
            curves = Curves.of(artifact, variants, quantity, by_system=True)
            yield _curve(artifact, curves, where, slug, main=number == 0)
    if several:
        yield from _differences_by_confidence(seen, confidences)
        # A page has room for some figures: of many systems those of each alone come last.
        yield from _by_confidence(artifact, seen, confidences) if many else ()
    else:
        alone = next(iter(seen.confidences))
        pairs = {seen.title(pair): seen.deltas(pair, alone) for pair in seen.pairs}
        yield from paired(pairs, COMPARED, seen.numbers.metrics)


def _by_confidence(
    artifact: SelectiveArtifact, seen: Systems, confidences: Mapping[str, str]
) -> Iterator[Figure]:
    for side, system in enumerate(seen.names):
        variants = {
            shown: variant
            for name, shown in confidences.items()
            for number, variant in seen.variants(name)
            if number == side
        }
        compared = len(seen.names) > 1
        where = f" of {system}, by confidence" if compared else ", by confidence"
        slug = f"{system} by confidence" if compared else "by confidence"
        for quantity in NAMES:
            main = quantity == "selective_risk" and not isinstance(artifact.board, Board)
            curves = Curves.of(artifact, variants, quantity, by_system=False)
            yield _curve(artifact, curves, where, slug, main=main)


def _curve(
    artifact: SelectiveArtifact, curves: Curves, where: str, slug: str, *, main: bool
) -> Figure:
    area, title = AREAS[curves.quantity], f"{TITLES[curves.quantity]}{where}"
    numbers = {name: each.numbers[area] for name, each in curves.variants.items()}
    return Figure(
        name=file_name(NAMES[curves.quantity], slug),
        title=title,
        caption=" ".join(_caption(artifact.resampling, curves)),
        alt=f"{title}. {told(area.upper(), numbers)}",
        spec=curve_figure(curves),
        main=main,
    )


def _caption(plan: Resampling, curves: Curves) -> Iterator[str]:
    yield "Lower is better; a curve ends where the system answers no more items."
    if plan.n_resamples:
        band = f"Bands: pointwise {level(plan.level)} intervals over resampled participants"
        yield f"{band}{'' if curves.by_system else ', for what is clicked in the legend'}."
    if curves.by_system and curves.quantity == "selective_risk":
        yield HULL
    yield ORACLE


def _rankings(
    artifact: SelectiveArtifact, seen: Systems, confidences: Mapping[str, str]
) -> Iterator[Figure]:
    for label in RANKED:
        found = {
            (shown, seen.names[side]): numbers[label]
            for name, shown in confidences.items()
            for side, numbers in seen.confidences[name].items()
        }
        sample = artifact.metrics[label]
        ordered = _ranked(found, better=sample.better)
        best = next(iter(ordered))
        what = f"{sample.title} of {count(len(confidences))} confidence functions"
        overlap = "intervals; where they overlap, only a paired difference tells more"
        yield Figure(
            name=file_name("ranking", label),
            title=f"Confidence functions ranked by {label}",
            caption=f"The best of {seen.names[0]} first.{bars(artifact.resampling, overlap)}",
            alt=f"{what}, the best first: {best[0]} {told_scalar(ordered[best])}.",
            spec=scalar_forest(ordered, f"{sample.title} ({label} {arrow(sample.better)})"),
            main=label == RANKED[0],
        )


def _ranked(found: Scalars, *, better: str | None) -> Scalars:
    """Put the best row first, as its first system has it; rows without a number come last."""
    rows: dict[str, float | None] = {}
    for (row, _), number in found.items():
        rows.setdefault(row, number.value)
    sign = -1 if better == "higher" else 1
    order = sorted(rows, key=lambda row: (rows[row] is None, sign * (rows[row] or 0.0)))
    return {key: each for row in order for key, each in found.items() if key[0] == row}


def _differences_by_confidence(seen: Systems, confidences: Mapping[str, str]) -> Iterator[Figure]:
    for label in RANKED:
        found = {
            (shown, seen.title(pair)): (deltas[label], seen.numbers.better(label))
            for name, shown in confidences.items()
            for pair in seen.pairs
            if label in (deltas := seen.deltas(pair, name))
        }
        if found:
            yield differences(found, label, main=label == RANKED[0])


AXES: dict[Quantity, str] = {
    "selective_risk": "Selective risk: mean loss of accepted answers",
    "generalized_risk": "Generalized risk: loss of accepted answers per item",
}
COVERAGE = "Coverage: share of items answered"
MOST_POINTS = 400
"""Of more points than these a curve is drawn through some at even places."""
MOST_LIMITS = 120
FEWEST_POINTS = 24
MARKED = 8
"""so many points of a curve carry its shape"""
BAND = 0.16


def curve_figure(curves: Curves) -> Spec:
    """Draw risk against coverage."""
    names = [*curves.variants]
    dots = draw.Chart(draw.data("points")).encode(
        x=draw.number(draw.X, "coverage", COVERAGE, **draw.unit(10)),
        y=draw.number(draw.Y, "risk", AXES[curves.quantity]),
        color=draw.coloured("name", names),
    )
    layers = [
        _bands(dots, curves),
        draw.reference("x", curves.cut),
        draw.note(
            "areas at coverage end here",
            x=draw.at(draw.XDatum, curves.cut),
            y=draw.at(draw.YValue, 0),
        ),
        _limit_lines(curves),
        _curve_lines(dots, curves),
        _shapes(dots, names),
        draw.near(dots, _tips(curves)),
    ]
    return draw.drawn(
        draw.layered(*layers),
        points=[row for name in names for row in _points(name, curves)],
        limits=[row for name in names for row in _limits(name, curves)],
    )


def _tips(curves: Curves) -> list[draw.Part]:
    return [
        draw.tip("name", "system" if curves.by_system else "confidence"),
        draw.tip("threshold", "threshold", ".4~g"),
        draw.tip("coverage", "coverage", ".3f"),
        draw.tip("risk", curves.quantity.replace("_", " "), ".4f"),
        draw.tip("interval", "interval"),
        draw.tip("n", "n accepted", ",.10~g"),
    ]


def _points(name: str, curves: Curves) -> Iterator[draw.Row]:
    curve = curve_of(curves.variants[name])
    risk = getattr(curve, curves.quantity)
    kept = draw.even(len(curve.coverage), _most(MOST_POINTS, curves))
    marked = {kept[place] for place in draw.even(len(kept), MARKED)}
    for each in kept:
        yield {
            "name": name,
            "coverage": curve.coverage[each],
            "risk": risk[each],
            "threshold": curve.threshold[each],
            "n": curve.n_accepted[each],
            "marked": each in marked,
            **draw.ended(_ends(curve, each, curves.quantity), 4),
        }


def _ends(curve: Curve, each: int, quantity: Quantity) -> Interval:
    low, high = (getattr(curve, f"{quantity}_{end}")[each] for end in ("low", "high"))
    return None if low is None or high is None else (low, high)


def _limits(name: str, curves: Curves) -> Iterator[draw.Row]:
    curve = curve_of(curves.variants[name])
    if "achievable" in _kinds(curves):
        yield from _limit(name, "achievable", curve.hull, curves)
    if curves.by_system or name == next(iter(curves.variants)):
        yield from _limit(name, "oracle", curve.oracle, curves)


def _kinds(curves: Curves) -> list[str]:
    """Return what else is drawn.

    The hull is one of selective risks: of generalized ones it says nothing. The oracle of a system
    is the same under every confidence.
    """
    hull = curves.quantity == "selective_risk" and curves.by_system
    return [kind for kind in DASHES if hull or kind != "achievable"]


def _most(points: int, curves: Curves) -> int:
    """Return how many points a curve has: many curves share what two have."""
    return max(FEWEST_POINTS, 2 * points // max(2, len(curves.variants)))


def _limit(name: str, kind: str, limits: Limits, curves: Curves) -> Iterator[draw.Row]:
    risk = getattr(limits, curves.quantity)
    most = _most(MOST_LIMITS, curves)
    for each in draw.even(len(limits.coverage), most):
        yield {
            "name": name,
            "kind": kind,
            "coverage": limits.coverage[each],
            "risk": risk[each],
        }


def _bands(dots: draw.Layer, curves: Curves) -> draw.Layer:
    return dots.mark_area(style="band", interpolate=curves.interpolate).encode(
        y=draw.number(draw.Y, "low", AXES[curves.quantity]),
        y2=draw.Y2(field="high"),
        opacity=draw.opaque("toggle", BAND, 0, empty=curves.by_system),
    )


def _limit_lines(curves: Curves) -> draw.Layer:
    kinds = _kinds(curves)
    dash = draw.StrokeDash(
        field="kind",
        type="nominal",
        scale=draw.Scale(domain=kinds, range=[DASHES[each] for each in kinds]),
        legend=draw.Legend(symbolType="stroke", symbolSize=260),
    )
    style = "limit" if curves.by_system else "reference"
    lines = (
        draw.Chart(draw.data("limits"))
        .mark_line(style=style)
        .encode(
            x=draw.number(draw.X, "coverage", COVERAGE),
            y=draw.number(draw.Y, "risk", AXES[curves.quantity]),
            strokeDash=dash,
        )
    )
    if not curves.by_system:
        return lines
    colours = draw.coloured("name", [*curves.variants])
    return lines.encode(color=colours, opacity=draw.shown(0.9))


def _curve_lines(dots: draw.Layer, curves: Curves) -> draw.Layer:
    lines = dots.mark_line(interpolate=curves.interpolate).encode(opacity=draw.shown())
    return lines.properties(name="lines").add_params(draw.toggle("name"))


def _shapes(dots: draw.Layer, names: Sequence[str]) -> draw.Layer:
    marked = dots.transform_filter("datum.marked").mark_point()
    return marked.encode(
        shape=draw.shaped("name", names),
        opacity=draw.shown(),
    )
