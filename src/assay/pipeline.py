"""From what a family prepared to its artifact: score, infer, record; once, for all families."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np

from assay import _kernels as kernels
from assay.artifact import (
    Artifact,
    Described,
    Engine,
    Resampling,
    Scalar,
    Slice,
    System,
    Tool,
    Variant,
)
from assay.board import board, standing_behind
from assay.cases import cases, to_keep, with_transitions
from assay.families.family import Evaluated, Family, Given, Key, Prepared, Subject
from assay.families.reducing import in_engine
from assay.inference import FEW_DECIDE, PLAIN, Plan, Replicate, Statistic, bootstrap, deciding
from assay.inference.metrics import interval_methods, with_gaps
from assay.inference.rules import FEWEST_CLUSTERS, Quantity
from assay.numbers import described, scalar
from assay.pairs import pairs
from assay.registry import METRICS
from assay.score import Request, common_requests, gaps, requests, statistic
from assay.showing import counted, listed
from assay.sources.choosing import MEMORY, used_engine

__all__ = ["Progress", "evaluate", "outcome"]

Progress = Callable[[int, int], None]
"""hears how many resamples were done just now, and how many there will be in all"""
DECIDED = frozenset({"area", "heavy mean"})
"""kinds of numbers that one cluster with most of the errors can decide"""
MOST_NAMED = 4
"""of the numbers that few clusters decide"""
INVERTED, SWAPPED = "inverted percentile bootstrap", "systems swapped within clusters, mid-p"
COUNTED = "the rows were counted outside of memory, where none is known by itself"
SMALL = 1 << 20
"""bytes of a column that are compared by content; larger ones are the same only if identical"""


def evaluate(
    family: Family, given: Given, *, created_at: str, progress: Progress = lambda *_: None
) -> Artifact[Any, Any, Any]:
    """Evaluate every system of what was given, with intervals, and compare them."""
    whole = outcome(family, given, created_at=created_at, progress=progress)[0]
    return to_keep(family, whole, given.cases)


def outcome(
    family: Family, given: Given, *, created_at: str, progress: Progress
) -> tuple[Artifact[Any, Any, Any], Evaluated]:
    """Return the artifact with what it was made of, for files that are written beside it.

    Its parts hold all texts: `to_keep` leaves out what is not to be kept.
    """
    given = in_engine(family, given)
    prepared = family.prepare(given)
    evaluated = scored(family, prepared, given.options, given.plan, progress)
    systems = _systems(family, evaluated)
    engine = used_engine()
    sheet = family.cases(evaluated, systems) if engine == MEMORY else COUNTED
    compared = with_transitions(pairs(evaluated), sheet)
    artifact: Artifact[Any, Any, Any] = Artifact(
        kind=family.name,
        tool=Tool(name="assay", version=version("assay"), kernels=kernels.ENGINE),
        engine=Engine(name=engine[0], version=engine[1]),
        created_at=created_at,
        inputs=list(prepared.inputs),
        conventions=_conventions(prepared, given.plan),
        resampling=_resampling(prepared, given.plan),
        warnings=list(prepared.warnings),
        metrics=_described(family, evaluated, systems),
        systems=systems,
        pairs=compared,
        board=board(evaluated, systems),
        cases=cases(sheet, compared, given.cases),
        parts=family.whole_parts(evaluated),
    )
    artifact.warnings.extend((*_few_decide(evaluated), *standing_behind(artifact)))
    said = family.warnings(evaluated, artifact)
    artifact.warnings.extend(said)
    return artifact, evaluated


def _conventions(prepared: Prepared, plan: Plan) -> dict[str, Any]:
    """Return what was chosen, with the test of differences that the intervals bring along."""
    if plan.method in PLAIN:
        return dict(prepared.conventions)
    return {
        name: value.replace(INVERTED, SWAPPED) if isinstance(value, str) else value
        for name, value in prepared.conventions.items()
    }


def scored(
    family: Family, prepared: Prepared, options: Any, plan: Plan, progress: Progress
) -> Evaluated:
    """Compute every number of every subject; those drawn together share their resamples."""
    together: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for place, subject in enumerate(prepared.subjects):
        together[_drawn_with(subject)].append(place)
    total = plan.n_resamples * len(together)
    asked: dict[int, dict[str, Request]] = {}
    replicates: dict[Key, Replicate] = {}
    for places in together.values():
        subjects = {place: prepared.subjects[place] for place in places}
        of_group = _asked(family, subjects)
        asked |= of_group
        replicates |= _replicates(subjects, of_group, plan, lambda done: progress(done, total))
    return Evaluated(prepared, options, plan, asked, replicates)


def _drawn_with(subject: Subject) -> tuple[Any, ...]:
    """Return what subjects have in common that are resampled together.

    Slices are drawn system by system: each has clusters of its own.
    """
    n_clusters = subject.rows.weight.counts.shape[1]
    system = None if subject.slice is None else subject.system
    return subject.variant, subject.slice, subject.table, n_clusters, system


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
    """Draw once for all subjects; what reads the same columns in the same way is computed once."""
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


def _few_decide(evaluated: Evaluated) -> Iterator[str]:
    """Say where few clusters decide a number, so that all intervals are too short."""
    if evaluated.plan.method != "auto" or evaluated.prepared.n_units < FEWEST_CLUSTERS:
        return
    for number, named in enumerate(evaluated.prepared.systems):
        few: dict[str, float] = {}
        places = [at for at, subject in enumerate(evaluated.subjects) if subject.is_of(number)]
        for place, (label, request) in (
            (at, asked) for at in places for asked in evaluated.asked[at].items()
        ):
            found = deciding(evaluated.replicates[place, label])
            if request.metric.kind in DECIDED and found < FEW_DECIDE:
                few[request.metric.name] = min(found, few.get(request.metric.name, np.inf))
        if few:
            units = Quantity(unit=evaluated.prepared.unit).units
            least = max(1, round(min(few.values())))
            who = counted(least, f"{units.removesuffix('s')} decides", f"{units} decide")
            whose = "its interval" if len(few) == 1 else "their intervals"
            yield f"{named.name}: {who} {listed(few, MOST_NAMED)}: {whose} may be too short"


def _systems(family: Family, evaluated: Evaluated) -> list[System[Any, Any]]:
    """Write down every system under every variant; the quantiles behind it use all threads."""
    keys = dict.fromkeys((each.system, each.variant) for each in evaluated.subjects if each.listed)
    variants: list[dict[str, Variant[Any]]] = [{} for _ in evaluated.prepared.systems]
    with ThreadPoolExecutor(evaluated.plan.threads) as pool:
        written = pool.map(lambda key: _variant(family, evaluated, *key), keys)
        for (number, name), variant in zip(keys, written, strict=True):
            variants[number][name] = variant
    return [_system(family, evaluated, number, own) for number, own in enumerate(variants)]


def _system(
    family: Family, evaluated: Evaluated, number: int, variants: dict[str, Variant[Any]]
) -> System[Any, Any]:
    named = evaluated.prepared.systems[number]
    return System(
        name=named.name,
        input=named.input,
        about=dict(named.about),
        variants=variants,
        parts=family.system_parts(evaluated, number, variants),
    )


def _variant(family: Family, evaluated: Evaluated, number: int, name: str) -> Variant[Any]:
    places = evaluated.found(number, name)
    first = evaluated.subjects[places[0]]
    slices = [
        place
        for place, subject in enumerate(evaluated.subjects)
        if subject.slice is not None and (subject.system, subject.variant) == (number, name)
    ]
    return Variant(
        n_rows=_n_rows(first),
        counts=dict(first.counts),
        about=dict(first.about),
        numbers={k: v for place in places for k, v in _numbers(family, evaluated, place).items()},
        parts=family.parts(evaluated, places[0]),
        slices=[_slice(family, evaluated, place) for place in slices],
    )


def _slice(family: Family, evaluated: Evaluated, place: int) -> Slice:
    subject = evaluated.subjects[place]
    return Slice(
        label=subject.slice or "",
        n_rows=_n_rows(subject),
        counts=dict(subject.counts),
        numbers=_numbers(family, evaluated, place),
    )


def _n_rows(subject: Subject) -> int:
    """Count rows; one that stands for several is as many."""
    return int(subject.rows.weight.size.sum())


def _numbers(family: Family, evaluated: Evaluated, place: int) -> dict[str, Scalar]:
    found = {label: scalar(evaluated, (place, label)) for label in evaluated.asked[place]}
    return found if family.amend is None else family.amend(evaluated, place, found)


def _described(
    family: Family, evaluated: Evaluated, systems: Sequence[System[Any, Any]]
) -> dict[str, Described]:
    """Say once what every number that was computed is called."""
    names = dict.fromkeys(
        label.partition("@")[0]
        for system in systems
        for variant in system.variants.values()
        for label in variant.numbers
    )
    asked = {r.metric.name: r.metric for of in evaluated.asked.values() for r in of.values()}
    amended = family.described(evaluated.options)
    known = {n: amended.get(n) or asked.get(n) or METRICS[n] for n in names}
    return {name: described(of, evaluated.plan) for name, of in known.items()}


def _resampling(prepared: Prepared, plan: Plan) -> Resampling:
    return Resampling(
        unit=prepared.unit,
        n_units=prepared.n_units,
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        stream=plan.stream,
        level=plan.level,
        method=plan.method,
    )
