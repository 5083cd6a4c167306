"""Keys of the files about verdicts: one name for each, the spellings that are read, and one's own.

A key goes by the words of this package: case, source, evidence, finding, field, value. Programs
around it say business, review, incident and severity, which is read as the same. Of several
spellings in one object the first that holds something counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from assay.errors import UsageError
from assay.showing import quoted

Object = Mapping[Any, Any]
"""what JSON calls an object, with anything in it"""

SPELLINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "case_id": ("business_id", "case_id", "sample_id"),
        "source_id": ("review_id", "source_id"),
        "cases": ("restaurants", "cases"),
        "sources": ("reviews", "sources"),
        "findings": ("incidents", "findings"),
        "finding_field": ("severity_field", "field"),
        "finding_value": ("severity_value", "value", "severity"),
        "evidences": ("evidence", "evidences"),
        "evidence_value": ("judgement", "value"),
        "snippet": ("quotation", "snippet"),
        "rank_score": ("risk_score", "rank_score"),
    }
)
"""what a key means: how it may be spelled"""
OTHERS = (
    *("results", "per_sample_results", "parsed", "response", "verdict", "error", "method", "name"),
    *("justification", "triggered_rule", "scoring_trace", "total_score", "ground_truth", "k"),
    *("policy_id", "modifiers", "recency_weight", "categories", "text", "date", "model", "run_id"),
)
"""keys with one spelling"""
KEYS = tuple(sorted({*OTHERS, *(each for known in SPELLINGS.values() for each in known)}))
"""what a key of one's own may stand for"""
N_NEAREST = 3


def key_of(holder: Object, name: str) -> str:
    """Return how an object spells a key, or how it may where it does not.

    Examples
    --------
    >>> key_of({"business_id": None, "case_id": "a"}, "case_id"), key_of({}, "source_id")
    ('case_id', 'source_id')
    """
    there = [key for key in SPELLINGS[name] if key in holder]
    return next(
        (key for key in there if holder[key] is not None), there[0] if there else SPELLINGS[name][1]
    )


class Renaming:
    """Keys of one's own: what each is read as, and which of them were met."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.names = dict(names or {})
        self.met: set[str] = set()

    def __call__(self, found: Any) -> Any:
        """Return JSON with its keys renamed, at any depth; a key that is there already stays.

        Examples
        --------
        >>> Renaming({"contract_id": "case_id"})([{"contract_id": "a"}])
        [{'case_id': 'a'}]
        """
        if not self.names:
            return found
        if isinstance(found, list):
            return [self(each) for each in found]
        if not isinstance(found, dict):
            return found
        self.met |= self.names.keys() & found.keys()
        renamed = {key: self(value) for key, value in found.items() if key not in self.names}
        for theirs, ours in self.names.items():
            if theirs in found:
                renamed.setdefault(ours, self(found[theirs]))
        return renamed

    def check(self) -> None:
        """Refuse keys that no file holds: they are misspelt."""
        for theirs in self.names:
            if theirs not in self.met:
                msg = f"`map` names the key {quoted(theirs)}, which none of the files holds"
                raise UsageError(msg, hint="keys are spelled as they stand in the files")


def renaming_of(given: Iterable[str] | Mapping[str, str]) -> Renaming:
    """Read renamings such as contract_id=case_id.

    Examples
    --------
    >>> renaming_of(["contract_id=case_id", "clause=source_id"]).names
    {'contract_id': 'case_id', 'clause': 'source_id'}
    """
    pairs = given.items() if isinstance(given, Mapping) else map(_pair, given)
    names: dict[str, str] = {}
    for theirs, ours in pairs:
        if ours not in KEYS:
            near = get_close_matches(ours, KEYS, N_NEAREST)
            msg = f"`map` reads {quoted(theirs)} as {quoted(ours)}, which is no key of the files"
            nearest = (
                f"the nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}; "
                if near
                else ""
            )
            raise UsageError(msg, hint=f"{nearest}the page about verdicts lists all keys")
        if names.setdefault(theirs, ours) != ours:
            msg = f"`map` reads {quoted(theirs)} as {names[theirs]} and as {ours}"
            raise UsageError(msg, hint="a key is read as one other")
    return Renaming(names)


def _pair(text: str) -> tuple[str, str]:
    theirs, sign, ours = (part.strip() for part in text.partition("="))
    if not theirs or not sign or not ours:
        msg = f"`map` must be a key of the files, =, and what it is read as, found {quoted(text)}"
        raise UsageError(msg, hint="as in contract_id=case_id")
    return theirs, ours
