"""Policies from files, which one verdicts are by, and whether these and their sources fit it.

Those that come with the package go by name, those of the user by path.

The page about policies lists the keys; a key that is not among them is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec

from assay.derive.conclusions import depends_on_k
from assay.derive.policies import (
    Bonus,
    Count,
    Field,
    Modifier,
    Policy,
    Recency,
    Spelling,
    Threshold,
    Value,
    normalised_verdict,
    plain,
)
from assay.derive.policy_faults import policy_faults
from assay.derive.rules import parse_rule
from assay.errors import ArtifactError, UsageError
from assay.showing import counted, inert, quoted
from assay.sources.documents import read_document
from assay.sources.tabular import class_label
from assay.sources.verdicts import GroundTruth, Results, Reviews

SUFFIXES = (".yaml", ".yml", ".json")
TOPICS: Mapping[str, str] = {
    "G1": "allergy|dietary|hygiene",
    "G2": "business|group|romance",
    "G3": "hidden_costs|price_worth|time_value",
    "G4": "environment|kitchen|server",
    "G5": "capacity|consistency|execution",
    "G6": "comparison|loyalty|uniqueness",
}
"""of published policies, whose scales are known where their rules are not"""
VERSIONED = re.compile(
    rf"((?:{'|'.join(f'({group})_(?:{topics})' for group, topics in TOPICS.items())}))_V[0-4]\Z"
    r"|(T[1-5])P\d\Z",
    re.ASCII | re.IGNORECASE,
)
N_NEAREST = 3
SHOWN = 3
FEWEST = 2


@dataclass(frozen=True, slots=True)
class PolicySource:
    """A policy and where it is from."""

    policy: Policy
    path: str
    """of the file, or `bundled: NAME`"""
    sha256: str


class _Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Refuses keys that it does not know."""


class _Direction(_Struct, frozen=True):
    low: str
    high: str
    positive: Literal["high", "low"] = "high"
    adverse: str | None = None


class _Value(_Struct, frozen=True):
    points: float = 0.0
    synonyms: tuple[str, ...] = ()


class _Field(_Struct, frozen=True):
    values: dict[str, _Value | None] = {}
    synonyms: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()


class _Modifier(_Struct, frozen=True):
    field: str
    values: tuple[str, ...]
    points: float = 0.0


class _Bonus(_Struct, frozen=True):
    attribute: str
    any_of: tuple[str, ...]
    points: float
    only_with_finding: bool = False
    only_with_incident: bool = False
    """another spelling"""


class _Threshold(_Struct, frozen=True):
    default: float
    by_k: dict[int | str, float] = {}


class _Step(_Struct, frozen=True):
    years: float
    weight: float


class _Recency(_Struct, frozen=True):
    reference_year: float
    steps: tuple[_Step, ...]
    older: float


class _File(_Struct, frozen=True):
    policy: str
    verdicts: tuple[str, ...]
    direction: _Direction
    title: str = ""
    steps: tuple[int, ...] = ()
    verdict_synonyms: dict[str, str] = {}
    fields: dict[str, _Field] = {}
    modifiers: dict[str, _Modifier] = {}
    bonuses: dict[str, _Bonus] = {}
    counts: dict[str, dict[str, tuple[str, ...]]] = {}
    thresholds: dict[str, _Threshold | float] = {}
    recency: _Recency | None = None
    only: dict[str, tuple[str, ...]] = {}
    rules: tuple[str, ...] = ()


def known_policies() -> tuple[str, ...]:
    """Return the names of the policies that come with the package."""
    found = [each.name for each in files("assay").joinpath("data", "policies").iterdir()]
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


def read_policy(name_or_path: str) -> PolicySource:
    """Read a policy of the package by its name, or a file of the user by its path.

    A published name that is not known as a whole (G2_business_V3) gives the scale of its topic or
    group, without rules; what is published nowhere is refused with the nearest names.
    """
    if name_or_path.lower().endswith(SUFFIXES) or os.sep in name_or_path:
        return _read(name_or_path)
    found = bundled_policy(name_or_path)
    if found is not None:
        return found
    msg = f"there is no policy named {quoted(name_or_path)}"
    hint = f"{known_as(name_or_path)}; a file of your own ends in .yaml or .json"
    raise UsageError(msg, hint=hint)


