"""Prediction intervals: what is measured, each case in a process of its own.

Ours checks its columns and refuses crossed bounds; a NumPy line does neither. "read" adds the
time NumPy takes to load the three columns from an uncompressed file.
"""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.columns import Resamples
from assay.inference import Plan, bootstrap, estimate
from assay.metrics import intervals as family
from assay.score import Request, Rows, requests, statistic
from bench.measure import Ratio, least_seconds

Array = NDArray[np.float64]
Table = tuple[Array, Array, Array]
LARGE = 10_000_000


def table_of(n: int, spread: str = "even") -> Table:
    """Return truth and bounds: widths between 0 and 5, or with a heavy tail."""
    rng = np.random.default_rng(7)
    low = rng.normal(size=n)
    up = 5 * rng.random(n) if spread == "even" else np.exp(3 * rng.normal(size=n))
    truth = low + 1.1 * up * rng.random(n)
    up += low
    return truth, low, up


def numpy_coverage(truth: Array, low: Array, up: Array) -> float:
    """Return the coverage."""
    return float(((low <= truth) & (truth <= up)).mean())


def numpy_width(truth: Array, low: Array, up: Array) -> float:  # noqa: ARG001 - one signature
    """Return the mean width."""
    return float((up - low).mean())


def numpy_winkler(truth: Array, low: Array, up: Array) -> float:
    """Return the mean Winkler score of a level of 0.9."""
    missed = np.maximum(low - truth, 0) + np.maximum(truth - up, 0)
    return float(((up - low) + 20 * missed).mean())


def numpy_strata(truth: Array, low: Array, up: Array) -> float:
    """Return the size-stratified coverage with a full sort."""
    order = np.argsort(up - low, kind="stable")
    covered = ((low <= truth) & (truth <= up))[order]
    return float(min(part.mean() for part in np.array_split(covered, 3)))


def point(function: Callable[..., Any], n: int = LARGE, spread: str = "even") -> dict[str, Any]:
    """Time one number of a large table, and read the peak memory of the process."""
    table = table_of(n, spread)
    value = function(*table)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = least_seconds(lambda: function(*table))
    return {"seconds": seconds, "peak_megabytes": peak, "value": value}


