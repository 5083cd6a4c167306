"""Selective artifacts for tests: evaluated by the pipeline, and read by who asks for what.

`flat` puts everything that is told of a system under a confidence side by side, so that a test
states a number and not where it is nested.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from assay import families, pipeline, stored
from assay.families.family import Given
from assay.families.selective.options import RunColumns
from assay.families.selective.seed_files import SPELLINGS
from assay.inference import Plan

FAMILY = families.named("selective")
WHEN = "2026-01-02T03:04:05Z"
PEOPLE = ""


def evaluate(
    sources: Sequence[Any],
    columns: RunColumns | None = None,
    plan: Plan | None = None,
    *,
    calibration: Sequence[str] = (),
    created_at: str = WHEN,
    progress: pipeline.Progress = lambda *_: None,
    **chosen: Any,
) -> Any:
    """Evaluate tables or files: options and what is read by name, as the library takes them."""
    read = {name: chosen.pop(name) for name in ("loss", "confidence") if name in chosen}
    files = {"table": sources, "calibration": calibration}
    given = Given(
        files,
        FAMILY.options(**chosen),
        plan or Plan(n_resamples=20),
        replace(columns or RunColumns(), **read),
    )
    return pipeline.evaluate(FAMILY, given, created_at=created_at, progress=progress)


def strict(data: bytes) -> dict[str, Any]:
    """Read JSON that may hold no NaN and no infinity."""

    def refuse(token: str) -> NoReturn:
        message = f"{token} is not JSON"
        raise ValueError(message)

    found: dict[str, Any] = json.loads(data, parse_constant=refuse)
    return found


def flat(artifact: Any) -> dict[str, Any]:
    """Return an artifact, as a record or as JSON, with all that belongs together side by side."""
    held = artifact if isinstance(artifact, Mapping) else strict(stored.encode(artifact))
    systems, keys = held["systems"], held["confidence_variants"]
    compared = len(systems) > 1
    names = dict.fromkeys(name for each in systems for name in each["variants"] if name != PEOPLE)
    by_name = {
        name: {
            f"input_{place}": {
                **(keys[name][f"input_{place}"] if compared else keys[name]),
                "metrics": _told(held, system["variants"][name]["numbers"]),
                "curve": system["variants"][name]["parts"]["curve"],
            }
            for place, system in enumerate(systems)
            if name in system["variants"]
        }
        for name in names
    }
    people = [each["variants"][PEOPLE]["numbers"] for each in systems]
    return {
        **held,
        "inputs": [_input(*each, compared) for each in zip(held["inputs"], systems, strict=True)],
        "loss": held["parts"]["loss"],
        "calibration": held["parts"]["calibration"],
        "confidence_variants": by_name
        if compared
        else {name: sides["input_0"] for name, sides in by_name.items()},
        "comparison": _comparison(held),
        "failure_rate": [_told(held, numbers)["failure_rate"] for numbers in people],
        "groups": [_group(held, place, s) for place, each in enumerate(systems) for s in _of(each)],
        "resampling": {
            **held["resampling"],
            "n_all_abstained": [each["parts"]["n_all_abstained"] for each in systems],
        },
    }


def _told(held: Mapping[str, Any], numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {
        label: {**held["metrics"][label.partition("@")[0]], "metric": label.partition("@")[0], **of}
        for label, of in numbers.items()
    }


def _input(given: Mapping[str, Any], system: Mapping[str, Any], compared: bool) -> dict[str, Any]:
    counts = given["counts"]
    total = counts["items_total"]
    population = {**counts, "cmax": counts["items_predicted"] / total if total else None}
    analysed = {"analysed": system["parts"]["population"]} if compared else {}
    return {**given, "population": population, **analysed}


def _comparison(held: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an earlier program finds, with the whole record of every difference."""
    keys, pairs = held["comparison"], [_pair(held, pair) for pair in held["pairs"]]
    ours = {old: new for old, new in SPELLINGS.items() if old != new}
    deltas = keys["deltas"] and {
        name: {
            label: {**pairs[0]["deltas"][name][ours.get(label, label)], **delta}
            for label, delta in own.items()
        }
        for name, own in keys["deltas"].items()
    }
    return {**keys, "deltas": deltas, "pairs": pairs}


def _pair(held: Mapping[str, Any], pair: Mapping[str, Any]) -> dict[str, Any]:
    deltas = {name: _told(held, own) for name, own in pair["deltas"].items()}
    failed = deltas.pop(PEOPLE)["failure_rate"]
    return {**pair, **pair["counts"], "deltas": deltas, "failure_rate": failed}


def _of(system: Mapping[str, Any]) -> list[str]:
    slices = [s["label"] for each in system["variants"].values() for s in each["slices"]]
    return [*dict.fromkeys(slices)]


def _group(held: Mapping[str, Any], place: int, label: str) -> dict[str, Any]:
    own = {
        name: each
        for name, variant in held["systems"][place]["variants"].items()
        for each in variant["slices"]
        if each["label"] == label
    }
    counts = next(iter(own.values()))["counts"]
    numbers = {name: _told(held, each["numbers"]) for name, each in own.items()}
    return {"input": place, "label": label, **counts, "confidence_variants": numbers}