def known_as(name: str) -> str:
    """Say which policies there are, those with a similar name first."""
    known = {each.lower(): each for each in known_policies()}
    near = [known[each] for each in get_close_matches(name.lower(), known, N_NEAREST)]
    nearest = f"the nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}; " if near else ""
    return f"{nearest}known are {', '.join(known.values())}"


def bundled_policy(name: str) -> PolicySource | None:
    """Return the policy of the package that a name stands for, if any."""
    known = {each.lower(): each for each in known_policies()}
    for candidate in _candidates(name):
        if candidate.lower() in known:
            stored = known[candidate.lower()]
            path = Path(str(files("assay").joinpath("data", "policies", f"{stored}.yaml")))
            found = _read(str(path))
            policy = found.policy if candidate == name else replace(found.policy, id=name)
            return PolicySource(policy, f"bundled: {stored}", found.sha256)
    return None


def _candidates(name: str) -> list[str]:
    """Return a name, and where it is a published one its topic and group, as G1_allergy and G1."""
    versioned = VERSIONED.match(name)
    return [name, *(each for each in versioned.groups() if each)] if versioned else [name]


def _read(path: str) -> PolicySource:
    document, content = read_document(path, _File)
    try:
        policy = _policy(document)
    except UsageError as error:
        raise ArtifactError(f"{path}: {error}", hint=error.hint) from None
    for fault in policy_faults(policy):
        hint = "docs/verdicts.md says what a policy holds"
        raise ArtifactError(f"{path}: the policy {fault}", hint=hint)
    return PolicySource(policy, path, content.sha256)


def _policy(document: _File) -> Policy:
    return Policy(
        id=document.policy,
        verdicts=document.verdicts,
        title=document.title or document.policy,
        low_end=document.direction.low,
        high_end=document.direction.high,
        positive=document.direction.positive,
        adverse=document.direction.adverse,
        verdict_synonyms=document.verdict_synonyms,
        steps=document.steps,
        fields=tuple(_field(name, each) for name, each in document.fields.items()),
        modifiers=tuple(
            Modifier(name, each.field, each.values, each.points)
            for name, each in document.modifiers.items()
        ),
        bonuses=tuple(
            Bonus(name, each.attribute, each.any_of, each.points, _only_with_finding(each))
            for name, each in document.bonuses.items()
        ),
        counts=tuple(Count(name, tuple(where.items())) for name, where in document.counts.items()),
        thresholds=tuple(_threshold(*each) for each in document.thresholds.items()),
        recency=_recency(document.recency),
        only=document.only,
        rules=tuple(map(parse_rule, document.rules)),
    )


def _only_with_finding(read: _Bonus) -> bool:
    return read.only_with_finding or read.only_with_incident


def _recency(read: _Recency | None) -> Recency | None:
    if read is None:
        return None
    steps = tuple((step.years, step.weight) for step in read.steps)
    return Recency(read.reference_year, steps, read.older)


def _field(name: str, read: _Field) -> Field:
    values = tuple(
        Value(value) if about is None else Value(value, about.synonyms, about.points)
        for value, about in read.values.items()
    )
    return Field(name, values, read.synonyms, read.neutral)


def _threshold(name: str, read: _Threshold | float) -> Threshold:
    if not isinstance(read, _Threshold):
        return Threshold(name, read)
    for k in read.by_k:
        if not str(k).isdecimal():
            msg = f"the threshold {name} must be by numbers K, found {quoted(k)}"
            raise UsageError(msg, hint="by_k: {25: 12, 50: 6}")
    return Threshold(name, read.default, {int(k): value for k, value in read.by_k.items()})


