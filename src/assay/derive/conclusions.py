"""The verdict that follows from evidence under the rules of a policy.

Sources are scored one by one: the points of their values, with the points of their modifiers where
there is an incident at all, times the weight of their age. Properties of the case add once. Rules
are tried in their order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR
from datetime import date as day_of
from itertools import product

from assay.derive.evidence import Claims, Incidents, judgements_by_review
from assay.derive.policies import Bonus, Policy, plain, value_of
from assay.rounding import difference
from assay.showing import quoted

SCORE, N_SOURCES, K = "SCORE", "N_EVIDENCE", "K"
DAYS = 365.25
Values = Mapping[str, str]
"""field -> value, of one source"""
Years = Mapping[str, float]
"""source -> when it was written, as 2021.5"""


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from the evidence of one case."""

    verdict: str | None
    score: float | None
    """None where the policy has no points, or a property that adds some is not known"""
    rule: str | None
    """the rule that applies, as the policy spells it"""
    reason: str | None
    """why there is no verdict, if there is none"""
    counts: Mapping[str, float] = field(default_factory=dict)
    points: Mapping[str, float] = field(default_factory=dict)
    """source -> what it adds to the score"""


def conclude(
    claims: Claims,
    policy: Policy,
    *,
    k: int | None = None,
    attributes: Mapping[str, object] | None = None,
    years: Years | None = None,
) -> Derived:
    """Derive the verdict of a case from the evidence that a system cites, as it judges it.

    `k` is the number of sources of the case, `attributes` are its properties (categories), and
    `years` say when its sources were written. What the policy needs and nobody knows is a reason,
    unless it makes no difference.
    """
    judged = judgements_by_review(claims, policy)
    sources = {review: _values(judgements, policy) for review, judgements in judged.items()}
    return _concluded(sources, policy, k, attributes or {}, _weights(policy, years or {}))


def conclude_from_truth(
    incidents: Incidents,
    policy: Policy,
    *,
    k: int | None = None,
    attributes: Mapping[str, object] | None = None,
    years: Years | None = None,
) -> Derived:
    """Derive the verdict of a case from the incidents that the truth names."""
    sources: dict[str, dict[str, str]] = {}
    weights: dict[str, float] = {}
    for each in incidents.items:
        values = sources.setdefault(each.review_id, {})
        stated = {} if each.value is None else {each.field: each.value}
        values |= _values({**each.beside, **stated}, policy)
        if each.weight is not None:
            weights[each.review_id] = each.weight
        named = {plain(name) for name in each.modifiers or ()}
        for modifier in policy.modifiers:
            if plain(modifier.name) in named:
                values[modifier.field] = modifier.values[0]
    weights |= _weights(policy, years or {})
    return _concluded(sources, policy, k, attributes or {}, weights)


def _weights(policy: Policy, years: Years) -> dict[str, float]:
    """Return how much each source counts for its age."""
    if policy.recency is None:
        return {}
    return {review: policy.recency.weight(year) for review, year in years.items()}


def depends_on_k(policy: Policy) -> bool:
    """Say whether what follows from evidence may differ with K."""
    return any(each.by_k for each in policy.thresholds) or _rules_ask_for_k(policy)


def _rules_ask_for_k(policy: Policy) -> bool:
    return any(K in rule.names for rule in policy.rules)


def scores_agree(stated: float, derived: float, tolerance: float = 0.01) -> bool:
    """Say whether two scores are the same but for rounding to two digits.

    Examples
    --------
    >>> scores_agree(8.0, 8.004), scores_agree(8.0, 8.25)
    (True, False)
    """
    return abs(stated - derived) < tolerance


def years_of(dates: Mapping[str, object]) -> dict[str, float]:
    """Return when sources were written, by source, where that can be read.

    Examples
    --------
    >>> years_of({"r1": "2021-01-01", "r2": "long ago"})
    {'r1': 2021.0}
    """
    found = {source: fractional_year(date) for source, date in dates.items()}
    return {source: year for source, year in found.items() if year is not None}


def fractional_year(date: object) -> float | None:
    """Return when a date is, in years; None for what is no date.

    Examples
    --------
    >>> fractional_year(2021), fractional_year("2021-07-02 10:00:00"), fractional_year("July")
    (2021.0, 2021.4983..., None)
    """
    if isinstance(date, int | float) and not isinstance(date, bool):
        return float(date) if MINYEAR <= date <= MAXYEAR else None
    if not isinstance(date, str):
        return None
    text = date.strip()
    try:
        day = day_of(int(text), 1, 1) if text.isdecimal() else day_of.fromisoformat(text[:10])
    except (ValueError, OverflowError):
        return None
    return day.year + (day - day_of(day.year, 1, 1)).days / DAYS


