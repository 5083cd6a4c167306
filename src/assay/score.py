"""Which numbers to compute of a table, and each of them as a function of the draws.

A metric applies where its columns are. An option that has several values (a grid of coverages)
makes one number of each.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

import assay.metrics  # noqa: F401 - fills METRICS
from assay.columns import COLUMNS, Resamples
from assay.errors import ColumnError, UsageError
from assay.floats import floats, is_null, refuse, unmasked
from assay.inference import Draw, flip_p_value
from assay.registry import METRICS, Metric
from assay.showing import counted, quoted
from assay.sources.table import from_columns

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.inference import Flips, Statistic
    from assay.registry import Gaps, Ranks

FUNCTION = "the function"
ROUNDING = 1e-9
"""how far a number may be beyond its bounds"""
NUMBERS = "biufO"
"""kinds of arrays that a number may come in; of objects, those that are one"""


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
        option: _reaching([(each, _reading(METRICS[name], each, {})) for each in compared])
        for option, name in request.metric.common.items()
    }

    def value(draw: Draw) -> Array | float:
        common = {
            option: np.min([np.asarray(reading(draw)) for reading in readings], axis=0)
            for option, readings in smallest.items()
        }
        return _reading(request.metric, rows, {**request.options, **common})(draw)

    return value


def _reaching(readings: Sequence[tuple[Rows, Statistic]]) -> list[Statistic]:
    """Leave systems out that reach nothing, where two others can be cut at what they share."""
    found = [reading for rows, reading in readings if np.max(reading(_undrawn(rows))) > 0]
    return found if len(found) > 1 else [reading for _, reading in readings]


def alike_in_form(left: Rows, right: Rows) -> bool:
    """Say whether two systems have the same columns of the same clusters."""
    return (
        left.weight.counts.shape == right.weight.counts.shape
        and {*left.columns} == {*right.columns}
        and all(
            column.shape[1:] == right.columns[name].shape[1:]
            for name, column in left.columns.items()
        )
    )


def both_systems(left: Rows, right: Rows) -> Rows:
    """Return the rows of two systems in one table, the clusters of the right after the left's."""
    n_clusters = left.weight.counts.shape[1]
    columns = {
        name: _joined(column, right.columns[name])
        for name, column in left.columns.items()
        if name in right.columns and column.shape[1:] == right.columns[name].shape[1:]
    }
    cluster = np.concatenate([left.weight.cluster, right.weight.cluster + n_clusters])
    size = np.concatenate([left.weight.size, right.weight.size])
    weight = Resamples(np.ones((1, 2 * n_clusters)), cluster, size, ())
    points = left.n_points and right.n_points and left.n_points + right.n_points
    return Rows(columns, weight, points)


def _joined(left: Any, right: Any) -> Any:
    if is_frame(left) and type(left) is type(right):
        found = import_module(type(left).__module__.partition(".")[0]).concat([left, right])
        return found.reset_index(drop=True) if hasattr(found, "iloc") else found
    return np.concatenate([left, right])


def exchanged(request: Request, both: Rows, others: Sequence[Rows] = ()) -> Statistic:
    """Return the number of one of two systems whose answers are swapped.

    What is cut at a common value is cut at the smallest one of the two that the swap makes, and of
    the systems that take no part in it.
    """
    _check_counts(request, both)
    if not request.common:
        return _reading(request.metric, both, request.options)
    readings = {
        option: (
            _reading(METRICS[name], both, {}),
            [fixed for each in others if np.max(fixed := _fixed(name, each)) > 0],
        )
        for option, name in request.metric.common.items()
    }

    def value(draw: Draw) -> Array | float:
        rest = Draw(1 - draw.counts)
        common = {
            option: np.min(np.broadcast_arrays(reading(draw), reading(rest), *fixed), axis=0)
            for option, (reading, fixed) in readings.items()
        }
        return _reading(request.metric, both, {**request.options, **common})(draw)

    return value


def _fixed(name: str, rows: Rows) -> Array | float:
    return _reading(METRICS[name], rows, {})(_undrawn(rows))


def _undrawn(rows: Rows) -> Draw:
    return Draw(np.ones((1, rows.weight.counts.shape[1])))


