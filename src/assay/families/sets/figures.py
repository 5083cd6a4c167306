"""The figures of prediction sets: coverage, where it fails, how large they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assay.display.figures.counts import size_figure
from assay.display.figures.figure import Figure, file_name
from assay.display.wording import fixed
from assay.families.coverage.figures import Drawn, coverage_figures, difference_figures, name_of

if TYPE_CHECKING:
    from assay.artifact import Artifact, Variant
    from assay.families.coverage.parts import Stratum


def figures(artifact: Artifact[Any, Any, Any]) -> Iterator[Figure]:
    """Draw an artifact of sets."""
    kinds = [Drawn("set size", "sizes", _sized), Drawn("true class", "classes", name_of)]
    yield from coverage_figures(artifact, kinds, _sizes)
    yield from difference_figures(artifact)


def _sized(stratum: Stratum) -> str:
    return f"{stratum.name} {'class' if stratum.name == '1' else 'classes'}"


def _sizes(own: Mapping[str, Variant[Any]], where: str) -> Iterator[Figure]:
    sizes = {name: {s.name: s.n for s in each.parts.sizes} for name, each in own.items()}
    first = next(iter(own.values())).numbers.get("set_size")
    mean = "" if first is None or first.value is None else f" Mean size {fixed(first.value, 2)}."
    yield Figure(
        name=file_name("set-sizes", where),
        title=f"Sizes of the sets{where}",
        caption="How many sets have so many classes; smaller sets say more.",
        alt=f"Sizes of the sets{where}.{mean}",
        spec=size_figure(sizes),
    )
