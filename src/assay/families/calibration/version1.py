"""Version 1 of the artifact as version 2, both as plain JSON."""

from __future__ import annotations

from assay.families.version1 import Json, Told, header, taken

__all__ = ["upgraded"]

COUNTS = ("n_clusters", "n_positive")
ABOUT = ("mode", "run_id", "git_commit")
PARTS = ("over_classes", "reliability", "reliability_interval", "cumulative", "classes")


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
