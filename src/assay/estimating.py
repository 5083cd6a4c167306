"""One number with its interval, and the same number of several systems side by side.

Any metric of ours, and any function of the user's own: one that takes a weight is given the
weights of every resample, one that does not is given the rows that were drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import assay.metrics  # noqa: F401 - fills METRICS
from assay.errors import ColumnError, UsageError
from assay.families.arranging import check_names
from assay.inference import (
    FLIPPED,
    Draw,
    Flips,
    Plan,
    Replicate,
    Statistic,
    bootstrap,
    flip_p_value,
    holm,
    interval_of,
    of_difference,
    swapped,
)
from assay.inference.rules import estimated, interval_methods, with_gaps
from assay.numbers import NOT_RESAMPLED
from assay.options import keyword_names, unknown_option
from assay.pairs import tested_by
from assay.registry import METRICS, NO_NUMBER, Metric, check_call, settled
from assay.score import (
    Call,
    Rows,
    alike_in_form,
    both_systems,
    erring,
    is_column,
    is_frame,
    parameters,
    weight_of,
    within,
)
from assay.showing import counted, fitting, inert, listed, quoted
from assay.surroundings import available_cores

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array, Resamples
    from assay.registry import Gaps, Ranks

WEIGHTS = ("weight", "sample_weight", "weights")
"""what functions call the weight of a row"""
PLAIN = np.ndarray, list, tuple
NO_ROWS = "there is no row"
ROWS_DRAWN = "; the function takes no weight, so it was called with the rows of every resample"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval; NaN where there is none, and then a reason."""

    value: float
    low: float
    high: float
    standard_error: float
    reason: str | None
    """why there is no number, or no interval"""
    n: int
    """rows"""
    n_undefined: int
    """resamples on which the number is undefined; they are in no interval"""
    how: str

    def __repr__(self) -> str:
        """Show the number with its interval, and how it came about."""
        return f"{_with_interval(self)}\n{self.how}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The second minus the first, on shared resamples."""

    left: str
    right: str
    value: float
    low: float
    high: float
    standard_error: float
    reason: str | None
    p_value: float
    p_holm: float
    """corrected for all that is compared with the first"""
    test: str | None
    """how the p-value came about: `swap`, `expanded percentile`, `percentile`"""

    def __repr__(self) -> str:
        """Show the difference with its interval and its p-value."""
        sides = " - ".join(_shown(self.right, self.left))
        return f"{sides}: {_with_interval(self)}, p = {self.p_holm:.3g}"


def _shown(*names: object) -> list[str]:
    return fitting([inert(str(name)) for name in names])


def _with_interval(found: Estimate | Difference) -> str:
    if found.reason is None:
        return f"{found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"
    return f"{found.value:.4g} ({found.reason})"


@dataclass(frozen=True, slots=True)
class Comparison(Mapping[str, Estimate]):
    """One number of several systems, and what each of them is more than the first."""

    estimates: dict[str, Estimate]
    pairs: list[Difference]
    how: str

    def __getitem__(self, name: object) -> Estimate:
        """Return the number of one system."""
        if name not in self:
            raise UsageError(f"there is no system {quoted(name)}", hint=_choices(self.estimates))
        return self.estimates[str(name)]

    def __contains__(self, name: object) -> bool:
        """Say whether there is a system of this name, as it is written."""
        return str(name) in self.estimates

    def get(self, name: object, default: Any = None) -> Any:
        """Return the number of one system, or something else."""
        return self.estimates.get(str(name), default)

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self.estimates)

    def __len__(self) -> int:
        """Return how many systems there are."""
        return len(self.estimates)

    def __repr__(self) -> str:
        """Show every number, every difference, and how they came about."""
        every = zip(_shown(*self.estimates), self.estimates.values(), strict=True)
        numbers = [f"{name}: {_with_interval(each)}" for name, each in every]
        return "\n".join([*numbers, *map(repr, self.pairs), self.how])


