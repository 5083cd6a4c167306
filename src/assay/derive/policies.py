"""Policies: the scale of verdicts, the words for evidence, and what points and rules say of it.

A policy is data. What a text means under it (which verdict, which field, which value) is decided
here, by whole words and never by guessing: a text that could mean two things means none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from assay.derive import patterns as re
from assay.derive.rules import ARROWS, REFERENCE_ARROWS, Rule, split_rule

Spelling = Literal["lenient", "reference", "as-written"]
QUOTES = "'\"`"
WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
NEGATIONS = frozenset(
    {"no", "not", "never", "none", "without", "neither", "nor", "hardly"}
    | {f"{word}n't" for word in ("is", "was", "are", "were", "do", "does", "did", "has", "have")}
)
LONGEST_KEPT = 100
"""characters; a longer text is not remembered"""
MOST_KEPT = 1024
"""vocabularies that are remembered"""
NEGATED_WITHIN = 2
"""how many words before a value a negation reaches"""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an evidence field, its other names, and what it adds to the score."""

    name: str
    synonyms: tuple[str, ...] = ()
    points: float = 0.0


@dataclass(frozen=True, slots=True)
class Field:
    """What evidence is judged by."""

    name: str
    values: tuple[Value, ...] = ()
    synonyms: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    """values that make no incident of a source"""

    @property
    def scored(self) -> bool:
        """Say whether any value has points."""
        return any(value.points for value in self.values)


@dataclass(frozen=True, slots=True)
class Modifier:
    """What an aggravating or mitigating circumstance of an incident adds to its points."""

    name: str
    """as ground truth lists it"""
    field: str
    values: tuple[str, ...]
    """values of the field that mean it"""
    points: float = 0.0


@dataclass(frozen=True, slots=True)
class Bonus:
    """What a property of the case adds to its score, once."""

    name: str
    attribute: str
    any_of: tuple[str, ...]
    points: float
    only_with_incident: bool = False
    """whether a case without any incident is left as it is"""


@dataclass(frozen=True, slots=True)
class Recency:
    """How much a source of an age counts."""

    reference_year: float
    steps: tuple[tuple[float, float], ...]
    """(up to so many years old, weight), from the youngest"""
    older: float
    """the weight of what is older still"""

    def weight(self, year: float) -> float:
        """Return the weight of a source of this year."""
        age = self.reference_year - year
        return next((weight for years, weight in self.steps if age <= years), self.older)


