"""The figures of an artifact, as Vega-Lite specifications: every value in them is the artifact's.

`figures` draws them without colours, `styled` gives them a look, `files.rendered` makes
pictures of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assay.display.figures.figure import Figure
from assay.display.figures.theme import styled
from assay.report.presenters import drawing_of, require_packages

__all__ = ["Figure", "figures", "styled"]


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
