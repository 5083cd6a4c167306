"""What artifacts of version 1 repeat beside every number, told once per metric."""

from __future__ import annotations

from collections.abc import Mapping

from assay.artifact import Described
from assay.artifacts import Delta, Scalar
from assay.display.numbers import stem

__all__ = ["described"]


def described(*numbers: Mapping[str, Scalar] | Mapping[str, Delta]) -> dict[str, Described]:
    """Return title and better side of every metric."""
    return {
        stem(label): Described(title=number.title, better=number.better)
        for own in numbers
        for label, number in own.items()
    }
