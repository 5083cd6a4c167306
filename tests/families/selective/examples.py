"""Small tables, what they evaluate to, and the same numbers from the slow definitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from assay import stored
from assay.inference import Plan
from assay.sources.items import ItemTable
from tests import oracles
from tests.item_tables import items_from_arrays
from tests.selective_artifacts import evaluate, flat, strict

SCALE = (0.0, 3.0)
GRID = (0.25, 0.55, 0.8)
TARGET = 0.75
SIGNAL = "confidence"


def table(
    seed: int = 0,
    *,
    participants: Sequence[int] = range(101, 108),
    n_items: int = 3,
    levels: int = 4,
    answering: float = 0.7,
    failed: Sequence[int] = (),
) -> ItemTable:
    """Random scores from 0 to 3, few confidence levels, abstentions; truths go with the person."""
    rng = np.random.default_rng(seed)
    n = len(participants) * n_items
    who = np.repeat(participants, n_items)
    return items_from_arrays(
        participant=who,
        prediction=np.where(rng.random(n) < answering, rng.integers(0, 4, n), np.nan),
        truth=[*chain(*(np.random.default_rng(p).integers(0, 4, n_items) for p in participants))],
        confidence=rng.integers(0, levels, n) / levels,
        success=~np.isin(who, failed),
        scale=SCALE,
    )


USUAL = {"loss": "abs", "coverage_grid": GRID, "risk_target": (TARGET,)}
"""options under which the oracles below speak"""


def encoded(*tables: ItemTable, plan: Plan | None = None, **chosen: Any) -> bytes:
    """Evaluate and write down."""
    return stored.encode(evaluate(tables, plan=plan, **{**USUAL, **chosen}))


def evaluated(*tables: ItemTable, plan: Plan | None = None, **chosen: Any) -> dict[str, Any]:
    """Evaluate, write down, and read back as strict JSON."""
    return flat(strict(encoded(*tables, plan=plan, **chosen)))


def only_variant(artifact: Mapping[str, Any], number: int | None = None) -> dict[str, Any]:
    """The numbers of the one confidence there is, of one input in a comparison."""
    (found,) = artifact["confidence_variants"].values()
    chosen: dict[str, Any] = found if number is None else found[f"input_{number}"]
    return chosen


def alike(one: Any, other: Any) -> bool:
    """Compare what JSON can hold: floats to 1e-12 (relative 1e-9), all else exactly."""
    if type(one) is float and type(other) is float:
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    if type(one) is dict and type(other) is dict:
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if type(one) is list and type(other) is list:
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


def columns(given: ItemTable) -> dict[str, np.ndarray]:
    """The columns a metric takes, with absolute losses."""
    return {
        "loss": np.where(given.answered, np.abs(given.prediction - given.truth), np.nan),
        "confidence": given.signals[SIGNAL].value,
        "answered": given.answered,
    }


Groups = dict[int, list[oracles.Row]]


def groups(given: ItemTable) -> Groups:
    """The rows of every participant, for the oracles."""
    every = oracles.rows(**columns(given))
    who = given.cluster.tolist()
    return {
        person: [row for row, owner in zip(every, who, strict=True) if owner == person]
        for person in range(len(given.participants))
    }


def _risk(rows: list[oracles.Row]) -> Fraction | None:
    points = oracles.plateau_curve(rows)
    return points[-1].selective_risk if points else None


def slow(reading: oracles.Reading) -> dict[str, Callable[[list[oracles.Row]], Any]]:
    """The slow definition of every number, by its label."""
    both = {
        "aurc": oracles.aurc,
        "augrc": oracles.augrc,
        "naurc": oracles.naurc,
        "naugrc": oracles.naugrc,
        "aurc_optimal": oracles.aurc_optimal,
        "augrc_optimal": oracles.augrc_optimal,
        "eaurc": oracles.eaurc,
        "eaugrc": oracles.eaugrc,
        "aurc_gap_pct": oracles.aurc_gap_percent,
        "augrc_gap_pct": oracles.augrc_gap_percent,
        "augrc_normalized": partial(oracles.augrc_normalized, loss_range=3),
        "aurc_at_coverage": partial(oracles.aurc_at, coverage=0.5),
        "augrc_at_coverage": partial(oracles.augrc_at, coverage=0.5),
        "mean_risk_at_coverage": partial(oracles.mean_risk_at, coverage=0.5),
        f"coverage_at_risk@{TARGET:.2f}": partial(oracles.coverage_at_risk, target=TARGET),
    }
    for coverage in GRID:
        at = f"{coverage:.2f}"
        both[f"risk_at_coverage@{at}"] = partial(oracles.risk_at_coverage, coverage=coverage)
        both[f"achieved_coverage@{at}"] = partial(oracles.achieved_coverage, coverage=coverage)
    return {
        **{label: partial(function, reading=reading) for label, function in both.items()},
        "cmax": oracles.cmax,
        "risk": _risk,
        "aurc_achievable": oracles.aurc_achievable,
        "aurc_achievable_gain_pct": oracles.achievable_gain_percent,
        "error_auroc": oracles.auroc_errors,
    }
