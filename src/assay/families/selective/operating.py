"""Operating points: every threshold of a curve, and what it leads to, as finished strings."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from assay.artifact import runnable
from assay.display.figures.figure import even
from assay.display.numbers import ends
from assay.display.wording import count, fixed, level, percent
from assay.display.words import Choice, Operating, Point
from assay.families.selective.parts import Curve, SelectiveArtifact
from assay.families.selective.systems import curve_of, systems
from assay.showing import inert

__all__ = ["operating"]

FEWEST_POINTS, MOST_IN_ALL = 24, 1_000
"""thresholds of a curve at least, and of all curves of a page"""
MOST_CURVES = 20
"""of more curves than these the first are offered"""
MOST_POINTS = 200
"""Of more thresholds than these a slider offers some at even places."""
PLACES = 3
SELECTIVE = "assay selective"


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
