"""The words around figures: file names, numbers in a sentence, what a difference says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.artifacts import Delta, Resampling, Scalar
from assay.report.figures.figure import Figure
from assay.report.figures.forests import APART, Deltas, delta_forest
from assay.report.numbers import Notes, arrow
from assay.report.wording import level

__all__ = ["bars", "differences", "file_name", "told", "told_scalar"]

LONGEST_NAME = 60
CROSSING = (
    "Each dot is a difference on the same cases with its interval; one that crosses the line at"
    " zero cannot tell which is better."
)


def file_name(stem: str, *more: str) -> str:
    """Name a figure so that any file system and any page takes it.

    Examples
    --------
    >>> file_name("risk-coverage", "few_shot, by <b>confidence")
    'risk-coverage-few-shot-by-b-confidence'
    """
    words = re.sub(r"[^a-z0-9]+", "-", "-".join((stem, *more)).lower())
    return words[:LONGEST_NAME].strip("-")


def bars(plan: Resampling, more: str = "intervals") -> str:
    """Say what bars are, where there are any."""
    return f" Bars: {level(plan.level)} {more}." if plan.n_resamples else ""


def told_scalar(number: Scalar) -> str:
    """Tell a number with its interval."""
    (cell,) = Notes(resampled=False).scalars([number])
    return f"{cell.text} {cell.beside}".strip()


def told(label: str, numbers: Mapping[str, Scalar]) -> str:
    """Tell the numbers of several systems in a sentence."""
    cells = Notes(resampled=False).scalars([*numbers.values()])
    parts = [
        f"{name} {cell.text} {cell.beside}".strip()
        for name, cell in zip(numbers, cells, strict=True)
    ]
    return f"{label}: {', '.join(parts)}."


def differences(found: Deltas, what: str, *, main: bool) -> Figure:
    """Draw differences in rows, all of one number or of several in the same unit."""
    pairs = [*dict.fromkeys(pair for _, pair in found)]
    first = next(iter(found.values()))
    of = f" of {what} {arrow(first.better)}".rstrip() if what else ""
    alone = f": {pairs[0]}" if len(pairs) == 1 else ""
    rows = (
        found
        if alone
        else {(f"{row}{APART}{pair}", ""): each for (row, pair), each in found.items()}
    )
    return Figure(
        name=file_name("differences", what) if what else "differences",
        title=f"Paired differences{of}{alone}",
        caption=CROSSING,
        alt=f"Paired differences{of}. {_read(found)}",
        spec=delta_forest(rows, f"Difference{of}"),
        main=main,
    )


def _read(found: Deltas) -> str:
    (row, pair), first = next(iter(found.items()))
    return f"{pair}, {row}: {_delta(first)}."


def _delta(found: Delta) -> str:
    scratch = Notes(resampled=False)
    cell = scratch.delta(found)
    reading = scratch.reading(found).text or "cannot tell"
    return f"{cell.text} {cell.beside}, {reading}"
