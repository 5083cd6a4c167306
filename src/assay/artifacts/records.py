"""Records that artifacts of every family are made of."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

__all__ = [
    "SCHEMA_VERSION",
    "Delta",
    "Interval",
    "Number",
    "Numbers",
    "Record",
    "Resampling",
    "Scalar",
    "Tool",
]

SCHEMA_VERSION = "1"
Number = float | None
"""null where undefined; the reason stands beside it"""
Interval = tuple[float, float] | None
Numbers = list[Number]


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSON object whose keys come in the order of its fields."""


class Tool(Record, frozen=True, kw_only=True):
    """What computed the numbers."""

    name: str
    version: str
    engine: Literal["compiled", "numpy"]


class Resampling(Record, frozen=True, kw_only=True):
    """How the intervals came about."""

    unit: str
    n_units: int
    n_resamples: int
    seed: int
    stream: Literal["legacy", "counter"]
    level: float
    method: Literal["percentile", "basic", "bca"]
    n_all_abstained: list[int] = field(default_factory=list)
    """per input, resamples in which nothing is answered: their areas are 0 by convention"""


class Scalar(Record, frozen=True, kw_only=True):
    """One number with its error bar."""

    metric: str
    title: str
    better: Literal["lower", "higher"] | None
    options: dict[str, str | int | float | None]
    value: Number
    reason: str | None
    """why the value is null"""
    interval: Interval
    interval_reason: str | None
    """why the interval is null"""
    standard_error: Number
    n_undefined: int
    """resamples on which the number is undefined; they are in no interval"""
    exact_interval: Interval = None
    """Clopper-Pearson, where the number is a share of independent participants"""


class Delta(Record, frozen=True, kw_only=True):
    """A paired difference, right minus left, on shared resamples."""

    metric: str
    title: str
    better: Literal["lower", "higher"] | None
    left: Number
    right: Number
    delta: Number
    reason: str | None
    interval: Interval
    interval_reason: str | None
    ci95: Interval
    """the interval once more where its level is 0.95"""
    standard_error: Number
    p_value: Number
    p_holm: Number
    """corrected for the inputs compared with the first"""
    n_undefined: int
