"""All numbers of a system under one confidence, and under the names they had before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from assay.artifacts import (
    Comparison,
    Delta,
    Interpretation,
    Matched,
    Pair,
    Scalar,
    Truncated,
    Variant,
)
from assay.evaluate.curves import curve_record
from assay.evaluate.scalars import deltas, exact_interval, is_95, scalar
from assay.score import spelled
from assay.sources.participants import overlap

if TYPE_CHECKING:
    from assay.evaluate.results import Result

__all__ = ["comparison", "failure_rate", "variant"]

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
"""What earlier programs call our numbers."""
RISK, ACHIEVED = "risk_at_coverage", "achieved_coverage"


def variant(result: Result, number: int, name: str) -> Variant:
    """Write down all numbers of one system under one confidence."""
    labels = result.items.labels(number, name)
    plan = result.item_plan
    scalars = {label: scalar(result.items, (number, name, label), plan) for label in labels}
    value = {label: scalar.value for label, scalar in scalars.items()}
    grid = {spelled(c): _matched(value, c) for c in result.options.coverage_grid}
    numbers: dict[str, Any] = {old: value[ours] for old, ours in SPELLINGS.items()}
    return Variant(
        metrics=scalars,
        **numbers,
        aurc_at_c=_truncated(result, value, numbers["aurc_at_coverage"]),
        augrc_at_c=_truncated(result, value, numbers["augrc_at_coverage"]),
        mae_at_coverage=grid,
        mae_grid=grid,
        interpretation=Interpretation(
            aurc_gap_pct=value["aurc_gap_pct"],
            augrc_gap_pct=value["augrc_gap_pct"],
            achievable_gain_pct=value["aurc_achievable_gain_pct"],
        ),
        bootstrap=_bootstrap(result, scalars),
        curve=curve_record(result.systems[number], name, result.options, result.plan),
    )


def _matched(value: Mapping[str, float | None], coverage: float) -> Matched:
    at = spelled(coverage)
    return Matched(
        requested=coverage, achieved=value[f"{ACHIEVED}@{at}"], value=value[f"{RISK}@{at}"]
    )


def _truncated(result: Result, value: Mapping[str, float | None], area: float | None) -> Truncated:
    requested = result.options.area_coverage
    return Truncated(requested=requested, used=min(requested, value["cmax"] or 0.0), value=area)


def _bootstrap(result: Result, scalars: Mapping[str, Scalar]) -> dict[str, Any]:
    plan = result.plan
    if not plan.n_resamples:
        return {}
    at = [spelled(c) for c in result.options.coverage_grid]

    def renamed(read: Callable[[Scalar], Any]) -> dict[str, Any]:
        named = {old: read(scalars[ours]) for old, ours in SPELLINGS.items()}
        named |= {f"{area}_at_c": named[f"{area}_at_coverage"] for area in ("aurc", "augrc")}
        return {**named, "mae_at_coverage": {c: read(scalars[f"{RISK}@{c}"]) for c in at}}

    intervals = renamed(lambda each: each.interval) if is_95(plan) else {}
    dropped = renamed(lambda each: each.n_undefined / plan.n_resamples)
    return {
        "seed": plan.seed,
        "n_resamples": plan.n_resamples,
        "ci95": intervals,
        "drop_rate": dropped,
    }


def failure_rate(result: Result, number: int) -> Scalar:
    """Write down the share of participants on whom a system failed, exact interval included."""
    (label,) = result.people.labels(number, "")
    failed = result.systems[number].people.variants[""].columns["failed"]
    return msgspec.structs.replace(
        scalar(result.people, (number, "", label), result.plan),
        exact_interval=exact_interval(int(failed.sum()), failed.size, result.plan.level),
    )


def comparison(result: Result) -> Comparison:
    """Write down every system against the first."""
    enabled = len(result.systems) > 1
    only = result.options.intersection_only
    if not enabled:
        return Comparison(enabled=False, intersection_only=only, deltas=None)
    pairs = [_pair(result, right) for right in range(1, len(result.systems))]
    first = pairs[0]
    return Comparison(
        enabled=True,
        intersection_only=only,
        deltas={name: _spelled(found) for name, found in first.deltas.items()},
        participants_left_only=first.participants_left_only,
        participants_right_only=first.participants_right_only,
        overlap_total=first.overlap_total,
        overlap_included=first.overlap_included,
        failed_left=first.failed_left,
        failed_right=first.failed_right,
        pairs=pairs,
    )


def _spelled(found: Mapping[str, Delta]) -> dict[str, Delta]:
    """Add the names that earlier programs give to differences."""
    return {**found, **{old: found[ours] for old, ours in SPELLINGS.items()}}


def _pair(result: Result, right: int) -> Pair:
    met = overlap(result.tables[0], result.tables[right])
    shared = [
        name
        for name in result.systems[0].items.variants
        if name in result.systems[right].items.variants
    ]
    (rate,) = deltas(result.people, "", right, result.plan).values()
    return Pair(
        left=0,
        right=right,
        participants_left_only=met.left_only,
        participants_right_only=met.right_only,
        overlap_total=met.total,
        overlap_included=met.included,
        failed_left=met.failed_left,
        failed_right=met.failed_right,
        deltas={name: deltas(result.items, name, right, result.item_plan) for name in shared},
        failure_rate=rate,
    )
