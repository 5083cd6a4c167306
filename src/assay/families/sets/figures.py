"""The figures of prediction sets: coverage, where it fails, how large they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, Spec, file_name
from assay.display.wording import count, fixed
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
    sizes = {name: each.parts.sizes for name, each in own.items()}
    first = next(iter(own.values())).numbers.get("set_size")
    mean = "" if first is None or first.value is None else f" Mean size {fixed(first.value, 2)}."
    yield Figure(
        name=file_name("set-sizes", where),
        title=f"Sizes of the sets{where}",
        caption="How many sets have so many classes; smaller sets say more.",
        alt=f"Sizes of the sets{where}.{mean}",
        spec=size_figure(sizes),
    )


def size_figure(sizes: Mapping[str, Sequence[Stratum]]) -> Spec:
    """Draw how many sets have so many members."""
    rows: list[draw.Row] = [
        {"name": name, "size": each.name, "n": each.n, "text": count(each.n)}
        for name, strata in sizes.items()
        for each in strata
    ]
    names = [*sizes]
    order = [*dict.fromkeys(row["size"] for row in rows)]
    axis = draw.Axis(labelAngle=0, grid=False)
    base = draw.Chart(draw.data("sizes")).encode(
        x=draw.named(draw.X, "size", order, title="Classes in the set", axis=axis),
        y=draw.number(draw.Y, "n", "Sets"),
        xOffset=draw.named(draw.XOffset, "name", names),
        opacity=draw.shown(),
        tooltip=[draw.tip("name", "system"), draw.tip("size", "classes"), draw.tip("text", "sets")],
    )
    bars = base.mark_bar().encode(color=draw.coloured("name", names))
    texts = base.mark_text(style="note", baseline="bottom", dy=-2).encode(
        text=draw.Text(field="text", type="nominal")
    )
    return draw.drawn(
        draw.layered(bars.properties(name="bars").add_params(draw.toggle("name")), texts),
        300,
        sizes=rows,
    )
