"""Selective prediction: tables in, artifact out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.columns import Array, Indices, Resamples
from assay.derive.confidence import confidence_column, names, names_of_run
from assay.derive.losses import loss_range
from assay.evaluate.groups import group_records
from assay.evaluate.records import artifact
from assay.evaluate.results import Result, System, plan_of_items
from assay.evaluate.scoring import Side, scored
from assay.evaluate.systems import aligned, everyone, losses_of
from assay.inference import Plan
from assay.metrics.selective.points import NOTHING_ANSWERED
from assay.score import Rows

if TYPE_CHECKING:
    from assay.artifacts import ComparisonArtifact, SelectiveArtifact
    from assay.evaluate.options import SelectiveOptions
    from assay.sources.items import ItemTable, Participant

__all__ = ["evaluate_selective"]

FAILED_THROUGHOUT = "the system failed on every participant, so there are no items"
NOBODY_SCORED = "no participant without failure has a truth, so there are no items"


def evaluate_selective(
    tables: Sequence[ItemTable],
    options: SelectiveOptions,
    plan: Plan,
    *,
    created_at: str,
    progress: Callable[[int], None] = lambda _: None,
) -> SelectiveArtifact | ComparisonArtifact:
    """Score tables under every confidence variant, with intervals, and compare all with the first.

    `progress` hears how many resamples are done, of `plan.n_resamples` per variant.
    """
    analysed = aligned(tables, intersection_only=options.intersection_only)
    if options.calibration is not None:
        chosen = [name for table in analysed for name in _names(table, options)]
        options.calibration.check(chosen, analysed)
    shared = sorted(set.intersection(*map(everyone, tables)))
    systems = [_derived(table, shared, options) for table in analysed]
    items = scored([each.items for each in systems], plan, progress=progress)
    people = scored([each.people for each in systems], plan)
    of_items = plan_of_items(plan, options)
    groups = group_records(
        analysed, lambda part, whole: _items(part, options, _names(whole, options)), of_items
    )
    result = Result(tables, systems, options, plan, items, people, groups)
    return artifact(result, created_at=created_at)


def _derived(table: ItemTable, shared: Sequence[Participant], options: SelectiveOptions) -> System:
    """Derive items, and who failed among the participants that all inputs share."""
    items = _items(table, options, _names(table, options))
    failed = np.isin(np.array(shared), np.array(table.failed)).astype(np.float64)
    people = _clusters(np.arange(failed.size), np.ones(failed.size), failed.size)
    by_participant = {"": Rows({"failed": failed}, people)}
    return System(table, items, Side(by_participant, items.settings, options.undefined))


def _items(table: ItemTable, options: SelectiveOptions, chosen: Sequence[str]) -> Side:
    """Derive loss and confidence of every item, under every chosen confidence."""
    size = np.ones(table.n_rows) if table.count is None else table.count
    weight = _clusters(table.cluster, size, len(table.participants))
    columns = {
        "loss": losses_of(table, options.loss),
        "answered": table.answered.astype(np.float64),
    }
    variants = {
        name: _ranked(columns, _confidence(name, table, options), weight) for name in chosen
    }
    largest = loss_range(options.loss, table.scale)
    settings = {**options.settings(), "loss_range": np.nan if largest is None else largest}
    return Side(variants, settings, options.undefined, _nothing(table))


def _nothing(table: ItemTable) -> str | None:
    """Say why there is nothing to compute numbers from, where that is so."""
    if table.answered.any():
        return None
    if table.n_rows:
        return NOTHING_ANSWERED
    return FAILED_THROUGHOUT if table.failed and not table.unscored else NOBODY_SCORED


def _ranked(columns: Mapping[str, Array], confidence: Array, weight: Resamples) -> Rows:
    n_points = np.unique(confidence).size
    return Rows({**columns, "confidence": confidence}, weight, n_points=n_points)


def _clusters(cluster: Indices, size: Array, n_clusters: int) -> Resamples:
    return Resamples(np.ones((1, n_clusters)), cluster, size, ())


def _names(table: ItemTable, options: SelectiveOptions) -> tuple[str, ...]:
    if table.source.format == "run":
        return names_of_run(
            options.confidence, table.signals, table.answered, missing=options.missing
        )
    return names(options.confidence, signals=table.signals, answered=table.answered)


def _confidence(name: str, table: ItemTable, options: SelectiveOptions) -> Array:
    return confidence_column(
        name,
        table.signals,
        table.answered,
        missing=options.missing,
        total_evidence=options.total_evidence,
        calibration=None if options.calibration is None else options.calibration.calibration,
        where=table.place,
        source=table.source.path,
    )
