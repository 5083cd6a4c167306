"""What does not fit together in an artifact of intervals or sets that was edited."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.artifact import Artifact

__all__ = ["fault"]

STRATA = ("sizes", "classes", "groups")
"""into which rows are cut, of which some have rows"""


def fault(artifact: Artifact[Any, Any, Any]) -> str | None:
    """Return the first thing that does not fit together, or None."""
    return next(_faults(artifact), None)


def _faults(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
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
