"""An artifact seen as systems by name, under confidences that really differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from assay.showing import inert

__all__ = ["Artifact", "Sweep", "Systems", "sweeps", "systems"]

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

    def deltas(self, pair: Pair, confidence: str) -> Mapping[str, Delta]:
        """Return the differences of a pair under a confidence, none if one side lacks it."""
        return pair.deltas.get(self.first[confidence], {})

    def title(self, pair: Pair) -> str:
        """Name a difference."""
        return f"{self.names[pair.right]} minus {self.names[pair.left]}"


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
    return Systems(
        names=_names(artifact.inputs),
        confidences={shown: by_name[first] for shown, first in label.items()},
        pairs=tuple(artifact.comparison.pairs),
        first=label,
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


@dataclass(frozen=True, slots=True)
class Sweep:
    """Metrics that were computed at the same several values of one option."""

    option: str
    points: tuple[str, ...]
    """the values, as labels of numbers spell them"""
    metrics: tuple[str, ...]


def sweeps(numbers: Mapping[str, Scalar]) -> tuple[Sweep, ...]:
    """Find the options that take several values."""
    labels: dict[str, list[str]] = {}
    for label, number in numbers.items():
        labels.setdefault(number.metric, []).append(label)
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for metric, own in labels.items():
        first, last = numbers[own[0]].options, numbers[own[-1]].options
        swept = [option for option in first if first[option] != last[option]]
        points = tuple(label.removeprefix(f"{metric}@") for label in own)
        if len(swept) == 1 and all(label != metric for label in own):
            found.setdefault((swept[0], points), []).append(metric)
    return tuple(Sweep(option, points, tuple(own)) for (option, points), own in found.items())
