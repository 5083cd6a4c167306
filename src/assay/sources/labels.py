"""Label files and rules of refusals: documents that people write, and the ones that are shipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal

import msgspec

from assay.derive.labels import Label, LabelSet
from assay.derive.mentions import Cues
from assay.derive.refusals import RefusalRule, RefusalRules
from assay.errors import ArtifactError, UsageError
from assay.sources.content import Content
from assay.sources.documents import read_document, read_names

DATA = Path(__file__).parents[1] / "data"
SHIPPED_LABELS = DATA / "labels" / "diagnoses.yaml"
SHIPPED_RULES = DATA / "refusals.yaml"
REFERENCE_RULES = DATA / "refusals_reference.yaml"
FEWEST_LETTERS = "D"
"""up to which letter options go at least, where gold is letters and nothing tells more"""


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    aliases: list[str] = []
    abbreviations: list[str] = []


class _Labels(msgspec.Struct, forbid_unknown_fields=True):
    labels: list[_Entry | str]
    title: str = ""
    note: str = ""


class _Rule(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    strength: Literal["hard", "soft"]
    phrases: list[str]
    language: str = "en"
    then: list[str] = []
    within: int = 6


class _Cues(msgspec.Struct, forbid_unknown_fields=True):
    negations: list[str] = []
    negations_after: list[str] = []
    differentials: list[str] = []
    differentials_after: list[str] = []
    contrasts: list[str] = []


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    rules: list[_Rule]
    more: list[_Rule] = []
    cues: _Cues = msgspec.field(default_factory=_Cues)
    tags: list[str] | None = None
    markers: list[str] | None = None
    disorders: list[str] | None = None
    blocking: list[str] | None = None
    n_markers: int | None = None
    content_words: int | None = None
    hard_characters: int | None = None
    long_characters: int | None = None
    soft_characters: int | None = None
    soft_words: int | None = None


def read_labels(path: str) -> tuple[LabelSet, Content]:
    """Read a closed set from a file, or a shipped one by its name: labels and their other names."""
    shipped = {each.stem: str(each) for each in SHIPPED_LABELS.parent.glob("*.yaml")}
    found, content = read_names(shipped.get(path, path), _Labels, "labels")
    if not found.labels:
        raise ArtifactError(f"{path} names no labels", hint="a label file is a list of names")
    entries = [_Entry(each) if isinstance(each, str) else each for each in found.labels]
    labels = [Label(e.name, tuple(e.aliases), tuple(e.abbreviations)) for e in entries]
    try:
        return LabelSet(tuple(labels)), content
    except UsageError as error:
        raise ArtifactError(f"{path}: {error.args[0]}", hint=error.hint) from None


def read_refusal_rules(path: str) -> tuple[RefusalRules, Content]:
    """Read rules of refusals, and the cues of negations and differentials."""
    found, content = read_document(path, _Rules)
    rules, more = (
        tuple(
            RefusalRule(
                each.name,
                each.strength,
                each.language,
                tuple(each.phrases),
                tuple(each.then),
                each.within,
            )
            for each in part
        )
        for part in (found.rules, found.more)
    )
    cues = Cues(**{name: tuple(each) for name, each in msgspec.structs.asdict(found.cues).items()})
    others: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in msgspec.structs.asdict(found).items()
        if name not in {"rules", "more", "cues"} and value is not None
    }
    return RefusalRules(rules, cues, more=more, **others), content


@cache
def shipped_labels() -> tuple[Label, ...]:
    """Return the labels that are shipped: diagnoses, their other names and abbreviations."""
    return read_labels(str(SHIPPED_LABELS))[0].labels


@cache
def shipped_rules() -> RefusalRules:
    """Return the rules of refusals that are shipped."""
    return read_refusal_rules(str(SHIPPED_RULES))[0]


@cache
def reference_rules() -> RefusalRules:
    """Return the rules of refusals of the reference, and beside them what else is shipped."""
    own, usual = read_refusal_rules(str(REFERENCE_RULES))[0], shipped_rules()
    return replace(own, cues=usual.cues, blocking=usual.blocking, more=(*usual.rules, *usual.more))


def completed(names: Sequence[str]) -> list[str]:
    """Return the gold that occurs with what else may be answered: no beside yes, all letters."""
    if names and all(len(each) == 1 and each in ascii_uppercase for each in names):
        last = max(*names, FEWEST_LETTERS)
        return [*ascii_uppercase[: ascii_uppercase.index(last) + 1]]
    plain = {each.strip().lower() for each in names}
    for both in (("yes", "no"), ("true", "false")):
        if plain and plain <= {*both}:
            return [*names, *(each for each in both if each not in plain)]
    return [*names]
