"""Evidence as a system cites it, against the findings that the truth names.

A part of an answer that is not what it should be is counted by its kind. It never matches: an
evidence without a field or with a judgement that is no text judges nothing. What it cites is
still cited: a source counts by its id, whatever is said about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as filled_with
from numbers import Integral
from typing import Any, Literal, Protocol

from assay.derive.policies import Modifier, Policy, Value, field_of, plain, value_of
from assay.derive.spellings import SPELLINGS, key_of
from assay.showing import quoted

Denominator = Literal["matched", "all"]
Comparison = Literal["words", "reference"]
Object = Mapping[Any, Any]
"""what JSON calls an object, with anything in it"""

DEFAULT_FIELD = "INCIDENT_SEVERITY"
DEFAULT_MODIFIERS = (
    Modifier("False assurance", "ASSURANCE_CLAIM", ("true",)),
    Modifier("Dismissive staff", "STAFF_RESPONSE", ("dismissive",)),
)
DEFAULT_MODIFIER_FIELDS: Mapping[str, tuple[str, ...]] = {
    "ASSURANCE_CLAIM": ("ASSURANCE_OF_SAFETY",),
    "STAFF_RESPONSE": (),
}
DEFAULT_MODIFIER_VALUES: Mapping[str, tuple[Value, ...]] = {
    "ASSURANCE_CLAIM": (
        Value("true", ("yes", "detected", "false assurance", "assurance given")),
        Value("false", ("no", "no assurance", "none", "not detected", "unknown")),
    ),
    "STAFF_RESPONSE": (
        Value("dismissive", ("negative", "bad", "rude", "unhelpful")),
        Value("none", ("positive", "good", "helpful", "accommodating", "neutral", "unknown")),
    ),
}
INCIDENT_KEYS = frozenset(
    {"modifiers", "account_type", *SPELLINGS["source_id"], *SPELLINGS["finding_field"]}
    | {"recency_weight", *SPELLINGS["finding_value"]}
    | {"severity_label", "base_points", "total_points", "weighted_points"}
)
"""what ground truth says of a finding, here or in the program that wrote it"""
REFERENCE_SEVERITIES = ("mild", "moderate", "severe")
REFERENCE_MODIFIERS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "False assurance": (
        ("ASSURANCE_CLAIM", "ASSURANCE_OF_SAFETY"),
        ("true", "yes", "detected", "false assurance", "no assurance"),
    ),
    "Dismissive staff": (
        ("STAFF_RESPONSE",),
        ("dismissive", "negative", "bad", "rude", "unhelpful"),
    ),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """One evidence; a part that is no text is None, a missing field or judgement is empty."""

    number: int
    """its place in the list, from 0"""
    review_id: str | None
    field: str | None
    judgement: str | None
    snippet: str | None
    """perhaps of white space only"""


@dataclass(frozen=True, slots=True)
class Claims:
    """The evidences of one case, and what is not as it should be among them."""

    items: tuple[Claim, ...]
    malformed: Mapping[str, int]

    @property
    def reviews(self) -> frozenset[str]:
        """Return the sources that are cited."""
        return frozenset(each.review_id for each in self.items if each.review_id is not None)


@dataclass(frozen=True, slots=True)
class Incident:
    """What the truth says of one source: a finding."""

    review_id: str
    field: str
    value: str | None
    """None where the truth does not say"""
    modifiers: frozenset[str] | None
    """None where the truth has no list of them"""
    written: str = DEFAULT_FIELD
    """the field as it is written, in capitals"""
    beside: Mapping[str, str] = filled_with(default_factory=dict)
    """what else the truth says of the source, by field of the policy"""
    weight: float | None = None
    """how much the source counts for its age, where the truth says so"""


@dataclass(frozen=True, slots=True)
class Incidents:
    """The findings of one case, and what is not as it should be among them."""

    items: tuple[Incident, ...]
    malformed: Mapping[str, int]

    @property
    def reviews(self) -> frozenset[str]:
        """Return the sources that the truth names."""
        return frozenset(each.review_id for each in self.items)


@dataclass(frozen=True, slots=True)
class EvidenceCounts:
    """Sources of one case, each counted once."""

    n_claimed: int
    n_matched: int
    n_gold: int


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """Judgements of one field."""

    field: str
    kind: Literal["finding", "modifier"]
    n_judged: int
    n_right: int


def claims_of(evidences: object) -> Claims:
    """Read a list of evidences, whatever it holds.

    Examples
    --------
    >>> read = claims_of([{"review_id": "r1", "field": "", "judgement": True}, None])
    >>> len(read.items), dict(read.malformed)
    (1, {'field is empty': 1, 'judgement is a boolean': 1, 'evidence is not an object': 1})
    """
    faults: Counter[str] = Counter()
    if evidences is None:
        return Claims((), Counter({"evidences is null": 1}))
    if not isinstance(evidences, list | tuple):
        return Claims((), Counter({"evidences is not a list": 1}))
    items = [
        _claim(number, each, faults)
        for number, each in enumerate(evidences)
        if isinstance(each, Mapping) or faults.update(["evidence is not an object"])
    ]
    return Claims(tuple(items), faults)


def _claim(number: int, evidence: Object, faults: Counter[str]) -> Claim:
    return Claim(
        number=number,
        review_id=_id(evidence, faults),
        field=_text(evidence, "field", faults),
        judgement=_text(evidence, key_of(evidence, "evidence_value"), faults),
        snippet=_snippet(evidence, faults),
    )


def _id(holder: Object, faults: Counter[str]) -> str | None:
    key = key_of(holder, "source_id")
    found = holder.get(key)
    if not isinstance(found, bool) and isinstance(found, Integral):
        return str(found)
    if isinstance(found, str) and found.strip():
        return found
    fault = "missing" if found is None else "empty" if isinstance(found, str) else "not a text"
    faults[f"{key} is {fault}"] += 1
    return None


def _text(holder: Object, key: str, faults: Counter[str]) -> str | None:
    found = holder.get(key)
    if isinstance(found, str) and found.strip():
        return found
    fault = "null" if found is None else "empty" if isinstance(found, str) else _kind(found)
    faults[f"{key} is {fault}"] += 1
    return "" if key not in holder or isinstance(found, str) else None


def _kind(found: object) -> str:
    if isinstance(found, bool):
        return "a boolean"
    return "a number" if isinstance(found, int | float) else "not a text"


def _snippet(holder: Object, faults: Counter[str]) -> str | None:
    key = key_of(holder, "snippet")
    found = holder.get(key)
    if isinstance(found, str):
        return found or None
    if found is not None:
        faults[f"{key} is not a text"] += 1
    return None


def incidents_of(incidents: object, policy: Policy | None = None) -> Incidents:
    """Read the findings of one case; old files name no field, and their value `severity`.

    Examples
    --------
    >>> [old] = incidents_of([{"review_id": "r1", "severity": "mild"}]).items
    >>> old.field, old.value
    ('INCIDENT_SEVERITY', 'mild')
    """
    faults: Counter[str] = Counter()
    if incidents is None:
        return Incidents((), faults)
    if not isinstance(incidents, list | tuple):
        return Incidents((), Counter({"findings is not a list": 1}))
    return Incidents(tuple(_incidents(incidents, policy, faults)), faults)


def _incidents(
    incidents: Iterable[object], policy: Policy | None, faults: Counter[str]
) -> Iterator[Incident]:
    for each in incidents:
        if not isinstance(each, Mapping):
            faults["finding is not an object"] += 1
            continue
        review_id = _id(each, faults)
        if review_id is not None:
            named = _told(each, "finding_field", faults)
            value = _told(each, "finding_value", faults)
            if named is None and _told_by(each, "value"):
                faults[f"finding has a value and no field, so {DEFAULT_FIELD} is taken"] += 1
            named = named or DEFAULT_FIELD
            listed = each.get("modifiers")
            if value is None:
                faults[_lacking(each)] += 1
            beside = _beside(each, policy)
            unread = [key for key in each if key not in INCIDENT_KEYS and key not in beside]
            faults.update(f"{quoted(key)} is not read" for key in unread)
            yield Incident(
                review_id,
                _field(named, value, policy, faults),
                value,
                frozenset(map(str, listed)) if isinstance(listed, list | tuple) else None,
                written=named.upper(),
                beside=dict(beside.values()),
                weight=_weight(each),
            )


def _field(named: str, value: str | None, policy: Policy | None, faults: Counter[str]) -> str:
    """Return the field of a finding; what the policy does not have is counted."""
    field = field_of(named, policy)
    if policy is not None and policy.fields:
        known = policy.field(field)
        if known is None:
            faults[f"the policy has no field {quoted(named)}"] += 1
        elif value is not None and known.values and value_of(value, known.values) is None:
            faults[f"{quoted(named)} has a value that the policy does not have"] += 1
    return field


def _beside(incident: Object, policy: Policy | None) -> dict[str, tuple[str, str]]:
    """Return field and text by the keys that are fields of the policy, such as account_type."""
    return {
        key: (field_of(key, policy), text)
        for key, text in incident.items()
        if policy is not None
        and isinstance(text, str)
        and policy.field(field_of(str(key), policy)) is not None
    }


def _weight(incident: Object) -> float | None:
    found = incident.get("recency_weight")
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found <= 1:
        return float(found)
    return None


def _told(finding: Object, name: str, faults: Counter[str]) -> str | None:
    """Return the first text under the spellings of a key; that others differ is counted."""
    told = {key: text for key in SPELLINGS[name] if (text := _told_by(finding, key))}
    if len({text.casefold() for text in told.values()}) > 1:
        faults[f"{' and '.join(told)} differ, the first is taken"] += 1
    return next(iter(told.values()), None)


def _told_by(finding: Object, key: str) -> str:
    found = finding.get(key)
    return found.strip() if isinstance(found, str) else ""


def _lacking(finding: Object) -> str:
    """Say why a finding has no value."""
    for key in SPELLINGS["finding_value"]:
        if finding.get(key) is not None and not isinstance(finding[key], str):
            return f"{key} is {_kind(finding[key])}"
    return "finding has no value"


def evidence_counts(claims: Claims, incidents: Incidents) -> EvidenceCounts:
    """Count the sources that are cited, those that the truth names, and those that are both.

    Examples
    --------
    >>> evidence_counts(
    ...     claims_of([{"review_id": "a"}, {"review_id": "b"}, {"review_id": "a"}]),
    ...     incidents_of([{"review_id": "b"}, {"review_id": "c"}, {"review_id": "d"}]),
    ... )
    EvidenceCounts(n_claimed=2, n_matched=1, n_gold=3)
    """
    cited, named = claims.reviews, incidents.reviews
    return EvidenceCounts(len(cited), len(cited & named), len(named))


def judgements_by_review(claims: Claims, policy: Policy | None = None) -> dict[str, dict[str, str]]:
    """Return what is judged of each source, by field; the last judgement of a field counts."""
    judged: dict[str, dict[str, str]] = {}
    for each in claims.items:
        if each.review_id is not None and each.field and each.judgement:
            of_review = judged.setdefault(each.review_id, {})
            of_review[field_of(each.field, policy)] = each.judgement
    return judged


def known_values(
    incidents: Iterable[Incidents], policy: Policy | None = None
) -> dict[str, tuple[Value, ...]]:
    """Return the values of each field: those of the policy, else those that the truth uses."""
    found: dict[str, dict[str, None]] = {}
    for case in incidents:
        for each in case.items:
            if each.value is not None:
                found.setdefault(each.field, {})[each.value] = None
    values = {field: tuple(Value(name) for name in names) for field, names in found.items()}
    if policy is not None:
        values |= {each.name: each.values for each in policy.fields if each.values}
    return values


def judgement_counts(
    claims: Claims,
    incidents: Incidents,
    policy: Policy | None = None,
    *,
    values: Mapping[str, tuple[Value, ...]] | None = None,
    denominator: Denominator = "matched",
    comparison: Comparison = "words",
) -> tuple[FieldCounts, ...]:
    """Compare judgements with the truth, field by field.

    A finding counts where its source is cited (``matched``), or always (``all``); without a
    judgement of its field, or a value in the truth, it is judged wrongly. A modifier counts where
    the truth lists modifiers and the system judges its field. `values` are the values of each
    field, see `known_values`.

    Examples
    --------
    >>> judgement_counts(
    ...     claims_of([{"review_id": "a", "field": "incident_severity", "judgement": "Mild."}]),
    ...     incidents_of([{"review_id": "a", "severity_value": "mild"}]),
    ... )
    (FieldCounts(field='INCIDENT_SEVERITY', kind='finding', n_judged=1, n_right=1),)
    """
    known = known_values([incidents], policy) if values is None else values
    reader: _Reader = _Words(claims, policy, known) if comparison == "words" else _Reference(claims)
    n: Counter[tuple[Literal["finding", "modifier"], str]] = Counter()
    right: Counter[tuple[Literal["finding", "modifier"], str]] = Counter()
    cited = claims.reviews
    for incident in incidents.items:
        if denominator == "matched" and incident.review_id not in cited:
            continue
        field = incident.field if comparison == "words" else incident.written
        n["finding", field] += 1
        right["finding", field] += reader.severity_is_right(incident)
        if incident.modifiers is not None:
            for field, agrees in reader.modifiers(incident.review_id, incident.modifiers):
                n["modifier", field] += 1
                right["modifier", field] += agrees
    return tuple(FieldCounts(key[1], key[0], n[key], right[key]) for key in n)


class _Reader(Protocol):
    """How a judgement is read."""

    def severity_is_right(self, incident: Incident) -> bool:
        """Say whether the judgement of a finding's field is its value."""
        ...

    def modifiers(self, review_id: str, true: frozenset[str]) -> Iterator[tuple[str, bool]]:
        """Yield the modifier fields that are judged, and whether rightly."""
        ...


