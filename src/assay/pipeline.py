"""From what a family prepared to its artifact: score, infer, record; once, for all families."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any

import numpy as np
from msgspec import UNSET

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
from assay.families.family import Evaluated, Family, Given, Prepared, Subject
from assay.families.reducing import in_engine
from assay.inference import FEW_DECIDE, PLAIN, Plan, deciding
from assay.inference.rules import FEWEST_CLUSTERS, Quantity
from assay.numbers import scalar
from assay.pairs import pairs
from assay.registry import METRICS
from assay.replicates import Progress, scored
from assay.showing import counted, listed
from assay.sources.engine import MEMORY, used_engine

DECIDED = frozenset({"area", "heavy mean"})
"""kinds of numbers that one cluster with most of the errors can decide"""
MOST_NAMED = 4
"""of the numbers that few clusters decide"""
INVERTED, SWAPPED = "inverted percentile bootstrap", "systems swapped within clusters, mid-p"
COUNTED = "the rows were counted outside of memory, where none is known by itself"


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


def _few_decide(evaluated: Evaluated) -> Iterator[str]:
    """Say where few clusters decide a number, so that its interval is too short."""
    if evaluated.plan.method != "auto" or evaluated.prepared.n_units < FEWEST_CLUSTERS:
        return
    for number, named in enumerate(evaluated.prepared.systems):
        few: dict[str, float] = {}
        places = [at for at, subject in enumerate(evaluated.subjects) if subject.is_of(number)]
        for place, (label, request) in (
            (at, asked) for at in places for asked in evaluated.asked[at].items()
        ):
            found = deciding(evaluated.replicates[place, label])
            if request.metric.kind not in DECIDED or not found < FEW_DECIDE:
                continue
            if scalar(evaluated, (place, label)).interval is not None:
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
    slices: dict[str, list[int]] = defaultdict(list)
    for place, subject in enumerate(evaluated.subjects):
        if subject.slice is not None and (subject.system, subject.variant) == (number, name):
            slices[subject.slice].append(place)
    return Variant(
        n_rows=_n_rows(first),
        counts=dict(first.counts),
        about=dict(first.about),
        numbers=_numbers(family, evaluated, places),
        parts=family.parts(evaluated, places[0]),
        slices=[_slice(family, evaluated, of_label) for of_label in slices.values()],
    )


def _slice(family: Family, evaluated: Evaluated, places: Sequence[int]) -> Slice:
    subject = evaluated.subjects[places[0]]
    return Slice(
        label=subject.slice or "",
        n_rows=_n_rows(subject),
        counts=dict(subject.counts),
        numbers=_numbers(family, evaluated, places),
    )


def _n_rows(subject: Subject) -> int:
    """Count rows; one that stands for several is as many."""
    return int(subject.rows.weight.size.sum())


def _numbers(family: Family, evaluated: Evaluated, places: Sequence[int]) -> dict[str, Scalar]:
    """Write down the numbers of all tables that a variant or a slice has."""
    every: dict[str, Scalar] = {}
    for place in places:
        found = {label: scalar(evaluated, (place, label)) for label in evaluated.asked[place]}
        every |= found if family.amend is None else family.amend(evaluated, place, found)
    return every


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
    # Where intervals are known to cover less than they say is told where there are any.
    told = evaluated.plan.method == "auto" and evaluated.plan.n_resamples
    return {
        name: Described(title=of.title, better=of.better, covers=(told and of.covers) or UNSET)
        for name, of in known.items()
    }


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
