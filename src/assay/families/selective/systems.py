"""A selective artifact seen as systems by name, under confidences that really differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from msgspec.structs import replace

from assay.artifact import Delta, Pair, Scalar, Variant
from assay.display.blocks import Cell, Grid, Row
from assay.display.numbers import Numbers, minus, stem
from assay.display.svg.curves import Line
from assay.display.words import system_names
from assay.families.selective.parts import PEOPLE, Curve, SelectiveArtifact, SelectiveParts
from assay.showing import inert

__all__ = ["Systems", "curve_grid", "curve_of", "systems"]

AREAS = frozenset(
    {
        *("aurc", "augrc", "augrc_normalized", "aurc_at_coverage", "augrc_at_coverage"),
        *("aurc_optimal", "augrc_optimal", "aurc_achievable", "eaurc", "eaugrc"),
    }
)
"""numbers that are 0 by convention where nothing is answered"""
MOST_ROWS = 60
"""of a curve as a table"""
PERCENT_SPACE = "\N{NO-BREAK SPACE}"
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


def _without_conventions(numbers: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    """Leave areas out that are 0 only by convention: those of a system that answers nothing."""
    risk = numbers["risk"]
    if risk.value is not None:
        return numbers
    return {
        label: replace(each, value=None, reason=risk.reason, interval=None)
        if stem(label) in AREAS
        else each
        for label, each in numbers.items()
    }


def systems(artifact: SelectiveArtifact) -> Systems:
    """See an artifact by system and confidence."""
    by_name: dict[str, dict[int, Mapping[str, Scalar]]] = {}
    for place, system in enumerate(artifact.systems):
        for name, variant in system.variants.items():
            if name != PEOPLE:
                by_name.setdefault(name, {})[place] = _without_conventions(variant.numbers)
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


def curve_grid(lines: Sequence[Line]) -> Grid:
    """Write the curves down as a table."""
    rows = []
    for line in lines:
        thin = line.thinned()
        step = max(1, len(thin.x) // MOST_ROWS)
        rows.append(Row(line.name))
        for at in range(0, len(thin.x), step):
            low, high = thin.low[at], thin.high[at]
            ends = "" if low is None or high is None else f"{low:.4g} to {high:.4g}"
            share = f"{100 * thin.x[at]:.1f}{PERCENT_SPACE}%"
            rows.append(Row(share, (Cell(f"{thin.y[at]:.4g}", ends),), indented=True))
    return Grid("Mean loss of what is accepted", "accepted", ("mean loss",), tuple(rows))
