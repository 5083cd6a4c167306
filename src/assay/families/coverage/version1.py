"""Version 1 of artifacts about intervals and sets, as version 2."""

from __future__ import annotations

from collections.abc import Sequence

from assay.families.version1 import Json, Told, header, taken

__all__ = ["upgraded"]

TABLE = "table"


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
