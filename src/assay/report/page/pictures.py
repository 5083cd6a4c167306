"""Figures as the page holds them: drawn wide and narrow, in the colours of the page."""

from __future__ import annotations

import re

from assay.display.figures.figure import Figure
from assay.report.figures.plotting import plotted, series
from assay.report.page.model import Picture

__all__ = ["picture"]

LARGE = 100_000
"""characters; a drawing that takes more is in the page once"""

SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
TALL = 2.0
"""times its width: a figure in half the width of a sheet is then longer than two thirds of it"""


def picture(figure: Figure, prefix: str) -> Picture:
    """Prepare a figure for the page; in the place of one that cannot be drawn a note says so."""
    wide = narrow = fault = ""
    try:
        wide, narrow = (plotted(figure, wide=size) for size in (True, False))
        if len(wide) > LARGE:
            # Many systems: one drawing serves all screens, so that a page stays small.
            wide, narrow = "", narrow.replace('class="fig narrow"', 'class="fig"', 1)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        fault = f"This figure could not be drawn ({type(error).__name__}): its table is below."
    shown = () if fault else tuple(series(figure))
    size = SIZE.search(wide or narrow)
    tall = size is not None and float(size[2]) > TALL * float(size[1])
    return Picture(f"{prefix}fig-{figure.name}", figure, wide, narrow, shown, fault, tall)
