"""The metrics artifact of an earlier program: its keys, beside ours in the same file.

They are made of the artifact, written with it and never read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from msgspec import UNSET

from assay.families.selective.parts import PEOPLE, population
from assay.score import spelled
from assay.sources.matching import OVERLAP

if TYPE_CHECKING:
    from assay.artifact import Delta, Resampling, Scalar, Variant
    from assay.families.selective.parts import SelectiveArtifact, SelectiveParts

Json = dict[str, Any]
SPELLINGS: Mapping[str, str] = {
    "cmax": "cmax",
    "aurc_full": "aurc",
    "augrc_full": "augrc",
    "aurc_at_coverage": "aurc_at_coverage",
    "augrc_at_coverage": "augrc_at_coverage",
    "aurc_optimal": "aurc_optimal",
    "augrc_optimal": "augrc_optimal",
    "eaurc": "eaurc",
    "eaugrc": "eaugrc",
    "aurc_achievable": "aurc_achievable",
}
"""what it calls our numbers"""
SHARES: Mapping[str, str] = {
    "aurc_gap_pct": "aurc_gap_pct",
    "augrc_gap_pct": "augrc_gap_pct",
    "achievable_gain_pct": "aurc_achievable_gain_pct",
}
"""excesses in percent, under `interpretation`"""
KEYS = (
    *("cmax", "aurc_full", "augrc_full", "aurc_at_c", "augrc_at_c"),
    *("aurc_at_coverage", "augrc_at_coverage", "mae_at_coverage", "mae_grid"),
    *("aurc_optimal", "augrc_optimal", "eaurc", "eaugrc", "aurc_achievable"),
    *("interpretation", "bootstrap", "curve"),
)
"""of a confidence, in its order"""
RISK, ACHIEVED = "risk_at_coverage", "achieved_coverage"
LINES = ("coverage", "selective_risk", "generalized_risk", "threshold")
"""of the curve"""
NAMED_LEVEL = 0.95
"""of intervals that may be called ci95"""


def labels(artifact: SelectiveArtifact) -> list[str]:
    """Return the numbers that the keys below are made of."""
    swept = [f"{name}@{spelled(c)}" for name in (RISK, ACHIEVED) for c in _grid(artifact)]
    return [*SPELLINGS.values(), *SHARES.values(), *swept]


def _grid(artifact: SelectiveArtifact) -> list[float]:
    return cast("list[float]", artifact.conventions["coverage_grid"])


def _variants(artifact: SelectiveArtifact) -> Json:
    """Return every confidence; of several systems by their inputs."""
    systems = artifact.systems
    if len(systems) == 1:
        own = systems[0].variants
        return {name: _variant(artifact, each) for name, each in own.items() if name != PEOPLE}
    names = dict.fromkeys(name for system in systems for name in system.variants if name != PEOPLE)
    return {
        name: {
            f"input_{number}": _variant(artifact, system.variants[name])
            for number, system in enumerate(systems)
            if name in system.variants
        }
        for name in names
    }


def _variant(artifact: SelectiveArtifact, variant: Variant[SelectiveParts]) -> Json:
    numbers = variant.numbers
    own = {old: numbers[ours].value for old, ours in SPELLINGS.items()}
    requested = cast("float", artifact.conventions["area_coverage"])
    used = min(requested, own["cmax"] or 0.0)
    areas = {area: own[f"{area}_at_coverage"] for area in ("aurc", "augrc")}
    cut = {
        f"{area}_at_c": {"requested": requested, "used": used, "value": value}
        for area, value in areas.items()
    }
    grid = {spelled(c): _matched(numbers, c) for c in _grid(artifact)}
    every = {
        **own,
        **cut,
        **dict.fromkeys(("mae_at_coverage", "mae_grid"), grid),
        "interpretation": {old: numbers[ours].value for old, ours in SHARES.items()},
        "bootstrap": _bootstrap(artifact.resampling, numbers, list(grid)),
        "curve": {line: getattr(variant.parts.curve, line) for line in LINES},
    }
    return {key: every[key] for key in KEYS}


def _matched(numbers: Mapping[str, Scalar], coverage: float) -> Json:
    at = spelled(coverage)
    achieved, value = numbers[f"{ACHIEVED}@{at}"].value, numbers[f"{RISK}@{at}"].value
    return {"requested": coverage, "achieved": achieved, "value": value}


def _bootstrap(plan: Resampling, numbers: Mapping[str, Scalar], grid: list[str]) -> Json:
    if not plan.n_resamples:
        return {}

    def renamed(read: Callable[[Scalar], Any]) -> Json:
        named = {old: read(numbers[ours]) for old, ours in SPELLINGS.items()}
        named |= {f"{area}_at_c": named[f"{area}_at_coverage"] for area in ("aurc", "augrc")}
        return {**named, "mae_at_coverage": {c: read(numbers[f"{RISK}@{c}"]) for c in grid}}

    return {
        "seed": plan.seed,
        "n_resamples": plan.n_resamples,
        "ci95": renamed(_percentile) if plan.level == NAMED_LEVEL else {},
        "drop_rate": renamed(lambda each: each.n_undefined / plan.n_resamples),
    }


def _percentile(number: Scalar | Delta) -> Any:
    """Return the interval that the earlier program writes."""
    beside = number.percentile_interval
    return number.interval if beside is UNSET else beside


def _comparison(artifact: SelectiveArtifact) -> Json:
    """Return the differences between the first two systems, where there are two."""
    first = artifact.pairs[0] if artifact.pairs else None
    level = artifact.resampling.level
    return {
        "enabled": first is not None,
        "intersection_only": artifact.conventions["intersection_only"],
        "deltas": first and {name: _deltas(of, level) for name, of in first.deltas.items() if name},
        **{name: first and first.counts[name] for name in OVERLAP},
    }


def _deltas(found: Mapping[str, Delta], level: float) -> Json:
    every = {**found, **{old: found[ours] for old, ours in SPELLINGS.items()}}
    return {
        label: {"delta": each.delta, "ci95": _percentile(each) if level == NAMED_LEVEL else None}
        for label, each in every.items()
    }


SEED_KEYS: Mapping[str, Callable[[SelectiveArtifact], Any]] = {
    "population": population,
    "loss": lambda artifact: artifact.parts.loss,
    "confidence_variants": _variants,
    "comparison": _comparison,
}
