"""The figures of prediction intervals: coverage, where it fails, how wide they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure
from assay.display.figures.lines import width_figure
from assay.families.coverage.figures import Drawn, coverage_figures, difference_figures
from assay.families.coverage.words import size_range

if TYPE_CHECKING:
    from assay.artifact import Artifact
    from assay.families.coverage.parts import Stratum
    from assay.families.intervals.parts import WidthDistribution


def figures(artifact: Artifact[Any, Any, Any]) -> Iterator[Figure]:
    """Draw an artifact of intervals."""
    yield from coverage_figures(artifact, [Drawn("width", "sizes", _placed, _ranged)])
    if _finite(artifact):
        yield _width(artifact)
    yield from difference_figures(artifact)


def _placed(stratum: Stratum) -> str:
    return f"part {stratum.name} by width"


def _ranged(stratum: Stratum) -> str:
    return "infinite width" if stratum.size_low is None else size_range(stratum)


def _finite(artifact: Artifact[Any, Any, Any]) -> bool:
    variants = [each for system in artifact.systems for each in system.variants.values()]
    return any(width is not None for each in variants for width in each.parts.widths.width)


def _width(artifact: Artifact[Any, Any, Any]) -> Figure:
    names = draw.labels([each.name for each in artifact.systems])
    several = len(artifact.systems[0].variants) > 1
    widths = {
        (f"{name}, level {key}" if several else name): each.parts.widths
        for name, own in zip(names, artifact.systems, strict=True)
        for key, each in own.variants.items()
    }
    first = next(iter(artifact.systems[0].variants.values())).numbers["interval_width"]
    mean = "infinite or undefined" if first.value is None else f"{first.value:.4g}"
    return Figure(
        name="widths",
        title="Widths of the intervals",
        caption="Further left is narrower. Marks: the quarters. Infinite widths are left out.",
        alt=f"Share of intervals at most so wide. Mean width of {names[0]} {mean}.",
        spec=width_figure([*_rows(widths)], [*widths]),
    )


def _rows(widths: Mapping[str, WidthDistribution]) -> Iterator[draw.Row]:
    for name, each in widths.items():
        for share, width in zip(each.share, each.width, strict=True):
            if width is not None:
                yield {"name": name, "share": share, "width": width}
