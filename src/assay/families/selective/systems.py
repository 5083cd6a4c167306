"""A selective artifact seen as systems by name, under confidences that really differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from assay.artifact import Delta, Pair, Scalar, Variant
from assay.display.numbers import Numbers, minus
from assay.display.words import system_names
from assay.families.selective.parts import PEOPLE, Curve, SelectiveArtifact, SelectiveParts
from assay.showing import inert

__all__ = ["Systems", "curve_of", "systems"]

Sides = Mapping[int, Mapping[str, Scalar]]
"""system -> label -> number"""


@dataclass(frozen=True, slots=True)
class Systems:
    """Names of systems and confidences, and the numbers under them."""

    artifact: SelectiveArtifact
    names: tuple[str, ...]
    confidences: Mapping[str, Sides]
    """confidences with the same numbers are one, under all of their names"""
    first: Mapping[str, str]
    """confidence -> the first of its names"""
    numbers: Numbers
    """how numbers are shown"""

    @property
    def pairs(self) -> list[Pair]:
        """What is compared."""
        return self.artifact.pairs

    def deltas(self, pair: Pair, confidence: str) -> Mapping[str, Delta]:
        """Return the differences of a pair under a confidence, none if one side lacks it."""
        return pair.deltas.get(self.first[confidence], {})

    def title(self, pair: Pair) -> str:
        """Name a difference."""
        return minus(self.names, pair)

    def sides(self, pair: Pair) -> tuple[str, str]:
        """Name left and right."""
        return self.names[pair.left], self.names[pair.right]

    def people(self) -> Sides:
        """Return the numbers of participants, which no confidence changes."""
        every = enumerate(self.artifact.systems)
        return {place: system.variants[PEOPLE].numbers for place, system in every}

    def variants(self, confidence: str) -> Iterator[tuple[int, Variant[SelectiveParts]]]:
        """Yield what systems have under a confidence, by the number of the system."""
        name = self.first[confidence]
        for place, system in enumerate(self.artifact.systems):
            if name in system.variants:
                yield place, system.variants[name]


def curve_of(variant: Variant[SelectiveParts]) -> Curve:
    """Return the curve of a confidence; an artifact without one is refused when it is read."""
    return cast("Curve", variant.parts.curve)


def systems(artifact: SelectiveArtifact) -> Systems:
    """See an artifact by system and confidence."""
    by_name: dict[str, dict[int, Mapping[str, Scalar]]] = {}
    for place, system in enumerate(artifact.systems):
        for name, variant in system.variants.items():
            if name != PEOPLE:
                by_name.setdefault(name, {})[place] = variant.numbers
    groups: list[list[str]] = []
    for name, sides in by_name.items():
        same = [group for group in groups if by_name[group[0]] == sides]
        if same:
            same[0].append(name)
        else:
            groups.append([name])
    label = {" = ".join(map(inert, group)): group[0] for group in groups}
    return Systems(
        artifact=artifact,
        names=tuple(system_names(artifact)),
        confidences={shown: by_name[first] for shown, first in label.items()},
        first=label,
        numbers=Numbers.of(artifact),
    )
