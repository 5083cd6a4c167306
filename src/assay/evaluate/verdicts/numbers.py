"""Cases as columns, and every number of every system on the same resamples of cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from assay.columns import Array, Resamples
from assay.derive.snippets import MODES
from assay.evaluate.scoring import Key, Scored, Side, Undefined, scored
from assay.inference import Plan, bootstrap
from assay.registry import METRICS
from assay.score import Request, Rows, statistic

if TYPE_CHECKING:
    from assay.derive.policies import Policy
    from assay.evaluate.verdicts.cases import Case
    from assay.evaluate.verdicts.options import RankScores, RecallOver, VerdictOptions
    from assay.metrics.verdicts.ranking import Positive

__all__ = [
    "VARIANT",
    "System",
    "field_columns",
    "field_key",
    "mode_key",
    "numbers",
    "positive_end",
    "ranking",
    "system_of",
]

RankedBy = Literal["risk_score", "verdict", "mixed", "nothing"]
VARIANT = "verdicts"
MOST_FIELDS = 100
"""how many fields are broken down, those with the most judgements first"""
FEWEST_SCORED: Mapping[Undefined, int] = MappingProxyType({"null": 1, "reference": 2})
"""cases that macro F1 needs"""
ORDINAL_POINTS = 5
"""what a step of the scale is worth where scores and verdicts rank together, as in the reference"""


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One system: its cases, and the same as columns."""

    cases: Sequence[Case]
    columns: Mapping[str, Array]
    ranked_by: RankedBy


def positive_end(policy: Policy, options: VerdictOptions) -> Positive:
    """Return the end of the scale that thresholds look for."""
    return options.positive or policy.positive


def system_of(cases: Sequence[Case], policy: Policy, options: VerdictOptions) -> System:
    """Turn cases into columns."""
    scores, ranked_by = ranking(cases, options.rank_scores)
    whole: dict[str, list[Any]] = {
        "scored": [each.scored for each in cases],
        "verdict_true": [each.true or 0 for each in cases],
        "verdict_given": [each.given or 0 for each in cases],
        "ranked": [score is not None for score in scores],
        "rank_score": [score or 0.0 for score in scores],
        "n_claimed": [each.evidence.n_claimed for each in cases],
        "n_matched": [each.evidence.n_matched for each in cases],
        "n_gold": [_n_gold(each, options.recall_over) for each in cases],
        "n_snippets": [_n_snippets(each) for each in cases],
        "n_valid": [_n_valid(each, options.snippets) for each in cases],
        "n_judged": [sum(field.n_judged for field in each.fields) for each in cases],
        "n_judged_right": [sum(field.n_right for field in each.fields) for each in cases],
        "n_ruled": [each.consistent is not None for each in cases],
        "n_consistent": [each.consistent is True for each in cases],
    }
    if policy.rules:
        agreed = [each.agreement.verdict if each.agreement else None for each in cases]
        whole["n_derived"] = [each is not None for each in agreed]
        whole["n_agreeing"] = [each is True for each in agreed]
    return System(cases, {name: _floats(values) for name, values in whole.items()}, ranked_by)


def _floats(values: Sequence[Any]) -> Array:
    return np.array(values, dtype=np.float64)


def ranking(cases: Sequence[Case], rule: RankScores) -> tuple[list[float | None], RankedBy]:
    """Return what each case is ranked by, and in a word what that is."""
    among = [each for each in cases if each.scored]
    stated = [each.answer.risk_score is not None for each in among]
    if not among:
        return [None] * len(cases), "nothing"
    if not any(stated):
        places = [None if each.given is None else float(each.given) for each in cases]
        return [p if c.scored else None for p, c in zip(places, cases, strict=True)], "verdict"
    mixed = rule == "mixed" and not all(stated)
    scores: list[float | None] = []
    for each in cases:
        score = each.answer.risk_score if each.scored else None
        if score is None and mixed and each.scored:
            score = float(ORDINAL_POINTS * (each.given or 0))
        scores.append(score)
    return scores, "mixed" if mixed else "risk_score"


def _n_gold(case: Case, over: RecallOver) -> int:
    counted = {
        "all": True,
        "results": case.answer.state != "missing",
        "structured": case.answer.structured,
    }
    return case.n_gold if counted[over] else 0


def _n_snippets(case: Case) -> int:
    return sum(each.checked is not None for each in case.quotations)


def _n_valid(case: Case, mode: str) -> int:
    return sum(each.checked is not None and mode in each.checked.valid for each in case.quotations)


