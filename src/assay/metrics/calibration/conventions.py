"""The conventions of calibration metrics, by name, and what metrics declare about them."""

from __future__ import annotations

from typing import Literal

__all__ = [
    "BY_ROW",
    "COPIES",
    "NO_ROW",
    "ORDERED",
    "AnyOf",
    "Closed",
    "Law",
    "PValue",
    "Smoothing",
    "Start",
    "Strategy",
    "Tail",
    "Ties",
    "TopLabels",
    "TwoClasses",
]

Strategy = Literal[
    "uniform",
    "uniform-exact",
    "quantile",
    "scores",
    "mapie-uniform",
    "mapie-quantile",
    "mapie-array-split",
]
"""where bins end"""
Closed = Literal["left", "right"]
"""the end of a bin that belongs to it"""
Ties = Literal["group", "stable", "mapie"]
"""equal scores as one step, row by row in their order, or in the order of MAPIE's jitter"""
Start = Literal["zero", "mapie", "printed"]
"""the range of the cumulative differences with their start at 0, without it, or of their size"""
Law = Literal["checked", "limit"]
"""the limit law only where its size holds, corrected if need be, or as it is"""
Tail = Literal["upper", "lower", "two-sided"]
TopLabels = Literal["predicted", "all"]
"""what top-label errors are averaged over: the labels that are predicted, or all classes"""
TwoClasses = Literal["positive", "top-label"]
"""what probabilities of two classes are read as: that of one of them, or the larger of the two"""
Smoothing = Literal["exact", "relplot"]
PValue = Literal["auto", "asymptotic", "monte-carlo"]
NO_ROW = "there is no row"


class AnyOf(str):
    """A condition that several values of an option meet, for `copies` and `ordered`."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Say whether a value is one of those listed."""
        return other in self.split("|")

    __hash__ = str.__hash__


COPIES = {"strategy": AnyOf("mapie-quantile|mapie-array-split")}
ORDERED = {"strategy": "mapie-array-split"}
BY_ROW = {"ties": AnyOf("stable|mapie")}
