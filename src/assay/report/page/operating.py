"""Operating points: every threshold of a curve, and what it leads to, as finished strings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from assay.artifacts import Artifact, ComparisonArtifact, Curve, Number, SelectiveArtifact
from assay.artifacts.commands import runnable
from assay.report.page.model import Choice, Operating, Point
from assay.report.systems import systems
from assay.report.wording import count, fixed, level, percent
from assay.showing import inert

__all__ = ["operating", "operating_spec"]

MOST_POINTS = 200
"""Of more thresholds than these a slider offers some at even places."""
PLACES = 3
SELECTIVE = "assay selective"


def operating(artifact: Artifact, section: str) -> Operating | None:
    """List the operating points of a selective artifact."""
    match artifact:
        case SelectiveArtifact() | ComparisonArtifact():
            choices = tuple(_choices(artifact))
        case _:
            return None
    if not choices:
        return None
    return Operating(
        id=f"{section}-operating",
        choices=choices,
        level=level(artifact.resampling.level),
        unit=artifact.loss.name,
        note=_note(artifact),
    )


def _note(artifact: SelectiveArtifact | ComparisonArtifact) -> str:
    told = (
        "A threshold that was chosen by looking at these very items is too optimistic about new"
        " ones: choose on one run, report on another."
    )
    if not artifact.resampling.n_resamples:
        return f"{told} There are no intervals, because no resamples were asked for."
    return f"{told} Intervals are pointwise, over resampled participants."


def _choices(artifact: SelectiveArtifact | ComparisonArtifact) -> Iterator[Choice]:
    seen = systems(artifact)
    for shown, first in seen.first.items():
        for name, curve in _curves(artifact, first, seen.names):
            points = tuple(_points(curve, _command(artifact, first)))
            if points:
                label = f"{name}, {shown}" if len(seen.names) > 1 else shown
                yield Choice(label, points, len(points) // 2)


def _curves(
    artifact: SelectiveArtifact | ComparisonArtifact, confidence: str, names: tuple[str, ...]
) -> Iterator[tuple[str, Curve]]:
    match artifact:
        case SelectiveArtifact():
            yield names[0], artifact.confidence_variants[confidence].curve
        case ComparisonArtifact():
            for key, variant in artifact.confidence_variants[confidence].items():
                yield names[int(key.removeprefix("input_"))], variant.curve


def _command(artifact: SelectiveArtifact | ComparisonArtifact, confidence: str) -> str:
    """Return the command that reports an operating point, up to the threshold."""
    recorded = runnable(artifact.command)
    if recorded.startswith(SELECTIVE):
        return recorded
    words = [word for each in artifact.inputs for word in ("--input", each.path)]
    words += [word for each in artifact.inputs if each.mode for word in ("--mode", each.mode)]
    words += ["--loss", artifact.loss.name, "--confidence", confidence]
    return inert(f"{SELECTIVE} {shlex.join(words)}")


def _points(curve: Curve, command: str) -> Iterator[Point]:
    """Yield one point per threshold: where equal ones stand apart, all of them are accepted."""
    following = [*curve.threshold[1:], None]
    both = zip(curve.threshold, following, strict=False)
    last = [at for at, (own, after) in enumerate(both) if own != after]
    for at in _even(last):
        threshold = repr(curve.threshold[at])
        yield Point(
            threshold=f"{curve.threshold[at]:.6g}",
            command=f"{command} --threshold {threshold}",
            coverage=_share(curve.coverage[at], curve.coverage_low[at], curve.coverage_high[at]),
            risk=_risk(curve, "selective_risk", at),
            generalized=_risk(curve, "generalized_risk", at),
            accepted=count(round(curve.n_accepted[at])),
            handed=count(round(curve.n_handed_over[at])),
            at=_drawn(curve, at),
        )


def _even(places: list[int]) -> list[int]:
    if len(places) <= MOST_POINTS:
        return places
    return [places[each * (len(places) - 1) // (MOST_POINTS - 1)] for each in range(MOST_POINTS)]


def _share(value: float, low: Number, high: Number) -> str:
    ends = "" if low is None or high is None else f" [{percent(low)}, {percent(high)}]"
    return f"{percent(value)}{ends}"


def _risk(curve: Curve, quantity: str, at: int) -> str:
    value, low, high = (getattr(curve, f"{quantity}{end}")[at] for end in ("", "_low", "_high"))
    ends = "" if low is None or high is None else f" [{fixed(low, PLACES)}, {fixed(high, PLACES)}]"
    return f"{fixed(value, PLACES)}{ends}"


def _drawn(curve: Curve, at: int) -> dict[str, Any]:
    return {
        "coverage": curve.coverage[at],
        "risk": curve.selective_risk[at],
        "low": curve.selective_risk_low[at],
        "high": curve.selective_risk_high[at],
    }


def operating_spec() -> dict[str, Any]:
    """Return the figure beside the slider: the script hands it the curve and the chosen point."""
    x = {
        "field": "coverage",
        "type": "quantitative",
        "title": "Coverage",
        "scale": {"domain": [0, 1]},
        "axis": {"format": ".0%"},
    }
    y = {"field": "risk", "type": "quantitative", "title": "Selective risk"}
    band = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    return {
        "height": 240,
        "width": 420,
        "datasets": {"curve": [], "chosen": []},
        "layer": [
            {
                "data": {"name": "curve"},
                "mark": {"type": "area", "style": "band"},
                "encoding": band,
            },
            {"data": {"name": "curve"}, "mark": {"type": "line"}, "encoding": {"x": x, "y": y}},
            {
                "data": {"name": "chosen"},
                "mark": {"type": "rule", "style": "reference"},
                "encoding": {"x": x},
            },
            {
                "data": {"name": "chosen"},
                "mark": {"type": "point", "style": "hover", "size": 120},
                "encoding": {"x": x, "y": y},
            },
        ],
    }
