"""What artifacts of version 1 repeat beside every number, told once per metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.artifact import Described
from assay.artifacts import Delta, Scalar
from assay.display.numbers import Numbers, stem

__all__ = ["described", "numbers_of"]

Labelled = Mapping[str, Scalar] | Mapping[str, Delta]


def described(*numbers: Labelled) -> dict[str, Described]:
    """Return title and better side of every metric."""
    return {
        stem(label): Described(title=number.title, better=number.better)
        for own in numbers
        for label, number in own.items()
    }


def numbers_of(artifact: Any, *numbers: Labelled) -> Numbers:
    """Return how the numbers of an artifact are shown, given all of them and all differences."""
    resampled = artifact.resampling.n_resamples > 0
    return Numbers(described(*numbers), resampled, n_pairs=len(artifact.pairs))