class _Words:
    """By whole words: the field by any of its names, the value where the judgement names one."""

    def __init__(
        self, claims: Claims, policy: Policy | None, values: Mapping[str, tuple[Value, ...]]
    ) -> None:
        self.judged = judgements_by_review(claims, policy)
        self.values = values
        self.given = policy.modifiers if policy is not None else ()
        self.policy = policy

    def severity_is_right(self, incident: Incident) -> bool:
        judged = self.judged.get(incident.review_id) or {}
        if incident.value is None or incident.field not in judged:
            return False
        values = self.values.get(incident.field) or ()
        return self._read(judged[incident.field], values) == self._read(incident.value, values)

    def _read(self, text: str, values: tuple[Value, ...]) -> str:
        return plain(value_of(text, values) or text)

    def modifiers(self, review_id: str, true: frozenset[str]) -> Iterator[tuple[str, bool]]:
        judged = self.judged.get(review_id) or {}
        names = {plain(name) for name in true}
        for modifier in self.given or DEFAULT_MODIFIERS:
            field = self._judged_field(modifier.field, judged)
            if field is not None:
                values = self._values(modifier.field)
                claimed = value_of(judged[field], values) in modifier.values
                yield modifier.field, claimed == (plain(modifier.name) in names)

    def _judged_field(self, name: str, judged: Mapping[str, str]) -> str | None:
        other = () if self.given else DEFAULT_MODIFIER_FIELDS[name]
        return next((each for each in (name, *other) if each in judged), None)

    def _values(self, name: str) -> tuple[Value, ...]:
        field = self.policy.field(name) if self.policy is not None else None
        if field is not None and field.values:
            return field.values
        return DEFAULT_MODIFIER_VALUES.get(name) or ()


