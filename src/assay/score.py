"""Which numbers to compute of a table, and each of them as a function of the draws.

A metric applies where its columns are. An option that has several values (a grid of coverages)
makes one number of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

import assay.metrics  # noqa: F401 - fills METRICS
from assay.errors import UsageError
from assay.registry import METRICS, Metric

if TYPE_CHECKING:
    from assay.columns import Array, Resamples
    from assay.inference import Draw, Statistic

__all__ = ["Request", "Rows", "common_requests", "requests", "statistic"]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Columns ready to be scored, and the clusters their rows belong to."""

    columns: Mapping[str, Array]
    weight: Resamples
    n_points: int | None = None
    """how many values a curve or table of these rows holds per resample; None: one per row"""


@dataclass(frozen=True, slots=True)
class Request:
    """One number to compute: a metric under options."""

    label: str
    metric: Metric
    options: Mapping[str, Any]
    common: bool = False
    """options named in `metric.common` take the smallest value over all systems compared"""


def requests(
    available: Sequence[str], settings: Mapping[str, Any], *, family: str | None = None
) -> tuple[Request, ...]:
    """List the numbers of a family that can be computed of these columns.

    A setting reaches every metric that has an option of that name; a tuple is a grid.
    """
    return tuple(
        Request(_label(metric, options, settings), metric, options)
        for metric in METRICS.values()
        if set(metric.columns) <= set(available) and family in {None, metric.family}
        for options in _grid(metric, settings)
    )


def _grid(metric: Metric, settings: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    values = {name: settings.get(name, default) for name, default in metric.options.items()}
    grids = [value if isinstance(value, tuple) else (value,) for value in values.values()]
    for chosen in product(*grids):
        yield dict(zip(values, chosen, strict=True))


def _label(metric: Metric, options: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    swept = [name for name in options if isinstance(settings.get(name), tuple)]
    return "@".join([metric.name, *(spelled(options[name]) for name in swept)])


def spelled(value: float) -> str:
    """Write a grid value with two decimals, or more where two would change it.

    Examples
    --------
    >>> spelled(0.1), spelled(0.125)
    ('0.10', '0.125')
    """
    short = f"{value:.2f}"
    return short if float(short) == value else repr(value)


def common_requests(asked: Sequence[Request]) -> tuple[Request, ...]:
    """List the numbers that a comparison adds because systems must be cut at a common value."""
    return tuple(
        Request(f"{each.metric.name}@common", each.metric, each.options, common=True)
        for each in asked
        if each.metric.common
    )


def statistic(request: Request, rows: Rows, *, compared: Sequence[Rows] = ()) -> Statistic:
    """Return the number as a function of the draws."""
    _check_counts(request, rows)
    if not request.common:
        return _reading(request.metric, rows, request.options)
    smallest = {
        option: [_reading(METRICS[name], each, {}) for each in compared]
        for option, name in request.metric.common.items()
    }

    def value(draw: Draw) -> Array | float:
        common = {
            option: np.min([np.asarray(reading(draw)) for reading in readings], axis=0)
            for option, readings in smallest.items()
        }
        return _reading(request.metric, rows, {**request.options, **common})(draw)

    return value


def _reading(metric: Metric, rows: Rows, options: Mapping[str, Any]) -> Statistic:
    names = {*metric.columns, *metric.optional} & set(rows.columns)
    function = partial(metric.function, **{name: rows.columns[name] for name in names}, **options)
    if metric.batched:
        return lambda draw: function(weight=draw.of(rows.weight))
    return lambda draw: one_by_one(draw, rows.weight, function)


def one_by_one(draw: Draw, rows: Resamples, function: Callable[..., Any]) -> Array:
    """Compute a number that takes one weight per row, resample by resample."""
    n_rows = rows.cluster.size
    weights = draw.of(rows).rows().reshape(-1, n_rows)
    return np.array([function(weight=weight) for weight in weights], dtype=np.float64)


def _check_counts(request: Request, rows: Rows) -> None:
    if request.metric.holds("ordered", **request.options) and (rows.weight.size != 1).any():
        msg = (
            f"{request.metric.name} breaks ties by row order here, and rows that stand for"
            " several items have no order among them"
        )
        raise UsageError(msg, hint="use the trapezoid reading, or a table with one row per item")
