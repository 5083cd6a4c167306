"""Artifacts of selective prediction that are read back: version 1 as version 2, and faults.

What does not fit together in one that was edited is a fault: whoever shows it relies on this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from assay.display.numbers import unswept
from assay.families.read_back import Json, Told, header, lacking, taken
from assay.families.selective.options import RUNS
from assay.families.selective.parts import PEOPLE, Population
from assay.families.selective.seed_files import SPELLINGS, labels
from assay.showing import named, told_apart
from assay.sources.matching import OVERLAP

if TYPE_CHECKING:
    from assay.artifact import System
    from assay.families.selective.parts import SelectiveArtifact, SelectiveParts, SelectiveSystem

COMPARISON = "selective-comparison"
"""the kind that several systems had"""
GROUP_COUNTS = ("participants", "items_total", "items_predicted")
CONVENTIONS = (
    *("area", "area_coverage", "coverage_grid", "intersection_only", "matched_coverage"),
    *("preset", "ties"),
)


def upgrade(old: Json) -> Json:
    """Return version 1 of an artifact as version 2."""
    told, inputs = Told(), old["inputs"]
    named = told_apart([each["path"] for each in inputs], [each["mode"] for each in inputs])
    systems = [_system(old, number, name, told) for number, name in enumerate(named)]
    pairs = [_pair(pair, told) for pair in old["comparison"]["pairs"]]
    return {
        **header(old),
        "kind": "selective",
        "inputs": [_input(each) for each in inputs],
        "metrics": told.metrics,
        "systems": systems,
        "pairs": pairs,
        "parts": {"loss": old["loss"], "calibration": old.get("calibration")},
    }


def _input(old: Json) -> Json:
    counts = {name: n for name, n in old["population"].items() if name != "cmax"}
    same = taken(old, "path", "sha256", "format", "mode", "run_id", "git_commit")
    return {**same, "role": RUNS.name, "n_rows": counts["items_total"], "counts": counts}


def _system(old: Json, number: int, name: str, told: Told) -> Json:
    own = old["inputs"][number]
    population = own.get("analysed", own["population"])
    groups = [each for each in old.get("groups", ()) if each["input"] == number]
    variants = {
        name: {
            "n_rows": population["items_total"],
            "numbers": told.numbers(variant["metrics"]),
            "parts": taken(variant, "curve"),
            "slices": [_slice(group, name, told) for group in groups],
        }
        for name, variant in _variants(old, number).items()
    }
    variants[PEOPLE] = {
        "n_rows": population["participants_total"],
        "numbers": told.numbers({"failure_rate": old["failure_rate"][number]}),
        "parts": {"curve": None},
    }
    abstained = old["resampling"]["n_all_abstained"][number]
    parts = {"population": population, "n_all_abstained": abstained}
    return {"name": name, "input": number, "variants": variants, "parts": parts}


def _variants(old: Json, number: int) -> Mapping[str, Json]:
    every: Mapping[str, Json] = old["confidence_variants"]
    if old["kind"] != COMPARISON:
        return every
    own = f"input_{number}"
    return {name: sides[own] for name, sides in every.items() if own in sides}


def _slice(group: Json, variant: str, told: Told) -> Json:
    return {
        "label": group["label"],
        "n_rows": group["items_total"],
        "counts": taken(group, *GROUP_COUNTS),
        "numbers": told.numbers(group["confidence_variants"][variant]),
    }


def _pair(old: Json, told: Told) -> Json:
    deltas = {name: told.numbers(found) for name, found in old["deltas"].items()}
    deltas[PEOPLE] = told.numbers({"failure_rate": old["failure_rate"]})
    counts = taken(old, *OVERLAP)
    return {**taken(old, "left", "right"), "counts": counts, "deltas": deltas}


def faults(artifact: SelectiveArtifact) -> Iterator[str]:
    """Name what does not fit together."""
    yield from _conventions(artifact)
    yield from _numbers(artifact)


def _conventions(artifact: SelectiveArtifact) -> Iterator[str]:
    held = artifact.conventions
    yield from lacking("conventions", held, CONVENTIONS)
    if type(held["area_coverage"]) not in {int, float}:
        yield "`conventions.area_coverage` is not a number"
    grid = held["coverage_grid"]
    if type(grid) is not list or {*map(type, grid)} - {int, float}:
        yield "`conventions.coverage_grid` is not a list of numbers"


def _numbers(artifact: SelectiveArtifact) -> Iterator[str]:
    wanted = [*labels(artifact), "risk", "error_auroc"]
    counts = [name for name in Population.__struct_fields__ if name != "cmax"]
    for number, each in enumerate(artifact.inputs):
        yield from lacking(f"inputs.{number}.counts", each.counts, counts)
    for number, system in enumerate(artifact.systems):
        yield from _variant_faults(system, wanted, f"systems.{number}.variants")
    yield from _sweeps(artifact)
    for number, pair in enumerate(artifact.pairs):
        yield from lacking(f"pairs.{number}.counts", pair.counts, OVERLAP)
        yield from lacking(f"pairs.{number}.deltas", pair.deltas, [PEOPLE])
        for name, deltas in pair.deltas.items():
            own = ["failure_rate"] if name == PEOPLE else SPELLINGS.values()
            yield from lacking(f"pairs.{number}.deltas.{name}", deltas, own)


def _variant_faults(
    system: System[SelectiveParts, SelectiveSystem], wanted: Iterable[str], path: str
) -> Iterator[str]:
    yield from lacking(path, system.variants, [PEOPLE])
    if len(system.variants) == 1:
        yield f"`{path}` has no confidence"
    for name, variant in system.variants.items():
        own = ["failure_rate"] if name == PEOPLE else wanted
        yield from lacking(f"{path}.{name}.numbers", variant.numbers, own)
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
