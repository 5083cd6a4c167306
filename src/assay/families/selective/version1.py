"""Version 1 of the artifact, one system or a comparison, as version 2."""

from __future__ import annotations

from collections.abc import Mapping

from assay.families.selective.options import RUNS
from assay.families.selective.parts import PAIR_COUNTS, PEOPLE
from assay.families.version1 import Json, Told, header, taken
from assay.showing import told_apart

__all__ = ["COMPARISON", "upgrade"]

COMPARISON = "selective-comparison"
"""the kind that several systems had"""
GROUP_COUNTS = ("participants", "items_total", "items_predicted")


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
    counts = taken(old, *PAIR_COUNTS)
    return {**taken(old, "left", "right"), "counts": counts, "deltas": deltas}
