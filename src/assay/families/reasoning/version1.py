"""Version 1 of an artifact of reasoning as version 2, both as plain JSON."""

from __future__ import annotations

from assay.families.version1 import Json, Told, header, taken
from assay.sources.studies import file_format

__all__ = ["upgrade"]

COUNTS = ("correct_cot", "correct_early", "only_cot", "only_early")
KEPT = ("population", "step_f1", "n_cases", "cases", "n_outputs", "outputs")


def upgrade(old: Json) -> Json:
    """Return version 1 as version 2: bias stands with the numbers, rankings hold no number."""
    told = Told()
    systems = [_system(number, each, old, told) for number, each in enumerate(old["models"])]
    chosen = next(iter(systems[0]["variants"]))
    pairs = [
        {
            **taken(pair, "left", "right"),
            "counts": taken(pair, "n_common", "n_common_stepped"),
            "deltas": {chosen: told.numbers(pair["deltas"])},
        }
        for pair in old["pairs"]
    ]
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
