"""Artifacts that are read back: version 1 as version 2, both as plain JSON, and what is lacking."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from assay.showing import named

Json = dict[str, Any]
TOLD_ONCE = ("metric", "title", "better")
HEADER = ("kind", "tool", "created_at", "command")


class Told:
    """What version 1 said about a metric beside each of its numbers, and version 2 says once."""

    def __init__(self) -> None:
        """Know of nothing yet."""
        self.metrics: Json = {}

    def numbers(self, old: Mapping[str, Json]) -> Json:
        """Return numbers by label, without what is told once."""
        return {label: self.number(number) for label, number in old.items()}

    def number(self, old: Json) -> Json:
        """Return one number, or one difference."""
        self.metrics.setdefault(old["metric"], {"title": old["title"], "better": old["better"]})
        told_elsewhere = {*TOLD_ONCE, "ci95"}
        return {name: value for name, value in old.items() if name not in told_elsewhere}

    def pair(self, old: Json, deltas: Mapping[str, Json], *counts: str) -> Json:
        """Return two systems with their differences by variant, and some of what was counted."""
        found = {variant: self.numbers(of) for variant, of in deltas.items()}
        return {**taken(old, "left", "right"), "counts": taken(old, *counts), "deltas": found}


def header(old: Json) -> Json:
    """Return what stands at the head of an artifact and is the same in both versions."""
    resampling = {k: v for k, v in old["resampling"].items() if k != "n_all_abstained"}
    kept = {name: old.get(name) for name in HEADER}
    return {
        **kept,
        "tool": kernels_named(old.get("tool")),
        "schema_version": "2",
        "conventions": old["conventions"],
        "resampling": resampling,
        "warnings": old["warnings"],
    }


def kernels_named(tool: Any) -> Any:
    """Say which kernels ran under the name that this has now; earlier files call them engine."""
    if not isinstance(tool, dict) or "engine" not in tool or "kernels" in tool:
        return tool
    return {"kernels" if key == "engine" else key: own for key, own in tool.items()}


def taken(old: Json, *names: str) -> Json:
    """Return some of the fields."""
    return {name: old[name] for name in names if name in old}


def lacking(path: str, known: Collection[str], names: Iterable[str]) -> Iterator[str]:
    """Name what ought to stand at a place of an artifact, and does not."""
    yield from (f"{named(path)} lacks {named(name)}" for name in names if name not in known)
