"""From replicates to records: every number with its interval, reason and population."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import chain
from typing import Any

import msgspec
import numpy as np

from assay import _kernels as kernels
from assay import artifacts
from assay.derive.losses import loss_named, loss_range, raw_multiplier
from assay.evaluate.results import Result
from assay.evaluate.variants import comparison, failure_rate, variant
from assay.showing import counted
from assay.sources.items import ItemTable
from assay.sources.participants import differing_truths, everyone

__all__ = ["artifact"]


def artifact(
    result: Result, *, created_at: str
) -> artifacts.SelectiveArtifact | artifacts.ComparisonArtifact:
    """Write everything down."""
    common: dict[str, Any] = {
        "tool": artifacts.Tool(name="assay", version=version("assay"), engine=kernels.ENGINE),
        "created_at": created_at,
        "inputs": [_input(result, number) for number in range(len(result.tables))],
        "population": _common(result),
        "loss": _loss(result),
        "conventions": result.options.conventions(),
        "resampling": _resampling(result),
        "calibration": _calibration(result),
        "warnings": _warnings(result),
        "groups": result.groups,
        "failure_rate": [failure_rate(result, number) for number in range(len(result.systems))],
    }
    variants = _variants(result)
    compared = comparison(result)
    if len(result.systems) > 1:
        return artifacts.ComparisonArtifact(
            **common, confidence_variants=variants, comparison=compared
        )
    single = {name: sides["input_0"] for name, sides in variants.items()}
    return artifacts.SelectiveArtifact(**common, confidence_variants=single, comparison=compared)


def _variants(result: Result) -> dict[str, dict[str, artifacts.Variant]]:
    """Write down every system under every variant; the quantiles behind it use all threads."""
    names = dict.fromkeys(name for system in result.systems for name in system.items.variants)
    keys = [
        (number, name)
        for name in names
        for number, system in enumerate(result.systems)
        if name in system.items.variants
    ]
    with ThreadPoolExecutor(result.plan.threads) as pool:
        written = list(pool.map(lambda key: variant(result, *key), keys))
    variants: dict[str, dict[str, artifacts.Variant]] = {name: {} for name in names}
    for (number, name), record in zip(keys, written, strict=True):
        variants[name][f"input_{number}"] = record
    return variants


def _calibration(result: Result) -> artifacts.AppliedCalibration | msgspec.UnsetType:
    applied = result.options.calibration
    return msgspec.UNSET if applied is None else applied.record(_systems_tables(result))


def _systems_tables(result: Result) -> list[ItemTable]:
    return [system.table for system in result.systems]


def _input(result: Result, number: int) -> artifacts.Input:
    table = result.tables[number]
    source, compared = table.source, len(result.tables) > 1
    return artifacts.Input(
        path=source.path.encode("utf-8", "backslashreplace").decode(),
        sha256=source.sha256,
        format=source.format,
        mode=source.mode,
        run_id=source.run_id,
        git_commit=source.git_commit,
        population=_population(table),
        analysed=_analysed(result, number) if compared else msgspec.UNSET,
    )


def _population(table: ItemTable) -> artifacts.Population:
    size = np.ones(table.n_rows) if table.count is None else table.count
    total, predicted = int(size.sum()), int(size[table.answered].sum())
    answering = np.unique(table.cluster[table.answered]).size
    return artifacts.Population(
        participants_total=len(everyone(table)),
        participants_included=len(table.participants),
        participants_failed=len(table.failed),
        participants_unscored=len(table.unscored),
        participants_without_prediction=len(table.participants) - answering,
        items_total=total,
        items_predicted=predicted,
        items_abstained=total - predicted,
        items_unscored=table.n_unscored,
        cmax=predicted / total if total else None,
    )


def _analysed(result: Result, number: int) -> artifacts.Population:
    """Count the participants that all inputs share, and what one input did on those compared.

    One that failed anywhere has failed.
    """
    shared = set.intersection(*map(everyone, result.tables))
    n_failed = len(shared.intersection(chain(*(table.failed for table in result.tables))))
    own = _population(result.systems[number].table)
    return msgspec.structs.replace(
        own,
        participants_total=len(shared),
        participants_failed=n_failed,
        participants_unscored=len(shared) - own.participants_included - n_failed,
    )


def _common(result: Result) -> artifacts.Population:
    """Return what every input reaches: the population of the one that answers least."""
    every = [_analysed(result, number) for number in range(len(result.systems))]
    return min(every, key=lambda each: each.cmax or 0.0)


def _loss(result: Result) -> artifacts.LossRecord:
    table, loss = result.systems[0].table, loss_named(result.options.loss)
    return artifacts.LossRecord(
        name=loss.name,
        definition=loss.definition,
        raw_multiplier=raw_multiplier(loss.name, table.scale),
        range=loss_range(loss.name, table.scale),
        scale=table.scale,
    )


def _resampling(result: Result) -> artifacts.Resampling:
    plan = result.plan
    return artifacts.Resampling(
        unit=result.systems[0].table.unit,
        n_units=len(result.systems[0].table.participants),
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        stream=plan.stream,
        level=plan.level,
        method=plan.method,
        n_all_abstained=[_all_abstained(result, n) for n in range(len(result.systems))],
    )


def _all_abstained(result: Result, number: int) -> int:
    variant = next(iter(result.systems[number].items.variants))
    return int((result.items.replicates[number, variant, "cmax"].distribution == 0).sum())


def _warnings(result: Result) -> list[str]:
    warnings = [*dict.fromkeys(note for table in result.tables for note in table.notes)]
    if result.options.calibration is not None:
        warnings.extend(result.options.calibration.warnings(_systems_tables(result)))
    first = result.systems[0].table
    if len(first.participants) == 1:
        unit = first.unit
        warnings.append(f"there is one {unit}, so resampling {unit}s shows no uncertainty")
    for number, system in enumerate(result.systems):
        if not system.table.n_rows:
            warnings.append(
                f"input {number} has no number but its failure rate: {system.items.nothing}"
            )
        elif not system.table.answered.any():
            warnings.append(f"input {number} answers nothing, so its areas are 0 by convention")
    for number, other in enumerate(result.systems[1:], start=1):
        differing = differing_truths(first, other.table)
        if differing:
            warnings.append(
                f"input {number} and input 0 differ in the truth of {counted(differing, 'item')};"
                " their paired differences mix systems and labels"
            )
    return warnings