class _Reference:
    """As the reference program reads it: parts of words and of names, an empty one of all."""

    def __init__(self, claims: Claims) -> None:
        self.judged: dict[str, dict[str, str]] = {}
        for each in claims.items:
            if each.review_id is not None and each.field is not None and each.judgement is not None:
                self.judged.setdefault(each.review_id, {})[each.field.upper()] = each.judgement

    def severity_is_right(self, incident: Incident) -> bool:
        judged = self.judged.get(incident.review_id) or {}
        found = next((judged[name] for name in _alike(incident.written, judged)), None)
        if found is None or incident.value is None:
            return False
        return _reference_value(found) == incident.value.strip().lower()

    def modifiers(self, review_id: str, true: frozenset[str]) -> Iterator[tuple[str, bool]]:
        judged = self.judged.get(review_id) or {}
        for name, (fields, words) in REFERENCE_MODIFIERS.items():
            field = next((each for each in fields if each in judged), None)
            if field is not None:
                claimed = any(word in judged[field].lower() for word in words)
                yield field, claimed == (name in true)


def _alike(field: str, judged: Mapping[str, str]) -> Sequence[str]:
    """Return the judged field of this name, else those of which one contains the other."""
    if field.upper() in judged:
        return [field.upper()]
    bare = _bare(field)
    return [name for name in judged if bare in _bare(name) or _bare(name) in bare]


def _bare(field: str) -> str:
    return field.upper().replace("_", "").replace(" ", "")


def _reference_value(judgement: str) -> str:
    text = judgement.strip().lower()
    return next((word for word in REFERENCE_SEVERITIES if word in text), text)
