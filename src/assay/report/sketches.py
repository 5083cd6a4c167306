"""Curves as one line of bars each, for the console."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.artifacts import ComparisonArtifact, Curve, SelectiveArtifact, Variant
from assay.artifacts.calibration import CalibrationArtifact
from assay.report.systems import Artifact, Systems
from assay.report.view import Sketch
from assay.report.wording import fixed, percent, sparkline
from assay.showing import inert

__all__ = ["reliability_sketch", "risk_sketch"]

N_BARS = 20
"""a bar for every twentieth of the items"""


def risk_sketch(artifact: Artifact, seen: Systems) -> Sketch:
    """Sketch risk by coverage, a line per system and confidence, all on one scale."""
    variants = [*_variants(artifact, seen)]
    risks = (max(each.curve.selective_risk, default=0.0) for _, each in variants)
    top = max(risks, default=0.0)
    lines = tuple((name, sparkline(_bars(each.curve), top), _ends(each)) for name, each in variants)
    return Sketch(f"Selective risk by coverage, 0 to 1 (bars up to {fixed(top, 3)})", lines)


def _variants(artifact: Artifact, seen: Systems) -> Iterator[tuple[str, Variant]]:
    several = len(seen.names) > 1, len(seen.confidences) > 1
    for shown, first in seen.first.items():
        for side, variant in _sides(artifact, first):
            parts = [seen.names[side]] * several[0] + [shown] * several[1]
            yield " ".join(parts) or shown, variant


def _sides(artifact: Artifact, name: str) -> Iterator[tuple[int, Variant]]:
    match artifact:
        case SelectiveArtifact():
            yield 0, artifact.confidence_variants[name]
        case ComparisonArtifact():
            for key, variant in artifact.confidence_variants[name].items():
                yield int(key.removeprefix("input_")), variant


def _bars(curve: Curve) -> Sequence[float | None]:
    """Read the curve at even coverages: the risk of the first point that reaches each."""
    points = [*zip(curve.coverage, curve.selective_risk, strict=True)]
    wanted = [(place + 1) / N_BARS for place in range(N_BARS)]
    return [next((risk for reached, risk in points if reached >= at), None) for at in wanted]


def _ends(variant: Variant) -> str:
    curve = variant.curve
    if not curve.coverage:
        return variant.metrics["risk"].reason or "nothing is answered"
    first, last = (
        f"{fixed(curve.selective_risk[end], 3)} at {percent(curve.coverage[end])}"
        for end in (0, -1)
    )
    return f"{first}, {last}" if len(curve.coverage) > 1 else last


def reliability_sketch(artifact: CalibrationArtifact) -> Sketch:
    """Sketch what is stated above what comes true, bin by bin; calibrated lines are alike."""
    return Sketch(
        "Stated and come true, by bin (bars up to 1)",
        tuple(
            (f"{inert(system.name)} {what}", sparkline(values, 1.0), "")
            for system in artifact.systems
            for what, values in (
                ("stated", [each.mean_confidence for each in system.reliability]),
                ("true", [each.accuracy for each in system.reliability]),
            )
        ),
    )
