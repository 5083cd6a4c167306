"""What the metrics of this family declare, and the reasons they give."""

from __future__ import annotations

__all__ = ["BY_ROW", "COPIES", "NO_ROW", "ORDERED", "AnyOf"]

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
