"""Artifacts of calibration that are read back: version 1 as version 2, and faults.

What does not fit together in one that was edited is a fault: whoever shows it relies on this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from assay.families.read_back import Json, Told, header, taken

if TYPE_CHECKING:
    from assay.artifact import Variant
    from assay.families.calibration.parts import CalibrationArtifact, CalibrationParts

COUNTS = ("n_clusters", "n_positive")
ABOUT = ("mode", "run_id", "git_commit")
PARTS = ("over_classes", "reliability", "reliability_interval", "cumulative", "classes")
SAID = ("closed", "ece_bias", "n_bins", "outcome", "p_value", "preset", "strategy", "ties")
"""conventions that are always on record"""
NUMERIC = {"n_bins": (int,), "clip": (int, float, type(None))}
"""conventions that are numbers, where they are said"""
ALWAYS = ("brier", "cumulative_difference", "debiased_ece", "ece")
"""numbers that all rows and every group have"""


def upgraded(old: Json) -> Json:
    """Return version 1 as version 2; its population says nothing that is not said elsewhere."""
    told = Told()
    role = "run" if old["resampling"]["unit"] == "participant" else "table"
    systems = [_system(system, told) for system in old["systems"]]
    pairs = [
        {**taken(pair, "left", "right"), "deltas": {"": told.numbers(pair["deltas"])}}
        for pair in old["pairs"]
    ]
    return {
        **header(old),
        "inputs": [_input(each, role) for each in old["inputs"]],
        "metrics": told.metrics,
        "systems": systems,
        "pairs": pairs,
        "parts": taken(old, "calibration"),
    }


def _system(old: Json, told: Told) -> Json:
    variant = {
        "n_rows": old["n_rows"],
        "counts": taken(old, "n_positive"),
        "about": taken(old, "columns"),
        "numbers": told.numbers(old["metrics"]),
        "parts": taken(old, *PARTS),
        "slices": [_slice(group, told) for group in old.get("groups", [])],
    }
    return {**taken(old, "name", "input"), "variants": {"": variant}, "parts": {}}


def _slice(old: Json, told: Told) -> Json:
    counts = {name: n for name, n in taken(old, *COUNTS).items() if n is not None}
    numbers = told.numbers(old["metrics"])
    return {**taken(old, "label", "n_rows"), "counts": counts, "numbers": numbers}


def _input(old: Json, role: str) -> Json:
    return {
        "role": role,
        **taken(old, "path", "sha256", "format", "n_rows"),
        "counts": taken(old, "n_unscored", "n_abstained"),
        "about": {name: value for name, value in taken(old, *ABOUT).items() if value is not None},
    }


def faults(artifact: CalibrationArtifact) -> Iterator[str]:
    """Name what does not fit together."""
    yield from _convention_faults(artifact.conventions)
    used = {system.input for system in artifact.systems}
    for number in range(len(artifact.inputs)):
        if number not in used:
            yield f"no system is of `inputs.{number}`"
    for number, pair in enumerate(artifact.pairs):
        if list(pair.deltas) != [""]:
            yield f"`pairs.{number}` has not the one variant of this kind, which has no name"
    clustered = artifact.resampling.unit != "row"
    for number, system in enumerate(artifact.systems):
        if list(system.variants) != [""]:
            yield f"`systems.{number}` has variants, of which this kind has none"
        for variant in system.variants.values():
            for said in _variant_faults(variant, clustered=clustered):
                yield f"`systems.{number}` has {said}"


def _convention_faults(conventions: Mapping[str, object]) -> Iterator[str]:
    yield from (f"`conventions` lack `{name}`" for name in SAID if name not in conventions)
    for name, kinds in NUMERIC.items():
        if type(conventions.get(name)) not in kinds:
            yield f"`conventions.{name}` is not a number"


def _variant_faults(variant: Variant[CalibrationParts], *, clustered: bool) -> Iterator[str]:
    for numbers in (variant.numbers, *(piece.numbers for piece in variant.slices)):
        yield from (f"numbers without `{label}`" for label in ALWAYS if label not in numbers)
    counted = [variant.counts, *(piece.counts for piece in variant.slices)]
    if any("n_positive" not in counts for counts in counted):
        yield "counts without `n_positive`"
    if any(("n_clusters" in piece.counts) != clustered for piece in variant.slices):
        yield "slices that do not fit `resampling.unit`"
    if not all(0 <= share <= 1 for share in variant.parts.cumulative.share):
        yield "a cumulative curve at what is no share"
    for each in variant.parts.reliability:
        if each.accuracy is not None and None in (each.low, each.high):
            yield "a bin with an accuracy and no edges"
