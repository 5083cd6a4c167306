"""From the options that name inputs to an artifact: read and evaluate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from assay.cli.progress import progress_bar
from assay.derive.confidence import names, needed_signals
from assay.errors import ColumnError, UsageError
from assay.evaluate import SelectiveOptions, evaluate_selective
from assay.evaluate.calibrated import AppliedCalibrator
from assay.sources import read_run

if TYPE_CHECKING:
    from assay.inference import Plan
    from assay.report.families.selective.systems import Artifact
    from assay.sources.items import ItemTable, TableColumns

__all__ = ["Inputs", "applied_calibrator", "evaluated", "paired_modes"]

STANDARD_INPUT = "-"
Inputs = Sequence[tuple[str, str | None]]
"""paths and modes"""


def paired_modes(inputs: Sequence[str], modes: Sequence[str]) -> Inputs:
    """Give each input its mode: none, one for all, or one each (an empty one is none)."""
    if inputs.count(STANDARD_INPUT) > 1:
        msg = "standard input can be read once, so --input - may be given once"
        raise click.UsageError(msg)
    if len(modes) not in {0, 1, len(inputs)}:
        msg = (
            f"found {len(inputs)} --input and {len(modes)} --mode;"
            " give no mode, one for all inputs, or one per input in the same order"
        )
        raise click.UsageError(msg)
    every = modes if len(modes) == len(inputs) else [*modes, ""][:1] * len(inputs)
    return [(path, mode or None) for path, mode in zip(inputs, every, strict=True)]


def applied_calibrator(path: str | None, *, strict: bool) -> AppliedCalibrator | None:
    """Read the calibrator that --calibration names."""
    if path is None:
        if strict:
            raise click.UsageError("--strict is about a calibrator, and no --calibration was given")
        return None
    from assay.artifacts.calibrator import read_calibrator  # noqa: PLC0415 - few runs need it

    return AppliedCalibrator(read_calibrator(path), strict=strict)


def evaluated(
    inputs: Inputs,
    options: SelectiveOptions,
    columns: TableColumns,
    plan: Plan,
    *,
    created_at: str,
    quiet: bool,
) -> Artifact:
    """Read and evaluate, converting only the signals that are asked for."""

    def artifact(tables: list[ItemTable], plan: Plan, progress: Callable[[int], None]) -> Artifact:
        return evaluate_selective(tables, options, plan, created_at=created_at, progress=progress)

    signals = _asked_signals(options) if _rereadable(inputs) else None
    found = _tables(inputs, columns, signals)
    try:
        with progress_bar(_total(found, options, plan), shown=not quiet) as progress:
            return artifact(found, plan, progress)
    except (ColumnError, UsageError):
        # A hint that names what an input supports takes all of its signals.
        if signals is not None:
            artifact(_tables(inputs, columns, None), replace(plan, n_resamples=0), lambda _: None)
        raise


def _tables(
    inputs: Inputs, columns: TableColumns, signals: frozenset[str] | None
) -> list[ItemTable]:
    found = [read_run(path, mode=mode, columns=columns, signals=signals) for path, mode in inputs]
    return [replace(each, source=replace(each.source, path=_text(each))) for each in found]


def _text(table: ItemTable) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return table.source.path.encode(errors="backslashreplace").decode()


def _total(tables: list[ItemTable], options: SelectiveOptions, plan: Plan) -> int | None:
    """Return how many resamples there will be, unless that depends on what plain tables hold."""
    if any(table.source.format != "run" for table in tables):
        return None
    return plan.n_resamples * len(names(options.confidence))


def _rereadable(inputs: Inputs) -> bool:
    return all(path != STANDARD_INPUT for path, _ in inputs)


def _asked_signals(options: SelectiveOptions) -> frozenset[str]:
    chosen = names(options.confidence)
    applied = options.calibration
    needed = (
        needed_signals(
            name,
            total_evidence=options.total_evidence,
            missing=options.missing,
            calibration=None if applied is None else applied.calibration,
        )
        for name in chosen
    )
    return frozenset(signal for signals in needed for signal in signals)
