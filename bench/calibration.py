"""Calibration: what is measured, each case in a process of its own.

Ours gets floats, as a table holds them, and checks them; scikit-learn gets them too, which suits
it better than whole numbers. MAPIE gets the whole numbers it asks for.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.columns import Resamples
from assay.inference import Plan, bootstrap, estimate
from assay.metrics import calibration as family
from assay.registry import METRICS
from assay.score import Request, Rows, statistic
from bench.measure import Ratio, least_seconds

Array = NDArray[Any]
LARGE = 10_000_000
RESAMPLED = tuple(
    name
    for name, each in METRICS.items()
    if each.columns == ("correct", "probability") and each.interval
)
BINNED = tuple(name for name in RESAMPLED if "n_bins" in METRICS[name].options)


def table_of(n: int, kind: str = "continuous") -> tuple[Array, Array]:
    """Return outcomes and the probabilities they are drawn from."""
    generator = np.random.default_rng(0)
    probability = generator.random(n)
    if kind == "discrete":
        probability = np.round(probability, 2)
    return (generator.random(n) < probability).astype(np.float64), probability


def point(
    function: Callable[..., Any], kind: str = "continuous", repeats: int = 5
) -> dict[str, Any]:
    """Time a function of ten million rows."""
    table = table_of(LARGE, kind)
    value = function(*table)
    return {"seconds": least_seconds(lambda: function(*table), repeats), "value": value}


def scikit_learn(n_bins: int) -> dict[str, Any]:
    """Time the reliability curve."""
    from sklearn.calibration import calibration_curve  # noqa: PLC0415 - not in our memory

    correct, probability = table_of(LARGE)
    curve = least_seconds(lambda: calibration_curve(correct, probability, n_bins=n_bins), 3)
    return {"seconds": curve}


def mapie_ece(n_bins: int) -> dict[str, Any]:
    """Time MAPIE's expected calibration error."""
    from mapie.metrics.calibration import expected_calibration_error  # noqa: PLC0415 - as above

    correct, probability = table_of(LARGE)
    whole = correct.astype(np.int64)
    return {
        "seconds": least_seconds(
            lambda: expected_calibration_error(whole, probability, num_bins=n_bins), 2
        )
    }


def mapie_tests(correct: Array, probability: Array) -> float:
    """Compute three statistics."""
    from mapie.metrics import calibration as mapie  # noqa: PLC0415 - as above

    return float(
        mapie.kolmogorov_smirnov_statistic(correct, probability)
        + mapie.kuiper_statistic(correct, probability)
        + mapie.spiegelhalter_statistic(correct, probability)
    )


def three_tests(correct: Array, probability: Array) -> float:
    """Compute three statistics of one table, which share its walk."""
    weight = Resamples.of(None, n_rows=correct.size)
    return _three_tests(correct, probability, weight)


def three_tests_apart(correct: Array, probability: Array) -> float:
    """Compute three statistics, each from the rows."""
    return _three_tests(correct, probability, None)


def _three_tests(correct: Array, probability: Array, weight: Resamples | None) -> float:
    found = [
        family.ks_calibration(correct, probability, weight=weight),
        family.kuiper_calibration(correct, probability, weight=weight),
        family.spiegelhalter_z(correct, probability, weight=weight),
    ]
    return float(np.sum(found))


def resampled(
    names: tuple[str, ...], clusters: int = 1_000, n_resamples: int = 10_000
) -> dict[str, Any]:
    """Time cluster resamples of 8 rows each, draws and intervals included."""
    correct, probability = table_of(clusters * 8)
    cluster = np.repeat(np.arange(clusters), 8)
    weight = Resamples(np.ones((1, clusters)), cluster, np.ones(cluster.size), ())
    rows = Rows({"correct": correct, "probability": probability}, weight)
    asked = [Request(name, METRICS[name], METRICS[name].options) for name in names]
    statistics = [statistic(each, rows) for each in asked]
    plan = Plan(n_resamples=n_resamples)

    def run() -> Any:
        drawn = bootstrap(statistics, plan, n_clusters=clusters, n_rows=cluster.size)
        return [estimate(drawn.of(row), plan) for row in range(len(statistics))]

    return {"seconds": least_seconds(run, 2), "n_scalars": len(statistics)}


def growth(clusters: int, n_resamples: int) -> dict[str, Any]:
    """Time few resamples of all metrics of a large table; nothing may be quadratic."""
    result = resampled(RESAMPLED, clusters, n_resamples)
    per_row = result["seconds"] / n_resamples / (clusters * 8) * 1e9
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**result, "nanoseconds_per_resampled_row": per_row, "peak_megabytes": peak}


def walk(name: str) -> dict[str, Any]:
    """Time the cumulative differences of ten million rows, the whole vector."""
    from mapie.metrics import calibration as mapie  # noqa: PLC0415 - not in our memory

    correct, probability = table_of(LARGE)
    whole = correct.astype(np.int64)
    walks: dict[str, Callable[[], Any]] = {
        "ours": lambda: family.cumulative_differences(correct, probability),
        "ours, MAPIE's ties": lambda: family.cumulative_differences(
            correct, probability, ties="mapie"
        ),
        "MAPIE": lambda: mapie.cumulative_differences(whole, probability),
    }
    return {"seconds": least_seconds(walks[name], 3)}