def gaps(request: Request, rows: Rows) -> Callable[[Draw], Gaps | Ranks] | None:
    """Return the gaps that a number is a norm of as a function of the draws, if it is one."""
    metric = request.metric
    if metric.gaps is None:
        return None
    function = partial(metric.gaps, **_columns(metric, rows), **request.options)
    return lambda draw: function(weight=draw.of(rows.weight))


def turned_signs(request: Request, rows: Rows, seed: int) -> Flips | None:
    """Turn the signs of whole clusters where a number is a test of signs."""
    made = request.metric.flipped
    statistic = made and made(
        **_columns(request.metric, rows), **request.options, weight=rows.weight
    )
    if statistic is None:
        return None
    return flip_p_value(statistic, rows.weight.counts.shape[1], int(rows.weight.size.sum()), seed)


def within(metric: Metric, loss: Any, weight: Resamples) -> Metric:
    """Return a metric with the range that it has for these losses: 0 and 1 have no mean above 1."""
    if metric.losses is None or loss is None or not weight.plan(_right_or_wrong, loss):
        return metric
    return replace(metric, bounds=(max(metric.bounds[0], -metric.losses), metric.losses))


def _right_or_wrong(loss: Any, _: Resamples) -> bool:
    """Say whether all losses are 0 or 1, those that are not known left out."""
    known = floats("loss", loss)
    return bool(((known == 0) | (known == 1) | np.isnan(known)).all())


def erring(metric: Metric, columns: Mapping[Any, Any], weight: Resamples) -> int | None:
    """Count the clusters with any loss among what they answered; None: it is no mean of losses."""
    # The loss is the first column of all metrics that read one.
    loss = columns.get("loss", columns.get(0))
    grows = metric.kind == "area" or metric.losses is not None
    if not grows or "loss" not in metric.columns or loss is None:
        return None
    found: int = weight.plan(_erring, loss, columns.get("answered"))
    return found


def _erring(loss: Any, answered: Any, weight: Resamples) -> int:
    wrong = (floats("loss", loss) > 0) & (weight.size > 0)
    if answered is not None:
        wrong &= floats("answered", answered) > 0
    return int(np.count_nonzero(np.bincount(weight.cluster[wrong])))


def _columns(metric: Metric, rows: Rows) -> dict[str, Array]:
    names = {*metric.columns, *metric.optional} & set(rows.columns)
    return {name: rows.columns[name] for name in names}


def _reading(metric: Metric, rows: Rows, options: Mapping[str, Any]) -> Statistic:
    columns = _columns(metric, rows)
    if metric.batched:
        function = partial(metric.function, **columns, **options)
        return lambda draw: function(weight=draw.of(rows.weight))
    # It takes one weight per row, resample by resample.
    call = Call(metric.function, (), {**columns, **options}, rows.weight)
    return lambda draw: _bounded(metric, call.weighted("weight", draw, metric.name))


def _bounded(metric: Metric, found: Array) -> Array:
    """Refuse numbers that intervals and pictures would take for impossible."""
    low, high = metric.bounds
    outside = found[(found < low - ROUNDING) | (found > high + ROUNDING)]
    if outside.size:
        msg = (
            f"metric {metric.name} gave {outside[0]:g}, outside of its bounds {low:g} and {high:g}"
        )
        raise UsageError(msg, hint="declare the `bounds` that it has")
    return found


def _check_counts(request: Request, rows: Rows) -> None:
    if request.metric.holds("ordered", **request.options) and (rows.weight.size != 1).any():
        msg = (
            f"{request.metric.name} breaks ties by row order here, and rows that stand for"
            " several items have no order among them"
        )
        raise UsageError(msg, hint="use the trapezoid reading, or a table with one row per item")


# Functions from elsewhere, which take columns by place and by name


def parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Return what a function takes; one that is compiled may not say."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def is_column(given: Any) -> bool:
    """Say whether something may hold one value per row."""
    sized = hasattr(given, "__len__") and getattr(given, "ndim", 1) != 0
    return sized and not isinstance(given, str | bytes | dict | set | frozenset)


def is_frame(given: Any) -> bool:
    """Say whether something is a series or a frame of pandas or polars."""
    return type(given).__module__.partition(".")[0] in {"pandas", "polars"}


