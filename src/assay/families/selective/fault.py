"""What does not fit together in an artifact that was edited: whoever shows it relies on this."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from assay.display.numbers import unswept
from assay.families.selective.parts import PAIR_COUNTS, PEOPLE
from assay.families.selective.seed_files import SPELLINGS, labels
from assay.showing import named

if TYPE_CHECKING:
    from assay.artifact import System
    from assay.families.selective.parts import SelectiveArtifact, SelectiveParts, SelectiveSystem

__all__ = ["fault"]

CONVENTIONS = (
    *("area", "area_coverage", "coverage_grid", "intersection_only", "matched_coverage"),
    *("preset", "ties"),
)


def fault(artifact: SelectiveArtifact) -> str | None:
    """Return the first thing that does not fit, in words, or None."""
    return next(_conventions(artifact), None) or next(_numbers(artifact), None)


def _conventions(artifact: SelectiveArtifact) -> Iterator[str]:
    held = artifact.conventions
    yield from _missing(held, CONVENTIONS, "conventions")
    if type(held["area_coverage"]) not in {int, float}:
        yield "`conventions.area_coverage` is not a number"
    grid = held["coverage_grid"]
    if type(grid) is not list or {*map(type, grid)} - {int, float}:
        yield "`conventions.coverage_grid` is not a list of numbers"


def _numbers(artifact: SelectiveArtifact) -> Iterator[str]:
    wanted = [*labels(artifact), "risk", "error_auroc"]
    for number, system in enumerate(artifact.systems):
        yield from _variants(system, wanted, f"systems.{number}.variants")
    yield from _sweeps(artifact)
    for number, pair in enumerate(artifact.pairs):
        yield from _missing(pair.counts, PAIR_COUNTS, f"pairs.{number}.counts")
        yield from _missing(pair.deltas, [PEOPLE], f"pairs.{number}.deltas")
        for name, deltas in pair.deltas.items():
            own = ["failure_rate"] if name == PEOPLE else SPELLINGS.values()
            yield from _missing(deltas, own, f"pairs.{number}.deltas.{name}")


def _variants(
    system: System[SelectiveParts, SelectiveSystem], wanted: Iterable[str], path: str
) -> Iterator[str]:
    yield from _missing(system.variants, [PEOPLE], path)
    if len(system.variants) == 1:
        yield f"`{path}` has no confidence"
    for name, variant in system.variants.items():
        own = ["failure_rate"] if name == PEOPLE else wanted
        yield from _missing(variant.numbers, own, f"{path}.{name}.numbers")
        if name != PEOPLE and variant.parts.curve is None:
            yield f"`{path}.{name}.parts` has no `curve`"


def _sweeps(artifact: SelectiveArtifact) -> Iterator[str]:
    """Look for confidences whose numbers were not computed at the same values of an option."""
    first: tuple[str, set[str]] | None = None
    for number, system in enumerate(artifact.systems):
        for name, variant in system.variants.items():
            if name == PEOPLE:
                continue
            path = f"systems.{number}.variants.{name}.numbers"
            swept = {*variant.numbers}.difference(unswept(variant.numbers))
            first = first or (path, swept)
            for label in sorted(swept ^ first[1]):
                one, other = (path, first[0]) if label in swept else (first[0], path)
                yield f"{named(one)} has {named(label)}, and {named(other)} has not"


def _missing(known: Collection[str], names: Iterable[str], path: str) -> Iterator[str]:
    yield from (f"{named(path)} lacks {named(name)}" for name in names if name not in known)
