"""The figures of a selective evaluation: curves, ranking of confidences, paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.artifacts import Variant
from assay.display.figures.drawing import labels
from assay.display.figures.figure import Figure
from assay.display.figures.forests import Scalars, scalar_forest
from assay.display.figures.words import bars, differences, file_name, paired, told, told_scalar
from assay.display.numbers import arrow
from assay.display.wording import count, level
from assay.report.families.selective.curves import Curves, Quantity, curve_figure
from assay.report.families.selective.systems import Artifact, Systems, systems

__all__ = ["figures"]

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
class _Drawn:
    """What one figure of curves shows."""

    variants: Mapping[str, Variant]
    quantity: Quantity
    where: str
    """the end of its title"""
    what: str
    """what its names are: system or confidence"""
    slug: str
    main: bool

    @property
    def title(self) -> str:
        return f"{TITLES[self.quantity]}{self.where}"


def figures(artifact: Artifact) -> Iterator[Figure]:
    """Draw an artifact of one system, or of several."""
    seen = systems(artifact)
    confidences = dict(zip(seen.confidences, labels([*seen.confidences]), strict=True))
    several = len(confidences) > 1
    if several:
        yield from _rankings(artifact, seen, confidences)
        yield from _by_confidence(artifact, seen, confidences)
    for number, (name, shown) in enumerate(confidences.items()):
        variants = {seen.names[side]: each for side, each in seen.variants(artifact, name)}
        where = (f", confidence {shown}" if shown != "confidence" else f", {shown}") * several
        for quantity in NAMES:
            slug = shown if several else ""
            wanted = _Drawn(variants, quantity, where, "system", slug, main=number == 0)
            yield _curve(artifact, wanted)
    if several:
        yield from _differences_by_confidence(seen, confidences)
    else:
        alone = next(iter(seen.confidences))
        pairs = {seen.title(pair): seen.deltas(pair, alone) for pair in seen.pairs}
        yield from paired(pairs, COMPARED, seen.numbers.metrics)


def _by_confidence(
    artifact: Artifact, seen: Systems, confidences: Mapping[str, str]
) -> Iterator[Figure]:
    for side, system in enumerate(seen.names):
        variants = {
            shown: variant
            for name, shown in confidences.items()
            for number, variant in seen.variants(artifact, name)
            if number == side
        }
        compared = len(seen.names) > 1
        where = f" of {system}, by confidence" if compared else ", by confidence"
        slug = f"{system} by confidence" if compared else "by confidence"
        for quantity in NAMES:
            main = quantity == "selective_risk"
            yield _curve(artifact, _Drawn(variants, quantity, where, "confidence", slug, main=main))


def _curve(artifact: Artifact, wanted: _Drawn) -> Figure:
    chosen, quantity = artifact.conventions, wanted.quantity
    shown = dict(zip(labels([*wanted.variants]), wanted.variants.values(), strict=True))
    curves = Curves(
        variants=shown,
        quantity=quantity,
        what=wanted.what,
        cut=float(str(chosen["area_coverage"])),
        joined=chosen["area"] == "trapezoid",
        banded=wanted.what == "system",
    )
    area = AREAS[quantity]
    numbers = {name: each.metrics[area] for name, each in shown.items()}
    return Figure(
        name=file_name(NAMES[quantity], wanted.slug),
        title=wanted.title,
        caption=" ".join(_caption(artifact, wanted)),
        alt=f"{wanted.title}. {told(area.upper(), numbers)}",
        spec=curve_figure(curves),
        main=wanted.main,
    )


def _caption(artifact: Artifact, wanted: _Drawn) -> Iterator[str]:
    plan, by_system = artifact.resampling, wanted.what == "system"
    yield "Lower is better; a curve ends where the system answers no more items."
    if plan.n_resamples:
        band = f"Bands: pointwise {level(plan.level)} intervals over resampled participants"
        yield f"{band}{'' if by_system else ', for what is clicked in the legend'}."
    if by_system and wanted.quantity == "selective_risk":
        yield HULL
    yield ORACLE


def _rankings(
    artifact: Artifact, seen: Systems, confidences: Mapping[str, str]
) -> Iterator[Figure]:
    for label in RANKED:
        found = {
            (shown, seen.names[side]): numbers[label]
            for name, shown in confidences.items()
            for side, numbers in seen.confidences[name].items()
        }
        sample = next(iter(found.values()))
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
            (shown, seen.title(pair)): (deltas[label], deltas[label].better)
            for name, shown in confidences.items()
            for pair in seen.pairs
            if label in (deltas := seen.deltas(pair, name))
        }
        if found:
            yield differences(found, label, main=label == RANKED[0])