def scale_policy(verdicts: Sequence[object]) -> PolicySource:
    """See a list of verdicts, from the lowest to the highest, as a policy without rules."""
    names = tuple(each.strip() if isinstance(each, str) else _spelled(each) for each in verdicts)
    distinct = {plain(each) for each in names}
    if len(names) < FEWEST or len(distinct) < len(names) or "" in distinct:
        msg = f"a scale needs at least two different verdicts, found {', '.join(names) or 'none'}"
        hint = "`scale` names them from the lowest to the highest, as in Low Risk, High Risk"
        raise UsageError(msg, hint=hint)
    policy = Policy(
        id="scale", verdicts=names, title="A scale", low_end=names[0], high_end=names[-1]
    )
    return PolicySource(policy, "given as a scale", "")


def _spelled(verdict: object) -> str:
    label = class_label(verdict)
    if label is None:
        msg = f"`scale` must hold texts or whole numbers, found {quoted(verdict)}"
        raise UsageError(msg, hint="name the verdicts as they stand in the data")
    return str(label)


def policy_for(
    chosen: str | PolicySource | None,
    scale: Sequence[object],
    results: Sequence[Results],
    truth: GroundTruth,
) -> PolicySource:
    """Return the policy or scale that was chosen, or the policy that the files are about."""
    if scale and chosen is not None:
        msg = "`policy` and `scale` both say what the verdicts are"
        raise UsageError(msg, hint="give one of them")
    if scale:
        return scale_policy(scale)
    if chosen is not None:
        return read_policy(chosen) if isinstance(chosen, str) else chosen
    named = {each.path: each.text("policy_id") for each in results} | {truth.path: truth.policy_id}
    stated = {path: name for path, name in named.items() if name is not None}
    if not stated and (numbers := _numbers(results, truth)):
        return scale_policy(numbers)
    if not stated:
        msg = f"neither {results[0].path} nor {truth.path} names a policy (policy_id)"
        raise UsageError(msg, hint=_ways_out())
    if differing := _differing(stated):
        one, left, other, right = differing
        msg = f"{one} is about the policy {quoted(left)} and {other} about {quoted(right)}"
        raise UsageError(msg, hint="compare files about one policy, or choose with `policy`")
    path, name = next(iter(stated.items()))
    found = bundled_policy(name)
    if found is None:
        msg = f"{path} is about the policy {quoted(name)}, which is not known"
        raise UsageError(msg, hint=_ways_out(name))
    return found


def _numbers(results: Sequence[Results], truth: GroundTruth) -> list[int]:
    """Return verdicts that are whole numbers in their order; nothing where some are not."""
    rows = [row for each in results for row in each.cases.values()]
    rows += truth.cases.values()
    found = {class_label(row["verdict"]) for row in rows if row.get("verdict") is not None}
    whole = sorted(each for each in found if isinstance(each, int))
    return whole if len(whole) == len(found) else []


def _differing(stated: Mapping[str, object]) -> tuple[str, object, str, object] | None:
    """Return a file and what it says, and one that says something else; None where all agree."""
    one, said = next(iter(stated.items()), ("", None))
    others = ((one, said, path, found) for path, found in stated.items() if found != said)
    return next(others, None)


def k_for(
    chosen: int | None, results: Sequence[Results], truth: GroundTruth, policy: Policy
) -> int | None:
    """Return how many sources a case has: what was chosen, or what the files say."""
    named = {each.path: each.k for each in results} | {truth.path: truth.k}
    stated = {path: k for path, k in named.items() if k is not None}
    if chosen is not None:
        return chosen
    if (differing := _differing(stated)) and depends_on_k(policy):
        one, left, other, right = differing
        msg = f"{one} has K = {left} and {other} K = {right}, on which {policy.id} depends"
        raise UsageError(msg, hint="compare files of one K, or choose with `k`")
    return next(iter(stated.values()), None)


def _ways_out(name: str = "") -> str:
    known = known_as(name)
    return f"`policy` takes a file (.yaml, .json) or a name, {known}; `scale` takes verdicts"


