"""The artifact of a calibration evaluation: numbers, reliability table and cumulative curve."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from assay.artifacts.records import (
    SCHEMA_VERSION,
    Delta,
    Interval,
    Number,
    Numbers,
    Record,
    Resampling,
    Scalar,
    Tool,
)
from assay.artifacts.selective import AppliedCalibration, Thinning

__all__ = [
    "CalibrationArtifact",
    "CalibrationGroup",
    "CalibrationInput",
    "CalibrationPair",
    "CalibrationPopulation",
    "CalibrationSystem",
    "ClassCount",
    "CumulativeDifferences",
    "ReliabilityBin",
]

BinInterval = Literal["clopper-pearson", "cluster bootstrap"]


class CalibrationInput(Record, frozen=True, kw_only=True):
    """One file that was read."""

    path: str
    sha256: str | None
    format: str
    mode: str | None
    run_id: str | None
    git_commit: str | None
    n_rows: int
    """as read: scored, unscored and abstained"""
    n_unscored: int
    """rows left out because they have no truth or no probability"""
    n_abstained: int
    """items of a run that were not answered"""


class CalibrationPopulation(Record, frozen=True, kw_only=True):
    """What every number below is computed on."""

    n_rows: int
    n_clusters: int | None
    """null where no clusters were named and rows count as independent"""
    n_classes: int | None
    """null where there is one outcome that comes true or not"""


class ClassCount(Record, frozen=True, kw_only=True):
    """How often a class is true and how often it is predicted."""

    label: str
    n_true: int
    n_predicted: int


class ReliabilityBin(Record, frozen=True, kw_only=True):
    """One bin of the reliability table; an empty bin has a count of 0 and no means."""

    low: Number
    high: Number
    """the edges; where bins have no fixed places, their smallest and largest score"""
    count: float
    mean_confidence: Number
    accuracy: Number
    interval: Interval
    """of the accuracy"""
    interval_reason: str | None


class CumulativeDifferences(Record, frozen=True, kw_only=True):
    """Outcome minus probability, added up from the smallest probability, over the rows."""

    share: list[float]
    """of the rows that are added up so far"""
    score: Numbers
    """up to which rows are added; null at the start"""
    difference: list[float]
    band: list[float]
    """half the width of the pointwise band in which calibrated probabilities stay"""
    level: float
    """of the band"""
    thinning: Thinning


class CalibrationGroup(Record, frozen=True, kw_only=True):
    """One group of rows, with all its numbers on these rows alone."""

    label: str
    n_rows: int
    n_clusters: int | None
    """those with rows in this group, which its intervals resample; null where rows are drawn"""
    n_positive: int
    metrics: dict[str, Scalar]


class CalibrationSystem(Record, frozen=True, kw_only=True):
    """All numbers of one set of probabilities."""

    name: str
    input: int
    columns: list[str]
    n_rows: int
    n_positive: int
    """rows whose outcome is 1; with classes, rows whose top label is right"""
    metrics: dict[str, Scalar]
    """with classes, all but those of `over_classes` are about the top label"""
    over_classes: list[str]
    """which of the numbers are about the probabilities of all classes"""
    reliability: list[ReliabilityBin]
    reliability_interval: BinInterval
    cumulative: CumulativeDifferences
    classes: list[ClassCount]
    groups: list[CalibrationGroup] = field(default_factory=list)


class CalibrationPair(Record, frozen=True, kw_only=True):
    """One system against the first: every difference, right minus left."""

    left: int
    right: int
    deltas: dict[str, Delta]


class CalibrationArtifact(Record, frozen=True, kw_only=True, tag_field="kind", tag="calibration"):
    """Probabilities against outcomes, one or several systems."""

    schema_version: str = SCHEMA_VERSION
    tool: Tool
    created_at: str
    command: str | None = None
    """what makes it again; null where a program asked, not a command"""
    inputs: list[CalibrationInput]
    population: CalibrationPopulation
    conventions: dict[str, str | bool | int | float | list[str] | None]
    resampling: Resampling
    warnings: list[str]
    systems: list[CalibrationSystem]
    pairs: list[CalibrationPair]
    calibration: AppliedCalibration | None = None
    """the calibrator behind the calibrated confidences of a run"""
