"""Figures as the page holds them: drawn wide and narrow, in the colours of the page."""

from __future__ import annotations

from assay.display.figures.figure import Figure
from assay.report.figures.plotting import plotted, series
from assay.report.page.model import Picture

__all__ = ["picture"]


def picture(figure: Figure, prefix: str) -> Picture:
    """Prepare a figure for the page; in the place of one that cannot be drawn a note says so."""
    wide = narrow = fault = ""
    try:
        wide, narrow = (plotted(figure, wide=size) for size in (True, False))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        fault = f"This figure could not be drawn ({type(error).__name__}): its table is below."
    shown = () if fault else tuple(series(figure))
    return Picture(f"{prefix}fig-{figure.name}", figure, wide, narrow, shown, fault)