def check_overlap(results: Sequence[Results], truth: GroundTruth) -> None:
    """Refuse results about other cases than the truth."""
    for each in results:
        if not truth.cases.keys() & each.cases.keys():
            one, other = next(iter(each.cases)), next(iter(truth.cases))
            msg = (
                f"{each.path} and {truth.path} have no case in common: the first is {quoted(one)}"
                f" in one and {quoted(other)} in the other"
            )
            raise ArtifactError(msg, hint="do the two files belong together?")


def check_truths(truth: GroundTruth, policy: Policy, spelling: Spelling) -> None:
    """Refuse true verdicts that are not on the scale."""
    outside: list[tuple[str, str]] = []
    for case, row in truth.cases.items():
        name = normalised_verdict(row["verdict"], policy, spelling=spelling)
        if name is not None and name not in policy.verdicts:
            outside.append((name, case))
    if outside:
        scale = inert(", ".join(policy.verdicts))
        of = counted(len(truth.cases), "true verdict is", "true verdicts are")
        msg = f"{truth.path}: {len(outside)} of {of} not on the scale {scale}:"
        hint = f"is {policy.id} the right policy? `policy` or `scale` choose another"
        raise ArtifactError(f"{msg} {examples(outside)}", hint=hint)


def check_answered(path: str, lost: Sequence[tuple[str, str]], n_asked: int) -> None:
    """Refuse a file in which cases are not answered; `lost` is why, and which."""
    if lost:
        cases = counted(n_asked, "case of the ground truth is", "cases of the ground truth are")
        msg = f"{path}: {len(lost)} of {cases} not answered: {examples(lost)}"
        hint = "`not_answered` wrong counts them as wrong, leave-out leaves them out"
        raise ArtifactError(msg, hint=hint)


def examples(found: Iterable[tuple[str, str]]) -> str:
    """Show the first of what was found, and the cases it was found in."""
    return ", ".join(
        f"{quoted(_short(what))} ({quoted(case)})" for what, case in islice(found, SHOWN)
    )


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."  # noqa: PLR2004 - of a line


def check_reviews(
    truth: GroundTruth,
    reviews: Reviews,
    named: Mapping[str, Iterable[str]],
    cited: Mapping[str, Mapping[str, Iterable[str]]],
    *,
    refused: bool,
) -> int:
    """Refuse sources that do not belong to the rest; return how many that the truth names are not.

    `named` are the sources that the truth names by case, `cited` those that systems cite, by file.
    """
    pairs = [(case, review) for case, ids in named.items() for review in ids]
    lost = [
        (case, review)
        for case, review in pairs
        if case in reviews.texts and review not in reviews.texts[case]
    ]
    if lost and refused:
        shown = ", ".join(f"{quoted(review)} ({quoted(case)})" for case, review in lost[:SHOWN])
        findings = counted(len(pairs), "finding is", "findings are")
        msg = (
            f"{truth.path}: {len(lost)} of {findings} in sources that"
            f" {reviews.path} does not have: {shown}"
        )
        hint = "do the two files belong together? `unknown_sources` count goes on and counts them"
        raise ArtifactError(msg, hint=hint)
    for path, by_case in cited.items() if refused else ():
        _check_cited(path, by_case, reviews)
    return len(lost)


def _check_cited(path: str, cited: Mapping[str, Iterable[str]], reviews: Reviews) -> None:
    """Refuse sources of which a system cites none: they are others than it was shown."""
    pairs = [(case, review) for case, ids in cited.items() for review in ids]
    known = any(review in reviews.texts.get(case, {}) for case, review in pairs)
    if pairs and not known:
        case, review = pairs[0]
        what = counted(len(pairs), "source that it cites", "sources that it cites")
        msg = (
            f"{path}: none of {what} is in {reviews.path}, the"
            f" first being {quoted(_short(review))} ({quoted(case)})"
        )
        hint = "do the two files belong together? `unknown_sources` count goes on and counts them"
        raise ArtifactError(msg, hint=hint)
