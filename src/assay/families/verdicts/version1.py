"""Version 1 of an artifact of verdicts as version 2, both as plain JSON."""

from __future__ import annotations

from collections import Counter

from assay.families.verdicts.judged import OFF_SCALE
from assay.families.version1 import Json, Told, header, taken
from assay.score import spelled

__all__ = ["upgrade"]

KEPT = ("confusion", "malformed", "diagnosis")
RANKED_BY = {"risk_score": "rank_score"}
KINDS = {"severity": "finding"}


def upgrade(old: Json) -> Json:
    """Return version 1 as version 2: numbers of thresholds and classes stand with the others."""
    told = Told()
    inputs = [
        {**taken(each, "path", "sha256"), **_role(each), "n_rows": each["n_cases"]}
        for each in old["inputs"]
    ]
    systems = [_system(each, old["resampling"]["n_units"], told) for each in old["systems"]]
    pairs = [
        {
            **taken(pair, "left", "right"),
            "counts": taken(pair, "n_common"),
            "deltas": {"": told.numbers(pair["deltas"])},
        }
        for pair in old["pairs"]
    ]
    found = {**header(old), "inputs": inputs, "systems": systems, "pairs": pairs}
    gold = _renamed(old["gold"], "n_incidents", "n_findings")
    return {**found, "metrics": told.metrics, "parts": {**taken(old, "policy"), "gold": gold}}


def _role(each: Json) -> Json:
    """Call texts sources, as they are now, where they were reviews."""
    names = {"reviews": "sources"}
    return {key: names.get(each[key], each[key]) for key in ("role", "format")}


def _renamed(record: Json, old: str, new: str) -> Json:
    return {new if key == old else key: value for key, value in record.items()}


def _system(old: Json, n_cases: int, told: Told) -> Json:
    ranked_by, reason = old["population"]["ranked_by"], old["agreement"]["reason"]
    about = {"ranked_by": RANKED_BY.get(ranked_by, ranked_by), "not_derived": reason}
    scale = [each["verdict"] for each in old["classes"]]
    outcomes = [_outcome(case, scale) for case in old["cases"]]
    told_of = list(zip(old["cases"], outcomes, strict=True))
    variant = {
        "n_rows": n_cases,
        "counts": _counts(old, outcomes),
        "about": about,
        "numbers": told.numbers(_numbers(old)),
        "parts": {},
    }
    snippets = old["snippets"]
    if snippets is not None:
        snippets = _renamed(snippets, "n_unknown_review", "n_unknown_source")
        snippets["modes"] = told.numbers(snippets["modes"])
    return {
        **taken(old, "name", "input"),
        "about": taken(old, "run_id", "method", "model"),
        "variants": {"": variant},
        "parts": {
            **taken(old, *KEPT),
            **_spoken(old),
            "cases": [
                {**case, "outcome": outcome, "lost_by": lost_by}
                for case, (outcome, lost_by) in zip(old["cases"], outcomes, strict=True)
            ],
            "unanswered": [
                sum(
                    case["truth"] == verdict and outcome == "failed"
                    for case, (outcome, _) in told_of
                )
                for verdict in scale
            ],
            "counted": old["counts"],
            "thresholds": _thresholds(old),
            "snippets": snippets,
        },
    }


def _spoken(old: Json) -> Json:
    """Return fields and quotations in the words that are used now."""
    fields = [{**each, "kind": KINDS.get(each["kind"], each["kind"])} for each in old["fields"]]
    audit = [_renamed(each, "review_id", "source_id") for each in old["audit"]]
    return {"fields": fields, "audit": [{**each, "nearest": None} for each in audit]}


def _numbers(old: Json) -> Json:
    found = dict(old["metrics"])
    for step in old["thresholds"]:
        found[f"threshold_auprc@{spelled(step['threshold'])}"] = step["auprc"]
    for at, verdict in enumerate(old["classes"]):
        for name in ("precision", "recall", "f1"):
            found[f"class_{name}@{spelled(at)}"] = verdict[name]
    return found


def _thresholds(old: Json) -> list[Json]:
    curves = {
        curve["threshold"]: taken(curve, "score", "recall", "precision") for curve in old["curves"]
    }
    names = ("threshold", "name", "n_positive", "n_negative")
    return [
        {**taken(step, *names), "curve": curves.get(step["threshold"])}
        for step in old["thresholds"]
    ]


def _outcome(case: Json, scale: list[str]) -> tuple[str, str | None]:
    """Say what became of a case, and why it is not answered."""
    lost_by = {"missing": "missing", "failed": "error"}.get(case["state"])
    if lost_by is None and case["verdict"] not in scale:
        lost_by = "no verdict" if case["verdict"] is None else OFF_SCALE
    if case["truth"] not in scale:
        return "unscored", lost_by or "no truth"
    return ("failed" if lost_by else "answered"), lost_by


def _counts(old: Json, outcomes: list[tuple[str, str | None]]) -> Json:
    """Return what was counted in three records; what is counted elsewhere is left out."""
    found = {name: n for name, n in old["population"].items() if name != "ranked_by"}
    found["n_error"] = found.pop("n_failed")
    states = Counter(
        outcome
        for case, (outcome, _) in zip(old["cases"], outcomes, strict=True)
        if case["truth"] is not None or case["state"] != "missing"
    )
    found["n_asked"] = states["answered"] + states["failed"]
    found |= {f"n_{each}": states[each] for each in ("answered", "failed", "unscored")}
    found |= taken(old["consistency"], "n_ruled", "n_consistent")
    found["n_without_rule"] = old["consistency"]["n_skipped_no_rule"]
    if old["agreement"]["available"]:
        derived = {name: n for name, n in old["agreement"].items() if name.startswith("n_")}
        derived["n_not_derived"] = derived.pop("n_skipped")
        found |= derived
    return found
