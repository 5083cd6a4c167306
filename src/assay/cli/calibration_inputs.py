"""From the options of `assay calibration` to an artifact: read and evaluate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from assay.cli.inputs import applied_calibrator, paired_modes
from assay.cli.progress import progress_bar
from assay.errors import UsageError
from assay.evaluate.calibration import calibration_of_runs, calibration_of_tables
from assay.evaluate.calibration_options import CalibrationOptions
from assay.evaluate.forecasts import CalibrationColumns
from assay.inference import Plan
from assay.sources.content import Content, holds_run, load
from assay.sources.run import run_of
from assay.sources.table import class_label, table_of
from assay.threads import available_cores

if TYPE_CHECKING:
    from assay.artifacts.calibration import CalibrationArtifact

__all__ = ["evaluated"]


def evaluated(
    paths: Sequence[str], chosen: dict[str, Any], *, created_at: str, quiet: bool
) -> CalibrationArtifact:
    """Read runs or tables, and evaluate them as the options say."""
    given = paired_modes(paths, chosen["modes"])
    chosen["calibration"] = applied_calibrator(chosen["calibration"], strict=chosen["strict"])
    options = CalibrationOptions.of(
        chosen["preset"] or "default", **_of(CalibrationOptions, chosen)
    )
    plan = Plan(**{"threads": available_cores(), **_of(Plan, chosen)})
    contents = [load(path) for path in paths]
    runs = [_is_run(content) for content in contents]
    if len(set(runs)) > 1:
        msg = "runs and tables were given together"
        raise UsageError(msg, hint="compare runs with runs, and tables with tables")
    with progress_bar(plan.n_resamples, shown=not quiet) as progress:
        if runs[0]:
            modes = [mode for _, mode in given]
            read = [run_of(c, mode=m, signals=None) for c, m in zip(contents, modes, strict=True)]
            return calibration_of_runs(
                read,
                _confidences(chosen),
                options,
                plan,
                created_at=created_at,
                progress=progress,
            )
        return calibration_of_tables(
            [table_of(content) for content in contents],
            _columns(chosen, paths[0]),
            options,
            plan,
            created_at=created_at,
            progress=progress,
        )


def _is_run(content: Content) -> bool:
    return content.data.lstrip()[:1] == b"{" and holds_run(content.data)


def _confidences(chosen: dict[str, Any]) -> tuple[str, ...]:
    for flag in ("y_true", "y_score", "y_prob", "classes", "positive", "cluster", "group"):
        if chosen[flag]:
            msg = f"--{flag.replace('_', '-')} names a column of a table, and this input is a run"
            raise UsageError(msg, hint="a run takes --mode and --confidence")
    listed = (chosen["confidence"] or "").split(",")
    return tuple(dict.fromkeys(part.strip() for part in listed if part.strip()))


def _columns(chosen: dict[str, Any], path: str) -> CalibrationColumns:
    if chosen["confidence"] or chosen["modes"] or chosen["calibration"]:
        msg = f"--mode, --confidence and --calibration are about runs, and {path} is a table"
        raise UsageError(msg, hint="a table takes --y-true and --y-score or --y-prob")
    if chosen["y_true"] is None:
        msg = f"{path} is a table, and --y-true does not say which column is the outcome"
        raise UsageError(msg, hint="--y-true COLUMN --y-score COLUMN, or --y-prob COLUMN,COLUMN")
    columns = CalibrationColumns(**_of(CalibrationColumns, chosen))
    classes = columns.classes and tuple(_label(each) for each in columns.classes)
    positive = None if columns.positive is None else _label(columns.positive)
    return replace(columns, classes=classes, positive=positive)


def _label(text: Any) -> int | str:
    label = class_label(text)
    if label is None:
        msg = "a class has an empty name"
        raise UsageError(msg, hint="--classes A,B,C names every class")
    return label


def _of(record: type[Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """Pick what was chosen among the fields of a record: options are named as the fields."""
    names = {field.name for field in fields(record)} - {"preset"}
    return {name: chosen[name] for name in names & chosen.keys() if chosen[name] is not None}
