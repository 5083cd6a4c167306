"""Policies from files: those that come with the package, by name, and those of the user, by path.

The page about policies lists the keys; a key that is not among them is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from assay.derive.policies import (
    Bonus,
    Count,
    Field,
    Modifier,
    Policy,
    Recency,
    Threshold,
    Value,
)
from assay.derive.policy_faults import policy_faults
from assay.derive.rules import parse_rule
from assay.errors import ArtifactError, UsageError
from assay.showing import quoted
from assay.sources.documents import read_document

__all__ = ["PolicySource", "bundled_policy", "known_as", "known_policies", "read_policy"]

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
