"""What is wrong with a policy: names that stand for nothing, and rules that nobody can apply."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from assay.derive.conclusions import N_SOURCES, SCORE, K
from assay.derive.policies import Field, Policy, plain
from assay.showing import counted, quoted

FEWEST_VERDICTS, MOST = 2, 1e15


def policy_faults(policy: Policy) -> Iterator[str]:
    """Yield what is wrong, each in a sentence without its subject.

    Examples
    --------
    >>> list(policy_faults(Policy(id="p", verdicts=("Low", "low"))))
    ["has two verdicts that read 'low'"]
    """
    yield from _scale(policy)
    yield from _fields(policy)
    yield from _numbers(policy)
    yield from _rules(policy)


def _scale(policy: Policy) -> Iterator[str]:
    if len(policy.verdicts) < FEWEST_VERDICTS:
        yield f"needs at least two verdicts, found {len(policy.verdicts)}"
    yield from _twice("verdicts", policy.verdicts)
    scale = {plain(each) for each in policy.verdicts}
    for synonym, verdict in policy.verdict_synonyms.items():
        if verdict not in policy.verdicts:
            said = f"calls {quoted(synonym)} the verdict {quoted(verdict)}"
            yield f"{said}, which is not on its scale"
        if plain(synonym) in scale:
            yield f"calls {quoted(synonym)} another verdict although it is one itself"
    if policy.adverse is not None and policy.adverse not in policy.verdicts:
        yield f"names the adverse verdict {quoted(policy.adverse)}, which is not on its scale"
    for step in policy.steps:
        if not 0 < step < len(policy.verdicts):
            verdicts = counted(len(policy.verdicts), "verdict")
            yield f"is cut at position {step}, and its scale has {verdicts}"


def _fields(policy: Policy) -> Iterator[str]:
    names = chain.from_iterable((each.name, *each.synonyms) for each in policy.fields)
    yield from _twice("fields", names)
    for each in policy.fields:
        values = chain.from_iterable((value.name, *value.synonyms) for value in each.values)
        yield from _twice(f"values of {each.name}", values)
        yield from _unknown(each, each.neutral, "as neutral")
    for modifier in policy.modifiers:
        if not modifier.values:
            yield f"has no value of {modifier.field} that {quoted(modifier.name)} means"
        yield from _of_field(policy, modifier.field, modifier.values, f"by {quoted(modifier.name)}")
    for count in policy.counts:
        for name, wanted in count.where:
            yield from _of_field(policy, name, wanted, f"by {count.name}")
    for name, wanted in policy.only.items():
        yield from _of_field(policy, name, wanted, "as the only ones that count")


def _of_field(policy: Policy, name: str, values: Iterable[str], where: str) -> Iterator[str]:
    field = policy.field(name)
    if field is None:
        yield f"asks for the field {quoted(name)} {where}, which it does not have"
    else:
        yield from _unknown(field, values, where)


def _unknown(field: Field, values: Iterable[str], where: str) -> Iterator[str]:
    known = {value.name for value in field.values}
    for value in values:
        if value not in known:
            yield f"names {quoted(value)} {where}, which is not a value of {field.name}"


def _numbers(policy: Policy) -> Iterator[str]:
    points = [value.points for field in policy.fields for value in field.values]
    points += [each.points for each in policy.modifiers] + [each.points for each in policy.bonuses]
    for each in policy.thresholds:
        points += [each.default, *each.by_k.values()]
    if policy.recency is not None:
        steps = policy.recency.steps
        points += [policy.recency.reference_year, policy.recency.older, *chain(*steps)]
        if any(one >= other for (one, _), (other, _) in pairwise(steps)):
            yield "must list its recency weights from the youngest age to the oldest"
    if not all(map(math.isfinite, points)):
        yield "holds a number that is not finite"
    elif max(map(abs, points), default=0) > MOST:
        yield f"holds a number beyond {MOST:.0e}, and points are added up"
    reserved = (SCORE, N_SOURCES, K)
    named = [each.name for each in policy.thresholds] + [each.name for each in policy.counts]
    yield from _twice("numbers", (*reserved, *named))


def _rules(policy: Policy) -> Iterator[str]:
    known = {SCORE, N_SOURCES, K} | {each.name for each in policy.thresholds}
    known |= {each.name for each in policy.counts}
    for at, rule in enumerate(policy.rules):
        if rule.verdict not in policy.verdicts:
            yield f"has a rule for {quoted(rule.verdict)}, which is not on its scale"
        if rule.condition is None and at < len(policy.rules) - 1:
            yield "has rules after `else`, which never apply"
        for name in sorted(rule.names - known):
            yield f"has a rule that asks for {name}, and knows only {', '.join(sorted(known))}"


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, n in Counter(map(plain, names)).items():
        if n > 1:
            yield f"has two {what} that read {quoted(name)}"
        if not name:
            yield f"has an empty name among its {what}"
