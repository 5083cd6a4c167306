"""Figures as the page holds them: a specification to draw from, and a still in place of it."""

from __future__ import annotations

import base64
import re
from typing import Any

from assay.display.figures.theme import styled
from assay.errors import OutputError
from assay.report.figures import Figure
from assay.report.figures.files import still, svg_of
from assay.report.page.model import Picture

__all__ = ["picture"]

TAG = re.compile(r"<[a-z]+ [^>]*>")
CLASS = re.compile(r' class="[^"]*"')
FINE = re.compile(r"(\.\d\d)\d+")
"""decimals of a pixel that nobody sees"""


def picture(figure: Figure, section: str) -> Picture:
    """Prepare a figure for the page; in the place of one that cannot be drawn a note says so."""
    try:
        drawn, fault = _address(svg_of(still(_untitled(styled(figure, "screen"))))), ""
    except OutputError as error:
        drawn, fault = "", f"This figure is missing: {error.message}."
    return Picture(f"{section}-{figure.name}", figure, drawn, fault)


def _untitled(spec: dict[str, Any]) -> dict[str, Any]:
    """Leave the title to the page, which has it as text."""
    return {name: part for name, part in spec.items() if name != "title"}


def _address(drawn: str) -> str:
    """Return the picture as an address that holds it."""
    slim = TAG.sub(lambda tag: FINE.sub(r"\1", CLASS.sub("", tag[0])), drawn)
    return f"data:image/svg+xml;base64,{base64.b64encode(slim.encode()).decode()}"
