"""Whether true verdicts follow from the findings of the truth, under the rules of a policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.derive.conclusions import SCORE, Derived, Years, conclude_from_truth
from assay.derive.evidence import Incidents, incidents_of
from assay.derive.policies import Policy, normalised_verdict
from assay.errors import UsageError
from assay.showing import quoted


@dataclass(frozen=True, slots=True)
class Differing:
    """A case whose true verdict does not follow."""

    case: str
    verdict: str
    """the true one, in the spelling of the policy where it has it"""
    derived: Derived
    reason: str


@dataclass(frozen=True, slots=True)
class PolicyCheck:
    """How many true verdicts follow from the rules, and which do not."""

    n_cases: int
    n_following: int
    differing: tuple[Differing, ...]
    """in the order of the truth"""
    not_judged: tuple[str, ...]
    """fields that the rules ask for and no finding of the truth says anything about"""
    not_understood: Mapping[str, int]
    """what is not as it should be in the findings, by its kind"""


def check_policy(
    policy: Policy,
    cases: Mapping[str, Mapping[str, Any]],
    *,
    k: int | None = None,
    years: Mapping[str, Years] | None = None,
) -> PolicyCheck:
    """Derive the verdict of every case of a ground truth, and compare it with the true one.

    `cases` are verdict, findings (under `incidents`) and properties by case, as `GroundTruth` has
    them, `k` is the number of sources of a case, and `years` say by case when its sources were
    written; without them the `recency_weight` of a finding counts.

    Examples
    --------
    >>> from assay.derive.rules import parse_rule
    >>> rules = tuple(map(parse_rule, ("N_EVIDENCE >= 2 -> High", "else -> Low")))
    >>> policy = Policy("p", ("Low", "High"), rules=rules)
    >>> found = check_policy(policy, {"a": {"verdict": "low"}, "b": {"verdict": "High"}})
    >>> found.n_following, [(each.case, each.reason) for each in found.differing]
    (1, [('b', "the rule 'else -> Low' leads to 'Low'")])
    """
    if not policy.rules:
        msg = f"the policy {quoted(policy.id)} has no rules, so no verdict follows from them"
        raise UsageError(msg, hint="it is a scale alone; check one with rules")
    read = {case: incidents_of(row.get("incidents"), policy) for case, row in cases.items()}
    differing = []
    for case, row in cases.items():
        about = {"attributes": row, "years": (years or {}).get(case)}
        derived = conclude_from_truth(read[case], policy, k=k, **about)
        verdict = normalised_verdict(row["verdict"], policy) or ""
        if derived.verdict is None or derived.verdict != verdict:
            differing.append(Differing(case, verdict, derived, _reason(derived, verdict, policy)))
    return PolicyCheck(
        n_cases=len(cases),
        n_following=len(cases) - len(differing),
        differing=tuple(differing),
        not_judged=_not_judged(policy, read.values()),
        not_understood=sum((Counter(each.malformed) for each in read.values()), Counter()),
    )


def _reason(derived: Derived, verdict: str, policy: Policy) -> str:
    if verdict not in policy.verdicts:
        return f"{quoted(verdict)} is not on the scale"
    if derived.reason is not None:
        return derived.reason
    score = "" if derived.score is None else f" at a score of {derived.score:g}"
    return f"the rule {quoted(derived.rule)} leads to {quoted(derived.verdict)}{score}"


def _not_judged(policy: Policy, truth: Iterable[Incidents]) -> tuple[str, ...]:
    judged: set[str] = set()
    for each in truth:
        for incident in each.items:
            judged |= {incident.field, *incident.beside}
    return tuple(dict.fromkeys(each for each in _asked(policy) if each not in judged))


def _asked(policy: Policy) -> Iterator[str]:
    """Yield the fields on which the rules depend."""
    names = frozenset().union(*(rule.names for rule in policy.rules))
    for count in policy.counts:
        if count.name in names:
            yield from (name for name, _ in count.where)
    if SCORE in names:
        yield from (each.name for each in policy.fields if each.scored)
