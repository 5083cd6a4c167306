"""Many systems of every family, made in this process of invented numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import assay
from tests.report.families import HOSTILE

FAMILIES = ("selective", "calibration", "intervals", "sets", "verdicts", "reasoning")
N_ROWS = 60


@cache
def many(family: str, n_systems: int = 5, resamples: int = 100, *, hostile: bool = False) -> Any:
    """Make systems that get worse one by one."""
    names = [HOSTILE[n] if hostile else f"system {n}" for n in range(n_systems)]
    made = _COLUMNS[family](np.random.default_rng(7), names)
    return assay.evaluate(family, n_resamples=resamples, **made).artifact


def _losses(random: Any, names: list[str]) -> dict[str, Any]:
    draw = random.random(N_ROWS)
    shares = [0.05 + 0.8 * n / len(names) for n in range(len(names))]
    return {
        "loss": {name: (draw < share) * 1.0 for name, share in zip(names, shares, strict=True)},
        "confidence": {name: random.random(N_ROWS).round(2) for name in names},
        "answered": {name: random.random(N_ROWS) > 0.02 * n for n, name in enumerate(names)},
        "cluster": np.arange(N_ROWS) // 2,
    }


def _forecasts(random: Any, names: list[str]) -> dict[str, Any]:
    p = random.random(N_ROWS)
    stated = {name: np.clip(p + 0.12 * n, 0.01, 0.99) for n, name in enumerate(names)}
    return {"y_true": (random.random(N_ROWS) < p) * 1, "y_prob": stated, "n_bins": 5}


def _intervals(random: Any, names: list[str]) -> dict[str, Any]:
    y, noise = random.normal(size=N_ROWS), random.normal(size=N_ROWS) * 0.3
    half = [0.2, *(1.5 + 0.2 * n for n in range(len(names) - 1))]
    return {
        "y": y,
        "low": {name: y + noise - h for name, h in zip(names, half, strict=True)},
        "up": {name: y + noise + h for name, h in zip(names, half, strict=True)},
        "level": 0.9,
    }


def _sets(random: Any, names: list[str]) -> dict[str, Any]:
    label = random.integers(0, 3, N_ROWS)
    sets = {}
    for n, name in enumerate(names):
        held = random.random((N_ROWS, 3)) < 0.1 + 0.15 * n
        held[np.arange(N_ROWS), label] = random.random(N_ROWS) < 0.97
        sets[name] = held.astype(int)
    return {"y": label, "set": sets, "level": 0.9}


def _verdicts(random: Any, names: list[str]) -> dict[str, Any]:
    truth = random.choice(["Low Risk", "High Risk", "Critical Risk"], N_ROWS)
    draw = random.random(N_ROWS)
    given = {name: np.where(draw < 0.12 * n, "Low Risk", truth) for n, name in enumerate(names)}
    cases = [f"case {n}" for n in range(N_ROWS)]
    return {"case": cases, "truth": truth, "verdict": given, "policy": "G1_allergy_V2"}


def _reasoning(random: Any, names: list[str]) -> dict[str, Any]:
    truth = random.choice(["a", "b"], N_ROWS)
    draw = random.random(N_ROWS)
    after = {name: np.where(draw < 0.15 * n, "c", truth) for n, name in enumerate(names)}
    before = {name: np.where(random.random(N_ROWS) < 0.3, "c", truth) for name in names}
    cases = [f"case {n}" for n in range(N_ROWS)]
    return {"case": cases, "truth": truth, "answer_cot": after, "answer_early": before}


_COLUMNS = {
    "selective": _losses,
    "calibration": _forecasts,
    "intervals": _intervals,
    "sets": _sets,
    "verdicts": _verdicts,
    "reasoning": _reasoning,
}
