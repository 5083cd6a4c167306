"""The words around figures: file names, numbers in a sentence, what a difference says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.artifact import Described
from assay.display.figures.figure import Figure
from assay.display.figures.forests import APART, Deltas, delta_forest
from assay.display.numbers import Delta, Numbers, Scalar, arrow, read, stem
from assay.display.wording import level

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


def bars(plan: Any, more: str = "intervals") -> str:
    """Say what bars are, where there are any."""
    return f" Bars: {level(plan.level)} {more}." if plan.n_resamples else ""


def told_scalar(number: Scalar) -> str:
    """Tell a number with its interval."""
    (cell,) = Numbers({}).scalars([number])
    return f"{cell.text} {cell.beside}".strip()


def told(label: str, numbers: Mapping[str, Scalar]) -> str:
    """Tell the numbers of several systems in a sentence."""
    cells = Numbers({}).scalars([*numbers.values()])
    parts = [
        f"{name} {cell.text} {cell.beside}".strip()
        for name, cell in zip(numbers, cells, strict=True)
    ]
    return f"{label}: {', '.join(parts)}."


def differences(found: Deltas, what: str, *, main: bool) -> Figure:
    """Draw differences in rows, all of one number or of several in the same unit."""
    pairs = [*dict.fromkeys(pair for _, pair in found)]
    _, better = next(iter(found.values()))
    of = f" of {what} {arrow(better)}".rstrip() if what else ""
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
    (row, pair), (first, _) = next(iter(found.items()))
    cell = Numbers({}).delta(first)
    return f"{pair}, {row}: {cell.text} {cell.beside}, {read(first) or 'cannot tell'}."


def paired(
    pairs: Mapping[str, Mapping[str, Delta]],
    labels: Iterable[str],
    metrics: Mapping[str, Described],
) -> Iterator[Figure]:
    """Draw some differences of every pair in one figure, if there are any."""
    found = {
        (label, pair): (deltas[label], metrics[stem(label)].better)
        for label in labels
        for pair, deltas in pairs.items()
        if label in deltas
    }
    if found:
        yield differences(found, "", main=True)
