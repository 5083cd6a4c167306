"""The figures of a selective evaluation: curves, ranking of confidences, paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.artifact import Board, Resampling, Variant
from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, bars, even, file_name, told, told_scalar
from assay.display.figures.forests import Scalars, differences, paired, scalar_forest
from assay.display.figures.lines import Curves, Quantity, curve_figure
from assay.display.figures.theme import DASHES
from assay.display.numbers import arrow
from assay.display.wording import count, level
from assay.families.selective.parts import Curve, Limits, SelectiveArtifact, SelectiveParts
from assay.families.selective.systems import Systems, curve_of, systems

Drawn = Variant[SelectiveParts]
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
            curves = _read(artifact, variants, quantity, by_system=True)
            yield _curve(artifact, [*variants.values()], curves, where, slug, main=number == 0)
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
            curves = _read(artifact, variants, quantity, by_system=False)
            yield _curve(artifact, [*variants.values()], curves, where, slug, main=main)


def _curve(
    artifact: SelectiveArtifact,
    own: Sequence[Drawn],
    curves: Curves,
    where: str,
    slug: str,
    *,
    main: bool,
) -> Figure:
    area, title = AREAS[curves.quantity], f"{TITLES[curves.quantity]}{where}"
    numbers = {name: each.numbers[area] for name, each in zip(curves.names, own, strict=True)}
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


MOST_POINTS = 400
"""Of more points than these a curve is drawn through some at even places."""
MOST_LIMITS = 120
FEWEST_POINTS = 24
MARKED = 8
"""so many points of a curve carry its shape"""


def _read(
    artifact: SelectiveArtifact,
    variants: Mapping[str, Drawn],
    quantity: Quantity,
    *,
    by_system: bool,
) -> Curves:
    """Read curves as the artifact says, and the best curves over the same answers.

    The hull is one of selective risks: of generalized ones it says nothing. The oracle of a system
    is the same under every confidence.
    """
    names = draw.labels([*variants])
    held = dict(zip(names, map(curve_of, variants.values()), strict=True))
    hulls = held if quantity == "selective_risk" and by_system else {}
    oracles = held if by_system else dict([*held.items()][:1])
    most = _most(MOST_LIMITS, len(held))
    limits = [
        row
        for name, curve in held.items()
        for kind, shown, of in (
            ("achievable", hulls, curve.hull),
            ("oracle", oracles, curve.oracle),
        )
        if name in shown
        for row in _limit((name, kind), of, quantity, most)
    ]
    chosen = artifact.conventions
    return Curves(
        names=names,
        points=[row for name, of in held.items() for row in _points(name, of, quantity, len(held))],
        limits=limits,
        kinds=[kind for kind in DASHES if hulls or kind != "achievable"],
        quantity=quantity,
        by_system=by_system,
        cut=float(str(chosen["area_coverage"])),
        joined=chosen["area"] == "trapezoid",
    )


def _most(points: int, n_curves: int) -> int:
    """Return how many points a curve has: many curves share what two have."""
    return max(FEWEST_POINTS, 2 * points // max(2, n_curves))


def _points(name: str, curve: Curve, quantity: Quantity, n_curves: int) -> Iterator[draw.Row]:
    risk, low, high = (getattr(curve, f"{quantity}{end}") for end in ("", "_low", "_high"))
    kept = even(len(curve.coverage), _most(MOST_POINTS, n_curves))
    marked = {kept[place] for place in even(len(kept), MARKED)}
    for each in kept:
        bare = low[each] is None or high[each] is None
        yield {
            "name": name,
            "coverage": curve.coverage[each],
            "risk": risk[each],
            "threshold": curve.threshold[each],
            "n": curve.n_accepted[each],
            "marked": each in marked,
            **draw.ended(None if bare else (low[each], high[each]), 4),
        }


def _limit(
    called: tuple[str, str], limits: Limits, quantity: Quantity, most: int
) -> Iterator[draw.Row]:
    name, kind = called
    risk = getattr(limits, quantity)
    for each in even(len(limits.coverage), most):
        yield {
            "name": name,
            "kind": kind,
            "coverage": limits.coverage[each],
            "risk": risk[each],
        }
