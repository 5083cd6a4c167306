"""Artifacts of reasoning that are read back: version 1 as version 2, and faults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.families.read_back import Json, Told, header, lacking, taken
from assay.families.reasoning.bias import OTHER_TEXT
from assay.families.reasoning.parts import BIAS, BIAS_NUMBERS, bias_numbers
from assay.families.reasoning.subjects import GAP
from assay.showing import counted, named
from assay.sources.studies import file_format

if TYPE_CHECKING:
    from assay.families.reasoning.parts import ReasoningArtifact, ReasoningSystem

COUNTS = ("correct_cot", "correct_early", "only_cot", "only_early")
NUMBERS, STEPPED = ("accuracy_cot", "accuracy_early", GAP), ("step_f1",)
CONVENTIONS = ("reading", "gold", "refusals")
OF_STEPS = ("step_block", "matching", "threshold")
"""conventions where there are cases with steps"""
KEPT = ("population", "step_f1", "n_cases", "cases", "n_outputs", "outputs")


def upgraded(old: Json) -> Json:
    """Return version 1 as version 2: bias stands with the numbers, rankings hold no number."""
    told = Told()
    systems = [_system(number, each, old, told) for number, each in enumerate(old["models"])]
    chosen = next(iter(systems[0]["variants"]))
    counts = ("n_common", "n_common_stepped")
    pairs = [told.pair(each, {chosen: each["deltas"]}, *counts) for each in old["pairs"]]
    found = {**header(old), "inputs": [_input(each) for each in old["inputs"]]}
    whole = {**taken(old, "labels", "n_vignettes"), "rankings": [*map(_ranking, old["rankings"])]}
    return {**found, "metrics": told.metrics, "systems": systems, "pairs": pairs, "parts": whole}


def _input(old: Json) -> Json:
    return {
        **taken(old, "path", "sha256", "n_rows"),
        "role": old["role"].replace(" ", "_"),
        "format": file_format(old["path"]),
        "about": {} if old["model"] is None else taken(old, "model"),
    }


def _system(number: int, old: Json, whole: Json, told: Told) -> Json:
    readings = [
        {**each, "gap": told.number(each["gap"])} for each in old["sensitivity"]["readings"]
    ]
    chosen = readings[0]
    variants = {
        chosen["name"]: {
            "n_rows": whole["n_vignettes"],
            "counts": taken(old, *COUNTS),
            "about": taken(chosen, "reading", "gold", "refusals"),
            "numbers": told.numbers(old["metrics"]),
            "parts": {},
        }
    }
    bias = old["bias"]
    if bias is not None:
        n_rows = bias["rows"] - (bias["unsplit"] if bias["reading"] == "split" else 0)
        numbers = told.numbers(bias["metrics"])
        about = {"text": bias["reading"]}
        variants[""] = {"n_rows": n_rows, "about": about, "numbers": numbers, "parts": {}}
    sensitivity = {**old["sensitivity"], "readings": readings}
    parts = {**taken(old, *KEPT), "sensitivity": sensitivity, "bias": _bias(bias, told)}
    return {"name": old["name"], "input": number, "variants": variants, "parts": parts}


def _bias(old: Json | None, told: Told) -> Json | None:
    if old is None:
        return None
    others = {
        text: told.numbers(numbers)
        for text, numbers in old["readings"].items()
        if text != old["reading"]
    }
    kept = {name: value for name, value in old.items() if name not in {"metrics", "readings"}}
    # Empty outputs and refusals were not told from answers.
    states = {"empty": 0, "refused": 0, "reasked": 0, "answered": old["rows"]}
    failed = {"failed": old["missing"] + old["not_ok"]}
    return {**kept, **states, **failed, "other_readings": others}


def _ranking(old: Json) -> Json:
    places = [
        {"system": each["model"], **taken(each, "rank", "rank_interval")} for each in old["places"]
    ]
    return {**taken(old, "metric"), "places": places}


def faults(artifact: ReasoningArtifact) -> Iterator[str]:
    """Name what does not fit together."""
    stepped = any(system.parts.n_cases for system in artifact.systems)
    yield from lacking("conventions", artifact.conventions, CONVENTIONS + OF_STEPS * stepped)
    for number, system in enumerate(artifact.systems):
        yield from _system_faults(system, f"systems.{number}")
    for ranking in artifact.parts.rankings:
        yield from lacking("metrics", artifact.metrics, [ranking.metric])
        for place in ranking.places:
            if not 0 <= place.system < len(artifact.systems):
                yield f"`parts.rankings` names the system {place.system}, which is not there"
                continue
            system = artifact.systems[place.system]
            held = {**bias_numbers(system), **system.numbers}
            yield from lacking(f"systems.{place.system}.variants", held, [ranking.metric])


def _system_faults(system: ReasoningSystem, path: str) -> Iterator[str]:
    parts = system.parts
    readings, steps = parts.sensitivity.readings, parts.step_f1
    if not readings:
        yield f"`{path}.parts.sensitivity.readings` is empty"
    elif readings[0].name != next(iter(system.variants), None):
        yield f"`{path}.variants` lacks {named(readings[0].name)} as the first"
    for name, variant in system.variants.items():
        needed = NUMBERS + STEPPED * (parts.n_cases > 0) if name else BIAS_NUMBERS
        yield from lacking(f"{path}.variants.{name}.numbers", variant.numbers, needed)
    if (parts.bias is None) != (BIAS not in system.variants):
        yield f"`{path}` has one of numbers and parts of bias"
    if (bias := parts.bias) is not None:
        others = f"{path}.parts.bias.other_readings"
        yield from lacking(others, bias.other_readings, [OTHER_TEXT[bias.reading]])
        for name, numbers in bias.other_readings.items():
            yield from lacking(f"{others}.{name}", numbers, BIAS_NUMBERS)
    if (parts.sensitivity.lowest is None) != (parts.sensitivity.highest is None):
        yield f"`{path}.parts.sensitivity` has one of `lowest` and `highest`"
    if len(steps.edges) != len(steps.counts) + 1:
        found = counted(len(steps.counts), "count"), counted(len(steps.edges), "edge")
        yield f"`{path}.parts.step_f1` has {found[0]} between {found[1]}"
