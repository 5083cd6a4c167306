"""A selective artifact seen as systems by name, under confidences that really differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from assay.artifacts import (
    ComparisonArtifact,
    Delta,
    Input,
    Pair,
    Scalar,
    SelectiveArtifact,
    Variant,
)
from assay.display.numbers import Numbers
from assay.report.families.version1 import described
from assay.showing import inert

__all__ = ["Artifact", "Systems", "systems"]

Artifact = SelectiveArtifact | ComparisonArtifact
Sides = Mapping[int, Mapping[str, Scalar]]
"""system -> label -> number"""


@dataclass(frozen=True, slots=True)
class Systems:
    """Names of systems and confidences, and the numbers under them."""

    names: tuple[str, ...]
    confidences: Mapping[str, Sides]
    """confidences with the same numbers are one, under all of their names"""
    pairs: tuple[Pair, ...]
    first: Mapping[str, str]
    """confidence -> the first of its names"""
    numbers: Numbers
    """how numbers are shown"""

    def deltas(self, pair: Pair, confidence: str) -> Mapping[str, Delta]:
        """Return the differences of a pair under a confidence, none if one side lacks it."""
        return pair.deltas.get(self.first[confidence], {})

    def title(self, pair: Pair) -> str:
        """Name a difference."""
        return f"{self.names[pair.right]} minus {self.names[pair.left]}"

    def sides(self, pair: Pair) -> tuple[str, str]:
        """Name left and right."""
        return self.names[pair.left], self.names[pair.right]

    def variants(self, artifact: Artifact, confidence: str) -> Iterator[tuple[int, Variant]]:
        """Yield what systems have under a confidence, by the number of the system."""
        for key, variant in _variants(artifact)[self.first[confidence]].items():
            yield int(key.removeprefix("input_")), variant


def systems(artifact: Artifact) -> Systems:
    """See an artifact by system and confidence."""
    by_name = {name: _sides(each) for name, each in _variants(artifact).items()}
    groups: list[list[str]] = []
    for name, sides in by_name.items():
        same = [group for group in groups if by_name[group[0]] == sides]
        if same:
            same[0].append(name)
        else:
            groups.append([name])
    label = {" = ".join(map(inert, group)): group[0] for group in groups}
    pairs = tuple(artifact.comparison.pairs)
    every = [numbers for sides in by_name.values() for numbers in sides.values()]
    every += [own for group in artifact.groups for own in group.confidence_variants.values()]
    compared = [deltas for pair in pairs for deltas in pair.deltas.values()]
    failed = [{each.failure_rate.metric: each.failure_rate} for each in pairs]
    return Systems(
        names=_names(artifact.inputs),
        confidences={shown: by_name[first] for shown, first in label.items()},
        pairs=pairs,
        first=label,
        numbers=Numbers(
            described(*every, *compared, *failed),
            resampled=artifact.resampling.n_resamples > 0,
            n_pairs=len(pairs),
        ),
    )


def _variants(artifact: Artifact) -> Mapping[str, Mapping[str, Variant]]:
    match artifact:
        case SelectiveArtifact():
            return {name: {"input_0": v} for name, v in artifact.confidence_variants.items()}
        case ComparisonArtifact():
            return artifact.confidence_variants


def _sides(variants: Mapping[str, Variant]) -> Sides:
    return {int(key.removeprefix("input_")): each.metrics for key, each in variants.items()}


def _names(inputs: Sequence[Input]) -> tuple[str, ...]:
    """Name systems by mode, else by file, else by both, else by number."""
    modes = [each.mode for each in inputs]
    files = [PurePath(each.path).name for each in inputs]
    candidates = [
        [mode or "" for mode in modes],
        files,
        [f"{file} {mode or ''}".strip() for file, mode in zip(files, modes, strict=True)],
    ]
    for names in candidates:
        if all(names) and len(set(names)) == len(names):
            return tuple(inert(name) for name in names)
    return tuple(f"input {number}" for number in range(len(inputs)))
