"""Tables whose truth is known: participants with effects of their own, for every family.

What a participant's items have in common are latent normal variables with a correlation. A design
gives the columns of a family for any number of clusters; its truth is a sample of 60,000 clusters,
which misses it by less than a thirtieth of what 41 clusters do, or 0 where scores are calibrated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

N_ITEMS = 8
N_UNEQUAL = 15
ALIKE, MORE_ALIKE = 0.15, 0.45
"""correlations within a participant; observed intraclass correlations are about two thirds"""
Columns = dict[str, np.ndarray]


@dataclass(frozen=True)
class Design:
    """Columns by number of clusters, and which numbers are looked at."""

    name: str
    family: str
    draw: Callable[[np.random.Generator, int], Columns]
    n_items: int = N_ITEMS
    settings: Mapping[str, Any] = field(default_factory=dict)
    zero: tuple[str, ...] = ()
    """numbers whose truth is 0"""
    leaves_out: tuple[str, ...] = ()
    nulls: tuple[str, ...] = ()
    """tests of one system whose null is true"""
    only: tuple[str, ...] | None = None
    """numbers that are looked at; None: all"""
    share: float = 1.0
    """of the replications, where one is slow"""


def latent(rng: np.random.Generator, n: int, rho: float, n_items: int = N_ITEMS) -> np.ndarray:
    """Return standard normal values that are alike within a cluster."""
    own = rng.standard_normal((n, 1))
    return (np.sqrt(rho) * own + np.sqrt(1 - rho) * rng.standard_normal((n, n_items))).ravel()


def selective(
    rng: np.random.Generator, n: int, *, counts: bool = True, rho: float = ALIKE
) -> Columns:
    """Return losses of 0 to 3 thirds, confidences that know a little of them, and abstention."""
    difficulty = latent(rng, n, rho)
    confidence = -0.5 * difficulty + np.sqrt(0.75) * latent(rng, n, rho)
    answered = 0.4 * confidence + np.sqrt(0.84) * latent(rng, n, rho) > ndtri(0.42)
    loss = np.searchsorted([0.62, 0.84, 0.95], ndtr(difficulty)) / 3
    if counts:
        confidence = np.clip(np.round(2.5 + 1.8 * confidence), 0, 8)
    return {"loss": loss, "confidence": confidence, "answered": answered.astype(float)}


def single(rng: np.random.Generator, n: int, *, draw: Callable[..., Columns]) -> Columns:
    """Return one item of each participant: rows that are independent."""
    return {name: each[::N_ITEMS] for name, each in draw(rng, n).items()}


def rare(rng: np.random.Generator, n: int) -> Columns:
    """Return one error in twenty, and answers that are held back."""
    columns = selective(rng, n)
    return {**columns, "loss": (columns["loss"] == 1).astype(float)}


def bursts(rng: np.random.Generator, n: int) -> Columns:
    """Return errors of one participant in six, on half of the items, and hardly any of others."""
    columns, wrong = selective(rng, n), np.repeat(rng.random(n) < 1 / 6, N_ITEMS)
    chance = np.where(wrong, 0.5, 0.01)
    return {**columns, "loss": (rng.random(chance.size) < chance).astype(float)}


def unequal(rng: np.random.Generator, n: int) -> Columns:
    """Return participants of one to fifteen items; who has more is more often wrong."""
    size = 1 + rng.integers(0, N_UNEQUAL, n)
    cluster = np.repeat(np.arange(n), size)
    columns = {name: each.reshape(n, -1) for name, each in selective(rng, 2 * n).items()}
    kept = np.arange(columns["loss"].shape[1]) < size[:, None]
    found = {name: each[kept] for name, each in columns.items()}
    worse = rng.random(cluster.size) < 0.02 * size[cluster]
    return {**found, "loss": np.where(worse, 1.0, found["loss"]), "cluster": cluster}


def failures(rng: np.random.Generator, n: int) -> Columns:
    """Return participants of whom one in eight fails."""
    return {"failed": (rng.random(n) < 0.125).astype(float)}


def calibration(
    rng: np.random.Generator,
    n: int,
    *,
    slope: float = 0.5,
    n_scores: int = 0,
    rho: float = ALIKE,
) -> Columns:
    """Return scores and outcomes; below a slope of 1 the scores are too extreme."""
    score = ndtr(0.4 + latent(rng, n, rho))
    if n_scores:
        score = (np.minimum(np.floor(score * n_scores), n_scores - 1) + 0.5) / n_scores
    logit = np.log(score / (1 - score))
    chance = 1 / (1 + np.exp(-slope * logit))
    right = ndtr(latent(rng, n, rho)) < chance
    return {"correct": right.astype(float), "probability": score}


def classes(rng: np.random.Generator, n: int, *, rho: float = ALIKE) -> Columns:
    """Return four classes, stated with too much certainty."""
    logits = 1.2 * np.stack([latent(rng, n, rho) for _ in range(4)], axis=1)
    stated, chance = (np.exp(s * logits) for s in (1.6, 1.0))
    stated, chance = (each / each.sum(1, keepdims=True) for each in (stated, chance))
    drawn = ndtr(latent(rng, n, rho))
    label = (chance.cumsum(1) < drawn[:, None]).sum(1)
    return {"label": np.minimum(label, 3).astype(float), "probabilities": stated}


def intervals(rng: np.random.Generator, n: int, *, rho: float = ALIKE) -> Columns:
    """Return intervals whose width follows the noise in part."""
    noise = np.exp(0.4 * latent(rng, n, rho))
    half = 1.5 * noise**0.6
    return {"truth": noise * latent(rng, n, rho), "low": -half, "up": half}


def unrelated(rng: np.random.Generator, n: int, *, rho: float = ALIKE) -> Columns:
    """Return intervals whose width says nothing of whether they hold the truth."""
    half = np.exp(0.4 * latent(rng, n, rho))
    return {"truth": 0.7 * half * latent(rng, n, rho), "low": -half, "up": half}


def sets(rng: np.random.Generator, n: int, *, rho: float = ALIKE, empty: bool = True) -> Columns:
    """Return sets of four classes that are covered alike, small ones less where none is empty."""
    label = rng.integers(0, 4, n * N_ITEMS)
    included = rng.random((label.size, 4)) < 0.3
    included[np.arange(label.size), label] = ndtr(latent(rng, n, rho)) < 0.73
    if not empty:
        other = (label + 1) % 4
        included[np.arange(label.size), other] |= ~included.any(1)
    return {"label": label.astype(float), "included": included.astype(float)}


def verdicts(rng: np.random.Generator, n: int) -> Columns:
    """Return independent cases with three verdicts, a ranking, and counts of evidence."""
    true = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    rank = true + rng.standard_normal(n)
    claimed, judged = rng.poisson(2.0, n), rng.poisson(1.5, n)
    matched = rng.binomial(claimed, 0.6)
    ruled, derived = (rng.random(n) < share for share in (0.8, 0.7))
    return {
        "verdict_true": true.astype(float),
        "verdict_given": np.searchsorted([0.6, 1.5], rank).astype(float),
        "rank_score": rank,
        "n_claimed": claimed.astype(float),
        "n_matched": matched.astype(float),
        "n_gold": (matched + rng.poisson(0.8, n)).astype(float),
        "n_judged": judged.astype(float),
        "n_judged_right": rng.binomial(judged, 0.7).astype(float),
        "n_snippets": claimed.astype(float),
        "n_valid": rng.binomial(claimed, 0.85).astype(float),
        "n_findings": (judged + rng.poisson(0.6, n)).astype(float),
        "n_cases": np.ones(n),
        "n_structured": (rng.random(n) < 0.9).astype(float),
        "quoted": rng.binomial(claimed, 0.8) / np.maximum(claimed, 1),
        "n_ruled": ruled.astype(float),
        "n_consistent": (ruled & (rng.random(n) < 0.85)).astype(float),
        "n_derived": derived.astype(float),
        "n_agreeing": (derived & (rng.random(n) < 0.75)).astype(float),
    }


def reasoning(rng: np.random.Generator, n: int, *, cut: float = -0.5) -> Columns:
    """Return independent vignettes, answered with and without reasoning."""
    ability, steps, gold = rng.standard_normal(n), rng.poisson(3.0, n) + 1, rng.poisson(2.0, n) + 1
    answers = {
        f"correct_{how}": (0.7 * ability + 0.71 * rng.standard_normal(n) > least).astype(float)
        for how, least in (("cot", cut), ("early", -0.3))
    }
    words = np.round(np.exp(5 + 0.6 * rng.standard_normal(n)))
    return {
        **answers,
        "n_words": words,
        "format_noise": rng.beta(0.5, 8.0, n),
        "n_steps": steps.astype(float),
        "n_gold_steps": gold.astype(float),
        "n_matched_steps": rng.binomial(np.minimum(steps, gold), 0.6).astype(float),
        "verbosity": np.log10(words + 1),
        "complexity": np.minimum(words / 250, 1) + rng.beta(1.0, 4.0, n),
        "refused_cot": (rng.random(n) < 0.06).astype(float),
        "refused_early": (rng.random(n) < 0.12).astype(float),
        "failed_cot": (rng.random(n) < 0.03).astype(float),
        "failed_early": (rng.random(n) < 0.2).astype(float),
        "biased": (rng.random(n) < 0.4).astype(float),
        "silent": (rng.random(n) < 0.6).astype(float),
    }


BINNED = (
    *("ece", "rms_calibration_error", "max_calibration_error", "brier_reliability"),
    *("debiased_ece", "debiased_rms_calibration_error", "smooth_ece"),
)
TESTS = (
    *("ks_p_value", "kuiper_p_value"),
    *("spiegelhalter_p_value", "spiegelhalter_two_sided_p_value"),
)
SMOOTH = ("smooth_ece",)
"""slow: has a design of its own"""
GRID = {"coverage": (0.3,), "risk_target": (0.1,), "threshold": (3.0,)}
DESIGNS = (
    Design("selective, counts", "selective", selective, settings=GRID),
    Design(
        "selective, continuous",
        "selective",
        partial(selective, counts=False),
        settings={**GRID, "threshold": (0.5,)},
    ),
    Design(
        "selective, counts, more alike",
        "selective",
        partial(selective, rho=MORE_ALIKE),
        settings=GRID,
    ),
    Design("selective, rare errors", "selective", rare, settings=GRID),
    Design("selective, errors in bursts", "selective", bursts, settings=GRID),
    Design("selective, unequal participants", "selective", unequal, settings=GRID),
    Design(
        "selective, single rows",
        "selective",
        partial(single, draw=selective),
        n_items=1,
        settings=GRID,
    ),
    Design("selective, failed participants", "selective", failures, n_items=1),
    Design("calibration, overconfident", "calibration", calibration, leaves_out=SMOOTH),
    Design(
        "calibration, calibrated",
        "calibration",
        partial(calibration, slope=1.0),
        zero=(*BINNED, "cumulative_difference"),
        leaves_out=SMOOTH,
        nulls=TESTS,
    ),
    Design(
        "calibration, calibrated, more alike",
        "calibration",
        partial(calibration, slope=1.0, rho=MORE_ALIKE),
        nulls=TESTS,
    ),
    Design(
        "calibration, calibrated, five scores",
        "calibration",
        partial(calibration, slope=1.0, n_scores=5),
        nulls=TESTS,
    ),
    Design(
        "calibration, five scores",
        "calibration",
        partial(calibration, n_scores=5),
        leaves_out=SMOOTH,
    ),
    Design(
        "calibration, single rows",
        "calibration",
        partial(single, draw=calibration),
        n_items=1,
        leaves_out=SMOOTH,
    ),
    Design("calibration, four classes", "calibration", classes),
    Design(
        "intervals",
        "intervals",
        intervals,
        settings={"level": 0.9, "share": (0.05, 0.5, 0.95)},
    ),
    Design(
        "intervals, unrelated width",
        "intervals",
        unrelated,
        settings={"level": 0.85},
        nulls=("hsic_p_value",),
    ),
    Design("sets", "sets", sets, settings={"level": 0.73}),
    Design(
        "sets, none empty",
        "sets",
        partial(sets, empty=False),
        settings={"level": 0.73},
        leaves_out=("empty_set_rate",),
    ),
    Design(
        "verdicts",
        "verdicts",
        verdicts,
        n_items=1,
        settings={"verdict": (0, 1, 2), "threshold": (1, 2)},
    ),
    Design("reasoning", "reasoning", reasoning, n_items=1),
    Design(
        "reasoning, no gap",
        "reasoning",
        partial(reasoning, cut=-0.3),
        n_items=1,
        nulls=("mcnemar_p_value",),
    ),
    Design("calibration, smooth error", "calibration", calibration, only=SMOOTH, share=0.25),
    Design(
        "calibration, smooth error, calibrated",
        "calibration",
        partial(calibration, slope=1.0),
        zero=SMOOTH,
        only=SMOOTH,
        share=0.25,
    ),
)
