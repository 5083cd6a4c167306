"""Every number of every model on the same resamples of the vignettes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assay.artifacts.reasoning import Place, Ranking, ReasoningPair
from assay.columns import Resamples
from assay.evaluate.reasoning.sheets import (
    Common,
    Convention,
    Flags,
    Pairs,
    Sample,
    Sheet,
    common,
    output_rows,
    pairs_under,
    vignette_rows,
)
from assay.evaluate.scalars import pairwise_deltas, scalar
from assay.evaluate.scoring import Key, Scored
from assay.inference import Replicate, bootstrap
from assay.score import Request, Rows, requests, statistic

if TYPE_CHECKING:
    from assay.artifacts import Delta, Scalar
    from assay.columns import Array
    from assay.evaluate.reasoning.options import ReasoningOptions
    from assay.inference import Plan

__all__ = ["ROWS", "Numbers", "numbers_of"]

ROWS = "rows"
"""all sides are of this one variant, so that they share their resamples"""


COMPARED = (
    "accuracy_cot",
    "accuracy_early",
    "faithfulness_gap",
    "refusal_rate_cot",
    "refusal_rate_early",
    "step_f1",
)
"""what is compared between models"""
GAP = ("faithfulness_gap",)


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Tables to be scored; one that is there already is not scored again."""

    settings: Mapping[str, Any]
    used_only: bool = False
    """whether the rows that count are resampled, each by itself, instead of all vignettes"""
    tables: list[Rows] = field(default_factory=list)
    known: dict[Any, int] = field(default_factory=dict)
    asked: dict[Key, Request] = field(default_factory=dict)

    def add(self, rows: Rows, labels: Sequence[str] | None = None) -> int:
        """Return the number of a table of which these numbers are wanted, or all."""
        if self.used_only:
            rows = _used(rows)
        content = tuple((name, values.tobytes()) for name, values in rows.columns.items())
        key = (content, rows.weight.cluster.tobytes())
        if key not in self.known:
            self.known[key] = len(self.tables)
            self.tables.append(rows)
        side = self.known[key]
        for each in requests(tuple(rows.columns), self.settings):
            if labels is None or each.label in labels:
                self.asked[side, ROWS, each.label] = each
        return side

    def scored(self, plan: Plan, progress: Callable[[int], None]) -> Scored:
        """Compute everything on the same resamples."""
        replicates: dict[Key, Replicate] = {}
        for resampled in (True, False):
            how = plan if resampled else replace(plan, n_resamples=0)
            asked = {k: each for k, each in self.asked.items() if each.metric.interval is resampled}
            for n_clusters in dict.fromkeys(map(self._n_clusters, asked)):
                part = [key for key in asked if self._n_clusters(key) == n_clusters]
                found = bootstrap(
                    [statistic(asked[key], self.tables[key[0]]) for key in part],
                    how,
                    n_clusters=n_clusters,
                    n_rows=max(each.weight.cluster.size for each in self.tables),
                    progress=progress,
                )
                replicates |= {key: found.of(row) for row, key in enumerate(part)}
        return Scored(self.asked, replicates)

    def _n_clusters(self, key: Key) -> int:
        return int(self.tables[key[0]].weight.counts.shape[1])


