"""Selective prediction: what is measured, each case in a process of its own.

Ours always computes every scalar of a variant; a peer computes what its name says. Loops in plain
Python run few resamples and are scaled up; everything else runs the resamples it reports.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

import numpy as np

from assay._kernels import ENGINE
from assay.columns import Resamples
from assay.inference import Plan, bootstrap, estimate
from assay.metrics import augrc, aurc
from assay.score import Rows, requests, statistic
from bench.measure import Ratio, least_seconds
from bench.peers import scipy_aurc
from bench.seed_loop import Columns, item_predictions, seed_api_loop, seed_loop, synthetic

Kind = str
LARGE = 10_000_000
KINDS = ("continuous", "discrete")
SIXTEEN = frozenset(
    {"aurc", "augrc", "eaurc", "eaugrc", "aurc_at_coverage", "aurc_achievable", "cmax"}
    | {"risk_at_coverage"}
)
COVERAGES = tuple(round(0.1 * tenth, 1) for tenth in range(1, 10))


def ours(participants: int, kind: Kind, n_resamples: int, repeats: int = 5) -> dict[str, Any]:
    """Time all scalars of one variant, draws and intervals included."""
    columns = synthetic(participants, 8, kind)
    rows = _rows(columns)
    asked = requests(tuple(rows.columns), {"coverage": COVERAGES})
    plan = Plan(n_resamples=n_resamples)

    def run() -> Any:
        replicates = bootstrap(
            [statistic(request, rows) for request in asked],
            plan,
            n_clusters=participants,
            n_rows=columns.truth.size,
            n_points=np.unique(columns.confidence).size,
        )
        return [estimate(replicates.of(row), plan) for row in range(len(asked))]

    seconds = least_seconds(run, repeats)
    labels = [request.label for request in asked]
    found = run()[labels.index("aurc")]
    return {"engine": ENGINE, "seconds": seconds, "n_scalars": len(asked), "value": found.value}


def _rows(columns: Columns) -> Any:
    _, cluster = np.unique(columns.participant, return_inverse=True)
    size = np.ones(cluster.size)
    weight = Resamples(np.ones((1, int(cluster.max()) + 1)), cluster, size, ())
    given = {
        "loss": columns.loss,
        "confidence": columns.confidence,
        "answered": columns.answered.astype(float),
    }
    return Rows(given, weight)


def sixteen(participants: int, n_resamples: int, aim: float) -> dict[str, Any]:
    """Time the 16 scalars of the seeds by percentiles, scaled to 10,000 resamples."""
    columns = synthetic(participants, 8, "continuous")
    rows = _rows(columns)
    asked = [
        each
        for each in requests(tuple(rows.columns), {"coverage": COVERAGES})
        if each.metric.name in SIXTEEN
    ]
    statistics = [statistic(request, rows) for request in asked]
    n_points = np.unique(columns.confidence).size

    def run(n: int) -> None:
        plan = Plan(n_resamples=n, method="percentile")
        drawn = bootstrap(
            statistics, plan, n_clusters=participants, n_rows=columns.truth.size, n_points=n_points
        )
        for row in range(len(asked)):
            estimate(drawn.of(row), plan)

    run(8)  # what is made once for all resamples
    seconds = least_seconds(lambda: run(n_resamples), 3) * 10_000 / n_resamples
    per_row = seconds / 10_000 / (participants * 8) * 1e9
    found = {"seconds": seconds, "n_scalars": len(asked), "aim": aim}
    return {**found, "nanoseconds_per_resampled_row": per_row}


def loop(
    which: Callable[..., dict[str, list[float | None]]], kind: Kind, n_resamples: int = 100
) -> dict[str, Any]:
    """Time a plain Python loop on the seeds' case, scaled to 10,000 resamples."""
    items = item_predictions(synthetic(41, 8, kind))
    seconds = least_seconds(lambda: which(items, n_resamples=n_resamples, seed=42), 3)
    n_scalars = len(which(items, n_resamples=1, seed=42))
    return {"seconds": seconds * 10_000 / n_resamples, "n_scalars": n_scalars}


def peer(participants: int, kind: Kind, form: str, n_resamples: int) -> dict[str, Any]:
    """Time scipy.stats.bootstrap with a NumPy AURC, one scalar, scaled to 10,000 resamples."""
    columns = synthetic(participants, 8, kind)
    runs = [scipy_aurc(columns, n_resamples, 42, form=form) for _ in range(3)]
    best = min(runs, key=lambda run: run.seconds)
    return {
        "seconds": best.seconds * 10_000 / n_resamples,
        "n_scalars": 1,
        "value": best.value,
    }


