"""Artifacts of verdicts that are read back: version 1 as version 2, and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from assay.families.read_back import Json, Told, header, lacking, taken
from assay.families.verdicts.counts import COUNTS, DERIVED
from assay.families.verdicts.judged import OFF_SCALE
from assay.families.verdicts.parts import SEVEN, VerdictParts, VerdictsArtifact
from assay.score import spelled

KEPT = ("confusion", "malformed", "diagnosis")
RANKED_BY = {"risk_score": "rank_score"}
KINDS = {"severity": "finding"}
SOURCES = {"reviews": "sources"}


def upgraded(old: Json) -> Json:
    """Return version 1 as version 2: numbers of thresholds and classes stand with the others."""
    told = Told()
    # Texts are sources now, where they were reviews.
    inputs = [
        {
            **taken(each, "path", "sha256"),
            **{key: SOURCES.get(each[key], each[key]) for key in ("role", "format")},
            "n_rows": each["n_cases"],
        }
        for each in old["inputs"]
    ]
    systems = [_system(each, old["resampling"]["n_units"], told) for each in old["systems"]]
    pairs = [told.pair(each, {"": each["deltas"]}, "n_common") for each in old["pairs"]]
    found = {**header(old), "inputs": inputs, "systems": systems, "pairs": pairs}
    gold = _renamed(old["gold"], "n_incidents", "n_findings")
    return {**found, "metrics": told.metrics, "parts": {**taken(old, "policy"), "gold": gold}}


def _renamed(record: Json, old: str, new: str) -> Json:
    return {new if key == old else key: value for key, value in record.items()}


def _system(old: Json, n_cases: int, told: Told) -> Json:
    ranked_by, reason = old["population"]["ranked_by"], old["agreement"]["reason"]
    about = {"ranked_by": RANKED_BY.get(ranked_by, ranked_by), "not_derived": reason}
    scale = [each["verdict"] for each in old["classes"]]
    cases = [{**case, **_outcome(case, scale)} for case in old["cases"]]
    lost = [each["truth"] for each in cases if each["outcome"] == "failed"]
    variant = {
        "n_rows": n_cases,
        "counts": _counts(old, cases),
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
            # In the words that are used now.
            "fields": [
                {**one, "kind": KINDS.get(one["kind"], one["kind"])} for one in old["fields"]
            ],
            "audit": [
                {**_renamed(one, "review_id", "source_id"), "nearest": None} for one in old["audit"]
            ],
            "cases": cases,
            "unanswered": [lost.count(verdict) for verdict in scale],
            "counted": old["counts"],
            "thresholds": _thresholds(old),
            "snippets": snippets,
        },
    }


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


def _outcome(case: Json, scale: list[str]) -> Json:
    """Say what became of a case, and why it is not answered."""
    lost_by = {"missing": "missing", "failed": "error"}.get(case["state"])
    if lost_by is None and case["verdict"] not in scale:
        lost_by = "no verdict" if case["verdict"] is None else OFF_SCALE
    if case["truth"] not in scale:
        return {"outcome": "unscored", "lost_by": lost_by or "no truth"}
    return {"outcome": "failed" if lost_by else "answered", "lost_by": lost_by}


def _counts(old: Json, cases: list[Json]) -> Json:
    """Return what was counted in three records; what is counted elsewhere is left out."""
    found = {name: n for name, n in old["population"].items() if name != "ranked_by"}
    found["n_error"] = found.pop("n_failed")
    known = [each for each in cases if each["truth"] is not None or each["state"] != "missing"]
    states = Counter(each["outcome"] for each in known)
    found["n_asked"] = states["answered"] + states["failed"]
    found |= {f"n_{each}": states[each] for each in ("answered", "failed", "unscored")}
    found |= taken(old["consistency"], "n_ruled", "n_consistent")
    found["n_without_rule"] = old["consistency"]["n_skipped_no_rule"]
    if old["agreement"]["available"]:
        derived = {name: n for name, n in old["agreement"].items() if name.startswith("n_")}
        derived["n_not_derived"] = derived.pop("n_skipped")
        found |= derived
    return found


def faults(artifact: VerdictsArtifact) -> Iterator[str]:
    """Name what does not fit together."""
    policy = artifact.parts.policy
    n = len(policy.verdicts)
    for number, system in enumerate(artifact.systems):
        path, parts = f"systems.{number}", system.parts
        if [*system.variants] != [""]:
            yield f"`{path}.variants` holds other names than the empty one"
        if [len(row) for row in parts.confusion] != [n] * n:
            yield f"`{path}.parts.confusion` is not a table of {n} by {n} verdicts"
        if len(parts.unanswered) != n:
            yield f"`{path}.parts.unanswered` does not hold {n} verdicts"
        variant = system.variants[""]
        needed: list[tuple[str, Collection[str], Iterable[str]]] = [
            ("variants..numbers", variant.numbers, _labels(parts, n)),
            ("variants..counts", variant.counts, (*COUNTS, *(DERIVED if policy.rules else ()))),
            ("variants..about", variant.about, ("ranked_by", "not_derived")),
            ("parts.counted", parts.counted, SEVEN),
        ]
        if parts.snippets is not None:
            found = parts.snippets
            needed.append(("parts.snippets.n_valid", found.n_valid, (found.mode, *found.modes)))
            needed.append(("parts.snippets.modes", found.modes, [found.mode]))
        for place, known, names in needed:
            yield from lacking(f"{path}.{place}", known, names)
    for number, pair in enumerate(artifact.pairs):
        if "n_common" not in pair.counts or "macro_f1" not in pair.deltas.get("", ()):
            yield f"`pairs.{number}` lacks `n_common`, or the difference of `macro_f1`"


def _labels(parts: VerdictParts, n_verdicts: int) -> Iterator[str]:
    """Yield the numbers that parts speak of."""
    yield from dict.fromkeys((*SEVEN, *parts.counted))
    yield from (f"threshold_auprc@{spelled(each.threshold)}" for each in parts.thresholds)
    for name in ("class_precision", "class_recall", "class_f1"):
        yield from (f"{name}@{spelled(at)}" for at in range(n_verdicts))
