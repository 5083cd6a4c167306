"""Intervals and sets from arrays and data frames: the library's way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ColumnError
from assay.evaluate.claims import IntervalColumns, IntervalOptions, SetColumns, SetOptions
from assay.evaluate.intervals import intervals_of_tables
from assay.evaluate.sets import sets_of_tables
from assay.floats import floats
from assay.inference import Plan
from assay.showing import shortened
from assay.sources.table import Table, from_columns, from_frame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.artifacts.intervals import IntervalsArtifact, SetsArtifact

__all__ = ["evaluate_intervals", "evaluate_sets"]

Y, CLUSTER, GROUP = "y_true", "cluster", "group"


def evaluate_intervals(  # noqa: PLR0913 - what is given, and how to read it
    y_true: ArrayLike | str,
    intervals: Any,
    *,
    data: Any = None,
    cluster: ArrayLike | str | None = None,
    group: ArrayLike | str | None = None,
    options: IntervalOptions | None = None,
    plan: Plan | None = None,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> IntervalsArtifact:
    """Score prediction intervals, with error bars, and compare all systems with the first.

    Parameters
    ----------
    y_true
        The values that were to be covered.
    intervals
        An array (rows, 2) or (rows, 2, levels), or a tuple of lower and upper bounds; or several
        of these by name, to be compared.
    data
        A pandas, polars or pyarrow frame, or a `Table`; then `y_true`, `cluster` and `group`
        name its columns, and `intervals` is a tuple of two names, one name of a column that holds
        both bounds, or a list of these: one per level, system after system.
    cluster, group
        Which rows belong together, and in which groups to look at coverage.
    options, plan
        Levels and conventions, and how to resample.
    created_at
        When, to be put on record.
    progress
        Hears how many resamples are done.

    Examples
    --------
    >>> artifact = evaluate_intervals(
    ...     [1, 2, 3, 4],
    ...     ([0, 2, 4, 3], [1, 3, 5, 6]),
    ...     options=IntervalOptions(level=(0.8,)),
    ...     plan=Plan(n_resamples=0),
    ...     created_at="2026-01-01T00:00:00Z",
    ... )
    >>> coverage = artifact.systems[0].levels["0.80"].coverage
    >>> coverage.coverage, round(coverage.gap, 2)
    (0.75, -0.05)
    """
    if data is None:
        named = intervals if type(intervals) is dict else {"intervals": intervals}
        arrays = {name: _stacked(each) for name, each in named.items()}
        table = from_columns(**{Y: y_true, CLUSTER: cluster, GROUP: group}, **arrays)
        columns = IntervalColumns(Y, interval=tuple(arrays), **_roles(cluster, group))
    else:
        table = _table(data)
        listed = intervals if type(intervals) is list else [intervals]
        pairs = [each for each in listed if type(each) is tuple]
        columns = IntervalColumns(
            str(y_true),
            low=tuple(low for low, _ in pairs),
            up=tuple(up for _, up in pairs),
            interval=tuple(each for each in listed if type(each) is str),
            **_named(cluster, group),
        )
    chosen = options or IntervalOptions()
    asked = plan or Plan()
    return intervals_of_tables(
        [table], columns, chosen, asked, created_at=created_at, progress=progress
    )


def evaluate_sets(  # noqa: PLR0913 - as above
    y_true: ArrayLike | str,
    sets: Any,
    *,
    data: Any = None,
    classes: Sequence[int | str] | None = None,
    cluster: ArrayLike | str | None = None,
    group: ArrayLike | str | None = None,
    options: SetOptions | None = None,
    plan: Plan | None = None,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> SetsArtifact:
    """Score prediction sets, with error bars, and compare all systems with the first.

    Parameters
    ----------
    y_true
        The true classes.
    sets
        Flags (rows, classes) or (rows, classes, levels), or a list of labels per row; or several
        of these by name, to be compared.
    data
        A pandas, polars or pyarrow frame, or a `Table`; then `y_true`, `cluster` and `group`
        name its columns, and `sets` is the name of a column of lists, a tuple of one flag column
        per class, or a list of these: one per level, system after system.
    classes
        The classes in the order of the flags; without it 0, 1, 2 and so on, the names of the flag
        columns, or the labels found.
    cluster, group
        Which rows belong together, and in which groups to look at coverage.
    options, plan
        Levels and conventions, and how to resample.
    created_at
        When, to be put on record.
    progress
        Hears how many resamples are done.

    Examples
    --------
    >>> artifact = evaluate_sets(
    ...     ["cat", "dog", "dog"],
    ...     [["cat"], ["cat", "dog"], []],
    ...     plan=Plan(n_resamples=0),
    ...     created_at="2026-01-01T00:00:00Z",
    ... )
    >>> metrics = artifact.systems[0].levels["0.90"].metrics
    >>> metrics["set_size"].value, metrics["singleton_accuracy"].value
    (1.0, 1.0)
    """
    if data is None:
        named = sets if type(sets) is dict else {"sets": sets}
        table = from_columns(**{Y: y_true, CLUSTER: cluster, GROUP: group}, **named)
        y, chosen = Y, [(name,) for name in named]
        roles = _roles(cluster, group)
    else:
        table, y = _table(data), str(y_true)
        listed = sets if type(sets) is list else [sets]
        chosen = [(each,) if type(each) is str else tuple(each) for each in listed]
        roles = _named(cluster, group)
    order = None if classes is None else tuple(map(str, classes))
    columns = SetColumns(y, tuple(chosen), classes=order, **roles)
    return sets_of_tables(
        [table],
        columns,
        options or SetOptions(),
        plan or Plan(),
        created_at=created_at,
        progress=progress,
    )


def _stacked(intervals: Any) -> Any:
    """Join lower and upper bounds."""
    if type(intervals) is tuple:
        intervals = [floats("intervals", each, flags=False) for each in intervals]
        if len({each.shape for each in intervals}) == 1:
            return np.stack(intervals, axis=1)
    try:
        return np.asarray(intervals)
    except (TypeError, ValueError) as error:
        msg = f"intervals must be arrays of one shape: {shortened(str(error))}"
        hint = "(rows, 2), (rows, 2, levels), or lower and upper bounds"
        raise ColumnError(msg, hint=hint) from None


def _table(data: Any) -> Table:
    return data if type(data) is Table else from_frame(data)


def _roles(cluster: Any, group: Any) -> Mapping[str, Any]:
    """Name the columns that arrays were put under."""
    given = {CLUSTER: cluster, GROUP: group}
    return {name: None if each is None else name for name, each in given.items()}


def _named(cluster: Any, group: Any) -> Mapping[str, Any]:
    return {CLUSTER: cluster, GROUP: group}