def _values(judgements: Mapping[str, str], policy: Policy) -> dict[str, str]:
    """Read the judgements of one source; what names no value of the policy is left out."""
    found = {}
    for each in policy.fields:
        if each.name in judgements:
            value = value_of(judgements[each.name], each.values)
            if value is not None:
                found[each.name] = value
    return found


def _concluded(
    sources: Mapping[str, Values],
    policy: Policy,
    k: int | None,
    attributes: Mapping[str, object],
    weights: Mapping[str, float],
) -> Derived:
    if not policy.rules:
        return Derived(None, None, None, "the policy has no rules")
    counted = {review: values for review, values in sources.items() if _counts(values, policy)}
    points = {review: _points(values, policy) for review, values in counted.items()}
    undated = [review for review, each in points.items() if each and review not in weights]
    if policy.recency is not None and undated:
        reason = f"the date of {quoted(undated[0])} is not known, and the policy weighs by age"
        return Derived(None, None, None, reason)
    if policy.recency is not None:
        points = {
            review: weights[review] * each if each else 0.0 for review, each in points.items()
        }
    counts = _named_counts(list(counted.values()), policy, k)
    any_incident = any(_is_incident(values, policy) for values in counted.values())
    bonuses = [each for each in policy.bonuses if any_incident or not each.only_with_incident]
    scores = _possible_scores(math.fsum(points.values()), bonuses, attributes)
    return _ruled(policy, counts, scores, points)


def _counts(values: Values, policy: Policy) -> bool:
    """Say whether a source counts at all."""
    return all(
        name not in values or values[name] in allowed for name, allowed in policy.only.items()
    )


def _points(values: Values, policy: Policy) -> float:
    """Return the points of a source, before its age counts."""
    total = 0.0
    for each in policy.fields:
        if each.name in values:
            total += next(one.points for one in each.values if one.name == values[each.name])
    if _is_incident(values, policy):
        total += math.fsum(
            modifier.points
            for modifier in policy.modifiers
            if modifier.field in values and values[modifier.field] in modifier.values
        )
    return total


def _is_incident(values: Values, policy: Policy) -> bool:
    """Say whether a source has a value that is scored and not neutral."""
    return any(
        each.scored and each.name in values and values[each.name] not in each.neutral
        for each in policy.fields
    )


def _named_counts(sources: Sequence[Values], policy: Policy, k: int | None) -> dict[str, float]:
    """Return what the rules may ask for, but for the score."""
    named = {each.name: each.at(k) for each in policy.thresholds}
    named |= {
        count.name: float(
            sum(
                all(field in values and values[field] in wanted for field, wanted in count.where)
                for values in sources
            )
        )
        for count in policy.counts
    }
    return {**named, N_SOURCES: float(len(sources)), **({} if k is None else {K: float(k)})}


def _possible_scores(
    score: float, bonuses: Sequence[Bonus], attributes: Mapping[str, object]
) -> list[float]:
    """Return the score, or every score that it could be where a property is not known."""
    options = [_bonus(each, attributes) for each in bonuses]
    return [math.fsum((score, *added)) for added in product(*options)]


def _bonus(bonus: Bonus, attributes: Mapping[str, object]) -> tuple[float, ...]:
    known = attributes.get(bonus.attribute)
    if known is None:
        return (0.0, bonus.points)
    listed = known.split(",") if isinstance(known, str) else known
    words = {plain(str(each)) for each in listed} if isinstance(listed, list | tuple) else set()
    return (bonus.points if words & {plain(each) for each in bonus.any_of} else 0.0,)


def _ruled(
    policy: Policy,
    counts: Mapping[str, float],
    scores: Sequence[float],
    points: Mapping[str, float],
) -> Derived:
    """Apply the rules to every score that is possible; they must agree."""
    found = []
    for score in scores:
        names = {**counts, SCORE: score}
        if K not in names and _rules_ask_for_k(policy):
            return Derived(None, None, None, "the rules ask for K, and K is not known")
        found.append(next((rule for rule in policy.rules if rule.applies(names)), None))
    known = len(scores) == 1 or bool(difference(max(scores), min(scores)) == 0)
    score_known = scores[0] if known and policy.scored else None
    verdicts = {rule.verdict if rule else None for rule in found}
    rule = found[0]
    if len(verdicts) > 1:
        reason = "a property of the case that adds points is not known"
        return Derived(None, None, None, reason, counts, points)
    if rule is None:
        return Derived(None, score_known, None, "no rule applies", counts, points)
    return Derived(rule.verdict, score_known, rule.text, None, counts, points)