def estimate(
    metric: Callable[..., Any] | str, *columns: ArrayLike, cluster: Any = None, **keywords: Any
) -> Estimate:
    """Compute one number with its interval.

    Parameters
    ----------
    metric
        A metric, its name, or a function of your own that gives one number. A function with a
        `weight` (or `sample_weight`) is given the weights of each resample; one without is given
        the rows that were drawn, which is slower.
    columns
        What the metric takes, in its order; more of it, and its options, by name.
    cluster
        Which rows belong together; resamples draw clusters, or rows where there are none.
    keywords
        Columns and options of the metric, and how to resample: `n_resamples`, `seed`, `ci_level`,
        `ci_method`, `stream`, `threads`.

    Examples
    --------
    >>> from assay.metrics.calibration import brier
    >>> y, p = [0, 1, 1, 0, 1, 1], [0.2, 0.9, 0.6, 0.4, 0.8, 0.7]
    >>> found = estimate(brier, y, p, n_resamples=200)
    >>> round(found.value, 3), found.low < found.value < found.high, found.n
    (0.083, True, 6)
    """
    asked = _asked(metric, columns, cluster, keywords)
    replicates = _replicates([asked], asked.plan)
    return _estimate(asked, replicates[0])


def compare(
    metric: Callable[..., Any] | str, *columns: Any, cluster: Any = None, **keywords: Any
) -> Comparison:
    """Compute one number of several systems on the same resamples, and their differences.

    What systems share is given once; what differs is a mapping from the name of a system to its
    column. Everything else is as in `estimate`. Differences are taken from the first system.

    Examples
    --------
    >>> from assay.metrics.calibration import brier
    >>> scores = {"old": [0.5, 0.5, 0.6, 0.5], "new": [0.2, 0.9, 0.6, 0.4]}
    >>> found = compare(brier, [0, 1, 1, 0], scores, n_resamples=200)
    >>> round(found["new"].value, 4), round(found.pairs[0].value, 4)
    (0.0925, -0.135)
    """
    columns = tuple(_held(each) for each in columns)
    systems = {
        str(name): _asked(
            metric,
            [_own(column, name) for column in columns],
            cluster,
            {key: _own(value, name) for key, value in keywords.items()},
        )
        for name in _names([*columns, *keywords.values()])
    }
    first = next(iter(systems.values()))
    if any(each.plan != first.plan for each in systems.values()):
        hint = "`n_resamples`, `seed` and the like are given once, for all systems"
        raise UsageError("systems are compared on the same resamples, found several", hint=hint)
    _check_lengths(systems)
    replicates = dict(zip(systems, _replicates([*systems.values()], first.plan), strict=True))
    return Comparison(
        {name: _estimate(asked, replicates[name]) for name, asked in systems.items()},
        _differences(replicates, systems),
        first.how(first.plan.method),
    )


def _names(given: Sequence[Any]) -> list[Any]:
    mappings = [each for each in given if isinstance(each, Mapping)]
    if not mappings:
        hint = "give what differs as a mapping, as in {'old': ..., 'new': ...}"
        raise UsageError("found no systems to compare", hint=hint)
    names = [*mappings[0]]
    for other in mappings[1:]:
        if {*other} != {*names}:
            msg = f"one mapping names {listed(names)} and another {listed(other)}"
            raise UsageError(msg, hint="every mapping names the same systems")
    if not names:
        raise UsageError("found a mapping without systems", hint="name one system or more")
    check_names(names)
    return names


def _own(given: Any, name: Any) -> Any:
    return given[name] if isinstance(given, Mapping) else given


def _check_lengths(systems: Mapping[str, _Asked]) -> None:
    sizes = {name: asked.n_rows for name, asked in systems.items()}
    first = next(iter(sizes))
    for name, n_rows in sizes.items():
        if n_rows != sizes[first]:
            msg = (
                f"{quoted(name)} has {counted(n_rows, 'row')} where {quoted(first)} has"
                f" {sizes[first]}"
            )
            raise ColumnError(msg, hint="systems are compared row by row")


def _differences(
    replicates: Mapping[str, Replicate], systems: Mapping[str, _Asked]
) -> list[Difference]:
    first, *others = replicates
    plan, unit = systems[first].plan, systems[first].unit
    drawn = {name: replicates[name] - replicates[first] for name in others}
    tested = [
        tested_by(difference, plan, _swaps(systems[first], systems[name]))
        for name, difference in drawn.items()
    ]
    corrected = holm([each.p_value for each in tested])
    found = []
    for (name, difference), test, p in zip(drawn.items(), tested, corrected, strict=True):
        read = of_difference(difference, plan, unit)
        spread = read.low, read.high, read.standard_error
        reason = systems[name].reason(read.reason)
        p_values = test.p_value, p, test.name
        found.append(Difference(first, name, read.value, *spread, reason, *p_values))
    return found


