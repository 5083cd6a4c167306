"""Every number of every system on the same resamples: what all families share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any, Literal

import numpy as np

from assay.inference import Plan, Replicate, Replicates, Statistic, bootstrap
from assay.score import Request, Rows, common_requests, requests, statistic

__all__ = ["Key", "Scored", "Side", "Undefined", "scored"]

Key = tuple[int, str, str]
"""system, variant, label of the number"""
Undefined = Literal["null", "reference"]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One system: its rows under every variant, and the settings of its metrics."""

    variants: Mapping[str, Rows]
    settings: Mapping[str, Any]
    undefined: Undefined = "null"
    """`reference` gives undefined numbers the value that the reference program has for them"""
    nothing: str | None = None
    """why there is nothing to compute numbers from, where that is so"""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Numbers by key: what was asked, and what came out on the sample and its resamples."""

    asked: Mapping[Key, Request]
    replicates: Mapping[Key, Replicate]
    nothing: Mapping[int, str] = field(default_factory=dict)
    """by system, why there is nothing to compute numbers from"""

    def reason(self, key: Key) -> str:
        """Say why a number is undefined."""
        request = self.asked[key]
        unknown = any(isinstance(each, float) and isnan(each) for each in request.options.values())
        own = request.metric.undefined
        return own if unknown else self.nothing.get(key[0], own)

    def systems(self) -> list[int]:
        """Return the numbers of the systems."""
        return list(dict.fromkeys(number for number, _, _ in self.asked))

    def labels(self, system: int, variant: str) -> list[str]:
        """Return the labels of the numbers of one system under one variant."""
        return [label for number, name, label in self.asked if (number, name) == (system, variant)]

    def difference(self, key: Key, right: int) -> Replicate:
        """Return a number of another system minus this one's, resample by resample."""
        return self.replicates[right, key[1], key[2]] - self.replicates[key]


def scored(
    sides: Sequence[Side], plan: Plan, *, progress: Callable[[int], None] = lambda _: None
) -> Scored:
    """Compute every number of every system, variant by variant.

    Numbers of one variant share their resamples over all systems, so that differences are paired.
    """
    asked: dict[Key, Request] = {}
    replicates: dict[Key, Replicate] = {}
    for name in dict.fromkeys(name for side in sides for name in side.variants):
        rows = {n: side.variants[name] for n, side in enumerate(sides) if name in side.variants}
        compared = tuple(rows.values())
        of_variant = {
            (number, name, request.label): request
            for number in rows
            for request in _asked(rows[number], sides[number], n_compared=len(compared))
        }
        asked |= of_variant
        for resampled in (True, False):
            chosen = {
                k: each for k, each in of_variant.items() if each.metric.interval is resampled
            }
            statistics = [
                _number(request, rows[number], compared, sides[number])
                for (number, _, _), request in chosen.items()
            ]
            how = plan if resampled else replace(plan, n_resamples=0)
            drawn = _bootstrap(statistics, compared, how, progress)
            replicates |= {key: drawn.of(row) for row, key in enumerate(chosen)}
    nothing = {number: side.nothing for number, side in enumerate(sides) if side.nothing}
    return Scored(asked, {key: replicates[key] for key in asked}, nothing)


def _bootstrap(
    statistics: Sequence[Statistic],
    compared: Sequence[Rows],
    plan: Plan,
    progress: Callable[[int], None],
) -> Replicates:
    n_rows = max(each.weight.cluster.size for each in compared)
    return bootstrap(
        statistics,
        plan,
        n_clusters=compared[0].weight.counts.shape[1],
        n_rows=n_rows,
        n_points=max(each.n_points or n_rows for each in compared),
        progress=progress,
    )


def _asked(rows: Rows, side: Side, *, n_compared: int) -> tuple[Request, ...]:
    asked = requests(tuple(rows.columns), side.settings)
    return asked if n_compared == 1 else (*asked, *common_requests(asked))


def _number(request: Request, rows: Rows, compared: Sequence[Rows], side: Side) -> Statistic:
    value = statistic(request, rows, compared=compared)
    otherwise = request.metric.reference
    if side.undefined == "null" and not rows.weight.cluster.size:
        return lambda draw: np.full(draw.counts.shape[0], np.nan)
    if side.undefined == "null" or otherwise is None:
        return value
    return lambda draw: np.nan_to_num(value(draw), nan=otherwise)
