"""Every number of every subject, on the sample and its resamples.

Subjects that are compared are drawn together, so that differences are paired. What reads the same
columns in the same way is computed once.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.families.family import Evaluated
from assay.inference import bootstrap
from assay.inference.rules import interval_methods, with_gaps
from assay.score import common_requests, gaps, requests, statistic

if TYPE_CHECKING:
    from assay.families.family import Family, Key, Prepared, Subject
    from assay.inference import Plan, Replicate, Statistic
    from assay.score import Request

Progress = Callable[[int, int], None]
"""hears how many resamples were done just now, and how many there will be in all"""
SMALL = 1 << 20
"""bytes of a column that are compared by content; larger ones are the same only if identical"""


def scored(
    family: Family, prepared: Prepared, options: Any, plan: Plan, progress: Progress
) -> Evaluated:
    """Compute every number of every subject; those drawn together share their resamples."""
    together: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for place, subject in enumerate(prepared.subjects):
        together[subject.drawn_with].append(place)
    total = plan.n_resamples * len(together)
    asked: dict[int, dict[str, Request]] = {}
    replicates: dict[Key, Replicate] = {}
    for places in together.values():
        subjects = {place: prepared.subjects[place] for place in places}
        of_group = _asked(family, subjects)
        asked |= of_group
        replicates |= _replicates(subjects, of_group, plan, lambda done: progress(done, total))
    return Evaluated(prepared, options, plan, asked, replicates)


def _asked(family: Family, subjects: Mapping[int, Subject]) -> dict[int, dict[str, Request]]:
    compared = len({subject.system for subject in subjects.values()}) > 1
    found = {}
    for place, subject in subjects.items():
        every = requests(tuple(subject.rows.columns), subject.settings, family=family.name)
        if compared:
            every = (*every, *common_requests(every))
        only = subject.only
        found[place] = {r.label: r for r in every if only is None or r.label in only}
    return found


def _replicates(
    subjects: Mapping[int, Subject],
    asked: Mapping[int, Mapping[str, Request]],
    plan: Plan,
    progress: Callable[[int], None],
) -> dict[Key, Replicate]:
    """Draw once for all of these subjects."""
    first: dict[Any, Key] = {}
    same: dict[Key, Key] = {}
    for place, labels in asked.items():
        digests = _digests(subjects[place])
        for label, request in labels.items():
            read = label, *_content(subjects[place], request, digests)
            same[place, label] = first.setdefault(read, (place, label))
    compared = [subject.rows for subject in subjects.values()]
    n_rows = max(rows.weight.cluster.size for rows in compared)
    found: dict[Key, Replicate] = {}
    n_clusters = compared[0].weight.counts.shape[1]
    for resampled in (True, False):
        keys = [key for key in first.values() if asked[key[0]][key[1]].metric.interval is resampled]
        metrics = [asked[key[0]][key[1]].metric for key in keys]
        drawn = bootstrap(
            [_number(asked[key[0]][key[1]], subjects[key[0]], subjects) for key in keys],
            plan if resampled else replace(plan, n_resamples=0),
            n_clusters=n_clusters,
            n_rows=n_rows,
            n_points=max(rows.n_points or n_rows for rows in compared),
            methods=interval_methods(metrics, plan, n_clusters),
            progress=progress,
        )
        for row, key in enumerate(keys):
            rows = subjects[key[0]].rows
            held = asked[key[0]][key[1]].metric.name not in subjects[key[0]].withheld
            behind = gaps(asked[key[0]][key[1]], rows) if held else None
            found[key] = with_gaps(drawn.of(row), behind, rows.weight, plan)
    return {key: found[one] for key, one in same.items()}


def _digests(subject: Subject) -> dict[str, Any]:
    """Return what is equal only where two columns are, and two weights."""

    def digest(values: Any) -> Any:
        if values.nbytes > SMALL or values.dtype.hasobject:
            return id(values)
        return hashlib.blake2b(values.tobytes()).digest()

    weight = subject.rows.weight
    found = {name: digest(values) for name, values in subject.rows.columns.items()}
    return {**found, "weight": (digest(weight.cluster), digest(weight.size))}


def _content(subject: Subject, request: Request, digests: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what is equal only where a number of two subjects is."""
    names = ("weight", *request.metric.columns, *request.metric.optional)
    columns = tuple((name, digests[name]) for name in names if name in digests)
    options = tuple((name, repr(value)) for name, value in request.options.items())
    return columns, options, subject.undefined


def _number(request: Request, subject: Subject, drawn: Mapping[int, Subject]) -> Statistic:
    rows, otherwise = subject.rows, request.metric.reference
    if request.metric.name in subject.withheld:
        return lambda draw: np.full(draw.counts.shape[0], np.nan)
    value = statistic(request, rows, compared=[each.rows for each in drawn.values()])
    if subject.undefined == "null" and not rows.weight.cluster.size:
        return lambda draw: np.full(draw.counts.shape[0], np.nan)
    if subject.undefined == "null" or otherwise is None:
        return value
    return lambda draw: np.nan_to_num(value(draw), nan=otherwise)
