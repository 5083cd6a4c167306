"""Systems by one number, the best first, with where their ranks lie on the resamples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.artifact import Record
from assay.families.reasoning.at_worst import HEDGED, LEFT_OUT
from assay.families.reasoning.bias import UNANSWERED
from assay.families.reasoning.inputs import GAP

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.family import Evaluated, Key
    from assay.inference import Replicate

__all__ = ["Place", "Ranking", "rankings"]


class Place(Record, frozen=True, kw_only=True):
    """A system in a ranking."""

    system: int
    rank: int
    """from 1; equal numbers share the smaller rank"""
    rank_interval: tuple[int, int] | None
    """where the rank lies on the resamples"""


class Ranking(Record, frozen=True, kw_only=True):
    """Systems by one number, the best first; the largest first where neither is better.

    All of them on all that was asked: what a system did not answer counts against it.
    """

    metric: str
    places: list[Place]


def rankings(evaluated: Evaluated) -> list[Ranking]:
    """Rank the systems by every number that has a better side and that all have, and by the gap."""
    n = len(evaluated.prepared.systems)
    keys: dict[str, list[Key]] = {}
    for place, subject in enumerate(evaluated.subjects):
        for label, request in evaluated.asked[place].items() if subject.listed else ():
            better = request.metric.better is not None or label == GAP
            if request.metric.interval and better:
                keys.setdefault(label, []).append((place, label))
    found = {label: own for label, own in keys.items() if len(own) == n > 1}
    return [
        _ranking(evaluated, label, own)
        for label, own in found.items()
        if not _lets_failing_pay(evaluated, label, own)
    ]


def _lets_failing_pay(evaluated: Evaluated, label: str, keys: Sequence[Key]) -> bool:
    """Say whether a rule that is to be kept would put somebody first who answered less."""
    sign = 1.0 if evaluated.asked[keys[0][0]][label].metric.better == "higher" else -1.0
    for pairing in evaluated.prepared.pairings or ():
        left, right = keys[pairing.left], keys[pairing.right]
        variant = evaluated.subjects[left[0]].variant
        if pairing.silent(variant, label) in {LEFT_OUT, UNANSWERED}:
            return True
        points = [evaluated.replicates[key].point for key in (left, right)]
        side = int(np.sign(np.nan_to_num(sign * (points[1] - points[0]))))
        if side and pairing.barred(variant, label, side) == HEDGED:
            return True
    return False


def _ranking(evaluated: Evaluated, label: str, keys: Sequence[Key]) -> Ranking:
    """Rank systems whose numbers come in the order of the systems."""
    replicates = [_at_worst(evaluated, number, key) for number, key in enumerate(keys)]
    better = evaluated.asked[keys[0][0]][label].metric.better
    sign = 1.0 if better == "lower" else -1.0
    points = sign * np.array([each.point for each in replicates])
    ranks = _ranks(points[:, None])[:, 0]
    intervals = _rank_intervals(replicates, sign, evaluated.plan.level)
    order = sorted(range(len(keys)), key=lambda n: (np.isnan(points[n]), ranks[n], n))
    places = [Place(system=n, rank=int(ranks[n]), rank_interval=intervals[n]) for n in order]
    return Ranking(metric=label, places=places)


def _at_worst(evaluated: Evaluated, number: int, key: Key) -> Replicate:
    """Return what a system is ranked by: all that was asked, what was not answered against it."""
    bounds = evaluated.prepared.context.bounds
    if key[1] == GAP and number in bounds:
        return evaluated.replicates[bounds[number][0], GAP]
    return evaluated.at_worst(key) or evaluated.replicates[key]


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
