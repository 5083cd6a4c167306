"""Calibration: probabilities and outcomes in, artifact out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from assay.columns import Resamples
from assay.errors import ColumnError, UsageError
from assay.evaluate.calibration_options import CalibrationOptions
from assay.evaluate.calibration_records import CalibrationResult, calibration_artifact
from assay.evaluate.forecasts import (
    CalibrationColumns,
    Forecasts,
    empty_cells,
    empty_rows,
    forecasts,
)
from assay.evaluate.run_forecasts import run_forecasts
from assay.evaluate.scoring import Side, scored
from assay.inference import Plan
from assay.score import Rows
from assay.showing import counted, quoted
from assay.sources.items import ItemTable
from assay.sources.participants import aligned
from assay.sources.table import Table, class_label, from_columns, from_frame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.artifacts.calibration import CalibrationArtifact

__all__ = ["calibration_of_runs", "calibration_of_tables", "evaluate_calibration"]


def evaluate_calibration(  # noqa: PLR0913 - scikit-learn's names, and what is on record
    y_true: ArrayLike | str,
    y_prob: ArrayLike | Mapping[str, ArrayLike] | str | Sequence[str],
    *,
    data: Any = None,
    pos_label: int | str | None = None,
    labels: Sequence[int | str] | None = None,
    cluster: ArrayLike | str | None = None,
    group: ArrayLike | str | None = None,
    options: CalibrationOptions | None = None,
    plan: Plan | None = None,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> CalibrationArtifact:
    """Score probabilities against outcomes, with intervals, and compare all with the first.

    Parameters
    ----------
    y_true
        Outcomes (0 and 1, or two labels with `pos_label`), or class labels.
    y_prob
        Probabilities of the positive outcome, one per row; or of all classes, one column per
        class, as `predict_proba` gives them; or several of either by name, to be compared. Two
        columns are read as the second, that of the positive outcome, unless the options say
        ``two_classes="top-label"``.
    data
        A pandas, polars or pyarrow frame, or a `Table`; then `y_true`, `y_prob` (a name, or
        a list of one name per class), `cluster` and `group` name its columns.
    pos_label
        The label that counts as 1, where outcomes are not 0 and 1; of two classes, the one whose
        probability is read.
    labels
        The classes in the order of the columns, as `classes_` has them.
    cluster
        Which rows belong together; resamples draw clusters, or rows where there are none.
    group
        Which group a row is in; every group gets all numbers on its own rows.
    options, plan
        Conventions of the metrics, and how to resample.
    created_at
        When, to be put on record.
    progress
        Hears how many resamples are done.

    Examples
    --------
    >>> artifact = evaluate_calibration(
    ...     [0, 1, 1, 0, 1, 1],
    ...     [0.2, 0.9, 0.6, 0.4, 0.8, 0.3],
    ...     options=CalibrationOptions(n_bins=2),
    ...     plan=Plan(n_resamples=0),
    ...     created_at="2026-01-01T00:00:00Z",
    ... )
    >>> round(artifact.systems[0].metrics["brier"].value, 4)
    0.15
    """
    table, names = (
        _from_arrays(y_true, y_prob, {"cluster": cluster, "group": group})
        if data is None
        else _from_columns(data, y_true, y_prob, {"cluster": cluster, "group": group})
    )
    classes = None if labels is None else tuple(map(_label, labels))
    positive = None if pos_label is None else _label(pos_label)
    return calibration_of_tables(
        [table],
        replace(names, classes=classes, positive=positive),
        options or CalibrationOptions(),
        plan or Plan(),
        created_at=created_at,
        progress=progress,
    )


def _label(given: int | str) -> int | str:
    label = class_label(given)
    if label is None:
        msg = f"a label must be a whole number or a text, found {quoted(given)}"
        raise UsageError(msg)
    return label


def _from_arrays(
    y_true: Any, y_prob: Any, parts: Mapping[str, Any]
) -> tuple[Table, CalibrationColumns]:
    stated = dict(y_prob) if isinstance(y_prob, Mapping) else {"y_prob": y_prob}
    for taken in {"y_true", *parts} & stated.keys():
        msg = f"a system may not be named {quoted(taken)}, which is another column"
        raise UsageError(msg)
    table = from_columns(**{"y_true": y_true, **stated, **parts})
    wide = {name: table.is_wide(name) for name in stated}
    if len(set(wide.values())) > 1:
        msg = "some systems have one probability per row and some one per class"
        raise UsageError(msg, hint="compare systems of one kind")
    several = any(wide.values())
    return table, CalibrationColumns(
        "y_true",
        y_score=() if several else tuple(stated),
        y_prob=tuple((name,) for name in stated) if several else (),
        cluster="cluster" if "cluster" in table.columns else None,
        group="group" if "group" in table.columns else None,
    )


def _from_columns(
    data: Any, y_true: Any, y_prob: Any, parts: Mapping[str, Any]
) -> tuple[Table, CalibrationColumns]:
    table = data if isinstance(data, Table) else from_frame(data)
    given = y_prob if isinstance(y_prob, Mapping) else {"": y_prob}
    groups = [(each,) if isinstance(each, str) else tuple(each) for each in given.values()]
    wide = any(len(each) > 1 or table.is_wide(each[0]) for each in groups)
    return table, CalibrationColumns(
        y_true,
        y_score=() if wide else tuple(each[0] for each in groups),
        y_prob=tuple(groups) if wide else (),
        **parts,
    )


def calibration_of_tables(
    tables: Sequence[Table],
    columns: CalibrationColumns,
    options: CalibrationOptions,
    plan: Plan,
    *,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> CalibrationArtifact:
    """Score tables that hold the same columns."""
    empty = [empty_rows(table, columns) for table in tables]
    if columns.missing == "error":
        _refuse_empty(tables, columns, empty)
    if columns.cluster is None and len(tables) > 1:
        _check_lengths(tables, empty)
        # Rows are paired by their place, so a row that is left out is left out everywhere.
        empty = [np.logical_or.reduce(empty)] * len(tables)
    inputs = [
        forecasts(table, columns, dropped=each, two_classes=options.two_classes)
        for table, each in zip(tables, empty, strict=True)
    ]
    return _evaluated(
        _shared(inputs, intersection_only=options.intersection_only),
        options,
        plan,
        created_at=created_at,
        progress=progress,
    )


def calibration_of_runs(
    tables: Sequence[ItemTable],
    confidences: Sequence[str],
    options: CalibrationOptions,
    plan: Plan,
    *,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> CalibrationArtifact:
    """Score confidences of runs as probabilities of being right, on the answered items."""
    analysed = aligned(tables, intersection_only=options.intersection_only)
    applied = options.calibration
    if applied is not None:
        applied.check(confidences, analysed)
    calibrator = None if applied is None else applied.calibration
    inputs = [run_forecasts(table, confidences, calibration=calibrator) for table in analysed]
    artifact = _evaluated(inputs, options, plan, created_at=created_at, progress=progress)
    if applied is None:
        return artifact
    record = applied.record(analysed)
    warnings = [*artifact.warnings, *record.warnings]
    return msgspec.structs.replace(artifact, calibration=record, warnings=warnings)


def _refuse_empty(
    tables: Sequence[Table], columns: CalibrationColumns, empty: Sequence[Any]
) -> None:
    for table, rows in zip(tables, empty, strict=True):
        if rows.any():
            row = int(np.argmax(rows))
            named = [columns.y_true, *columns.stated()]
            name = next(each for each in named if empty_cells(table, columns, each)[row])
            msg = (
                f"{table.source.path}, {table.place(row)}: `{name}` is empty or NaN"
                f" ({rows.sum()} of {counted(rows.size, 'row')} lack a truth or a probability)"
            )
            raise ColumnError(msg, hint="--missing drop leaves such rows out and counts them")


def _check_lengths(tables: Sequence[Table], empty: Sequence[Any]) -> None:
    for table, rows in zip(tables, empty, strict=True):
        if rows.size != empty[0].size:
            msg = (
                f"{table.source.path} has {counted(rows.size, 'row')} where"
                f" {tables[0].source.path} has {empty[0].size}"
            )
            raise ColumnError(msg, hint="without --cluster, rows are paired by their place")


def _shared(inputs: Sequence[Forecasts], *, intersection_only: bool) -> list[Forecasts]:
    """Restrict inputs to the clusters of all of them, which must be all unless asked for."""
    first = inputs[0]
    if not first.clustered or all(each.clusters == first.clusters for each in inputs):
        return list(inputs)
    sets = [set(each.clusters) for each in inputs]
    shared = set.intersection(*sets)
    if not intersection_only or not shared:
        extra = sorted(map(str, set.union(*sets) - shared))
        msg = f"the inputs differ in {counted(len(extra), 'cluster')} (such as {extra[0]})"
        hint = "--intersection-only compares the clusters they share"
        raise ColumnError(msg, hint=hint if shared else "no cluster is in all inputs")
    kept = [each for each in first.clusters if each in shared]
    return [each.select(kept) for each in inputs]


def _evaluated(
    inputs: Sequence[Forecasts],
    options: CalibrationOptions,
    plan: Plan,
    *,
    created_at: str,
    progress: Callable[[int], None],
) -> CalibrationArtifact:
    sides = [
        Side({"": _rows(each, system.columns)}, options.settings(plan))
        for each in inputs
        for system in each.systems
    ]
    for each in inputs:
        if each.n_rows < options.n_bins:
            rows, bins = counted(each.n_rows, "row"), counted(options.n_bins, "bin")
            msg = f"{each.source.path} has {rows} for {bins}"
            raise ColumnError(msg, hint="choose fewer bins with --bins")
    result = CalibrationResult(inputs, sides, options, plan, scored(sides, plan, progress=progress))
    return calibration_artifact(result, created_at=created_at)


def _rows(given: Forecasts, columns: Mapping[str, Any]) -> Rows:
    weight = Resamples(np.ones((1, len(given.clusters))), given.cluster, np.ones(given.n_rows), ())
    return Rows(columns, weight)
