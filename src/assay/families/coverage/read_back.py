"""Artifacts of intervals and sets that are read back: version 1 as version 2, and faults.

What does not fit together in one that was edited is a fault: whoever shows it relies on this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from assay.families.read_back import Json, Told, header, taken

if TYPE_CHECKING:
    from assay.artifact import Artifact

TABLE = "table"
STRATA = ("sizes", "classes", "groups")
"""into which rows are cut, of which some have rows"""


def upgraded(old: Json, counts: Sequence[str], parts: Sequence[str]) -> Json:
    """Return version 1 of an artifact as version 2: what is counted and what are parts differ."""
    told, n_rows = Told(), old["n_rows"]
    systems = [
        {
            **taken(system, "name", "input"),
            "variants": {
                key: {
                    "n_rows": n_rows,
                    "counts": taken(level, *counts),
                    "about": taken(level, "level", "columns"),
                    "numbers": told.numbers(level["metrics"]),
                    "parts": taken(level, "coverage", *parts),
                }
                for key, level in system["levels"].items()
            },
            "parts": taken(system, "curve"),
        }
        for system in old["systems"]
    ]
    pairs = [
        {
            **taken(pair, "left", "right"),
            "deltas": {key: told.numbers(of) for key, of in pair["deltas"].items()},
        }
        for pair in old["pairs"]
    ]
    inputs = [
        {"role": "truth" if number and each["format"] == "npy" else TABLE, **each}
        for number, each in enumerate(old["inputs"])
    ]
    found = {**header(old), "inputs": inputs, "systems": systems, "pairs": pairs}
    return {**found, "metrics": told.metrics, "parts": taken(old, "classes")}


def faults(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    """Name what does not fit together."""
    first = [*artifact.systems[0].variants]
    for number, system in enumerate(artifact.systems):
        if [*system.variants] != first:
            yield f"`systems.{number}` has other levels than `systems.0`"
        for name, variant in system.variants.items():
            for said in _level_faults(variant.parts):
                yield f"`systems.{number}.variants.{name}.parts.{said}"
    for number, pair in enumerate(artifact.pairs):
        if not {*pair.deltas} <= {*first}:
            yield f"`pairs.{number}` has a level that no system has"


def _level_faults(parts: Any) -> Iterator[str]:
    for name in STRATA:
        strata = getattr(parts, name, [])
        if strata and not any(each.n for each in strata):
            yield f"{name}` has no rows"
        for place, each in enumerate(strata):
            if each.n and each.coverage is None:
                yield f"{name}.{place}` has rows and no `coverage`"
    widths = getattr(parts, "widths", None)
    for place, share in enumerate(widths.share if widths else ()):
        if not 0 <= share <= 1:
            yield f"widths.share.{place}` is {share:g}, which is no share"
