"""Artifacts of intervals and sets, as tests of one level read them."""

from __future__ import annotations

from typing import Any

WHEN = "2026-01-02T03:04:05Z"


def by_level(artifact: dict[str, Any]) -> dict[str, Any]:
    """See what a level has side by side: counts, parts and numbers."""
    systems = [
        {
            **system,
            **system["parts"],
            "levels": {
                key: {
                    **each["about"],
                    **each["counts"],
                    **each["parts"],
                    "metrics": each["numbers"],
                    "n_rows": each["n_rows"],
                }
                for key, each in system["variants"].items()
            },
        }
        for system in artifact["systems"]
    ]
    first = next(iter(systems[0]["levels"].values()))
    return {**artifact, **artifact["parts"], "systems": systems, "n_rows": first["n_rows"]}