def growth(participants: int, kind: Kind, n_resamples: int) -> dict[str, Any]:
    """Time few resamples of a large table and read the peak memory of the process."""
    result = ours(participants, kind, n_resamples, repeats=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    per_row = result["seconds"] / n_resamples / (participants * 8) * 1e9
    return {**result, "nanoseconds_per_resampled_row": per_row, "peak_megabytes": peak}


def rows_of(kind: Kind) -> tuple[Any, Any]:
    """Return right answers and confidences of many rows."""
    generator = np.random.default_rng(7)
    confidence = generator.random(LARGE)
    if kind == "discrete":
        confidence = np.round(20 * confidence) / 20
    return (generator.random(LARGE) < confidence).astype(float), confidence


def area(kind: Kind) -> dict[str, Any]:
    """Time the area under the risk-coverage curve of many rows."""
    right, confidence = rows_of(kind)
    seconds = least_seconds(lambda: aurc(1 - right, confidence), 3)
    return {"engine": ENGINE, "seconds": seconds, "n_scalars": 1}


def two_areas(kind: Kind) -> dict[str, Any]:
    """Time two areas of many rows that share a weight, hence a sort."""
    right, confidence = rows_of(kind)
    loss = 1 - right

    def run() -> None:
        weight = Resamples.of(None, n_rows=loss.size)
        for metric in (aurc, augrc):
            metric(loss, confidence, weight=weight)

    return {"engine": ENGINE, "seconds": least_seconds(run, 3), "n_scalars": 2}


def mapie_area(kind: Kind) -> dict[str, Any]:
    """Time MAPIE's area under the accuracy-rejection curve, row by row."""
    from mapie.metrics.uncertainty import auarc  # noqa: PLC0415 - one case needs it

    right, confidence = rows_of(kind)
    seconds = least_seconds(lambda: auarc(right.astype(int), confidence), 3)
    return {"seconds": seconds, "n_scalars": 1}


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "ours 41 x 8 discrete": lambda: ours(41, "discrete", 10_000),
    "ours 41 x 8 continuous": lambda: ours(41, "continuous", 10_000),
    "ours 41 x 8 discrete (numpy)": lambda: ours(41, "discrete", 10_000),
    "ours 41 x 8 continuous (numpy)": lambda: ours(41, "continuous", 10_000),
    "ours 1,000 x 8 continuous": lambda: ours(1_000, "continuous", 10_000, repeats=1),
    "loop per scalar 41 x 8 discrete": lambda: loop(seed_api_loop, "discrete"),
    "loop per scalar 41 x 8 continuous": lambda: loop(seed_api_loop, "continuous"),
    "loop shared curve 41 x 8 discrete": lambda: loop(seed_loop, "discrete", 500),
    "loop shared curve 41 x 8 continuous": lambda: loop(seed_loop, "continuous", 500),
    "scipy 41 x 8 discrete": lambda: peer(41, "discrete", "sorting", 10_000),
    "scipy 41 x 8 continuous": lambda: peer(41, "continuous", "sorting", 10_000),
    "scipy presorted 41 x 8 discrete": lambda: peer(41, "discrete", "presorted", 10_000),
    "scipy presorted 41 x 8 continuous": lambda: peer(41, "continuous", "presorted", 10_000),
    "scipy 1,000 x 8 continuous": lambda: peer(1_000, "continuous", "sorting", 500),
    "scipy presorted 1,000 x 8 continuous": lambda: peer(1_000, "continuous", "presorted", 2_000),
    "growth 1,000 x 8 continuous": lambda: growth(1_000, "continuous", 2_000),
    "growth 10,000 x 8 continuous": lambda: growth(10_000, "continuous", 200),
    "growth 100,000 x 8 continuous": lambda: growth(100_000, "continuous", 100),
    "growth 100,000 x 8 discrete": lambda: growth(100_000, "discrete", 100),
    "16 scalars, 10,000 resamples, 41 x 8": lambda: sixteen(41, 10_000, 0.04),
    "16 scalars, 10,000 resamples, 1,000 x 8": lambda: sixteen(1_000, 10_000, 0.34),
    "16 scalars, 10,000 resamples, 100,000 x 8": lambda: sixteen(100_000, 200, 18.6),
    **{f"ours AURC, 1e7 rows, {kind}": lambda kind=kind: area(kind) for kind in KINDS},
    **{f"ours two areas, 1e7 rows, {kind}": lambda kind=kind: two_areas(kind) for kind in KINDS},
    **{f"MAPIE AUARC, 1e7 rows, {kind}": lambda kind=kind: mapie_area(kind) for kind in KINDS},
}

LOOPS = [
    Ratio(f"{loop}, {kind}", f"ours 41 x 8 {kind}", f"{loop} 41 x 8 {kind}", aim)
    for loop, kind, aim in (
        ("loop per scalar", "discrete", 1_000),
        ("loop per scalar", "continuous", 0),
        ("loop shared curve", "discrete", 0),
        ("loop shared curve", "continuous", 0),
    )
]
RATIOS = [
    *LOOPS,
    *(
        Ratio(
            f"MAPIE, 1e7 rows, {k}", f"ours AURC, 1e7 rows, {k}", f"MAPIE AUARC, 1e7 rows, {k}", aim
        )
        for k, aim in zip(KINDS, (3, 10), strict=True)
    ),
    *(
        Ratio(
            f"MAPIE's one area with two, {k}",
            f"ours two areas, 1e7 rows, {k}",
            f"MAPIE AUARC, 1e7 rows, {k}",
            aim,
        )
        for k, aim in zip(KINDS, (3, 0), strict=True)
    ),
    *(
        Ratio(
            f"{form} {size} continuous with one scalar, 16 of ours",
            f"16 scalars, 10,000 resamples, {size}",
            f"{form} {size} continuous",
        )
        for size in ("41 x 8", "1,000 x 8")
        for form in ("scipy", "scipy presorted")
    ),
    *(
        Ratio(f"{each.what} (numpy)", f"{each.ours} (numpy)", each.theirs, 80 if each.aim else 0)
        for each in LOOPS
    ),
    *(
        Ratio(f"{form} {size}, per scalar", f"ours {size}", f"{form} {size}", 20, per_scalar=True)
        for size in ("41 x 8 discrete", "41 x 8 continuous", "1,000 x 8 continuous")
        for form in ("scipy", "scipy presorted")
    ),
]