def weight_of(given: Sequence[Any], cluster: Any, size: Any) -> tuple[Resamples, str]:
    """Return whose each row is and how many items it stands for, and what is drawn."""
    lengths = [len(each) for each in given if is_column(each)]
    if not lengths:
        raise UsageError("found no column", hint="give the columns of the metric, in its order")
    n_rows = lengths[0]
    items = np.ones(n_rows) if size is None else np.atleast_1d(floats("weight", size))
    refuse("weight", items, COLUMNS["weight"])
    code: Indices = np.arange(n_rows)
    n_clusters = n_rows
    if cluster is not None:
        code, names = from_columns(cluster=cluster).clusters("cluster")
        n_clusters = len(names)
    for name, values in {"cluster": code, "weight": items}.items():
        if values.shape != (n_rows,):
            msg = f"`{name}` has {counted(len(values), 'row')} where the columns have {n_rows}"
            raise ColumnError(msg, hint="it needs one value per row")
    weight = Resamples(np.ones((1, n_clusters)), code, items, ())
    return weight, "row" if cluster is None else "cluster"


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A function of columns, with what it is called with."""

    function: Callable[..., Any]
    columns: Sequence[Any]
    keywords: Mapping[str, Any]
    weight: Resamples

    def batched(self, draw: Draw) -> Any:
        """Call a metric of ours once for all resamples of a block."""
        return self.function(*self.columns, **self.keywords, weight=draw.of(self.weight))

    def weighted(self, name: str, draw: Draw, called: str = FUNCTION) -> Array:
        """Call an ordinary function once per resample, with the weight of every row."""
        rows = self._rows(draw)

        def call(n: int) -> Any:
            columns = map(_copied, self.columns)
            keywords = {key: _copied(each) for key, each in self.keywords.items()}
            return self.function(*columns, **{**keywords, name: rows[n].copy()})

        return _each(draw, call, called)

    def drawn(self, draw: Draw) -> Array:
        """Call a function without weight once per resample, with the rows that were drawn."""
        rows, n_rows = self._rows(draw), self.weight.cluster.size

        def taken(given: Any, drawn: Indices) -> Any:
            return _taken(given, drawn) if is_column(given) and len(given) == n_rows else given

        def call(n: int) -> Any:
            drawn = np.repeat(np.arange(n_rows), rows[n].astype(np.int64))
            return self.function(
                *(taken(each, drawn) for each in self.columns),
                **{key: taken(each, drawn) for key, each in self.keywords.items()},
            )

        return _each(draw, call)

    def _rows(self, draw: Draw) -> Array:
        return draw.of(self.weight).rows().reshape(draw.counts.shape[0], self.weight.cluster.size)


def _taken(column: Any, rows: Indices) -> Any:
    """Take rows of what a user gave; functions may need the methods that it has."""
    if is_frame(column):
        return column.iloc[rows] if hasattr(column, "iloc") else column[rows]
    if hasattr(column, "column_names"):  # a table of pyarrow
        return column.take(rows)
    try:
        return np.asarray(column)[rows]
    except ValueError:  # lists of several lengths
        return [column[row] for row in rows]


def _copied(given: Any) -> Any:
    """Return a copy of what the next call needs as it is: a function may sort a column in place."""
    return given.copy() if is_column(given) and hasattr(given, "copy") else given


def _each(draw: Draw, call: Callable[[int], Any], called: str = FUNCTION) -> Array:
    """Compute a number draw by draw; where a resample gives none (one class only), NaN."""
    n, found = draw.counts.shape[0], np.full(draw.counts.shape[0], np.nan)
    as_it_is = n == 1 and bool((draw.counts == 1).all())
    for number in range(n):
        if not draw.counts[number].any():  # no rows are left, and no function needs to know why
            continue
        try:
            value = call(number)
        except (ArithmeticError, ValueError):
            if as_it_is:
                raise
            continue
        found[number] = _one_number(value, called)
    return found


def _one_number(value: Any, called: str) -> float:
    try:
        given = np.asarray(unmasked(None if is_null(value) else value))
        numbers = given if given.dtype.kind in NUMBERS else np.empty(0)
        (found,) = numbers.astype(np.float64).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        msg = f"{called} must give one number, found {quoted(value)}"
        raise UsageError(msg, hint="what gives several is asked for one of them") from None
    return float(found)