def read_point(function: Callable[..., float], n: int = LARGE) -> dict[str, Any]:
    """Time one number of a large table, from the file on."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npz"
        np.savez(path, *table_of(n))

        def run() -> float:
            with np.load(path) as columns:
                return function(*(columns[name] for name in columns.files))

        return {"seconds": least_seconds(run, 3), "value": run()}


def four(name: str, copies: Array | None = None) -> dict[str, Any]:
    """Time coverage, width, Winkler and CWC of one table, which share a weight where one is given.

    MAPIE knows no weight.
    """
    truth, low, up = table_of(LARGE)
    if name == "MAPIE":
        run = _mapie_four(truth, low, up)
    else:

        def run() -> float:
            weight = None if copies is None else Resamples.of(copies, n_rows=truth.size)
            metrics = family.interval_coverage, family.interval_width, family.winkler, family.cwc
            return float(sum(metric(truth, low, up, weight=weight) for metric in metrics))

    value = run()
    return {"seconds": least_seconds(run, 3), "value": value}


def _mapie_four(truth: Array, low: Array, up: Array) -> Callable[[], float]:
    from mapie.metrics import regression as mapie  # noqa: PLC0415 - not in our memory

    shaped = np.stack([low, up], axis=1)[:, :, None]

    def run() -> float:
        return float(
            mapie.regression_coverage_score(truth, shaped)[0]
            + mapie.regression_mean_width_score(shaped)[0]
            + mapie.regression_mwi_score(truth, shaped, 0.9)
            + mapie.coverage_width_based(truth, low, up, 30.0, 0.9)
        )

    return run


def mapie_hsic(n: int) -> dict[str, Any]:
    """Time HSIC with n x n matrices."""
    from mapie.metrics.regression import hsic as n_by_n  # noqa: PLC0415 - not in our memory

    truth, low, up = table_of(n)
    shaped = np.stack([low, up], axis=1)[:, :, None]
    found: list[float] = []
    seconds = least_seconds(lambda: found.append(float(n_by_n(truth, shaped)[0])), 1)
    return {"seconds": seconds, "value": found[0]}


def resampled(chosen: Callable[[Request], bool], clusters: int = 1_000) -> dict[str, Any]:
    """Time 10,000 cluster resamples of 8 rows each, draws and intervals included."""
    truth, low, up = table_of(clusters * 8)
    cluster = np.repeat(np.arange(clusters), 8)
    weight = Resamples(np.ones((1, clusters)), cluster, np.ones(truth.size), ())
    rows = Rows({"truth": truth, "low": low, "up": up}, weight)
    asked = [each for each in requests(tuple(rows.columns), {}) if each.metric.interval]
    statistics = [statistic(each, rows) for each in asked if chosen(each)]
    plan = Plan(n_resamples=10_000)

    def run() -> Any:
        drawn = bootstrap(statistics, plan, n_clusters=clusters, n_rows=truth.size)
        return [estimate(drawn.of(row), plan) for row in range(len(statistics))]

    return {"seconds": least_seconds(run, 2), "n_scalars": len(statistics)}


def _is_hsic(request: Request) -> bool:
    return request.metric.name == "hsic"


LINES: dict[str, tuple[Callable[..., Any], Callable[..., float]]] = {
    "coverage": (family.interval_coverage, numpy_coverage),
    "width": (family.interval_width, numpy_width),
    "Winkler": (family.winkler, numpy_winkler),
}
CASES: dict[str, Callable[[], dict[str, Any]]] = {
    **{f"ours {name}, 1e7 rows": lambda f=ours: point(f) for name, (ours, _) in LINES.items()},
    **{f"NumPy {name}, 1e7 rows": lambda f=line: point(f) for name, (_, line) in LINES.items()},
    **{
        f"NumPy {name}, 1e7 rows, read": lambda f=line: read_point(f)
        for name, (_, line) in LINES.items()
    },
    "ours coverage, width, Winkler, CWC": lambda: four("ours"),
    "ours coverage, width, Winkler, CWC, weighted": lambda: four("ours", np.ones(LARGE)),
    "MAPIE coverage, width, Winkler, CWC": lambda: four("MAPIE"),
    "ours size strata, 1e7 rows": lambda: point(family.size_stratified_coverage),
    "NumPy size strata, 1e7 rows": lambda: point(numpy_strata),
    "ours HSIC, 1e7 rows": lambda: {**point(family.hsic), "aim": 2.0},
    "ours HSIC, 1e7 rows, heavy tail": lambda: point(family.hsic, spread="heavy"),
    "ours HSIC, 4,000 rows": lambda: point(family.hsic, 4_000),
    "MAPIE HSIC, 4,000 rows": lambda: mapie_hsic(4_000),
    "10,000 resamples of 1,000 x 8, all but HSIC": lambda: {
        **resampled(lambda each: not _is_hsic(each)),
        "aim": 2.0,
    },
    "10,000 resamples of 1,000 x 8, HSIC": lambda: resampled(_is_hsic),
}

FOUR = "coverage, width, Winkler, CWC"
RATIOS = [
    Ratio(f"MAPIE, {FOUR}", f"ours {FOUR}", f"MAPIE {FOUR}", 4),
    Ratio(f"MAPIE, {FOUR}, ours weighted", f"ours {FOUR}, weighted", f"MAPIE {FOUR}", 4),
    Ratio("MAPIE, HSIC at 4,000 rows", "ours HSIC, 4,000 rows", "MAPIE HSIC, 4,000 rows", 1_000),
    *(
        Ratio(f"NumPy {name}{read}", f"ours {name}, 1e7 rows", f"NumPy {name}, 1e7 rows{read}", aim)
        for name in LINES
        for read, aim in ((", read", 1), ("", 0))
    ),
    Ratio("NumPy size strata", "ours size strata, 1e7 rows", "NumPy size strata, 1e7 rows"),
]
