"""The artifact of a selective evaluation.

It holds, for every confidence variant, all numbers under `metrics` (one entry per number, whatever
metrics are registered) and the same numbers under the names that earlier programs gave them.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType, field

from assay.artifacts.records import (
    SCHEMA_VERSION,
    Delta,
    Number,
    Numbers,
    Record,
    Resampling,
    Scalar,
    Tool,
)
from assay.calibrators.applied import AppliedCalibration

__all__ = [
    "AppliedCalibration",
    "Comparison",
    "ComparisonArtifact",
    "Curve",
    "Group",
    "Input",
    "Interpretation",
    "Limits",
    "LossRecord",
    "Matched",
    "Pair",
    "Population",
    "SelectiveArtifact",
    "Thinning",
    "Truncated",
    "Variant",
]


class Population(Record, frozen=True, kw_only=True):
    """Who and what the numbers are about; the four states are never mixed."""

    participants_total: int
    participants_included: int
    participants_failed: int
    participants_unscored: int
    participants_without_prediction: int
    items_total: int
    """answered and abstained items of included participants: the denominator of every coverage"""
    items_predicted: int
    items_abstained: int
    items_unscored: int
    cmax: Number


class Input(Record, frozen=True, kw_only=True):
    """One file that was read."""

    path: str
    sha256: str | None
    format: str
    mode: str | None
    run_id: str | None
    git_commit: str | None
    population: Population
    """of the file as it is, before any intersection with other inputs"""
    analysed: Population | UnsetType = UNSET
    """in a comparison: of the participants that every number is computed on"""


class LossRecord(Record, frozen=True, kw_only=True):
    """What an answer costs, and in which unit."""

    name: str
    definition: str
    raw_multiplier: float
    range: Number
    """the largest possible loss; null when the scale is not known"""
    scale: tuple[float, float] | None


class Truncated(Record, frozen=True, kw_only=True):
    """An area up to a coverage."""

    requested: float
    used: float
    value: Number


class Matched(Record, frozen=True, kw_only=True):
    """A risk at a coverage."""

    requested: float
    achieved: Number
    value: Number


class Interpretation(Record, frozen=True, kw_only=True):
    """Excesses as shares, in percent."""

    aurc_gap_pct: Number
    augrc_gap_pct: Number
    achievable_gain_pct: Number


class Thinning(Record, frozen=True, kw_only=True):
    """How many points of a curve are kept."""

    n_points: int
    n_kept: int
    rule: str


class Limits(Record, frozen=True, kw_only=True):
    """Another curve over the same answers, as points."""

    coverage: list[float]
    selective_risk: list[float]
    generalized_risk: list[float]
    thinning: Thinning


class Curve(Record, frozen=True, kw_only=True):
    """The working points, each with its pointwise intervals at its threshold."""

    coverage: list[float]
    selective_risk: list[float]
    generalized_risk: list[float]
    threshold: list[float]
    n_accepted: list[float]
    n_handed_over: list[float]
    """the other items: below the threshold, or abstained"""
    coverage_low: Numbers
    coverage_high: Numbers
    selective_risk_low: Numbers
    selective_risk_high: Numbers
    generalized_risk_low: Numbers
    generalized_risk_high: Numbers
    n_resamples: int
    """the resamples behind the pointwise intervals: the first of the stream"""
    thinning: Thinning
    oracle: Limits
    hull: Limits


class Variant(Record, frozen=True, kw_only=True):
    """All numbers of one system under one confidence function."""

    metrics: dict[str, Scalar]
    cmax: Number
    aurc_full: Number
    augrc_full: Number
    aurc_at_c: Truncated
    augrc_at_c: Truncated
    aurc_at_coverage: Number
    augrc_at_coverage: Number
    mae_at_coverage: dict[str, Matched]
    mae_grid: dict[str, Matched]
    aurc_optimal: Number
    augrc_optimal: Number
    eaurc: Number
    eaugrc: Number
    aurc_achievable: Number
    interpretation: Interpretation
    bootstrap: dict[str, Any]
    """seed, n_resamples, ci95 (where the level is 0.95) and drop_rate; empty without resamples"""
    curve: Curve


class Pair(Record, frozen=True, kw_only=True):
    """One input against the first: how their participants overlap, and every difference."""

    left: int
    right: int
    participants_left_only: int
    participants_right_only: int
    overlap_total: int
    overlap_included: int
    failed_left: int
    failed_right: int
    deltas: dict[str, dict[str, Delta]]
    failure_rate: Delta


class Comparison(Record, frozen=True, kw_only=True):
    """Inputs against the first input."""

    enabled: bool
    intersection_only: bool
    deltas: dict[str, dict[str, Delta]] | None
    participants_left_only: int | None = None
    participants_right_only: int | None = None
    overlap_total: int | None = None
    overlap_included: int | None = None
    failed_left: int | None = None
    failed_right: int | None = None
    pairs: list[Pair] = field(default_factory=list)


class Group(Record, frozen=True, kw_only=True):
    """One group of rows of one input, with all its numbers."""

    input: int
    label: str
    participants: int
    """those who have rows in this group; they are what its intervals resample"""
    items_total: int
    items_predicted: int
    confidence_variants: dict[str, dict[str, Scalar]]


class _Selective(Record, frozen=True, kw_only=True):
    schema_version: str = SCHEMA_VERSION
    tool: Tool
    created_at: str
    command: str | None = None
    """what makes it again; null where a program asked, not a command"""
    inputs: list[Input]
    population: Population
    """of the participants that every number below is computed on; in a comparison the items are
    those of the input that answers least, so that every input reaches this cmax"""
    loss: LossRecord
    conventions: dict[str, str | bool | float | list[float] | None]
    resampling: Resampling
    calibration: AppliedCalibration | UnsetType = UNSET
    """only where --calibration was given"""
    warnings: list[str]
    failure_rate: list[Scalar]
    """one per input"""
    groups: list[Group] = field(default_factory=list)
    """only where a table has a group column"""


class SelectiveArtifact(_Selective, frozen=True, kw_only=True, tag_field="kind", tag="selective"):
    """One system."""

    confidence_variants: dict[str, Variant]
    comparison: Comparison


class ComparisonArtifact(
    _Selective, frozen=True, kw_only=True, tag_field="kind", tag="selective-comparison"
):
    """Several systems on the same participants; variants hold input_0, input_1 and so on."""

    confidence_variants: dict[str, dict[str, Variant]]
    comparison: Comparison
