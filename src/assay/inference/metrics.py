"""What the kind that a metric declares means for its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from assay.inference.estimates import NO_WIDTH, Estimate, estimate
from assay.inference.resampling import Draw, deviations
from assay.inference.rules import Quantity, automatic, method_of
from assay.registry import Ranks

if TYPE_CHECKING:
    from assay.columns import Resamples
    from assay.inference.planning import Plan
    from assay.inference.resampling import Replicate
    from assay.registry import Gaps, Metric


def interval_methods(metrics: Sequence[Metric], plan: Plan, n_clusters: int) -> list[str]:
    """Return how the interval of every number is read."""
    if plan.method != "auto":
        return [plan.method] * len(metrics)
    return [method_of(metric.kind, n_clusters) for metric in metrics]


def with_gaps(
    replicate: Replicate,
    gaps: Callable[[Draw], Gaps | Ranks] | None,
    weight: Resamples,
    plan: Plan,
) -> Replicate:
    """Add how resamples move the gaps that a number is a norm of, or where a quantile stands."""
    inverts = plan.method == "auto" and plan.n_resamples and np.isfinite(replicate.point)
    if gaps is None or not inverts:
        return replicate
    n_clusters, n_rows = int(weight.counts.shape[1]), int(weight.cluster.size)
    stands = gaps(Draw(np.ones((1, n_clusters))))
    if isinstance(stands, Ranks):
        return replace(replicate, ranks=stands)
    signed = cast("Callable[[Draw], Gaps]", gaps)
    moved = deviations(signed, plan, n_clusters=n_clusters, n_rows=n_rows)
    return replace(replicate, deviations=moved)


def estimated(
    metric: Metric, replicate: Replicate, plan: Plan, unit: str, n_wrong: int | None = None
) -> Estimate:
    """Read the interval as the metric needs it, within its bounds where it was turned around."""
    if plan.method == "auto":
        number = replace(_quantity(metric, unit, replicate.point), n_wrong=n_wrong)
        return automatic(replicate, plan, number)
    if not metric.turned or plan.method != "percentile":
        return estimate(replicate, plan, bounds=metric.bounds)
    found = estimate(replicate, plan, method="basic")
    low, high = max(found.low, metric.bounds[0]), min(found.high, metric.bounds[1])
    if found.reason is None and low >= high:
        return replace(found, low=np.nan, high=np.nan, reason=NO_WIDTH)
    return replace(found, low=low, high=high)


def _quantity(metric: Metric, unit: str, point: float) -> Quantity:
    low, high = metric.bounds
    ends = {"lower": low, "higher": high, None: None}
    # The least of several shares is a share, also where the sum of them may be asked for.
    bounds = low, min(high, 1.0) if metric.kind == "minimum" and point <= 1 else high
    return Quantity(metric.kind, bounds, metric.no_interval, ends[metric.better], unit)