def numbers(
    systems: Sequence[System],
    policy: Policy,
    options: VerdictOptions,
    plan: Plan,
    *,
    progress: Callable[[int], None],
) -> Scored:
    """Compute every number of every system; all of them see the same resamples."""
    n = len(systems[0].cases)
    settings = {
        "positive": positive_end(policy, options),
        "steps": options.steps,
        "threshold": policy.ordinals,
        "classes": options.classes,
        "n_verdicts": len(policy.verdicts),
        "fewest": FEWEST_SCORED[options.undefined],
        "verdict": tuple(range(len(policy.verdicts))),
    }
    # Each system has its own weight: what is made of a table is kept with its weight.
    weights = [_one_row_per_case(n) for _ in systems]
    sides = [
        Side({VARIANT: Rows(each.columns, weight)}, settings, options.undefined)
        for each, weight in zip(systems, weights, strict=True)
    ]
    found = scored(sides, plan, progress=progress)
    others = {
        (number, variant, request.label): (request, rows)
        for number, each in enumerate(systems)
        for variant, (request, rows) in {
            **_breakdown(each, weights[number]),
            **_over_chosen_steps(each, policy, settings),
        }.items()
    }
    statistics = [statistic(request, rows) for request, rows in others.values()]
    drawn = bootstrap(statistics, plan, n_clusters=n, n_rows=n)
    asked: dict[Key, Request] = {key: request for key, (request, _) in others.items()}
    replicates = {key: drawn.of(row) for row, key in enumerate(others)}
    return Scored({**found.asked, **asked}, {**found.replicates, **replicates})


def _over_chosen_steps(
    system: System, policy: Policy, settings: Mapping[str, Any]
) -> dict[str, tuple[Request, Rows]]:
    """Return AUPRC once more where a policy cuts its scale at some steps only.

    Verdicts that no chosen step tells apart are one verdict there.
    """
    if len(policy.ordinals) == len(policy.verdicts) - 1:
        return {}
    true = system.columns["verdict_true"]
    merged = np.zeros(true.size)
    for step in policy.ordinals:
        merged += true >= step
    kept = {name: system.columns[name] for name in ("scored", "ranked", "rank_score")}
    area = METRICS["ordinal_auprc"]
    request = Request(area.name, area, {name: settings[name] for name in area.options})
    # Another table of the same cases: what is made of it is not mixed with that of the whole scale.
    rows = Rows({**kept, "verdict_true": merged}, _one_row_per_case(len(system.cases)))
    return {VARIANT: (request, rows)}


def _one_row_per_case(n: int) -> Resamples:
    return Resamples(np.ones((1, n)), np.arange(n), np.ones(n), ())


def mode_key(number: int, mode: str) -> Key:
    """Return where the validity of quotations in one mode is found."""
    return number, f"mode {mode}", "snippet_validity"


def field_key(number: int, kind: str, field: str) -> Key:
    """Return where the accuracy of judgements of one field is found."""
    return number, f"{kind} {field}", "judgement_accuracy"


def _breakdown(system: System, weight: Resamples) -> dict[str, tuple[Request, Rows]]:
    """Return the validity in every mode, and the accuracy of every field, as requests."""
    validity = Request("snippet_validity", METRICS["snippet_validity"], {})
    accuracy = Request("judgement_accuracy", METRICS["judgement_accuracy"], {})
    found: dict[str, tuple[Request, Rows]] = {}
    for mode in MODES:
        valid = _floats([_n_valid(each, mode) for each in system.cases])
        columns = {"n_snippets": system.columns["n_snippets"], "n_valid": valid}
        found[mode_key(0, mode)[1]] = validity, Rows(columns, weight)
    for (kind, field), (judged, right) in field_columns(system).items():
        columns = {"n_judged": judged, "n_judged_right": right}
        found[field_key(0, kind, field)[1]] = accuracy, Rows(columns, weight)
    return found


def field_columns(system: System) -> dict[tuple[str, str], tuple[Array, Array]]:
    """Return kind and name of the fields that are judged most, with their counts by case."""
    total: Counter[tuple[str, str]] = Counter()
    for case in system.cases:
        for each in case.fields:
            total[each.kind, each.field] += each.n_judged
    most = sorted(total, key=lambda each: (-total[each], each))[:MOST_FIELDS]
    kept = sorted(most, key=lambda each: each[0] != "severity")
    found = {each: (np.zeros(len(system.cases)), np.zeros(len(system.cases))) for each in kept}
    for row, case in enumerate(system.cases):
        for each in case.fields:
            if (each.kind, each.field) in found:
                judged, right = found[each.kind, each.field]
                judged[row] += each.n_judged
                right[row] += each.n_right
    return found