def _swaps(one: _Asked, other: _Asked) -> Callable[[], Array] | None:
    """Return what draws differences of swapped systems, if both are asked in the same way."""
    left, right = one.to_swap(), other.to_swap()
    if left is None or right is None or repr(one.fixed) != repr(other.fixed):
        return None
    if not alike_in_form(left, right):
        return None
    both = both_systems(left, right)
    n_clusters, n_rows = int(left.weight.counts.shape[1]), int(both.weight.cluster.size)
    statistic = one.over(both)
    return lambda: swapped([statistic], one.plan, n_clusters=n_clusters, n_rows=n_rows)[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A number as a function of the draws, and what there is to say about it."""

    metric: Metric | None
    rows: Rows
    """what is drawn, by its place or keyword"""
    fixed: Mapping[int | str, Any]
    """what is not"""
    over: Callable[[Rows], Statistic]
    """the number of such rows"""
    plan: Plan
    unit: str
    drawn: str

    @property
    def weight(self) -> Resamples:
        return self.rows.weight

    def to_swap(self) -> Rows | None:
        """Return the rows as arrays, or series where functions of the user's may need these."""
        every = dict[Any, Any](self.rows.columns)
        own = self.metric is None and not self.drawn
        if own and not all(isinstance(e, PLAIN) or is_frame(e) for e in every.values()):
            return None
        series = self.metric is None
        columns = {
            at: each if series and is_frame(each) else np.asarray(each)
            for at, each in every.items()
        }
        return Rows(columns, self.weight)

    def flips(self, by_law: float) -> Flips | None:
        """Turn the signs of whole clusters, where a test can and no law was asked for."""
        flipped = None if self.metric is None else self.metric.flipped
        n_clusters = int(self.weight.counts.shape[1])
        alike = n_clusters < self.n_rows
        if flipped is None or not alike or "law" in self.fixed or np.isnan(by_law):
            return None
        columns, named = _given(self.rows, self.fixed)
        statistic = flipped(*columns, **named, weight=self.weight)
        if statistic is None:
            return None
        return flip_p_value(statistic, n_clusters, self.n_rows, self.plan.seed)

    @property
    def gaps(self) -> Callable[[Draw], Gaps | Ranks] | None:
        """The gaps that the number is a norm of, if it is one."""
        found = None if self.metric is None else self.metric.gaps
        return found and Call(found, *_given(self.rows, self.fixed), self.weight).batched

    @property
    def n_rows(self) -> int:
        return int(self.weight.cluster.size)

    def reason(self, found: str | None) -> str | None:
        """Say why there is no interval: none was asked for, or there can be none."""
        return found if self.metric is None or self.metric.interval else NOT_RESAMPLED

    def how(self, method: str, flips: Flips | None = None) -> str:
        """Say how the interval came about, or the p-value."""
        plan, units = self.plan, counted(int(self.weight.counts.shape[1]), self.unit)
        if flips is not None:
            drawn = "all" if flips.seed is None else f"seed {flips.seed}"
            return f"{flips.n_flips:,} {FLIPPED} ({units}), {drawn}"
        if not plan.n_resamples:
            return f"{units}, no resamples"
        return (
            f"{plan.level:g} {method} interval from {plan.n_resamples:,} resamples of {units},"
            f" seed {plan.seed}{self.drawn}"
        )


def _asked(
    metric: Callable[..., Any] | str,
    columns: Sequence[Any],
    cluster: Any,
    keywords: Mapping[str, Any],
) -> _Asked:
    while isinstance(metric, partial) and _known(metric.func):
        columns, keywords = [*metric.args, *columns], {**metric.keywords, **keywords}
        metric = metric.func
    columns = [_held(each) for each in columns]
    keywords = {name: _held(each) for name, each in keywords.items()}
    known = _known(metric)
    function: Any = metric if known is None else known.checked
    taken = parameters(function)
    of_plan = [each for each in keyword_names(Plan) if each not in taken]
    plan = Plan(
        **{"threads": available_cores(), **{n: keywords[n] for n in of_plan if n in keywords}}
    )
    own = {name: value for name, value in keywords.items() if name not in of_plan}
    if known is not None:
        own = settled(known, own, beside=("cluster", *of_plan))
    elif taken and not any(each.kind is each.VAR_KEYWORD for each in taken.values()):
        for word in (each for each in own if each not in taken):
            raise unknown_option(word, (*taken, "cluster", *of_plan))
    weighted_by = next((name for name in WEIGHTS if name in taken), None)
    size = own.pop(weighted_by, None) if weighted_by else None
    weights = {} if weighted_by is None else {weighted_by: None}
    check_call(function, columns, {**own, **weights})
    weight, unit = weight_of([*columns, *own.values()], cluster, size)
    every: dict[int | str, Any] = dict(enumerate(columns))
    every.update(own.items())
    rows, fixed = _split(every, weight)
    if known is not None and not known.interval:
        plan = replace(plan, n_resamples=0)

    def over(drawn: Rows) -> Statistic:
        call = Call(function, *_given(drawn, fixed), drawn.weight)
        if known is not None and known.batched:
            return call.batched
        return call.drawn if weighted_by is None else partial(call.weighted, weighted_by)

    return _Asked(known, rows, fixed, over, plan, unit, "" if weighted_by else ROWS_DRAWN)


def _held(given: Any) -> Any:
    """Return what can be read only once, or has no places, as a list."""
    return list(given) if isinstance(given, Iterator | ValuesView | KeysView) else given


def _split(every: Mapping[int | str, Any], weight: Resamples) -> tuple[Rows, dict[int | str, Any]]:
    """Tell what has one value per row from what is the same for all."""
    n_rows = weight.cluster.size
    drawn = {at: each for at, each in every.items() if is_column(each) and len(each) == n_rows}
    columns: Any = drawn
    return Rows(columns, weight), {at: each for at, each in every.items() if at not in drawn}


def _given(rows: Rows, fixed: Mapping[int | str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Put what a function takes in its order, and what it takes by name."""
    every: dict[Any, Any] = {**rows.columns, **fixed}
    return (
        [every[at] for at in sorted(each for each in every if isinstance(each, int))],
        {at: each for at, each in every.items() if isinstance(at, str)},
    )


def _known(metric: Any) -> Metric | None:
    """Return the metric that is meant, if it is one of those that are registered."""
    if callable(metric):
        named = METRICS.get(getattr(metric, "__name__", ""))
        return named if named and metric in {named.function, named.checked} else None
    if not isinstance(metric, str):
        msg = f"a metric must be a function or the name of one, found {quoted(metric)}"
        raise UsageError(msg, hint="as in assay.metrics.brier, or 'brier'")
    if metric not in METRICS:
        near = get_close_matches(metric, METRICS, n=3) or sorted(METRICS)
        raise UsageError(f"there is no metric {quoted(metric)}", hint=_choices(near))
    return METRICS[metric]


def _choices(names: Iterable[str]) -> str:
    return f"choose one of {', '.join(inert(str(name)) for name in names)}"


def _replicates(asked: Sequence[_Asked], plan: Plan) -> list[Replicate]:
    weight, metric = asked[0].weight, asked[0].metric
    n_clusters, n_rows = int(weight.counts.shape[1]), int(weight.cluster.size)
    methods = interval_methods([] if metric is None else [metric], plan, n_clusters)
    drawn = bootstrap(
        [each.over(each.rows) for each in asked],
        plan,
        n_clusters=n_clusters,
        n_rows=n_rows,
        methods=(methods or ["expanded"]) * len(asked),
    )
    return [
        with_gaps(drawn.of(row), each.gaps, each.weight, plan) for row, each in enumerate(asked)
    ]


def _estimate(asked: _Asked, replicate: Replicate) -> Estimate:
    metric, columns = asked.metric, dict[Any, Any](asked.rows.columns)
    found = (
        interval_of(replicate, asked.plan, asked.unit)
        if metric is None
        else estimated(
            within(metric, columns.get("loss", columns.get(0)), asked.weight),
            replicate,
            asked.plan,
            asked.unit,
            erring(metric, columns, asked.weight),
        )
    )
    reason = asked.reason(found.reason)
    flips = asked.flips(found.value)
    if np.isnan(found.value):
        reason = (metric.undefined if metric else "") or (NO_NUMBER if asked.n_rows else NO_ROWS)
    return Estimate(
        value=found.value if flips is None else flips.p_value,
        low=found.low,
        high=found.high,
        standard_error=found.standard_error,
        reason=reason,
        n=asked.n_rows,
        n_undefined=found.n_undefined,
        how=asked.how(found.method or asked.plan.method, flips),
    )
