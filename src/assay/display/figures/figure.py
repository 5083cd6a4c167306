"""A figure: what is drawn, and the words that go with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.artifact import Scalar
from assay.display.numbers import Numbers
from assay.display.wording import level

Spec = dict[str, Any]
"""a Vega-Lite specification"""
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of an artifact, without colours: `theme.styled` gives it a look."""

    name: str
    """fit for a file name and an element id, and the only one of its artifact"""
    title: str
    caption: str
    """what is drawn and how to read it"""
    alt: str
    """what it shows, with the key number, for those who do not see it"""
    spec: Spec
    """width and height stand on top, the height as a step where rows of text decide it;
    colours, fonts and sizes come from the theme"""
    go: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """the filters of the cases behind a row of its data"""
    main: bool = True
    """whether it belongs on the first screen; the others are variations of it"""


def even(n_points: int, most: int) -> list[int]:
    """Return places at even distances, the first and the last among them.

    Examples
    --------
    >>> even(3, 5), even(9, 3)
    ([0, 1, 2], [0, 4, 8])
    """
    if n_points <= most:
        return [*range(n_points)]
    return [place * (n_points - 1) // (most - 1) for place in range(most)]


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