@dataclass(frozen=True, slots=True)
class Count:
    """A number that rules may use: sources for which every field has one of its values."""

    name: str
    where: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Threshold:
    """A number that rules may use, by its name; it may depend on K, the sources of a case."""

    name: str
    default: float
    by_k: Mapping[int, float] = field(default_factory=dict)

    def at(self, k: int | None) -> float:
        """Return its value at K."""
        return self.default if k is None or k not in self.by_k else self.by_k[k]


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """How cases are judged."""

    id: str
    verdicts: tuple[str, ...]
    """from the lowest to the highest"""
    title: str = ""
    low_end: str = "low"
    """what the lowest verdict means, in a word or two"""
    high_end: str = "high"
    positive: Literal["high", "low"] = "high"
    """the end that the steps of the scale look for"""
    adverse: str | None = None
    """the verdict that is the bad outcome, if one is"""
    verdict_synonyms: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[int, ...] = ()
    """positions at which the scale is cut, counted from 1; all of them by default"""
    fields: tuple[Field, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    counts: tuple[Count, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    recency: Recency | None = None
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """a source counts only if these fields, where they are judged, have one of these values"""
    rules: tuple[Rule, ...] = ()

    @property
    def ordinals(self) -> tuple[int, ...]:
        """Return the positions at which the scale is cut."""
        return self.steps or tuple(range(1, len(self.verdicts)))

    def step_name(self, step: int, positive: Literal["high", "low"] | None = None) -> str:
        """Return a step of the scale in words, seen from the positive end or the one given."""
        if (positive or self.positive) == "high":
            return f">= {self.verdicts[step]}"
        return f"<= {self.verdicts[step - 1]}"

    @property
    def scored(self) -> bool:
        """Say whether anything has points, so that there is a score."""
        points = [each.points for each in self.modifiers] + [each.points for each in self.bonuses]
        return any(points) or any(each.scored for each in self.fields)

    def field(self, name: str) -> Field | None:
        """Return a field by its name."""
        return next((each for each in self.fields if each.name == name), None)


def risk_scale(policy_id: str = "risk") -> Policy:
    """Return the three risk verdicts that the reference falls back to."""
    return Policy(
        id=policy_id,
        verdicts=("Low Risk", "High Risk", "Critical Risk"),
        title="Risk",
        low_end="least risk",
        high_end="most risk",
        adverse="Critical Risk",
    )


def plain(text: str) -> str:
    """Spell a word or phrase so that case, underscores, hyphens and white space do not matter.

    Examples
    --------
    >>> plain(" Good_value "), plain("INCIDENT-SEVERITY"), plain("-1"), plain("-")
    ('good value', 'incident severity', '-1', '-')
    """
    return _kept(text) if len(text) <= LONGEST_KEPT else _plain(text)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_JOINING.sub(" ", folded).split()) or folded.strip()


_JOINING = re.compile(r"(?<=\w)[_\-\u2010-\u2015]+|[_\u2010-\u2015]+|-+(?!\.?\d)")
"""what joins words; before a number it is a sign"""
_kept = lru_cache(maxsize=8192)(_plain)
"""the same few words come again and again"""


def bare_verdict(verdict: object) -> str | None:
    """Take white space and quotation marks off a verdict; None where nothing is left.

    Examples
    --------
    >>> bare_verdict(" 'Low Risk' "), bare_verdict("``"), bare_verdict(None)
    ('Low Risk', None, None)
    """
    if verdict is None:
        return None
    return str(verdict).strip().strip(QUOTES).strip() or None


def normalised_verdict(
    verdict: object, policy: Policy | None, *, spelling: Spelling = "lenient"
) -> str | None:
    """Return a verdict in the spelling of the policy's scale, or bare where it is not on it.

    ``reference`` repairs case and underscores only; ``lenient`` hyphens, repeated white space and
    the policy's synonyms too; ``as-written`` nothing.

    Examples
    --------
    >>> normalised_verdict("low_risk", risk_scale()), normalised_verdict("low_risk", None)
    ('Low Risk', 'low_risk')
    """
    bare = bare_verdict(verdict)
    if bare is None or policy is None or spelling == "as-written":
        return bare
    key = bare.lower().replace("_", " ") if spelling == "reference" else plain(bare)
    return _verdict_names(policy, spelling).get(key) or bare


@lru_cache(maxsize=64)
def _verdict_names(policy: Policy, spelling: Spelling) -> dict[str, str]:
    if spelling == "reference":
        return {each.lower().replace("_", " "): each for each in policy.verdicts}
    spelled = {plain(each): name for each, name in policy.verdict_synonyms.items()}
    return spelled | {plain(each): each for each in policy.verdicts}


def ordinal(verdict: object, policy: Policy, *, spelling: Spelling = "lenient") -> int | None:
    """Return the position of a verdict on the scale; None where it is not on it.

    Examples
    --------
    >>> ordinal("critical_risk", risk_scale()), ordinal("risky", risk_scale())
    (2, None)
    """
    name = normalised_verdict(verdict, policy, spelling=spelling)
    return policy.verdicts.index(name) if name in policy.verdicts else None


def rule_verdict(
    rule: object, policy: Policy | None, *, spelling: Spelling = "lenient"
) -> str | None:
    """Return the verdict that the text of a rule names after its last arrow; None without one.

    Only ``lenient`` knows the arrow =>.

    Examples
    --------
    >>> rule_verdict("SCORE >= 5 → critical_risk", risk_scale()), rule_verdict("CRITICAL", None)
    ('Critical Risk', None)
    """
    arrows = ARROWS if spelling == "lenient" else REFERENCE_ARROWS
    cut = split_rule(rule, arrows) if type(rule) is str else None
    return normalised_verdict(cut[1], policy, spelling=spelling) if cut else None


def field_of(text: str, policy: Policy | None) -> str:
    """Return the policy's name of a field, or the text in capitals where it has none.

    Examples
    --------
    >>> field_of("incident_severity", None)
    'INCIDENT_SEVERITY'
    """
    key = plain(text)
    names = _field_names(policy) if policy is not None else {}
    return names.get(key) or key.replace(" ", "_").upper()


@lru_cache(maxsize=64)
def _field_names(policy: Policy) -> dict[str, str]:
    return {
        plain(name): each.name for each in policy.fields for name in (each.name, *each.synonyms)
    }


def value_of(judgement: str, values: tuple[Value, ...]) -> str | None:
    """Return the one value that a judgement names in whole words; None for none, or several.

    A value that a negation stands before is not named. The longest name at a place counts.

    Examples
    --------
    >>> severity = tuple(Value(name) for name in ("mild", "moderate", "severe"))
    >>> value_of("Moderate incident", severity), value_of("mildly severe", severity)
    ('moderate', 'severe')
    >>> value_of("not severe", severity), value_of("mild or severe", severity)
    (None, None)
    """
    found = _VOCABULARIES.get(id(values))
    if found is None:
        found = _Vocabulary(values)
        if len(_VOCABULARIES) >= MOST_KEPT:
            _VOCABULARIES.clear()
        _VOCABULARIES[id(values)] = found
    return found.named_by(judgement)


class _Vocabulary:
    """The values of a field by their names, and the words of those."""

    def __init__(self, values: tuple[Value, ...]) -> None:
        self.values = values
        self.names: dict[str, str] = {}
        self.phrases: dict[tuple[str, ...], str] = {}
        sizes: dict[str, set[int]] = {}
        for value in values:
            for name in (value.name, *value.synonyms):
                key = plain(name)
                phrase = tuple(_words(key))
                self.names[key] = self.phrases[phrase] = value.name
                sizes.setdefault(phrase[0] if phrase else "", set()).add(len(phrase))
        self.sizes = {first: sorted(each, reverse=True) for first, each in sizes.items()}
        """how many words the phrases have that begin with a word, the most first"""

    def named_by(self, judgement: str) -> str | None:
        key = plain(judgement)
        if key in self.names:
            return self.names[key]
        found = set(self._named(_words(key)))
        return found.pop() if len(found) == 1 else None

    def _named(self, words: list[str]) -> Iterator[str]:
        at = 0
        while at < len(words):
            sizes = self.sizes.get(words[at], ())
            size = next((n for n in sizes if tuple(words[at : at + n]) in self.phrases), 0)
            before = words[max(0, at - NEGATED_WITHIN) : at]
            if size and not NEGATIONS.intersection(before):
                yield self.phrases[tuple(words[at : at + size])]
            at += size or 1


_VOCABULARIES: dict[int, _Vocabulary] = {}
"""by the identity of the values, which each of them holds: to compare them would cost as much"""


def _words(text: str) -> list[str]:
    return [word.replace("\u2019", "'") for word in WORD.findall(text)]