def _used(rows: Rows) -> Rows:
    """Leave out the rows that do not count, and let every other one be a cluster of its own."""
    counts = [rows.columns[name] for name in ("paired", "stepped") if name in rows.columns]
    if not counts or not counts[0].any():
        return rows
    used = counts[0] > 0
    n = int(used.sum())
    weight = Resamples(np.ones((1, n)), np.arange(n), np.ones(n), ())
    return Rows({name: values[used] for name, values in rows.columns.items()}, weight)


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """What was computed, and which side is which."""

    scored: Scored
    plan: Plan
    conventions: Sequence[Convention]
    """the chosen one first"""
    models: list[list[int]]
    """per model: its tables of answers, outcomes, steps and outputs"""
    readings: dict[tuple[int, Convention], tuple[int, Pairs]]
    pairs: list[tuple[int, int, Common]]
    pair_sides: list[list[tuple[int, int]]]
    """per table of answers, outcomes and steps: its sides in every pair of models"""

    def metrics(self, model: int) -> dict[str, Scalar]:
        """Write down all numbers of one model."""
        return {
            label: scalar(self.scored, (side, ROWS, label), self.plan)
            for side in self.models[model]
            for label in self.scored.labels(side, ROWS)
        }

    def gap(self, model: int, convention: Convention) -> Scalar:
        """Write down the gap of one model under one convention."""
        side, _ = self.readings[model, convention]
        return scalar(self.scored, (side, ROWS, *GAP), self.plan)

    def pair_records(self) -> list[ReasoningPair]:
        """Write down all pairs of models."""
        found: list[dict[str, Delta]] = [{} for _ in self.pairs]
        for of_part in self.pair_sides:
            for label in COMPARED:
                keys = [((left, ROWS, label), (right, ROWS, label)) for left, right in of_part]
                if keys and keys[0][0] in self.scored.asked:
                    deltas = pairwise_deltas(self.scored, keys, self.plan)
                    for of_pair, delta in zip(found, deltas, strict=True):
                        of_pair[label] = delta
        return [
            ReasoningPair(
                left=left,
                right=right,
                n_common=int(shared.paired.sum()),
                n_common_stepped=int(shared.stepped.sum()),
                deltas=deltas,
            )
            for (left, right, shared), deltas in zip(self.pairs, found, strict=True)
        ]

    def rankings(self) -> list[Ranking]:
        """Rank the models by every number that has a better side, and by the gap."""
        if len(self.models) == 1:
            return []
        found = []
        for place, side in enumerate(self.models[0][:-1]):
            for label in self.scored.labels(side, ROWS):
                metric = self.scored.asked[side, ROWS, label].metric
                if metric.interval and (metric.better is not None or label in GAP):
                    found.append(self._ranking(place, label, metric.better))
        return found

    def _ranking(
        self, place: int, label: str, better: Literal["lower", "higher"] | None
    ) -> Ranking:
        keys = [(sides[place], ROWS, label) for sides in self.models]
        replicates = [self.scored.replicates[key] for key in keys]
        sign = 1.0 if better == "lower" else -1.0
        points = sign * np.array([each.point for each in replicates])
        ranks = _ranks(points[:, None])[:, 0]
        intervals = _rank_intervals(replicates, sign, self.plan.level)
        records = [scalar(self.scored, key, self.plan) for key in keys]
        places = [
            Place(
                model=model,
                rank=int(ranks[model]),
                value=record.value,
                interval=record.interval,
                rank_interval=intervals[model],
            )
            for model, record in enumerate(records)
        ]
        known = sorted(places, key=lambda each: (each.value is None, each.rank, each.model))
        return Ranking(metric=label, title=records[0].title, better=better, places=known)


def _ranks(values: Array) -> Array:
    """Rank every column from the smallest, equals sharing the smaller rank; NaN comes last."""
    filled = np.where(np.isnan(values), np.inf, values)
    ranks: Array = 1.0 + (filled[None, :, :] < filled[:, None, :]).sum(1)
    return ranks


def _rank_intervals(
    replicates: Sequence[Replicate], sign: float, level: float
) -> list[tuple[int, int] | None]:
    drawn = sign * np.array([each.distribution for each in replicates])
    drawn = drawn[:, ~np.isnan(drawn).any(0)]
    if not drawn.shape[1]:
        return [None] * len(replicates)
    tails = [(1 - level) / 2, (1 + level) / 2]
    ends = np.quantile(_ranks(drawn), tails, axis=1, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in ends.T]


def numbers_of(
    sheets: Sequence[Sheet],
    sample: Sample,
    options: ReasoningOptions,
    conventions: Sequence[Convention],
    plan: Plan,
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> Numbers:
    """Compute everything: each model, each reading of its gap, each pair of models.

    The first of the conventions is the chosen one.
    """
    chosen = conventions[0]
    sides = _Sides(options.settings(), options.preset == "reference" and sample.independent)
    flags = [Flags.of(sheet, sample.ids) for sheet in sheets]
    pairs = [
        {
            each: pairs_under(own, sample.ids, each, options.denominator)
            for each in conventions
            if each.reading in own.sheet.readings
        }
        for own in flags
    ]
    models = [
        [
            *map(sides.add, vignette_rows(own, sample, pairs[n][chosen], chosen.reading)),
            sides.add(output_rows(own.sheet, sample)),
        ]
        for n, own in enumerate(flags)
    ]
    readings = {
        (n, each): (sides.add(Rows(under.columns(), sample.weight), GAP), under)
        for n in range(len(sheets))
        for each, under in pairs[n].items()
    }
    compared = []
    pair_sides: list[list[tuple[int, int]]] = [[] for _ in models[0][:-1]]
    for left, right in combinations(range(len(sheets)), 2):
        both = [(flags[n], pairs[n][chosen]) for n in (left, right)]
        shared = common(both[0], both[1])
        compared.append((left, right, shared))
        parts = [
            vignette_rows(own, sample, held, chosen.reading, beside=shared) for own, held in both
        ]
        for of_part, *two in zip(pair_sides, *parts, strict=True):
            of_part.append((sides.add(two[0], COMPARED), sides.add(two[1], COMPARED)))
    found = sides.scored(plan, progress)
    return Numbers(found, plan, conventions, models, readings, compared, pair_sides)
