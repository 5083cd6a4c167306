"""Read numbers out of artifacts without knowing how an artifact is nested.

Tests that compare numbers go through these functions, so that another shape of the artifact is a
change of this module and of no expected number. A system is named by its place or its name, a
variant (a confidence or a level) by its name; a family without variants has the one called "".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Artifact = Mapping[str, Any]
Numbers = dict[str, dict[str, Any]]

SELECTIVE = ("selective", "selective-comparison")
ELSEWHERE = {"name", "input", "levels", "metrics", "groups", "columns", "level"}
"""not a part: read by a function of its own, or a matter of how the command was given"""


def systems(artifact: Artifact) -> list[str]:
    """Return the names of the systems, in order."""
    if _is_2(artifact):
        return [each["name"] for each in artifact["systems"]]
    if artifact["kind"] in SELECTIVE:
        return [each["mode"] or each["path"] for each in artifact["inputs"]]
    return [each["name"] for each in _systems(artifact)]


def variants(artifact: Artifact) -> list[str]:
    """Return the names of the confidences or levels, in order."""
    if _is_2(artifact):
        if artifact["kind"] == "reasoning":
            return [""]
        named = list(artifact["systems"][0]["variants"])
        return [name for name in named if name] or named
    if artifact["kind"] in SELECTIVE:
        return list(artifact["confidence_variants"])
    return list(_systems(artifact)[0].get("levels", {"": None}))


def pairs(artifact: Artifact) -> list[tuple[int, int]]:
    """Return which systems are compared, left and right."""
    return [(each["left"], each["right"]) for each in _pairs(artifact)]


def numbers(artifact: Artifact, system: int | str = 0, variant: str = "") -> Numbers:
    """Return every number of one system: value, low, high and, where there is one, the reason."""
    place = _place(artifact, system)
    if _is_2(artifact):
        held = _variants_2(artifact, artifact["systems"][place]["variants"], variant)
        found = {label: each for own in held for label, each in own["numbers"].items()}
        return {label: plain(each) for label, each in found.items()}
    own = _own(artifact, place, variant)
    found = dict(own["metrics"])
    if artifact["kind"] in SELECTIVE:
        found["failure_rate"] = artifact["failure_rate"][place]
    if own.get("bias"):
        found |= own["bias"]["metrics"]
    return {label: plain(each) for label, each in found.items()}


def deltas(artifact: Artifact, left: int, right: int, variant: str = "") -> Numbers:
    """Return every paired difference, right minus left, with its p-values."""
    pair = next(each for each in _pairs(artifact) if (each["left"], each["right"]) == (left, right))
    found = pair["deltas"]
    if _is_2(artifact):
        held = _variants_2(artifact, found, variant)
        found = {label: each for own in held for label, each in own.items()}
        return {label: plain(each) for label, each in found.items()}
    levelled = artifact["kind"] in {*SELECTIVE, "intervals", "sets"}
    found = dict(found[variant]) if levelled else found
    if "failure_rate" in pair:
        found["failure_rate"] = pair["failure_rate"]
    return {label: plain(each) for label, each in found.items()}


def pair_counts(artifact: Artifact, left: int, right: int) -> dict[str, int]:
    """Return what a pair says of whom it is computed on."""
    pair = next(each for each in _pairs(artifact) if (each["left"], each["right"]) == (left, right))
    if _is_2(artifact):
        return dict(pair["counts"])
    return {key: each for key, each in pair.items() if key not in {"left", "right"} and _int(each)}


def slices(artifact: Artifact, system: int | str = 0, variant: str = "") -> dict[str, Any]:
    """Return the groups in which all numbers were computed, each with its counts and numbers."""
    place = _place(artifact, system)
    if _is_2(artifact):
        # Selective counts items, of which several may stand in a row.
        counted = [] if artifact["kind"] in SELECTIVE else ["n_rows"]
        own = _variants_2(artifact, artifact["systems"][place]["variants"], variant)
        return {
            each["label"]: {
                "counts": {**{key: each[key] for key in counted}, **each["counts"]},
                "numbers": {label: plain(number) for label, number in each["numbers"].items()},
            }
            for each in (one for held in own for one in held["slices"])
        }
    if artifact["kind"] in SELECTIVE:
        groups = [each for each in artifact["groups"] if each["input"] == place]
        held = [(each, each["confidence_variants"][variant]) for each in groups]
    elif artifact["kind"] == "calibration":
        held = [(each, each["metrics"]) for each in artifact["systems"][place]["groups"]]
    else:
        held = []
    return {
        group["label"]: {
            "counts": {key: n for key, n in group.items() if key != "input" and _int(n)},
            "numbers": {label: plain(each) for label, each in found.items()},
        }
        for group, found in held
    }


def parts(artifact: Artifact, system: int | str = 0, variant: str = "") -> dict[str, Any]:
    """Return what a system has beside its numbers: curves, strata, tables of rows, counts."""
    place = _place(artifact, system)
    if _is_2(artifact):
        return _parts_2(artifact["kind"], artifact["systems"][place], variant)
    own = _own(artifact, place, variant)
    match artifact["kind"]:
        case "selective" | "selective-comparison":
            read = artifact["inputs"][place]
            found = {"curve": own["curve"], "population": read.get("analysed", read["population"])}
        case "intervals" | "sets":
            found = {**own, "levels_curve": artifact["systems"][place]["curve"]}
            found["strata"] = own["groups"]
        case "reasoning":
            found = {key: each for key, each in own.items() if key != "bias"}
            bias = own["bias"] or {}
            found |= {f"bias_{key}": each for key, each in bias.items() if key != "metrics"}
        case _:
            found = own
    return {key: plain(each) for key, each in found.items() if key not in ELSEWHERE}


def _parts_2(kind: str, system: Mapping[str, Any], variant: str) -> dict[str, Any]:
    if kind == "reasoning":
        return _reasoning_parts_2(system)
    own = system["variants"][variant]
    found = {**own["counts"], **own["parts"]}
    match kind:
        case "calibration":
            found = {"n_rows": own["n_rows"], **found}
        case "selective":
            found["population"] = system["parts"]["population"]
        case "intervals" | "sets":
            found["levels_curve"] = system["parts"]["curve"]
            found["strata"] = found.pop("groups")
        case "verdicts":
            found |= {**own["about"], **system["parts"]}
    return {key: plain(each) for key, each in found.items()}


def _variants_2(artifact: Artifact, held: Mapping[str, Any], variant: str) -> list[Any]:
    """Return what stands under a variant, then what belongs to none.

    The variant of reasoning is the convention that was chosen.
    """
    if artifact["kind"] == "reasoning":
        return list(held.values())
    return [held[name] for name in dict.fromkeys([variant, ""]) if name in held]


def _reasoning_parts_2(system: Mapping[str, Any]) -> dict[str, Any]:
    """Return all parts under one name each; those of bias say so."""
    chosen, *biased = system["variants"].values()
    found = {**chosen["counts"], **system["parts"]}
    bias = found.pop("bias") or {}
    others = bias.get("other_readings", {})
    for numbers in (each["numbers"] for each in biased):
        both = {bias["reading"]: numbers, **others}
        bias = {**bias, "readings": {text: both[text] for text in ("whole", "split")}}
    bias.pop("other_readings", None)
    found |= {f"bias_{key}": each for key, each in bias.items()}
    return {key: plain(found[key]) for key in sorted(found)}


def conventions(artifact: Artifact) -> list[str]:
    """Return how the numbers were computed, one line each."""
    return sorted(f"{key} = {each!r}" for key, each in artifact["conventions"].items())


def resampling(artifact: Artifact) -> dict[str, Any]:
    """Return how the intervals came about."""
    systems = artifact.get("systems", ())
    abstained = [each.get("parts", {}).get("n_all_abstained") for each in systems]
    known = [each for each in abstained if each is not None]
    return {"n_all_abstained": known, **artifact["resampling"]}


def everything(artifact: Artifact) -> dict[str, Any]:
    """Return all of the above: what a golden file holds."""
    named = dict(enumerate(systems(artifact)))
    return {
        "kind": artifact["kind"].partition("-")[0],
        "conventions": conventions(artifact),
        "warnings": list(artifact["warnings"]),
        "resampling": resampling(artifact),
        "systems": [
            {
                "name": name,
                "variants": {
                    variant: {
                        "numbers": numbers(artifact, place, variant),
                        "slices": slices(artifact, place, variant),
                        "parts": parts(artifact, place, variant),
                    }
                    for variant in variants(artifact)
                },
            }
            for place, name in named.items()
        ],
        "pairs": [
            {
                "left": named[left],
                "right": named[right],
                "counts": pair_counts(artifact, left, right),
                "deltas": {
                    name: deltas(artifact, left, right, name) for name in variants(artifact)
                },
            }
            for left, right in pairs(artifact)
        ],
    }


def plain(value: Any) -> Any:
    """Return a number or difference as value, low, high and what else is not null; inside too."""
    match value:
        case {"interval": interval, "standard_error": _, "n_undefined": _, **more}:
            rest = {key: value[key] for key in ("standard_error", "n_undefined")}
            return _number({**more, **rest, "interval": interval})
        case dict():
            return {key: plain(each) for key, each in value.items()}
        case list():
            return [plain(each) for each in value]
    return value


def _number(record: Mapping[str, Any]) -> dict[str, Any]:
    low, high = record["interval"] or (None, None)
    exact_low, exact_high = record.get("exact_interval") or (None, None)
    said = {
        "value": record.get("value", record.get("delta")),
        "low": low,
        "high": high,
        "exact_low": exact_low,
        "exact_high": exact_high,
        "p": record.get("p_value"),
        "p_holm": record.get("p_holm"),
        "standard_error": record["standard_error"],
        "n_undefined": record["n_undefined"] or None,
        "reason": record["reason"],
        "interval_reason": record["interval_reason"],
    }
    return {key: each for key, each in said.items() if each is not None or key == "value"}


def _is_2(artifact: Artifact) -> bool:
    return artifact["schema_version"] == "2"


def _own(artifact: Artifact, place: int, variant: str) -> Mapping[str, Any]:
    match artifact["kind"]:
        case "selective":
            return artifact["confidence_variants"][variant]
        case "selective-comparison":
            return artifact["confidence_variants"][variant][f"input_{place}"]
        case "intervals" | "sets":
            return artifact["systems"][place]["levels"][variant]
    return _systems(artifact)[place]


def _systems(artifact: Artifact) -> list[Any]:
    return artifact["models"] if artifact["kind"] == "reasoning" else artifact["systems"]


def _pairs(artifact: Artifact) -> list[Any]:
    nested = artifact["kind"] in SELECTIVE and not _is_2(artifact)
    within = artifact["comparison"] if nested else artifact
    return within["pairs"]


def _place(artifact: Artifact, system: int | str) -> int:
    return system if isinstance(system, int) else systems(artifact).index(system)


def _int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
