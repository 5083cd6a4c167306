"""The figures of an artifact, as Vega-Lite specifications: every value in them is the artifact's.

`figures` draws them without colours, `styled` gives them a look, `rendered` makes pictures of
them, without a browser and without a network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal

from assay.display.figures.figure import Figure, Spec
from assay.display.figures.theme import Style, styled
from assay.errors import OutputError
from assay.report.presenters import drawing_of, require_packages
from assay.showing import inert, shortened

__all__ = ["Figure", "Format", "figures", "rendered", "styled"]

CUT = re.compile(r'(?<=id=")clip\d+(?=")|(?<=url\(#)clip\d+(?=\))')
LONGEST = 120
HINT = "its numbers are in the artifact and in the tables of `assay report`"


def figures(artifact: Any) -> list[Figure]:
    """Draw everything an artifact has a figure for."""
    require_packages()
    draw = drawing_of(artifact)
    parts = [*draw(artifact)] if draw else []
    found: list[Figure] = []
    for each in parts:
        taken = {figure.name for figure in found}
        tries = (each.name, *(f"{each.name}-{again}" for again in range(2, len(found) + 3)))
        found.append(replace(each, name=next(name for name in tries if name not in taken)))
    return found


Format = Literal["svg", "png", "pdf"]
DENSITY: dict[Style, float] = {"screen": 2.0, "dark": 2.0, "paper": 4.0}
"""dots per pixel of a PNG: one for a screen is sharp when magnified, one for paper when printed"""


def rendered(
    figure: Figure, form: Format, *, style: Style = "screen", width: int | None = None
) -> bytes:
    """Draw a figure as a picture, all in all so many pixels wide; a PDF has 72 to the inch."""
    require_packages()
    import vl_convert

    spec: Any = still(styled(figure, style, width=width))
    nowhere: list[str] = []
    match form:
        case "svg":
            return _described(svg_of(spec), figure.alt).encode()
        case "png":
            scale = DENSITY[style]
            with _drawing():
                return vl_convert.vegalite_to_png(spec, scale=scale, allowed_base_urls=nowhere)
        case "pdf":
            # Two fonts would come in any order: with one, the same figure is the same file.
            spec["config"]["title"]["fontWeight"] = "normal"
            with _drawing():
                return vl_convert.vegalite_to_pdf(spec, allowed_base_urls=nowhere)


@contextmanager
def _drawing() -> Iterator[None]:
    """Say in a sentence why a figure cannot be drawn."""
    try:
        yield
    except ValueError as error:
        _, _, reason = str(error).partition("\n")
        msg = f"it cannot be drawn: {shortened(inert(reason.partition(chr(10))[0]), LONGEST)}"
        raise OutputError(msg, hint=HINT) from None


def svg_of(spec: Spec) -> str:
    """Draw a specification; what is cut out is numbered within the picture, not since the start."""
    import vl_convert

    with _drawing():
        drawn = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    found = dict.fromkeys(CUT.findall(drawn))
    numbers = {name: f"clip{place}" for place, name in enumerate(found, start=1)}
    return CUT.sub(lambda cut: numbers[cut[0]], drawn)


def still(spec: Spec) -> Spec:
    """Leave out what only a pointer brings out, and words for every single mark."""
    layers = [each for each in spec["layer"] if _role(each) != "hover"]
    params = [each for each in spec.get("params", ()) if each["name"] != "near"]
    config = {**spec["config"], "aria": False}
    return {**spec, "layer": layers, "params": params, "config": config}


def _role(layer: Spec) -> str | None:
    mark = layer.get("mark")
    return mark.get("style") if type(mark) is dict else None


def _described(drawn: str, alt: str) -> str:
    """Give a picture the words for those who do not see it."""
    from xml.sax.saxutils import quoteattr  # noqa: PLC0415 - brings what fetches pages along

    return drawn.replace("<svg ", f'<svg role="img" aria-label={quoteattr(inert(alt))} ', 1) + "\n"
