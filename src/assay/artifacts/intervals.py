"""The artifacts of prediction intervals and prediction sets, several levels and systems at once."""

from __future__ import annotations

from typing import Literal

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

__all__ = [
    "CoverageTest",
    "IntervalLevel",
    "IntervalSystem",
    "IntervalsArtifact",
    "LevelCurve",
    "LevelPair",
    "SetLevel",
    "SetSystem",
    "SetsArtifact",
    "Stratum",
    "TableInput",
    "WidthDistribution",
]

ShareMethod = Literal["clopper-pearson", "cluster bootstrap"]
ShareTest = Literal["exact binomial", "cluster bootstrap"]


class TableInput(Record, frozen=True, kw_only=True):
    """One table that was read."""

    path: str
    sha256: str | None
    format: str
    n_rows: int


class Stratum(Record, frozen=True, kw_only=True):
    """The coverage among some of the rows; a stratum without rows is listed with n = 0."""

    name: str
    n: int
    n_covered: int
    coverage: Number
    reason: str | None
    """why the coverage is null"""
    interval: Interval
    interval_reason: str | None
    """why the interval is null"""
    size_low: Number = None
    size_high: Number = None
    """the smallest and the largest size in the stratum, where sizes define it"""


class CoverageTest(Record, frozen=True, kw_only=True):
    """How often the truth is covered, against how often it should be."""

    nominal: float
    n: int
    n_covered: int
    coverage: float
    gap: float
    """coverage minus nominal: below 0 too few are covered"""
    interval: Interval
    """of the coverage"""
    gap_interval: Interval
    method: ShareMethod
    interval_reason: str | None
    p_value: Number
    test: ShareTest
    """two-sided, of the coverage being nominal"""


class LevelCurve(Record, frozen=True, kw_only=True):
    """Empirical against nominal coverage, one point per level in rising order."""

    nominal: list[float]
    empirical: list[float]
    empirical_low: Numbers
    empirical_high: Numbers


class WidthDistribution(Record, frozen=True, kw_only=True):
    """How wide intervals are: the width that a share of them does not exceed."""

    share: list[float]
    width: Numbers
    """as width_quantile reads it; null where it is infinite"""


class IntervalLevel(Record, frozen=True, kw_only=True):
    """All numbers of the intervals of one level."""

    level: float
    columns: list[str]
    n_crossed: int
    """rows whose lower bound lies above the upper one"""
    n_unbounded: int
    """rows with an infinite bound: in the coverage, and their width is infinite"""
    coverage: CoverageTest
    metrics: dict[str, Scalar]
    widths: WidthDistribution
    sizes: list[Stratum]
    """by rising width, as size_stratified_coverage cuts them"""
    least_size: Stratum | None
    """the size with the smallest coverage, the first of several"""
    groups: list[Stratum]
    least_group: Stratum | None


class SetLevel(Record, frozen=True, kw_only=True):
    """All numbers of the sets of one level."""

    level: float
    columns: list[str]
    coverage: CoverageTest
    metrics: dict[str, Scalar]
    sizes: list[Stratum]
    """by the number of classes in the set"""
    least_size: Stratum | None
    """the size with the smallest coverage, the first of several"""
    classes: list[Stratum]
    """by the true class"""
    least_class: Stratum | None
    groups: list[Stratum]
    least_group: Stratum | None


class IntervalSystem(Record, frozen=True, kw_only=True):
    """One family of intervals: those of one table and one choice of columns."""

    name: str
    input: int
    levels: dict[str, IntervalLevel]
    curve: LevelCurve


class SetSystem(Record, frozen=True, kw_only=True):
    """One family of sets."""

    name: str
    input: int
    levels: dict[str, SetLevel]
    curve: LevelCurve


class LevelPair(Record, frozen=True, kw_only=True):
    """One system against the first: every difference, right minus left, by level."""

    left: int
    right: int
    deltas: dict[str, dict[str, Delta]]


class _Levelled(Record, frozen=True, kw_only=True):
    schema_version: str = SCHEMA_VERSION
    tool: Tool
    created_at: str
    command: str | None = None
    """what makes it again; null where a program asked, not a command"""
    inputs: list[TableInput]
    conventions: dict[str, str | bool | int | float | list[float] | None]
    resampling: Resampling
    warnings: list[str]
    n_rows: int


class IntervalsArtifact(_Levelled, frozen=True, kw_only=True, tag_field="kind", tag="intervals"):
    """Prediction intervals."""

    systems: list[IntervalSystem]
    pairs: list[LevelPair]


class SetsArtifact(_Levelled, frozen=True, kw_only=True, tag_field="kind", tag="sets"):
    """Prediction sets."""

    classes: list[str]
    systems: list[SetSystem]
    pairs: list[LevelPair]