def labelled(n: int = 1_000_000, n_classes: int = 10) -> tuple[Array, Array]:
    """Return true classes and the probabilities they are drawn from."""
    generator = np.random.default_rng(0)
    stated = generator.dirichlet(np.ones(n_classes), n)
    label = (stated.cumsum(-1) > generator.random((n, 1))).argmax(-1)
    return label, stated


def top_label(name: str) -> dict[str, Any]:
    """Time the top-label error of a million rows and ten classes; MAPIE has bins of its own."""
    from mapie.metrics.calibration import top_label_ece  # noqa: PLC0415 - as above

    label, stated = labelled()
    if name == "ours":
        return {"seconds": least_seconds(lambda: family.top_label_ece(label, stated))}
    return {"seconds": least_seconds(lambda: top_label_ece(label, stated, num_bins=10), 3)}


def ece_of(n_bins: int) -> dict[str, Any]:
    """Time our expected calibration error."""
    found = point(lambda *table: family.ece(*table, n_bins=n_bins))
    return {"seconds": found["seconds"]}


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    **{f"ours ECE, {n} bins, 1e7 rows": lambda n=n: ece_of(n) for n in (10, 100)},
    **{f"scikit-learn curve, {n} bins, 1e7 rows": lambda n=n: scikit_learn(n) for n in (10, 100)},
    "MAPIE ECE, 10 bins, 1e7 rows": lambda: mapie_ece(10),
    "ours KS + Kuiper + Spiegelhalter": lambda: {
        "seconds": point(three_tests, repeats=3)["seconds"]
    },
    "ours KS + Kuiper + Spiegelhalter, apart": lambda: {
        "seconds": point(three_tests_apart, repeats=3)["seconds"]
    },
    "ours KS + Kuiper + Spiegelhalter, discrete": lambda: {
        "seconds": point(three_tests, "discrete", 3)["seconds"]
    },
    "MAPIE KS + Kuiper + Spiegelhalter": lambda: {
        "seconds": point(mapie_tests, repeats=1)["seconds"]
    },
    "MAPIE KS + Kuiper + Spiegelhalter, discrete": lambda: {
        "seconds": point(mapie_tests, "discrete", 1)["seconds"]
    },
    **{
        f"{name} cumulative differences, 1e7 rows": lambda name=name: walk(name)
        for name in ("ours", "ours, MAPIE's ties", "MAPIE")
    },
    **{
        f"{name} top-label ECE, 1e6 x 10": lambda name=name: top_label(name)
        for name in ("ours", "MAPIE")
    },
    "calibration, 10,000 resamples of 1,000 x 8, ECE and Brier": lambda: {
        **resampled(("ece", "brier")),
        "aim": 2.0,
    },
    "calibration, 10,000 resamples of 1,000 x 8, all over bins": lambda: resampled(BINNED),
    "calibration, 10,000 resamples of 1,000 x 8, all but smooth": lambda: resampled(
        tuple(name for name in RESAMPLED if name != "smooth_ece")
    ),
    "calibration, 10,000 resamples of 1,000 x 8, smooth": lambda: resampled(("smooth_ece",)),
    "calibration growth, 1,000 x 8": lambda: growth(1_000, 500),
    "calibration growth, 10,000 x 8": lambda: growth(10_000, 100),
    "calibration growth, 100,000 x 8": lambda: growth(100_000, 20),
}

TESTS = "KS + Kuiper + Spiegelhalter"
WALK = "cumulative differences, 1e7 rows"
TOP = "top-label ECE, 1e6 x 10"
RATIOS = [
    *(
        Ratio(
            f"scikit-learn, ECE with {n} bins",
            f"ours ECE, {n} bins, 1e7 rows",
            f"scikit-learn curve, {n} bins, 1e7 rows",
            10,
        )
        for n in (10, 100)
    ),
    Ratio(
        "MAPIE, ECE with 10 bins",
        "ours ECE, 10 bins, 1e7 rows",
        "MAPIE ECE, 10 bins, 1e7 rows",
        10,
    ),
    Ratio(f"MAPIE, {WALK}", f"ours {WALK}", f"MAPIE {WALK}", 1.2),
    Ratio(f"MAPIE, {WALK}, with its ties", f"ours, MAPIE's ties {WALK}", f"MAPIE {WALK}"),
    Ratio(f"MAPIE, {TOP}", f"ours {TOP}", f"MAPIE {TOP}", 5),
    Ratio(f"MAPIE, {TESTS}", f"ours {TESTS}", f"MAPIE {TESTS}", 10),
    Ratio(f"MAPIE, {TESTS}, apart", f"ours {TESTS}, apart", f"MAPIE {TESTS}"),
    Ratio(f"MAPIE, {TESTS}, discrete", f"ours {TESTS}, discrete", f"MAPIE {TESTS}, discrete", 10),
]
