"""Replications of a design: how often intervals hold the truth, how often tests reject."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

import assay.metrics
from assay.columns import Resamples
from assay.families.family import Evaluated, Prepared, Subject
from assay.inference import Draw, Plan
from assay.numbers import scalar
from assay.pairs import pairs
from assay.replicates import scored
from assay.score import Rows, requests, statistic
from bench.coverage.designs import Columns, Design

TRUTH_CLUSTERS = 60_000
N_RESAMPLES = 1_000
RNG = np.random.default_rng
BUNDLED = assay.metrics
"""filled the registry"""


@dataclass(frozen=True)
class Covered:
    """What became of the interval of one number over all replications."""

    n: int
    """replications with an interval"""
    n_replications: int
    n_covered: int
    n_below: int
    """intervals that lie below the truth"""
    width: float
    spread: float
    """from the 2.5th to the 97.5th percentile of the number"""
    truth: float
    methods: tuple[str, ...]


def rows_of(design: Design, columns: Columns, n_clusters: int) -> Rows:
    """Return columns as rows that are drawn by cluster."""
    alike = np.repeat(np.arange(n_clusters), design.n_items)
    cluster = columns.get("cluster", alike)
    weight = Resamples(np.ones((1, n_clusters)), cluster, np.ones(cluster.size), ())
    given = {name: each for name, each in columns.items() if name != "cluster"}
    return Rows(given, weight)


def wanted(design: Design, columns: Columns, only: Collection[str] | None) -> list[Any]:
    """Return the numbers that may have an interval."""
    every = requests(tuple(columns), design.settings, family=design.family)
    return [
        each
        for each in every
        if each.metric.interval and each.metric.kind != "none"
        if each.metric.name not in design.leaves_out
        if only is None or each.label in only
    ]


def truths(
    design: Design, only: Collection[str] | None = None, n_clusters: int = TRUTH_CLUSTERS
) -> dict[str, float]:
    """Return every number that a very large sample has, or 0 where that is known."""
    n = n_clusters * 8 // design.n_items
    columns = design.draw(RNG(99), n)
    rows, found = rows_of(design, columns, n), {}
    for each in wanted(design, columns, only):
        if each.metric.name in design.zero:
            found[each.label] = 0.0
        else:
            draw = Draw(np.ones((1, n)))
            found[each.label] = float(np.asarray(statistic(each, rows)(draw)).ravel()[0])
    return {label: value for label, value in found.items() if not np.isnan(value)}


def evaluated(
    design: Design, tables: list[Columns], n_clusters: int, plan: Plan, labels: Collection[str]
) -> Evaluated:
    """Run tables, one per system, through the pipeline."""
    subjects = [
        Subject(
            n,
            rows_of(design, each, n_clusters),
            settings=design.settings,
            only=labels,
            flips=design.n_items > 1,
        )
        for n, each in enumerate(tables)
    ]
    prepared = Prepared(
        inputs=(),
        systems=[SimpleNamespace(name=str(n)) for n in range(len(tables))],
        subjects=subjects,
        unit="participant",
        n_units=n_clusters,
        conventions={},
    )
    family: Any = SimpleNamespace(name=design.family)
    return scored(family, prepared, None, plan, lambda *_: None)


def covered(  # noqa: PLR0913 - what a simulation depends on
    design: Design,
    truth: Mapping[str, float],
    n_clusters: int,
    n_replications: int,
    *,
    method: str = "auto",
    seed: int = 4711,
    n_resamples: int = N_RESAMPLES,
) -> dict[str, Covered]:
    """Replicate a design and count how often intervals hold the truth."""
    found: dict[str, list[tuple[Any, ...]]] = {label: [] for label in truth}
    for replication in range(n_replications):
        columns = design.draw(RNG([seed, n_clusters, replication]), n_clusters)
        plan = Plan(n_resamples=n_resamples, seed=replication, method=method)
        made = evaluated(design, [columns], n_clusters, plan, truth)
        for label in truth:
            number = scalar(made, (0, label))
            found[label].append((number.value, number.interval, number.interval_method))
    return {label: _covered(each, truth[label]) for label, each in found.items()}


def _covered(found: list[tuple[Any, ...]], truth: float) -> Covered:
    ends = np.array([interval for _, interval, _ in found if interval]).reshape(-1, 2)
    values = [value for value, _, _ in found if value is not None]
    # What misses the truth by rounding holds it.
    slack = 1e-9 * max(1.0, abs(truth))
    low, high = ends.T
    held = (low <= truth + slack) & (truth - slack <= high)
    spread = np.subtract(*np.percentile(values, [97.5, 2.5])) if values else np.nan
    return Covered(
        n=len(ends),
        n_replications=len(found),
        n_covered=int(held.sum()),
        n_below=int((high < truth - slack).sum()),
        width=float((high - low).mean()) if len(ends) else np.nan,
        spread=float(spread),
        truth=truth,
        methods=tuple(sorted({str(method) for _, interval, method in found if interval})),
    )


def rejected(  # noqa: PLR0913 - as above
    design: Design,
    labels: Collection[str],
    n_clusters: int,
    n_replications: int,
    *,
    method: str = "auto",
    seed: int = 815,
    n_resamples: int = N_RESAMPLES,
) -> dict[str, tuple[int, int, int]]:
    """Count how often systems that differ by chance are told apart, by intervals too, of all."""
    counts = {label: [0, 0, 0] for label in labels}
    for replication in range(n_replications):
        rng = RNG([seed, n_clusters, replication])
        tables = alike(design, rng, n_clusters)
        plan = Plan(n_resamples=n_resamples, seed=replication, method=method)
        made = evaluated(design, tables, n_clusters, plan, labels)
        for label, delta in pairs(made)[0].deltas[""].items():
            if delta.p_value is not None:
                low, high = delta.interval or (0.0, 0.0)
                counts[label][0] += delta.p_value <= 0.05
                counts[label][1] += low > 0 or high < 0
                counts[label][2] += 1
    return {label: (n, left_out, of) for label, (n, left_out, of) in counts.items()}


def null_rejected(
    design: Design, n_clusters: int, n_replications: int, *, seed: int = 2718
) -> dict[str, tuple[int, int, int]]:
    """Count how often tests of one system reject what is true, by law too, and of how many."""
    counts = {label: [0, 0, 0] for label in design.nulls}
    for replication in range(n_replications):
        columns = design.draw(RNG([seed, n_clusters, replication]), n_clusters)
        plan = Plan(n_resamples=0, seed=replication)
        made = evaluated(design, [columns], n_clusters, plan, design.nulls)
        for label, found in counts.items():
            number = scalar(made, (0, label))
            if number.value is not None:
                by_law = number.options.get("by_law")
                found[0] += number.value <= 0.05
                # A test whose law is the one that is printed has no other beside it.
                found[1] += by_law <= 0.05 if isinstance(by_law, float) else -1
                found[2] += 1
    return {label: (n, by_law, of) for label, (n, by_law, of) in counts.items()}


def alike(design: Design, rng: np.random.Generator, n_clusters: int) -> list[Columns]:
    """Return two systems that answer in the same way, a third of the participants alike."""
    one, other = design.draw(rng, n_clusters), design.draw(rng, n_clusters)
    shared = np.repeat(rng.random(n_clusters) < 1 / 3, design.n_items)
    mixed = {
        name: np.where(shared.reshape(-1, *[1] * (values.ndim - 1)), one[name], values)
        for name, values in other.items()
    }
    return [one, mixed]
